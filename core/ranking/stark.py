"""`compat="stark-2024"`: ranks as STaRK's published evaluator gives them. For comparison with its tables only.

Reference: Wu et al. (2024), STaRK, `stark_qa/evaluator.py`, with torchmetrics 1.2.0 and torch 2.0.0 as its requirements
pin them. What differs from the rest of core:

- Every document of the collection is ranked. One without a score gets the run's lowest score for the query minus 1, so
  recall and the others can count what was never retrieved.
- Scores are rounded to float32 before anything is compared; beyond 16,777,216 minus 1 is lost, and documents without
  a score tie with the lowest.
- Ties: the document that comes first in the collection comes first (a stable descending sort over all candidates, which
  is what `torch.argsort` of that version does on a CPU: hit, recall, R-precision). nDCG alone shares the discounts of
  tied places evenly among the tied documents.
- Relevance is yes or no: nDCG has gain 1 for every relevant document.
- Relevant documents outside the collection are dropped, from denominators too. A query left without any counts 0.
- MAP is over all relevant documents that the collection has, each of which has a rank.

What can't be reproduced: precision, MRR and MAP take their order from `torch.topk`, whose order of ties is not
defined and changes with version, processor and k; here they follow the rule above. Later versions of torch leave
`argsort` undefined in ties too, and later ones of torchmetrics take scores of 0 and below for "not retrieved" in MRR
and MAP. The evaluator computes in float32, so its values agree to about six digits. It stops at an empty ranking and
at an answer id beyond the collection's largest; here an empty ranking counts 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.ranking.judged import OUTSIDE, Judged
from core.ranking.places import Places, aligned_rows, check_run, first_places
from core.ranking.types import Rows, Run
from core.types import Floats


def find_stark_places(run: Run, judged: Judged) -> Places:
    """The rank of every relevant document of the collection among all its documents."""
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
    return Places(len(judged), query_of, np.ones(len(rows)), ranks, tied=(n_above, n_sharing))


@dataclass(frozen=True, eq=False)
class _Candidates:
    """All documents of the collection, of which a few have a score."""

    rows: Rows
    """Those with a score, best first, then in the collection's order."""
    scores: npt.NDArray[np.float32]
    n_documents: int

    @classmethod
    def of(cls, rows: Rows, scores: Floats, n_documents: int) -> _Candidates | None:
        """None: there is no score that others could be measured by."""
        rounded = scores.astype(np.float32)
        order = np.lexsort((rows, -rounded))
        rows, rounded = rows[order], rounded[order]
        kept = first_places(rows)
        kept = kept[rows[kept] < n_documents]
        return cls(rows[kept], rounded[kept], n_documents) if len(kept) else None

    def rank(self, wanted: Rows) -> tuple[Rows, Rows, Rows]:
        """Of each wanted document: its rank, how many stand above its score, how many share it."""
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
        """How many documents with the lowest score of all come earlier in the collection."""
        higher = np.sort(self.rows[self.scores > lowest])
        before: Rows = wanted - np.searchsorted(higher, wanted)
        return before
