"""What is noticed at a single place while a text is read, said once it is seen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect
from core.query.reading.joining import cut
from core.query.reading.lexer import Token
from core.query.reading.report import Report
from core.query.tree import Edit, Fix, Span
from core.text import words

_GLUED = re.compile(r"(?<=[a-z0-9*?$#])(AND|OR|NOT)$")
_SIGNS = {"|": "OR", "||": "OR", "&&": "AND"}
_YEAR_WORDS = frozenset(
    ("aft", "bef", "after", "before", "is", "since", "until", "till", "from", "to", "and", "or", "current", "present")
)
_MINUS = re.compile(r"-[^\W\d_]{2}")


@dataclass(slots=True)
class Notice:
    """Findings about brackets, tags, words and operators of one text."""

    text: str
    dialect: Dialect
    report: Report
    said_foreign: bool = False

    def unclosed(self, opened: int, end: int) -> None:
        """A bracket without its partner."""
        fix = Fix("Close the bracket at the end", (Edit(end, end, ")"),))
        self.report.add("unbalanced-bracket", "error", Span(opened, opened + 1), "This bracket is never closed.", fix)

    def loose_tag(self, token: Token) -> None:
        """A tag with no term before it."""
        span = Span(token.start, token.end)
        fix = Fix("Take it out", (cut(span),))
        self.report.add("unknown-field", "error", span, f"[{token.value}] stands behind nothing.", fix)

    def unknown_tag(self, name: str, span: Span) -> None:
        """A field that the dialect lacks."""
        label = self.dialect.label
        others = [d.label for d in DIALECTS.values() if d is not self.dialect and name.lower() in d.tags]
        hint = f" It is one of {others[0]}: choose that dialect." if others else " Its term is looked for anywhere."
        self.report.add("unknown-field", "error", span, f"{label} has no field {name.strip()[:40]}.{hint}")

    def braces(self, token: Token) -> None:
        """{heat wave} where braces mean nothing."""
        if not self.dialect.exact_braces:
            span = Span(token.start, token.end)
            fix = Fix("Write quotes", (Edit(span.start, span.end, f'"{token.value}"'),))
            self.report.add("wrong-quotes", "error", span, f"{self.dialect.label} has no exact phrases in braces.", fix)

    def capitals(self, token: Token) -> None:
        """An operator in small letters."""
        span = Span(token.start, token.end)
        written = span.of(self.text)
        if written.isupper() or not (self.dialect.capitals_only or self.dialect.id == "plain"):
            return
        fix = Fix("Write it in capitals", (Edit(span.start, span.end, written.upper()),))
        if self.dialect.capitals_only:
            label = self.dialect.label
            message = f"{label} takes {written} for a word unless it is in capitals. Read as {written.upper()}."
            self.report.add("lower-case-operator", "warning", span, message, fix)
        else:
            self.report.add("lower-case-operator", "hint", span, f"Read as the operator {written.upper()}.", fix)

    def words(self, tokens: Iterable[Token]) -> None:
        """Operators that are read as words: predict*OR, a | b, -cold, heat SAME cold."""
        for token in tokens:
            if token.kind != "word":
                continue
            span = Span(token.start, token.end)
            if found := _GLUED.search(token.value):
                place = token.start + found.start()
                message = f"A space is missing before {found.group()}: it is read as part of the word."
                fix = Fix("Put a space in", (Edit(place, place, " "),))
                self.report.add("missing-space", "error", span, message, fix)
            elif operator := _SIGNS.get(token.value):
                message = f"{token.value} is no operator here, and was passed over: write {operator}."
                fix = Fix(f"Write {operator}", (Edit(span.start, span.end, operator),))
                self.report.add("unknown-operator", "error", span, message, fix)
            elif _MINUS.match(token.value) and token.start and self.text[token.start - 1].isspace():
                message = "A minus excludes nothing here: write NOT if this word must not occur."
                fix = Fix(
                    f"Write {self.dialect.not_word}", (Edit(span.start, span.start + 1, f"{self.dialect.not_word} "),)
                )
                self.report.add("unknown-operator", "warning", span, message, fix)
            elif token.value in ("SAME", "NEXT"):
                message = f"{self.dialect.label} does not know {token.value}: it is looked for as a word."
                self.report.add("unknown-operator", "warning", span, message)

    def beside_years(self, written: str, span: Span) -> None:
        """What is no year in a limit to years."""
        rest = [word for word in words(written) if word[0].isalpha() and word not in _YEAR_WORDS]
        rest += re.findall(r"\d{4}([^\W\d_]+)", written)
        if rest:
            message = f"Of this only the years were read: {rest[0]} was left out."
            self.report.add("limit-left-out", "warning", span, message)

    def foreign_near(self, token: Token) -> None:
        """A proximity as another database writes it."""
        span = Span(token.start, token.end)
        how = {"tag": 'write "two words"[tiab:~3]', "tilde": 'write "two words"~3'}.get(self.dialect.window or "", "")
        if self.dialect.near_forms:
            how = f"write {self.dialect.near_forms[0].word}3"
        message = f"{self.dialect.label} does not know {token.value}{': ' + how if how else ''}."
        self.report.add("unknown-operator", "error", span, message)

    def colon_tag(self, token: Token) -> None:
        """heat:ti,ab."""
        if self.dialect.tag_style != "suffix":
            self.foreign(token)

    def foreign(self, token: Token) -> None:
        """The way of the Cochrane Library and Embase.com: said once."""
        if not self.said_foreign:
            self.said_foreign = True
            span = Span(token.start, token.end)
            message = "The Cochrane Library and Embase.com write it like this: read as it is meant there."
            self.report.add("unknown-field", "hint", span, message)
