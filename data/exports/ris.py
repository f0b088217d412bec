"""RIS, as ASReview, Rayyan, Zotero, EndNote and Covidence open it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from core.records.cleaning import Kind
from data.exports.rows import HandOff, addresses, tidy

END = "\r\n"
"""The specification asks for both characters; older EndNote insists, and nobody minds."""

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
"""How ASReview and Rayyan write a decision into a note."""

RIS_LOST: Mapping[str, str] = {
    "kind": "every entry needs a type: one that has none becomes GEN, as other does",
    "url": "of several addresses the first one is read back",
    "query_id": "RIS has no tag for it",
    "as_written": "what is written is the cleaned text",
}

_RANGE = re.compile(r"([^\s,;-]+)-([^\s,;-]+)")


def write_ris(rows: Iterable[HandOff], file: BinaryIO) -> int:
    """Writes one entry per publication, and says how many."""
    n = 0
    for row in rows:
        lines = [f"{tag}  - {value}{END}" for tag, value in _tags(row)]
        file.write("".join([*lines, f"ER  - {END}", END]).encode())
        n += 1
    return n


def _tags(row: HandOff) -> Iterator[tuple[str, str]]:
    """Tags in the order in which a person reads them; the type comes first, as it must."""
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
    yield from (("N1", note) for note in _notes(row))


def _pages(pages: str | None) -> Iterator[tuple[str, str]]:
    if pages:
        ends = _RANGE.fullmatch(pages)
        if ends is None or ends[1] == ends[2]:
            yield "SP", pages
        else:
            yield "SP", ends[1]
            yield "EP", ends[2]


def _notes(row: HandOff) -> Iterator[str]:
    if row.record.included is not None:
        asreview, rayyan = LABELS[row.record.included]
        yield asreview
        yield f'RAYYAN-INCLUSION: {{"Queryscape"=>"{rayyan}"}}'
    if row.record.times_cited is not None:
        yield f"Cited by: {row.record.times_cited}"  # as Scopus does; there is no tag for it
    if row.provenance:
        yield row.provenance
