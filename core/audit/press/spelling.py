"""Evidence on the fifth domain: how the string was read, words that look misspelt, and the lines with their hits."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from core.audit.document import Column, Table, Value
from core.audit.press.grounds import Counted, Grounds
from core.audit.press.types import Evidence
from core.audit.reporting.lines import LinePart, parts_in
from core.query.dialects import DIALECTS
from core.query.differences.concepts import shortened
from core.query.matching.bits import count
from core.query.spelling import other_english, plural, singular
from core.query.tree import Severity, Term

MOST_TRIED = 30
"""Words that are compared with those of the publications."""
SHORTEST = 5
"""Letters from which on a word may be told misspelt."""
ALIKE = 0.84
OFTEN = 5
"""Times that the likely word occurs at least."""
MOST_LINES = 200


def evidence(grounds: Grounds) -> Iterator[Evidence]:
    """What a reviewer of signs and lines wants to see."""
    parsed = grounds.parsed
    if parsed.root is None:
        return
    label = DIALECTS[parsed.dialect].label
    if parsed.dialect == "plain":
        why = "" if grounds.dialect_was_named else "Nobody named the database, and nothing in the string tells it. "
        how = f"{why}The string was read as words and phrases with AND, OR and NOT, in no database's own way."
        yield Evidence(how, look=not grounds.dialect_was_named)
    elif grounds.dialect_was_named:
        yield Evidence(f"The string was read as one for {label}.")
    else:
        sure = f", which is {100 * parsed.confidence:.0f} % certain" if parsed.confidence < 1 else ""
        yield Evidence(f"Nobody named the database: the string was read as one for {label}{sure}.", look=True)
    n = {severity: sum(each.severity == severity for each in grounds.findings) for severity in _SEVERITIES}
    yield Evidence(
        f"The checks of the string found {_many(n['error'], 'error')}, {_many(n['warning'], 'warning')} and "
        f"{_many(n['hint'], 'hint')}; each stands in its domain."
    )
    yield from _lines(grounds)
    if grounds.counted is not None:
        yield from _misspelt(grounds, grounds.counted)


_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "hint")


def _many(n: int, word: str) -> str:
    return f"{'no' if not n else f'{n:,}'} {word}{'' if n == 1 else 's'}"


def _lines(grounds: Grounds) -> Iterator[Evidence]:
    lines = grounds.parsed.lines
    if not lines:
        yield Evidence("The string is in one piece, so no line refers to another.")
        return
    unused = [line for line in lines if not line.used]
    if not unused:
        yield Evidence(f"It has {len(lines):,} numbered lines; each is used by a later one, or is the result.")


def _misspelt(grounds: Grounds, counted: Counted) -> Iterator[Evidence]:
    """Words that no publication has, while one that is written alike occurs often."""
    texts, often = counted.texts, counted.asked.occurrences
    tried: set[str] = set()
    asked = {word for term in grounds.terms for word in _plain_words(term)}
    for term in grounds.terms:
        for word in _plain_words(term):
            if word in tried or word in texts.number_of or len(tried) >= MOST_TRIED:
                continue
            tried.add(word)
            numbers = texts.with_beginning(word[:2])
            known = [texts.vocabulary[i] for i in numbers if often[i] >= OFTEN]
            alike = get_close_matches(word, [w for w in known if abs(len(w) - len(word)) <= 2], n=1, cutoff=ALIKE)
            if alike and alike[0] not in asked and alike[0] not in (plural(word), singular(word), other_english(word)):
                n = int(often[texts.number_of[alike[0]]])
                yield Evidence(
                    f"{grounds.place(term)}: no publication here has “{word}”, while “{alike[0]}” occurs {n:,} times. "
                    "Is it misspelt?",
                    look=True,
                )


def _plain_words(term: Term) -> Iterator[str]:
    for run in term.chunks:
        for word in run:
            if word.is_plain and len(str(word)) >= SHORTEST and not str(word).isdecimal():
                yield str(word)


def tables(grounds: Grounds) -> Iterator[Table]:
    """Line by line, with hits."""
    parts = parts_in(grounds.parsed) if grounds.parsed.root is not None else ()
    if not parts:
        return
    used = {line.number: line.used for line in grounds.parsed.lines}
    yield Table(
        "press-5-lines",
        "The string line by line" if used else "The string part by part, as if it stood in lines",
        (
            Column("Line", "count"),
            Column("Text", "code"),
            Column("Publications", "count"),
            Column("Core", "count"),
            Column("Used"),
        ),
        tuple(_row(grounds, part, used) for part in parts[:MOST_LINES]),
        note=_note(grounds, len(parts)),
    )


def _note(grounds: Grounds, n: int) -> str:
    where = f"Counted among {grounds.counted_in}." if grounds.counted is not None else ""
    return f"{where} {n - MOST_LINES:,} more are not listed.".strip() if n > MOST_LINES else where


def _row(grounds: Grounds, part: LinePart, used: dict[int, bool]) -> tuple[Value, ...]:
    counted, found = grounds.counted, None
    if counted is not None and part.root is not None:
        found = counted.asked.retrieved if part.is_whole else counted.set_of(part.root)
    numbers: tuple[Value, ...] = (None, None)
    if counted is not None and found is not None:
        numbers = (count(found), count(found & counted.core))
    is_used = used.get(part.number, True)
    return part.number, shortened(part.text, 2_000), *numbers, "yes" if is_used else "no"
