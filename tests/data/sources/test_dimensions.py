"""Dimensions: signing in and staying so, its language, and the first 50,000 of a search."""

from __future__ import annotations

import json

import pytest

from core.errors import EndsAllError, FormatChangedError, RefusedRequestError
from core.sources.source_forms import Form
from data.sources.dimensions import RETURNED, TOKEN_SECONDS
from data.sources.types import LookupTarget
from tests.data.sources.fake_sources.dimensions import KEY
from tests.data.sources.fake_sources.playing import CHOICES, Played, played
from tests.data.sources.fake_sources.registry import STANDS
from tests.data.sources.fake_sources.server import as_json

STAND = next(stand for stand in STANDS if stand.source == "dimensions")


def paths(it: Played) -> list[str]:
    return [asked.path for asked in it.asked]


def test_requests_have_the_documented_form() -> None:
    with played(STAND) as it:
        words = 'search publications in title_abstract_only for "(\\"sleep quality\\" OR insomnia) AND nurses"'
        text = f"{words} where year >= 2001 and year <= 2020"
        form = Form(0, text)
        assert it.source.count(form, CHOICES).total > 0
        it.source.page(form, CHOICES, "20", 7)
        it.source.find([LookupTarget("a", "", doi="10.5555/made.up.1"), LookupTarget("b", "", pmid="90000003")])
    sign_in, *asked = it.asked
    assert (sign_in.method, sign_in.path, json.loads(sign_in.body)) == ("POST", "/api/auth", {"key": KEY})
    returned = f"return publications[{RETURNED}] limit"
    assert [each.body.decode() for each in asked] == [
        f"{text} return publications[id] limit 1",
        f"{text} {returned} 7 skip 20",
        f'search publications where doi in ["10.5555/made.up.1"] {returned} 1000',
        f'search publications where pmid in ["90000003"] {returned} 1000',
    ]
    assert {each.headers["authorization"] for each in asked} == {"JWT made-up-token-00000001"}


def test_neither_key_nor_token_is_shown() -> None:
    with played(STAND) as it:
        it.page()
        token = it.service.token  # type: ignore[attr-defined]
        shown = repr([it.sent, it.connection, it.source])
    assert KEY not in shown
    assert token not in shown
    assert it.sent[0][0].body == '{"key": "…"}'


def test_one_signs_in_once_and_again_where_the_token_has_ended() -> None:
    with played(STAND, {2: "ended"}) as it:
        pages = it.pages()
    assert {each.key for page in pages for each in page.fetched} == set(it.keys)
    assert paths(it) == [
        *("/api/auth", "/api/dsl/v2", "/api/dsl/v2"),  # the third is refused
        *("/api/auth", "/api/dsl/v2"),
        *["/api/dsl/v2"] * (len(pages) - 2),
    ]
    assert len(pages[1].sent) == 2, "what it took is told"


def test_one_that_is_always_refused_is_asked_once_more_and_no_further() -> None:
    with (
        played(STAND, dict.fromkeys(range(1, 9), "ended")) as it,
        pytest.raises(EndsAllError, match="no access"),
    ):
        it.page()
    assert paths(it) == ["/api/auth", "/api/dsl/v2"] * 2


def test_an_old_token_is_changed_before_it_ends() -> None:
    now = [0.0]
    with played(STAND) as it:
        it.connection.ticks = lambda: now[0]
        for now[0] in (0.0, TOKEN_SECONDS - 1, TOKEN_SECONDS + 1):
            it.page()
    assert paths(it) == ["/api/auth", "/api/dsl/v2", "/api/dsl/v2", "/api/auth", "/api/dsl/v2"]


def test_what_it_notices_is_told() -> None:
    with played(STAND, {1: "warned"}) as it:
        assert it.page().notes == ("Dimensions: Field 'year' was understood as a number",)


def test_it_gives_the_first_50000_and_says_so() -> None:
    with played(STAND, n=50_100) as it:
        it.most = 1000
        page = it.page("49600")
        assert len(page.fetched) == 400
        assert page.next is None
        assert page.total == 50_100
        (note,) = page.notes
        assert "50,000" in note
        assert "50,100" in note


@pytest.mark.parametrize(
    ("text", "narrowed"),
    [
        (
            'search publications in title_only for "naps"',
            'search publications in title_only for "naps" where id = "pub.7"',
        ),
        (
            'search publications in title_only for "where \\" where" where year = 2001',
            'search publications in title_only for "where \\" where" where year = 2001 and id = "pub.7"',
        ),
        (
            'search publications in title_only for "know where it is"',
            'search publications in title_only for "know where it is" where id = "pub.7"',
        ),
    ],
)
def test_one_more_filter(text: str, narrowed: str) -> None:
    with played(STAND) as it:
        assert it.source.restricted(Form(2, text), "pub.7") == Form(2, narrowed)


def test_errors_of_a_query_have_its_words() -> None:
    with played(STAND) as it, pytest.raises(RefusedRequestError, match="mismatched input"):
        it.source.count(Form(0, "find publications"), CHOICES)


def test_a_sign_in_without_a_token_is_a_changed_format(monkeypatch: pytest.MonkeyPatch) -> None:
    with played(STAND) as it:
        monkeypatch.setattr(it.service, "answer", lambda asked, fault: as_json({"jwt": "made-up-secret-12345"}))
        with pytest.raises(FormatChangedError) as e:
            it.page()
    assert b"made-up-secret" not in e.value.raw, "it may hold what lets one in"
