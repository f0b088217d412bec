"""OpenAlex: what is sent, within which length, for how much, and what is read from its answers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BudgetSpentError, EndsAllError, LostPlaceError, RefusedRequestError
from core.query.parser import parse
from core.sources.source_forms import Form, SourceOptions
from data.explore.workspace import Workspace
from data.http.client import GaveUpError
from data.importers.json_formats import abstract_in_order
from data.sources import openalex
from data.sources.fetch import go_on, plan_run, preview
from data.sources.openalex import LONGEST_ADDRESS, SELECT, OpenAlex, connect
from data.sources.types import FetchedRecord, LookupTarget
from tests.data.sources.fake_sources.corpus import Corpus, made_up
from tests.data.sources.fake_sources.openalex import KEY, inverted
from tests.data.sources.fake_sources.playing import CHOICES, N_WORKS, Played, played
from tests.data.sources.fake_sources.registry import STANDS
from tests.data.sources.fake_sources.server import Answer
from tests.data.sources.fake_sources.vocabulary import SUBJECTS
from tests.messages import refusal

OPENALEX = next(stand for stand in STANDS if stand.source == "openalex")
PHRASES = sorted({phrase for s in SUBJECTS for phrase in (*s.things, *s.effects, *s.places)})


def targets(it: Played) -> list[str]:
    """What was asked, as it reads."""
    return [unquote(asked.target.removeprefix("/openalex")).replace(f"&api_key={KEY}", "") for asked in it.asked]


def keys_of(fetched: tuple[FetchedRecord, ...]) -> set[str]:
    return {each.key for each in fetched}


# Requests


def test_requests_have_the_documented_form() -> None:
    with played(OPENALEX) as it:
        text = "title_and_abstract.search:((insomnia OR vigilance) AND nurses)"
        form = Form(0, text)
        it.source.count(form, CHOICES)
        page = it.source.page(form, CHOICES, None, 10_000)
        it.source.page(form, CHOICES, page.next or "*", 7)
        narrowed = it.source.restricted(form, "W4400000001")
        assert narrowed is not None
        it.source.count(narrowed, CHOICES)
        assert targets(it) == [
            f"/works?filter={text}&per_page=1&select=id",
            f"/works?filter={text}&per_page=100&cursor=*&select={SELECT}",
            f"/works?filter={text}&per_page=7&cursor={page.next or '*'}&select={SELECT}",
            f"/works?filter={text},openalex:W4400000001&per_page=1&select=id",
        ]
        assert all(asked.params["api_key"] == KEY for asked in it.asked)


def test_a_cursor_is_followed_to_its_end() -> None:
    with played(OPENALEX, n=80) as it:
        pages = it.pages()
    assert [len(page.fetched) for page in pages] == [40, 40, 0], "an empty page ends it, as its documentation says"
    assert pages[-1].next is None


@pytest.mark.parametrize(
    ("choices", "sent"),
    [
        (SourceOptions(), "title_and_abstract.search:(nurses AND shift)"),
        (SourceOptions(stem=False), "title_and_abstract.search.no_stem:(nurses AND shift)"),
        (SourceOptions(wildcards="send"), "title_and_abstract.search.exact:(nurses AND shift*)"),
        (SourceOptions(wildcards="send", stem=False), "title_and_abstract.search.exact:(nurses AND shift*)"),
    ],
)
def test_choices_change_what_is_sent(choices: SourceOptions, sent: str) -> None:
    with played(OPENALEX) as it:
        prepared = it.source.prepare(parse("nurses AND shift*"), choices)
        assert prepared.forms[0].text == sent
        assert it.source.count(prepared.forms[0], choices).total >= 0


@pytest.mark.parametrize(
    "text", ['("night shift*" NEAR/3 nurses)', '"shift*"', "(covid-19* OR shift*)", "(sh*ft* OR *phone OR n?rses)"]
)
@pytest.mark.parametrize("stem", [True, False])
def test_wildcards_are_sent_as_openalex_takes_them(text: str, stem: bool) -> None:
    choices = SourceOptions(stem=stem, wildcards="send")
    with played(OPENALEX) as it:
        prepared = it.source.prepare(parse(f"TS={text}"), choices)
        assert it.source.count(prepared.forms[0], choices).total >= 0, prepared.text


def test_a_comma_does_not_end_the_filter() -> None:
    with played(OPENALEX) as it:
        prepared = it.source.prepare(parse('"sleep, quality" AND nurses'), CHOICES)
        without = it.source.prepare(parse('"sleep quality" AND nurses'), CHOICES)
        counts = [it.source.count(each.forms[0], CHOICES).total for each in (prepared, without)]
    assert counts[0] == counts[1] > 0


# Length


def test_the_key_and_a_cursor_have_their_room() -> None:
    rooms = []
    for key in ("", KEY):
        connection = connect("https://api.openalex.org", key)
        source = OpenAlex(connection, has_key=bool(key))
        rooms.append(source.room)
        params = {"filter": "x" * source.room, "per_page": 100, "cursor": "c" * 400, "select": SELECT}
        assert connection.n_bytes("/works", params) == LONGEST_ADDRESS
        connection.close()
    assert rooms[0] - rooms[1] == len(f"&api_key={KEY}")


def united(it: Played, text: str, choices: SourceOptions = CHOICES) -> tuple[set[str], int]:
    """What all forms of a text find together, and how many they are."""
    prepared = it.source.prepare(parse(text, "plain"), choices)
    found: set[str] = set()
    for form in prepared.forms:
        assert it.source.count(form, choices).total >= 0
        for page in it.pages(form=form):
            found |= keys_of(page.fetched)
    return found, len(prepared.forms)


def matched(corpus: Corpus, text: str) -> set[str]:
    """What our own matcher finds with the whole text, in titles and abstracts."""
    rows = corpus.search(text, "plain", fields=("title", "abstract"))
    return {OPENALEX.key_of(corpus.works[row]) or "" for row in rows}


def test_a_list_that_is_too_long_is_split_and_united() -> None:
    alternatives = [f'"{phrase} number {k}"' for k in range(12) for phrase in PHRASES]
    text = f"({' OR '.join([*alternatives, *(f'nowhere{k}' for k in range(200)), 'naps'])}) AND nurses"
    with played(OPENALEX) as it:
        found, n_forms = united(it, text)
        assert n_forms > 3
        assert found == matched(it.corpus, text)
        assert found
        assert max(asked.n_bytes_of_url for asked in it.asked) <= LONGEST_ADDRESS


@settings(max_examples=12)
@given(
    st.lists(st.sampled_from(PHRASES), min_size=1, max_size=8, unique=True),
    st.lists(st.sampled_from(PHRASES), min_size=1, max_size=4, unique=True),
    st.integers(0, 160),
    st.sampled_from(["AND", "NOT"]),
)
def test_what_is_split_finds_what_the_whole_finds(some: list[str], others: list[str], n: int, joint: str) -> None:
    first = " OR ".join(f'"{phrase}"' for phrase in [*some, *(f"an ä long phrase {k}" for k in range(n))])
    second = " OR ".join(f'"{phrase}"' for phrase in others)
    text = f"({first}) {joint} ({second})"
    with played(OPENALEX) as it:
        found, n_forms = united(it, text)
        assert found == matched(it.corpus, text)
        assert (n_forms > 1) == (n > 90) or 60 < n <= 90
        assert all(asked.n_bytes_of_url <= LONGEST_ADDRESS for asked in it.asked)


# Prices


def test_what_it_costs_is_what_it_says() -> None:
    with played(OPENALEX) as it:
        it.source.count(it.everything, CHOICES)
        it.page()
        it.source.find([LookupTarget("a", "", doi="10.5555/made.up.1"), LookupTarget("b", "", pmid="90000001")])
    assert [sent.dollars for sent, _ in it.sent] == [0.001, 0.001, 0.0001, 0.0]
    assert [left for _, left in it.sent] == [0.999, 0.998, 0.9979, 0.9979]


@pytest.mark.parametrize("header", ["", "free", "-1", "1e999", "nan"])
def test_what_it_does_not_say_is_taken_from_its_price_list(header: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with played(OPENALEX) as it:
        monkeypatch.setattr(it.service, "_paid", lambda answer, cost: with_header(answer, header))
        it.source.count(it.everything, CHOICES)
        it.source.find([LookupTarget("a", "", doi="10.5555/made.up.1"), LookupTarget("b", "", pmid="90000001")])
    assert [(sent.dollars, left) for sent, left in it.sent] == [(0.001, None), (0.0001, None), (0.0, None)]


def with_header(answer: Answer, header: str) -> Answer:
    """The same answer with something odd where the price should be."""
    return replace(answer, headers={**answer.headers, "x-ratelimit-cost-usd": header})


def test_a_day_that_is_spent_ends_all() -> None:
    with played(OPENALEX, {2: "spent"}) as it:
        first = it.page()
        with pytest.raises(BudgetSpentError, match="today"):
            it.page(first.next)
        n_asked = len(it.asked)
        assert n_asked == 2, "asking again is no use"
        it.service.spent = 0.0  # type: ignore[attr-defined]  # the next day
        rest = it.pages(first.next)
    assert {each.key for page in (first, *rest) for each in page.fetched} == set(it.keys)


def test_a_day_that_holds_less_than_a_request_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    said = worded("Rate limit", "Too many requests", 429, **{"x-ratelimit-remaining-usd": "0.0005"})
    with played(OPENALEX) as it:
        monkeypatch.setattr(it.service, "answer", lambda asked, fault: said)
        with pytest.raises(BudgetSpentError, match=r"\$0\.0005 of"):
            it.page()
        with pytest.raises(GaveUpError):  # a list costs less than is left
            it.source.find([LookupTarget("a", "", doi="10.5555/made.up.1")])


# Without a key

TEXT, N_FOUND = "made AND up", sum(work.abstract is not None for work in made_up(N_WORKS).works)


def test_without_a_key_pages_have_numbers_and_one_size() -> None:
    with played(OPENALEX, key="") as it:
        pages = it.pages()
        assert it.source.count(it.everything, CHOICES).notes == ()
        assert {each.key for page in pages for each in page.fetched} == set(it.keys)
        assert [len(page.fetched) for page in pages] == [100, len(it.keys) - 100]
        assert [asked.params.get("page") for asked in it.asked] == ["1", "2", None]
        assert not any("cursor" in asked.params for asked in it.asked)
    with played(OPENALEX) as it:
        rest = it.pages(pages[0].next)
        assert [each.key for each in rest[0].fetched] == [each.key for each in pages[1].fetched], "also with a key"


def test_a_place_of_a_cursor_needs_the_key_that_it_was_given_for() -> None:
    with played(OPENALEX) as it:
        at = it.page().next
    with played(OPENALEX, key="") as it, refusal(EndsAllError):
        it.page(at)


@pytest.mark.parametrize("at", ["page=", "page=0", "page=101", "page=1e2", "page=٣", "page=-1"])
def test_a_page_that_is_not_given_is_no_place(at: str) -> None:
    with played(OPENALEX, key="") as it, pytest.raises(LostPlaceError):
        it.page(at)
    assert it.asked == []


def test_what_lies_beyond_the_last_page_without_a_key_is_told_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openalex, "ABOUT", replace(openalex.ABOUT, keyless_ceiling=100))
    with played(OPENALEX, key="") as it:
        told = preview(it.source, TEXT, most=N_FOUND)
        (page,) = it.pages(form=told.prepared.forms[0])
        assert [asked.params.get("page") for asked in it.asked] == [None, "1"]
    assert (len(page.fetched), page.total) == (100, N_FOUND)
    assert "OPENALEX_API_KEY" in page.notes[0]
    assert told.notes == page.notes
    assert (told.estimate.n_records, told.estimate.n_calls) == (100, 2)
    assert (told.cap.is_capped, told.cap.advice) == (True, "")
    assert told.cap.share_least == pytest.approx(100 / N_FOUND)
    with played(OPENALEX) as it:
        assert not preview(it.source, TEXT, most=N_FOUND).cap.is_capped


def test_a_run_without_a_key_takes_what_its_preview_says(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace, played(OPENALEX, key="") as it:
        told = preview(it.source, TEXT)
        run = plan_run(workspace, "Tea", it.source, TEXT)
        done = go_on(workspace, run.run_id, it.source)
        n_asked = len(it.asked)
    assert (done.state, done.n_records) == ("done", N_FOUND)
    assert n_asked == told.estimate.n_calls
    assert sum(sent.dollars for sent, _ in it.sent) == pytest.approx(told.estimate.dollars)


# Looking for works


def test_as_few_requests_as_it_takes() -> None:
    with played(OPENALEX) as it:
        dois = [LookupTarget(str(w.number), "", doi=w.doi) for w in it.corpus.works if w.doi and w.number % 50][:75]
        titles = [LookupTarget(f"t{k}", f"A title number {k} that nobody has") for k in range(12)]
        it.source.find(
            [*dois, *titles, LookupTarget("p", "", pmid="90000007"), LookupTarget("o", "", doi="10.5555/a,b")]
        )
        asked = targets(it)
    assert len(asked) == 2 + 2 + 2
    assert sorted(len(each.split("|")) for each in asked if "filter=doi:" in each) == [25, 50]
    assert it.asked[2].target.startswith("/openalex/works/doi:10.5555%2Fa%2Cb?select=")
    assert "/works/pmid:90000007?select=" in asked[3]
    assert all("filter=display_name.search:((" in each for each in asked[4:])


def test_a_title_that_is_a_search_of_its_own_is_only_a_title() -> None:
    hostile = 'NOT (everything) OR "x" AND W*, per|cent: %25&cursor=*'
    with played(OPENALEX) as it:
        (found,) = it.source.find([LookupTarget("a", hostile)])
        assert found.status == "not indexed"
        assert set(it.asked[0].params) == {"filter", "per_page", "select", "api_key"}


def test_a_search_finds_the_record_it_is_asked_about_whatever_its_form() -> None:
    with played(OPENALEX) as it:
        for form in (Form(0, "title.search:naps"), Form(3, "title.search:naps,publication_year:1990-2030")):
            narrowed = it.source.restricted(form, it.keys[0])
            assert narrowed is not None
            assert narrowed.number == form.number
            assert it.source.count(narrowed, CHOICES).total in (0, 1)


# Abstracts


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_an_abstract_turned_inside_out_comes_back(text: str) -> None:
    assert abstract_in_order(inverted(text)) == " ".join(text.split())


def test_an_odd_abstract_is_read_as_far_as_it_goes() -> None:
    assert abstract_in_order({"b": [7], "a": [2, "x", None], "c": "no"}) == "a b"
    assert abstract_in_order([1, 2]) == abstract_in_order(None) == ""


# Errors


def worded(error: str, message: str, status: int = 403, **headers: str) -> Answer:
    return Answer(json.dumps({"error": error, "message": message}).encode(), status, headers)


@pytest.mark.parametrize("status", [400, 403])
def test_a_wrong_request_is_not_taken_for_a_wrong_key(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with played(OPENALEX) as it:
        said = worded("Invalid query parameters error.", "tea is not a valid field", status)
        monkeypatch.setattr(it.service, "answer", lambda asked, fault: said)
        with refusal(RefusedRequestError):
            it.source.count(it.everything, CHOICES)
        assert len(it.asked) == 1


def test_being_too_fast_is_waited_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with played(OPENALEX) as it:
        usual, said = it.service.answer, [worded("Forbidden", "Rate limit exceeded; slow down")]
        monkeypatch.setattr(it.service, "answer", lambda asked, fault: said.pop() if said else usual(asked, fault))
        assert it.source.count(it.everything, CHOICES).total > 0
