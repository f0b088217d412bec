"""What the view "Queries" works out of a run, once for as long as nobody says anything new."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.judging.calibration import Look, needs_a_look, speaking
from core.judging.types import Judged
from dashboard import cache
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.queries.choosing import Summary, summaries_of
from dashboard.sections.judge.queries.means import run_means


@dataclass(frozen=True, eq=False)
class Known:
    """Of one run as it is now."""

    judged: tuple[Judged, ...]
    """What it was worked out of."""
    looks: tuple[Look, ...]
    summaries: Mapping[str, Summary]
    means: Mapping[str, float | None]


def known_of(opened: Opened) -> Known:
    """Anew where the judgments are others than last time. Texts are read once for each run: they stay the same."""
    kept, rubric = cache.opened_queries(), opened.judge.rubric
    name, texts = f"judged-{opened.row.run_id}", f"speaking-{opened.row.run_id}"
    known: Known | None = kept.get(name)
    if known is not None and known.judged is opened.judged:
        return known
    orders = kept.get(texts)
    if orders is None:
        orders = kept[texts] = speaking(opened.judged)
    known = Known(
        opened.judged,
        needs_a_look(opened.judged, rubric, orders=orders),
        summaries_of(opened),
        run_means(opened.field, opened.judged, rubric),
    )
    kept[name] = known
    return known
