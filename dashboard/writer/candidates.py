"""The Candidates and Refine views: compare candidate search strings, and refine one keyword by keyword."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise

import streamlit as st

from core.errors import QueryscapeError
from core.query.parser import parse
from core.settings import EvaluationSettings
from core.text import first_of, many, signed
from core.types import Ids
from core.writer.gains import (
    gain_sentence,
    gain_words,
    gains_sentence,
    is_small,
    ranked,
    ranking_sentence,
    score_order,
    standing_of,
)
from core.writer.sheets import LISTS, CoreScores, Gain, ListName, SheetStep, StringScores, WriterBudget
from dashboard import cache, state
from dashboard.explore.versions import called as version_name
from dashboard.jobs import Job
from dashboard.kit.components import current_theme, draw_figure, mount_files
from dashboard.kit.link_controls import choose_one
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.kit.theme import COLOURS, Theme, difference_track
from dashboard.kit.theme import score_table_style as score_style
from dashboard.messages import draw_noted, sentence
from dashboard.sources.navigation import open_version
from dashboard.status import draw_early_end, is_watched, why_locked
from dashboard.words import plain
from dashboard.writer.brief import fill
from dashboard.writer.figures import pareto_of_steps, pareto_step_rows, round_rows, rounds_figure
from dashboard.writer.sessions import (
    NEXT_FROM,
    NOTE,
    REFINE,
    REFINING_JOBS,
    SORT,
    is_at_work,
    leave,
    open_step,
    open_view,
    opened,
    start_refining,
    versions_of,
)
from data.judge.demo_judge import DEMO_MODEL
from data.query.search import answer
from data.writer.runs import BY_HAND, WriterSession
from data.writer.steps import JudgedVersion, save_step


def candidate_table_style(theme: Theme) -> str:
    c = COLOURS[theme]
    return f"""{score_style(theme)}<style>
.qs-candidates table {{ width: 100%; }}
.qs-candidates th:first-child {{ white-space: normal; min-width: 11rem; max-width: 24rem; overflow-wrap: anywhere; }}
.qs-candidates .over th {{
  border-bottom: 0; padding-bottom: 0; color: {c["faint"]}; font-weight: 400; text-align: right;
}}
.qs-candidates thead tr + tr th {{ font-weight: 400; color: {c["faint"]}; font-size: 0.85rem; white-space: nowrap; }}
.qs-candidates .first {{ padding-left: 40px; }}
.qs-candidates tbody tr:not(.group) > * {{
  border-bottom: 1px solid {c["grid"]}; padding-top: 6px; padding-bottom: 6px;
}}
.qs-candidates tbody tr.chosen > * {{ background: {c["panel"]}; }}
.qs-candidates tbody tr.chosen > th {{ font-weight: 600; }}
.qs-candidates .tag {{
  display: inline-block; margin-left: 8px; padding: 0 6px; border: 1px solid {c["border"]}; border-radius: 8px;
  font-size: 0.75rem; font-weight: 400; color: {c["faint"]};
}}
.qs-candidates .difference {{ padding-left: 40px; }}
.qs-candidates .difference .track {{ width: 150px; }}
@media (max-width: 640px) {{
  .qs-candidates th:first-child {{ min-width: 8.5rem; max-width: 9rem; }}
  .qs-candidates .tag {{ margin-left: 0; margin-right: 6px; }}
  .qs-candidates .first, .qs-candidates .difference {{ padding-left: 18px; }}
}}
</style>"""


# The order of strings: the topic's name first, then the best.

SCORE = f"F{EvaluationSettings().beta:g}"
"""Name of F-beta in tables and figures."""
TOLD = re.compile(r"Refining step (\d+)")
"""Start of the session note with the reason why a refinement ended."""


def reaches(step: SheetStep, budget: WriterBudget) -> bool:
    """Return True if a string reaches the target recall on the core publications in use."""
    return step.judged.used.recall >= budget.min_recall


def grouped(writing: WriterSession) -> list[tuple[str, list[SheetStep]]]:
    """Group all strings of a session under headings; empty groups are omitted."""
    name, *others = writing.steps or (None,)
    refined = [step for step in others if step is not None and step.round is not None]
    by_hand = [step for step in others if step is not None and step.round is None and step.made_by == BY_HAND]
    rest = [step for step in others if step is not None and step not in refined and step not in by_hand]
    groups = [
        ("Candidates", ranked(rest, writing.budget)),
        ("Refined, round by round", refined),
        ("By hand", by_hand),
    ]
    first = [] if name is None else [("The baseline", [name])]
    return first + [(head, steps) for head, steps in groups if steps]


def called(step: SheetStep) -> str:
    return made_by(step) if step.round is None else f"Round {step.round}: {step.made_by}"


def made_by(step: SheetStep) -> str:
    if step.model and step.model != DEMO_MODEL and step.made_by.startswith(step.model):
        return step.made_by
    return f"{step.made_by[:1].upper()}{step.made_by[1:]}"


def names(steps: Sequence[SheetStep]) -> dict[int, str]:
    """Return the names of several steps by number; duplicate names get the number."""
    plain = {step.number: called(step) for step in steps}
    twice = {name for name in plain.values() if list(plain.values()).count(name) > 1}
    return {number: f"{name} ({number})" if name in twice else name for number, name in plain.items()}


def in_words(note: str, named: Mapping[int, str]) -> str:
    found = TOLD.match(note)
    name = None if found is None else named.get(int(found[1]))
    return note if found is None or name is None else f"Refining “{name}”{note[found.end() :]}"


# One string, as a card: its text, its keywords, its scores, and its links.

LIST_WORDS: dict[ListName, str] = {
    "specific": "Specific",
    "general": "General",
    "overarching": "Overarching",
    "excluded": "Excluded",
    "aside": "Aside",
}
TALL = 500
"""Characters from which a search string scrolls in a box of its own."""
MOST_NAMED: dict[ListName, int] = {"aside": 12}
MOST_OTHERS = 40
"""Keywords of a list that are shown; the view Sort has all of them."""
SAVING = "writer-saving"


def draw_step(writing: WriterSession, step: SheetStep, *, key: str, refine: bool = True) -> None:
    """Draw the card. `refine`: link to the view that refines it."""
    with st.container(border=True, key=f"writer-step-{key}"):
        st.code(
            step.text or "No search string yet.",
            language=None,
            wrap_lines=True,
            height=190 if len(step.text) > TALL else "content",
        )
        if unseen := held_out_words(step.judged):
            st.markdown(f"**{plain(unseen)}**")
        st.markdown(plain(worth(step)))
        st.caption(plain(gain_sentence(step)))
        for note in step.notes:
            st.caption(plain(sentence(note)))
        draw_noted(SAVING)
        _draw_buttons(writing, step, key, refine=refine)
        _draw_keywords(step)
        _draw_counts(writing, step, key)


def held_out_words(judged: StringScores) -> str:
    """Return the scores on the held-out core; empty: none was held out."""
    side = judged.held_out
    if side is None:
        return ""
    return f"Held-out core: {side.n_found:,} of {side.n_core:,} found · {SCORE} {_score(side)}"


def _score(side: CoreScores | None) -> str:
    return NONE if side is None or side.f_beta is None else f"{side.f_beta:.3f}"


def worth(step: SheetStep) -> str:
    whole = step.judged.whole
    low, high = whole.recall_interval
    parts = [
        many(step.judged.n_retrieved, "publication"),
        f"{whole.n_found:,} of {whole.n_core:,} core found (recall {whole.recall:.3f}, {low:.2f} to {high:.2f})",
    ]
    if whole.semantic_precision is not None:
        parts.append(f"semantic precision {whole.semantic_precision:.3f}")
    parts.append(f"{SCORE} {_score(whole)}")
    return " · ".join(parts)


def _draw_counts(writing: WriterSession, step: SheetStep, key: str) -> None:
    """Draw the counts of a string, each linked to its publications."""
    judged = step.judged
    counts = {
        "Retrieved": judged.n_retrieved,
        "Core found": judged.whole.n_found,
        "Core missed": judged.whole.n_core - judged.whole.n_found,
    }
    names = list(counts)

    def group_of(row: int, _: str) -> PublicationGroup:
        return PublicationGroup(f"{called(step)}: {names[row].lower()}", counted_ids(writing, step, names[row]))

    with st.expander("Publications of these counts"):
        draw_table(
            [{"Count": name, "Publications": n} for name, n in counts.items()], group_of, key=f"writer-counts-{key}"
        )


def counted_ids(writing: WriterSession, step: SheetStep, name: str) -> Ids:
    """Return the publications that the string retrieves now, or the core publications that it finds or misses."""
    workspace = cache.workspace()
    retrieved: Ids = ()
    if step.text:
        corpus = workspace.corpora.of(writing.topic_id)
        retrieved = answer(corpus, parse(step.text, "plain"), writing.brief.semantics).ids
    if name == "Retrieved":
        return retrieved
    held = frozenset(retrieved)
    core = workspace.store.load_core_ids(writing.topic_id)
    return tuple(i for i in core if (i in held) == (name == "Core found"))


def _draw_keywords(step: SheetStep) -> None:
    lines = []
    for name in LISTS:
        keywords = [keyword.text for keyword in step.sheet.of(name)]
        if not keywords:
            continue
        joined = f", joined by {step.sheet.joined}" if name == "overarching" and len(keywords) > 1 else ""
        text = plain(first_of(keywords, MOST_NAMED.get(name, MOST_OTHERS)))
        lines.append(f"**{LIST_WORDS[name]}** ({len(keywords):,}{joined}): {text}")
    st.markdown("  \n".join(lines))


def _draw_buttons(writing: WriterSession, step: SheetStep, key: str, *, refine: bool) -> None:
    locked = why_locked()
    with st.container(horizontal=True, key=f"writer-step-buttons-{key}"):
        if st.button(
            "Use in the Workbench",
            key=f"writer-use-{key}",
            icon=":material/travel_explore:",
            type="primary",
            disabled=not step.text or (locked is not None and step.label is None),
            help=f"Opens version {plain(step.label)}."
            if step.label
            else locked or "Saves the string as a version and opens it.",
        ):
            _use(writing, step)
        if step.label is None:
            st.button(
                "Save as version",
                key=f"writer-save-{key}",
                icon=":material/save:",
                disabled=locked is not None or not step.text,
                help=locked or "Creates a new version of the topic's query, available on every page.",
                on_click=_save,
                args=(writing.writing_id, step.number),
            )
        st.button(
            "Open in Sort",
            key=f"writer-sort-{key}",
            icon=":material/swap_horiz:",
            help="Move keywords between lists; the search string and its scores update.",
            on_click=_sort,
            args=(step.number,),
        )
        if refine:
            st.button(
                "Refine",
                key=f"writer-refine-{key}",
                icon=":material/trending_up:",
                on_click=_refine,
                args=(step.number,),
            )


def _use(writing: WriterSession, step: SheetStep) -> None:
    """Open a string in the Workbench, saved as a version if it is none yet."""
    try:
        label = step.label or save_step(cache.workspace(), writing.writing_id, step.number).version.label
    except QueryscapeError as e:
        state.say_once(SAVING, str(e))
        st.rerun()
    open_version(writing.topic_id, label)


def _save(writing_id: str, number: int) -> None:
    with state.noting(SAVING):
        row = save_step(cache.workspace(), writing_id, number)
        state.choose_version(row.version.label)
        state.say_once(NOTE, f"Saved as {row.version.label}: it retrieves {many(row.n_retrieved or 0, 'publication')}.")


def _sort(number: int) -> None:
    open_step(number)
    open_view(SORT)


def _refine(number: int) -> None:
    state.set_value(NEXT_FROM, number)
    open_view(REFINE)


# A table of every string, the topic's name and the topic's own versions: scores on held-out, used and all core.

NONE = "–"
NO_MODEL = "not a language model"
BEST, BEST_OF_ALL = "Best on held-out core", "Best"
BEST_VERSION, CURRENT = "best of your versions", "current version"
Row = dict[str, str | int | float | None]


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """A version of the topic shown with the candidates, and the reasons."""

    found: JudgedVersion
    tags: tuple[str, ...]

    @property
    def name(self) -> str:
        return version_name(self.found.row)


def shown_versions(versions: Sequence[JudgedVersion], current: str | None) -> list[ShownVersion]:
    """Return the topic's best and current versions, which may be the same. `versions`: the best first."""
    best = versions[0] if versions else None
    now = next((each for each in versions if each.row.version.label == current), None)
    tags = ((best, BEST_VERSION if len(versions) > 1 else ""), (now, CURRENT))
    return [
        ShownVersion(each, tuple(tag for other, tag in tags if other is each and tag))
        for each in dict.fromkeys(each for each in (best, now) if each is not None)
    ]


def table_html(
    writing: WriterSession,
    theme: Theme,
    *,
    chosen: int | None = None,
    versions: Sequence[ShownVersion] = (),
    current: str | None = None,
) -> str:
    """Render the table with its style rules; every text of a user or a model is escaped.

    `chosen`: the selected string. `current`: the label of the version that is open elsewhere.
    """
    groups = grouped(writing)
    steps = [step for _, steps in groups for step in steps]
    halves = any(step.judged.held_out is not None for step in steps)
    gains = [*(step.gain for step in steps), *(each.found.gain for each in versions)]
    span = max((abs(end) for gain in gains for end in _extent(gain)), default=1.0) or 1.0
    body = []
    for head, members in groups:
        if (len(groups) > 2 or versions) and head != groups[0][0]:
            body.append(_group_html(head, halves=halves))
        for step in members:
            name = _name_html(called(step), _tags(step, writing, current, halves=halves))
            gain = _gain_html(step.gain, gain_sentence(step), span)
            body.append(_row_html(name, step.judged, gain, halves=halves, is_chosen=step.number == chosen))
    if versions:
        body.append(_group_html("Versions of this topic", halves=halves))
    for each in versions:
        found = each.found
        gain = _gain_html(found.gain, gain_words(found.gain, found.judged.held_out), span)
        body.append(_row_html(_name_html(each.name, each.tags), found.judged, gain, halves=halves))
    table = f"<table>{_head(halves=halves)}<tbody>{''.join(body)}</tbody></table>"
    return f'<div class="qs-scores qs-candidates">{table}</div>{candidate_table_style(theme)}'


def _group_html(head: str, *, halves: bool) -> str:
    return f'<tr class="group"><th colspan="{9 if halves else 4}" scope="rowgroup">{escape(head)}</th></tr>'


def _head(*, halves: bool) -> str:
    if not halves:
        return (
            '<thead><tr><th scope="col">String</th><th scope="col">Publications</th><th scope="col">Core found</th>'
            f'<th scope="col">{SCORE}</th></tr></thead>'
        )
    sides = '<th scope="col" class="first">held out</th><th scope="col">used</th><th scope="col">all</th>'
    return (
        '<thead><tr class="over"><th></th><th colspan="3" scope="colgroup">Core found</th>'
        f'<th colspan="3" scope="colgroup">{SCORE} (with decay)</th><th></th><th></th></tr>'
        f'<tr><th scope="col">String</th>{sides}{sides}<th scope="col">Publications</th>'
        f'<th scope="col" class="difference">{SCORE} held out, against the topic&#x27;s name</th></tr></thead>'
    )


def _row_html(name: str, judged: StringScores, gain: str, *, halves: bool, is_chosen: bool = False) -> str:
    sides = (judged.held_out, judged.used, judged.whole) if halves else (judged.whole,)
    found = [NONE if side is None else f"{side.n_found:,} of {side.n_core:,}" for side in sides]
    size = f"<td>{judged.n_retrieved:,}</td>"
    cells = [] if halves else [size]
    for values in (found, [_score(side) for side in sides]):
        cells += [f'<td class="first">{values[0]}</td>', *(f"<td>{value}</td>" for value in values[1:])]
    if halves:
        cells += [size, f'<td class="difference"><div>{gain}</div></td>']
    current = ' class="chosen" aria-current="true"' if is_chosen else ""
    return f"<tr{current}>{name}{''.join(cells)}</tr>"


def _name_html(name: str, tags: Sequence[str]) -> str:
    text = "".join(f'<span class="tag">{escape(tag)}</span>' for tag in tags)
    return f'<th scope="row">{escape(name)}{text}</th>'


def _tags(step: SheetStep, writing: WriterSession, current: str | None, *, halves: bool) -> list[str]:
    best, tags = writing.best, []
    if best is not None and step.number == best.number:
        tags.append(BEST if halves else BEST_OF_ALL)
    if step.parent is not None and not reaches(step, writing.budget):
        tags.append("below the minimum recall")
    if step.parent is not None and not is_small(step.judged, writing.budget):
        tags.append("above the maximum size")
    if step.model == DEMO_MODEL:
        tags.append(NO_MODEL)
    if step.label is not None:
        tags.append(f"saved as {step.label}")
        tags += [CURRENT] if step.label == current else []
    return tags


def _extent(gain: Gain | None) -> tuple[float, ...]:
    if gain is None or gain.value is None:
        return ()
    return (gain.value, *(gain.interval or ()))


def _gain_html(gain: Gain | None, words: str, span: float) -> str:
    track = '<i class="track" role="presentation"></i>'
    if gain is None or gain.value is None:
        return f'<span title="{escape(words)}">{NONE}</span>{track}<small></small>'
    number = f'<span title="{escape(words)}">{signed(gain.value)}</span>'
    if gain.interval is None:
        return f"{number}{track}<small>no interval</small>"
    return (
        f"{number}{difference_track(gain.value, gain.interval, span, is_clear=gain.is_clear)}"
        f"<small>{signed(gain.interval.low)} to {signed(gain.interval.high)}<br>{standing_of(gain)}</small>"
    )


def table_rows(steps: Sequence[SheetStep], versions: Sequence[ShownVersion] = ()) -> list[Row]:
    rows = [_row(called(s), s.judged, s.gain, gain_sentence(s), s.label, s.text) for s in steps]
    numbered: list[Row] = [{"Number": s.number, **row} for s, row in zip(steps, rows, strict=True)]
    for each in versions:
        version, judged, gain = each.found.row.version, each.found.judged, each.found.gain
        words = gain_words(gain, judged.held_out)
        numbered.append({"Number": None, **_row(each.name, judged, gain, words, version.label, version.text)})
    return numbered


def _row(name: str, judged: StringScores, gain: Gain | None, words: str, label: str | None, text: str) -> Row:
    row: Row = {"String": name, "Publications": judged.n_retrieved}
    for side_name, side in (("held out", judged.held_out), ("used", judged.used), ("all", judged.whole)):
        row[f"Core found, {side_name}"] = None if side is None else side.n_found
        row[f"Core, {side_name}"] = None if side is None else side.n_core
        row[f"{SCORE}, {side_name}"] = None if side is None else side.f_beta
    interval = gain.interval if gain is not None else None
    return row | {
        "Gain held out": None if gain is None else gain.value,
        "Gain from": None if interval is None else interval.low,
        "Gain to": None if interval is None else interval.high,
        "Verdict": words,
        "Version": label,
        "Text": text,
    }


# The view "Candidates": the scores of every string, recall against size, and one selected string.

CHOSEN = "writer_candidate"


def draw_candidates(writing_id: str | None) -> None:
    writing = opened(writing_id)
    if writing is None:
        return
    steps = [step for _, members in grouped(writing) for step in members]
    if not steps:
        st.info("This session has no search string yet. Resume it in the view Write.")
        return
    versions, why_none = _versions(writing)
    first, rest = verdict(writing)
    st.markdown(f"**{plain(first)}** {plain(rest)}")
    if words := against_versions(writing.best, versions) or why_none:
        st.markdown(plain(words))
    place = st.empty()
    for note in writing.notes:
        if note not in rest:
            st.caption(plain(in_words(note, names(steps))))
    st.caption(ranking_sentence(writing.split, writing.brief))
    _draw_file(writing, steps, versions)
    left, right = st.columns([0.54, 0.46], gap="large")
    with left:
        step = _choose(writing, steps)
        draw_step(writing, step, key="candidate")
    current = _current(writing.topic_id)
    place.html(table_html(writing, current_theme(), chosen=step.number, versions=versions, current=current))
    with right:
        _draw_pareto(writing, steps, step)


def _current(topic_id: str) -> str | None:
    selection = state.read_selection()
    return selection.label if selection is not None and selection.topic_id == topic_id else None


def _versions(writing: WriterSession) -> tuple[list[ShownVersion], str]:
    """Return the versions shown with the candidates, and the reason why there are none, if worth a sentence."""
    try:
        return shown_versions(versions_of(writing), _current(writing.topic_id)), ""
    except QueryscapeError as e:
        return [], f"The topic's versions can't be compared with these strings: {e}."


VERSIONS_SAW_ALL = (
    "Your versions may have been written with all core publications in view, so their scores may be too high here."
)


def against_versions(best: SheetStep | None, versions: Sequence[ShownVersion]) -> str:
    """Compare the best string with the best version; report the core found by the current one; empty: no versions."""
    if best is None or not versions:
        return ""
    first, *others = versions
    mine, theirs = (_score(_deciding(judged)) for judged in (best.judged, first.found.judged))
    if mine == theirs:
        lead = f"This string is level with your best version, {first.name},"
    elif score_order(best.judged) < score_order(first.found.judged):
        lead = f"This string is ahead of your best version, {first.name},"
    else:
        lead = f"Your best version, {first.name}, is ahead of this string"
    where = " on the held-out core" if best.judged.held_out is not None else ""
    parts = [f"{lead}{where}: {_found(best.judged)} against {_found(first.found.judged)}."]
    parts += [f"The current version, {each.name}, finds {_found(each.found.judged)}." for each in others]
    return " ".join([*parts, *([VERSIONS_SAW_ALL] if where else [])])


def _deciding(judged: StringScores) -> CoreScores:
    return judged.whole if judged.held_out is None else judged.held_out


def _found(judged: StringScores) -> str:
    side = _deciding(judged)
    return f"{side.n_found:,} of {side.n_core:,} core with {judged.n_retrieved:,} to read ({SCORE} {_score(side)})"


def verdict(writing: WriterSession) -> tuple[str, str]:
    """Return the best string, and the conclusions from the held-out half about it and all strings."""
    best = writing.best
    if best is None:
        if len(writing.steps) < 2:
            return "No search string other than the topic's name yet.", ""
        return (
            "No search string could be made.",
            "All proposed keywords are in the list Aside: move the useful ones in the view Sort.",
        )
    halved = best.judged.held_out is not None
    others = gains_sentence(writing.steps) if halved and len(writing.steps) > 2 else ""
    where = "held-out core" if halved else "core publications it was written with"
    return f"{called(best)} is best on the {where}.", f"{gain_sentence(best)} {others}".strip()


def _choose(writing: WriterSession, steps: list[SheetStep]) -> SheetStep:
    named = {str(number): name for number, name in names(steps).items()}
    best = writing.best
    if best is not None and not state.is_chosen(CHOSEN):
        state.set_value(CHOSEN, str(best.number))
    chosen = choose_one(st.selectbox, "String", list(named), CHOSEN, names=named)
    return next(step for step in steps if str(step.number) == chosen)


def _draw_pareto(writing: WriterSession, steps: list[SheetStep], chosen: SheetStep) -> None:
    nothing = [called(step) for step in steps if not step.judged.n_retrieved]
    draw_figure(
        pareto_of_steps(steps, names(steps), writing.budget, chosen=chosen.number, theme=current_theme()),
        key="writer-pareto",
        name=f"{writing.topic_id} strings, recall against size",
        reading=(
            "no string lies above and to the left of the frontier; whiskers are 95 % confidence intervals of recall."
        ),
        rows=pareto_step_rows(steps, names(steps)),
        notes=[f"Not drawn, because nothing was retrieved: {', '.join(nothing)}."] if nothing else [],
    )


def _draw_file(writing: WriterSession, steps: list[SheetStep], versions: Sequence[ShownVersion]) -> None:
    rows = table_rows(steps, versions)
    description = "All strings of one session with their scores."
    mount_files(rows, key="writer-candidates", name=f"{writing.topic_id} candidates", description=description)


# The view "Refine": a string is changed one keyword at a time, and every change is scored on both halves.

ABOUT_IT = (
    "Each round runs the string, reads publications it finds and misses, and tries additions and removals. The "
    f"best change is kept if {SCORE} on the core publications in use rises. Each change is saved with its parent."
)
FROM, ROUNDS, CALLS, LAST = "writer_from", "writer-refine-rounds", "writer-refine-calls", "writer_refined"
MOST_ROUNDS, MOST_CALLS = 50, 1_000


def draw_refine(writing_id: str | None) -> None:
    writing = opened(writing_id)
    if writing is None:
        return
    steps = [step for _, members in grouped(writing) for step in members if step.text]
    if not steps:
        st.info("This session has no search string to refine yet. Resume it in the view Write.")
        return
    st.caption(ABOUT_IT)
    step = _draw_start(writing, steps)
    if told := how_it_ended(writing):
        st.info(plain(told), icon=":material/flag:")
    if chains := chains_of(writing):
        _draw_chain(writing, chains)
    else:
        draw_step(writing, step, key="to-refine", refine=False)


def how_it_ended(writing: WriterSession) -> str:
    """Return the note of the last refinement, with the string's name; empty: nothing was refined."""
    told = next((note for note in reversed(writing.notes) if TOLD.match(note)), "")
    return in_words(told, names(writing.steps))


def _draw_start(writing: WriterSession, steps: Sequence[SheetStep]) -> SheetStep:
    job = REFINING_JOBS.find(writing.writing_id)
    from_at, rounds_at, calls_at, button_at = st.columns([0.46, 0.16, 0.16, 0.22], vertical_alignment="bottom")
    step = _choose_from(from_at, writing, steps)
    fill(ROUNDS, max(writing.budget.most_rounds, 1))
    fill(CALLS, writing.budget.most_calls)
    rounds = rounds_at.number_input(
        "Rounds", 1, MOST_ROUNDS, key=ROUNDS, help=("The maximum number of rounds."), persist_state="session"
    )
    calls = calls_at.number_input(
        "Requests",
        0,
        MOST_CALLS,
        key=CALLS,
        persist_state="session",
        help="Maximum number of requests to the session's models. 0: changes come from corpus statistics alone.",
    )
    budget = replace(writing.budget, most_rounds=int(rounds), most_calls=int(calls))
    button_at.button(
        "Refine",
        key="writer-refine",
        icon=":material/trending_up:",
        type="primary",
        disabled=why_locked() is not None or is_at_work(writing.topic_id, writing.writing_id),
        help=why_locked() or limits(budget),
        on_click=start_refining,
        args=(writing.writing_id, step.number, budget),
        width="stretch",
    )
    _draw_job(job)
    return step


def limits(budget: WriterBudget) -> str:
    parts = [f"at least {budget.min_recall:.0%} of the core publications in use"] if budget.min_recall else []
    if budget.most_publications is not None:
        parts.append(f"at most {budget.most_publications:,} publications")
    return f"Keeps {' and '.join(parts)}." if parts else "No minimum recall and no maximum size are set."


def _choose_from(
    where: st.delta_generator.DeltaGenerator, writing: WriterSession, steps: Sequence[SheetStep]
) -> SheetStep:
    named, best = names(steps), writing.best
    if (wanted := state.value(NEXT_FROM)) in named:
        state.set_value(FROM, wanted)
    state.set_value(NEXT_FROM, None)
    if state.value(FROM) not in named:
        state.set_value(FROM, best.number if best is not None else next(iter(named)))
    number = where.selectbox(
        "From the string", list(named), key=FROM, format_func=lambda each: named.get(each, str(each))
    )
    return next(step for step in steps if step.number == number)


def _draw_job(job: Job | None) -> None:
    if job is None or job.finished or is_watched(job, "Stop"):
        return
    draw_early_end(job, "Stopped. Finished rounds are saved.")
    st.button("Close", key="writer-refine-ended", type="tertiary", on_click=leave, args=(job,))


def chains_of(writing: WriterSession) -> list[list[SheetStep]]:
    """Return each refinement from its first string on, the latest first."""
    by_number = {step.number: step for step in writing.steps}
    refined = [step for step in writing.steps if step.round is not None]
    followed = {step.parent for step in refined}
    chains = []
    for last in refined:
        if last.number in followed:
            continue
        chain = [last]
        while chain[-1].round is not None and chain[-1].parent in by_number:
            chain.append(by_number[chain[-1].parent])
        chains.append(chain[::-1])
    return chains[::-1]


def _draw_chain(writing: WriterSession, chains: Sequence[list[SheetStep]]) -> None:
    named = {str(chain[-1].number): chain for chain in chains}
    words = names([step for chain in chains for step in chain])
    key = next(iter(named))
    if len(chains) > 1:
        state.settle_named(LAST, list(named))
        key = str(
            st.selectbox(
                "Refinement",
                list(named),
                key=LAST,
                format_func=lambda each: f"From {words[named[each][0].number]}: {many(len(named[each]) - 1, 'change')}",
            )
        )
    chain = named[key]
    left, right = st.columns([0.54, 0.46], gap="large")
    with right:
        draw_figure(
            rounds_figure(chain, score=SCORE, theme=current_theme()),
            key="writer-rounds",
            name=f"{writing.topic_id} refinement",
            reading="where the held-out line stays behind, the string was overfitted to the core publications in use.",
            rows=round_rows(chain),
        )
    with left:
        st.caption(f"Change in {SCORE}, change by change: as predicted on the used half, and as measured.")
        st.dataframe(change_rows(chain), hide_index=True, key="writer-changes")
        draw_step(writing, chain[-1], key="refined", refine=False)


def change_rows(chain: Sequence[SheetStep]) -> list[dict[str, str | int | float | None]]:
    rows: list[dict[str, str | int | float | None]] = []
    for before, step in pairwise(chain):
        rows.append(
            {
                "Round": step.round,
                "Change": step.made_by,
                "Predicted": "–" if step.predicted is None else signed(step.predicted),
                "Used": _change(before.judged.used.f_beta, step.judged.used.f_beta),
                "Held out": _change(
                    None if before.judged.held_out is None else before.judged.held_out.f_beta,
                    None if step.judged.held_out is None else step.judged.held_out.f_beta,
                ),
                "Publications": step.judged.n_retrieved,
                "Version": step.label or "–",
            }
        )
    return rows


def _change(before: float | None, after: float | None) -> str:
    return "–" if before is None or after is None else signed(after - before)
