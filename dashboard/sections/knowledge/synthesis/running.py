"""Writing queries in the background: it can be stopped at any time, and goes on where it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.knowledge.synthesis.reading import Made, SynthesisSettings
from core.knowledge.templates import Template
from core.protocols import OnStage
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sections.knowledge.synthesis.planning import draw_plan
from dashboard.sections.waiting import watch
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.keeping import SynthesisRow, begin
from data.knowledge.synthesis.sampling import open_models, settled, synthesise


def start(base: KnowledgeBase, templates: Sequence[Template], settings: SynthesisSettings, name: str) -> str:
    """Begin one, or go on; its id. A model without a key is an error before anything is asked."""
    settings = settled(settings, templates)
    models = open_models(settings)
    keeper = begin(cache.workspace().store, base, name, settings)
    key = _key(keeper.synthesis_id)

    def work(on_stage: OnStage) -> None:
        done = synthesise(base, templates, settings, models, keeper, on_stage=on_stage)
        cache.run_failures()[key] = {str(number): note for number, note in enumerate(done.notes)}

    job = cache.jobs().find(key)
    if job is None or job.is_over:
        cache.jobs().forget(key)
        cache.run_failures().pop(key, None)
        cache.jobs().start(key, "Writing queries", work, lane="long")
    return keeper.synthesis_id


def _key(synthesis_id: str) -> str:
    return f"synthesis:{synthesis_id}"


def draw_progress(row: SynthesisRow) -> bool:
    """How far it is, and why it ended; whether it is at work."""
    job = cache.jobs().find(_key(row.synthesis_id))
    if job is not None and not job.is_over:
        watch(job)
        return True
    for note in cache.run_failures().get(_key(row.synthesis_id), {}).values():
        st.warning(plain(sentence(note)), icon=":material/warning:")
    if job is not None and job.error:
        st.error(plain(sentence(job.error)), icon=":material/error:")
    elif job is not None and job.cancelled:
        st.info("Stopped. What was answered is kept; going on asks only for the rest.", icon=":material/pause_circle:")
    return False


def draw_going_on(base: KnowledgeBase, templates: Sequence[Template], row: SynthesisRow, made: Sequence[Made]) -> None:
    """A way to finish what was stopped, or to have more queries; again with a dry run first."""
    n_waiting = row.settings.n - sum(each.outcome.state != "waiting" for each in made)
    waits = "1 query waits" if n_waiting == 1 else f"{n_waiting:,} queries wait"
    label = f"{waits}: go on" if n_waiting > 0 else "Have more queries written"
    with st.expander(label, icon=":material/resume:" if n_waiting > 0 else ":material/add:", expanded=not made):
        n = int(
            st.number_input(
                "Queries in all",
                max(len(made), 1),
                20_000,
                max(row.settings.n, len(made)),
                key=f"more-{row.synthesis_id}",
            )
        )
        wanted = replace(row.settings, n=n)
        if n <= sum(each.outcome.state != "waiting" for each in made):
            st.caption("Ask for more than there are.")
        elif draw_plan(base, templates, wanted, "Go on"):
            start(base, templates, wanted, row.name)
            st.rerun()
