"""Entities are laid out by their texts: a bounded sample, and whatever is highlighted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.knowledge.entities import Rows
from data.files import WorkspacePaths
from data.knowledge.base import KnowledgeBase
from data.retrieval import plane
from data.retrieval.plane import documents_of, highlighted, lay_out, sampled_rows
from tests.data.knowledge_bases import base_of, parts_of
from tests.messages import refusal

WORDS = ("tea leaves steep water kettle", "petri nets model process workflow")
PAPERS = {f"p{n}": ("paper", f"Paper {WORDS[n % 2].split()[0]} {n}", f"{WORDS[n % 2]} {n}") for n in range(40)}
ENTITIES = PAPERS | {
    "mute": ("paper", "", ""),
    "ito": ("author", "Ito"),
    "elm": ("institution", "Elm"),
    "red": ("colour", "Red"),
}
RELATIONS = [
    *(("ito", "writes", f"p{n}") for n in range(0, 20, 2)),
    ("ito", "at", "elm"),
    ("p1", "cites", "p3"),
    ("p1", "cites", "p5"),
    ("p3", "cites", "p1"),
    ("p1", "cites", "p1"),
    ("mute", "cites", "p1"),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return base_of(tmp_path_factory.mktemp("plane"), parts_of(ENTITIES, RELATIONS, answer_types=("paper",)))


def ids(base: KnowledgeBase, rows: Rows) -> set[str]:
    return {entity.entity_id for entity in base.entities(rows)}


def test_what_stands_for_an_entity(base: KnowledgeBase) -> None:
    paper = highlighted(base, base.entity("p1").row)
    assert paper is not None
    assert (ids(base, paper.own), ids(base, paper.near)) == ({"p1"}, {"p3", "p5", "mute"})
    for entity_id in ("ito", "elm"):
        found = highlighted(base, base.entity(entity_id).row)
        assert found is not None
        assert ids(base, found.own) == {f"p{n}" for n in range(0, 20, 2)}
        assert found.n_own == 10
    assert highlighted(base, base.entity("red").row) is None


def test_texts_of_one_theme_lie_together(base: KnowledgeBase, tmp_path: Path) -> None:
    found = lay_out(base, WorkspacePaths.of(tmp_path), "paper")
    assert (len(found.rows), found.n_all) == (41, 41)
    at = {entity.entity_id: point for entity, point in zip(base.entities(found.rows), found.points, strict=True)}
    assert np.isnan(at.pop("mute")).all()
    tea = np.array([point for entity_id, point in at.items() if int(entity_id[1:]) % 2 == 0])
    nets = np.array([point for entity_id, point in at.items() if int(entity_id[1:]) % 2])
    apart = np.linalg.norm(tea.mean(axis=0) - nets.mean(axis=0))
    assert apart > 2 * max(tea.std(axis=0).max(), nets.std(axis=0).max())


def test_the_sample_is_bounded_and_the_highlighted_are_in_it(
    base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plane, "MOST_ENTITIES_SAMPLED", 10)
    sample = sampled_rows(base, "paper")
    assert len(sample) == 10
    wanted = [row for row in base.types["paper"].rows if row not in sample][:3]
    found = lay_out(base, WorkspacePaths.of(tmp_path), "paper", [*wanted, int(sample[0])])
    assert found.rows.tolist() == [*sample.tolist(), *wanted]
    whole = lay_out(base, WorkspacePaths.of(tmp_path), "paper", wanted)
    np.testing.assert_array_equal(whole.points, found.points)  # kept, and the same
    assert np.isfinite(found.points[10:]).all()


def test_long_texts_are_cut_and_unknown_types_refused(
    base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plane, "LONGEST_TEXT", 5)
    (document,) = documents_of(base, [0])
    assert (document.doc_id, document.title, document.text) == ("p0", "Paper", "tea l")
    with refusal(InputError):
        lay_out(base, WorkspacePaths.of(tmp_path), "sea")
