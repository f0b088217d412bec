"""The page About the numbers: the definition of every metric."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.citation import citation_bibtex, citation_text, works_sentence
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS, REGIONS
from core.explore.uncertainty import COVERAGE, coverage_sentence
from core.judge.confidence import REASON_WORDS
from core.judge.grades import JUDGE_METRICS
from core.judge.judgments import STATUS_WORDS
from core.judge.reliability import TRUST_METRICS
from core.judge.trust import CHECKS, LIMITS_ABOUT
from core.knowledge.query_quality import QUALITIES, SHARES
from core.knowledge.statistics import SET_STATISTICS
from core.metrics import METRICS, Metric
from core.query.checks.rules import RULES
from core.query.dialects import DIALECTS, in_words, order_of
from core.retrieval.metrics import RANKING_METRICS
from core.retrieval.specs import RETRIEVERS
from core.sources.runs import SOURCE_METRICS
from core.stats import AGREEMENTS
from core.text import upper_first
from core.version import VERSION
from core.writer.gains import WRITER_METRICS
from dashboard.controls import CONTROLS, COSINE_MODES
from dashboard.messages import sentence
from dashboard.words import plain
from dashboard.workbench.document import FACES
from data.judge.rubric import our_rubrics

COMPARING = {
    "Scores": (
        "Each version has its own, as on the Workbench: its ellipsoid and hull enclose the core publications it found."
    ),
    "Difference": (
        "The later version minus the earlier. Cosine and nearest core use the same core for both. Ellipsoid and hull "
        "are fitted to the full core set, the same for both versions, so that finding less of the core is not "
        "rewarded with a smaller area; such a difference can differ from that of the scores. A cluster belongs to "
        "one list, so clusters have no difference."
    ),
    "Range of a difference": (
        "Core publications are resampled with replacement, the same ones for both versions; the range is the middle "
        "95 % of the differences. A difference is clear if its range, which includes its own value, excludes 0. How "
        "often such ranges contained the true value is shown above."
    ),
    "Recall against records": (
        "A version is on the frontier unless another one finds at least as many core publications in at most as many "
        "records, and is strictly better in one of the two. Whiskers are Wilson 95 % confidence intervals of recall."
    ),
    "Sensitivity": (
        "F-beta under other reasonable choices, one change at a time: decay, beta, the similarity threshold, the "
        "core share, the region. The order of two versions changes where the other one is ahead. A meaningless "
        "value, such as that of a cluster that is the whole list, has no rank."
    ),
}


def render() -> None:
    st.title("About the numbers")
    st.write(
        "Queryscape measures two things about a literature search query: which known core publications it finds, and "
        "how much of its result is semantically close to them. Every number on the pages is defined here."
    )
    st.header("Scores")
    _define_metrics(METRICS)
    st.header("Regions")
    st.write("A region decides which retrieved publications count as relevant.")
    for kind in DEFAULT_REGIONS:
        _define(REGION_LABELS[kind], plain(REGIONS[kind].accepts))
    st.header("Settings")
    for control in CONTROLS.values():
        _define(control["label"], plain(control["help"]))
    for label, text in COSINE_MODES.values():
        _define(f"Threshold: {label.lower()}", plain(text))
    _define_searching()
    st.header("Ranges")
    st.write(
        "The range of core recall is a Wilson 95 % confidence interval. The ranges under F-beta show how far a score "
        "moves with another core set of the same kind (resampled); they are not confidence intervals. Simulations "
        "show how often they contain the true score:"
    )
    st.markdown("\n".join(f"- {plain(coverage_sentence(mode))}" for mode in COVERAGE))
    _define_comparing()
    _define_ranking()
    _define_knowledge()
    _define_judging()
    _define_writing()
    _define_sources()
    st.header("Origin of the method")
    st.write(
        "Semantic precision, decay and F-beta: LitQEval (Saknini et al., 2024). Where its text, its code and its "
        "figures disagree, Queryscape computes what this page says; the published code's choices can be reproduced on "
        "the command line with --compat litqeval-2024."
    )
    st.header("Version and citation")
    st.write(f"This is Queryscape {VERSION}. Cite the version that computed your numbers:")
    st.code(citation_text(), language=None, wrap_lines=True)
    st.code(citation_bibtex(), language="bibtex")
    st.write(plain(f"Cite the methods that you use, too: {works_sentence()}."))


def _define_ranking() -> None:
    st.header("Rankings and retrievers")
    st.write(
        "A ranking is ordered by score, then by document id. Queries without a positive judgment are left out and "
        "counted. Every metric is a mean over queries; its interval is a bootstrap over queries. Two retrievers are "
        "compared by a paired randomization test, corrected for the number of pairs (Holm)."
    )
    _define_metrics(RANKING_METRICS)
    for kind in RETRIEVERS.values():
        _define(kind.label, f"{plain(kind.sentence)}  \n:small[{plain(f'Needs {kind.needs}. {kind.reference}.')}]")


def _define_knowledge() -> None:
    st.header("Sets of queries and their ratings")
    st.write(
        "A set of queries can be compared with others and with a text. People rate queries from 1 to 5. Several "
        "ratings by one person, or of one query, are not independent: where that is known the interval is a "
        "bootstrap over queries, otherwise Wilson's."
    )
    _define_metrics(SET_STATISTICS)
    for quality in QUALITIES.values():
        _define(quality.label, plain(f"{quality.question} 1: {quality.lowest}; 5: {quality.highest}."))
    _define_metrics(SHARES)
    _define_metrics(AGREEMENTS)


def _define_judging() -> None:
    st.header("The judge")
    st.write(
        "When no relevance judgments exist, a language model can grade how relevant a publication is to a query. "
        "Only actual grades count: an answer that is unreadable, refused or failed is excluded and never counts as "
        "not relevant. So every mean is shown with its coverage. A person can overrule a grade: theirs counts then, "
        "and both are stored. The judge's reliability is measured, not assumed."
    )
    for rubric in our_rubrics():
        with st.expander(plain(f"The grades: {rubric.name}")):
            for grade in rubric.grades:
                _define(f"{rubric.shown(grade.points):g}: {grade.name}", plain(grade.text))
    _define_metrics(JUDGE_METRICS)
    with st.expander("Outcomes of judgments"):
        for status, words in STATUS_WORDS.items():
            _define(upper_first(words), f"`{status}`")
    with st.expander("Judgments to check"):
        st.markdown("\n".join(f"- {plain(sentence(words))}" for words in REASON_WORDS.values()))
    with st.expander("Reliability of a judge"):
        _define_metrics(TRUST_METRICS)
    with st.expander("When a check of a judge passes"):
        for check in CHECKS.values():
            _define(check.label, plain(sentence(check.limits)))
        st.caption(plain(LIMITS_ABOUT))


def _define_writing() -> None:
    st.header("Generated search strings")
    st.write(
        "Each keyword source (a model, the statistics or the search over keywords) sees half of the core "
        "publications. The other half is held out, to test the search string on publications it was not written for. "
        "Every search string is compared with the topic's name alone."
    )
    _define_metrics(WRITER_METRICS)


def _define_sources() -> None:
    st.header("Live sources")
    st.write(
        "A search in a live source is fetched up to a limit and then stored as a version, with every request sent. A "
        "source's own total counts its records before duplicates are merged. Recall within a source counts only core "
        "publications that the source indexes: no search string can find the others there."
    )
    _define_metrics(SOURCE_METRICS)


def _define_comparing() -> None:
    st.header("Comparing versions")
    for term, words in COMPARING.items():
        _define(term, plain(words))


def _define_searching() -> None:
    st.header("Search strings")
    st.write(
        "Titles, abstracts and keywords are searched word by word: lower case, without accents; a hyphen separates "
        "words, and makes a phrase of them. Other conditions (subject headings, languages, ...) can't be tested "
        "here; they are left out and always listed."
    )
    for semantics, words in FACES.items():
        _define(semantics.capitalize(), plain(words))
    with st.expander(f"The {len(DIALECTS)} dialects"):
        for dialect in DIALECTS.values():
            signs = ", ".join(f"`{sign}` {in_words(gap)}" for sign, gap in dialect.wildcards.items())
            _define(
                dialect.label,
                f"Order: {plain(order_of(dialect))}. Wildcards: {signs}.  \n:small[{plain(dialect.reference)}.]",
            )
    with st.expander(f"The {len(RULES)} checks"):
        for rule in RULES.values():
            _define(rule.title, f"{plain(rule.explanation)}  \n:small[{rule.severity}, `{rule.id}`]")


def _define(term: str, words: str) -> None:
    """Draw a term next to its definition, which is Markdown."""
    left, right = st.columns([0.24, 0.76], gap="small")
    left.markdown(f"**{plain(term)}**")
    right.markdown(words)


def _define_metrics(metrics: Mapping[str, Metric]) -> None:
    for metric in metrics.values():
        _define(metric.label, _words_of(metric))


def _words_of(metric: Metric) -> str:
    if metric.higher_is_better is None:
        better = "Neither end is better."
    else:
        better = "Higher is better." if metric.higher_is_better else "Lower is better."
    undefined = f"Shown as {metric.undefined}" if metric.undefined.startswith("–") else metric.undefined
    small = plain(" ".join([better, undefined, *([sentence(metric.reference)] if metric.reference else [])]))
    return f"{plain(metric.sentence)}  \n`{metric.formula}`  \n:small[{small}]"


if __name__ == "__main__":
    render()
