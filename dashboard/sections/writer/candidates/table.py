"""Every string beside the topic's name, as a table: used, held out and all, and the gain with its whisker."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from core.writer.gains import gain_sentence, standing_of
from core.writer.types import Step
from dashboard.figures.theme import Theme
from dashboard.sections.versions.score_table import signed
from dashboard.sections.writer.candidates.look import candidate_table_style
from dashboard.sections.writer.candidates.ranking import SCORE, called, grouped, is_small, reaches
from data.judging.demo_judge import DEMO_MODEL
from data.writer.keeping import Writing

NONE = "–"
NO_MODEL = "not a language model"
Row = dict[str, str | int | float | None]


def table_html(writing: Writing, theme: Theme, *, chosen: int | None = None) -> str:
    """The table with its rules of style; every text of a user or a model is escaped. `chosen`: the one looked at."""
    groups = grouped(writing)
    steps = [step for _, steps in groups for step in steps]
    halves = any(step.judged.held_out is not None for step in steps)
    span = max((abs(end) for step in steps for end in _extent(step)), default=1.0) or 1.0
    best = writing.best
    body = []
    for head, members in groups:
        if len(groups) > 2 and head != groups[0][0]:
            body.append(
                f'<tr class="group"><th colspan="{9 if halves else 4}" scope="rowgroup">{escape(head)}</th></tr>'
            )
        body += [
            _row_html(
                step,
                writing,
                span,
                halves=halves,
                is_best=best is not None and step.number == best.number,
                chosen=chosen,
            )
            for step in members
        ]
    table = f"<table>{_head(halves=halves)}<tbody>{''.join(body)}</tbody></table>"
    return f'<div class="qs-scores qs-candidates">{table}</div>{candidate_table_style(theme)}'


def _head(*, halves: bool) -> str:
    if not halves:
        return (
            '<thead><tr><th scope="col">String</th><th scope="col">Publications</th><th scope="col">Core found</th>'
            f'<th scope="col">{SCORE}</th></tr></thead>'
        )
    sides = '<th scope="col" class="first">used</th><th scope="col">held out</th><th scope="col">all</th>'
    return (
        '<thead><tr class="over"><th></th><th></th><th colspan="3" scope="colgroup">Core found</th>'
        f'<th colspan="3" scope="colgroup">{SCORE} (with decay)</th><th></th></tr>'
        f'<tr><th scope="col">String</th><th scope="col">Publications</th>{sides}{sides}'
        f'<th scope="col" class="difference">{SCORE} held out, against the topic&#x27;s name</th></tr></thead>'
    )


def _row_html(step: Step, writing: Writing, span: float, *, halves: bool, is_best: bool, chosen: int | None) -> str:
    judged = step.judged
    sides = (judged.used, judged.held_out, judged.whole) if halves else (judged.whole,)
    found = [NONE if side is None else f"{side.n_found:,} of {side.n_core:,}" for side in sides]
    scores = [NONE if side is None or side.f_beta is None else f"{side.f_beta:.3f}" for side in sides]
    cells = [f"<td>{judged.n_retrieved:,}</td>"]
    for values in (found, scores):
        cells += [f'<td class="first">{values[0]}</td>', *(f"<td>{value}</td>" for value in values[1:])]
    gain = f'<td class="difference"><div>{_gain_html(step, span)}</div></td>' if halves else ""
    current = ' class="chosen" aria-current="true"' if step.number == chosen else ""
    return f"<tr{current}>{_name_html(step, writing, is_best=is_best)}{''.join(cells)}{gain}</tr>"


def _name_html(step: Step, writing: Writing, *, is_best: bool) -> str:
    tags = ["best"] if is_best else []
    if step.parent is not None and not reaches(step, writing.budget):
        tags.append("below the least recall")
    if step.parent is not None and not is_small(step, writing.budget):
        tags.append("larger than allowed")
    if step.model == DEMO_MODEL:
        tags.append(NO_MODEL)
    if step.label is not None:
        tags.append(f"saved as {step.label}")
    said = "".join(f'<span class="tag">{escape(tag)}</span>' for tag in tags)
    return f'<th scope="row">{escape(called(step))}{said}</th>'


def _extent(step: Step) -> tuple[float, ...]:
    gain = step.gain
    if gain is None or gain.value is None:
        return ()
    return (gain.value, *(gain.interval or ()))


def _gain_html(step: Step, span: float) -> str:
    """The number, a whisker around 0 on the same scale in every row, and whether it is clear."""
    gain, words = step.gain, gain_sentence(step)
    track = '<i class="track" role="presentation"></i>'
    if gain is None or gain.value is None:
        return f'<span title="{escape(words)}">{NONE}</span>{track}<small></small>'
    number = f'<span title="{escape(words)}">{signed(gain.value)}</span>'
    if gain.interval is None:
        return f"{number}{track}<small>no interval</small>"
    low, high = (50 + 50 * end / span for end in gain.interval)
    dot = 50 + 50 * gain.value / span
    kind = "clear" if gain.is_clear else "unclear"
    return (
        f'{number}<i class="track" role="presentation"><i class="zero"></i>'
        f'<i class="whisker" style="left:{low:.1f}%;width:{high - low:.1f}%"></i>'
        f'<i class="dot {kind}" style="left:{dot:.1f}%"></i></i>'
        f"<small>{signed(gain.interval.low)} to {signed(gain.interval.high)}<br>{standing_of(gain)}</small>"
    )


def table_rows(steps: Sequence[Step]) -> list[Row]:
    """The same for a file: numbers in full."""
    rows: list[Row] = []
    for step in steps:
        judged, gain = step.judged, step.gain
        row: Row = {"Number": step.number, "String": called(step), "Publications": judged.n_retrieved}
        for name, side in (("used", judged.used), ("held out", judged.held_out), ("all", judged.whole)):
            row[f"Core found, {name}"] = None if side is None else side.n_found
            row[f"Core, {name}"] = None if side is None else side.n_core
            row[f"{SCORE}, {name}"] = None if side is None else side.f_beta
        interval = gain.interval if gain is not None else None
        row |= {
            "Gain held out": None if gain is None else gain.value,
            "Gain from": None if interval is None else interval.low,
            "Gain to": None if interval is None else interval.high,
            "Verdict": gain_sentence(step),
            "Version": step.label,
            "Text": step.text,
        }
        rows.append(row)
    return rows
