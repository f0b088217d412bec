"""Labels of screening tools: the phases of a review that they tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.filing import delete_source
from data.library.imports import ImportChoices, bring, bring_files, labels_of_file
from data.library.records import SourceRole, load_sources
from data.library.roles import source_named
from data.library.searches import load_searches, phase_ids

TEA = "tea"
ASREVIEW = b"title,abstract,asreview_label\nGreen tea,x,1\nBlack tea,x,0\nWhite tea,x,1\n"
RAYYAN = (
    b'key,title,pubmed_id,notes\n1,Green tea,,"RAYYAN-INCLUSION: {""A""=>""Included""}"\n'
    b'2,Black tea,,"RAYYAN-INCLUSION: {""A""=>""Excluded""}"\n3,White tea,,"RAYYAN-INCLUSION: {""A""=>""Included""}"\n'
)
CITESOURCE = b"title,cite_source,cite_label\nGreen tea,a,final\nBlack tea,a,search\nWhite tea,a,screened\n"


def counts(workspace: Workspace) -> dict[str, int]:
    return {phase: len(ids) for phase, ids in phase_ids(workspace.store, TEA).items()}


@pytest.mark.parametrize(
    ("data", "tool", "screened", "included"),
    [(ASREVIEW, "ASReview", 2, 2), (RAYYAN, "Rayyan", 2, 2), (CITESOURCE, "CiteSource", 2, 1)],
)
def test_labels_tell_a_phase_on_request(
    workspace: Workspace, tmp_path: Path, data: bytes, tool: str, screened: int, included: int
) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(data)
    done = bring_files(workspace, TEA, SourceRole("corpus"), [path])
    assert tool in done.files[0].labels
    assert counts(workspace) == {}
    source = source_named(workspace.store, TEA, "labels.csv")
    labels_of_file(workspace, TEA, source.source_id, "screened")
    assert counts(workspace) == {"screened": screened}
    labels_of_file(workspace, TEA, source.source_id, "screened")  # again: nothing happens
    labels_of_file(workspace, TEA, source.source_id, "included")
    after = counts(workspace)
    assert after == {"screened": screened, "included": included}
    assert len(load_searches(workspace.store, TEA)) == 1
    assert len(workspace.store.topic_publication_ids(TEA)) == 3
    for source in load_sources(workspace.store, TEA):
        if not source.role.is_search:
            delete_source(workspace, TEA, source.source_id)
    assert counts(workspace) == {}
    bring_files(workspace, "other", SourceRole("corpus"), [path], ImportChoices(labels_as=("screened", "included")))
    assert {phase: len(ids) for phase, ids in phase_ids(workspace.store, "other").items()} == after


def test_a_file_without_labels_tells_no_phase(workspace: Workspace) -> None:
    bring(workspace, TEA, SourceRole("corpus"), [read_data(b"title,year\nGreen tea,2001\n", "a.csv")])
    with pytest.raises(InputError):
        labels_of_file(workspace, TEA, source_named(workspace.store, TEA, "a.csv").source_id, "included")


@pytest.mark.collections
@pytest.mark.parametrize(
    ("file", "n", "n_screened", "n_included"),
    [
        ("asreview_Kitchenham_2010/Kitchenham_2010.csv", 1_704, 45, 45),  # one column, which names no phase
        ("asreview_Cohen_2006/ADHD.csv", 851, 84, 20),
        ("asreview_Cohen_2006/Antihistamines.csv", 310, 92, 16),
        ("asreview_Cohen_2006/Triptans.csv", 671, 218, 24),
    ],
)
def test_labels_of_real_reviews(
    workspace: Workspace, collections_dir: Path, file: str, n: int, n_screened: int, n_included: int
) -> None:
    choices = ImportChoices(labels_as=("screened", "included"))
    done = bring_files(workspace, TEA, SourceRole("corpus"), [collections_dir / file], choices)
    assert done.files[0].records_in_file == n
    counted = {source.role.kind: source.n_records for source in load_sources(workspace.store, TEA)}
    assert counted == {"corpus": n, "screened": n_screened, "included": n_included}
