"""Ranking metrics: definitions, and values for every query of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.collections import Judgment, Rows, Run
from core.errors import InputError, MisalignedError, SettingsError
from core.metrics import Metric
from core.retrieval.retriever import id_ranks
from core.types import Floats, Ids, unique_ids

OUTSIDE = -1
"""The row of a relevant document that is not in the collection."""
HIGHEST_GRADE = 2**31 - 1


@dataclass(frozen=True, eq=False)
class RelevantDocuments:
    """The relevant documents of each query that has any.

    A relevant document outside the collection counts as relevant, although no run can find it: it is part of recall's
    denominator and of the ideal ranking. A document judged twice for a query counts once, with its highest relevance.
    """

    query_ids: Ids
    """Queries with at least one relevant document."""
    doc_ids: Ids
    starts: Rows
    """The start of each query's relevant documents; one entry more than there are queries."""
    rows: Rows
    """Positions of relevant documents in `doc_ids`, or OUTSIDE; per query, most relevant first."""
    grades: Floats
    """The relevance of each; above 0."""
    n_without: int
    """Queries without a relevant document, which are left out."""
    n_repeated: int
    """Judgments that repeat a query and a document."""

    @classmethod
    def of(
        cls, judgments: Iterable[Judgment], doc_ids: Sequence[str], query_ids: Sequence[str] | None = None
    ) -> RelevantDocuments:
        """Build from judgments in any order. `query_ids`: the queries to include; None: all judged ones."""
        held = list(judgments)
        wanted = unique_ids(query_ids if query_ids is not None else (each.query_id for each in held))
        given: dict[str, dict[str, int]] = {query_id: {} for query_id in wanted}
        n_repeated = 0
        for judgment in held:
            grades = given.get(judgment.query_id)
            if grades is None:
                continue
            before = grades.get(judgment.doc_id)
            n_repeated += before is not None
            if before is None or judgment.relevance > before:
                grades[judgment.doc_id] = judgment.relevance
        return cls._from(given, tuple(doc_ids), n_repeated)

    @classmethod
    def _from(cls, given: dict[str, dict[str, int]], doc_ids: Ids, n_repeated: int) -> RelevantDocuments:
        row_of = {doc_id: row for row, doc_id in enumerate(doc_ids)}
        query_ids: list[str] = []
        places, rows, grades = [], [], []
        for query_id, judged in given.items():
            relevant = [(row_of.get(doc_id, OUTSIDE), grade) for doc_id, grade in judged.items() if grade > 0]
            if not relevant:
                continue
            if max(grade for _, grade in relevant) > HIGHEST_GRADE:
                raise InputError(f'query "{query_id}" has a relevance above {HIGHEST_GRADE:,}')
            places += [len(query_ids)] * len(relevant)
            query_ids.append(query_id)
            rows += [row for row, _ in relevant]
            grades += [grade for _, grade in relevant]
        at, row, grade = np.array(places, np.int64), np.array(rows, np.int64), np.array(grades, np.float64)
        order = np.lexsort((row, -grade, at))
        starts = np.searchsorted(at, np.arange(len(query_ids) + 1)).astype(np.int64)
        n_without = len(given) - len(query_ids)
        return cls(tuple(query_ids), doc_ids, starts, row[order], grade[order], n_without, n_repeated)

    def __len__(self) -> int:
        return len(self.query_ids)

    @cached_property
    def n_relevant(self) -> Rows:
        """The number of relevant documents of each query, inside the collection or not."""
        return np.diff(self.starts)

    @cached_property
    def n_outside(self) -> Rows:
        """The number of relevant documents of each query that are not in the collection."""
        return np.bincount(self.query_of[self.rows == OUTSIDE], minlength=len(self)).astype(np.int64)

    @cached_property
    def query_of(self) -> Rows:
        """The query of each relevant document, as its position in `query_ids`."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.n_relevant)

    @cached_property
    def id_ranks(self) -> Rows:
        """The position of each document in sorted id order."""
        return id_ranks(self.doc_ids)


# Ranks of the relevant documents in a run: all that metrics need to know about it.

BLOCK = 1 << 18
"""Documents of a run that are checked at once."""


@dataclass(frozen=True, eq=False)
class RelevantRanks:
    """The rank of every relevant document; those of a query are adjacent, most relevant first."""

    n_queries: int
    query_of: Rows
    """The query that each document is relevant to, as its position among the judged queries."""
    grades: Floats
    ranks: Rows
    """From 1; 0: not in the ranking."""
    tied: tuple[Rows, Rows] | None = None
    """Per document, the number above its score and the number that share it; None: no metric shares gains in ties."""

    @cached_property
    def n_relevant(self) -> Rows:
        return np.bincount(self.query_of, minlength=self.n_queries).astype(np.int64)

    @cached_property
    def ideal_ranks(self) -> Rows:
        """The rank of each document in the ideal ranking."""
        starts = np.cumsum(self.n_relevant) - self.n_relevant
        return np.arange(1, len(self.query_of) + 1) - starts[self.query_of]


def find_places(run: Run, judged: RelevantDocuments) -> RelevantRanks:
    """Find the rank of every relevant document.

    Ranks follow score descending, then doc_id ascending by code points. A document that occurs twice in a ranking
    counts once, at its best rank. Raises InputError if a score is not a number, or if the run answers a query twice.
    """
    check_run(run)
    rows, doc_ids = aligned_rows(run, judged)
    id_order = _IdOrder(judged, doc_ids)
    unordered = _unordered(run, rows, id_order)
    found = np.zeros(len(judged.rows), dtype=np.int64)
    # One entry beyond the documents stays 0: it is where OUTSIDE points.
    rank_of = np.zeros(len(doc_ids) + 1, dtype=np.int32)
    counting = np.arange(1, int(np.diff(run.starts).max(initial=0)) + 1, dtype=np.int32)
    starts, ends = run.starts.tolist(), judged.starts.tolist()
    for query, query_id in enumerate(judged.query_ids):
        at = run.place_of.get(query_id)
        if at is None or starts[at] == starts[at + 1]:
            continue
        listed = rows[starts[at] : starts[at + 1]]
        if at in unordered:
            listed = _in_order(listed, run.scores[starts[at] : starts[at + 1]], id_order.ranks)
        rank_of[listed] = counting[: len(listed)]
        if not np.array_equal(rank_of[listed], counting[: len(listed)]):
            listed = listed[first_places(listed)]
            rank_of[listed] = counting[: len(listed)]
        found[ends[query] : ends[query + 1]] = rank_of[judged.rows[ends[query] : ends[query + 1]]]
        rank_of[listed] = 0
    return RelevantRanks(len(judged), judged.query_of, judged.grades, found)


def _in_order(listed: Rows, scores: Floats, ranks: Rows) -> Rows:
    """Sort by score descending, then id ascending: a stable sort, then one of integers; lexsort takes twice as long."""
    down = np.argsort(-scores, kind="stable")
    listed, scores = listed[down], scores[down]
    level = np.zeros(len(listed), dtype=np.int64)
    np.cumsum(scores[1:] != scores[:-1], out=level[1:])
    return listed[np.argsort(level * len(ranks) + ranks[listed])]


def check_run(run: Run) -> None:
    """Raise an error if the run can't be ranked."""
    if len(run.place_of) != len(run.query_ids):
        twice = next(query_id for place, query_id in enumerate(run.query_ids) if run.place_of[query_id] != place)
        raise InputError(f'run "{run.name}" answers query "{twice}" twice')
    nan = np.isnan(run.scores)
    if nan.any():
        query_id = run.query_ids[int(np.searchsorted(run.starts, int(nan.argmax()), side="right")) - 1]
        raise InputError(f'run "{run.name}" has a score that is not a number, in query "{query_id}"')
    if len(run.rows) and not 0 <= int(run.rows.min()) <= int(run.rows.max()) < len(run.doc_ids):
        raise MisalignedError(f'run "{run.name}" has rows beyond its {len(run.doc_ids):,} documents')


def aligned_rows(run: Run, judged: RelevantDocuments) -> tuple[Rows, Ids]:
    """Map the run's rows to positions in the judged collection, after which its unknown documents are appended."""
    if run.doc_ids is judged.doc_ids or run.doc_ids == judged.doc_ids:
        return run.rows, judged.doc_ids
    row_of = {doc_id: row for row, doc_id in enumerate(judged.doc_ids)}
    rows = np.array([row_of.setdefault(doc_id, len(row_of)) for doc_id in run.doc_ids], dtype=np.int64)
    return rows[run.rows], tuple(row_of)


def first_places(listed: Rows) -> Rows:
    """Return the first position of each document, in order.

    >>> first_places(np.array([7, 3, 7, 1])).tolist()
    [0, 1, 3]
    """
    return np.sort(np.unique(listed, return_index=True)[1])


@dataclass(frozen=True, eq=False)
class _IdOrder:
    """Id ranks that are computed only if a tie needs them."""

    judged: RelevantDocuments
    doc_ids: Ids

    @cached_property
    def ranks(self) -> Rows:
        return self.judged.id_ranks if self.doc_ids is self.judged.doc_ids else id_ranks(self.doc_ids)


def _unordered(run: Run, rows: Rows, id_order: _IdOrder) -> set[int]:
    """Return the positions of queries whose ranking is not yet in order."""
    found: set[int] = set()
    for start in range(0, len(rows) - 1, BLOCK):
        scores, listed = run.scores[start : start + BLOCK + 1], rows[start : start + BLOCK + 1]
        wrong = scores[1:] > scores[:-1]
        tied = np.flatnonzero(scores[1:] == scores[:-1])
        if len(tied):
            ranks = id_order.ranks[listed]
            wrong[tied] = ranks[tied + 1] < ranks[tied]
        first, last = np.searchsorted(run.starts, [start + 1, start + len(scores)])
        wrong[run.starts[first:last] - start - 1] = False  # the next entry belongs to another query
        at = np.searchsorted(run.starts, start + np.flatnonzero(wrong), side="right") - 1
        found.update(at[np.flatnonzero(np.diff(at, prepend=-1))].tolist())
    return found


def answered_mask(run: Run, query_ids: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Mark the queries that the run has a document for."""
    lengths = np.diff(run.starts)
    places = [run.place_of.get(query_id) for query_id in query_ids]
    return np.array([place is not None and bool(lengths[place]) for place in places], dtype=np.bool_)


# `compat="stark-2024"`: ranks as in STaRK's published evaluator, only for comparison with its tables.
#
# Reference: Wu et al. (2024), STaRK, `stark_qa/evaluator.py`, with torchmetrics 1.2.0 and torch 2.0.0 as pinned by its
# requirements. Differences from the rest of core:
#
# - Every document of the collection is ranked. A document without a score gets the run's lowest score for the query
#   minus 1, so recall and the other metrics can count documents that were never retrieved.
# - Scores are rounded to float32 before any comparison; beyond 16,777,216 subtracting 1 has no effect, and documents
#   without a score tie with the lowest.
# - Ties follow the order of the collection (a stable descending sort over all candidates, as `torch.argsort` of that
#   version does on a CPU: hit, recall, R-precision). Only nDCG shares the discounts of tied places evenly among the
#   tied documents.
# - Relevance is binary: nDCG has gain 1 for every relevant document.
# - Relevant documents outside the collection are dropped, from denominators too. A query left without any counts 0.
# - MAP covers all relevant documents in the collection, each of which has a rank.
#
# Not reproducible: precision, MRR and MAP take their order from `torch.topk`, whose order of ties is undefined and
# varies with version, processor and k; here they follow the rule above. Later versions of torch leave `argsort`
# undefined in ties too, and later ones of torchmetrics treat scores of 0 and below as "not retrieved" in MRR and MAP.
# The evaluator computes in float32, so its values agree to about six digits. It fails on an empty ranking and on an
# answer id beyond the collection's largest; here an empty ranking counts 0.


def find_stark_places(run: Run, judged: RelevantDocuments) -> RelevantRanks:
    """Find the rank of every relevant document of the collection among all its documents."""
    check_run(run)
    inside = judged.rows != OUTSIDE
    rows, query_of = judged.rows[inside], judged.query_of[inside]
    ends = np.searchsorted(query_of, np.arange(len(judged) + 1)).tolist()
    listed, _ = aligned_rows(run, judged)
    ranks, n_above = np.zeros((2, len(rows)), dtype=np.int64)
    n_sharing = np.ones(len(rows), dtype=np.int64)
    for query, query_id in enumerate(judged.query_ids):
        at, part = run.place_of.get(query_id), slice(ends[query], ends[query + 1])
        if at is None:
            continue
        answer = slice(int(run.starts[at]), int(run.starts[at + 1]))
        candidates = _Candidates.of(listed[answer], run.scores[answer], len(judged.doc_ids))
        if candidates is not None:
            ranks[part], n_above[part], n_sharing[part] = candidates.rank(rows[part])
    return RelevantRanks(len(judged), query_of, np.ones(len(rows)), ranks, tied=(n_above, n_sharing))


@dataclass(frozen=True, eq=False)
class _Candidates:
    """All documents of the collection, of which a few have a score."""

    rows: Rows
    """Documents with a score, best first, then in the collection's order."""
    scores: npt.NDArray[np.float32]
    n_documents: int

    @classmethod
    def of(cls, rows: Rows, scores: Floats, n_documents: int) -> _Candidates | None:
        """Build from one answer; None: there is no score to rank the other documents by."""
        rounded = scores.astype(np.float32)
        order = np.lexsort((rows, -rounded))
        rows, rounded = rows[order], rounded[order]
        kept = first_places(rows)
        kept = kept[rows[kept] < n_documents]
        return cls(rows[kept], rounded[kept], n_documents) if len(kept) else None

    def rank(self, wanted: Rows) -> tuple[Rows, Rows, Rows]:
        """Return, for each wanted document, its rank, the documents above its score and those that share it."""
        by_row = np.argsort(self.rows)
        sorted_rows = self.rows[by_row]
        at = np.minimum(np.searchsorted(sorted_rows, wanted), len(sorted_rows) - 1)
        scored = sorted_rows[at] == wanted
        lowest = np.float32(self.scores[-1] - np.float32(1))
        score = np.where(scored, self.scores[by_row[at]], lowest)
        n_above = np.searchsorted(-self.scores, -score, side="left")
        n_sharing = np.searchsorted(-self.scores, -score, side="right") - n_above
        ranks = by_row[at] + 1
        last = score == lowest
        n_sharing[last] += self.n_documents - len(self.rows)
        ranks[last] = n_above[last] + 1 + self._n_last_before(wanted[last], lowest)
        return ranks, n_above, n_sharing

    def _n_last_before(self, wanted: Rows, lowest: np.float32) -> Rows:
        """Count the earlier documents of the collection that share the lowest score."""
        higher = np.sort(self.rows[self.scores > lowest])
        before: Rows = wanted - np.searchsorted(higher, wanted)
        return before


# Metrics of rankings: definitions, and values for every query of a run.

Compat = Literal["stark-2024"]
COMPATS: tuple[Compat, ...] = ("stark-2024",)
DEFAULT_METRICS = ("hit@1", "hit@5", "recall@20", "precision@10", "mrr", "map", "ndcg@10", "rprec")
DEEPEST = 1_000_000
CELLS = 1 << 21
"""Maximum number of curve values held at once."""
LEFT_OUT = "– if no query has a relevant document; such queries are left out. An empty ranking counts 0."


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingMetric(Metric):
    family: str
    k: int | None
    """The rank cut-off; None: the whole ranking counts."""


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
        "Reciprocal rank of the first relevant document: 1 at rank 1, 0.5 at rank 2.",
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
        "Relevance of the first {k}, discounted by rank, as a share of the best possible ranking.",
        "DCG / ideal DCG, with DCG = sum up to rank {k} of max(relevance, 0) / log2(rank + 1)",
        "Järvelin and Kekäläinen (2002), with linear gain",
        "always",
    ),
    "rprec": _Family(
        "R-precision",
        "Precision at the number of relevant documents: 1 if all of them come before all others.",
        "relevant with rank <= R / R, with R = all relevant",
        "Buckley and Voorhees (2000)",
        "never",
    ),
}


SYNONYMS = {"success": "hit", "r": "recall", "p": "precision", "rr": "mrr", "ap": "map"}
"""The names that ir_measures has for the same metrics; nDCG and Rprec are called the same."""


def read_metric(metric_id: str) -> RankingMetric:
    """Parse the id of a metric, or its name in ir_measures.

    >>> read_metric("nDCG@20").label, read_metric("P@5").metric_id
    ('nDCG@20', 'precision@5')
    >>> read_metric("mrr").k is None
    True
    """
    name, at, cut = metric_id.strip().lower().partition("@")
    name = SYNONYMS.get(name, name)
    family = FAMILIES.get(name)
    if family is None:
        raise SettingsError(f'there is no ranking metric "{metric_id}"; there are {_forms()}')
    if at and family.takes_k == "never":
        raise SettingsError(f'"{name}" uses the whole ranking: write "{name}", not "{metric_id}"')
    if not at and family.takes_k == "always":
        raise SettingsError(f'"{name}" needs a rank cut-off: write "{name}@10", for example')
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
    run: Run, judged: RelevantDocuments, metric_ids: Sequence[str], *, compat: Compat | None = None
) -> Mapping[str, Floats]:
    """Compute each metric for every judged query, in the order of `judged.query_ids`, under the ids as given.

    0: nothing relevant within the metric's reach; 1: the best possible value. Ties: score descending, then doc_id
    ascending. A query that the run does not answer counts 0. `compat`: see the reference above.
    """
    metrics = {metric_id: read_metric(metric_id) for metric_id in metric_ids}
    places = _places(run, judged, compat)
    return {metric_id: _values(places, metric) for metric_id, metric in metrics.items()}


def _places(run: Run, judged: RelevantDocuments, compat: Compat | None) -> RelevantRanks:
    if compat is None:
        return find_places(run, judged)
    if compat not in COMPATS:
        raise SettingsError(f'there is no compat "{compat}"; there is {", ".join(COMPATS)}')
    return find_stark_places(run, judged)


def _values(places: RelevantRanks, metric: RankingMetric) -> Floats:
    if metric.family == "map":
        return _average_precision(places)
    if metric.family == "rprec":
        within = (places.ranks > 0) & (places.ranks <= places.n_relevant[places.query_of])
        return _share(_per_query(places, within), places.n_relevant)
    k = metric.k or int(places.ranks.max(initial=1))
    if metric.family == "ndcg" and places.tied is not None:
        return _share(_tied_dcg(places, k), _dcg(places, places.ideal_ranks, k))
    return _Curves(places, np.array([k])).of(metric.family, slice(0, places.n_queries))[:, 0]


def ceilings(judged: RelevantDocuments, metric_ids: Sequence[str], *, compat: Compat | None = None) -> dict[str, float]:
    """Return the highest possible mean of each recall, since the first k can't hold more than k relevant documents.

    Mean over queries of min(k, relevant documents of the collection) / all relevant; empty without a query.
    """
    inside = judged.n_relevant - judged.n_outside
    whole = judged.n_relevant if compat is None else inside
    found = {}
    for metric in map(read_metric, metric_ids):
        if metric.family == "recall" and metric.k is not None and len(judged):
            found[metric.metric_id] = float(_share(np.minimum(inside, metric.k), whole).mean())
    return found


def metric_by_k(run: Run, judged: RelevantDocuments, family: str, ks: Sequence[int]) -> Floats:
    """Return the mean over judged queries of hit, recall, precision, mrr or ndcg at each k; NaN without a query."""
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

    places: RelevantRanks
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
        """Return the documents that count at some k, and the cell of the first k that reaches each."""
        first, last = np.searchsorted(self.places.query_of, [queries.start, queries.stop])
        counted = first + np.flatnonzero((ranks[first:last] > 0) & (ranks[first:last] <= self.cuts[-1]))
        row = self.places.query_of[counted] - queries.start
        return counted, row * len(self.cuts) + np.searchsorted(self.cuts, ranks[counted])

    def _sums(self, queries: slice, ranks: Rows, grades: Floats | None) -> Floats:
        """Sum the documents down to each k, or their discounted grades."""
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
    """Return part / whole; 0 if the whole is 0, and never above 1 by rounding."""
    some = np.asarray(whole) > 0
    share: Floats = np.minimum(np.where(some, part, 0) / np.where(some, whole, 1), 1.0)
    return share


def _per_query(places: RelevantRanks, weights: Floats | np.ndarray) -> Floats:
    return np.bincount(places.query_of, weights, minlength=places.n_queries).astype(np.float64)


def _average_precision(places: RelevantRanks) -> Floats:
    found = np.flatnonzero(places.ranks)
    ordered = found[np.lexsort((places.ranks[found], places.query_of[found]))]
    query_of = places.query_of[ordered]
    n_found = np.bincount(query_of, minlength=places.n_queries)
    nth = np.arange(1, len(ordered) + 1) - (np.cumsum(n_found) - n_found)[query_of]
    sums = np.bincount(query_of, nth / places.ranks[ordered], minlength=places.n_queries)
    return _share(sums, places.n_relevant)


def _dcg(places: RelevantRanks, ranks: Rows, k: int) -> Floats:
    counted = (ranks > 0) & (ranks <= k)
    return _per_query(places, np.where(counted, places.grades / np.log2(np.maximum(ranks, 1) + 1), 0.0))


def _tied_dcg(places: RelevantRanks, k: int) -> Floats:
    """Compute DCG with the discounts of tied places shared evenly among the tied documents."""
    assert places.tied is not None
    n_above, n_sharing = places.tied
    deepest = int((n_above + n_sharing).max(initial=0))
    discounts = 1 / np.log2(np.arange(2, min(k, deepest) + 2))
    summed = np.concatenate([[0.0], np.cumsum(discounts)])
    last = len(summed) - 1
    shared = summed[np.minimum(n_above + n_sharing, last)] - summed[np.minimum(n_above, last)]
    return _per_query(places, np.where(places.ranks > 0, places.grades * shared / n_sharing, 0.0))
