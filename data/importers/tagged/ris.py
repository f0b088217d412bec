"""RIS, in every flavour: a line of two letters, two spaces and a hyphen, from TY to ER."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from data.importers.source import Asked, Format, Note, Part, Rejected, Source
from data.importers.tagged.lines import (
    INVISIBLE,
    Gathered,
    Grammar,
    Line,
    Outside,
    Strays,
    foreign_format,
    gathered,
    head_of,
    line_numbers,
)
from data.importers.tagged.ris_fields import KNOWN, TYPES, entry_of, has_substance, without_html

_S = rf"[^\S\n{INVISIBLE}]|[{INVISIBLE}]"
_DASH = "-‐‑–—−"
_LOOSE = re.compile(
    rf"((?:{_S})*)(?:<[^<>\n]{{0,200}}>(?:{_S})*)*(PMID|[A-Za-z][A-Za-z0-9])((?:{_S})*)[{_DASH}](.*)",
    re.IGNORECASE,
)
_TEXTS = frozenset({"AB", "N2", "N1"})
"""Tags with running text, in which a line may look like a tag and be none."""
_UPPER = re.compile(r"[A-Z][A-Z0-9]")

_TY = re.compile(rf"\n(?:{_S})*(?:<[^<>\n]{{0,200}}>(?:{_S})*)*[Tt][Yy](?:{_S})*[{_DASH}][^\n]*")
_ER = re.compile(rf"\n(?:{_S})*[Ee][Rr](?:{_S})*[{_DASH}][^\n]*")
_HEAD_TY = re.compile(rf"(?:\A|\n|>)((?:{_S})*TY(?:{_S})*[{_DASH}])([^\n<]{{0,60}})(?=\n|\Z|<)", re.IGNORECASE)
_HEAD_TAGS = re.compile(r"^(?:TI|T1|AU|A1|AB|N2|PY|Y1|JO|JF|T2|DO|ER|KW|SP)  ?-(?: |$)", re.MULTILINE)
_OTHERS = re.compile(
    r"^(?:PMID- ?\d|OWN - |%0 |FN (?:ISI|Clarivate|Thomson)|PT [A-Z]\s*$|@[A-Za-z]+\s*\{|\.I \d)", re.MULTILINE
)


def is_type(value: str, line: str) -> bool:
    """Whether a line that reads TY begins a record: by its spacing, or because a known type or nothing follows."""
    if line.startswith("TY  -"):
        return True
    value = re.sub(r"<[^<>]*>", "", value).strip().strip(INVISIBLE)
    return not value or value.upper() in TYPES


def split_ris(line: str, current: Gathered | None) -> Line:
    """The tag of a line, if it has one: by the rules, or as people and programs write it."""
    if line[2:5] == "  -":
        tag = line[:2]
        if tag in KNOWN:
            return [tag, line[5:]]
        if _UPPER.fullmatch(tag) and (current is None or current.fields[-1][0] not in _TEXTS) and line[5:6] in " ":
            return [tag, line[5:]]
    found = _LOOSE.match(line, 0, 2000) if len(line) > 2 else None
    if found is None:
        return None
    indent, tag, gap = found[1], found[2].upper(), found[3]
    value = line[found.start(4) :]
    if tag == "TY":
        return [tag, value] if is_type(value, line) else None
    if tag not in KNOWN:
        return None
    if tag == "ER":
        return [tag, value] if not value.strip() else None
    return [tag, value] if _is_tag(current, found[2], indent, gap, value) else None


def _is_tag(current: Gathered | None, tag: str, indent: str, gap: str, value: str) -> bool:
    spaced = bool(gap) and (not value or value[0].isspace())
    if current is None:
        return gap in ("  ", " ") and spaced and tag.isupper()
    if current.loose:
        begin, *lines = current.fields[0]
        tight = begin == "TY" and lines[0][:1].strip() != ""
        return spaced or gap == "  " or (tight and not indent and tag.isupper())
    if "\t" in gap:
        return True
    if current.fields[-1][0] in _TEXTS:
        return False
    return tag.isupper() and (spaced or gap == "  ")


RIS_GRAMMAR = Grammar("RIS", "TY", "ER", split_ris, indented=False)


def _likeness(source: Source) -> float:
    head = head_of(source)
    first = next((found for found in _HEAD_TY.finditer(head) if is_type(found[2], found[1].lstrip())), None)
    if first is None:
        n_tags = len(_HEAD_TAGS.findall(head))
        if n_tags < 3 or _OTHERS.search(head) or not re.search(r"^ER {0,2}-", head, re.MULTILINE):
            return 0.0
        return 0.6
    other = _OTHERS.search(head)
    return 0.5 if other and other.start() < first.start() else 0.98


def _starts(source: Source) -> Sequence[int]:
    """Lines of TY, and where a title, an abstract or the like stands between two records."""
    text = "\n" + without_html(source.text)
    begins = [found.start() + 1 for found in _TY.finditer(text) if _begins(found[0])]
    positions = sorted({*begins, *_without_type(text, begins)})
    return [line - 1 for line in line_numbers(text, positions)]


def _begins(found: str) -> bool:
    dash = re.search(f"[{_DASH}]", found[found.upper().index("TY") :])
    assert dash is not None
    return is_type(found[found.upper().index("TY") + dash.end() :], found[1:])


_SOME = re.compile(r"\n(?:TI|T1|CT|AB|N2|DO)  - *[^\s]")
_ANY = re.compile(r"\n([A-Z][A-Z0-9])  -(?: |\n|$)")


def _without_type(text: str, begins: list[int]) -> Iterator[int]:
    """Positions of the first tag of each stretch that an ER, or the file's begin, and no TY comes before."""
    ends = [0, *(found.end() for found in _ER.finditer(text))]
    following = iter([*begins, len(text)])
    begin = next(following)
    for at, end in enumerate(ends):
        stop = ends[at + 1] if at + 1 < len(ends) else len(text)
        while begin < end:
            begin = next(following, len(text) + 1)
        until = min(begin - 1, stop)
        if begin <= stop and text[max(0, until - 400) : until].rpartition("\n")[2].strip() and begin < len(text):
            continue  # TY follows without a blank line: it counts there
        first = _ANY.search(text, end, until)
        if first is not None and any(foreign_format(line, "RIS") for line in text[end : first.start()].split("\n")):
            continue
        if first is not None and first[1] not in ("ER", "TY") and _SOME.search(text, first.start(), until):
            yield first.start() + 1


def _read(source: Source, asked: Asked) -> Iterable[Part]:
    strays = Strays()
    header: list[str] = []
    n_untitled = 0
    for part in gathered(without_html(source.text), RIS_GRAMMAR):
        if isinstance(part, Rejected):
            yield part
        elif isinstance(part, Outside):
            strays.add(part.line, part.text)
            if part.text[:200].lstrip().lower().startswith(("provider:", "database:")):
                header.append(part.text[:200])
        else:
            provider, header = " ".join(header), []
            for whole in apart(part):
                if whole.begun is None and not has_substance(whole):
                    strays.add(whole.line, " ".join(whole.fields[0]))
                    continue
                n_untitled += whole.begun is None
                yield entry_of(whole, provider)
    yield from strays.note()
    if n_untitled:
        yield Note(f"{n_untitled:,} {'record has' if n_untitled == 1 else 'records have'} no type (TY)")


def apart(entry: Gathered) -> Iterator[Gathered]:
    """An entry with a title before its TY and another after it is two."""
    at = entry.begun
    if at:
        before, after = (
            {" ".join(lines).strip() for tag, *lines in fields if tag in ("TI", "T1")} - {""}
            for fields in (entry.fields[:at], entry.fields[at:])
        )
        if before and after and before != after:
            yield Gathered(max(1, entry.line - at), entry.fields[:at])
            yield Gathered(entry.line, entry.fields[at:], begun=0, loose=entry.loose)
            return
    yield entry


RIS = Format("ris", "RIS", _likeness, _starts, _read)
