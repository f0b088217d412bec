"""What each browser part is told: every number as the core computed it, null with a reason for what is undefined."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explore.evaluate import Evaluation
from core.explore.landscape import NO_GROUP, LandscapeGroups, lay_out, name_groups, split_curve
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.explore.uncertainty import coverage_sentence
from core.library.records import Record
from core.metrics import METRICS
from core.settings import EvaluationSettings
from core.types import Publication
from dashboard.controls import CONTROLS, COSINE_MODES, NUMBERS
from dashboard.explore.payloads import (
    core_document,
    curve_payload,
    points_payload,
    record_document,
    regions_payload,
    scores_document,
)
from dashboard.kit.browser import finite
from data.explore.scoring import VersionView
from data.explore.workspace import Workspace
from data.store import Headlines
from tests.core.scenes import random_topic
from tests.dashboard.payloads import unpack
from tests.data.workspaces import CORE, MODEL, TOPIC, Version, ids_of, publications

SETTINGS = EvaluationSettings()
NAMES = {"payload_id": "id", "scape": "explore"}
REGION_KEYS = [
    *("kind", "label", "status", "degenerate", "n_relevant", "n_accepted", "semantic_precision", "decay"),
    *("recall_used", "core_accepted", "f_beta", "f_beta_range", "semantic_precision_range", "pending", "defines"),
]


@pytest.fixture
def evaluation(workspace: Workspace) -> Evaluation:
    return workspace.evaluate(TOPIC, "baseline")


def as_json(document: Any) -> Any:
    """As the browser reads it."""
    return json.loads(json.dumps(finite(document), allow_nan=False))


def regions_of(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {region["kind"]: region for region in document["regions"]}


# Scores


def test_scores_are_those_of_the_evaluation(workspace: Workspace, view: VersionView, evaluation: Evaluation) -> None:
    ranges = workspace.sensitivity(view, SETTINGS, DEFAULT_REGIONS)
    document = as_json(scores_document(evaluation, DEFAULT_REGIONS, waiting={}, ranges=ranges))
    assert (document["n_retrieved"], document["n_scorable"], document["n_unscorable"]) == (27, 27, 0)
    assert document["recall"] == {
        "value": 5 / 8,
        "low": evaluation.recall_interval.low,
        "high": evaluation.recall_interval.high,
        "n_found": 5,
        "n_core": 8,
        "attainable": 5 / 8,
        "read_per_core": 27 / 5,
    }
    assert [text.casefold() for text in document["warnings"]] == [w.casefold() for w in evaluation.warnings] != []
    assert document["beta"] == 2
    assert document["coverage"] == coverage_sentence("leave_one_out")
    assert [region["kind"] for region in document["regions"]] == list(DEFAULT_REGIONS)
    for kind, region in regions_of(document).items():
        scores = evaluation.regions[kind]
        assert list(region) == REGION_KEYS
        assert (region["label"], region["status"], region["pending"]) == (REGION_LABELS[kind], "ok", None)
        assert region["n_accepted"] == len(scores.accepted_core_ids)
        for name in ("n_relevant", "semantic_precision", "decay", "recall_used", "f_beta"):
            assert region[name] == getattr(scores, name)
        expected = ranges[kind].f_beta_range if kind in ranges else None
        assert region["f_beta_range"] == (list(expected) if expected else None)
        assert bool(region["defines"]) is (kind != "mvee")


def test_what_defines_a_region_is_said_in_words(evaluation: Evaluation) -> None:
    regions = regions_of(scores_document(evaluation, DEFAULT_REGIONS, waiting={}, ranges={}))
    threshold = evaluation.regions["cosine"].defines["min_similarity"]
    assert regions["cosine"]["defines"] == f"similarity ≥ {threshold:.3f}"
    assert regions["hull"]["defines"] == f"{evaluation.regions['hull'].defines['n_corners']} corners"
    assert regions["cluster"]["defines"] == f"one of {evaluation.regions['cluster'].defines['k']} clusters"


@pytest.mark.parametrize("ids", [(), ("p0",), ("p20", "p21")])
def test_undefined_scores_are_null_with_a_reason(workspace: Workspace, ids: tuple[str, ...]) -> None:
    with workspace.store.transaction():
        workspace.save_topic(TOPIC, CORE, [Version("few", 9, ids)])
    evaluation = workspace.evaluate(TOPIC, "few")
    document = as_json(scores_document(evaluation, DEFAULT_REGIONS, waiting={}, ranges={}))
    hull = regions_of(document)["hull"]
    assert hull["status"] == evaluation.regions["hull"].status != "ok"
    numbers = ("n_relevant", "n_accepted", "semantic_precision", "decay", "recall_used", "core_accepted")
    empty = (*numbers, "f_beta", "f_beta_range")
    assert {hull[name] for name in empty} == {None}
    assert (hull["pending"], hull["defines"], hull["degenerate"]) == (None, "", None)
    assert (document["recall"]["read_per_core"] is None) is not bool(set(ids) & set(CORE))


def test_a_degenerate_region_keeps_its_numbers_and_says_why(workspace: Workspace, evaluation: Evaluation) -> None:
    why = "the first split already takes the core apart: the cluster is the whole list"
    cluster = replace(evaluation.regions["cluster"], degenerate=why, defines={"k": 1, "min_core_share": 0.7})
    changed = replace(evaluation, regions={**evaluation.regions, "cluster": cluster})
    region = regions_of(scores_document(changed, DEFAULT_REGIONS, waiting={}, ranges={}))["cluster"]
    assert (region["status"], region["degenerate"], region["f_beta"]) == ("ok", why, cluster.f_beta)


def test_a_region_that_is_still_computed_says_so(workspace: Workspace, view: VersionView) -> None:
    evaluation, waiting = workspace.evaluate_view(view, SETTINGS)
    document = as_json(
        scores_document(evaluation, DEFAULT_REGIONS, waiting=dict.fromkeys(waiting, "computing"), ranges={})
    )
    cluster = regions_of(document)["cluster"]
    assert list(cluster) == REGION_KEYS
    assert (cluster["pending"], cluster["status"]) == ("computing", "computing")
    assert {cluster[name] for name in ("n_relevant", "n_accepted", "f_beta", "semantic_precision")} == {None}
    assert {region["pending"] for kind, region in regions_of(document).items() if kind != "cluster"} == {None}
    nobody_waits = regions_of(scores_document(evaluation, ("cluster",), waiting={}, ranges={}))["cluster"]
    assert (nobody_waits["status"], nobody_waits["pending"]) == ("not computed", None)


# The record of a publication, and the list of the core


def test_the_record_of_each_publication(view: VersionView, evaluation: Evaluation) -> None:
    known = {p.publication_id: p for p in publications()}
    landscape = view.landscape
    for publication_id, row in landscape.row_of.items():
        near = [(n, known[n.publication_id]) for n in view.nearest(publication_id, 3)]
        record = as_json(record_document(known[publication_id], landscape, evaluation, near))
        retrieved = row < landscape.n_retrieved
        assert (record["row"], record["title"]) == (row, known[publication_id].title)
        assert record["similarity"] == float(landscape.similarities[row])
        assert record["rank"] == (landscape.n_retrieved - row if retrieved else None)
        is_core = publication_id in CORE
        assert record["role"] == ("core missed", "retrieved", "core found")[retrieved + (is_core and retrieved)]
        assert [entry["kind"] for entry in record["why"]] == list(DEFAULT_REGIONS)
        for entry in record["why"]:
            mask = evaluation.regions[entry["kind"]].relevant_mask
            assert mask is not None
            inside = bool(mask[evaluation.scorable_ids.index(publication_id)]) if retrieved else None
            assert entry["inside"] is inside
            assert entry["text"]
        assert [landscape.ids[n["row"]] for n in record["nearest"]] == [n.publication_id for n, _ in near]
        for told, (neighbour, _) in zip(record["nearest"], near, strict=True):
            assert told["core"] is (neighbour.publication_id in CORE)
            assert told["retrieved"] is (neighbour.publication_id in evaluation.scorable_ids)


DETAILED = Record(
    1,
    title="Soup",
    authors=tuple(f"Cook, {letter}" for letter in "ABCDEFGH"),
    venue="Journal of Soup",
    volume="12",
    issue="3",
    pages="7-19",
    kind="article",
    types=("Journal Article", "article", "Randomized Controlled Trial"),
    headings=("Sleep/*drug effects", "Soups", "*Broth"),
    language=("en", "fr"),
    issn=("1234-567X",),
    pmid="31000001",
    pmcid="PMC77",
    references=("pmid:1", "doi:10.1000/x"),
    is_retracted=True,
)


def test_the_record_has_what_its_sources_say(view: VersionView, evaluation: Evaluation) -> None:
    core_id = next(i for i in CORE if i in view.landscape.row_of)
    near = [(n, Publication(n.publication_id, "T")) for n in view.nearest(core_id, 2)]
    retracted = {core_id, near[1][0].publication_id}
    publication = Publication(core_id, "Soup")
    record = as_json(
        record_document(publication, view.landscape, evaluation, near, details=DETAILED, retracted=retracted)
    )
    assert (record["kind"], record["retracted"]) == ("Article", True)
    assert [n["retracted"] for n in record["nearest"]] == [False, True]
    assert {name: value for name, value, _ in record["facts"]} == {
        "Authors": "Cook, A; Cook, B; Cook, C; Cook, D; Cook, E; Cook, F and 2 more authors",
        "Published in": "Journal of Soup 12(3), 7-19",
        "Types": "Journal Article, Randomized Controlled Trial",
        "Language": "English, French",
        "ISSN": "1234-567X",
        "PMID": "31000001",
        "PMCID": "PMC77",
        "References": "2 with an ID",
    }
    addresses = {name: address for name, _, address in record["facts"] if address}
    assert addresses == {
        "PMID": "https://pubmed.ncbi.nlm.nih.gov/31000001/",
        "PMCID": "https://pmc.ncbi.nlm.nih.gov/articles/PMC77/",
    }
    assert record["headings"] == [["Sleep / drug effects", True], ["Soups", False], ["Broth", True]]
    bare = as_json(record_document(publication, view.landscape, evaluation, [], details=Record(1)))
    assert (bare["kind"], bare["retracted"], bare["facts"], bare["headings"]) == (None, False, [], [])


def test_retracted_publications_are_known_by_their_rows(workspace: Workspace, view: VersionView) -> None:
    core_id = next(i for i in CORE if i in view.landscape.row_of)
    retracted = frozenset({core_id, "elsewhere"})
    _, _, header, _ = points_of(workspace, view, retracted)
    assert header["retracted"] == [view.landscape.row_of[core_id]]
    assert [entry["row"] for entry in header["core_list"] if entry["retracted"]] == header["retracted"]
    assert points_of(workspace, view)[2]["retracted"] == []


def test_a_publication_that_has_no_row(view: VersionView, evaluation: Evaluation) -> None:
    record = as_json(record_document(Publication("elsewhere", "T"), view.landscape, evaluation, []))
    assert (record["row"], record["similarity"], record["rank"]) == (None, None, None)
    assert {entry["text"] for entry in record["why"]} == {"not retrieved"}


def test_the_core_is_listed_with_the_missed_first_the_most_similar_first(
    view: VersionView, evaluation: Evaluation
) -> None:
    core = [p for p in publications() if p.publication_id in CORE]
    landscape = replace(view.landscape, similarities=view.landscape.similarities.copy())
    for publication_id, similarity in (("p0", 0.0), ("p1", -0.5), ("p3", 0.0), ("p4", -0.25), ("p5", 0.75)):
        landscape.similarities[landscape.row_of[publication_id]] = similarity
    document = as_json(core_document([*core, Publication("no vector", "N")], evaluation.found_core_ids, landscape))
    assert document["n_core_missed"] == 4
    missed, found = document["core_list"][:4], document["core_list"][4:]
    assert {entry["found"] for entry in missed} == {False}
    assert {entry["found"] for entry in found} == {True}
    assert missed[-1] == {
        "id": "no vector",
        "row": None,
        "title": "N",
        "year": None,
        "found": False,
        "retracted": False,
        "similarity": None,
    }
    for part in (missed[:-1], found):
        similarities = [entry["similarity"] for entry in part]
        assert similarities == sorted(similarities, reverse=True)


documents = st.recursive(
    st.one_of(st.floats(), st.integers(), st.text(), st.none(), st.booleans()),
    lambda inner: st.one_of(st.lists(inner), st.tuples(inner, inner), st.dictionaries(st.text(), inner)),
    max_leaves=20,
)


@given(documents)
def test_any_document_is_json_once_it_is_finite(document: Any) -> None:
    once = finite(document)
    assert json.loads(json.dumps(once, allow_nan=False)) == once
    assert finite(once) == once


def test_finite_changes_nothing_but_what_json_lacks() -> None:
    given_ = {"a": [1, 2.5, float("nan")], 3: (float("inf"), None, True), "b": {"c": -float("inf")}}
    assert finite(given_) == {"a": [1, 2.5, None], "3": [None, None, True], "b": {"c": None}}
    assert finite(np.float64("nan")) is None


# Payloads


def points_of(
    workspace: Workspace, view: VersionView, retracted: frozenset[str] = frozenset()
) -> tuple[LandscapeGroups, Headlines, dict[str, Any], dict[str, Any]]:
    headlines = workspace.store.headlines(view.landscape.ids)
    there = view.landscape.points
    groups = name_groups(there if there is not None else np.zeros((len(view.landscape), 2)), headlines.titles)
    payload = points_payload(
        view.landscape,
        headlines,
        groups,
        workspace.store.found_by(TOPIC, view.landscape.ids),
        core_document(workspace.publications(CORE), set(view.retrieved_ids), view.landscape, retracted),
        retracted=retracted,
        topic=TOPIC,
        version="baseline",
        embedder=MODEL,
        made_up=False,
        **NAMES,
    )
    return groups, headlines, *unpack(payload)


def test_points_have_a_value_for_every_row(workspace: Workspace, view: VersionView) -> None:
    groups, headlines, header, arrays = points_of(workspace, view)
    assert set(header["texts"]) == set(header["labels"]) == set(METRICS)
    assert sorted(entry["title"] for entry in header["core_list"]) == sorted(
        p.title for p in workspace.publications(CORE)
    )
    landscape, rows, n = view.landscape, len(view.landscape), view.landscape.n_retrieved
    assert (header["kind"], header["id"], header["scape"]) == ("points", "id", "explore")
    assert (header["n"], header["n_missed"], header["n_core"], header["has_landscape"]) == (n, rows - n, 8, True)
    assert landscape.points is not None
    assert (arrays["x"].tolist(), arrays["y"].tolist()) == tuple(landscape.points.astype(np.float32).T.tolist())
    assert header["bounds"] == [*landscape.points.min(axis=0), *landscape.points.max(axis=0)]
    assert arrays["similarity"].tolist() == landscape.similarities.tolist()
    assert arrays["year"].tolist() == [1990 + int(i[1:]) for i in landscape.ids]
    assert arrays["group"].tolist() == groups.group_of.tolist()
    assert header["group_names"] == list(groups.coloured)
    assert [(g["text"], g["n"], g["level"]) for g in header["groups"]] == [(g.name, g.n, g.level) for g in groups.named]
    assert arrays["core"].tolist() == landscape.core_mask.tolist()
    assert header["sources"] == ["baseline", "review"]
    in_baseline = set(ids_of(3, 30))
    assert arrays["source"].tolist() == [(i in in_baseline) + 2 for i in landscape.ids]
    assert arrays["titles"].tobytes().decode().split("\n") == list(headlines.titles)
    assert arrays["dois"].tobytes().decode().split("\n") == [""] * rows
    curve = split_curve(landscape, SETTINGS)
    assert arrays["core_accepted"].tolist() == curve.core_accepted.astype(np.float32).tolist()
    assert arrays["semantic_precision"].tolist() == curve.semantic_precision.astype(np.float32).tolist()
    types = {name: array.dtype for name, array in arrays.items()}
    assert {types[name] for name in ("x", "y", "similarity", "core_accepted", "semantic_precision")} == {np.dtype("f4")}
    assert {types[name] for name in ("group", "source", "core", "titles", "dois")} == {np.dtype("u1")}
    assert types["year"] == np.int16


def test_the_frame_holds_what_is_not_retrieved(view: VersionView) -> None:
    rows = len(view.landscape)
    besides = np.array([[-90.0, 5.0], [1.0, 70.0]])
    nothing_found_by = ((), np.zeros(rows, dtype=np.uint8))
    given: dict[str, Any] = {"topic": TOPIC, "version": "v", "embedder": MODEL, "made_up": False, **NAMES}
    heads = Headlines(("",) * rows, np.zeros(rows, dtype=np.int16), ("",) * rows)
    payload = points_payload(
        view.landscape, heads, LandscapeGroups.none(rows), nothing_found_by, {}, points_besides=besides, **given
    )
    header, arrays = unpack(payload)
    assert (arrays["besides_x"].tolist(), arrays["besides_y"].tolist()) == tuple(besides.T.tolist())
    assert view.landscape.points is not None
    framed = np.concatenate([view.landscape.points, besides])
    assert header["bounds"] == [*framed.min(axis=0), *framed.max(axis=0)]
    assert (header["n"], len(arrays["x"])) == (view.landscape.n_retrieved, rows)


def test_points_say_what_the_browser_needs_to_say(workspace: Workspace, view: VersionView) -> None:
    _, _, header, _ = points_of(workspace, view)
    assert [entry["kind"] for entry in header["kinds"]] == list(DEFAULT_REGIONS)
    assert all(entry["help"].endswith(".") and entry["label"] for entry in header["kinds"])
    spaces = {entry["kind"]: entry["space"] for entry in header["kinds"]}
    assert {kind for kind, space in spaces.items() if space == "projection"} == {"mvee", "hull"}
    assert header["controls"] == json.loads(json.dumps(CONTROLS))
    assert set(header["controls"]) == {*NUMBERS, "cosine_mode"}
    assert {option["value"] for option in header["controls"]["cosine_mode"]["options"]} == set(COSINE_MODES)


@pytest.mark.parametrize("n_retrieved", [0, 1, 30])
def test_points_without_a_landscape_or_without_anything_retrieved(n_retrieved: int) -> None:
    topic = random_topic(1)
    topic = topic.with_(retrieved_ids=topic.retrieved_ids[:n_retrieved])
    landscape = replace(lay_out(topic.scene), points=None)
    rows = len(landscape)
    payload = points_payload(
        landscape,
        Headlines(("",) * rows, np.zeros(rows, dtype=np.int16), ("",) * rows),
        name_groups(np.zeros((0, 2)), ())
        if not rows
        else LandscapeGroups((), (), np.full(rows, NO_GROUP, dtype=np.uint8)),
        ((), np.zeros(rows, dtype=np.uint8)),
        {},
        topic="t",
        version="v",
        embedder="e",
        made_up=True,
        **NAMES,
    )
    header, arrays = unpack(payload)
    assert (header["has_landscape"], header["made_up"], header["n"]) == (False, True, n_retrieved)
    assert header["bounds"] == [0, 0, 0, 0]
    assert {len(arrays[name]) for name in ("x", "y", "similarity", "year", "group", "source", "core")} == {rows}
    assert {len(arrays[name]) for name in ("core_accepted", "semantic_precision")} == {n_retrieved + 1}


def test_the_curve_has_an_entry_for_every_split(view: VersionView) -> None:
    curve = split_curve(view.landscape, EvaluationSettings(decay_limit=20))
    header, arrays = unpack(curve_payload(curve, **NAMES))
    assert header["kind"] == "curve"
    assert set(arrays) == {"decay", "f_beta"}
    assert len(arrays["decay"]) == len(arrays["f_beta"]) == view.landscape.n_retrieved + 1
    assert arrays["f_beta"].tolist() == curve.f_beta.astype(np.float32).tolist()


def test_bitsets_hold_the_masks_in_the_order_of_the_rows(view: VersionView, evaluation: Evaluation) -> None:
    header, arrays = unpack(regions_payload(view.landscape, evaluation, view.outlines(), **NAMES))
    assert (header["kind"], header["undefined"]) == ("regions", {})
    assert set(arrays) == {
        "mask_nearest_core",
        "mask_mvee",
        "mask_hull",
        "mask_cluster",
        "outline_mvee",
        "outline_hull",
    }
    n = view.landscape.n_retrieved
    for kind in ("nearest_core", "mvee", "hull", "cluster"):
        mask = evaluation.regions[kind].relevant_mask  # type: ignore[index]
        assert mask is not None
        inside = {i for i, ok in zip(evaluation.scorable_ids, mask, strict=True) if ok}
        bits = arrays[f"mask_{kind}"]
        assert len(bits) == -(-n // 8)
        unpacked = [bool(bits[row >> 3] >> (7 - (row & 7)) & 1) for row in range(n)]
        assert unpacked == [i in inside for i in view.landscape.ids[:n]]
    for kind, outline in view.outlines().items():
        assert arrays[f"outline_{kind}"].reshape(-1, 2).tolist() == outline.astype(np.float32).tolist()


def test_an_undefined_region_has_a_reason_in_place_of_a_bitset(workspace: Workspace) -> None:
    with workspace.store.transaction():
        workspace.save_topic(TOPIC, CORE, [Version("few", 9, ("p0", "p30"))])
    few = workspace.view(TOPIC, "few", MODEL)
    evaluation, _ = workspace.evaluate_view(few, SETTINGS)
    header, arrays = unpack(regions_payload(few.landscape, evaluation, few.outlines(), **NAMES))
    assert set(arrays) == {"mask_nearest_core"}
    assert header["undefined"] == {
        "mvee": "needs 3 found core publications",
        "hull": "needs 3 found core publications",
        "cluster": "needs 2 found core publications",
    }
