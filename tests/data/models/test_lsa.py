"""The LSA embedder: frozen, repeatable, and clear about what it can't place."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

from core.errors import CorruptStoreError, FileError, InputError, MisalignedError, NewerStoreError, StoreError
from core.vectors import cosine, embedded_set
from data.models import local_embedders
from data.models.local_embedders import LsaModel
from tests.messages import refusal

_TREES = ["trees cool hot streets", "shade of trees on streets", "street trees and shade", "trees and hot summer air"]
_PETRI = ["petri nets model processes", "process models as nets", "a petri net of a process", "models of workflow nets"]
TEXTS = _TREES + _PETRI


@pytest.fixture(scope="module")
def model() -> LsaModel:
    return LsaModel.fit(TEXTS)


def _saved(model: LsaModel, folder: Path) -> Path:
    path = folder / "lsa.npz"
    model.save(path)
    return path


def test_same_texts_and_seed_give_the_same_bytes_whatever_the_threads(model: LsaModel) -> None:
    with threadpool_limits(1):
        again = LsaModel.fit(TEXTS)
    assert again.embed(TEXTS).tobytes() == model.embed(TEXTS).tobytes()


def test_every_component_has_its_largest_entry_positive(model: LsaModel) -> None:
    columns = np.arange(model.n_dimensions)
    assert (model.term_vectors[np.abs(model.term_vectors).argmax(axis=0), columns] > 0).all()


def test_a_text_gets_the_same_vector_alone_and_in_company(model: LsaModel) -> None:
    together = model.embed([*TEXTS, "", "trees"])
    alone = np.vstack([model.embed([text]) for text in [*TEXTS, "", "trees"]])
    assert together.tobytes() == alone.tobytes()


def test_later_texts_are_placed_near_their_kind_and_move_nothing(model: LsaModel) -> None:
    before = model.embed(TEXTS)
    later, left_out = embedded_set(["l"], model.embed(["Hot streets need shade, wrote a later author"]), "lsa")
    fitted, _ = embedded_set([str(i) for i in range(len(TEXTS))], before, "lsa")
    near = cosine(fitted.vectors, later.vectors[0])
    assert left_out == ()
    assert near[:4].mean() > near[4:].mean() + 0.5
    assert model.embed(TEXTS).tobytes() == before.tobytes()


@pytest.mark.parametrize("text", ["", "   ", "zebra quark", "the of and", "!?"])
def test_a_text_without_known_words_is_a_zero_row(model: LsaModel, text: str) -> None:
    row = model.embed([text])
    assert row.shape == (1, model.n_dimensions)
    assert not row.any()
    assert embedded_set(["a"], row, "lsa")[1] == ("a",)


def test_no_texts_give_no_rows(model: LsaModel) -> None:
    assert model.embed([]).shape == (0, model.n_dimensions)


def test_words_weigh_as_in_scikit_learn(model: LsaModel) -> None:
    oracle = TfidfVectorizer(analyzer=local_embedders._terms, sublinear_tf=True).fit(TEXTS)
    texts = [*TEXTS, "trees trees trees petri", "nothing known"]
    np.testing.assert_allclose(model._weights(texts).toarray(), oracle.transform(texts).toarray(), atol=1e-6)


def test_the_number_of_dimensions_follows_the_number_of_texts() -> None:
    texts = [f"{word} {other}" for word in "abcdefghij" for other in (f"{word}1 x1", f"{word}2 x2", f"{word}3 x3")]
    assert LsaModel.fit(texts).n_dimensions == round(len(texts) ** 0.5)
    assert LsaModel.fit(TEXTS[:4]).n_dimensions == 2


def test_a_word_of_a_single_text_is_dropped_from_a_large_corpus_only() -> None:
    common = ["street trees", "petri nets"] * 30
    assert "hapax" not in LsaModel.fit([*common, "hapax trees"]).vocabulary
    assert "hapax" in LsaModel.fit([*common[:10], "hapax trees"]).vocabulary
    all_different = [f"word{n}" for n in range(60)]
    assert len(LsaModel.fit(all_different).vocabulary) == 60


def test_texts_that_are_all_alike_can_still_be_placed() -> None:
    model = LsaModel.fit(["street trees"] * 9)
    assert model.n_dimensions == 1
    assert model.embed(["trees"]).any()


@pytest.mark.parametrize(
    ("texts", "message"),
    [([], "at least 4 texts"), (TEXTS[:3], "at least 4 texts"), ([""] * 5, "no words"), (["the of"] * 60, "no words")],
)
def test_too_little_to_learn_from(texts: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        LsaModel.fit(texts)


def test_saved_and_loaded_it_gives_the_same_bytes(model: LsaModel, tmp_path: Path) -> None:
    path = _saved(model, tmp_path)
    loaded = LsaModel.load(path)
    texts = [*TEXTS, "later trees", ""]
    assert loaded.embed(texts).tobytes() == model.embed(texts).tobytes()
    assert (loaded.vocabulary, loaded.seed, loaded.n_texts) == (model.vocabulary, 0, len(TEXTS))
    assert {found.name for found in tmp_path.iterdir()} == {path.name, f"{path.name}.digests"}


def test_saving_twice_writes_the_same_file(model: LsaModel, tmp_path: Path) -> None:
    first = _saved(model, tmp_path).read_bytes()
    assert _saved(model, tmp_path).read_bytes() == first


def test_nothing_in_the_file_is_pickled(model: LsaModel, tmp_path: Path) -> None:
    with np.load(_saved(model, tmp_path), allow_pickle=False) as arrays:
        assert all(arrays[name].dtype.kind in "iUf" for name in arrays.files)


def test_a_kill_while_writing_leaves_the_old_file(
    model: LsaModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _saved(model, tmp_path)
    before = path.read_bytes()

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        LsaModel.fit(_TREES).save(path)
    assert path.read_bytes() == before
    # Its digests go before it is replaced: none are better than those of another file.
    assert {found.name for found in tmp_path.iterdir()} <= {path.name, f"{path.name}.digests"}


def test_a_damaged_file_says_what_to_do(model: LsaModel, tmp_path: Path) -> None:
    path = _saved(model, tmp_path)
    content = path.read_bytes()
    texts = [*TEXTS, "later trees"]
    for damaged in (b"", b"not a model", content[: len(content) // 2], content[:-30], b"\0" * len(content)):
        path.write_bytes(damaged)
        with refusal(CorruptStoreError) as caught:
            LsaModel.load(path)
        assert "\n" not in str(caught.value)
    for place in range(0, len(content), 7):  # one byte wrong: noticed, or without effect
        path.write_bytes(content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :])
        try:
            loaded = LsaModel.load(path)
        except CorruptStoreError:
            continue
        assert loaded.embed(texts).tobytes() == model.embed(texts).tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"idf": np.ones(2, dtype=np.float32)},
        {"idf": np.array(["a"], dtype=object)},
        {"term_vectors": np.full((3, 2), np.nan, dtype=np.float32)},
        {"term_vectors": np.ones((3, 2))},
        {"seed": None},
    ],
)
def test_a_file_that_holds_something_else_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    arrays: dict[str, object] = {
        "format_version": 1,
        "seed": 0,
        "n_texts": 4,
        "vocabulary": np.array(["a", "b", "c"]),
        "idf": np.ones(3, dtype=np.float32),
        "term_vectors": np.ones((3, 2), dtype=np.float32),
    }
    path = tmp_path / "lsa.npz"
    np.savez(path, **arrays)
    assert LsaModel.load(path).vocabulary == ("a", "b", "c")
    np.savez(path, **{**arrays, **change})
    with pytest.raises(CorruptStoreError):
        LsaModel.load(path)


def test_a_file_of_a_later_queryscape(tmp_path: Path) -> None:
    np.savez(tmp_path / "lsa.npz", format_version=99)
    with pytest.raises(NewerStoreError, match="format 99"):
        LsaModel.load(tmp_path / "lsa.npz")


def test_missing_file_and_a_file_where_the_folder_should_be(model: LsaModel, tmp_path: Path) -> None:
    with refusal(FileError):
        LsaModel.load(tmp_path / "none.npz")
    (tmp_path / "taken").write_text("x")
    with pytest.raises(StoreError, match="folder exists"):
        model.save(tmp_path / "taken" / "lsa.npz")


def test_words_and_vectors_must_fit_together() -> None:
    with pytest.raises(MisalignedError, match="1 words but"):
        LsaModel(("a",), np.ones(2, dtype=np.float32), np.ones((2, 2), dtype=np.float32), 0, 4)
