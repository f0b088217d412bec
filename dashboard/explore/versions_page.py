"""The Versions page: text, landscape, publications and robustness of compared versions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from core.explore.compare import VersionChanges, verdict
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.explore.robustness import Robustness, order_sentences, special_sentences
from core.library.overlap import overlap
from core.protocols import OnStage
from core.settings import EvaluationSettings
from core.text import listed, many
from core.types import RegionKind
from dashboard import cache, state
from dashboard.audit.fields import link_to_report
from dashboard.explore.figures.versions import orders_figure, outcome_rows, span_rows, spans_figure
from dashboard.explore.payloads import (
    MOST_VERSIONS,
    Counted,
    GroupCount,
    Overlay,
    counted_in,
    group_counts,
    wordings_document,
)
from dashboard.explore.version_scores import draw_scores
from dashboard.explore.versions import (
    ChoiceComparison,
    VersionChoice,
    called,
    choose_versions,
    compare_chosen,
    draw_deleted,
    draw_history,
    draw_settings,
    draw_undo,
)
from dashboard.jobs import Job
from dashboard.kit.components import (
    choose_view,
    current_theme,
    draw_figure,
    draw_page,
    mount_part,
    mount_payload,
)
from dashboard.kit.figures import OF_VERSIONS, upset_figure, upset_rows
from dashboard.kit.link_controls import choose_listed, choose_one, choose_segment
from dashboard.kit.publication_lists import PublicationGroup, draw_table, upset_group, upset_row_group
from dashboard.messages import guarded, sentence
from dashboard.status import JobFamily, how_it_ended, redraw_when_over, watch
from dashboard.welcome import draw_first_steps, is_prepared, needs_first_steps
from dashboard.words import plain
from dashboard.writer.sessions import link_to_sorting
from data.explore.scoring import CLUSTERS
from data.explore.versions import changes_csv, comparability, known_robustness, robustness_of
from data.store import Headlines, VersionRow, content_hash

# The top of the page: the two versions and the region of the sentences, and the conclusions.


def choose_pair(chosen: VersionChoice) -> tuple[str, str]:
    """Choose the first version and the one that it is compared with; with two versions there is no choice."""
    first, *others = chosen.labels
    if len(others) == 1:
        return first, others[0]
    rows = {row.version.label: row for row in chosen.rows}
    against = choose_one(
        st.selectbox,
        "Compare with first",
        others,
        key="against",
        format_func=lambda label: called(rows[label]),
        help="Version to compare with the first: the differences are this one minus the first.",
    )
    return first, against


def choose_region() -> RegionKind:
    """Choose the region whose F-beta the sentence and the sensitivity are about."""
    return choose_one(
        st.selectbox,
        "F-beta by",
        DEFAULT_REGIONS,
        key="by",
        names=REGION_LABELS,
        help="Region of the F-beta in the sentence and the sensitivity report.",
    )


def draw_verdict(compared: ChoiceComparison, region: RegionKind) -> None:
    judgement = verdict(compared.comparison, *compared.pair, region=region)
    st.header(plain(judgement.sentence), anchor=False)
    if compared.comparison.has_ranges:
        st.caption(
            "“Clear” means that the middle 95 % of resampled core sets agree on which version has the higher F-beta."
        )
    else:
        st.caption("Computing whether that is clear: the core set is being resampled.")
    notes = comparability(compared.chosen.rows, compared.comparison.pairs).notes
    for note in notes:  # they begin with a label, which stays as it is
        st.info(plain(f"{note}."), icon=":material/info:")
    for warning, labels in _warnings(compared).items():
        of = "" if len(labels) == len(compared.chosen.labels) else f"{', '.join(labels)}: "
        st.warning(plain(sentence(warning) if not of else f"{of}{warning}."), icon=":material/warning:")


def _warnings(compared: ChoiceComparison) -> dict[str, list[str]]:
    """Return each warning with its versions."""
    found: dict[str, list[str]] = {}
    for label, evaluation in zip(compared.chosen.labels, compared.comparison.versions, strict=True):
        for warning in evaluation.warnings:
            found.setdefault(warning, []).append(label)
    return found


def n_run(topic_id: str) -> int:
    """Return the number of versions of a topic that could be chosen."""
    return sum(row.n_retrieved is not None for row in cache.workspace().store.versions(topic_id))


# Both versions on one landscape; nothing moves.

HEIGHT = 620
NUMBERS = ("Publications", "Core publications", "Without a place")
COUNTED: tuple[Counted, ...] = ("all", "core", "unplaced")
"""Counts of the columns, in the same order."""


def draw_overlay(chosen: VersionChoice) -> None:
    rows = chosen.rows[:MOST_VERSIONS]
    if len(chosen.rows) > MOST_VERSIONS:
        left_out = ", ".join(chosen.labels[MOST_VERSIONS:])
        st.caption(plain(f"A landscape shows up to {MOST_VERSIONS} versions. Not shown: {left_out}."))
    made = cache.overlay(chosen.topic_id, chosen.embedder, tuple(row.version.label for row in rows))
    overlay = made.overlay
    if not overlay.n_placed:
        st.info("A landscape needs five publications with a vector. The numbers below don't need it.")
    else:
        _draw_part(overlay, made.payload, made.payload_id)
    counts = group_counts(overlay)
    for note in _notes(overlay, counts):
        st.caption(plain(note))
    numbers = {name: st.column_config.NumberColumn(format="localized") for name in NUMBERS}

    def group_of(row: int, column: str) -> PublicationGroup | None:
        if column not in NUMBERS:
            return None
        ids = counted_in(overlay, row, COUNTED[NUMBERS.index(column)])
        return PublicationGroup(f"{counts[row].name}, {column.lower()}", ids)

    draw_table([_row(c) for c in counts], group_of, key="overlay-numbers", column_config=numbers)


def _draw_part(overlay: Overlay, payload: bytes, payload_id: str) -> None:
    with st.container(key="payloads-overlay"):
        mount_payload(payload, key="overlay-points")
    document: dict[str, Any] = {"overlay": payload_id, "height": HEIGHT}
    mount_part("overlay", document, key="overlay")
    both = "both" if len(overlay.labels) == 2 else "several"
    dark_or_light = "white" if current_theme() == "dark" else "black"
    st.caption(
        "How to read this: nearby dots have similar content. Patches of one colour were found by that version only; "
        f"{dark_or_light} dots are in {both}. A core publication found by only one version is partly filled."
    )


def _notes(overlay: Overlay, counts: list[GroupCount]) -> list[str]:
    notes = []
    if len(overlay.labels) > 1 and not any(count.n for count in counts[1:-1]):
        same = "Both versions" if len(overlay.labels) == 2 else "The versions"
        notes.append(f"{same} retrieve the same publications.")
    unplaced = sum(count.n_unplaced for count in counts)
    if unplaced and overlay.n_placed:
        verb = "publication has" if unplaced == 1 else "publications have"
        notes.append(f"{unplaced:,} {verb} no vector, so they are not on the landscape; they are counted below.")
    return notes


def _row(count: GroupCount) -> dict[str, str | int]:
    return {
        "Retrieved by": count.name,
        **dict(zip(NUMBERS, (count.n, count.n_core, count.n_unplaced), strict=True)),
    }


# Changes of the wording.


def draw_text(chosen: VersionChoice) -> None:
    first, other = chosen.rows[0], _other(chosen)
    if not first.version.text.strip() and not other.version.text.strip():
        st.info(
            "Neither version has a text: both were imported as lists of publications. Add a text on the page Library."
        )
        return
    mount_part("versions_text", wordings_document(first, other), key="versions-text")
    st.caption(
        plain(
            "How to read this: − is only in the first text, + only in the second. Case and white space are ignored. "
            "Point at a change to see it in the texts."
        )
    )


def _other(chosen: VersionChoice) -> VersionRow:
    others = {row.version.label: row for row in chosen.rows[1:]}
    if len(others) == 1:
        return next(iter(others.values()))
    label = choose_listed(
        st,
        plain(f"Compare {chosen.labels[0]} with"),
        others,
        key="versions_other",
        format_func=lambda label: called(others[label]),
    )
    return others[str(label)]


AGAIN_AFTER_MS = 700


# Publications gained, lost and kept.

ALL = "All"
MOST_LISTED = 1_000
MOST_NAMED = 40
"""Maximum number of core publications listed by title."""
CHANGE = {1: "lost", 2: "gained", 3: "kept"}
"""By the bits of two versions."""
Rows = list[int]


def draw_publications(chosen: VersionChoice) -> None:
    found = cache.changes(chosen.topic_id, chosen.labels, _state(chosen))
    heads = cache.changes_headlines(chosen.topic_id, chosen.labels, _state(chosen))
    _draw_remarks(chosen, found)
    if len(chosen.rows) == 2:
        _draw_counts(chosen, found)
    else:
        _draw_overlap(chosen, found)
    if not found.are_same:
        _draw_core(found, heads)
    _draw_table(found, heads)


def _state(chosen: VersionChoice) -> str:
    """Return a key that changes with the retrieved publications, the core, and the texts."""
    store = cache.workspace().store
    parts = [store.core_hash(chosen.topic_id), store.topic_state(chosen.topic_id), str(cache.workspace().paths.root)]
    return content_hash([*parts, *(row.retrieved_hash or "" for row in chosen.rows)])


def _draw_remarks(chosen: VersionChoice, found: VersionChanges) -> None:
    for group in found.same_as():
        n = len(cache.workspace().store.load_retrieved_ids(_publications_row(chosen, group[0]).version.query_id))
        same = f"the same {many(n, 'publication')}" if n else "nothing"
        st.caption(f":material/equal: {plain(listed(group))} retrieve {same}.")
    known = [row for row in chosen.rows if row.corpus_state is not None]
    if len({row.corpus_state for row in known}) > 1:
        over = ", ".join(f"{plain(row.version.label)} over {row.n_searched or 0:,}" for row in known)
        st.caption(
            f":material/history: These versions searched different publications: {over}. What one of them lacks may "
            "not have been there when it ran."
        )


def _publications_row(chosen: VersionChoice, label: str) -> VersionRow:
    return next(row for row in chosen.rows if row.version.label == label)


def _draw_counts(chosen: VersionChoice, found: VersionChanges) -> None:
    first, second = (plain(label) for label in chosen.labels)
    helps = {
        "Kept": f"Retrieved by {first} and by {second}.",
        "Gained": f"Retrieved by {second}, not by {first}.",
        "Lost": f"Retrieved by {first}, not by {second}.",
    }
    parts = found.parts()
    with st.container(horizontal=True, key="changes-counts"):
        for name, words in helps.items():
            n_core = int((parts[name] & found.core_mask).sum())
            st.metric(name, f"{int(parts[name].sum()):,}", f"{n_core:,} core", "off", help=words, delta_arrow="off")


def _draw_overlap(chosen: VersionChoice, found: VersionChanges) -> None:
    held = {label: np.flatnonzero(found.bits >> i & 1).tolist() for i, label in enumerate(found.labels)}
    sources = {label: tuple(found.ids[row] for row in rows) for label, rows in held.items()}
    shared = overlap(sources)
    draw_figure(
        upset_figure(shared, theme=current_theme(), words_of=OF_VERSIONS),
        key="changes",
        name=f"{_file_name(chosen.topic_id)}-shared-publications",
        reading="a dark column is shared by several versions, an outlined one is unique to one version",
        rows=upset_rows(shared, words_of=OF_VERSIONS),
        group_of=lambda point: upset_group(sources, shared, point),
        group_of_row=lambda row, _: upset_row_group(sources, shared, row),
    )


def _draw_core(found: VersionChanges, heads: Headlines) -> None:
    """Draw core gained and lost by title above the table, as they are the main criterion for a change of wording."""
    parts = found.parts()
    if len(found.labels) == 2:
        gained, lost = st.columns(2, gap="large")
        with gained:
            _draw_titles("Core gained", found, heads, _core_rows(found, parts["Gained"]))
        with lost:
            _draw_titles("Core lost", found, heads, _core_rows(found, parts["Lost"]))
    else:
        rows = _core_rows(found, parts["In some"])
        _draw_titles("Core found by some, missed by others", found, heads, rows, with_labels=True)


def _core_rows(found: VersionChanges, mask: np.ndarray) -> Rows:
    return [int(row) for row in np.flatnonzero(mask & found.core_mask)]


def _draw_titles(head: str, found: VersionChanges, heads: Headlines, rows: Rows, *, with_labels: bool = False) -> None:
    st.markdown(f"**{head} ({len(rows):,})**")
    lines = []
    for row in rows[:MOST_NAMED]:
        year = f" ({heads.years[row]})" if heads.years[row] else ""
        by = f", by {', '.join(found.retrieved_by(row))}" if with_labels else ""
        lines.append(f"- {plain(_title(found, heads, row) + year + by)}")
    if len(rows) > MOST_NAMED:
        lines.append(f"- and {len(rows) - MOST_NAMED:,} more, in the table")
    st.markdown("\n".join(lines) or "None.")


def _title(found: VersionChanges, heads: Headlines, row: int) -> str:
    return heads.titles[row] or found.ids[row]


def _draw_table(found: VersionChanges, heads: Headlines) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="changes-filter"):
        part = _choose_part(found)
        only_core = st.toggle("Core only", key="core_only", bind="query-params")
        wanted = st.text_input(
            "Search", key="changes-search", placeholder="Title or DOI", icon=":material/search:", width=260
        )
    rows = _filtered(found, heads, part, only_core, wanted)
    n = f"{len(rows):,} of {many(len(found.ids), 'publication')}"
    st.caption(f"{n}; the first {MOST_LISTED:,} are listed, the CSV has all." if len(rows) > MOST_LISTED else n)
    st.dataframe(
        [_line(found, heads, row) for row in rows[:MOST_LISTED]],
        hide_index=True,
        key="changes-table",
        column_config={
            "Title": st.column_config.TextColumn(width="large"),
            "Year": st.column_config.NumberColumn(format="%d", width="small"),
            "DOI": st.column_config.LinkColumn(display_text=r"https://doi\.org/(.*)"),
            "Core": st.column_config.TextColumn(width="small"),
            "Change": st.column_config.TextColumn(width="small"),
        },
    )
    st.download_button(
        "CSV",
        lambda: changes_csv(found, heads, rows),
        file_name=f"{_file_name(' '.join((*found.labels, part)))}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key="changes-csv",
        disabled=not rows,
    )


def _choose_part(found: VersionChanges) -> str:
    options = [ALL, *found.parts()]
    chosen = choose_segment(st, "Show", options, key="change")
    return chosen if chosen in options else ALL


def _filtered(found: VersionChanges, heads: Headlines, part: str, only_core: bool, wanted: str) -> Rows:
    """Return the filtered rows: core first, then changed ones, then unchanged ones."""
    mask = found.parts().get(part, np.ones(len(found.ids), dtype=np.bool_))
    if only_core:
        mask = mask & found.core_mask
    rows = np.flatnonzero(mask)
    stayed = found.bits[rows] == found.every
    rows = rows[np.lexsort((found.bits[rows], stayed, ~found.core_mask[rows]))]
    parts = wanted.casefold().split()
    if not parts:
        return [int(row) for row in rows]
    return [
        int(row)
        for row in rows
        if all(p in text for text in [f"{heads.titles[row]} {heads.dois[row]}".casefold()] for p in parts)
    ]


def _line(found: VersionChanges, heads: Headlines, row: int) -> dict[str, str | int | None]:
    doi, is_pair = heads.dois[row], len(found.labels) == 2
    change = {"Change": CHANGE[int(found.bits[row])]} if is_pair else {}
    return {
        "Title": _title(found, heads, row),
        "Year": int(heads.years[row]) or None,
        "Core": "core" if found.core_mask[row] else "",
        **change,
        "Retrieved by": ", ".join(found.retrieved_by(row)),
        "DOI": f"https://doi.org/{doi}" if doi else None,
    }


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:60] or "publications"


# The effect of parameters on the scores and on the order of the versions.


def draw_robustness(chosen: VersionChoice, region: RegionKind, compared: ChoiceComparison | None) -> None:
    """Draw the effect of parameters on F-beta by a region, and on the order of the versions.

    `compared`: the comparison at the top of the page; a cluster sweep that it still runs is not started a second time.
    """
    searching = compared.jobs[-1] if compared is not None and region in compared.waiting else None
    if searching is not None and not searching.finished:
        _wait(searching, region)
        return
    settings = state.read_browser(chosen.embedder).tuning.settings
    found = _known(chosen, settings, region)
    if found is None:
        job = _start(chosen, settings, region)
        if job.finished:  # it was finished while this was drawn, or could not be stored
            found = _known(chosen, settings, region)
        if found is None and job.is_over:
            how_it_ended(job)
        elif found is None:
            watch(job)
    if found is not None:
        _draw_report(chosen, found, settings)


def _wait(job: Job, region: RegionKind) -> None:
    if job.is_over:
        how_it_ended(job)
        return
    st.caption(f"{REGION_LABELS[region]} is being computed first; its sensitivity follows.")
    watch(job)


def _known(chosen: VersionChoice, settings: EvaluationSettings, region: RegionKind) -> Robustness | None:
    workspace, embedder = cache.workspace(), chosen.embedder
    return known_robustness(
        workspace, chosen.topic_id, chosen.labels, embedder=embedder, settings=settings, region=region
    )


SENSITIVITY_JOBS = JobFamily("sensitivity", lane="long")


def _start(chosen: VersionChoice, settings: EvaluationSettings, region: RegionKind) -> Job:
    """Start the report, whose job is named by the versions' states: each report depends on existing results."""
    topic_id, labels, embedder = chosen.topic_id, chosen.labels, chosen.embedder

    def work(on_stage: OnStage) -> None:
        workspace = cache.workspace()
        for label in labels if region in CLUSTERS else ():
            workspace.evaluate(
                topic_id, label, embedder=embedder, settings=settings, regions=(region,), on_stage=on_stage
            )
        robustness_of(
            workspace, topic_id, labels, embedder=embedder, settings=settings, region=region, on_stage=on_stage
        )

    states = cache.version_states(topic_id, labels, embedder)
    key = f"{region}-{'-'.join(states)}-{hash(settings)}"
    return SENSITIVITY_JOBS.start_once(key, "Checking other choices", work)


def _draw_report(chosen: VersionChoice, found: Robustness, settings: EvaluationSettings) -> None:
    theme, topic = current_theme(), chosen.topic_id
    draw_figure(
        spans_figure(found, beta=settings.beta, theme=theme),
        key="versions-spans",
        name=f"{topic} range of F-beta by {found.region} over choices",
        reading="the longer a whisker, the more F-beta depends on arbitrary choices. The band shows decay and beta "
        "all at an end of their range at once.",
        rows=span_rows(found),
    )
    if len(found.labels) > 1:
        st.markdown("**Choices that change the order**")
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in order_sentences(found)))
    draw_figure(
        orders_figure(found, theme=theme),
        key="versions-orders",
        name=f"{topic} order of versions by {found.region} under choices",
        reading="each row changes one thing; the number after the dot is the rank of the version under that choice.",
        rows=outcome_rows(found),
        notes=[*special_sentences(found), *(f"Left out: {what}." for what in found.left_out)],
    )


# Versions: the effect of changes to the query's text.

SCORES, SENSITIVITY = "Scores", "Sensitivity"
# Views that need only the choice.
VIEWS: dict[str, Callable[[VersionChoice], None]] = {
    "Text": draw_text,
    "Publications": draw_publications,
    "Landscape": draw_overlay,
    "History": draw_history,
}
ALL_VIEWS = (SCORES, "Text", "Publications", "Landscape", SENSITIVITY, "History")
NEED_TWO = (SCORES, "Text", "Publications", "Landscape")


def render() -> None:
    draw_page("Versions", _draw, notes="versions")


def _draw() -> None:
    selection = state.read_selection()
    if selection is None:
        st.info("No version to compare yet. Run a query on the Workbench first.")
        if topic_id := state.read_topic():
            draw_undo(topic_id)
            draw_deleted(topic_id)
        return
    if needs_first_steps(selection.topic_id):
        draw_first_steps(selection.topic_id)
        return
    if not is_prepared(selection):
        return
    head = _draw_head(selection.topic_id, selection.embedder)
    view = choose_view(ALL_VIEWS, key="versions_view")
    with guarded():
        _draw_view(view, *head)
    if (chosen := head[0]) is not None:
        label = "Report on these versions" if len(chosen.rows) > 1 else "Report on this version"
        link_to_report(chosen.topic_id, chosen.labels, label=label, embedder=chosen.embedder)
        for row in [row for row in chosen.rows if row.version.text.strip()]:
            words = f"Sort the keywords of {plain(called(row))}"
            link_to_sorting(chosen.topic_id, row.version.label, words=words)
    if (compared := head[1]) is not None:
        redraw_when_over(compared.jobs, "fetch-compared", AGAIN_AFTER_MS, at_each_end=True)  # last, or it loses a click


def _draw_head(topic_id: str, embedder: str) -> tuple[VersionChoice | None, ChoiceComparison | None, RegionKind]:
    which, against, by = st.columns([0.58, 0.22, 0.2], vertical_alignment="bottom")
    with which:
        chosen = choose_versions(topic_id, embedder)
    if chosen is None:
        return None, None, DEFAULT_REGIONS[0]
    with by:
        region = choose_region()
    if len(chosen.rows) < 2:
        draw_settings(embedder)
        return chosen, None, region
    with against:
        pair = choose_pair(chosen)
    settings = draw_settings(embedder)
    compared = None
    with guarded():
        compared = compare_chosen(chosen, settings, pair)
        draw_verdict(compared, region)
        for job in compared.jobs:
            if job.error:
                st.warning(plain(sentence(job.error)), icon=":material/error:")
    return chosen, compared, region


def _draw_view(view: str, chosen: VersionChoice | None, compared: ChoiceComparison | None, region: RegionKind) -> None:
    if chosen is None:
        st.info("Choose the versions to compare.")
    elif view in NEED_TWO and len(chosen.rows) < 2:
        others = n_run(chosen.topic_id) > 1
        st.info(
            "Choose one more version." if others else ("There is only one version. Run another one on the Workbench.")
        )
    elif view == SCORES:
        if compared is not None:
            draw_scores(compared)
    elif view == SENSITIVITY:
        draw_robustness(chosen, region, compared)
    else:
        VIEWS[view](chosen)


if __name__ == "__main__":
    render()
