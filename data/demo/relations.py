"""Made-up questions that mix text with relations over the made-up knowledge base, by the scripted demo model."""

from __future__ import annotations

from core.knowledge.synthesis.reading import SynthesisSettings
from core.ranking.check import Collection
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.collection import as_collection
from data.knowledge.synthesis.keeping import InMemory
from data.knowledge.synthesis.making import open_models, synthesise
from data.knowledge.templates import published

DEMO_RELATIONS = "demo-relations"
SETTINGS = SynthesisSettings(n=120)


def build_demo_relations(base: KnowledgeBase) -> Collection:
    """The same at every call. Every published template has its share of the questions."""
    done = synthesise(base, published(base.about.templates), SETTINGS, open_models(SETTINGS), InMemory())
    return as_collection(base.documents(), done.made, DEMO_RELATIONS, made_up=True)
