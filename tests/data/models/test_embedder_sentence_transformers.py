"""The sentence_transformers embedder: the real model from a folder, and all around it with a fake one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import FileError, InputError, NotFoundError
from core.types import Publication
from data.explore.embedding import EmbedRequest
from data.explore.workspace import Workspace
from data.library.litqeval import load_litqeval
from data.models.embedders import PROVIDERS, read_name
from data.models.embedding_model import EmbeddingModel
from data.models.local_embedders import SentenceTransformersModel, document_prompt, folder_fingerprint, query_prompt
from tests.data.real_model import packaged_model
from tests.data.workspaces import TOPIC, N, Version, fill, ids_of
from tests.messages import refusal


@dataclass
class FakeLibrary:
    """What loading a model gives; remembers what was loaded and asked."""

    loaded: list[str] = field(default_factory=list)
    asked_with: list[str | None] = field(default_factory=list)
    prompts: dict[str, str] = field(default_factory=lambda: {"query": "", "document": ""})
    default_prompt_name: str | None = None
    n_texts: int = 0

    def load(self, where: str) -> Any:
        self.loaded.append(where)
        return self

    def encode(self, texts: Sequence[str], *, prompt: str | None = None, **options: Any) -> np.ndarray:
        assert options["normalize_embeddings"] is True
        self.asked_with.append(prompt)
        self.n_texts += len(texts)
        return np.array([[len(text), 1.0, text.count("e")] for text in texts])


def model_folder(folder: Path, weights: bytes = b"weights") -> Path:
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "1_Pooling/config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(weights)
    return folder


def test_the_fingerprint_is_of_what_the_files_say(tmp_path: Path) -> None:
    one = model_folder(tmp_path / "one")
    same = folder_fingerprint(one)
    moved = Path(shutil.copytree(one, tmp_path / "elsewhere/two"))
    (moved / "README.md").write_text("Words about the model change nothing.")
    assert folder_fingerprint(moved) == same
    assert folder_fingerprint(model_folder(tmp_path / "three", b"weightz")) != same
    (moved / "1_Pooling/config.json").write_text("{ }")
    assert folder_fingerprint(moved) != same
    (tmp_path / "empty").mkdir()
    with refusal(FileError):
        folder_fingerprint(tmp_path / "empty")


GRITLM = "<|user|>\nGiven a search query, retrieve the publications that answer it\n<|embed|>\n"
BGE = "Represent this sentence for searching relevant passages: "


@pytest.mark.parametrize(
    ("name", "of_document", "of_query"),
    [
        ("intfloat/e5-base-v2", "passage: ", "query: "),
        ("/models/multilingual-E5-small", "passage: ", "query: "),
        ("intfloat/e5-mistral-7b-instruct", "", ""),
        ("GritLM/GritLM-7B", "<|embed|>\n", GRITLM),
        ("BAAI/bge-small-en-v1.5", "", BGE),
        ("BAAI/bge-m3", "", ""),
        ("BAAI/bge-reranker-base", "", ""),
        ("all-MiniLM-L6-v2", "", ""),
        ("/my/e5-trials/minilm", "", ""),
        ("facebook-dpr-ctx_encoder-single-nq-base", "", ""),
    ],
)
def test_what_comes_before_a_document_and_a_query(name: str, of_document: str, of_query: str) -> None:
    assert (document_prompt(name), query_prompt(name)) == (of_document, of_query)
    library = FakeLibrary()
    SentenceTransformersModel(name, library.load).embed(["text"])
    SentenceTransformersModel(name, library.load).embed_queries(["text"])
    assert (library.loaded, library.asked_with) == ([name] * 2, [of_document or None, of_query or None])


def test_a_prompt_of_the_models_own_comes_first() -> None:
    library = FakeLibrary()
    library.prompts = {"query": "q: ", "document": "d: "}
    SentenceTransformersModel("e5-base", library.load).embed(["text"])
    library.default_prompt_name = "document"
    SentenceTransformersModel("e5-base", library.load).embed(["text"])
    assert library.asked_with == ["d: ", None], "one that is the default is added by the library"


def test_before_a_query_the_models_own_prompt_comes_first_and_then_its_default() -> None:
    library = FakeLibrary()
    model = SentenceTransformersModel("e5-base", library.load)
    library.prompts = {"query": "q: ", "document": "d: "}
    model.embed_queries(["text"])
    library.default_prompt_name = "document"
    model.embed_queries(["text"])
    library.prompts = {"document": "d: "}
    model.embed_queries(["text"])
    assert library.asked_with == ["q: ", "q: ", None]


def test_the_name_of_the_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = model_folder(tmp_path / "my model")
    monkeypatch.chdir(folder)
    for text in (".", "../my model", f"{folder}/"):
        found = read_name(f"st:{text}")
        assert found is not None
        assert (found.stored, found.spelled_model) == ("my model", str(folder.resolve()))
    hub = read_name("sentence_transformers:sentence-transformers/all-MiniLM-L6-v2")
    assert hub is not None
    assert hub.stored == "all-MiniLM-L6-v2"


def test_folders_that_are_none(tmp_path: Path) -> None:
    with refusal(InputError):
        _ = SentenceTransformersModel(str(tmp_path / "none")).fingerprint


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with refusal(NotFoundError):
        SentenceTransformersModel(str(model_folder(tmp_path / "m"))).embed(["text"])


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> FakeLibrary:
    library = FakeLibrary()

    def opened(model: str, base_url: str | None) -> EmbeddingModel:
        return SentenceTransformersModel(model, library.load)

    monkeypatch.setitem(PROVIDERS, "sentence_transformers", opened)
    return library


def test_both_spellings_and_a_second_topic(tmp_path: Path, library: FakeLibrary) -> None:
    folder = model_folder(tmp_path / "tiny")
    fill(tmp_path / "ws", models=(), landscape=False)
    with Workspace.open(tmp_path / "ws") as workspace:
        preview = workspace.preview_embedding(TOPIC, EmbedRequest(f"st:{folder}"))
        assert (preview.n_new, preview.costs, library.loaded) == (N, False, [])
        report = workspace.embed(TOPIC, f"st:{folder}")
        assert (report.embedder, report.n_with_vectors, report.n_new) == ("tiny", N, N)
        for spelling in ("tiny", f"st:{folder}", f"sentence_transformers:{folder}/"):
            score = workspace.evaluate(TOPIC, "review", embedder=spelling, regions=("cosine",))
            assert (score.model_id, score.settings.cosine_mode) == ("tiny", "leave_one_out")
        with workspace.store.transaction():
            workspace.save_topic("Other", ids_of(0, 5), [Version("all", 1, ids_of(0, 30))])
        n_asked = library.n_texts
        assert workspace.embed("Other", "tiny").n_new == 0, "the name of its vectors is enough, and nothing is new"
        with refusal(NotFoundError):
            workspace.evaluate("Other", "all", embedder="st:someone/unknown-model")
        assert library.n_texts == n_asked


def test_another_model_of_the_same_name_is_kept_apart(tmp_path: Path, library: FakeLibrary) -> None:
    one = model_folder(tmp_path / "a/tiny")
    two = model_folder(tmp_path / "b/tiny", b"other weights")
    fill(tmp_path / "ws", models=(), landscape=False)
    with Workspace.open(tmp_path / "ws") as workspace:
        workspace.embed(TOPIC, f"st:{one}")
        with refusal(InputError):
            workspace.embed(TOPIC, f"st:{two}")
        workspace.embed(TOPIC, EmbedRequest(f"st:{two}", name="tiny two"))
        assert workspace.topics()[0].embedders == ("tiny", "tiny two")
        assert workspace.embed(TOPIC, "tiny two").n_new == 0
        with refusal(InputError):
            workspace.embed(TOPIC, EmbedRequest(f"st:{two}", name="lsa"))


def test_a_topic_that_came_with_a_corpus_only(tmp_path: Path, library: FakeLibrary) -> None:
    folder = model_folder(tmp_path / "tiny")
    fill(tmp_path / "ws", models=(), landscape=False)
    with Workspace.open(tmp_path / "ws") as workspace:
        with workspace.store.transaction():
            workspace.save_topic("Brought", (), (), corpus_ids=ids_of(10, N))
        assert workspace.embed("Brought", f"st:{folder}").n_with_vectors == N - 10
        covered = {t.topic_id: t.embedders for t in workspace.topics()}
        assert covered["Brought"] == ("tiny",)
        (coverage,) = workspace.catalogue.coverage("Brought")
        assert (coverage.n_with_vectors, coverage.n_publications) == (N - 10, N - 10)


def test_vectors_that_were_brought_under_the_name_are_not_made_again(tmp_path: Path, library: FakeLibrary) -> None:
    folder = model_folder(tmp_path / "toy")
    fill(tmp_path / "ws", models=("toy",), landscape=False)
    with Workspace.open(tmp_path / "ws") as workspace:
        report = workspace.embed(TOPIC, f"st:{folder}")
        assert (report.n_new, report.n_with_vectors, library.n_texts) == (0, N, 0)


def as_the_reference_had_it(publication: Publication) -> Publication:
    """The reference was made of "Title: ..." and "Abstract: ..." on two lines."""
    title, abstract = f"Title: {publication.title}", f"Abstract: {publication.abstract or ''}"
    return replace(publication, title=title, abstract=abstract)


@pytest.mark.slow
@pytest.mark.collections
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_the_real_model_gives_the_reference(
    tmp_path: Path, collections_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = packaged_model()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with np.load(collections_dir / "litqeval/vectors_minilm384.npz") as arrays:
        row_of = dict(zip(arrays["ids"].tolist(), arrays["vectors"], strict=True))
    loaded = load_litqeval(collections_dir / "litqeval/data").publications
    some = [as_the_reference_had_it(p) for p in loaded if p.publication_id in row_of and p.abstract][::15][:200]
    ids = tuple(p.publication_id for p in some)
    assert len(ids) == 200
    with Workspace.open(tmp_path) as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications(some)
            workspace.save_topic("Some", ids[:10], (), corpus_ids=ids)
        report = workspace.embed("Some", EmbedRequest(f"st:{folder}", name="all-MiniLM-L6-v2"))
        assert (report.n_with_vectors, report.n_unscorable) == (200, 0)
        found = workspace.catalogue.find("all-MiniLM-L6-v2", "Some")
        assert found is not None
        vectors = workspace.catalogue.load(found, ids).vectors
    np.testing.assert_allclose(vectors, np.array([row_of[i] for i in ids]), atol=1e-3)
