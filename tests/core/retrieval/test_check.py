"""What the checker says of a collection, and the one thing it can mend."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Oddity, Query, check, is_misnumbered, renumbered
from core.errors import InputError
from tests.messages import refusal

SOUND = Collection(
    "soups",
    (Document("a", "Leek soup", "With cream."), Document("b", "Broth", "Clear.")),
    (Query("1", "leek"), Query("2", "clear broth")),
    (Judgment("1", "a", 1), Judgment("2", "b", 1)),
)


def of_kind(collection: Collection, kind: str) -> Oddity:
    (found,) = [oddity for oddity in check(collection) if oddity.kind == kind]
    return found


def numbered(ids: list[str], n_judged: int) -> Collection:
    judgments = tuple(Judgment(str(i), "a", 1) for i in range(1, n_judged + 1))
    return replace(SOUND, queries=tuple(Query(i, f"text {i}", (("kind", i),)) for i in ids), judgments=judgments)


def test_nothing_is_odd_about_a_sound_collection() -> None:
    assert check(SOUND) == ()


def test_queries_that_the_judgments_count_otherwise() -> None:
    trap = numbered(["1", "2", "4", "8"], 4)
    found = of_kind(trap, "numbering")
    for fact in ("from 1 to 4", "other ids (1, 2, 4, 8)", "only 3 of 4", "1 of those mean"):
        assert fact in found.sentence
    assert (found.n, found.examples) == (2, ("4",))
    assert "1 to 4" in found.fix
    assert of_kind(trap, "queries_without_judgments").examples == ("8",)
    assert of_kind(trap, "judged_without_query").examples == ("3",)
    mended = renumbered(trap)
    assert check(mended) == tuple(o for o in check(mended) if not o.kind.startswith(("numbering", "quer", "judged")))
    assert [q.query_id for q in mended.queries] == ["1", "2", "3", "4"]
    assert [q.text for q in mended.queries] == ["text 1", "text 2", "text 4", "text 8"]


def test_labels_and_splits_follow_the_new_numbers() -> None:
    trap = replace(numbered(["001", "002", "004"], 3), splits={"test": ("004", "001"), "dev": ("unknown",)})
    assert "none of the 3 query ids matches" in of_kind(trap, "numbering").sentence
    mended = renumbered(trap)
    assert mended.splits == {"test": ("3", "1"), "dev": ()}
    assert [q.labels for q in mended.queries] == [(("kind", i),) for i in ("001", "002", "004")]
    assert [q.text for q in mended.of_split("test")] == ["text 001", "text 004"]


@pytest.mark.parametrize(("ids", "n_judged"), [(["2", "1"], 2), (["1", "2", "4"], 2), (["a", "b"], 3), (["a"], 0)])
def test_other_numbers_are_left_alone(ids: list[str], n_judged: int) -> None:
    collection = numbered(ids, n_judged)
    assert not is_misnumbered(collection)
    with refusal(InputError):
        renumbered(collection)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=30, unique=True))
def test_the_fix_always_mends_it_and_never_comes_twice(numbers: list[int]) -> None:
    collection = numbered([str(n) for n in numbers], len(numbers))
    if set(numbers) == set(range(1, len(numbers) + 1)):
        assert not is_misnumbered(collection)
        return
    mended = renumbered(collection)
    assert not is_misnumbered(mended)
    assert [q.text for q in mended.queries] == [q.text for q in collection.queries]
    assert {o.kind for o in check(mended)} & {"numbering", "queries_without_judgments", "judged_without_query"} == set()


def test_judgments_that_do_not_fit() -> None:
    odd = replace(
        SOUND,
        queries=(*SOUND.queries, Query("3", "bread"), Query("4", "stew")),
        judgments=(*SOUND.judgments, Judgment("1", "x", 2), Judgment("9", "y", 0), Judgment("3", "a", -1)),
    )
    kinds = ("queries_without_judgments", "judged_without_query", "queries_without_relevant")
    assert [of_kind(odd, kind).examples for kind in kinds] == [("4",), ("9",), ("3",)]
    missing = of_kind(odd, "documents_missing")
    assert (missing.n, missing.examples) == (2, ("x", "y"))
    assert missing.sentence.startswith("2 judged documents")
    assert "1 of them relevant" in missing.sentence
    levels = of_kind(odd, "relevance_levels")
    assert "2 (1), 1 (2), 0 (1), -1 (1)" in levels.sentence
    assert "Below 0 counts as 0" in levels.sentence
    assert levels.examples == ()  # the sentence names them


def test_pairs_that_are_judged_twice() -> None:
    again = replace(SOUND, judgments=(*SOUND.judgments, Judgment("1", "a", 1)))
    assert of_kind(again, "judgments_repeated").n == 1
    differing = replace(SOUND, judgments=(*again.judgments, Judgment("2", "b", 0)))
    assert of_kind(differing, "judgments_differ").examples == ("2 / b",)


def test_without_judgments_or_documents() -> None:
    kinds = [oddity.kind for oddity in check(replace(SOUND, documents=(), judgments=()))]
    assert kinds == ["no_judgments", "no_documents"]


def test_documents_and_queries_that_say_nothing_or_the_same() -> None:
    odd = replace(
        SOUND,
        documents=(
            *SOUND.documents,
            Document("c", "", "With cream."),
            Document("d", "Stew", " "),
            Document("e", "\n", ""),
            Document("f", "Broth", "Clear. "),
            Document("g", "", ""),
        ),
        queries=(*SOUND.queries, Query("3", " \n"), Query("4", "clear  broth"), Query("5", "")),
    )
    found = {oddity.kind: oddity.examples for oddity in check(odd)}
    assert found["documents_without_title"] == ("c",)
    assert found["documents_without_text"] == ("d",)
    assert found["documents_empty"] == ("e", "g")
    assert found["documents_repeated"] == ("f",)
    assert found["queries_empty"] == ("3", "5")
    assert found["queries_repeated"] == ("4",)


def test_a_corpus_without_any_title_is_one_sentence() -> None:
    untitled = replace(SOUND, documents=tuple(replace(d, title="") for d in SOUND.documents))
    assert of_kind(untitled, "documents_without_title").sentence == "None of the 2 documents has a title."
