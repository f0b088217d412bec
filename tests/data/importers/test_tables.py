"""Tables of every provider: nothing lost, nothing in a wrong column, whatever quotes and commas do."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import FormatError
from data.importers.reading import read_data
from data.importers.source import FileReading, ReadOptions, opened
from data.importers.table_formats import proposed_columns
from tests.data.importers.bibliographies import titles
from tests.messages import refusal


def reading(text: str, *, format_id: str | None = None, **columns: str) -> FileReading:
    found = read_data(text.encode(), "list.txt", format_id=format_id, asked=ReadOptions(columns or None))
    assert len(found.records) + len(found.rejected) >= found.records_in_file
    return found


PROVIDERS = {
    "scopus_csv": (
        '"Authors","Author full names","Title","Year","Source title","Art. No.","Page start","Page end","Cited by",'
        '"DOI","Link","Abstract","Author Keywords","Index Keywords","Document Type","PubMed ID","Source","EID"\n'
        '"Kho L.; Ames R.","Kho, Lena (57191234567); Ames, Rob (57197654321)","Soup","2019","J. Soup","","7","19","4",'
        '"10.1000/SOUP","https://www.scopus.com/x","Hot.","broth; stock","food","Conference paper","31234567","Scopus",'
        '"2-s2.0-1"\n'
    ),
    "dimensions_csv": (
        '"About the data: exported on Oct 14, 2025"\n'
        "Rank,Publication ID,DOI,PMID,Title,Abstract,Source title,Publication date,PubYear,Pagination,Publication Type,"
        "Authors,Times cited,Dimensions URL\n"
        '9,pub.1,10.1000/soup,31234567,Soup,Hot.,J. Soup,2019-05,2019,7-19,Proceeding,"Kho, Lena; Ames, Rob",4,'
        "https://app.dimensions.ai/x\n"
    ),
    "zotero_csv": (
        '"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Url","Abstract Note","Date",'
        '"Date Added","Pages","Manual Tags","Number"\n'
        '"K1","conferencePaper","2019","Kho, Lena; Ames, Rob","Soup","J. Soup","10.1000/soup","https://s.org","Hot.",'
        '"2019-05-01","2022-05-17","7-19","broth; stock","77"\n'
    ),
    "ieee_csv": (
        '"Document Title",Authors,"Author Affiliations","Publication Title",Date Added To Xplore,"Publication Year",'
        '"Start Page","End Page",Abstract,DOI,"PDF Link","Author Keywords","IEEE Terms","Article Citation Count",'
        '"Document Identifier"\n'
        '"Soup","L. Kho; R. Ames","X; Y","J. Soup","5 May 2019","2019","7","19","Hot.","10.1000/soup","https://s.org",'
        '"broth;stock","food","4","IEEE Conferences"\n'
    ),
    "lens_csv": (
        "Lens ID,Title,Date Published,Publication Year,Publication Type,Source Title,Start Page,End Page,Author/s,"
        "Abstract,Keywords,Citing Works Count,DOI,PMID,External URL\n"
        "001-002,Soup,2019-05-01,2019,conference proceedings article,J. Soup,7,19,Lena Kho; Rob Ames,Hot.,"
        "broth; stock,4,10.1000/soup,31234567,https://s.org\n"
    ),
    "embase_csv": (
        "Title,Author Names,Source,Abstract,Emtree Medical Index Terms,Open URL Link\n"
        'Soup,"Kho L., Ames R.",J. Soup (2019) 3:2 (7-19). Date of Publication: May 2019,Hot.,'
        '"broth, stock (cold, hot)"'
        ",http://sfx.org/u?sid=E&id=doi:10.1000%2Fsoup&atitle=Soup\n"
    ),
    "pubmed_csv": (
        "PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI\n"
        '31234567,Soup,"Kho L, Ames R.",J. Soup. 2019,Kho L,J. Soup,2019,2019/05/01,PMC1,,10.1000/soup\n'
    ),
    "openalex_csv": (
        '"id","abstract","authorships.author.display_name","cited_by_count","display_name","doi","ids.pmid",'
        '"primary_location.source.display_name","publication_date","publication_year","type"\n'
        '"https://openalex.org/W1","Hot.","Lena Kho|Rob Ames",4,"Soup","https://doi.org/10.1000/soup",'
        '"https://pubmed.ncbi.nlm.nih.gov/31234567","J. Soup","2019-05-01",2019,"article"\n'
    ),
    "wos_tab": (
        "PT\tAU\tAF\tTI\tSO\tDE\tID\tAB\tZ9\tPY\tBP\tEP\tDI\tPM\tUT\tDT\n"
        "J\tKho, L; Ames, R\tKho, Lena; Ames, Rob\tSoup\tJ. Soup\tbroth\tstock\tHot.\t4\t2019\t7\t19\t10.1000/soup\t"
        "31234567\tWOS:1\tProceedings Paper\n"
    ),
    "wos_table": (
        "Publication Type;Authors;Author Full Names;Article Title;Source Title;Publication Year;Start Page;End Page;"
        "DOI;Abstract;UT (Unique WOS ID)\n"
        'J;"Kho, L; Ames, R";"Kho, Lena; Ames, Rob";Soup;J. Soup;2019;7;19;10.1000/soup;Hot.;WOS:1\n'
    ),
    "springer_csv": (
        "Item Title,Publication Title,Book Series Title,Item DOI,Authors,Publication Year,URL,Content Type\n"
        "Soup,J. Soup,,10.1000/soup,Lena KhoRob McAmes,2019,https://s.org,Chapter\n"
    ),
    "rayyan_csv": (
        "key,title,year,month,day,journal,pages,authors,url,abstract,notes,doi,pubmed_id\n"
        'rayyan-1,Soup,2019,5,1,J. Soup,7-19,"Kho, Lena and Ames, Rob",https://s.org,Hot.,'
        '"RAYYAN-INCLUSION: {""Ann""=>""Included""}",10.1000/soup,31234567\n'
    ),
    "covidence_csv": (
        "Title,Authors,Abstract,Published Year,Published Month,Journal,Pages,Accession Number,DOI,Ref,Covidence #,"
        "Study\n"
        "Soup,Kho Lena; Ames Rob,Hot.,2019,5,J. Soup,7-19,,10.1000/soup,12,#8,Kho 2019\n"
    ),
}


@pytest.mark.parametrize("format_id", PROVIDERS)
def test_each_provider_is_known_by_its_columns_and_fills_the_same_fields(format_id: str) -> None:
    found = reading(PROVIDERS[format_id])
    assert (found.format_id, found.records_in_file, len(found.rejected)) == (format_id, 1, 0)
    record = found.records[0]
    assert (record.title, record.year, record.doi, record.venue) == ("Soup", 2019, "10.1000/soup", "J. Soup")
    assert record.abstract == (None if format_id in ("pubmed_csv", "springer_csv") else "Hot.")
    assert [name[:3] if "Kho" in name[:3] else name.split()[-1] for name in record.authors[:1]] == ["Kho"]
    assert len(record.authors) == 2
    assert record.pages in (None, "7-19")
    assert record.pmid in (None, "31234567")
    assert record.times_cited in (None, 4)


def test_what_only_one_provider_does() -> None:
    scopus = reading(PROVIDERS["scopus_csv"]).records[0]
    assert scopus.authors == ("Kho, Lena", "Ames, Rob")
    assert (scopus.own_id, scopus.kind, scopus.keywords) == ("2-s2.0-1", "conference", ("broth", "stock", "food"))
    assert reading(PROVIDERS["rayyan_csv"]).records[0].included is True
    embase = reading(PROVIDERS["embase_csv"]).records[0]
    assert (embase.volume, embase.issue, embase.keywords) == ("3", "2", ("broth", "stock (cold, hot)"))
    assert reading(PROVIDERS["springer_csv"]).records[0].authors == ("Lena Kho", "Rob McAmes")
    assert reading(PROVIDERS["zotero_csv"]).unused == {"Date": 1, "Date Added": 1, "Number": 1}
    assert reading(PROVIDERS["dimensions_csv"]).records[0].line == 3


@pytest.mark.parametrize(
    ("notes", "included"),
    [
        ('{""Ann""=>""Excluded""}', False),
        ('{""Ann""=>""Included"", ""Bo""=>""Excluded""}', None),
        ('{""Ann""=>""Maybe""}', None),
    ],
)
def test_who_disagrees_in_rayyan_has_not_decided(notes: str, included: bool | None) -> None:
    text = PROVIDERS["rayyan_csv"].replace('{""Ann""=>""Included""}', notes)
    assert reading(text).records[0].included is included


@pytest.mark.parametrize(
    "column", ["label_included", "included", "label", "asreview_label", "included_label", "final_included"]
)
def test_labels_in_any_words(column: str) -> None:
    words = ["1", "yes", "TRUE", "included", "1.0", "0", "No", "false", "excluded", "-1", "", "maybe"]
    rows = "".join(f"{i},Title {i},{word}\n" for i, word in enumerate(words))
    found = reading(f"record_id,title,{column}\n{rows}")
    assert found.format_id == "asreview_csv"
    assert [record.included for record in found.records] == [True] * 5 + [False] * 4 + [None] * 3
    assert found.n_included == 5


@pytest.mark.parametrize(
    "header",
    [
        "Titel;Jahr;Autoren",
        "Titre;Année;Auteurs",
        "Título;Año;Autores",
        "primary_title;publication_year;first_authors",
        "dc:title;dc:date;dc:creator",
        " TITLE ; Year ;Author(s)",
        "Article Title;Publication Year;Author Names",
    ],
)
def test_columns_by_any_name(header: str) -> None:
    record = reading(f'{header}\n"Suppe; kalt";2019;"Kho, L.; Ames, R."\n').records[0]
    assert (record.title, record.year, record.authors) == ("Suppe; kalt", 2019, ("Kho, L.", "Ames, R."))


def test_a_table_that_nobody_knows_names_its_columns_and_can_be_mapped() -> None:
    text = "code,what it says,when\n7,On soup,2019\n8,On broth,2020\n"
    with refusal(FormatError):
        reading(text)
    found = reading(text, title="What it says", year="when", own_id="code")
    assert [(r.title, r.year, r.own_id, r.line) for r in found.records] == [
        ("On soup", 2019, "7", 2),
        ("On broth", 2020, "8", 3),
    ]
    with refusal(FormatError):
        reading(text, title="what")
    with refusal(FormatError):
        reading(text, headline="what it says")


def test_a_mapping_by_hand_wins_over_what_a_column_is_called() -> None:
    text = "title,original name,year\nSuppe,Soup,2019\n"
    assert titles(reading(text, title="original name")) == ["Soup"]
    assert reading(text, year="").records[0].year is None
    scopus = reading(PROVIDERS["scopus_csv"], authors="Authors", venue="Source")
    assert (scopus.records[0].authors, scopus.records[0].venue) == (("Kho L.", "Ames R."), "Scopus")


def test_columns_are_proposed_by_their_names_and_by_what_they_hold() -> None:
    abstract = "We cooked soup with many people in many towns and asked all of them what they thought about it. " * 4
    text = f"code,topic of the work,about,link to it,jahr\n1,Soup as a way to live,{abstract},10.1000/x,2019\n"
    proposal = proposed_columns(opened(text.encode(), "list.csv"))
    assert proposal.columns == ("code", "topic of the work", "about", "link to it", "jahr")
    assert proposal.mapping == {
        "title": "topic of the work",
        "abstract": "about",
        "doi": "link to it",
        "year": "jahr",
    }
    assert proposal.sample[0][0] == "1"
    assert titles(reading(text, **proposal.mapping)) == ["Soup as a way to live"]


def test_header_only_blank_rows_and_doubled_columns() -> None:
    assert reading("title,abstract\n").records == ()
    found = reading("title,note,title\n\nA,x,B\n,,\n   , ,\nC,,\n\n")
    assert [(r.title, r.line) for r in found.records] == [("A", 3), ("C", 6)]
    assert (found.records_in_file, found.rejected) == (2, ())
    assert found.unused == {"note": 1, "title (2)": 1}


def test_lines_of_cells_with_several_lines() -> None:
    text = 'id,title,abstract\n1,"Soup\nfor all","A\n\nB"\n2,Broth,"C"\n'
    found = reading(text)
    assert [(r.line, r.title, r.abstract) for r in found.records] == [(2, "Soup for all", "A B"), (6, "Broth", "C")]


@pytest.mark.parametrize(
    ("rows", "expected", "rejected"),
    [
        pytest.param('1,"Soup, cold,2019\n2,"Broth",2020\n3,C,2021\n', ["Broth", "C"], [2], id="never closed"),
        pytest.param('1,"Soup cold,2019\n2,"Broth",2020\n3,C,2021\n', ['"Soup cold', "Broth", "C"], [], id="one line"),
        pytest.param('1,"On "cold" soup",2019\n2,Broth,2020\n', ['On "cold" soup', "Broth"], [], id="undoubled"),
        pytest.param('1,"On "cold" soup,\nserved",2019\n2,B,2020\n', ['On "cold" soup, served', "B"], [], id="2 lines"),
        pytest.param('1,On 5" soup,2019\n2,Broth,2020\n', ['On 5" soup', "Broth"], [], id="inch"),
        pytest.param('1,"5 x,2019\n2,B,2020\n3,C,2021\n4,D",2022\n', ['"5 x', "B", "C", 'D"'], [], id="far apart"),
        pytest.param('1,A,2019\n2,B,2020\n3,"C,2021\n', ["A", "B", '"C'], [], id="at the end"),
        pytest.param('1,"A" ,"2019" \n2 ,"B, C" ,2020\n', ["A", "B, C"], [], id="spaces behind quotes"),
    ],
)
def test_a_stray_quote_never_swallows_the_rows_behind_it(rows: str, expected: list[str], rejected: list[int]) -> None:
    found = reading(f"id,title,year\n{rows}")
    assert titles(found) == expected
    assert [r.line for r in found.rejected] == rejected


@pytest.mark.parametrize(
    ("rows", "expected", "reason"),
    [
        pytest.param("Kho L., Ames R.,Soup,2019,10.1000/x\n", [("Soup", 2019)], "", id="authors without quotes"),
        pytest.param("Kho L.,Soup,2019,10.1000/x,,,\n", [("Soup", 2019)], "", id="empty cells behind"),
        pytest.param("Kho L.,Soup,2019,10.1000/x,more\n", [("Soup", 2019)], "", id="a cell behind"),
        pytest.param("Kho L.,Ames R.,Soup,2019,10.1000/x\n", [], "5 cells", id="cannot be explained"),
        pytest.param("Kho L.,Soup,2019\n", [("Soup", 2019)], "", id="no DOI"),
        pytest.param("Soup,2019,10.1000/x\n", [], "3 cells", id="first one missing"),
        pytest.param("Exported from the library\n", [], "1 cell ", id="a footer"),
        pytest.param("Authors,Title,Year,DOI\nKho L.,Soup,2019,\n", [("Soup", 2019)], "header", id="header again"),
    ],
)
def test_no_row_is_shifted_into_wrong_columns(rows: str, expected: list[tuple[str, int]], reason: str) -> None:
    found = reading(f"Authors,Title,Year,DOI\n{rows}")
    assert [(record.title, record.year) for record in found.records] == expected
    assert [reason in rejected.reason for rejected in found.rejected] == [True] * bool(reason)
    assert all(rejected.line == 2 for rejected in found.rejected)


def test_quotes_that_mean_nothing_in_a_tab_delimited_file() -> None:
    found = reading('TI\tSO\tAU\tPT\tPY\n"Hot" soup\tJ. "Soup"\t"Kho, L"\tJ\t2019\n"Broth\tJ\tAmes, R\tJ\t2020\n')
    assert [(r.title, r.venue, r.authors, r.year) for r in found.records] == [
        ('"Hot" soup', 'J. "Soup"', ("Kho, L",), 2019),
        ('"Broth', "J", ("Ames, R",), 2020),
    ]


def test_rows_numbered_by_r_have_one_name_too_few() -> None:
    found = reading('"title","year"\n"1","Soup",2019\n"2","Broth",2020\n')
    assert [(record.title, record.year) for record in found.records] == [("Soup", 2019), ("Broth", 2020)]


def test_a_delimiter_may_be_named_in_the_first_line() -> None:
    found = reading("sep=;\ntitle;year\nSoup;2019\n")
    assert [(record.title, record.year) for record in found.records] == [("Soup", 2019)]


HOSTILE = {
    "many columns": "title,doi," + ",".join(f"c{i}" for i in range(100_000)) + "\nSoup,2\n",
    "many cells": "id,title,abstract\n" + "x," * 200_000 + "\n1,Soup,Hot\n",
    "long cell": 'id,title,keywords\n1,Soup,"' + "word, (" * 150_000 + '"\n',
    "open at the start": '"id,title,abstract\n' + "1,Some title,Some abstract\n" * 5_000,
    "open in each row": "id,title,abstract\n" + '0,"open,abs\n' * 3_000,
    "only quotes": "id,title,abstract\n" + '"' * 500_000,
    "quotes and commas": "id,title,abstract\n" + ',"' * 200_000,
    "a quote in each line": "id,title,abstract\n" + '"a\n' * 5_000,
    "tabs": "title\tyear\n" + "\t" * 500_000,
    "DOIs in one line": "10.1000/abc, " * 5_000,
    "DOI in a DOI": "10.1000/" * 50_000,
    "tags": "<doc><docno>1</docno>" + "<title>" * 50_000,
    "NUL": "id,title\n" + "1,a long enough title\n" * 8_000 + "1,a\x00b\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_accounted_for(name: str) -> None:
    found = reading(HOSTILE[name])
    assert len(found.records) + len(found.rejected) >= found.records_in_file
    assert found.records or found.rejected or name == "tabs"


# A title begins with a letter: what markup, entities and outer spaces become is not a table's matter.
CELL = st.text(st.sampled_from("abcXYZ ,;|\t\n\"'éß.-0"), max_size=12).map(lambda text: f"T{text}e")


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8),
    delimiter=st.sampled_from(",;\t|"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_csv_writes_comes_back(rows: list[tuple[str, str]], delimiter: str, quoting: int, end: str) -> None:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=end)  # type: ignore[arg-type]
    writer.writerow(["record_id", "title", "abstract", "year"])
    writer.writerows([i, title, abstract, 2019] for i, (title, abstract) in enumerate(rows))
    found = reading(file.getvalue())
    assert titles(found) == [" ".join(title.split()) for title, _ in rows]
    assert [record.abstract for record in found.records] == [" ".join(abstract.split()) for _, abstract in rows]
    assert (found.records_in_file, len(found.rejected)) == (len(rows), 0)


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.sampled_from('ab1,"\n ;'), max_size=80))
def test_no_line_goes_without_a_word(text: str) -> None:
    """Each line that holds something is in a record or is rejected, whatever its quotes do."""
    found = reading(f"id,title,abstract\n1,Soup,We cook\n{text}")
    said = " ".join(f"{r.own_id} {r.title} {r.abstract} {r.as_written}" for r in found.records)
    lines = {record.line for record in found.records} | {rejected.line for rejected in found.rejected}
    for number, line in enumerate(text.split("\n"), start=3):
        letters = "".join(c for c in line if c in "ab")
        assert not letters or number in lines or all(c in said for c in letters) or found.rejected


def test_what_is_no_year_or_doi_leaves_its_place_to_another_column_and_is_named() -> None:
    found = reading("title,year,date,doi,url\nSoup,0000,May 2019,10.1000.soup,https://doi.org/10.1000/soup\n")
    assert [(record.year, record.doi) for record in found.records] == [(2019, "10.1000/soup")]
    assert found.unused == {"year": 1, "doi": 1}


def scopus_table(lacking: str, n_rows: int = 3) -> str:
    """A made-up export of Scopus in which the header lacks the name of one column."""
    columns = {
        "Authors": "Kho L.; Ames R.",
        "Author full names": "Kho, Lena (57191234567); Ames, Rob (57197654321)",
        "Author(s) ID": "57191234567; 57197654321",
        "Title": "Soup {} and its makers",
        "Year": "2019",
        "Source title": "Journal of Soup",
        "Volume": "12",
        "Issue": "3",
        "Art. No.": "",
        "Page start": "7",
        "Page end": "19",
        "Cited by": "4",
        "DOI": "10.1000/soup.{}",
        "Link": "https://www.scopus.com/inward/record.uri?eid=2-s2.0-8500000{}",
        "Affiliations": "Institute of Broth, Leeds, United Kingdom",
        "Abstract": "We cook. " * 20,
        "Author Keywords": "broth; stock",
        "Index Keywords": "food",
        "ISSN": "12345678",
        "PubMed ID": "3123456{}",
        "Language of Original Document": "English",
        "Document Type": "Article",
        "Publication Stage": "Final",
        "Open Access": "",
        "Source": "Scopus",
        "EID": "2-s2.0-8500000{}",
    }
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow([name for name in columns if name != lacking])
    for n in range(n_rows):
        lines.writerow([cell.format(n) for cell in columns.values()])
    return out.getvalue()


@pytest.mark.parametrize(
    "lacking", ["", "Author full names", "Author(s) ID", "Volume", "Art. No.", "Affiliations", "Index Keywords", "ISSN"]
)
def test_a_header_of_scopus_that_lacks_a_column_is_aligned(lacking: str) -> None:
    found = reading(scopus_table(lacking), format_id="scopus_csv")
    assert (len(found.records), found.rejected) == (3, ())
    for n, record in enumerate(found.records):
        assert (record.title, record.year, record.venue) == (f"Soup {n} and its makers", 2019, "Journal of Soup")
        assert (record.doi, record.pmid, record.own_id) == (f"10.1000/soup.{n}", f"3123456{n}", f"2-s2.0-8500000{n}")
        assert record.abstract == ("We cook. " * 20).strip()
        assert (record.kind, record.times_cited) == ("article", 4)
    assert [note for note in found.notes if "no name for" in note] == list(found.notes)
    assert bool(found.notes) == bool(lacking)
    assert reading(scopus_table(lacking)).format_id == "scopus_csv"


def test_one_row_too_long_does_not_move_the_columns() -> None:
    text = scopus_table("") + ",".join(["x"] * 27) + "\n"
    found = reading(text)
    assert [record.own_id for record in found.records] == [f"2-s2.0-8500000{n}" for n in range(3)]


def test_an_id_that_records_of_different_titles_share_identifies_none() -> None:
    found = reading(
        "EID,Title,Year\n2-s2.0-1,Soup,2019\n2-s2.0-1,Broth,2020\n2-s2.0-2,Stew,2020\n2-s2.0-2,STEW.,2020\n"
    )
    assert [record.own_id for record in found.records] == [None, None, "2-s2.0-2", "2-s2.0-2"]
    assert found.records[0].as_written == (("own_id", "2-s2.0-1"),)
    assert [note for note in found.notes if "“2-s2.0-1”" in note and note.startswith("2 records")] == list(found.notes)
    judged = reading("query_id,doc_id,title\n1,7,Soup\n2,7,Broth\n")
    assert [record.own_id for record in judged.records] == ["7", "7"]
