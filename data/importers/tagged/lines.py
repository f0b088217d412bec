"""What the tagged formats have in common: lines become fields, fields become the entries of a file.

A format says how its lines are split (`Grammar.split`), which tag begins an entry and which ends one. Damage is
expected: an end that is missing, an entry without its first tag, blank lines anywhere, text of another format between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as field_of
from itertools import chain

from data.importers.source import Entry, Note, Part, Rejected, Source

BLOCK = 1_000_000
"""Characters split into lines at once: a list of all the lines of a large file would double its size."""

Line = list[str] | None
"""A tag and what follows it, a list of its own each time; None for a line without a tag."""

LONGEST_NUMBERING = 300

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_NUMBERING = re.compile(r"\d{1,7}\.|<\d{1,7}>|\[\d{1,7}\]|Record #?\d+ of \d+|(?:</?[A-Za-z][^<>]*>\s*)+")
_HEADER = re.compile(r"\s*(?:Provider|Database|Content|Export Date)\s*:", re.IGNORECASE)
_FOREIGN = re.compile(
    r"(?:(?P<BibTeX>@[A-Za-z]{3,20} ?(?:\{|\([^\s(),]+,))|(?P<EndNote>%0 [A-Z][A-Za-z -]{2,40}$)"
    r"|(?P<PubMed>PMID-\s*\d)|(?P<WoS>PT [A-Z]\s*$|FN (?:Clarivate|Thomson|ISI)\b)|(?P<RIS>TY  - ?[A-Z]{3,})"
    r"|(?P<XML><\?xml|<PubmedArticle|<xml>|<records?>)|(?P<SMART>\.I \d))"
)
_NAMES = {"PubMed": "PubMed (nbib)", "WoS": "Web of Science", "EndNote": "EndNote (%-tagged)"}


@dataclass(slots=True)
class Gathered:
    """The fields of one entry, in their order."""

    line: int
    """Where its first tag stands; if that one comes later, it is moved there."""
    fields: list[list[str]] = field_of(default_factory=list)
    """Tag, what follows it, and every line that continues it."""
    begun: int | None = None
    """How many fields come before the tag that begins an entry; None without one."""
    detached: bool = False
    """It comes after a blank line and has no beginning of its own: it may belong to the entry before it."""
    loose: bool = False
    """Its first line is not written by the rules, so the others need not be."""

    def by_tag(self) -> dict[str, list[list[str]]]:
        """Tag -> its values, each as a list of lines; without those that hold nothing."""
        found: dict[str, list[list[str]]] = {}
        for field in self.fields:
            held = [line for line in field[1:] if line and not line.isspace()] if len(field) > 2 else [field[1]]
            if not held or not held[0] or held[0].isspace():
                continue
            if field[0] in found:
                found[field[0]].append(held)
            else:
                found[field[0]] = [held]
        return found


@dataclass(frozen=True, slots=True)
class Outside:
    """A line that belongs to no entry."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Grammar:
    """How one tagged format writes its lines."""

    own: str
    """Its name among the formats that can be told from one line."""
    begin: str
    end: str
    """Empty: entries are ended by a blank line."""
    split: Callable[[str, Gathered | None], Line]
    indented: bool
    """Lines that continue a field are indented, so one that is not, after a blank line, belongs to none."""
    single: frozenset[str] = frozenset()
    """Tags that an entry has once, for entries that only a blank line separates."""
    opens: str = ""
    """A tag that, where an entry opened with it, opens the next one too."""


def head_of(source: Source) -> str:
    """Enough of a file to see what it is, however many blank lines come first."""
    return source.text.lstrip()[:20_000] if source.head.isspace() else source.head


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line with its number, from 1."""
    number, start = 0, 0
    while start >= 0:
        end = text.find("\n", min(start + BLOCK, len(text)))
        for line in text[start : len(text) if end < 0 else end].split("\n"):
            number += 1
            yield number, line
        start = end + 1 if end >= 0 else -1


def line_numbers(text: str, positions: Iterable[int]) -> Iterator[int]:
    """The line of each position; positions ascend."""
    line, counted = 1, 0
    for position in positions:
        line += text.count("\n", counted, position)
        counted = position
        yield line


def foreign_format(line: str, own: str) -> str | None:
    """The name of another format of which a record begins in this line."""
    found = _FOREIGN.match(line)
    if found is None or found.lastgroup == own or found.lastgroup is None:
        return None
    return _NAMES.get(found.lastgroup, found.lastgroup)


def gathered(text: str, grammar: Grammar) -> Iterator[Gathered | Outside | Rejected]:
    """Entries in their order, what is outside of them, and where records of another format begin."""
    if grammar.end:
        return _gathered(text, grammar)
    return _rejoined(_gathered(text, grammar), grammar.single)


def _gathered(text: str, grammar: Grammar) -> Iterator[Gathered | Outside | Rejected]:
    gathering = _Gathering(grammar)
    split, take = grammar.split, gathering.take
    edges = {grammar.begin, grammar.end, grammar.opens}
    for number, line in numbered_lines(text):
        current = gathering.current
        found = split(line, current)
        if found is not None and current is not None and not gathering.blank and found[0] not in edges:
            current.fields.append(found)
        elif done := take(number, line, found):
            yield from done
    if gathering.current is not None:
        yield gathering.current


class _Gathering:
    """One line after the other. What a line ends is given back."""

    def __init__(self, grammar: Grammar) -> None:
        self.current: Gathered | None = None
        self._grammar = grammar
        self._begin, self._end = grammar.begin, grammar.end
        self._opens = grammar.opens
        self.blank = True
        self._foreign = False

    def take(self, number: int, line: str, found: Line) -> Sequence[Gathered | Outside | Rejected]:
        """What is complete now."""
        current = self.current
        if found is None and self._is_blank(line):
            self.blank = True
            return ()
        if current is None or self.blank or (found is None and not self._end):
            if name := foreign_format(line, self._grammar.own):
                self.blank, self._foreign = False, True
                reason = f"it looks like {name}: put these records into a file of their own"
                return (*self._closed(), Rejected(number, reason))
            if self._foreign and (found is None or found[0] != self._begin):
                self.blank = False
                return ()
        if found is None:
            return self._continue(number, line)
        tag = found[0]
        done: Sequence[Gathered | Outside | Rejected] = ()
        if tag == self._begin:
            done = self._open(number, line)
        elif tag == self._end:
            self.blank = True
            return self._closed()
        elif current is None or (not self._end and (self.blank or tag == self._opens == current.fields[0][0])):
            done = self._closed()
            self.current = Gathered(number, detached=bool(done) and self.blank)
        assert self.current is not None
        self.current.fields.append(found)
        self.blank = False
        return done

    def _is_blank(self, line: str) -> bool:
        if not line or line.isspace() or not line.strip(INVISIBLE + " \t"):
            return True
        if not (self.blank or self.current is None) or len(line) > LONGEST_NUMBERING:
            return False
        return _NUMBERING.fullmatch(line.strip()) is not None

    def _continue(self, number: int, line: str) -> Sequence[Outside]:
        if self.current is None or (self.blank and self._grammar.indented and not line[0].isspace()):
            return (Outside(number, line),)
        self.current.fields[-1].append(line)
        self.blank = False
        return ()

    def _open(self, number: int, line: str) -> Sequence[Gathered]:
        """A new entry, or the one that was opened by a line just before its first tag."""
        self._foreign = False
        current = self.current
        if current is not None and not self.blank and current.begun is None:
            current.line, current.begun = number, len(current.fields)
            return ()
        done = self._closed()
        self.current = Gathered(number, begun=0, loose=not line.startswith(f"{self._begin}  -"))
        return done

    def _closed(self) -> Sequence[Gathered]:
        done = () if self.current is None else (self.current,)
        self.current = None
        return done


def _rejoined(
    parts: Iterator[Gathered | Outside | Rejected], single: frozenset[str]
) -> Iterator[Gathered | Outside | Rejected]:
    """Entries that a blank line cut in two are one again, unless both say what an entry says once."""
    held: Gathered | None = None
    seen: set[str] = set()
    for part in chain(parts, (None,)):
        if isinstance(part, Gathered):
            tags = {tag for tag, *_ in part.fields} & single
            if held is not None and part.detached and part.begun is None and not tags & seen:
                held.fields += part.fields
                seen |= tags
                continue
        if held is not None:
            yield held
            held = None
        if isinstance(part, Gathered):
            held, seen = part, tags
        elif part is not None:
            yield part


class Strays:
    """Lines outside of records, told in one note."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, str]] = []
        self._n = 0

    def add(self, line: int, text: str) -> None:
        """One more, unless it is a heading that exporters write."""
        if _HEADER.match(text):
            return
        self._n += 1
        if len(self._lines) < 3:
            self._lines.append((line, " ".join(text[:200].split())[:60]))

    def note(self) -> Sequence[Part]:
        """At most one note."""
        if not self._n:
            return ()
        shown = "; ".join(f"line {line:,}: “{text}”" for line, text in self._lines)
        what = "1 line stands" if self._n == 1 else f"{self._n:,} lines stand"
        return (Note(f"{what} outside of records and {'was' if self._n == 1 else 'were'} left out: {shown}"),)


def one_text(values: Iterable[list[str]]) -> str:
    """Values and their lines as one text."""
    return " ".join(line.strip() for lines in values for line in lines)


def each_line(values: Iterable[list[str]]) -> list[str]:
    """Every line for itself."""
    return [line for lines in values for line in lines]


def parts_of(values: Iterable[list[str]], separator: str = ";") -> list[str]:
    """Every line cut at a separator; for a list on one line or on many."""
    return [part for line in each_line(values) for part in (line.split(separator) if separator in line else (line,))]


def read_entries(
    text: str,
    grammar: Grammar,
    entry_of: Callable[[Gathered], Entry],
    is_entry: Callable[[Gathered], bool] = lambda part: True,
) -> Iterator[Part]:
    """What a format's file holds: entries, what is rejected, and at the end a note of what stands outside of them."""
    strays = Strays()
    for part in gathered(text, grammar):
        if isinstance(part, Rejected):
            yield part
        elif isinstance(part, Outside):
            strays.add(part.line, part.text)
        elif is_entry(part):
            yield entry_of(part)
        else:
            strays.add(part.line, " ".join(part.fields[0]))
    yield from strays.note()
