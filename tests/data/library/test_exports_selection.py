"""Which publications a selection holds: the same that evaluations count, in every combination."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError, NoCoreError, NotFoundError, SettingsError
from core.explore.regions import DEFAULT_REGIONS
from core.settings import EvaluationSettings
from core.types import Ids, RegionKind
from data.explore.workspace import Workspace
from data.library.selection import Among, ExportSelection, SelectedPublications, select, what_to_loosen
from tests.data.workspaces import CORE, MODEL, TOPIC, Version, fill, ids_of, publications
from tests.messages import refusal

FAST: tuple[RegionKind, ...] = ("cosine", "nearest_core", "mvee", "hull")
WIDE, NARROW, NETS = ids_of(3, 30), ids_of(0, 12), ids_of(22, 36)
VERSIONS = (
    Version("wide", 1, WIDE, "baseline"),
    Version("never run", 2, None, "generated"),
    Version("narrow", 3, NARROW),
    Version("nets", 4, NETS),
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("filled")
    fill(root, versions=VERSIONS)
    with Workspace.open(root) as workspace, workspace.store.transaction():
        workspace.store.save_corpus(TOPIC, ids_of(30, 40))
    return root


@pytest.fixture
def workspace(filled: Path, tmp_path: Path) -> Iterator[Workspace]:
    shutil.copytree(filled, tmp_path / "ws")
    with Workspace.open(tmp_path / "ws") as opened:
        yield opened


def chosen(
    workspace: Workspace, selection: ExportSelection, regions: tuple[RegionKind, ...] = ("cosine",)
) -> SelectedPublications:
    return select(workspace, TOPIC, selection, regions=regions)


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (ExportSelection(("wide",)), WIDE),
        (ExportSelection(("wide", "narrow")), (*WIDE, *ids_of(0, 3))),
        (ExportSelection(("narrow", "wide"), all_versions=True), ids_of(3, 12)),
        (ExportSelection(), (*WIDE, *ids_of(0, 3), *ids_of(30, 36))),
        (ExportSelection(all_versions=True), ()),
        (ExportSelection(("wide",), not_by=("narrow",)), ids_of(12, 30)),
        (ExportSelection(("wide",), not_by=("narrow", "nets")), ids_of(12, 22)),
        (ExportSelection(among="core"), CORE),
        (ExportSelection(("wide",), among="core"), ids_of(3, 8)),
        (ExportSelection(among="core", not_by=("wide",)), ids_of(0, 3)),
        (ExportSelection(("wide",), among="core_missed"), ids_of(0, 3)),
        (ExportSelection(("wide", "narrow"), among="core_missed"), ()),
        (ExportSelection(("wide", "narrow"), among="core_missed", all_versions=True), ids_of(0, 3)),
        (ExportSelection(among="corpus"), ids_of(30, 40)),
        (ExportSelection(("nets",), among="corpus"), ids_of(30, 36)),
        (ExportSelection(among="corpus", not_by=("nets",)), ids_of(36, 40)),
        (ExportSelection(among="everything"), (*CORE, *ids_of(8, 40))),
    ],
)
def test_what_versions_leave(workspace: Workspace, selection: ExportSelection, expected: Ids) -> None:
    assert chosen(workspace, selection).ids == expected


def test_a_region_selects_what_an_evaluation_counts(workspace: Workspace) -> None:
    evaluation = workspace.evaluate(TOPIC, "wide")
    for kind in DEFAULT_REGIONS:
        accepted = chosen(workspace, ExportSelection(("wide",), region=kind, relevant=True), DEFAULT_REGIONS)
        others = chosen(workspace, ExportSelection(("wide",), region=kind, relevant=False), DEFAULT_REGIONS)
        assert len(accepted) == evaluation.regions[kind].n_relevant, kind
        assert set(accepted.ids) | set(others.ids) == set(evaluation.scorable_ids)
        assert set(accepted.ids).isdisjoint(others.ids)
        assert all(kind in row.relevant_by for row in accepted.rows())
        assert not any(kind in row.relevant_by for row in others.rows())


def test_settings_move_the_region(workspace: Workspace) -> None:
    strict = EvaluationSettings(cosine_mode="fixed", min_similarity=0.9)
    selected = select(workspace, TOPIC, ExportSelection(("wide",), region="cosine"), settings=strict, regions=())
    expected = workspace.evaluate(TOPIC, "wide", settings=strict, regions=["cosine"]).regions["cosine"].n_relevant
    assert len(selected) == expected
    assert 0 < len(selected) < len(WIDE)
    by_similarity = chosen(workspace, ExportSelection(("wide",), min_similarity=0.9))
    assert by_similarity.ids == selected.ids


def test_several_versions_are_judged_by_any_or_by_all(workspace: Workspace) -> None:
    both = ("wide", "narrow")
    relevant = {
        label: set(chosen(workspace, ExportSelection((label,), region="hull"), ("hull",)).ids) for label in both
    }
    a_any = chosen(workspace, ExportSelection(both, region="hull"), ("hull",))
    assert set(a_any.ids) == relevant["wide"] | relevant["narrow"]
    of_all = chosen(workspace, ExportSelection(both, region="hull", all_versions=True), ("hull",))
    assert set(of_all.ids) == relevant["wide"] & relevant["narrow"]
    assert all(row.relevant_by == ("hull",) for row in of_all.rows())
    rest = chosen(workspace, ExportSelection(both, region="hull", all_versions=True, relevant=False), ("hull",))
    assert set(rest.ids) == set(ids_of(3, 12)) - set(of_all.ids)


def test_similarities_are_those_of_the_view(workspace: Workspace) -> None:
    scene = workspace.view(TOPIC, "wide", MODEL).scene
    rows = list(chosen(workspace, ExportSelection(("wide",))).rows())
    shown = dict(zip(scene.retrieved.ids, scene.similarities_to_centre.tolist(), strict=True))
    assert [row.publication_id for row in rows] == list(WIDE)
    np.testing.assert_allclose([row.similarity for row in rows], [shown[i] for i in WIDE], atol=1e-6)
    assert {row.embedder for row in rows} == {MODEL}
    missed = list(chosen(workspace, ExportSelection(("wide",), among="core_missed")).rows())
    assert all(row.similarity is not None and row.relevant_by == () for row in missed)


def test_a_range_of_similarity_cuts_a_selection_in_parts(workspace: Workspace) -> None:
    everything = chosen(workspace, ExportSelection(among="everything"))
    middle = sorted(everything.judged.similarities.values())[20]
    high = chosen(workspace, ExportSelection(among="everything", min_similarity=middle))
    low = chosen(workspace, ExportSelection(among="everything", max_similarity=middle))
    assert set(high.ids) | set(low.ids) == set(everything.ids)
    assert len(set(high.ids) & set(low.ids)) == 1, "the one in the middle is in both"


def test_rows_say_where_each_publication_comes_from(workspace: Workspace) -> None:
    by_id = {row.publication_id: row for row in chosen(workspace, ExportSelection(among="everything")).rows()}
    known = {p.publication_id: p for p in publications()}
    assert set(by_id) == set(known)
    assert by_id["p5"].found_by == ("wide", "narrow")
    assert (by_id["p5"].is_core, by_id["p8"].is_core) == (True, False)
    assert by_id["p38"].found_by == ()
    for publication_id, row in by_id.items():
        assert (row.record.title, row.record.year) == (known[publication_id].title, known[publication_id].year)


def without_vectors(tmp_path: Path, core_ids: Ids = CORE) -> Workspace:
    fill(tmp_path / "ws", versions=VERSIONS, models=(), core_ids=core_ids)
    return Workspace.open(tmp_path / "ws")


def test_without_vectors_only_what_needs_them_fails(tmp_path: Path) -> None:
    with without_vectors(tmp_path) as workspace:
        selected = chosen(workspace, ExportSelection(("wide",)))
        assert selected.ids == WIDE
        assert "no vectors" in (selected.judged.why_not or "")
        for row in selected.rows():
            assert (row.similarity, row.relevant_by, row.embedder) == (None, (), None)
        for asks in (
            ExportSelection(region="cosine"),
            ExportSelection(min_similarity=0.1),
            ExportSelection(max_similarity=0.1),
        ):
            with pytest.raises(NotFoundError, match="no vectors"):
                chosen(workspace, asks)
        with refusal(NotFoundError):
            select(workspace, TOPIC, ExportSelection(), embedder="other")


def test_without_a_core_only_what_needs_it_fails(tmp_path: Path) -> None:
    with without_vectors(tmp_path, core_ids=()) as workspace:
        selected = chosen(workspace, ExportSelection(("wide",)))
        assert [row.is_core for row in selected.rows()] == [False] * len(WIDE)
        among: tuple[Among, ...] = ("core", "core_missed")
        for part in among:
            with pytest.raises(NoCoreError):
                chosen(workspace, ExportSelection(among=part))
        with pytest.raises(NoCoreError):
            chosen(workspace, ExportSelection(region="cosine"))


def test_a_region_that_can_not_be_fitted_is_a_mistake(workspace: Workspace) -> None:
    with refusal(InputError):
        chosen(workspace, ExportSelection(("nets",), region="hull"))
    assert chosen(workspace, ExportSelection(("nets",)), ("hull",)).judged.accepted == {}


def test_mistakes_say_what_there_is(workspace: Workspace) -> None:
    with refusal(NotFoundError):
        select(workspace, TOPIC[:-1], ExportSelection())
    with refusal(NotFoundError):
        chosen(workspace, ExportSelection(("wid",)))
    with pytest.raises(NotFoundError, match="no results"):
        chosen(workspace, ExportSelection(not_by=("never run",)))
    with pytest.raises(InputError, match="--region"):
        ExportSelection(relevant=False)
    with refusal(SettingsError):
        ExportSelection(min_similarity=0.9, max_similarity=0.1)
    with pytest.raises(SettingsError, match=r"\[-1, 1\]"):
        ExportSelection(max_similarity=float("nan"))


def test_what_to_loosen_names_each_condition() -> None:
    everything = ExportSelection(("a",), "retrieved", True, ("b",), "hull", True, 0.5)
    named = what_to_loosen(everything).split(", ")
    for condition, name in zip(named, ("region", "similarity", "any of", "excluded"), strict=True):
        assert name in condition
    assert what_to_loosen(ExportSelection(among="core_missed")) == "all core publications"
    assert "everything" in what_to_loosen(ExportSelection(among="corpus"))
