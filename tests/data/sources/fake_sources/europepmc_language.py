"""Europe PMC's query language as its search syntax reference describes it, read by a reader of its own.

A field stands before a word, a phrase or a bracket; AND binds closer than OR, words side by side are ANDed, NOT leaves
out what comes after it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.query.tree import ANY_ENDING, Group, Node, Not, Operator, Pieces, Range, Term

TEXT = {
    "TITLE": ("title",),
    "ABSTRACT": ("abstract",),
    "TITLE_ABS": ("title", "abstract"),
    "KW": ("keywords",),
    "": (),
}
NAMED = {
    "DOI": ("doi",),
    "EXT_ID": ("identifier",),
    "SRC": ("other",),
    "AUTH": ("author",),
    "JOURNAL": ("journal",),
    "LANG": ("language",),
    "PUB_TYPE": ("publication_type",),
    "AFF": ("affiliation",),
    "CHEM": ("substance",),
    "BODY": ("full_text",),
}
_TOKEN = re.compile(
    r"""\s*(?:(?P<years>PUB_YEAR:\[(\d{4})\ TO\ (\d{4})\])|(?P<year>PUB_YEAR:(\d{4}))|(?P<field>[A-Z_]+):(?=[("\w*])|
    (?P<open>\()|(?P<close>\))|"(?P<phrase>[^"]*)"|(?P<operator>(?:AND|OR|NOT)(?=[\s()]|$))|(?P<word>[^\s()":\[\]]+))""",
    re.VERBOSE,
)


class NotTheLanguageError(Exception):
    """A text that the search syntax reference does not describe."""


def read(text: str) -> Node:
    reader = _Reader(text)
    root = reader.either(())
    if reader.kind:
        raise NotTheLanguageError(f"what is {reader.value!r} in {text!r}?")
    return root


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self.kind, self.value, self._found = "", "", None
        self._next()

    def either(self, fields: tuple[str, ...]) -> Node:
        parts = [self._all(fields)]
        while self.kind == "operator" and self.value == "OR":
            self._next()
            parts.append(self._all(fields))
        return _joined("OR", parts)

    def _all(self, fields: tuple[str, ...]) -> Node:
        parts = [self._one(fields)]
        while self.kind not in ("", "close") and self.value != "OR":
            if self.kind == "operator" and self.value == "AND":
                self._next()
            parts.append(self._one(fields))
        return _joined("AND", parts)

    def _one(self, fields: tuple[str, ...]) -> Node:
        kind, value, found = self.kind, self.value, self._found
        if kind == "operator" and value == "NOT":
            self._next()
            return Not(self._one(fields))
        self._next()
        if kind == "field":
            named = TEXT.get(value) if value in TEXT else NAMED.get(value)
            if named is None or self.kind not in ("open", "phrase", "word"):
                raise NotTheLanguageError(f"no field {value}")
            return self._one(named)
        if kind == "open":
            inside = self.either(fields)
            if self.kind != "close":
                raise NotTheLanguageError("a bracket is not closed")
            self._next()
            return inside
        if found is None:
            raise NotTheLanguageError("it ends too early")
        if kind == "years":
            return Range(int(found[2]), int(found[3]))
        if kind == "year":
            return Range(int(found[5]), int(found[5]))
        if kind not in ("phrase", "word") or not value.strip("*"):
            raise NotTheLanguageError(f"{value!r} is in the wrong place")
        return Term(_pieces(value), quoted=kind == "phrase", fields=fields)

    def _next(self) -> None:
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            if self._text[self._at :].strip():
                raise NotTheLanguageError(f"what is {self._text[self._at : self._at + 30]!r}?")
            self.kind, self.value, self._found = "", "", None
            return
        self.kind = str(found.lastgroup) if found["years"] is None and found["year"] is None else "years"
        self.kind = "year" if found["year"] else self.kind
        self.value, self._found, self._at = str(found[self.kind]), found, found.end()


def _pieces(text: str) -> Pieces:
    pieces: list[object] = []
    for number, part in enumerate(text.split("*")):
        pieces += [ANY_ENDING] * (number > 0) + [part] * bool(part)
    return tuple(pieces)  # type: ignore[arg-type]


def _joined(operator: Operator, parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Group(operator, tuple(replace(part) for part in parts))
