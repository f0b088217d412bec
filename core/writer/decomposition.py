"""Split a search string into a sheet of keyword lists.

Alternatives that retrieve by themselves are specific. Alternatives that only count together with something else,
(a OR b) AND (c OR d), are general, and the part after the AND is overarching: the order of the parts decides, as in
the strings that a sheet generates. Terms after a NOT that applies to the whole string are excluded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.query.equivalence import same
from core.query.translation import write
from core.query.tree import (
    ANY_ENDING,
    TEXT_FIELDS,
    Gap,
    Group,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Term,
    all_joined,
    written,
)
from core.text import on_one_line
from core.writer.sheets import IN_STRING, OPERATORS, Joined, Keyword, ListName, Sheet, term_of, tree_of

LONGEST_SHOWN = 300
"""Characters of a leftover part that are shown."""
_SIGNS = (ANY_ENDING, Gap(1, 1))
_NO_TREE = {
    "question": "This is a plain-language question: it is ranked, and has no keywords to split.",
    "empty": "It has nothing to search for.",
}


@dataclass(frozen=True, slots=True)
class LeftoverPart:
    text: str
    """As in the string."""
    why: str
    """The reason, in one sentence."""


@dataclass(frozen=True, slots=True)
class SheetDecomposition:
    sheet: Sheet
    left: tuple[LeftoverPart, ...]
    """All parts that are missing in the sheet, or changed."""
    is_whole: bool
    """The sheet's own string requests the same publications as the original."""


def take_apart(parsed: ParsedQuery) -> SheetDecomposition:
    """Split a string into keyword lists, and collect the parts that do not fit.

    >>> from core.query.parser import parse
    >>> apart = take_apart(parse('"urban forest" OR ((shade OR cool*) AND (tree OR park))'))
    >>> [[keyword.text for keyword in apart.sheet.of(name)] for name in ("specific", "general", "overarching")]
    [['urban forest'], ['shade', 'cool*'], ['tree', 'park']]
    """
    if parsed.root is None:
        why = _NO_TREE.get(parsed.kind, "It can't be read as a search string.")
        return SheetDecomposition(
            Sheet(), (LeftoverPart(on_one_line(parsed.text, LONGEST_SHOWN), why),), is_whole=False
        )
    taking = _Taking(parsed.text)
    sheet = taking.sheet(parsed.root)
    made = tree_of(sheet)
    is_whole = not taking.has_lost and made is not None and same(parsed.root, made)
    if not is_whole and not taking.left:
        taking.left.append(
            LeftoverPart(
                on_one_line(parsed.text, LONGEST_SHOWN) or "the string",
                ("The lists don't have exactly the same meaning."),
            )
        )
    return SheetDecomposition(sheet, tuple(taking.left), is_whole)


@dataclass(frozen=True, eq=False)
class _Pair:
    """Alternatives that only count together with something else."""

    node: Node
    general: tuple[Keyword, ...]
    over: tuple[Keyword, ...]
    joined: Joined
    words: Keyword | None
    """The same as one keyword whose words must all occur, if that is possible."""

    @property
    def sides(self) -> tuple[_Over, ...]:
        behind = _Over(frozenset(self.over), self.joined)
        return (behind,) if self.joined == "AND" else (behind, _Over(frozenset(self.general), "OR"))

    def general_to(self, over: _Over) -> tuple[Keyword, ...] | None:
        if over == self.sides[0]:
            return self.general
        return self.over if over in self.sides else None


class _Over(NamedTuple):
    keywords: frozenset[Keyword]
    joined: Joined


@dataclass(eq=False)
class _Taking:
    text: str
    left: list[LeftoverPart] = field(default_factory=list)
    has_lost: bool = False
    """Part of the string is missing in the sheet, and its absence changes the result."""
    lists: dict[ListName, list[Keyword]] = field(default_factory=lambda: {name: [] for name in IN_STRING})
    joined: Joined = "OR"

    def sheet(self, root: Node) -> Sheet:
        wanted = self._without_limits(root)
        pairs: list[_Pair] = []
        for alternative in () if wanted is None else all_joined(wanted, "OR"):
            if isinstance(alternative, Group):
                pairs += self._pair(alternative)
            elif (keyword := self._keyword(alternative)) is not None:
                self.lists["specific"].append(keyword)
        self._place(pairs)
        self._keep_each_once()
        specific, general, overarching, excluded = (tuple(self.lists[name]) for name in IN_STRING)
        joined = self.joined if len(overarching) > 1 else "OR"
        return Sheet(specific, general, overarching, excluded, joined=joined)

    def _without_limits(self, root: Node) -> Node | None:
        parts = list(all_joined(root, "AND"))
        wanted = []
        for part in parts:
            if isinstance(part, Not):
                self._exclude(part)
            elif len(parts) > 1 and isinstance(part, Range | Heading | Near):
                self._keyword(part)  # adds the reason
            else:
                wanted.append(part)
        if not wanted:
            if all(isinstance(part, Not) for part in parts):
                self._leave(root, "It only excludes: a string needs something to exclude from.")
            return None
        if len(wanted) == len(parts):
            return root
        return Group("AND", tuple(wanted)) if len(wanted) > 1 else self._without_limits(wanted[0])

    def _exclude(self, node: Not) -> None:
        for part in all_joined(node.part, "OR"):
            keyword = self._one(part)
            if keyword is not None:
                self.lists["excluded"].append(keyword)

    def _pair(self, node: Group) -> list[_Pair]:
        if any(isinstance(part, Not) for part in all_joined(node, "AND")):
            self._leave(node, "The board excludes from the whole string only, not from one alternative.")
            return []
        words = _as_words(node)
        if words is not None and _is_how_words_are_written(node):
            self.lists["specific"].append(words)
            return []
        found = [self._many(part) for part in all_joined(node, "AND")]
        lists = [keywords for keywords in found if keywords]
        if not lists:
            return []
        if len(lists) == 1:
            self.lists["specific"] += lists[0]
            return []
        if len(lists) == 2:
            return [_Pair(node, lists[0], lists[1], "OR", words)]
        return self._of_many(node, lists, words)

    def _of_many(self, node: Node, lists: list[tuple[Keyword, ...]], words: Keyword | None) -> list[_Pair]:
        longer = [each for each in lists if len(each) > 1]
        if not longer:
            return [_Pair(node, lists[0], _all(lists[1:]), "AND", words)]
        single = _all([each for each in lists if len(each) == 1])
        over = single or longer[1]
        for each in longer[1 if single else 2 :]:
            self.has_lost = True
            texts = on_one_line(" OR ".join(map(_shown, each)), LONGEST_SHOWN)
            self.left.append(LeftoverPart(texts, "It must occur too, and the board has no third list for that."))
        return [_Pair(node, longer[0], over, "AND" if len(single) > 1 else "OR", words)]

    def _many(self, node: Node) -> tuple[Keyword, ...]:
        return tuple(keyword for part in all_joined(node, "OR") if (keyword := self._one(part)) is not None)

    def _one(self, node: Node) -> Keyword | None:
        if not isinstance(node, Group):
            return self._keyword(node)
        if (words := _as_words(node)) is None:
            self._leave(
                node, ("Phrases that must occur together are not one keyword, and it is nested too deeply for a list.")
            )
        return words

    def _keyword(self, node: Node) -> Keyword | None:
        if isinstance(node, Term):
            keyword = keyword_of(node)
            if keyword is None:
                self._leave(node, "A keyword has words, and only the wildcards * and ?.")
            elif node.exact:
                self._leave(node, "It was never stemmed; as a keyword it may be.")
            return keyword
        why = {
            Not: "The board excludes from the whole string only.",
            Near: "Keywords can't express proximity.",
            Heading: "A subject heading is not a keyword.",
            Range: "A year limit is not a keyword: set it where you run the string.",
        }
        self._leave(node, next(reason for kind, reason in why.items() if isinstance(node, kind)))
        return None

    def _place(self, pairs: list[_Pair]) -> None:
        if not pairs:
            return
        weights = _weights(pairs)
        over = max(weights, key=weights.__getitem__)
        self.joined = over.joined
        for pair in pairs:
            general = pair.general_to(over)
            if general is not None:
                kept = pair.over if general is pair.general else pair.general
                self.lists["overarching"] = self.lists["overarching"] or list(kept)
                self.lists["general"] += general
            elif pair.words is not None:
                self.lists["specific"].append(pair.words)
            else:
                self._leave(pair.node, "The board has one overarching list, and this combines with other words.")

    def _keep_each_once(self) -> None:
        for name, found in self.lists.items():
            self.lists[name] = self._once(found)
        lists = self.lists
        self._apart_from_overarching()
        self._drop(_shared(lists["specific"], lists["general"]), "general", "It already retrieves by itself.")
        if both := _shared(lists["specific"], lists["overarching"]):
            why = "It already retrieves by itself: requiring another word adds nothing."
            idle = [keyword.key for keyword in lists["overarching"]] if self.joined == "AND" else both
            self._drop(idle, "overarching", why)
        for name in ("specific", "general", "overarching"):
            if both := _shared(lists["excluded"], lists[name]):
                self.has_lost = self.has_lost or (name == "overarching" and self.joined == "AND")
                self._drop(both, name, "It is excluded, so it retrieves nothing.")

    def _apart_from_overarching(self) -> None:
        lists = self.lists
        over = {keyword.key: keyword for keyword in lists["overarching"]}
        both = [keyword for keyword in lists["general"] if keyword.key in over]
        alike = [keyword.key for keyword in both if _form(keyword) == _form(over[keyword.key])]
        if alike and self.joined == "AND" and len(over) > 1:  # (a OR x) AND x AND c = x AND c
            self._drop(alike[:1], "overarching")
            others = [keyword.key for keyword in lists["general"] if keyword.key != alike[0]]
            self._drop(others, "general", f"{_shown(over[alike[0]])} must occur anyway, so it adds nothing.")
            return
        if alike:  # (a OR x) AND (x OR c) = x OR (a AND c)
            lists["specific"] = self._once([*lists["specific"], *(over[key] for key in alike)])
            self._drop(alike, "general")
            self._drop(alike, "overarching", "It is on both sides of the AND, so it retrieves by itself.")
        if len(alike) < len(both):
            why = "It is on both sides of the AND in two forms: one is kept."
            self._drop([keyword.key for keyword in both], "overarching", why)
            self.has_lost = True

    def _drop(self, keys: Collection[str], name: ListName, why: str = "") -> None:
        going = frozenset(keys)
        gone = [keyword for keyword in self.lists[name] if keyword.key in going] if going else []
        if gone:
            self.lists[name] = [keyword for keyword in self.lists[name] if keyword.key not in going]
        if why:
            self.left += [LeftoverPart(keyword.text, why) for keyword in gone]

    def _once(self, found: Sequence[Keyword]) -> list[Keyword]:
        kept: dict[str, Keyword] = {}
        twins: list[Keyword] = []
        for keyword in found:
            other = kept.setdefault(keyword.key, keyword)
            if other is keyword:
                continue
            widest = keyword if _is_wider(keyword, other) and not _is_wider(other, keyword) else other
            kept[keyword.key] = widest
            twins.append(other if widest is keyword else keyword)
        self.has_lost = self.has_lost or not all(_is_wider(kept[twin.key], twin) for twin in twins)
        self.left += [LeftoverPart(_shown(twin), "It occurs twice: the wider one is kept.") for twin in twins]
        return list(kept.values())

    def _leave(self, node: Node, why: str) -> None:
        self.has_lost = True
        text = node.extent.of(self.text) or write(node, "plain").text
        self.left.append(LeftoverPart(on_one_line(text, LONGEST_SHOWN), why))


def keyword_of(term: Term) -> Keyword | None:
    """Convert a term to a keyword; None: it has no words, or a wildcard that keywords do not support.

    >>> keyword_of(Term(("meta-model", ANY_ENDING))), keyword_of(Term(("adapt", Gap(0, 3))))
    (Keyword(text='meta-model*', phrase=True, fields=()), None)
    """
    if not term.chunks or any(isinstance(piece, Gap) and piece not in _SIGNS for piece in term.pieces):
        return None
    plain = tuple(re.sub(r"[*?]", " ", piece) if isinstance(piece, str) else piece for piece in term.pieces)
    text = " ".join(written(plain).split())
    fields = () if set(term.fields) == set(TEXT_FIELDS) else term.fields
    return Keyword(text, phrase=term.quoted or len(term.chunks) == 1, fields=fields)


def _as_words(node: Group) -> Keyword | None:
    """Join ANDed terms into one keyword; None: one of them is a phrase, or their fields differ."""
    parts = list(all_joined(node, "AND"))
    terms = [part for part in parts if isinstance(part, Term) and not part.exact]
    found = [keyword for term in terms if (keyword := keyword_of(term)) is not None]
    if node.operator != "AND" or len(found) < len(parts) or len({keyword.fields for keyword in found}) > 1:
        return None
    if any(keyword.phrase and " " in keyword.text for keyword in found):
        return None
    return Keyword(" ".join(keyword.text for keyword in found), phrase=False, fields=found[0].fields)


def _is_how_words_are_written(node: Group) -> bool:
    """Check for words that include an operator: they can only be written as "to" AND "be" AND "or"."""
    terms = [part for part in all_joined(node, "AND") if isinstance(part, Term)]
    return all(term.quoted for term in terms) and any(written(term.pieces).casefold() in OPERATORS for term in terms)


def _all(lists: Sequence[tuple[Keyword, ...]]) -> tuple[Keyword, ...]:
    return tuple(keyword for each in lists for keyword in each)


def _weights(pairs: Sequence[_Pair]) -> dict[_Over, tuple[int, int]]:
    """Count the pairs that each possible overarching list serves: those with no other wording, and all of them."""
    weights: dict[_Over, tuple[int, int]] = {}
    for pair in pairs:
        for side in dict.fromkeys(pair.sides):
            n_needed, n = weights.get(side, (0, 0))
            weights[side] = (n_needed + (pair.words is None), n + 1)
    return weights


def _shared(one: Sequence[Keyword], other: Sequence[Keyword]) -> list[str]:
    keys = {keyword.key for keyword in other}
    return [keyword.key for keyword in one if keyword.key in keys]


def _form(keyword: Keyword) -> tuple[object, ...]:
    return keyword.text.casefold(), keyword.phrase, keyword.fields


def _is_wider(one: Keyword, other: Keyword) -> bool:
    """Return True if one retrieves all that the other does; both have the same words."""
    if sorted(one.text.casefold()) != sorted(other.text.casefold()) and any(c in one.text + other.text for c in "*?"):
        return False
    fields = [set(each.fields or TEXT_FIELDS) for each in (one, other)]
    return fields[0] >= fields[1] and (not one.phrase or other.phrase)


def _shown(keyword: Keyword) -> str:
    return write(term_of(keyword), "plain").text
