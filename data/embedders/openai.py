"""The `openai` embedder: OpenAI, or any service that speaks its language at another address.

The key comes from the environment and goes nowhere but into the request: no file, log, message or repr has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import openai

from core.errors import ServiceError
from data.embedders.answers import read_answer
from data.embedders.model import Mishaps
from data.embedders.retrying import Patience, Refused
from data.embedders.tokens import Estimate, cut, estimate, most_tokens
from data.openai_service import USUAL_ADDRESS, Says, Service, open_service

MOST_TEXTS = 2_048
"""Of one request."""
MOST_TOKENS = 300_000
"""Of one request."""
MOST_HALVINGS = 6
SHORTEST_CUT = 200
"""Characters: a text that is shorter is refused for another reason than its length."""
Matrix = npt.NDArray[np.float32]


@dataclass(eq=False)
class OpenAIModel:
    """A model of one service."""

    model_id: str
    service: Service
    mishaps: Mishaps = field(default_factory=Mishaps, repr=False)
    first_batch: int = 128
    n_dimensions: int | None = None
    """Width of the vectors that came so far."""
    _n_taken: int = field(default=0, repr=False)

    @property
    def fingerprint(self) -> str:
        """Host, path and model."""
        return self.service.fingerprint("openai", self.model_id)

    def estimate(self, texts: Sequence[str]) -> Estimate:
        """What embedding these texts would cost."""
        usual = urlsplit(USUAL_ADDRESS).netloc
        return estimate(texts, self.model_id, known_service=urlsplit(self.service.base_url).netloc.lower() == usual)

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

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """The same: these models make no difference between a question and a text."""
        return self.embed(texts)

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
            said = f"{refused.status}: {refused.words}"
            raise ServiceError(f"{self.service.name} refuses every text ({said}): is it the model?")
        self._n_taken += 1
        self.mishaps.refused[text] = refused.words
        return None

    def _ask(self, texts: Sequence[str]) -> Matrix | Refused:
        """One request, made again while that may help."""

        def request(client: openai.OpenAI) -> bytes:
            raw = client.embeddings.with_raw_response.create(
                model=self.model_id, input=list(texts), encoding_format="base64"
            )
            return raw.http_response.content

        answer = self.service.ask(
            self.model_id, request, lambda content: read_answer(content, len(texts), self.n_dimensions)
        )
        if not isinstance(answer, Refused):
            self.n_dimensions = answer.shape[1]
        return answer


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
    return OpenAIModel(model, open_service(base_url, patience, Says()))
