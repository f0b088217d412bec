"""Answers and overrulings are kept and the last word counts; the list of runs, other names, and deleting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.collections import Query
from core.errors import InputError, MisalignedError
from core.judge.judgments import JudgeCandidate, JudgeField, JudgeSettings, TripleVerdict
from data.judge.runs import (
    Judge,
    Progress,
    StoredAnswer,
    answers_to,
    bring_back,
    failures_of,
    find_judge_run,
    keep_answers,
    keep_choice,
    last_answers,
    list_judge_runs,
    load_field,
    load_judge,
    load_judged,
    overrule,
    overrules_of,
    progress_of,
    rename_judge_run,
    save_run,
    take_away,
    triple_key,
    triple_of,
)
from data.store import Store
from tests.data.judge.fake_judges import TINY
from tests.messages import refusal

JUDGE = Judge(JudgeSettings("demo", "tiny"), TINY, "You judge.", "demo-1")
QUERY = Query("q1", "tin lakes", (("length", "Few words"),))
FIELD = JudgeField(
    "two engines",
    (QUERY,),
    (JudgeCandidate("a", "q1", 1, "d1", "Tin", "Lakes."), JudgeCandidate("b", "q1", 1, "other id", "Tin", "Lakes.")),
    ("a note",),
)
KEY = triple_key(triple_of(QUERY, FIELD.candidates[0]))


def answer(attempt: int, verdict: TripleVerdict) -> StoredAnswer:
    return StoredAnswer(KEY, attempt, verdict, ("{}",), "demo", 10, 5, 1, 1.0, f"2026-01-0{attempt}")


def judged(store: Store) -> list[int | None]:
    row = find_judge_run(store, "mine")
    return [each.points for each in load_judged(store, row, load_field(store, row))]


def test_a_run_comes_back_as_it_was(store: Store) -> None:
    save_run(store, "mine", JUDGE, FIELD, {"k": 1})
    row = find_judge_run(store, "mine")
    field = load_field(store, row)
    assert (field.queries, field.candidates, field.notes) == (FIELD.queries, FIELD.candidates, FIELD.notes)
    assert (row.document, row.state, row.settings) == ({"k": 1}, "planned", JUDGE.settings)
    assert load_judge(store, row.judge_key) == JUDGE
    assert (field.not_asked, field.not_run) == ({}, {})
    partly = replace(FIELD, candidates=FIELD.candidates[1:], not_asked={"a": ("q1",)}, not_run={"b": "needs a key"})
    save_run(store, "partly", JUDGE, partly, {})
    again = load_field(store, find_judge_run(store, "partly"))
    assert (again.not_asked, again.not_run) == ({"a": ("q1",)}, {"b": "needs a key"})


def test_the_same_texts_are_judged_once_for_both_engines_and_the_last_attempt_counts(store: Store) -> None:
    save_run(store, "mine", JUDGE, FIELD, {})
    assert judged(store) == [None, None]
    keep_answers(store, JUDGE.judge_key, [answer(1, TripleVerdict("http_error", reason="away"))])
    assert judged(store) == [None, None]
    keep_answers(store, JUDGE.judge_key, [answer(2, TripleVerdict("ok", 1, 9, "Near."))])
    assert judged(store) == [1, 1]


def test_a_person_overrules_and_takes_it_back_and_both_are_kept(store: Store) -> None:
    save_run(store, "mine", JUDGE, FIELD, {})
    keep_answers(store, JUDGE.judge_key, [answer(1, TripleVerdict("ok", 1))])
    overrule(store, TINY, KEY, 2, who="Ada", why="It is about tin.")
    assert judged(store) == [2, 2]
    overrule(store, TINY, KEY, None, who="Ada", why="")
    assert judged(store) == [1, 1]
    assert [each.points for each in overrules_of(store, JUDGE.rubric_key, [KEY])[KEY]] == [2, None]


@pytest.mark.parametrize(
    ("points", "who", "why", "said"), [(3, "Ada", "x", "from 0 to 2"), (1, " ", "x", "name"), (1, "Ada", "", "reason")]
)
def test_an_overruling_that_says_too_little_is_refused(
    store: Store, points: int, who: str, why: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        overrule(store, TINY, KEY, points, who=who, why=why)


def test_a_candidate_without_its_query_is_refused(store: Store) -> None:
    with refusal(MisalignedError):
        save_run(store, "mine", JUDGE, JudgeField("none", (), FIELD.candidates), {})


def test_another_order_or_another_text_is_another_run(store: Store) -> None:
    first, second = FIELD.candidates
    fields = [
        FIELD,
        JudgeField("turned", FIELD.queries, (second, first)),
        JudgeField("fewer", FIELD.queries, (first,)),
        JudgeField("other text", FIELD.queries, (first, replace(second, abstract="Seas."))),
        JudgeField("other rank", FIELD.queries, (first, replace(second, rank=2))),
    ]
    ids = [save_run(store, field.name, JUDGE, field, {}) for field in fields]
    assert len(set(ids)) == len(fields)
    assert save_run(store, "a new name", JUDGE, FIELD, {}) == ids[0]
    assert find_judge_run(store, ids[0]).name == "a new name"


def test_texts_that_no_store_takes_are_the_same_triple_when_they_come_back(store: Store) -> None:
    broken = JudgeField(
        "broken", (Query("q1", "tin \ud800"),), (JudgeCandidate("a", "q1", 1, "d1", "T \udc00", "小 lakes"),)
    )
    save_run(store, "mine", JUDGE, broken, {})
    row = find_judge_run(store, "mine")
    field = load_field(store, row)
    (each,) = load_judged(store, row, field)
    assert triple_key(triple_of(field.queries[0], field.candidates[0])) == each.triple_key


def test_some_answers_are_kept_together_and_what_is_there_stays(store: Store) -> None:
    first, second = (
        answer(1, TripleVerdict("ok", 1, None, "Tin \ud800.")),
        answer(2, TripleVerdict("invalid_json", reason="prose")),
    )
    keep_answers(store, JUDGE.judge_key, [first, second])
    keep_answers(store, JUDGE.judge_key, [replace(first, verdict=TripleVerdict("ok", 2))])
    kept = answers_to(store, JUDGE.judge_key, [KEY])[KEY]
    assert kept == (replace(first, verdict=TripleVerdict("ok", 1, None, "Tin \ufffd.")), second)
    assert last_answers(store, JUDGE.judge_key) == last_answers(store, JUDGE.judge_key, [KEY]) == {KEY: second}
    assert last_answers(store, JUDGE.judge_key, ["another"]) == {}


# The list of runs


FIVE = JudgeField(
    "two engines",
    (QUERY,),
    (
        *(JudgeCandidate("a", "q1", rank, f"d{rank}", f"Title {rank}", "Lakes.") for rank in range(1, 6)),
        JudgeCandidate("b", "q1", 1, "other id", "Title 1", "Lakes."),
    ),
    ("a note",),
)
KEYS = [triple_key(triple_of(QUERY, each)) for each in FIVE.candidates]


def keep(store: Store, place: int, attempt: int, verdict: TripleVerdict) -> None:
    at = f"2026-01-0{attempt}"
    keep_answers(store, JUDGE.judge_key, [StoredAnswer(KEYS[place], attempt, verdict, (), "demo", 1, 1, 1, 1.0, at)])


def test_progress_counts_triples_once_and_the_last_answer_of_each(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIVE, {})
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
    run_id = save_run(store, "mine", JUDGE, FIVE, {})
    keep(store, 0, 1, TripleVerdict("no_abstract", 2))
    keep(store, 1, 1, TripleVerdict("no_abstract"))
    progress = progress_of(store)[run_id]
    assert (progress.n_valid, progress.n_skipped, progress.n_without_grade) == (1, 1, 0)


def test_failures_are_counted_by_reason_and_only_while_they_last(store: Store) -> None:
    save_run(store, "mine", JUDGE, FIVE, {})
    row = find_judge_run(store, "mine")
    for place in range(3):
        keep(store, place, 1, TripleVerdict("http_error", reason="away"))
    keep(store, 3, 1, TripleVerdict("invalid_scale", reason="84"))
    keep(store, 0, 2, TripleVerdict("ok", 0))
    assert failures_of(store, row) == (("http_error", "away", 2), ("invalid_scale", "84", 1))


def test_a_name_is_changed_and_nonsense_refused(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIVE, {})
    assert rename_judge_run(store, run_id, "  yours \n too ") == "yours too"
    assert find_judge_run(store, "yours too").run_id == run_id
    for name in (" ", "x" * 121, "a\0b"):
        with pytest.raises(InputError, match="printable"):
            rename_judge_run(store, run_id, name)


def test_what_was_chosen_last_counts(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIVE, {"per_minute": None})
    assert save_run(store, "mine", JUDGE, FIVE, {"per_minute": 60.0}) == run_id
    keep_choice(store, run_id, {"per_minute": 60.0})
    assert find_judge_run(store, run_id).document == {"per_minute": 60.0}


def test_what_was_deleted_comes_back_as_it_was_with_its_answers(store: Store) -> None:
    run_id = save_run(store, "mine", JUDGE, FIVE, {"k": 5}, clock=lambda: "2026-01-01")
    save_run(store, "newer", JUDGE, JudgeField("x", (QUERY,), FIVE.candidates[:1]), {}, clock=lambda: "2026-01-02")
    keep(store, 0, 1, TripleVerdict("ok", 2))
    before, progress = list_judge_runs(store), progress_of(store)
    deleted = take_away(store, find_judge_run(store, "mine"))
    assert [row.name for row in list_judge_runs(store)] == ["newer"]
    bring_back(store, deleted)
    assert list_judge_runs(store) == before
    assert progress_of(store) == progress
    assert load_field(store, find_judge_run(store, run_id)).candidates == FIVE.candidates
