"""Evidence on the third domain: subject headings that are used, concepts without any, and what can't be tested here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from core.audit.document import Column, Table, Value
from core.audit.press.grounds import Grounds, quoted
from core.audit.press.types import Evidence
from core.query.dialects import DIALECTS
from core.query.differences.concepts import Concept
from core.query.tree import TEXT_FIELDS, Heading, Near, Node, Term, terms_in, walk
from core.text import listed

MOST_ROWS = 200
_HAVE_NONE = ("scopus", "dimensions", "openalex", "plain")
"""Query languages without headings of a thesaurus that a term could name."""


def evidence(grounds: Grounds) -> Iterator[Evidence]:
    """Where headings stand, and where none does."""
    parsed = grounds.parsed
    if parsed.root is None:
        return
    concepts = [each for each in grounds.concepts if each.role == "concept"]
    found = list(grounds.nodes(Heading))
    label = DIALECTS[parsed.dialect].label
    if not found:
        why = " If the database has a thesaurus, its headings may find more."
        if parsed.dialect in _HAVE_NONE[:-1]:
            why = f" {label} has no headings to search by."
        yield Evidence(
            f"No subject heading is used: every concept rests on words of the text.{why}",
            look=parsed.dialect not in _HAVE_NONE,
        )
        return
    n = "1 subject heading is" if len(found) == 1 else f"{len(found):,} subject headings are"
    yield Evidence(f"{n} used.")
    without = [each for each in concepts if not _has_heading(each)]
    if without:
        yield Evidence(f"Without any heading: {listed([each.name for each in without])}.", look=True)
    bare = [each for each in concepts if _has_heading(each) and not _has_words(each)]
    if bare:
        names = listed([each.name for each in bare])
        yield Evidence(f"With headings but without words of the text: {names}.", look=True)
    major = [node for node in found if cast(Heading, node).major]
    if major:
        yield Evidence(f"Restricted to the main focus: {_names(grounds, major)}.", look=True)
    single = [node for node in found if not cast(Heading, node).explode]
    if single:
        yield Evidence(f"Searched without narrower headings: {_names(grounds, single)}.")
    if grounds.counted is not None and "subject" not in grounds.counted.asked.corpus.fields:
        yield Evidence(
            f"Headings are not tested here: {grounds.counted_in} hold no headings, so no count of the string has them."
        )


def _names(grounds: Grounds, nodes: list[Node]) -> str:
    shown = [quoted(node.span.of(grounds.parsed.text), 60) for node in nodes[:10]]
    more = f" and {len(nodes) - 10:,} more" if len(nodes) > 10 else ""
    return f"{', '.join(shown)}{more}"


def _has_heading(concept: Concept) -> bool:
    return any(map(is_heading, walk(concept.node)))


def is_heading(node: Node) -> bool:
    """A heading, or a word that is looked for among headings."""
    return isinstance(node, Heading) or (isinstance(node, Term) and "subject" in node.fields)


def _has_words(concept: Concept) -> bool:
    """Whether it looks for words in titles, abstracts or keywords too."""
    leaves = [node for node in walk(concept.node) if isinstance(node, Term | Near)]
    return any(not term.fields or set(term.fields) & set(TEXT_FIELDS) for leaf in leaves for term in terms_in(leaf))


def tables(grounds: Grounds) -> Iterator[Table]:
    """Every heading as it is written."""
    found = [cast(Heading, node) for node in grounds.nodes(Heading)]
    if not found:
        return
    yield Table(
        "press-3-headings",
        "The subject headings of the string",
        (Column("Heading", "code"), Column("With narrower ones"), Column("Main focus only"), Column("Subheadings")),
        tuple(_row(node) for node in found[:MOST_ROWS]),
        note=f"{len(found) - MOST_ROWS:,} more are not listed." if len(found) > MOST_ROWS else "",
    )


def _row(node: Heading) -> tuple[Value, ...]:
    yes_no = ("no", "yes")
    return node.name, yes_no[node.explode], yes_no[node.major], ", ".join(node.subheadings)
