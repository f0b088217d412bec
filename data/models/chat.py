"""Chat models behind a service: requests, completions, cached answers, and concurrent questions."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from core.errors import DiskFullError, EndsAllError, ServiceError, StoreInUseError
from core.protocols import Answer, ChatModel, JsonModel, OnProgress, OnStage
from data.http.client import GaveUpError, Patience, ServiceRefusal
from data.models.embedding_model import BadAnswer, json_of_answer
from data.store import Store, content_hash

if TYPE_CHECKING:
    import openai

    from data.http.client import Limiter
    from data.models.openai import Service


TOO_LONG = "length"
FILTERED = "content_filter"
_ENDS = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), TOO_LONG),
    **dict.fromkeys(("content_filter", "content_filtered", "safety", "recitation", "blocklist"), FILTERED),
    **dict.fromkeys(("prohibited_content", "spii"), FILTERED),
    **dict.fromkeys(("eos", "end_turn", "stop_sequence"), "stop"),
}
"""Services use different words for the end of an answer; unknown ones stay as they are."""


def read_completion(content: bytes, model: str) -> Answer:
    """Parse and check a completion. `model`: the requested model, for a service that does not report its own."""
    document = json_of_answer(content)
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise BadAnswer("JSON without an answer")
    finish = _finish(choices[0].get("finish_reason"))
    message = choices[0].get("message")
    if message is None and finish in (TOO_LONG, FILTERED):
        message = {}
    if not isinstance(message, dict) or (text := _text(message.get("content"))) is None:
        raise BadAnswer("an answer that is not text")
    if finish == "error":
        raise BadAnswer("an answer marked as an error")
    answer = document.get("model")
    who = answer if isinstance(answer, str) and answer else model
    return Answer(text, who, *_counted(document.get("usage")), finish, _word(message.get("refusal")))


def _text(content: object) -> str | None:
    """Join the parts of an answer, leaving out thoughts; None: it is not text."""
    if isinstance(content, list):
        if not all(isinstance(part, dict) for part in content):
            return None
        parts = [part.get("text") for part in content if part.get("type") in ("text", "output_text")]
        return "".join(map(_word, parts)) if all(isinstance(each, str) for each in parts) else None
    return content if isinstance(content, str) else None if content else ""


def _finish(value: object) -> str:
    word = _word(value).lower()
    return _ENDS.get(word) or _ENDS.get(word.partition(":")[0].strip()) or word


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _counted(usage: object) -> tuple[int | None, int | None]:
    counted: Mapping[str, Any] = usage if isinstance(usage, dict) else {}
    return _count(counted.get("prompt_tokens")), _count(counted.get("completion_tokens"))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None


# The ways of requesting JSON that a chat model accepts, found by trying, the strictest first.

Form = Literal["json_schema", "json_object", "plain"]
FORMS: tuple[Form, ...] = get_args(Form)
"""The strictest first; "plain" leaves it to the prompt."""
MOST_IN_VAIN = 3
"""Questions answered with prose in every form, after which forms are no longer tried."""


@dataclass(eq=False)
class ResponseForms:
    """The forms known to work with one model. Threads may share it."""

    _first: Form = "json_schema"
    _has_worked: bool = False
    _n_in_vain: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def to_try(self) -> tuple[Form, ...]:
        """Return the strictest form that may work, and the weaker ones after it."""
        return FORMS[FORMS.index(self._first) :]

    def has_worked(self, form: Form) -> bool:
        """Return True if the form has produced JSON before, so that a failure now has another cause."""
        return self._has_worked and form == self._first

    def worked(self, form: Form) -> None:
        """Record that a form produced JSON. A stricter form that did so before stays the first."""
        with self._lock:
            if not self._has_worked or FORMS.index(form) < FORMS.index(self._first):
                self._first, self._has_worked = form, True

    def in_vain(self) -> None:
        with self._lock:
            self._n_in_vain += 1
            if not self._has_worked and self._n_in_vain >= MOST_IN_VAIN:
                self._first = "plain"


def response_format(form: Form, schema: Mapping[str, Any]) -> dict[str, Any]:
    if form == "plain":
        return {}
    if form == "json_object":
        return {"response_format": {"type": "json_object"}}
    named = {"name": "answer", "strict": True, "schema": dict(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def may_be_json(answer: Answer) -> bool:
    """Check whether the answer contains an object, even within prose."""
    return "{" in answer.text


def ended_otherwise(answer: Answer) -> bool:
    """Return True if there is no JSON for a reason that another form would not fix."""
    return answer.finish in (TOO_LONG, FILTERED) or bool(answer.refusal)


def is_about_form(refused: ServiceRefusal) -> bool:
    """Return True if a refusal is about the form of the answer rather than the question."""
    words = f"{refused.words} {refused.code}".lower()
    return any(word in words for word in ("response_format", "response format", "json", "schema", "grammar"))


# Chat models behind a service, and cached answers.
#
# The key comes from the environment and goes only into the request. No message contains it or what was sent.

FOR_THOUGHT = 2_000
"""Extra tokens for models that count their thinking as part of the answer."""
FILTERED_CODES = frozenset({"content_filter", "content_policy_violation"})
"""The codes of refusals by a service's content filter."""
PATIENCE = Patience(n_attempts=3)
"""A user waits for the answer; after three failed attempts it is up to them to retry later."""


class RefusedError(ServiceError):
    """The service accepted the request but refused the question."""


@dataclass(frozen=True, slots=True)
class Question:
    system: str
    user: str
    max_tokens: int
    temperature: float = 0.0

    def key(self, model: ChatModel, version: str) -> str:
        """Return a hash of everything that the answer depends on. `version`: the version of the prompt."""
        asked = [self.system, self.user, str(self.max_tokens), repr(float(self.temperature))]
        return f"chat-{content_hash([model.fingerprint, version, *asked])}"


class AnswerCache(Protocol):
    """A cache of answers, under a key that covers everything they depend on; the store is one."""

    def remember(self, key: str, kind: str, document: str, arrays: bytes | None) -> None: ...

    def recall(self, key: str) -> tuple[str, bytes | None] | None: ...


def recalled(answers: AnswerCache, key: str) -> Answer | None:
    """Return a cached answer; None: there is none, or it can't be read."""
    kept = answers.recall(key)
    if kept is None:
        return None
    with suppress(ValueError, TypeError):
        return Answer(**json.loads(kept[0]))
    return None


def remember(answers: AnswerCache, key: str, answer: Answer) -> bool:
    """Cache an answer; return False if the disk is full."""
    try:
        answers.remember(key, "chat", json.dumps(asdict(answer)), None)
    except DiskFullError:
        return False
    return True


@dataclass(eq=False)
class ServiceModel:
    """A chat model behind a service. Threads may share it."""

    model_id: str
    service: Service
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Extra parameters of every question, such as the amount of thinking."""
    limiter: Limiter | None = field(default=None, repr=False)
    """Applied before every request."""
    _odd: set[str] = field(default_factory=set, repr=False)
    """Settings that this model does not accept in their usual form."""
    _forms: ResponseForms = field(default_factory=ResponseForms, repr=False)

    @property
    def fingerprint(self) -> str:
        """A hash of host, path, model and the extra parameters."""
        plain = self.service.fingerprint("chat", self.model_id)
        return content_hash([plain, json.dumps(dict(self.extra), sort_keys=True)]) if self.extra else plain

    def limited_by(self, limiter: Limiter) -> ServiceModel:
        return replace(self, limiter=limiter)

    def waiting_by(self, sleep: Callable[[float], None]) -> ServiceModel:
        """Return the same model with another `sleep` between attempts, unless it has one of its own."""
        patience = self.service.patience
        if patience.sleep is not time.sleep:
            return self
        return replace(self, service=replace(self.service, patience=replace(patience, sleep=sleep)))

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """Ask one question, with retries as long as they may help."""
        answer = self._reply(Question(system, user, max_tokens, temperature), {})
        if isinstance(answer, Answer):
            return answer
        raise self._refusal(answer)

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """Ask one question in the strictest form that the model accepts. The tokens of all attempts are counted."""
        question = Question(system, user, max_tokens, temperature)
        answers: list[Answer] = []
        refused: ServiceRefusal | None = None
        for form in self._forms.to_try():
            has_worked = self._forms.has_worked(form)
            answer = self._reply(question, response_format(form, schema))
            if isinstance(answer, ServiceRefusal):
                refused = answer
                if answer.status == 413 or (has_worked and not is_about_form(answer)):
                    break
                continue
            answers.append(answer)
            if may_be_json(answer):
                self._forms.worked(form)
            if may_be_json(answer) or has_worked or ended_otherwise(answer):
                return _with_all_tokens(answers)
        if answers:
            self._forms.in_vain()
            return _with_all_tokens(answers)
        if refused is not None and refused.code in FILTERED_CODES:
            return Answer("", self.model_id, finish=FILTERED)
        raise self._refusal(refused)

    def _reply(self, question: Question, form: Mapping[str, Any]) -> Answer | ServiceRefusal:
        messages = [{"role": "system", "content": question.system}, {"role": "user", "content": question.user}]

        def request(client: openai.OpenAI) -> bytes:
            if self.limiter is not None:
                self.limiter.wait()
            # An extra body is not checked against the client's types, which takes as long as sending it.
            made = client.chat.completions.with_raw_response.create(model=self.model_id, messages=[], extra_body=body)
            return made.http_response.content

        for _ in range(3):
            settings = self._settings(question)
            body = {"messages": messages, **settings, **form, **self.extra}
            answer = self.service.ask(self.model_id, request, self._read)
            if isinstance(answer, Answer) or not (odd := _not_taken(answer) & settings.keys()):
                break
            self._odd.update(odd)
        return answer

    def _read(self, content: bytes) -> Answer:
        """Parse an answer without the key, which it may quote with the rest of what was sent."""
        answer, hidden = read_completion(content, self.model_id), self.service.without_key
        return replace(answer, text=hidden(answer.text), model=hidden(answer.model), refusal=hidden(answer.refusal))

    def _settings(self, question: Question) -> dict[str, Any]:
        odd = set(self._odd)
        settings: dict[str, Any] = {} if "temperature" in odd else {"temperature": question.temperature}
        if "max_tokens" in odd:
            return settings | {"max_completion_tokens": question.max_tokens + FOR_THOUGHT}
        return settings | {"max_tokens": question.max_tokens}

    def _refusal(self, refused: ServiceRefusal | None) -> RefusedError:
        reason = ""
        if refused is not None:
            reason = f" ({refused.status}: {refused.code})" if refused.code else f" ({refused.status})"
        return RefusedError(f"{self.service.name} refuses the request{reason}")


def _with_all_tokens(answers: Sequence[Answer]) -> Answer:
    """Return the last answer with the tokens of all, since all are paid for."""
    return replace(
        answers[-1],
        n_prompt_tokens=known_sum(answer.n_prompt_tokens for answer in answers),
        n_answer_tokens=known_sum(answer.n_answer_tokens for answer in answers),
    )


def known_sum(counts: Iterable[int | None]) -> int | None:
    """Add the known counts; None: none is known."""
    known = [n for n in counts if n is not None]
    return sum(known) if known else None


def _not_taken(refused: ServiceRefusal) -> set[str]:
    """Return the settings that a refusal is about: newer models rename the token limit, or have no temperature."""
    if refused.status == 413 or "unsupported" not in f"{refused.words} {refused.code}".lower().replace("not ", "un"):
        return set()
    return {name for name in ("max_tokens", "temperature") if f"'{name}'" in refused.words}


def open_chat(
    model: str,
    base_url: str | None = None,
    patience: Patience | None = None,
    *,
    with_key: bool = True,
    extra: Mapping[str, Any] | None = None,
) -> ServiceModel:
    """Open the model at this address, else at OPENAI_BASE_URL, else at OpenAI.

    `with_key`: False if no key is needed or sent. `extra`: extra parameters of every question.
    """
    from data.models.destination import ADDRESS
    from data.models.openai import ServiceWording, open_service

    says = ServiceWording(
        "a chat model", "the model's name", f"the address in {ADDRESS}", quotes=False, with_key=with_key
    )
    return ServiceModel(model, open_service(base_url, patience or PATIENCE, says), dict(extra or {}))


@dataclass(frozen=True, eq=False)
class LimitedModel:
    """A model that waits for its turn before every question."""

    model: JsonModel
    limiter: Limiter

    @property
    def model_id(self) -> str:
        return self.model.model_id

    @property
    def fingerprint(self) -> str:
        """The model's own, since the speed of asking changes no answer."""
        return self.model.fingerprint

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        self.limiter.wait()
        return self.model.ask(system, user, max_tokens=max_tokens, temperature=temperature)

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        self.limiter.wait()
        return self.model.ask_json(system, user, schema=schema, max_tokens=max_tokens, temperature=temperature)


def limited(model: JsonModel, limiter: Limiter) -> JsonModel:
    """Limit the rate of a model. Behind a service each request counts, including retries."""
    return model.limited_by(limiter) if isinstance(model, ServiceModel) else LimitedModel(model, limiter)


# Concurrent questions to a chat model, with none to a service that is considered down.

N_THREADS = 4
MOST_FAILURES = 5
"""Failures in a row, after which a service is considered down."""
BEAT = 0.1
"""Seconds between two checks whether the caller is still waiting."""


@contextmanager
def alone(store: Store, key: str, on_stage: OnStage, waiting: str) -> Iterator[None]:
    """Allow one run at a time for a key: two with the same requests would both pay for them."""
    report: OnProgress | None = None
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(store.lock(key, waits=False))
                break
            except StoreInUseError:
                report = report or on_stage(waiting)
                report(0, 0)
                time.sleep(BEAT)
        yield


class NotAskedError(ServiceError):
    """The service is considered down."""


@dataclass(eq=False)
class Breaker:
    """A circuit breaker that considers a service down after some failures in a row, so that the rest need not wait.

    A refused question is an answer. A refused key or spent credit ends everything at once, and so does any error before
    the first answer that a retry would not fix.
    """

    most: int = MOST_FAILURES
    n_in_a_row: int = 0
    has_answered: bool = False
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def is_open(self) -> bool:
        return self.n_in_a_row >= self.most

    def try_again(self) -> None:
        with self._lock:
            self.n_in_a_row = min(self.n_in_a_row, self.most - 1)

    def told(self, outcome: Answer | ServiceError) -> None:
        with self._lock:
            if isinstance(outcome, Answer | RefusedError):
                self.n_in_a_row, self.has_answered = 0, True
            elif isinstance(outcome, EndsAllError) or not (self.has_answered or isinstance(outcome, GaveUpError)):
                self.n_in_a_row = self.most
            else:
                self.n_in_a_row += 1


def ask_all(
    model: ChatModel,
    questions: Sequence[Question],
    *,
    n_threads: int = N_THREADS,
    breaker: Breaker | None = None,
    heard: Callable[[int, Answer | ServiceError], None] | None = None,
    heed: Callable[[], None] | None = None,
) -> list[Answer | ServiceError]:
    """Ask every question separately, several at once; a failure of one does not affect the others.

    `heard` is called with each outcome and its position as it arrives. `heed` is called while waiting for answers; if
    it raises, the waiting ends and no further question is asked.
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

    # Daemon threads do not delay the end of the program as a pool would: an answer may take minutes.
    for _ in range(min(n_threads, len(questions))):
        Thread(target=work, name="queryscape-chat", daemon=True).start()
    try:
        return _collected(done, len(questions), heard, heed)
    finally:
        stop.set()


def _outcome(model: ChatModel, question: Question, breaker: Breaker) -> Answer | Exception:
    if breaker.is_open:
        return NotAskedError(f"not sent after {breaker.most} failures in a row")
    try:
        answer = model.ask(
            question.system, question.user, max_tokens=question.max_tokens, temperature=question.temperature
        )
    except ServiceError as e:
        breaker.told(e)
        return e
    except Exception as e:  # raised again in the waiting thread
        return e
    breaker.told(answer)
    return answer


def _collected(
    done: SimpleQueue[tuple[int, Answer | Exception]],
    n: int,
    heard: Callable[[int, Answer | ServiceError], None] | None,
    heed: Callable[[], None] | None,
) -> list[Answer | ServiceError]:
    """Return the outcomes in the order of the questions."""
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
        if heard is not None:
            heard(place, outcome)
    return [found[place] for place in range(n)]
