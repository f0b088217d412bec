"""`embed` for models that take time or money: what it says before, while and after."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from data.models.embedders import PROVIDERS
from tests.dashboard.apps import numbers
from tests.dashboard.runs import Runner
from tests.data.workspaces import TOPIC, SharedFake

KEY = "sk-very-secret-0123456789"
EMBED = ("embed", "--topic", TOPIC)


def answer(request: Request) -> Response:
    texts = json.loads(request.data)["input"]
    if any("word7" in text for text in texts):
        return Response(json.dumps({"error": {"message": f"no {KEY}"}}), 400, content_type="application/json")
    items = [{"index": k, "embedding": [len(text), 1.0, text.count("e")]} for k, text in enumerate(texts)]
    return Response(json.dumps({"data": items}), content_type="application/json")


@pytest.fixture
def service(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    httpserver.expect_request("/v1/embeddings").respond_with_handler(answer)
    return str(httpserver.url_for("/v1"))


def test_a_dry_run_sends_nothing(run: Runner, service: str, httpserver: HTTPServer) -> None:
    document = run(*EMBED, "--embedder", "openai", "--dry-run", "--json").document
    assert list(document) == [
        *("embedder", "topic", "n_publications", "n_new", "sends_to", "n_texts", "n_tokens", "dollars", "as_of")
    ]
    assert document["sends_to"] == "api.openai.com"
    assert (document["embedder"], document["n_new"], document["n_texts"]) == ("text-embedding-3-small", 40, 40)
    assert document["dollars"] == pytest.approx(document["n_tokens"] * 0.02e-6)
    said = " ".join(run(*EMBED, "--embedder", "openai", "--dry-run").out.split())
    assert "vector of text-embedding-3-small; 40 texts" in said
    assert "tokens, less than 0.01 US dollars (prices of" in said
    assert "price unknown" in run(*EMBED, "--embedder", "openai", "--base-url", service, "--dry-run").out
    assert "free" in run(*EMBED, "--embedder", "lsa", "--dry-run").out
    assert httpserver.log == []
    assert run("topics", "--json").document["topics"][0]["embedders"] == ["toy"]


def test_the_price_is_said_first_and_refused_texts_are_named(run: Runner, service: str, tmp_path: Path) -> None:
    done = run(*EMBED, "--embedder", "openai", "--model", "mine", "--base-url", service, "--json")
    assert "40 texts to embed" in done.err
    assert "price unknown" in done.err
    assert "text of p7" in done.err
    assert (done.document["embedder"], done.document["n_with_vectors"]) == ("mine", 39)
    assert (done.document["n_unscorable"], done.document["refused_ids"], done.document["n_cut"]) == (1, ["p7"], 0)
    again = run(*EMBED, "--embedder", "mine")
    assert (numbers(again.out), "mine" in again.out) == (["39", "0"], True)
    assert KEY not in done.err + done.out + again.err
    ask = ("evaluate", "--topic", TOPIC, "--version", "review", "--regions", "cosine", "--json")
    for spelling in ("mine", "openai:mine"):
        assert run(*ask, "--embedder", spelling).document["embedder"] == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--embedder", "lsa", "--model", "m"), "takes no --model"),
        (("--embedder", "st"), "needs a model"),
        (("--embedder", "openai:a", "--model", "b"), "one of them"),
        (("--embedder", "openai", "--base-url", "localhost"), "be an address"),
        (("--embedder", "st:/no/such/folder"), "not a folder"),
        (("--embedder", "st:x", "--base-url", "http://x"), "only with openai"),
        (("--embedder", "gpt"), "available: lsa, openai, openai:MODEL"),
    ],
)
def test_mistakes(run: Runner, service: str, arguments: tuple[str, ...], words: str) -> None:
    assert words in run(*EMBED, *arguments).mistake


def test_a_key_that_is_missing(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert "OPENAI_API_KEY" in run(*EMBED, "--embedder", "openai").mistake


def test_another_name(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROVIDERS, "fake", lambda model, base_url: SharedFake(model))
    assert run(*EMBED, "--embedder", "fake:m", "--name", "own", "--json").document["embedder"] == "own"
    assert run("topics", "--json").document["topics"][0]["embedders"] == ["own", "toy"]


def test_a_missing_extra_is_named(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    line = run(*EMBED, "--embedder", "sentence_transformers:some/model").mistake
    assert 'pip install ".[sentence-transformers]"' in line
