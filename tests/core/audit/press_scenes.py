"""Reviews, and strings before a small corpus, for the tests of peer review."""

from __future__ import annotations

from dataclasses import replace

from core.audit.press import DOMAINS, Person, Request, Review, marks
from core.audit.press_concepts import EvidenceGrounds, StringCounts
from core.audit.press_evidence import evidence_by_domain
from core.query.contributions import MatchedQuery, Stakes
from core.query.match import match, none_of, of_rows
from core.query.parser import parse
from core.query.translation import DialectWriter
from core.settings import EvaluationSettings
from tests.core.query_scenes import FakeCorpus, texts_of

TITLES = (
    "heat waves and street trees",
    "street tree shade",
    "urban heat island survey",
    "review of heat waves and trees",
    "birch shade in towns",
    "cats and dogs",
)
CORE = (0, 3, 4)
AT = "2031-05-06T12:00:00+00:00"
LATER = "2031-05-07T12:00:00+00:00"
LAST = "2031-05-08T12:00:00+00:00"


def grounds(text, *, dialect=None, titles=TITLES, core=CORE, search=None):
    """A string before these publications."""
    parsed, corpus, counted = parse(text, dialect), FakeCorpus(texts_of(list(titles))), None
    if parsed.root is not None:
        n = len(titles)
        asked = MatchedQuery(
            text=text,
            matched=match(parsed.root, corpus, "literal"),
            corpus=corpus,
            texts=corpus.texts,
            semantics="literal",
            stakes=Stakes(of_rows(core, n), len(core), none_of(n), none_of(n), EvaluationSettings()),
            writer=DialectWriter(parsed.dialect),
        )
        counted = StringCounts(asked, {row: titles[row] for row in core}, tuple(corpus.ids[row] for row in core))
    return EvidenceGrounds(
        parsed, dialect is not None, counted, f"the {len(titles)} publications of this topic", search
    )


def told(text, domain, **how):
    """The sentences on one domain."""
    return [each.text for each in _domain(text, domain, **how).evidence]


def telling(text, domain, *facts, **how):
    """The sentences on one domain in which all of these facts stand."""
    return [sentence for sentence in told(text, domain, **how) if all(fact in sentence for fact in facts)]


def table(text, domain, name, **how):
    """One table of one domain, or none."""
    return next((each for each in _domain(text, domain, **how).tables if each.name == name), None)


def _domain(text, domain, **how):
    return next(each for each in evidence_by_domain(grounds(text, **how)) if each.domain == domain)


def review(text="(heat OR tree*) AND shade NOT cats", **changes):
    """A review as it is begun."""
    begun = Review(
        review_id="0123456789abcdef",
        topic="Street trees",
        version="v1",
        text=text,
        dialect="plain",
        requested_at=AT,
        counted_in="the 6 publications of this topic",
        request=Request(question="Do trees cool a street?", database="PubMed"),
        requestor=Person("Ann Asks", "A library", "ann@example.org"),
        domains=evidence_by_domain(grounds(text)),
        written_at=AT,
    )
    return replace(begun, **changes)


def decided(begun, *, name="Rob Reads"):
    """With everything that a reviewer has to say."""
    domains = tuple(
        replace(each, verdict="suggested" if each.domain == "words" else "none", comments=f"On {domain.title}.")
        for each, domain in zip(begun.domains, DOMAINS, strict=True)
    )
    changed = replace(begun, domains=domains, overall="suggested", overall_comments="Nearly there.")
    return replace(changed, reviewer=Person(name, "Another library"))


def with_comments(each, domain, text):
    """Other comments on one domain."""
    return each.with_domain(replace(each.domain(domain), comments=text))


def handed_over(sent):
    """The copy that the other side has after bringing a file in."""
    other = "reviewer" if sent.side == "requestor" else "requestor"
    return replace(sent, side=other, seen_at=sent.written_at, base=marks(sent))
