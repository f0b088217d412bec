"""What PRESS finds in published strings, as one reader judged it: the findings that are right, by review.

Names and rules only: the strings themselves are read from the real collections. A finding that is not listed here is a
false alarm. Doubtful ones were judged false: a heading that may be meant without its narrower ones, a spelling of a
brand, a concept for which no heading exists. `headings` stands for a concept without subject headings or text words.
"""

from __future__ import annotations

RIGHT_IN_REVIEWS: dict[str, str] = {
    "CD007394": "duplicate-term unbalanced-quote curly-quotes",
    "CD007427": "language-limit",
    "CD007431": "duplicate-term missing-variant wildcard-outside-phrase curly-quotes",
    "CD008054": "headings curly-quotes",
    "CD008643": "unknown-operator mixed-operators missing-variant curly-quotes",
    "CD008686": "unknown-operator mixed-operators mixed-operators missing-variant curly-quotes",
    "CD009135": "humans-limit",
    "CD009579": "missing-variant unused-line",
    "CD009593": "and-within-concept headings headings duplicate-term duplicate-term" + 4 * " unused-line",
    "CD009647": "not-words unused-line",
    "CD010339": "lower-case-operator foreign-wildcard",
    "CD010386": "duplicate-term",
    "CD010409": "absorbed-group headings unused-line",
    "CD010896": "missing-variant",
    "CD011548": "lower-case-operator foreign-wildcard",
    "CD011549": "lower-case-operator foreign-wildcard",
    "CD012019": "missing-variant",
}
"""50 Ovid and PubMed strategies of diagnostic reviews, on which the rules were tuned. Those missing have no flaw."""

RIGHT_IN_SEEDED: dict[str, str] = {
    "8": "duplicate-term title-only curly-quotes",
    "17": "headings curly-quotes",
    "22": "missing-variant curly-quotes",
    "27": "lower-case-operator curly-quotes",
    "11": "duplicate-term missing-variant curly-quotes",
    "16": "duplicate-term missing-variant curly-quotes",
    "15": "curly-quotes",
    "39": "adjacent-terms mixed-operators lower-case-operator curly-quotes",
    "18": "missing-variant curly-quotes",
    "6": "missing-variant lower-case-operator curly-quotes",
    "7": "missing-variant title-only lower-case-operator curly-quotes",
    "4": "missing-variant curly-quotes",
    "12": "lower-case-operator curly-quotes",
    "2": "headings curly-quotes",
    "3": "missing-variant lower-case-operator curly-quotes",
    "10": "missing-variant curly-quotes",
    "13": "missing-variant curly-quotes",
    "14": "headings duplicate-term missing-variant curly-quotes",
    "1": "not-words missing-variant lower-case-operator curly-quotes",
    "32": "missing-variant lower-case-operator curly-quotes",
}
"""20 PubMed strings of other reviews, which only the rule for AND within one concept had seen before it was judged."""
