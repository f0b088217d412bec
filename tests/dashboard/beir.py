"""A small collection in BEIR's layout."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def write_beir(
    root: Path,
    texts: Mapping[str, tuple[str, str]],
    queries: Iterable[Mapping[str, Any]],
    judged: Iterable[tuple[str, str, int]],
) -> Path:
    """Titles and texts of documents, queries, and a grade for some of their pairs."""
    (root / "qrels").mkdir(parents=True)
    corpus = [{"_id": i, "title": title, "text": text} for i, (title, text) in texts.items()]
    (root / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)), "utf-8")
    (root / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), "utf-8")
    lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, each)) for each in judged)]
    (root / "qrels" / "test.tsv").write_text("\n".join(lines), "utf-8")
    return root
