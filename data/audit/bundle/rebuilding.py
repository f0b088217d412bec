"""A bundle is rebuilt: scores counted anew, reports built anew, and what differs from what it says is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from core.audit.press.domains import Review
from core.audit.press.reading import press_document
from core.audit.quality.scores import quality_report
from core.audit.quality.summary import QualityFacts
from core.audit.rebuilding import recount, taken_over
from core.audit.reporting.numbers import prisma_s
from core.audit.types import AuditFacts
from core.audit.whole import MADE_WITH, Document
from core.errors import FormatError
from data.audit.bundle.contents import Facts, contents
from data.audit.bundle.layout import Bundle
from data.store import content_hash

_SENSELESS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
    np.linalg.LinAlgError,
)
"""What counting and building may end in where facts were edited so that they fit their types and make no sense."""
RECORDED = "What was searched, when and with what result, and what people said of it, can be read but not rebuilt."


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """What came out of a bundle, and whether it is what the bundle says."""

    audit: AuditFacts
    quality: QualityFacts
    """With every score that could be counted anew."""
    reviews: tuple[Review, ...]
    documents: tuple[Document, ...]
    """The reports of the bundle, in their order."""
    tables: Mapping[str, bytes]
    """Every table as a file, by its name in the bundle."""
    differing: tuple[str, ...]
    """Files of the bundle that came out otherwise; empty: every byte is the same."""
    taken_over: tuple[str, ...]
    """What can't be rebuilt and why, one sentence each."""
    largest_difference: float
    """Between a score of the bundle and the same score counted anew; 1 where only one of them is defined."""
    differing_scores: tuple[str, ...] = ()
    """Scores that were counted anew and came out otherwise, one sentence each."""


def rebuild(bundle: Bundle) -> Rebuilt:
    """Count and build everything again; nothing but the bundle is looked at."""
    try:
        with np.errstate(all="ignore"):
            return _rebuilt(bundle)
    except _SENSELESS as e:
        raise FormatError(
            f"{bundle.name} can't be rebuilt: what it holds makes no sense together ({type(e).__name__}: {str(e)[:80]})"
        ) from e


def _rebuilt(bundle: Bundle) -> Rebuilt:
    counted = recount(bundle.quality)
    facts = Facts(bundle.audit, counted.facts, bundle.making, bundle.reviews, bundle.abstracts)
    documents = tuple(_documents(facts))
    files = contents(facts, documents)
    names = sorted({*files, *bundle.files})
    return Rebuilt(
        audit=bundle.audit,
        quality=counted.facts,
        reviews=bundle.reviews,
        documents=documents,
        tables={name: content for name, content in sorted(files.items()) if name.endswith(".csv")},
        differing=tuple(name for name in names if files.get(name) != bundle.files.get(name)),
        taken_over=(*taken_over(bundle.quality), *_taken_over(bundle)),
        largest_difference=counted.largest_difference,
        differing_scores=(*counted.differing, *_other_ids(counted.facts)),
    )


def _documents(facts: Facts) -> Iterator[Document]:
    """Each report by the function that built it."""
    reviews = iter(facts.reviews)
    for entry in facts.making.reports:
        at, made_with = entry.made_at, entry.made_with
        if entry.kind == "prisma-s":
            yield prisma_s(facts.audit, made_at=at, made_with=made_with)
        elif entry.kind == "press":
            yield press_document(next(reviews), made_at=at, made_with=made_with)
        else:
            yield quality_report(facts.quality, made_at=at, made_with=made_with, abstracts=facts.abstracts)


def _other_ids(quality: QualityFacts) -> Iterator[str]:
    """Lists of ids that are not those that their names were made from."""
    for version in quality.versions:
        evaluation = version.evaluation
        if not version.unscored_ids and content_hash(evaluation.scorable_ids) != version.retrieved_hash:
            yield f"{version.label}: the publications are not those that its hash was made from."
        if content_hash(evaluation.core_ids) != quality.core_hash:
            yield f"{version.label}: the core publications are not those that their hash was made from."


def _taken_over(bundle: Bundle) -> Iterator[str]:
    if bundle.made_with not in ("", MADE_WITH):
        written_with = " ".join(bundle.made_with.split())[:60]
        yield (
            f"The bundle was written with {written_with} and is rebuilt with {MADE_WITH}: a file may differ because "
            "reports are worded or drawn otherwise."
        )
    without = [version.label for version in bundle.quality.versions if version.unscored_ids]
    if without:
        yield (
            "In what order publications without a vector were retrieved is not kept, so the hash of what was retrieved "
            f"can't be checked ({', '.join(without)})."
        )
    yield RECORDED
