"""Lists that a person wrote: DOIs, PubMed numbers and titles, in any mixture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.records.cleaning import Fields, doi_of, pmid_of
from data.importers.source import Asked, Entry, Format, Part, Source

_DOI_START = re.compile(r"10\.\d{4,9}(?:\.\d+)*(?:/|%2[fF])")
_NEXT_ADDRESS = re.compile(r"[;,|\s]*(?:https?://\S*|dx\.doi\S*|doi(?:\.org)?\s*[:=/]?\s*)$", re.IGNORECASE)
_PUBMED = re.compile(r"https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d{1,8})/?")
_PMID_LABEL = re.compile(r"\[?\bPMIDs?\b\]?\s*[:=#]?", re.IGNORECASE)
_NUMBERING = re.compile(r"^(?:[-*•–·]\s+|\[\d{1,4}\]\s*|\(?\d{1,4}[.)]\s+)")
_QUOTES = "\"'“”„‟‘’«»‚"
_OWN = re.compile(
    r"(?:pub\.\d+|PMC\d+|WOS:[A-Z0-9]+|2-s2\.0-\d+|arXiv:\S+|MEDLINE:\d+|CORPUSID:\d+|(?:https://openalex\.org/)?W\d{4,})",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\((?:1[5-9]|20)\d\d[a-z]?\)|\b(?:et al\.|doi:|vol\.|pp\.)|\d\(\d+\)\s*[:,]", re.IGNORECASE)
_TAG = re.compile(r"^(?:[A-Z][A-Z0-9]{1,3} *- |@\w+\{|%[A-Z0-9] |[A-Z][A-Z0-9] \S)")
_HEADERS = frozenset({"doi", "dois", "pmid", "pmids", "pubmed id", "title", "titles", "doi/pmid", "id", "ids"})
_BESIDE = "text beside a DOI"
_LOOKED_AT = 200


def _entries(lines: Sequence[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines, start=1):
        if _holds_something(line) and not (number == 1 and line.strip().strip(_QUOTES).lower() in _HEADERS):
            yield from _of_line(number, line.strip())


def _holds_something(line: str) -> bool:
    return any(character.isalnum() for character in line)


def _of_line(number: int, line: str) -> Iterator[Entry]:
    dois = _dois(line)
    if dois:
        title = _title_beside(line) if len(dois) == 1 else ""
        unused = () if title or _only_doi(line) else (_BESIDE,)
        for doi in dois:
            yield Entry(number, Fields(doi=doi, title=title) if title else Fields(doi=doi), unused)
        return
    bare = _NUMBERING.sub("", line).strip().strip(_QUOTES).strip()
    numbers = _numbers(bare)
    if numbers:
        for name in numbers:
            pmid = pmid_of(name)
            yield Entry(number, Fields(pmid=pmid) if pmid else Fields(own_id=name))
    else:
        yield Entry(number, Fields(title=bare or line))


def _dois(line: str) -> list[str]:
    """Every DOI of a line."""
    places = [found.start() for found in _DOI_START.finditer(line)]
    if len(places) < 2:
        doi = doi_of(line) if places else None
        return [doi] if doi else []
    parts = [line[start:end] for start, end in zip(places, [*places[1:], len(line)], strict=True)]
    return [doi for part in parts if (doi := doi_of(_NEXT_ADDRESS.sub("", part[-500:] if len(part) > 500 else part)))]


def _title_beside(line: str) -> str:
    """Of a line in columns, the one that holds a title."""
    if "\t" not in line:
        return ""
    cells = [cell.strip().strip(_QUOTES) for cell in line.split("\t")]
    titles = [cell for cell in cells if cell.count(" ") >= 1 and "10." not in cell]
    return max(titles, key=len, default="")


def _only_doi(line: str) -> bool:
    """Whether nothing but numbers, labels and addresses stands around the DOIs of a line."""
    rest = re.sub(r"\S*10\.\d{4,9}\S*", " ", _NUMBERING.sub("", line))
    return not any(c.isalnum() for c in re.sub(r"(?i)\b(?:doi|pmid|https?|dx|org)\b|\d", " ", rest))


def _numbers(line: str) -> list[str]:
    """PubMed numbers and databases' own names, if the line consists of nothing else."""
    parts = _PMID_LABEL.sub(" ", _PUBMED.sub(r" \1 ", line)).replace(",", " ").replace(";", " ").split()
    whole = [part for part in parts if (part.isascii() and part.isdigit() and len(part) <= 9) or _OWN.fullmatch(part)]
    return whole if len(whole) == len(parts) else []


def _first_lines(source: Source) -> list[str]:
    lines = source.head.split("\n")
    if len(source.text) > len(source.head):  # its last line, or the last word of its only line, is cut off
        lines = lines[:-1] or [source.head[: source.head.rfind(" ") + 1] or source.head]
    return [line for line in lines if _holds_something(line)][:_LOOKED_AT]


def _likeness(source: Source) -> float:
    lines = _first_lines(source)
    if lines and lines[0].strip().strip(_QUOTES).lower() in _HEADERS:
        lines = lines[1:]
    if not lines:
        return 0.0
    n_pure = sum(_is_list_line(line.strip()) for line in lines)
    if n_pure >= 0.9 * len(lines):
        return 0.6
    n_doi = sum(_DOI_START.search(line) is not None for line in lines)
    return 0.2 if n_doi >= 0.9 * len(lines) and not _in_columns(lines) else 0.0


def _in_columns(lines: Sequence[str]) -> bool:
    """Whether every line has the same two or more separators: a table, whose other columns would be lost."""
    return any(lines[0].count(sign) > 1 and len({line.count(sign) for line in lines}) == 1 for sign in ";\t|,")


def _is_list_line(line: str) -> bool:
    if _DOI_START.search(line):
        return _only_doi(line)
    numbers = _numbers(_NUMBERING.sub("", line))
    return bool(numbers) and all(len(number) >= 5 for number in numbers)


def _likeness_of_titles(source: Source) -> float:
    """Hardly anything: any text might be titles. Never for references in prose or a tagged format."""
    lines = [line.strip() for line in _first_lines(source)]
    return 0.05 if lines and all(map(_could_be_title, lines)) else 0.0


def _could_be_title(line: str) -> bool:
    if not 12 <= len(line) <= 250 or line.count(" ") < 1:
        return False
    if "://" in line or line[0] in "<{[@%#" or line[-1] in ";{},":
        return False
    return not _CITATION.search(line) and not _TAG.match(line)


def _starts(source: Source) -> Sequence[int]:
    """Lines with a letter or a digit; a heading above the list is none."""
    lines = [number for number, line in enumerate(source.lines, start=1) if _holds_something(line)]
    return lines[1:] if lines[:1] == [1] and source.lines[0].strip().strip(_QUOTES).lower() in _HEADERS else lines


def _read(source: Source, asked: Asked) -> Iterator[Part]:
    yield from _entries(source.lines)


def _read_titles(source: Source, asked: Asked) -> Iterator[Part]:
    for number, line in enumerate(source.lines, start=1):
        if _holds_something(line) and not (number == 1 and line.strip().lower() in _HEADERS):
            bare = _NUMBERING.sub("", line.strip()).strip().strip(_QUOTES).strip()
            yield Entry(number, Fields(title=bare or line))


IDENTIFIERS_FORMAT = Format("identifiers", "List of DOIs or PubMed numbers", _likeness, _starts, _read)
TITLES_FORMAT = Format("titles", "List of titles, one in a line", _likeness_of_titles, _starts, _read_titles)
