"""What is asked of a source in a day, a source opened by its name, and whether one can be reached."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, OutOfReachError
from core.query.parser import parse
from core.sources.source_forms import SOURCE_IDS, SourceId, SourceOptions
from data.http import client as reaching
from data.http.client import ServiceReach, reach
from data.sources.registry import ABOUT, DailyUsage, Meter, check_source, open_crossref, open_source, standing_of
from data.sources.types import SentRequest
from data.store import Store
from tests.data.sources.fake_sources.corpus import made_up
from tests.data.sources.fake_sources.registry import KEYS, services
from tests.data.sources.fake_sources.server import FakeSources, on, serving
from tests.data.sources.source_bench import VARIABLES
from tests.messages import refusal

SENT = SentRequest("GET", "https://tea.example/works", "", "2031-05-06T14:00:00+00:00", 12.0, 200, 100)
KEY_VARIABLES = ["OPENALEX_API_KEY", "NCBI_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "DIMENSIONS_API_KEY"]
LATER = "2031-05-06T23:59:59+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.duckdb") as opened:
        yield opened


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = [f"QUERYSCAPE_{name.upper()}_URL" for name in (*SOURCE_IDS, "crossref")]
    for name in (*VARIABLES, *(name.upper() for name in VARIABLES), *KEY_VARIABLES, *addresses):
        monkeypatch.delenv(name, raising=False)


# The meter


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["openalex", "pubmed"]),
            st.sampled_from(["2031-05-05T23:59:59+00:00", SENT.at, LATER, "2031-05-07T00:00:00+00:00"]),
            st.integers(0, 1000),
            st.none() | st.integers(0, 10),
        ),
        max_size=12,
    )
)
def test_a_day_is_the_sum_of_its_requests_and_the_last_word_on_what_is_left(
    tmp_path_factory: Any, noted: list[Any]
) -> None:
    with Store.open(tmp_path_factory.mktemp("meter") / "store.duckdb") as store:
        meter = Meter(store, lambda: LATER)
        for source, at, mills, left in noted:
            meter.note(source, replace(SENT, at=at, dollars=mills / 1000), left)
        for source in ("openalex", "pubmed"):
            of_day = [each for each in noted if each[0] == source and each[1] in (SENT.at, LATER)]
            day = meter.today(source)
            assert day.n_calls == len(of_day)
            assert day.dollars == pytest.approx(sum(mills for _, _, mills, _ in of_day) / 1000)
            assert day.left_dollars == next((left for *_, left in reversed(of_day) if left is not None), None)


def test_threads_lose_no_request(store: Store) -> None:
    meter = Meter(store, lambda: LATER)
    work = lambda: [meter.note("pubmed", replace(SENT, dollars=0.5)) for _ in range(25)]  # noqa: E731
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert meter.today("pubmed") == DailyUsage(100, 50.0, None)


# Sources by name


@pytest.fixture
def served() -> Iterator[FakeSources]:
    with serving(services(made_up(60))) as server:
        yield server


def test_every_source_says_what_it_is() -> None:
    assert list(ABOUT) == list(SOURCE_IDS)
    for source_id, about in ABOUT.items():
        assert about.id == source_id
        assert about.label
        assert about.per_page > 0
        assert about.per_second > 0
        assert about.address_variable == f"QUERYSCAPE_{source_id.upper()}_URL"
        for address in (about.home, about.documentation, about.address):
            assert address.startswith("https://")
    assert [about.key_variable for about in ABOUT.values() if about.key_variable] == KEY_VARIABLES
    assert len({about.label for about in ABOUT.values()}) == len(SOURCE_IDS)


def test_a_name_that_nobody_has() -> None:
    for name in ("scopus", "", "../pubmed", "crossref"):
        with refusal(InputError):
            check_source(name)
        assert name not in ABOUT
    with pytest.raises(InputError, match="unknown source"):
        open_source("types")  # type: ignore[arg-type]


@pytest.mark.parametrize("source_id", SOURCE_IDS)
def test_opening_sends_nothing_and_every_request_is_counted(
    source_id: SourceId, store: Store, served: FakeSources, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    monkeypatch.setenv(ABOUT[source_id].address_variable, served.address(source_id))
    served.script = on({(source_id, 1): "503"})
    slept: list[float] = []
    source = open_source(source_id, store=store, clock=lambda: LATER, sleep=slept.append)
    assert source.about.id == source_id
    prepared = source.prepare(parse("heat"), SourceOptions())
    assert not served.asked
    source.count(prepared.forms[0], SourceOptions())
    day = standing_of(store, source_id, clock=lambda: LATER).day
    assert day.n_calls == len(served.of(source_id)) >= 2, "those that failed are counted too"
    assert 1.0 in slept
    assert repr(source).find(KEYS.get(ABOUT[source_id].key_variable, "no key")) == -1


def test_crossref_is_opened_by_itself(served: FakeSources) -> None:
    crossref = open_crossref(address=served.address("crossref"))
    assert crossref.about.label == "Crossref"
    assert not served.asked


def test_how_a_source_stands(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    found = standing_of(store, "openalex", clock=lambda: LATER)
    assert (found.has_key, found.is_offline, found.address) == (False, False, ABOUT["openalex"].address)
    assert (found.day, found.allowed) == (DailyUsage(), ABOUT["openalex"].keyless_dollars)
    assert found.shortfall(0.5).count("OPENALEX_API_KEY") == 1
    assert found.shortfall(found.allowed) == found.shortfall(None) == ""
    monkeypatch.setenv("OPENALEX_API_KEY", " secret-of-mine ")
    monkeypatch.setenv("QUERYSCAPE_OPENALEX_URL", "http://localhost:9/openalex/")
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    Meter(store).note("openalex", replace(SENT, dollars=0.25), 0.5)
    found = standing_of(store, "openalex", clock=lambda: LATER)
    assert "OPENALEX_API_KEY" not in found.shortfall(0.6) != ""
    assert found.shortfall(0.5) == ""
    assert (found.has_key, found.is_offline, found.address) == (True, True, "http://localhost:9/openalex")
    assert (found.day.n_calls, found.allowed) == (1, 0.75), "what it says is left counts more than what is printed"
    assert "secret" not in repr(found)
    assert standing_of(store, "pubmed", clock=lambda: LATER).allowed is None
    monkeypatch.setenv("QUERYSCAPE_OPENALEX_URL", "http://me:pw@localhost/")
    with refusal(InputError) as failed:
        open_source("openalex")
    assert "pw" not in str(failed.value)


# Whether it can be reached


def test_a_line_is_opened_and_nothing_is_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)
        assert reach(f"http://127.0.0.1:{listening.getsockname()[1]}/works") == ServiceReach("reachable")
        line, _ = listening.accept()
        with line:
            line.settimeout(10)
            assert line.recv(100) == b""


def test_nobody_there_and_no_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
    found = reach(address)
    assert found.state == "out of reach"
    assert found.why.startswith("it refuses")
    assert reach("http://[bad").state == "out of reach"
    monkeypatch.setenv("http_proxy", address)
    found = reach("http://tea.invalid")
    assert found.state == "out of reach"
    assert found.why.startswith("the proxy refuses")
    monkeypatch.delenv("http_proxy")

    def unknown(*asked: Any, **how: Any) -> None:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    found = reach("https://tea.invalid")
    assert found.state == "out of reach"
    assert found.why.startswith("its name")


def test_a_proxy_is_as_far_as_one_can_look(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        monkeypatch.setenv("https_proxy", f"http://me:pw@127.0.0.1:{proxy.getsockname()[1]}")
        assert reach("https://tea.invalid") == ServiceReach("reachable", "through a proxy")


def test_a_name_server_that_is_silent_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(reaching, "_tried", lambda address, seconds: done.wait(20) and ServiceReach("reachable"))
    try:
        assert reach("https://tea.invalid", seconds=0.05) == ServiceReach("out of reach", "no answer within 0.05 s")
    finally:
        done.set()


def test_offline_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "yes")
    monkeypatch.setattr(socket, "create_connection", lambda *asked, **how: pytest.fail("a line was opened"))
    assert reach("http://127.0.0.1:9").state == "offline"
    source = open_source("openalex")
    form = source.prepare(parse("heat"), SourceOptions()).forms[0]
    with refusal(OutOfReachError):
        source.count(form, SourceOptions())
