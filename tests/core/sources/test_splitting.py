"""A search that is too long for one request is cut into several that find the same together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from core.errors import InputError
from core.query.equivalence import same
from core.query.parser import parse
from core.query.translation import write
from core.query.tree import Group, Node, Not, ParsedQuery, Term, walk
from core.sources.preparation import SearchPiece, clauses, encoded_size, prepare, split
from core.sources.source_forms import SourceOptions
from core.text import folded
from tests.core.query_scenes import FakeCorpus
from tests.core.query_trees import nested
from tests.core.sources.test_laws import CORPORA, NEAR, TERM, rows
from tests.messages import refusal

SLOWLY = settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
REAL_ROOM = 3_600


def plainly(node: Node) -> str:
    """A tree in our own dialect."""
    return write(node, "plain", strict=False).text


LISTS = st.lists(TERM | NEAR, min_size=2, max_size=12).map(lambda parts: Group("OR", tuple(parts)))


def with_lists() -> SearchStrategy[Node]:
    """What people write: lists of alternatives joined by AND, with something left out."""
    negated = st.one_of(LISTS, TERM).map(Not)
    some = st.lists(st.one_of(LISTS, TERM, negated), min_size=1, max_size=4)
    return st.builds(lambda first, rest: Group("AND", (first, *rest)), LISTS, some)


@SLOWLY
@given(root=st.one_of(with_lists(), LISTS, nested(TERM, 10)), corpus=CORPORA, share=st.floats(0.3, 1.1))
def test_the_pieces_fit_and_find_together_what_the_whole_finds(root: Node, corpus: FakeCorpus, share: float) -> None:
    room = int(share * encoded_size(plainly(root)))
    try:
        pieces = split(root, plainly, room)
    except InputError:
        return
    assert all(encoded_size(piece.text) <= room for piece in pieces)
    assert all(piece.text == plainly(piece.root) for piece in pieces)
    assert set().union(*(rows(piece.root, corpus) for piece in pieces)) == rows(root, corpus)


@pytest.mark.slow
@SLOWLY
@given(root=st.one_of(with_lists(), LISTS), corpus=CORPORA, share=st.floats(0.5, 1.1))
def test_the_forms_for_openalex_find_together_what_the_whole_finds(
    root: Node, corpus: FakeCorpus, share: float
) -> None:
    parsed = parse(plainly(root), "plain")
    try:
        room = int(share * encoded_size(prepare(parsed, "openalex", SourceOptions()).text))
        made = prepare(parsed, "openalex", SourceOptions(), room=room)
    except InputError:
        return
    assert all(encoded_size(form.text) <= room for form in made.forms)
    parts = [parse(form.text, "openalex").root for form in made.forms]
    found = [rows(part, corpus) for part in parts if part is not None]
    whole = parse(made.text, "openalex").root
    assert whole is not None
    assert len(found) == len(parts)
    assert set().union(*found) == rows(whole, corpus)


def words(n: int, letter: str = "w") -> str:
    """So many alternatives of six letters each."""
    return " OR ".join(f"{letter}{i:05}" for i in range(n))


def cut(text: str, room: int, most: int = 200) -> tuple[SearchPiece, ...]:
    """The pieces of a plain string."""
    root = parse(text, "plain").root
    assert root is not None
    return split(root, plainly, room, most=most)


def test_nothing_is_cut_where_it_fits() -> None:
    (piece,) = cut("heat AND (shade OR tree)", 40)
    assert piece.text == "heat AND (shade OR tree)"
    root = parse("heat").root
    assert root is not None
    assert len(split(root, plainly, None)) == 1


def test_as_few_pieces_as_can_be_about_as_long_as_each_other() -> None:
    pieces = cut(words(30), 160)  # each alternative takes 6 bytes and 8 between: 11 in 160
    assert [piece.text.count("w") for piece in pieces] == [10, 10, 10]


def test_two_lists_are_cut_where_one_would_give_more_pieces() -> None:
    text = f"({words(20, 'a')}) AND ({words(20, 'b')})"
    size = encoded_size(text)
    pieces = cut(text, size * 6 // 10)
    assert len(pieces) == 4
    assert {(piece.text.count("a0"), piece.text.count("b0")) for piece in pieces} == {(10, 10)}


def test_a_list_inside_an_alternative_is_cut_too() -> None:
    text = f"heat OR (shade AND ({words(20)}))"
    pieces = cut(text, 160)
    assert all("shade AND (w" in piece.text for piece in pieces)
    root = parse(text).root
    assert root is not None
    assert same(root, Group("OR", tuple(piece.root for piece in pieces)))


def test_what_is_left_out_is_never_cut() -> None:
    text = f"({words(20, 'a')}) NOT ({words(10, 'b')})"
    pieces = cut(text, 250)
    assert len(pieces) > 1
    assert all(piece.text.endswith(f"NOT ({words(10, 'b')})") for piece in pieces)
    with refusal(InputError):
        cut(f"heat NOT ({words(20)})", 200)


def test_alternatives_that_stand_close_are_not_cut() -> None:
    with refusal(InputError):
        cut(f"shade AND (heat NEAR/3 ({words(20)}))", 200)


def test_one_phrase_that_is_too_long_is_named() -> None:
    phrase = " ".join(["overheated"] * 30)
    with pytest.raises(InputError) as told:
        cut(f'heat OR "{phrase}"', 200)
    assert all(fact in str(told.value) for fact in ("200 bytes", "393", '"overheated overheated'))


def test_too_many_pieces_are_refused() -> None:
    with refusal(InputError):
        cut(words(900), 50)
    assert len(cut(words(12), 6, most=12)) == 12
    with refusal(InputError):
        cut(words(12), 6, most=11)


def test_a_long_list_of_openalex_in_two_fields() -> None:
    text = f"({words(300, 'a')}) AND TI=({words(200, 'b')}) AND PY=2010-2020 NOT TS=cold"
    made = prepare(parse(text, "wos"), "openalex", SourceOptions(), room=REAL_ROOM)
    assert len(made.forms) == 4
    assert all(encoded_size(form.text) <= REAL_ROOM for form in made.forms)
    assert all(form.text.endswith(",publication_year:2010-2020") for form in made.forms)
    assert all(" NOT cold)" in form.text and "title.search:(b" in form.text for form in made.forms)


# Published strings


@pytest.fixture
def ielab(collections_dir: Path) -> list[ParsedQuery]:
    """Twenty strings as they were run in PubMed; that they are PubMed's is not said."""
    lines = (collections_dir / "ielab_seed" / "topics.jsonl").read_text("utf-8").splitlines()
    return [parse(json.loads(line)["query"]) for line in lines]


def test_published_strings_go_to_pubmed_as_they_are(ielab: list[ParsedQuery]) -> None:
    assert len(ielab) == 20
    for parsed in ielab:
        made = prepare(parsed, "pubmed", SourceOptions())
        assert parsed.dialect == "pubmed"
        assert made.is_unchanged
        assert made.losses == ()
        assert [form.text for form in made.forms] == [parsed.text]


@pytest.mark.slow
@pytest.mark.parametrize(("room", "stem"), [(REAL_ROOM, True), (REAL_ROOM, False), (2_000, True)])
def test_published_strings_fit_into_openalex(ielab: list[ParsedQuery], room: int, stem: bool) -> None:
    n_split = 0
    for parsed in ielab:
        made = prepare(parsed, "openalex", SourceOptions(stem=stem), room=room)
        assert all(encoded_size(form.text) <= room for form in made.forms)
        assert not any("differently" in loss.message for loss in made.losses)
        n_split += len(made.forms) > 1
        parts = [parse(form.text, "openalex").root for form in made.forms]
        whole = parse(made.text, "openalex").root
        known = [part for part in parts if part is not None]
        assert whole is not None
        assert len(known) == len(made.forms)
        assert same(whole, known[0] if len(known) == 1 else Group("OR", tuple(known)))
        assert room < REAL_ROOM or len(made.forms) <= 2
    assert n_split == (1 if room == REAL_ROOM else 8)


def test_parts_of_published_strings_mean_the_same_alone(ielab: list[ParsedQuery]) -> None:
    for parsed in ielab:
        assert parsed.root is not None
        made = clauses(parsed, "pubmed", SourceOptions())
        assert all(len(clause.forms) == 1 for clause in made)
        again: list[Node] = []
        for clause in made:
            part = parse(clause.forms[0].text, "pubmed").root
            assert part is not None
            again.append(Not(part) if clause.is_excluded else part)
        assert same(parsed.root, again[0] if len(again) == 1 else Group("AND", tuple(again)))


def test_no_published_string_loses_a_term_at_openalex(ielab: list[ParsedQuery]) -> None:
    """Every word that is looked for in a text is still there."""
    for parsed in ielab:
        sent = folded(prepare(parsed, "openalex", SourceOptions()).text)
        for node in parsed.nodes:
            if isinstance(node, Term) and {"title", "abstract"} & set(node.fields or ("title",)):
                words_of = [str(word).rstrip("*") for run in node.chunks for word in run]
                assert all(word in sent for word in words_of), node
    assert any(isinstance(node, Not) for parsed in ielab if parsed.root for node in walk(parsed.root))
