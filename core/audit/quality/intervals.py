"""Scores of versions side by side with their ranges, and the paired differences around zero, as pictures."""

from __future__ import annotations

from dataclasses import dataclass

from core.audit.document import Figure
from core.audit.pictures.axes import SMALL, Scale, bottom_axis, width_of
from core.audit.pictures.colours import BACKGROUND, FAINT, RELEVANT, TEXT
from core.audit.pictures.shapes import Dots, Path, Picture, Shape, Words
from core.audit.quality.summary import is_clear, says_nothing
from core.audit.quality.types import QualityFacts, VersionFacts
from core.audit.quality.wording import ends, score, score_name, signed
from core.comparing.compare import REGION_LABELS
from core.ranking.significance import Interval

WIDTH, ROW, TOP, UNDER = 760.0, 26.0, 40.0, 52.0
MOST_ROWS = 40
LONGEST = 26
"""Signs of a label that are drawn."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of such a picture."""

    label: str
    value: float | None
    interval: Interval | None
    is_full: bool = True
    """A hollow dot: the value says nothing, or its difference is not clear."""
    why: str = ""
    """Stands in place of a value."""


def interval_figures(facts: QualityFacts) -> list[Figure]:
    """Core recall and F-beta of every version; with several, how they differ."""
    name = f"{score_name(facts.versions[0].evaluation.settings.beta)} ({REGION_LABELS[facts.region]})"
    recall = [_Row(v.label, v.evaluation.recall, v.evaluation.recall_interval) for v in facts.versions[:MOST_ROWS]]
    f_beta = [_f_beta(version, facts) for version in facts.versions[:MOST_ROWS]]
    figures = [
        Figure(
            "versions-recall",
            "Core recall of each version, with its 95 % interval.",
            _said(recall),
            _picture(recall, 0.0, 1.0, "Core recall"),
        ),
        Figure(
            "versions-f-beta",
            f"{name} of each version, with its range under other core sets. Hollow: it says nothing.",
            _said(f_beta),
            _picture(f_beta, 0.0, 1.0, name),
        ),
    ]
    return figures + _differences(facts, name)


def _f_beta(version: VersionFacts, facts: QualityFacts) -> _Row:
    scores = version.evaluation.regions.get(facts.region)
    if scores is None or scores.f_beta is None:
        return _Row(version.label, None, None, why=scores.status if scores else "not asked for")
    sensitivity = version.evaluation.sensitivity.get(facts.region)
    full = scores.degenerate is None
    return _Row(version.label, scores.f_beta, sensitivity.f_beta_range if sensitivity else None, full)


def _differences(facts: QualityFacts, name: str) -> list[Figure]:
    if facts.comparison is None or not facts.comparison.has_ranges:
        return []
    silent = {version.label for version in facts.versions if says_nothing(version, facts.region)}
    rows = [
        _Row(f"{_short(d.b)} minus {_short(d.a)}", d.difference, d.interval, is_clear(d))
        for d in facts.comparison.differences
        if (d.metric, d.region) == ("f_beta", facts.region) and not {d.a, d.b} & silent and d.difference is not None
    ][:MOST_ROWS]
    if not rows:
        return []
    reach = max(abs(end) for row in rows for end in (row.value or 0.0, *(row.interval or ()))) * 1.08 or 0.1
    caption = f"Differences in {name} over the same resampled core sets. Filled: the range leaves out zero."
    picture = _picture(rows, -reach, reach, f"Difference in {name}", zero=True)
    return [Figure("differences-f-beta", caption, _said(rows, is_change=True), picture)]


def _said(rows: list[_Row], *, is_change: bool = False) -> str:
    parts = []
    for row in rows:
        if row.value is None:
            parts.append(f"{row.label}: none ({row.why})")
            continue
        value = signed(row.value) if is_change else score(row.value)
        parts.append(f"{row.label}: {value}" + (f" ({ends(row.interval)})" if row.interval else ", without a range"))
    return "; ".join(parts) + "."


def _picture(rows: list[_Row], low: float, high: float, title: str, *, zero: bool = False) -> Picture:
    left = 24 + max(width_of(_short(row.label, 2 * LONGEST), SMALL) for row in rows)
    left = min(max(left, 90.0), 340.0)
    bottom = TOP + ROW * len(rows)
    across = Scale(low, high, left, WIDTH - 130)
    shapes: list[Shape] = list(bottom_axis(across, TOP - 12, bottom, title))
    if zero:
        shapes.append(Path(((across(0.0), TOP - 12), (across(0.0), bottom)), TEXT, 1.2))
    for i, row in enumerate(rows):
        shapes += _row(row, across, TOP + ROW * (i + 0.5), left, is_change=zero)
    return Picture(WIDTH, bottom + UNDER, tuple(shapes))


def _row(row: _Row, across: Scale, y: float, left: float, *, is_change: bool) -> list[Shape]:
    shapes: list[Shape] = [Words(left - 12, y + 4, _short(row.label, 2 * LONGEST), SMALL, TEXT, "end")]
    if row.value is None:
        return [*shapes, Words(left + 6, y + 4, f"– {_short(row.why, 60)}", SMALL, FAINT)]
    if row.interval is not None:
        ends_at = [across(end) for end in row.interval]
        shapes.append(Path(((ends_at[0], y), (ends_at[1], y)), RELEVANT, 2.0))
        shapes += [Path(((x, y - 4), (x, y + 4)), RELEVANT, 2.0) for x in ends_at]
    fill = RELEVANT if row.is_full else BACKGROUND
    shapes.append(Dots(((across(row.value), y),), 5.0, fill, RELEVANT))
    value = signed(row.value) if is_change else score(row.value)
    return [*shapes, Words(WIDTH - 12, y + 4, value, SMALL, TEXT, "end")]


def _short(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
