"""Keywords counted in the corpus: the way that needs no model."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.query.matching.texts import Texts
from core.query.repair.suggest import Suggestion, suggest
from core.writer.types import STATISTICS, Brief, Keyword, Proposal

MOST_PROPOSED = 60


def proposals_from_corpus(
    texts: Texts, rows: npt.NDArray[np.integer], *, brief: Brief, most: int = MOST_PROPOSED
) -> tuple[Proposal, ...]:
    """Words and phrases that set the core publications in use apart, the clearest first.

    `rows`: those publications in the corpus; where there are none, what matches the topic's words stands in for them.
    """
    found = suggest(texts, rows, semantics=brief.semantics, most=most)
    return tuple(Proposal(Keyword(each.text), _reason(each, len(rows), texts.n), reading=STATISTICS) for each in found)


def _reason(each: Suggestion, n_target: int, n: int) -> str:
    return f"In {each.n_target} of {n_target} core publications in use and in {each.n_corpus:,} of {n:,} publications."
