"""A search string with the parts marked that miss a publication. The text is a user's, so all of it is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

from core.query.tree import Span
from dashboard.figures.theme import COLOURS, Theme


class Part(Protocol):
    """Of a string."""

    @property
    def span(self) -> Span:
        """Where it stands."""
        ...

    @property
    def is_excluded(self) -> bool:
        """It stands after NOT."""
        ...


MISSES, EXCLUDES = "misses it", "excludes it"


def marked_html(text: str, failing: Sequence[Part], theme: Theme) -> str:
    """The string, as it was typed. A mark is told by its line and by words as well as by its colour.

    Parts that overlap are marked as far as the one before leaves them.
    """
    pieces, at = [], 0
    for part in sorted(failing, key=lambda part: (part.span.start, -part.span.end)):
        start, end = max(part.span.start, at), min(part.span.end, len(text))
        if start >= end:
            continue
        words = EXCLUDES if part.is_excluded else MISSES
        pieces.append(escape(text[at:start]))
        pieces.append(f'<mark>{escape(text[start:end])}<span class="why"> ({words})</span></mark>')
        at = end
    pieces.append(escape(text[at:]))
    return f'<p class="qs-marked">{"".join(pieces)}</p>{_style(theme)}'


def _style(theme: Theme) -> str:
    c = COLOURS[theme]
    return f"""<style>
.qs-marked {{ font-family: "Source Code Pro", monospace; font-size: 0.85rem; white-space: pre-wrap;
  overflow-wrap: anywhere; margin: 0; color: {c["text"]}; }}
.qs-marked mark {{ background: transparent; color: {c["core"]}; text-decoration: underline wavy {c["core"]};
  text-underline-offset: 3px; }}
.qs-marked .why {{ color: {c["faint"]}; font-family: inherit; font-size: 0.75rem; display: inline-block; }}
</style>"""
