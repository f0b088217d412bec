"""Publications whose titles are so much alike that a person should look whether they are the same one.

Nothing is compared with everything: only titles that share something rare are candidates, a count of letters rules most
of those out, and letters are compared one by one for the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import MisalignedError
from core.records.candidates import candidate_pairs
from core.records.identity import Identity, same_author
from core.records.likeness import Compared, Title, compared

LEAST_LIKENESS = 0.75


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two publications that may be the same one."""

    a: str
    b: str
    likeness: float
    """Above 0, at most 1; 1 is the same title with nothing that speaks against it."""
    why: str
    """What they have in common and what differs, for a person."""


def near_pairs(
    identities: Sequence[tuple[str, Identity]],
    titles: Sequence[str],
    *,
    among: Collection[str] | None = None,
    most: int = 500,
    kept_apart: Collection[tuple[str, str]] = (),
) -> tuple[NearPair, ...]:
    """Proposals, the likeliest first.

    `identities` and `titles` go row by row; a publication may have several rows. `among`: only pairs with one of these
    publications, such as those that the last file brought. `kept_apart`: pairs that a person decided on already.
    """
    if len(identities) != len(titles):
        raise MisalignedError(f"{len(identities):,} identities but {len(titles):,} titles")
    read = [Title.of(title) for title in titles]
    chosen = None if among is None else np.array([known in frozenset(among) for known, _ in identities], dtype=bool)
    decided = frozenset(kept_apart)
    best: dict[tuple[str, str], NearPair] = {}
    for i, j in candidate_pairs(read, chosen):
        a, b = sorted((identities[i][0], identities[j][0]))
        if a == b or (a, b) in decided or (b, a) in decided:
            continue
        likeness, why = _judged(identities[i][1], identities[j][1], compared(read[i], read[j]))
        if likeness >= LEAST_LIKENESS and ((a, b) not in best or best[a, b].likeness < likeness):
            best[a, b] = NearPair(a, b, likeness, why)
    return tuple(sorted(best.values(), key=lambda pair: (-pair.likeness, pair.a, pair.b))[:most])


def _judged(one: Identity, other: Identity, titles: Compared) -> tuple[float, str]:
    """How likely it is that two records with such titles are of one publication, and why."""
    author = _agree(one.first_author, other.first_author)
    years = None if one.year is None or other.year is None else abs(one.year - other.year)
    if titles.likeness == 0 or not _enough(one, other, titles, author, years):
        return 0.0, ""
    likeness = titles.likeness
    said = [titles.why]
    if author is False:
        likeness *= 0.85
        said.append("another first author")
    if years:
        likeness *= 0.98 if years == 1 else 0.95 if years <= 3 else 0.88
        said.append(f"{min(one.year or 0, other.year or 0)} and {max(one.year or 0, other.year or 0)}")
    for name, mine, theirs in (("DOI", one.doi, other.doi), ("PMID", one.pmid, other.pmid)):
        if mine and theirs and mine != theirs:
            likeness *= 0.93
            said.append(f"another {name}")
    return round(likeness, 4), ", ".join(said)


def _enough(one: Identity, other: Identity, titles: Compared, author: bool | None, years: int | None) -> bool:
    if one.telling and other.telling:
        return not (titles.other_word and author is False)
    if titles.likeness < 1:
        return False
    if one.generic:
        return bool(author) and years == 0
    return author is not False and not years


def _agree(one: str | None, other: str | None) -> bool | None:
    return None if one is None or other is None else same_author(one, other)
