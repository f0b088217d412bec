"""A query as a tree, the same for every dialect, and the findings made while reading it.

Two trees are equal if they mean the same: positions in the text are not compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from core.text import words

DialectId = Literal[
    "pubmed",
    "ovid",
    "wos",
    "scopus",
    "ebsco",
    "embase",
    "cochrane",
    "proquest",
    "dimensions",
    "openalex",
    "plain",
]
Thesaurus = Literal["", "mesh", "emtree", "cinahl", "apa", "ovid_other", "ebsco_other", "proquest_other"]
"""The source of a heading. Empty: the thesaurus of the database that is searched; other: a thesaurus that only some
databases of this platform have."""
Operator = Literal["AND", "OR"]
Severity = Literal["error", "warning", "hint"]
Kind = Literal["boolean", "question", "empty"]

TEXT_FIELDS = ("title", "abstract", "keywords")
"""The fields that are searched word by word. A term without fields may match in any of them."""
_FIELDS = """
subject major_subject subheading subheading_below subheading_words substance rare_substance cas_number trade_name
candidate_term molecular_sequence pharmacological_action keywords_plus concept subject_area research_area personal_name
publication_type publication_type_only language source_type source_title owner open_access has_abstract is_retracted
author author_last_name author_initials first_author last_author full_author group_author investigator editor orcid
author_id affiliation organization organization_name department street city province postal_code country affiliation_id
conflict_of_interest manufacturer device device_manufacturer grant funder funding_acronym funding_details funding_text
journal journal_word journal_abbreviation journal_id publisher book_publisher place journal_country conference
conference_place conference_sponsor volume issue pages article_number citation year print_date electronic_date
entry_date create_date mesh_date completion_date revision_date doi pmid pmcid identifier eid secondary_source
clinical_trial issn isbn coden website reference reference_title reference_author reference_journal reference_year
reference_page original_title transliterated_title full_text other
"""
_OWN = """
pubmed_subset pubmed_filter
ovid_accession_number ovid_classification ovid_population ovid_age_group ovid_location ovid_method ovid_test
ovid_subset ovid_device ovid_status ovid_journal_code ovid_entry_date ovid_record_date ovid_update_date
embase_accession_number embase_classification embase_limit embase_first_affiliation
cochrane_accession_number
wos_id wos_category wos_publication_title wos_open_access wos_load_date
scopus_entry_date scopus_publication_date scopus_recent_days scopus_publication_stage scopus_source_id
scopus_editor_first_name scopus_last_page
ebsco_accession_number ebsco_classification ebsco_population ebsco_age_group ebsco_location ebsco_method ebsco_test
ebsco_subset ebsco_filter ebsco_references
proquest_accession_number proquest_classification proquest_location
openalex_id openalex_author openalex_keyword openalex_cites
"""
OWN_FIELDS = tuple(_OWN.split())
"""Fields of a single dialect: another dialect may have such a field too, but with different values."""
OTHER_FIELDS = (*_FIELDS.split(), *OWN_FIELDS)
"""Fields that a corpus of titles and abstracts may lack. `other`: the rest of a wide field."""
EVERY_FIELD = (*TEXT_FIELDS, *OTHER_FIELDS)
_PLACES = {name: i for i, name in enumerate(EVERY_FIELD)}
UNKNOWN = "?"
"""The first character of a field that represents an unknown tag, function or option: ?dt."""

UNKNOWN_LIMIT = (f"{UNKNOWN}limit",)
"""The fields of an unknown limit in a history: limit 5 to humans."""


def in_order(fields: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(fields), key=lambda name: (_PLACES.get(name, len(_PLACES)), name)))


def has_unknown(fields: Collection[str]) -> bool:
    """Return True if an unknown tag is among the fields."""
    return any(name.startswith(UNKNOWN) for name in fields)


DEEPEST = 120
"""Maximum number of levels. Deeper ones are reported and left out, so that walking a tree can't run out of stack."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters in the text, the end excluded."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Gap:
    """The number of characters that a wildcard can stand for."""

    least: int
    most: int | None
    """None: any number."""


ANY_ENDING = Gap(0, None)
_NOTHING = ((Gap(0, 0),), (Gap(0, 0), Gap(0, 0)))
"""Pieces that hold no letter: not a word."""
Pieces = tuple[str | Gap, ...]
"""Letters as written, with gaps in place of the wildcards."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word to search for, in lower case."""

    pieces: Pieces

    @property
    def is_plain(self) -> bool:
        """True if the word has no wildcard."""
        return all(isinstance(piece, str) for piece in self.pieces)

    @property
    def is_stem(self) -> bool:
        """True if the word is letters followed by any ending."""
        return len(self.pieces) == 2 and isinstance(self.pieces[0], str) and self.pieces[1] == ANY_ENDING

    def __str__(self) -> str:
        return written(self.pieces)


def written(pieces: Pieces) -> str:
    """Write the pieces with Queryscape's own wildcards: * for any number of characters, ? for one, {0,1} for a range.

    >>> written(("colo", Gap(0, 1), "r", Gap(0, None)))
    'colo{0,1}r*'
    """
    return "".join(piece if isinstance(piece, str) else _wildcard(piece) for piece in pieces)


def _wildcard(gap: Gap) -> str:
    if gap == ANY_ENDING:
        return "*"
    return "?" if gap == Gap(1, 1) else f"{{{gap.least},{'' if gap.most is None else gap.most}}}"


@dataclass(frozen=True)
class _Node:
    span: Span = field(default=NOWHERE, compare=False, kw_only=True)
    """The place of the node in the text, without the brackets around it."""
    outer: Span | None = field(default=None, compare=False, kw_only=True)
    """The same with its brackets and with a field written before or after them; None: it has none."""

    @property
    def extent(self) -> Span:
        return self.outer or self.span


@dataclass(frozen=True)
class Term(_Node):
    """A word, several words that must all occur, or a phrase."""

    pieces: Pieces
    """As written, without quotes; case, hyphens and spaces are unchanged."""
    quoted: bool = False
    """A phrase: its words are adjacent and in this order."""
    fields: tuple[str, ...] = ()
    """The fields to search; empty: any of TEXT_FIELDS."""
    exact: bool = False
    """Never stemmed, whatever the matching mode."""
    tag: str = field(default="", compare=False, kw_only=True)
    """The field tag as written, in lower case: several tags can mean the same fields."""

    @cached_property
    def chunks(self) -> tuple[tuple[Word, ...], ...]:
        """Runs of adjacent words; all runs must occur. A hyphen joins: meta-model is a run of two.

        >>> [[str(word) for word in chunk] for chunk in Term(("meta-model driv", ANY_ENDING)).chunks]
        [['meta', 'model'], ['driv*']]
        """
        runs = [list(_words_in(self.pieces))] if self.quoted else [list(_words_in(p)) for p in _apart(self.pieces)]
        runs = [[word for word in run if word.pieces not in _NOTHING] for run in runs]
        return tuple(tuple(run) for run in runs if run)


@dataclass(frozen=True)
class Heading(_Node):
    name: str
    explode: bool = True
    """Including all narrower headings."""
    major: bool = False
    subheadings: tuple[str, ...] = ()
    thesaurus: Thesaurus = field(default="", kw_only=True)
    tag: str = field(default="", compare=False, kw_only=True)
    """As in `Term`."""


@dataclass(frozen=True)
class Range(_Node):
    """A range of years, both ends included; None: open."""

    low: int | None
    high: int | None
    low_day: str = field(default="", kw_only=True)
    """Month, or month and day, in the first year: 03 or 03/15. Empty: the start of the year."""
    high_day: str = field(default="", kw_only=True)
    """The same for the last year. Empty: the end of the year."""
    tag: str = field(default="", compare=False, kw_only=True)
    """As in `Term`."""

    @property
    def has_days(self) -> bool:
        return bool(self.low_day or self.high_day)


@dataclass(frozen=True)
class Near(_Node):
    """Parts that are close to each other in one field.

    The parts are terms, ORs of such parts, or other Nears. With `whole` the distance counts over all parts together;
    otherwise between the first part and the second, between these two and the third, and so on.
    """

    parts: tuple[Node, ...]
    distance: int
    """Maximum number of other words between the parts."""
    ordered: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Not(_Node):
    part: Node


@dataclass(frozen=True)
class Group(_Node):
    """At least two parts of which all (AND) or any (OR) must match. A NOT B is an AND with a Not for B."""

    operator: Operator
    parts: tuple[Node, ...]


Leaf = Term | Heading | Range | Near
"""A node that is looked up in a corpus as one set. A Near counts as one leaf, whatever it holds."""
Node = Leaf | Not | Group


def parts_of(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Group):
        return node.parts
    return (node.part,) if isinstance(node, Not) else ()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes in it, each before its parts. A Near is one leaf. This order numbers the nodes."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(parts_of(node)))


def leaves_in(node: Node) -> Iterator[Leaf]:
    return (each for each in walk(node) if not isinstance(each, Group | Not))


def terms_in(node: Node) -> Iterator[Term]:
    """Yield every term, including those inside a Near."""
    for each in walk(node):
        if isinstance(each, Term):
            yield each
        elif isinstance(each, Near):
            for part in each.parts:
                yield from terms_in(part)


def group_of(operator: Operator, parts: Sequence[Node], *, span: Span = NOWHERE) -> Node:
    """Join parts with an operator; a single part stays as it is."""
    return parts[0] if len(parts) == 1 else Group(operator, tuple(parts), span=span)


def parts_joined(node: Node, operator: Operator) -> tuple[Node, ...]:
    """Return the parts that are joined by this operator; any other node is its own only part."""
    return node.parts if isinstance(node, Group) and node.operator == operator else (node,)


def all_joined(node: Node, operator: Operator) -> Iterator[Node]:
    """Yield the parts that are joined by this operator, including those of nested groups."""
    stack = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, Group) and node.operator == operator:
            stack.extend(reversed(node.parts))
        else:
            yield node


def with_leaves(root: Node, change: Callable[[Term | Heading | Range], Node]) -> Node:
    """Change each term, heading and range of a tree, including those inside a Near."""
    if isinstance(root, Group | Near):
        return replace(root, parts=tuple(with_leaves(part, change) for part in root.parts))
    if isinstance(root, Not):
        return replace(root, part=with_leaves(root.part, change))
    return change(root)


def in_fields(node: Node, fields: tuple[str, ...], tag: str = "") -> Node:
    """Search every term of a tree in these fields. `tag`: written for them; empty: each term keeps its own."""
    return with_leaves(
        node, lambda leaf: replace(leaf, fields=fields, tag=tag or leaf.tag) if isinstance(leaf, Term) else leaf
    )


@dataclass(frozen=True, slots=True)
class Edit:
    start: int
    end: int
    text: str


def apply_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """Return the text with all edits applied; they must not overlap.

    >>> apply_edits("predict*OR prone*", (Edit(8, 8, " "),))
    'predict* OR prone*'
    """
    for edit in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@dataclass(frozen=True, slots=True)
class Fix:
    label: str
    """The action, as written on a button."""
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    rule: str
    """Stable, because other programs read it. RULES explains it."""
    severity: Severity
    span: Span
    message: str
    fix: Fix | None = None
    other_fixes: tuple[Fix, ...] = ()
    """Alternatives to `fix`, most likely first."""


@dataclass(frozen=True, eq=False)
class Line:
    number: int
    span: Span
    root: Node | None
    used: bool
    """True if another line refers to it, or it is the result."""
    label: str = ""
    """The headings above the line."""
    hits: int | None = None
    """The number of hits in the database, if the text gives it."""


@dataclass(frozen=True, eq=False)
class ParsedQuery:
    text: str
    dialect: DialectId
    confidence: float
    """Confidence in the dialect, from 0 to 1; 1 if it was chosen explicitly."""
    kind: Kind
    root: Node | None
    """None: nothing to search for, or a question."""
    findings: tuple[Finding, ...] = ()
    """Problems found while reading; `lint` adds more."""
    lines: tuple[Line, ...] = ()
    """The lines of a search history; empty for any other search string."""

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every node of the tree; its index here is its number."""
        return tuple(walk(self.root)) if self.root is not None else ()


_SPACE = re.compile(r"\s")


def _apart(pieces: Pieces) -> Iterator[Pieces]:
    chunk: list[str | Gap] = []
    for piece in pieces:
        if isinstance(piece, Gap):
            chunk.append(piece)
            continue
        first, *rest = _SPACE.split(piece)
        chunk.append(first)
        for part in rest:
            yield tuple(chunk)
            chunk = [part]
    yield tuple(chunk)


def _words_in(pieces: Pieces) -> Iterator[Word]:
    """Yield the words as the texts are split: letters and digits; a gap belongs to the letters next to it."""
    word: list[str | Gap] = []
    for piece in pieces:
        if isinstance(piece, Gap):
            word.append(piece)
            continue
        found = words(piece)
        if not found:
            if piece and word:
                yield Word(tuple(word))
                word = []
            continue
        starts_inside = piece[0].isalnum()
        if word and not starts_inside:
            yield Word(tuple(word))
            word = []
        for i, one in enumerate(found):
            if i and word:
                yield Word(tuple(word))
                word = []
            word.append(one)
        if not piece[-1].isalnum():
            yield Word(tuple(word))
            word = []
    if word:
        yield Word(tuple(word))


def kind_of(node: Node) -> str:
    if isinstance(node, Group):
        return node.operator
    if isinstance(node, Not):
        return "NOT"
    return {Term: "term", Near: "near", Heading: "heading", Range: "range"}[type(node)]


def depths(parsed: ParsedQuery) -> list[int]:
    out: list[int] = []
    stack = [(parsed.root, 0)] if parsed.root is not None else []
    while stack:
        node, depth = stack.pop()
        out.append(depth)
        stack.extend((part, depth + 1) for part in reversed(parts_of(node)))
    return out
