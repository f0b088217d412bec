"""Checks that need a corpus: terms that find nothing, add nothing or are cut short, and costly NOTs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from core.query.checks.outline import GroupMember, QueryOutline, collected, quoted, searched_in, terms_of
from core.query.checks.spellings import misspelt
from core.query.checks.terms import only_word, truncated
from core.query.match import Bits, Corpus, CorpusTexts, MatchedTree, Semantics, count, match, none_of, of_rows
from core.query.parser import parse
from core.query.spelling import SHORTEST_EXCHANGED, american, exchanged, is_own_word, singular, transpositions
from core.query.tree import (
    TEXT_FIELDS,
    Finding,
    Fix,
    Group,
    Node,
    Not,
    ParsedQuery,
    Term,
    apply_edits,
    parts_of,
    written,
)
from core.text import many, words

SHORTEST_STEM = 5
"""Minimum number of letters of a word that may be cut short."""
FEWEST_MORE = 5
"""Minimum number of publications that a * would add."""
MANY_TIMES = 10
"""Minimum number of longer words for each occurrence of the word itself."""
N_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class FixEffect:
    records_gained: int
    records_lost: int
    core_gained: int
    core_lost: int


@dataclass(frozen=True, eq=False)
class _Scene:
    outline: QueryOutline
    matched: MatchedTree
    texts: CorpusTexts | None
    core_rows: Bits


def lint_in_corpus(
    parsed: ParsedQuery, matched: MatchedTree, texts: CorpusTexts | None, core_rows: Bits
) -> tuple[Finding, ...]:
    """Return the findings that `lint` can't see, in text order. `matched`: the tree of `parsed` in the corpus."""
    scene = _Scene(QueryOutline(parsed), matched, texts, core_rows)
    found = list(chain.from_iterable(check(scene) for check in CORPUS_CHECKS))
    cut_short = {each.span for each in found if each.rule == "stem-without-wildcard"}
    return collected(each for each in found if each.rule != "no-hits" or each.span not in cut_short)


def effect_of(fix: Fix, parsed: ParsedQuery, corpus: Corpus, semantics: Semantics, core_rows: Bits) -> FixEffect:
    """Count the publications that a fix gains and loses, by applying it."""
    after = parse(apply_edits(parsed.text, fix.edits), parsed.dialect)
    old, new = (_retrieved(each, corpus, semantics) for each in (parsed, after))
    gained, lost = new & ~old, old & ~new
    return FixEffect(count(gained), count(lost), count(gained & core_rows), count(lost & core_rows))


def _retrieved(parsed: ParsedQuery, corpus: Corpus, semantics: Semantics) -> Bits:
    root = None if parsed.root is None else match(parsed.root, corpus, semantics).root
    return none_of(len(corpus.ids)) if root is None else root


def _not_testable(scene: _Scene) -> Iterator[Finding]:
    for number in sorted(scene.matched.untestable):
        node = scene.matched.nodes[number]
        message = (
            "The publications here have no data for this: it is ignored in all numbers but stays in the search string."
        )
        yield Finding("not-testable", "hint", node.span, message)


def _no_hits(scene: _Scene) -> Iterator[Finding]:
    members = _members_by_node(scene.outline)
    pairs = list(zip(scene.matched.nodes, scene.matched.sets, strict=True))
    known = {id(node) for node, bits in pairs if bits is not None}
    n_known = {id(node): sum(id(part) in known for part in parts_of(node)) for node, _ in pairs}
    for node, bits in pairs:
        if bits is None or isinstance(node, Group | Not) or bits.any():
            continue
        member = members.get(id(node))
        safe = member is not None and member.above.operator == "OR" and n_known[id(member.above)] > 1
        if member is not None and _is_another_spelling(node, member.above, scene):
            message = "No publication here has this spelling; other databases may."
            yield Finding("no-hits", "hint", node.span, message)
            continue
        fix = scene.outline.taken_out(member, "Remove it") if member and safe else None
        message = "No publication here matches this: check the spelling."
        yield Finding("no-hits", "warning", node.span, message, fix)


def _is_another_spelling(node: Node, above: Group, scene: _Scene) -> bool:
    """Return True if a term beside this one in an OR finds something and differs in spelling only."""
    if above.operator != "OR" or not isinstance(node, Term):
        return False
    set_of = {id(part): bits for part, bits in zip(scene.matched.nodes, scene.matched.sets, strict=True)}
    found = (part for part in above.parts if (bits := set_of.get(id(part))) is not None and bits.any())
    return any(isinstance(part, Term) and _bare(part) == _bare(node) for part in found)


def _bare(term: Term) -> str:
    """Return a term's words without plural, hyphens and British spelling.

    >>> _bare(Term(("heat-waves",))) == _bare(Term(("heatwave",)))
    True
    """
    return "".join(singular(word) or word for word in map(american, words(written(term.pieces).lower())))


def _members_by_node(outline: QueryOutline) -> dict[int, GroupMember]:
    return {id(member.node): member for _, members in outline.groups() for member in members}


def _subsumed(scene: _Scene) -> Iterator[Finding]:
    """Report parts of an OR that could all be removed: the remaining ones find their publications too."""
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
            message = f"The other terms in this OR already find {found} that this finds."
            fix = scene.outline.taken_out(member, "Remove it")
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
    message = f"{itself.capitalize()} {word} itself: with a * at the end, {more:,} more match: {examples}."
    fix = truncated(scene.outline, term, word)
    return Finding("stem-without-wildcard", "hint" if found else "warning", term.span, message, fix)


def _with_any_of(numbers: range, texts: CorpusTexts, fields: Collection[str]) -> Bits:
    """Return the publications that hold a word of this range in one of these fields."""
    places = np.flatnonzero((texts.tokens >= numbers.start) & (texts.tokens < numbers.stop))
    cells = np.searchsorted(texts.starts, places, side="right") - 1
    wanted = np.array([field in fields for field in texts.fields])
    rows, columns = np.divmod(cells, len(texts.fields))
    return of_rows(rows[wanted[columns]], texts.n)


def _examples(longer: range, n_times: npt.NDArray[np.intp], texts: CorpusTexts, word: str) -> str:
    often = sorted(longer, key=lambda i: -int(n_times[i]))
    found = [texts.vocabulary[i] for i in often if texts.vocabulary[i] != word]
    return ", ".join(found[:N_EXAMPLES])


def _costly_nots(scene: _Scene) -> Iterator[Finding]:
    root = scene.matched.root
    if root is None:
        return
    members = _members_by_node(scene.outline)
    for number, node in enumerate(scene.matched.nodes):
        if not isinstance(node, Not) or scene.matched.sets[number] is None:
            continue
        without = scene.matched.put(number, None)
        n = 0 if without is None else count(without & ~root & scene.core_rows)
        if n:
            shown = quoted(scene.outline, node.span)
            message = f"{shown} removes {many(n, 'core publication')} that would be found without it."
            member = members.get(id(node))
            fix = scene.outline.taken_out(member, "Remove the NOT") if member else None
            yield Finding("not-removes-core", "warning", node.span, message, fix)


def _costly_terms(scene: _Scene) -> Iterator[Finding]:
    """Report the alternatives of a NOT that exclude core publications, one by one."""
    root = scene.matched.root
    if root is None:
        return
    members = _members_by_node(scene.outline)
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
            message = f"{quoted(scene.outline, term.span)} in this NOT excludes {many(n, 'core publication')}"
            if n_alone == n:
                message += " that no other term of the NOT excludes. Remove it from the NOT."
            elif n_alone:
                message += f", {n_alone:,} of them alone. Remove it from the NOT, or narrow it."
            else:
                message += ", which other terms of the NOT exclude as well."
            member = members.get(id(term))
            fix = scene.outline.taken_out(member, "Remove it from the NOT") if member and n_alone else None
            yield Finding("not-term-removes-core", "warning" if n_alone else "hint", term.span, message, fix)


def _alternatives(matched: MatchedTree, number: int) -> Iterator[int]:
    """Yield the numbers of the alternatives in the OR below a NOT, including those of nested ORs."""
    stack = list(matched.children[number])
    while stack:
        one = stack.pop()
        node = matched.nodes[one]
        if isinstance(node, Group) and node.operator == "OR":
            stack.extend(reversed(matched.children[one]))
        else:
            yield one


OFTEN = 5
"""Minimum number of occurrences of a word that another one may be a misspelling of."""
MUCH_OFTENER = 50
"""Minimum ratio of its occurrences to those of the misspelling."""


def _exchanged_in_corpus(scene: _Scene) -> Iterator[Finding]:
    """Report rare words that become a frequent word with two neighbouring letters swapped."""
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
        if finding := misspelt(scene.outline, term, word, right, ()):
            yield replace(finding, message=f"{finding.message} {right.capitalize()} occurs {n_right:,} times here.")


CORPUS_CHECKS = (
    _not_testable,
    _no_hits,
    _subsumed,
    _stems,
    _costly_nots,
    _costly_terms,
    _exchanged_in_corpus,
)
