"""Keeping secrets out of what a service sends back: as they are, and in every way in which texts are usually quoted."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

SHORTEST = 8
"""Characters; what is shorter may stand in an answer for other reasons."""
INSTEAD = "…"
_PLAIN = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, eq=False)
class Secret:
    """A text that nobody is to see."""

    hint: str
    """A part of it that no way of quoting changes; what does not hold this is not searched."""
    in_text: re.Pattern[str]
    in_bytes: re.Pattern[bytes]

    @classmethod
    def of(cls, said: str) -> Secret:
        """Of printable ASCII, as keys are."""
        pattern = "".join(map(_written, said))
        hint = max(_PLAIN.findall(said), key=len, default="").lower()
        return cls(hint, re.compile(pattern, re.IGNORECASE), re.compile(pattern.encode(), re.IGNORECASE))


def _written(sign: str) -> str:
    """A sign in addresses (quoted twice, too), JSON (within JSON, too) and HTML."""
    if _PLAIN.fullmatch(sign):
        return sign
    code = ord(sign)
    named = html.escape(sign)
    ways = [
        rf"\\{{0,8}}{re.escape(sign)}",
        f"%(?:25){{0,4}}{code:02x}",
        rf"\\{{1,8}}u00{code:02x}",
        f"&#0{{0,6}}{code};",
        f"&#x0{{0,6}}{code:x};",
        *([re.escape(named)] if named != sign else []),
    ]
    return f"(?:{'|'.join(ways)})"


class Secrets:
    """All that one connection has."""

    def __init__(self) -> None:
        self._all: list[Secret] = []

    def add(self, said: str) -> None:
        """Hide this from now on, unless it is too short to be told from other texts."""
        if len(said) >= SHORTEST:
            self._all.append(Secret.of(said))

    def without(self, text: str) -> str:
        """The text with none of them in it."""
        for secret in self._all:
            if secret.hint in text.lower():
                text = secret.in_text.sub(INSTEAD, text)
        return text

    def without_bytes(self, content: bytes) -> bytes:
        """The same for what came."""
        low = content.lower() if self._all else b""
        for secret in self._all:
            if secret.hint.encode() in low:
                content = secret.in_bytes.sub(b"...", content)
        return content
