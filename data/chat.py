"""Chat models behind a service, and answers that are remembered.

The key comes from the environment and goes nowhere but into the request. No message holds it or what was sent.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import DiskFullError, ServiceError
from core.protocols import Answer, ChatModel
from data.embedders.answers import BadAnswer
from data.embedders.retrying import Patience, Refused
from data.store import content_hash

if TYPE_CHECKING:  # the client takes most of a second to import
    import openai

    from data.openai_service import Service

FOR_THOUGHT = 2_000
"""Tokens more for models that count those of their thinking as the answer's."""
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
            reason = f"{answer.status}: {answer.code}" if answer.code else f"{answer.status}"
            if not (odd := _not_taken(answer) & settings.keys()):
                break
            self._odd |= odd
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
    if not isinstance(message, dict) or not isinstance(text := message.get("content") or "", str):
        raise BadAnswer("an answer that is no text")
    finish, refusal = choices[0].get("finish_reason"), message.get("refusal")
    said = document.get("model")
    usage = document.get("usage")
    counted = usage if isinstance(usage, dict) else {}
    n_prompt, n_answer = (_count(counted.get(f"{name}_tokens")) for name in ("prompt", "completion"))
    who = said if isinstance(said, str) and said else model
    return Answer(text, who, n_prompt, n_answer, _word(finish), _word(refusal))


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None


def open_chat(model: str, base_url: str | None = None, patience: Patience | None = None) -> ServiceModel:
    """The model at this address, else at OPENAI_BASE_URL, else OpenAI's own; the key is in OPENAI_API_KEY."""
    from data.openai_service import ADDRESS, Says, open_service

    says = Says("a chat model", "the model's name", f"the address in {ADDRESS}", quotes=False)
    return ServiceModel(model, open_service(base_url, patience or PATIENCE, says))
