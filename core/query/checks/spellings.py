"""Checks of spelling: missing variants, and words with two letters swapped."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from core.query.checks.outline import QueryOutline, TermCoverage, leaf_key, searched_in, terms_of
from core.query.spelling import (
    SHORTEST_EXCHANGED,
    exchanged,
    is_own_word,
    joined,
    other_english,
    plural,
    singular,
    transpositions,
    with_lost_letter,
)
from core.query.tree import TEXT_FIELDS, Edit, Finding, Fix, Group, Near, Not, Term, all_joined, terms_in, written
from core.text import words

# Checks for missing spellings: British or American, with and without hyphen, singular or plural.

_HYPHENATED = re.compile(r"(?<![^\W_])[^\W\d_]{2,30}-[^\W\d_]{3,30}(?![^\W_])")
_JOINABLE = (
    "anti auto bi bio co counter cyber eco electro endo exo extra geo hetero homo hydro hyper hypo infra inter intra "
    "iso macro mega meta micro mid mini mono multi nano neo neuro non over peri photo poly post pre proto pseudo "
    "psycho re semi socio sub super supra tele thermo trans tri ultra under"
)
JOINABLE = frozenset(_JOINABLE.split())
"""Prefixes that are written with or without a hyphen."""
LONGEST_WORD = 40
SHORTEST_MISSPELT = 5
"""Minimum number of letters of a word that is compared with the other words of the query."""
MOST_VARIED = 3
"""Maximum number of words of a term that are checked for other spellings."""


class Variant(NamedTuple):
    written: str
    instead: str
    kind: str


def missing_variants(outline: QueryOutline) -> Iterator[Finding]:
    """Report a spelling that no other term of the same OR would find."""
    used = _words_used(outline)
    anywhere: TermCoverage | None = None
    for node in outline.nodes:
        if isinstance(node, Group) and node.operator == "OR":
            if isinstance(above := outline.above(node), Group) and above.operator == "OR":
                continue
            every = [each for each in all_joined(node, "OR") if isinstance(each, Term)]
            terms = {leaf_key(term): term for term in reversed(every)}.values()
            coverage = TermCoverage(terms)
            for term in terms:
                yield from _missing(outline, term, coverage, used, wrap=False)
        elif isinstance(node, Term):
            above = outline.above(node)
            if not (isinstance(above, Group) and above.operator == "OR"):
                yield from _missing(outline, node, TermCoverage([node]), used, wrap=above is not None)
        elif isinstance(node, Near):
            anywhere = anywhere or TermCoverage(replace(term, fields=()) for term in terms_of(outline))
            yield from _missing_near(outline, node, anywhere, used)


def _missing_near(outline: QueryOutline, near: Near, coverage: TermCoverage, used: frozenset[str]) -> Iterator[Finding]:
    """Report a spelling that is missing in a proximity, unless any other term of the query has it."""
    for part in near.parts:
        for term in terms_in(part):
            wrap = isinstance(part, Term)
            for finding in _missing(outline, replace(term, fields=()), coverage, used, wrap=wrap):
                yield finding if outline.dialect.near_takes_groups else replace(finding, fix=None)


def _words_used(outline: QueryOutline) -> frozenset[str]:
    """Return every plain word of the query: a plural that occurs in it is a plural."""
    terms = (node for node in outline.nodes if isinstance(node, Term))
    return frozenset(str(word) for term in terms for run in term.chunks for word in run if word.is_plain)


def _missing(
    outline: QueryOutline, term: Term, coverage: TermCoverage, used: frozenset[str], *, wrap: bool
) -> Iterator[Finding]:
    if term.exact or not all(isinstance(piece, str) for piece in term.pieces):
        return
    if not searched_in(term) & set(TEXT_FIELDS):
        return
    text = written(term.pieces)
    for variant in _variants(text, used):
        other = re.sub(rf"(?<![^\W_]){re.escape(variant.written)}(?![^\W_])", variant.instead, text.lower(), count=1)
        asked = Term((other,), term.quoted, term.fields)
        if any(True for _ in coverage.broader(asked)):
            continue
        message = f'{variant.kind} "{other}" is not searched: add it, or check that it is not needed.'
        yield Finding("missing-variant", "hint", term.span, message, _added(outline, term, variant, wrap=wrap))
        return


def _variants(text: str, used: frozenset[str]) -> Iterator[Variant]:
    for found in _HYPHENATED.finditer(text):
        one = joined(found.group().lower())
        if found.group().rpartition("-")[2].isupper():  # anti-LDL
            continue
        if one and found.group().lower().partition("-")[0] in JOINABLE:
            yield Variant(found.group().lower(), one, "The spelling without hyphen")
    cut = words(text)
    for word in cut[:MOST_VARIED]:
        if len(word) <= LONGEST_WORD and (other := other_english(word)):
            yield Variant(word, other, "The other spelling")
    if cut:
        last = cut[-1]
        if (several := plural(last)) and several in used:
            yield Variant(last, several, "The plural")
        elif (one := singular(last)) and one in used:
            yield Variant(last, one, "The singular")


def _added(outline: QueryOutline, term: Term, variant: Variant, *, wrap: bool) -> Fix | None:
    """Add the term again with the other spelling, its quotes and its tag; None after a NOT."""
    shown = term.span.of(outline.text)
    found = re.search(rf"(?<![^\W_]){re.escape(variant.written)}(?![^\W_])", shown, re.IGNORECASE)
    if found is None or isinstance(outline.above(term), Not):
        return None
    word = variant.instead.capitalize() if found.group()[0].isupper() else variant.instead
    other = shown[: found.start()] + word + shown[found.end() :]
    span = term.span
    behind = Edit(span.end, span.end, f" OR {other})" if wrap else f" OR {other}")
    before = (Edit(span.start, span.start, "("),) if wrap else ()
    return Fix(f"Add {variant.instead}", (*before, behind))


def exchanged_letters(outline: QueryOutline) -> Iterator[Finding]:
    """Report "haert" next to a frequent word, or another word of the query, with the same letters."""
    places: dict[str, list[Term]] = defaultdict(list)
    for term in terms_of(outline):
        if searched_in(term) & set(TEXT_FIELDS):
            for word in _letters_of(term):
                places[word].append(term)
    for word, terms in places.items():
        right = exchanged(word) or _exchanged_here(word, places)
        if right and (finding := misspelt(outline, terms[0], word, right, places.get(right, ()))):
            yield finding
        elif right is None and (full := with_lost_letter(word)) and any(_has_word(term, word) for term in terms):
            term = next(term for term in terms if _has_word(term, word))
            if finding := misspelt(outline, term, word, full, places.get(full, ()), "a letter missing"):
                yield finding


def _has_word(term: Term, word: str) -> bool:
    """Return True if the term has the whole word, not only its beginning."""
    return any(each.is_plain and str(each) == word for run in term.chunks for each in run)


def _letters_of(term: Term) -> Iterator[str]:
    """Yield the words of a term without a wildcard, and the letters before a wildcard, except short ones."""
    for run in term.chunks:
        for word in run:
            letters = word.pieces[0]
            if (word.is_plain or word.is_stem) and isinstance(letters, str) and len(letters) >= SHORTEST_EXCHANGED:
                yield letters


def _exchanged_here(word: str, places: Mapping[str, list[Term]]) -> str | None:
    """Return another word of the query with the same letters that occurs more often. A known word is no misspelling."""
    if len(word) < SHORTEST_MISSPELT or is_own_word(word):
        return None
    often = len(places[word])
    return next((other for other in transpositions(word) if len(places.get(other, ())) > often), None)


def misspelt(
    outline: QueryOutline, term: Term, word: str, right: str, others: Collection[Term], how: str = "two letters swapped"
) -> Finding | None:
    """Report a misspelt word. `others`: terms with the right word. If the term is one of them, it may be intended."""
    found = re.search(rf"(?<![^\W_]){re.escape(word)}", term.span.of(outline.clean), re.IGNORECASE)
    if found is None or found.group().isupper():
        return None
    written_word = found.group()
    other = right.capitalize() if written_word[0].isupper() else right
    start = term.span.start + found.start()
    fix = Fix(f"Write {other}", (Edit(start, start + len(word), other),))
    message = f"{written_word} looks like {other} with {how}. "
    corrected = re.sub(rf"(?<![^\W_]){re.escape(word)}", right, written(term.pieces).lower(), count=1)
    if any(written(each.pieces).lower() == corrected for each in others):
        message += f"{other} is also searched: remove {written_word} unless you want misspelt publications."
        return Finding("misspelt-word", "hint", term.span, message)
    return Finding("misspelt-word", "warning", term.span, f"{message}Correct it if it is misspelt.", fix)


SPELLING_CHECKS = (missing_variants, exchanged_letters)
