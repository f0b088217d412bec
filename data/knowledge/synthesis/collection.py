"""What a synthesis made as a collection that retrievers are run over."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from core.errors import InputError
from core.knowledge.synthesis.reading import Made
from core.ranking.check import Collection, Document, Judgment, Query
from core.types import Ids

SHARES = {"train": 0.8, "val": 0.1}
"""The rest is the test split."""
SAMPLE = "test-0.1"
SAMPLE_SHARE = 0.1
ROLE = "role"
"""Name of a label."""


def exported(made: Iterable[Made], *, with_refused: bool = False) -> tuple[Made, ...]:
    """Queries that are handed over. `with_refused`: also those whose gold answer the models don't accept."""
    states = ("complete", "gold refused") if with_refused else ("complete",)
    return tuple(each for each in made if each.outcome.state in states)


def answers_of(made: Made) -> Ids:
    """What counts as an answer: the gold answer, and all that the models accept."""
    return tuple(dict.fromkeys((made.sampled.gold_id, *made.outcome.accepted)))


def as_collection(
    documents: Iterable[Document],
    made: Iterable[Made],
    name: str,
    *,
    seed: int = 0,
    with_refused: bool = False,
    made_up: bool = False,
) -> Collection:
    """Queries with what they demand of relations in their labels, every accepted answer as a judgment, and splits.

    `documents`: what can be found, as a rule all entities that the knowledge base's questions ask for.
    """
    kept = exported(made, with_refused=with_refused)
    if not kept:
        raise InputError("there is no complete query to save: make some first")
    queries = tuple(_query(each) for each in kept)
    judgments = tuple(
        Judgment(query.query_id, doc_id, 1)
        for query, each in zip(queries, kept, strict=True)
        for doc_id in answers_of(each)
    )
    splits = split([query.query_id for query in queries], seed)
    return Collection(name, tuple(documents), queries, judgments, splits, made_up)


def _query(made: Made) -> Query:
    labels = (*made.sampled.requirement.labels, (ROLE, made.sampled.role))
    return Query(str(made.sampled.item), made.outcome.query, labels)


def split(query_ids: Sequence[str], seed: int) -> Mapping[str, Ids]:
    """80 % to train, 10 % to choose by, 10 % to test, and a tenth of these as a sample; at random, in their order."""
    shuffled = list(query_ids)
    random.Random(f"split/{seed}").shuffle(shuffled)
    n_train, n_val = (round(share * len(shuffled)) for share in SHARES.values())
    test = shuffled[n_train + n_val :]
    parts = {
        "train": shuffled[:n_train],
        "val": shuffled[n_train : n_train + n_val],
        "test": test,
        SAMPLE: test[: -(-len(test) // round(1 / SAMPLE_SHARE))],
    }
    place = {query_id: place for place, query_id in enumerate(query_ids)}
    return {name: tuple(sorted(ids, key=place.__getitem__)) for name, ids in parts.items() if ids}
