"""Write a search string as the `filter` of OpenAlex.

Documentation: OpenAlex developers, guides "Searching" and "Filtering" (developers.openalex.org/guides/searching,
/guides/filtering), and the older technical documentation, "Search entities" and "Filter entity lists"
(docs.openalex.org/how-to-use-the-api/get-lists-of-entities). Operators are in capitals, with brackets and double
quotes. A comma between filters means AND and ends the value before it, even inside quotes (openalexR, issue 254), so a
text can't contain one. Years are a separate filter; the suffix `.no_stem` on a search filter turns stemming off.

Wildcards: the documentation says that they are ignored silently. According to the public source code
(github.com/ourresearch/openalex-elastic-api, core/search.py of 2026), a filter that stems rejects them and `.exact`,
which does not stem, accepts them: none at the beginning of a word, at least three letters or digits before the first *,
and none in a phrase with other words.

Not checked with the service itself: whether `.no_stem`, which newer pages call `.exact`, will remain available.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.query.adaptation import Loss
from core.query.dialects import DIALECTS
from core.query.equivalence import same
from core.query.leaf_texts import Fields, Note, in_words, sign_of, years_text
from core.query.parser import parse
from core.query.translation import write
from core.query.tree import (
    Gap,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Term,
    all_joined,
    group_of,
    in_fields,
    terms_in,
    with_leaves,
)
from core.sources.source_forms import (
    ABSTRACT,
    BOTH,
    TITLE,
    FieldPlacement,
    SourceOptions,
    SourceTree,
    WrittenLeaf,
    by_number,
    heading_as_term,
    is_plain,
    places,
    source_tree,
    unsearched,
    whole_loss,
    with_plain_signs,
    write_words,
    write_years,
    years_beside,
)

_LABEL = "OpenAlex"
_DIALECT = DIALECTS["openalex"]
SEARCHED: dict[Fields, str] = {
    BOTH: "title_and_abstract.search",
    TITLE: "title.search",
    ABSTRACT: "abstract.search",
    ("keywords",): "keyword.search",
    ("full_text",): "fulltext.search",
    ("affiliation",): "raw_affiliation_strings.search",
}
_KNOW_NO_STEM: tuple[Fields, ...] = (BOTH, TITLE, ABSTRACT)
_VALUES: dict[Fields, str] = {
    ("publication_type",): "type",
    ("publication_type_only",): "type",
    ("language",): "language",
}
"""Filters that take one of several fixed values instead of words."""
_LANGUAGES = {
    "english": "en", "eng": "en", "french": "fr", "german": "de", "spanish": "es", "portuguese": "pt", "italian": "it",
    "dutch": "nl", "russian": "ru", "chinese": "zh", "japanese": "ja", "korean": "ko", "polish": "pl", "turkish": "tr",
    "arabic": "ar", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "czech": "cs",
}  # fmt: skip
_CODE = re.compile(r"[a-z]{2}")
_TYPE = re.compile(r"[a-z]+(-[a-z]+)*")
_SHORT = re.compile(r"(?<!\w)\w{0,2}\*")
_UNSTEMMED = re.compile(r"\.search\.(no_stem|exact):", re.IGNORECASE)


def openalex_form(parsed: ParsedQuery, root: Node, choices: SourceOptions) -> SourceTree:
    """Return the search as filters that must all hold.

    >>> parsed = parse("TI=(heat AND wave*) AND AB=shade AND PY=2018-2020")
    >>> told = openalex_form(parsed, parsed.root, SourceOptions())
    >>> told.write(told.root)
    'title.search:(heat AND wave),abstract.search:(shade),publication_year:2018-2020'
    >>> [loss.status for loss in told.losses]
    ['narrowed']
    """
    sayer = _Sayer(choices, parsed.dialect == "openalex", places(root, tuple(SEARCHED)), years_beside(root))
    made = source_tree(root, sayer.leaf)
    losses = [*made.losses, *_about_all(parsed, root, choices)]
    if made.root is None or isinstance(made.root, Not):
        return replace(made, losses=by_number(losses))
    tree = with_plain_signs(made.root)
    if choices.stem and any(map(_is_wild, terms_in(tree))):
        message = f"{_LABEL} allows wildcards only with exact words: the words next to them match exactly, too."
        losses.append(whole_loss(parsed, root, "narrowed", message))
    if not _is_read_so(tree):
        message = f"{_LABEL} may read this text differently: compare its results."
        losses.append(whole_loss(parsed, root, "unsupported", message))
    return SourceTree(tree, by_number(losses), lambda node: written(node, stem=choices.stem))


def _about_all(parsed: ParsedQuery, root: Node, choices: SourceOptions) -> Iterator[Loss]:
    if loss := unsearched(parsed, root, _LABEL):
        yield loss
    if choices.stem and parsed.dialect == "openalex" and _UNSTEMMED.search(parsed.text):
        message = "This was written for exact words, but their other forms are searched too."
        yield whole_loss(parsed, root, "widened", message)


@dataclass(slots=True)
class _Sayer:
    choices: SourceOptions
    is_own: bool
    """The search string is in OpenAlex's own language."""
    places: dict[int, FieldPlacement]
    years: frozenset[int]

    def leaf(self, node: Node, number: int) -> WrittenLeaf:
        if isinstance(node, Range):
            return self.span_of_years(node, number)
        if isinstance(node, Heading):
            made, notes = self.words(heading_as_term(node, BOTH), BOTH)
            message = f"{_LABEL} has no subject headings here: searched as words of title and abstract."
            return made, [("unsupported", message), *notes]
        assert isinstance(node, Term | Near)
        place = self.places[number]
        if isinstance(node, Term) and place.wanted in _VALUES and (made := self.value(node, place)) is not None:
            return made, []
        if place.wanted not in SEARCHED:
            return None, [("unsupported", f"{_LABEL} has no field for {in_words(place.wanted)} here: left out.")]
        made, notes = self.words(node, place.fields)
        if note := place.note(_LABEL):
            notes = [note, *notes]
        if place.fields == ("keywords",) and not self.is_own:
            notes = [("unsupported", f"{_LABEL} assigns its own keywords: not those of the authors."), *notes]
        return made, notes

    def span_of_years(self, node: Range, number: int) -> WrittenLeaf:
        if number not in self.years:
            return None, [("unsupported", f"{_LABEL} can limit years only for a whole search: left out.")]
        return write_years(node)

    def value(self, node: Term, place: FieldPlacement) -> Term | None:
        if place.excluded or not place.is_alone:
            return None
        text = " ".join(piece if isinstance(piece, str) else "*" for piece in node.pieces).strip().lower()
        if place.wanted == ("language",):
            code = _LANGUAGES.get(text, text)
            return replace(node, pieces=(code,), quoted=False) if _CODE.fullmatch(code) else None
        return replace(node, pieces=(text,), quoted=False) if self.is_own and _TYPE.fullmatch(text) else None

    def words(self, node: Term | Near, fields: Fields) -> WrittenLeaf:
        notes = list(self.commas(node))
        bare = in_fields(node, ())
        if not self.choices.stem:
            bare = with_leaves(bare, _stemmed)
        if self.choices.wildcards == "drop":
            notes += self.dropped(bare)
            bare = without_gaps(bare)
        assert isinstance(bare, Term | Near)
        made, more = write_words(bare, _DIALECT)
        if made is not None and any(map(_is_refused, terms_in(made))):
            made = with_leaves(made, _without_refused)
            more = [*more, ("narrowed", f"{_LABEL} needs 3 letters right before *: sent without it.")]
        return (None if made is None else in_fields(made, fields)), notes + more

    def commas(self, node: Node) -> Iterator[Note]:
        if any(isinstance(p, str) and "," in p for term in terms_in(node) for p in term.pieces):
            yield "exact", f"A comma would end the search in {_LABEL}: sent as a space, which finds the same words."
        elif not all(map(is_plain, terms_in(node))):
            yield "exact", "Punctuation is sent as spaces, which finds the same words."

    def dropped(self, node: Node) -> Iterator[Note]:
        for term in terms_in(node):
            gaps = [piece for piece in term.pieces if isinstance(piece, Gap)]
            if not gaps:
                continue
            sign = sign_of(gaps[0], _DIALECT) or "*"
            rest = " ".join("".join(piece for piece in term.pieces if isinstance(piece, str)).split())
            only = f"only {rest} and, with stemming, its usual forms are" if self.choices.stem else f"only {rest} is"
            yield "narrowed", f"{_LABEL} allows no {sign} in this filter, so it is left out: {only} found."


def _is_wild(term: Term) -> bool:
    return any(isinstance(piece, Gap) for piece in term.pieces)


def _is_refused(term: Term) -> bool:
    """Return True if a term has a wildcard that OpenAlex answers with an error."""
    text = "".join(piece if isinstance(piece, str) else sign_of(piece, _DIALECT) or "*" for piece in term.pieces)
    return _is_wild(term) and (text[:1] in ("*", "?") or _SHORT.search(text) is not None)


def _without_refused(leaf: Node) -> Node:
    return without_gaps(leaf) if isinstance(leaf, Term) and _is_refused(leaf) else leaf


def without_gaps(node: Node) -> Node:
    """Remove the wildcards from the tree, as OpenAlex does when it reads them."""

    def plain(leaf: Node) -> Node:
        if not isinstance(leaf, Term) or not _is_wild(leaf):
            return leaf
        return replace(leaf, pieces=("".join(piece for piece in leaf.pieces if isinstance(piece, str)),))

    return with_leaves(node, plain)


def _stemmed(leaf: Node) -> Node:
    return replace(leaf, exact=False, quoted=True) if isinstance(leaf, Term) and leaf.exact else leaf


# Writing


def written(root: Node, *, stem: bool) -> str:
    """Return the value of `filter=`."""
    filters = [_filter(fields, parts, stem=stem) for fields, parts in _by_fields(root)]
    years = [years_text(part, _DIALECT) for part in all_joined(root, "AND") if isinstance(part, Range)]
    return ",".join([*filters, *years])


def _filter(fields: Fields, parts: list[Node], *, stem: bool) -> str:
    if fields in _VALUES:
        values = [str(term.pieces[0]) for part in parts for term in terms_in(part)]
        return f"{_VALUES[fields]}:{'|'.join(values)}"
    text = _bare_text(parts)
    tail = "" if stem else ".no_stem"
    if any(_is_wild(term) for part in parts for term in terms_in(part)):
        tail = ".exact"
    tail = tail if fields in _KNOW_NO_STEM else ""
    return f"{SEARCHED.get(fields, SEARCHED[BOTH])}{tail}:({text})"


def _by_fields(root: Node) -> list[tuple[Fields, list[Node]]]:
    out: list[tuple[Fields, list[Node]]] = []
    for part in all_joined(root, "AND"):
        if isinstance(part, Range):
            continue
        fields = next((term.fields for term in terms_in(part)), BOTH)
        known = next((parts for each, parts in out if each == fields and fields not in _VALUES), None)
        if known is None:
            out.append((fields, [part]))
        else:
            known.append(part)
    return out


def _bare(parts: list[Node]) -> Node:
    bare = tuple(in_fields(part, ()) for part in parts)
    positive = [part for part in bare if not isinstance(part, Not)]
    bare = (*positive, *(part for part in bare if isinstance(part, Not)))
    return group_of("AND", bare)


def _bare_text(parts: list[Node]) -> str:
    text = write(_bare(parts), "openalex", strict=False).text
    return text[1:-1] if _is_in_brackets(text) else text


def _is_in_brackets(text: str) -> bool:
    depth, quoted = 0, False
    for i, character in enumerate(text):
        quoted ^= character == '"'
        depth += 0 if quoted else (character == "(") - (character == ")")
        if depth == 0:
            return i == len(text) - 1 and text.startswith("(")
    return False


def _is_read_so(tree: Node) -> bool:
    """Check that each filter, parsed again, means the same; a NOT needs a term before it in its own filter."""
    for fields, parts in _by_fields(tree):
        if fields in _VALUES:
            continue
        again = parse(_bare_text(parts), "openalex").root
        if again is None or isinstance(again, Not) or not same(_bare(parts), again):
            return False
    return True
