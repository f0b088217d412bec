"""Signs of a published search filter in a string. Only a person can say whether it is one, and cite it."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FilterSign:
    """What a string looks as if it held."""

    name: str
    words: str
    """The words of the string that say so."""


_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "a filter for randomized trials, such as the Cochrane Highly Sensitive Search Strategy",
        (
            r"randomi[sz]ed controlled trial\W{0,3}(?:\[(?:pt|publication type)\]|\.pt\.)",
            r"controlled clinical trial\W{0,3}(?:\[(?:pt|publication type)\]|\.pt\.)",
        ),
    ),
    ("a filter for systematic reviews that PubMed offers", (r"systematic(?: review)?\W?\[(?:sb|filter|pt)\]",)),
    (
        "a Clinical Queries filter of PubMed",
        (r"\(?(?:therapy|diagnosis|etiology|prognosis)/(?:broad|narrow)\W{0,2}\[filter\]",),
    ),
    ("a filter that leaves out studies in animals alone", (r"animals?\W[^\n]{0,60}\bnot\b[^\n]{0,60}\bhumans?\b",)),
    ("a filter or subset of the source", (r"[\w /-]{2,40}\[(?:filter|sb)\]",)),
)


def filter_signs(text: str) -> tuple[FilterSign, ...]:
    """What the string looks as if it held; empty: nothing that is known here.

    >>> [sign.words for sign in filter_signs("heat AND systematic[sb]")]
    ['systematic[sb]']
    >>> filter_signs("heat AND tree*")
    ()
    """
    signs: list[FilterSign] = []
    for name, patterns in _RULES:
        found = [re.search(pattern, text, re.IGNORECASE) for pattern in patterns]
        if all(found):
            words = " … ".join(" ".join(each[0].split()) for each in found if each)
            if not any(words in sign.words or sign.words in words for sign in signs):
                signs.append(FilterSign(name, words))
    return tuple(signs)
