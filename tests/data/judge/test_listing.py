"""The list of judged runs: how far each is, why grades are missing, other names, and deleting that can be undone."""

from __future__ import annotations

import pytest

from core.collections import Query
from core.errors import InputError
from core.judge.judgments import JudgeCandidate, JudgeField, JudgeSettings, TripleVerdict
from data.judge.runs import (
    Judge,
    Progress,
    StoredAnswer,
    bring_back,
    failures_of,
    find_judge_run,
    keep_answers,
    keep_choice,
    list_judge_runs,
    load_field,
    progress_of,
    rename_judge_run,
    save_run,
    take_away,
    triple_key,
    triple_of,
)
from data.store import Store
from tests.data.judge.fake_judges import TINY

JUDGE = Judge(JudgeSettings("demo", "tiny"), TINY, "You judge.", "demo-1")
QUERY = Query("q1", "tin lakes")
FIELD = JudgeField(
    "two engines",
    (QUERY,),
    (
        *(JudgeCandidate("a", "q1", rank, f"d{rank}", f"Title {rank}", "Lakes.") for rank in range(1, 6)),
        JudgeCandidate("b", "q1", 1, "other id", "Title 1", "Lakes."),
    ),
    ("a note",),
)
KEYS = [triple_key(triple_of(QUERY, each)) for each in FIELD.candidates]


def keep(store: Store, place: int, attempt: int, verdict: TripleVerdict) -> None:
    at = f"2026-01-0{attempt}"
    keep_answers(store, JUDGE.judge_key, [StoredAnswer(KEYS[place], attempt, verdict, (), "demo", 1, 1, 1, 1.0, at)])


def test_progress_counts_triples_once_and_the_last_answer_of_each(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIELD, {})
    assert progress_of(store) == {run_id: Progress(5, {}, 0)}
    keep(store, 0, 1, TripleVerdict("http_error", reason="away"))
    keep(store, 0, 2, TripleVerdict("ok", 0))
    keep(store, 1, 1, TripleVerdict("http_error", reason="away"))
    keep(store, 2, 1, TripleVerdict("invalid_scale", reason="84"))
    keep(store, 3, 1, TripleVerdict("no_abstract"))
    progress = progress_of(store)[run_id]
    assert progress.statuses == {"ok": 1, "http_error": 1, "invalid_scale": 1, "no_abstract": 1}
    assert (progress.n_valid, progress.n_answered, progress.n_skipped) == (1, 4, 1)
    assert (progress.n_waiting, progress.n_without_grade) == (2, 1)


def test_a_title_that_was_graded_counts_and_one_that_was_not_asked_does_not(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIELD, {})
    keep(store, 0, 1, TripleVerdict("no_abstract", 2))
    keep(store, 1, 1, TripleVerdict("no_abstract"))
    progress = progress_of(store)[run_id]
    assert (progress.n_valid, progress.n_skipped, progress.n_without_grade) == (1, 1, 0)


def test_failures_are_counted_by_reason_and_only_while_they_last(store: Store) -> None:
    save_run(store, "mine", JUDGE, FIELD, {})
    row = find_judge_run(store, "mine")
    for place in range(3):
        keep(store, place, 1, TripleVerdict("http_error", reason="away"))
    keep(store, 3, 1, TripleVerdict("invalid_scale", reason="84"))
    keep(store, 0, 2, TripleVerdict("ok", 0))
    assert failures_of(store, row) == (("http_error", "away", 2), ("invalid_scale", "84", 1))


def test_a_name_is_changed_and_nonsense_refused(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIELD, {})
    assert rename_judge_run(store, run_id, "  yours \n too ") == "yours too"
    assert find_judge_run(store, "yours too").run_id == run_id
    for name in (" ", "x" * 121, "a\0b"):
        with pytest.raises(InputError, match="printable"):
            rename_judge_run(store, run_id, name)


def test_what_was_chosen_last_counts(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIELD, {"per_minute": None})
    assert save_run(store, "mine", JUDGE, FIELD, {"per_minute": 60.0}) == run_id
    keep_choice(store, run_id, {"per_minute": 60.0})
    assert find_judge_run(store, run_id).document == {"per_minute": 60.0}


def test_what_was_deleted_comes_back_as_it_was_with_its_answers(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIELD, {"k": 5}, clock=lambda: "2026-01-01")
    save_run(store, "newer", JUDGE, JudgeField("x", (QUERY,), FIELD.candidates[:1]), {}, clock=lambda: "2026-01-02")
    keep(store, 0, 1, TripleVerdict("ok", 2))
    before, progress = list_judge_runs(store), progress_of(store)
    deleted = take_away(store, find_judge_run(store, "mine"))
    assert [row.name for row in list_judge_runs(store)] == ["newer"]
    bring_back(store, deleted)
    assert list_judge_runs(store) == before
    assert progress_of(store) == progress
    assert load_field(store, find_judge_run(store, run_id)).candidates == FIELD.candidates
