"""Token vectors on disk, and late interaction over a corpus."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.collections import Document, Query
from core.errors import InputError, NotFoundError
from core.retrieval.specs import Spec
from core.types import Vectors
from data.models.local_embedders import SentenceTransformersModel, is_late_model
from data.retrieval import dense
from data.retrieval.dense import TokenVectors, open_late_interaction
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws
from tests.core.retrieval.vector_fakes import SharedWords, word_vectors
from tests.data.retrieval.counting_model import FAKE, CountingModel, corpus_of
from tests.messages import refusal

LATE = Spec("late_interaction", embedder=FAKE)


class TestLateInteraction(RetrieverLaws):
    tolerance = 1e-6

    def make(self, documents: Sequence[Document], folder: Path) -> Any:
        first = SharedWords(documents)
        opened = open_late_interaction(corpus_of(documents, folder), LATE, first, open_model=CountingModel().opened)
        return opened.retriever


class Asked:
    """Embeds words, and remembers of which rows."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    def store(self, folder: Path) -> TokenVectors:
        """Over the shared documents."""
        return TokenVectors(folder, self.texts, lambda texts: [word_vectors(text) for text in texts])

    def texts(self, rows: Sequence[int]) -> list[str]:
        self.rows.extend(rows)
        return [DOCUMENTS[row].whole for row in rows]


def same(one: list[Vectors], other: list[Vectors]) -> bool:
    return len(one) == len(other) and all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


def test_made_once_and_the_same_from_disk(tmp_path: Path) -> None:
    asked, later = Asked(), Asked()
    store = asked.store(tmp_path)
    first = store.of(np.array([4, 0, 5, 4]))
    assert asked.rows == [4, 0, 5], "each once"
    assert [len(tokens) for tokens in first] == [len(word_vectors(DOCUMENTS[row].whole)) for row in (4, 0, 5, 4)]
    assert first[2].shape[0] == 0, "a document without words has no tokens"
    np.testing.assert_allclose(first[0], word_vectors(DOCUMENTS[4].whole), atol=1e-3)
    assert same(store.of(np.array([4, 0, 5, 4])), first)
    assert same(later.store(tmp_path).of(np.array([4, 0, 5, 4])), first)
    assert later.rows == []
    both = later.store(tmp_path).of(np.array([0, 9]))
    assert later.rows == [9]
    assert same(both[:1], first[1:2])


def test_little_memory_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.arange(len(DOCUMENTS))
    whole = Asked().store(tmp_path / "a").of(rows)
    monkeypatch.setattr(dense, "KEPT_BYTES", 1_000)
    asked = Asked()
    store = asked.store(tmp_path / "b")
    for _ in range(2):
        assert same(store.of(rows), whole)
    assert asked.rows == rows.tolist()


@pytest.mark.parametrize("suffix", [".npy", ".json"])
@pytest.mark.parametrize("content", [None, b"", b"[]", b'{"rows": [1], "counts": "x"}'])
def test_a_damaged_file_is_made_again(tmp_path: Path, suffix: str, content: bytes | None) -> None:
    rows = np.array([1, 2, 3])
    whole = Asked().store(tmp_path).of(rows)
    (path,) = tmp_path.glob(f"*{suffix}")
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    asked = Asked()
    assert same(asked.store(tmp_path).of(rows), whole)
    assert asked.rows == [1, 2, 3]
    assert same(Asked().store(tmp_path).of(rows), whole)


def test_only_documents_without_words(tmp_path: Path) -> None:
    (tokens,) = Asked().store(tmp_path).of(np.array([5]))
    assert len(tokens) == 0


def test_the_second_time_no_document_is_embedded(tmp_path: Path) -> None:
    corpus, query = corpus_of(DOCUMENTS, tmp_path), Query("q", "flow of heat")
    answers = []
    for n_expected in (1, 0):
        model = CountingModel()
        opened = open_late_interaction(corpus, LATE, SharedWords(DOCUMENTS), open_model=model.opened)
        answers.append(opened.retriever.search(query, 10))
        assert (len(model.asked) > 0) == n_expected
        assert model.queries == ["a query", query.text]
        assert "stored" in opened.notes[0]
    assert answers[0].rows.tolist() == answers[1].rows.tolist()
    assert answers[0].scores.tolist() == answers[1].scores.tolist()


def test_the_depth_is_that_of_the_spec(tmp_path: Path) -> None:
    corpus, model = corpus_of(DOCUMENTS, tmp_path), CountingModel()
    spec = Spec("late_interaction", embedder=FAKE, depth=2)
    opened = open_late_interaction(corpus, spec, SharedWords(DOCUMENTS), open_model=model.opened)
    opened.retriever.search(Query("q", "energy heat flow"), 10)
    assert len(model.asked) == 2


@pytest.mark.parametrize("embedder", [None, "lsa", "openai", "nonsense"])
def test_models_without_token_vectors(tmp_path: Path, embedder: str | None) -> None:
    corpus = corpus_of(DOCUMENTS, tmp_path)
    with refusal(InputError):
        open_late_interaction(corpus, Spec("late_interaction", embedder=embedder), SharedWords(DOCUMENTS))


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    (tmp_path / "model").mkdir()
    (tmp_path / "model/config.json").write_text("{}")
    spec = Spec("late_interaction", embedder=f"st:{tmp_path}/model")
    with refusal(NotFoundError):
        open_late_interaction(corpus_of(DOCUMENTS, tmp_path), spec, SharedWords(DOCUMENTS))


class Tensor:
    """What a library of tensors gives, as far as it is asked for."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def cpu(self) -> Tensor:
        return self

    def float(self) -> Tensor:
        return Tensor(self.values.astype(np.float32))

    def numpy(self) -> np.ndarray:
        return self.values


class FakeTokenLibrary:
    """Numbers the letters of a text; 101 and 102 are marks, and 0 fills up."""

    max_seq_length = 6
    all_special_ids = (0, 101, 102)

    @property
    def tokenizer(self) -> FakeTokenLibrary:
        return self

    def __call__(self, texts: list[str], verbose: bool) -> dict[str, list[list[int]]]:
        return {"input_ids": [[101, *map(ord, text), 102] for text in texts]}

    def encode(self, texts: list[str], *, prompt: str, output_value: None, **options: Any) -> list[dict[str, Tensor]]:
        assert prompt == ""
        out = []
        for text in texts:
            ids = [101, *map(ord, text[:4]), 102]
            filled = ids + [0] * (6 - len(ids))
            vectors = np.array([[number, 1.0] for number in filled], dtype=np.float16)
            mask = [1] * len(ids) + [0] * (6 - len(ids))
            out.append(
                {"input_ids": Tensor(filled), "attention_mask": Tensor(mask), "token_embeddings": Tensor(vectors)}
            )
        return out


def test_marks_and_filling_are_left_out_and_cut_texts_noted(tmp_path: Path) -> None:
    model = SentenceTransformersModel(str(tmp_path), lambda where: FakeTokenLibrary())
    short, long, empty = model.embed_tokens(["ab", "abcdef", ""])
    assert [len(short), len(long), len(empty)] == [2, 4, 0]
    assert short.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(long, axis=1), 1, atol=1e-6)
    assert short[0, 0] / short[0, 1] == pytest.approx(ord("a"))
    assert model.mishaps.cut == {"abcdef"}


class LateLibrary:
    """A model made for late interaction: two tokens more for a query."""

    def encode_document(self, texts: list[str], **options: Any) -> list[np.ndarray]:
        return [np.full((len(text), 2), 3.0) for text in texts]

    def encode_query(self, texts: list[str], **options: Any) -> list[np.ndarray]:
        return [np.full((len(text) + 2, 2), 3.0) for text in texts]


@pytest.mark.parametrize(
    ("file", "content", "is_late"),
    [
        ("config.json", '{"architectures": ["HF_ColBERT"]}', True),
        ("config_sentence_transformers.json", '{"model_type": "ColBERT"}', True),
        ("config_sentence_transformers.json", '{"model_type": "MultiVectorEncoder"}', True),
        ("config_sentence_transformers.json", '{"model_type": "SentenceTransformer"}', False),
        ("config.json", '{"architectures": ["BertModel", 7]}', False),
        ("config.json", '{"architectures": null}', False),
        ("config.json", "[1]", False),
        ("config.json", "{", False),
        ("README.md", "ColBERT", False),
    ],
)
def test_models_made_for_it_choose_their_tokens(tmp_path: Path, file: str, content: str, is_late: bool) -> None:
    (tmp_path / file).write_text(content)
    assert is_late_model(tmp_path) == is_late
    model = SentenceTransformersModel(
        str(tmp_path), lambda where: FakeTokenLibrary(), load_late=lambda where: LateLibrary()
    )
    (document,), (query,) = model.embed_tokens(["abc"]), model.embed_query_tokens(["abc"])
    assert (len(document), len(query)) == ((3, 5) if is_late else (3, 3))
    np.testing.assert_allclose(np.linalg.norm(query, axis=1), 1, atol=1e-6)


def test_an_older_library_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(__version__="5.1"))
    (tmp_path / "config.json").write_text('{"architectures": ["HF_ColBERT"]}')
    with pytest.raises(NotFoundError, match="sentence-transformers 6"):
        SentenceTransformersModel(str(tmp_path)).embed_tokens(["text"])
