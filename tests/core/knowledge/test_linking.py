"""What stays of the parts that may be names, and what a name may look like."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.entities import (
    Entity,
    MentionCandidate,
    capitalised,
    chosen,
    inflected,
    likeness,
    parts,
    pieces,
    quoted,
    shortened,
    title_key,
)

HOSTILE = st.text(st.characters(), max_size=60) | st.text('aA "“”<>’.\u0301ßΣςﬁ½', max_size=40)


def spans_of(text: str, spans: tuple[tuple[int, int], ...]) -> list[str]:
    found = pieces(text)
    return [text[found[start].start : found[end - 1].end] for start, end in spans]


# Keys


def test_a_key_forgets_case_accents_punctuation_and_letters_that_are_typed_plainly() -> None:
    for written in (
        "Bjørn  Sætherud",
        "BJORN-SAETHERUD",
        "bjørn sætherud.",
        "Bj\u00f8rn Sætherud",
        "bjorn (saetherud)",
    ):
        assert title_key(written) == "bjorn saetherud"
    assert title_key("Zoe\u0308") == title_key("Zoë") == "zoe"
    assert title_key("ΣΟΦΟΣ") == title_key("σοφος") == "σοφοσ"
    assert title_key("?!") == ""


@given(HOSTILE)
def test_pieces_lie_in_the_text_in_order_and_have_its_words(text: str) -> None:
    found = pieces(text)
    assert [piece.key for piece in found] == [title_key(text[piece.start : piece.end]) for piece in found]
    places = [place for piece in found for place in (piece.start, piece.end)]
    assert places == sorted(places)
    assert all(0 <= piece.start < piece.end <= len(text) for piece in found)


@given(st.text("abcdefgh syxi", max_size=12))
def test_a_singular_has_the_plural_that_it_is_the_singular_of(text: str) -> None:
    key = title_key(text)
    for plural in inflected(key):
        if plural.endswith("s") and not key.endswith("s"):
            assert key in inflected(plural)


# Likeness


@given(HOSTILE, HOSTILE)
def test_only_the_same_is_wholly_alike(a: str, b: str) -> None:
    one, other = title_key(a), title_key(b)
    assert likeness(one, one) == 1.0
    assert 0.0 <= likeness(one, other) <= 1.0
    assert (likeness(one, other) == 1.0) == (one == other)


def test_another_initial_or_number_is_another_name() -> None:
    assert likeness("mara j velden", "mara k velden") == 0.0
    assert likeness("type 1 diabetes", "type 2 diabetes") == 0.0
    assert likeness("mara velden", "mara k velden") > 0.9
    assert 0.8 < likeness("mara veldem", "mara velden") < likeness("velden mara", "mara velden") + 0.1
    assert likeness("university ardenvale", "university of ardenvale") > 0.9
    assert likeness("cat", "car") == 0.0


def test_initials_stand_for_given_names_only() -> None:
    assert shortened(["h", "ito"], ["haruka", "ito"])
    assert shortened(["h", "m", "ito"], ["haruka", "mio", "ito"])
    assert not shortened(["h", "ito"], ["mio", "haruka", "ito"])
    assert not shortened(["h", "ito"], ["haruka", "mio", "ito"])
    assert not shortened(["ito"], ["haruka", "ito"])


# Parts that look like a name


def test_what_is_quoted_or_in_brackets() -> None:
    text = 'Like "Heat, at night" or “trees” or <Sleep debt>, not "" or "?" or an open "quote'
    assert spans_of(text, quoted(text, pieces(text))) == ["Heat, at night", "trees", "Sleep debt"]


def test_runs_of_capitals_hold_particles_and_initials_but_not_what_begins_a_question() -> None:
    text = "Which papers by H. M. Ito and some of the University of São Belmiro, or by 森瀬 遥, are on heat?"
    assert spans_of(text, capitalised(text, pieces(text))) == ["H. M. Ito", "University of São Belmiro", "森瀬 遥"]
    assert capitalised("no names here", pieces("no names here")) == ()


@given(HOSTILE)
def test_parts_of_hostile_text_lie_in_it(text: str) -> None:
    found = pieces(text)
    for start, end in (*quoted(text, found), *capitalised(text, found)):
        assert 0 <= start < end <= len(found)


def test_the_whole_comes_first_then_parts_as_long_as_most_names() -> None:
    assert list(parts((2, 5), 2)) == [(2, 5), (2, 4), (3, 5)]
    assert list(dict.fromkeys(end - start for start, end in parts((0, 6), 1))) == [6, 3, 4, 2, 5, 1]
    assert list(parts((3, 4), 1)) == [(3, 4)]


# What stays


def test_quoted_wins_over_longer_and_longer_over_likelier() -> None:
    def kept(*given: tuple[int, int, float], marked: tuple[int, int] | None = None) -> list[tuple[int, int]]:
        found = chosen([MentionCandidate((a, b), (), score) for a, b, score in given], [marked] if marked else [])
        return [candidate.span for candidate in found]

    assert kept((0, 2, 1.0), (1, 4, 0.8), (4, 5, 1.0)) == [(1, 4), (4, 5)]
    assert kept((0, 2, 1.0), (1, 4, 0.8), marked=(0, 2)) == [(0, 2)]
    assert kept((0, 2, 0.9), (1, 3, 1.0)) == [(1, 3)]


def test_a_word_too_many_does_not_win() -> None:
    ito, elm = Entity(0, "a", "author", "Haruka Ito"), Entity(1, "b", "author", "Haruka Ito Elm")
    word_for_word = MentionCandidate((1, 3), (ito,), 1.0)
    assert chosen([MentionCandidate((0, 3), (ito,), 0.95), word_for_word]) == (word_for_word,)
    assert chosen([longer := MentionCandidate((1, 4), (elm,), 0.95), word_for_word]) == (longer,)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 4), st.floats(0.1, 1)), max_size=8))
def test_what_stays_does_not_overlap_and_nothing_more_would_fit(given: list[tuple[int, int, float]]) -> None:
    found = chosen([MentionCandidate((start, start + n), (), score) for start, n, score in given])
    taken = [piece for candidate in found for piece in range(*candidate.span)]
    assert taken == sorted(set(taken))
    assert all(set(range(start, start + n)) & set(taken) for start, n, _ in given)
