"""Chat models: one behind a service, several questions at once, and answers that are remembered.

The key comes from the environment and goes nowhere but into the request. No message holds it or what was sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import DiskFullError, ServiceError
from core.protocols import Answer, ChatModel
from data.embedders.answers import BadAnswer
from data.embedders.retrying import GaveUpError, Patience, Refused
from data.store import content_hash

if TYPE_CHECKING:  # the client takes most of a second to import
    import openai

    from data.openai_service import Service

N_THREADS = 4
MOST_FAILURES = 5
"""In a row, before a service is taken for dead."""
FOR_THOUGHT = 2_000
"""Tokens more for models that count those of their thinking as the answer's."""
PATIENCE = Patience(n_attempts=3)
"""A person waits for the answer; who is not answered three times asks again later."""
BEAT = 0.1
"""Seconds between two looks whether whoever waits still does."""


class RefusedError(ServiceError):
    """A service took the question and does not want it."""


class NotAskedError(ServiceError):
    """The service is taken for dead."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a chat model is asked."""

    system: str
    user: str
    max_tokens: int
    temperature: float = 0.0

    def key(self, model: ChatModel, version: str) -> str:
        """Names all that the answer depends on. `version`: of whoever made the prompt."""
        asked = [self.system, self.user, str(self.max_tokens), repr(float(self.temperature))]
        return f"chat-{content_hash([model.fingerprint, version, *asked])}"


class AnswerCache(Protocol):
    """Where answers are remembered; a store is one."""

    def remember(self, key: str, kind: str, document: str, arrays: bytes | None) -> None: ...

    def recall(self, key: str) -> tuple[str, bytes | None] | None: ...


def recalled(answers: AnswerCache, key: str) -> Answer | None:
    """An answer that was remembered; None: there is none, or it can't be read."""
    kept = answers.recall(key)
    if kept is None:
        return None
    with suppress(ValueError, TypeError):
        return Answer(**json.loads(kept[0]))
    return None


def remember(answers: AnswerCache, key: str, answer: Answer) -> bool:
    """Keep an answer; whether there was room for it."""
    try:
        answers.remember(key, "chat", json.dumps(asdict(answer)), None)
    except DiskFullError:
        return False
    return True


@dataclass(eq=False)
class ServiceModel:
    """A chat model behind a service."""

    model_id: str
    service: Service
    _odd: set[str] = field(default_factory=set, repr=False)
    """Settings that this model does not take as they are usually given."""

    @property
    def fingerprint(self) -> str:
        """Host, path and model."""
        return self.service.fingerprint("chat", self.model_id)

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """One question, asked again while that may help."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        for _ in range(3):
            settings = self._settings(max_tokens, temperature)

            def request(client: openai.OpenAI, settings: dict[str, Any] = settings) -> bytes:
                made = client.chat.completions.with_raw_response.create(
                    model=self.model_id,
                    messages=messages,  # type: ignore[arg-type]
                    **settings,
                )
                return made.http_response.content

            answer = self.service.ask(self.model_id, request, lambda content: read_completion(content, self.model_id))
            if isinstance(answer, Answer):
                return answer
            if not (odd := _not_taken(answer) & settings.keys()):
                break
            self._odd |= odd
        reason = f"{answer.status}: {answer.code}" if answer.code else f"{answer.status}"
        raise RefusedError(f"{self.service.name} refuses the question ({reason})")

    def _settings(self, max_tokens: int, temperature: float) -> dict[str, Any]:
        settings: dict[str, Any] = {} if "temperature" in self._odd else {"temperature": temperature}
        if "max_tokens" in self._odd:
            return settings | {"max_completion_tokens": max_tokens + FOR_THOUGHT}
        return settings | {"max_tokens": max_tokens}


def _not_taken(refused: Refused) -> set[str]:
    """The settings that a refusal is about: newer models count tokens under another name, or have no temperature."""
    if refused.status == 413 or "unsupported" not in f"{refused.words} {refused.code}".lower().replace("not ", "un"):
        return set()
    return {name for name in ("max_tokens", "temperature") if f"'{name}'" in refused.words}


def read_completion(content: bytes, model: str) -> Answer:
    """What a service sent, checked. `model`: who was asked, for a service that does not say who answers."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as e:
        what = "a web page" if content.lstrip()[:1] == b"<" else "an answer that is cut off or no JSON"
        raise BadAnswer(what) from e
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise BadAnswer("JSON without an answer")
    message = choices[0].get("message")
    text = message.get("content") or "" if isinstance(message, dict) else None
    if not isinstance(text, str):
        raise BadAnswer("an answer that is no text")
    said = document.get("model")
    usage = document.get("usage")
    counted = usage if isinstance(usage, dict) else {}
    n_prompt, n_answer = (_count(counted.get(f"{name}_tokens")) for name in ("prompt", "completion"))
    return Answer(text, said if isinstance(said, str) and said else model, n_prompt, n_answer)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None


def open_chat(model: str, base_url: str | None = None, patience: Patience | None = None) -> ServiceModel:
    """The model at this address, else at OPENAI_BASE_URL, else OpenAI's own; the key is in OPENAI_API_KEY."""
    from data.openai_service import ADDRESS, Says, open_service

    says = Says("a chat model", "the model's name", f"the address in {ADDRESS}", quotes=False)
    return ServiceModel(model, open_service(base_url, patience or PATIENCE, says))


@dataclass(eq=False)
class Breaker:
    """Takes a service for dead after some failures in a row, so that nobody waits for each of the rest.

    A question that is refused is an answer. A key, model or address that is refused before anything was answered is
    the end at once.
    """

    most: int = MOST_FAILURES
    n_in_a_row: int = 0
    has_answered: bool = False
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def is_open(self) -> bool:
        """Whether the service is taken for dead."""
        return self.n_in_a_row >= self.most

    def try_again(self) -> None:
        """Give a service that is taken for dead one more chance."""
        with self._lock:
            self.n_in_a_row = min(self.n_in_a_row, self.most - 1)

    def told(self, outcome: Answer | ServiceError) -> None:
        """What came of one question."""
        with self._lock:
            if isinstance(outcome, Answer | RefusedError):
                self.n_in_a_row, self.has_answered = 0, True
            elif self.has_answered or isinstance(outcome, GaveUpError):
                self.n_in_a_row += 1
            else:
                self.n_in_a_row = self.most


def ask_all(
    model: ChatModel,
    questions: Sequence[Question],
    *,
    n_threads: int = N_THREADS,
    breaker: Breaker | None = None,
    heed: Callable[[], None] | None = None,
) -> list[Answer | ServiceError]:
    """Every question by itself, some at once; the failure of one is no failure of the others.

    `heed` is called while answers are waited for; what it raises ends the waiting, and no further question is asked.
    """
    breaker = breaker or Breaker()
    breaker.try_again()
    todo: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, Answer | Exception]] = SimpleQueue()
    stop = Event()
    for place in range(len(questions)):
        todo.put(place)

    def work() -> None:
        with suppress(Empty):
            while not stop.is_set():
                place = todo.get_nowait()
                done.put((place, _outcome(model, questions[place], breaker)))

    # They don't hold up the end of the program, as a pool's would: an answer may take minutes.
    for _ in range(min(n_threads, len(questions))):
        Thread(target=work, name="queryscape-chat", daemon=True).start()
    try:
        return _collected(done, len(questions), heed)
    finally:
        stop.set()


def _outcome(model: ChatModel, question: Question, breaker: Breaker) -> Answer | Exception:
    if breaker.is_open:
        return NotAskedError(f"not asked after {breaker.most} failures in a row")
    try:
        answer = model.ask(
            question.system, question.user, max_tokens=question.max_tokens, temperature=question.temperature
        )
    except ServiceError as e:
        breaker.told(e)
        return e
    except Exception as e:  # raised where the answers are waited for
        return e
    breaker.told(answer)
    return answer


def _collected(
    done: SimpleQueue[tuple[int, Answer | Exception]], n: int, heed: Callable[[], None] | None
) -> list[Answer | ServiceError]:
    """Outcomes in the order of the questions."""
    found: dict[int, Answer | ServiceError] = {}
    while len(found) < n:
        if heed is not None:
            heed()
        try:
            place, outcome = done.get(timeout=BEAT)
        except Empty:
            continue
        if not isinstance(outcome, Answer | ServiceError):
            raise outcome
        found[place] = outcome
    return [found[place] for place in range(n)]
