"""The six domains of PRESS 2015 by their official titles, what each asks in our words, and which checks belong to it.

Titles and subjects: McGowan J, Sampson M, Salzwedel DM, Cogo E, Foerster V, Lefebvre C. PRESS Peer Review of Electronic
Search Strategies: 2015 Guideline Statement. J Clin Epidemiol 2016;75:40-46. doi 10.1016/j.jclinepi.2016.01.021.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DomainId = Literal["question", "operators", "headings", "words", "spelling", "limits"]
Verdict = Literal["none", "suggested", "required"]
CITATION = (
    "McGowan J, Sampson M, Salzwedel DM, Cogo E, Foerster V, Lefebvre C. PRESS Peer Review of Electronic Search "
    "Strategies: 2015 Guideline Statement. J Clin Epidemiol 2016;75:40-46. doi:10.1016/j.jclinepi.2016.01.021"
)
VERDICTS: dict[Verdict, str] = {
    "none": "No revisions",
    "suggested": "Revision(s) suggested",
    "required": "Revision(s) required",
}
"""As the form names them, the mildest first."""


@dataclass(frozen=True, slots=True)
class Domain:
    """One of the six things that a reviewer looks at."""

    id: DomainId
    number: int
    """As in the form, from 1."""
    title: str
    """The official one."""
    asks: tuple[str, ...]
    """What to think about, in our words."""
    rules: tuple[str, ...]
    """The checks of the string that are evidence here: ids of `core.query.lint.RULES`."""

    @property
    def item(self) -> str:
        """How a prompt names it, as "press:3"."""
        return f"press:{self.number}"


DOMAINS: tuple[Domain, ...] = (
    Domain(
        "question",
        1,
        "Translation of the research question",
        (
            "Does the string ask for what the research question asks for?",
            "Is each concept of the question there, and clear from the others?",
            "Is a concept too much, or one missing?",
            "Is a concept drawn too wide or too narrow?",
            "Does it find far too many or too few? The hits of each part tell.",
            "Is whatever is unusual about it explained?",
        ),
        ("empty",),
    ),
    Domain(
        "operators",
        2,
        "Boolean and proximity operators",
        (
            "Do AND, OR, NOT and proximity join what they should?",
            "Do the brackets hold together what belongs together?",
            "What might a NOT take away that should stay?",
            "Would a phrase or a proximity be more precise than an AND?",
            "Is each proximity wide enough, and not too wide?",
        ),
        (
            "missing-term",
            "near-group",
            "unknown-operator",
            "contradiction",
            "adjacent-terms",
            "mixed-operators",
            "leading-not",
            "not-removes-core",
            "absorbed-group",
        ),
    ),
    Domain(
        "headings",
        3,
        "Subject headings",
        (
            "Do the headings fit the concepts, and is one missing, perhaps one that was used in earlier years?",
            "Are they too wide or too narrow, and exploded where narrower ones belong to it?",
            "Are headings restricted to the main focus, and is that meant?",
            "Are subheadings missing, or do they cut off too much?",
            "Has each concept both headings and words of the text?",
        ),
        ("wildcard-in-heading", "not-testable"),
    ),
    Domain(
        "words",
        4,
        "Text word searching",
        (
            "Are other spellings, plurals, opposites and synonyms there?",
            "Are words cut in the right place, neither too short nor too long?",
            "Are abbreviations meant, and written out as well?",
            "Are the words specific enough, and not too many?",
            "Are the right fields searched?",
            "Does a long string have to be split?",
        ),
        (
            "no-hits",
            "duplicate-term",
            "short-stem",
            "subsumed-term",
            "subsumed-by-hits",
            "stem-without-wildcard",
            "missing-variant",
            "mixed-fields",
            "long-or",
        ),
    ),
    Domain(
        "spelling",
        5,
        "Spelling, syntax, and line numbers",
        (
            "Is a word misspelt?",
            "Are signs, wildcards and fields those of this database?",
            "Are lines joined by the right numbers, and is a line left over?",
        ),
        (
            "too-long",
            "too-deep",
            "unbalanced-bracket",
            "unbalanced-quote",
            "wrong-quotes",
            "missing-space",
            "unknown-field",
            "no-word",
            "wildcard-alone",
            "unknown-line",
            "empty-brackets",
            "lower-case-operator",
            "unused-line",
            "wildcard-not-allowed",
            "foreign-wildcard",
            "curly-quotes",
        ),
    ),
    Domain(
        "limits",
        6,
        "Limits and filters",
        (
            "Do all limits and filters fit the research question?",
            "Do they fit the database?",
            "Is a filter missing that would help?",
            "Is each filter's source given?",
        ),
        ("limit-left-out",),
    ),
)
"""In the order of the form."""
DOMAIN_OF_RULE: dict[str, Domain] = {rule: domain for domain in DOMAINS for rule in domain.rules}
