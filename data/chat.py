"""Chat models behind a service, and answers that are remembered.

The key comes from the environment and goes nowhere but into the request. No message holds it or what was sent.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import DiskFullError, ServiceError
from core.protocols import Answer, ChatModel, JsonModel
from data.chat_formats import Forms, ended_otherwise, is_about_form, may_be_json, response_format
from data.completions import FILTERED, read_completion
from data.embedders.retrying import Patience, Refused
from data.store import content_hash

if TYPE_CHECKING:  # the client takes most of a second to import
    import openai

    from data.limiter import Limiter
    from data.openai_service import Service

FOR_THOUGHT = 2_000
"""Tokens more for models that count those of their thinking as the answer's."""
FILTERED_CODES = frozenset({"content_filter", "content_policy_violation"})
"""How a service names a refusal that its filter made."""
PATIENCE = Patience(n_attempts=3)
"""A person waits for the answer; who is not answered three times asks again later."""


class RefusedError(ServiceError):
    """A service took the question and does not want it."""


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
    """Where answers are remembered under a key that names all that they depend on; the store is such a place."""

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
    """A chat model behind a service. Threads may share it."""

    model_id: str
    service: Service
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What else goes with every question, such as how much the model is to think."""
    limiter: Limiter | None = field(default=None, repr=False)
    """Waited for before every request."""
    _odd: set[str] = field(default_factory=set, repr=False)
    """Settings that this model does not take as they are usually given."""
    _forms: Forms = field(default_factory=Forms, repr=False)

    @property
    def fingerprint(self) -> str:
        """Host, path and model, and what else goes with every question."""
        plain = self.service.fingerprint("chat", self.model_id)
        return content_hash([plain, json.dumps(dict(self.extra), sort_keys=True)]) if self.extra else plain

    def limited_by(self, limiter: Limiter) -> ServiceModel:
        """The same model; each of its requests waits for its turn."""
        return replace(self, limiter=limiter)

    def waiting_by(self, sleep: Callable[[float], None]) -> ServiceModel:
        """The same model; between attempts it sleeps so, and not longer than its caller wants it to."""
        patience = self.service.patience
        if patience.sleep is not time.sleep:
            return self
        return replace(self, service=replace(self.service, patience=replace(patience, sleep=sleep)))

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """One question, asked again while that may help."""
        said = self._said(Question(system, user, max_tokens, temperature), {})
        if isinstance(said, Answer):
            return said
        raise self._refusal(said)

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """One question, in the strictest form that the model takes. Tokens of every answer on the way are counted."""
        question = Question(system, user, max_tokens, temperature)
        answers: list[Answer] = []
        refused: Refused | None = None
        for form in self._forms.to_try():
            has_worked = self._forms.has_worked(form)
            said = self._said(question, response_format(form, schema))
            if isinstance(said, Refused):
                refused = said
                if said.status == 413 or (has_worked and not is_about_form(said)):
                    break
                continue
            answers.append(said)
            if may_be_json(said):
                self._forms.worked(form)
            if may_be_json(said) or has_worked or ended_otherwise(said):
                return _with_all_tokens(answers)
        if answers:
            self._forms.in_vain()
            return _with_all_tokens(answers)
        if refused is not None and refused.code in FILTERED_CODES:
            return Answer("", self.model_id, finish=FILTERED)
        raise self._refusal(refused)

    def _said(self, question: Question, form: Mapping[str, Any]) -> Answer | Refused:
        """The answer, or what the service has against the question itself."""
        messages = [{"role": "system", "content": question.system}, {"role": "user", "content": question.user}]

        def request(client: openai.OpenAI) -> bytes:
            if self.limiter is not None:
                self.limiter.wait()
            # What goes as an extra is not held against the client's types, which takes as long as sending it.
            made = client.chat.completions.with_raw_response.create(model=self.model_id, messages=[], extra_body=body)
            return made.http_response.content

        for _ in range(3):
            settings = self._settings(question)
            body = {"messages": messages, **settings, **form, **self.extra}
            said = self.service.ask(self.model_id, request, self._read)
            if isinstance(said, Answer) or not (odd := _not_taken(said) & settings.keys()):
                break
            self._odd.update(odd)
        return said

    def _read(self, content: bytes) -> Answer:
        """An answer may quote what was sent; it is kept, and the key is not."""
        said, hidden = read_completion(content, self.model_id), self.service.without_key
        return replace(said, text=hidden(said.text), model=hidden(said.model), refusal=hidden(said.refusal))

    def _settings(self, question: Question) -> dict[str, Any]:
        odd = set(self._odd)
        settings: dict[str, Any] = {} if "temperature" in odd else {"temperature": question.temperature}
        if "max_tokens" in odd:
            return settings | {"max_completion_tokens": question.max_tokens + FOR_THOUGHT}
        return settings | {"max_tokens": question.max_tokens}

    def _refusal(self, refused: Refused | None) -> RefusedError:
        reason = ""
        if refused is not None:
            reason = f" ({refused.status}: {refused.code})" if refused.code else f" ({refused.status})"
        return RefusedError(f"{self.service.name} refuses the question{reason}")


def _with_all_tokens(answers: Sequence[Answer]) -> Answer:
    """The last one, with the tokens of all: they are paid for."""
    prompts = [answer.n_prompt_tokens for answer in answers if answer.n_prompt_tokens is not None]
    said = [answer.n_answer_tokens for answer in answers if answer.n_answer_tokens is not None]
    return replace(
        answers[-1], n_prompt_tokens=sum(prompts) if prompts else None, n_answer_tokens=sum(said) if said else None
    )


def _not_taken(refused: Refused) -> set[str]:
    """The settings that a refusal is about: newer models count tokens under another name, or have no temperature."""
    if refused.status == 413 or "unsupported" not in f"{refused.words} {refused.code}".lower().replace("not ", "un"):
        return set()
    return {name for name in ("max_tokens", "temperature") if f"'{name}'" in refused.words}


def open_chat(
    model: str,
    base_url: str | None = None,
    patience: Patience | None = None,
    *,
    key: str = "OPENAI_API_KEY",
    extra: Mapping[str, Any] | None = None,
) -> ServiceModel:
    """The model at this address, else at OPENAI_BASE_URL, else OpenAI's own.

    `key`: the variable that the key is in; empty: none is sent. `extra`: what else goes with every question.
    """
    from data.openai_service import ADDRESS, Says, open_service

    says = Says("a chat model", "the model's name", f"the address in {ADDRESS}", quotes=False, key=key)
    return ServiceModel(model, open_service(base_url, patience or PATIENCE, says), dict(extra or {}))


@dataclass(frozen=True, eq=False)
class LimitedModel:
    """A model that waits for its turn before every question."""

    model: JsonModel
    limiter: Limiter

    @property
    def model_id(self) -> str:
        """The model's name."""
        return self.model.model_id

    @property
    def fingerprint(self) -> str:
        """The model's: how fast it is asked changes no answer."""
        return self.model.fingerprint

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """One question, in its turn."""
        self.limiter.wait()
        return self.model.ask(system, user, max_tokens=max_tokens, temperature=temperature)

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """One question, in its turn."""
        self.limiter.wait()
        return self.model.ask_json(system, user, schema=schema, max_tokens=max_tokens, temperature=temperature)


def limited(model: JsonModel, limiter: Limiter) -> JsonModel:
    """The same model, asked no faster. Behind a service each request counts, those that are made again too."""
    return model.limited_by(limiter) if isinstance(model, ServiceModel) else LimitedModel(model, limiter)
