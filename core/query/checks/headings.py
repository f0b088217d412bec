"""Checks of MeSH headings: unknown, misspelt, replaced, introduced after the period, and matched by name only."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from core.library.headings import HeadingIndex
from core.library.mesh import MeshHeading, MeshThesaurus
from core.query.checks.concepts import ands_within_concepts
from core.query.checks.names import ConceptName
from core.query.checks.outline import QueryOutline, collected
from core.query.spelling import singular
from core.query.tree import Edit, Finding, Fix, Heading, ParsedQuery, Range, leaves_in
from core.text import listed, many

MESH_DIALECTS = frozenset({"pubmed", "ovid", "cochrane", "plain"})
"""Dialects whose headings without a named thesaurus are those of MeSH."""


def is_mesh(heading: Heading, parsed: ParsedQuery) -> bool:
    return heading.thesaurus == "mesh" or (not heading.thesaurus and parsed.dialect in MESH_DIALECTS)


def lint_headings(
    parsed: ParsedQuery, mesh: MeshThesaurus | None, carried: HeadingIndex | None = None
) -> tuple[Finding, ...]:
    """Return the findings on headings, in text order. `carried`: the headings of a corpus, if there is one."""
    outline = QueryOutline(parsed)
    headings = [node for node in outline.nodes if isinstance(node, Heading) and is_mesh(node, parsed)]
    found = _unexploded(headings, carried) if mesh is None else _checked(outline, parsed, headings, mesh)
    return collected(found)


def _unexploded(headings: list[Heading], carried: HeadingIndex | None) -> Iterator[Finding]:
    if carried is None or not carried.n_publications:
        return
    for heading in headings:
        message = (
            f"Matched by name in the headings of {many(carried.n_publications, 'publication')}"
            f"{', without narrower headings' if heading.explode else ''}: no MeSH file is loaded. "
            "Load one with get mesh --from FILE."
        )
        yield Finding("heading-by-name", "hint", heading.span, message)


def _checked(
    outline: QueryOutline, parsed: ParsedQuery, headings: list[Heading], mesh: MeshThesaurus
) -> Iterator[Finding]:
    period = _period(parsed)
    for heading in headings:
        known = mesh.find(heading.name)
        if known is None:
            yield _unknown(outline, heading, mesh)
        elif known.introduced and period:
            yield from _introduced(heading, known, known.introduced, period)
    if mesh.has_entry_terms:
        yield from _ands_of_entry_terms(outline, mesh)


def _ands_of_entry_terms(outline: QueryOutline, mesh: MeshThesaurus) -> Iterator[Finding]:
    """Report AND between a heading and its entry terms, or between its entry terms, unless `lint` reports the AND."""
    reported = {finding.span for finding in ands_within_concepts(outline)}

    @cache
    def heading_of(spelled: tuple[str, ...]) -> str | None:
        *first, last = spelled
        for each in (last, singular(last) or last, f"{last}s"):
            text = " ".join((*first, each))
            found = mesh.find(text)
            others = (found,) if found else mesh.replacements(text)
            if others:
                return others[0].name if len(others) == 1 else None
        return None

    def identity(name: ConceptName) -> str | None:
        if isinstance(name.leaf, Heading):
            found = mesh.find(name.leaf.name)
            return found.name if found else None
        return heading_of(name.spelled)

    yield from (each for each in ands_within_concepts(outline, identity) if each.span not in reported)


def _unknown(outline: QueryOutline, heading: Heading, mesh: MeshThesaurus) -> Finding:
    name = f"“{heading.name}”"
    if others := mesh.replacements(heading.name):
        new = listed([f"“{other.name}”" for other in others])
        is_former = any(heading.name.casefold() in map(str.casefold, other.former_names) for other in others)
        reason = "is the former name of" if is_former else "is no heading but an entry term of"
        message = f"{name} {reason} {new} in {mesh.label}. Use the heading."
        return Finding("heading-replaced", "warning", heading.span, message, *_fixes(outline, heading, others))
    if meant := mesh.proposal(heading.name):
        message = f"{name} is not a heading of {mesh.label}. Did you mean “{meant.name}”?"
        return Finding("unknown-heading", "error", heading.span, message, *_fixes(outline, heading, (meant,)))
    message = f"{name} is not in this file ({', '.join(mesh.sources)}), so it is matched by its name alone."
    return Finding("heading-not-in-file", "hint", heading.span, message)


def _fixes(
    outline: QueryOutline, heading: Heading, others: tuple[MeshHeading, ...]
) -> tuple[Fix | None, tuple[Fix, ...]]:
    """Replace the name where it is written, with everything around it unchanged."""
    text = heading.span.of(outline.text)
    place = text.casefold().find(heading.name.casefold())
    if place < 0 or len(text.casefold()) != len(text):
        return None, ()
    start = heading.span.start + place
    fixes = [Fix(f"Use “{other.name}”", (Edit(start, start + len(heading.name), other.name),)) for other in others]
    return fixes[0], tuple(fixes[1:])


def _period(parsed: ParsedQuery) -> Range | None:
    """Return the only range of years in the search string; None: none, or several."""
    ranges = [] if parsed.root is None else [leaf for leaf in leaves_in(parsed.root) if isinstance(leaf, Range)]
    return ranges[0] if len(ranges) == 1 else None


def _introduced(heading: Heading, known: MeshHeading, year: int, period: Range) -> Iterator[Finding]:
    if period.high is not None and year > period.high:
        message = (
            f"“{known.name}” was introduced in {year}, after the period searched (until {period.high}). "
            "Search text words, or the heading used before."
        )
        yield Finding("heading-after-period", "warning", heading.span, message)
    elif period.low is not None and year > period.low:
        message = f"“{known.name}” was introduced in {year}: publications from {period.low} to {year - 1} may lack it."
        yield Finding("heading-after-period", "hint", heading.span, message)
