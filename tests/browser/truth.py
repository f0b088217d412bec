"""What a direct call into the workspace says, to be held against what is on the screen."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from core.explore.evaluate import Evaluation
from core.explore.landscape import split_curve
from core.query.parser import parse
from core.settings import EvaluationSettings
from core.types import RegionKind
from data.explore.scoring import VersionView
from data.explore.workspace import Workspace
from data.query.search import answer
from tests.browser.pages import Numbers

EMBEDDER = "lsa"
SLACK = 1e-6
"""A publication at the very threshold is relevant, whatever its 32-bit float says."""
HEAT = "Urban heat and street trees (made up)"
BATTERY = "Battery ageing in electric cars (made up)"


class Truth:
    """A copy of the workspace of a running server."""

    def __init__(self, data_dir: Path, embedder: str = EMBEDDER) -> None:
        self.workspace = Workspace.open(data_dir)
        self.embedder = embedder
        self.view = cache(self._view)

    def __enter__(self) -> Truth:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.workspace.close()

    def _view(self, topic: str, version: str) -> VersionView:
        return self.workspace.view(topic, version, self.embedder)

    def titles(self, topic: str, version: str) -> list[str]:
        """Titles by row of the landscape."""
        return list(self.workspace.store.headlines(self.view(topic, version).landscape.ids).titles)

    def evaluate(self, topic: str, version: str, **settings: Any) -> Evaluation:
        """Every region, scored."""
        chosen = replace(EvaluationSettings(), **settings)
        return self.workspace.evaluate(topic, version, embedder=self.embedder, settings=chosen)

    def matching(self, topic: str, text: str) -> int:
        """How many publications of the topic a query retrieves."""
        return len(answer(self.workspace.corpora.of(topic), parse(text), "literal").ids)

    def split(self, topic: str, version: str, min_similarity: float) -> int:
        """The first row that reaches the similarity threshold."""
        landscape = self.view(topic, version).landscape
        similarities = landscape.similarities[: landscape.n_retrieved].astype(np.float64)
        return int(np.searchsorted(similarities, min_similarity - SLACK))

    def check_threshold(self, numbers: Numbers, topic: str, version: str, **settings: Any) -> None:
        """The numbers under the hand are those of the curve, at the similarity threshold that they were drawn for."""
        landscape = self.view(topic, version).landscape
        curve = split_curve(landscape, replace(EvaluationSettings(), **settings))
        at = self.split(topic, version, numbers.min_similarity)
        n = landscape.n_retrieved
        assert numbers.relevant == f"{n - at:,} of {n:,}"
        assert numbers.kept == f"{landscape.core_mask[at:n].sum():,} of {landscape.core_mask[:n].sum():,}"
        assert says(numbers.semantic_precision, curve.semantic_precision[at])
        assert says(numbers.decay, curve.decay[at])
        assert says(numbers.f_beta, curve.f_beta[at])

    def check_region(self, numbers: Numbers, kind: RegionKind, evaluation: Evaluation) -> None:
        """The numbers on screen are those of an evaluation."""
        scores = evaluation.regions[kind]
        assert scores.n_relevant is not None
        assert numbers.relevant == f"{scores.n_relevant:,} of {evaluation.n_scorable:,}"
        assert numbers.kept.startswith(f"{len(scores.accepted_core_ids):,} of ")
        assert says(numbers.semantic_precision, scores.semantic_precision)
        assert says(numbers.decay, scores.decay)
        assert says(numbers.f_beta, scores.f_beta)


def says(shown: str, value: float | None) -> bool:
    """Whether a number on screen is this value, rounded to the digits that are shown.

    >>> says("0.813", 0.8125), says("0.813", 0.8119), says("–", float("nan")), says("1.20", 1.2)
    (True, False, True, True)
    """
    if value is None or not np.isfinite(value):
        return shown == "–"
    if shown == "–":
        return False
    number = Decimal(shown.replace("−", "-").replace(",", ""))
    digits = number.as_tuple().exponent
    assert isinstance(digits, int)
    half = 0.5 * 10.0**digits
    return abs(float(number) - float(value)) <= half * (1 + 1e-4) and (digits <= -3 or abs(value) >= 0.9)
