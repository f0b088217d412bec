"""Keep what was typed where the next click comes before the server has read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner_utils import script_requests

Merge = Callable[[WidgetStates | None, WidgetStates | None], WidgetStates | None]
MERGE = "_coalesce_widget_states"
"""What Streamlit calls it. Where a version of Streamlit has no such function, nothing is changed."""
CLICKS = frozenset({"trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value"})
"""What is true once. Streamlit keeps these itself."""


def keep_overtaken_fields() -> None:
    """Have a request that overtakes another one take over its fields.

    While the server is busy a request waits, and Streamlit lets the next one take its place. A click on another page
    says only what the sidebar holds, so what was typed just before it would be gone.
    """
    merge: Any = getattr(script_requests, MERGE, None)
    if merge is not None and not hasattr(merge, "keeps_fields"):
        setattr(script_requests, MERGE, _keeping_fields(merge))


def _keeping_fields(merge: Merge) -> Merge:
    def merged(waiting: WidgetStates | None, newer: WidgetStates | None) -> WidgetStates | None:
        both = merge(waiting, newer)
        if both is None or waiting is None or newer is None:
            return both
        said = {field.id for field in both.widgets}
        kept = WidgetStates()
        kept.CopyFrom(both)
        kept.widgets.extend(
            field for field in waiting.widgets if field.id not in said and field.WhichOneof("value") not in CLICKS
        )
        return kept

    merged.keeps_fields = True  # type: ignore[attr-defined]
    return merged
