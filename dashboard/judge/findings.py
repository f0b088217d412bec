"""Collect the findings about a judge, and show its checks as a table."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from core.judge.reliability import (
    TRUST_METRICS,
    Scale,
)
from core.judge.scores import default_cut
from core.judge.trust import Belief, Check, State
from core.stats import AGREEMENTS, Estimate, Interval
from dashboard import cache, state
from dashboard.judge.selection import OpenedJudgeRun
from dashboard.kit.theme import COLOURS, Role, Theme
from dashboard.words import plain
from data.judge.findings import OVERRULED, TrustReport, found_of, usual_scale
from data.judge.trust import (
    PeopleSource,
)

# All current findings about a judge, with the choices made on the page.

SOURCE, EMBEDDER, CUT = "judge_people", "judge_embedder", "judge_cut"


def findings_of(opened: OpenedJudgeRun) -> TrustReport:
    for key in (SOURCE, EMBEDDER):  # their controls may not be drawn now
        state.hold(key)
    return found_of(
        cache.workspace(),
        opened.row,
        opened.judge,
        opened.judged,
        cut=chosen_cut(opened),
        source=_field_text(SOURCE),
        embedder=_field_text(EMBEDDER),
        scale_of=lambda source: scale_of(opened, source),
        decisions_of=lambda key, placed, embedder: cache.ranked().get(key),
    )


def chosen_cut(opened: OpenedJudgeRun) -> int:
    """Return the lowest grade that counts as relevant, as in the view Results."""
    points = {str(each): each for each in opened.judge.rubric.points}
    return points.get(_field_text(CUT), default_cut(opened.judge.rubric))


def _field_text(key: str) -> str:
    """Return the value of a control, else the link's; empty: neither."""
    choice = state.value(key)
    return str(choice) if choice is not None else "".join(state.asked_for(key)[:1])


def scale_key(opened: OpenedJudgeRun, source: str) -> str:
    return f"judge-scale-{opened.row.run_id}-{source}"


def scale_of(opened: OpenedJudgeRun, source: PeopleSource) -> Scale:
    """Return the scale as edited, else the proposed one. Values to be left out are missing from it."""
    kept = state.value(scale_key(opened, source.collection or OVERRULED))
    if isinstance(kept, Mapping):
        return {int(value): int(points) for value, points in kept.items()}
    return usual_scale(opened.judge, source)


# The checks of a judge as a table. Every text of a user is escaped.

NONE = "–"
WORDS: Mapping[State, tuple[str, str, Role]] = {
    "good": ("✓", "Passes", "text"),
    "mixed": ("~", "Mixed", "text"),
    "bad": ("✕", "Fails", "warning"),
    "too few": ("…", "Too few", "faint"),
    "not measured": ("○", "Not measured", "faint"),
}
"""A symbol, a word and a colour for the outcome of a check."""


def belief_html(belief: Belief, theme: Theme) -> str:
    """Render a line for each check: its outcome, its question and its result."""
    body = "".join(_line(check, theme) for check in belief.checks)
    return (
        '<div class="qs-checks" role="region" aria-label="Checks of the judge" tabindex="0"><table><thead '
        'class="unseen"><tr><th scope="col">Outcome</th><th scope="col">Check</th><th '
        f'scope="col">Result</th></tr></thead><tbody>{body}</tbody></table></div>{_style(theme)}'
    )


def _line(check: Check, theme: Theme) -> str:
    sign, word, role = WORDS[check.state]
    text = escape(check.found or check.sentence)
    faint = "" if check.found else ' class="faint"'
    return (
        f'<tr><td class="state" style="color:{COLOURS[theme][role]}"><span aria-hidden="true">{sign}</span> {word}</td>'
        f'<th scope="row">{escape(check.label)}</th><td{faint} title="{escape(check.sentence)}">{text}</td></tr>'
    )


def _style(theme: Theme) -> str:
    c = COLOURS[theme]
    return f"""<style>
.qs-checks table {{ border-collapse: collapse; width: 100%; font-size: 0.93rem; font-variant-numeric: tabular-nums; }}
.qs-checks td, .qs-checks th {{ padding: 5px 16px 5px 0; text-align: left; vertical-align: top; border: 0;
  border-bottom: 1px solid {c["grid"]}; font-weight: 400; }}
.qs-checks .state {{ white-space: nowrap; font-weight: 600; width: 1%; }}
.qs-checks tbody th {{ white-space: nowrap; width: 1%; padding-right: 28px; }}
.qs-checks .state span {{ display: inline-block; width: 1.1em; }}
.qs-checks .faint {{ color: {c["faint"]}; }}
.qs-checks .unseen {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
@media (max-width: 640px) {{
  .qs-checks tr {{ display: grid; grid-template-columns: 8.2em 1fr; border-bottom: 1px solid {c["grid"]}; }}
  .qs-checks td, .qs-checks th {{ border: 0; padding: 4px 8px 2px 0; }}
  .qs-checks tbody th {{ white-space: normal; width: auto; }}
  .qs-checks td:last-child {{ grid-column: 2; padding-top: 0; padding-bottom: 6px; }}
}}
</style>"""


def help_of(metric_id: str) -> str:
    metric = TRUST_METRICS.get(metric_id) or AGREEMENTS[metric_id]
    text = f"{metric.sentence} {metric.formula}. {metric.range}. {metric.undefined} {metric.reference}."
    return plain(text)


def label_of(metric_id: str) -> str:
    return (TRUST_METRICS.get(metric_id) or AGREEMENTS[metric_id]).label


def number(value: float | None) -> str:
    """Format a number with two decimals.

    >>> number(0.4132), number(None)
    ('0.41', '–')
    """
    return NONE if value is None else f"{value:.2f}"


def percent(value: float | None) -> str:
    """Format a share in per cent.

    >>> percent(0.6319), percent(None)
    ('63 %', '–')
    """
    return NONE if value is None else f"{100 * value:.0f} %"


def range_of(interval: Interval | None) -> str:
    """Format the interval of a kappa, or the reason why there is none.

    >>> range_of(Interval(0.1, 0.42))
    '0.10 to 0.42'
    """
    return f"{interval.low:.2f} to {interval.high:.2f}" if interval is not None else "no range: too few queries"


def ends_of(estimate: Estimate, *, factor: float = 1, digits: int = 0, unit: str = "") -> str:
    """Format the interval of a mean, or the reason why there is none.

    >>> ends_of(Estimate(0.5, 1, None, "all of it comes from one query"))
    'no range: all of it comes from one query'
    """
    if estimate.value is None:
        return estimate.reason
    if estimate.interval is None:
        return f"no range: {estimate.reason}" if estimate.reason else ""
    low, high = (factor * end for end in estimate.interval)
    return f"{low:.{digits}f} to {high:.{digits}f}{unit}"
