"""Where keywords stand at first: by what each of them finds alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.query.matching.bits import count
from core.query.weighing.stakes import Stakes
from core.text import words
from core.writer.looking import LookUp
from core.writer.types import Brief, Keyword, ListName, Mode, Sheet
from core.writer.worth import akin, supported, to_search_by, topic_words

PRECISE: dict[Mode, float] = {"strict": 0.7, "moderate": 0.5, "creative": 0.3}
"""Semantic precision from which a keyword may retrieve by itself, by mode."""


def sort(keywords: Sequence[Keyword], look_up: LookUp, stakes: Stakes, brief: Brief) -> Sheet:
    """A first sheet, from which the search or a person goes on.

    Overarching: the topic's own words, one by one. Specific: a phrase, or a word that the topic's name has, most of
    whose publications the region accepts. General: everything else with more behind it than one core publication.
    Aside: the rest. Excluded: what the brief does not want, whoever proposed it. `stakes`: of the core publications in
    use, and of no others.
    """
    sheet = Sheet()
    for text in brief.negative:
        sheet = _with(sheet, Keyword(text.strip()), "excluded")
    topic = topic_words(brief.topic)
    for word in topic:
        keyword = Keyword(word)
        sheet = _with(sheet, keyword, "overarching" if count(look_up(keyword)) else "aside")
    for keyword in keywords:
        sheet = _with(sheet, keyword, _list_for(keyword, topic, look_up, stakes, brief.mode))
    return sheet


def _with(sheet: Sheet, keyword: Keyword, to: ListName) -> Sheet:
    """A keyword that stands somewhere already stays there."""
    return sheet.added(keyword, to) if keyword.key and sheet.list_of(keyword.key) is None else sheet


def _list_for(keyword: Keyword, topic: Sequence[str], look_up: LookUp, stakes: Stakes, mode: Mode) -> ListName:
    bits = look_up(keyword)
    if not bits.any():
        return "aside"
    by = to_search_by(stakes)
    if by is None:
        return "general"
    if not supported(by, np.stack([bits]))[0]:
        return "aside"
    own = words(keyword.text)
    says_enough = len(own) > 1 or any(akin(word, other) for word in own for other in topic)
    return "specific" if says_enough and (by.semantic_precision(bits) or 0.0) >= PRECISE[mode] else "general"
