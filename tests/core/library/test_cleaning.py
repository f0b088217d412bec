"""Cleaning what a file says, and several records as one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.library.records import (
    FIELDS,
    RawFields,
    Record,
    abstract_text,
    cleaned,
    combined,
    doi_of,
    plain_text,
    pmid_of,
    title_key,
    year_of,
)
from core.types import Publication

PIECES = ("<", ">", "&", "amp;", "lt;", "gt;", "#38;", "i", "/", "<b>", "</b>", "a ", "]]>", "<!--", "-->", "\x00", "é")
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)
DOI_PIECES = ("10.1000/", "10.1", "x", "(1)", ")", "(", ".", ";", "%2F", "<", "[", "]", "doi:", "https://doi.org/", " ")
DOIS = st.one_of(TEXTS, st.lists(st.sampled_from(DOI_PIECES), max_size=10).map("".join))


@given(TEXTS)
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    assert plain_text(plain_text(text)) == plain_text(text)


def test_the_comma_that_ends_an_organisation_is_no_part_of_its_name() -> None:
    names = ["World Tea Organization,", "Li, W.", "Li, W. ,", ","]
    assert cleaned(1, None, RawFields(title="Tea", authors=names)).authors == ("World Tea Organization", "Li, W.")


@given(DOIS)
def test_a_clean_doi_stays_as_it_is(text: str) -> None:
    doi = doi_of(text)
    assert doi is None or (doi_of(doi) == doi and doi == doi.lower() and not any(c.isspace() for c in doi))


@given(DOIS)
def test_any_text_can_be_cleaned(text: str) -> None:
    fields: dict[str, Any] = dict.fromkeys(("title", "abstract", "year", "doi", "pmid", "venue", "times_cited"), text)
    record = cleaned(1, None, RawFields(**fields, authors=[text], keywords=[text]))
    assert record.title.encode("utf-8") is not None  # no lone surrogates are left
    assert record.year is None or 1500 <= record.year <= 2199
    assert Record.from_document(record.document()) == record


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        (
            "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2",
            "10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2",
        ),
        (
            "https://doi.org/10.1002/(SICI)1097-0258(19980815)17:15%3C1661::AID-SIM968%3E3.0.CO%3B2-2",
            "10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2",
        ),
        (
            "10.1002/(SICI)1097-0258(19980815)17:15&lt;1661::AID-SIM968&gt;3.0.CO;2-2.",
            "10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2",
        ),
        ("10.1890/1051-0761(2001)011[1349:FEONPA]2.0.CO;2", "10.1890/1051-0761(2001)011[1349:feonpa]2.0.co;2"),
        ("10.1890/1051-0761(2001)011", None),  # every article of the issue would have it
        ("10.1016/S0378-1127(02)00453-X", "10.1016/s0378-1127(02)00453-x"),
        ("10.1000/1234-5678", "10.1000/1234-5678"),
        ("(doi:10.1000/x(1)).", "10.1000/x(1)"),
        ("10.1000/x [doi]", "10.1000/x"),
        ("[10.1000/x]", "10.1000/x"),
        ("<10.1000/x>", "10.1000/x"),
        ("doi:10.1000/x, 10.1000/y", "10.1000/x"),
        ("10.1000/x;10.1000/y", "10.1000/x"),
        ("10.1000/a;b", "10.1000/a;b"),
        ("https://doi.org/10.1000%2Fx", "10.1000/x"),
        ("http://dx.doi.org/10.1000/X?nosfx=y#top", "10.1000/x"),
        ("https://www.frontiersin.org/articles/10.3389/fpls.2019.00001/full", "10.3389/fpls.2019.00001"),
        ("10.1000.10/x", "10.1000.10/x"),
        ("10.1000/", None),
        ("10.1000/" + "x" * 600, None),
        ("version 10.2/3", None),
    ],
)
def test_a_doi_in_normal_form(text: str, doi: str | None) -> None:
    assert doi_of(text) == doi


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "&",
        "<a ",
        "<!--",
        "<!-- -",
        "<?",
        "&amp;",
        "&#38;",
        "<i>",
        "<<i>",
        "10.1000.",
        "10.1000/(",
        ")",
        " ",
        "]]>",
    ],
)
def test_hostile_text_is_cleaned_in_linear_time(piece: str) -> None:
    text = piece * (300_000 // len(piece))
    assert len(plain_text(text)) <= len(text)
    assert doi_of("10.1000/" + text) != ""


@pytest.mark.parametrize("text", ["0" * 6000 + "123", "9" * 6000, "٣" * 6000])
def test_very_long_numbers_are_no_error(text: str) -> None:
    assert pmid_of(text) in (None, "123")
    assert cleaned(1, None, {"title": "x", "times_cited": text, "year": text}).times_cited is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("&amp;amp;lt;b&amp;amp;gt;bold&amp;amp;lt;/b&amp;amp;gt;", "bold"),
        ("Fire<!-- a > b --> and soil", "Fire and soil"),
        ("<p>One.</p><p>Two.</p>", "One. Two."),
        ("a < b and c > d", "a < b and c > d"),
        ("AT&T &unknown; R&D", "AT&T &unknown; R&D"),
        ("<![CDATA[Title]]>", "Title"),
        # a formula that is written twice
        ("<mml:math><mml:mi>x</mml:mi><mml:annotation>x</mml:annotation></mml:math> rays", "x rays"),
        (
            "<alternatives><tex-math>$$x$$</tex-math><mml:math><mml:mi>x</mml:mi></mml:math></alternatives> rays",
            "x rays",
        ),
        ("&lt;math&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;annotation&gt;x&lt;/annotation&gt;&lt;/math&gt; rays", "x rays"),
    ],
)
def test_markup_and_entities_go(text: str, plain: str) -> None:
    assert plain_text(text) == plain


def test_years_in_dates() -> None:
    assert [year_of(text) for text in ("2019", "c2004", "12/05/1998", "20191340", "99", "", "1066")] == [
        *(2019, 2004, 1998, None, None, None, None)
    ]


def test_the_key_of_a_title_has_no_spelling() -> None:
    assert title_key("Wildfire‐smoke: Ménière’s") == title_key("WILDFIRE SMOKE Menieres") == "wildfiresmokemenieres"


RECORDS = st.builds(
    Record,
    number=st.just(1),
    title=st.sampled_from(["", "A", "B"]),
    abstract=st.sampled_from([None, "a", "b"]),
    year=st.sampled_from([None, 2019, 2020]),
    doi=st.sampled_from([None, "10.1000/x"]),
    authors=st.sampled_from([(), ("Li, W.",)]),
    own_id=st.sampled_from([None, "1", "2"]),
    times_cited=st.sampled_from([None, 0, 3]),
    included=st.sampled_from([None, True, False]),
    keywords=st.sampled_from([(), ("fire",), ("soil", "fire")]),
)


@settings(max_examples=40)
@given(RECORDS, RECORDS, RECORDS)
def test_combining_can_be_done_in_steps(a: Record, b: Record, c: Record) -> None:
    assert combined([a, b, c]) == combined([combined([a, b]), c]) == combined([a, combined([b, c])])


@settings(max_examples=40)
@given(RECORDS, RECORDS)
def test_nothing_that_a_record_says_is_lost_or_overruled(a: Record, b: Record) -> None:
    both = combined([a, b])
    assert combined([a]) == combined([a, a]) == a
    for name in FIELDS:
        if name not in ("own_id", "included", "query_id", "as_written", "keywords"):
            assert getattr(both, name) == (
                getattr(a, name) if getattr(a, name) not in (None, "", ()) else getattr(b, name)
            )
    assert set(both.keywords) == {*a.keywords, *b.keywords}
    assert (both.own_id, both.included) == (a.own_id, a.included)


@given(RECORDS)
def test_a_record_and_its_document_say_the_same(record: Record) -> None:
    assert Record.from_document(record.document(), record.number, record.line) == record


def test_a_publication_as_a_record_and_back() -> None:
    publication = Publication("p1", "Fire", "Abstract.", 2019, "10.1000/x", 4, ("soil",))
    assert Record.of_publication(publication).publication("p1") == publication


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<h4>Objective</h4>This study.<h4>Results: </h4>Many.", "Objective: This study. Results: Many."),
        ("&lt;h4&gt;Objective&lt;/h4&gt;This study.", "Objective: This study."),
        ("<jats:title>Abstract</jats:title><jats:p>We cook.</jats:p>", "We cook."),
        ("<jats:title>Summary</jats:title><jats:p>We cook.</jats:p>", "We cook."),
        ("<sec><title><b>Why</b> now?</title><p>It is late.</p></sec>", "Why now? It is late."),
        ("Abstract thinking in cooks was measured.", "Abstract thinking in cooks was measured."),
        ("<h4>Never closed, so it is no label", "Never closed, so it is no label"),
        *((none, None) for none in ("[No abstract available]", "No abstract.", "n/a", "NULL", " – ", "<p></p>")),
    ],
)
def test_an_abstract_keeps_its_labels_and_is_none_if_it_says_so(text: str, plain: str | None) -> None:
    assert abstract_text(text) == plain


def test_markup_that_never_ends_costs_little_time() -> None:
    assert plain_text("<math>" + "<annotation>" * 50_000 + "x") == "x"
    assert abstract_text("<h4>" * 50_000 + "x" * 50) == "x" * 50
