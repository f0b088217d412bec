"""A small knowledge base that people write queries for."""

from __future__ import annotations

from pathlib import Path

from data.knowledge.bases import KnowledgeBases
from tests.data.knowledge_bases import Entities, parts_of

ENTITIES: Entities = {
    "p1": ("paper", "Trees and heat in the city", "Shade of trees cools streets."),
    "p2": ("paper", "Night work", "Sleep of people who work at night."),
    "p3": ("paper", "Ageing cells", "How cells grow old, and what heat does to them."),
    "p4": ("paper", "", "Neither a name nor anything else of note."),
    "p5": ("paper", "Streets without shade", "Streets are hot where there are no trees."),
    "ito": ("author", "Ito, Hana"),
    "roy": ("author", "Roy <b>B.</b>"),
    "uni": ("institution", "University of Elm"),
}
RELATIONS = [
    ("ito", "author___writes___paper", "p1"),
    ("ito", "author___writes___paper", "p5"),
    ("roy", "author___writes___paper", "p2"),
    ("roy", "author___writes___paper", "p3"),
    ("ito", "author___affiliated_with___institution", "uni"),
    ("roy", "author___affiliated_with___institution", "uni"),
    ("p1", "paper___cites___paper", "p5"),
]


def make_base(root: Path, name: str = "small") -> None:
    """Build it in a folder of knowledge bases."""
    parts = parts_of(ENTITIES, RELATIONS, answer_types=("paper",), templates="mag")
    KnowledgeBases(root).save(name, parts, origin="by hand")
