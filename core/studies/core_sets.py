"""Many topics at once: who their core publications are, and whether clusters of these fall apart by topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from statistics import median
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from core.errors import InputError, MisalignedError
from core.kmeans import Clustering, Rows, n_distinct_rows, solutions
from core.protocols import OnProgress
from core.types import Floats, Ids

SurveyKind = Literal["bibliometric", "systematic review"]
SURVEY_KINDS: tuple[SurveyKind, ...] = get_args(SurveyKind)


@dataclass(frozen=True, slots=True)
class CorePublication:
    """What a study needs to know of one core publication."""

    publication_id: str
    title: str
    year: int | None
    times_cited: int | None
    has_abstract: bool

    @property
    def has_metadata(self) -> bool:
        """Its source gave at least a year or a count of citations."""
        return self.year is not None or self.times_cited is not None


@dataclass(frozen=True, slots=True)
class TopicCore:
    """A topic's core publications, and the survey that named them."""

    topic_id: str
    made_up: bool
    survey_kind: SurveyKind | None
    """None: not known."""
    survey_id: str | None
    survey_title: str
    """Empty: not known."""
    survey_year: int | None
    publications: tuple[CorePublication, ...]

    def __len__(self) -> int:
        return len(self.publications)

    @property
    def core_ids(self) -> Ids:
        """Their ids, in the given order."""
        return tuple(p.publication_id for p in self.publications)

    @property
    def years(self) -> tuple[int | None, ...]:
        """When each appeared; None: not known."""
        return tuple(p.year for p in self.publications)

    @property
    def times_cited(self) -> tuple[int | None, ...]:
        """How often each was cited; None: not known, which is not 0."""
        return tuple(p.times_cited for p in self.publications)

    @property
    def years_before_survey(self) -> tuple[int | None, ...]:
        """How old each was when the survey appeared; negative: it is younger than the survey."""
        at = self.survey_year
        return tuple(None if at is None or year is None else at - year for year in self.years)

    @property
    def n_without_abstract(self) -> int:
        """How many have no abstract."""
        return sum(not p.has_abstract for p in self.publications)

    @property
    def n_without_metadata(self) -> int:
        """How many have neither year nor citations."""
        return sum(not p.has_metadata for p in self.publications)


@dataclass(frozen=True, slots=True)
class Facts:
    """Numbers of several core sets together. A publication of several topics is one publication."""

    n_topics: int
    n_entries: int
    """Core publications, counted once for each topic that has them."""
    n_publications: int
    """The same, each counted once."""
    n_in_several: int
    n_without_abstract: int
    n_without_metadata: int
    n_without_citations: int
    n_never_cited: int
    median_times_cited: float | None
    """None: nowhere known."""
    median_years_before_survey: float | None
    """Over the entries, as a publication may stand in two surveys."""


def facts_of(topics: Sequence[TopicCore]) -> Facts:
    """Count them."""
    entries = list(chain.from_iterable(topic.publications for topic in topics))
    each = list({p.publication_id: p for p in entries}.values())
    n_topics_of = Counter(p.publication_id for p in entries)
    cited = [p.times_cited for p in each if p.times_cited is not None]
    ages = [age for topic in topics for age in topic.years_before_survey if age is not None]
    return Facts(
        n_topics=len(topics),
        n_entries=len(entries),
        n_publications=len(each),
        n_in_several=sum(n > 1 for n in n_topics_of.values()),
        n_without_abstract=sum(not p.has_abstract for p in each),
        n_without_metadata=sum(not p.has_metadata for p in each),
        n_without_citations=len(each) - len(cited),
        n_never_cited=cited.count(0),
        median_times_cited=float(median(cited)) if cited else None,
        median_years_before_survey=float(median(ages)) if ages else None,
    )


def in_several(topics: Iterable[TopicCore]) -> dict[str, Ids]:
    """The publications that are core in more than one topic, and these topics in their order."""
    homes: dict[str, list[str]] = {}
    for topic in topics:
        for publication_id in topic.core_ids:
            homes.setdefault(publication_id, []).append(topic.topic_id)
    return {publication_id: tuple(of) for publication_id, of in homes.items() if len(of) > 1}


@dataclass(frozen=True, slots=True)
class ClusterMix:
    """One cluster."""

    label: int
    n: int
    majority: str
    """The topic that most of it belongs to; of several the first by name."""
    n_majority: int

    @property
    def purity(self) -> float:
        """Which part of it belongs to that topic."""
        return self.n_majority / self.n


@dataclass(frozen=True, eq=False)
class Purity:
    """How well clusters agree with topics."""

    topics: Ids
    """Sorted; the rows of `counts`."""
    clusters: tuple[ClusterMix, ...]
    """By their majority, the largest first; the columns of `counts`."""
    counts: npt.NDArray[np.int64]
    """Publications of each topic in each cluster."""

    @property
    def number_of(self) -> Mapping[int, int]:
        """What each label is called: its place among `clusters`, from 1, as labels themselves mean nothing."""
        return {cluster.label: number for number, cluster in enumerate(self.clusters, 1)}

    @property
    def overall(self) -> float:
        """Share of publications that lie in a cluster whose majority is their own topic.

        1: every cluster holds one topic only. The least is the share of the largest topic. More clusters give a higher
        purity for nothing, so it is compared at the same number of clusters only.
        """
        return sum(cluster.n_majority for cluster in self.clusters) / int(self.counts.sum())

    @property
    def of_topic(self) -> Mapping[str, float]:
        """The same share, of each topic's publications. 0: the topic has the majority of no cluster."""
        own = np.array([[cluster.majority == topic for cluster in self.clusters] for topic in self.topics])
        shares = (self.counts * own).sum(axis=1) / self.counts.sum(axis=1)
        return dict(zip(self.topics, shares.tolist(), strict=True))

    @property
    def adjusted_rand(self) -> float:
        """Adjusted Rand index: of pairs of publications, how often clusters and topics agree on together or apart.

        1: always. About 0: as often as by chance; it can be a little below. 1 if neither splits anything.
        Reference: Hubert and Arabie 1985.
        """
        pairs = [float((n * (n - 1.0) / 2).sum()) for n in (self.counts, self.counts.sum(axis=1), self.counts.sum(0))]
        n = int(self.counts.sum())
        by_chance = pairs[1] * pairs[2] / (n * (n - 1) / 2) if n > 1 else 0.0
        most = (pairs[1] + pairs[2]) / 2
        return 1.0 if most == by_chance else (pairs[0] - by_chance) / (most - by_chance)

    @property
    def mutual_information(self) -> float:
        """Normalised mutual information: how much knowing the cluster tells of the topic, and the other way round.

        `2 I(topic; cluster) / (H(topic) + H(cluster))`. 1: everything. 0: nothing; 0 too if there is nothing to tell on
        one side only, and 1 if there is nothing on both. Not adjusted for chance: it grows with the number of clusters.
        """
        shares = self.counts / self.counts.sum()
        alone = _entropy(shares.sum(axis=1)), _entropy(shares.sum(axis=0))
        if sum(alone) == 0:
            return 1.0
        told = max(sum(alone) - _entropy(shares.ravel()), 0.0)
        return 2 * told / sum(alone)


def _entropy(shares: Floats) -> float:
    held = shares[shares > 0]
    return float(-(held * np.log(held)).sum())


def purity(labels: Sequence[int], topics: Sequence[str]) -> Purity:
    """Clusters against topics: the cluster and the topic of each publication, in the same order.

    >>> found = purity([0, 0, 0, 1, 1], ["tea", "tea", "nets", "nets", "nets"])
    >>> found.overall, dict(found.of_topic)["tea"]
    (0.8, 1.0)
    """
    if len(labels) != len(topics):
        raise MisalignedError(f"{len(labels)} clusters but {len(topics)} topics")
    if not len(labels):
        raise InputError("there is no publication to compare clusters and topics over")
    names, rows = np.unique(np.asarray(topics, dtype=np.str_), return_inverse=True)
    kept, columns = np.unique(np.asarray(labels, dtype=np.int64), return_inverse=True)
    counts = np.zeros((len(names), len(kept)), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    order = sorted(range(len(kept)), key=lambda i: (int(counts[:, i].argmax()), -int(counts[:, i].sum())))
    clusters = tuple(
        ClusterMix(int(label), int(column.sum()), str(names[column.argmax()]), int(column.max()))
        for label, column in zip(kept[order], counts.T[order], strict=True)
    )
    return Purity(tuple(map(str, names)), clusters, counts[:, order])


def best_clusters(rows: Rows, k: int, *, n_seeds: int, on_progress: OnProgress | None = None) -> Clustering:
    """k-means with k clusters: of the solutions for seeds 0, 1, ... the one with the least squared distances.

    >>> best_clusters(np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 9.0]]), 2, n_seeds=2).labels.tolist()
    [0, 0, 1]
    """
    if k < 2 or n_seeds < 1:
        raise InputError(f"clusters need k and a seed: k must be 2 or more, got {k}; n_seeds 1 or more, got {n_seeds}")
    if (n := n_distinct_rows(rows, at_most=k)) < k:
        raise InputError(f"{k} clusters need {k} publications that differ, there are {n}: choose fewer topics")
    return min((_clusters(rows, k, seed, n_seeds, on_progress) for seed in range(n_seeds)), key=itemgetter(0))[1]


def _clusters(rows: Rows, k: int, seed: int, n_seeds: int, on_progress: OnProgress | None) -> tuple[float, Clustering]:
    for found in solutions(rows, max_k=k, seed=seed):
        if on_progress:
            on_progress(seed * k + found.k, n_seeds * k)
    return float(((rows - found.centers[found.labels]) ** 2).sum()), found
