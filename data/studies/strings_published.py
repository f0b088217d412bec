"""What was published of the same comparison: how often one string was better, and whether it is the same here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.studies.core_sets import Column
from core.studies.strings import TIE, Paired, TopicStrings, paired
from core.types import Origin
from data.studies.published import BESIDE_REVIEW, PUBLISHED_REGIONS, PublishedScore

PUBLISHED_PAIRS: Mapping[tuple[Origin, Origin], tuple[str, str]] = {
    ("baseline", "generated"): ("baseline", "predicted"),
    ("baseline", "review"): (BESIDE_REVIEW, "slr"),
}
"""Which labels were scored together: on one landscape, so that their difference means something."""
METRICS = ("semantic_precision", "f_beta")
"""The published recall is another number: it counts what lies inside the cosine region."""


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """One published number of two strings over topics, beside the same here."""

    paired: Paired
    n_here: int
    """Topics that have both strings published and both scored here."""
    n_same: int
    """Of these, topics in which the same string is higher, or neither is."""


def published_pairs(
    scores: Sequence[PublishedScore], rows: Sequence[TopicStrings], pairs: Sequence[tuple[Origin, Origin]]
) -> tuple[PublishedPair, ...]:
    """For those of these pairs that were published, each metric in each region."""
    values = {(s.topic_id, s.label, s.region): s for s in scores}
    topics = sorted({s.topic_id for s in scores})
    here = {row.topic_id: row for row in rows}
    found = []
    for a, b in pairs:
        labels = PUBLISHED_PAIRS.get((a, b))
        if labels is None:
            continue
        for metric in METRICS:
            for region in PUBLISHED_REGIONS:
                of = {
                    topic: (
                        getattr(values[topic, labels[0], region], metric),
                        getattr(values[topic, labels[1], region], metric),
                    )
                    for topic in topics
                    if (topic, labels[0], region) in values and (topic, labels[1], region) in values
                }
                if of:
                    found.append(_beside(paired(a, b, Column(metric, region), of), (a, b), of, here))
    return tuple(found)


def _beside(
    published: Paired,
    origins: tuple[Origin, Origin],
    values: Mapping[str, tuple[float, float]],
    here: Mapping[str, TopicStrings],
) -> PublishedPair:
    what = published.column
    n_here = n_same = 0
    for topic, (theirs_a, theirs_b) in values.items():
        if topic not in here:
            continue
        a, b = (here[topic].counted(origin, what) for origin in origins)
        if a is not None and b is not None:
            n_here += 1
            n_same += _direction(b - a) == _direction(theirs_b - theirs_a)
    return PublishedPair(published, n_here, n_same)


def _direction(difference: float) -> int:
    return (difference >= TIE) - (difference <= -TIE)
