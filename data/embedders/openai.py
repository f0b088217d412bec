"""The `openai` embedder: OpenAI, or any service that speaks its language at another address.

The key comes from the environment and goes nowhere but into the request: no file, log, message or repr has it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import openai

from core.errors import InputError, ServiceError
from data.embedders.answers import BadAnswer, read_answer
from data.embedders.model import Mishaps
from data.embedders.retrying import AGAIN, Patience
from data.embedders.tokens import Estimate, cut, estimate, most_tokens
from data.store import content_hash

KEY = "OPENAI_API_KEY"
ADDRESS = "OPENAI_BASE_URL"
USUAL_ADDRESS = "https://api.openai.com/v1"
MOST_TEXTS = 2_048
"""Of one request."""
MOST_TOKENS = 300_000
"""Of one request."""
TOO_LARGE = frozenset({400, 413, 422})
"""Answers that may be about a single text."""
MOST_HALVINGS = 6
SHORTEST_CUT = 200
"""Characters: a text that is shorter is refused for another reason than its length."""
Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Refused:
    """The service took the request and does not want it."""

    status: int
    words: str


@dataclass(eq=False)
class OpenAIModel:
    """A model of one service."""

    model_id: str
    base_url: str
    client: openai.OpenAI = field(repr=False)
    patience: Patience = field(default_factory=Patience, repr=False)
    secret: str = field(default="", repr=False)
    """What no message may hold."""
    mishaps: Mishaps = field(default_factory=Mishaps, repr=False)
    first_batch: int = 128
    n_dimensions: int | None = None
    """Width of the vectors that came so far."""
    _n_taken: int = field(default=0, repr=False)

    @property
    def fingerprint(self) -> str:
        """Host, path and model."""
        address = urlsplit(self.base_url)
        return content_hash(["openai", address.netloc.lower(), address.path.rstrip("/"), self.model_id])

    def estimate(self, texts: Sequence[str]) -> Estimate:
        """What embedding these texts would cost."""
        usual = urlsplit(USUAL_ADDRESS).netloc
        return estimate(texts, self.model_id, known_service=urlsplit(self.base_url).netloc.lower() == usual)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row per text; zeros for an empty text, and for one that the service refuses."""
        places = [place for place, text in enumerate(texts) if text.strip()]
        fitting = [self._cut(texts[place]) for place in places]
        rows = [row for some in _requests(fitting) for row in self._rows(some)]
        for place, text, row in zip(places, fitting, rows, strict=True):
            if row is None and text in self.mishaps.refused:
                self.mishaps.refused[texts[place]] = self.mishaps.refused[text]
        out = np.zeros((len(texts), self.n_dimensions or 1), dtype=np.float32)
        for place, row in zip(places, rows, strict=True):
            if row is not None:
                out[place] = row
        return out

    def _cut(self, text: str) -> str:
        fitting = cut(text)
        if fitting != text:
            self.mishaps.cut.add(text)
        return fitting

    def _rows(self, texts: Sequence[str]) -> list[Matrix | None]:
        """A refused request is halved until the text that it is about stands alone."""
        waiting, out = [list(texts)], []
        while waiting:
            some = waiting.pop()
            answer = self._ask(some)
            if isinstance(answer, Refused):
                if len(some) > 1:
                    waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
                    continue
                out.append(self._alone(some[0], answer))
                continue
            out.extend(list(answer))
            self._n_taken += len(some)
        return out

    def _alone(self, text: str, refused: Refused) -> Matrix | None:
        """A text that was refused by itself: tried shorter where it is too long, else named and left out."""
        shorter = text
        for _ in range(MOST_HALVINGS):
            if refused.status != 413 and not any(sign in refused.words.lower() for sign in ("token", "length", "long")):
                break
            shorter = shorter[: len(shorter) // 2]
            if len(shorter) < SHORTEST_CUT or not shorter.strip():
                break
            answer = self._ask([shorter])
            if not isinstance(answer, Refused):
                self.mishaps.cut.add(text)
                self._n_taken += 1
                row: Matrix = answer[0]
                return row
        if not self._n_taken and isinstance(self._ask(["text"]), Refused):
            raise ServiceError(f"{self._name} refuses every text ({refused.status}: {refused.words}): is it the model?")
        self._n_taken += 1
        self.mishaps.refused[text] = refused.words
        return None

    def _ask(self, texts: Sequence[str]) -> Matrix | Refused:
        """One request, made again while that may help."""
        problem = ""
        for attempt in range(self.patience.n_attempts):
            answer = self._try(texts)
            if not isinstance(answer, _Again):
                return answer
            problem = answer.words
            if attempt + 1 < self.patience.n_attempts:
                self.patience.wait(attempt, answer.headers)
        raise ServiceError(f"{self._name} {problem}, {self.patience.n_attempts} times: run it again later to go on")

    def _try(self, texts: Sequence[str]) -> Matrix | Refused | _Again:
        """One attempt. Errors of the client hold what was sent, so they are never chained to ours."""
        failed: _Failure | None = None
        try:
            raw = self.client.embeddings.with_raw_response.create(
                model=self.model_id, input=list(texts), encoding_format="base64"
            )
            content = raw.http_response.content
        except openai.APITimeoutError:
            return _Again(f"did not answer within {self.patience.timeout:g} s")
        except openai.APIConnectionError as e:
            return _Again(f"can't be reached, or broke off ({type(e.__cause__ or e).__name__})")
        except openai.APIStatusError as e:
            failed = _Failure(e.status_code, dict(e.response.headers), _said(e))
        except openai.OpenAIError as e:
            return _Again(f"sent an answer that can't be read ({type(e).__name__})")
        except Exception as e:  # a body that breaks off is an error of the HTTP library below
            if not type(e).__module__.partition(".")[0].startswith(("httpx", "httpcore", "h11")):
                raise
            return _Again(f"broke off in the middle of its answer ({type(e).__name__})")
        if failed is not None:
            return self._judged(failed)
        try:
            rows = read_answer(content, len(texts), self.n_dimensions)
        except BadAnswer as e:
            return _Again(f"sent {e}")
        self.n_dimensions = rows.shape[1]
        return rows

    def _judged(self, failed: _Failure) -> Refused | _Again:
        """What an answer other than success means."""
        status, words = failed.status, self._scrubbed(failed.words)
        if "insufficient_quota" in words:
            raise ServiceError(f"{self._name} says that the account has no credit left ({status})")
        if status in AGAIN:
            return _Again(f"answered {status}", failed.headers)
        if status in TOO_LARGE:
            return Refused(status, words or "no reason given")
        if status in (401, 403):  # what it says may quote the key
            raise ServiceError(f"{self._name} does not accept the key ({status}): check the variable {KEY}")
        if status == 404:
            raise ServiceError(
                f'{self._name} has no such model or address ("{self.model_id}"): check --model, --base-url'
            )
        if 300 <= status < 400:
            raise ServiceError(
                f"{self._name} sends us on to another address ({status}): give the right one, --base-url"
            )
        raise ServiceError(f"{self._name} answered {status} ({words or 'no reason given'})")

    @property
    def _name(self) -> str:
        return f"the service at {self.base_url}"

    def _scrubbed(self, words: str) -> str:
        return (words.replace(self.secret, "…") if self.secret else words)[:300]


@dataclass(frozen=True, slots=True)
class _Again:
    words: str
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Failure:
    status: int
    headers: dict[str, str]
    words: str


def _said(e: openai.APIStatusError) -> str:
    """What a service says in its error, on one short line."""
    body: Any = e.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        body = " ".join(str(inner.get(k) or "") for k in ("message", "code")) if isinstance(inner, dict) else inner
    text = " ".join(str(body or "").split())
    return "a web page" if text.startswith("<") else text


def _requests(texts: Sequence[str]) -> Iterator[list[str]]:
    """Texts in their order, as many at once as a request may hold."""
    some: list[str] = []
    n_tokens = 0
    for text in texts:
        more = most_tokens(text)
        if some and (len(some) == MOST_TEXTS or n_tokens + more > MOST_TOKENS):
            yield some
            some, n_tokens = [], 0
        some.append(text)
        n_tokens += more
    if some:
        yield some


def open_openai(model: str, base_url: str | None = None, patience: Patience | None = None) -> OpenAIModel:
    """The model at this address, else at OPENAI_BASE_URL, else OpenAI's own; the key is in OPENAI_API_KEY."""
    address = _checked(base_url or os.environ.get(ADDRESS) or USUAL_ADDRESS)
    key = os.environ.get(KEY, "").strip()
    if not key and address == USUAL_ADDRESS:
        raise InputError(f"openai needs your key in the variable {KEY} (or another service: --base-url)")
    if not (key.isascii() and key.isprintable()):
        raise InputError(f"the variable {KEY} holds signs that no key has")
    patience = patience or Patience()
    client = openai.OpenAI(
        api_key=key or "none",  # a service of one's own may need none
        base_url=address,
        max_retries=0,
        # A service that sends us on would get the texts to a place that nobody named.
        http_client=openai.DefaultHttpxClient(follow_redirects=False, timeout=patience.timeout),
        timeout=patience.timeout,
    )
    return OpenAIModel(model, address, client, patience, key)


def _checked(address: str) -> str:
    try:
        parts = urlsplit(address.strip())
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise InputError("--base-url must be an address such as http://localhost:11434/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(f"--base-url takes no name, password or query: a key goes into the variable {KEY}")
    return address.strip().rstrip("/")
