"""The LLM reranker: a chat model is asked about each candidate by itself, and what it answered is remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.errors import InputError, ServiceError
from core.protocols import Answer, ChatModel, OnStage
from core.ranking.check import Document, Query
from core.retrieval.base import Retriever
from core.retrieval.llm_reranker import LlmReranker, Scored
from core.retrieval.spec import Spec
from data.asking import Breaker, NotAskedError, ask_all
from data.chat import AnswerCache, open_chat, recalled, remember
from data.embedders.retrying import Patience
from data.retrieval import demo_model
from data.retrieval.corpus import Corpus, Opened
from data.retrieval.satisfaction import (
    MOST_OF_DOCUMENT,
    MOST_OF_QUERY,
    PROMPT_VERSION,
    UnreadableError,
    ask_about,
    read_satisfaction,
)

WITHOUT_KEY = "llm_reranker:demo works without one, but is not a language model"
REMEMBERED = "answers were remembered, so the time that this took is not the model's"
MOST_REASONS = 3


@dataclass
class NoCache:
    """Remembers nothing."""

    def recall(self, key: str) -> tuple[str, bytes | None] | None:
        """Nothing."""
        return None

    def remember(self, key: str, kind: str, document: str, arrays: bytes | None) -> None:
        """Lets it go."""


@dataclass(eq=False)
class ChatScorer:
    """Asks a chat model how far each document satisfies a query. What can't be read is not remembered."""

    model: ChatModel
    answers: AnswerCache = field(default_factory=NoCache)
    breaker: Breaker = field(default_factory=Breaker)
    heed: Callable[[], None] | None = None
    """Called while answers are waited for; what it raises ends the waiting."""

    def __call__(self, query: Query, documents: Sequence[Document]) -> Scored:
        """One number per document; None where the model or its answer failed."""
        asked = [ask_about(query.text, document) for document in documents]
        keys = [one.question.key(self.model, PROMPT_VERSION) for one in asked]
        question_of = dict(zip(keys, [one.question for one in asked], strict=True))  # the same text is asked about once
        found = {key: known for key in question_of if (known := self._remembered(key)) is not None}
        notes: tuple[str, ...] = (REMEMBERED,) if found else ()
        missing = [key for key in question_of if key not in found]
        has_room = True

        def heard(at: int, outcome: Answer | ServiceError) -> None:
            nonlocal has_room
            read = outcome if isinstance(outcome, ServiceError) else _read(outcome)
            found[missing[at]] = read
            # What is paid for is kept at once: whoever waits may not wait for the rest.
            if isinstance(outcome, Answer) and isinstance(read, float):
                has_room = has_room and remember(self.answers, missing[at], outcome)

        questions = [question_of[key] for key in missing]
        ask_all(self.model, questions, breaker=self.breaker, heard=heard, heed=self.heed)
        outcomes = [found[key] for key in keys]
        notes += _reasons([outcome for outcome in outcomes if isinstance(outcome, ServiceError)])
        if any(one.query_cut for one in asked):
            notes += (f"only the first {MOST_OF_QUERY:,} characters of the query were read",)
        if not has_room:
            notes += ("no room left to remember the answers",)
        return Scored([None if isinstance(outcome, ServiceError) else outcome for outcome in outcomes], notes)

    def _remembered(self, key: str) -> float | ServiceError | None:
        known = recalled(self.answers, key)
        read = None if known is None else _read(known)
        return read if isinstance(read, float) else None


def _read(answer: Answer) -> float | UnreadableError:
    try:
        return read_satisfaction(answer.text)
    except UnreadableError as e:
        return e


def _reasons(failures: Sequence[ServiceError]) -> tuple[str, ...]:
    """Why candidates failed, the commonest first; those that nobody was asked about at the end."""
    said = Counter(
        f"the model sent {failure}" if isinstance(failure, UnreadableError) else str(failure)
        for failure in failures
        if not isinstance(failure, NotAskedError)
    )
    notes = [f"{n:,} failed: {reason}" for reason, n in said.most_common(MOST_REASONS)]
    left = [str(failure) for failure in failures if isinstance(failure, NotAskedError)]
    return (*notes, *([f"{len(left):,} failed: {left[0]}"] if left else []))


def open_llm_reranker(
    corpus: Corpus,
    spec: Spec,
    first: Retriever,
    on_stage: OnStage,
    *,
    answers: AnswerCache | None = None,
    base_url: str | None = None,
    patience: Patience | None = None,
    heed: Callable[[], None] | None = None,
) -> Opened:
    """The reranker over a first stage. Nothing is asked before the first query.

    `answers`: where answers are remembered. `heed`: called while answers are waited for; what it raises ends that.
    """
    if spec.model is None:
        raise InputError("llm_reranker needs a chat model: llm_reranker:MODEL, or llm_reranker:demo")
    model = _model(spec.model, base_url, patience)
    is_demo = isinstance(model, demo_model.DemoModel)  # counting words is quicker than looking up an answer
    scorer = ChatScorer(model, NoCache() if is_demo or answers is None else answers, heed=heed)
    n_long = sum(len(document.title) + len(document.text) > MOST_OF_DOCUMENT for document in corpus.documents)
    notes = [demo_model.NOTE] if is_demo else []
    if n_long:
        notes.append(
            f"{n_long:,} of {len(corpus.documents):,} documents are longer than {MOST_OF_DOCUMENT:,} characters: "
            "the model reads their beginning"
        )
    reranker = LlmReranker(first, corpus.documents, scorer, corpus.id_ranks, spec.candidates)
    return Opened(reranker, notes=tuple(notes))


def _model(name: str, base_url: str | None, patience: Patience | None) -> ChatModel:
    if name == demo_model.MODEL:
        return demo_model.DemoModel()
    try:
        return open_chat(name, base_url, patience)
    except InputError as e:
        raise InputError(f"{e}; {WITHOUT_KEY}") from None
