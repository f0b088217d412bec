"""Evidence on the fourth domain: what each word finds, where words are cut, and what missed publications have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from core.audit.document import Column, Table, Value
from core.audit.press.grounds import Counted, Grounds, quoted
from core.audit.press.types import Evidence
from core.query.differences.concepts import shortened
from core.query.matching.bits import rows_of
from core.query.repair.suggest import Suggestion, suggest, worth_a_look
from core.query.tree import TEXT_FIELDS, Group, Not, Term
from core.text import STOP_WORDS, listed

MOST_ROWS = 200
MOST_STEMS = 60
MANY_WORDS = 60
"""A stem that stands for more words than that may be too short."""
MOST_TOLD = 12
"""Cut words that a sentence names."""
N_EXAMPLES = 5
MOST_SUGGESTED = 12
CLEAR = 3.0
"""Standard errors from which on a word is told."""
ENOUGH = 5
"""Publications that must have a word, or one in so many of them if they are few."""


def evidence(grounds: Grounds) -> Iterator[Evidence]:
    """What a reviewer of words wants to see."""
    if grounds.parsed.root is None:
        return
    terms, counted = grounds.terms, grounds.counted
    yield Evidence(_overview(terms))
    stems = [(term, stem) for term in terms if (stem := _stem(term))]
    if not stems and terms:
        yield Evidence("No word is cut with a wildcard, so each ending must be written out.")
    if counted is None:
        return
    yield from _cut(counted, dict.fromkeys((grounds.place(term), stem) for term, stem in stems))
    useless = _adding_nothing(grounds, counted)
    if useless:
        n = "1 part finds" if useless == 1 else f"{useless:,} parts find"
        yield Evidence(f"{n} only what others beside it find: the string would find the same here without it.")
    yield from _missing(grounds, counted)


def _overview(terms: tuple[Term, ...]) -> str:
    terms = tuple(term for term in terms if not term.fields or set(term.fields) & set(TEXT_FIELDS))
    n = "1 term is" if len(terms) == 1 else f"{len(terms):,} terms are"
    where = {field for term in terms for field in (term.fields or TEXT_FIELDS) if field in TEXT_FIELDS}
    if not terms:
        return "No word is looked for in titles, abstracts or keywords."
    anywhere = sum(not term.fields for term in terms)
    without = ""
    if anywhere:
        verb = "names" if anywhere == 1 else "name"
        without = " None names a field." if anywhere == len(terms) else f" {anywhere:,} of them {verb} no field."
    names = listed([f"{field}s" if field != "keywords" else field for field in TEXT_FIELDS if field in where])
    return f"{n} looked for in {names}.{without}"


def _stem(term: Term) -> str | None:
    """The letters before the wildcard of a term's last word."""
    if not term.chunks or not term.chunks[-1][-1].is_stem:
        return None
    letters = term.chunks[-1][-1].pieces[0]
    return letters if isinstance(letters, str) else None


def _words_with(counted: Counted, stem: str) -> list[tuple[str, int]]:
    """The words that begin so, and how often they occur, the most frequent first."""
    texts, often = counted.texts, counted.asked.occurrences
    found = [(texts.vocabulary[i], int(often[i])) for i in texts.with_beginning(stem)]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def _cut(counted: Counted, stems: Iterable[tuple[str, str]]) -> Iterator[Evidence]:
    """Wildcards that stand for too many words, or for hardly any."""
    single: list[str] = []
    n_long = 0
    for place, stem in stems:
        words = _words_with(counted, stem)
        if len(words) == 1:
            single.append(f"{place} ({words[0][0]})")
        n_long += len(words) > MANY_WORDS
        if len(words) > MANY_WORDS and n_long <= MOST_TOLD:
            often = listed([word for word, _ in words[:N_EXAMPLES]])
            yield Evidence(f"{place} stands for {len(words):,} words here, most often {often}: cut too short?", True)
    if n_long > MOST_TOLD:
        yield Evidence(f"{n_long - MOST_TOLD:,} more words that are cut stand for more than {MANY_WORDS} words.", True)
    if single:
        more = f" and {len(single) - MOST_TOLD:,} more" if len(single) > MOST_TOLD else ""
        these = f"{', '.join(single[:MOST_TOLD])}{more}"
        verb = "stands" if len(single) == 1 else "stand"
        yield Evidence(f"For one word only {verb} here: {these}. Cut too late, or no wildcard needed?")


def _adding_nothing(grounds: Grounds, counted: Counted) -> int:
    return sum("subsumed" in each.flags for each in counted.contributions)


def _missing(grounds: Grounds, counted: Counted) -> Iterator[Evidence]:
    """Words that missed publications have more often than others."""
    target = worth_a_look(counted.asked.stakes, counted.asked.retrieved)
    rows = rows_of(target)
    if not len(rows):
        return
    found = suggest(counted.texts, rows, query=grounds.parsed.root, semantics=counted.asked.semantics)
    enough = min(ENOUGH, math.ceil(len(rows) / ENOUGH))
    clear = list(_telling(each for each in found if each.n_target >= enough))[:MOST_SUGGESTED]
    if not clear:
        return
    with_vectors = bool(np.any(counted.asked.stakes.accepted))
    near = ", and those not found that are close to the core," if with_vectors else ""
    words = ", ".join(f"{quoted(each.text)} ({each.n_target:,} of {len(rows):,})" for each in clear)
    whose = f"core publications that are missed{near}"
    yield Evidence(
        f"More often than others, {whose} have words that the string does not ask for by themselves: {words}.",
        look=True,
    )


def _telling(found: Iterable[Suggestion]) -> Iterator[Suggestion]:
    """What is clear, says something, and is no longer or shorter form of what was told."""
    told: list[set[str]] = []
    for each in found:
        said = set(each.text.split())
        if each.z >= CLEAR and not said & STOP_WORDS and not any(said <= other or other <= said for other in told):
            told.append(said)
            yield each


def tables(grounds: Grounds) -> Iterator[Table]:
    """What each term finds, and what each cut word stands for."""
    counted = grounds.counted
    if counted is None:
        return
    rows = list(_term_rows(grounds, counted))
    if rows:
        yield Table(
            "press-4-terms",
            "What each term finds, and what only it brings",
            (
                Column("Term", "code"),
                Column("Publications", "count"),
                Column("Core", "count"),
                Column("Only by it", "count"),
                Column("Core only by it", "count"),
            ),
            tuple(rows[:MOST_ROWS]),
            note=_note(rows),
        )
    stems = list(dict.fromkeys((grounds.place(term), stem) for term in grounds.terms if (stem := _stem(term))))
    if stems:
        yield Table(
            "press-4-wildcards",
            "What each cut word stands for here",
            (Column("Term", "code"), Column("Different words", "count"), Column("The most frequent")),
            tuple(_stem_row(counted, place, stem) for place, stem in stems[:MOST_STEMS]),
            note=f"{len(stems) - MOST_STEMS:,} more are not listed." if len(stems) > MOST_STEMS else "",
        )


def _note(rows: list[tuple[Value, ...]]) -> str:
    left = f"{len(rows) - MOST_ROWS:,} more are not listed." if len(rows) > MOST_ROWS else ""
    in_and = any(row[1] is not None and row[3] is None for row in rows[:MOST_ROWS])
    return f"{'–: joined by AND, a term narrows what is found. ' if in_and else ''}{left}".strip()


def _stem_row(counted: Counted, place: str, stem: str) -> tuple[Value, ...]:
    words = _words_with(counted, stem)
    return (
        place.removeprefix("“").removesuffix("”"),
        len(words),
        ", ".join(f"{word} ({n:,})" for word, n in words[:N_EXAMPLES]),
    )


def _term_rows(grounds: Grounds, counted: Counted) -> Iterator[tuple[Value, ...]]:
    """Each place of the string once, in its order; what is excluded is left to the second domain."""
    told: set[tuple[int, int]] = set()
    for each, node in zip(counted.contributions, counted.matched.nodes, strict=True):
        place = (node.span.start, node.span.end)
        if isinstance(node, Group | Not) or place in told or _is_excluded(counted, each.number):
            continue
        told.add(place)
        text = shortened(node.extent.of(grounds.parsed.text), 120)
        if counted.matched.sets[each.number] is None:
            yield text, None, None, None, None
        else:
            only: tuple[Value, ...] = (each.n_unique, each.core_unique)
            yield text, each.n_alone, each.core, *((None, None) if _narrows(counted, each.number) else only)


def _narrows(counted: Counted, number: int) -> bool:
    """An AND joins it: without it more would be found, not less."""
    above = counted.matched.parents[number]
    node = counted.matched.nodes[above] if above >= 0 else None
    return isinstance(node, Group) and node.operator == "AND"


def _is_excluded(counted: Counted, number: int) -> bool:
    while number >= 0:
        if isinstance(counted.matched.nodes[number], Not):
            return True
        number = counted.matched.parents[number]
    return False
