"""A model that is asked no faster than its answers are kept: an answer that is not kept is lost with the process."""

from __future__ import annotations

from threading import Event, Semaphore

from core.protocols import Answer, ChatModel
from data.asking import BEAT, NotAskedError


class Paced:
    """A chat model with room for a few answers; whoever keeps one makes room for the next."""

    def __init__(self, model: ChatModel, room: int) -> None:
        self.model_id = model.model_id
        self.fingerprint = model.fingerprint
        self._model = model
        self._room = Semaphore(room)
        self._over = Event()

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """As the model, as soon as there is room."""
        while not self._room.acquire(timeout=BEAT):
            if self._over.is_set():
                raise NotAskedError("nobody waits for the answer any more")
        return self._model.ask(system, user, max_tokens=max_tokens, temperature=temperature)

    def kept(self) -> None:
        """One answer is."""
        self._room.release()

    def end(self) -> None:
        """Nobody waits any more."""
        self._over.set()
