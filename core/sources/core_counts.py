"""Where the core publications of a topic stand in one source: how many it has, and how many of those a string finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

CoreVerdict = Literal["found", "missed", "not indexed", "unsure", "not asked"]
VERDICTS: tuple[CoreVerdict, ...] = get_args(CoreVerdict)


@dataclass(frozen=True, slots=True)
class CoreCounts:
    """How many core publications come to each verdict."""

    n_found: int
    """The source has them, and the string finds them."""
    n_missed: int
    """The source has them, and the string does not find them."""
    n_not_indexed: int
    """No string finds them there."""
    n_unsure: int
    """It can't be told whether the source has them, or whether the string finds them."""
    n_not_asked: int
    """The calls that were allowed were spent before their turn."""

    @property
    def n_core(self) -> int:
        """All of them."""
        return self.n_found + self.n_missed + self.n_not_indexed + self.n_open

    @property
    def n_open(self) -> int:
        """Those of which nothing is known for sure; they are in no share."""
        return self.n_unsure + self.n_not_asked

    @property
    def n_indexed(self) -> int:
        """Those that a string can find there."""
        return self.n_found + self.n_missed

    @property
    def recall(self) -> float | None:
        """Recall within the source: found / indexed. None: it has none of them, as far as is known.

        >>> CoreCounts(22, 4, 4, 0, 0).recall
        0.8461538461538461
        """
        return self.n_found / self.n_indexed if self.n_indexed else None

    @property
    def attainable(self) -> float | None:
        """The highest recall that any string can reach there: indexed / (indexed + not indexed).

        >>> CoreCounts(22, 4, 4, 0, 0).attainable
        0.8666666666666667
        """
        n = self.n_indexed + self.n_not_indexed
        return self.n_indexed / n if n else None

    def sentence(self, source: str) -> str:
        """All of it in a line or two. `source`: what the source is called.

        >>> print(CoreCounts(22, 4, 4, 0, 0).sentence("PubMed"))
        Of 30 core publications PubMed indexes 26; the string finds 22 of them, so recall within PubMed is 0.846. \
4 can't be found there by any string, so no string reaches more than 0.867.
        """
        parts = [f"Of {self._of_all()} {source} indexes {self.n_indexed:,}"]
        if self.recall is not None:
            parts[0] += f"; the string {self._finds()}, so recall within {source} is {self.recall:.3f}"
        if self.n_not_indexed and self.attainable is not None:
            ceiling = f", so no string reaches more than {self.attainable:.3f}" if self.n_indexed else ""
            parts.append(f"{self.n_not_indexed:,} can't be found there by any string{ceiling}")
        if self.n_unsure:
            they = "it is" if self.n_unsure == 1 else "they are"
            parts.append(f"Of {self.n_unsure:,} it can't be told; {they} in none of these numbers")
        if self.n_not_asked:
            was = "was" if self.n_not_asked == 1 else "were"
            parts.append(f"{self.n_not_asked:,} {was} not asked about yet")
        return ". ".join(parts) + "."

    def _of_all(self) -> str:
        return "1 core publication" if self.n_core == 1 else f"{self.n_core:,} core publications"

    def _finds(self) -> str:
        if self.n_indexed == 1:
            return "finds it" if self.n_found else "does not find it"
        if self.n_found == self.n_indexed:
            return "finds all of them"
        return f"finds {self.n_found:,} of them" if self.n_found else "finds none of them"


def core_counts(verdicts: Iterable[CoreVerdict]) -> CoreCounts:
    """What was said of each core publication, counted.

    >>> core_counts(["found", "found", "not indexed", "missed"])
    CoreCounts(n_found=2, n_missed=1, n_not_indexed=1, n_unsure=0, n_not_asked=0)
    """
    n = Counter(verdicts)
    return CoreCounts(*(n[verdict] for verdict in VERDICTS))
