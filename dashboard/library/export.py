"""Export a selection of publications for other programs."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import streamlit as st

from core.explore.regions import DEFAULT_REGIONS, PROJECTION_REGIONS, REGION_LABELS
from core.text import many
from core.types import RegionKind
from dashboard import cache, state
from dashboard.kit.components import draw_download
from dashboard.retrieval.exports import draw_topic_export
from dashboard.words import plain
from data.library.export_formats import EXPORTS, ExportFormat
from data.library.export_tools import TOOLS, ExportChoices, ExportTool, contents, exported_rows
from data.library.records import n_publications
from data.library.searches import phase_ids
from data.library.selection import ExportSelection, SelectedPublications, what_to_loosen
from data.lookup import TopicSummary
from data.store import content_hash

MOST_CLUSTERED = 3_000
"""Retrieved publications: clustering more takes minutes and is left to the command line."""
EVALUATION_FILES = "evaluation-files"
AMONG = {
    "retrieved": "Retrieved by query versions",
    "corpus": "Corpus",
    "core": "Core publications",
    "core_missed": "Core publications missed",
    "screened": "Screened",
    "included": "Included",
    "everything": "All publications of the topic",
}


def draw_hand_off(topic_id: str) -> None:
    topic = next(t for t in cache.workspace().topics() if t.topic_id == topic_id)
    labels = [row.version.label for row in topic.versions if row.n_retrieved is not None]
    left, right = st.columns(2, gap="large")
    with left:
        among = _choose_among(topic, labels)
        versions, every = _choose_versions(labels, among)
    with right:
        near = _choose_closeness(topic, labels, among)
        target = _choose_target()
    selection = ExportSelection(
        versions=versions,
        among=among,  # type: ignore[arg-type]
        all_versions=every and bool(versions),
        region=near.region,
        relevant=near.relevant if near.region else None,
        min_similarity=near.low,
        max_similarity=near.high,
    )
    state_now = _state(topic, near.embedder)
    found = cache.selected(topic_id, state_now, selection, near.embedder, near.region or "cosine")
    _draw_download(topic_id, found, target, selection)
    name = "For evaluation programs: BEIR and TREC"
    files = st.expander(name, icon=":material/leaderboard:", key=EVALUATION_FILES, on_change="rerun")
    if files.open:  # it reads all publications of the topic
        with files:
            draw_topic_export(topic_id, labels)


@dataclass(frozen=True, slots=True)
class ExportTarget:
    form: ExportFormat
    label: str
    tool: ExportTool | None
    choices: ExportChoices


def _choose_target() -> ExportTarget:
    labels = {tool_id: tool.label for tool_id, tool in TOOLS.items()}
    labels |= {export_id: f"{form.label} file" for export_id, form in EXPORTS.items()}
    chosen = st.selectbox("Export for", list(labels), format_func=labels.__getitem__, key="hand-off-tool")
    tool = TOOLS.get(chosen)
    if tool is not None:
        st.caption(f"{tool.form.label}, {tool.encoding}. {tool.hint} [Documentation]({tool.address})")
    as_prior = (
        tool is not None
        and tool.takes_labels
        and st.checkbox(
            "Label core publications as prior knowledge",
            help="Core publications get the label 1 (relevant), which trains the model before screening starts. "
            "Earlier decisions in the records stay labels. Screeners can see labels.",
            key="hand-off-prior",
        )
    )
    form = tool.form if tool else EXPORTS[chosen]
    in_notes = not form.has_core_column and _choose_notes(is_blind=tool is not None and tool.is_blind)
    choices = ExportChoices(core_in_notes=in_notes, core_as_prior=as_prior)
    return ExportTarget(form, tool.label if tool else form.label, tool, choices)


def _choose_notes(*, is_blind: bool) -> bool:
    """Return True if the notes may name core publications and, for a blind tool, everything else that unblinds."""
    if not is_blind:
        return st.checkbox(
            "Name core publications in the notes",
            help="It unblinds screeners: they see which publications are known to be relevant.",
            key="hand-off-core",
        )
    return st.checkbox(
        "Name core, versions and similarity in the notes",
        help="It unblinds screeners: they see which publications are known to be relevant, which versions found each"
        " publication, its similarity to the core, the regions that accept it, and earlier decisions. Without it, the"
        " notes list only source files, and the order tells nothing.",
        key="hand-off-unblind",
    )


def _choose_among(topic: TopicSummary, labels: list[str]) -> str:
    phases = phase_ids(cache.workspace().store, topic.topic_id)
    options = [
        name
        for name in AMONG
        if (labels or name not in ("retrieved", "core_missed"))
        and (topic.n_core or not name.startswith("core"))
        and (name in phases or name not in ("screened", "included"))
    ]
    return st.selectbox("Publications", options, format_func=AMONG.__getitem__, key=f"among-{topic.topic_id}")


def _choose_versions(labels: list[str], among: str) -> tuple[tuple[str, ...], bool]:
    if not labels or among not in ("retrieved", "core_missed"):
        return (), False
    label = "Missed by" if among == "core_missed" else "Retrieved by"
    chosen = tuple(st.multiselect(label, labels, placeholder="Any version", key=f"hand-off-versions-{among}"))
    if len(chosen) < 2:
        return chosen, False
    words = ("Any of them", "All of them")
    return chosen, st.radio("Retrieved by", words, horizontal=True, label_visibility="collapsed") == words[1]


@dataclass(frozen=True, slots=True)
class RegionFilter:
    embedder: str | None = None
    region: RegionKind | None = None
    relevant: bool = True
    low: float | None = None
    high: float | None = None


def _choose_closeness(topic: TopicSummary, labels: list[str], among: str) -> RegionFilter:
    embedder = topic.embedders[0] if topic.embedders else None
    if embedder is None or not topic.n_core or not labels:
        st.caption("To select by similarity, the topic needs vectors, core publications and a version with results.")
        return RegionFilter(embedder)
    selection = state.read_selection()
    if selection and selection.embedder in topic.embedders:
        embedder = selection.embedder
    region, relevant = _choose_region(_quick_regions(topic, embedder)) if among == "retrieved" else (None, True)
    low, high = st.slider(
        f"Similarity to the core ({plain(embedder)})", -1.0, 1.0, (-1.0, 1.0), 0.01, key="hand-off-similarity"
    )
    return RegionFilter(embedder, region, relevant, low if low > -1 else None, high if high < 1 else None)


def _quick_regions(topic: TopicSummary, embedder: str) -> list[RegionKind]:
    """Return the regions that are fast: landscape regions only with a landscape, and no large clustering."""
    has_landscape = cache.workspace().is_ready(topic.topic_id, embedder)
    largest = max((row.n_retrieved or 0 for row in topic.versions), default=0)
    return [
        kind
        for kind in DEFAULT_REGIONS
        if (has_landscape or kind not in PROJECTION_REGIONS) and (kind != "cluster" or largest <= MOST_CLUSTERED)
    ]


def _choose_region(kinds: list[RegionKind]) -> tuple[RegionKind | None, bool]:
    region: RegionKind | None = st.selectbox(
        "Relevant by",
        [None, *kinds],
        format_func=lambda kind: REGION_LABELS[kind] if kind else "No region: relevant or not",
        key="hand-off-region",
    )
    if not PROJECTION_REGIONS.intersection(kinds):
        st.caption("Ellipsoid and convex hull need a landscape. Open the Workbench once to compute it.")
    if region is None:
        return None, True
    words = ("Relevant", "Not relevant")
    told = st.radio("Relevance", words, horizontal=True, label_visibility="collapsed", key="hand-off-relevant")
    return region, told == words[0]


def _state(topic: TopicSummary, embedder: str | None) -> str:
    """Return a key that changes with everything a selection depends on."""
    workspace = cache.workspace()
    found = next(
        (c.embedding for c in workspace.catalogue.coverage(topic.topic_id) if c.embedding.embedder == embedder), None
    )
    parts = [str(workspace.paths.root), workspace.store.topic_state(topic.topic_id), found.fingerprint if found else ""]
    return content_hash([*parts, *(f"{v.version.label}={v.retrieved_hash}" for v in topic.versions)])


def _draw_download(
    topic_id: str, found: SelectedPublications, target: ExportTarget, selection: ExportSelection
) -> None:
    n_all = n_publications(cache.workspace().store, topic_id)
    of = "" if len(found) == n_all else f" of {n_all:,} in the topic"
    st.markdown(f"**{many(len(found), 'publication')}**{of}")
    if found.judged.why_not and selection.needs_vectors:
        st.caption(plain(found.judged.why_not))
    if not len(found):
        st.caption(f"No publications match. Try {what_to_loosen(selection)}.")

    def content() -> bytes:
        out = io.BytesIO()
        target.form.write(exported_rows(found, target.tool, target.choices), out)
        return out.getvalue()

    name = re.sub(r"[^A-Za-z0-9]+", "-", topic_id).strip("-").lower()[:60] or "topic"
    draw_download(
        f"Download for {target.label}" if target.tool else f"Download {target.label}",
        content,
        file_name=f"{name}_{selection.among}{target.form.suffix}",
        mime=target.form.mime,
        type="primary",
        disabled=not len(found),
        key="hand-off",
    )
    st.caption(contents(target.form, target.tool, target.choices))
