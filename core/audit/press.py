"""A PRESS peer review of a search string: domains, requests, answers, and signatures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, cast

from core.errors import InputError
from core.query.checks.rules import RULES
from core.report import Table
from core.text import listed
from core.types import Ids

# The six domains of PRESS 2015: their official titles, guiding questions in our words, and the checks that apply.
#
# Titles and subjects: McGowan J, Sampson M, Salzwedel DM, Cogo E, Foerster V, Lefebvre C. PRESS Peer Review of
# Electronic Search Strategies: 2015 Guideline Statement. J Clin Epidemiol 2016;75:40-46. doi
# 10.1016/j.jclinepi.2016.01.021.

DomainId = Literal["question", "operators", "headings", "words", "spelling", "limits"]
Verdict = Literal["none", "suggested", "required"]
CITATION = (
    "McGowan J, Sampson M, Salzwedel DM, Cogo E, Foerster V, Lefebvre C. PRESS Peer Review of Electronic Search "
    "Strategies: 2015 Guideline Statement. J Clin Epidemiol 2016;75:40-46. doi:10.1016/j.jclinepi.2016.01.021"
)
VERDICTS: dict[Verdict, str] = {
    "none": "No revisions",
    "suggested": "Revision(s) suggested",
    "required": "Revision(s) required",
}
"""The labels of the form, mildest first."""


@dataclass(frozen=True, slots=True)
class Domain:
    """One of the six aspects of a search that a reviewer assesses."""

    id: DomainId
    number: int
    """The number in the form, from 1."""
    title: str
    """The official title."""
    asks: tuple[str, ...]
    """Guiding questions, in our words."""
    rules: tuple[str, ...]
    """The checks that count as evidence here: ids of `core.query.checks.rules.RULES`."""

    @property
    def item(self) -> str:
        """The item id used in prompts, such as "press:3"."""
        return f"press:{self.number}"


DOMAINS: tuple[Domain, ...] = (
    Domain(
        "question",
        1,
        "Translation of the research question",
        (
            "Does the search string match the research question?",
            "Is every concept of the question included, and clearly separated from the others?",
            "Is a concept unnecessary, or is one missing?",
            "Is a concept too broad or too narrow?",
            "Does it retrieve too many or too few publications? Check the hits of each part.",
            "Is anything unusual about it explained?",
        ),
        ("empty",),
    ),
    Domain(
        "operators",
        2,
        "Boolean and proximity operators",
        (
            "Are AND, OR, NOT and proximity operators used correctly?",
            "Do the brackets group the right terms?",
            "Could a NOT exclude relevant publications?",
            "Would a phrase or a proximity operator be more precise than AND?",
            "Is each proximity operator wide enough, but not too wide?",
        ),
        (
            "missing-term",
            "near-group",
            "unknown-operator",
            "contradiction",
            "adjacent-terms",
            "mixed-operators",
            "leading-not",
            "not-removes-core",
            "not-term-removes-core",
            "not-animals",
            "and-within-concept",
            "operator-in-quotes",
            "absorbed-group",
            "or-between-concepts",
            "not-words",
            "wide-proximity",
        ),
    ),
    Domain(
        "headings",
        3,
        "Subject headings",
        (
            "Do the headings fit the concepts? Is one missing, such as a heading used in earlier years?",
            "Are they too broad or too narrow, and exploded where narrower headings are relevant?",
            "Are headings restricted to the main focus, and is that intended?",
            "Are subheadings missing, or do they exclude too much?",
            "Does each concept have both subject headings and text words?",
        ),
        (
            *("wildcard-in-heading", "not-exploded", "not-testable", "unknown-heading", "heading-replaced"),
            *("heading-after-period", "heading-not-in-file", "heading-by-name"),
        ),
    ),
    Domain(
        "words",
        4,
        "Text word searching",
        (
            "Are spelling variants, plurals, antonyms and synonyms included?",
            "Are words truncated in the right place, neither too early nor too late?",
            "Are abbreviations appropriate, and spelt out as well?",
            "Are the words specific enough, and not too numerous?",
            "Are the right fields searched?",
            "Should a long string be split?",
        ),
        (
            "no-hits",
            "duplicate-term",
            "short-stem",
            "subsumed-term",
            "subsumed-by-hits",
            "stem-without-wildcard",
            "missing-variant",
            "mixed-fields",
            "untagged-term",
            "long-or",
            "title-only",
        ),
    ),
    Domain(
        "spelling",
        5,
        "Spelling, syntax, and line numbers",
        (
            "Is a word misspelt?",
            "Are the symbols, wildcards and field tags valid in this database?",
            "Are lines combined by the right numbers, and is every line used?",
        ),
        (
            "too-long",
            "too-deep",
            "unbalanced-bracket",
            "unbalanced-quote",
            "wrong-quotes",
            "missing-space",
            "unknown-field",
            "spaced-field",
            "no-word",
            "wildcard-alone",
            "unknown-line",
            "several-histories",
            "line-numbers",
            "joined-lines",
            "mixed-dialects",
            "text-left-out",
            "heading-line",
            "hit-count",
            "empty-brackets",
            "lower-case-operator",
            "unused-line",
            "wildcard-not-allowed",
            "foreign-wildcard",
            "wildcard-outside-phrase",
            "words-beside-near",
            "misspelt-word",
            "curly-quotes",
        ),
    ),
    Domain(
        "limits",
        6,
        "Limits and filters",
        (
            "Do all limits and filters fit the research question?",
            "Do they fit the database?",
            "Would another filter help?",
            "Is the source of each filter cited?",
        ),
        ("limit-left-out", "language-limit", "limit-in-or", "humans-limit", "impossible-years"),
    ),
)
"""In the order of the form."""
DOMAIN_OF_RULE: dict[str, Domain] = {rule: domain for domain in DOMAINS for rule in domain.rules}


# The peer review of one search string: the request, the evidence, the reviewer's verdicts, and the reply.

Side = Literal["requestor", "reviewer"]
"""The two roles: the person who requests the review, and the person who reviews."""
ReviewState = Literal["requested", "under review", "signed", "replied"]


@dataclass(frozen=True, slots=True)
class Person:
    name: str = ""
    """Empty: unnamed. An unnamed reviewer can work and save, but not sign."""
    affiliation: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """The requestor's description of the search. Every field may be empty."""

    question: str = ""
    """The research question."""
    database: str = ""
    """The database that the string is written for, and the platform."""
    included: str = ""
    """Inclusion criteria of the review."""
    excluded: str = ""
    notes: str = ""
    """Anything else a reviewer should know."""
    wanted_by: str = ""
    """The date by which the review is needed."""


@dataclass(frozen=True, slots=True)
class PressEvidence:
    """One observation of the tool, in a plain sentence."""

    text: str
    look: bool = False
    """It deserves a look: a reviewer may want a revision."""
    rule: str = ""
    """The check that found it; empty: it was counted."""


_SEVERITIES = ("error", "warning", "hint")
_URGENCY = {rule.id: _SEVERITIES.index(rule.severity) for rule in RULES.values()}
"""By rule; evidence that was counted is as urgent as a warning."""


@dataclass(frozen=True, slots=True)
class DomainReview:
    domain: DomainId
    evidence: tuple[PressEvidence, ...] = ()
    tables: tuple[Table, ...] = ()
    """Numbers that belong to the evidence."""
    verdict: Verdict | None = None
    """None: not decided yet."""
    comments: str = ""
    """The reviewer's comments."""
    reply: str = ""
    """The requestor's reply."""

    @property
    def about(self) -> Domain:
        return next(domain for domain in DOMAINS if domain.id == self.domain)

    @property
    def findings(self) -> tuple[PressEvidence, ...]:
        """The evidence that deserves a look: errors first, then warnings and counts, then hints."""
        return tuple(sorted((each for each in self.evidence if each.look), key=lambda each: _URGENCY.get(each.rule, 1)))

    @property
    def facts(self) -> tuple[PressEvidence, ...]:
        """The other evidence: counts, and notes that need no revision."""
        return tuple(each for each in self.evidence if not each.look)


@dataclass(frozen=True, slots=True)
class Signature:
    """A reviewer's signature on a review. It reveals later edits, but does not prove who signed."""

    name: str
    signed_at: str
    """ISO 8601 in UTC."""
    parts: tuple[tuple[str, str], ...]
    """The SHA-256 of each signed part, so that an edit can be located."""
    sha256: str
    """The SHA-256 of name, time and parts together."""


@dataclass(frozen=True, slots=True)
class OtherText:
    """A text that the other side wrote in the same part. It is not in effect, but it is not lost."""

    part: str
    """The part's id, as in `PARTS`."""
    text: str
    side: Side
    """The side that wrote it."""
    written_at: str
    """The time when its file was written; empty: it did not come from a file."""


NO_TOPIC, PASTED = "no topic", "pasted string"
"""The topic and the version of a review of a string that belongs to none."""


@dataclass(frozen=True, slots=True)
class Review:
    review_id: str
    topic: str
    version: str
    """The version's label, the name of a recorded search, or `PASTED`."""
    text: str
    """The search string, verbatim."""
    dialect: str | None
    requested_at: str
    """ISO 8601 in UTC."""
    counted_in: str
    """The publications that the evidence was counted in, such as "the 3,000 publications of this topic"."""
    made_up: bool = False
    """True for demo topics."""
    request: Request = Request()
    requestor: Person = Person()
    reviewer: Person = Person()
    domains: tuple[DomainReview, ...] = tuple(DomainReview(domain.id) for domain in DOMAINS)
    """All six, in the order of the form."""
    overall: Verdict | None = None
    overall_comments: str = ""
    overall_reply: str = ""
    signature: Signature | None = None
    replied_at: str = ""
    """The time when the requestor finished replying; empty: not yet."""
    others: tuple[OtherText, ...] = ()
    """Texts that are not in effect, from parts that both sides wrote."""
    side: Side = "requestor"
    """The owner of this copy."""
    written_at: str = ""
    """The time when this copy was last changed or written to a file."""
    seen_at: str = ""
    """The time when the last imported file had been written."""
    base: tuple[tuple[str, str], ...] = ()
    """Marks of the parts as the other side last had them: they show which side has changed which part since."""
    is_search: bool = False
    """The string is the one of a recorded search, not of a version."""

    @property
    def subject(self) -> str:
        """Return the subject of the review, within a sentence.

        >>> review = Review("0123456789abcdef", "Heat", "MEDLINE (Ovid)", "heat", None, "", "")
        >>> review.subject, replace(review, is_search=True).subject, replace(review, version=PASTED).subject
        ('version “MEDLINE (Ovid)”', 'the search “MEDLINE (Ovid)”', 'a pasted string')
        """
        if self.is_search:
            return f"the search “{self.version}”"
        return "a pasted string" if self.version == PASTED else f"version “{self.version}”"

    @property
    def state(self) -> ReviewState:
        if self.signature is not None:
            return "replied" if self.replied_at else "signed"
        begun = self.overall or self.overall_comments or any(d.verdict or d.comments for d in self.domains)
        return "under review" if begun else "requested"

    @property
    def n_decided(self) -> int:
        return sum(each.verdict is not None for each in self.domains)

    @property
    def requires_revision(self) -> bool:
        """Return True if a domain requires a revision: the form then requires one overall."""
        return any(each.verdict == "required" for each in self.domains)

    def domain(self, domain: DomainId) -> DomainReview:
        return next(each for each in self.domains if each.domain == domain)

    def with_domain(self, changed: DomainReview) -> Review:
        return replace(self, domains=tuple(changed if d.domain == changed.domain else d for d in self.domains))


# The parts of a review that people write: the owner of each, its text, and a short mark of the text.

SIGNATURE = "signature"
STRING = "string"
"""Two parts that no one edits, but that may differ."""
MARK_LENGTH = 24
"""Characters of a hash that distinguish the texts of a part."""


@dataclass(frozen=True, slots=True)
class PressPart:
    id: str
    """An id such as "operators.comments" or "reviewer.name"."""
    words: str
    """The name used in sentences."""
    owner: Side
    """The side whose text takes effect if both wrote."""
    read: Callable[[Review], str]
    write: Callable[[Review, str], Review]


def shown(part: PressPart, text: str) -> str:
    return VERDICTS.get(cast(Verdict, text), text) if part.id.endswith(".verdict") else text


def canonical(value: object) -> str:
    """Serialise a value in its one canonical form, so that equal values have equal hashes everywhere."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256(value: object) -> str:
    """Hash the canonical form of a value."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def mark(text: str) -> str:
    return sha256(text)[:MARK_LENGTH]


def marks(review: Review) -> tuple[tuple[str, str], ...]:
    return tuple((part.id, mark(part.read(review))) for part in PARTS.values())


_REQUEST = {
    "question": "the research question",
    "database": "the database",
    "included": "the inclusion criteria",
    "excluded": "the exclusion criteria",
    "notes": "the requestor's notes",
    "wanted_by": "the date by which the review is needed",
}
_PERSON = {"name": "name", "affiliation": "affiliation", "email": "address"}
_WRITERS: dict[str, Side] = {"verdict": "reviewer", "comments": "reviewer", "reply": "requestor"}
_DOMAIN_IDS = frozenset(domain.id for domain in DOMAINS)


def _part(part_id: str, words: str, owner: Side, attribute: str, of: str = "") -> PressPart:
    """Return the part that is an attribute of the review; with `of`, of a domain or of another record in the review."""

    def record(review: Review) -> Any:
        return (review.domain(of) if of in _DOMAIN_IDS else getattr(review, of)) if of else review

    def write(review: Review, text: str) -> Review:
        value = text if attribute not in ("verdict", "overall") or text in VERDICTS else None
        changed = replace(record(review), **{attribute: value})
        if not of:
            return cast(Review, changed)
        changes: dict[str, Any] = {of: changed}
        return review.with_domain(changed) if of in _DOMAIN_IDS else replace(review, **changes)

    return PressPart(part_id, words, owner, lambda review: getattr(record(review), attribute) or "", write)


def _parts() -> Iterator[PressPart]:
    for name, words in _REQUEST.items():
        yield _part(f"request.{name}", words, "requestor", name, "request")
    sides: tuple[Side, ...] = ("requestor", "reviewer")
    for side in sides:
        for name, words in _PERSON.items():
            yield _part(f"{side}.{name}", f"the {side}'s {words}", side, name, side)
    for domain in DOMAINS:
        for name, owner in _WRITERS.items():
            yield _part(f"{domain.id}.{name}", f"the {name} on domain {domain.number}", owner, name, domain.id)
    for name, owner in _WRITERS.items():
        attribute = "overall" if name == "verdict" else f"overall_{name}"
        yield _part(f"overall.{name}", f"the overall {name}", owner, attribute)


PARTS: dict[str, PressPart] = {part.id: part for part in _parts()}
"""By id, in the order of the form."""


def words_of(part: str) -> str:
    if part == STRING:
        return "the search string"
    return "the signature" if part == SIGNATURE else PARTS[part].words


# Sign a review and detect later changes.
#
# A signature consists of a name, a time, and a SHA-256 of each signed part. Anyone can write one: it reveals
# accidental and casual changes, but does not prove who signed.

NO_PROOF = (
    "The signature shows whether anything was changed after signing. It is not a cryptographic proof of who signed."
)


def missing(review: Review) -> Ids:
    """List the steps that remain before the review can be signed; empty: none."""
    return tuple(_missing(review))


def _missing(review: Review) -> Iterator[str]:
    if not review.reviewer.name.strip():
        yield "give the reviewer's name"
    open_ones = [str(each.about.number) for each in review.domains if each.verdict is None]
    if open_ones:
        yield f"give a verdict on domain{'s' if len(open_ones) > 1 else ''} {listed(open_ones)}"
    silent = [str(d.about.number) for d in review.domains if d.verdict in ("suggested", "required") and not d.comments]
    if silent:
        yield f"describe the revisions in the comments on domain{'s' if len(silent) > 1 else ''} {listed(silent)}"
    if review.overall is None:
        yield "give the overall verdict"
    elif review.requires_revision and review.overall != "required":
        yield "set the overall verdict to “Revision(s) required”, because a domain requires revisions"


def signed(review: Review, *, at: str) -> Review:
    """Return the review signed by its reviewer at this time. Raise an error that lists missing steps."""
    to_do = missing(review)
    if to_do:
        raise InputError(f"the review can't be signed yet: {'; '.join(to_do)}. Your text is saved")
    name, parts = review.reviewer.name.strip(), _hashes(review)
    return replace(review, signature=Signature(name, at, parts, _whole(name, at, parts)), replied_at="")


def edited_parts(review: Review) -> Ids:
    """List the parts that were changed after signing; empty: none, or the review is not signed."""
    signature = review.signature
    if signature is None:
        return ()
    then, words = dict(signature.parts), {name: text for name, text, _ in _signed(review)}
    found = [words[name] for name, now in _hashes(review) if then.get(name) != now]
    if signature.sha256 != _whole(signature.name, signature.signed_at, signature.parts):
        found.append("the name or time of the signature")
    elif review.reviewer.name.strip() != signature.name:
        found.append("the reviewer's name")
    return tuple(found)


def holds_since(review: Review) -> str | None:
    """Return the time of signing; None: not signed, or changed since, so that it must be signed again."""
    return None if review.signature is None or edited_parts(review) else review.signature.signed_at


def _whole(name: str, at: str, parts: tuple[tuple[str, str], ...]) -> str:
    return sha256([name, at, [list(part) for part in parts]])


def _hashes(review: Review) -> tuple[tuple[str, str], ...]:
    return tuple((name, sha256(value)) for name, _, value in _signed(review))


def _signed(review: Review) -> Iterator[tuple[str, str, object]]:
    """Yield the id, the name in sentences, and the value of each part that a signature covers."""
    yield "string", "the search string", [review.text, review.dialect, review.topic, review.version]
    yield "request", "the request", asdict(review.request)
    for each in review.domains:
        number = each.about.number
        evidence = [[asdict(found) for found in each.evidence], [asdict(table) for table in each.tables]]
        yield f"{each.domain}.evidence", f"the evidence on domain {number}", evidence
        for field in ("verdict", "comments"):
            part = PARTS[f"{each.domain}.{field}"]
            yield part.id, part.words, part.read(review)
    for name in ("overall.verdict", "overall.comments"):
        yield name, PARTS[name].words, PARTS[name].read(review)
