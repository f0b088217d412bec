"""Compare titles, find pairs of likely duplicates, and match lists of core publications."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal
from zlib import crc32

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from core.errors import MisalignedError
from core.library.identity import WORDS_ENOUGH, Identity, same_author
from core.library.preprints import VersionForm, are_versions
from core.library.records import Record, title_key
from core.text import common_ends, listed, words
from core.types import Ids, Mask, unique_ids

MOST_COMPARED = 1_000
"""Number of letters compared; a longer text is not a title."""

_PARTS = re.compile(r"[:.?!;]\s|\s[–—-]+\s|[–—]")
_NUMERAL = re.compile(r"\d+|[a-z]*\d\w*|[ivx]+|one|two|three|four|five|six|first|second|third|fourth")
_ABOUT_ANOTHER = frozenset(
    words("reply response comment comments commentary correction corrigendum erratum retraction retracted rejoinder")
)
"""Words that mark the title of a publication about another one with a similar title."""
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Title:
    key: str
    words: tuple[str, ...]
    n_main: int
    """Number of words before the subtitle; all words if there is none."""

    @classmethod
    def of(cls, title: str) -> Title:
        title = title[: 4 * MOST_COMPARED]
        cut = tuple(words(title))
        main = 0
        for part in _PARTS.split(title):
            main += len(words(part))
            if main >= WORDS_ENOUGH:
                break
        return cls("".join(cut)[:MOST_COMPARED], cut, main)

    @property
    def main_key(self) -> str:
        """The key without the subtitle."""
        return "".join(self.words[: self.n_main])


TitleRule = Literal["same", "protocol", "continued", "spelling", "words", "other"]
"""The relation of two titles: equal letters; only one says "protocol"; one has a further subtitle; another spelling;
other words; not similar.
"""


@dataclass(frozen=True, slots=True)
class TitleComparison:
    likeness: float
    """0: not similar; 1: identical."""
    why: str = ""
    rule: TitleRule = "other"
    other_word: bool = False
    """True if a word is replaced by a different one, not by another spelling."""


def compared(one: Title, other: Title) -> TitleComparison:
    """Measure the similarity of two titles. Titles with different numbers ("Part I", "Part II") are not similar.

    >>> compared(Title.of("Wildfire smoke and asthma"), Title.of("Wildfires smoke and asthma")).why
    'titles differ in “wildfire” and “wildfires”'
    >>> compared(Title.of("On fire and soil: part I"), Title.of("On fire and soil: part II")).likeness
    0.0
    """
    if one.key == other.key:
        return TitleComparison(1.0, "the same title", "same")
    if _ABOUT_ANOTHER & (set(one.words) ^ set(other.words)):
        return TitleComparison(0.0)
    one_protocol = "protocol" in set(one.words) ^ set(other.words)
    protocol = 0.85 if one_protocol else 1.0
    short, long = sorted((one, other), key=lambda title: (len(title.key), title.key))
    if short.key == long.main_key:
        rest = long.words[long.n_main :]
        if any(_NUMERAL.fullmatch(word) and not _YEAR.fullmatch(word) for word in rest):
            return TitleComparison(0.0)
        rule: TitleRule = "protocol" if one_protocol else "continued"
        return TitleComparison(0.92 * protocol, f"one title continues with “{_shown(rest)}”", rule)
    if numerals(one.words) != numerals(other.words):
        return TitleComparison(0.0)
    n = len(long.key)
    distance = edits(one.key, other.key, most=n * 3 // 20)
    if distance is None:
        return TitleComparison(0.0)
    mine, theirs = _differing(one.words, other.words)
    other_word = not _slip("".join(mine), "".join(theirs))
    likeness = (1 - distance / n) * (0.9 if other_word else 1) * protocol
    rule = "protocol" if one_protocol else "words" if other_word else "spelling"
    return TitleComparison(likeness, _difference(mine, theirs), rule, other_word)


def numerals(title_words: tuple[str, ...]) -> list[str]:
    """Return digits, Roman numerals and number words, in order."""
    return [word for word in title_words if _NUMERAL.fullmatch(word)]


def edits(one: str, other: str, *, most: int) -> int | None:
    """Count the letters to add, drop or change to turn one text into the other; None: more than `most`.

    >>> edits("wildfire", "wildfires", most=2), edits("abc", "xyz", most=2)
    (1, None)
    """
    distance = Levenshtein.distance(one, other, score_cutoff=most)
    return distance if distance <= most else None


def _differing(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    start, end = common_ends(one, other)
    return one[start : len(one) - end], other[start : len(other) - end]


def _slip(mine: str, theirs: str) -> bool:
    """Return True if a difference is a matter of spelling: a letter or two, or an ending."""
    return edits(mine, theirs, most=min(3, max(len(mine), len(theirs)) // 3)) is not None


def _difference(mine: tuple[str, ...], theirs: tuple[str, ...]) -> str:
    if mine and theirs:
        return f"titles differ in “{_shown(mine)}” and “{_shown(theirs)}”"
    return f"only one title has “{_shown(mine or theirs)}”"


def _shown(some: tuple[str, ...]) -> str:
    return " ".join(some[:8]) + (" …" if len(some) > 8 else "")


# Selection of titles to compare letter by letter: those that share something rare.

Rows = npt.NDArray[np.int64]

MOST_WORDS = 40
"""Maximum number of words of a title that are hashed one by one."""
NEIGHBOURS = 8
"""Each title is paired with this many of the next titles in alphabetical order that share a mark."""
RARE_WORDS = 4


def candidate_pairs(titles: Sequence[Title], chosen: Mask | None = None) -> Iterator[tuple[int, int]]:
    """Yield pairs of rows that may be similar, each once; with `chosen`, only pairs with a marked row."""
    rows, marks = _marks(titles)
    pairs = _neighbours(titles, rows, marks)
    if chosen is not None:
        pairs = pairs[chosen[pairs[:, 0]] | chosen[pairs[:, 1]]]
    lengths = np.array([len(title.key) for title in titles], dtype=np.int64)
    mains = np.array([len(title.main_key) for title in titles], dtype=np.int64)
    letters = _letters(titles)
    for begin in range(0, len(pairs), 200_000):
        part = pairs[begin : begin + 200_000]
        one, other = part[:, 0], part[:, 1]
        apart = np.abs(letters[one] - letters[other]).sum(axis=1)
        longer = np.maximum(lengths[one], lengths[other])
        subtitle = (lengths[one] == mains[other]) | (lengths[other] == mains[one])
        for i, j in part[(apart <= 2 * (longer * 3 // 20)) | subtitle]:
            yield int(i), int(j)


def _marks(titles: Sequence[Title]) -> tuple[Rows, Rows]:
    """Return marks that similar titles share: the whole title, minus one word, minus its subtitle, two rare words."""
    frequency = Counter(word for title in titles for word in set(title.words))
    rows: list[int] = []
    marks: list[int] = []
    for row, title in enumerate(titles):
        if not title.key:
            continue
        found = set(_hashes(title))
        rare = sorted({word for word in title.words if frequency[word] > 1}, key=lambda word: (frequency[word], word))
        found.update(crc32(" ".join(pair).encode()) for pair in combinations(sorted(rare[:RARE_WORDS]), 2))
        rows.extend([row] * len(found))
        marks.extend(found)
    return np.array(rows, dtype=np.int64), np.array(marks, dtype=np.int64)


def _hashes(title: Title) -> Iterator[int]:
    parts = [word.encode() for word in title.words[:MOST_WORDS]]
    rest = "".join(title.words[MOST_WORDS:]).encode()
    key = b"".join(parts) + rest
    yield crc32(key)
    yield crc32(title.main_key.encode())
    before, start = 0, 0
    for part in parts:
        yield crc32(key[start + len(part) :], before)
        before, start = crc32(part, before), start + len(part)


def _neighbours(titles: Sequence[Title], rows: Rows, marks: Rows) -> Rows:
    """Pair rows that share a mark; if many do, each with its neighbours in alphabetical order."""
    alphabetical = np.empty(len(titles), dtype=np.int64)
    alphabetical[sorted(range(len(titles)), key=lambda row: titles[row].key)] = np.arange(len(titles))
    order = np.lexsort((alphabetical[rows], marks)) if len(rows) else np.empty(0, dtype=np.int64)
    rows, marks = rows[order], marks[order]
    found = []
    for step in range(1, NEIGHBOURS + 1):
        shared = marks[step:] == marks[:-step]
        found.append(np.stack([rows[:-step][shared], rows[step:][shared]], axis=1))
    pairs = np.sort(np.concatenate(found), axis=1) if len(rows) else np.empty((0, 2), dtype=np.int64)
    return np.unique(pairs, axis=0)


def _letters(titles: Sequence[Title]) -> npt.NDArray[np.int16]:
    """Count each letter of each title; letters other than a to z and digits are counted modulo 38."""
    counts = np.zeros((len(titles), 38), dtype=np.int16)
    for row, title in enumerate(titles):
        codes = np.frombuffer(title.key.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        counts[row] = np.bincount(codes % 38, minlength=38)
    return counts


# Publications with such similar titles that a person should check whether they are the same.
#
# Not every pair is compared: only titles that share something rare are candidates, a count of letters excludes most of
# those, and the rest are compared letter by letter.

LEAST_LIKENESS = 0.75


@dataclass(frozen=True, slots=True)
class NearPair:
    a: str
    b: str
    likeness: float
    """Above 0, at most 1; 1 is the same title without any contradiction."""
    why: str
    """Common and different features, for a person."""
    is_version_pair: bool = False
    """True: a preprint and its published version."""


VERSION_LIKENESS = 0.99
"""Of a preprint and its published version: they differ in year and DOI, and often in the first author."""


def near_pairs(
    identities: Sequence[tuple[str, Identity]],
    titles: Sequence[str],
    *,
    among: Collection[str] | None = None,
    most: int = 500,
    kept_apart: Collection[tuple[str, str]] = (),
    forms: Mapping[str, VersionForm] | None = None,
) -> tuple[NearPair, ...]:
    """Return suggestions, most likely first.

    `identities` and `titles` are parallel rows; a publication may have several rows. `among`: only pairs with one of
    these publications, such as those from the last file. `kept_apart`: pairs that a person has already decided on.
    `forms`: publications that may be the preprint or the published version of another one with the same title.
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
        one, other = identities[i][1], identities[j][1]
        versions = _versions(forms or {}, a, b) if read[i].key == read[j].key and not one.generic else ""
        likeness, why = (VERSION_LIKENESS, versions) if versions else _judged(one, other, compared(read[i], read[j]))
        if likeness >= LEAST_LIKENESS and ((a, b) not in best or best[a, b].likeness < likeness):
            best[a, b] = NearPair(a, b, likeness, why, bool(versions))
    return tuple(sorted(best.values(), key=lambda pair: (-pair.likeness, pair.a, pair.b))[:most])


def _versions(forms: Mapping[str, VersionForm], a: str, b: str) -> str:
    """Return the words for a preprint and its published version; empty if the two are not."""
    if a not in forms or b not in forms or not are_versions(forms[a], forms[b]):
        return ""
    years = sorted({year for year in (forms[a].year, forms[b].year) if year is not None})
    apart = f", {years[0]} vs {years[1]}" if len(years) > 1 else ""
    return f"the same title, preprint and published version{apart}"


def _judged(one: Identity, other: Identity, titles: TitleComparison) -> tuple[float, str]:
    """Return the likeness of two records with such titles, and the reasons."""
    author = _agree(one.first_author, other.first_author)
    years = None if one.year is None or other.year is None else abs(one.year - other.year)
    if titles.likeness == 0 or not _enough(one, other, titles, author, years):
        return 0.0, ""
    likeness = titles.likeness
    parts = [titles.why]
    if author is False:
        likeness *= 0.85
        parts.append("different first authors")
    if years:
        likeness *= 0.98 if years == 1 else 0.95 if years <= 3 else 0.88
        parts.append(f"{min(one.year or 0, other.year or 0)} vs {max(one.year or 0, other.year or 0)}")
    for name, mine, theirs in (("DOI", one.doi, other.doi), ("PMID", one.pmid, other.pmid)):
        if mine and theirs and mine != theirs:
            likeness *= 0.93
            parts.append(f"different {name}s")
    return round(likeness, 4), ", ".join(parts)


def _enough(one: Identity, other: Identity, titles: TitleComparison, author: bool | None, years: int | None) -> bool:
    if one.telling and other.telling:
        return not (titles.other_word and author is False)
    if titles.likeness < 1:
        return False
    if one.generic:
        return bool(author) and years == 0
    return author is not False and not years


def _agree(one: str | None, other: str | None) -> bool | None:
    return None if one is None or other is None else same_author(one, other)


# Kinds of pairs: the same relation of the titles, and the same fields that agree, differ or are missing.

Agreement = Literal["same", "near", "differs", "one", "neither"]
"""Of a field of two records: "near" for years one apart; "one" if only one record has the field."""
_TITLE_WORDS: dict[TitleRule, str] = {
    "same": "the same title",
    "protocol": "similar titles, one of a protocol",
    "continued": "titles that differ in a subtitle",
    "spelling": "titles that differ in spelling",
    "words": "titles that differ in words",
    "other": "titles that are not similar",
}


@dataclass(frozen=True, slots=True)
class PairKind:
    """The evidence for and against a pair; a person can decide on all pairs of one kind at once."""

    title: TitleRule
    year: Agreement
    author: Agreement
    """Of the first authors."""
    doi: Agreement
    contrary: Ids = ()
    """Further fields that both have and that differ."""

    @classmethod
    def of(cls, one: Record, other: Record) -> PairKind:
        mine, theirs = Identity.of(one), Identity.of(other)
        year = _agreement(mine.year, theirs.year, mine.year == theirs.year)
        if mine.year and theirs.year and abs(mine.year - theirs.year) == 1:
            year = "near"
        author = _agreement(mine.first_author, theirs.first_author, _agree(mine.first_author, theirs.first_author))
        doi = _agreement(mine.doi, theirs.doi, mine.doi == theirs.doi)
        contrary = tuple(name for name, names in _CONTRARY.items() if any(_differ(one, other, n) for n in names))
        return cls(compared(Title.of(one.title), Title.of(other.title)).rule, year, author, doi, contrary)

    @property
    def words(self) -> str:
        """Return the kind as the end of a sentence: "12 pairs with ...".

        >>> from dataclasses import replace
        >>> one = Record(1, title="Heat and trees", year=2020, authors=("Li, W.",), doi="10.1/a")
        >>> PairKind.of(one, replace(one, doi=None, pages="1-9")).words
        'the same title, year and first author, where one has no DOI'
        """
        named = (("year", self.year), ("first author", self.author), ("DOI", self.doi))
        same = [name for name, agreement in named if agreement == "same"]
        first = _TITLE_WORDS[self.title]
        if self.title == "same":
            agreeing = listed([first, *same])
        else:
            agreeing = f"{first}{f', but the same {listed(same)}' if same else ''}"
        against = [f"one has no {name}" for name, agreement in named if agreement == "one"]
        against += [f"neither has a {name}" for name, agreement in named if agreement == "neither"]
        if self.year == "near":
            against.append("the years are one apart")
        different = [*(name for name, agreement in named if agreement == "differs"), *self.contrary]
        if different:
            against.append(f"the {listed(different)} {'differs' if len(different) == 1 else 'differ'}")
        return agreeing + (f", where {listed(against)}" if against else "")


_CONTRARY = {
    "PMID": ("pmid",),
    "type": ("kind",),
    "journal": ("venue",),
    "volume or pages": ("volume", "issue", "pages"),
}


def _differ(one: Record, other: Record, name: str) -> bool:
    mine, theirs = (title_key(getattr(record, name) or "") for record in (one, other))
    return bool(mine and theirs and mine != theirs)


def _agreement(mine: object, theirs: object, agree: bool | None) -> Agreement:
    if not mine or not theirs:
        return "one" if mine or theirs else "neither"
    return "same" if agree else "differs"


# Publications of a topic that match a list of DOIs, PMIDs or titles.

MatchedBy = Literal["doi", "pmid", "own_id", "title"]
Status = Literal["matched", "not_in_corpus", "ambiguous"]

MOST_CANDIDATES = 5
RUN = 9
"""Length of a run: consecutive letters that similar titles share."""
STRIDE = 4
"""Distance in letters between the runs that are looked up."""
MOST_SHARING = 10
"""Maximum number of requested titles that share a run; a more common run is not distinctive."""


@dataclass(frozen=True, slots=True)
class CoreMatch:
    """The result for one line of the list."""

    record: Record
    status: Status
    publication_id: str | None = None
    """None unless matched."""
    by: MatchedBy | None = None
    candidates: Ids = ()
    """Ambiguous: the publications that fit equally well. Not in the corpus: suggestions, most likely first."""


def match_core(wanted: Sequence[Record], known: Sequence[tuple[str, Identity]]) -> tuple[CoreMatch, ...]:
    """Match each record of the list with the known publications, which may have several identities each.

    Identifiers take precedence over titles; year and first author only decide between publications with the same title.
    """
    looked_up = _Known(known)
    found = [looked_up.match(record) for record in wanted]
    left = [i for i, match in enumerate(found) if match.status == "not_in_corpus" and not match.candidates]
    for i, candidates in zip(left, _near([wanted[i] for i in left], known), strict=True):
        found[i] = CoreMatch(wanted[i], "not_in_corpus", candidates=candidates)
    return tuple(found)


class _Known:
    def __init__(self, known: Iterable[tuple[str, Identity]]) -> None:
        self._named: defaultdict[tuple[MatchedBy, str], list[tuple[str, Identity]]] = defaultdict(list)
        for publication_id, identity in known:
            for name in _names(identity):
                self._named[name].append((publication_id, identity))

    def match(self, record: Record) -> CoreMatch:
        wanted = Identity.of(record)
        rejected: Ids = ()
        for by, name in _names(wanted):
            there = self._named.get((by, name), [])
            fitting = [pair for pair in there if by != "title" or not _contradicted(wanted, pair[1])]
            if ids := _best(wanted, fitting):
                if len(ids) > 1 or (by == "title" and wanted.generic and not _some_agreement(wanted, fitting)):
                    return CoreMatch(record, "ambiguous", by=by, candidates=ids)
                return CoreMatch(record, "matched", ids[0], by)
            rejected = unique_ids(publication_id for publication_id, _ in there)
        return CoreMatch(record, "not_in_corpus", candidates=rejected[:MOST_CANDIDATES])


def _names(identity: Identity) -> list[tuple[MatchedBy, str]]:
    names: list[tuple[MatchedBy, str | None]] = [
        ("doi", identity.doi),
        ("pmid", identity.pmid),
        ("own_id", identity.own_id),
        ("title", identity.title_key),
    ]
    return [(by, name) for by, name in names if name]


def _contradicted(wanted: Identity, there: Identity) -> bool:
    """Return True if year and first author both indicate a different publication with this title."""
    return _years_apart(wanted, there) is True and _other_author(wanted, there) is True


def _years_apart(wanted: Identity, there: Identity) -> bool | None:
    return None if wanted.year is None or there.year is None else abs(wanted.year - there.year) > 1


def _other_author(wanted: Identity, there: Identity) -> bool | None:
    if wanted.first_author is None or there.first_author is None:
        return None
    return not same_author(wanted.first_author, there.first_author)


def _some_agreement(wanted: Identity, there: Sequence[tuple[str, Identity]]) -> bool:
    """Return True if year or first author supports one of them: "Editorial" alone is not enough."""
    return any(
        _other_author(wanted, identity) is False or (wanted.year is not None and wanted.year == identity.year)
        for _, identity in there
    )


def _best(wanted: Identity, there: Sequence[tuple[str, Identity]]) -> Ids:
    """Return the publications that agree best in year and first author; several if they agree equally well."""
    agreed: dict[str, int] = {}
    for publication_id, identity in there:
        points = (
            2 * (wanted.year is not None and wanted.year == identity.year)
            - 2 * (_years_apart(wanted, identity) is True)
            + 3 * (_other_author(wanted, identity) is False)
            - 3 * (_other_author(wanted, identity) is True)
        )
        agreed[publication_id] = max(points, agreed.get(publication_id, points))
    most = max(agreed.values(), default=0)
    return tuple(publication_id for publication_id, points in agreed.items() if points == most)


def _near(wanted: Sequence[Record], known: Sequence[tuple[str, Identity]]) -> list[Ids]:
    keys = [title_key(record.title)[:MOST_COMPARED] for record in wanted]
    runs: defaultdict[str, set[int]] = defaultdict(set)
    for i, key in enumerate(keys):
        for start in range(len(key) - RUN + 1):
            runs[key[start : start + RUN]].add(i)
    telling = {run: rows for run, rows in runs.items() if len(rows) <= MOST_SHARING}
    found: list[dict[str, float]] = [{} for _ in wanted]
    for publication_id, identity in known:
        key = identity.title_key[:MOST_COMPARED]
        shared = [key[start : start + RUN] for start in range(0, len(key) - RUN + 1, STRIDE)]
        for i, n_shared in Counter(i for run in shared if run in telling for i in telling[run]).most_common(3):
            if 4 * STRIDE * n_shared < min(len(key), len(keys[i])):
                continue
            likeness = _likeness(keys[i], key)
            if likeness > found[i].get(publication_id, 0.0):
                found[i][publication_id] = likeness
    return [tuple(sorted(by_id, key=lambda name: (-by_id[name], name))[:MOST_CANDIDATES]) for by_id in found]


def _likeness(one: str, other: str) -> float:
    """Return the similarity of two title keys: 0, not similar; 0.92 for a title and the same title with a subtitle."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 20 and long.startswith(short):
        return 0.92
    distance = edits(one, other, most=len(long) // 5)
    return 0.0 if distance is None else 1 - distance / len(long)
