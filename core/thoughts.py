"""What a model thought aloud before it answered, which is no part of the answer."""

from __future__ import annotations

import re

_OPENS = re.compile(r"<(think|thinking)>", re.IGNORECASE)
_ENDS = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)


def without_thought(text: str) -> str | None:
    """What follows a thought. Some servers swallow the mark that opens one. None: it never ends.

    >>> without_thought("<think>It may be 3.</think>It is 4."), without_thought("<think>It may")
    ('It is 4.', None)
    """
    stripped = text.lstrip()
    ends = _ENDS.search(stripped)
    if _OPENS.match(stripped):
        return stripped[ends.end() :] if ends else None
    return stripped[ends.end() :] if ends and stripped[:1] not in ("{", "`", "~") else stripped
