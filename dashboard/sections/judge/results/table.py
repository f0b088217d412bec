"""Engines as a table: mean grade with its range, share at the cut, coverage. Every text of a user is escaped."""

from __future__ import annotations

from html import escape

from core.judging.means import JUDGE_METRICS
from core.judging.scores import EngineScores, JudgeScores, best_engines, number
from core.judging.types import Rubric
from dashboard.figures.judge.shared import percent
from dashboard.figures.retrievers.shared import look_at
from dashboard.figures.theme import COLOURS, Theme
from dashboard.sections.versions.score_look import score_table_style

NONE = "–"


def engines_html(scores: JudgeScores, theme: Theme, *, caption: str) -> str:
    """The highest mean first; engines without one at the end."""
    order, span = best_engines(scores), _span(scores)
    rest = [each for each in scores.engines if each not in order]
    places = {each.engine: place for place, each in enumerate(scores.engines)}
    body = "".join(_line(each, places[each.engine], scores.rubric, span, theme) for each in (*order, *rest))
    heads = (
        _head("mean_score"),
        _head("share_at_cut", f"Graded {scores.cut} or more"),
        _head("coverage"),
        '<th scope="col" title="Queries that the mean rests on">Queries</th>',
        '<th scope="col" title="Publications without a grade, and why">Without a grade</th>',
    )
    return (
        f'<div class="qs-scores qs-judged" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f'<thead><tr><th scope="col">Engine</th>{"".join(heads)}</tr></thead><tbody>{body}</tbody></table></div>'
        f"{score_table_style(theme)}{_more_style(theme)}"
    )


def _head(metric_id: str, label: str = "") -> str:
    words = JUDGE_METRICS[metric_id]
    said = escape(f"{words.sentence} {words.formula}. {words.undefined}")
    sort = ' aria-sort="descending"' if metric_id == "mean_score" else ""
    return f'<th scope="col" title="{said}"{sort}>{escape(label or words.label)}</th>'


def _span(scores: JudgeScores) -> tuple[float, float]:
    """What all whiskers lie on."""
    ranges = [each.mean.interval or (each.within.mean if each.within else None) for each in scores.engines]
    ends = [end for interval in ranges if interval for end in interval]
    ends += [each.mean.value for each in scores.engines if each.mean.value is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _line(each: EngineScores, place: int, rubric: Rubric, span: tuple[float, float], theme: Theme) -> str:
    cells = (
        _number(each, rubric, span),
        _share(each),
        NONE if each.coverage is None else _coverage(each, each.coverage),
        _n_queries(each),
        _without(each),
    )
    colour = look_at(place, theme).colour
    name = f'<th scope="row"><i class="run" style="background:{colour}"></i>{escape(each.engine)}</th>'
    return f"<tr>{name}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _number(each: EngineScores, rubric: Rubric, span: tuple[float, float]) -> str:
    mean = each.mean
    if mean.value is None:
        return f'<span title="{escape(mean.reason)}">{NONE}</span>'
    said = f"<b>{number(mean.value, rubric.shown_max)}</b>"
    dot, interval = _along(mean.value, span), mean.interval or (each.within.mean if each.within else None)
    if interval is None:
        return f"{said}{_track('', dot)}<small>no range: one query</small>"
    left, right = (_along(end, span) for end in interval)
    whisker = f'<i class="whisker" style="left:{left:.1f}%;width:{max(right - left, 0.5):.1f}%"></i>'
    ends = " to ".join(number(end, rubric.shown_max) for end in interval)
    within = "" if mean.interval else "<small>within the query</small>"
    return f"{said}{_track(whisker, dot)}<small>{ends}</small>{within}"


def _track(whisker: str, dot: float) -> str:
    return f'<i class="track" role="presentation">{whisker}<i class="dot clear" style="left:{dot:.1f}%"></i></i>'


def _along(value: float, span: tuple[float, float]) -> float:
    return min(max(100 * (value - span[0]) / (span[1] - span[0]), 0.0), 100.0)


def _share(each: EngineScores) -> str:
    share = each.share_at_cut
    if share.value is None:
        return f'<span title="{escape(share.reason)}">{NONE}</span>'
    interval = share.interval or (each.within.share if each.within else None)
    if interval is None:
        return percent(share.value)
    return f"{percent(share.value)}<small>{' to '.join(f'{100 * end:.0f}' for end in interval)} %</small>"


def _coverage(each: EngineScores, share: float) -> str:
    return f"{percent(share)}<small>{each.n_valid:,} of {each.n:,}</small>"


def _n_queries(each: EngineScores) -> str:
    return f"{each.mean.n:,}" + (f"<small>{each.n_without:,} without a grade</small>" if each.n_without else "")


def _without(each: EngineScores) -> str:
    """How many, and the commonest reasons beneath."""
    n = each.n - each.n_valid
    if not n:
        return "0"
    listed = "; ".join(f"{reason}: {count:,}" for reason, count in each.missing.items())
    most, *more = each.missing
    shown = f"{most}: {each.missing[most]:,}" if more else most
    rest = f"<small>{_n_others(len(more))}</small>" if more else ""
    return f'<span title="{escape(listed)}">{n:,}<small>{escape(shown)}</small>{rest}</span>'


def _n_others(n: int) -> str:
    return "and one other reason" if n == 1 else f"and {n} other reasons"


def _more_style(theme: Theme) -> str:
    c = COLOURS[theme]
    return f"""<style>
.qs-judged table {{ width: 100%; }}
.qs-judged:focus-visible {{ outline: 2px solid {c["accent"]}; outline-offset: 2px; }}
.qs-judged th:first-child {{ white-space: normal; min-width: 9rem; max-width: 18rem; overflow-wrap: anywhere; }}
.qs-judged td .track {{ width: 120px; margin-left: auto; margin-top: 1px; }}
.qs-judged .run {{ display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 7px; }}
.qs-judged td:last-child small {{ white-space: normal; min-width: 11rem; max-width: 20rem; margin-left: auto; }}
@media (max-width: 640px) {{
  .qs-judged th:first-child {{ min-width: 6rem; max-width: 7.5rem; }}
  .qs-judged td .track {{ width: 90px; }}
}}
</style>"""
