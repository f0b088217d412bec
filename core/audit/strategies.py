"""Facts about the searches of a review, the lines of their strategies, and their limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from core.query.tree import Group, Heading, Node, Not, ParsedQuery, Range, Term, parts_of, walk
from core.types import Ids

How = Literal["live", "local", "file"]
"""live: a source was asked through its interface; local: run over what the topic holds; file: brought in as a file."""
ItemState = Literal["known", "likely", "open", "said", "changed"]
"""known: Queryscape recorded it; likely: prefilled, to be confirmed; open: somebody has to say; said: somebody did;
changed: what was confirmed is no longer what is recorded."""
AnswerState = Literal["confirmed", "own", "not done"]
"""confirmed: what was prefilled is right; own: in the person's words; not done: this was no part of the search."""


@dataclass(frozen=True, slots=True)
class StrategyLine:
    number: int
    text: str
    n_hits: int | None
    """None: nobody counted."""
    counted_in: str = ""
    """Where it was counted: "PubMed" or "the 3,000 publications of this topic"."""


@dataclass(frozen=True, slots=True)
class SearchFacts:
    version: str
    """The label of the version that it became."""
    source: str
    """What was searched: a database, a file, or the topic's own publications."""
    platform: str
    """Through what it was searched; empty: not known."""
    how: How
    text: str
    """As the searcher wrote it."""
    dialect: str | None
    sent: Ids
    """Exactly as it was run, if several in parts whose results were united; empty: not known."""
    lines: tuple[StrategyLine, ...]
    limits: Ids
    """Each limit or restriction in words; empty: none was set by the string or the source's choices."""
    began: str | None
    """ISO 8601 with zone."""
    ended: str | None
    n_total: int | None
    """The source's own count."""
    n_records: int | None
    """Records that came."""
    n_publications: int | None
    """Different publications in the version."""
    most: int | None = None
    """The cap; None: there was none."""
    n_aside: int = 0
    """Records that could not be read."""
    losses: Ids = ()
    """What of the text could not be said to the source."""
    repeats: str | None = None
    """When the search that it repeats was run."""
    sentence: str = ""
    """The search as a methods section tells it; empty where that is not known."""
    number: int = 0
    """Of the version."""
    origin: str = ""
    """Where its wording came from: baseline, generated, manual or review."""
    n_searched: int | None = None
    """Publications that it was run over, if it was run over the topic's own; None: not known, or it was not."""
    semantics: str | None = None
    """How words were matched, where it was run over the topic's own publications."""
    is_ranked: bool = False
    """A question in plain words: the best of a ranking, not all that match."""
    was_run: bool = True
    """False: its wording is kept, and nothing that it found."""
    total_last: int | None = None
    """The source's own count as the search ended, if `n_total` is the one as it began."""
    n_repeated: int = 0
    """Records that came again in the same search."""
    is_cut: bool = False
    """The cap cut it, or may have: the source's order decided what came."""
    advice: str = ""
    """What the cap means and what to do about it; empty: it does not cut."""
    form_totals: tuple[int | None, ...] = ()
    """The source's own count of each part that was sent; a part without one is None."""
    address: str = ""
    """Where the source was asked."""
    choices: str = ""
    """How the source was asked, where it can be asked in more than one way."""
    notes: Ids = ()
    """What the source or the run said that has to be known."""
    brought_at: str | None = None
    """When a file was brought in; says nothing of when its search was run."""
    changed_since: bool = False
    """The topic's publications are no longer those that it was run over, so its lines are counted over others."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    name: str
    role: str
    version: str | None
    format: str | None
    n_in_file: int
    n_rejected: int
    n_records: int = 0
    """Records that came in."""
    n_publications: int = 0
    """Different ones among them."""
    provider: str = ""
    """The database that it seems to come from; empty: it can't be told."""
    told_by: str = ""
    """What tells it: "form", as only that database writes such files, or "identifiers" of its records."""


@dataclass(frozen=True, slots=True)
class Deduplication:
    n_records: int
    n_publications: int
    by_rule: tuple[tuple[str, int], ...]
    """Records that each rule merged, in words."""
    n_by_hand: int
    n_kept_apart: int
    n_undecided: int | None
    """Pairs that look alike and that nobody decided about; None: not counted."""
    is_at_least: bool = False
    """There may be more undecided pairs than were counted."""
    over: str = "the reported searches"
    """Whose records these are."""


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A search in a live source that has not come to its end: it is no version yet, and is not reported."""

    source: str
    state: str
    """planned, running, paused or failed."""
    text: str
    n_records: int
    """Those that came so far."""
    made_at: str


@dataclass(frozen=True, slots=True)
class ReviewFacts:
    """A peer review (PRESS) of one version, as far as the record of the search needs it."""

    version: str
    reviewer: str
    """Empty: unnamed."""
    signed_at: str | None
    """None: not signed, or changed since."""
    verdict: str = ""
    """Over all; empty: none was given."""
    edited: Ids = ()
    """What was changed after it was signed, in words: such a review counts as not signed."""


@dataclass(frozen=True, slots=True)
class Answer:
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
    """The versions that are reported, in the order of their numbers."""
    files: tuple[FileFacts, ...]
    deduplication: Deduplication
    answers: dict[str, Answer] = field(default_factory=dict)
    """By item."""
    software: tuple[tuple[str, str], ...] = ()
    """Name and version of whatever took part."""
    n_reviews_signed: int = 0
    """Peer reviews (PRESS) of the reported versions that are signed."""
    reviews: tuple[ReviewFacts, ...] = ()
    """Peer reviews of the reported versions, signed or not."""
    unfinished: tuple[UnfinishedRun, ...] = ()
    n_corpus: int = 0
    """Publications that a query of this topic would be run over now."""
    n_found: int | None = None
    """Different publications in all reported versions together; None: none of them was run."""


# Limits and restrictions in a search string: years, languages, kinds of publication and the like, in words.

_KINDS = {
    "language": "language",
    "publication_type": "kind of publication",
    "publication_type_only": "kind of publication",
    "journal": "journal",
    "affiliation": "affiliation",
    "year": "publication years",
    "other": "filter or other field",
}
"""Fields that restrict what is found without saying what it is about."""
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
"""Headings that a thesaurus gives to nearly everything, so that they are used as limits."""
Fate = Callable[[int, int, Node | None], str]
"""From the first number of a limit, the number after its last, and its node, to whether it was applied, as a sentence
goes on after a semicolon. Without a node: (start, end) of the text."""


def limits_in(parsed: ParsedQuery, fate: Fate) -> Ids:
    """Each limit with the words of the string, and whether it was applied.

    >>> from core.query.parser import parse
    >>> limits_in(parse("heat[tiab] AND english[la] AND 2018:2020[dp]", "pubmed"), lambda *_: "sent with the string")
    ('language: “english[la]”; sent with the string', 'publication years: “2018:2020[dp]”; sent with the string')
    """
    found = [
        f"{kind}{', taken out with NOT' if is_excluded else ''}: “{_flat(node.extent.of(parsed.text))}”; "
        f"{fate(number, number + _size(node), node)}"
        for number, node, kind, is_excluded in _limits(parsed)
    ]
    idle = [line.span for line in parsed.lines if not line.used]
    left = [
        f"“{_flat(finding.span.of(parsed.text))}”; {fate(finding.span.start, finding.span.end, None)}"
        for finding in parsed.findings
        if finding.rule == "limit-left-out" and finding.severity != "hint"
        if not any(span.start <= finding.span.start < span.end for span in idle)
    ]
    return tuple(dict.fromkeys([*found, *left]))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _limits(parsed: ParsedQuery) -> Iterator[tuple[int, Node, str, bool]]:
    """The largest parts of the string that hold nothing but limits of one kind, with their numbers."""
    if parsed.root is None:
        return
    stack = [(0, parsed.root, False)]
    while stack:
        number, node, is_excluded = stack.pop()
        if isinstance(node, Not):
            stack.append((number + 1, node.part, not is_excluded))
            continue
        kinds = {_kind(leaf) for leaf in walk(node) if not parts_of(leaf)}
        if len(kinds) == 1 and (kind := next(iter(kinds))):
            yield number, node, kind, is_excluded
            continue
        below, at = [], number + 1
        for part in parts_of(node):
            below.append((at, part, is_excluded))
            at += _size(part)
        stack.extend(reversed(below))


def _kind(leaf: Node) -> str:
    """What sort of limit a leaf is; empty: none."""
    if isinstance(leaf, Range):
        return "publication years"
    if isinstance(leaf, Heading):
        return _CHECK_TAGS.get(leaf.name.casefold(), "")
    if isinstance(leaf, Term) and leaf.fields and all(field in _KINDS for field in leaf.fields):
        return _KINDS[leaf.fields[0]]
    return ""


def _size(node: Node) -> int:
    return sum(1 for _ in walk(node))


# The lines of a search strategy: those it is written in, else the parts that its ANDs and NOTs combine.

MOST_LINES = 200
"""A string with more parts than that is shown as one line."""


@dataclass(frozen=True, slots=True)
class LinePart:
    number: int
    text: str
    root: Node | None
    """None: nothing of it is looked for by itself."""
    is_whole: bool = False
    """It stands for the whole strategy."""
    n_written: int | None = None
    """The hits that are written behind it in the strategy, as databases print it."""


def parts_in(parsed: ParsedQuery) -> tuple[LinePart, ...]:
    """Every line once; the last one is the whole strategy.

    >>> from core.query.parser import parse
    >>> [part.text for part in parts_in(parse("(heat OR warmth) AND tree* NOT indoor"))]
    ['(heat OR warmth)', 'tree*', 'indoor', '1 AND 2 NOT 3']
    """
    if parsed.lines:
        return _numbered(parsed)
    whole = parsed.text.strip()
    clauses = _clauses(parsed.root) if parsed.root is not None else []
    if not 1 < len(clauses) <= MOST_LINES:
        return (LinePart(1, whole, parsed.root, is_whole=True),) if whole else ()
    found: list[LinePart] = []
    said = ""
    for number, (node, is_excluded) in enumerate(clauses, start=1):
        found.append(LinePart(number, node.extent.of(parsed.text), node))
        joint = "" if not said and not is_excluded else "NOT " if not said else " NOT " if is_excluded else " AND "
        said += f"{joint}{number}"
    return (*found, LinePart(len(found) + 1, said, parsed.root, is_whole=True))


def _numbered(parsed: ParsedQuery) -> tuple[LinePart, ...]:
    last = max((line.number for line in parsed.lines if line.root is parsed.root), default=0)
    out = []
    for line in parsed.lines:
        is_whole = line.number == last and line.root is not None and line.root is parsed.root
        out.append(LinePart(line.number, line.span.of(parsed.text), line.root, is_whole=is_whole, n_written=line.hits))
    return tuple(out)


def _clauses(node: Node) -> list[tuple[Node, bool]]:
    """What must hold, and what must not (True), in the order of the text."""
    if isinstance(node, Group) and node.operator == "AND":
        return [clause for part in node.parts for clause in _clauses(part)]
    return [(node.part, True)] if isinstance(node, Not) else [(node, False)]


def counted_lines(
    parsed: ParsedQuery,
    *,
    count: Callable[[Node], int | None] | None,
    counted_in: str,
    n_whole: int | None,
    whole_in: str,
) -> tuple[StrategyLine, ...]:
    """The lines with what they find. `count`: of a part alone; None: nobody can count. `n_whole`: of the whole."""
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
