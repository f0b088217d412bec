"""From runs to a leaderboard: remembered, at once where that is quick, else in the background."""

from __future__ import annotations

from collections.abc import Sequence

from core.protocols import OnStage
from core.ranking.metrics import DEFAULT_METRICS, Compat
from core.ranking.report import Leaderboard, score_runs
from dashboard import cache
from dashboard.sections.retrievers.board import Board
from dashboard.sections.retrievers.choosing import Chosen
from dashboard.sections.retrievers.running import Named
from dashboard.sections.waiting import how_it_ended, watch
from data.store import content_hash

QUICK = 4_000
"""Queries times runs that are scored while the page waits."""


def make_board(
    chosen: Chosen, runs: Sequence[Named], *, compat: Compat | None, metric: str, against: str | None = None
) -> Board | None:
    """None while there is no run, or while it is still being worked out, which is drawn."""
    if not runs:
        return None
    parts = [
        part
        for named in runs
        for part in (named.name, named.saved.run_id, named.saved.made_at, str(named.saved.n_failed))
    ]
    key = content_hash([chosen.state, chosen.split or "", compat or "", *parts])
    found = cache.ranked().get(key)
    if not isinstance(found, Leaderboard):
        found = _score(chosen, runs, compat, key)
    if found is None:
        return None
    saved = tuple(named.saved for named in runs)
    return Board(
        chosen.collection,
        chosen.opened.key,
        chosen.split,
        found,
        saved,
        compat,
        metric,
        key,
        against=against if against in {named.name for named in runs} else None,
        topic_id=chosen.topic_id,
    )


def _score(chosen: Chosen, runs: Sequence[Named], compat: Compat | None, key: str) -> Leaderboard | None:
    def work(on_stage: OnStage) -> None:
        on_stage("scoring the runs")
        cache.keep_ranked(key, of_runs(chosen, runs, compat))

    if len(chosen.collection.of_split(chosen.split)) * len(runs) <= QUICK:
        found = of_runs(chosen, runs, compat)
        cache.keep_ranked(key, found)
        return found
    name = f"score:{key}"
    if (before := cache.jobs().find(name)) is not None and before.finished:
        cache.jobs().forget(name)  # what it made was let go of since
    job = cache.jobs().start(name, "Scoring", work)
    if job.is_over and not job.finished:
        how_it_ended(job)
    else:
        watch(job)
    return None


def of_runs(chosen: Chosen, runs: Sequence[Named], compat: Compat | None) -> Leaderboard:
    """Every run with every metric on the part of the queries that is chosen."""
    return score_runs(
        [named.run for named in runs],
        chosen.collection,
        split=chosen.split,
        metric_ids=DEFAULT_METRICS,
        compat=compat,
    )
