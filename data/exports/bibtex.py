"""BibTeX, as LaTeX, JabRef and Zotero read it back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, BinaryIO

from core.records.cleaning import Kind
from core.types import Ids
from data.exports.rows import HandOff, addresses, one_line, tidy

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
"""The type of an entry, and the fields that its venue stands in: one that LaTeX prints, one that programs read."""

BIBTEX_LOST: Mapping[str, str] = {
    "kind": "every entry needs a type: one that has none becomes @misc, as other does",
    "included": "BibTeX has no field for it",
    "url": "the first of several addresses, as a link can only lead to one",
    "query_id": "BibTeX has no field for it",
    "as_written": "what is written is the cleaned text",
}

_NAMED = {"\\": r"{\textbackslash}", "~": r"{\textasciitilde}", "^": r"{\textasciicircum}"}
_SIGN = re.compile(r"[&%$#_\\~^]")
_IN_ADDRESS = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})
_RANGE = re.compile(r"([^\s,;-]+)-([^\s,;-]+)")
_LIGATURES = re.compile(r"([-`'])(?=\1)")
APART = "\x00"
"""Stands for an empty group until the braces of the text are written: LaTeX makes one sign of two hyphens or quotes."""
_AND = re.compile(r"(?:^|\s)and(?:\s|$)", re.IGNORECASE)
_SMALL_WORDS = frozenset(
    (
        *("an", "and", "are", "as", "at", "by", "can", "do", "does", "for", "from", "how", "in", "into", "is"),
        *("of", "on", "or", "the", "to", "what", "with"),
    )
)


def write_bibtex(rows: Iterable[HandOff], file: BinaryIO) -> int:
    """Writes one entry per publication, and says how many."""
    keys: set[str] = set()
    for row in rows:
        found = tidy(row.record)
        key = _new_key(found, row.publication_id, keys)
        keys.add(key)
        fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in _fields(row, found))
        file.write(f"@{BIBTEX_TYPES[found['kind']][0]}{{{key},\n{fields}\n}}\n\n".encode())
    return len(keys)


def _fields(row: HandOff, found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Fields with what stands between their braces."""
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
        yield "type", "Preprint"
    if found["times_cited"] is not None:
        yield "times-cited", str(found["times_cited"])
    if found["own_id"]:
        yield "unique-id", escaped(found["own_id"])
    if row.provenance:
        yield "note", escaped(row.provenance)


def escaped(text: str) -> str:
    """Text with the signs that mean something to LaTeX written out. Braces always match, as every reader counts them.

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
    """Where braces stand that close or open nothing."""
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
    """ "Family, Given" as it is. In braces: what LaTeX would take apart wrongly, such as an organisation's name."""
    is_person = name.count(",") == 1 and not name.startswith(",") and not name.endswith(",")
    is_one_word = "," not in name and " " not in name and name.lower() != "others"
    whole = (is_person or is_one_word) and not _AND.search(name)
    return escaped(name) if whole else f"{{{escaped(name)}}}"


def _keyword(keyword: str) -> str:
    """In braces where a reader might cut it in two."""
    return f"{{{escaped(keyword)}}}" if "," in keyword or ";" in keyword else escaped(keyword)


def _new_key(found: dict[str, Any], publication_id: str, taken: set[str]) -> str:
    """Author, year and first word of the title; what shares these has a piece of its id's hash behind it."""
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
    """Letters and digits without accents, in lower case; nothing of what ASCII can't say."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", plain.lower())
