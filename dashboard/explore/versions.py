"""Choose versions to compare, list the history of a query, and edit or delete a version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial

import streamlit as st

from core.errors import QueryscapeError
from core.explore.compare import Comparison
from core.explore.regions import DEFAULT_REGIONS
from core.protocols import OnStage
from core.settings import EvaluationSettings
from core.text import many
from core.types import RegionKind
from dashboard import cache, state
from dashboard.controls import CONTROLS, COSINE_MODES, MODE_OF
from dashboard.jobs import Job
from dashboard.messages import draw_noted
from dashboard.status import JobFamily, why_locked
from dashboard.visitors.conflicts import draw_conflict, fill_once, keep_seen, saving, seen
from dashboard.words import plain, short, when
from data.explore.versions import (
    LONGEST_NAME,
    LONGEST_NOTE,
    HistoryEntry,
    bring_back,
    comment,
    compare_in_full,
    delete_version,
    deleted_versions,
    history,
    name_version,
    run_again,
)
from data.store import VersionRow

MISSING = "missing_versions"
"""Versions in the link that don't exist, until another choice is made."""


@dataclass(frozen=True, slots=True)
class VersionChoice:
    """The versions to compare. A difference is the later one minus the earlier, in this order."""

    topic_id: str
    embedder: str
    rows: tuple[VersionRow, ...]
    """In the order in which they were chosen; at least one."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(row.version.label for row in self.rows)


def choose_versions(topic_id: str, embedder: str) -> VersionChoice | None:
    """Draw the choice at the top of the page; None if there is nothing to choose from."""
    run = {row.version.label: row for row in cache.workspace().store.versions(topic_id) if row.n_retrieved is not None}
    if not run:
        return None
    if missing := state.missing_in_link("versions", run):
        state.set_value(MISSING, _why_missing(topic_id, missing))
    state.settle_many_named("versions", list(run), most=2, otherwise=_opened_and_before(run))
    labels = st.multiselect(
        "Versions",
        list(run),
        key="versions",
        format_func=lambda label: called(run[label]),
        help="Two or more. The others are compared with the first.",
        placeholder="Choose versions",
        on_change=state.set_value,
        args=(MISSING, ()),
    )
    for message in state.value(MISSING, ()):
        st.warning(plain(message), icon=":material/link_off:")
    state.write_in_link("versions", labels)
    rows = tuple(run[label] for label in labels if label in run)
    return VersionChoice(topic_id, embedder, rows) if rows else None


def _opened_and_before(run: Mapping[str, VersionRow]) -> list[str] | None:
    """Return the version open on the Workbench, after its parent or else the previous version."""
    selection, labels = state.read_selection(), list(run)
    if selection is None or selection.label not in run:
        return None
    at, parent_id = labels.index(selection.label), run[selection.label].version.parent_id
    parent = next((label for label, row in run.items() if row.version.query_id == parent_id), None)
    before = parent or (labels[at - 1] if at else None)
    return [before, selection.label] if before else None


def _why_missing(topic_id: str, labels: Sequence[str]) -> tuple[str, ...]:
    known = {row.version.label: row for row in cache.workspace().store.versions(topic_id, deleted=True)}
    messages = []
    for label in labels:
        row = known.get(label)
        if row is not None and row.deleted_at is not None:
            why = "which was deleted. Restore it under History"
        elif row is not None:
            why = "which has not been run, so there is nothing to compare"
        else:
            why = "which is not in this topic"
        messages.append(f'The link asks for version "{label}", {why}.')
    return tuple(messages)


def rerun_without(selection: state.Selection) -> None:
    """Rerun the page if another version was chosen meanwhile, or this one was deleted in another tab."""
    labels = {row.version.label for row in cache.workspace().store.versions(selection.topic_id)}
    if state.value("version", selection.label) != selection.label or selection.label not in labels:
        st.rerun()


def called(row: VersionRow) -> str:
    """Return a version's display name: its label, and its name if it has one."""
    return f"{row.version.label}: {row.version.name}" if row.version.name else row.version.label


def made_by(row: VersionRow) -> str:
    """Return a version's origin and who made it, such as "Manual by Ada"."""
    origin = row.version.origin.capitalize()
    return f"{origin} by {row.made_by}" if row.made_by else origin


# The settings with which versions are scored here: those tuned on the Workbench.


def draw_settings(embedder: str) -> EvaluationSettings:
    browser = state.read_browser(embedder)
    settings = browser.tuning.settings
    if browser.mistake:
        st.warning(plain(f"Part of the link could not be opened: {browser.mistake}."), icon=":material/link_off:")
    changed = in_words(settings)
    if not changed:
        st.caption("Settings: the defaults. Tune them on the Workbench.")
        return settings
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(plain(f"Settings, as tuned on the Workbench: {changed}."), width="content")
        st.button("Use the defaults", key="reset-tuning", type="tertiary", on_click=state.forget_tuning)
    return settings


def in_words(settings: EvaluationSettings) -> str:
    """List the differences from the defaults; a threshold only in the mode in which it applies.

    >>> in_words(EvaluationSettings(beta=1, cosine_mode="fixed", min_similarity=0.5))
    'threshold fixed, similarity threshold 0.5, beta 1'
    """
    default, parts = EvaluationSettings(), []
    for known in fields(settings):
        name, value = known.name, getattr(settings, known.name)
        if name == "cosine_mode" and value is not None:
            parts.append(f"threshold {COSINE_MODES[value][0][:1].lower()}{COSINE_MODES[value][0][1:]}")
        elif name in MODE_OF:
            if settings.cosine_mode == MODE_OF[name]:
                parts.append(f"{CONTROLS[name]['label'].lower()} {value:g}")
        elif name in CONTROLS and value != getattr(default, name):
            parts.append(f"{CONTROLS[name]['label'].lower()} {value:,g}")
    return ", ".join(parts)


# The chosen versions side by side under the Workbench's settings: values first, intervals and clusters as they come.


@dataclass(frozen=True, eq=False)
class ChoiceComparison:
    chosen: VersionChoice
    settings: EvaluationSettings
    states: tuple[str, ...]
    """A key of everything that each version's scores depend on, except settings."""
    comparison: Comparison
    waiting: tuple[RegionKind, ...]
    """Regions that are still being computed."""
    pair: tuple[str, str]
    """The two versions of sentences and differences: the later minus the earlier."""
    jobs: tuple[Job, ...]
    """Background jobs."""


def compare_chosen(chosen: VersionChoice, settings: EvaluationSettings, pair: tuple[str, str]) -> ChoiceComparison:
    """Compare the chosen versions, of which there must be at least two."""
    topic_id, labels, embedder = chosen.topic_id, chosen.labels, chosen.embedder
    states = cache.version_states(topic_id, labels, embedder)
    comparison, waiting = cache.comparison(topic_id, labels, embedder, settings, states)
    jobs = _start(chosen, settings, states, comparison, waiting)
    return ChoiceComparison(chosen, settings, states, comparison, waiting, pair, jobs)


def _start(
    chosen: VersionChoice,
    settings: EvaluationSettings,
    states: tuple[str, ...],
    comparison: Comparison,
    waiting: tuple[RegionKind, ...],
) -> tuple[Job, ...]:
    """Start the jobs: intervals of existing regions first, because a sweep over clusters takes longer."""
    jobs = []
    if not comparison.has_ranges:
        at_once = tuple(kind for kind in DEFAULT_REGIONS if kind not in waiting)
        jobs.append(_start_one("ranges", "Resampling the core", chosen, settings, states, at_once))
    if waiting:
        jobs.append(_start_one("clusters", "Splitting into clusters", chosen, settings, states, DEFAULT_REGIONS))
    return tuple(jobs)


COMPARISON_JOBS = {"ranges": JobFamily("compared-ranges"), "clusters": JobFamily("compared-clusters")}


def _start_one(
    what: str,
    title: str,
    chosen: VersionChoice,
    settings: EvaluationSettings,
    states: tuple[str, ...],
    regions: tuple[RegionKind, ...],
) -> Job:
    def work(on_stage: OnStage) -> None:
        compare_in_full(
            cache.workspace(),
            chosen.topic_id,
            chosen.labels,
            embedder=chosen.embedder,
            settings=settings,
            regions=regions,
            on_stage=on_stage,
        )

    key = f"{'-'.join(states)}-{hash(settings)}-{'-'.join(regions)}"
    return COMPARISON_JOBS[what].start_latest(key, title, work)


# Changes to a version: naming, commenting, continuing from it, running it again, deleting it.

NO_WORDING = "Its text is unknown, so there is nothing to change or run."


def is_open(topic_id: str, label: str) -> bool:
    return bool(state.value("history-open") == (topic_id, label))


def open_version(topic_id: str, label: str | None) -> None:
    """Open a version; None: none."""
    state.set_value("history-open", (topic_id, label))


def draw_changing(topic_id: str, row: VersionRow) -> None:
    """Draw its name, its note and the buttons; nothing in a read-only copy of the workspace."""
    if why_locked():
        return
    version = row.version
    with st.container(horizontal=True):
        _draw_buttons(topic_id, row)
    keys = tuple(f"{what}-{version.query_id}" for what in ("name", "note"))
    for key, stored in zip(keys, (version.name, version.note), strict=True):
        fill_once(key, stored or "")
    with st.form(f"say-{version.query_id}", border=False, enter_to_submit=True):
        name = st.text_input("Name", key=keys[0], max_chars=LONGEST_NAME, placeholder="A short name")
        note = st.text_area(
            "Note", key=keys[1], max_chars=LONGEST_NOTE, height=68, placeholder=("Reason for this version")
        )
        if st.form_submit_button("Save", icon=":material/check:", key=f"save-{version.query_id}"):
            _attempt(lambda: _save(topic_id, row.version.label, dict(zip(keys, (name, note), strict=True))))
            st.rerun()
    for key in keys:
        draw_conflict(key, partial(state.set_value, key, None))


def _draw_buttons(topic_id: str, row: VersionRow) -> None:
    version = row.version
    wordless = not version.text.strip()
    if st.button(
        "Branch",
        key=f"branch-{version.query_id}",
        icon=":material/call_split:",
        disabled=wordless,
        help=NO_WORDING
        if wordless
        else ("Opens its text on the Workbench. A run there becomes a new version based on this one."),
    ):
        state.choose_version_next(version.label)
        st.switch_page("workbench/page.py", query_params={})
    st.button(
        "Run again",
        key=f"again-{version.query_id}",
        icon=":material/replay:",
        disabled=wordless,
        help=NO_WORDING
        if wordless
        else ("Runs its text over the topic's current publications. This version doesn't change."),
        on_click=_attempt,
        args=(lambda: _run_again(topic_id, version.label),),
    )
    st.button(
        "Delete",
        key=f"delete-{version.query_id}",
        icon=":material/delete:",
        help="Removes it from every list. You can restore it here at any time.",
        on_click=_attempt,
        args=(lambda: _delete(topic_id, version.label),),
    )


def draw_undo(topic_id: str) -> None:
    draw_noted("history")
    gone = {row.version.label for row in deleted_versions(cache.workspace(), topic_id)}
    last = state.value("history-deleted")
    if isinstance(last, tuple) and last[0] == topic_id and last[1] in gone:
        with st.container(horizontal=True, vertical_alignment="center", key="history-undo"):
            st.markdown(f":material/delete: **{plain(last[1])}** is deleted.", width="content")
            _bring_back_button(topic_id, last[1], "Undo", "undo-delete")


def draw_deleted(topic_id: str) -> None:
    rows = deleted_versions(cache.workspace(), topic_id)
    if not rows:
        return
    with st.expander(f"Deleted ({len(rows):,})"):
        st.caption("Their publications stay in the topic. To delete a version permanently, go to Library, Topics.")
        for row in rows:
            with st.container(horizontal=True, vertical_alignment="center"):
                name = f" {plain(row.version.name)}" if row.version.name else ""
                n = "not run" if row.n_retrieved is None else f"{row.n_retrieved:,} retrieved"
                st.markdown(f"**{plain(row.version.label)}**{name} · {n}", width="content")
                if not why_locked():
                    _bring_back_button(topic_id, row.version.label, "Restore", f"back-{row.version.query_id}")


def _bring_back_button(topic_id: str, label: str, words: str, key: str) -> None:
    st.button(
        words,
        key=key,
        icon=":material/undo:",
        type="tertiary",
        on_click=_attempt,
        args=(lambda: _bring_back(topic_id, label),),
    )


def _attempt(change: Callable[[], object]) -> None:
    """Change something before the page is redrawn, which then shows any error."""
    try:
        change()
    except QueryscapeError as e:
        state.say_once("history", str(e))


def _save(topic_id: str, label: str, texts: Mapping[str, str]) -> None:
    """Save what was changed of the name and the note, given by the keys of their fields."""
    for (key, text), change in zip(texts.items(), (name_version, comment), strict=True):
        if text.strip() != (seen(key) or ""):
            with saving(key):
                change(cache.workspace(), topic_id, label, text, seen=seen(key))
            keep_seen(key, text.strip() or None)
    state.say_once("versions", f"{label} saved.")


def _run_again(topic_id: str, label: str) -> None:
    row = run_again(cache.workspace(), topic_id, label)
    new = row.version.label
    if new == label:
        state.say_once("versions", f"Nothing has changed since: another run gives the same result as {label}.")
        return
    open_version(topic_id, new)
    state.say_once("versions", f"Version {new} retrieves {many(row.n_retrieved or 0, 'publication')}.")


def _delete(topic_id: str, label: str) -> None:
    workspace = cache.workspace()
    delete_version(workspace, topic_id, label)
    state.set_value("history-deleted", (topic_id, label, state.value("version"), list(state.value("versions", ()))))
    left = [row.version.label for row in workspace.store.versions(topic_id) if row.n_retrieved is not None]
    if left and state.value("version") == label:
        state.choose_version(left[-1])


def _bring_back(topic_id: str, label: str) -> None:
    bring_back(cache.workspace(), topic_id, label)
    last = state.value("history-deleted")
    if isinstance(last, tuple) and last[:2] == (topic_id, label):  # the page looks as it did before
        state.set_value("version", last[2])
        state.set_value("versions", last[3])
    state.set_value("history-deleted", None)
    state.say_once("versions", f"{label} restored.")


# Every version of the topic, newest first: name, origin, results, and actions.

MOST_LISTED = 40


def draw_history(chosen: VersionChoice) -> None:
    topic_id = chosen.topic_id
    draw_undo(topic_id)
    if locked := why_locked():
        st.info(locked, icon=":material/lock:")
    with st.spinner("Reading the topic", show_time=False):
        entries = history(cache.workspace(), topic_id)[::-1]
    every = len(entries) <= MOST_LISTED or st.toggle(f"All {len(entries):,} versions", key="history-all")
    for entry in entries if every else entries[:MOST_LISTED]:
        _draw_entry(topic_id, entry)
    draw_deleted(topic_id)


def _draw_entry(topic_id: str, entry: HistoryEntry) -> None:
    version = entry.row.version
    label, opened = version.label, is_open(topic_id, version.label)
    with st.container(border=True, key=f"version-{version.query_id}"):
        with st.container(horizontal=True, vertical_alignment="top", wrap=False):
            with st.container(gap="xxsmall", width="stretch"):
                _draw_words(entry, with_text=not opened)
            st.button(
                "Close" if opened else "Open",
                key=f"open-{version.query_id}",
                type="tertiary",
                icon=":material/expand_less:" if opened else ":material/expand_more:",
                on_click=open_version,
                args=(topic_id, None if opened else label),
                width="content",
            )
        if opened:
            st.code(version.text or "Its text is unknown.", language=None, wrap_lines=True)
            draw_changing(topic_id, entry.row)


def _draw_words(entry: HistoryEntry, *, with_text: bool) -> None:
    version = entry.row.version
    st.markdown(_head(entry))
    st.caption(_facts(entry))
    if version.note:
        st.markdown(f":material/sticky_note_2: {plain(version.note)}")
    if with_text and version.text:
        st.caption(plain(short(version.text)))


def _head(entry: HistoryEntry) -> str:
    row = entry.row
    name = f" {plain(row.version.name)}" if row.version.name else ""
    if row.n_retrieved is None:
        return f"**{plain(row.version.label)}**{name} · not run"
    core = f"{entry.n_core_found:,} of {entry.n_core:,} core found"
    return f"**{plain(row.version.label)}**{name} · {row.n_retrieved:,} retrieved · {core}"


def _facts(entry: HistoryEntry) -> str:
    row, version = entry.row, entry.row.version
    parts = [plain(made_by(row))]
    if version.made_at:
        parts.append(when(version.made_at))
    if entry.made_from:
        parts.append(f"based on {plain(entry.made_from)}")
    if version.semantics:
        parts.append("stemmed words" if version.semantics == "stemmed" else "exact words")
    if not row.over_corpus:
        parts.append("not run here" if row.n_retrieved is None else "imported with its results")
    elif entry.is_current is None:
        parts.append("run over a corpus that was not recorded")
    else:
        now = "as they are today" if entry.is_current else "**which have changed since**"
        parts.append(f"run over {many(row.n_searched or 0, 'publication')}, {now}")
    return " · ".join(parts)
