"""Sessions whose browser has left are shut down once they can't be found again, and not before."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from dashboard.kit.ended_sessions import end_expired, ending_sessions


@dataclass
class PlayedSession:
    id: str
    ends: list[str]
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    def shutdown(self) -> None:
        self.ends.append(self.id)
        self.loop.close()


@dataclass
class PlayedInfo:
    session: PlayedSession


def storage_of(n: int, ends: list[str], *, seconds: int) -> Any:
    storage: Any = MemorySessionStorage(ttl_seconds=seconds)
    for number in range(n):
        storage.save(PlayedInfo(PlayedSession(str(number), ends)))
    return storage


def test_what_expired_is_shut_down_once() -> None:
    ends: list[str] = []

    async def serve() -> None:
        async with ending_sessions():
            storage = storage_of(3, ends, seconds=-1)
            assert ends == ["0", "1"], "the next one that leaves finds them expired"
            assert (end_expired(storage), end_expired(storage)) == (1, 0)

    asyncio.run(serve())
    assert ends == ["0", "1", "2"]


def test_a_browser_that_comes_back_finds_its_session() -> None:
    ends: list[str] = []
    storage = storage_of(1, ends, seconds=600)
    assert end_expired(storage) == 0
    kept = storage.get("0")
    assert kept is not None
    kept.session.loop.close()
    assert ends == []


def test_streamlit_keeps_sessions_where_they_are_looked_for() -> None:
    assert "_session_storage" in WebsocketSessionManager.__init__.__code__.co_names
    assert "_session_mgr" in Runtime.__init__.__code__.co_names
