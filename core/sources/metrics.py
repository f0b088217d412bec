"""What the numbers about live sources say about themselves."""

from __future__ import annotations

from dataclasses import dataclass

from core.sources.drift import SHORTEST


@dataclass(frozen=True, slots=True)
class SourceMetric:
    """The definition of a number, in the words that tooltips, tables and the About page use."""

    metric_id: str
    label: str
    sentence: str
    formula: str
    range: str
    undefined: str
    reference: str
    higher_is_better: bool | None = True
    """None: no end is the better one."""


SOURCE_METRICS: dict[str, SourceMetric] = {
    metric.metric_id: metric
    for metric in (
        SourceMetric(
            "recall_within",
            "Recall within a source",
            "Of the core publications that a source indexes, the share that the string finds there. What the source "
            "does not have is not held against the string.",
            "found core publications / core publications that the source indexes",
            "0 to 1; 1: all that can be found there is found",
            "– if the source indexes none of them. Where it is not known of some whether the string finds them, it is "
            "told from what to what it may be. Publications that the source may not have are left out and counted.",
            "core publications are looked up one by one by DOI, PMID or title; whether the string finds one is asked "
            "of the source itself",
        ),
        SourceMetric(
            "attainable",
            "Attainable recall within a source",
            "The highest core recall that any string can reach in a source: the share of the core publications that it "
            "indexes at all. What is missing here is gained by another source, never by another string.",
            "core publications that the source indexes / core publications of which that is known",
            "0 to 1; 1: the source has them all",
            "– if it is known of none.",
            "",
        ),
        SourceMetric(
            "share_fetched",
            "Share under the cap",
            "Of what a string finds in a source, by the source's own total, the share that was fetched. Below 1 the "
            "cap or a ceiling of the source left something behind, and which publications that is hangs on the "
            "source's order.",
            "min(fetched, the source's own total) / the source's own total; a string that was sent in parts has a "
            "total between the largest and the sum of its parts, and so has this share",
            "0 to 1; 1: everything was fetched",
            "– if the source gives no total, or nothing was found.",
            "",
        ),
        SourceMetric(
            "drift",
            "Drift per month",
            "By how much the source's own total of the same string grows in a month. A search that is a year old lacks "
            "about twelve times as much.",
            "(last total - first total) / months between the two runs; a month has 365.25 / 12 days",
            "any number; 0: the total stayed as it was. It can fall: sources merge and withdraw records",
            f"– with fewer than two runs of the same string, or fewer than {SHORTEST:g} days between them.",
            "",
            None,
        ),
    )
}
