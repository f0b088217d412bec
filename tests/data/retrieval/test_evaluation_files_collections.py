"""Real collections as files for evaluation programs: they are read back, and ir_measures measures what we measure."""

from __future__ import annotations

from pathlib import Path

import ir_measures
import pytest

from core.collections import is_misnumbered, renumbered
from core.protocols import silent
from core.retrieval.leaderboard import score_runs
from core.retrieval.specs import read_spec
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.importers.collection_files import read_collection
from data.retrieval.collections import open_collection
from data.retrieval.evaluation_files import beir_files, counted_judgments, trec_qrels, write_beir
from data.retrieval.runs import run_retriever, write_run

pytestmark = pytest.mark.collections
METRICS = {"ndcg@10": "nDCG@10", "map": "AP", "mrr": "RR", "recall@20": "R@20", "precision@10": "P@10"}


@pytest.mark.parametrize("name", ["medline", "cranfield_trec"])
def test_a_collection_goes_out_and_comes_back(name: str, collections_dir: Path, tmp_path: Path) -> None:
    read = read_collection(collections_dir / name).collection
    collection = renumbered(read) if is_misnumbered(read) else read
    write_beir(beir_files(collection), tmp_path / "beir")
    back = read_collection(tmp_path / "beir").collection
    assert (back.documents, back.queries) == (collection.documents, collection.queries)
    assert back.judgments == counted_judgments(collection.judgments)
    (tmp_path / "qrels").write_bytes(trec_qrels(collection.judgments).content)
    with Workspace.open(tmp_path / "ws") as workspace:
        save_collection(workspace.store, collection, origin="here")
        opened = open_collection(workspace, collection.name)
        run = run_retriever(workspace, opened, read_spec("bm25"), on_stage=silent).run
    write_run(run, tmp_path / "run")
    board = score_runs([run], collection, metric_ids=tuple(METRICS))
    relevant = {judgment.query_id for judgment in collection.judgments if judgment.relevance > 0}
    theirs = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(measure) for measure in METRICS.values()],
        [each for each in ir_measures.read_trec_qrels(str(tmp_path / "qrels")) if each.query_id in relevant],
        list(ir_measures.read_trec_run(str(tmp_path / "run"))),
    )
    for metric, measure in METRICS.items():
        ours = board.scores[0].values[metric]
        assert theirs[ir_measures.parse_measure(measure)] == pytest.approx(ours, abs=1e-9), metric
