"""What is sent to each source for a search string, and what is said about it."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.query.parser import parse
from core.query.tree import DialectId
from core.sources.preparation import prepare
from core.sources.source_forms import SOURCE_IDS, PreparedSearch, SourceId, SourceOptions
from tests.messages import refusal

CASES: tuple[tuple[SourceId, str, str], ...] = (
    ("openalex", "heat AND (shade OR tree)", "title_and_abstract.search:(heat AND (shade OR tree))"),
    ("openalex", "TI=heat AND AB=(shade OR tree)", "title.search:(heat),abstract.search:(shade OR tree)"),
    ("openalex", "TI=heat AND PY=2010-2020", "title.search:(heat),publication_year:2010-2020"),
    ("openalex", "TS=heat AND PY=2010-2199", "title_and_abstract.search:(heat),publication_year:>2009"),
    ("openalex", "heat[ti] NOT shade[ti]", "title.search:(heat NOT shade)"),
    ("openalex", "heat[ti] AND tree[tiab] NOT sun[ti]", "title.search:(heat NOT sun),title_and_abstract.search:(tree)"),
    ("openalex", '"vitamin d, low"', 'title_and_abstract.search:("vitamin d low")'),
    ("openalex", "1,25-dihydroxy AND a|b", 'title_and_abstract.search:("1 25-dihydroxy" AND "a b")'),
    ("openalex", "heat AND (a OR NOT b)", "title_and_abstract.search:(heat NOT (b NOT a))"),
    ("openalex", "heat[tiab] AND (english[la] OR french[la])", "title_and_abstract.search:(heat),language:en|fr"),
    ("openalex", '"street trees"~3', 'title_and_abstract.search:("street trees"~3)'),
    (
        "openalex",
        "heat[tiab] AND (2010[dp] OR 2011[dp])",
        "title_and_abstract.search:(heat),publication_year:2010-2011",
    ),
    ("pubmed", "TI=heat AND PY=2018-2020", "heat[ti] AND 2018:2020[dp]"),
    ("europepmc", "TI=heat AND AB=(shade OR tree)", "TITLE:heat AND ABSTRACT:(shade OR tree)"),
    ("europepmc", "heat OR shade", "(TITLE_ABS:(heat OR shade) OR KW:(heat OR shade))"),
    ("europepmc", "heat* NOT PY=2018-2020", "(TITLE_ABS:heat* OR KW:heat*) NOT PUB_YEAR:[2018 TO 2020]"),
    ("europepmc", "smith j[au] AND 35957633[pmid]", 'AUTH:"smith j" AND (EXT_ID:"35957633" AND SRC:MED)'),
    ("europepmc", 'Stress[mesh] AND doi:"10.1/a(b)"', 'KW:"Stress" AND DOI:"10.1/a(b)"'),
    ("semanticscholar", 'heat AND ("meta-model" OR tree*) NOT sun', 'heat + ("meta model" | tree*) -sun'),
    ("semanticscholar", '"street trees"~3 AND NOT (sun AND sea)', '"street trees"~3 -(sun + sea)'),
    ("dimensions", 'TI="heat wave"', 'search publications in title_only for "\\"heat wave\\""'),
    (
        "dimensions",
        "heat AND PY=2018",
        'search publications in title_abstract_only for "heat" where year = 2018',
    ),
)


def dialect_of(text: str) -> DialectId | None:
    return "wos" if "=" in text else "pubmed" if "[" in text else None


@pytest.mark.parametrize(("source", "text", "sent"), CASES, ids=[f"{s}-{t}" for s, t, _ in CASES])
def test_what_is_sent(source: SourceId, text: str, sent: str) -> None:
    parsed = parse(text, dialect_of(text))
    if "doi:" in text:
        parsed = parse(text.replace("Stress[mesh]", "subject:Stress"), "plain")
    made = prepare(parsed, source, SourceOptions())
    assert made.text == sent
    assert [form.text for form in made.forms] == [sent]


def told(made: PreparedSearch) -> list[tuple[str, str]]:
    return [(loss.status, loss.message) for loss in made.losses]


def test_wildcards_are_dropped_at_openalex_and_said_so() -> None:
    text = "TI=adapt*"
    made = prepare(parse(text), "openalex", SourceOptions())
    (loss,) = made.losses
    assert text[loss.start : loss.end] == "TI=adapt*"
    assert loss.status == "narrowed"
    assert "OpenAlex allows no *" in loss.message
    assert "only adapt and, with stemming" in loss.message
    assert "only adapt is found" in prepare(parse(text), "openalex", SourceOptions(stem=False)).losses[0].message


def test_wildcards_are_sent_to_openalex_where_that_is_chosen() -> None:
    made = prepare(parse("TI=(adapt* OR ab*)"), "openalex", SourceOptions(wildcards="send"))
    assert made.text == "title.search.exact:(adapt*)"
    (first, exact), (second, short) = told(made)
    assert (first, second) == ("narrowed", "unsupported")
    assert "exact words" in exact
    assert "3 letters" in short  # the stem alone would find something else


def test_without_stemming_the_filters_say_so_and_are_read_again() -> None:
    made = prepare(parse("TI=heat AND AB=shade"), "openalex", SourceOptions(stem=False))
    assert made.text == "title.search.no_stem:(heat),abstract.search.no_stem:(shade)"
    again = parse(made.text)
    assert (again.dialect, again.root) == ("openalex", parse("TI=heat AND AB=shade").root)
    assert prepare(again, "openalex", SourceOptions(stem=False)).is_unchanged
    assert [loss.status for loss in prepare(again, "openalex", SourceOptions()).losses] == ["widened"]


def test_no_comma_is_left_in_a_search() -> None:
    made = prepare(parse('TI=("a, b" OR "c,d" OR e,f)'), "openalex", SourceOptions())
    assert made.text == 'title.search:("a b" OR "c d" OR "e f")'
    assert {loss.status for loss in made.losses} == {"exact"}
    assert "A comma would" in made.losses[0].message


def test_keywords_are_said_to_be_left_out_once() -> None:
    made = prepare(parse("heat[tiab] AND shade[tiab]"), "openalex", SourceOptions())
    ((status, message),) = told(made)
    assert status == "narrowed"
    assert "not in keywords" in message


def test_alternatives_in_several_fields_are_looked_for_in_both() -> None:
    made = prepare(parse("heat[ti] OR shade[ab]"), "openalex", SourceOptions())
    assert made.text == "title_and_abstract.search:(heat OR shade)"
    assert [loss.status for loss in made.losses] == ["widened", "widened"]


def test_what_is_left_out_by_another_field_is_said() -> None:
    made = prepare(parse("heat[tiab] NOT child[ti]"), "openalex", SourceOptions())
    assert made.text == "title_and_abstract.search:(heat NOT child)"
    assert [status for status, _ in told(made)] == ["narrowed", "narrowed"]
    assert "not by title." in told(made)[1][1]


def test_headings_become_words_or_keywords() -> None:
    parsed = parse('"Encephalitis, Japanese"[Mesh]')
    assert prepare(parsed, "openalex", SourceOptions()).text == 'title_and_abstract.search:("Japanese Encephalitis")'
    made = prepare(parsed, "europepmc", SourceOptions())
    assert made.text == 'KW:"Encephalitis, Japanese"'
    ((status, message),) = told(made)
    assert status == "unsupported"
    assert "without its narrower" in message
    assert told(prepare(parse('"Stress"[Mesh:NoExp]'), "europepmc", SourceOptions()))[0][0] == "widened"


def test_years_that_can_not_be_said_are_said_to_be_left_out() -> None:
    parsed = parse("TI=heat AND PY=2018-2020")
    status, message = told(prepare(parsed, "semanticscholar", SourceOptions()))[1]
    assert status == "unsupported"
    assert "as a filter" in message
    inside = parse("heat[ti] AND (sun[ti] OR 2018[dp])")
    for source in ("openalex", "dimensions"):
        assert "a whole search" in prepare(inside, source, SourceOptions()).losses[0].message


def test_years_with_a_gap_become_one_span() -> None:
    made = prepare(parse("heat[ti] AND (2010[dp] OR 2012[dp])"), "openalex", SourceOptions())
    assert made.text == "title.search:(heat),publication_year:2010-2012"
    assert [loss.status for loss in made.losses] == ["widened"]


def test_a_distance_that_is_not_known_becomes_and() -> None:
    made = prepare(parse("TI=(heat NEAR/3 wave)"), "europepmc", SourceOptions())
    assert made.text == "TITLE:heat AND TITLE:wave"
    ((status, message),) = told(made)
    assert status == "widened"
    assert "no proximity search: read as AND." in message


def test_a_wildcard_inside_a_word_is_cut_at_semantic_scholar() -> None:
    parsed = parse("title:colo*r OR title:behavio?r")
    made = prepare(parsed, "semanticscholar", SourceOptions())
    assert made.text == "colo* | behavio*"
    assert all("at the end" in loss.message for loss in made.losses)


def test_what_is_written_for_pubmed_goes_there_as_it_is() -> None:
    text = "  (heat[tiab]\n and “street trees”[ti:~3])  OR Stress[Mesh:NoExp] , 2010:3000[dp]"
    made = prepare(parse(text, "pubmed"), "pubmed", SourceOptions())
    assert (made.forms[0].text, made.is_unchanged, made.losses) == (text, True, ())


def test_lines_become_one_string_for_pubmed() -> None:
    text = "#1 heat[tiab]\n#2 tree[ti]\n#3 #1 AND #2"
    made = prepare(parse(text, "pubmed"), "pubmed", SourceOptions())
    assert (made.text, made.is_unchanged) == ("heat[tiab] AND tree[ti]", False)


@pytest.mark.parametrize("source", SOURCE_IDS)
def test_what_can_not_be_sent(source: SourceId) -> None:
    for text, says in (
        ("", "nothing to search"),
        ("How do trees cool a city in summer?", "plain-language question"),
        ("NOT heat", "a search term"),
        ("heat OR NOT shade", "a search term"),
        ("heat OR " * 12_501 + "tree", "100,012 characters; at most 100,000"),
    ):
        with pytest.raises(InputError, match=says):
            prepare(parse(text), source, SourceOptions())


def test_nothing_that_a_source_knows() -> None:
    with refusal(InputError):
        prepare(parse("smith j[au]"), "openalex", SourceOptions())


def test_a_text_over_the_limit_of_pubmed() -> None:
    with refusal(InputError):
        prepare(parse("heat[tiab] AND x"), "pubmed", SourceOptions(), room=10)


@pytest.mark.parametrize(
    ("text", "dialect", "lost"),
    [
        ("1. heat.ti.\n2. limit 1 to humans", "ovid", "limit 1 to humans"),
        ("title:heat AND year:[2010 TO 2020]", "plain", "[2010 TO 2020]"),
        ('heat AND "wave OR tree', "plain", '"wave'),
        ('heat[tiab] AND "last 5 years"[dp]', "pubmed", '"last 5 years"[dp]'),
    ],
)
def test_what_is_in_no_tree_is_lost_and_said_so(text: str, dialect: DialectId, lost: str) -> None:
    for source in SOURCE_IDS:
        if source == dialect:
            continue
        made = prepare(parse(text, dialect), source)
        assert lost in [text[loss.start : loss.end] for loss in made.losses if loss.status == "unsupported"]
        assert not made.is_unchanged


def test_lines_of_pubmed_that_were_not_read_are_lost() -> None:
    text = "#1 heat[tiab]\n#2 #1 AND #7"
    made = prepare(parse(text, "pubmed"), "pubmed")
    assert any("7" in loss.message for loss in made.losses)


def test_months_and_days_are_lost_where_years_are_sent() -> None:
    text = 'heat[tiab] AND ("2018/03/01"[dp] : "2020/01/31"[dp])'
    for source in ("openalex", "europepmc", "dimensions"):
        made = prepare(parse(text), source)
        days = [loss for loss in made.losses if "whole years" in loss.message]
        assert [(loss.status, text[loss.start : loss.end]) for loss in days] == [
            ("widened", '"2018/03/01"[dp] : "2020/01/31"[dp]')
        ]
    assert prepare(parse(text), "pubmed").losses == ()
    assert not any("whole years" in loss.message for loss in prepare(parse(text), "semanticscholar").losses)
    assert not any("whole" in loss.message for loss in prepare(parse("heat[ti] AND 2018:2020[dp]"), "openalex").losses)


def test_no_phrase_with_a_wildcard_goes_where_quotes_make_it_a_sign() -> None:
    for source, sent in (
        ("dimensions", 'search publications in title_only for "heat AND wave* AND shade*"'),
        ("semanticscholar", "(heat + wave*) + shade*"),
    ):
        assert prepare(parse('TI=("heat wave*" NEAR/3 "shade*")'), source, SourceOptions()).text == sent
