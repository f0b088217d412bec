"""Facts about the searches of a review, the lines of their strategies, and their limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from core.audit.searches import SearchKind
from core.query.tree import Heading, Node, Not, ParsedQuery, Range, Term, all_joined, leaves_in, parts_of, walk
from core.text import on_one_line
from core.types import Ids

How = Literal["live", "local", "file"]
"""live: sent to a source's API; local: run over the topic's own publications; file: imported as a file."""
ItemState = Literal["known", "likely", "open", "said", "changed"]
"""known: recorded by Queryscape; likely: prefilled, to be confirmed; open: needs an answer; changed: the record no
longer agrees with the confirmed text."""
ANSWERED: Final = "said"
"""The state of an item that a person has answered, as documents spell it."""
AnswerState = Literal["confirmed", "own", "not done"]
"""confirmed: the prefilled text is right; own: in the person's words; not done: not part of the search."""


@dataclass(frozen=True, slots=True)
class StrategyLine:
    number: int
    text: str
    n_hits: int | None
    """None: not counted."""
    counted_in: str = ""
    """The publications that were counted: "PubMed" or "the 3,000 publications of this topic"."""


@dataclass(frozen=True, slots=True)
class SearchFacts:
    version: str
    """The label of the resulting version."""
    source: str
    """The database, file, or publications of the topic that were searched."""
    platform: str
    """The platform of the search; empty: not known."""
    how: How
    text: str
    """The text as the searcher wrote it."""
    dialect: str | None
    sent: Ids
    """The exact text that was run, perhaps in several parts whose results were united; empty: not known."""
    lines: tuple[StrategyLine, ...]
    limits: Ids
    """A phrase for each limit or restriction; empty: neither the string nor the source's choices set one."""
    began: str | None
    """ISO 8601 with time zone."""
    ended: str | None
    n_total: int | None
    """The source's own count."""
    n_records: int | None
    """Records received."""
    n_publications: int | None
    """Distinct publications in the version."""
    most: int | None = None
    """The cap; None: there was none."""
    n_aside: int = 0
    """Records that could not be read."""
    losses: Ids = ()
    """Parts of the text that the source could not express."""
    repeats: str | None = None
    """The time when the search that it repeats was run."""
    sentence: str = ""
    """A sentence for a methods section; empty: not known."""
    number: int = 0
    """The number of the version."""
    origin: str = ""
    """The origin of its wording: baseline, generated, manual or review."""
    n_searched: int | None = None
    """Publications of the topic that it searched; None: not known, or not run over the topic's own."""
    semantics: str | None = None
    """The matching of words, if it was run over the topic's own publications."""
    is_ranked: bool = False
    """A plain-language question: the top of a ranking, not all that match."""
    was_run: bool = True
    """False: only its wording is stored, without results."""
    total_last: int | None = None
    """The source's own count at the end of the search, if `n_total` is the one at the beginning."""
    n_repeated: int = 0
    """Records that came again in the same search."""
    is_cut: bool = False
    """The cap cut the search, or may have: the source's order decided which records came."""
    advice: str = ""
    """The consequence of the cap and the next step; empty: it does not cut."""
    form_totals: tuple[int | None, ...] = ()
    """The source's own count of each part that was sent; None for a part without one."""
    address: str = ""
    """The address of the source's API."""
    choices: str = ""
    """Options of the source that were chosen, if it can be queried in several ways."""
    notes: Ids = ()
    """Notes from the source or the run that readers must know."""
    brought_at: str | None = None
    """The time of the import of a file, which does not reveal the time of its search."""
    changed_since: bool = False
    """The topic's publications have changed since the run, so the lines are counted over different ones."""


@dataclass(frozen=True, slots=True)
class RecordedSearch:
    """A search of the review's own table of searches, with what its files brought."""

    number: int
    name: str
    kind: SearchKind
    database: str
    platform: str
    day: str
    """The date of the search in ISO 8601; empty: not recorded."""
    by: str
    version: str | None
    """The version of the query that it belongs to."""
    text: str
    is_text_of_version: bool
    """The search has no string of its own, but its version has."""
    lines: tuple[StrategyLine, ...]
    limits: Ids
    n_hits: int | None
    """As the database showed them."""
    n_records: int | None
    """Records in its files, with those that could not be read; None: it has no files."""
    n_aside: int = 0
    """Records that could not be read."""
    n_publications: int | None = None
    n_unique: int | None = None
    """Publications that no other search of the table has."""
    note: str = ""
    files: Ids = ()
    """Names."""


@dataclass(frozen=True, slots=True)
class CoreFound:
    """A core publication, and the numbers of the recorded searches that found it."""

    publication_id: str
    title: str
    searches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FoundPublication:
    """A publication, and the numbers of the recorded searches that found it."""

    publication_id: str
    title: str
    year: int | None
    doi: str
    searches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileFacts:
    name: str
    role: str
    version: str | None
    format: str | None
    n_in_file: int
    n_rejected: int
    n_records: int = 0
    """Records imported."""
    n_publications: int = 0
    """Distinct publications among them."""
    provider: str = ""
    """The database that it probably comes from; empty: not known."""
    told_by: str = ""
    """The evidence for the provider: "form", as only that database writes such files, or "identifiers"."""


@dataclass(frozen=True, slots=True)
class Deduplication:
    n_records: int
    n_publications: int
    by_rule: tuple[tuple[str, int], ...]
    """A description of each rule, and the number of records that it merged."""
    n_by_hand: int
    n_kept_apart: int
    n_undecided: int | None
    """Similar pairs without a decision; None: not counted."""
    is_at_least: bool = False
    """More undecided pairs may exist than were counted."""
    over: str = "the reported searches"
    """The searches that these records come from."""
    n_two_versions: int = 0
    """Publications with a record of a preprint and one of the published version."""
    n_retracted: int = 0
    """Publications that were retracted, by a record or by the loaded file of Retraction Watch."""


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """An unfinished search in a live source: it is not a version yet, and is not reported."""

    source: str
    state: str
    """planned, running, paused or failed."""
    text: str
    n_records: int
    """Records received so far."""
    made_at: str


@dataclass(frozen=True, slots=True)
class ReviewFacts:
    """The facts about a peer review (PRESS) of one search string that the record of the search needs."""

    version: str
    """The version's label, or the name of a recorded search."""
    reviewer: str
    """Empty: unnamed."""
    signed_at: str | None
    """None: not signed, or changed since."""
    verdict: str = ""
    """The overall verdict; empty: none was given."""
    edited: Ids = ()
    """Parts that were changed after signing: such a review counts as not signed."""
    is_search: bool = False
    """The string is the one of a recorded search, not of a version."""


@dataclass(frozen=True, slots=True)
class AuditAnswer:
    item: str
    state: AnswerState
    text: str
    said_by: str
    """Empty: unnamed."""
    said_at: str


@dataclass(frozen=True, slots=True)
class AuditFacts:
    topic_id: str
    made_up: bool
    n_core: int
    searches: tuple[SearchFacts, ...]
    """The reported versions, in the order of their numbers."""
    files: tuple[FileFacts, ...]
    deduplication: Deduplication
    answers: dict[str, AuditAnswer] = field(default_factory=dict)
    """By item."""
    software: tuple[tuple[str, str], ...] = ()
    """Names and versions of the software used."""
    n_reviews_signed: int = 0
    """Peer reviews (PRESS) of the reported versions that are signed."""
    reviews: tuple[ReviewFacts, ...] = ()
    """Peer reviews of the reported versions, signed or not."""
    unfinished: tuple[UnfinishedRun, ...] = ()
    n_corpus: int = 0
    """Publications that a query of this topic would search now."""
    n_found: int | None = None
    """Distinct publications of all reported searches together; None: no results are known."""
    recorded: tuple[RecordedSearch, ...] = ()
    """The review's table of searches, in the order of their numbers."""
    overlap: tuple[tuple[int, ...], ...] = ()
    """Publications that two recorded searches share, in the order of `recorded`; on the diagonal, those of one."""
    core_found: tuple[CoreFound, ...] = ()
    """Every core publication, if there is a table of searches."""
    included_found: tuple[tuple[int, ...], ...] = ()
    """For each publication of the final selection, the numbers of the recorded searches that found it."""
    n_to_screen: int | None = None
    """Distinct publications of databases and registers, without other methods; None: the same as `n_found`."""
    n_sought: int | None = None
    """Those of them that passed title and abstract screening; None: no file says so."""
    n_included: int | None = None
    """Publications of the final selection; None: no file says so."""


# Limits and restrictions in a search string, such as years, languages and kinds of publication, in words.

_KINDS = {
    "language": "language",
    "publication_type": "kind of publication",
    "publication_type_only": "kind of publication",
    "journal": "journal",
    "affiliation": "affiliation",
    "year": "publication years",
    "other": "filter or other field",
}
"""Fields that restrict the results without describing their subject."""
_CHECK_TAGS = {
    "humans": "humans or animals",
    "animals": "humans or animals",
    "male": "sex",
    "female": "sex",
    "adult": "age",
    "child": "age",
    "infant": "age",
    "adolescent": "age",
    "aged": "age",
}
"""Headings that a thesaurus assigns to nearly everything, so that they are used as limits."""
Fate = Callable[[int, int, Node | None], str]
"""A function from the first number of a limit, the number after its last, and its node to a clause that says whether
it was applied, to follow a semicolon. Without a node: (start, end) of the text."""


def limits_in(parsed: ParsedQuery, fate: Fate) -> Ids:
    """Describe each limit with the words of the string, and whether it was applied.

    >>> from core.query.parser import parse
    >>> limits_in(parse("heat[tiab] AND english[la] AND 2018:2020[dp]", "pubmed"), lambda *_: "sent with the string")
    ('language: “english[la]”; sent with the string', 'publication years: “2018:2020[dp]”; sent with the string')
    """
    found = [
        f"{kind}{', taken out with NOT' if is_excluded else ''}: “{on_one_line(node.extent.of(parsed.text))}”; "
        f"{fate(number, number + _size(node), node)}"
        for number, node, kind, is_excluded in _limits(parsed)
    ]
    idle = [line.span for line in parsed.lines if not line.used]
    left = [
        f"“{on_one_line(finding.span.of(parsed.text))}”; {fate(finding.span.start, finding.span.end, None)}"
        for finding in parsed.findings
        if finding.rule == "limit-left-out" and finding.severity != "hint"
        if not any(span.start <= finding.span.start < span.end for span in idle)
    ]
    return tuple(dict.fromkeys([*found, *left]))


def _limits(parsed: ParsedQuery) -> Iterator[tuple[int, Node, str, bool]]:
    """Yield the largest parts of the string that consist of limits of one kind, with their numbers."""
    if parsed.root is None:
        return
    stack = [(0, parsed.root, False)]
    while stack:
        number, node, is_excluded = stack.pop()
        if isinstance(node, Not):
            stack.append((number + 1, node.part, not is_excluded))
            continue
        kinds = set(map(limit_kind, leaves_in(node)))
        if len(kinds) == 1 and (kind := next(iter(kinds))):
            yield number, node, kind, is_excluded
            continue
        below, at = [], number + 1
        for part in parts_of(node):
            below.append((at, part, is_excluded))
            at += _size(part)
        stack.extend(reversed(below))


def limit_kind(leaf: Node) -> str:
    """Return the kind of limit of a leaf; empty: not a limit."""
    if isinstance(leaf, Range):
        return "publication years"
    if isinstance(leaf, Heading):
        return _CHECK_TAGS.get(leaf.name.casefold(), "")
    if isinstance(leaf, Term) and leaf.fields and all(field in _KINDS for field in leaf.fields):
        return _KINDS[leaf.fields[0]]
    return ""


def _size(node: Node) -> int:
    return sum(1 for _ in walk(node))


# The lines of a search strategy: its own lines, else the parts that its ANDs and NOTs combine.

MOST_LINES = 200
"""A string with more parts than this is shown as one line."""


@dataclass(frozen=True, slots=True)
class LinePart:
    number: int
    text: str
    root: Node | None
    """None: nothing in it can be searched by itself."""
    is_whole: bool = False
    """The line is the whole strategy."""
    n_written: int | None = None
    """The hits written after it in the strategy, as databases print them."""


def parts_in(parsed: ParsedQuery) -> tuple[LinePart, ...]:
    """Return every line once; the last one is the whole strategy.

    >>> from core.query.parser import parse
    >>> [part.text for part in parts_in(parse("(heat OR warmth) AND tree* NOT indoor"))]
    ['(heat OR warmth)', 'tree*', 'indoor', '1 AND 2 NOT 3']
    """
    if parsed.lines:
        return _numbered(parsed)
    whole = parsed.text.strip()
    clauses = list(all_joined(parsed.root, "AND")) if parsed.root is not None else []
    if not 1 < len(clauses) <= MOST_LINES:
        return (LinePart(1, whole, parsed.root, is_whole=True),) if whole else ()
    found: list[LinePart] = []
    text = ""
    for number, clause in enumerate(clauses, start=1):
        is_excluded = isinstance(clause, Not)
        node = clause.part if isinstance(clause, Not) else clause
        found.append(LinePart(number, node.extent.of(parsed.text), node))
        joint = "" if not text and not is_excluded else "NOT " if not text else " NOT " if is_excluded else " AND "
        text += f"{joint}{number}"
    return (*found, LinePart(len(found) + 1, text, parsed.root, is_whole=True))


def _numbered(parsed: ParsedQuery) -> tuple[LinePart, ...]:
    last = max((line.number for line in parsed.lines if line.root is parsed.root), default=0)
    out = []
    for line in parsed.lines:
        is_whole = line.number == last and line.root is not None and line.root is parsed.root
        out.append(LinePart(line.number, line.span.of(parsed.text), line.root, is_whole=is_whole, n_written=line.hits))
    return tuple(out)


def counted_lines(
    parsed: ParsedQuery,
    *,
    count: Callable[[Node], int | None] | None,
    counted_in: str,
    n_whole: int | None,
    whole_in: str,
) -> tuple[StrategyLine, ...]:
    """Count the hits of each line. `count` counts one part; None: counts are not available. `n_whole`: of the whole."""
    lines = []
    for part in parts_in(parsed):
        n, where = None, ""
        if part.is_whole and n_whole is not None:
            n, where = n_whole, whole_in
        elif part.n_written is not None and count is None:
            n, where = part.n_written, "as written in the strategy"
        elif count is not None and part.root is not None:
            n = count(part.root)
            where = counted_in if n is not None else ""
        lines.append(StrategyLine(part.number, part.text, n, where))
    return tuple(lines)
