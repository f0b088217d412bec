"""BibTeX that breaks its own grammar: a missing brace or comma costs the field it is in, not the entry."""

from __future__ import annotations

import re

_TYPE = re.compile(r"@[ \t]*([A-Za-z][\w-]*)\s*[{(]\s*")
_HEAD = re.compile(
    r"""(?P<before>\n|,|["}])[ \t]*+,?+[ \t]*+(?P<name>key[ ]words|[A-Za-z][\w+-]*)[ \t]*+=[ \t\n]*+
        (?=[{"]|[\w.-]++[ \t]*+(?:[,\n#})]|\Z))""",
    re.VERBOSE,
)
_KEY = re.compile(r"[^\s,={}\"()]*")
_BRACES = re.compile(r"(?<!\\)[{}]")


def fields_of_damaged(chunk: str) -> tuple[str, str, list[tuple[str, str]]]:
    """Type, key, and the fields that can be told apart, from "@" up to where the next entry begins.

    A line that begins with "name = {" begins a field, whatever is still open before it. Within a line, it does so
    where nothing is open.

    >>> fields_of_damaged('@misc{a, title = {Open,\\n year = 2019,\\n note = "x"\\n}')
    ('misc', 'a', [('title', 'Open'), ('year', '2019'), ('note', 'x')])
    """
    opening = _TYPE.match(chunk)
    if opening is None:
        return "", "", []
    key = _KEY.match(chunk, opening.end())
    heads = _heads(chunk, opening.end())
    fields = []
    for position, head in enumerate(heads):
        ends = heads[position + 1].start() if position + 1 < len(heads) else len(chunk)
        # The quote or brace before the next head still belongs to this value.
        if position + 1 < len(heads) and heads[position + 1]["before"] in '"}':
            ends += 1
        fields.append((head["name"], _value(chunk[head.end() : ends])))
    return opening[1], key[0] if key else "", fields


def _heads(chunk: str, start: int) -> list[re.Match[str]]:
    heads: list[re.Match[str]] = []
    depth, counted = 0, start
    for head in _HEAD.finditer(chunk, start):
        if head["before"] == "\n":
            depth = 0
        else:
            reached = head.start() + (head["before"] == "}")
            for brace in _BRACES.finditer(chunk, counted, reached):
                depth += 1 if brace[0] == "{" else -1
            if depth > 0 or (heads and _in_quotes(chunk, heads[-1].end(), head)):
                counted = max(reached, counted)
                continue
            depth = 0
        heads.append(head)
        counted = head.end()
    return heads


def _in_quotes(chunk: str, value_starts: int, head: re.Match[str]) -> bool:
    """Whether a quoted value before `head` has not ended."""
    if chunk[value_starts : value_starts + 1] != '"' or head["before"] == '"':
        return False
    return not chunk[value_starts + 1 : head.start()].rstrip().endswith('"')


def _value(text: str) -> str:
    text = text.strip().rstrip(",").strip()
    if text.startswith("{"):
        return _braced(text)
    if text.startswith('"'):
        inner = text[1:]
        if '"' in inner:
            return inner[: inner.rindex('"')]
        return inner.rstrip("}) \t\n,")
    bare = re.match(r"[^\s,{}()#\"]+", text)
    return bare[0] if bare else ""


def _braced(text: str) -> str:
    depth = 0
    for brace in _BRACES.finditer(text):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return text[1 : brace.start()]
    return text[1:].rstrip("} \t\n,")
