"""Core sets of all topics, kinds of surveys, the space that topics share, and surveys that are here already."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError, NotFoundError
from core.explore.landscape import MIN_PUBLICATIONS
from core.explore.studies import facts_of, in_several
from core.types import Ids, Publication
from data.demo.loading import bring_litqeval
from data.explore.core_sets import LSA, JointLandscape, candidates, embedders_for, gather, known_together, put_together
from data.explore.studies import core_sets, set_survey_kind
from data.explore.workspace import Workspace
from tests.data.collections import write_workbook
from tests.data.workspaces import publications, toy_vectors, write_npz
from tests.messages import refusal

TEA: Ids = tuple(f"p{i}" for i in range(10))
NETS: Ids = tuple(f"p{i}" for i in range(20, 30))


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """Two topics that share p0, with vectors of a model that serves both; p9 and p10 have none."""
    with Workspace.open(tmp_path / "ws") as workspace:
        fill_two(workspace, tmp_path)
        yield workspace


def fill_two(workspace: Workspace, folder: Path) -> None:
    with workspace.store.transaction():
        survey = Publication("s1", "Tea: the most influential publications", year=2030, times_cited=7)
        workspace.store.save_publications([*publications(), survey])
        workspace.save_topic("Tea", TEA, (), survey_id="s1")
        workspace.save_topic("Nets", (*NETS, "p0"), ())
    ids = [i for i in (*TEA, *NETS) if i != "p9"]
    workspace.add_vectors(write_npz(folder / "two.npz", ids, toy_vectors(ids)), "toy")


def whole(workspace: Workspace, embedder: str = "toy") -> JointLandscape:
    return put_together(workspace, core_sets(workspace), embedder, "pca")


def test_core_sets_come_with_their_survey(ws: Workspace) -> None:
    nets, tea = core_sets(ws)
    assert (tea.topic_id, tea.core_ids) == ("Tea", TEA)
    assert (tea.survey_title, tea.survey_year) == ("Tea: the most influential publications", 2030)
    assert (nets.survey_id, nets.survey_title, nets.survey_year, nets.survey_kind) == (None, "", None, None)
    assert tea.years[0] == 1990
    assert tea.years_before_survey[0] == 40
    assert in_several([nets, tea]) == {"p0": ("Nets", "Tea")}
    assert [t.topic_id for t in core_sets(ws, ["Tea"])] == ["Tea"]
    assert core_sets(ws, []) == ()


def test_a_core_publication_that_nothing_is_known_of_is_counted(ws: Workspace) -> None:
    with ws.store.transaction():
        ws.save_topic("Bare", ("gone",), ())
        ws.save_topic("Empty", (), ())
    bare, empty, *_ = core_sets(ws)
    assert (len(bare), bare.n_without_metadata, bare.n_without_abstract, bare.times_cited) == (1, 1, 1, (None,))
    assert (empty.topic_id, len(empty)) == ("Empty", 0)


def test_a_kind_survives_closing_and_a_new_core_set(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:
        fill_two(workspace, tmp_path)
        set_survey_kind(workspace, "Tea", "bibliometric")
        with workspace.store.transaction():
            workspace.save_topic("Tea", TEA[:3], ())
    with Workspace.open(tmp_path / "ws") as workspace:
        assert [t.survey_kind for t in core_sets(workspace)] == [None, "bibliometric"]
        set_survey_kind(workspace, "Tea", None)
        assert core_sets(workspace)[1].survey_kind is None


def test_a_kind_needs_a_topic_and_one_of_two_words(ws: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no topic"):
        set_survey_kind(ws, "Coffee", "bibliometric")
    with refusal(InputError):
        set_survey_kind(ws, "Tea", "x'; DROP TABLE topics; --")  # type: ignore[arg-type]


def write_small_litqeval(folder: Path) -> None:
    """Three topics: with a review's search string, without one, and one that queries.json does not know."""
    folder.mkdir()
    rows = [[f"Topic {n}", "s1" if n == "A" else None, f"{n}{i}", "T"] for n in "ABC" for i in range(2)]
    write_workbook(folder / "core_publications.xlsx", [["Topic", "Survey", "Pub_id", "Title"], *rows])
    head = ["id", "title", "abstract", "doi", "times_cited", "year"]
    write_workbook(folder / "metadata.xlsx", [head, ["s1", "A review", "", "", 3, 2020], ["A0", "T", "x", "", 0, 2001]])
    queries = [{"baseline": "Topic A", "slr": "a OR b"}, {"baseline": "Topic B", "predicted": "b"}]
    (folder / "queries.json").write_text(json.dumps(queries), "utf-8")


def test_litqeval_says_the_kind_and_a_person_has_the_last_word(tmp_path: Path) -> None:
    write_small_litqeval(tmp_path / "small")
    with Workspace.open(tmp_path / "ws") as workspace:
        bring_litqeval(workspace, str(tmp_path / "small"))
        a, b, c = core_sets(workspace)
        assert [t.survey_kind for t in (a, b, c)] == ["systematic review", "bibliometric", None]
        assert (a.survey_title, a.survey_year, b.survey_year) == ("A review", 2020, None)
        assert (a.n_without_metadata, a.times_cited) == (1, (0, None))
        assert "s1" not in workspace.store.topic_publication_ids("Topic A")
        set_survey_kind(workspace, "Topic A", "bibliometric")
        bring_litqeval(workspace, str(tmp_path / "small"))
        assert core_sets(workspace)[0].survey_kind == "bibliometric"


# Together


def test_an_embedder_must_cover_every_topic(ws: Workspace, tmp_path: Path) -> None:
    ws.add_vectors(write_npz(tmp_path / "one.npz", TEA, toy_vectors(TEA)), "only tea")
    both, tea = core_sets(ws), core_sets(ws, ["Tea"])
    assert embedders_for(ws, both) == ("toy", LSA)
    assert embedders_for(ws, tea) == ("only tea", "toy", LSA)


def test_a_shared_publication_is_gathered_once(ws: Workspace) -> None:
    found = gather(ws, core_sets(ws), "toy")
    assert found is not None
    assert sorted(found.embedded.ids) == sorted({*TEA, *NETS} - {"p9"})
    assert Counter(found.topic_of) == {"Nets": 11, "Tea": 8}
    assert dict(found.without) == {"Tea": 1}
    assert found.n_topics == 2


def test_two_themes_fall_apart_but_for_the_one_they_share(ws: Workspace) -> None:
    found = whole(ws)
    assert found.purity is not None
    assert found.purity_in_picture is not None
    assert found.purity.overall == pytest.approx(18 / 19)
    assert dict(found.purity.of_topic) == pytest.approx({"Nets": 10 / 11, "Tea": 1.0})


def test_nothing_is_made_twice_and_a_new_vector_makes_it_anew(ws: Workspace, tmp_path: Path) -> None:
    topics = core_sets(ws)
    assert known_together(ws, topics, "toy", "pca").labels is None
    before = whole(ws)
    known = known_together(ws, topics, "toy", "pca")
    assert known.is_whole
    np.testing.assert_array_equal(known.labels, before.labels)
    np.testing.assert_array_equal(known.points, before.points)
    assert not known_together(ws, topics, "toy", "umap").is_whole
    ws.add_vectors(write_npz(tmp_path / "more.npz", ["p9"], toy_vectors(["p9"])), "toy")
    assert known_together(ws, topics, "toy", "pca").labels is None


def test_lsa_is_fitted_over_all_of_them_together(ws: Workspace) -> None:
    assert known_together(ws, core_sets(ws), LSA, "pca").gathered is None
    found = whole(ws, LSA)
    assert found.gathered is not None
    assert found.purity is not None
    assert len(found.gathered.embedded) == 20
    assert found.purity.overall >= 0.9
    with ws.store.transaction():
        ws.store.save_publications([Publication("p1", "Another title altogether")])
    assert known_together(ws, core_sets(ws), LSA, "pca").gathered is None


def test_too_little_to_lay_out_says_so(ws: Workspace) -> None:
    with refusal(InputError):
        gather(ws, core_sets(ws, ["Tea"]), "toy")
    with refusal(InputError):
        gather(ws, core_sets(ws), "unheard")
    with ws.store.transaction():
        ws.save_topic("Tea", ("p1",), ())
        ws.save_topic("Nets", ("p21",), ())
    with pytest.raises(InputError, match=f"{MIN_PUBLICATIONS} are needed"):
        gather(ws, core_sets(ws), "toy")


# Surveys


def test_surveys_are_found_by_their_titles_alone(ws: Workspace) -> None:
    with ws.store.transaction():
        titles = {
            "p1": "A bibliometric study of tea",
            "p2": "Tea bibliometrics and Co-citation",
            "p3": "A citation of tea",
            "x1": "Scientometric work of no topic",
        }
        ws.store.save_publications([Publication(i, title, times_cited=len(i)) for i, title in titles.items()])
        ws.store.save_publications([Publication("p4", "Tea", "A bibliometric abstract")])
    found = candidates(ws, ["Tea", "Nets"], "bibliometric")
    assert [(c.publication.publication_id, c.topics, c.survey_of) for c in found] == [
        ("s1", (), ("Tea",)),
        ("p1", ("Tea",), ()),
        ("p2", ("Tea",), ()),
    ]
    assert candidates(ws, ["Nets"], "bibliometric") == ()
    assert candidates(ws, ["Tea"], "systematic review") == ()


# The real collection


@pytest.mark.collections
def test_litqeval_in_numbers(litqeval: Workspace) -> None:
    topics = core_sets(litqeval)
    facts = facts_of(topics)
    assert (facts.n_topics, facts.n_entries, facts.n_publications, facts.n_in_several) == (21, 808, 805, 3)
    assert (facts.n_without_abstract, facts.n_without_metadata, facts.n_without_citations) == (39, 39, 39)
    assert (facts.n_never_cited, facts.median_times_cited) == (5, 143.5)
    assert Counter(t.survey_kind for t in topics) == {"bibliometric": 14, "systematic review": 7}
    without = [t.topic_id for t in topics if t.survey_year is None]
    assert without == ["Software Defect Prediction"]
    assert all(t.survey_title for t in topics if t.topic_id not in without)
    assert {t.survey_year for t in topics if t.topic_id == "Perovskite Solar Cells Stability"} == {2024}


@pytest.mark.slow
@pytest.mark.collections
def test_litqeval_falls_apart_by_topic(litqeval: Workspace, collections_dir: Path) -> None:
    litqeval.add_vectors(collections_dir / "litqeval/vectors_minilm384.npz", "minilm")
    found = put_together(litqeval, core_sets(litqeval), "minilm", "pca")
    assert found.gathered is not None
    assert found.purity is not None
    assert found.purity_in_picture is not None
    assert (len(found.gathered.embedded), found.gathered.n_topics) == (766, 21)
    assert found.purity.overall == pytest.approx(0.918, abs=0.03)
    assert found.purity_in_picture.overall < 0.7 < found.purity.adjusted_rand
