"""The formats that a selection is written in: held to their definitions, whatever stands in a record."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import NotFoundError
from core.library.records import FIELDS, KINDS, Record
from core.text import harmless, unguarded
from data.importers.json_formats import TYPES
from data.importers.reading import read_data
from data.library import export_formats
from data.library.export_formats import COLUMNS, EXPORTS, LOST, ExportRow, escaped, export_named, one_line
from tests.data.library.export_records import SCREENED, any_records, hand_offs
from tests.messages import refusal

NASTY = "\ufeff Tea\r\nER  - \u2028TY  - JOUR\x85\x0b@book{x,\x00 title={\ud800 \t=1+1"


def written(export_id: str, rows: Iterable[ExportRow]) -> str:
    """A file's text, with its line ends and its mark as they are."""
    file = io.BytesIO()
    EXPORTS[export_id].write(rows, file)
    return file.getvalue().decode("utf-8")


def ris_entries(text: str) -> list[list[tuple[str, str]]]:
    """RIS by its definition: a tag, two spaces, a hyphen and a space, one per line; ER ends an entry."""
    entries: list[list[tuple[str, str]]] = [[]]
    for line in text.splitlines():
        if not line:
            continue
        tag, sign, value = line[:2], line[2:6], line[6:]
        assert re.fullmatch("[A-Z][A-Z0-9]", tag)
        assert sign == "  - "
        assert value == value.strip()
        if tag == "ER":
            entries.append([])
        else:
            entries[-1].append((tag, value))
    assert entries.pop() == []
    return entries


def tags(row: ExportRow) -> dict[str, list[str]]:
    """The one entry of a file by its tags."""
    (entry,) = ris_entries(written("ris", [row]))
    found: dict[str, list[str]] = {}
    for tag, value in entry:
        found.setdefault(tag, []).append(value)
    return found


def csv_rows(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


# ---- what every format promises


@pytest.mark.parametrize("export_id", EXPORTS)
@settings(max_examples=40)
@given(rows=st.lists(hand_offs(any_records()), max_size=4))
def test_every_format_writes_anything_and_counts_it(export_id: str, rows: list[ExportRow]) -> None:
    file = io.BytesIO()
    assert EXPORTS[export_id].write(iter(rows), file) == len(rows)
    text = file.getvalue().decode("utf-8")
    n = {
        "ris": lambda: len(ris_entries(text)),
        "csv": lambda: len(csv_rows(text)),
        "bibtex": lambda: len(re.findall(r"^@[a-z]+\{", text, re.MULTILINE)),
        "jsonl": lambda: text.count("\n"),
        "csl_json": lambda: len(json.loads(text)),
    }[export_id]()
    assert n == len(rows)
    assert one_line(text.removeprefix("\ufeff")).isprintable() or not text.isascii()


@pytest.mark.parametrize("export_id", EXPORTS)
def test_rows_are_written_as_they_come(export_id: str) -> None:
    seen: list[int] = []
    file = io.BytesIO()

    def rows() -> Iterable[ExportRow]:
        for n in range(2_000):
            seen.append(len(file.getvalue()))
            yield ExportRow(Record(1, title=f"Tea {n}", abstract="leaves " * 20), f"p{n}")

    assert EXPORTS[export_id].write(rows(), file) == 2_000
    assert seen[1_500] > 100_000, "a large selection is never held as a whole"


def test_what_is_lost_is_said_of_fields_that_there_are() -> None:
    assert set(LOST) == set(EXPORTS)
    for lost in LOST.values():
        assert set(lost) <= set(FIELDS)
        assert all(lost.values())


def test_formats_are_found_by_name_and_by_suffix() -> None:
    for export_id, form in EXPORTS.items():
        assert form.export_id == export_id
        assert export_named(export_id) is form
        assert export_named(None, f"a.b/c{form.suffix.upper()}") is form
    assert export_named("csv", "x.ris").export_id == "csv"
    with pytest.raises(NotFoundError, match="--format"):
        export_named(None, "x.docx")
    with pytest.raises(NotFoundError, match="no extension"):
        export_named(None, "x")
    with refusal(NotFoundError):
        export_named("endnote")


def test_the_sentence_of_provenance() -> None:
    row = ExportRow(
        Record(1), "p1", ("scopus.ris #12", "wos.ris #3"), ("a", "b"), True, 0.7341, ("cosine", "mvee"), "lsa"
    )
    assert row.provenance == (
        "Queryscape: found by a, b; similarity 0.734 (lsa); relevant by cosine, mvee; from scopus.ris #12, wos.ris #3"
    )
    assert ExportRow(Record(1), "p1").provenance == ""


# ---- RIS


def test_ris_of_an_article() -> None:
    assert written("ris", [SCREENED]) == "\r\n".join(
        (
            *("TY  - JOUR", "TI  - Steeping tea: a review", "AU  - Müller, Ana", "AU  - World Tea Organization"),
            *("AB  - We review tea. It steeps.", "PY  - 2019", "DO  - 10.1000/tea(1)", "T2  - Journal of Tea"),
            *("JO  - Journal of Tea", "VL  - 12", "IS  - 3-4", "SP  - 101", "EP  - 110"),
            *(
                "KW  - tea",
                "KW  - Beverages, Hot",
                "KW  - Tea",
                "KW  - Beverages",
                "UR  - https://example.org/tea?a=1&b=2",
                "AN  - WOS:0001",
            ),
            *("U1  - 35957633 [PMID]", "C2  - PMC77", "SN  - 1234-567X, 8765-4321", "LA  - English; French"),
            *("M3  - Journal Article", "M3  - Clinical Trial, Phase III", "N1  - ASReview_relevant"),
            'N1  - RAYYAN-INCLUSION: {"Queryscape"=>"Included"}',
            "N1  - Cited by: 7",
            "N1  - Retracted publication",
            "N1  - Queryscape: found by baseline; similarity 0.734 (lsa); relevant by cosine; from scopus.ris #12",
            *("ER  - ", "", ""),
        )
    )


def test_ris_labels_only_where_there_is_a_decision() -> None:
    row = ExportRow(Record(1, title="Tea"), "p1")
    assert "N1" not in tags(row)
    excluded = tags(replace(row, record=Record(1, title="Tea", included=False)))["N1"]
    assert excluded == ["ASReview_irrelevant", 'RAYYAN-INCLUSION: {"Queryscape"=>"Excluded"}']


@pytest.mark.parametrize("kind", [*KINDS, None])
def test_ris_has_a_type_for_every_kind_and_it_comes_first(kind: str | None) -> None:
    row = ExportRow(Record(1, title="Tea", venue="V", kind=kind), "p1")  # type: ignore[arg-type]
    ((tag, value), *others) = ris_entries(written("ris", [row]))[0]
    assert tag == "TY"
    assert re.fullmatch("[A-Z]{3,6}", value)
    assert (("JO", "V") in others) == (kind == "article")
    assert ("T2", "V") in others


@pytest.mark.parametrize(
    ("pages", "ends"),
    [
        ("1-9", ("1", "9")),
        ("5-5", ("5-5", None)),
        ("S1-S9", ("S1", "S9")),
        ("e123", ("e123", None)),
        ("1-9, 12", ("1-9, 12", None)),
        ("1-2-3", ("1-2-3", None)),
    ],
)
def test_ris_pages(pages: str, ends: tuple[str, str | None]) -> None:
    found = tags(ExportRow(Record(1, title="Tea", pages=pages), "p1"))
    assert (found["SP"], found.get("EP", [None])) == ([ends[0]], [ends[1]])


def test_text_can_not_fake_a_tag_or_an_entry() -> None:
    record = Record(1, title=NASTY, abstract=NASTY, authors=(NASTY, NASTY), venue=NASTY, keywords=(NASTY,))
    row = ExportRow(record, NASTY, (NASTY,), (NASTY,), embedder=NASTY, similarity=0.5)
    (entry,) = ris_entries(written("ris", [row]))
    names = [tag for tag, _ in entry]
    assert names == ["TY", "TI", "AU", "AU", "AB", "T2", "KW", "N1"]
    assert entry[1][1] == "Tea ER - TY - JOUR @book{x, title={ =1+1"
    assert len(csv_rows(written("csv", [row]))) == 1
    assert written("jsonl", [row]).count("\n") == 1
    assert len(re.findall("^@", written("bibtex", [row]), re.MULTILINE)) == 1


# ---- CSV


def test_csv_of_an_article() -> None:
    text = written("csv", [SCREENED])
    (row,) = csv_rows(text)
    assert tuple(row) == COLUMNS
    assert row == {
        "title": "Steeping tea: a review",
        "abstract": "We review tea. It steeps.",
        "authors": "Müller, Ana; World Tea Organization",
        "year": "2019",
        "doi": "10.1000/tea(1)",
        "pmid": "35957633",
        "journal": "Journal of Tea",
        "volume": "12",
        "issue": "3-4",
        "pages": "101-110",
        "type": "article",
        "keywords": "tea; Beverages, Hot; Tea; Beverages",
        "url": "https://example.org/tea?a=1&b=2",
        "times_cited": "7",
        "included": "1",
        "publication_id": "p1",
        "own_id": "WOS:0001",
        "sources": "scopus.ris #12",
        "found_by": "baseline",
        "core": "1",
        "similarity": "0.734100",
        "embedder": "lsa",
        "relevant_by": "cosine",
        "types": "Journal Article; Clinical Trial, Phase III",
        "author_keywords": "tea; Beverages, Hot",
        "headings": "Tea/*history; *Beverages",
        "language": "en; fr",
        "pmcid": "PMC77",
        "issn": "1234-567X; 8765-4321",
        "references": "doi:10.1000/pot; pmid:12",
        "retracted": "1",
        "cite_source": "Lens; WoS",
        "cite_label": "search; final",
        "cite_string": "tea, hot",
    }
    assert text.count("\r\n") == text.count("\n") == 2


@given(st.text(alphabet=st.sampled_from("=+-@＝＋－＠ \t\r\n'\"a1;,")))
def test_no_cell_begins_a_formula(text: str) -> None:
    row = ExportRow(Record(1, title=text, authors=(text,), venue=text), text, (text,), (text,))
    (cells,) = csv_rows(written("csv", [row]))
    for cell in cells.values():
        assert not re.match(r"\s*[=+\-@＝＋－＠]", cell)
        assert not re.match(r"[\t\r\n]", cell)
    assert harmless(text) in (text, f"'{text}")
    assert unguarded(harmless(text)) == text


def test_several_values_in_a_cell_stay_as_many() -> None:
    row = ExportRow(Record(1, title="Tea", authors=("A; B", "C"), keywords=("x", "y;z")), "p1")
    (cells,) = csv_rows(written("csv", [row]))
    assert (cells["authors"].split("; "), cells["keywords"].split("; ")) == (["A, B", "C"], ["x", "y,z"])


def test_numbers_are_plain_in_a_table() -> None:
    row = ExportRow(Record(1, title="Tea", times_cited=0, included=False), "p1", similarity=-0.25)
    (cells,) = csv_rows(written("csv", [row]))
    assert (cells["times_cited"], cells["included"], cells["core"]) == ("0", "0", "0")
    assert float(cells["similarity"]) == -0.25
    (unknown,) = csv_rows(written("csv", [ExportRow(Record(1, title="Tea"), "p1")]))
    assert {unknown[name] for name in ("times_cited", "included", "similarity", "year", "embedder")} == {""}
    assert unknown["core"] == "0"


# ---- BibTeX


def test_bibtex_of_an_article() -> None:
    assert written("bibtex", [SCREENED]) == (
        "@article{muller2019steeping,\n"
        "  title = {Steeping tea: a review},\n"
        "  author = {Müller, Ana and {World Tea Organization}},\n"
        "  year = {2019},\n"
        "  journal = {Journal of Tea},\n"
        "  volume = {12},\n"
        "  number = {3-4},\n"
        "  abstract = {We review tea. It steeps.},\n"
        "  pmid = {35957633},\n"
        "  pages = {101--110},\n"
        "  keywords = {tea; {Beverages, Hot}; Tea; Beverages},\n"
        "  doi = {10.1000/tea(1)},\n"
        "  url = {https://example.org/tea?a=1&b=2},\n"
        "  publication_types = {Journal Article; Clinical Trial, Phase III},\n"
        "  language = {English; French},\n"
        "  issn = {1234-567X, 8765-4321},\n"
        "  pmcid = {PMC77},\n"
        "  times-cited = {7},\n"
        "  unique-id = {WOS:0001},\n"
        "  note = {Retracted publication. Queryscape: found by baseline; similarity 0.734 (lsa); relevant by cosine; "
        "from scopus.ris \\#12}\n"
        "}\n\n"
    )


@given(st.text(alphabet=st.sampled_from("&%$#_{}~^\\aß -`'")))
def test_escaped_text_has_matching_braces_and_can_be_read_back(text: str) -> None:
    out = escaped(text)
    assert not re.search("--|``|''", out), "LaTeX would make one sign of them"
    depth = 0
    for sign in out:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert unescaped(out) == text


def unescaped(text: str) -> str:
    """The signs that LaTeX would print."""
    named = {"backslash": "\\", "asciitilde": "~", "asciicircum": "^", "braceleft": "{", "braceright": "}"}

    def sign(found: re.Match[str]) -> str:
        return named.get(found[1], "") if found[1] else found[2] or ""

    return re.sub(r"\{\\text([a-z]+)\}|\\([&%$#_{}])|\{\}", sign, text)


@settings(max_examples=25)
@given(st.lists(hand_offs(any_records()), max_size=8))
def test_keys_are_unique_and_ascii_and_the_same_every_time(rows: list[ExportRow]) -> None:
    text = written("bibtex", rows)
    keys = re.findall(r"^@[a-z]+\{(.*),$", text, re.MULTILINE)
    assert len(set(keys)) == len(keys) == len(rows)
    assert all(re.fullmatch("[a-z0-9-]+", key) for key in keys)
    assert text == written("bibtex", rows)


def test_what_would_share_a_key_gets_a_piece_of_its_id() -> None:
    record = Record(1, title="The Tea of 王", authors=("Müller, A.",), year=2019)
    rows = [ExportRow(record, f"p{n}") for n in range(3)]
    keys = re.findall(r"@misc\{(.*),", written("bibtex", rows))
    assert keys[0] == "muller2019tea"
    assert all(re.fullmatch("muller2019tea-[0-9a-f]{6}", key) for key in keys[1:])
    again = re.findall(r"@misc\{(.*),", written("bibtex", [rows[0], rows[2]]))
    assert again == [keys[0], keys[2]], "it does not depend on what stands between"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Müller, Ana", "Müller, Ana"),
        ("World Tea Organization", "{World Tea Organization}"),
        ("Ministry of Food and Drink", "{Ministry of Food and Drink}"),
        ("Food and Drink, Ministry of", "{Food and Drink, Ministry of}"),
        ("Smith J.", "{Smith J.}"),
        ("Aristotle", "Aristotle"),
        ("others", "{others}"),
        ("King, Martin, Jr.", "{King, Martin, Jr.}"),
        ("R_&D, A.", r"R\_\&D, A."),
    ],
)
def test_names_that_bibtex_would_tear_apart_stand_in_braces(name: str, expected: str) -> None:
    record = Record(1, title="Tea", authors=("Last, First", name))
    assert f"author = {{Last, First and {expected}}}" in written("bibtex", [ExportRow(record, "p1")])


def test_every_kind_has_an_entry_of_its_own_in_bibtex() -> None:
    assert set(export_formats.BIBTEX_TYPES) == {*KINDS, None}
    types = {entry for entry, _ in export_formats.BIBTEX_TYPES.values()}
    assert types == {"article", "inproceedings", "misc", "book", "incollection", "phdthesis", "techreport"}


# ---- CSL JSON

_TEXT = {"type": "string", "minLength": 1}
_NAME = {
    "type": "object",
    "oneOf": [
        {
            "properties": {"family": _TEXT, "given": _TEXT},
            "required": ["family", "given"],
            "additionalProperties": False,
        },
        {"properties": {"literal": _TEXT}, "required": ["literal"], "additionalProperties": False},
    ],
}
_YEAR = {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 1}
_CSL_TEXTS = (
    *("genre", "container-title", "collection-title", "publisher", "volume", "issue", "page", "DOI", "PMID", "PMCID"),
    *("ISSN", "URL", "language", "abstract", "keyword", "note", "title"),
)
CSL_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "id": _TEXT,
            "type": {"enum": sorted(TYPES)},
            "author": {"type": "array", "items": _NAME, "minItems": 1},
            "issued": {
                "type": "object",
                "properties": {"date-parts": {"type": "array", "items": _YEAR, "minItems": 1, "maxItems": 1}},
                "additionalProperties": False,
            },
            **dict.fromkeys(_CSL_TEXTS, _TEXT),
            "custom": {"type": "object"},
        },
        "required": ["id", "type"],
        "additionalProperties": False,
    },
}
"""The part of the schema of citationstyles.org that we write: it allows no other properties, and no other types."""


@settings(max_examples=40)
@given(rows=st.lists(hand_offs(any_records()), max_size=4))
def test_every_csl_file_is_valid_and_its_ids_are_unique(rows: list[ExportRow]) -> None:
    items = json.loads(written("csl_json", rows))
    jsonschema.validate(items, CSL_SCHEMA)
    ids = [item["id"] for item in items]
    assert len(set(ids)) == len(ids) == len(rows)
    assert ids == re.findall(r"^@[a-z]+\{(.*),$", written("bibtex", rows), re.MULTILINE)


def test_csl_of_an_article() -> None:
    (item,) = json.loads(written("csl_json", [SCREENED]))
    custom = item.pop("custom")
    assert item == {
        "id": "muller2019steeping",
        "type": "article-journal",
        "title": "Steeping tea: a review",
        "author": [{"family": "Müller", "given": "Ana"}, {"literal": "World Tea Organization"}],
        "issued": {"date-parts": [[2019]]},
        "container-title": "Journal of Tea",
        "volume": "12",
        "issue": "3-4",
        "page": "101-110",
        "DOI": "10.1000/tea(1)",
        "PMID": "35957633",
        "PMCID": "PMC77",
        "ISSN": "1234-567X, 8765-4321",
        "URL": "https://example.org/tea?a=1&b=2",
        "language": "en",
        "abstract": "We review tea. It steeps.",
        "keyword": "tea; Beverages, Hot; Tea; Beverages",
        "note": "Retracted publication. Queryscape: found by baseline; similarity 0.734 (lsa); relevant by cosine; "
        "from scopus.ris #12",
    }
    assert set(custom) == {"queryscape"}
    assert custom["queryscape"]["headings"] == ["Tea/*history", "*Beverages"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Müller, Ana", {"family": "Müller", "given": "Ana"}),
        ("van der Berg, A. B.", {"family": "van der Berg", "given": "A. B."}),
        ("World Tea Organization", {"literal": "World Tea Organization"}),
        ("King, Martin, Jr.", {"literal": "King, Martin, Jr."}),
        ("Müller,Ana", {"literal": "Müller,Ana"}),
        ("Müller,", {"literal": "Müller,"}),
        (", Ana", {"literal": ", Ana"}),
    ],
)
def test_names_in_csl(name: str, expected: dict[str, str]) -> None:
    (item,) = json.loads(written("csl_json", [ExportRow(Record(1, title="Tea", authors=(name,)), "p1")]))
    assert item["author"] == [expected]


@pytest.mark.parametrize("kind", [*KINDS, None])
def test_csl_has_a_type_and_a_place_for_the_venue_of_every_kind(kind: str | None) -> None:
    row = ExportRow(Record(1, title="Tea", venue="V", kind=kind), "p1")  # type: ignore[arg-type]
    (item,) = json.loads(written("csl_json", [row]))
    places = {"thesis": "publisher", "report": "publisher", "preprint": "publisher", "book": "collection-title"}
    assert item[places.get(kind or "", "container-title")] == "V"
    assert (item.get("genre") == "Preprint") == (kind == "preprint")


def test_no_csl_item_is_an_empty_array() -> None:
    assert written("csl_json", []) == "[]\n"


# ---- JSON Lines


def test_jsonl_keeps_what_a_record_came_with() -> None:
    record = Record(
        1,
        line=1,
        title="Tea",
        own_id="p1",
        types=("Journal Article",),
        headings=("*Tea/chemistry",),
        keywords=("leaf",),
        language=("en",),
        pmcid="PMC123",
        issn=("1234-567X",),
        references=("doi:10.1000/x",),
        is_retracted=False,
        cite_source=("Lens", "WoS"),
        cite_label=("search",),
        cite_string=("string 1",),
    )
    text = written("jsonl", [ExportRow(record, "p1")])
    assert json.loads(text)["keywords"] == ["leaf", "Tea"]
    assert read_data(text.encode(), "x.jsonl").records == (record,)


def test_jsonl_has_every_key_in_every_line() -> None:
    lines = written("jsonl", [SCREENED, ExportRow(Record(1, title="Tee, grün"), "p2")]).splitlines()
    full, bare = map(json.loads, lines)
    assert list(full) == list(bare)
    assert full == {
        "publication_id": "p1",
        "title": "Steeping tea: a review",
        "abstract": "We review tea. It steeps.",
        "year": 2019,
        "doi": "10.1000/tea(1)",
        "pmid": "35957633",
        "own_id": "WOS:0001",
        "authors": ["Müller, Ana", "World Tea Organization"],
        "venue": "Journal of Tea",
        "volume": "12",
        "issue": "3-4",
        "pages": "101-110",
        "kind": "article",
        "keywords": ["tea", "Beverages, Hot", "Tea", "Beverages"],
        "url": "https://example.org/tea?a=1&b=2",
        "times_cited": 7,
        "included": True,
        "author_keywords": ["tea", "Beverages, Hot"],
        "types": ["Journal Article", "Clinical Trial, Phase III"],
        "headings": ["Tea/*history", "*Beverages"],
        "language": ["en", "fr"],
        "pmcid": "PMC77",
        "issn": ["1234-567X", "8765-4321"],
        "references": ["doi:10.1000/pot", "pmid:12"],
        "is_retracted": True,
        "cite_source": ["Lens", "WoS"],
        "cite_label": ["search", "final"],
        "cite_string": ["tea, hot"],
        "sources": ["scopus.ris #12"],
        "found_by": ["baseline"],
        "is_core": True,
        "similarity": 0.7341,
        "embedder": "lsa",
        "relevant_by": ["cosine"],
    }
    assert "grün" in lines[1]
    assert (bare["year"], bare["authors"], bare["included"], bare["similarity"]) == (None, [], None, None)


def test_the_columns_hold_all_of_a_hand_off() -> None:
    assert len(COLUMNS) == len(set(COLUMNS)) == len(json.loads(written("jsonl", [SCREENED])))
