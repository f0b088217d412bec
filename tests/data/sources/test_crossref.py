"""Crossref: what DOIs stand for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.errors import FormatChangedError, OutOfReachError
from core.library.records import plain_text
from data.http.client import Patience
from data.sources.crossref import ABOUT, Crossref, connect
from tests.data.sources.fake_sources.corpus import Corpus, made_up
from tests.data.sources.fake_sources.crossref import FakeCrossref
from tests.data.sources.fake_sources.server import Asked, FakeSources, serving


@contextmanager
def opened(fault: str = "", n_faults: int = 1) -> Iterator[tuple[Crossref, FakeSources, Corpus]]:
    corpus = made_up(400)

    def script(asked: Asked) -> str:
        return fault if asked.number <= n_faults else ""

    with serving({"crossref": FakeCrossref(corpus)}, script) as server:
        patience = Patience(3, 1.0, 60.0, 20.0, lambda seconds: None, lambda: 0.0)
        connection = connect(server.address("crossref"), "", patience=patience)
        yield Crossref(connection), server, corpus
        connection.close()


def test_each_doi_is_a_record_or_none() -> None:
    with opened() as (crossref, server, corpus):
        works = [work for work in corpus.works if work.doi and work.number % 50 != 49 and work.number % 50]
        found = crossref.resolve([f"https://doi.org/{work.doi}".upper() for work in works])
        assert list(found) == [work.doi for work in works]
        for work in works:
            record = found[work.doi or ""]
            assert (record is None) == (work.number // 100 % 3 == 2), "another agency's"
            if record is not None:
                assert (record.doi, record.year, record.title) == (work.doi, work.year, plain_text(work.title))
                assert record.abstract == work.abstract
        assert len(server.asked) == -(-len(works) // ABOUT.per_page)
        assert {asked.path for asked in server.asked} == {"/works"}
        assert all(asked.params["rows"] == str(asked.query.count("doi%3A")) for asked in server.asked)


def test_a_doi_with_a_comma_is_asked_for_alone() -> None:
    with opened() as (crossref, server, _):
        assert crossref.resolve(["10.5555/a,b", "10.5555/made.up.1", "no doi"]).keys() == {
            "10.5555/a,b",
            "10.5555/made.up.1",
        }
        assert [asked.path for asked in server.asked] == ["/works", "/works/10.5555/a,b"]
        assert crossref.resolve([]) == {}


@pytest.mark.parametrize("fault", ["429", "500", "reset", "broken gzip", "html 502"])
def test_it_asks_again(fault: str) -> None:
    with opened(fault) as (crossref, server, _):
        assert crossref.resolve(["10.5555/made.up.1"])["10.5555/made.up.1"] is not None
        assert len(server.asked) == 2


def test_what_is_no_answer() -> None:
    with opened("format") as (crossref, _, _), pytest.raises(FormatChangedError):
        crossref.resolve(["10.5555/made.up.1"])
    with opened("html") as (crossref, _, _), pytest.raises(OutOfReachError):
        crossref.resolve(["10.5555/made.up.1"])


def test_who_leaves_an_address_may_ask_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUERYSCAPE_MAIL", raising=False)
    assert connect(ABOUT.address, "").per_second == 1.0
    monkeypatch.setenv("QUERYSCAPE_MAIL", "me@example.org")
    assert connect(ABOUT.address, "").per_second == 3.0
