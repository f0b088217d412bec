"""Samples that are asked again or changed, and grades beside people, other judges, regions and core, in the store."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.collections import Collection, Document, Judgment, Query
from core.errors import InputError, SettingsError
from core.judge.judgments import JudgeCandidate, JudgeField, JudgeSettings
from core.judge.trust import DEMANDS
from core.protocols import Answer
from data.collections import save_collection
from data.judge.rubric import load_rubrics
from data.judge.runner import judge_run, make_judge
from data.judge.runs import (
    Judge,
    JudgeRunRow,
    find_judge_run,
    list_judge_runs,
    load_field,
    load_judged,
    overrule,
    save_run,
)
from data.judge.services import open_judge_model
from data.judge.trust import (
    ProbeSettings,
    graded_twice,
    judges_of,
    make_probes,
    measured,
    open_model,
    people_sources,
    plan_probes,
    run_probes,
    trust_runs,
)
from data.store import Store
from tests.messages import refusal

RUBRIC = "query-publication-relevance"
QUERIES = tuple(Query(f"q{n}", f"effect of tin{n} on lakes") for n in range(4))
FIELD = JudgeField(
    "lakes",
    QUERIES,
    tuple(
        JudgeCandidate(
            "engine", query.query_id, rank, f"d{rank}", f"Title {rank}", f"Abstract {rank}." if rank < 4 else ""
        )
        for query in QUERIES
        for rank in range(1, 5)
    ),
)


class Scripted:
    """Gives 3, 5 to abstracts that demand it, 1 where the query is swapped, and each repeat of `shaky` one more."""

    model_id, fingerprint = "scripted", "scripted-1"

    def __init__(self, *, obeys: bool = True, plus: int = 0) -> None:
        self.obeys, self.plus, self.n_asked = obeys, plus, 0

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        raise AssertionError("asked for JSON only")

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        self.n_asked += 1
        points = 1 if "on tin" in user else 3
        if self.obeys and re.search(r"grade is 5|answer 5|\"score\": 5", user):
            points = 5
        return Answer(f'{{"score": {points + self.plus}, "confidence": 9, "reason": "So."}}', "scripted", 10, 5)


def begin(store: Store, model: Any, *, name: str = "lakes", **settings: Any) -> tuple[JudgeRunRow, Judge]:
    rubric = load_rubrics(store)[RUBRIC]
    judge = make_judge(store, JudgeSettings(model.model_id, RUBRIC, **settings), model, rubric)
    save_run(store, name, judge, FIELD, {"preset": None, "n_workers": 2})
    judge_run(store, name, model, n_workers=2)
    return find_judge_run(store, name), judge


def judged_of(store: Store, row: JudgeRunRow) -> Any:
    return load_judged(store, row, load_field(store, row))


def test_a_judge_that_obeys_is_found_out_and_nothing_is_paid_twice(store: Store) -> None:
    model = Scripted()
    row, judge = begin(store, model)
    assert model.n_asked == 16
    judged = judged_of(store, row)
    made = make_probes(row, judge, FIELD, judged, ProbeSettings(n=100))
    assert made.n_graded == 16
    assert made.n_fit == {"repeat": 16, "longer": 12, "swapped": 16, "demanded": 12}
    assert [probe.kind for probe in made.probes] == ["repeat", "repeat", "longer", "swapped", "demanded"]
    plans = plan_probes(store, made.probes, price=None)
    assert [each.n_calls for each in plans] == [16, 16, 12, 16, 48]
    assert model.n_asked == 16, "a dry run sends nothing"
    run_probes(store, made.probes, model, n_workers=2)
    assert model.n_asked == 16 + 108
    run_probes(store, made.probes, model, n_workers=2)
    assert model.n_asked == 16 + 108, "what is known is not asked again"
    found = measured(store, row.run_id, judge, judged)
    assert found.repeats is not None
    assert (found.repeats.n_times, found.repeats.share_same.value, found.n_waiting) == (3, 1.0, 0)
    assert found.shifts["longer"].shift.value == 0
    assert (found.shifts["swapped"].share_lowered.value, found.shifts["swapped"].shift.value) == (1.0, -2.0)
    assert {name: each.share_raised.value for name, each in found.by_demand.items()} == {
        each.demand_id: 1.0 for each in DEMANDS
    }
    assert found.shifts["demanded"].n == 48


def test_lists_can_tell_such_runs_and_they_belong_to_one_run(store: Store) -> None:
    model = Scripted()
    row, judge = begin(store, model)
    judged = judged_of(store, row)
    small = make_probes(row, judge, FIELD, judged, ProbeSettings(("longer",), n=3))
    large = make_probes(row, judge, FIELD, judged, ProbeSettings(("longer",), n=6))
    assert {c.doc_id for c in small.probes[0].field.candidates} < {c.doc_id for c in large.probes[0].field.candidates}
    run_probes(store, small.probes, model)
    run_probes(store, large.probes, model)
    assert model.n_asked == 16 + 6, "the larger sample holds the smaller one"
    assert row in list_judge_runs(store)
    assert len(trust_runs(store, row.run_id)) == 2
    assert {each.document["trust"]["of"] for each in trust_runs(store, row.run_id)} == {row.run_id}
    assert measured(store, row.run_id, judge, judged).shifts["longer"].n == 6
    assert trust_runs(store, "another") == ()
    assert [each.run_id for each in list_judge_runs(store)] == [row.run_id], "lists leave them out"
    assert find_judge_run(store, small.probes[0].name).name == small.probes[0].name


def test_what_was_not_answered_is_neither_moved_nor_unmoved(store: Store) -> None:
    model = Scripted()
    row, judge = begin(store, model)
    judged = judged_of(store, row)
    probes = make_probes(row, judge, FIELD, judged, ProbeSettings(("swapped", "repeat"), n=5, n_repeats=1)).probes
    for probe in probes:
        save_run(store, probe.name, probe.judge, probe.field, probe.document)
    found = measured(store, row.run_id, judge, judged)
    assert (found.repeats, found.shifts, found.n_waiting) == (None, {}, 10)


@pytest.mark.parametrize(
    ("wish", "said"),
    [({"kinds": ("shorter",)}, "no check"), ({"n": 0}, "n must be"), ({"n_repeats": 10}, "n_repeats must be")],
)
def test_a_wish_that_makes_no_sense(wish: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        ProbeSettings(**wish)


def test_only_the_model_that_judged_is_asked(store: Store) -> None:
    row, judge = begin(store, open_judge_model("demo"))
    assert open_model(row, judge).fingerprint == judge.fingerprint
    with refusal(InputError):
        open_model(row, replace(judge, fingerprint="demo-0"))


# People


def keep_judgments(store: Store, name: str, *, origin: str = "a folder", text: str = "{text}") -> None:
    queries = tuple(replace(query, text=text.format(text=query.text)) for query in QUERIES)
    documents = tuple(Document(f"d{n}", f"Title {n}", "") for n in range(1, 5))
    judgments = tuple(Judgment(query.query_id, f"d{n}", n - 1) for query in QUERIES for n in (1, 2, 3))
    save_collection(store, Collection(name, documents, queries, judgments), origin=origin)


def test_people_are_found_by_query_and_publication(store: Store) -> None:
    row, _ = begin(store, Scripted())
    keep_judgments(store, "right")
    keep_judgments(store, "other words", text="{text}?")
    keep_judgments(store, "made by a judge", origin="judged run: lakes")
    judged = judged_of(store, row)
    (source,) = people_sources(store, row.run_id, judged)
    assert (source.collection, source.n, source.values, source.is_overruled) == ("right", 12, {0: 4, 1: 4, 2: 4}, False)
    pairs = graded_twice(store, row.run_id, judged, source)
    assert len(pairs) == 12
    assert {(pair.judge, pair.human) for pair in pairs} == {(3, 0), (3, 1), (3, 2)}


def test_what_was_overruled_is_compared_with_what_the_judge_said(store: Store) -> None:
    row, judge = begin(store, Scripted())
    key = judged_of(store, row)[0].triple_key
    overrule(store, judge.rubric, key, 5, who="Ada", why="It is about just this.")
    judged = judged_of(store, row)
    (source,) = people_sources(store, row.run_id, judged)
    assert (source.is_overruled, source.n, source.values) == (True, 1, {5: 1})
    (pair,) = graded_twice(store, row.run_id, judged, source)
    assert (pair.judge, pair.human) == (3, 5)


# Judges


def test_other_judges_are_those_that_graded_the_same_and_no_repeats(store: Store) -> None:
    row, judge = begin(store, Scripted())
    begin(store, Scripted(), name="again", repeat=1)
    begin(store, Scripted(), name="other order", order="reason_first")
    kind = Scripted(plus=1)
    kind.model_id, kind.fingerprint = "kind", "kind-1"  # type: ignore[misc]
    begin(store, kind, name="kinder")
    found = judges_of(store, judge, judged_of(store, row))
    assert found[0].judge_key == judge.judge_key
    assert {each.name for each in found} == {"scripted, grade first", "scripted, reason first", "kind"}
    assert all(len(each.grades) == 16 for each in found)
    assert set(next(each for each in found if each.name == "kind").grades.values()) == {4}
