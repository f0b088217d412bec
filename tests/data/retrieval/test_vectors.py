"""Vectors of a corpus: made in parts that survive a stop, opened where they are, and searched."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Document, Query
from core.errors import InputError, MisalignedError, StoreError
from core.protocols import OnProgress, silent
from core.retrieval.multi_vector import chunks
from core.retrieval.specs import Spec
from core.types import Vectors
from core.vectors import normalise
from data.retrieval import dense as vector_file
from data.retrieval.collections import OpenedRetriever
from data.retrieval.dense import (
    CorpusVectors,
    VectorBatch,
    VectorFile,
    chunks_of,
    corpus_vectors,
    open_dense,
    open_multi_vector,
    whole_documents,
)
from tests.core.retrieval.vector_fakes import count_words
from tests.data.children import child
from tests.data.notes import assert_notes
from tests.data.retrieval.counting_model import FAKE, CountingModel, corpus_of, numbered
from tests.data.stopping import Stopped, stop_from
from tests.messages import refusal

DENSE = Spec("dense", embedder=FAKE)


def made(folder: Path, documents: Sequence[Document], model: CountingModel) -> CorpusVectors:
    """Vectors of whole documents."""
    corpus = corpus_of(documents, folder)
    return corpus_vectors(corpus, whole_documents(corpus), FAKE, silent, open_model=model.opened)


def expected_vectors(documents: Sequence[Document]) -> Vectors:
    return normalise(count_words([document.whole for document in documents]))[0]


def dense(folder: Path, documents: Sequence[Document], model: CountingModel) -> OpenedRetriever:
    return open_dense(corpus_of(documents, folder), DENSE, open_model=model.opened)


def test_made_once_and_opened_afterwards(tmp_path: Path) -> None:
    documents = numbered(50)
    first, second = CountingModel(), CountingModel()
    one, two = made(tmp_path, documents, first), made(tmp_path, documents, second)
    assert one.vectors.tobytes() == two.vectors.tobytes() == expected_vectors(documents).tobytes()
    assert sorted(first.asked) == sorted(document.whole for document in documents)
    assert second.asked == []
    assert second.queries == ["a query"], "a model of this machine is read before the first query is timed"
    assert (one.seconds, one.n_bytes) == (two.seconds, two.n_bytes)
    assert one.n_bytes >= one.vectors.nbytes
    assert not two.vectors.flags.writeable
    assert list(tmp_path.rglob("parts")) == []


@pytest.mark.parametrize("stop", [1, 4, 5, 13, 29, 30])
def test_a_run_that_stops_is_gone_on_with(tmp_path: Path, stop: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_file, "MOST_ROWS", 9)
    documents, model = numbered(30), CountingModel()
    corpus = corpus_of(documents, tmp_path)
    with pytest.raises(Stopped):
        corpus_vectors(corpus, whole_documents(corpus), FAKE, stop_from(stop), open_model=model.opened)
    n_first = len(model.asked)
    assert stop <= n_first <= 30
    assert list(tmp_path.rglob("about.json")) == list(tmp_path.rglob("*.part")) == []
    again = CountingModel()
    found = made(tmp_path, documents, again)
    assert model.asked + again.asked == [document.whole for document in documents], "nothing is embedded twice"
    assert found.vectors.tobytes() == expected_vectors(documents).tobytes()


@pytest.mark.parametrize("at", [0, 4, 12, 28])
def test_a_model_that_fails_half_way_loses_one_batch(tmp_path: Path, at: int) -> None:
    def fail(n_asked: int) -> None:
        if n_asked >= at:
            raise OSError("the model is gone")

    model, again = CountingModel(before_call=fail), CountingModel()
    with refusal(OSError):
        made(tmp_path, numbered(30), model)
    made(tmp_path, numbered(30), again)
    assert len(model.asked) >= at
    assert len(model.asked) + len(again.asked) == 30


KILLED = """
import os, sys
from pathlib import Path
from data.retrieval import dense as vector_file
from tests.data.retrieval.counting_model import CountingModel, numbered
from tests.data.retrieval.test_vectors import made

vector_file.MOST_ROWS = 8
made(Path(sys.argv[1]), numbered(30), CountingModel(before_call=lambda n: os._exit(9) if n >= 20 else None))
"""


@pytest.mark.slow
def test_a_killed_process_loses_no_more_than_the_part_it_was_in(tmp_path: Path) -> None:
    assert child(KILLED, tmp_path).returncode == 9
    again = CountingModel()
    assert made(tmp_path, numbered(30), again).vectors.tobytes() == expected_vectors(numbered(30)).tobytes()
    assert 0 < len(again.asked) <= 30 - 16


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", None])
def test_a_damaged_part_is_made_again(tmp_path: Path, damage: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_file, "MOST_ROWS", 10)
    documents, model = numbered(30), CountingModel()
    corpus = corpus_of(documents, tmp_path)
    with pytest.raises(Stopped):
        corpus_vectors(corpus, whole_documents(corpus), FAKE, stop_from(25), open_model=model.opened)
    parts = sorted(tmp_path.rglob("parts/*.npz"))
    assert len(parts) == 3
    whole = parts[1].read_bytes()
    parts[1].write_bytes(whole[: len(whole) // 2] + b"?" + whole[len(whole) // 2 + 1 :] if damage is None else damage)
    again = CountingModel()
    assert made(tmp_path, documents, again).vectors.tobytes() == expected_vectors(documents).tobytes()
    assert 10 <= len(again.asked) <= 20, "the damaged part and what was not done"


@pytest.mark.parametrize("name", ["vectors.npy", "scorable.npy", "about.json"])
@pytest.mark.parametrize("content", [None, b"", b"{}"])
def test_a_damaged_file_is_made_again(tmp_path: Path, name: str, content: bytes | None) -> None:
    documents = numbered(12)
    made(tmp_path, documents, CountingModel())
    (path,) = tmp_path.rglob(name)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    again = CountingModel()
    assert made(tmp_path, documents, again).vectors.tobytes() == expected_vectors(documents).tobytes()
    assert len(again.asked) == 12


def test_a_file_of_an_earlier_form_is_made_again(tmp_path: Path) -> None:
    made(tmp_path, numbered(5), CountingModel())
    (path,) = tmp_path.rglob("about.json")
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"version": 0}))
    again = CountingModel()
    made(tmp_path, numbered(5), again)
    assert len(again.asked) == 5


def test_what_was_cut_refused_or_left_out_is_said_and_kept(tmp_path: Path) -> None:
    documents = (
        Document("a", "", " "),
        Document("b", "", "..."),
        Document("c", "This is refused", ""),
        Document("d", "This is cut", "very long"),
        Document("e", "Half a sign \udcff", "heat"),
    )
    for model in (CountingModel(first_batch=1), CountingModel()):
        opened = dense(tmp_path, documents, model)
        assert_notes(opened.notes, ("1 of 5", "are longer"), ("1 of 5", "refused"), ("2 of 5", "no words"))
        hits = opened.retriever.search(Query("q", "heat \udcff"), 9)
        assert hits.rows.tolist() == [4, 3]
        assert all(text.encode() for text in model.asked + model.queries)
        assert "" not in model.asked


@settings(max_examples=20, deadline=None)
@given(data=st.data(), n=st.integers(1, 25), most=st.integers(1, 9))
def test_any_rows_without_a_vector_come_back_as_zeros(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, n: int, most: int
) -> None:
    mask = data.draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(any))
    rows = np.where(np.array(mask)[:, None], np.arange(1, n + 1)[:, None] * [[3.0, 4.0]], 0.0).astype(np.float32)

    def embed(texts: list[str]) -> VectorBatch:
        some = rows[[int(text) for text in texts]]
        return VectorBatch(some if some.any() else np.zeros((len(some), 1), np.float32))

    file = VectorFile(tmp_path_factory.mktemp("rows"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector_file, "MOST_ROWS", most)
        stored = file.make(n, lambda start, end: [str(i) for i in range(start, end)], embed, first_batch=3)
    assert stored.scorable_mask.tolist() == mask
    assert stored.vectors.tolist() == [
        [float(np.float32(0.6)), float(np.float32(0.8))] if ok else [0, 0] for ok in mask
    ]


def test_models_that_answer_oddly(tmp_path: Path) -> None:
    def read(start: int, end: int) -> list[str]:
        return ["text"] * (end - start)

    def widths(texts: list[str]) -> VectorBatch:
        return VectorBatch(np.ones((len(texts), next(answers)), np.float32))

    answers = iter([2, 3])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector_file, "MOST_ROWS", 2)
        with refusal(MisalignedError):
            VectorFile(tmp_path / "a").make(4, read, widths, first_batch=2)
    with refusal(MisalignedError):
        VectorFile(tmp_path / "b").make(3, read, lambda texts: VectorBatch(np.ones((1, 2), np.float32)), first_batch=3)
    with refusal(InputError):
        VectorFile(tmp_path / "c").make(3, read, lambda texts: VectorBatch(np.zeros((3, 1), np.float32)), first_batch=3)
    assert list(tmp_path.rglob("vectors.npy*")) == []


def test_two_runs_at_once(tmp_path: Path) -> None:
    """The second one finishes while the first one is still at work."""
    documents = numbered(20)
    second = CountingModel(first_batch=3)

    def meanwhile(n_asked: int) -> None:
        if n_asked == 12:
            made(tmp_path, documents, second)

    first = CountingModel(first_batch=4, before_call=meanwhile)
    assert made(tmp_path, documents, first).vectors.tobytes() == expected_vectors(documents).tobytes()
    assert len(first.asked) == 20
    assert list(tmp_path.rglob("parts")) == []


def test_parts_that_change_under_a_run_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_file, "MOST_ROWS", 4)
    documents = numbered(12)

    def meanwhile(n_asked: int) -> None:
        if n_asked == 8:  # another run, which takes other steps, has come as far as its first part
            part = next(tmp_path.rglob("parts/000000000.npz"))
            with np.load(part) as arrays:
                shorter = {name: arrays[name][:3] for name in arrays.files}
            np.savez(part, **shorter)

    with refusal(StoreError):
        made(tmp_path, documents, CountingModel(before_call=meanwhile))
    assert made(tmp_path, documents, CountingModel()).vectors.tobytes() == expected_vectors(documents).tobytes()


def test_nothing_with_words(tmp_path: Path) -> None:
    for documents in ((), (Document("a", "", " "),)):
        with refusal(InputError):
            dense(tmp_path, documents, CountingModel())
        with refusal(InputError):
            open_multi_vector(
                corpus_of(documents, tmp_path), Spec("multi_vector", embedder=FAKE), open_model=CountingModel().opened
            )


@pytest.mark.parametrize("opener", [open_dense, open_multi_vector])
def test_names_that_are_none(tmp_path: Path, opener: Callable[..., OpenedRetriever]) -> None:
    corpus = corpus_of(numbered(5), tmp_path)
    with refusal(InputError):
        opener(corpus, Spec("dense"))
    with pytest.raises(InputError, match='no embedder "word2vec"'):
        opener(corpus, Spec("dense", embedder="word2vec"))
    assert not corpus.folder.exists()


def test_lsa_is_fitted_to_the_documents_and_kept(tmp_path: Path) -> None:
    corpus = corpus_of(numbered(60), tmp_path)
    spec = Spec("dense", embedder="lsa")
    stages: list[str] = []

    def on_stage(stage: str) -> OnProgress:
        stages.append(stage)
        return lambda done, total: None

    first = open_dense(corpus, spec, on_stage)
    assert stages == ["fitting lsa to 60 documents", "embedding 60 documents with lsa"]
    second = open_dense(corpus, spec, on_stage)
    assert len(stages) == 2
    assert (first.index_seconds, first.index_bytes) == (second.index_seconds, second.index_bytes)
    assert first.index_bytes
    assert first.index_bytes > (corpus.folder / "lsa.npz").stat().st_size
    answers = [opened.retriever.search(Query("q", "word3 word5"), 60) for opened in (first, second)]
    assert answers[0].rows.tolist() == answers[1].rows.tolist()
    texts = [corpus.documents[row].text for row in answers[0].rows[:5].tolist()]
    assert all("word3" in text or "word5" in text for text in texts)
    many = open_multi_vector(corpus, Spec("multi_vector", embedder="lsa"), on_stage)
    assert stages[2:] == ["embedding 60 chunks with lsa"], "the chunks' vectors are of the same model"
    assert many.retriever.search(Query("q", "word3 word5"), 60).rows.tolist() == answers[0].rows.tolist()


LONG = " ".join(f"word{i}" for i in range(150))
SOME = (
    Document("a", "A", LONG),
    Document("b", "", ""),
    Document("c", "C", ""),
    Document("d", "", LONG[:500]),
    Document("e", "", ""),
)


def test_chunks_are_read_by_row() -> None:
    corpus = corpus_of(SOME, Path("nowhere"))
    texts, starts = chunks_of(corpus)
    whole = [chunk for document in SOME for chunk in chunks(document.title, document.text)]
    assert texts.n == len(whole) == starts[-1] == 6
    assert np.diff(starts).tolist() == [3, 0, 1, 2, 0]
    for start in range(texts.n):
        for end in range(start + 1, texts.n + 1):
            assert texts.read(start, end) == whole[start:end]


def test_a_long_document_is_found_by_its_end(tmp_path: Path) -> None:
    corpus, model = corpus_of(SOME, tmp_path), CountingModel()
    best = open_multi_vector(corpus, Spec("multi_vector", embedder=FAKE, aggregate="max"), open_model=model.opened)
    assert_notes(best.notes[:1], ("6 chunks", "64 words", "16 of them"))
    hits = best.retriever.search(Query("q", "A " + " ".join(LONG.split()[96:])), 5)
    assert hits.rows[0] == 0
    assert hits.scores[0] == pytest.approx(1.0)
    n_asked = len(model.asked)
    mean = open_multi_vector(corpus, Spec("multi_vector", embedder=FAKE), open_model=model.opened)
    assert len(model.asked) == n_asked, "both ways to put chunks together share their vectors"
    assert mean.retriever.search(Query("q", LONG), 5).rows.tolist()[0] in (0, 3)
