"""OpenAI-compatible services: the connection, and the `openai` embedder."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import openai

from core.errors import EndsAllError, InputError, ServiceError
from data.access import check_allowed
from data.http import client as bodies
from data.http.client import (
    AGAIN,
    EndlessError,
    GaveUpError,
    Patience,
    ServiceRefusal,
    is_offline,
    offline_words,
    trusted_certificates,
    wait_in_words,
)
from data.http.keys import origin_of
from data.models.destination import USUAL_ADDRESS, Destination, find_destination
from data.models.embedding_model import BadAnswer, EmbeddingEstimate, Mishaps, cut, estimate, most_tokens, read_answer
from data.store import content_hash

# A service compatible with OpenAI: its address and key, retries, and error messages.
#
# The key comes from the environment and goes only into the request: no file, log, message or repr contains it.

OWN_FAULT = frozenset({400, 413, 422})
"""Status codes that may concern the content that was sent."""
MOST_BYTES = 64_000_000
"""Maximum bytes of one answer: far more than the vectors of any batch."""
MOST_SECONDS = 600.0
"""Maximum seconds from the first byte of an answer to the last; slow models send blanks while they think."""
SHORTEST_KEY = 8
"""Minimum characters; a shorter value is a word such as "none", which answers may contain for other reasons."""
T = TypeVar("T")
_CODE = re.compile(r"[a-z][a-z0-9_.-]{0,59}")


@dataclass(frozen=True, slots=True)
class ServiceWording:
    """The names that messages use for the settings of model and address."""

    who: str = "openai"
    model: str = "--model"
    address: str = "--base-url"
    quotes: bool = True
    """Messages may quote the service, which may repeat what was sent."""
    with_key: bool = True
    """False: no key is needed or sent."""


@dataclass(eq=False)
class Service:
    """One service. Threads may share it."""

    place: Destination
    client: openai.OpenAI = field(repr=False)
    patience: Patience = field(default_factory=Patience, repr=False)
    says: ServiceWording = field(default_factory=ServiceWording, repr=False)

    @property
    def base_url(self) -> str:
        return self.place.address

    @property
    def secret(self) -> str:
        """The key, which no message may contain."""
        return self.place.key

    @property
    def name(self) -> str:
        return f"the service at {self.base_url}"

    def fingerprint(self, kind: str, model: str) -> str:
        """Return a hash of host, path and model."""
        address = urlsplit(self.base_url)
        return content_hash([kind, address.netloc.lower(), address.path.rstrip("/"), model])

    def ask(
        self,
        model: str,
        request: Callable[[openai.OpenAI], bytes],
        read: Callable[[bytes], T],
    ) -> T | ServiceRefusal:
        """Return the parsed answer to one request, with retries as long as they may help.

        `read` parses an answer, and raises `BadAnswer` if it is unusable.
        """
        check_allowed("services")
        if is_offline():
            raise EndsAllError(offline_words(self.name))
        problem = ""
        for attempt in range(self.patience.n_attempts):
            answer = self._try(model, request, read)
            if not isinstance(answer, _Again):
                return answer
            problem = answer.words
            if attempt + 1 < self.patience.n_attempts:
                self.patience.wait(attempt, answer.headers)
        times = f", {self.patience.n_attempts} times" if self.patience.n_attempts > 1 else ""
        raise GaveUpError(f"{self.name} {problem}{times}: run it again later to go on")

    def _try(
        self, model: str, request: Callable[[openai.OpenAI], bytes], read: Callable[[bytes], T]
    ) -> T | ServiceRefusal | _Again:
        """Make one attempt. Errors of the client contain what was sent, so they are never chained to ours."""
        failed: _Failure | None = None
        content = b""
        try:
            content = request(self.client)
        except openai.APITimeoutError:
            return _Again(f"did not answer within {self.patience.timeout:g} s")
        except openai.APIConnectionError as e:
            if isinstance(e.__cause__, EndlessError):  # before its version 3.20 the client wraps ours, too
                return _Again("sent an endless answer")
            return _Again(f"can't be reached, or the connection broke ({type(e.__cause__ or e).__name__})")
        except openai.APIStatusError as e:
            failed = _failure(e)
        except openai.OpenAIError as e:
            return _Again(f"sent an answer that can't be read ({type(e).__name__})")
        except EndlessError:
            return _Again("sent an endless answer")
        except Exception as e:  # a body that breaks off is an error of the HTTP library
            if not type(e).__module__.partition(".")[0].startswith(("httpx", "httpcore", "h11")):
                raise
            return _Again(f"stopped in the middle of its answer ({type(e).__name__})")
        if failed is not None:
            return self._judged(failed, model)
        try:
            return read(content)
        except BadAnswer as e:
            return _Again(f"sent {e}")

    def _judged(self, failed: _Failure, model: str) -> ServiceRefusal | _Again:
        status, words, code = failed.status, self._scrubbed(failed.words), self._scrubbed(failed.code)
        if failed.is_spent:
            raise EndsAllError(f"{self.name} reports that the account has no credit left ({status})")
        if failed.is_about_key:  # the message may quote the key
            raise EndsAllError(f"{self.name} does not accept {self._key_told(status)}")
        if status in AGAIN:
            return _Again(f"answered {status}", failed.headers)
        if status in OWN_FAULT:
            return ServiceRefusal(status, words or "no reason given", code)
        if status == 404:
            where = f"check {self.says.model}, {self.says.address}"
            raise EndsAllError(f'{self.name} has no such model or address ("{model}"): {where}')
        if 300 <= status < 400:
            raise EndsAllError(
                f"{self.name} redirects to another address ({status}): use that one for {self.says.address}"
            )
        told = words if self.says.quotes else code
        raise ServiceError(f"{self.name} answered {status} ({told or 'no reason given'})")

    def _key_told(self, status: int) -> str:
        if not self.secret:
            return f"requests without a key ({status}): set the variable {self.place.variable}"
        return f"the key ({status}): check the variable {self.place.variable}"

    def _scrubbed(self, words: str) -> str:
        return self._hidden(words)[:300]

    def without_key(self, text: str) -> str:
        return self._hidden(text) if len(self.secret) >= SHORTEST_KEY else text

    def _hidden(self, text: str) -> str:
        """Hide the secret regardless of case, since a service may have changed it."""
        if not self.secret or self.secret.lower() not in text.lower():
            return text
        return re.sub(re.escape(self.secret), "…", text, flags=re.IGNORECASE)


def bounded(pieces: Iterable[bytes], clock: Callable[[], float] = time.monotonic) -> Iterator[bytes]:
    """Yield the pieces, but give up on an endless body: a client's timeout covers only each piece."""
    return bodies.bounded(pieces, most_bytes=MOST_BYTES, most_seconds=MOST_SECONDS, clock=clock)


def _bound(response: Any) -> None:
    whole = response.iter_raw
    response.iter_raw = lambda *given, **named: bounded(whole(*given, **named))


@dataclass(frozen=True, slots=True)
class _Again:
    words: str
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Failure:
    status: int
    headers: dict[str, str]
    words: str
    code: str
    body: str
    """The whole body of the error."""

    @property
    def is_spent(self) -> bool:
        """No credit is left, for today or at all."""
        spent = self.status == 402 or "insufficient_quota" in self.words
        return spent or (self.status == 429 and "PerDay" in self.body)

    @property
    def is_about_key(self) -> bool:
        """The key is the problem; Gemini reports that as a bad request."""
        return self.status in (401, 403) or (self.status == 400 and "API_KEY_INVALID" in self.body)


def _failure(e: openai.APIStatusError) -> _Failure:
    """Extract the one-line message, the code and the requested wait from an error."""
    body: Any = e.body
    phrase = str(body or "")
    code = ""
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            code = str(inner.get("code") or "")
            inner = f"{inner.get('message') or ''} {code}"
        body = inner
    text = " ".join(str(body or "").split())
    words = "a web page" if text.startswith("<") else text
    wait = wait_in_words(text)
    headers = ({} if wait is None else {"retry-after": wait}) | dict(e.response.headers)
    return _Failure(e.status_code, headers, words, code if _CODE.fullmatch(code) else "", phrase)


def open_service(base_url: str | None, patience: Patience | None, says: ServiceWording) -> Service:
    """Open the service at this address, else at OPENAI_BASE_URL, else OpenAI, with the key of its host."""
    check_allowed("services")
    place = find_destination(base_url, says.address)
    if not says.with_key:
        place = replace(place, key="")
    elif not place.key and origin_of(place.address) == origin_of(USUAL_ADDRESS):
        raise InputError(
            f"{says.who} needs your key in the variable {place.variable} (or another service: {says.address})"
        )
    patience = patience or Patience()
    client = openai.OpenAI(
        api_key=place.key or "none",  # a service of one's own may need none
        base_url=place.address,
        max_retries=0,
        # A redirect would send the texts to an address that the user did not choose.
        http_client=openai.DefaultHttpxClient(
            follow_redirects=False,
            timeout=patience.timeout,
            event_hooks={"response": [_bound]},
            verify=trusted_certificates(),
        ),
        timeout=patience.timeout,
    )
    if origin_of(place.address) != origin_of(USUAL_ADDRESS):  # the client takes them from the environment
        client.organization = client.project = None
    return Service(place, client, patience, says)


# The `openai` embedder: OpenAI, or any compatible service at another address.
#
# The key comes from the environment and goes only into the request: no file, log, message or repr contains it.

MOST_TEXTS = 2_048
"""Maximum texts of one request."""
MOST_TOKENS = 300_000
"""Maximum tokens of one request."""
MOST_HALVINGS = 6
SHORTEST_CUT = 200
"""Characters; a shorter text is refused for a reason other than its length."""
Matrix = npt.NDArray[np.float32]


@dataclass(eq=False)
class OpenAIModel:
    model_id: str
    service: Service
    mishaps: Mishaps = field(default_factory=Mishaps, repr=False)
    first_batch: int = 128
    n_dimensions: int | None = None
    """The width of the vectors received so far."""
    _n_taken: int = field(default=0, repr=False)

    @property
    def fingerprint(self) -> str:
        """A hash of host, path and model."""
        return self.service.fingerprint("openai", self.model_id)

    def estimate(self, texts: Sequence[str]) -> EmbeddingEstimate:
        is_openai = origin_of(self.service.base_url) == origin_of(USUAL_ADDRESS)
        return estimate(texts, self.model_id, known_service=is_openai)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text; zeros for an empty text, and for one that the service refuses."""
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

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Embed questions exactly like texts, since these models do not distinguish them."""
        return self.embed(texts)

    def _cut(self, text: str) -> str:
        fitting = cut(text)
        if fitting != text:
            self.mishaps.cut.add(text)
        return fitting

    def _rows(self, texts: Sequence[str]) -> list[Matrix | None]:
        """Embed a batch; a refused request is halved until the text that causes the refusal is alone."""
        waiting, out = [list(texts)], []
        while waiting:
            some = waiting.pop()
            answer = self._ask(some)
            if isinstance(answer, ServiceRefusal):
                if len(some) > 1:
                    waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
                    continue
                out.append(self._alone(some[0], answer))
                continue
            out.extend(list(answer))
            self._n_taken += len(some)
        return out

    def _alone(self, text: str, refused: ServiceRefusal) -> Matrix | None:
        """Retry a refused text in a shorter form if it is too long; otherwise record it and leave it out."""
        shorter = text
        for _ in range(MOST_HALVINGS):
            if refused.status != 413 and not any(sign in refused.words.lower() for sign in ("token", "length", "long")):
                break
            shorter = shorter[: len(shorter) // 2]
            if len(shorter) < SHORTEST_CUT or not shorter.strip():
                break
            answer = self._ask([shorter])
            if not isinstance(answer, ServiceRefusal):
                self.mishaps.cut.add(text)
                self._n_taken += 1
                row: Matrix = answer[0]
                return row
        if not self._n_taken and isinstance(self._ask(["text"]), ServiceRefusal):
            words = f"{refused.status}: {refused.words}"
            raise ServiceError(f"{self.service.name} refuses every text ({words}): is the model right?")
        self._n_taken += 1
        self.mishaps.refused[text] = refused.words
        return None

    def _ask(self, texts: Sequence[str]) -> Matrix | ServiceRefusal:
        """Make one request, with retries as long as they may help."""

        def request(client: openai.OpenAI) -> bytes:
            raw = client.embeddings.with_raw_response.create(
                model=self.model_id, input=list(texts), encoding_format="base64"
            )
            return raw.http_response.content

        answer = self.service.ask(
            self.model_id, request, lambda content: read_answer(content, len(texts), self.n_dimensions)
        )
        if not isinstance(answer, ServiceRefusal):
            self.n_dimensions = answer.shape[1]
        return answer


def _requests(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield the texts in order, in batches as large as a request allows."""
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
    """Open the model at this address, else at OPENAI_BASE_URL, else at OpenAI."""
    return OpenAIModel(model, open_service(base_url, patience, ServiceWording()))
