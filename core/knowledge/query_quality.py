"""Quality of written queries: leaked names, ratings by people, and samples to rate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, combinations, islice
from random import Random
from typing import Literal

import numpy as np

from core.errors import SettingsError
from core.explore.uncertainty import resample_weights
from core.metrics import Metric
from core.stats import (
    Interval,
    JudgeAgreement,
    cohen_kappa,
    krippendorff_alpha,
    percentile_range,
    raw_agreement,
    wilson,
)
from core.text import STOP_WORDS, most_pairs, words
from core.types import Floats, Ids

LONG_TITLE = 4
"""The minimum number of content words in a title that can be leaked by most of its words."""
MOST = 0.75
"""The share of them that leaks the title, if they appear in its order."""
LOOKED_AT = 60
"""The number of a title's content words that are compared; a longer title is a text."""
LONGEST_READ = 20_000
"""Characters of a title that are searched for content words."""
SHORTEST_NUMBER = 5
"""The minimum number of digits of a numeric id: a shorter one could be a year or a count."""
ID_NAMES = frozenset({"asin", "doi", "id", "isbn", "openalex", "orcid", "pmcid", "pmid", "ror", "uri", "url"})
_RUN = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+")

Span = tuple[int, int]
LeakKind = Literal["title", "words", "id"]


@dataclass(frozen=True, slots=True)
class Leak:
    """A part of a query that reveals the entity."""

    kind: LeakKind
    sentence: str
    """The reason for refusal."""
    spans: tuple[Span, ...]
    """Positions in the query, in characters."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    span: Span


def _words(text: str) -> Iterator[_Word]:
    """Yield the words of a text as in search, with their positions; signs, accents and case are ignored."""
    for found in _RUN.finditer(text):
        for word in words(found.group().casefold()):
            yield _Word(word, found.span())


def find_leaks(query: str, *, title: str, ids: Iterable[str] = ()) -> tuple[Leak, ...]:
    """Find the parts of a query that reveal an entity; empty: none. A title reveals itself.

    Three things are leaks: the title, however it is spelled; most of the words of a long title, in its order; an id.
    Words added before or after do not change that. An id without a digit, or with only a few digits, counts as an
    ordinary word.

    >>> [leak.kind for leak in find_leaks("Who wrote about NIGHT-work?", title="Night work")]
    ['title']
    >>> find_leaks("shifts after dark", title="Night work")
    ()
    """
    there = list(_words(query))
    leaks = []
    if spans := _spelled(title, query, there):
        leaks.append(Leak("title", "it holds the name of the entity", spans))
    elif spans := _most_words(title, there):
        leaks.append(Leak("words", "it holds most words of the entity's title, in the same order", spans))
    for one in ids:
        if _tells(one) and (spans := _spelled(one, query, there)):
            leaks.append(Leak("id", "it holds an id of the entity", spans))
            break
    return tuple(leaks)


def identifiers(entity_id: str, attributes: Mapping[str, str]) -> tuple[str, ...]:
    """Return the identifiers of an entity: its id, and attributes with the name of an identifier.

    >>> identifiers("7", {"mag_id": "2104", "Year": "2011", "DOI": "10.1/x"})
    ('7', '2104', '10.1/x')
    """
    named = (value for name, value in attributes.items() if ID_NAMES & set(words(name)[-1:]))
    return entity_id, *named


def parts(query: str, leaks: Sequence[Leak]) -> list[tuple[str, bool]]:
    """Split the query into pieces, each marked True if it leaks; together they are the query.

    >>> parts("on night work", find_leaks("on night work", title="Night work"))
    [('on ', False), ('night work', True)]
    """
    cut: list[tuple[str, bool]] = []
    end = 0
    for start, stop in _joined(query, sorted(span for leak in leaks for span in leak.spans)):
        cut += [(query[end:start], False), (query[start:stop], True)]
        end = stop
    return [piece for piece in (*cut, (query[end:], False)) if piece[0]]


def _joined(query: str, spans: Iterable[Span]) -> list[Span]:
    """Merge spans that touch, or are separated only by spaces."""
    joined: list[Span] = []
    for start, stop in spans:
        if joined and not query[joined[-1][1] : start].strip():
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((start, stop))
    return joined


def _tells(own_id: str) -> bool:
    letters = "".join(words(own_id))
    if letters.isdigit():
        return len(letters) >= SHORTEST_NUMBER
    return any(sign.isdigit() for sign in letters)


def _spelled(name: str, query: str, there: Sequence[_Word]) -> tuple[Span, ...]:
    """Find whole words of the query that spell the name, regardless of spaces and hyphens."""
    run = "".join(word.text for word in there)
    wanted = ""
    for word in _words(name):
        wanted += word.text
        if len(wanted) > len(run):
            return ()
    if not wanted:
        return _signs(name, query)
    ends = list(accumulate(len(word.text) for word in there))
    word_from = dict(zip([0, *ends], range(len(there)), strict=False))
    word_to = {end: word for word, end in enumerate(ends)}
    found, at = [], run.find(wanted)
    while at >= 0:
        if at in word_from and at + len(wanted) in word_to:
            found.append((there[word_from[at]].span[0], there[word_to[at + len(wanted)]].span[1]))
        at = run.find(wanted, at + 1)
    return tuple(found)


def _signs(name: str, query: str) -> tuple[Span, ...]:
    """Find a name that has no letter or digit."""
    wanted = name.split()
    if not wanted:
        return ()
    there = [(found.group(), found.span()) for found in re.finditer(r"\S+", query)]
    return tuple(
        (there[at][1][0], there[at + len(wanted) - 1][1][1])
        for at in range(len(there) - len(wanted) + 1)
        if all(there[at + n][0] == sign for n, sign in enumerate(wanted))
    )


def _most_words(title: str, there: Sequence[_Word]) -> tuple[Span, ...]:
    saying = (word.text for word in _words(title[:LONGEST_READ]) if len(word.text) > 1 and word.text not in STOP_WORDS)
    telling = list(islice(saying, LOOKED_AT))
    if len(telling) < LONG_TITLE:
        return ()
    known = set(telling)
    candidates = [word for word in there if word.text in known]
    common = most_pairs([word.text for word in candidates], telling)
    return tuple(candidates[at].span for at, _ in common) if len(common) >= MOST * len(telling) else ()


# Ratings of queries by people on five points: shares with intervals, and agreement between raters.

POINTS = (1, 2, 3, 4, 5)
COMMON = 0.5
"""The share of queries that every rater is given, to measure agreement."""
FEW = 10
"""Ratings, or queries, below which a share is unreliable."""
N_RESAMPLES = 2000
AT_ONCE = 100
"""Resamples computed at a time."""


@dataclass(frozen=True, slots=True)
class Quality:
    quality_id: str
    label: str
    question: str
    """The question for raters."""
    lowest: str
    """The meaning of 1."""
    highest: str
    """The meaning of 5."""


QUALITIES: dict[str, Quality] = {
    quality.quality_id: quality
    for quality in (
        Quality(
            "naturalness",
            "Naturalness",
            "Does it read as if a person had written it?",
            "like a machine or a form",
            "like a person's own words",
        ),
        Quality(
            "diversity",
            "Diversity",
            "Is it different from the others shown, in what it asks and in how it asks?",
            "the same as others",
            "unlike any other",
        ),
        Quality(
            "practicality",
            "Practicality",
            "Would somebody really need an answer to it?",
            "no one would ask this",
            "people do ask this",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class ShareMetric(Metric):
    lowest: int = 1
    """The minimum points of a rating that counts."""


SHARES: dict[str, ShareMetric] = {
    metric.metric_id: metric
    for metric in (
        ShareMetric(
            "positive",
            "Positive",
            "Share of ratings with 4 or 5 points.",
            "ratings of 4 or 5 / all ratings",
            "– without a rating.",
            "Wu et al. (2024), STaRK",
            lowest=4,
        ),
        ShareMetric(
            "non_negative",
            "Non-negative",
            "Share of ratings with 3, 4 or 5 points.",
            "ratings of 3, 4 or 5 / all ratings",
            "– without a rating.",
            "Wu et al. (2024), STaRK",
            lowest=3,
        ),
    )
}

PUBLISHED: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "STaRK Amazon": {"naturalness": (0.736, 0.895), "diversity": (0.684, 0.895), "practicality": (0.895, 0.947)},
    "STaRK MAG": {"naturalness": (0.947, 1.0), "diversity": (0.737, 0.842), "practicality": (0.684, 0.842)},
    "STaRK Prime": {"naturalness": (0.678, 0.928), "diversity": (0.714, 0.821), "practicality": (0.714, 0.893)},
}
"""Positive and non-negative shares of published sets, by quality."""
PUBLISHED_REFERENCE = "Wu et al. (2024), STaRK, Table 10"


@dataclass(frozen=True, slots=True)
class Rating:
    query_id: str
    rater: str
    quality: str
    points: int


@dataclass(frozen=True, slots=True)
class Share:
    value: float | None
    """None: no rating."""
    n: int
    """The number of ratings."""
    n_queries: int
    by_ratings: Interval | None
    """Wilson's interval, which treats ratings as independent."""
    by_queries: Interval | None
    """From resampled queries, with all ratings of each; None if no query was rated twice, or only one was rated."""
    shown: str
    """The name of the interval to show."""
    warning: str = ""
    """A caveat to show with the number."""

    @property
    def interval(self) -> Interval | None:
        return self.by_queries if self.shown == BY_QUERIES else self.by_ratings


BY_RATINGS = "Wilson 95 % interval"
BY_QUERIES = "bootstrap 95 % interval over queries"


def share_of(ratings: Sequence[Rating], metric_id: str, *, seed: int = 0) -> Share:
    """Compute a share of the ratings of one quality: 0, no rating is good enough; 1, all are. None without a rating.

    If queries were rated by several raters, their ratings are not independent. The interval from resampled queries is
    then shown, if there are enough of them and it has a width. Formula: see the metric. Reference: Wilson (1927), Efron
    (1979).

    >>> share_of([Rating("1", "Ada", "diversity", points) for points in (2, 4, 5, 5)], "positive").value
    0.75
    """
    if not ratings:
        return Share(None, 0, 0, None, None, BY_RATINGS, "no ratings yet")
    lowest = SHARES[metric_id].lowest
    counted = Counter(rating.query_id for rating in ratings)
    good = Counter(rating.query_id for rating in ratings if rating.points >= lowest)
    n, n_good = len(ratings), good.total()
    is_dependent = max(counted.values()) > 1
    ids = sorted(counted)  # sorted, so that the order of the ratings does not affect the interval
    per_query = _column(good[one] for one in ids), _column(counted[one] for one in ids)
    by_queries = _resampled(*per_query, seed) if is_dependent else None
    has_width = by_queries is not None and by_queries.low < by_queries.high
    shown = BY_QUERIES if is_dependent and has_width and len(counted) >= FEW else BY_RATINGS
    warning = _warning(n, len(counted), is_dependent and shown == BY_RATINGS)
    return Share(n_good / n, n, len(counted), wilson(n_good, n), by_queries, shown, warning)


def _column(values: Iterable[int]) -> Floats:
    return np.fromiter(values, dtype=np.float64)


def _resampled(good: Floats, n: Floats, seed: int) -> Interval | None:
    if len(n) < 2:
        return None
    found = []
    for block in range(N_RESAMPLES // AT_ONCE):
        weights = resample_weights(len(n), AT_ONCE, seed=seed + block)
        found.append((weights @ good) / (weights @ n))
    return percentile_range(np.concatenate(found))


def _warning(n: int, n_queries: int, is_too_narrow: bool) -> str:
    if n < FEW:
        return f"only {n} {'rating' if n == 1 else 'ratings'}: unreliable"
    if is_too_narrow and n_queries < FEW:
        return f"only {n_queries} {'query' if n_queries == 1 else 'queries'}, each rated more than once: too narrow"
    return "ratings of one query are not independent: the interval may be too narrow" if is_too_narrow else ""


def counts(ratings: Sequence[Rating]) -> tuple[int, ...]:
    """Count the ratings of each number of points, from 1 to 5."""
    found = Counter(rating.points for rating in ratings)
    return tuple(found[points] for points in POINTS)


# Agreement


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """The agreement of two raters on the queries that both rated for one quality."""

    first: str
    second: str
    kappa: JudgeAgreement
    """With quadratic weights."""
    within_one: JudgeAgreement


def pair_agreements(ratings: Sequence[Rating]) -> tuple[PairAgreement, ...]:
    """Measure the agreement of every two raters, by name. The ratings are of one quality."""
    given = _by_rater(ratings)
    found = []
    for first, second in combinations(sorted(given), 2):
        common = sorted(given[first].keys() & given[second].keys())
        a, b = ([given[rater][query_id] for query_id in common] for rater in (first, second))
        kappa = cohen_kappa(a, b, weights="quadratic")
        found.append(PairAgreement(first, second, kappa, raw_agreement(a, b, within=1)))
    return tuple(found)


def overall_agreement(ratings: Sequence[Rating]) -> JudgeAgreement:
    """Compute Krippendorff's alpha of all raters on one quality, for ordinal points."""
    given = _by_rater(ratings)
    if len(given) < 2:
        return JudgeAgreement(None, 0, "there is only one rater" if given else "no ratings yet")
    units: dict[str, list[int]] = {}
    for by_query in given.values():
        for query_id, points in by_query.items():
            units.setdefault(query_id, []).append(points)
    return krippendorff_alpha([*units.values()], level="ordinal")


def _by_rater(ratings: Sequence[Rating]) -> dict[str, dict[str, int]]:
    given: dict[str, dict[str, int]] = {}
    for rating in ratings:
        given.setdefault(rating.rater, {})[rating.query_id] = rating.points
    return given


# Reproducible random selection of entities to write queries for, and of queries to rate.


def drawn(n: int, *, seed: int) -> Iterator[int]:
    """Yield the numbers below n in random order, each once. Only the numbers that are taken are computed.

    >>> sorted(drawn(4, seed=1))
    [0, 1, 2, 3]
    """
    chance, moved = Random(seed), dict[int, int]()
    for at in range(n):
        other = chance.randrange(at, n)
        yield moved.pop(other, other) if other == at else moved.get(other, other)
        if other != at:
            moved[other] = moved.pop(at, at)


def in_chance_order(ids: Sequence[str], *, seed: str) -> Ids:
    """Sort ids randomly by a hash of each, so that added or removed ids do not affect the order of the others."""
    return tuple(sorted(ids, key=lambda one: (blake2b(f"{seed}\0{one}".encode(errors="replace")).digest(), one)))


def to_rate(query_ids: Sequence[str], *, rater: str, n: int, common: float, seed: str = "") -> Ids:
    """Return the n queries that a rater is given, in order. A longer list begins with the shorter one.

    `common`: the share that every rater is given, to measure agreement; the others are the rater's own.

    >>> a, b = (to_rate("abcdefgh", rater=rater, n=4, common=0.5) for rater in ("Ada", "Bo"))
    >>> len(set(a) & set(b)) >= 2
    True
    """
    if not 0 <= common <= 1:
        raise SettingsError(f"the common share must be in [0, 1], got {common:g}")
    shared = iter(in_chance_order(query_ids, seed=f"{seed}\0"))
    own = iter(in_chance_order(query_ids, seed=f"{seed}\0{rater}"))
    given: dict[str, None] = {}
    n_shared = 0
    for place in range(min(n, len(query_ids))):
        # A query drawn as the rater's own may come up later among the common ones; it is then skipped.
        is_shared = n_shared < common * (place + 1)
        n_shared += is_shared
        given[next(one for one in (shared if is_shared else own) if one not in given)] = None
    return tuple(given)
