"""From a sheet to a search string: specific OR (general AND overarching), without what is excluded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from core.query.tree import ANY_ENDING, DialectId, Gap, Group, Node, Not, Operator, Pieces, Term
from core.query.writing.printing import Written, write
from core.text import STOP_WORDS, folded
from core.writer.types import Keyword, Sheet

_WILDCARD = re.compile(r"([*?])")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
OPERATORS = frozenset({"and", "or", "not", "near", "adj", "pre", "w", "xor", "same"})
"""In lower case: words that some dialect reads as an operator."""


def term_of(keyword: Keyword) -> Term:
    """A keyword as the query language has it.

    >>> term_of(Keyword("street tree*")).pieces
    ('street tree', Gap(least=0, most=None))
    """
    signs = {"*": ANY_ENDING, "?": Gap(1, 1)}
    pieces: Pieces = tuple(signs.get(part, part) for part in _WILDCARD.split(keyword.text) if part)
    return Term(pieces, quoted=keyword.phrase and " " in keyword.text, fields=keyword.fields)


def tree_of(sheet: Sheet) -> Node | None:
    """What a sheet asks for; None: nothing yet. General keywords wait until there is something overarching.

    >>> sheet = Sheet(specific=(Keyword("urban forest"),), general=(Keyword("shade"),), overarching=(Keyword("tree"),))
    >>> write(tree_of(sheet), "plain").text
    '"urban forest" OR (shade AND tree)'
    """
    alternatives: list[Node] = [term_of(keyword) for keyword in sheet.specific]
    if sheet.general and sheet.overarching:
        general = _joined("OR", [term_of(keyword) for keyword in sheet.general])
        over = _joined(sheet.joined, [term_of(keyword) for keyword in sheet.overarching])
        alternatives.append(Group("AND", (general, over)))
    if not alternatives:
        return None
    wanted = _joined("OR", alternatives)
    if not sheet.excluded:
        return wanted
    return Group("AND", (wanted, Not(_joined("OR", [term_of(keyword) for keyword in sheet.excluded]))))


def text_of(sheet: Sheet, dialect: DialectId = "plain") -> Written:
    """The string in a dialect, with what could not be said exactly; an empty text where there is nothing yet."""
    tree = tree_of(sheet)
    return Written("") if tree is None else write(tree, dialect)


def topic_keyword(topic: str) -> Keyword:
    """A topic's name as words that must all occur, without stop words and operators; all of its words if no other
    is left.

    >>> topic_keyword("Urban heat and street trees").text
    'Urban heat street trees'
    """
    first: dict[str, str] = {}
    for word in _WORD.findall(unicodedata.normalize("NFKC", topic)):
        first.setdefault(folded(word), word)
    found = list(first.values())
    telling = [word for word in found if folded(word) not in STOP_WORDS | OPERATORS]
    return Keyword(" ".join(telling or found) or " ".join(topic.split()), phrase=len(telling or found) < 2)


def baseline_sheet(topic: str) -> Sheet:
    """The topic's name alone: what every other string is compared with."""
    return Sheet(specific=(topic_keyword(topic),))


def _joined(operator: Operator, parts: Sequence[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Group(operator, tuple(parts))
