"""What the numbers of judged runs say about themselves."""

from __future__ import annotations

from core.judging.agreement import JudgeMetric

SMALL = 10
"""Queries below which a mean says little."""


JUDGE_METRICS: dict[str, JudgeMetric] = {
    metric.metric_id: metric
    for metric in (
        JudgeMetric(
            "mean_score",
            "Mean grade",
            "How relevant the publications of an answer are on average, every query counting the same; only grades "
            "that were really given count.",
            "mean over queries of (sum of a query's valid grades / their number), times the rubric's shown factor",
            "0 to 100 with the rubric that comes with Queryscape; 100: every publication matches directly",
            "– if no query has a valid grade. A query without one is left out and counted.",
            "range: 95 % bootstrap over queries (Efron 1979), so that grades of one query are never taken for "
            "independent ones",
        ),
        JudgeMetric(
            "coverage",
            "Coverage",
            "Share of the publications that have a grade. What could not be read, was refused, failed or was not asked "
            "is missing from it, and never counts as not relevant.",
            "valid grades / publications of the run",
            "0 to 1; 1: everything has a grade",
            "– if there is nothing to judge.",
            "",
        ),
        JudgeMetric(
            "share_at_cut",
            "Share at or above the cut",
            "How much of an answer has at least a certain grade, every query counting the same.",
            "mean over queries of (a query's valid grades at or above the cut / its valid grades)",
            "0 to 1; 1: every graded publication reaches the cut",
            "– if no query has a valid grade.",
            "precision at k, with grades of a judge in the place of given truth",
        ),
        JudgeMetric(
            "difference",
            "Difference",
            "By how much the mean grade of one engine is above that of another, on the queries that both have valid "
            "grades for.",
            "mean over common queries of (mean grade of b - mean grade of a)",
            "-100 to 100 with the rubric that comes with Queryscape; 0: none",
            "– if no query has valid grades of both; without a range below two such queries.",
            "paired randomization test (Smucker, Allan and Carterette 2007), bootstrap range, p corrected over all "
            "pairs (Holm 1979)",
        ),
        JudgeMetric(
            "mean_at_rank",
            "Mean grade at a rank",
            "How relevant what stands at this rank is on average. An engine that sorts well falls from left to right.",
            "mean over queries of the valid grade at the rank",
            "0 to 100 with the rubric that comes with Queryscape",
            "– if no query has a valid grade at the rank.",
            "",
        ),
        JudgeMetric(
            "agreement_at_confidence",
            "Right at a confidence",
            "Of what the judge gave this confidence and a person graded as well: how often both gave the same grade. "
            "A judge whose confidence means something is right more often where it is sure.",
            "same grades / triples graded by both at this confidence",
            "0 to 1; 1: always the same grade",
            "– if no person graded any of them.",
            "reliability diagrams (Murphy and Winkler 1977)",
        ),
    )
}
