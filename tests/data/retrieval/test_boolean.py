"""Boolean search strings over a collection: the index is kept beside the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.collections import Document
from core.protocols import silent
from core.retrieval.retriever import Retriever
from core.retrieval.specs import Spec
from core.text import words
from data.collections import documents_key
from data.retrieval.collections import OpenedRetriever, RetrievalCorpus
from data.retrieval.retrievers import open_boolean
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws, answered, ask


def opened(documents: Sequence[Document], folder: Path) -> OpenedRetriever:
    return open_boolean(RetrievalCorpus(tuple(documents), documents_key(documents), folder), Spec("boolean"), silent)


class TestBoolean(RetrieverLaws):
    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        return opened(documents, folder).retriever

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float]:
        asked = set(words(text))
        return {document.doc_id: 1.0 for document in documents if asked <= set(words(document.whole))}


def test_an_index_is_made_once_and_says_what_it_took(tmp_path: Path) -> None:
    first = opened(DOCUMENTS, tmp_path)
    (index,) = (path for path in (tmp_path / "boolean").iterdir() if path.is_dir())
    made = {str(path): path.stat().st_ctime_ns for path in index.rglob("*.npy")}
    second = opened(DOCUMENTS, tmp_path)
    assert {str(path): path.stat().st_ctime_ns for path in index.rglob("*.npy")} == made
    assert first.index_seconds == second.index_seconds
    assert first.index_seconds is not None
    assert first.index_bytes == second.index_bytes
    assert "no order" in first.notes[0]


def test_a_damaged_index_is_made_again(tmp_path: Path) -> None:
    opened(DOCUMENTS, tmp_path)
    for path in (tmp_path / "boolean").rglob("tokens.npy"):
        path.write_bytes(path.read_bytes()[:-1] + b"\x07")
    assert answered(ask(opened(DOCUMENTS, tmp_path).retriever, "zebra"), DOCUMENTS) == {"d06": 1.0}
