"""An Atom feed (RFC 4287) of publications, for feed readers and reference managers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, register_namespace, tostring

from core.text import for_xml

ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class FeedEntry:
    entry_id: str
    """Stays the same in every feed, such as the topic and the publication's id."""
    title: str
    at: str
    """With the time zone, as in 2026-01-31T10:00:00+00:00."""
    summary: str = ""
    link: str = ""


def atom_feed(feed_id: str, title: str, entries: Sequence[FeedEntry], *, made_at: str) -> bytes:
    """Write a feed. `made_at`: the date of a feed without entries."""
    register_namespace("", ATOM)
    feed = Element(f"{{{ATOM}}}feed")
    _add(feed, "id", _urn(feed_id))
    _add(feed, "title", title)
    _add(feed, "updated", max((entry.at for entry in entries), default=made_at))
    _add(SubElement(feed, f"{{{ATOM}}}author"), "name", "Queryscape")
    for entry in entries:
        node = SubElement(feed, f"{{{ATOM}}}entry")
        _add(node, "id", _urn(f"{feed_id}/{entry.entry_id}"))
        _add(node, "title", entry.title or "No title")
        _add(node, "updated", entry.at)
        if entry.link:
            SubElement(node, f"{{{ATOM}}}link", {"href": entry.link, "rel": "alternate"})
        _add(node, "summary", entry.summary or "No abstract.")
    indent(feed)
    return bytes(tostring(feed, encoding="utf-8", xml_declaration=True))


def _urn(text: str) -> str:
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'queryscape:{text}')}"


def _add(parent: Element, name: str, text: str) -> None:
    SubElement(parent, f"{{{ATOM}}}{name}").text = for_xml(text)
