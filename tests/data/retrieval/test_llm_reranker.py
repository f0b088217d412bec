"""The LLM reranker with a real service on this machine: slow, wrong, refusing, in prose, or dead half-way."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from werkzeug import Request, Response

from core.collections import Document, Query
from core.errors import InputError
from core.protocols import silent
from core.retrieval.retriever import Hits, SequentialRetriever, Timing, untimed
from core.retrieval.specs import Spec
from data.http.client import Patience
from data.retrieval.collections import OpenedRetriever, RetrievalCorpus
from data.retrieval.demo_model import NOTE
from data.retrieval.llm_reranker import REMEMBERED, open_llm_reranker
from data.store import Store
from tests.data.chats import BROKEN_OFF, ChatService, FullDisk, Memory, asked_about, fails, raw, raw_server, says
from tests.data.notes import assert_notes
from tests.data.services import Answer, as_json, no_key_in
from tests.data.stopping import Stopped
from tests.messages import refusal

N = 20
DOCUMENTS = tuple(Document(f"d{i:02d}", f"Title {i}", f"secret text {i}") for i in range(N + 3))
QUERY = Query("q", "secret wishes")


class InOrder(SequentialRetriever):
    """A first stage that finds every document, the first one first."""

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        rows = np.arange(min(k, len(DOCUMENTS)))
        return Hits(rows, 50.0 - rows)


def opened(model: str = "m", documents: tuple[Document, ...] = DOCUMENTS, **rest: Any) -> OpenedRetriever:
    corpus = RetrievalCorpus(documents, "key", Path("nowhere"))
    return open_llm_reranker(corpus, Spec("llm_reranker", model=model), InOrder(), silent, **rest)


def search(service: ChatService, patience: dict[str, Any] | None = None, **rest: Any) -> Hits:
    made = opened(base_url=service.url, patience=service.patience(**(patience or {})), **rest)
    return made.retriever.search(QUERY, N)


def number_of(request: Request) -> int:
    found = re.match(r"Title (\d+)", asked_about(request))
    assert found is not None
    return int(found[1])


def by_number(request: Request) -> Response | None:
    """The later in the first stage, the better."""
    return says(f"{number_of(request) / 100:.2f}")(request)


def failing(numbers: set[int], how: Answer) -> Answer:
    return lambda request: how(request) if number_of(request) in numbers else by_number(request)


def assert_told(hits: Hits, *words: str) -> None:
    """The notes say it, and hold neither the key nor what was sent."""
    for word in words:
        assert any(word in note for note in hits.notes), (word, hits.notes)
    no_key_in(None, *hits.notes)
    assert not [note for note in hits.notes if "secret" in note or "\n" in note]


def test_candidates_are_ordered_by_what_the_model_says(service: ChatService) -> None:
    service.usual = by_number
    hits = search(service)
    assert hits.rows.tolist() == list(range(N))[::-1]
    assert hits.scores[0] == pytest.approx(0.19 + 0.1 / N)
    assert (hits.n_failed, hits.notes, len(service.asked)) == (0, (), N)
    assert hits.first is not None
    assert hits.first.rows.tolist() == list(range(N))
    assert {(asked["model"], asked["temperature"]) for asked in service.asked} == {("m", 0.0)}


UNUSABLE: dict[str, tuple[Answer, str]] = {
    "prose": (says("It fits rather well, I should think."), "without a number"),
    "two numbers": (says("0.3 or 0.4"), "several numbers"),
    "out of range": (says("Score: 3"), "a number outside 0 to 1"),
    "nothing": (says(None), "without a number"),
    "long": (says("well " * 200 + "0.5"), "that is prose"),
    "content filter": (fails(400), "refuses the request (400: because_400)"),
    "too long": (fails(413), "refuses the request (413: because_413)"),
    "html": (lambda r: Response("<html>", content_type="text/html"), "sent a web page, 3 times"),
    "broken": (lambda r: Response('{"choi', content_type="application/json"), "not JSON, 3 times"),
    "another shape": (lambda r: as_json({"result": 0.5}), "without an answer, 3 times"),
    "no choices": (says("0.5", choices=[]), "without an answer, 3 times"),
    "busy": (fails(429, **{"Retry-After": "1"}), "answered 429, 3 times"),
    "broken down": (fails(500), "answered 500, 3 times"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_failed_candidate_keeps_its_place_and_is_counted(service: ChatService, name: str) -> None:
    how, words = UNUSABLE[name]
    service.usual = failing({0, 7}, how)
    hits = search(service)
    expected = [i for i in range(N)[::-1] if i not in (0, 7)]
    expected.insert(0, 0)
    expected.insert(7, 7)
    assert hits.rows.tolist() == expected
    assert (np.diff(hits.scores) < 0).all()
    assert hits.n_failed == 2
    assert_told(hits, "2 of 20 candidates", "2 failed: ", words)


@pytest.mark.parametrize(("status", "words"), [(401, "does not accept the key (401)"), (403, "(403)"), (404, "model")])
def test_a_service_that_refuses_the_key_leaves_the_first_stage(service: ChatService, status: int, words: str) -> None:
    service.usual = fails(status)
    hits = search(service)
    assert hits.rows.tolist() == list(range(N))
    assert hits.scores.tolist() == [50.0 - i for i in range(N)]
    assert (hits.n_failed, service.slept) == (N, [])
    assert len(service.asked) <= 4, "a key that is refused is not tried for every candidate"
    assert_told(hits, "none of the 20 candidates", words, "not sent")


def test_a_slow_service_is_waited_for(service: ChatService) -> None:
    def slow(request: Request) -> Response | None:
        if number_of(request) in (3, 4):
            service.done.wait(0.05)
        return by_number(request)

    service.usual = slow
    hits = search(service)
    assert (hits.rows[0], hits.n_failed, len(service.asked)) == (N - 1, 0, N)


def test_an_answer_that_does_not_come_fails_one_candidate(key: None) -> None:
    done = Event()

    def answer(number: int) -> bytes:
        if number == 5:
            done.wait(20)
        return raw("0.9")

    with raw_server(answer) as (url, _):
        hits = opened(base_url=url, patience=Patience(n_attempts=1, timeout=0.5)).retriever.search(QUERY, N)
        done.set()
    assert 1 <= hits.n_failed < N
    assert_told(hits, "within 0.5 s: ")


def test_a_service_that_dies_half_way(key: None) -> None:
    slept: list[float] = []
    patience = Patience(n_attempts=2, sleep=slept.append)
    with raw_server(lambda number: raw("0.9") if number < 8 else BROKEN_OFF) as (url, asked):
        made = opened(base_url=url, patience=patience)
        hits = made.retriever.search(QUERY, N)
        assert hits.n_failed == N - 8
        assert len(asked) <= 8 + 2 * (5 + 3), "five failures in a row, and what was under way"
        assert_told(hits, "12 of 20 candidates", "broke", "after 5 failures")
        before = len(asked)
        again = made.retriever.search(Query("r", "another"), N)
        assert again.n_failed == N
        assert len(asked) - before <= 2 * 4, "a service that is taken for dead has one more chance"
        assert_told(again, "none of the 20 candidates", "after 5 failures")
    hits = made.retriever.search(QUERY, N)
    assert hits.n_failed == N
    assert_told(hits, "can't be reached")


def test_answers_are_remembered_and_failures_are_not(service: ChatService) -> None:
    service.usual = failing({0, 7}, says("hm"))
    memory = Memory()
    search(service, answers=memory)
    assert len(service.asked) == N
    service.usual = by_number
    hits = search(service, answers=memory)
    assert [asked_for(asked) for asked in service.asked[N:]] in ([0, 7], [7, 0])
    assert (hits.rows.tolist(), hits.n_failed) == (list(range(N))[::-1], 0)
    assert hits.notes == (REMEMBERED,)
    search(service, answers=memory)
    assert len(service.asked) == N + 2
    opened("other", base_url=service.url, answers=memory).retriever.search(QUERY, N)
    assert len(service.asked) == 2 * N + 2, "another model has not answered"
    opened(base_url=service.url, answers=memory).retriever.search(Query("q", "other wishes"), N)
    assert len(service.asked) == 3 * N + 2, "another question has no answer"
    assert {kind for kind, _ in memory.kept.values()} == {"chat"}
    no_key_in(None, *memory.kept, *(document for _, document in memory.kept.values()))


def asked_for(asked: dict[str, Any]) -> int:
    found = re.search(r"\nTitle (\d+)\n", asked["messages"][1]["content"])
    assert found is not None
    return int(found[1])


def test_what_was_answered_before_a_cancel_is_kept(service: ChatService, store: Store) -> None:
    def heed() -> None:
        if store.rows("SELECT count(*) FROM remembered")[0][0] >= 3:
            raise Stopped

    service.usual = by_number
    with pytest.raises(Stopped):
        search(service, answers=store, heed=heed)
    assert store.rows("SELECT count(*) FROM remembered")[0][0] == 3


def test_a_full_disk_costs_only_the_memory(service: ChatService) -> None:
    hits = search(service, answers=FullDisk())
    assert hits.n_failed == 0
    assert_notes(hits.notes, ("no space left",))


def test_without_a_key_it_says_what_it_needs(no_key: None) -> None:
    with refusal(InputError):
        opened()
    with refusal(InputError):
        open_llm_reranker(RetrievalCorpus((), "key", Path("nowhere")), Spec("llm_reranker"), InOrder(), silent)
    assert opened("demo").notes == (NOTE,)


def test_long_texts_are_cut_and_that_is_said(service: ChatService) -> None:
    long = (Document("d00", "Title 0", "word " * 5_000), *DOCUMENTS[1:])
    made = opened(documents=long, base_url=service.url)
    assert_notes(made.notes, ("1 of 23 documents", "12,000 characters"))
    hits = made.retriever.search(Query("q", "wish " * 10_000), N)
    assert_notes(hits.notes, ("4,000 characters", "the query"))
    assert max(len(asked["messages"][1]["content"]) for asked in service.asked) < 17_000
