"""A peer review of one search string: what is asked, what the tool noticed, what a reviewer says, and the reply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from core.audit.document import Table
from core.audit.press.domains import DOMAINS, Domain, DomainId, Verdict

Side = Literal["requestor", "reviewer"]
"""Who asks, and who is asked."""
ReviewState = Literal["requested", "under review", "signed", "replied"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who takes part."""

    name: str = ""
    """Empty: unnamed. Such a reviewer may work and save, but not sign."""
    affiliation: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What the requestor says of the search. Everything may be empty."""

    question: str = ""
    """The research question."""
    database: str = ""
    """What the string is written for, and through what it is searched."""
    included: str = ""
    """Criteria of what belongs to the review."""
    excluded: str = ""
    notes: str = ""
    """What else a reviewer should know."""
    wanted_by: str = ""
    """The date by which a review is hoped for."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that the tool noticed, in a plain sentence."""

    text: str
    look: bool = False
    """It deserves a look: a reviewer may want a revision."""
    rule: str = ""
    """The check that found it; empty: counted."""


@dataclass(frozen=True, slots=True)
class DomainReview:
    """One domain of one review."""

    domain: DomainId
    evidence: tuple[Evidence, ...] = ()
    tables: tuple[Table, ...] = ()
    """Numbers that belong to the evidence."""
    verdict: Verdict | None = None
    """None: nothing was decided yet."""
    comments: str = ""
    """The reviewer's."""
    reply: str = ""
    """The requestor's."""

    @property
    def about(self) -> Domain:
        """Number, title and questions."""
        return next(domain for domain in DOMAINS if domain.id == self.domain)


@dataclass(frozen=True, slots=True)
class Signature:
    """What the reviewer stood by, and when. It shows later edits; it proves nothing about who signed."""

    name: str
    signed_at: str
    """ISO 8601 in UTC."""
    parts: tuple[tuple[str, str], ...]
    """SHA-256 of each signed part, so that an edit can be named."""
    sha256: str
    """Of the name, the time and the parts together."""


@dataclass(frozen=True, slots=True)
class OtherText:
    """What the other side wrote in the same place: it does not stand there, and it is not lost."""

    part: str
    """As `parts` names it."""
    text: str
    side: Side
    """Who wrote it."""
    written_at: str
    """When the file that it came with was written; empty: it was in no file."""


@dataclass(frozen=True, slots=True)
class Review:
    """A review in whatever state it is."""

    review_id: str
    topic: str
    version: str
    """The version's label."""
    text: str
    """The search string, sign by sign."""
    dialect: str | None
    requested_at: str
    """ISO 8601 in UTC."""
    counted_in: str
    """Where the evidence was counted, as "the 3,000 publications of this topic"."""
    made_up: bool = False
    """The topic is generated for demonstration."""
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
    """When the requestor said to be done replying; empty: not yet."""
    others: tuple[OtherText, ...] = ()
    """Where both sides wrote in the same place, what does not stand there."""
    side: Side = "requestor"
    """Whose copy this is."""
    written_at: str = ""
    """When this copy was last changed or written as a file."""
    seen_at: str = ""
    """When the last file that was brought in had been written."""
    base: tuple[tuple[str, str], ...] = ()
    """Marks of the fields as the other side last had them: who changed what since can be told."""

    @property
    def state(self) -> ReviewState:
        """How far it is."""
        if self.signature is not None:
            return "replied" if self.replied_at else "signed"
        begun = self.overall or self.overall_comments or any(d.verdict or d.comments for d in self.domains)
        return "under review" if begun else "requested"

    @property
    def n_decided(self) -> int:
        """Domains with a verdict."""
        return sum(each.verdict is not None for each in self.domains)

    @property
    def requires_revision(self) -> bool:
        """Whether a domain requires a revision: then the whole does, as the form asks."""
        return any(each.verdict == "required" for each in self.domains)

    def domain(self, domain: DomainId) -> DomainReview:
        """One of the six."""
        return next(each for each in self.domains if each.domain == domain)

    def with_domain(self, changed: DomainReview) -> Review:
        """The same with one domain changed."""
        return replace(self, domains=tuple(changed if d.domain == changed.domain else d for d in self.domains))
