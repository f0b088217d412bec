"""Look up core publications in a source: counts, and reasons for those that are missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from core.query.parser import parse
from core.query.tree import DialectId, Group, Range
from core.text import listed, many, was

CoreVerdict = Literal["found", "missed", "not indexed", "unsure", "not asked"]
VERDICTS: tuple[CoreVerdict, ...] = get_args(CoreVerdict)


@dataclass(frozen=True, slots=True)
class CoreCounts:
    """Counts of core publications by verdict."""

    n_found: int
    """Indexed by the source and found by the search string."""
    n_missed: int
    """Indexed by the source, but not found by the search string."""
    n_not_indexed: int
    """No search string finds them in the source."""
    n_unsure: int
    """Unknown whether the source has them, or whether the search string finds them."""
    n_not_asked: int
    """The call budget was spent before these were looked up."""
    n_unsure_indexed: int = 0
    """Unsure publications that the source certainly has."""
    n_not_asked_indexed: int = 0
    """Publications not asked about that the source certainly has."""

    @property
    def n_core(self) -> int:
        return self.n_found + self.n_missed + self.n_not_indexed + self.n_open

    @property
    def n_open(self) -> int:
        """The number of publications that are not certainly found, missed or absent from the source."""
        return self.n_unsure + self.n_not_asked

    @property
    def n_indexed(self) -> int:
        return self.n_found + self.n_missed + self.n_indexed_open

    @property
    def n_indexed_open(self) -> int:
        return self.n_unsure_indexed + self.n_not_asked_indexed

    @property
    def recall(self) -> float | None:
        """Recall within the source: found / indexed. None: none is indexed, or more than one value is possible.

        >>> CoreCounts(22, 4, 4, 0, 0).recall
        0.8461538461538461
        """
        between = self.recall_between
        return between[0] if between is not None and not self.n_indexed_open else None

    @property
    def recall_between(self) -> tuple[float, float] | None:
        """The bounds of recall, since an open publication may be found or missed. None: the source has none of them.

        >>> CoreCounts(22, 4, 4, 0, 4, n_not_asked_indexed=4).recall_between
        (0.7333333333333333, 0.8666666666666667)
        """
        if not self.n_indexed:
            return None
        return self.n_found / self.n_indexed, (self.n_found + self.n_indexed_open) / self.n_indexed

    @property
    def attainable(self) -> float | None:
        """The highest recall that any search string can reach in the source: indexed / (indexed + not indexed).

        >>> CoreCounts(22, 4, 4, 0, 0).attainable
        0.8666666666666667
        """
        n = self.n_indexed + self.n_not_indexed
        return self.n_indexed / n if n else None

    def sentence(self, source: str) -> str:
        """Summarise all counts in a line or two. `source`: the display name of the source.

        >>> print(CoreCounts(22, 4, 4, 0, 0).sentence("PubMed"))
        Of 30 core publications PubMed indexes 26; the string finds 22 of them, so recall within PubMed is 0.846. \
4 can't be found there by any string, so no string can reach more than 0.867.
        """
        parts = [f"Of {many(self.n_core, 'core publication')} {source} indexes {self.n_indexed:,}"]
        if (between := self.recall_between) is not None:
            parts[0] += f"; the string {self._finds()}, so recall within {source} is {in_range(between)}"
        if self.n_not_indexed and self.attainable is not None:
            ceiling = f", so no string can reach more than {self.attainable:.3f}" if self.n_indexed else ""
            parts.append(f"{self.n_not_indexed:,} can't be found there by any string{ceiling}")
        if self.n_unsure_indexed:
            them = "it" if self.n_unsure_indexed == 1 else "them"
            parts.append(f"For {self.n_unsure_indexed:,} it is unclear whether the string finds {them}")
        if n_nowhere := self.n_unsure - self.n_unsure_indexed:
            they = "it is" if n_nowhere == 1 else "they are"
            parts.append(f"For {n_nowhere:,} it is unclear; {they} in none of these numbers")
        if self.n_not_asked:
            parts.append(f"{self.n_not_asked:,} {was(self.n_not_asked)} not looked up yet")
        return ". ".join(parts) + "."

    def _finds(self) -> str:
        if self.n_indexed_open:
            return f"finds at least {self.n_found:,} of them" if self.n_found else "finds none of them for certain"
        if self.n_indexed == 1:
            return "finds it" if self.n_found else "does not find it"
        if self.n_found == self.n_indexed:
            return "finds all of them"
        return f"finds {self.n_found:,} of them" if self.n_found else "finds none of them"


def in_range(between: tuple[float, float]) -> str:
    """Format a share that lies between two bounds.

    >>> in_range((0.5, 0.5)), in_range((0.5, 0.75))
    ('0.500', '0.500 to 0.750')
    """
    least, most = (f"{share:.3f}" for share in between)
    return least if least == most else f"{least} to {most}"


def core_counts(verdicts: Iterable[CoreVerdict], indexed: Iterable[CoreVerdict] = ()) -> CoreCounts:
    """Count the verdicts. `indexed`: the verdicts of the publications that the source certainly has.

    >>> core_counts(["found", "found", "not indexed", "missed"])
    CoreCounts(n_found=2, n_missed=1, n_not_indexed=1, n_unsure=0, n_not_asked=0, n_unsure_indexed=0, \
n_not_asked_indexed=0)
    """
    n, there = Counter(verdicts), Counter(indexed)
    found, missed, not_indexed, unsure, not_asked = (n[verdict] for verdict in VERDICTS)
    return CoreCounts(found, missed, not_indexed, unsure, not_asked, there["unsure"], there["not asked"])


# Explanations of why a source has not returned a core publication, for each part of the search string.

LONGEST = 60
"""Maximum characters of a part that a sentence quotes."""
MOST_PARTS = 3


class FailingPart(NamedTuple):
    """A part of the search string that a publication does not pass."""

    text: str
    """As written in the search string."""
    is_excluded: bool
    """The part follows a NOT, and it holds."""


def shortened(text: str, most: int = LONGEST) -> str:
    """Shorten a long part of a search string, cutting between two alternatives.

    >>> shortened("(heat OR warmth)"), shortened("(heat OR warmth OR temperature)", 20)
    ('(heat OR warmth)', '(heat OR warmth OR …)')
    """
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat
    head = flat[:most]
    cut = head.upper().rfind(" OR ")
    if cut > 0:
        return _closed(f"{head[:cut]} OR …")
    cut = head.rfind(" ")
    return _closed(f"{head[: cut if cut > most // 2 else most].rstrip()} …")


def _closed(text: str) -> str:
    """Close the brackets that the cut left open; one closing bracket for all of them is enough to read."""
    return f"{text})" if text.count("(") > text.count(")") else text


def why_missed(parts: Sequence[FailingPart], dialect: DialectId) -> str:
    """Describe the parts that fail, as the continuation of a sentence after a colon.

    >>> why_missed([FailingPart("(heat OR warmth)", False), FailingPart("review[pt]", True)], "pubmed")
    'no part of (heat OR warmth) is in it; review[pt] is in it, and NOT excludes it'
    """
    texts = [_why(part, dialect) for part in parts[:MOST_PARTS]]
    more = len(parts) - MOST_PARTS
    return "; ".join([*texts, f"and {more} more part{'s fail' if more > 1 else ' fails'}"] if more > 0 else texts)


def _why(part: FailingPart, dialect: DialectId) -> str:
    short = shortened(part.text)
    if part.is_excluded:
        return f"{short} is in it, and NOT excludes it"
    root = parse(part.text, dialect).root
    if isinstance(root, Range):
        return f"its year is not within {short}"
    if isinstance(root, Group) and root.operator == "OR":
        return f"no part of {short} is in it"
    return f"{short} is not in it"


def finds_less(texts: Sequence[str]) -> str:
    """Describe the terms, among parts that miss a publication, that match less in the source than written.

    >>> finds_less(["heat*", "heat*"]), finds_less([])
    (' (heat* matches less there)', '')
    """
    parts = [shortened(text) for text in dict.fromkeys(texts)]
    if not parts:
        return ""
    named = listed(parts[:MOST_PARTS]) if len(parts) <= MOST_PARTS else f"{parts[0]} and more"
    return f" ({named} {'matches less there' if len(parts) == 1 else 'match less there'})"


def looked_for_by(*, doi: bool, pmid: bool, title: bool) -> str:
    """Name the identifiers that a publication was looked up by.

    >>> looked_for_by(doi=True, pmid=False, title=True)
    'looked up by DOI and title'
    """
    names = [name for name, there in (("DOI", doi), ("PMID", pmid), ("title", title)) if there]
    return f"looked up by {listed(names)}" if names else "there is nothing to look it up by"
