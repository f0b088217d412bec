"""Texts that others wrote, as a model is given them: between marks with a code that none of them can hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

_LINE_ENDS = re.compile(r"\r\n?|[\x85\u2028\u2029]")
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e01ef]"
)
"""Control signs, and those that nobody sees but a model reads."""
_ROLE_OPENS = re.compile(
    r"(?<=<)(?=[|｜<]|/?(?:s|bos|eos|pad|unk|think|thinking|start_of_turn|end_of_turn|system|user|assistant)>)"
    r"|(?<=\[)(?=/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])|(?<=[|｜])(?=>)",
    re.IGNORECASE,
)
"""Where marks of a chat begin that some servers take for their own, whoever wrote them: a space makes them text."""
_CODE = re.compile(r"\ACode of the marks: ([0-9a-f]{16})\n")


@dataclass(frozen=True, slots=True)
class Part:
    """One text between marks."""

    name: str
    text: str
    is_cut: bool = False
    """Whether only its beginning is given."""
    is_always_shown: bool = False
    """Whether its marks stand around nothing where it is empty; else one mark says that there is none."""


def part(name: str, text: str, limit: int, *, is_always_shown: bool = False) -> Part:
    """The beginning of a text, in signs that can be sent."""
    return Part(name, sendable(text[:limit]).strip(), len(text) > limit, is_always_shown)


def sendable(text: str) -> str:
    """A text in signs that can be sent, with nothing in it that a server may take for the end of a message."""
    sent = text.encode(errors="replace").decode()
    return _ROLE_OPENS.sub(" ", UNSEEN.sub("", _LINE_ENDS.sub("\n", sent)))


def code_of(texts: Sequence[str]) -> str:
    """The same for the same texts, and in none of them."""
    held = "\0".join(texts).casefold()
    code = sha256(held.encode()).hexdigest()[:16]
    while code in held:
        code = sha256(code.encode() + held.encode()).hexdigest()[:16]
    return code


def fenced(parts: Sequence[Part], code: str) -> list[str]:
    """Lines: the code first, then each text between its marks."""
    lines = [f"Code of the marks: {code}"]
    for each in parts:
        if not each.text and not each.is_always_shown:
            lines.append(f"[there is no {each.name} {code}]")
            continue
        lines += [f"[{each.name} {code}]", each.text]
        lines += [f"[the rest is not given {code}]"] if each.is_cut else []
        lines.append(f"[end of {each.name} {code}]")
    return lines


def code_in(prompt: str) -> str | None:
    """The code that the first line of a prompt names; None: it names none."""
    found = _CODE.match(prompt)
    return found[1] if found else None


def between(prompt: str, name: str, code: str) -> str | None:
    """What stands between the marks of a part; None: the part is not there."""
    _, opened, rest = prompt.partition(f"\n[{name} {code}]\n")
    text, closed, _ = rest.partition(f"\n[end of {name} {code}]\n")
    return text.removesuffix(f"\n[the rest is not given {code}]") if opened and closed else None
