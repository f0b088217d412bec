"""What gives an entity away is found, and what doesn't is let through."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.knowledge.query_quality import find_leaks, identifiers, parts

LONG = "Effects of urban trees on the sleep of night shift workers"
TEXT = st.text(max_size=40)
KNOWN = ("trees", "sleep", "night", "heat", "of", "the", "shift", "urban", "x9", "Workers", "Effects")
WORDS = st.lists(st.sampled_from(KNOWN), max_size=8)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("what did NIGHT WORK find", "Night work"),
        ("what did night-work find", "Night work"),
        ("what did nightwork find", "Night work"),
        ("papers by Jose Muñoz", "José Munoz"),
        ("papers by jose\u0301 munoz", "José Munoz"),
        ("houses in the STRASSE", "Straße"),
        ("about “Heat, and trees.”", "Heat and trees"),
        ("in C++", "C++"),
        ("what is *** about", "***"),
        ("の木は", "の木は"),
    ],
)
def test_a_name_is_refused_however_it_is_spelled(query: str, title: str) -> None:
    assert [leak.kind for leak in find_leaks(query, title=title)] == ["title"]


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("shifts after dark", "Night work"),
        ("work at night", "Night work"),
        ("the heating of homes", "Heat"),
        ("papers by Itoh", "Ito"),
        ("anything", ""),
        ("anything", "   "),
        ("a * b ** c", "***"),
        ("", "Night work"),
    ],
)
def test_other_words_are_let_through(query: str, title: str) -> None:
    assert find_leaks(query, title=title) == ()


def test_most_of_a_long_title_is_refused_in_its_order() -> None:
    leaks = find_leaks(
        "do effects of city trees in urban places, trees on sleep at night, touch shift staff", title=LONG
    )
    assert [leak.kind for leak in leaks] == ["words"]
    assert find_leaks("which workers shift at night, and sleep under trees in urban places", title=LONG) == ()
    assert find_leaks("urban sleep", title=LONG) == ()
    assert find_leaks("trees, shade of", title="Trees and shade") == (), "three words are no long title"


def test_an_id_is_refused_and_a_number_is_not() -> None:
    def kinds(query: str, *ids: str) -> list[str]:
        return [leak.kind for leak in find_leaks(query, title="", ids=ids)]

    assert kinds("cites 10.1234/ABC-5 twice", "10.1234/abc-5") == ["id"]
    assert kinds("cites W2104 twice", "w2104") == ["id"]
    assert kinds("what is 1797078", "1797078") == ["id"]
    assert kinds("after 2020 in 7 countries", "2020", "7") == []
    assert kinds("papers of ito", "ito") == []
    assert identifiers("e1", {"asin": "B01", "Paper ID": "55", "idea": "no", "year": "2001"}) == ("e1", "B01", "55")


def test_what_leaks_is_marked() -> None:
    query = "<b>On</b> Night  Work & night-work"
    leaks = find_leaks(query, title="night work")
    cut = parts(query, leaks)
    assert "".join(piece for piece, _ in cut) == query
    assert [piece for piece, leaking in cut if leaking] == ["Night  Work", "night-work"]
    assert parts("nothing here", ()) == [("nothing here", False)]


@given(TEXT, TEXT, TEXT)
def test_a_title_gives_itself_away(title: str, before: str, after: str) -> None:
    assume(title.strip())
    assert find_leaks(title, title=title)
    assert find_leaks(f"{before} {title} {after}", title=title), "words around it change nothing"


@given(
    st.permutations(KNOWN).map(lambda words: words[:8]),
    st.integers(0, 7),
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["heat", "of", "new", "urban"])), max_size=6),
)
def test_adding_words_never_hides_most_of_a_long_title(
    title: list[str], left_out: int, added: list[tuple[int, str]]
) -> None:
    query = [*title[:left_out], *title[left_out + 1 :]]
    assert [leak.kind for leak in find_leaks(" ".join(query), title=" ".join(title))] == ["words"]
    for at, word in added:
        query.insert(at, word)
    assert find_leaks(" ".join(query), title=" ".join(title))


@given(WORDS, WORDS)
def test_pieces_are_the_query(title: list[str], query: list[str]) -> None:
    text = " ".join(query)
    leaks = find_leaks(text, title=" ".join(title))
    cut = parts(text, leaks)
    assert "".join(piece for piece, _ in cut) == text
    assert any(leaking for _, leaking in cut) == bool(leaks)


def test_a_title_of_a_megabyte_is_no_trouble() -> None:
    title = "word " * 200_000
    assert find_leaks("a word on words", title=title) == ()
    assert find_leaks("word " * 400, title=title)[0].kind == "words"
    assert find_leaks("of the " * 250, title="the of " * 150_000) == ()
