"""Values of BibTeX fields: braces and quotes taken off, @string names put in, lists cut outside braces."""

from __future__ import annotations

import re
from collections.abc import Mapping

_BRACES = re.compile(r"(?<!\\)[{}]")
_AND = re.compile(r"(?<!\\)[{}]|\s+and(?=\s)", re.IGNORECASE)
_PLAIN_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_BARE = re.compile(r"[^#]*")
MOST_PUT_IN = 2_000
"""Characters of @string values in one value that is put together; strings of strings would double without end."""


def resolved(raw: str, strings: Mapping[str, str]) -> str:
    """A value as text: "a" # jan # {b} is put together, a name of an @string is replaced.

    >>> resolved('"The " # acm # { Press}', {"acm": "ACM"}), resolved("{About {it}}", {}), resolved("2019", {})
    ('The ACM Press', 'About {it}', '2019')
    """
    raw = raw.strip()
    if "#" not in raw:
        if len(raw) > 1 and raw[0] + raw[-1] in ("{}", '""'):
            return raw[1:-1]
        return strings.get(raw.lower(), raw)
    parts, at, room = [], 0, MOST_PUT_IN
    while at < len(raw):
        if raw[at] in " \t\n#":
            at += 1
        elif raw[at] == "{":
            ends = _closing(raw, at)
            parts.append(raw[at + 1 : ends])
            at = ends + 1
        elif raw[at] == '"':
            ends = _quote(raw, at + 1)
            parts.append(raw[at + 1 : ends])
            at = ends + 1
        else:
            bare = _BARE.match(raw, at)
            name = bare[0].strip() if bare else ""
            put_in = strings.get(name.lower(), name)
            room -= len(put_in)
            parts.append(put_in if room >= 0 else name)
            at = bare.end() if bare else at + 1
    return "".join(parts)


def _closing(text: str, start: int) -> int:
    depth = 0
    for brace in _BRACES.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(text)


def _quote(text: str, start: int) -> int:
    depth = 0
    for mark in re.compile(r'(?<!\\)[{}"]').finditer(text, start):
        if mark[0] == '"' and depth <= 0:
            return mark.start()
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
    return len(text)


def runs_on(raw: str) -> bool:
    """Whether a value goes on into the next field, for want of a comma.

    >>> runs_on("{A title}\\n year = 2001"), runs_on("{E = mc}"), runs_on('"x = " # {y}')
    (True, False, False)
    """
    raw = raw.strip()
    if "=" not in raw:
        return False
    if raw[0] not in '{"':
        return True
    ends = _closing(raw, 0) if raw[0] == "{" else _quote(raw, 1)
    after = raw[ends + 1 :].lstrip()
    return "=" in after and not after.startswith("#")


def names_in(text: str) -> list[str]:
    """Authors, split at "and" outside braces; "and others" names nobody.

    >>> names_in("{Food and Agriculture Organization} and Smith, A. and others")
    ['{Food and Agriculture Organization}', 'Smith, A.']
    """
    cuts, depth, at = [], 0, 0
    for found in _AND.finditer(text):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth == 0:
            cuts.append(text[at : found.start()])
            at = found.end()
    cuts.append(text[at:])
    if depth != 0:
        cuts = _PLAIN_AND.split(text)
    if len(cuts) == 1 and ";" in text:
        cuts = text.split(";")
    names = (" ".join(name.split()) for name in cuts)
    return [name for name in names if name and name.lower() not in ("others", "et al.", "et al")]


def keywords_in(text: str) -> list[str]:
    """Keywords, cut at semicolons if there is one, at commas outside braces if not.

    >>> keywords_in("Aged, 80 and over; Female"), keywords_in("nets, {Smith, Adam}")
    (['Aged, 80 and over', 'Female'], ['nets', '{Smith, Adam}'])
    """
    sign = ";" if ";" in text else ","
    parts, depth, at = [], 0, 0
    for found in re.finditer(rf"(?<!\\)[{{}}]|{sign}", text):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth <= 0:
            parts.append(text[at : found.start()])
            at = found.end()
    parts.append(text[at:])
    return [" ".join(part.split()) for part in parts if part.strip()]
