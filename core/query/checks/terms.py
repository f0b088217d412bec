"""Checks of single terms and headings: wildcards, stems, quotes, fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.query.checks.groups import bare_and_tagged
from core.query.checks.outline import QueryOutline, quoted, searched_in, terms_of
from core.query.dialects.base import Dialect
from core.query.tree import TEXT_FIELDS, Edit, Finding, Fix, Gap, Heading, Span, Term, Word

_CURLY = re.compile(r"[“”„‟«»＂]")
_FOREIGN = re.compile(r"(?<=[^\W_]{3})[?$#!](?![^\W_])|(?<=[^\W_])[?$#!](?=[^\W\d_])|(?<=[^\W_]{3})\$\d")
_IN_HEADING = re.compile(r"(?<=\w)[*?$]")
_CUT = re.compile(
    r"[^\W\d_]{3,}(igur|tur|icat|ulat|izat|isat|ologi|ilit|ivit|tiv|iz|abl|ibl|enc|anc|duc|ificati|izati|isati)"
)
SHORTEST_CUT = 6
FEWEST_LETTERS = 3
"""Minimum number of letters before a wildcard, even if the dialect allows fewer: a* stands for everything."""


def curly_quotes(outline: QueryOutline) -> Iterator[Finding]:
    """Report quotes from a word processor, in one finding for all."""
    found = list(_CURLY.finditer(outline.text))
    if not found:
        return
    edits = tuple(Edit(each.start(), each.end(), '"') for each in found)
    message = "These quotes are curly. They are understood here, but not by every database: use straight quotes."
    span = Span(found[0].start(), found[0].end())
    yield Finding("curly-quotes", "hint", span, message, Fix("Use straight quotes", edits))


def wildcards(outline: QueryOutline) -> Iterator[Finding]:
    """Report wildcards of the dialect in places where it does not allow them."""
    alone = {id(node) for node in outline.nodes}  # not in a proximity
    for term in terms_of(outline):
        if all(isinstance(piece, str) for piece in term.pieces):
            continue
        words = [word for run in term.chunks for word in run if not word.is_plain]
        found = next(filter(None, (_misplaced(term, word, outline.dialect) for word in words)), None)
        if found:
            yield Finding(found[0], "warning", term.span, found[1])
        elif id(term) in alone and _is_very_short(term):
            message = "Three letters before a wildcard match many other words. Write more of the word, or its endings."
            yield Finding("short-stem", "hint", term.span, message)


def _misplaced(term: Term, word: Word, dialect: Dialect) -> tuple[str, str] | None:
    label = dialect.label
    first, last = word.pieces[0], word.pieces[-1]
    if isinstance(first, Gap) and not dialect.leading_wildcard:
        return (
            "wildcard-not-allowed",
            f"{label} allows no wildcard at the beginning of a word: write the word out.",
        )
    if term.quoted and not dialect.wildcard_in_phrase:
        return "wildcard-not-allowed", f"{label} allows no wildcard in quotes: write out the endings, joined by OR."
    inner = isinstance(first, str) and isinstance(last, str)
    if inner and not dialect.inner_wildcard:
        return "wildcard-not-allowed", f"{label} allows no wildcard inside a word: write out the spellings."
    least = max(dialect.shortest_stem, FEWEST_LETTERS)
    letters = max(len(piece) for piece in word.pieces if isinstance(piece, str)) if _has_letters(word) else 0
    if term.quoted or inner:  # the other words and letters count as well
        letters = sum(len(piece) for piece in term.pieces if isinstance(piece, str))
    if dialect.id == "pubmed" and isinstance(begin := term.pieces[0], str):  # the letters before the first wildcard
        letters = len(begin)
    if letters >= least:
        return None
    needs = f"{label} needs at least {least} letters" if dialect.shortest_stem == least else "There are too few letters"
    return "short-stem", f"{needs} before a wildcard: it matches too many words. Write more of the word."


def _is_very_short(term: Term) -> bool:
    """Return True for cat*, but not for HIV* or "cat food*"."""
    if len(term.chunks) != 1 or len(term.chunks[0]) != 1 or not term.chunks[0][0].is_stem:
        return False
    letters = term.pieces[0]
    return isinstance(letters, str) and len(letters) == FEWEST_LETTERS and not letters.isupper()


def _has_letters(word: Word) -> bool:
    return any(isinstance(piece, str) for piece in word.pieces)


def foreign_wildcards(outline: QueryOutline) -> Iterator[Finding]:
    """Report a wildcard of another dialect, which is an ordinary character here: adapt$ in PubMed."""
    label = outline.dialect.label
    for term in terms_of(outline):
        written = "".join(piece for piece in term.pieces if isinstance(piece, str))
        if not _FOREIGN.search(written):
            continue
        for found in _FOREIGN.finditer(outline.clean, term.span.start, term.span.end):
            sign = found.group()[0]
            if sign in outline.dialect.wildcards:
                continue
            message = f"{label} has no wildcard {sign}: it is read as a space. Write * or the endings."
            fix = Fix("Write *", (Edit(found.start(), found.end(), "*"),)) if sign == "$" else None
            yield Finding("foreign-wildcard", "warning", term.span, message, fix)
            break


def headings(outline: QueryOutline) -> Iterator[Finding]:
    """Report a wildcard in a subject heading, which is a name from a list."""
    for node in outline.nodes:
        if isinstance(node, Heading) and _IN_HEADING.search(node.span.of(outline.clean).partition("[")[0]):
            message = "A subject heading with a wildcard finds no narrower headings: write its full name."
            yield Finding("wildcard-in-heading", "warning", node.span, message)


def stems(outline: QueryOutline) -> Iterator[Finding]:
    """Report a word cut short without a * after it: "reconfigur". Only endings that no English word has count."""
    for term in terms_of(outline):
        word = only_word(term)
        if word is None or len(word) < SHORTEST_CUT or not _CUT.fullmatch(word):
            continue
        message = f"This looks truncated, but only {word} itself is searched: add a * at the end."
        yield Finding("stem-without-wildcard", "hint", term.span, message, truncated(outline, term, word))


def only_word(term: Term) -> str | None:
    if len(term.chunks) != 1 or len(term.chunks[0]) != 1 or not term.chunks[0][0].is_plain:
        return None
    return str(term.chunks[0][0])


def truncated(outline: QueryOutline, term: Term, word: str) -> Fix | None:
    """Put a * after the word; None if the dialect would not accept it."""
    dialect = outline.dialect
    if "*" not in dialect.wildcards or len(word) < dialect.shortest_stem or term.exact:
        return None
    at = outline.clean.lower().find(word, term.span.start, term.span.end)
    if at < 0:
        return None
    end = at + len(word)
    quotes = outline.clean[at - 1 : at] == '"' and outline.clean[end : end + 1] == '"'
    if quotes and not dialect.wildcard_in_phrase:
        return Fix("Write * without quotes", (Edit(at - 1, at, ""), Edit(end, end + 1, "*")))
    return Fix("Add a * at the end", (Edit(end, end, "*"),))


_OPERATOR_IN_QUOTES = re.compile(r"(?<=\S)\s+(AND|OR|NOT|(?:NEAR|ADJ|PRE|W|N)/?\d+)\s+(?=\S)")
_LETTER = re.compile(r"[^\W\d_]")


def operators_in_quotes(outline: QueryOutline) -> Iterator[Finding]:
    """Report an operator in quotes: "heart AND attack". Text all in capitals proves nothing, and is ignored."""
    for term in terms_of(outline):
        if not (term.quoted and searched_in(term) & set(TEXT_FIELDS)):
            continue
        shown = term.span.of(outline.clean)
        before, opened, rest = shown.partition('"')
        inside, closed, behind = rest.rpartition('"')
        if not (opened and closed) or inside.isupper():
            continue
        found = _OPERATOR_IN_QUOTES.search(inside)
        if found is None:
            continue
        fix = _unquoted(term, before, inside, behind)
        message = f"{found.group(1)} is part of the phrase here, because it is inside the quotes. "
        message += "Close the quotes before it and open them again after it."
        yield Finding("operator-in-quotes", "warning", term.span, message, fix)


def _unquoted(term: Term, before: str, inside: str, behind: str) -> Fix | None:
    """Give each side its own quotes and its own field; None if that may not be meant."""
    parts = _OPERATOR_IN_QUOTES.split(inside)
    operators = set(parts[1::2])
    if operators not in ({"AND"}, {"OR"}) or not all(_LETTER.search(part) for part in parts[::2]):
        return None
    if re.search(r"[()\[\]\n]", inside):
        return None
    operator = operators.pop()
    sides = f" {operator} ".join(f'{before}"{part.strip()}"{behind}' for part in parts[::2])
    return Fix(f"Move {operator} out of the quotes", (Edit(term.span.start, term.span.end, f"({sides})"),))


def bare_wildcards(outline: QueryOutline) -> Iterator[Finding]:
    """Report heart* attack* in PubMed: two words anywhere in the record.

    Since June 2024 a phrase can hold several wildcards, also inside its words, but it must be recognisable as a phrase:
    NLM Technical Bulletin 2024 May-June (458): e5.
    """
    if outline.dialect.id != "pubmed":
        return
    for term in terms_of(outline):
        has_wildcard = not all(isinstance(piece, str) for piece in term.pieces)
        if term.quoted or len(term.chunks) < 2 or not has_wildcard or _tag_of(outline, term):
            continue
        shown = term.span.of(outline.text)
        message = (
            "PubMed reads these words as a phrase only in quotes, with a field tag, or with a hyphen, because of the "
            "wildcard. Now they may appear anywhere in a record. Put them in quotes if you mean the phrase."
        )
        fix = None if '"' in outline.clean[term.span.start : term.span.end] else _in_quotes(term.span, shown)
        yield Finding("wildcard-outside-phrase", "warning", term.span, message, fix)


def _in_quotes(span: Span, shown: str) -> Fix:
    return Fix("Write quotes", (Edit(span.start, span.end, f'"{shown}"'),))


def _tag_of(outline: QueryOutline, term: Term) -> bool:
    return bool(term.fields) or term.span.of(outline.clean).endswith("]")


def untagged_terms(outline: QueryOutline) -> Iterator[Finding]:
    """Report terms that PubMed maps to headings and other terms, in one finding for all.

    If most others in the same OR have a tag, `mixed_fields` reports it.
    """
    if outline.dialect.id != "pubmed":
        return
    told = {id(term) for terms, tagged in bare_and_tagged(outline) if len(terms) <= len(tagged) for term in terms}
    bare = [
        node
        for node in outline.nodes
        if isinstance(node, Term)
        and not (node.quoted or node.exact or _tag_of(outline, node) or id(node) in told)
        and all(isinstance(piece, str) for piece in node.pieces)
        and any(_LETTER.search(str(word)) for run in node.chunks for word in run)
    ]
    if not bare:
        return
    first = min(bare, key=lambda term: term.span.start)
    n = len(bare) - 1
    more = "" if not n else " One more term has none." if n == 1 else f" {n:,} more terms have none."
    message = (
        f"{quoted(outline, first.span)} has no field tag, so PubMed adds subject headings and other terms to it "
        f"(automatic term mapping).{more} Add a tag such as [tiab], or quotes, to search only for these words."
    )
    yield Finding("untagged-term", "hint", first.span, message)


TERM_CHECKS = (
    curly_quotes,
    wildcards,
    foreign_wildcards,
    headings,
    stems,
    operators_in_quotes,
    bare_wildcards,
    untagged_terms,
)
