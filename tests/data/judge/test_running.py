"""A run of a judge: everything is asked once, what fails is no grade, and going on pays for nothing again."""

from __future__ import annotations

import errno
import json
import os
import threading
from dataclasses import asdict

import pytest

from core.collections import Query
from core.errors import DiskFullError, EndsAllError, InputError, NotFoundError, ServiceError, SettingsError
from core.judge.judgments import JudgeCandidate, JudgeField, Status, TripleVerdict
from data.files import WorkspacePaths
from data.http.client import GaveUpError
from data.judge import runs
from data.judge.runner import AnswerJournal, JudgeRunSummary, judge_run, make_judge
from data.judge.runs import (
    answers_to,
    delete_judge_run,
    last_answers,
    save_run,
)
from data.models.chat import RefusedError
from data.store import Store
from tests.data.judge.fake_judges import (
    RUBRIC,
    FakeJudge,
    Outcome,
    good,
    grade,
    judge_of,
    judged,
    numbered,
    points_of,
    said,
    state,
)
from tests.data.stopping import Stopped, stop_from
from tests.messages import refusal


def run(store: Store, model: FakeJudge, field: JudgeField, name: str = "mine", **settings: object) -> JudgeRunSummary:
    save_run(store, name, judge_of(**settings), field, {})
    return judge_run(store, name, model, n_workers=4)


def test_every_triple_is_asked_once_whoever_found_it(store: Store) -> None:
    first, second = numbered(10), numbered(12, "b", start=5)
    model = FakeJudge()
    done = run(store, model, JudgeField("both", first.queries, first.candidates + second.candidates))
    assert (done.n_asked, done.n_calls, done.n_known, done.statuses) == (17, 17, 0, {"ok": 17})
    assert set(model.asked.values()) == {1}
    assert len(model.asked) == 17
    assert [each.points for each in judged(store)] == [points_of(each.candidate.title) for each in judged(store)]
    assert state(store) == "done"
    other = run(store, model, second, name="other")
    assert (other.n_asked, other.n_known, other.statuses) == (0, 12, {"ok": 12})
    assert model.asked.total() == 17


ODD: dict[str, tuple[list[Outcome], Status, int]] = {
    "scale": ([grade(84), grade(84)], "invalid_scale", 2),
    "repaired": ([grade(84), grade(4)], "repaired", 2),
    "prose": ([said("It is relevant."), said("Still.")], "invalid_json", 2),
    "prose, mended": ([said("It is relevant."), grade(0)], "repaired", 2),
    "other": ([said("It is relevant."), grade(4.5)], "invalid_scale", 2),
    "cut": ([said('{"score": 5}', finish="length")], "truncated", 1),
    "cut again": ([grade("4"), said('{"score": 5}', finish="length")], "truncated", 2),
    "filtered": ([said("", finish="content_filter")], "filtered", 1),
    "refused": ([said("", refusal="I won't.")], "refused", 1),
    "away": ([GaveUpError("away")], "http_error", 1),
    "away later": ([grade(84), GaveUpError("away")], "http_error", 2),
}


@pytest.mark.parametrize("name", ODD)
def test_what_fails_has_its_own_status_and_no_grade(shared: Store, name: str) -> None:
    script, status, n_calls = ODD[name]
    repeat = list(ODD).index(name)
    model = FakeJudge(lambda title, time: good(title, time) if title == "Title 1" else script[time - 1])
    done = run(shared, model, numbered(2), name, repeat=repeat)
    kept = last_answers(shared, judge_of(repeat=repeat).judge_key)[judged(shared, name)[0].triple_key]
    assert (kept.verdict.status, kept.n_calls, done.n_calls) == (status, n_calls, n_calls + 1)
    assert kept.answers == tuple(o.text or o.refusal for o in script if not isinstance(o, Exception))
    assert kept.verdict.is_valid == (status == "repaired")
    assert kept.n_prompt_tokens == (100 * len(kept.answers) or None)
    assert kept.verdict.reason
    assert state(shared, name) == ("paused" if status == "http_error" else "done")


def test_a_service_that_failed_is_asked_again_and_all_is_kept(store: Store) -> None:
    def script(title: str, time: int) -> Outcome:
        return GaveUpError("it is away") if title == "Title 3" and time < 3 else good(title, time)

    model = FakeJudge(script)
    done = run(store, model, numbered(5))
    assert (done.failures, done.statuses) == ({"it is away": 1}, {"ok": 4, "http_error": 1})
    assert "it is away" in done.notes[0]
    again = judge_run(store, "mine", model)
    assert (again.n_asked, again.n_known, again.statuses["http_error"]) == (1, 4, 1)
    last = judge_run(store, "mine", model)
    assert (last.n_asked, last.statuses, last.notes) == (1, {"ok": 5}, ())
    key = judged(store)[3].triple_key
    said_to = answers_to(store, judge_of().judge_key, [key])[key]
    assert [(kept.attempt, kept.verdict.status) for kept in said_to] == [
        (1, "http_error"),
        (2, "http_error"),
        (3, "ok"),
    ]
    assert model.asked.total() == 7


def test_what_can_not_be_read_is_asked_again_only_when_that_is_wanted(store: Store) -> None:
    odd = {"Title 1": [said("No."), said("No."), grade(2)], "Title 2": [said("", finish="length"), grade(5)]}
    model = FakeJudge(lambda title, time: odd[title][time - 1] if title in odd else good(title, time))
    run(store, model, numbered(4))
    assert judge_run(store, "mine", model).n_asked == 0
    done = judge_run(store, "mine", model, again=True)
    assert (done.n_asked, done.n_calls, done.statuses) == (2, 2, {"ok": 4})
    assert [each.points for each in judged(store)] == [0, 2, 5, 3]


NO_ABSTRACT = JudgeField(
    "bare",
    (Query("q1", "tin"),),
    tuple(
        JudgeCandidate("a", "q1", i + 1, f"d{i}", title, text)
        for i, (title, text) in enumerate([("Title 4", "  "), ("", ""), ("Title 5", "Text.")])
    ),
)


@pytest.mark.parametrize(("without", "points"), [("grade", [4, None, 5]), ("skip", [None, None, 5])])
def test_without_an_abstract_the_title_is_graded_or_nothing_is_asked(
    store: Store, without: str, points: list[int | None]
) -> None:
    model = FakeJudge()
    done = run(store, model, NO_ABSTRACT, without_abstract=without)
    assert [each.points for each in judged(store)] == points
    assert (done.statuses, state(store)) == ({"no_abstract": 2, "ok": 1}, "done")
    assert done.n_asked == model.asked.total() == sum(each is not None for each in points)
    assert judge_run(store, "mine", model, again=True).n_asked == 0


def test_a_key_that_is_refused_ends_it_at_once_and_says_so(store: Store) -> None:
    model = FakeJudge(lambda title, time: good(title, time) if title < "Title 19" else EndsAllError("no credit left"))
    with refusal(EndsAllError):
        run(store, model, numbered(200))
    assert sum(title >= "Title 19" for title in model.asked) <= 4
    assert "http_error" not in {each.verdict.status for each in judged(store) if each.verdict}
    assert state(store) == "paused"
    model.script = good
    n_before = model.asked.total()
    done = judge_run(store, "mine", model)
    assert done.statuses == {"ok": 200}
    assert model.asked.total() == n_before + done.n_asked


@pytest.mark.parametrize("kind", [GaveUpError, RefusedError])
def test_a_service_that_never_answers_is_not_asked_for_everything(store: Store, kind: type[ServiceError]) -> None:
    model = FakeJudge(lambda title, time: kind("gone"))
    with refusal(ServiceError):
        run(store, model, numbered(300))
    assert model.asked.total() <= 5 + 3, "and what was under way"


def test_a_model_that_never_answers_in_json_is_not_paid_for_everything(store: Store) -> None:
    model = FakeJudge(lambda title, time: said("Quite relevant."))
    with refusal(ServiceError):
        run(store, model, numbered(300))
    assert len(model.asked) < 100 + 4


def test_whoever_pauses_loses_nothing_that_is_under_way(store: Store) -> None:
    go = threading.Event()
    model = FakeJudge(before=lambda: go.wait(20) and None)

    def report(done: int, total: int) -> None:
        if model.asked.total() == 4:
            go.set()
            raise Stopped

    save_run(store, "mine", judge_of(), numbered(50), {})
    with pytest.raises(Stopped):
        judge_run(store, "mine", model, n_workers=4, on_stage=lambda stage: report)
    assert state(store) == "paused"
    assert sum(each.points is not None for each in judged(store)) == model.asked.total() == 4
    assert judge_run(store, "mine", model).n_asked == 46
    assert set(model.asked.values()) == {1}


def test_who_waits_for_a_turn_is_not_asked_once_it_is_paused(store: Store) -> None:
    model = FakeJudge()
    save_run(store, "mine", judge_of(), numbered(50), {})
    with pytest.raises(Stopped):
        judge_run(store, "mine", model, n_workers=4, per_minute=0.01, on_stage=stop_from(1))
    assert model.asked.total() == 1
    (kept,) = last_answers(store, judge_of().judge_key).values()
    assert kept.verdict.is_valid


def test_a_run_that_is_deleted_meanwhile_ends(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def report(done: int, total: int) -> None:
        if done:
            delete_judge_run(store, run_id)

    monkeypatch.setattr("data.judge.runner.TRIPLES_AT_ONCE", 8)
    run_id = save_run(store, "mine", judge_of(), numbered(50), {})
    model = FakeJudge()
    with refusal(NotFoundError):
        judge_run(store, "mine", model, n_workers=1, on_stage=lambda stage: report)
    assert len(last_answers(store, judge_of().judge_key)) == model.asked.total() < 50


def test_what_a_killed_process_left_behind_is_taken_over_and_the_rest_of_it_is_let_go(store: Store) -> None:
    save_run(store, "mine", judge_of(), numbered(3), {})
    key = judged(store)[1].triple_key
    journal = AnswerJournal(WorkspacePaths(store.path.parent).answers(judge_of().judge_key))
    journal.write(
        runs.StoredAnswer(key, 1, TripleVerdict("ok", 5, 9, "Of \ud800 tin."), ("{}",), "m", 1, None, 1, 1.0, "2026")
    )
    journal.close()
    text = journal.path.read_bytes()
    journal.path.write_bytes(b'{"triple_key": "cut o' + text)
    with journal.path.open("ab") as file:
        file.write(b'{"cut off[]\n{"verdict": {"status": "ok"}}\n\xff\n{"triple_key": "cut o')
    model = FakeJudge()
    done = judge_run(store, "mine", model)
    assert (done.n_known, model.asked.total()) == (1, 2)
    assert [each.points for each in judged(store)] == [0, 5, 2]
    assert not journal.path.parent.exists()


def test_a_full_store_ends_it_and_nothing_that_came_is_lost(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    n_kept = 0

    def keep_some(store: Store, judge_key: str, some: list[runs.StoredAnswer]) -> None:
        nonlocal n_kept
        if n_kept >= 10:
            raise DiskFullError("no room left")
        runs.keep_answers(store, judge_key, some)
        n_kept += len(some)

    monkeypatch.setattr("data.judge.runner.keep_answers", keep_some)
    monkeypatch.setattr("data.judge.runner.ANSWERS_AT_ONCE", 4)
    model = FakeJudge()
    with pytest.raises(DiskFullError):
        run(store, model, numbered(600))
    n_asked = model.asked.total()
    assert n_kept < n_asked < 600
    assert sum(each.points is not None for each in judged(store)) == n_kept
    monkeypatch.undo()
    done = judge_run(store, "mine", model)
    assert (done.n_known, done.statuses, state(store)) == (n_asked, {"ok": 600}, "done")
    assert set(model.asked.values()) == {1}


def test_a_full_disk_ends_it_and_the_store_takes_what_came(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write, n_written = os.write, 0

    def write_some(file: int, line: bytes) -> int:
        nonlocal n_written
        n_written += 1
        if n_written > 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, line)

    monkeypatch.setattr("data.judge.runner.os.write", write_some)
    model = FakeJudge()
    with refusal(DiskFullError):
        run(store, model, numbered(200))
    assert sum(each.points is not None for each in judged(store)) == model.asked.total() <= 24
    assert state(store) == "paused"
    monkeypatch.undo()
    assert judge_run(store, "mine", model).statuses == {"ok": 200}
    assert set(model.asked.values()) == {1}


def test_two_who_run_the_same_pay_once(store: Store) -> None:
    model, both = FakeJudge(), numbered(120)
    save_run(store, "mine", judge_of(), both, {})
    save_run(store, "other", judge_of(), numbered(100), {})
    done: list[JudgeRunSummary] = []
    threads = [
        threading.Thread(target=lambda name=name: done.append(judge_run(store, name, model)))
        for name in ("mine", "mine", "other")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert set(model.asked.values()) == {1}
    assert sorted(each.n_asked + each.n_known for each in done) == [100, 120, 120]
    assert sum(each.n_asked for each in done) == 120


def test_the_judge_of_a_run_is_the_one_that_answers(store: Store) -> None:
    save_run(store, "mine", judge_of(), numbered(3), {})
    with refusal(InputError):
        judge_run(store, "mine", FakeJudge(fingerprint="another address"))
    with pytest.raises(SettingsError, match="n_workers"):
        judge_run(store, "mine", FakeJudge(), n_workers=0)
    with pytest.raises(InputError, match="was opened"):
        make_judge(store, judge_of().settings, FakeJudge(model_id="x"), RUBRIC)
    assert make_judge(store, judge_of().settings, FakeJudge(), RUBRIC) == judge_of()


def test_a_mistake_of_ours_is_not_taken_for_the_services(store: Store) -> None:
    model = FakeJudge(lambda title, time: KeyError("x") if title == "Title 7" else good(title, time))
    with pytest.raises(KeyError):
        run(store, model, numbered(60))
    assert model.asked.total() - 1 == sum(each.points is not None for each in judged(store))
    with pytest.raises(KeyError):
        run(store, model, numbered(1, start=7), "only this one")
    assert state(store, "only this one") == "paused"


def test_as_many_ask_at_once_as_are_wanted_and_no_more(store: Store) -> None:
    together = threading.Barrier(4)
    model = FakeJudge(before=lambda: together.wait(20) and None)
    run(store, model, numbered(40))
    assert model.most_at_once == 4, "fewer would wait for ever"


def test_what_is_no_answer_of_ours_stands_in_nobodys_way(store: Store) -> None:
    journal = AnswerJournal(WorkspacePaths(store.path.parent).answers(judge_of().judge_key))
    kept = asdict(runs.StoredAnswer("key", 1, TripleVerdict("ok", 5, 9, "Tin."), ("{}",), "m", 1, None, 1, 1.0, "2026"))
    verdict = kept["verdict"]
    odd = [{"attempt": "x"}, {"attempt": 2**40}, {"answers": [5]}, {"model": None}, {"ms": None}, {"triple_key": None}]
    odd += [{"verdict": {**verdict, "points": points}} for points in ("5", True, 2**40, 5.0)]
    odd += [{"verdict": {**verdict, "status": "fine", "points": None}}, {"n_prompt_tokens": 2**70}]
    journal.path.parent.mkdir(parents=True)
    journal.path.write_text("\n".join(json.dumps(kept | change) for change in [*odd, {}]), "utf-8")
    assert [each.verdict.points for each in journal.left()] == [5]
    save_run(store, "mine", judge_of(), numbered(3), {})
    assert judge_run(store, "mine", FakeJudge()).statuses == {"ok": 3}
