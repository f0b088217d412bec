"""One entry of BibTeX or BibLaTeX as Queryscape's fields, whoever exported it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.records.cleaning import Fields, Kind, doi_of
from data.importers.structured.bibtex_values import keywords_in, names_in
from data.importers.structured.latex import plain_from_latex

KIND_OF: dict[str, Kind] = {
    "article": "article",
    "inproceedings": "conference",
    "conference": "conference",
    "proceedings": "conference",
    "mvproceedings": "conference",
    "book": "book",
    "mvbook": "book",
    "booklet": "book",
    "collection": "book",
    "reference": "book",
    "inbook": "chapter",
    "bookinbook": "chapter",
    "suppbook": "chapter",
    "incollection": "chapter",
    "inreference": "chapter",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "techreport": "report",
    "report": "report",
    "manual": "report",
    "preprint": "preprint",
}
_KIND_IN_WORDS: tuple[tuple[str, Kind], ...] = (
    ("conference", "conference"),
    ("proceedings", "conference"),
    ("chapter", "chapter"),
    ("preprint", "preprint"),
    ("book", "book"),
    ("thesis", "thesis"),
    ("report", "report"),
)

_VENUE = ("journal", "journaltitle", "booktitle", "maintitle", "journal-iso", "shortjournal")
_PAGES = ("pages", "articleno", "art_number", "article-number", "eid")
_KEYWORDS = ("keywords", "keyword", "author_keywords", "index_keywords", "keywords-plus", "key words", "mesh", "tags")
_OWN = ("unique-id", "dimensions_id", "pub_id")
_ABSTRACT = ("abstract", "abstractnote", "annote_abstract")
_COUNTS = ("times-cited", "citations", "citedby", "cited-by", "times_cited")
_PUB = re.compile(r"\bpub\.\d{6,}\b")
_CITED = re.compile(r"\s*cited by:?\s*([\d,]+)", re.IGNORECASE)
_PMID = re.compile(r"\s*PMID:?\s*(\d{1,8})\b", re.IGNORECASE)
_TILDE = re.compile(r"(?<!\\)~")
_IN_A_DATABASE = re.compile(r"(?:WOS|DBLP|PMID|PPR|MEDLINE|BIOSIS|CCC|KJD|SCIELO|INSPEC)[:/]\S+", re.IGNORECASE)
_AFTER_A_DOI = re.compile(r"(?:[?#].*|/(?:full|abstract|pdf|epdf|epub|meta|fulltext|html)/?)+$", re.IGNORECASE)


def entry_fields(
    entry_type: str, key: str, found: Mapping[str, str], parent: Mapping[str, str] | None = None
) -> tuple[Fields, Sequence[str]]:
    """Queryscape's fields, and the names of those that it does not take. `found` has lower-case names."""
    taker = _Taker(found, parent or {})
    fields: Fields = {"kind": _kind(entry_type.lower(), taker)}
    fields["title"] = _title(entry_type.lower(), taker)
    fields["abstract"] = taker.text(*_ABSTRACT)
    fields["year"] = taker.text("year", inherited=True) or taker.text("date", "issue_date", inherited=True)
    fields["authors"] = [plain_from_latex(name) for name in names_in(taker.raw("author"))]
    if not fields["authors"]:
        fields["authors"] = [plain_from_latex(name) for name in names_in(taker.raw("editor"))]
    fields["venue"] = taker.text(*_VENUE, inherited=True) or (taker.parent_title if parent else "")
    fields["volume"] = taker.text("volume")
    fields["issue"] = taker.text("number") or taker.text("issue")
    fields["pages"] = taker.text(*_PAGES).replace("–", "-")
    fields["keywords"] = [plain_from_latex(word) for name in _KEYWORDS for word in keywords_in(taker.raw(name))]
    fields["url"] = _address(taker)
    fields["doi"] = _doi(taker, key, fields["url"])
    fields["pmid"] = _pmid(taker, key)
    fields["times_cited"] = taker.text(*_COUNTS) or taker.matching("note", _CITED)
    fields["own_id"] = _own_id(taker, key, fields["url"])
    return fields, taker.unused


class _Taker:
    """Fields of an entry; knows which of them were asked for and held something."""

    def __init__(self, found: Mapping[str, str], parent: Mapping[str, str]) -> None:
        self._found = found
        self._parent = parent
        self._taken: set[str] = set()

    @property
    def unused(self) -> list[str]:
        return [name for name, text in self._found.items() if text.strip() and name not in self._taken]

    @property
    def parent_title(self) -> str:
        return plain_from_latex(self._parent.get("title", ""))

    def raw(self, name: str) -> str:
        text = self._found.get(name, "")
        if text:
            self._taken.add(name)
        return text

    def look(self, name: str) -> str:
        """What a field says, without taking it."""
        return self._found.get(name, "")

    def text(self, *names: str, inherited: bool = False) -> str:
        for name in names:
            if text := plain_from_latex(self.raw(name)).strip():
                return text
        values = (plain_from_latex(self._parent.get(name, "")).strip() for name in names) if inherited else ()
        return next((text for text in values if text), "")

    def matching(self, name: str, pattern: re.Pattern[str]) -> str:
        """What `pattern` finds at the beginning of a field; taken only if that is all of it."""
        found = pattern.match(self.look(name))
        if found and not self.look(name)[found.end() :].strip(" .;"):
            self._taken.add(name)
        return found[1] if found else ""


def _title(entry_type: str, taker: _Taker) -> str:
    title = taker.text("title")
    subtitle = taker.text("subtitle", "titleaddon")
    if not title and entry_type in ("proceedings", "book", "collection", "mvbook", "mvproceedings"):
        title = taker.text("booktitle")
    return f"{title.rstrip(':')}: {subtitle}" if title and subtitle else title or subtitle


def _kind(entry_type: str, taker: _Taker) -> Kind:
    says = f"{taker.text('document_type')} {taker.text('type')}".lower()
    in_words = next((kind for word, kind in _KIND_IN_WORDS if word in says), None)
    archive = f"{taker.look('archiveprefix')} {taker.look('eprinttype')} {taker.look('journal')}".lower()
    if entry_type not in KIND_OF or (entry_type == "article" and taker.look("journal").lower().startswith("arxiv")):
        return in_words or ("preprint" if "arxiv" in archive or "biorxiv" in archive else "other")
    return in_words if in_words and entry_type == "article" else KIND_OF[entry_type]


def _address(taker: _Taker) -> str:
    for name in ("url", "link", "ee"):
        raw = _TILDE.sub(r"\\textasciitilde{}", taker.raw(name))  # part of an address: neither a space nor a dash
        raw = raw.replace("--", "-{}-")
        if address := plain_from_latex(raw).split():
            return address[0]
    for name in ("howpublished", "note"):
        if found := re.search(r"https?://[^\s{}\\]+", taker.look(name)):
            return found[0]
    return ""


def _doi(taker: _Taker, key: str, url: str) -> str:
    if doi := plain_from_latex(taker.raw("doi").replace("--", "-{}-")).strip():
        return doi
    for text in (url, plain_from_latex(taker.look("eprint")), plain_from_latex(taker.look("note")), key):
        text = _AFTER_A_DOI.sub("", text.strip())
        if doi_of(text):
            return text
    return ""


def _pmid(taker: _Taker, key: str) -> str:
    if pmid := taker.text("pmid", "pubmedid", "pubmed-id", "pubmed_id"):
        return pmid
    if "pubmed" in f"{taker.look('eprinttype')} {taker.look('archiveprefix')}".lower():
        return taker.text("eprint")
    found = _PMID.match(key)
    return taker.matching("note", _PMID) or (found[1] if found else "")


def _own_id(taker: _Taker, key: str, url: str) -> str:
    """A database's name for it. A citation key is not one: two people's "Smith2003" are two publications."""
    if own := taker.text(*_OWN):
        return own
    if found := _PUB.search(key) or _PUB.search(url):
        return found[0]
    if found := re.search(r"[?&]eid=([\w.-]+)", url):
        return found[1]
    return key if _IN_A_DATABASE.fullmatch(key) else ""
