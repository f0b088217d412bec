"""Core publications that keywords of what is not wanted would keep out, by name, before anything is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.query.matching.matched import rows_of
from core.text import listed, words
from core.types import Publication
from core.writer.placing import LookUp, excluded_core
from core.writer.types import Brief, Keyword
from data.desk import Desk

MOST_NAMED = 3
_NO_KEYWORD = re.compile(r"[\"“”()\[\]{}|;\n]|,(?=\s)|(?<!\S)(?:AND|OR|NOT|NEAR/?\d*)(?!\S)")
LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True)
class Removed:
    """What one keyword takes away."""

    keyword: Keyword
    publications: tuple[Publication, ...]
    """Core publications that have it, in the order of the core set; never none."""

    @property
    def sentence(self) -> str:
        """Which core publications that are, by title."""
        n = len(self.publications)
        named = [f"“{_cut(p.title or p.publication_id)}”" for p in self.publications[:MOST_NAMED]]
        titles = f"{', '.join(named)} and {n - MOST_NAMED} more" if n > MOST_NAMED else listed(named)
        return f"“{self.keyword.text}” removes {n} core publication{'s' if n > 1 else ''}: {titles}"


def removed_core(desk: Desk, brief: Brief) -> tuple[Removed, ...]:
    """The core publications that each negative keyword of a brief removes; keywords that remove none are left out.

    An error if together they remove all that are in the corpus: no string could find any then.
    """
    negative = _keywords(brief)
    if not negative:
        return ()
    known = {p.publication_id: p for p in desk.core if p is not None}
    id_of = {row: publication_id for publication_id, row in desk.core_rows.items()}
    place = {publication_id: n for n, publication_id in enumerate(desk.core_ids)}
    found = []
    for each in excluded_core(negative, LookUp(desk.corpus, brief.semantics), desk.stakes.core):
        ids = sorted((id_of[row] for row in each.core_rows), key=place.__getitem__)
        if ids:
            found.append(Removed(each.keyword, tuple(known.get(i, Publication(i, "")) for i in ids)))
    _check_some_stay(found, len(rows_of(desk.stakes.core)))
    return tuple(found)


def _keywords(brief: Brief) -> tuple[Keyword, ...]:
    """Each once. An error if one is more than a keyword: behind a NOT, operators would turn the string around."""
    negative: dict[str, Keyword] = {}
    for text in filter(str.strip, brief.negative):
        if _NO_KEYWORD.search(text) or not words(text):
            raise InputError(
                f"“{_cut(text)}” can't stand behind a NOT: give one keyword at a time, without operators, commas, "
                "brackets and quotes"
            )
        negative.setdefault(Keyword(text).key, Keyword(text))
    return tuple(negative.values())


def _check_some_stay(found: Sequence[Removed], n_core: int) -> None:
    gone = {p.publication_id for each in found for p in each.publications}
    if not gone or len(gone) < n_core:
        return
    most_first = sorted(found, key=lambda each: -len(each.publications))
    raise InputError(
        f"what is not wanted removes all {n_core} core publications that the topic has: "
        f"{'; '.join(each.sentence for each in most_first[:MOST_NAMED])}. Leave keywords out, or say them in narrower "
        "words"
    )


def _cut(title: str) -> str:
    flat = " ".join(title.split())
    return flat if len(flat) <= LONGEST_TITLE else f"{flat[: LONGEST_TITLE - 1]}…"
