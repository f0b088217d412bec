"""A benchmark as a table for people, and as the document that programs read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.ranking.check import Collection
from core.ranking.metrics import read_metric
from core.ranking.report import ALPHA, Leaderboard
from dashboard.commands.output import NONE, interval, number, results, row, shown, table
from data.collections.stored import WHOLE, SavedRun, latency

UNTIMED: Mapping[str, float | None] = {"p50": None, "p95": None}


def _percentiles(saved: SavedRun | None, stage: str = WHOLE) -> Mapping[str, float | None]:
    took = latency(saved.stages_ms[stage]) if saved and stage in saved.stages_ms else None
    return took._asdict() if took else UNTIMED


def _latency(saved: SavedRun) -> dict[str, Any]:
    return {**_percentiles(saved), "stages": {s: _percentiles(saved, s) for s in saved.stages_ms if s != WHOLE}}


def benchmark_document(
    collection: str, board: Leaderboard, saved: Mapping[str, SavedRun], warnings: Sequence[str]
) -> dict[str, Any]:
    """The keys that other programs rely on, and some more."""
    retrievers: dict[str, dict[str, Any]] = {}
    for scores in board.scores:
        entry: dict[str, Any] = dict(scores.values)
        entry["intervals"] = {metric: [pair.low, pair.high] for metric, pair in scores.intervals.items()}
        entry["n_unanswered"] = scores.n_unanswered
        if (run := saved.get(scores.name)) is not None:
            entry["latency_ms"] = _latency(run)
            entry["index_seconds"], entry["index_bytes"] = run.index_seconds, run.index_bytes
            entry["n_failed"], entry["notes"] = run.n_failed, list(run.notes)
            entry["spec"] = run.spec_text
        else:
            entry["latency_ms"] = dict(UNTIMED)
        retrievers[scores.name] = entry
    return {
        "collection": collection,
        "n_queries": board.n_queries,
        "n_scored": len(board.query_ids),
        "n_without_judgments": board.n_without_judgments,
        "warnings": list(warnings),
        "retrievers": retrievers,
        "comparisons": [
            {
                "a": c.a,
                "b": c.b,
                "metric": c.metric,
                "difference": c.difference,
                "interval": [c.interval.low, c.interval.high],
                "p": c.p,
                "p_holm": c.p_holm,
            }
            for c in board.comparisons
        ],
    }


def print_benchmark(collection: Collection, board: Leaderboard, saved: Mapping[str, SavedRun]) -> None:
    """Scores side by side, what each takes, and which differences are clear."""
    out = results()
    metrics = tuple(board.scores[0].values) if board.scores else ()
    labels = [read_metric(metric).label for metric in metrics]
    made_up = " (made up)" if collection.made_up else ""
    title = f"{collection.name}{made_up}: {len(board.query_ids):,} of {board.n_queries:,} queries scored"
    grid = table(title, "Retriever", *labels, "p50 ms", "p95 ms", "Index s", right=range(1, len(labels) + 4))
    for scores in board.scores:
        run = saved.get(scores.name)
        took = [NONE if ms is None else f"{ms:,.1f}" for ms in _percentiles(run).values()]
        index = f"{run.index_seconds:,.1f}" if run and run.index_seconds is not None else NONE
        row(grid, scores.name, *(number(scores.values[metric]) for metric in metrics), *took, index)
    out.print(grid)
    if board.comparisons:
        out.print()
        _print_comparisons(board)
    for name, run in saved.items():
        failed = f"; {run.n_failed:,} candidates could not be scored" if run.n_failed else ""
        if run.notes or failed:
            out.print(shown(f"{name}: {'; '.join(note.rstrip('.') for note in run.notes)}{failed}."))


def _print_comparisons(board: Leaderboard) -> None:
    out = results()
    columns = ("Metric", "Compared", "Difference", "95 % interval", "p", "p (Holm)", "")
    grid = table("Differences", *columns, right=(2, 4, 5))
    for c in board.comparisons:
        said = "clear" if c.p_holm < ALPHA else "not clear"
        row(
            grid,
            read_metric(c.metric).label,
            f"{c.b} minus {c.a}",
            number(c.difference),
            interval(c.interval),
            f"{c.p:.4f}",
            f"{c.p_holm:.4f}",
            said,
        )
    out.print(grid)
