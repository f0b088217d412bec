"""JSON of every service, in every wrapping, and our own."""

from __future__ import annotations

import json

import pytest

from core.library.records import Record
from tests.data.importers.bibliographies import only, reading, titles

CROSSREF = {
    "DOI": "10.1000/Z",
    "title": ["Soup"],
    "subtitle": ["A review"],
    "abstract": "<jats:title>Abstract</jats:title><jats:p>We &amp; they.</jats:p>",
    "issued": {"date-parts": [[2019, 3]]},
    "author": [{"family": "Ba", "given": "C"}, {"name": "Cooks"}],
    "container-title": ["Journal"],
    "type": "proceedings-article",
    "is-referenced-by-count": 0,
    "ISSN": ["1"],
}
OPENALEX = {
    "id": "https://openalex.org/W7",
    "title": "Soup",
    "publication_year": 2020,
    "abstract_inverted_index": {"soup": [2, 0], "is": [1]},
    "authorships": [{"author": {"display_name": "C Ba"}}],
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/77"},
    "biblio": {"first_page": "1", "last_page": "4"},
    "type": "article",
}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"status": "ok", "message": CROSSREF}),
        json.dumps({"message": {"facets": {}, "items": [CROSSREF]}}, indent=2),
        json.dumps([CROSSREF]),
        json.dumps(CROSSREF) + "\n",
    ],
)
def test_a_work_of_crossref_in_every_wrapping(text: str):
    record = only(text)
    assert reading(text).format_id == "crossref_json"
    assert (record.title, record.abstract) == ("Soup: A review", "We & they.")
    assert (record.doi, record.year, record.kind, record.times_cited) == ("10.1000/z", 2019, "conference", 0)
    assert (record.authors, record.venue) == (("Ba, C", "Cooks"), "Journal")


@pytest.mark.parametrize("wrap", [lambda w: w, lambda w: [w], lambda w: {"meta": {"a": [1]}, "results": [w]}])
def test_a_work_of_openalex_in_every_wrapping(wrap):
    text = json.dumps(wrap(OPENALEX))
    record = only(text)
    assert reading(text).format_id == "openalex_json"
    assert (record.abstract, record.pmid, record.own_id) == ("soup is soup", "77", "W7")
    assert (record.authors, record.pages, record.kind) == (("C Ba",), "1-4", "article")


def test_an_item_of_csl():
    item = {
        "id": "x",
        "type": "article-journal",
        "title": "Soup",
        "issued": {"date-parts": [["2018", 1]]},
        "author": [{"family": "Berg", "given": "A", "non-dropping-particle": "van den"}, {"literal": "Cooks"}],
        "container-title": "J",
        "note": "PMID: 991",
    }
    record = only(json.dumps([item]))
    assert reading(json.dumps([item])).format_id == "csl_json"
    assert (record.year, record.authors, record.pmid) == (2018, ("van den Berg, A", "Cooks"), "991")
    assert (record.own_id, record.types) == (None, ("article-journal",)), "a citation key can mean two works"


def test_all_details_of_an_item_of_csl():
    item = {
        "id": "http://zotero.org/users/1/items/AB12",
        "type": "article",
        "genre": "Preprint",
        "title": "Soup",
        "issued": {"date-parts": [[2019]]},
        "publisher": "medRxiv",
        "ISSN": "1234-567x, 8765-4321",
        "language": "en-GB",
        "note": "PMID: 991\nPMCID: PMC77\nDOI: 10.1000/X",
    }
    record = only(json.dumps([item]))
    assert (record.own_id, record.kind, record.types) == (item["id"], "preprint", ("article", "Preprint"))
    assert (record.venue, record.issn, record.language) == ("medRxiv", ("1234-567X", "8765-4321"), ("en",))
    assert (record.doi, record.pmid, record.pmcid) == ("10.1000/x", "991", "PMC77")
    thesis = {"id": 1, "type": "thesis", "title": "Soup", "issued": {"raw": "2018"}, "publisher": "University of Broth"}
    assert only(json.dumps([thesis])).venue == "University of Broth"
    cited = {"id": "https://doi.org/10.1000/y", "type": "article-journal", "title": "Soup", "container-title": "J"}
    assert (only(json.dumps([cited])).doi, only(json.dumps([cited])).own_id) == ("10.1000/y", None)


@pytest.mark.parametrize(
    "custom", [None, [], "x", {"queryscape": None}, {"queryscape": [1]}, {"queryscape": {"types": 3}}]
)
def test_custom_fields_of_csl_can_be_anything(custom):
    item = {"id": "x", "type": "book", "title": "Soup", "author": [{"literal": "Cooks"}], "custom": custom}
    record = only(json.dumps([item]))
    assert (record.title, record.authors) == ("Soup", ("Cooks",))


@pytest.mark.parametrize(
    ("value", "doi", "pmid", "authors"),
    [
        ({"paperId": "a", "title": "T", "externalIds": {"DOI": "10.1000/1", "PubMed": "5"}, "authors": [
          {"name": "C Ba"}]},
         "10.1000/1", "5", ("C Ba",)),
        ({"lens_id": "1", "title": "T", "external_ids": [{"type": "doi", "value": "10.1000/2"},
          {"type": "pmid", "value": "6"}], "authors": [{"first_name": "C", "last_name": "Ba"}]},
         "10.1000/2", "6", ("Ba, C",)),
        ({"key": "K", "data": {"title": "T", "creators": [{"firstName": "C", "lastName": "Ba"}], "DOI": "10.1000/3"}},
         "10.1000/3", None, ("Ba, C",)),
    ],
)  # fmt: skip
def test_json_of_other_services(value: dict, doi: str, pmid: str | None, authors: tuple[str, ...]):
    record = only(json.dumps([value]))
    assert (record.title, record.doi, record.pmid, record.authors) == ("T", doi, pmid, authors)


def test_our_own_hand_off_comes_back_whole():
    record = Record(
        1, 1, "Soup – a “review”", "We.", 2001, "10.1000/a", "77", "pub.1", ("Ba, C", "De, F"), "J", "1", "2", "3-4",
        "thesis", ("x, y", "z"), "https://example.org/a", 0, False,
    )  # fmt: skip
    document = {"publication_id": "q1", "sources": ["a.ris"], "is_core": True, "similarity": 0.5, **record.document()}
    found = reading(json.dumps(document) + "\n" + json.dumps({"publication_id": "q2", "title": "Two", "year": None}))
    assert found.format_id == "queryscape_jsonl"
    assert found.records[0] == record
    assert (found.records[1].title, found.records[1].own_id, found.records[1].year) == ("Two", "q2", None)


def test_a_bad_line_of_json_lines_is_one_rejection():
    found = reading('{"title": "A", "year": 1999}\n{"title": "B", \n[1]\n\n{"title": "C", "year": 2000}\n')
    assert titles(found) == ["A", "C"]
    assert [(r.line) for r in found.rejected] == [2, 3]
    assert found.records_in_file == 4


@pytest.mark.parametrize("indent", [None, 2])
def test_a_damaged_object_of_a_list_is_one_rejection(indent: int | None):
    values = [{"title": f"Title {i}", "year": 2000, "authors": [{"title": "Dr", "name": "Ba"}]} for i in range(4)]
    text = json.dumps(values, indent=indent).replace('"Title 1",', '"Title 1" 5,')
    found = reading(text)
    assert titles(found) == ["Title 0", "Title 2", "Title 3"]
    assert len(found.rejected) == 1
    assert found.records_in_file == 4


def test_json_with_odd_numbers_is_read():
    record = only('[{"title": "A", "abstract": "B", "year": NaN, "cites": ' + "9" * 10_000 + ', "volume": 1e999}]')
    assert (record.title, record.year, record.times_cited, record.volume) == ("A", None, None, None)
