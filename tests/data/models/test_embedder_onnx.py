"""The onnx embedder: a tiny model with random weights, and a real one against the vectors of its library."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from core.errors import FileError, InputError, NotFoundError, QueryscapeError
from data.explore.workspace import Workspace
from data.library.litqeval import load_litqeval
from data.models.embedders import PROVIDERS, SPELLINGS, read_name
from data.models.onnx_model import OnnxModel
from tests.data.models.bert_graphs import TINY, converted, random_weights, save_graph, save_tiny
from tests.data.real_model import packaged_model
from tests.data.workspaces import TOPIC, N, fill
from tests.messages import refusal

LIBRARIES = ("onnxruntime", "tokenizers", "onnx")
TEXTS = ["green warehouses", "energy of the warehouse", "", "cars", "query title in a study " * 3, "unknown words"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    packaged_model(*LIBRARIES)  # skips, or fails, where the libraries are missing
    return save_tiny(tmp_path_factory.mktemp("models") / "tiny")


def copy_of(folder: Path, target: Path) -> Path:
    return Path(shutil.copytree(folder, target))


def test_the_name_and_the_way_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tiny").mkdir()
    found = read_name(f"onnx:{tmp_path / 'tiny'}")
    assert found is not None
    assert (found.stored, found.is_local) == ("tiny", True)
    assert "onnx:FOLDER" in SPELLINGS
    for name in ("onnxruntime", "tokenizers"):
        monkeypatch.setitem(sys.modules, name, None)
    with refusal(NotFoundError):
        OnnxModel(str(tmp_path / "tiny")).embed(["text"])
    with refusal(InputError):
        PROVIDERS["onnx"]("tiny", "http://localhost:1234/v1")


@pytest.mark.parametrize("settings", [{"pooling_mode_max_tokens": True}, {"pooling_mode": "lasttoken"}])
def test_a_pooling_that_is_not_built_in_is_refused(tmp_path: Path, settings: dict[str, object]) -> None:
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling/config.json").write_text(json.dumps(settings))
    with refusal(FileError):
        _ = OnnxModel(str(tmp_path))._pooling


def test_a_layer_outside_the_graph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text('[{"type": "sentence_transformers.models.Dense"}]')
    with refusal(FileError):
        _ = OnnxModel(str(tmp_path))._pooling


def test_folders_without_a_model(tmp_path: Path) -> None:
    with refusal(InputError):
        _ = OnnxModel(str(tmp_path / "none")).fingerprint
    with refusal(FileError):
        _ = OnnxModel(str(tmp_path)).fingerprint


@pytest.mark.slow
def test_a_text_has_the_same_vector_in_any_company(tiny: Path) -> None:
    model = OnnxModel(str(tiny))
    together = model.embed(TEXTS)
    assert together.shape == (len(TEXTS), 8)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for place, text in enumerate(TEXTS):
        np.testing.assert_allclose(OnnxModel(str(tiny)).embed([text])[0], together[place], atol=1e-5)
    np.testing.assert_allclose(model.embed(TEXTS[::-1])[::-1], together, atol=1e-5)
    assert model.mishaps.cut == {TEXTS[4]}
    assert len(model.embed([])) == 0


@pytest.mark.slow
def test_prompts_and_pooling_come_from_the_configuration(tiny: Path, tmp_path: Path) -> None:
    plain = OnnxModel(str(tiny))
    folder = copy_of(tiny, tmp_path / "own")
    prompts = {"query": "query ", "document": "title "}
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))
    own = OnnxModel(str(folder))
    assert own.fingerprint != plain.fingerprint
    np.testing.assert_array_equal(own.embed(["cars"]), plain.embed(["title cars"]))
    np.testing.assert_array_equal(own.embed_queries(["cars"]), plain.embed(["query cars"]))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling/config.json").write_text('{"pooling_mode_cls_token": true}')
    assert not np.allclose(OnnxModel(str(folder)).embed(["cars"]), own.embed(["cars"]), atol=1e-3)


@pytest.mark.slow
def test_the_fingerprint_is_of_the_weights_and_the_configuration(tiny: Path, tmp_path: Path) -> None:
    before = OnnxModel(str(tiny)).fingerprint
    folder = copy_of(tiny, tmp_path / "moved")
    (folder / "README.md").write_text("Words about the model change nothing.")
    assert OnnxModel(str(folder)).fingerprint == before
    save_graph(folder / "model.onnx", random_weights(np.random.default_rng(1)), TINY)
    assert OnnxModel(str(folder)).fingerprint != before


@pytest.mark.slow
@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "sentence_bert_config.json"])
@pytest.mark.parametrize("damage", ["empty", "half", "noise", "missing"])
def test_a_damaged_file_is_told_by_its_name(tiny: Path, tmp_path: Path, name: str, damage: str) -> None:
    file = copy_of(tiny, tmp_path / "damaged") / name
    content = file.read_bytes()
    damaged = {"empty": b"", "half": content[: len(content) // 2], "noise": bytes(range(256)) * 4}
    if damage == "missing":
        file.unlink()
        if name.startswith("sentence"):
            return  # it is optional
    else:
        file.write_bytes(damaged[damage])
    with pytest.raises(QueryscapeError, match=name):
        OnnxModel(str(file.parent)).embed(["green warehouse"])


@pytest.mark.slow
def test_it_embeds_a_topic(tiny: Path, tmp_path: Path) -> None:
    fill(tmp_path / "ws", models=(), landscape=False)
    with Workspace.open(tmp_path / "ws") as workspace:
        report = workspace.embed(TOPIC, f"onnx:{tiny}")
        assert (report.embedder, report.n_with_vectors) == ("tiny", N)
        assert workspace.embed(TOPIC, "tiny").n_new == 0
        score = workspace.evaluate(TOPIC, "review", embedder=f"onnx:{tiny}", regions=("cosine",))
        assert score.model_id == "tiny"


@pytest.mark.slow
@pytest.mark.collections
def test_the_real_model_gives_the_reference_without_its_library(tmp_path: Path, collections_dir: Path) -> None:
    model = OnnxModel(str(converted(packaged_model(*LIBRARIES), tmp_path / "minilm")))
    with np.load(collections_dir / "litqeval/vectors_minilm384.npz") as arrays:
        row_of = dict(zip(arrays["ids"].tolist(), arrays["vectors"], strict=True))
    loaded = load_litqeval(collections_dir / "litqeval/data").publications
    some = [p for p in loaded if p.publication_id in row_of and p.abstract][::60][:50]
    rows = model.embed([f"Title: {p.title}\nAbstract: {p.abstract}" for p in some])
    np.testing.assert_allclose(rows, np.array([row_of[p.publication_id] for p in some]), atol=1e-4)
