"""Write BERT models in ONNX format: from given weights, or tiny ones with random weights."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Weights = Mapping[str, npt.NDArray[np.float32]]
TINY = {"num_hidden_layers": 2, "num_attention_heads": 2, "layer_norm_eps": 1e-12}
WORDS = "[PAD] [UNK] [CLS] [SEP] green warehouse warehouses energy of in the query title study cars a".split()  # noqa: SIM905


def read_safetensors(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    content = path.read_bytes()
    (n,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + n])
    return {
        name: np.frombuffer(content[8 + n :], np.float32, int(np.prod(entry["shape"])), entry["data_offsets"][0])
        .reshape(entry["shape"])
        .copy()
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def random_weights(rng: np.random.Generator, *, width: int = 8, n_words: int = len(WORDS)) -> Weights:
    def normal(*shape: int) -> npt.NDArray[np.float32]:
        return rng.normal(0, 0.4, shape).astype(np.float32)

    weights = {
        "embeddings.word_embeddings.weight": normal(n_words, width),
        "embeddings.position_embeddings.weight": normal(32, width),
        "embeddings.token_type_embeddings.weight": normal(2, width),
        "embeddings.LayerNorm.weight": normal(width) + 1,
        "embeddings.LayerNorm.bias": normal(width),
    }
    for layer in range(int(TINY["num_hidden_layers"])):
        of_layer = f"encoder.layer.{layer}."
        shapes = {f"attention.self.{name}": (width, width) for name in ("query", "key", "value")}
        shapes |= {"attention.output.dense": (width, width), "intermediate.dense": (16, width)}
        shapes |= {"output.dense": (width, 16)}
        for name, shape in shapes.items():
            weights[f"{of_layer}{name}.weight"] = normal(*shape)
            weights[f"{of_layer}{name}.bias"] = normal(shape[0])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            weights[f"{of_layer}{name}.weight"] = normal(width) + 1
            weights[f"{of_layer}{name}.bias"] = normal(width)
    return weights


class _Graph:
    """Collects nodes and constants; every call returns the name of its output."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.nodes, self.constants = weights, list[Any](), dict[str, npt.NDArray[Any]]()

    def node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        output = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def constant(self, value: npt.ArrayLike, dtype: type[np.generic] = np.float32) -> str:
        name = f"constant{len(self.constants)}"
        self.constants[name] = np.asarray(value, dtype=dtype)
        return name

    def dense(self, rows: str, name: str) -> str:
        weight = self.constant(self.weights[f"{name}.weight"].T)
        return self.node("Add", self.node("MatMul", rows, weight), self.constant(self.weights[f"{name}.bias"]))

    def norm(self, rows: str, name: str, epsilon: float) -> str:
        scale, bias = (self.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.node("LayerNormalization", rows, scale, bias, axis=-1, epsilon=epsilon)


def save_graph(path: Path, weights: Weights, config: Mapping[str, Any]) -> None:
    """Save a BERT encoder whose output is `last_hidden_state`."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    graph = _Graph(weights)
    epsilon, n_heads = float(config["layer_norm_eps"]), int(config["num_attention_heads"])
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    table = {name: graph.constant(weights[f"embeddings.{name}_embeddings.weight"]) for name in ("word", "position")}
    n_tokens = graph.node("Gather", graph.node("Shape", "input_ids"), graph.constant(1, np.int64))
    zero, one = graph.constant(0, np.int64), graph.constant(1, np.int64)
    positions = graph.node("Gather", table["position"], graph.node("Range", zero, n_tokens, one))
    kinds = graph.node("Gather", graph.constant(weights["embeddings.token_type_embeddings.weight"]), "token_type_ids")
    rows = graph.node("Add", graph.node("Gather", table["word"], "input_ids"), positions)
    rows = graph.norm(graph.node("Add", rows, kinds), "embeddings.LayerNorm", epsilon)
    mask = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    mask = graph.node("Unsqueeze", mask, graph.constant([1, 2], np.int64))
    mask = graph.node("Mul", graph.node("Sub", mask, graph.constant(1.0)), graph.constant(1e4))
    split = graph.constant([0, 0, n_heads, width // n_heads], np.int64)
    joined = graph.constant([0, 0, width], np.int64)
    for layer in range(int(config["num_hidden_layers"])):
        at = f"encoder.layer.{layer}."
        query, key, value = (
            graph.node("Reshape", graph.dense(rows, f"{at}attention.self.{name}"), split)
            for name in ("query", "key", "value")
        )
        query, value = (graph.node("Transpose", heads, perm=[0, 2, 1, 3]) for heads in (query, value))
        key = graph.node("Transpose", key, perm=[0, 2, 3, 1])
        scores = graph.node("Div", graph.node("MatMul", query, key), graph.constant((width // n_heads) ** 0.5))
        shares = graph.node("Softmax", graph.node("Add", scores, mask), axis=-1)
        summed = graph.node("Transpose", graph.node("MatMul", shares, value), perm=[0, 2, 1, 3])
        seen = graph.dense(graph.node("Reshape", summed, joined), f"{at}attention.output.dense")
        rows = graph.norm(graph.node("Add", seen, rows), f"{at}attention.output.LayerNorm", epsilon)
        inner = graph.node("Gelu", graph.dense(rows, f"{at}intermediate.dense"))
        rows = graph.norm(
            graph.node("Add", graph.dense(inner, f"{at}output.dense"), rows), f"{at}output.LayerNorm", epsilon
        )
    graph.nodes.append(helper.make_node("Identity", [rows], ["last_hidden_state"]))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "m"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["n", "m", width])
    tables = [numpy_helper.from_array(value, name) for name, value in graph.constants.items()]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "bert", inputs, [output], tables),
        opset_imports=[helper.make_opsetid("", 20)],
        ir_version=9,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, path)


def save_tiny(folder: Path, *, seed: int = 0, max_length: int = 12) -> Path:
    """Save a whole model folder: a few words, 8 dimensions, random weights."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    save_graph(folder / "model.onnx", random_weights(np.random.default_rng(seed)), TINY)
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": max_length}))
    return folder


def converted(folder: Path, target: Path) -> Path:
    """Copy a sentence-transformers folder of a BERT model, with its weights in ONNX format."""
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns("*.safetensors", "*.bin"))
    config = json.loads((folder / "config.json").read_text())
    save_graph(target / "onnx/model.onnx", read_safetensors(folder / "model.safetensors"), config)
    return target
