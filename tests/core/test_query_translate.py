"""Queries in another dialect, and what is said about what got lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.query.dialects import DIALECTS
from core.query.parse import parse
from core.query.printing import write
from core.query.translate import translate, with_replaced
from core.query.tree import DialectId, ParsedQuery
from core.query.truth_table import same


def queries_of(folder: Path) -> list[ParsedQuery]:
    """Every query of two collections."""
    lines = (folder / "ielab_seed" / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    litqeval = json.loads((folder / "litqeval" / "data" / "queries.json").read_text(encoding="utf-8"))
    texts = [text for topic in litqeval for text in topic.values()]
    return [parse(json.loads(line)["query"], "pubmed") for line in lines] + [parse(text) for text in texts]


@pytest.mark.collections
@pytest.mark.parametrize("dialect_id", DIALECTS)
def test_every_real_query_keeps_its_meaning_or_says_so(dialect_id: DialectId, collections_dir: Path) -> None:
    for query in queries_of(collections_dir):
        assert query.root is not None
        made = translate(query, dialect_id)
        again = parse(made.text, dialect_id).root
        assert again is not None
        replaced = write(query.root, dialect_id, strict=dialect_id != query.dialect, source="").replaced
        assert same(with_replaced(query.root, replaced) or query.root, again)
        assert set(replaced) <= {loss.number for loss in made.losses}
        if dialect_id == query.dialect:
            assert not made.losses
            assert again == query.root
