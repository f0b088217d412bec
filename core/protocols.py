"""What core needs from outside, as protocols: whoever calls hands it in, and a fake takes ten lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

OnProgress = Callable[[int, int], None]
"""Called with how much is done and how much there is in all."""


class Embedder(Protocol):
    @property
    def model_id(self) -> str:
        """Names the model and everything that changes its vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row per text, any length; a row of zeros where there is nothing to embed."""
        ...


class Reducer(Protocol):
    """Lays vectors out in two dimensions."""

    def __call__(
        self, vectors: npt.NDArray[np.float32], on_step: OnProgress | None = None
    ) -> npt.NDArray[np.float64]: ...


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    """As it came; empty where the model wrote nothing."""
    model: str
    """Who says that it answered; a service may name a more exact version than was asked for."""
    n_prompt_tokens: int | None = None
    """None: the service does not say."""
    n_answer_tokens: int | None = None
    finish: str = ""
    """Why it ended, in the service's word: "stop", "length" at the token limit, "content_filter"; empty: not said."""
    refusal: str = ""
    """What the model says where it refuses, if the service sets that apart from the text."""


class ChatModel(Protocol):
    """Answers a question in words. Threads may share one."""

    @property
    def model_id(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """Changes with anything that changes an answer, the question aside; kept beside every answer."""
        ...

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """One question, by itself. `system`: what the model is to do; `user`: what with."""
        ...


class JsonModel(ChatModel, Protocol):
    """A chat model that can be told to answer in JSON. What comes may be something else all the same."""

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """One question, by itself. `schema`: a JSON schema of the answer, which a service may not heed."""
        ...


OnStage = Callable[[str], OnProgress]
"""Told what slow work begins; what it gives back is told how far that is."""


def silent(stage: str) -> OnProgress:
    return lambda done, total: None
