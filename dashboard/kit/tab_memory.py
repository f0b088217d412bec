"""Texts that a tab of the browser keeps through a reload, never in the link: so no link can set them for a visitor."""

from __future__ import annotations

from dashboard import state
from dashboard.kit.components import mount_part

NAME = "name"
"""The visitor's name: entered in one field, it is filled in in the others, too."""


def kept_text(name: str, field: str, now: str, *, longest: int) -> str:
    """Return the text to show in a field: `now`, or the text kept under this name if nothing was entered there yet.

    Call it before the field is drawn, once in a run. A field that was emptied stays empty, and the tab forgets it.
    """
    shared, own = f"tab-{name}", f"tab-{name}-{field}"
    was_entered = bool(now) or state.value(own) is not None
    if not was_entered:
        now = str(state.value(shared) or "")[:longest]
    document = {"name": name, "text": now if now or was_entered else None}
    told = mount_part("tab_memory", document, key="tab-memory", height=1, states=("kept",))
    if document["text"] is None:
        now = str(told.get("kept") or "")[:longest]
    if now or was_entered:
        state.set_value(own, now)
        state.set_value(shared, now)
    return now
