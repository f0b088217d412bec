"""The head of the page: which two the sentences are about, by which region, and what can be said of them."""

from __future__ import annotations

import streamlit as st

from core.comparing.compare import REGION_LABELS, verdict
from core.regions import DEFAULT_REGIONS
from core.types import RegionKind
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.versions.chosen import Chosen, called
from dashboard.sections.versions.compared import Compared
from dashboard.words import plain
from data.versions.comparing import comparability


def choose_pair(chosen: Chosen) -> tuple[str, str]:
    """The first version and the one that it is compared with; of two there is nothing to choose."""
    first, *others = chosen.labels
    if len(others) == 1:
        return first, others[0]
    rows = {row.version.label: row for row in chosen.rows}
    state.settle_named("against", others)
    against = st.selectbox(
        "First against",
        others,
        key="against",
        format_func=lambda label: called(rows[label]),
        help="Which version the sentence and the differences are about: this one minus the first.",
    )
    state.write_in_link("against", [against])
    return first, str(against)


def choose_region() -> RegionKind:
    """The region whose F-beta the sentence and the sensitivity are about."""
    state.settle_named("by", DEFAULT_REGIONS)
    kind: RegionKind = st.selectbox(
        "F-beta by",
        DEFAULT_REGIONS,
        key="by",
        format_func=REGION_LABELS.__getitem__,
        help="The region whose F-beta the sentence and the sensitivity are about.",
    )
    state.write_in_link("by", [kind])
    return kind


def draw_verdict(compared: Compared, region: RegionKind) -> None:
    """One sentence, and what to know before believing it."""
    said = verdict(compared.comparison, *compared.pair, region=region)
    st.subheader(plain(said.sentence), anchor=False)
    if compared.comparison.has_ranges:
        st.caption(
            "“Clear” means that the middle 95 % of resampled core sets agree on which version has the higher F-beta."
        )
    else:
        st.caption("Whether that is clear is being computed: the core set is resampled.")
    notes = comparability(compared.chosen.rows, compared.comparison.pairs).notes
    for note in notes:  # they begin with a label, which stays as it is
        st.info(plain(f"{note}."), icon=":material/info:")
    for warning, labels in _warnings(compared).items():
        of = "" if len(labels) == len(compared.chosen.labels) else f"{', '.join(labels)}: "
        st.warning(plain(sentence(warning) if not of else f"{of}{warning}."), icon=":material/warning:")


def _warnings(compared: Compared) -> dict[str, list[str]]:
    """Each with the versions that it is about."""
    found: dict[str, list[str]] = {}
    for label, evaluation in zip(compared.chosen.labels, compared.comparison.versions, strict=True):
        for warning in evaluation.warnings:
            found.setdefault(warning, []).append(label)
    return found


def n_run(topic_id: str) -> int:
    """How many versions of a topic could be chosen."""
    return sum(row.n_retrieved is not None for row in cache.workspace().store.versions(topic_id))
