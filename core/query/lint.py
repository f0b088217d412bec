"""Check a search string for likely mistakes, from its text alone or against a corpus."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.query.concept_checks import CONCEPT_CHECKS, completed
from core.query.dialects.base import Dialect, TagStyle
from core.query.match import Bits, Corpus, Matched, Semantics, Texts, count, match, none_of, of_rows
from core.query.outline import (
    Coverage,
    Member,
    Outline,
    collected,
    covers,
    leaf_key,
    quoted,
    searched_in,
    terms_of,
)
from core.query.parser import parse
from core.query.spelling import (
    SHORTEST_EXCHANGED,
    exchanged,
    is_own_word,
    joined,
    other_english,
    plural,
    singular,
    transpositions,
)
from core.query.tree import (
    TEXT_FIELDS,
    Edit,
    Finding,
    Fix,
    Gap,
    Group,
    Heading,
    Not,
    ParsedQuery,
    Severity,
    Span,
    Term,
    Word,
    apply_edits,
    parts_of,
    written,
)
from core.text import words

# Every rule that a finding can name: what it is about, and why it matters.


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    """Stable: other programs read it."""
    title: str
    severity: Severity
    """As a rule; a finding may be milder where the dialect is."""
    explanation: str


_ERRORS = (
    ("empty", "Nothing to look for", "A query needs at least one word."),
    ("too-long", "Too long", "So many characters are hardly a search string, so they are not read."),
    ("unbalanced-bracket", "Bracket without its partner", "Where a bracket is missing, a database guesses or refuses."),
    ("unbalanced-quote", "Quote without its partner", "An open quote turns operators into words of a phrase."),
    ("wrong-quotes", "Braces that are no quotes", "Only some databases take {braces} for exact phrases."),
    (
        "missing-term",
        "Operator or field without a term",
        "AND, OR and NOT join two terms; here one is missing.",
    ),
    ("missing-space", "Missing space", "An operator glued to a word is read as a part of that word."),
    ("near-group", "Not allowed close to each other", "Only words, phrases and ORs of them can stand in a proximity."),
    ("unknown-operator", "Operator of another database", "Another database writes this proximity like that."),
    ("unknown-field", "Unknown field", "The database does not have this field, or nothing stands before it."),
    ("no-word", "No word in it", "Only signs: there is nothing to look for."),
    ("wildcard-alone", "Wildcard alone", "A wildcard without letters stands for every word."),
    ("too-deep", "Too deep", "So many levels can't be read; what goes beyond them was left out."),
    ("unknown-line", "Line that does not exist", "A line can only refer to lines above it."),
    ("several-histories", "Several histories in one", "Only the last is the result; search the others one by one."),
    ("line-numbers", "Line numbers that need a look", "Other numbers would make another search of the same lines."),
    ("text-left-out", "Text that was not read", "It stands before the first line, so no line holds it."),
    ("contradiction", "Asked for and excluded", "What must match must not match as well, so nothing can."),
)
_WARNINGS = (
    ("adjacent-terms", "No operator between terms", "Both must match, as if AND stood there. Often OR was meant."),
    ("empty-brackets", "Empty brackets", "There is nothing in these brackets; a database may refuse them."),
    ("lower-case-operator", "Operator in lower case", "Some databases take and, or, not for words then."),
    (
        "mixed-operators",
        "AND and OR without brackets",
        "Databases differ in what they do first; brackets make sure.",
    ),
    ("leading-not", "NOT at the beginning", "Most databases need something to take away from."),
    ("unused-line", "Line that is never used", "No later line refers to it, so it changes nothing."),
    ("joined-lines", "Lines joined by OR", "The history refers to a heading, and several lines stand under it."),
    ("mixed-dialects", "Lines of different databases", "Each database reads only its own way of writing correctly."),
    ("limit-left-out", "Limit left out", "A limit that titles and abstracts can't tell, such as a study design."),
    ("duplicate-term", "The same twice", "It adds nothing. Often a slip: another spelling was meant."),
    ("absorbed-group", "Brackets that change nothing", "a OR (a AND b) is a; a AND (a OR b) is a."),
    ("short-stem", "Too few letters before a wildcard", "It stands for too many words; databases cut or refuse it."),
    ("wildcard-not-allowed", "Wildcard where none is taken", "The database ignores it there or refuses the search."),
    ("foreign-wildcard", "Wildcard of another database", "Here the sign is no wildcard, so endings are missed."),
    ("wildcard-in-heading", "Wildcard in a subject heading", "Headings are names from a list and searched whole."),
    ("no-hits", "Finds nothing here", "No publication of this corpus matches: misspelt, or cut short, or in vain."),
    ("not-removes-core", "NOT removes core publications", "What it excludes holds publications you know to belong."),
    (
        "not-term-removes-core",
        "Term of a NOT removes core publications",
        "One of the terms that a NOT excludes occurs in publications you know to belong.",
    ),
    (
        "not-animals",
        "NOT removes studies of humans",
        "Studies of animals and humans have both headings and words. NOT (animals NOT humans) keeps them.",
    ),
    (
        "and-within-concept",
        "AND within one concept",
        "Alternatives of one concept are joined with OR. With AND a publication must use all of them.",
    ),
    (
        "operator-in-quotes",
        "Operator in quotes",
        "Between quotes AND, OR and NOT are words of the phrase, so the phrase is hardly ever found.",
    ),
    (
        "wildcard-outside-phrase",
        "Wildcard among words without quotes",
        "PubMed searches words with a wildcard as a phrase only in quotes, with a field tag, or with a hyphen.",
    ),
    (
        "misspelt-word",
        "Exchanged letters",
        "Two neighbouring letters are exchanged, so hardly anything is found.",
    ),
)
_HINTS = (
    ("subsumed-term", "Covered by a broader term", "A word finds every phrase with it, and tree* finds trees."),
    ("subsumed-by-hits", "Adds nothing here", "All it finds in this corpus is found by the others in the OR."),
    ("stem-without-wildcard", "Cut short, but no wildcard", "Only the letters as they stand are looked for."),
    ("missing-variant", "Another spelling is missing", "British and American, hyphen or not, singular or plural."),
    ("mixed-fields", "With and without field", "A field seems to be forgotten: such a term is looked for anywhere."),
    ("curly-quotes", "Curly quotes", "A word processor made them; not every database takes them for quotes."),
    (
        "untagged-term",
        "Term without field tag in PubMed",
        "PubMed adds headings and other terms to it (automatic term mapping). Quotes or a field tag prevent that.",
    ),
    ("long-or", "Very long OR", "So many alternatives are hard to check by eye."),
    ("heading-line", "Heading", "It is a label of the lines below it, and nothing is searched for."),
    ("hit-count", "Number of hits", "A database printed it behind the search."),
    ("not-testable", "Can't be tested here", "The corpus lacks what it asks for, so the query is run without it."),
)


def _rules(severity: Severity, rows: tuple[tuple[str, str, str], ...]) -> dict[str, Rule]:
    return {id: Rule(id, title, severity, explanation) for id, title, explanation in rows}


RULES: dict[str, Rule] = {**_rules("error", _ERRORS), **_rules("warning", _WARNINGS), **_rules("hint", _HINTS)}
"""By id, the gravest first."""


# Checks of single terms and headings: wildcards, stems, quotes.

_CURLY = re.compile(r"[“”„‟«»＂]")
_FOREIGN = re.compile(r"(?<=[^\W_]{3})[?$#!](?![^\W_])|(?<=[^\W_])[?$#!](?=[^\W\d_])|(?<=[^\W_]{3})\$\d")
_IN_HEADING = re.compile(r"(?<=\w)[*?$]")
_CUT = re.compile(
    r"[^\W\d_]{3,}(igur|tur|icat|ulat|izat|isat|ologi|ilit|ivit|tiv|iz|abl|ibl|enc|anc|duc|ificati|izati|isati)"
)
SHORTEST_CUT = 6
FEWEST_LETTERS = 3
"""Before a wildcard, wherever the dialect asks for fewer: a* stands for everything."""


def curly_quotes(outline: Outline) -> Iterator[Finding]:
    """Quotes from a word processor: one finding for all."""
    found = list(_CURLY.finditer(outline.text))
    if not found:
        return
    edits = tuple(Edit(each.start(), each.end(), '"') for each in found)
    message = "These quotes are curly. They are understood here, but not by every database: write typed quotes."
    span = Span(found[0].start(), found[0].end())
    yield Finding("curly-quotes", "hint", span, message, Fix("Write typed quotes", edits))


def wildcards(outline: Outline) -> Iterator[Finding]:
    """Wildcards that the dialect has, where it does not take them."""
    for term in terms_of(outline):
        if all(isinstance(piece, str) for piece in term.pieces):
            continue
        words = [word for run in term.chunks for word in run if not word.is_plain]
        found = next(filter(None, (_misplaced(term, word, outline.dialect) for word in words)), None)
        if found:
            yield Finding(found[0], "warning", term.span, found[1])


def _misplaced(term: Term, word: Word, dialect: Dialect) -> tuple[str, str] | None:
    label = dialect.label
    first, last = word.pieces[0], word.pieces[-1]
    if isinstance(first, Gap) and not dialect.leading_wildcard:
        return (
            "wildcard-not-allowed",
            f"{label} takes no wildcard at the beginning of a word: write the word out.",
        )
    if term.quoted and not dialect.wildcard_in_phrase:
        return "wildcard-not-allowed", f"{label} takes no wildcard in quotes: write out the endings, joined by OR."
    inner = isinstance(first, str) and isinstance(last, str)
    if inner and not dialect.inner_wildcard:
        return "wildcard-not-allowed", f"{label} takes no wildcard inside a word: write out the spellings."
    least = max(dialect.shortest_stem, FEWEST_LETTERS)
    letters = max(len(piece) for piece in word.pieces if isinstance(piece, str)) if _has_letters(word) else 0
    if term.quoted or inner:  # the other words and letters count as well
        letters = sum(len(piece) for piece in term.pieces if isinstance(piece, str))
    if dialect.id == "pubmed" and isinstance(begin := term.pieces[0], str):  # the letters before the first wildcard
        letters = len(begin)
    if letters >= least:
        return None
    needs = f"{label} needs at least {least} letters" if dialect.shortest_stem == least else "Too few letters stand"
    return "short-stem", f"{needs} beside a wildcard: this stands for too many words. Write more of the word."


def _has_letters(word: Word) -> bool:
    return any(isinstance(piece, str) for piece in word.pieces)


def foreign_wildcards(outline: Outline) -> Iterator[Finding]:
    """adapt$ in PubMed: a wildcard of another dialect is just a sign here."""
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


def headings(outline: Outline) -> Iterator[Finding]:
    """A subject heading is a name from a list: a wildcard does not belong in it."""
    for node in outline.nodes:
        if isinstance(node, Heading) and _IN_HEADING.search(node.span.of(outline.clean).partition("[")[0]):
            message = "A subject heading with a wildcard finds nothing narrower: write the whole name of the heading."
            yield Finding("wildcard-in-heading", "warning", node.span, message)


def stems(outline: Outline) -> Iterator[Finding]:
    """ "reconfigur": a word cut short, and no * behind it. Only endings that no English word has."""
    for term in terms_of(outline):
        word = only_word(term)
        if word is None or len(word) < SHORTEST_CUT or not _CUT.fullmatch(word):
            continue
        message = f"This looks like a word cut short, but only {word} itself is looked for: put a * behind it."
        yield Finding("stem-without-wildcard", "hint", term.span, message, truncated(outline, term, word))


def only_word(term: Term) -> str | None:
    if len(term.chunks) != 1 or len(term.chunks[0]) != 1 or not term.chunks[0][0].is_plain:
        return None
    return str(term.chunks[0][0])


def truncated(outline: Outline, term: Term, word: str) -> Fix | None:
    """Puts a * behind the word; None where the dialect would not take it."""
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
    return Fix("Put a * behind it", (Edit(end, end, "*"),))


_OPERATOR_IN_QUOTES = re.compile(r"(?<=\S)\s+(AND|OR|NOT|(?:NEAR|ADJ|PRE|W|N)/?\d+)\s+(?=\S)")
_LETTER = re.compile(r"[^\W\d_]")


def operators_in_quotes(outline: Outline) -> Iterator[Finding]:
    """ "heart AND attack" in quotes. Text all in capitals tells nothing, and is left alone."""
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
        message = f"{found.group(1)} is a word of the phrase here, because it is inside the quotes. "
        message += "Close the quotes before it and open them again behind it."
        yield Finding("operator-in-quotes", "warning", term.span, message, fix)


def _unquoted(term: Term, before: str, inside: str, behind: str) -> Fix | None:
    """The same with each side in its own quotes and with its own field; None where that may not be meant."""
    parts = _OPERATOR_IN_QUOTES.split(inside)
    operators = set(parts[1::2])
    if operators not in ({"AND"}, {"OR"}) or not all(_LETTER.search(part) for part in parts[::2]):
        return None
    if re.search(r"[()\[\]\n]", inside):
        return None
    operator = operators.pop()
    sides = f" {operator} ".join(f'{before}"{part.strip()}"{behind}' for part in parts[::2])
    return Fix(f"Move {operator} out of the quotes", (Edit(term.span.start, term.span.end, f"({sides})"),))


def bare_wildcards(outline: Outline) -> Iterator[Finding]:
    """heart* attack* in PubMed: two words anywhere in the record.

    Since June 2024 a phrase may hold several wildcards, also inside its words, but it has to be recognisable as one:
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
            "wildcard. Now they may stand anywhere in a record. Put them in quotes if you mean the phrase."
        )
        fix = None if '"' in outline.clean[term.span.start : term.span.end] else _in_quotes(term.span, shown)
        yield Finding("wildcard-outside-phrase", "warning", term.span, message, fix)


def _in_quotes(span: Span, shown: str) -> Fix:
    return Fix("Write quotes", (Edit(span.start, span.end, f'"{shown}"'),))


def _tag_of(outline: Outline, term: Term) -> bool:
    return bool(term.fields) or term.span.of(outline.clean).endswith("]")


def untagged_terms(outline: Outline) -> Iterator[Finding]:
    """Terms that PubMed maps to headings and other terms: one finding for all.

    Where most others in the same OR have a tag, `mixed_fields` reports it.
    """
    if outline.dialect.id != "pubmed":
        return
    told = {id(term) for terms, tagged in _bare_and_tagged(outline) if len(terms) <= len(tagged) for term in terms}
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
        f"(automatic term mapping).{more} Add a tag such as [tiab], or quotes, to search only for what is written."
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


# Checks of what an AND or OR combines.

LONG_OR = 150
"""Alternatives from which on an OR is hard to keep an eye on."""


def duplicates(outline: Outline) -> Iterator[Finding]:
    for group, members in outline.groups():
        seen: set[int] = set()
        for member in members:
            alike = outline.alike(member.node)
            if alike in seen:
                message = (
                    f"This stands in the same {group.operator} already: take it out, "
                    "or correct it if another was meant."
                )
                fix = outline.taken_out(member, "Take it out")
                yield Finding("duplicate-term", "warning", member.node.span, message, fix)
            seen.add(alike)


def subsumed(outline: Outline) -> Iterator[Finding]:
    """In an OR what a broader term finds anyway; in an AND what a narrower one asks for anyway."""
    for group, members in outline.groups():
        once = {outline.alike(m.node): m for m in reversed(members) if isinstance(m.node, Term)}
        terms = {id(m.node): m for m in once.values()}
        coverage = Coverage(m.node for m in terms.values() if isinstance(m.node, Term))
        told: set[int] = set()
        for member in terms.values():
            narrow = member.node
            assert isinstance(narrow, Term)
            broad = next((b for b in coverage.broader(narrow) if b is not narrow and not covers(narrow, b)), None)
            if broad is None:
                continue
            useless, because = (narrow, broad) if group.operator == "OR" else (broad, narrow)
            if id(useless) not in told:
                told.add(id(useless))
                yield _subsumed(outline, terms[id(useless)], because, group)


def _subsumed(outline: Outline, useless: Member, because: Term, group: Group) -> Finding:
    other = quoted(outline, because.span)
    message = (
        f"{other} finds all of this already: it can go."
        if group.operator == "OR"
        else f"Wherever {other} matches, this does too: it can go."
    )
    return Finding("subsumed-term", "hint", useless.node.span, message, outline.taken_out(useless, "Take it out"))


def absorbed(outline: Outline) -> Iterator[Finding]:
    """a OR (a AND b), a AND (a OR b): the brackets change nothing."""
    for _, members in outline.groups():
        alone = {outline.alike(m.node): m.node for m in members if not isinstance(m.node, Group)}
        for member in members:
            inner = member.node
            if not isinstance(inner, Group):
                continue
            same = next((alone[outline.alike(part)] for part in inner.parts if outline.alike(part) in alone), None)
            if same is not None:
                message = f"{quoted(outline, same.span)} stands beside this and in it: this changes nothing."
                fix = outline.taken_out(member, "Take it out")
                yield Finding("absorbed-group", "warning", inner.span, message, fix)


def contradictions(outline: Outline) -> Iterator[Finding]:
    """a AND NOT a: nothing can match."""
    for group, members in outline.groups():
        if group.operator != "AND":
            continue
        asked = {outline.alike(m.node) for m in members if not isinstance(m.node, Not)}
        for member in members:
            if not isinstance(member.node, Not):
                continue
            refused = member.node.part
            parts = refused.parts if isinstance(refused, Group) and refused.operator == "OR" else (refused,)
            both = next((part for part in parts if outline.alike(part) in asked), None)
            if both is not None:
                message = f"{quoted(outline, both.span)} is asked for and excluded: nothing can match."
                fix = outline.taken_out(member, "Take the NOT out")
                yield Finding("contradiction", "error", member.node.span, message, fix)


def mixed_fields(outline: Outline) -> Iterator[Finding]:
    """Elevated OR Raised[tiab]: a field seems to have been forgotten."""
    style = outline.dialect.tag_style
    for bare, tagged in _bare_and_tagged(outline):
        if len(bare) > len(tagged):
            message = "This has a field, most others in this OR have none: they are looked for anywhere. Is that meant?"
            yield Finding("mixed-fields", "hint", tagged[0].span, message)
            continue
        for term in bare:
            message = "This has no field, others in this OR have one: it is looked for anywhere. Give it one."
            yield Finding("mixed-fields", "hint", term.span, message, _tag_added(outline, term, tagged, style))


def _bare_and_tagged(outline: Outline) -> Iterator[tuple[list[Term], list[Term]]]:
    """The terms of each OR without and with a field, where there are both."""
    if outline.dialect.tag_style == "none":
        return
    for group, members in outline.groups():
        if group.operator != "OR":
            continue
        terms = [m.node for m in members if isinstance(m.node, Term)]
        bare = [t for t in terms if not t.fields and not _is_tagged(outline, t.span)]
        tagged = [t for t in terms if t.fields]
        if bare and tagged:
            yield bare, tagged


def _is_tagged(outline: Outline, span: Span) -> bool:
    shown = span.of(outline.clean)
    sign = {"brackets": "]", "equals": "=", "colon": ":"}.get(outline.dialect.tag_style)
    return sign is not None and (shown.endswith("]") if sign == "]" else sign in shown)


def _tag_added(outline: Outline, term: Term, tagged: list[Term], style: TagStyle) -> Fix | None:
    """The tag that most others bear, where tags stand behind terms."""
    if style != "brackets":
        return None
    tags = Counter(t.span.of(outline.text).rpartition("[")[2] for t in tagged if t.span.of(outline.text).endswith("]"))
    if not tags:
        return None
    tag = f"[{tags.most_common(1)[0][0]}"
    return Fix(f"Add {tag}", (Edit(term.span.end, term.span.end, tag),))


def long_ors(outline: Outline) -> Iterator[Finding]:
    for group, members in outline.groups():
        if group.operator == "OR" and len(members) > LONG_OR:
            message = (
                f"{len(members):,} alternatives stand in this OR: check with a corpus which of them find something new."
            )
            yield Finding("long-or", "hint", group.span, message)


GROUP_CHECKS = (duplicates, subsumed, absorbed, contradictions, mixed_fields, long_ors)


# Checks for spellings that were forgotten: British or American, with and without hyphen, singular or plural.

_HYPHENATED = re.compile(r"(?<![^\W_])[^\W\d_]{2,30}-[^\W\d_]{3,30}(?![^\W_])")
_JOINABLE = (
    "anti auto bi bio co counter cyber eco electro endo exo extra geo hetero homo hydro hyper hypo infra inter intra "
    "iso macro mega meta micro mid mini mono multi nano neo neuro non over peri photo poly post pre proto pseudo "
    "psycho re semi socio sub super supra tele thermo trans tri ultra under"
)
JOINABLE = frozenset(_JOINABLE.split())
"""What is written in front of a word with a hyphen or without."""
LONGEST_WORD = 40
SHORTEST_MISSPELT = 5
"""Letters of a word that is compared with the other words of the query."""
MOST_VARIED = 3
"""Words of a term for which other spellings are looked for."""


class Variant(NamedTuple):
    written: str
    instead: str
    kind: str


def missing_variants(outline: Outline) -> Iterator[Finding]:
    """A spelling that no other term of the same OR would find."""
    used = _words_used(outline)
    for node in outline.nodes:
        if isinstance(node, Group) and node.operator == "OR":
            if isinstance(above := outline.above(node), Group) and above.operator == "OR":
                continue
            terms = {leaf_key(term): term for term in reversed(list(_variants_terms(node)))}.values()
            coverage = Coverage(terms)
            for term in terms:
                yield from _missing(outline, term, coverage, used, wrap=False)
        elif isinstance(node, Term):
            above = outline.above(node)
            if not (isinstance(above, Group) and above.operator == "OR"):
                yield from _missing(outline, node, Coverage([node]), used, wrap=above is not None)


def _variants_terms(group: Group) -> Iterator[Term]:
    """The terms of an OR, through brackets of other ORs."""
    stack = list(reversed(group.parts))
    while stack:
        node = stack.pop()
        if isinstance(node, Term):
            yield node
        elif isinstance(node, Group) and node.operator == "OR":
            stack.extend(reversed(node.parts))


def _words_used(outline: Outline) -> frozenset[str]:
    """Every plain word of the query: a plural that is used somewhere is a plural."""
    terms = (node for node in outline.nodes if isinstance(node, Term))
    return frozenset(str(word) for term in terms for run in term.chunks for word in run if word.is_plain)


def _missing(
    outline: Outline, term: Term, coverage: Coverage, used: frozenset[str], *, wrap: bool
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
        message = f'{variant.kind} "{other}" is not looked for: add it, or check that it is not needed.'
        yield Finding("missing-variant", "hint", term.span, message, _added(outline, term, variant, wrap=wrap))
        return


def _variants(text: str, used: frozenset[str]) -> Iterator[Variant]:
    for found in _HYPHENATED.finditer(text):
        one = joined(found.group().lower())
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


def _added(outline: Outline, term: Term, variant: Variant, *, wrap: bool) -> Fix | None:
    """The term once more, with its quotes and its tag and the other spelling; not behind a NOT."""
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


def exchanged_letters(outline: Outline) -> Iterator[Finding]:
    """ "haert", beside a frequent word or another word of the query that has the same letters."""
    places: dict[str, list[Term]] = defaultdict(list)
    for term in terms_of(outline):
        if searched_in(term) & set(TEXT_FIELDS):
            for word in _letters_of(term):
                places[word].append(term)
    for word, terms in places.items():
        right = exchanged(word) or _exchanged_here(word, places)
        if right and (finding := _misspelt(outline, terms[0], word, right, places.get(right, ()))):
            yield finding


def _letters_of(term: Term) -> Iterator[str]:
    """Words of a term without digits, also the letters before a wildcard."""
    for run in term.chunks:
        for word in run:
            letters = word.pieces[0]
            if (word.is_plain or word.is_stem) and isinstance(letters, str) and len(letters) >= SHORTEST_EXCHANGED:
                yield letters


def _exchanged_here(word: str, places: Mapping[str, list[Term]]) -> str | None:
    """Another word of the query with the same letters that occurs more often. A known word is no misspelling."""
    if len(word) < SHORTEST_MISSPELT or is_own_word(word):
        return None
    often = len(places[word])
    return next((other for other in transpositions(word) if len(places.get(other, ())) > often), None)


def _misspelt(outline: Outline, term: Term, word: str, right: str, others: Collection[Term]) -> Finding | None:
    """`others`: the terms with the right word. If the whole term is one of them, the misspelling may be meant."""
    found = re.search(rf"(?<![^\W_]){re.escape(word)}", term.span.of(outline.clean), re.IGNORECASE)
    if found is None or found.group().isupper():
        return None
    written_word = found.group()
    other = right.capitalize() if written_word[0].isupper() else right
    start = term.span.start + found.start()
    fix = Fix(f"Write {other}", (Edit(start, start + len(word), other),))
    message = f"{written_word} looks like {other} with two letters exchanged. "
    corrected = re.sub(rf"(?<![^\W_]){re.escape(word)}", right, written(term.pieces).lower(), count=1)
    if any(written(each.pieces).lower() == corrected for each in others):
        message += f"{other} is also searched for: remove {written_word} unless you look for misspelt publications."
        return Finding("misspelt-word", "hint", term.span, message)
    return Finding("misspelt-word", "warning", term.span, f"{message}Correct it if it is misspelt.", fix)


SPELLING_CHECKS = (missing_variants, exchanged_letters)


# What the writer of a query should know about it: everything that can be seen without a corpus.

CHECKS = (*TERM_CHECKS, *GROUP_CHECKS, *SPELLING_CHECKS, *CONCEPT_CHECKS)


def lint(parsed: ParsedQuery) -> tuple[Finding, ...]:
    """What was noticed while reading, and what the tree shows; in the order of the text, each with its place.

    >>> from core.query.parser import parse
    >>> [(finding.rule, finding.message) for finding in lint(parse("heat OR heat"))]
    [('duplicate-term', 'This stands in the same OR already: take it out, or correct it if another was meant.')]
    """
    outline = Outline(parsed)
    found = collected(chain.from_iterable(check(outline) for check in CHECKS))
    noticed = completed(outline, parsed)
    return tuple(sorted((*noticed, *found), key=lambda f: (f.span.start, f.span.end, f.rule)))


# What only a corpus can tell about a query: terms that find nothing, add nothing or are cut short, NOTs that cost.

SHORTEST_STEM = 5
"""Letters of a word that may be one cut short."""
FEWEST_MORE = 5
"""Publications that a * would add at least."""
MANY_TIMES = 10
"""So many times more words begin with it than are it."""
N_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Effect:
    records_gained: int
    records_lost: int
    core_gained: int
    core_lost: int


@dataclass(frozen=True, eq=False)
class _Scene:
    outline: Outline
    matched: Matched
    texts: Texts | None
    core_rows: Bits


def lint_in_corpus(parsed: ParsedQuery, matched: Matched, texts: Texts | None, core_rows: Bits) -> tuple[Finding, ...]:
    """What `lint` can't see; in the order of the text. `matched`: the tree of `parsed` in the corpus."""
    scene = _Scene(Outline(parsed), matched, texts, core_rows)
    found = list(chain.from_iterable(check(scene) for check in CORPUS_CHECKS))
    cut_short = {each.span for each in found if each.rule == "stem-without-wildcard"}
    return collected(each for each in found if each.rule != "no-hits" or each.span not in cut_short)


def effect_of(fix: Fix, parsed: ParsedQuery, corpus: Corpus, semantics: Semantics, core_rows: Bits) -> Effect:
    """What the fix would gain and lose, found out by doing it."""
    after = parse(apply_edits(parsed.text, fix.edits), parsed.dialect)
    old, new = (_retrieved(each, corpus, semantics) for each in (parsed, after))
    gained, lost = new & ~old, old & ~new
    return Effect(count(gained), count(lost), count(gained & core_rows), count(lost & core_rows))


def _retrieved(parsed: ParsedQuery, corpus: Corpus, semantics: Semantics) -> Bits:
    root = None if parsed.root is None else match(parsed.root, corpus, semantics).root
    return none_of(len(corpus.ids)) if root is None else root


def _not_testable(scene: _Scene) -> Iterator[Finding]:
    for number in sorted(scene.matched.untestable):
        node = scene.matched.nodes[number]
        message = "The publications here have no data for this: no number counts it, but it stays in the search string."
        yield Finding("not-testable", "hint", node.span, message)


def _no_hits(scene: _Scene) -> Iterator[Finding]:
    members = _in_corpus_members(scene.outline)
    pairs = list(zip(scene.matched.nodes, scene.matched.sets, strict=True))
    known = {id(node) for node, bits in pairs if bits is not None}
    n_known = {id(node): sum(id(part) in known for part in parts_of(node)) for node, _ in pairs}
    for node, bits in pairs:
        if bits is None or isinstance(node, Group | Not) or bits.any():
            continue
        member = members.get(id(node))
        safe = member is not None and member.above.operator == "OR" and n_known[id(member.above)] > 1
        fix = scene.outline.taken_out(member, "Take it out") if member and safe else None
        message = "No publication here matches this: check how it is written."
        yield Finding("no-hits", "warning", node.span, message, fix)


def _in_corpus_members(outline: Outline) -> dict[int, Member]:
    return {id(member.node): member for _, members in outline.groups() for member in members}


def _in_corpus_subsumed(scene: _Scene) -> Iterator[Finding]:
    """Parts of an OR that together could go: each is found by those that stay."""
    set_of = {id(node): bits for node, bits in zip(scene.matched.nodes, scene.matched.sets, strict=True)}
    for group, members in scene.outline.groups():
        known = [(m, bits) for m in members if (bits := set_of.get(id(m.node))) is not None]
        if group.operator != "OR" or len(known) < 2:
            continue
        before = [none_of(scene.matched.n)]
        for _, bits in known[:-1]:
            before.append(before[-1] | bits)
        kept = none_of(scene.matched.n)
        for (member, bits), earlier in zip(reversed(known), reversed(before), strict=True):
            if not bits.any():
                continue
            if (bits & ~(earlier | kept)).any():
                kept |= bits
                continue
            n = count(bits)
            found = "the one publication" if n == 1 else f"all {n:,} publications"
            message = f"The others in this OR already find {found} that this finds."
            fix = scene.outline.taken_out(member, "Take it out")
            yield Finding("subsumed-by-hits", "hint", member.node.span, message, fix)


def _stems(scene: _Scene) -> Iterator[Finding]:
    if scene.texts is None:
        return
    texts = scene.texts
    n_times = np.bincount(texts.tokens, minlength=len(texts.vocabulary))
    for node, bits in zip(scene.matched.nodes, scene.matched.sets, strict=True):
        if not isinstance(node, Term) or bits is None:
            continue
        word = only_word(node)
        if word is None or len(word) < SHORTEST_STEM or word.isdecimal():
            continue
        longer = texts.with_beginning(word)
        own = texts.number_of.get(word)
        n_own = 0 if own is None else int(n_times[own])
        n_longer = int(n_times[longer.start : longer.stop].sum()) - n_own
        if n_longer < FEWEST_MORE or n_longer < n_own * MANY_TIMES:
            continue
        more = count(_with_any_of(longer, texts, searched_in(node)) & ~bits)
        if more >= FEWEST_MORE:
            yield _cut_short(scene, node, word, more, _examples(longer, n_times, texts, word), found=bits.any())


def _cut_short(scene: _Scene, term: Term, word: str, more: int, examples: str, *, found: np.bool | bool) -> Finding:
    itself = "few publications have" if found else "no publication has"
    message = f"{itself.capitalize()} {word} itself: with a * behind it, {more:,} more match, through {examples}."
    fix = truncated(scene.outline, term, word)
    return Finding("stem-without-wildcard", "hint" if found else "warning", term.span, message, fix)


def _with_any_of(numbers: range, texts: Texts, fields: Collection[str]) -> Bits:
    """Publications that have one of these words, which follow each other, in one of these fields."""
    places = np.flatnonzero((texts.tokens >= numbers.start) & (texts.tokens < numbers.stop))
    cells = np.searchsorted(texts.starts, places, side="right") - 1
    wanted = np.array([field in fields for field in texts.fields])
    rows, columns = np.divmod(cells, len(texts.fields))
    return of_rows(rows[wanted[columns]], texts.n)


def _examples(longer: range, n_times: npt.NDArray[np.intp], texts: Texts, word: str) -> str:
    often = sorted(longer, key=lambda i: -int(n_times[i]))
    found = [texts.vocabulary[i] for i in often if texts.vocabulary[i] != word]
    return ", ".join(found[:N_EXAMPLES])


def _costly_nots(scene: _Scene) -> Iterator[Finding]:
    root = scene.matched.root
    if root is None:
        return
    members = _in_corpus_members(scene.outline)
    for number, node in enumerate(scene.matched.nodes):
        if not isinstance(node, Not) or scene.matched.sets[number] is None:
            continue
        without = scene.matched.put(number, None)
        n = 0 if without is None else count(without & ~root & scene.core_rows)
        if n:
            shown = quoted(scene.outline, node.span)
            message = f"{shown} removes {n} core publication{'' if n == 1 else 's'} that would be found without it."
            member = members.get(id(node))
            fix = scene.outline.taken_out(member, "Take the NOT out") if member else None
            yield Finding("not-removes-core", "warning", node.span, message, fix)


def _costly_terms(scene: _Scene) -> Iterator[Finding]:
    """The alternatives of a NOT that exclude core publications, each by itself."""
    root = scene.matched.root
    if root is None:
        return
    members = _in_corpus_members(scene.outline)
    for number, node in enumerate(scene.matched.nodes):
        if not (isinstance(node, Not) and isinstance(node.part, Group) and node.part.operator == "OR"):
            continue
        without = scene.matched.put(number, None)
        if without is None or not (removed := without & ~root & scene.core_rows).any():
            continue
        for alternative in _alternatives(scene.matched, number):
            bits = scene.matched.sets[alternative]
            n = 0 if bits is None else count(bits & removed)
            if not n:
                continue
            term = scene.matched.nodes[alternative]
            kept = scene.matched.put(alternative, none_of(scene.matched.n))
            n_alone = 0 if kept is None else count(kept & ~root & scene.core_rows)
            message = f"{quoted(scene.outline, term.span)} in this NOT excludes {_n_core(n)}"
            if n_alone == n:
                message += " that no other term of the NOT excludes. Remove it from the NOT."
            elif n_alone:
                message += f", {n_alone:,} of them alone. Remove it from the NOT, or narrow it."
            else:
                message += ", which other terms of the NOT exclude as well."
            member = members.get(id(term))
            fix = scene.outline.taken_out(member, "Take it out of the NOT") if member and n_alone else None
            yield Finding("not-term-removes-core", "warning" if n_alone else "hint", term.span, message, fix)


def _n_core(n: int) -> str:
    return f"{n:,} core publication{'' if n == 1 else 's'}"


def _alternatives(matched: Matched, number: int) -> Iterator[int]:
    """The numbers of what the OR below a NOT combines, through brackets of other ORs."""
    stack = list(matched.children[number])
    while stack:
        one = stack.pop()
        node = matched.nodes[one]
        if isinstance(node, Group) and node.operator == "OR":
            stack.extend(reversed(matched.children[one]))
        else:
            yield one


OFTEN = 5
"""Times that a word occurs at least if another one is a misspelling of it."""
MUCH_OFTENER = 50
"""So many times as often as its misspelling."""


def _exchanged_in_corpus(scene: _Scene) -> Iterator[Finding]:
    """Words that hardly occur, while a word with two neighbouring letters exchanged occurs often."""
    if scene.texts is None:
        return
    texts = scene.texts
    n_times = np.bincount(texts.tokens, minlength=len(texts.vocabulary))

    def n_of(word: str) -> int:
        number = texts.number_of.get(word)
        return 0 if number is None else int(n_times[number])

    terms: dict[str, Term] = {}
    for term in terms_of(scene.outline):
        if searched_in(term) & set(TEXT_FIELDS):
            plain = [str(word) for run in term.chunks for word in run if word.is_plain]
            terms.update((word, terms.get(word, term)) for word in plain if len(word) >= SHORTEST_EXCHANGED)
    for word, term in terms.items():
        if exchanged(word) or is_own_word(word):  # `exchanged_letters` reports these
            continue
        candidates = ((n_of(other), other) for other in transpositions(word) if other not in terms)
        n_right, right = max(candidates, default=(0, ""))
        if n_right < max(OFTEN, n_of(word) * MUCH_OFTENER):
            continue
        if finding := _misspelt(scene.outline, term, word, right, ()):
            yield replace(finding, message=f"{finding.message} {right.capitalize()} occurs {n_right:,} times here.")


CORPUS_CHECKS = (
    _not_testable,
    _no_hits,
    _in_corpus_subsumed,
    _stems,
    _costly_nots,
    _costly_terms,
    _exchanged_in_corpus,
)
