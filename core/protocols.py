"""Protocols for the external services that core needs. Callers pass in an implementation; a fake takes ten lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

OnProgress = Callable[[int, int], None]
"""Called with the number of finished steps and the total."""


class Embedder(Protocol):
    @property
    def model_id(self) -> str:
        """The name of the model and of every option that changes its vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row per text, not normalised; a row of zeros if there is nothing to embed."""
        ...


class Reducer(Protocol):
    """Projects vectors to two dimensions."""

    def __call__(
        self, vectors: npt.NDArray[np.float32], on_step: OnProgress | None = None
    ) -> npt.NDArray[np.float64]: ...


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    """The text as received; empty if the model wrote nothing."""
    model: str
    """The model that the service reports; it may be a more exact version than the requested one."""
    n_prompt_tokens: int | None = None
    """None: not reported by the service."""
    n_answer_tokens: int | None = None
    finish: str = ""
    """The service's reason for stopping: "stop", "length" at the token limit, "content_filter"; empty: not reported."""
    refusal: str = ""
    """The model's refusal, if the service returns it separately from the text."""


class ChatModel(Protocol):
    """A model that answers a question in words. Threads may share one."""

    @property
    def model_id(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """A key that changes with every option that affects an answer, except the question; stored with each answer."""
        ...

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """Send one stand-alone question. `system`: the instructions; `user`: the material."""
        ...


class JsonModel(ChatModel, Protocol):
    """A chat model that can be asked for JSON. The answer may still be something else."""

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """Send one stand-alone question. `schema`: a JSON schema of the answer, which a service may ignore."""
        ...


OnStage = Callable[[str], OnProgress]
"""Called with the name of a slow stage when it begins; returns the callback for the progress of the stage."""


def silent(stage: str) -> OnProgress:
    return lambda done, total: None
