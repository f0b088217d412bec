"""What each number about a set of queries says of itself."""

from __future__ import annotations

from dataclasses import dataclass

from core.knowledge.statistics.diversity import SAMPLES

STARK = "Wu et al. (2024)"


@dataclass(frozen=True, slots=True)
class SetStatistic:
    """The definition of a number, in the words that tooltips, tables and the About page use. No end is the better."""

    statistic_id: str
    label: str
    sentence: str
    formula: str
    undefined: str
    reference: str
    low: float = 0.0
    high: float = float("inf")
    unit: str = ""
    """Empty: a share, or a number without one."""
    is_count: bool = False
    """Whether it is a whole number."""


LENGTH_MATTERS = (
    "A longer text repeats more of its words, so sets of different size compare at a length that all of them have."
)
_DEFINED = (
    SetStatistic(
        "n_queries",
        "Queries",
        "How many queries the set has.",
        "number of queries",
        "Always defined: an empty set has 0.",
        "Queryscape",
        unit="queries",
        is_count=True,
    ),
    SetStatistic(
        "words_per_query",
        "Words per query",
        "Mean number of words of a query.",
        "words / queries",
        "– if the set has no query.",
        STARK,
        unit="words",
    ),
    SetStatistic(
        "characters_per_query",
        "Characters per query",
        "Mean number of characters of a query, spaces included.",
        "characters / queries",
        "– if the set has no query.",
        "Queryscape",
        unit="characters",
    ),
    SetStatistic(
        "answers_per_query",
        "Answers per query",
        "Mean number of documents that are judged relevant, over the queries that were judged.",
        "judgments above 0 / queries with a judgment",
        "– if no query has a judgment.",
        STARK,
        unit="answers",
    ),
    SetStatistic(
        "n_words",
        "Words",
        "How many words all queries have together: runs of letters and digits, case and accents aside.",
        "N, the number of words",
        "Always defined: an empty set has 0.",
        "Queryscape",
        unit="words",
        is_count=True,
    ),
    SetStatistic(
        "n_types",
        "Different words",
        "How many different words there are among them.",
        "V, the number of word types",
        "Always defined: an empty set has 0.",
        "Queryscape",
        unit="words",
        is_count=True,
    ),
    SetStatistic(
        "entropy",
        "Shannon entropy",
        "How unsure one is of a word drawn from the set. 0: one word over and over; ln V: all words equally often.",
        "-sum p ln p over the share p of each word, with the natural logarithm",
        "– if the set has no word.",
        f"Shannon (1948); {STARK}",
        unit="nats",
    ),
    SetStatistic(
        "entropy_bits",
        "Shannon entropy, in bits",
        "The same with the logarithm to base 2.",
        "entropy / ln 2",
        "– if the set has no word.",
        "Shannon (1948)",
        unit="bits",
    ),
    SetStatistic(
        "type_token_ratio",
        "Type-token ratio",
        "Share of different words among all words. 1: no word occurs twice. It falls with the size of the set.",
        "V / N",
        "– if the set has no word.",
        STARK,
        high=1.0,
    ),
    SetStatistic(
        "entropy_at_length",
        "Entropy at a common length",
        f"Shannon entropy of the first n words, n being those of the smallest set. {LENGTH_MATTERS}",
        f"mean over {SAMPLES} seeded orders of the queries of -sum p ln p over the first n words",
        "– if the set has no word.",
        "Queryscape",
        unit="nats",
    ),
    SetStatistic(
        "ratio_at_length",
        "Type-token ratio at a common length",
        f"Type-token ratio of the first n words, n being those of the smallest set. {LENGTH_MATTERS}",
        f"mean over {SAMPLES} seeded orders of the queries of V / n over the first n words",
        "– if the set has no word.",
        "Queryscape",
        high=1.0,
    ),
    SetStatistic(
        "relational_share",
        "Relational words",
        "Share of words that name an entity the query's requirement names, or are a cue of its template. Stop words "
        "are left out.",
        "relational / (relational + textual)",
        "– if no query says what it requires and no knowledge base can tell, or there are only stop words.",
        "Queryscape",
        high=1.0,
    ),
    SetStatistic(
        "textual_share",
        "Textual words",
        "Share of all other words. Stop words are left out.",
        "textual / (relational + textual)",
        "– where the share of relational words is undefined.",
        "Queryscape",
        high=1.0,
    ),
    SetStatistic(
        "stop_share",
        "Stop words",
        "Share of words that say nothing of what a text is about, such as “the” and “by”, among all words.",
        "stop words / N",
        "– if the set has no word.",
        "Queryscape",
        high=1.0,
    ),
)
SET_STATISTICS: dict[str, SetStatistic] = {statistic.statistic_id: statistic for statistic in _DEFINED}
"""Every number about a set of queries, by its id."""
