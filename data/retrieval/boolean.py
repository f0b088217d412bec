"""Boolean search strings over a collection's documents, through the index that queries of topics are run with."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

from core.protocols import OnStage
from core.retrieval.boolean import BooleanRetriever
from core.retrieval.spec import Spec
from core.types import Publication
from data.files import written_aside
from data.index import CorpusIndex
from data.indexing import index_key, open_or_build
from data.retrieval.corpus import Corpus, Opened

NOTE = "Words are matched as they are written. Every match scores 1: a Boolean result has no order, ties go by id."


def open_boolean(corpus: Corpus, spec: Spec, on_stage: OnStage) -> Opened:
    """The retriever over these documents; its index is made if it is not there."""
    publications = [
        Publication(document.doc_id, document.title, document.text or None, None) for document in corpus.documents
    ]
    folder = corpus.folder / "boolean" / index_key(publications)
    took = folder.with_name(f"{folder.name}.json")
    made_at = _made_at(folder)
    start = time.perf_counter()
    stored = open_or_build(folder, publications, on_stage("indexing words"))
    seconds: float | None = time.perf_counter() - start
    if _made_at(folder) == made_at:
        seconds = _seconds(took)
    else:
        with written_aside(took) as file:
            file.write(json.dumps(seconds).encode())
    n_bytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Opened(BooleanRetriever(CorpusIndex(stored), corpus.id_ranks), seconds, n_bytes, (NOTE,))


def _made_at(folder: Path) -> int | None:
    """Tells one that was there from one that was made in its place."""
    with suppress(OSError):
        return (folder / "tokens.npy").stat().st_mtime_ns
    return None


def _seconds(path: Path) -> float | None:
    """How long making the index took; None where that was not kept."""
    with suppress(OSError, ValueError):
        seconds = json.loads(path.read_bytes())
        return float(seconds) if isinstance(seconds, int | float) else None
    return None
