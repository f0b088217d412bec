"""Write publications as BibTeX, CSL JSON, CSV, JSON Lines or RIS."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, BinaryIO

from core.errors import NotFoundError
from core.library.records import RETRACTED_NOTE, Kind, Record, language_name
from core.text import harmless
from core.types import Ids
from data.importers.bibtex import PREPRINT, TYPES
from data.importers.json_formats import CSL_VENUES
from data.importers.table_formats import BETWEEN

# One publication as it is exported: its record, and the reason for exporting it.

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
_ANOTHER = re.compile(r"[ ;]+(?=https?://)")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class ExportRow:
    record: Record
    publication_id: str
    sources: Ids = ()
    """Positions of its records, such as "scopus.ris #12"."""
    found_by: Ids = ()
    """Labels of the versions that retrieve it."""
    is_core: bool = False
    similarity: float | None = None
    """Cosine to the centre of the core; None without a vector."""
    relevant_by: Ids = ()
    """The kinds of region that accept it."""
    embedder: str | None = None
    """The embedder behind the similarity and the regions."""
    databases: Ids = ()
    """The databases of the searches that brought it."""
    of_searches: Ids | None = None
    """The sources that are results of searches; None: all of them. A list of included ones would unblind screeners."""
    tells_core: bool = False
    """The notes say that it is a core publication. It unblinds screeners."""

    @property
    def provenance(self) -> str:
        """The reason for its export, in one sentence for a notes field.

        >>> ExportRow(Record(1), "p1", ("scopus.ris #12",), ("baseline",), similarity=0.7341, embedder="lsa").provenance
        'Queryscape: found by baseline; similarity 0.734 (lsa); from scopus.ris #12'
        """
        parts = []
        if self.found_by:
            parts.append(f"found by {', '.join(self.found_by)}")
        if self.similarity is not None:
            parts.append(f"similarity {self.similarity:.3f}" + (f" ({self.embedder})" if self.embedder else ""))
        if self.relevant_by:
            parts.append(f"relevant by {', '.join(self.relevant_by)}")
        if self.is_core and self.tells_core:
            parts.append("core publication")
        if sources := self.sources if self.tells_core or self.of_searches is None else self.of_searches:
            parts.append(f"from {', '.join(sources)}")
        return one_line(f"Queryscape: {'; '.join(parts)}") if parts else ""


def one_line(text: str) -> str:
    """Return text on a single line in any program: single spaces, no control characters, no lone surrogates.

    >>> one_line("Tea\\u2028ER  - \\r\\nTY")
    'Tea ER - TY'
    """
    if text.isprintable() and "  " not in text:
        return text.strip()
    return _SPACES.sub(" ", _CONTROL.sub("", text)).strip()


def addresses(url: str | None) -> Ids:
    """Split a field that holds several addresses, as some sources write it.

    >>> addresses("https://a.org/1 https://b.org/2"), addresses(None)
    (('https://a.org/1', 'https://b.org/2'), ())
    """
    return tuple(part.strip(" ;") for part in _ANOTHER.split(url)) if url else ()


def tidy(record: Record) -> dict[str, Any]:
    """Return the record's fields by name, every text on one line; missing ones are None or empty."""
    return {
        "title": one_line(record.title),
        "abstract": _line(record.abstract),
        "year": record.year,
        "doi": _line(record.doi),
        "pmid": _line(record.pmid),
        "own_id": _line(record.own_id),
        "authors": _lines(record.authors),
        "venue": _line(record.venue),
        "volume": _line(record.volume),
        "issue": _line(record.issue),
        "pages": _line(record.pages),
        "kind": record.kind,
        "keywords": _lines(record.subjects),
        "author_keywords": _lines(record.keywords),
        **{name: _detail(getattr(record, name)) for name in DETAILS},
        "url": _line(record.url),
        "times_cited": record.times_cited,
        "included": record.included,
    }


def _line(text: str | None) -> str | None:
    return (one_line(text) or None) if text else None


def _lines(texts: Ids) -> Ids:
    return tuple(line for text in texts if (line := one_line(text)))


def _detail(value: Any) -> Any:
    if isinstance(value, tuple):
        return _lines(value)
    return _line(value) if isinstance(value, str) else value


CITED = ("cite_source", "cite_label", "cite_string")
DETAILS = ("types", "headings", "language", "pmcid", "issn", "references", "is_retracted", *CITED)
"""Fields that are written unchanged if the format has a place for them."""
_ELSEWHERE = "CSV, JSON Lines and CSL JSON include it"
_WITHOUT_DETAILS: Mapping[str, str] = {
    **dict.fromkeys(("references", *CITED), _ELSEWHERE),
    "headings": f"their names are written among the keywords; {_ELSEWHERE}",
    "is_retracted": f"a note marks retracted publications only; {_ELSEWHERE}",
}
"""Fields that RIS and BibTeX can't store."""


# BibTeX, as LaTeX, JabRef and Zotero read it.

BIBTEX_TYPES: Mapping[Kind | None, tuple[str, Ids]] = {
    "article": ("article", ("journal",)),
    "conference": ("inproceedings", ("booktitle",)),
    "preprint": ("misc", ("howpublished", "journal")),
    "book": ("book", ("series", "journal")),
    "chapter": ("incollection", ("booktitle",)),
    "thesis": ("phdthesis", ("school", "journal")),
    "report": ("techreport", ("institution", "journal")),
    "other": ("misc", ("howpublished", "journal")),
    None: ("misc", ("howpublished", "journal")),
}
"""The type of an entry, and the fields for its venue: one that LaTeX prints, one that programs read."""

BIBTEX_LOST: Mapping[str, str] = {
    **_WITHOUT_DETAILS,
    "kind": "entries without a type become @misc, like other",
    "types": "a preprint without another type gets this one from its kind",
    "included": "BibTeX has no field for it",
    "url": "only the first of several addresses",
    "query_id": "BibTeX has no field for it",
    "as_written": "only the cleaned text is written",
}

_NAMED = {"\\": r"{\textbackslash}", "~": r"{\textasciitilde}", "^": r"{\textasciicircum}"}
_SIGN = re.compile(r"[&%$#_\\~^]")
_IN_ADDRESS = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})
_RANGE = re.compile(r"([^\s,;-]+)-([^\s,;-]+)")
_LIGATURES = re.compile(r"([-`'])(?=\1)")
APART = "\x00"
"""Placeholder for an empty group until the braces are written: LaTeX joins two hyphens or quotes into one character."""
_AND = re.compile(r"(?:^|\s)and(?:\s|$)", re.IGNORECASE)
_SMALL_WORDS = frozenset(
    (
        *("an", "and", "are", "as", "at", "by", "can", "do", "does", "for", "from", "how", "in", "into", "is"),
        *("of", "on", "or", "the", "to", "what", "with"),
    )
)


def write_bibtex(rows: Iterable[ExportRow], file: BinaryIO) -> int:
    """Write one entry per publication and return their number."""
    keys: set[str] = set()
    for row in rows:
        found = tidy(row.record)
        key = _new_key(found, row.publication_id, keys)
        keys.add(key)
        fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in _fields(row, found))
        file.write(f"@{BIBTEX_TYPES[found['kind']][0]}{{{key},\n{fields}\n}}\n\n".encode())
    return len(keys)


def _fields(row: ExportRow, found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "title", escaped(found["title"])
    if found["authors"]:
        yield "author", " and ".join(map(_name, found["authors"]))
    _, venue_fields = BIBTEX_TYPES[found["kind"]]
    in_words = (("volume", "volume"), ("number", "issue"), ("abstract", "abstract"), ("pmid", "pmid"))
    kept = {"year": found["year"], **dict.fromkeys(venue_fields, found["venue"])}
    kept |= {field: found[name] for field, name in in_words}
    yield from ((field, escaped(str(value))) for field, value in kept.items() if value)
    if pages := found["pages"]:
        ends = _RANGE.fullmatch(pages)
        yield "pages", f"{escaped(ends[1])}--{escaped(ends[2])}" if ends else escaped(pages)
    if found["keywords"]:
        yield "keywords", "; ".join(map(_keyword, found["keywords"]))
    links = {"doi": found["doi"], "url": next(iter(addresses(found["url"])), None)}
    yield from ((name, link.translate(_IN_ADDRESS)) for name, link in links.items() if link)
    if found["kind"] == "preprint":
        yield "type", PREPRINT
    if found["types"]:
        yield TYPES, escaped(joined(found["types"]))
    if found["language"]:
        yield "language", escaped(joined(map(language_name, found["language"])))
    if found["issn"]:
        yield "issn", escaped(", ".join(found["issn"]))
    if found["pmcid"]:
        yield "pmcid", escaped(found["pmcid"])
    if found["times_cited"] is not None:
        yield "times-cited", str(found["times_cited"])
    if found["own_id"]:
        yield "unique-id", escaped(found["own_id"])
    if note := _note(row):
        yield "note", escaped(note)


def _note(row: ExportRow) -> str:
    return f"{RETRACTED_NOTE}. {row.provenance}".strip() if row.record.is_retracted else row.provenance


def escaped(text: str) -> str:
    """Escape the characters that are special in LaTeX. Braces always match, because every reader counts them.

    >>> print(escaped("R&D: 5 % of {x_1} :-}"))
    R\\&D: 5 \\% of \\{x\\_1\\} :-{\\textbraceright}
    """
    if "--" in text or "''" in text or "``" in text:
        text = _LIGATURES.sub(r"\1" + APART, text)
    if "{" not in text and "}" not in text:
        return _without_signs(text)
    alone = _braces_alone(text)
    names = {"{": "left", "}": "right"}
    pieces = re.split(r"([{}])", text)
    at, written = 0, []
    for piece in pieces:
        is_brace = piece in names
        written.append(_brace(piece, names, at in alone) if is_brace else _without_signs(piece))
        at += len(piece)
    return "".join(written)


def _brace(sign: str, names: Mapping[str, str], is_alone: bool) -> str:
    return f"{{\\textbrace{names[sign]}}}" if is_alone else f"\\{sign}"


def _without_signs(text: str) -> str:
    return _SIGN.sub(lambda found: _NAMED.get(found[0], f"\\{found[0]}"), text).replace(APART, "{}")


def _braces_alone(text: str) -> set[int]:
    is_open: list[int] = []
    alone: set[int] = set()
    for at, sign in enumerate(text):
        if sign == "{":
            is_open.append(at)
        elif sign == "}":
            if is_open:
                is_open.pop()
            else:
                alone.add(at)
    return alone.union(is_open)


def _name(name: str) -> str:
    """Return "Family, Given" unchanged; put names that LaTeX would split wrongly, such as organisations, in braces."""
    is_person = name.count(",") == 1 and not name.startswith(",") and not name.endswith(",")
    is_one_word = "," not in name and " " not in name and name.lower() != "others"
    whole = (is_person or is_one_word) and not _AND.search(name)
    return escaped(name) if whole else f"{{{escaped(name)}}}"


def _keyword(keyword: str) -> str:
    """Add braces if a reader might split the keyword."""
    return f"{{{escaped(keyword)}}}" if "," in keyword or ";" in keyword else escaped(keyword)


def _new_key(found: dict[str, Any], publication_id: str, taken: set[str]) -> str:
    """Return author, year and first word of the title; if that key is taken, with part of the hash of the id."""
    authors: Ids = found["authors"]
    family = _ascii(authors[0].partition(",")[0]) if authors else ""
    words = (_ascii(word) for word in found["title"].split()[:40])
    word = next((word for word in words if len(word) > 1 and word not in _SMALL_WORDS), "")
    plain = f"{family[:30] or 'anonymous'}{found['year'] or ''}{word[:30]}"
    if plain not in taken:
        return plain
    digest = sha256(one_line(publication_id).encode()).hexdigest()
    keys = (f"{plain}-{digest[:length]}" for length in range(6, len(digest)))
    return next((key for key in keys if key not in taken), f"{plain}-{len(taken)}")


def _ascii(text: str) -> str:
    """Return letters and digits without accents, in lower case; drop characters that ASCII lacks."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", plain.lower())


# CSV with the columns that ASReview, Excel and R expect (RFC 4180).

COLUMNS = (
    *("title", "abstract", "authors", "year", "doi", "pmid", "journal", "volume", "issue", "pages", "type"),
    *("keywords", "url", "times_cited", "included", "publication_id", "own_id", "sources", "found_by", "core"),
    *("similarity", "embedder", "relevant_by", "types", "author_keywords", "headings", "language", "pmcid", "issn"),
    *("references", "retracted", "cite_source", "cite_label", "cite_string"),
)
_LISTS = ("types", "author_keywords", "headings", "language", "issn", "references", *CITED)
MOST_AT_ONCE = 500
"""Number of rows that are encoded together."""

CSV_LOST: Mapping[str, str] = {
    "query_id": "a selection belongs to no query of a run",
    "as_written": "only the cleaned text is written",
}


def write_csv(rows: Iterable[ExportRow], file: BinaryIO) -> int:
    """Write the header and one line per publication; return the number of publications."""
    file.write(b"\xef\xbb\xbf")  # without this mark Excel reads the file as cp1252
    buffer = io.StringIO(newline="")
    lines = csv.writer(buffer, lineterminator="\r\n")
    lines.writerow(COLUMNS)
    n = 0
    for row in rows:
        lines.writerow(_cells(row))
        n += 1
        if n % MOST_AT_ONCE == 0:
            _flush(buffer, file)
    _flush(buffer, file)
    return n


def _flush(buffer: io.StringIO, file: BinaryIO) -> None:
    file.write(buffer.getvalue().encode())
    buffer.seek(0)
    buffer.truncate()


def _cells(row: ExportRow) -> list[str]:
    found = tidy(row.record)
    words = {
        "title": found["title"],
        "abstract": found["abstract"],
        "authors": joined(found["authors"]),
        "doi": found["doi"],
        "pmid": found["pmid"],
        "journal": found["venue"],
        "volume": found["volume"],
        "issue": found["issue"],
        "pages": found["pages"],
        "type": found["kind"],
        "keywords": joined(found["keywords"]),
        "url": found["url"],
        "publication_id": one_line(row.publication_id),
        "own_id": found["own_id"],
        "sources": joined(row.sources),
        "found_by": joined(row.found_by),
        "embedder": one_line(row.embedder or ""),
        "relevant_by": joined(row.relevant_by),
        "pmcid": found["pmcid"],
        **{name: joined(found[name]) for name in _LISTS},
    }
    numbers = {
        "year": _number(found["year"]),
        "times_cited": _number(found["times_cited"]),
        "included": _number(found["included"]),
        "retracted": _number(found["is_retracted"]),
        "core": _number(row.is_core),
        "similarity": "" if row.similarity is None else f"{row.similarity:.6f}",
    }
    cells = {name: harmless(text or "") for name, text in words.items()} | numbers
    return [cells[name] for name in COLUMNS]


def joined(texts: Iterable[str]) -> str:
    """Join several values in one cell; a semicolon inside a value becomes a comma, so that no value is split."""
    return BETWEEN.join(one_line(text).replace(";", ",") for text in texts)


def _number(value: int | None) -> str:
    return "" if value is None else str(int(value))


# JSON Lines: one document per publication, for programs.

JSONL_LOST: Mapping[str, str] = {
    "own_id": "a record without one gets its publication_id",
    "query_id": "a selection belongs to no query of a run",
    "as_written": "only the cleaned text is written",
}


def write_jsonl(rows: Iterable[ExportRow], file: BinaryIO) -> int:
    """Write one line per publication and return their number."""
    n = 0
    for row in rows:
        line = json.dumps(document(row), ensure_ascii=False, allow_nan=False)
        file.write(f"{line}\n".encode())
        n += 1
    return n


def document(row: ExportRow) -> dict[str, Any]:
    """Return every key for every line, null if unknown, so that a table reader sees all columns at once."""
    found = tidy(row.record)
    similarity = row.similarity
    return {
        "publication_id": one_line(row.publication_id),
        **{name: found[name] for name in ("title", "abstract", "year", "doi", "pmid", "own_id")},
        "authors": list(found["authors"]),
        **{name: found[name] for name in ("venue", "volume", "issue", "pages", "kind")},
        "keywords": list(found["keywords"]),
        **{name: found[name] for name in ("url", "times_cited", "included")},
        "author_keywords": list(found["author_keywords"]),
        **{name: list(v) if isinstance(v := found[name], tuple) else v for name in DETAILS},
        "sources": [one_line(text) for text in row.sources],
        "found_by": [one_line(text) for text in row.found_by],
        "is_core": row.is_core,
        "similarity": None if similarity is None or not math.isfinite(similarity) else round(similarity, 6),
        "embedder": one_line(row.embedder) if row.embedder else None,
        "relevant_by": list(row.relevant_by),
    }


# CSL JSON, as Zotero, pandoc, Quarto and every citation processor read it.

CSL_TYPES: Mapping[Kind | None, str] = {
    "article": "article-journal",
    "conference": "paper-conference",
    "preprint": "article",
    "book": "book",
    "chapter": "chapter",
    "thesis": "thesis",
    "report": "report",
    "other": "document",
    None: "document",
}
_ONLY_CUSTOM = ("own_id", "kind", "times_cited", "included", "types", "headings", "language", "references", *CITED)
"""Fields for which CSL has no variable, or one for a part of their values."""

CSL_LOST: Mapping[str, str] = {
    "query_id": "a selection belongs to no query of a run",
    "as_written": "only the cleaned text is written",
}


def write_csl_json(rows: Iterable[ExportRow], file: BinaryIO) -> int:
    """Write an array with one item per line, and return their number. The ids are the keys of the BibTeX export."""
    keys: set[str] = set()
    for row in rows:
        item = csl_item(row, keys)
        file.write(b",\n" if keys else b"[\n")
        file.write(json.dumps(item, ensure_ascii=False, allow_nan=False).encode())
        keys.add(item["id"])
    file.write(b"\n]\n" if keys else b"[]\n")
    return len(keys)


def csl_item(row: ExportRow, taken: set[str]) -> dict[str, Any]:
    """Return an item with CSL's own variables. Queryscape's fields are in `custom`, which other programs ignore."""
    found = tidy(row.record)
    several = addresses(found["url"])
    csl_type = CSL_TYPES[found["kind"]]
    item = {
        "id": _new_key(found, row.publication_id, taken),
        "type": csl_type,
        "genre": PREPRINT if found["kind"] == "preprint" else None,
        "title": found["title"],
        "author": [_csl_name(name) for name in found["authors"]],
        "issued": {"date-parts": [[found["year"]]]} if found["year"] else None,
        CSL_VENUES.get(csl_type, "container-title"): found["venue"],
        "volume": found["volume"],
        "issue": found["issue"],
        "page": found["pages"],
        "DOI": found["doi"],
        "PMID": found["pmid"],
        "PMCID": found["pmcid"],
        "ISSN": ", ".join(found["issn"]),
        "URL": next(iter(several), None),
        "language": next(iter(found["language"]), None),
        "abstract": found["abstract"],
        "keyword": joined(found["keywords"]),
        "note": _note(row),
    }
    custom = {
        "publication_id": one_line(row.publication_id),
        **{name: found[name] for name in _ONLY_CUSTOM},
        "is_retracted": found["is_retracted"],
        "author_keywords": found["author_keywords"],
        "url": found["url"] if len(several) > 1 else None,
    }
    return {**_filled(item), "custom": {"queryscape": _filled(custom)}}


def _csl_name(name: str) -> dict[str, str]:
    """Return "Family, Given" as its parts; anything else, such as an organisation, is printed as written."""
    family, _, given = name.partition(", ")
    return {"family": family, "given": given} if family and given and name.count(",") == 1 else {"literal": name}


def _filled(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "", (), [])}


# RIS, as ASReview, Rayyan, Zotero, EndNote and Covidence open it.

END = "\r\n"
"""The specification requires both characters; older versions of EndNote insist on it, other programs accept it."""

RIS_TYPES: Mapping[Kind | None, str] = {
    "article": "JOUR",
    "conference": "CPAPER",
    "preprint": "UNPB",
    "book": "BOOK",
    "chapter": "CHAP",
    "thesis": "THES",
    "report": "RPRT",
    "other": "GEN",
    None: "GEN",
}
LABELS = {True: ("ASReview_relevant", "Included"), False: ("ASReview_irrelevant", "Excluded")}
"""The notes in which ASReview and Rayyan store a decision."""

RIS_LOST: Mapping[str, str] = {
    **_WITHOUT_DETAILS,
    "kind": "entries without a type become GEN, like other",
    "url": "only the first of several addresses is read back",
    "query_id": "RIS has no tag for it",
    "as_written": "only the cleaned text is written",
}


def write_ris(rows: Iterable[ExportRow], file: BinaryIO) -> int:
    """Write one entry per publication and return their number."""
    n = 0
    for row in rows:
        lines = [f"{tag}  - {value}{END}" for tag, value in ris_tags(row)]
        file.write("".join([*lines, f"ER  - {END}", END]).encode())
        n += 1
    return n


def ris_tags(row: ExportRow) -> Iterator[tuple[str, str]]:
    """Yield the tags in reading order; the type comes first, as the format requires."""
    found = tidy(row.record)
    yield "TY", RIS_TYPES[found["kind"]]
    yield "TI", found["title"]
    yield from (("AU", name) for name in found["authors"])
    once = (("AB", "abstract"), ("PY", "year"), ("DO", "doi"))
    yield from ((tag, str(found[name])) for tag, name in once if found[name])
    if venue := found["venue"]:
        yield "T2", venue
        if found["kind"] == "article":
            yield "JO", venue
    yield from ((tag, found[name]) for tag, name in (("VL", "volume"), ("IS", "issue")) if found[name])
    yield from _pages(found["pages"])
    yield from (("KW", keyword) for keyword in found["keywords"])
    yield from (("UR", address) for address in addresses(found["url"]))
    if found["own_id"]:
        yield "AN", found["own_id"]
    if found["pmid"]:
        yield "U1", f"{found['pmid']} [PMID]"
    if found["pmcid"]:
        yield "C2", found["pmcid"]
    if found["issn"]:
        yield "SN", ", ".join(found["issn"])
    if found["language"]:
        yield "LA", joined(map(language_name, found["language"]))
    yield from (("M3", text.replace(";", ",")) for text in found["types"])
    yield from (("N1", note) for note in _notes(row))


def _pages(pages: str | None) -> Iterator[tuple[str, str]]:
    if pages:
        ends = _RANGE.fullmatch(pages)
        if ends is None or ends[1] == ends[2]:
            yield "SP", pages
        else:
            yield "SP", ends[1]
            yield "EP", ends[2]


def _notes(row: ExportRow) -> Iterator[str]:
    if row.record.included is not None:
        asreview, rayyan = LABELS[row.record.included]
        yield asreview
        yield f'RAYYAN-INCLUSION: {{"Queryscape"=>"{rayyan}"}}'
    if row.record.times_cited is not None:
        yield f"Cited by: {row.record.times_cited}"  # as Scopus does; RIS has no tag for it
    if row.record.is_retracted:
        yield RETRACTED_NOTE
    if row.provenance:
        yield row.provenance


# EXPORTS: id -> how to write a selection in one format. LOST: the fields that each format can't store.


@dataclass(frozen=True, slots=True)
class ExportFormat:
    export_id: str
    """The value that `--format` takes."""
    label: str
    """The name that pages show."""
    suffix: str
    """The file name's extension, with its dot."""
    mime: str
    write: Callable[[Iterable[ExportRow], BinaryIO], int]
    """Write publications one after another and return their number."""
    has_core_column: bool = False
    """It always tells core publications, in a column of their own."""


EXPORTS: Mapping[str, ExportFormat] = MappingProxyType(
    {
        form.export_id: form
        for form in (
            ExportFormat("ris", "RIS", ".ris", "application/x-research-info-systems", write_ris),
            ExportFormat("csv", "CSV", ".csv", "text/csv", write_csv, has_core_column=True),
            ExportFormat("bibtex", "BibTeX", ".bib", "application/x-bibtex", write_bibtex),
            ExportFormat("jsonl", "JSON Lines", ".jsonl", "application/jsonl", write_jsonl, has_core_column=True),
            ExportFormat("csl_json", "CSL JSON", ".json", "application/vnd.citationstyles.csl+json", write_csl_json),
        )
    }
)

LOST: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"ris": RIS_LOST, "csv": CSV_LOST, "bibtex": BIBTEX_LOST, "jsonl": JSONL_LOST, "csl_json": CSL_LOST}
)
"""Fields of a record that a format can't store, or not always, and the reason."""


def export_named(export_id: str | None, file_name: str = "") -> ExportFormat:
    """Return the format with this id; without one, the format of the file name's extension.

    >>> export_named(None, "screening.BIB").export_id
    'bibtex'
    """
    if export_id is not None:
        if export_id not in EXPORTS:
            raise NotFoundError(f'unknown format "{export_id}": choose from {", ".join(EXPORTS)}')
        return EXPORTS[export_id]
    suffix = PurePath(file_name).suffix.lower()
    for form in EXPORTS.values():
        if form.suffix == suffix:
            return form
    ends = f'"{suffix}" is not a known extension' if suffix else "the file name has no extension"
    raise NotFoundError(f"{ends}: choose one with --format ({', '.join(EXPORTS)})")
