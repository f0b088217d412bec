"""Knowledge bases and query sets in numbers: by hand, against slow counts, and where there is nothing to count."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Query
from core.knowledge.entities import EntityType
from core.knowledge.statistics import (
    SET_STATISTICS,
    QuerySet,
    SetStatistics,
    Wording,
    WordKinds,
    average_degree,
    common_length,
    compare_sets,
    doubling_bins,
    runs,
    spread_of,
    type_statistics,
    word_kinds,
)
from core.text import words

NUMBERS = st.lists(st.integers(0, 5_000), max_size=40)
LETTERS = st.lists(st.sampled_from("abc"), max_size=12)


def a_collection() -> Collection:
    return Collection(
        "teas",
        (Document("d1", "tea", ""), Document("d2", "cup", "")),
        (Query("1", "green tea"), Query("2", "the cup of the day"), Query("3", "leaves")),
        (
            *(Judgment("1", "d1", 1), Judgment("1", "d2", 2), Judgment("1", "d2", 1), Judgment("2", "d1", 0)),
            Judgment("1", "elsewhere", 1),
        ),
        {"test": ("3", "1")},
    )


def only(queries: QuerySet, **more: object) -> SetStatistics:
    (found,) = compare_sets([queries], seed=0, **more)  # type: ignore[arg-type]
    return found


def test_a_set_by_hand() -> None:
    found = only(QuerySet.of(a_collection()))
    # 2, 5 and 1 words; 9, 18 and 6 characters; query 1 has three documents judged relevant, 2 none, 3 was not judged.
    assert found.words.tolist() == [2, 5, 1]
    assert found.characters.tolist() == [9, 18, 6]
    assert found.answers.tolist() == [3, 0]
    assert found.value("words_per_query") == pytest.approx(8 / 3)
    assert found.value("characters_per_query") == 11
    assert found.value("answers_per_query") == 1.5
    # green tea the cup of the day leaves: "the" twice. V = 7, N = 8; the, of, the are stop words.
    assert (found.value("n_types"), found.value("n_words")) == (7, 8)
    assert found.value("type_token_ratio") == 7 / 8
    assert found.value("entropy") == pytest.approx(-(2 / 8 * math.log(2 / 8) + 6 * 1 / 8 * math.log(1 / 8)))
    assert found.value("stop_share") == 3 / 8
    assert list(found.values) == list(SET_STATISTICS)


def test_a_part_is_a_set_of_its_own() -> None:
    found = QuerySet.of(a_collection(), "test")
    assert (found.name, [query.query_id for query in found.queries]) == ("teas, test", ["1", "3"])
    assert found.answers.tolist() == [3]


def test_a_duplicate_or_empty_set_harms_no_other() -> None:
    whole, empty = QuerySet.of(a_collection()), QuerySet("none", (), {})
    assert common_length([empty.wording, whole.wording]) == 8
    assert common_length([empty.wording]) is None
    _, found, reference = compare_sets([empty, whole], Wording.of(["one two", "three"]), reference_name="r", seed=0)
    assert (found.n_at_length, reference.n_at_length) == (3, 3)
    assert reference.value("ratio_at_length") == 1.0
    assert reference.values["n_queries"].reason.endswith("no queries")
    assert reference.is_reference


KINDS = ("relational_share", "textual_share")
OF_WORDS = ("entropy", "entropy_bits", "type_token_ratio", "stop_share", "entropy_at_length", "ratio_at_length")
WORDLESS = dict.fromkeys((*OF_WORDS, *KINDS), "no word")
UNJUDGED = {"answers_per_query": "judgment"}


@pytest.mark.parametrize(
    ("queries", "undefined"),
    [
        ((), UNJUDGED | WORDLESS | dict.fromkeys(("words_per_query", "characters_per_query"), "no query")),
        (("?", ""), UNJUDGED | WORDLESS),
        (("tea",), UNJUDGED | dict.fromkeys(KINDS, "choose a")),
    ],
)
def test_what_is_undefined_says_why(queries: tuple[str, ...], undefined: dict[str, str]) -> None:
    found = only(QuerySet("s", tuple(Query(str(n), text) for n, text in enumerate(queries)), {}))
    missing = {name: measured.reason for name, measured in found.values.items() if measured.value is None}
    assert missing.keys() == undefined.keys()
    for name, part in undefined.items():
        assert part in missing[name]
    assert all(math.isfinite(m.value) for m in found.values.values() if m.value is not None)
    assert all(measured.reason == "" for measured in found.values.values() if measured.value is not None)


def test_kinds_of_words_are_shares() -> None:
    queries = QuerySet.of(a_collection())
    found = only(queries, kinds={"teas": WordKinds(1, 3, 4)})
    assert (found.value("relational_share"), found.value("textual_share")) == (0.25, 0.75)
    alone = only(queries, kinds={"teas": WordKinds(0, 0, 4)})
    assert alone.values["relational_share"].reason.endswith("only stop words")


def test_words_of_a_question_by_kind() -> None:
    question = "Papers on naïve meta-models by Ito Kenji from the University of Elm"
    start = question.index("University")
    found = word_kinds(question, spans=[(start, len(question))], phrases=["ito kenji", "papers by", "from"])
    # University, Elm (of is a stop word), Ito, Kenji; textual: papers, naive, meta, models; stop: on, by, from, the, of
    assert found == WordKinds(4, 4, 5)
    assert (found.relational_share, found.textual_share) == (0.5, 0.5)
    assert WordKinds().relational_share is None


@given(
    st.text(alphabet="ab c-é.", max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4)
)
def test_kinds_add_up_to_all_words(text: str, borders: list[tuple[int, int]]) -> None:
    spans = [(min(pair), max(pair)) for pair in borders]
    found = word_kinds(text, spans=spans, phrases=["a b"])
    assert found.n_relational + found.n_textual + found.n_stop == len(words(text))
    assert word_kinds(text).n_relational == 0
    whole = word_kinds(text, spans=[(0, len(text))])
    assert (whole.n_textual, whole.n_stop) == (0, found.n_stop)


@given(LETTERS, LETTERS)
def test_words_in_a_row_are_found_as_a_slow_search_finds_them(among: list[str], wanted: list[str]) -> None:
    n = len(wanted)
    slow = [(k, k + n) for k in range(len(among) - n + 1) if n and among[k : k + n] == wanted]
    assert list(runs(among, wanted)) == slow


@given(NUMBERS)
def test_spread_and_bins_are_of_the_same_numbers(numbers: list[int]) -> None:
    spread, bins = spread_of(numbers), doubling_bins(numbers)
    assert sum(bin.n for bin in bins) == len(numbers)
    for bin in bins:
        assert bin.n == sum(bin.low <= number <= bin.high for number in numbers)
    if spread is None:
        assert (numbers, bins) == ([], ())
        return
    assert bins[-1].n > 0
    assert spread.least <= spread.lower <= spread.median <= spread.upper <= spread.most
    assert (spread.total, spread.mean) == (sum(numbers), sum(numbers) / len(numbers))


@given(NUMBERS)
def test_hubs_have_the_most_relations(degrees: list[int]) -> None:
    kind = EntityType("paper", 100, len(degrees), True)
    given_degrees = np.array(degrees, dtype=np.int64)
    found = type_statistics(kind, given_degrees, given_degrees, 0)
    order = sorted(range(len(degrees)), key=lambda place: (-degrees[place], place))
    wanted = [(100 + place, degrees[place]) for place in order if degrees[place] > 0][:5]
    assert [(hub.row, hub.degree) for hub in found.hubs] == wanted


def test_each_relation_has_two_ends() -> None:
    assert average_degree(5, 10) == 4.0
    assert average_degree(0, 0) is None
