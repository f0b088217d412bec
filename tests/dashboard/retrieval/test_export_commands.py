"""`export collection` and `export run`: other programs measure the files as `benchmark` does, and they come back."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import pytest

from data.explore.workspace import Workspace
from data.retrieval.collections import open_collection, topic_as_query
from tests.dashboard.beir import write_beir
from tests.dashboard.runs import Runner
from tests.data.workspaces import CORE, TOPIC, fill

TEXTS = {
    "d1": ("Tea leaves", "Leaves steeped in hot water make tea."),
    "d 2": ("Kettles", "A kettle boils water for tea, and quickly."),
    "d3": ("", "Processes are mined from the logs of events."),
    "d4": ("Places", "Where tea grows: hills with rain."),
}
QUERIES = [{"_id": "q1", "text": "boiling tea water"}, {"_id": "q 2", "text": "places of tea"}]
JUDGED = [("q1", "d1", 2), ("q1", "d 2", 1), ("q 2", "d4", 1), ("q 2", "d3", 0)]
METRICS = {"ndcg@10": "nDCG@10", "map": "AP", "mrr": "RR", "recall@20": "R@20", "precision@10": "P@10"}


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(tmp_path / "ws", capsys)


@pytest.fixture
def filled(run: Runner) -> Runner:
    fill(run.root)
    return run


def measured(qrels: Path, answers: Path) -> dict[str, float]:
    values = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(name) for name in METRICS.values()],
        list(ir_measures.read_trec_qrels(str(qrels))),
        list(ir_measures.read_trec_run(str(answers))),
    )
    return {str(measure): value for measure, value in values.items()}


def test_other_programs_measure_what_benchmark_does(run: Runner, tmp_path: Path) -> None:
    folder, qrels, answers = write_beir(tmp_path / "tea", TEXTS, QUERIES, JUDGED), tmp_path / "qrels", tmp_path / "run"
    run("get", "collection", folder)
    asked = ("benchmark", "--collection", "tea", "--metrics", ",".join(METRICS), "--json")
    ours = run(*asked, "--retrievers", "bm25", "--export-run", answers).document
    document = run("export", "collection", "--collection", "tea", "--qrels", qrels, "--json").document
    assert (document["folder"], document["files"], document["n_relevant"]) == (None, [str(qrels)], 3)
    theirs = measured(qrels, answers)
    for metric, name in METRICS.items():
        assert theirs[name] == pytest.approx(ours["retrievers"]["bm25"][metric], abs=1e-9), metric
    for warnings in (document["notes"], ours["warnings"]):
        assert any("d%202" in warning for warning in warnings)
    again = run(*asked, "--run", answers).document["retrievers"]["bm25"]
    assert {metric: again[metric] for metric in METRICS} == {m: ours["retrievers"]["bm25"][m] for m in METRICS}


def test_a_collection_comes_back(run: Runner, tmp_path: Path) -> None:
    run("get", "collection", write_beir(tmp_path / "tea", TEXTS, QUERIES, JUDGED))
    document = run("export", "collection", "--collection", "tea", "--out", tmp_path / "out", "--json").document
    assert {Path(file).relative_to(tmp_path / "out").as_posix() for file in document["files"]} == {
        *("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
    }
    assert (document["n_documents"], document["n_queries"], document["n_judgments"]) == (4, 2, 4)
    run("get", "beir", tmp_path / "out", "--name", "back")
    with Workspace.open(run.root) as workspace:
        first, back = (open_collection(workspace, name).collection for name in ("tea", "back"))
    assert (back.documents, back.queries, back.judgments) == (first.documents, first.queries, first.judgments)


def test_a_topic_and_its_versions(filled: Runner, tmp_path: Path) -> None:
    out, qrels, runs = tmp_path / "out", tmp_path / "qrels", tmp_path / "runs"
    topic = ("--topic", TOPIC)
    document = filled("export", "collection", *topic, "--out", out, "--qrels", qrels, "--json").document
    assert (document["topic"], document["n_queries"], document["n_judgments"]) == (TOPIC, 1, len(CORE))
    with Workspace.open(filled.root) as workspace:
        expected = topic_as_query(workspace, TOPIC)
        retrieved = {
            row.version.label: workspace.store.load_retrieved_ids(row.version.query_id)
            for row in workspace.store.versions(TOPIC)
            if row.n_retrieved is not None
        }
    assert {line.split()[2] for line in qrels.read_text().splitlines()} == set(CORE)
    assert len(retrieved) > 1
    written = filled("export", "run", *topic, "--out", runs, "--json").document
    assert written["query_id"] == expected.queries[0].query_id == qrels.read_text().split()[0]
    for each in written["runs"]:
        lines = [line.split() for line in Path(each["file"]).read_text().splitlines()]
        ids = [line[2] for line in lines]
        assert ids == sorted(retrieved[each["version"]])
        assert {(line[0], line[1], line[4], line[5]) for line in lines} == {
            (written["query_id"], "Q0", "1.0", each["version"])
        }
        assert (each["n_retrieved"], each["is_ranked"]) == (len(lines), False)
        values = ir_measures.calc_aggregate(
            [ir_measures.SetR],
            list(ir_measures.read_trec_qrels(str(qrels))),
            list(ir_measures.read_trec_run(each["file"])),
        )
        recall = filled("evaluate", *topic, "--version", each["version"], "--json").document["recall"]
        assert values[ir_measures.SetR] == pytest.approx(recall)
    filled("get", "beir", out, "--name", "back")
    with Workspace.open(filled.root) as workspace:
        back = open_collection(workspace, "back").collection
    assert (back.documents, back.queries, back.judgments) == (expected.documents, expected.queries, expected.judgments)
    first = written["runs"][0]
    board = filled("benchmark", "--collection", "back", "--run", first["file"], "--json").document
    assert list(board["retrievers"]) == [first["version"]]


def test_a_question_keeps_its_ranking(filled: Runner, tmp_path: Path) -> None:
    with Workspace.open(filled.root) as workspace:
        row = workspace.run_query(TOPIC, "how do tea leaves grow?")
        ids = workspace.store.load_retrieved_ids(row.version.query_id)
    out = tmp_path / "a.run"
    label = row.version.label
    document = filled("export", "run", "--topic", TOPIC, "--version", label, "--out", out, "--json").document
    assert [(each["file"], each["is_ranked"]) for each in document["runs"]] == [(str(out), True)]
    lines = [line.split() for line in out.read_text().splitlines()]
    assert [line[2] for line in lines] == list(ids)
    assert [(int(line[3]), float(line[4])) for line in lines] == [(n + 1, len(ids) - n) for n in range(len(ids))]


def test_mistakes(filled: Runner, tmp_path: Path) -> None:
    beir = write_beir(tmp_path / "tea", TEXTS, QUERIES, ())
    file = tmp_path / "file"
    file.write_text("mine")
    with Workspace.open(filled.root) as workspace, workspace.store.transaction():
        workspace.store.save_topic("Bare", ())
    collection, run, topic = ("export", "collection"), ("export", "run"), ("--topic", TOPIC)
    for words, said in (
        ((*collection, "--out", "x"), "--collection"),
        ((*collection, *topic, "--collection", "demo", "--out", "x"), "--collection"),
        ((*collection, *topic), "--qrels"),
        ((*collection, "--collection", "nowhere", "--out", tmp_path / "x"), "nowhere"),
        ((*collection, "--topic", "nowhere", "--out", tmp_path / "x"), "nowhere"),
        ((*collection, *topic, "--out", file), "is a file"),
        ((*collection, *topic, "--out", file, "--force"), "is a file"),
        ((*collection, *topic, "--out", beir), "--force"),
        ((*collection, *topic, "--qrels", file), "--force"),
        ((*collection, *topic, "--qrels", beir), "is a folder"),
        ((*collection, *topic, "--split", "dev", "--qrels", tmp_path / "x"), "dev"),
        ((*collection, "--collection", beir, "--qrels", tmp_path / "x"), "no judgments"),
        ((*collection, "--topic", "Bare", "--qrels", tmp_path / "x"), "--as core"),
        ((*collection, "--collection", "topic:Bare", "--out", tmp_path / "x"), "--topic"),
        ((*run, "--topic", "Bare", "--out", tmp_path / "x"), "no version"),
        ((*run, *topic, "--version", "nowhere", "--out", tmp_path / "x"), "nowhere"),
        ((*run, *topic, "--out", file), "folder"),
        ((*run, *topic, "--version", "baseline", "--out", file), "--force"),
        ((*run, *topic, "--out", file / "below"), "below"),
    ):
        assert said in filled(*words).mistake
    assert file.read_text() == "mine"
    assert not (tmp_path / "x").exists()


def test_overwriting_on_request(filled: Runner, tmp_path: Path) -> None:
    asked = ("export", "collection", "--topic", TOPIC, "--out", tmp_path / "out", "--qrels", tmp_path / "a.qrels")
    first = filled(*asked, "--json").document
    assert filled(*asked, "--force", "--json").document == first
    corpus = [json.loads(line) for line in (tmp_path / "out" / "corpus.jsonl").read_text("utf-8").splitlines()]
    assert len(corpus) == first["n_documents"]
    once = ("export", "run", "--topic", TOPIC, "--version", "baseline", "--out", tmp_path / "a.run")
    assert filled(*once).status == filled(*once, "--force").status == 0
