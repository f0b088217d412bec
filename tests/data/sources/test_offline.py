"""With QUERYSCAPE_OFFLINE no connection is made at all: in processes whose every socket is noted."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import pytest
from streamlit import net_util
from streamlit.web.server.server_util import is_url_from_allowed_origins

from core.errors import EndsAllError, OutOfReachError
from dashboard.silence import silence
from data.http import client as bodies
from data.http.client import check_online, is_offline
from data.http.download import mirror
from data.models import local_embedders as models
from data.models.openai import ServiceWording, open_service
from tests.data.services import KEY
from tests.data.sources.fake_sources.registry import KEYS, VARIABLES
from tests.data.workspaces import fill
from tests.messages import refusal

TOP = Path(__file__).parents[3]
HUB = "embed a model of a hub"
SCRIPT = ("-m", "tests.data.listening_in")
TOKEN = "a-token-of-these-tests-0123456789"
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.mark.parametrize(
    ("said", "expected"),
    [("", False), ("0", False), (" False ", False), ("no", False), ("1", True), ("yes", True), ("anything", True)],
)
def test_what_makes_it_offline(monkeypatch: pytest.MonkeyPatch, said: str, expected: bool) -> None:
    monkeypatch.setenv(bodies.VARIABLE, said)
    assert is_offline() is expected
    if expected:
        with refusal(OutOfReachError):
            check_online("PubMed")
    else:
        check_online("PubMed")
    monkeypatch.delenv(bodies.VARIABLE)
    assert not is_offline()


def test_services_and_downloads_refuse_before_they_try(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    service = open_service("http://127.0.0.1:9/v1", None, ServiceWording())
    with (
        service.client,
        refusal(EndsAllError),
    ):
        service.ask("m", lambda client: pytest.fail("it was asked"), bytes)
    with refusal(OutOfReachError):
        mirror("http://127.0.0.1:9", ["a.csv"], tmp_path)


def test_a_model_of_a_hub_is_out_of_reach_and_one_that_is_kept_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")  # so that it is put back
    library, asked = ModuleType("sentence_transformers"), list[dict[str, Any]]()
    library.SentenceTransformer = lambda where, **how: asked.append(how)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    monkeypatch.setattr(models, "snapshot_of", lambda name: None)
    with refusal(OutOfReachError):
        models.load_model("some/model")
    assert not asked
    monkeypatch.setattr(models, "snapshot_of", lambda name: tmp_path)
    models.load_model("some/model")
    assert [how["local_files_only"] for how in asked] == [True]
    assert os.environ["HF_HUB_OFFLINE"] == "1"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a topic to embed, judge and search for."""
    fill(tmp_path / "ws", landscape=False)
    return tmp_path / "ws"


@pytest.fixture
def address() -> Iterator[str]:
    """A place that takes connections; whoever came shows in its queue."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.0)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(BlockingIOError):
            listening.accept()


def environment(address: str, offline: str = "1") -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.lower().endswith("_proxy")}
    places = {variable: f"{address}/{source}" for source, variable in VARIABLES.items()}
    return {**kept, **places, **KEYS, "OPENAI_API_KEY": KEY, "QUERYSCAPE_OFFLINE": offline}


def listened(address: str, *arguments: str, offline: str = "1") -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, *SCRIPT, *arguments],
        cwd=TOP,
        env=environment(address, offline),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_connection_would_be_noted() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        told = listened("http://127.0.0.1:9", "connection", str(port))
    assert any(line.startswith("socket.getaddrinfo") and "localhost" in line for line in told["noted"])
    assert any(line.startswith("socket.connect") and str(port) in line for line in told["noted"])


@pytest.mark.slow
def test_no_command_opens_a_connection_and_each_says_why(root: Path, address: str) -> None:
    told = listened(address, "commands", str(root), address)
    assert told["noted"] == []
    assert len(told["found"]) == 8
    for name, (status, line) in told["found"].items():
        assert status == (0 if name == "source preview" else 2), (name, line)  # a translation needs no connection
        if name == HUB and "needs its extra" in line:  # where the library is not installed, nothing is loaded anyway
            continue
        assert "offline: QUERYSCAPE_OFFLINE is set" in line, name
        assert "unset it" in line, name


@pytest.mark.slow
@pytest.mark.parametrize("offline", ["1", "0"])
def test_every_page_answers_and_opens_no_connection(root: Path, address: str, offline: str) -> None:
    told = listened(address, "pages", str(root), offline=offline)
    assert told["noted"] == []
    pages = {"workbench/page.py", "sources/page.py", "library/page.py", "about.py"}
    assert pages <= set(told["found"])
    assert [name for name, (has_failed, _) in told["found"].items() if has_failed] == []
    assert ("QUERYSCAPE_OFFLINE" in told["found"]["sources/page.py"][1]) is (offline == "1")


def test_streamlit_judges_an_origin_without_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even one that the app itself lets through, such as that of a proxy."""
    for name in ("get_external_ip", "get_internal_ip"):
        monkeypatch.setattr(net_util, name, getattr(net_util, name))  # so that it is put back
    silence()
    for name in ("socket", "getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, lambda *given, **named: pytest.fail("a socket was opened"))
    for origin in ("http://tea.example", "https://192.0.2.7:8501", "http://[2001:db8::7]", "null", ""):
        assert not is_url_from_allowed_origins(origin)
    assert is_url_from_allowed_origins("http://localhost:8501")


@pytest.mark.slow
@pytest.mark.parametrize(("way", "offline"), [("app", "1"), ("script", "0")])
def test_the_app_opens_no_connection_wherever_a_request_comes_from(
    root: Path, address: str, way: str, offline: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    begun = subprocess.Popen(
        [sys.executable, *SCRIPT, way, str(root), str(port)],
        cwd=TOP,
        env=environment(address, offline) | {"QUERYSCAPE_TOKEN": TOKEN},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert _answer(begun, port, "/_stcore/health") == 200
        for origin in ("http://tea.example", "https://192.0.2.7:8501", "http://[2001:db8::7]", "null", ""):
            for path in ("/", "/_stcore/health", "/_stcore/host-config"):
                assert _answer(begun, port, path, {"Origin": origin}) == 403
            assert _answer(begun, port, "/_stcore/stream", {"Origin": origin, **UPGRADE}) == 403
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        line.request("GET", f"/?token={TOKEN}")
        cookie = str(line.getresponse().getheader("Set-Cookie")).partition(";")[0]
        line.close()
        own_page = {"Origin": f"http://127.0.0.1:{port}", "Cookie": cookie}
        assert _answer(begun, port, "/_stcore/stream", own_page | UPGRADE) == 101
    finally:
        begun.terminate()
        said, _ = begun.communicate(timeout=60)
    assert f"Queryscape is at http://localhost:{port}" in said
    lines = [line for line in said.splitlines() if line.startswith("socket.")]
    own = ("'localhost'", "'127.0.0.1'", "'0.0.0.0'", "'::1'", "None")
    assert [line for line in lines if not any(name in line for name in own)] == []
    assert [line for line in lines if line.startswith(("socket.connect", "socket.send"))] == []


def _answer(
    begun: subprocess.Popen[str], port: int, path: str, headers: Mapping[str, str] = MappingProxyType({})
) -> int:
    """Once it is up."""
    end = time.monotonic() + 120
    while True:
        assert begun.poll() is None, "the app ended"
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            line.request("GET", path, headers=dict(headers))
            return line.getresponse().status
        except ConnectionError:
            assert time.monotonic() < end, "the app did not start"
            time.sleep(0.2)
        finally:
            line.close()
