"""What only a corpus can tell about a query: terms that find nothing, add nothing or are cut short, NOTs that cost."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from core.query.lint.groups import quoted
from core.query.lint.outline import Member, Outline, collected, searched_in
from core.query.lint.terms import only_word, truncated
from core.query.matching.bits import Bits, count, none_of, of_rows
from core.query.matching.matched import Corpus, Matched, Semantics, match
from core.query.matching.texts import Texts
from core.query.reading.parse import parse
from core.query.tree import Finding, Fix, Group, Not, ParsedQuery, Term, apply_edits, parts_of

SHORTEST_STEM = 5
"""Letters of a word that may be one cut short."""
FEWEST_MORE = 5
"""Publications that a * would add at least."""
MANY_TIMES = 10
"""So many times more words begin with it than are it."""
N_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does to what is retrieved."""

    records_gained: int
    records_lost: int
    core_gained: int
    core_lost: int


@dataclass(frozen=True, eq=False)
class _Scene:
    """A query in a corpus."""

    outline: Outline
    matched: Matched
    texts: Texts | None
    core_rows: Bits


def lint_in_corpus(parsed: ParsedQuery, matched: Matched, texts: Texts | None, core_rows: Bits) -> tuple[Finding, ...]:
    """What `lint` can't see; in the order of the text. `matched`: the tree of `parsed` in the corpus."""
    scene = _Scene(Outline(parsed), matched, texts, core_rows)
    found = list(chain.from_iterable(check(scene) for check in CHECKS))
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
    members = _members(scene.outline)
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


def _members(outline: Outline) -> dict[int, Member]:
    return {id(member.node): member for _, members in outline.groups() for member in members}


def _subsumed(scene: _Scene) -> Iterator[Finding]:
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
    members = _members(scene.outline)
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


CHECKS = (_not_testable, _no_hits, _subsumed, _stems, _costly_nots)
