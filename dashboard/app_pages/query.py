"""Query: the text of one version, why it misses what it misses, and how to repair it."""

from __future__ import annotations

from dashboard import cache, state
from dashboard.messages import guarded
from dashboard.sections.first_steps import draw_first_steps, needs_first_steps
from dashboard.sections.preparing import is_indexed, is_prepared
from dashboard.sections.welcome import draw_welcome
from dashboard.sections.workbench import draw_workbench
from dashboard.sections.writer.opening import link_to_sorting


def render() -> None:
    """The page."""
    with guarded():
        topics = cache.workspace().topics()
        if not topics:
            draw_welcome()
            return
        topic_id, selection = state.read_topic(), state.read_selection()
        if topic_id is not None and needs_first_steps(topic_id):
            draw_first_steps(topic_id)
        elif selection is not None and is_prepared(selection) and is_indexed(selection):
            made_up = any(t.made_up for t in topics if t.topic_id == selection.topic_id)
            draw_workbench(selection, made_up)
            link_to_sorting(selection.topic_id, selection.label)


if __name__ == "__main__":
    render()
