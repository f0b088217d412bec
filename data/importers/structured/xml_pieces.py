"""XML cut into its records before anything is parsed: one damaged record costs that record and no other."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from core.errors import FormatError
from data.importers.source import Rejected, Source

LARGEST_PIECE = 20_000_000
_BARE_AMPERSAND = re.compile(r"&(?!(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});)")
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{0,31});")
_NUMBERED = re.compile(r"&#(?:(\d{1,7})|x([0-9a-fA-F]{1,6}));")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_PREFIX = re.compile(r"(</?)[A-Za-z_][\w.-]*:")
_PREFIXED_ATTRIBUTE = re.compile(r"(\s)[A-Za-z_][\w.-]*:([A-Za-z_][\w.-]*\s*=)")
_XML_KNOWS = frozenset({"amp", "lt", "gt", "quot", "apos"})


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one record."""

    line: int
    position: int
    """Which of the file's records it is, from 1."""
    text: str
    closed: bool
    """Whether its end was found before the next one begins."""


def opening(names: Sequence[str]) -> re.Pattern[str]:
    """Where a record begins, with or without a namespace before its name."""
    return re.compile(rf"<(?:[A-Za-z_][\w.-]*:)?({'|'.join(names)})(?=[\s>/])")


def record_lines(text: str, begins: re.Pattern[str]) -> list[int]:
    """Lines at which records begin."""
    lines, line, counted = [], 1, 0
    for found in begins.finditer(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        lines.append(line)
    return lines


def pieces(source: Source, begins: re.Pattern[str]) -> Iterator[Piece]:
    """Records one after the other. A document that declares entities is refused whole."""
    text = source.text
    refuse_entities(source)
    line, counted, position = 1, 0, 0
    here = begins.search(text)
    while here:
        after = begins.search(text, here.end())
        limit = after.start() if after else len(text)
        ends = re.compile(rf"</(?:[A-Za-z_][\w.-]*:)?{here[1]}\s*+>").search(text, here.end(), limit)
        line += text.count("\n", counted, here.start())
        counted = here.start()
        position += 1
        yield Piece(line, position, text[here.start() : ends.end() if ends else limit], ends is not None)
        here = after


def refuse_entities(source: Source) -> None:
    """Entities can grow without end or lead to other files; no bibliography needs them."""
    if "<!ENTITY" in source.text:
        raise FormatError(f"{source.name} declares XML entities (<!ENTITY), which are not read: remove them")


def parsed(piece: Piece) -> Element | Rejected:
    """A record's elements, names without namespaces; or why it can't be read."""
    if not piece.closed:
        return Rejected(piece.line, "a record that never ends: the file is cut off or damaged here", piece.position)
    if len(piece.text) > LARGEST_PIECE:
        return Rejected(piece.line, "a record of more than 20 million characters", piece.position)
    root = _element(piece.text)
    if root is None:
        root = _element(_repaired(piece.text))
    if root is None:
        return Rejected(piece.line, "a record that is no well-formed XML", piece.position)
    for element in root.iter():
        if isinstance(element.tag, str) and "}" in element.tag:
            element.tag = element.tag.rpartition("}")[2]
    return root


def _element(text: str) -> Element | None:
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        return None


def _repaired(text: str) -> str:
    """What exporters get wrong: HTML's entities, a bare "&", control characters, prefixes declared elsewhere."""
    text = _CONTROL.sub("", text)
    text = _BARE_AMPERSAND.sub("&amp;", text)
    text = _NAMED.sub(_known_entity, text)
    text = _NUMBERED.sub(_legal, text)
    return _PREFIXED_ATTRIBUTE.sub(r"\1\2", _PREFIX.sub(r"\1", text))


def _known_entity(found: re.Match[str]) -> str:
    if found[1] in _XML_KNOWS:
        return found[0]
    sign = html.unescape(found[0])
    return f"&amp;{found[1]};" if sign == found[0] else sign


def _legal(found: re.Match[str]) -> str:
    number = int(found[1]) if found[1] else int(found[2], 16)
    legal = (
        number in (9, 10, 13) or 0x20 <= number < 0xD800 or 0xE000 <= number < 0xFFFE or 0x10000 <= number <= 0x10FFFF
    )
    return found[0] if legal else ""


def text_of(element: Element | None) -> str:
    """All text in an element, markup inside it gone, spaces single.

    >>> text_of(ElementTree.fromstring("<t>CO<sub>2</sub> in\\n  <i>E. coli</i></t>"))
    'CO2 in E. coli'
    """
    if element is None:
        return ""
    if not len(element):  # most have nothing inside but text
        return " ".join(element.text.split()) if element.text else ""
    return " ".join("".join(element.itertext()).split())


def find_text(element: Element | None, path: str) -> str:
    """Text of the first element at a path that has any."""
    if element is None or (first := element.find(path)) is None:
        return ""
    return text_of(first) or next((text for found in element.iterfind(path) if (text := text_of(found))), "")


def find_texts(element: Element | None, path: str) -> list[str]:
    """Texts of all elements at a path."""
    return [] if element is None else [text for found in element.iterfind(path) if (text := text_of(found))]
