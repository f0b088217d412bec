"""Identify the publication that a record belongs to, by identifiers or by title, author, and year."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, TypeVar

from core.library.records import Record, title_key
from core.text import folded, words
from core.types import Ids

WORDS_ENOUGH = 4
"""A title of fewer words is not distinctive enough by itself."""

_UNIQUE_ID = re.compile(
    r"(?:wos|medline|zoorec|biosis|bci|ccc|kjd|scielo|rsci|fsta|inspec|cabi|pprn):[a-z0-9:]{6,}"  # Web of Science
    r"|pub\.\d{4,}"  # Dimensions
    r"|2-s2\.0-\d{6,}"  # Scopus
    r"|w\d{6,}"  # OpenAlex
    r"|pmc\d{4,}"
    r"|\d{3}-\d{3}-\d{3}-\d{3}-\d{2}[\dx]"  # Lens
    r"|arxiv:(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})"
)
_ADDRESS = re.compile(r"^https?://(?:www\.)?[^\s/]+/(?:[^\s/]+/)*(?=[^\s/]+$)|^eid=(?=2-s2)")
_ARXIV = re.compile(r"^(?:arxiv[:\s]*|https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/)(\S+?)(?:v\d{1,3})?(?:\.pdf)?$")


@dataclass(frozen=True, slots=True)
class Identity:
    """The features that identify a record. Any of them may be missing."""

    doi: str | None = None
    pmid: str | None = None
    own_id: str | None = None
    """The source's own id in lower case, only if its shape shows that no other source uses it."""
    title_key: str = ""
    """Letters and digits of the title; empty without a title."""
    n_words: int = 0
    """Number of words of the title; two characters of a script without spaces count as one."""
    year: int | None = None
    first_author: str | None = None
    """Family name of the first author, folded; all names if the family name can't be identified."""
    exact: str = ""
    """Short hash of the whole description of the publication: identical records have the same hash."""
    generic: bool = False
    """True if many publications share the title, such as "Editorial"."""

    @classmethod
    def of(cls, record: Record) -> Identity:
        title_words = words(record.title)
        return cls(
            doi=record.doi,
            pmid=record.pmid,
            own_id=unique_id(record.own_id),
            title_key="".join(title_words),
            n_words=_n_words(title_words),
            year=record.year,
            first_author=family_name(record.authors[0]) if record.authors else None,
            exact=_hashed(record),
            generic=is_generic(title_words),
        )

    @property
    def telling(self) -> bool:
        """True if the title is so distinctive that a matching year or author is enough."""
        return self.n_words >= WORDS_ENOUGH and not self.generic


def unique_id(own_id: str | None) -> str | None:
    """Normalise a source's own id if its shape identifies the source; otherwise return None.

    >>> unique_id("WOS:000253436500012"), unique_id("https://openalex.org/W2100837269"), unique_id("1")
    ('wos:000253436500012', 'w2100837269', None)
    >>> unique_id("arXiv:2101.00001v2"), unique_id("pub.1149029839"), unique_id("smith2019")
    ('arxiv:2101.00001', 'pub.1149029839', None)
    """
    if not own_id or len(own_id) > 200:
        return None
    text = own_id.strip().lower()
    found = _ARXIV.match(text)
    text = f"arxiv:{found[1]}" if found else _ADDRESS.sub("", text)
    return text if _UNIQUE_ID.fullmatch(text) else None


_PARTICLES = frozenset(
    words("""
    van von der den de del della delle dei degli di da do dos das du des la le les el al ul bin ibn ben abu ter ten te
    tot zu zum zur und y e st
    """)
)
_ADDED = frozenset(words("jr sr ii iii iv 2nd 3rd md phd msc dr prof et others"))
_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t"}
)
_UMLAUT = re.compile(r"([ao])e|(?<![gq])(u)e|aa")
_NAME = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=4096)
def family_name(author: str) -> str | None:
    """Return an author's family name in one spelling, without particles such as "van der"; None if there is no name.

    If the family name can't be identified among several names, all of them are returned: `same_author` then checks
    whether the other's is among them.

    >>> family_name("van der Berg, J."), family_name("Berg J"), family_name("J. van der Berg")
    ('berg', 'berg', 'berg')
    >>> family_name("Müller, A"), family_name("Mueller A"), family_name("{IEEE}"), family_name("Ada Lovelace")
    ('muller', 'muller', 'ieee', 'ada lovelace')
    """
    name = author[:200].split(";")[0].strip(" ,{}\"'")
    family, comma, _given = name.partition(",")
    parts = [unicodedata.normalize("NFC", part) for part in _spelled(family if comma else name)]
    if not comma and len(parts) > 1 and name != name.upper():
        parts = [part for part in parts if not (part.isupper() and len(part) <= 4)] or parts
    kept = [_one_spelling(part) for part in parts]
    long = [part for part in kept if len(part) > 1 or not part.isascii()] or kept
    named = [part for part in long if part not in _ADDED] or long
    return " ".join([part for part in named if part not in _PARTICLES] or named) or None


def _spelled(name: str) -> list[str]:
    return _NAME.findall(unicodedata.normalize("NFC", name).replace("'", "").replace("’", ""))


def _one_spelling(part: str) -> str:
    plain = folded(part).translate(_LETTERS)
    return _UMLAUT.sub(lambda found: found[1] or found[2] or "a", plain)


def same_author(one: str, other: str) -> bool:
    """Return True if two family names may be the same: equal, one contained in the other, or joined differently.

    >>> same_author("lovelace", "ada lovelace"), same_author("alzahrani", "zahrani"), same_author("berg", "li")
    (True, True, False)
    """
    if one == other:
        return True
    some, others = set(one.split()), set(other.split())
    if some <= others or others <= some:
        return True
    short, long = sorted((one.replace(" ", ""), other.replace(" ", "")), key=len)
    return short == long or (len(short) >= 4 and long.endswith(short))


_GENERIC = frozenset(
    title_key(title)
    for line in """
    Editorial, Editorial comment, Editorial note, Editors' note, Guest editorial, From the editor, Editor's introduction
    Introduction, Introductory remarks, Preface, Foreword, Prologue, Epilogue, Afterword, Conclusion, Conclusions
    Summary, Discussion, Overview, Background, Commentary, Comment, Comments, Reply, Author reply, Authors' reply
    Author response, Authors' response, In reply, Response, Rejoinder, Erratum, Errata, Corrigendum, Corrigenda
    Correction, Corrections, Retraction, Retraction note, Withdrawn, Letter, Letters, Letter to the editor
    Letters to the editor, Correspondence, Book review, Book reviews, Review, Reviews, News, In brief, Abstract
    Abstracts, Conference abstracts, Poster abstracts, Table of contents, Contents, Index, Subject index, Author index
    Front matter, Back matter, Acknowledgements, Acknowledgments, Acknowledgement to reviewers, Obituary, In memoriam
    Announcement, Announcements, Contributors, Untitled, No title, Title page, Cover, Issue information
    Systematic review, Literature review, Proceedings
    """.splitlines()
    for title in line.split(",")
)
_GENERIC_BEGINNINGS = frozenset(
    words(
        "editorial introduction preface foreword reply response erratum errata corrigendum correction letter abstracts"
    )
)


def is_generic(title_words: list[str]) -> bool:
    """Return True if many publications have a title of these words.

    >>> is_generic(["editorial"]), is_generic("introduction to the special issue".split())
    (True, True)
    >>> is_generic("correction to the effect of wildfire smoke on asthma in children".split())
    False
    """
    if not title_words or "".join(title_words) in _GENERIC:
        return True
    return len(title_words) <= 6 and title_words[0] in _GENERIC_BEGINNINGS


def _n_words(title_words: list[str]) -> int:
    return sum(1 if word.isascii() or not _without_spaces(word) else (len(word) + 1) // 2 for word in title_words)


def _without_spaces(word: str) -> bool:
    return "\u2e80" <= word[0] <= "\ud7ff" or "\u0e00" <= word[0] <= "\u0eff" or word[0] >= "\U00020000"


def _hashed(record: Record) -> str:
    fields = (
        *(record.title, record.abstract, record.year, record.doi, record.pmid, record.own_id, record.authors),
        *(record.venue, record.volume, record.issue, record.pages, record.kind),
    )
    return blake2b(repr(fields).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


# The publication of a record: found by DOI, PMID, the source's own id, or title with year and first author.
#
# Records are placed one after another. A merely likely match is not decided here but returned as a rival, for a person.

Rule = Literal["doi", "pmid", "own_id", "title", "same"]
"""The feature that matched. "same": identical to an earlier record that has too few features for another rule."""

MOST_LOOKED_AT = 20
"""Maximum number of publications with one title to compare with a record; it bounds the time for repetitive files."""
MOST_SAID = 8
"""Maximum number of different DOIs, years or authors stored per publication."""
MOST_RIVALS = 5

T = TypeVar("T")

_Key = tuple[str, str] | tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class RecordPlacement:
    publication_id: str | None
    """None: a new publication."""
    rule: Rule | None
    rivals: Ids = ()
    """Other publications that it may belong to, most likely first."""


@dataclass(slots=True)
class _Fields:
    dois: Ids = ()
    pmids: Ids = ()
    years: tuple[int, ...] = ()
    authors: Ids = ()

    def add(self, identity: Identity) -> None:
        self.dois = _with(self.dois, identity.doi)
        self.pmids = _with(self.pmids, identity.pmid)
        self.years = _with(self.years, identity.year)
        self.authors = _with(self.authors, identity.first_author)

    def same_year(self, year: int | None) -> bool | None:
        """Return True if the years agree; None: one of the two has none."""
        return None if year is None or not self.years else year in self.years

    def same_author(self, author: str | None) -> bool | None:
        """Return True if the authors agree; None: one of the two has none."""
        if author is None or not self.authors:
            return None
        return author in self.authors or any(same_author(author, known) for known in self.authors)

    def contradicts(self, identity: Identity) -> bool:
        """Return True if both have a DOI, or a PMID, and the two differ."""
        if identity.doi and self.dois and identity.doi not in self.dois:
            return True
        return bool(identity.pmid and self.pmids and identity.pmid not in self.pmids)


def _with(there: tuple[T, ...], fields: T | None) -> tuple[T, ...]:
    return there if fields is None or fields in there or len(there) >= MOST_SAID else (*there, fields)


class Placer:
    """An index of publications by the identities of their records, which finds the publication of a further record."""

    def __init__(self, known: Iterable[tuple[str, Identity]] = (), kept_apart: Iterable[tuple[str, str]] = ()) -> None:
        """Build the index from `known`, in the order of addition; `kept_apart`: pairs that a person separated.

        Each name of a pair is a publication id, or the record name passed to `place`.
        """
        self._known: dict[_Key, Ids] = {}
        self._fields: dict[str, _Fields] = {}
        self._apart: dict[str, frozenset[str]] = {}
        for one, other in kept_apart:
            self._apart[one] = self._apart.get(one, frozenset()) | {other}
            self._apart[other] = self._apart.get(other, frozenset()) | {one}
        for publication_id, identity in known:
            self.add(publication_id, identity)

    def add(self, publication_id: str, identity: Identity) -> None:
        """Add an identity by which the publication can be recognised from now on."""
        terms = self._fields.get(publication_id)
        if terms is None:
            terms = self._fields[publication_id] = _Fields()
        terms.add(identity)
        alone = (publication_id,)
        for key in (*_names(identity), *_title_keys(identity)):
            there = self._known.get(key)
            if there is None:
                self._known[key] = alone
            elif len(there) < MOST_LOOKED_AT and publication_id not in there:
                self._known[key] = (*there, publication_id)

    def place(self, identity: Identity, record_name: str | None = None) -> RecordPlacement:
        """Find the publication of a record; then register it with `add`."""
        found: dict[str, Rule] = {}
        repeats: Ids = ()
        for key in _names(identity):
            there = self._known.get(key, ())
            if key[0] == "same":
                repeats = there
            else:
                found.update({known: key[0] for known in there if known not in found})
        sufficing, doubtful = self._titled(identity)
        for publication_id in sufficing:
            found.setdefault(publication_id, "title")
        for publication_id in reversed(repeats):  # an exact repeat goes to the publication of its first occurrence
            found = {publication_id: found.get(publication_id, "same")} | found
        barred = self._apart.get(record_name, frozenset()) if record_name else frozenset()
        return self._chosen([(known, rule) for known, rule in found.items() if known not in barred], doubtful, barred)

    def _chosen(self, found: list[tuple[str, Rule]], doubtful: Ids, barred: frozenset[str]) -> RecordPlacement:
        chosen, rule = found[0] if found else (None, None)
        apart = barred | self._apart.get(chosen, frozenset()) if chosen else barred
        others = dict.fromkeys((*(known for known, _ in found[1:]), *doubtful))
        rivals = tuple(known for known in others if known != chosen and known not in apart)
        return RecordPlacement(chosen, rule, rivals[:MOST_RIVALS])

    def _titled(self, identity: Identity) -> tuple[Ids, Ids]:
        """Return publications with the same title: certain matches, then possible ones."""
        candidates: dict[str, None] = {}
        for key in _title_keys(identity):
            candidates.update(dict.fromkeys(self._known.get(key, ())))
        sufficing, doubtful = [], []
        for publication_id in candidates:
            fields = self._fields[publication_id]
            year, author = fields.same_year(identity.year), fields.same_author(identity.first_author)
            if suffices(identity, year=year, author=author) and not fields.contradicts(identity):
                sufficing.append((not (year and author), publication_id))
            elif identity.telling or not (identity.generic or year is False or author is False):
                doubtful.append(publication_id)
        return tuple(publication_id for _, publication_id in sorted(sufficing, key=lambda pair: pair[0])), (*doubtful,)


def suffices(identity: Identity, *, year: bool | None, author: bool | None) -> bool:
    """Return True if two records with one title belong to the same publication; None: one of the two has no value.

    A distinctive title needs a matching year or author and no mismatch; any other title needs both to match.
    """
    if not identity.telling:
        return bool(year and author)
    return year is not False and author is not False and bool(year or author)


def _names(identity: Identity) -> list[tuple[Rule, str]]:
    names: list[tuple[Rule, str]] = []
    if identity.doi:
        names.append(("doi", identity.doi))
    if identity.pmid:
        names.append(("pmid", identity.pmid))
    if identity.own_id:
        names.append(("own_id", identity.own_id))
    if identity.exact:
        names.append(("same", identity.exact))
    return names


def _title_keys(identity: Identity) -> list[tuple[str, str] | tuple[str, str, int]]:
    """Return keys, narrowest first: if many publications share a title, only the likely ones are compared."""
    title = identity.title_key
    if not title:
        return []
    keys: list[tuple[str, str] | tuple[str, str, int]] = []
    if identity.first_author and identity.year is not None:
        keys.append((title, identity.first_author, identity.year))
    if identity.generic:
        return keys
    if identity.year is not None:
        keys.append((title, "", identity.year))
    if identity.first_author:
        keys.append((title, identity.first_author))
    return [*keys, (title, "")]
