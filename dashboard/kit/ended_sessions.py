"""Sessions whose browser has left: what they held comes back.

Streamlit keeps such a session for two minutes, so that a browser that lost its connection finds it again. It drops an
older one only when the next browser leaves, and never shuts it down, so its event loop (three descriptors), its caches
and its files stay. Here they go on time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from streamlit import runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage

LOOK_SECONDS = 15.0


def end_expired(storage: Any) -> int:
    """Shut down every session that its browser can't find again, and return their number. `storage`: Streamlit's."""
    expired = storage._cache.expire()
    for _, kept in expired:
        kept.session.shutdown()
    return len(expired)


_keep: Any = MemorySessionStorage.save


def _save(storage: Any, session_info: Any) -> None:
    end_expired(storage)  # else they are dropped in the next line
    _keep(storage, session_info)


async def _end_often() -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if not runtime.exists():
            continue
        try:
            end_expired(runtime.get_instance()._session_mgr._session_storage)  # type: ignore[attr-defined]
        except Exception:  # whatever one session does, the others end
            logging.getLogger("queryscape").exception("sessions could not be ended")


@asynccontextmanager
async def ending_sessions() -> AsyncIterator[None]:
    """End sessions on time, as long as the server runs."""
    task = asyncio.create_task(_end_often())
    setattr(MemorySessionStorage, "save", _save)  # noqa: B010
    try:
        yield
    finally:
        setattr(MemorySessionStorage, "save", _keep)  # noqa: B010
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
