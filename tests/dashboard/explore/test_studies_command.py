"""The commands `studies` and `labs`: each number is the one that the page's own functions give."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from core.explore.regions import DEFAULT_REGIONS
from core.explore.studies import (
    STUDY_METRICS,
    SURVEY_TEMPLATES,
    StudyScore,
    change,
    columns_of,
    facts_by_kind,
    facts_of,
    study_thresholds,
    survey_words,
)
from core.protocols import silent
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.settings import EvaluationSettings
from core.types import Origin
from dashboard.explore.labs import LABS
from dashboard.explore.labs.bench import LabChoice, lab_document, read_values
from data.explore.studies import (
    core_sets,
    known_curves,
    known_scores,
    load_published_curves,
    save_published_curves,
    want,
)
from data.explore.workspace import Workspace
from data.library.litqeval import read_published
from tests.dashboard.runs import Runner, in_json
from tests.data.explore.test_published import CURVE, curve_lines
from tests.data.workspaces import MODEL, TOPIC, ids_of

SETTINGS = EvaluationSettings()
ORIGINS: tuple[Origin, ...] = ("baseline", "review")
QUICK = [name for name in LABS if name != "projection"]


@pytest.fixture
def opened(run: Runner) -> Iterator[Workspace]:
    with Workspace.open(run.root) as workspace:
        with workspace.store.transaction():
            workspace.save_topic("Nets", ("p3", *ids_of(20, 30)), ())
        yield workspace


@pytest.mark.parametrize("template", SURVEY_TEMPLATES)
def test_the_query_for_surveys_in_every_dialect(run: Runner, template: str) -> None:
    document = run("studies", "surveys", "soft robot*", "--template", template, "--json").document
    assert list(document["queries"]) == list(DIALECTS)
    plain = parse(document["queries"]["plain"]["text"], "plain").root
    assert plain is not None
    assert plain.parts[0] == survey_words(template)  # type: ignore[union-attr, arg-type]


def test_the_published_words_come_first_and_one_dialect_is_enough(run: Runner) -> None:
    told = run("studies", "surveys", "soft robot*", "--to", "scopus", "--json").document
    assert (told["template"], list(told["queries"])) == ("published", ["scopus"])
    assert "Core Literature" in run("studies", "surveys", "soft robot*", "--to", "scopus").out


def test_demo_topics_take_part_if_they_are_named_or_alone(run: Runner, opened: Workspace) -> None:
    def studied(*names: str) -> list[str]:
        return [topic["topic"] for topic in run("studies", "facts", *names, "--json").document["topics"]]

    with opened.store.transaction():
        opened.save_topic("Played", ids_of(0, 5), (), made_up=True)
    assert studied() == ["Nets", TOPIC]
    assert "1 demo topic" in run("studies", "facts", "--json").err
    assert studied("--topics", "Played", "Nets") == ["Nets", "Played"]
    with opened.store.transaction():
        for row in opened.store.topics():
            opened.save_topic(row.topic_id, opened.store.load_core_ids(row.topic_id), (), made_up=True)
    assert studied() == ["Nets", "Played", TOPIC]


def test_facts_are_those_of_the_core_sets(run: Runner, opened: Workspace) -> None:
    topics = core_sets(opened)
    opened.close()
    document = run("studies", "facts", "--json").document
    assert document["all"] == in_json(asdict(facts_of(topics)))
    assert document["by_kind"] == {"unknown": in_json(asdict(facts_by_kind(topics)[None]))}
    assert document["in_several"] == {"p3": ["Nets", TOPIC]}
    assert {t["topic"]: [p["publication_id"] for p in t["core"]] for t in document["topics"]} == {
        topic.topic_id: list(topic.core_ids) for topic in topics
    }
    assert "In several" in run("studies", "facts").out


def test_a_kind_of_survey_is_set_and_withdrawn(run: Runner) -> None:
    document = run("studies", "facts", "--set-kind", TOPIC, "bibliometric", "--json").document
    assert list(document["by_kind"]) == ["bibliometric"]
    assert list(run("studies", "facts", "--set-kind", TOPIC, "unknown", "--json").document["by_kind"]) == ["unknown"]
    assert "bibliometric, systematic review" in run("studies", "facts", "--set-kind", TOPIC, "poem").mistake


def test_scores_differences_and_what_is_left_out_are_those_of_the_page(run: Runner, opened: Workspace) -> None:
    opened.close()
    document = run("studies", "scores", "--json").document
    assert document["origins"] == list(ORIGINS)
    with Workspace.open(run.root) as workspace:
        known = known_scores(workspace, want(workspace, [TOPIC, "Nets"], ORIGINS, MODEL), SETTINGS)
    (a, b) = (s for s in known.values() if s is not None)
    assert document["scores"] == {
        origin: [in_json(asdict(s) | {"recall": s.recall})] for origin, s in zip(ORIGINS, (a, b), strict=True)
    }
    columns = columns_of(STUDY_METRICS, DEFAULT_REGIONS)
    moved = [change(a, b, column) for column in columns]
    assert [(d["metric"], d["region"]) for d in document["differences"]] == [(c.metric, c.region) for c in columns]
    assert [d["difference"] for d in document["differences"]] == in_json([m.value for m in moved])
    (left_out,) = document["left_out"]
    assert (left_out["topic"], left_out["reason"].split()[-3:]) == ("Nets", ["baseline", "and", "review"])
    assert "Nets" in run("studies", "scores").out


def test_one_origin_has_no_differences_and_three_are_too_many(run: Runner) -> None:
    document = run("studies", "scores", "--origin", "review", "--json").document
    assert (document["origins"], document["differences"]) == (["review"], [])
    three = [part for origin in ("review", "baseline", "manual") for part in ("--origin", origin)]
    assert "once or twice, got 3" in run("studies", "scores", *three).mistake


@pytest.mark.parametrize("score", ["source", "ours"])
def test_thresholds_are_those_of_the_study(run: Runner, score: StudyScore) -> None:
    asked = ("studies", "thresholds", "--score", score, "--at", "0.3", "--points", "--json")
    document = run(*asked).document
    with Workspace.open(run.root) as workspace:
        curves = [c for c in known_curves(workspace, want(workspace, [TOPIC], ["baseline"], MODEL)).values() if c]
    assert (document["curves"], document["origin"], document["embedder"]) == ("own", "baseline", MODEL)
    _is_the_study(document, curves, score)
    assert [cost["at"] for cost in document["costs"]] == ["single", "mean_of_best", "asked"]
    (topic,) = document["topics"]
    assert topic["n_relevant"] == curves[0].n_relevant.tolist()


def test_published_curves_come_first_where_they_are_loaded(run: Runner, tmp_path: Path) -> None:
    assert "no published curves" in run("studies", "thresholds", "--curves", "published").mistake
    (tmp_path / "published_threshold_curves.csv").write_text(CURVE + curve_lines(TOPIC), "utf-8")
    with Workspace.open(run.root) as workspace:
        with workspace.store.transaction():
            save_published_curves(workspace.store, read_published(tmp_path, [TOPIC]).curves)
        curves = [published.curve for published in load_published_curves(workspace.store)]
    document = run("studies", "thresholds", "--json").document
    assert (document["curves"], document["origin"]) == ("published", None)
    _is_the_study(document, curves, "source")
    assert run("studies", "thresholds", "--curves", "own", "--json").document["curves"] == "own"


def _is_the_study(document: Mapping[str, Any], curves: Any, score: StudyScore) -> None:
    study = study_thresholds(curves, score=score, settings=SETTINGS)
    other: StudyScore = "ours" if score == "source" else "source"
    mean = study_thresholds(curves, score=other, settings=SETTINGS).mean_of_best
    assert document["mean_of_best"] == in_json({score: study.mean_of_best, other: mean})
    assert document["single"] == study.single
    assert [t["best_threshold"] for t in document["topics"]] == [t.best_threshold for t in study.topics]
    for cost in document["costs"]:
        assert cost["topics"] == [
            {"topic": each.topic_id, "score": each.score, "cost": each.cost} for each in study.costs(cost["threshold"])
        ]


def test_strings_are_the_same_under_both_names(run: Runner) -> None:
    assert run("studies", "strings", "--json").document == run("query", "batch", "--json").document


def test_labs_are_listed(run: Runner) -> None:
    assert [lab["lab"] for lab in run("labs", "--json").document["labs"]] == list(LABS)
    assert all(name in run("labs").out for name in LABS)


@pytest.mark.parametrize("name", QUICK)
def test_a_lab_shows_what_the_page_draws(run: Runner, name: str) -> None:
    lab = LABS[name]
    with Workspace.open(run.root) as workspace:
        material = lab.material(workspace, lambda key, title, work: work(silent)) if lab.material else None
        controls = lab.controls(material)
        last = [c for c in controls if isinstance(c, LabChoice)][-1:]
        sent = {c.name: c.options[-1][0] for c in last}  # a version of the workspace, where a lab takes one
        values = read_values(controls, sent)
        drawn = lab_document(lab, controls, values, lab.bench(material, values), ())
    moved = [part for control, value in sent.items() for part in ("--set", f"{control}={value}")]
    document = run("labs", name, *moved, "--json").document
    expected = json.loads(json.dumps(drawn))
    assert {key: document[key] for key in ("controls", "values", "bench")} == {
        key: expected[key] for key in ("controls", "values", "bench")
    }
    assert drawn["bench"]["sentence"].split()[0] in run("labs", name, *moved).out


def test_a_value_that_a_lab_does_not_take_is_a_mistake(run: Runner) -> None:
    assert "from 500 to 500000" in run("labs", "decay", "--set", "decay_limit=1e9").mistake
    assert "no 'x' in this lab" in run("labs", "decay", "--set", "x=1").mistake
    assert "--set CONTROL=VALUE" in run("labs", "decay", "--set", "beta").mistake
    assert "toy, decay" in run("labs", "decai").mistake
