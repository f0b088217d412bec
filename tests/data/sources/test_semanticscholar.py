"""Semantic Scholar: its bulk search, its estimates, and publications by their names."""

from __future__ import annotations

import json

import pytest

from core.errors import FormatChangedError
from core.query.parser import parse
from core.sources.source_forms import Form
from data.sources.semanticscholar import ESTIMATE, FIELDS
from data.sources.types import LookupTarget
from tests.data.sources.fake_sources.playing import CHOICES, played
from tests.data.sources.fake_sources.registry import STANDS
from tests.data.sources.fake_sources.semanticscholar import KEY
from tests.data.sources.fake_sources.server import as_json

STAND = next(stand for stand in STANDS if stand.source == "semanticscholar")


def test_requests_have_the_documented_form() -> None:
    with played(STAND) as it:
        it.source.count(Form(0, '("sleep quality" | insomnia) + nurs* + -naps'), CHOICES)
        first = it.page()
        it.page(first.next)
        it.source.find([LookupTarget("a", "", doi="10.5555/made.up.1"), LookupTarget("b", "", pmid="90000003")])
        it.source.find([LookupTarget("c", "A title that nobody has: part 2", 2001)])
    count, page, after, batch, match = it.asked
    assert count.params == {"query": '("sleep quality" | insomnia) + nurs* + -naps', "fields": "paperId"}
    assert page.params == {"query": "everything", "fields": FIELDS}
    assert first.next is not None
    assert after.params == {**page.params, "token": first.next.partition(":")[2]}
    assert (batch.method, batch.path, batch.params) == ("POST", "/paper/batch", {"fields": FIELDS})
    assert json.loads(batch.body) == {"ids": ["DOI:10.5555/made.up.1", "PMID:90000003"]}
    assert match.params == {"query": "A title that nobody has part 2", "fields": FIELDS}
    assert {asked.headers["x-api-key"] for asked in it.asked} == {KEY}


def test_its_total_is_said_to_be_an_estimate() -> None:
    with played(STAND) as it:
        assert it.source.count(it.everything, CHOICES).notes == (ESTIMATE,)
        assert it.page().notes == (ESTIMATE,)


def test_without_a_key_none_is_sent() -> None:
    with played(STAND, key="") as it:
        it.page()
        assert "x-api-key" not in it.asked[0].headers


def test_names_that_it_knows_none_of() -> None:
    with played(STAND) as it:
        found = it.source.find([LookupTarget("a", "", doi="10.5555/nobody"), LookupTarget("b", "", pmid="12")])
    assert [each.status for each in found] == ["not indexed", "not indexed"]
    assert len(it.asked) == 1


def test_more_names_than_one_request_takes() -> None:
    with played(STAND) as it:
        wanted = [LookupTarget(str(k), "", pmid=str(80_000_000 + k)) for k in range(90)]
        it.source.find(wanted)
        assert sum(len(json.loads(asked.body)["ids"]) for asked in it.asked) == 90


@pytest.mark.parametrize("answer", [b"{}", b'"x"', b"null"])
def test_a_batch_that_is_no_list_is_a_changed_format(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with played(STAND) as it:
        monkeypatch.setattr(it.service, "_batch", lambda asked: as_json(answer))
        with pytest.raises(FormatChangedError) as e:
            it.source.find([LookupTarget("a", "", doi="10.5555/made.up.1")])
    assert e.value.raw == answer


def test_a_search_that_ends_far_too_early_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with played(STAND, n=2500) as it:
        it.service.ends_after = 2000
        first = it.page()
        assert first.next is not None
        assert first.notes == (ESTIMATE,)
        second = it.page(first.next)
    assert second.next is None
    assert "after 2,000 of about 2,500 publications" in second.notes[1]


def test_one_word_with_a_wildcard_has_no_quotes() -> None:
    with played(STAND) as it:
        assert it.source.prepare(parse('TS=("shift*" OR ("night shift*" NEAR/2 nurse))'), CHOICES).text == (
            "shift* | ((night + shift*) + nurse)"
        )
