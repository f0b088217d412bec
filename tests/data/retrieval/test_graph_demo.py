"""On the made-up knowledge base: relations help where they are asked for, and do no harm where they are not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.collections import Collection, Judgment, Query, Run
from core.retrieval.leaderboard import Leaderboard, score_runs
from core.retrieval.specs import read_spec
from data.demo.knowledge import DEMO_BASE, build_demo_knowledge
from data.demo.publications import build_benchmark
from data.explore.workspace import Workspace
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import Holders
from data.knowledge.templates import template_set
from data.retrieval.collections import RetrievalCorpus
from data.retrieval.retrievers import open_retriever, settled

WORDED = {
    "mag-author": "{text}, by {name}",
    "mag-institution": "What have people from {name} published on {text}?",
    "mag-field": "papers on {text} in the field of {name}",
    "mag-coauthors": "other papers by the authors of {name} about {text}",
}
BACK = {
    "mag-author": "author___writes___paper",
    "mag-institution": "author___affiliated_with___institution",
    "mag-field": "paper___has_topic___field_of_study",
    "mag-coauthors": "author___writes___paper",
}
METRICS = ("hit@1", "recall@20", "ndcg@10")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(tmp_path_factory.mktemp("demo")) as workspace:
        workspace.knowledge.save(DEMO_BASE, build_demo_knowledge(), origin="made up")
        yield workspace


def start_of(base: KnowledgeBase, template_id: str, paper: int, rng: random.Random) -> int | None:
    """An entity from which the template leads to this paper; None: there is none."""
    if template_id == "mag-field":
        near = base.neighbours(paper, BACK[template_id], "forward", "field_of_study")
    else:
        near = base.neighbours(paper, BACK["mag-author"], "back", "author")
    if near and template_id == "mag-institution":
        near = base.neighbours(rng.choice(near).row, BACK[template_id], "forward", "institution")
    if near and template_id == "mag-coauthors":
        near = base.neighbours(rng.choice(near).row, BACK[template_id], "forward", "paper")
    rows = [entity.row for entity in near if entity.row != paper]
    return rng.choice(rows) if rows else None


def relational(base: KnowledgeBase, demo: Collection) -> Collection:
    """Questions of a relation and a sub-theme; the answers are the publications with both."""
    rng, templates = random.Random(5), {template.template_id: template for template in template_set("mag")}
    on_theme: dict[str, set[str]] = {}
    for judgment in demo.judgments:
        if judgment.relevance > 1:
            on_theme.setdefault(judgment.query_id, set()).add(judgment.doc_id)
    queries, judgments = [], []
    for query in demo.queries:
        if ("kind", "few words") not in query.labels:
            continue
        for template_id, wording in WORDED.items():
            gold = base.entity(rng.choice(sorted(on_theme[query.query_id]))).row
            start = start_of(base, template_id, gold, rng)
            if start is None:
                continue
            answers = base.answers(templates[template_id], {slot: [start] for slot in templates[template_id].slots})
            query_id = f"{query.query_id}-{template_id}"
            name = base.entities([start])[0].title
            queries.append(Query(query_id, wording.format(text=query.text, name=name)))
            ids = {entity.entity_id for entity in base.entities(answers)} & on_theme[query.query_id]
            judgments += [Judgment(query_id, doc_id, 1) for doc_id in sorted(ids)]
    return replace(demo, name="relational", queries=tuple(queries), judgments=tuple(judgments), splits={})


def board_of(workspace: Workspace, collection: Collection) -> Leaderboard:
    corpus = RetrievalCorpus.of(
        collection, workspace.paths, Holders.of(workspace.knowledge, workspace.store, collection)
    )
    runs = []
    for text in ("bm25", "dense:lsa", "hybrid:lsa", "graph"):
        retriever = open_retriever(corpus, settled(read_spec(text))).retriever
        hits = retriever.search_many(collection.queries, 100)
        found = [(query.query_id, h.rows, h.scores) for query, h in zip(collection.queries, hits, strict=True)]
        runs.append(Run.of(text, corpus.doc_ids, found))
    return score_runs(runs, collection, metric_ids=METRICS)


@pytest.mark.slow
def test_graph_beats_the_others_where_relations_are_asked_for(workspace: Workspace) -> None:
    board = board_of(workspace, relational(workspace.knowledge.open(DEMO_BASE), build_benchmark()))
    assert len(board.query_ids) > 60
    means = {scores.name: {m: scores.per_query[m].mean() for m in METRICS} for scores in board.scores}
    for metric in METRICS:
        assert means["graph"][metric] > 2 * max(means[name][metric] for name in means if name != "graph")
    assert means["graph"]["hit@1"] > 0.7


@pytest.mark.slow
def test_graph_does_no_harm_to_questions_of_text(workspace: Workspace) -> None:
    board = board_of(workspace, build_benchmark())
    *_, hybrid, graph = board.scores
    for metric in METRICS:
        assert graph.per_query[metric].mean() >= hybrid.per_query[metric].mean() - 0.005
