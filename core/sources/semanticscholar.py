"""Write a search string as the query of the Semantic Scholar bulk search.

Documentation: Academic Graph API, "Paper bulk search" (api.semanticscholar.org/api-docs/graph). Words are searched in
title and abstract, including their other forms; + is AND, | is OR, - excludes, quotes make a phrase, * matches any
ending, brackets group, and "..."~N allows N words in between. There are no fields; years are a separate request
parameter.
"""

from __future__ import annotations

from dataclasses import replace

from core.query.adaptation import runs_of
from core.query.dialects import DIALECTS
from core.query.tree import (
    ANY_ENDING,
    Gap,
    Group,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Term,
    terms_in,
    with_leaves,
)
from core.sources.source_forms import (
    BOTH,
    FieldPlacement,
    SourceOptions,
    SourceTree,
    WrittenLeaf,
    by_number,
    places,
    source_tree,
    unsearched,
    with_plain_signs,
    write_leaf,
)

_LABEL = "Semantic Scholar"
_DIALECT = replace(DIALECTS["dimensions"], label=_LABEL, wildcards={"*": ANY_ENDING})
"""The rules for words are those of Dimensions, except that * is the only wildcard."""


def semanticscholar_form(parsed: ParsedQuery, root: Node, choices: SourceOptions) -> SourceTree:
    """Return the search in the syntax of Semantic Scholar.

    >>> from core.query.parser import parse
    >>> parsed = parse('("heat wave" OR adapt*) AND shade NOT tree')
    >>> told = semanticscholar_form(parsed, parsed.root, SourceOptions())
    >>> told.write(told.root)
    '("heat wave" | adapt*) + shade -tree'
    """
    del choices
    where = places(root, (BOTH,), whole=True)
    made = source_tree(root, lambda node, number: _leaf(node, where.get(number)))
    losses = list(made.losses)
    if loss := unsearched(parsed, root, _LABEL):
        losses.append(loss)
    if made.root is None:
        return replace(made, losses=by_number(losses))
    return SourceTree(with_plain_signs(made.root), by_number(losses), written)


def _leaf(node: Node, place: FieldPlacement | None) -> WrittenLeaf:
    if isinstance(node, Range):
        return None, [("unsupported", f"{_LABEL} accepts years as a filter, not in the text: left out.")]
    made, notes = write_leaf(node, place, _LABEL, _DIALECT)
    if made is not None and any(map(_goes_on, terms_in(made))):
        message = f"{_LABEL} allows * only at the end of a word: the rest of the word was left out."
        return with_leaves(made, _cut), [*notes, ("widened", message)]
    return made, notes


def _goes_on(term: Term) -> bool:
    return any(len(word.pieces) > 1 and not (word.is_plain or word.is_stem) for run in term.chunks for word in run)


def _cut(node: Node) -> Node:
    """Truncate each word of a term after its first wildcard."""
    if not isinstance(node, Term) or not _goes_on(node):
        return node
    runs = runs_of(node)
    if len(runs) > 1:
        return Group("AND", tuple(map(_cut, runs)))
    first = next(i for i, piece in enumerate(node.pieces) if isinstance(piece, Gap))
    return replace(node, pieces=node.pieces[: first + 1])


# Writing


def written(node: Node) -> str:
    return _text(node, top=True)


def _text(node: Node, *, top: bool = False) -> str:
    if isinstance(node, Not):
        return f"-{_text(node.part)}"
    if isinstance(node, Group):
        text = _joined(node)
        return text if top else f"({text})"
    if isinstance(node, Near):
        words = " ".join(_phrase(term) for term in terms_in(node))
        return f'"{words}"~{node.distance}'
    assert isinstance(node, Term)
    runs = [node] if node.quoted else runs_of(node)
    texts = [_run(run) for run in runs]
    return texts[0] if len(texts) == 1 else f"({' + '.join(texts)})"


def _joined(node: Group) -> str:
    sign = " + " if node.operator == "AND" else " | "
    out = _text(node.parts[0])
    for part in node.parts[1:]:
        out += f" {_text(part)}" if isinstance(part, Not) else f"{sign}{_text(part)}"
    return out


def _run(term: Term) -> str:
    """Return one word, or adjacent words in quotes; a hyphen would be read as a minus."""
    text = _phrase(term)
    is_word = len(term.chunks) == 1 and len(term.chunks[0]) == 1 and not term.quoted
    return text if is_word and " " not in text else f'"{text}"'


def _phrase(term: Term) -> str:
    letters = "".join(piece.replace("-", " ") if isinstance(piece, str) else "*" for piece in term.pieces)
    return " ".join(letters.split())
