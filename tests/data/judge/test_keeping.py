"""What judges said and people overruled is kept, and the last word counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.collections import Query
from core.errors import InputError, MisalignedError
from core.judge.judgments import JudgeCandidate, JudgeField, JudgeSettings, TripleVerdict
from data.judge.runs import (
    Judge,
    StoredAnswer,
    answers_to,
    find_judge_run,
    keep_answers,
    last_answers,
    load_field,
    load_judge,
    load_judged,
    overrule,
    overrules_of,
    save_run,
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
    assert [each.points for each in overrules_of(store, JUDGE.rubric_key, KEY)] == [2, None]


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
    kept = answers_to(store, JUDGE.judge_key, KEY)
    assert kept == (replace(first, verdict=TripleVerdict("ok", 1, None, "Tin \ufffd.")), second)
    assert last_answers(store, JUDGE.judge_key) == last_answers(store, JUDGE.judge_key, [KEY]) == {KEY: second}
    assert last_answers(store, JUDGE.judge_key, ["another"]) == {}
