"""Suggest entry terms of headings as text words, and headings for text words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.query.checks.headings import is_mesh
from core.query.match import Bits, Corpus, Semantics, count
from core.query.mesh import MeshHeading, MeshThesaurus, heading_key
from core.query.tree import Heading, Leaf, ParsedQuery, Span, Term, terms_in, walk, written


@dataclass(frozen=True, slots=True)
class HeadingSuggestion:
    kind: Literal["text word", "heading"]
    text: str
    reason: str
    """The heading or the text word that it belongs to."""
    span: Span
    """The place of that one in the search string."""
    n_hits: int | None
    """None: it can't be tested here."""
    n_core: int | None


def suggest_headings(
    parsed: ParsedQuery, mesh: MeshThesaurus, corpus: Corpus, semantics: Semantics, core_rows: Bits
) -> tuple[HeadingSuggestion, ...]:
    """Return suggestions with hits and core publications, those with most core first; each text once."""
    found: dict[tuple[str, str], HeadingSuggestion] = {}
    for kind, text, reason, span, leaf in _candidates(parsed, mesh):
        if (kind, heading_key(text)) in found:
            continue
        bits = corpus.look_up(leaf, semantics)
        n_hits, n_core = (None, None) if bits is None else (count(bits), count(bits & core_rows))
        found[kind, heading_key(text)] = HeadingSuggestion(kind, text, reason, span, n_hits, n_core)
    return tuple(sorted(found.values(), key=lambda s: (-(s.n_core or 0), -(s.n_hits or 0), s.text.casefold())))


_Candidate = tuple[Literal["text word", "heading"], str, str, Span, Leaf]


def _candidates(parsed: ParsedQuery, mesh: MeshThesaurus) -> Iterator[_Candidate]:
    if parsed.root is None:
        return
    headings = [node for node in walk(parsed.root) if isinstance(node, Heading) and is_mesh(node, parsed)]
    terms = [(heading_key(written(term.pieces)), term) for term in terms_in(parsed.root)]
    has_term = {key for key, _ in terms}
    has_heading = {heading_key(node.name) for node in headings}
    for node in headings:
        if (known := mesh.find(node.name)) is None:
            continue
        for text in (known.name, *known.entry_terms):
            term = Term((text,), quoted=True)
            if heading_key(text) not in has_term and term.chunks:
                yield "text word", text, known.name, node.span, term
    for _, term in terms:
        for heading in _meant(mesh, written(term.pieces)):
            if heading_key(heading.name) not in has_heading:
                yield "heading", heading.name, written(term.pieces), term.span, Heading(heading.name, thesaurus="mesh")


def _meant(mesh: MeshThesaurus, text: str) -> tuple[MeshHeading, ...]:
    known = mesh.find(text)
    return (known,) if known else mesh.replacements(text)
