"""Running retrievers: what is answered is kept, whatever ends the run, and nothing is asked twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

import data.retrieval.runs as benchmarking
from core.collections import Collection, Document, Query
from core.errors import InputError
from core.retrieval.retriever import Hits, Timing, untimed
from core.retrieval.specs import read_spec
from data.collections import run_key
from data.explore.workspace import Workspace
from data.retrieval.collections import OpenedCollection, OpenedRetriever, RetrievalCorpus
from data.retrieval.llm_reranker import REMEMBERED
from data.retrieval.runs import ProgressBeat, Stopwatch, known_run, run_id_of, run_retriever
from tests.data.stopping import Stopped
from tests.messages import refusal

N = 12
COLLECTION = Collection(
    "tea",
    tuple(Document(f"d{i}", f"tea {i}", "") for i in range(5)),
    tuple(Query(f"q{i}", f"tea {i}") for i in range(N)),
    (),
    {"few": ("q3", "q1")},
)
OPENED = OpenedCollection(COLLECTION, (), (), run_key(COLLECTION), stored=False)
BM25 = read_spec("bm25")


@dataclass
class Counting:
    """Answers with the number of the query, and remembers what it was asked."""

    asked: list[str] = field(default_factory=list)
    notes: tuple[str, ...] = ("1 failed: no answer",)
    n_failed: int = 1

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        self.asked.append(query.query_id)
        with timing("compare"):
            return Hits(np.arange(5)[:k], np.linspace(1.0, 0.1, 5)[:k] + len(query.text), self.notes, self.n_failed)

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]:
        return [self.search(query, k, timing) for query in queries]


@pytest.fixture
def retriever(monkeypatch: pytest.MonkeyPatch) -> Counting:
    fake = Counting()

    def opened(corpus: RetrievalCorpus, spec: object, on_stage: object, **outside: object) -> OpenedRetriever:
        assert corpus.doc_ids == COLLECTION.doc_ids
        return OpenedRetriever(fake, 0.5, 1_000, ("a note",))

    monkeypatch.setattr(benchmarking, "open_retriever", opened)
    return fake


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(tmp_path)


def stopping_after(n: int) -> tuple[object, list[tuple[int, int]]]:
    """Cancels once so many queries are answered; and what progress it heard."""
    heard: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        heard.append((done, total))
        if done >= n:
            raise Stopped

    return lambda stage: report, heard


def test_a_run_is_kept_and_nothing_is_asked_again(workspace: Workspace, retriever: Counting) -> None:
    assert known_run(workspace, OPENED, BM25) is None
    saved = run_retriever(workspace, OPENED, BM25)
    assert saved.is_complete
    assert (saved.run.query_ids, saved.n_failed, saved.notes) == (
        COLLECTION.query_ids,
        N,
        ("a note", "1 failed: no answer"),
    )
    assert (saved.index_seconds, saved.index_bytes, saved.label) == (0.5, 1_000, "bm25")
    n_asked = len(retriever.asked)
    again = run_retriever(workspace, OPENED, BM25)
    assert len(retriever.asked) == n_asked
    for query_id in COLLECTION.query_ids:
        assert again.run.ranking(query_id) == saved.run.ranking(query_id)
    known = known_run(workspace, OPENED, BM25)
    assert known is not None
    assert known.is_complete


def test_a_run_that_was_cancelled_goes_on_where_it_was(workspace: Workspace, retriever: Counting) -> None:
    on_stage, heard = stopping_after(5)
    with pytest.raises(Stopped):
        run_retriever(workspace, OPENED, BM25, on_stage=on_stage)  # type: ignore[arg-type]
    assert heard == [(n, N) for n in range(6)]
    part = known_run(workspace, OPENED, BM25)
    assert part is not None
    assert not part.is_complete
    assert (part.run.query_ids, part.n_queries, part.n_failed) == (COLLECTION.query_ids[:5], N, 5)
    retriever.asked.clear()
    whole = run_retriever(workspace, OPENED, BM25)
    assert set(retriever.asked) == set(COLLECTION.query_ids[5:])
    assert whole.run.query_ids == COLLECTION.query_ids
    assert whole.n_failed == N
    assert whole.run.ranking("q0") == part.run.ranking("q0")
    assert all(len(ms) == N for ms in whole.stages_ms.values())


def test_cancelled_before_the_first_answer_nothing_is_kept(workspace: Workspace, retriever: Counting) -> None:
    on_stage, _ = stopping_after(0)
    with pytest.raises(Stopped):
        run_retriever(workspace, OPENED, BM25, on_stage=on_stage)  # type: ignore[arg-type]
    assert known_run(workspace, OPENED, BM25) is None


def test_other_settings_splits_and_depths_are_other_runs(workspace: Workspace, retriever: Counting) -> None:
    few = run_retriever(workspace, OPENED, BM25, "few", depth=2)
    assert few.run.query_ids == ("q1", "q3")
    assert [len(few.run.answer(query_id)[0]) for query_id in few.run.query_ids] == [2, 2]
    ids = {
        run_id_of(OPENED, BM25, None, 100),
        run_id_of(OPENED, BM25, None, 99),
        run_id_of(OPENED, BM25, "few", 100),
        run_id_of(OPENED, read_spec("bm25:k1=0.9"), None, 100),
    }
    more = replace(COLLECTION, splits={"few": ("q3", "q1", "q2")})
    ids.add(run_id_of(replace(OPENED, collection=more), BM25, "few", 100))
    assert len(ids) == 5
    assert known_run(workspace, OPENED, BM25) is None
    with refusal(InputError):
        run_retriever(workspace, OPENED, BM25, "many")
    with pytest.raises(InputError, match="from 1 to 10,000"):
        run_retriever(workspace, OPENED, BM25, depth=0)


def test_every_answer_is_timed_by_stage(workspace: Workspace, retriever: Counting) -> None:
    ticks = count()
    saved = run_retriever(workspace, OPENED, BM25, timer=lambda: float(next(ticks)))
    assert set(saved.stages_ms) == {"all", "compare"}
    assert saved.stages_ms["compare"].tolist() == [1000.0] * N  # one tick
    assert saved.stages_ms["all"].tolist() == [3000.0] * N  # its own two, and those of the stage within


def test_what_is_asked_in_batches_is_not_timed(
    workspace: Workspace, retriever: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmarking, "MOST_TIMED", 4)
    monkeypatch.setattr(benchmarking, "BATCH", 5)
    saved = run_retriever(workspace, OPENED, read_spec("dense"))
    assert saved.run.query_ids == COLLECTION.query_ids
    assert np.isfinite(saved.stages_ms["all"]).tolist() == [True] * 4 + [False] * (N - 4)


def test_the_stages_of_one_answer_add_up() -> None:
    ticks = iter([0.0, 1.0, 10.0, 12.0])
    watch = Stopwatch(lambda: next(ticks))
    for _ in range(2):
        with watch("compare"):
            pass
    assert watch.ms == {"compare": 3000.0}


def test_a_run_in_which_candidates_failed_is_made_again_when_asked(workspace: Workspace, retriever: Counting) -> None:
    assert run_retriever(workspace, OPENED, BM25).n_failed == N
    retriever.n_failed, retriever.notes = 0, (REMEMBERED,)
    mended = run_retriever(workspace, OPENED, BM25, again=True)
    assert (mended.n_failed, mended.notes) == (0, ("a note",))
    assert np.isnan(mended.stages_ms["all"]).all()  # what was remembered took no time of the model's
    n_asked = len(retriever.asked)
    run_retriever(workspace, OPENED, BM25, again=True)
    assert len(retriever.asked) == n_asked


def test_a_cancel_is_noticed_while_an_answer_is_waited_for() -> None:
    heard: list[tuple[int, int]] = []
    beat = ProgressBeat()
    beat.again()
    beat.follow(lambda done, total: heard.append((done, total)), 3, 9)
    beat.again()
    assert heard == [(3, 9), (3, 9)]
