"""The Knowledge page: knowledge bases of texts and relations."""

from __future__ import annotations

from collections.abc import Callable

from dashboard.kit.components import choose_view, draw_page
from dashboard.knowledge.base_statistics import draw_statistics
from dashboard.knowledge.bases import choose_base
from dashboard.knowledge.entities import draw_explorer
from dashboard.knowledge.people import draw_people
from dashboard.knowledge.questions import draw_questions
from dashboard.knowledge.synthesis import draw_synthesis
from dashboard.messages import guarded
from data.knowledge.base import KnowledgeBase

VIEWS: dict[str, Callable[[KnowledgeBase], None]] = {
    "Entities": draw_explorer,
    "Questions": draw_questions,
    "Statistics": draw_statistics,
    "Synthesis": draw_synthesis,
    "People": draw_people,
}


def render() -> None:
    draw_page("Knowledge", _draw, notes="knowledge")


def _draw() -> None:
    base = choose_base()
    if base is None:
        return
    view = choose_view(list(VIEWS), "kb")
    with guarded():
        VIEWS[view](base)


if __name__ == "__main__":
    render()
