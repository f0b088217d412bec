"""Where keywords stand at first: by what each of them finds alone."""

from __future__ import annotations

from collections.abc import Sequence

from core.query.matching.bits import count
from core.query.weighing.stakes import Stakes
from core.text import STOP_WORDS, words
from core.writer.looking import LookUp
from core.writer.types import Brief, Keyword, Sheet


def sort(keywords: Sequence[Keyword], look_up: LookUp, stakes: Stakes, brief: Brief) -> Sheet:
    """A first sheet: the topic's own words overarching, precise keywords specific, others general, useless aside.

    What is not wanted (`brief.negative`) stands under excluded. `stakes`: of the core publications in use.
    """
    over = tuple(Keyword(word) for word in dict.fromkeys(words(brief.topic)) if word not in STOP_WORDS)
    sheet = Sheet(overarching=over)
    for text in brief.negative:
        if (keyword := Keyword(text)).key and sheet.list_of(keyword.key) is None:
            sheet = sheet.added(keyword, "excluded")
    for keyword in keywords:
        if sheet.list_of(keyword.key) is None:
            bits = look_up(keyword)
            precise = (stakes.semantic_precision(bits) or 0.0) >= 0.5
            sheet = sheet.added(keyword, "specific" if precise else "general" if count(bits) else "aside")
    return sheet
