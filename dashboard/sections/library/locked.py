"""Why nothing can be changed, where that is so."""

from __future__ import annotations

from dashboard import cache


def why_locked() -> str | None:
    """The reason, for the help of a control that is switched off; None: everything can be changed."""
    if cache.workspace().store.is_copy:
        return "This is a copy to look at: another Queryscape has the workspace open. Close it to change things here."
    return None
