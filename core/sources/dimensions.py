"""Write a search string in the query language of Dimensions.

Documentation: Dimensions Search Language, "Full-text searching" and "Filters" (docs.dimensions.ai/dsl/language.html).
One index is searched for the whole string: titles, or titles and abstracts; years are a separate filter. Operators are
in capitals. The string is quoted, so quotes and backslashes inside it are escaped with a backslash.
"""

from __future__ import annotations

from core.query.dialects import DIALECTS
from core.query.equivalence import same
from core.query.parser import parse
from core.query.translation import write
from core.query.tree import (
    Node,
    Not,
    ParsedQuery,
    Range,
    all_joined,
    group_of,
    in_fields,
    terms_in,
)
from core.sources.source_forms import (
    BOTH,
    TITLE,
    FieldPlacement,
    SourceOptions,
    SourceTree,
    WrittenLeaf,
    by_number,
    places,
    source_tree,
    unsearched,
    whole_loss,
    with_plain_signs,
    write_leaf,
    write_years,
    years_beside,
)

_LABEL = "Dimensions"
_DIALECT = DIALECTS["dimensions"]
INDEXES = {TITLE: "title_only", BOTH: "title_abstract_only"}
"""The index to search, by the fields of a word."""


def dimensions_form(parsed: ParsedQuery, root: Node, choices: SourceOptions) -> SourceTree:
    """Return the search in the language of Dimensions.

    >>> parsed = parse('TI=("heat wave*" OR shade) AND PY=2018-2020')
    >>> told = dimensions_form(parsed, parsed.root, SourceOptions())
    >>> told.write(told.root)
    'search publications in title_only for "(heat AND wave*) OR shade" where year >= 2018 and year <= 2020'
    """
    del choices
    where = places(root, tuple(INDEXES), whole=True)
    years = years_beside(root)
    made = source_tree(root, lambda node, number: _leaf(node, where.get(number), is_limit=number in years))
    losses = list(made.losses)
    if loss := unsearched(parsed, root, _LABEL, next((place.fields for place in where.values()), BOTH)):
        losses.append(loss)
    if made.root is None or isinstance(made.root, Not):
        return SourceTree(made.root, by_number(losses))
    tree = with_plain_signs(made.root)
    words = _words(tree)
    if words is not None and ((again := parse(_text(words), "dimensions").root) is None or not same(words, again)):
        message = f"{_LABEL} may read this text differently: compare its results."
        losses.append(whole_loss(parsed, root, "unsupported", message))
    return SourceTree(tree, by_number(losses), written)


def _leaf(node: Node, place: FieldPlacement | None, *, is_limit: bool) -> WrittenLeaf:
    if not isinstance(node, Range):
        return write_leaf(node, place, _LABEL, _DIALECT, here=" here")
    if not is_limit:
        return None, [("unsupported", f"{_LABEL} can limit years only for a whole search: left out.")]
    return write_years(node)


def written(root: Node) -> str:
    words = _words(root)
    text = "search publications"
    if words is not None:
        fields = next((term.fields for term in terms_in(root)), BOTH)
        escaped = _text(words).replace("\\", "\\\\").replace('"', '\\"')
        text += f' in {INDEXES.get(fields, INDEXES[BOTH])} for "{escaped}"'
    years = [year for part in all_joined(root, "AND") if isinstance(part, Range) for year in _years(part)]
    return f"{text} where {' and '.join(years)}" if years else text


def _years(node: Range) -> list[str]:
    if node.low is not None and node.low == node.high:
        return [f"year = {node.low}"]
    low = [] if node.low is None else [f"year >= {node.low}"]
    return low if node.high is None else [*low, f"year <= {node.high}"]


def _words(root: Node) -> Node | None:
    parts = [in_fields(part, ()) for part in all_joined(root, "AND") if not isinstance(part, Range)]
    parts.sort(key=lambda part: isinstance(part, Not))
    return group_of("AND", parts) if parts else None


def _text(words: Node) -> str:
    return write(words, "dimensions", strict=False).text
