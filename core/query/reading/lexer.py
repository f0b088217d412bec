"""Cuts a text into what a parser works on: brackets, quoted phrases, tags, operators and words, each with its span."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from core.query.dialects.base import Dialect, NearForm
from core.query.reading.foreign import BEGINS, LEAF, PHRASE
from core.query.reading.report import Report
from core.query.tree import Edit, Fix, Span

TokenKind = Literal["(", ")", "quoted", "braces", "tag", "word", "heading", "op", "near", "stray"]

LONGEST = 100_000
"""Characters: more than this is a slip of the hand, not a query."""
WIDEST = 1_000_000
"""The largest distance that is told apart from any distance."""

_QUOTES = "“”„‟«»＂″"
_APOSTROPHES = "‘’‚‛"
_SPACES = "\x00\u00a0\u2002\u2003\u2009\u202f\u3000\u200b\ufeff"
_DIRECTIONS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_TYPED = str.maketrans(
    dict.fromkeys(_QUOTES, '"')
    | dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_SPACES + _DIRECTIONS, " ")
    | dict.fromkeys("‐‑‒–—−", "-")
    | {"（": "(", "）": ")", "＊": "*", "？": "?"}
)
_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<quoted>"[^"]*"(?:\*|~\d+)?)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<tag>\[[^\[\]\n"]{0,80}\])
    | (?P<braces>\{[^{}\n]*\})
    | (?P<word>(?:[^\s()"\[\]{}]+|\{\d{0,4},\d{0,4}\})+)
    | (?P<stray>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SLASHED = re.compile(r'(?:exp\s+)?\*?"[^"\n]{1,200}"/(?:\w\w(?:,\w\w)*(?![\w,]))?', re.IGNORECASE)
"""A subject heading that holds an operator or a bracket, as Ovid writes it: exp "Wounds and Injuries"/."""
_COMMENT = re.compile(
    r"\(Word variations have been searched\)|(?<![^\s(])/\*.*?\*/|^[ \t]*(?://|\#[ \t])[^\n]*", re.MULTILINE | re.DOTALL
)
_OPENING = re.compile(r"(?<![^\s(])/\*")
_NEXT_FIELD = re.compile(r",(?=[a-z_.]{2,40}:)")
_OPERATOR = re.compile(r"and|or|not", re.IGNORECASE)
_NEAR = re.compile(r"(NEAR/|PRE/|W/|N/|ADJ|NEAR|NEXT|N|W)(\d{0,7})", re.IGNORECASE)
_FOREIGN = {
    "NEAR/": NearForm("NEAR/"),
    "PRE/": NearForm("PRE/", ordered=True),
    "W/": NearForm("W/"),
    "N/": NearForm("N/"),
    "ADJ": NearForm("ADJ", more=1),
    "NEAR": NearForm("NEAR"),
    "NEXT": NearForm("NEXT", ordered=True, more=1),
}


class NearValue(NamedTuple):
    """A proximity operator."""

    distance: int
    ordered: bool
    foreign: bool
    """Another dialect's way of writing it."""


class Token(NamedTuple):
    """One part of the text."""

    kind: TokenKind
    start: int
    end: int
    value: str
    """Quoted: what is inside, with typed quotes. Operator: AND, OR or NOT. Else the text itself, cleaned."""
    near: NearValue | None = None
    suffix: str = ""
    """What follows a closing quote: * or ~3."""


def cleaned(text: str) -> str:
    """The text with typed quotes, brackets and spaces, character for character.

    >>> cleaned("“heat\\u00a0wave”")
    '"heat wave"'
    """
    return text.translate(_TYPED)


def lex(text: str, dialect: Dialect, report: Report, start: int = 0, end: int | None = None) -> list[Token]:
    """The parts of a text, or of a stretch of it. Nothing is refused; what looks wrong is reported."""
    end = len(text) if end is None else end
    clean, stray_quote = _close_quotes(cleaned(text)[:end], start)
    if stray_quote is not None:
        _report_quote(stray_quote, clean, report)
    clean = _without_comments(clean, start)
    if dialect.tag_covers_rest:
        clean = _NEXT_FIELD.sub(" ", clean)
    tokens: list[Token] = []
    at = start
    while at < end:
        found = _SLASHED.match(clean, at, end) if dialect.slash_headings and clean[at] in 'eE*"' else None
        if found is not None:
            at = found.end()
            tokens.append(Token("word", found.start(), at, found.group()))
            continue
        if not dialect.slash_headings and clean[at] in BEGINS and (foreign := _foreign(clean, at, end)):
            tokens.append(foreign)
            at = foreign.end
            continue
        found = _TOKEN.match(clean, at, end)
        assert found is not None  # the last alternative takes any character
        kind, at = found.lastgroup, found.end()
        if kind == "word":
            tokens.append(_word(found.group(), found.start(), dialect))
        elif kind == "quoted":
            tokens.append(_quoted(found.group(), found.start()))
        elif kind == "open" or kind == "close":
            tokens.append(Token("(" if kind == "open" else ")", found.start(), at, found.group()))
        elif kind == "tag" or kind == "braces":
            tokens.append(Token("tag" if kind == "tag" else "braces", found.start(), at, found.group()[1:-1].strip()))
        elif kind == "stray":
            message = f"{found.group()} stands alone: close it or take it out"
            fix = Fix("Take it out", (Edit(found.start(), at, ""),))
            report.add("unbalanced-bracket", "error", Span(found.start(), at), message, fix)
    return _join_and_not(tokens)


def _foreign(clean: str, at: int, end: int) -> Token | None:
    """A heading, or a phrase in single quotes, of a database that is no dialect here."""
    if at and (clean[at - 1].isalnum() or clean[at - 1] == "_"):
        return None
    if found := LEAF.match(clean, at, end):
        return Token("heading", at, found.end(), found.group())
    if found := PHRASE.match(clean, at, end):
        return Token("quoted", at, found.end(), found.group(1))
    return None


def _without_comments(clean: str, start: int) -> str:
    """Blanks for /* comments */ and for lines that begin with // or a # and a space."""
    if "/*" not in clean and "//" not in clean and "# " not in clean and "(Word v" not in clean:
        return clean
    closed = clean.rfind("*/", start) + 2 if "*/" in clean[start:] else start
    text = clean[start:closed] + _OPENING.sub("  ", clean[closed:])  # behind the last */ no comment has an end
    return clean[:start] + _COMMENT.sub(_blanks, text)


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _word(value: str, start: int, dialect: Dialect) -> Token:
    end = start + len(value)
    if _OPERATOR.fullmatch(value):
        return Token("op", start, end, value.upper())
    if value == "SAME" and dialect.id == "wos":  # outside of addresses it is AND
        return Token("op", start, end, "AND")
    if (found := _NEAR.fullmatch(value)) and (near := _near(found, dialect)):
        return Token("near", start, end, value, near)
    if not dialect.slash_headings and "/" in value and LEAF.fullmatch(value):
        return Token("heading", start, end, value)
    return Token("word", start, end, value)


def _near(found: re.Match[str], dialect: Dialect) -> NearValue | None:
    word, number = found.group(1).upper(), found.group(2)
    own = {form.word: form for form in dialect.near_forms}
    bare = {form.word.rstrip("/"): form for form in dialect.near_forms if len(form.word.rstrip("/")) > 2}
    form = own.get(word) if number else bare.get(word)
    if form is None and dialect.id == "ebsco" and number:
        form = own.get(word.rstrip("/"))
    foreign = form is None
    if form is None:
        form = _FOREIGN.get(word)
        if form is None or (not number and not (found.group(1).isupper() and word in ("NEAR", "ADJ"))):
            return None
    if number:
        return NearValue(min(max(int(number) - form.more, 0), WIDEST), form.ordered, foreign)
    if word == "ADJ":  # without a number: next to each other, in this order
        return NearValue(0, True, foreign)
    return NearValue(15 if word == "NEAR" else 0, form.ordered, foreign)


def _quoted(value: str, start: int) -> Token:
    closing = value.rindex('"')
    return Token("quoted", start, start + len(value), value[1:closing], suffix=value[closing + 1 :])


def _join_and_not(tokens: list[Token]) -> list[Token]:
    """AND NOT is one operator."""
    out: list[Token] = []
    for token in tokens:
        last = out[-1] if out else None
        if token.kind == "op" and token.value == "NOT" and last and last.kind == "op" and last.value == "AND":
            out[-1] = Token("op", last.start, token.end, "NOT")
        else:
            out.append(token)
    return out


_SPLIT = re.compile(r"\s+(?:AND|OR|NOT)\b|[()\[\]]|\n")


def _close_quotes(clean: str, start: int) -> tuple[str, int | None]:
    """With an odd number of quotes, one is not closed: most likely the first whose phrase holds an operator."""
    places = [found.start() for found in re.finditer('"', clean[start:])]
    if len(places) % 2 == 0:
        return clean, None
    places = [start + place for place in places]
    stray = places[-1]
    for opening, closing in zip(places[::2], places[1::2], strict=False):
        if _SPLIT.search(clean, opening, closing):
            stray = opening
            break
    return clean[:stray] + " " + clean[stray + 1 :], stray


def _report_quote(at: int, clean: str, report: Report) -> None:
    found = _SPLIT.search(clean, at)
    end = found.start() if found else len(clean.rstrip())
    end = max(end, at + 1)
    fix = Fix("Close the quote", (Edit(end, end, '"'),)) if end > at + 1 else None
    report.add("unbalanced-quote", "error", Span(at, end), "This quote is not closed, so it was left out.", fix)
