"""TRUST_METRICS: what each number about a judge says about itself. Agreement proper is in core.judging.agreement."""

from __future__ import annotations

from core.judging.agreement import JudgeMetric

_NOTHING = "– if nothing could be compared."
_RESAMPLED = "range over resampled queries"
_SHARE = f"{_RESAMPLED}; Wilson's where all or nothing holds"

TRUST_METRICS: dict[str, JudgeMetric] = {
    metric.metric_id: metric
    for metric in (
        JudgeMetric(
            "gap",
            "Gap",
            "How much more the judge gives than people do, on average.",
            "mean of (judge's grade - person's grade)",
            "0: the same on average; above 0: the judge is the kinder one",
            _NOTHING,
            f"ours; {_RESAMPLED}",
            higher_is_better=False,
        ),
        JudgeMetric(
            "share_same",
            "Same grade every time",
            "Share of triples that got one and the same grade however often they were asked.",
            "triples with the same grade in every repeat / triples with a grade in every repeat",
            "0 to 1",
            "– if nothing was asked twice.",
            f"ours; {_SHARE}",
        ),
        JudgeMetric(
            "mean_range",
            "Spread of repeats",
            "How far the highest and the lowest grade of the same triple lie apart, on average.",
            "mean of (highest - lowest grade of a triple)",
            "0: it never moves",
            "– if nothing was asked twice.",
            "ours",
            higher_is_better=False,
        ),
        JudgeMetric(
            "shift",
            "Shift",
            "How much a change of the texts moves the grade, on average.",
            "mean of (grade after the change - grade before it)",
            "0: the change does nothing",
            "– if nothing has a grade both before and after.",
            f"ours; {_RESAMPLED}",
            higher_is_better=False,
        ),
        JudgeMetric(
            "share_raised",
            "Raised by a demanded grade",
            "Share of triples below the highest grade that get a higher one once their abstract demands it.",
            "triples graded higher after the change / triples that had room for that",
            "0 to 1",
            "– if every triple had the highest grade already.",
            f"ours; {_SHARE}",
            higher_is_better=False,
        ),
        JudgeMetric(
            "share_lowered",
            "Lowered by the swap",
            "Share of triples above the lowest grade that get a lower one once subject and object of the query are "
            "swapped. A judge that reads who does what to whom lowers most of them.",
            "triples graded lower after the change / triples that had room for that",
            "0 to 1",
            "– if every triple had the lowest grade already.",
            f"ours; {_SHARE}",
        ),
        JudgeMetric(
            "share_accepted",
            "Accepted by the region",
            "Share of the publications with a grade that the region accepts: it rises with the grade where both agree.",
            "publications with this grade inside the region / publications with this grade",
            "0 to 1",
            "– if no publication has the grade.",
            "ours",
        ),
        JudgeMetric(
            "core_above",
            "Core graded higher",
            "How often a core publication has a higher grade than another one; equal grades count half.",
            "(pairs with the core higher + half of the equal pairs) / pairs of a core publication and another",
            "0 to 1; 0.5: grades don't tell them apart",
            "– without a core publication or without another one among what was graded.",
            "area under the curve: Hanley and McNeil (1982)",
        ),
        JudgeMetric(
            "rank_correlation",
            "Rank correlation",
            "Whether publications that are more similar to the core have higher grades; only the order counts.",
            "Pearson's correlation of ranks, equal values sharing their mean rank",
            "-1 to 1; 0: no connection",
            "– below 3 publications, or if all grades or all similarities are the same.",
            "Spearman (1904)",
        ),
    )
}
