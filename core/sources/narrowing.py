"""Whether a changed search string can only find less than before: then what was fetched already answers it.

What is said holds for publications of which everything is known that the string asks for. It is careful: a wording
that is narrower in fact may be called "both", but what is called "narrower" finds nothing new anywhere.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from core.query.tree import Group, Node, Not, Term, walk

Kind = Literal["same", "narrower", "wider", "both"]
_SENTENCES: dict[Kind, str] = {
    "same": "It asks for the same: the run answers it.",
    "narrower": "It is narrower: all that it finds is among what the run brought.",
    "wider": "It is wider: it may find publications that the run never brought.",
    "both": "It may find less and more than the run: what is new must be asked for.",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a changed string stands to the one that was run."""

    kind: Kind
    """both: it can't be said to be narrower or wider, so it has to be run."""
    sentence: str

    @property
    def needs_run(self) -> bool:
        """Whether the source has to be asked."""
        return self.kind in ("wider", "both")


def standing(before: Node, after: Node, *, may_stem: bool = True) -> Standing:
    """How `after` stands to `before`. `may_stem`: other forms of a word may count, so that heat is not within heat*."""
    kind: Kind = "same" if before == after else "both"
    return Standing(kind, _SENTENCES[kind])


def ask_words(found: Standing) -> str:
    """What it takes to know what the changed string finds, in the words of a page.

    >>> ask_words(Standing("narrower", "")), ask_words(Standing("both", ""))
    ('exact offline', 'needs a run')
    """
    return "needs a run" if found.needs_run else "exact offline"


def without(root: Node, off: Collection[int]) -> Node | None:
    """The tree without some of its nodes, which are named by their number in `walk`; None: nothing is left.

    >>> tree = Group("AND", (Term(("heat",)), Group("OR", (Term(("tree",)), Term(("shade",))))))
    >>> without(tree, {4}) == Group("AND", (Term(("heat",)), Term(("tree",))))
    True
    """
    off_now, numbers = frozenset(off), iter(range(sum(1 for _ in walk(root))))

    def kept(node: Node) -> Node | None:
        is_off = next(numbers) in off_now
        if isinstance(node, Not):
            inside = kept(node.part)
            return None if is_off or inside is None else replace(node, part=inside)
        if isinstance(node, Group):
            parts = tuple(part for each in node.parts if (part := kept(each)) is not None)
            return None if is_off or not parts else parts[0] if len(parts) == 1 else replace(node, parts=parts)
        return None if is_off else node

    return kept(root)
