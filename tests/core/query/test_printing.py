"""Trees as text in every dialect."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.query.dialects import DIALECTS
from core.query.equivalence import same
from core.query.parser import parse
from core.query.translation import write
from core.query.tree import DEEPEST, DialectId, Gap, Group, Heading, Near, Node, Not, Range, Term
from tests.core.query_trees import any_trees, trees

HEAVY = settings(
    max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


@pytest.mark.parametrize("dialect_id", DIALECTS)
@HEAVY
@given(data=st.data())
def test_what_is_written_is_read_as_the_same_tree(dialect_id: DialectId, data: st.DataObject) -> None:
    tree = data.draw(trees(dialect_id))
    written = write(tree, dialect_id)
    assert not written.losses
    assert parse(written.text, dialect_id).root == tree, written.text


@pytest.mark.parametrize("dialect_id", DIALECTS)
@HEAVY
@given(tree=any_trees())
def test_any_tree_is_written_so_that_nothing_changes_silently(dialect_id: DialectId, tree: Node) -> None:
    written = write(tree, dialect_id)
    again = parse(written.text, dialect_id).root
    assert again is not None, written.text
    assert written.losses or same(tree, again), written.text
    if written.meant is not None:
        assert same(written.meant, again), written.text


# One form after the other

HEAT = Term(("heat",), False, ("title",))
TREE = Term(("tree", Gap(0, None)), False, ("title",))
PHRASE = Term(("street trees",), True, ("title",))


def said(tree: Node, dialect_id: DialectId) -> tuple[str, list[str]]:
    """The text, and the status of each loss."""
    written = write(tree, dialect_id)
    return written.text, [loss.status for loss in written.losses]


@pytest.mark.parametrize(
    ("dialect_id", "text"),
    [
        ("pubmed", '(heat[ti] OR "street trees"[ti]) NOT tree*[ti]'),
        ("ovid", '((heat or "street trees") not tree*).ti.'),
        ("wos", 'TI=((heat OR "street trees") NOT tree*)'),
        ("scopus", 'TITLE((heat OR "street trees") AND NOT tree*)'),
        ("ebsco", 'TI ((heat OR "street trees") NOT tree*)'),
        ("openalex", 'title.search:((heat OR "street trees") NOT tree*)'),
        ("plain", 'title:((heat OR "street trees") NOT tree*)'),
    ],
)
def test_a_field_is_written_once_around_what_shares_it(dialect_id: DialectId, text: str) -> None:
    tree = Group("AND", (Group("OR", (HEAT, PHRASE)), Not(TREE)))
    assert said(tree, dialect_id) == (text, [])


@pytest.mark.parametrize(
    ("dialect_id", "text", "losses"),
    [
        ("pubmed", "2010:2020[dp]", []),
        ("ovid", "(2010 or 2011 or 2012 or 2013 or 2014 or 2015 or 2016 or 2017 or 2018 or 2019 or 2020).yr.", []),
        ("wos", "PY=2010-2020", []),
        ("scopus", "PUBYEAR > 2009 AND PUBYEAR < 2021", []),
        ("ebsco", "DT 20100101-20201231", []),
        ("openalex", "publication_year:2010-2020", []),
        ("plain", "year:2010-2020", []),
        ("dimensions", '"0"', ["unsupported"]),
    ],
)
def test_years(dialect_id: DialectId, text: str, losses: list[str]) -> None:
    assert said(Range(2010, 2020), dialect_id) == (text, losses)


@pytest.mark.parametrize(
    ("dialect_id", "text", "losses"),
    [
        ("pubmed", '"Masks/adverse effects"[Mesh]', []),
        ("ovid", "exp Masks/ae", []),
        ("ebsco", '(MH "Masks+/AE")', []),
        ("plain", 'subject:"Masks/adverse effects"', []),
        ("wos", 'TS="Masks"', ["unsupported"]),
        ("scopus", 'TITLE-ABS-KEY("Masks")', ["unsupported"]),
    ],
)
def test_headings(dialect_id: DialectId, text: str, losses: list[str]) -> None:
    assert said(Heading("Masks", subheadings=("adverse effects",)), dialect_id) == (text, losses)


def test_a_heading_with_an_operator_in_its_name_is_quoted_in_ovid() -> None:
    assert said(Heading("Wounds and Injuries"), "ovid") == ('exp "Wounds and Injuries"/', [])


@pytest.mark.parametrize(
    ("dialect_id", "text", "losses"),
    [
        ("pubmed", '"heat trees"[ti:~3]', []),
        ("ovid", "(heat adj4 trees).ti.", []),
        ("wos", "TI=(heat NEAR/3 trees)", []),
        ("scopus", "TITLE(heat W/3 trees)", []),
        ("ebsco", "TI (heat N3 trees)", []),
        ("dimensions", '"heat trees"~3', ["widened"]),
        ("openalex", 'title.search:"heat trees"~3', []),
        ("plain", "title:(heat NEAR/3 trees)", []),
    ],
)
def test_words_close_to_each_other(dialect_id: DialectId, text: str, losses: list[str]) -> None:
    trees_word = Term(("trees",), False, ("title",))
    assert said(Near((HEAT, trees_word), 3), dialect_id) == (text, losses)


def test_an_order_that_can_not_be_kept_is_a_loss() -> None:
    near = Near((HEAT, PHRASE), 2, ordered=True)
    assert said(near, "ebsco") == ('TI (heat W2 "street trees")', [])
    assert said(near, "wos") == ('TI=(heat NEAR/2 "street trees")', ["widened"])
    assert said(Near((HEAT, PHRASE), 0, ordered=True), "ovid") == ('(heat adj "street trees").ti.', [])
    assert said(near, "ovid") == ('(heat adj3 "street trees").ti.', ["widened"])
    assert said(near, "pubmed") == ('heat[ti] AND "street trees"[ti]', ["widened"])


def test_a_window_of_three_words_holds_for_every_two_of_them() -> None:
    words = tuple(Term((word,)) for word in ("heat", "urban", "shade"))
    text, losses = said(Near(words, 2, whole=True), "wos")
    assert text == "(heat NEAR/3 urban) AND (heat NEAR/3 shade) AND (urban NEAR/3 shade)"
    assert losses == ["widened"]
    assert said(Near(words, 2, whole=True), "dimensions") == ('"heat urban shade"~2', [])
    assert said(Near(words, 2), "dimensions") == ('"heat urban shade"~4', ["widened"])


def test_alternatives_are_spread_out_where_no_or_may_stand() -> None:
    near = Near((Group("OR", (HEAT, PHRASE)), Group("OR", (TREE, HEAT))), 3)
    text, losses = said(near, "scopus")
    assert text.count(" W/3 ") == 4
    assert losses == []
    many = tuple(Term((f"word{i}",), False, ("title",)) for i in range(7))
    text, losses = said(Near((Group("OR", many), Group("OR", many)), 3), "scopus")
    assert " W/" not in text
    assert losses == ["widened"]


@pytest.mark.parametrize(
    ("term", "dialect_id", "text", "losses"),
    [
        (Term(("behavio", Gap(0, 1), "r")), "ovid", "behavio?r", []),
        (Term(("behavio", Gap(0, 1), "r")), "wos", "behavio$r", []),
        (Term(("behavio", Gap(0, 1), "r")), "scopus", "behavior OR behavio?r", []),
        (Term(("behavio", Gap(0, 1), "r")), "pubmed", "behavior OR behaviour", ["narrowed"]),
        (Term(("adapt", Gap(0, 3))), "ovid", "adapt$3", []),
        (Term(("adapt", Gap(0, 3))), "pubmed", "adapt*", ["widened"]),
        (Term(("flu", Gap(0, None))), "pubmed", '"flu"', ["unsupported"]),
        (Term((Gap(0, None), "phosphate")), "pubmed", '"phosphate"', ["unsupported"]),
        (Term((Gap(0, None), "phosphate")), "wos", "*phosphate", []),
        (Term(("heat wave", Gap(0, None)), True), "pubmed", '"heat wave*"', []),
        (Term(("heat wav", Gap(0, None)), True), "dimensions", "heat AND wav*", ["widened"]),
        (Term(("heat wave",)), "ovid", "heat and wave", []),
        (Term(("heat wave",), False, ("title",)), "pubmed", "heat[ti] AND wave[ti]", []),
        (Term(("heat wave",), False, ("title",)), "wos", "TI=(heat wave)", []),
        (Term(("heat wave",), True, (), exact=True), "scopus", "{heat wave}", []),
        (Term(("heat wave",), True, (), exact=True), "wos", '"heat wave"', ["widened"]),
        (Term(("and",)), "wos", '"and"', []),
        (Term(("N5",)), "ebsco", '"N5"', []),
        (Term(("heat.ti",)), "ovid", '"heat.ti"', []),
        (Term(("heat (urban)",), True), "wos", '"heat (urban)"', []),
        (Term(('the "heat" wave',), True), "wos", '"the heat wave"', []),
        (Term(("heat",), False, ("title", "abstract")), "wos", "TS=heat", ["widened"]),
        (Term(("heat",), False, ("title", "abstract")), "ebsco", "TI heat OR AB heat", []),
        (Term(("smith",), False, ("author",)), "dimensions", "smith", ["unsupported"]),
    ],
)
def test_terms(term: Term, dialect_id: DialectId, text: str, losses: list[str]) -> None:
    assert said(term, dialect_id) == (text, losses)


def test_a_short_stem_with_one_letter_missing_is_written_out() -> None:
    text, losses = said(Term(("wom", Gap(1, 1), "x")), "pubmed")
    assert text.split(" OR ")[:2] == ["womax", "wombx"]
    assert text.count(" OR ") == 25
    assert losses == ["narrowed"]
    assert said(Term(("wom", Gap(1, 1), "n")), "pubmed") == ("woman OR women", ["narrowed"])


def test_not_goes_behind_what_is_searched_for() -> None:
    tree = Group("AND", (Not(TREE), HEAT, PHRASE))
    assert said(tree, "wos") == ('TI=(heat AND "street trees" NOT tree*)', [])
    assert said(tree, "plain") == ('title:(NOT tree* AND heat AND "street trees")', [])
    middle = Group("AND", (HEAT, Not(TREE), PHRASE))
    assert said(middle, "wos") == ('TI=(heat NOT tree* AND "street trees")', [])
    assert said(middle, "scopus") == ('TITLE(heat AND "street trees" AND NOT tree*)', [])


def test_a_lonely_not_is_written_with_a_loss() -> None:
    for tree in (Not(HEAT), Group("OR", (HEAT, Not(TREE))), Group("AND", (Not(HEAT), Not(TREE)))):
        written = write(tree, "pubmed")
        assert [loss.status for loss in written.losses] == ["unsupported"]
        again = parse(written.text, "pubmed").root
        assert again is not None
        assert same(again, tree)
        assert not write(tree, "plain").losses


def test_what_has_no_field_is_left_out_beside_something_else() -> None:
    language = Term(("english",), False, ("language",))
    written = write(Group("AND", (HEAT, language)), "dimensions")
    assert written.text == "heat"
    assert [(loss.number, loss.status) for loss in written.losses] == [(1, "widened"), (2, "unsupported")]


def test_a_loss_says_where_it_is_in_the_text() -> None:
    text = "heat[ti] AND Masks[mesh]"
    root = parse(text, "pubmed").root
    assert root is not None
    (loss,) = write(root, "wos").losses
    assert text[loss.start : loss.end] == "Masks[mesh]"
    assert loss.number == 2


def test_a_tree_that_is_too_deep_is_not_written() -> None:
    tree: Node = HEAT
    for _ in range(DEEPEST):
        tree = Not(tree)
    written = write(tree, "plain")
    assert written.text == ""
    assert [loss.status for loss in written.losses] == ["unsupported"]


def test_openalex_has_one_field_for_a_filter_and_years_in_one_of_their_own() -> None:
    years = Range(2010, None)
    shade = Term(("shade",), False, ("abstract",))
    every = Group("AND", (Group("OR", (HEAT, PHRASE)), shade, years))
    text = 'title.search:(heat OR "street trees"),abstract.search:shade,publication_year:>2009'
    assert said(every, "openalex") == (text, [])
    either = Group("AND", (Group("OR", (HEAT, shade)), Group("OR", (HEAT, years))))
    assert said(either, "openalex") == (
        "default.search:(heat OR shade),title.search:heat",
        ["widened", "widened", "unsupported"],
    )


def test_words_that_look_like_a_question_stay_a_search() -> None:
    term = Term(("what is the heat of trees in a city",))
    assert said(term, "plain") == ("(what is the heat of trees in a city)", [])
    assert parse("(what is the heat of trees in a city)", "plain").root == term


def test_a_deep_tree_comes_back() -> None:
    tree: Node = HEAT
    for i in range(DEEPEST - 1):
        tree = Group("AND" if i % 2 else "OR", (PHRASE, tree))
    for dialect_id in DIALECTS:
        again = parse(write(tree, dialect_id).text, dialect_id).root
        assert again is not None
        assert dialect_id == "dimensions" or same(again, tree)


def test_alternatives_in_several_fields_are_gathered_by_the_field() -> None:
    words = tuple(Term((word,), False, ("title", "abstract")) for word in ("heat", "shade"))
    tree = Group("OR", (*words, Heading("Stress")))
    assert said(tree, "ebsco") == ('TI (heat OR shade) OR AB (heat OR shade) OR (MH "Stress+")', [])
