"""Metrics of rankings: what each says about itself, and its value for every query of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.errors import SettingsError
from core.ranking.judged import Judged
from core.ranking.places import Places, find_places
from core.ranking.stark import find_stark_places
from core.ranking.types import Rows, Run
from core.types import Floats

Compat = Literal["stark-2024"]
COMPATS: tuple[Compat, ...] = ("stark-2024",)
DEFAULT_METRICS = ("hit@1", "hit@5", "recall@20", "precision@10", "mrr", "map", "ndcg@10", "rprec")
DEEPEST = 1_000_000
CELLS = 1 << 21
"""How many numbers of a curve are held at once."""
LEFT_OUT = "– if no query has a relevant document; such queries are left out. An empty ranking counts 0."

TIES = "Equal scores are ordered by document id, ascending."


@dataclass(frozen=True, slots=True)
class RankingMetric:
    """The definition of a number, in the words that tooltips, tables and the About page use. Each lies in [0, 1]."""

    metric_id: str
    label: str
    sentence: str
    formula: str
    undefined: str
    reference: str
    family: str
    k: int | None
    """How far down it looks; None: through the whole ranking."""
    higher_is_better: bool = True
    ties: str = TIES


@dataclass(frozen=True, slots=True)
class _Family:
    label: str
    sentence: str
    formula: str
    reference: str
    takes_k: Literal["always", "maybe", "never"]


FAMILIES: dict[str, _Family] = {
    "hit": _Family(
        "Hit",
        "Share of queries with a relevant document among the first {k}.",
        "1 if a relevant document has rank <= {k}, else 0",
        "also known as success at k",
        "always",
    ),
    "recall": _Family(
        "Recall",
        "Share of a query's relevant documents that are among the first {k}.",
        "relevant with rank <= {k} / all relevant, also those that the collection does not have",
        "Cleverdon (1967)",
        "always",
    ),
    "precision": _Family(
        "Precision",
        "Share of the first {k} places that hold a relevant document; a shorter ranking is divided by {k} too.",
        "relevant with rank <= {k} / {k}",
        "Cleverdon (1967)",
        "always",
    ),
    "mrr": _Family(
        "MRR",
        "How far up the first relevant document stands: 1 at rank 1, 0.5 at rank 2.",
        "1 / rank of the first relevant document{within}, 0 without one",
        "Voorhees (1999)",
        "maybe",
    ),
    "map": _Family(
        "MAP",
        "Precision at the rank of each relevant document, averaged; one that was not found counts 0.",
        "sum over relevant found of (relevant up to its rank / its rank) / all relevant",
        "Buckley and Voorhees (2000)",
        "never",
    ),
    "ndcg": _Family(
        "nDCG",
        "Relevance of the first {k}, weighed down by rank, as a share of the best ranking there could be.",
        "DCG / ideal DCG, with DCG = sum up to rank {k} of max(relevance, 0) / log2(rank + 1)",
        "Järvelin and Kekäläinen (2002), with linear gain",
        "always",
    ),
    "rprec": _Family(
        "R-precision",
        "Precision at the number of relevant documents: 1 if all of them stand before all others.",
        "relevant with rank <= R / R, with R = all relevant",
        "Buckley and Voorhees (2000)",
        "never",
    ),
}


def read_metric(metric_id: str) -> RankingMetric:
    """What a metric's id means.

    >>> read_metric("nDCG@20").label
    'nDCG@20'
    >>> read_metric("mrr").k is None
    True
    """
    name, at, cut = metric_id.strip().lower().partition("@")
    family = FAMILIES.get(name)
    if family is None:
        raise SettingsError(f'there is no ranking metric "{metric_id}"; there are {_forms()}')
    if at and family.takes_k == "never":
        raise SettingsError(f'"{name}" looks through the whole ranking: write "{name}", not "{metric_id}"')
    if not at and family.takes_k == "always":
        raise SettingsError(f'"{name}" needs to know how far down to look: write "{name}@10", for example')
    k = _read_k(metric_id, cut) if at else None
    words = {"k": k, "within": f", if that is <= {k}" if k else ""}
    return RankingMetric(
        metric_id=name if k is None else f"{name}@{k}",
        label=family.label if k is None else f"{family.label}@{k}",
        sentence=family.sentence.format(**words),
        formula=family.formula.format(**words),
        undefined=LEFT_OUT,
        reference=family.reference,
        family=name,
        k=k,
    )


def _forms() -> str:
    endings = {"always": "@k", "maybe": " (or {}@k)", "never": ""}
    return ", ".join(name + endings[family.takes_k].format(name) for name, family in FAMILIES.items())


def _read_k(metric_id: str, cut: str) -> int:
    if not (cut.isascii() and cut.isdigit() and len(cut) <= 9 and 1 <= int(cut) <= DEEPEST):
        raise SettingsError(f'"{metric_id}": what follows @ must be a whole number from 1 to {DEEPEST:,}')
    return int(cut)


RANKING_METRICS: dict[str, RankingMetric] = {metric_id: read_metric(metric_id) for metric_id in DEFAULT_METRICS}


def per_query(
    run: Run, judged: Judged, metric_ids: Sequence[str], *, compat: Compat | None = None
) -> Mapping[str, Floats]:
    """The value of each metric for every judged query, in the order of `judged.query_ids`, under the ids as given.

    0: nothing relevant where the metric looks; 1: as good as can be. Ties: score descending, then doc_id ascending.
    A query that the run does not answer counts 0. `compat`: see `core.ranking.stark`.
    """
    metrics = {metric_id: read_metric(metric_id) for metric_id in metric_ids}
    places = _places(run, judged, compat)
    return {metric_id: _values(places, metric) for metric_id, metric in metrics.items()}


def _places(run: Run, judged: Judged, compat: Compat | None) -> Places:
    if compat is None:
        return find_places(run, judged)
    if compat not in COMPATS:
        raise SettingsError(f'there is no compat "{compat}"; there is {", ".join(COMPATS)}')
    return find_stark_places(run, judged)


def _values(places: Places, metric: RankingMetric) -> Floats:
    if metric.family == "map":
        return _average_precision(places)
    if metric.family == "rprec":
        within = (places.ranks > 0) & (places.ranks <= places.n_relevant[places.query_of])
        return _share(_per_query(places, within), places.n_relevant)
    k = metric.k or int(places.ranks.max(initial=1))
    if metric.family == "ndcg" and places.tied is not None:
        return _share(_tied_dcg(places, k), _dcg(places, places.ideal_ranks, k))
    return _Curves(places, np.array([k])).of(metric.family, slice(0, places.n_queries))[:, 0]


def metric_by_k(run: Run, judged: Judged, family: str, ks: Sequence[int]) -> Floats:
    """The mean over judged queries of hit, recall, precision, mrr or ndcg at each k; NaN where there is no query."""
    if family not in FAMILIES or FAMILIES[family].takes_k == "never":
        able = ", ".join(name for name, each in FAMILIES.items() if each.takes_k != "never")
        raise SettingsError(f'"{family}" is no metric by k; there are {able}')
    if any(not 1 <= k <= DEEPEST for k in ks):
        raise SettingsError(f"k must be a whole number from 1 to {DEEPEST:,}")
    if not len(judged) or not len(ks):
        return np.full(len(ks), np.nan)
    cuts, back = np.unique(np.asarray(ks, dtype=np.int64), return_inverse=True)
    curves = _Curves(find_places(run, judged), cuts)
    step = max(1, CELLS // len(cuts))
    sums = np.zeros(len(cuts))
    for start in range(0, len(judged), step):
        sums += curves.of(family, slice(start, min(start + step, len(judged)))).sum(axis=0)
    means: Floats = sums / len(judged)
    return means[back]


@dataclass(frozen=True, eq=False)
class _Curves:
    """Metrics of some queries at several k, ascending: a row per query, a column per k."""

    places: Places
    cuts: Rows

    def of(self, family: str, queries: slice) -> Floats:
        places = self.places
        if family == "mrr":
            return self._best(queries)
        if family == "ndcg":
            gained = self._sums(queries, places.ranks, places.grades)
            ideal = self._sums(queries, places.ideal_ranks, places.grades)
            return _share(gained, ideal)
        n_found = self._sums(queries, places.ranks, None)
        if family == "hit":
            return (n_found > 0).astype(np.float64)
        if family == "recall":
            return _share(n_found, places.n_relevant[queries, None])
        return n_found / self.cuts

    def _cells(self, queries: slice, ranks: Rows) -> tuple[Rows, Rows]:
        """Which documents count at some k, and the cell of the first k that reaches each."""
        first, last = np.searchsorted(self.places.query_of, [queries.start, queries.stop])
        counted = first + np.flatnonzero((ranks[first:last] > 0) & (ranks[first:last] <= self.cuts[-1]))
        row = self.places.query_of[counted] - queries.start
        return counted, row * len(self.cuts) + np.searchsorted(self.cuts, ranks[counted])

    def _sums(self, queries: slice, ranks: Rows, grades: Floats | None) -> Floats:
        """What is gathered down to each k: documents, or their discounted grades."""
        counted, cells = self._cells(queries, ranks)
        weights = None if grades is None else grades[counted] / np.log2(ranks[counted] + 1)
        n_rows = queries.stop - queries.start
        gathered = np.bincount(cells, weights, minlength=n_rows * len(self.cuts)).reshape(n_rows, len(self.cuts))
        return np.cumsum(gathered, axis=1, dtype=np.float64)

    def _best(self, queries: slice) -> Floats:
        counted, cells = self._cells(queries, self.places.ranks)
        n_rows = queries.stop - queries.start
        best = np.zeros(n_rows * len(self.cuts))
        np.maximum.at(best, cells, 1 / self.places.ranks[counted])
        return np.maximum.accumulate(best.reshape(n_rows, len(self.cuts)), axis=1)


def _share(part: Floats | Rows, whole: Floats | Rows) -> Floats:
    """A part of a whole; 0 where there is no whole, and never above 1 by rounding."""
    some = np.asarray(whole) > 0
    share: Floats = np.minimum(np.where(some, part, 0) / np.where(some, whole, 1), 1.0)
    return share


def _per_query(places: Places, weights: Floats | np.ndarray) -> Floats:
    return np.bincount(places.query_of, weights, minlength=places.n_queries).astype(np.float64)


def _average_precision(places: Places) -> Floats:
    found = np.flatnonzero(places.ranks)
    ordered = found[np.lexsort((places.ranks[found], places.query_of[found]))]
    query_of = places.query_of[ordered]
    n_found = np.bincount(query_of, minlength=places.n_queries)
    nth = np.arange(1, len(ordered) + 1) - (np.cumsum(n_found) - n_found)[query_of]
    sums = np.bincount(query_of, nth / places.ranks[ordered], minlength=places.n_queries)
    return _share(sums, places.n_relevant)


def _dcg(places: Places, ranks: Rows, k: int) -> Floats:
    counted = (ranks > 0) & (ranks <= k)
    return _per_query(places, np.where(counted, places.grades / np.log2(np.maximum(ranks, 1) + 1), 0.0))


def _tied_dcg(places: Places, k: int) -> Floats:
    """Documents with the same score share the discounts of their places evenly."""
    assert places.tied is not None
    n_above, n_sharing = places.tied
    deepest = int((n_above + n_sharing).max(initial=0))
    discounts = 1 / np.log2(np.arange(2, min(k, deepest) + 2))
    summed = np.concatenate([[0.0], np.cumsum(discounts)])
    last = len(summed) - 1
    shared = summed[np.minimum(n_above + n_sharing, last)] - summed[np.minimum(n_above, last)]
    return _per_query(places, np.where(places.ranks > 0, places.grades * shared / n_sharing, 0.0))
