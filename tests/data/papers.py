"""A small knowledge base of papers, in MAG's types and relations, and the same papers as a collection."""

from __future__ import annotations

from pathlib import Path

from core.collections import Collection, Document, Judgment, Query
from core.knowledge.templates import Requirement
from data.collections import save_collection
from data.explore.workspace import Workspace
from tests.data.knowledge_bases import parts_of

ENTITIES = {
    "p1": ("paper", "Street trees and cooler air", "Shade of lindens lowers the air temperature."),
    "p2": ("paper", "Night work and sleep", "Nurses sleep less by day."),
    "p3": ("paper", "Heat in street canyons", "Shade and wind change the air temperature."),
    "p4": ("paper", "Batteries in winter", "Cold cells lose capacity."),
    "ito": ("author", "Akira Ito"),
    "roy": ("author", "Mina Roy"),
    "elm": ("institution", "University of Elm"),
    "heat": ("field_of_study", "Heat"),
    "sleep": ("field_of_study", "Sleep"),
}
RELATIONS = [
    ("ito", "author___writes___paper", "p1"),
    ("ito", "author___writes___paper", "p2"),
    ("roy", "author___writes___paper", "p2"),
    ("roy", "author___writes___paper", "p3"),
    ("roy", "author___writes___paper", "p4"),
    ("ito", "author___affiliated_with___institution", "elm"),
    ("p1", "paper___has_topic___field_of_study", "heat"),
    ("p3", "paper___has_topic___field_of_study", "heat"),
    ("p2", "paper___has_topic___field_of_study", "sleep"),
    ("p3", "paper___cites___paper", "p1"),
    ("p3", "paper___cites___paper", "p2"),
]
DOCUMENTS = tuple(
    Document(entity_id, title, "".join(text)) for entity_id, (kind, title, *text) in ENTITIES.items() if kind == "paper"
)
ASKED = Requirement("mag-author", {"author": ("roy",)})
COLLECTION = Collection(
    "papers",
    DOCUMENTS,
    (
        Query("q1", "papers by Mina Roy on air temperature", (*ASKED.labels, ("kind", "asked"))),
        Query("q2", "Shade in street canyons, by Akira Ito"),
        Query("q3", "sleep of nurses"),
    ),
    (Judgment("q1", "p3", 1), Judgment("q2", "p1", 1), Judgment("q3", "p2", 1)),
)


def keep_papers(root: Path, *, name: str = "papers", relations: list[tuple[str, str, str]] = RELATIONS) -> None:
    """Both in a workspace."""
    with Workspace.open(root) as workspace:
        save_base(workspace, name, relations)
        save_collection(workspace.store, COLLECTION, origin="made up")


def save_base(workspace: Workspace, name: str = "papers", relations: list[tuple[str, str, str]] = RELATIONS) -> None:
    """The knowledge base alone, in the place of one of its name."""
    parts = parts_of(ENTITIES, relations, answer_types=("paper",), templates="mag")
    workspace.knowledge.save(name, parts, origin="by hand", replace=True)
