"""Evidence on the first domain: the concepts of the string, what each finds, and which core publications are missed."""

from __future__ import annotations

from collections.abc import Iterator

from core.audit.document import Column, Table, Value
from core.audit.press.grounds import Counted, Grounds, publications, quoted
from core.audit.press.types import Evidence
from core.query.differences.concepts import Concept, shortened
from core.query.matching.bits import count
from core.query.tree import Heading, Node, Not, terms_in, walk
from core.query.weighing.explain import Explained, explain
from core.text import listed

MOST_ROWS = 60
"""Concepts, and missed core publications, that are listed."""
_ROLES = {"excluded": "excluded (NOT)", "years": "limit to years", "limit": "limit"}


def evidence(grounds: Grounds) -> Iterator[Evidence]:
    """What a reviewer compares with the research question."""
    if grounds.parsed.kind == "question":
        yield Evidence(
            "This is a question in plain words. Publications are ranked by it, so there are no concepts to check.", True
        )
        return
    concepts = [each for each in grounds.concepts if each.role == "concept"]
    if not grounds.concepts:
        return
    yield Evidence(_overview(concepts), look=not concepts)
    counted = grounds.counted
    if counted is not None:
        yield _found(counted, grounds.counted_in)
        yield from _untested(counted)
        yield from _core(counted)
        if len(grounds.concepts) > 1:
            for concept in grounds.concepts:
                yield from _costs(counted, concept)
    if grounds.search is not None and grounds.search.sentence:
        yield Evidence(grounds.search.sentence)


def _overview(concepts: list[Concept]) -> str:
    if not concepts:
        return "The string has no concept that must match: it only limits or excludes."
    if len(concepts) == 1:
        return f"The string has one concept, with {_terms(*_n_terms(concepts[0].node))}."
    return f"The string has {len(concepts):,} concepts that must all match: {listed([_short(c) for c in concepts])}."


def _short(concept: Concept) -> str:
    """As in "2, street trees with 11 others"."""
    labels = [leaf.label for leaf in concept.leaves.values()]
    more = len(labels) - 1
    others = f" with {more:,} other{'' if more == 1 else 's'}" if more else ""
    return f"({concept.place}) {quoted(labels[0], 40)}{others}"


def _n_terms(node: Node) -> tuple[int, int]:
    """Terms, and subject headings."""
    return sum(1 for _ in terms_in(node)), sum(isinstance(each, Heading) for each in walk(node))


def _terms(n: int, n_headings: int) -> str:
    terms = "1 term" if n == 1 else f"{n:,} terms"
    headings = "1 subject heading" if n_headings == 1 else f"{n_headings:,} subject headings"
    return f"{terms} and {headings}" if n and n_headings else headings if n_headings else terms


def _found(counted: Counted, counted_in: str) -> Evidence:
    n = count(counted.asked.retrieved)
    share = f", {100 * n / counted.matched.n:.1f} % of them" if counted.matched.n and n else ""
    return Evidence(f"As a whole it finds {publications(n)} among {counted_in}{share}.", look=n == 0)


def _untested(counted: Counted) -> Iterator[Evidence]:
    n = counted.n_untested()
    if n:
        what = "1 part of the string asks" if n == 1 else f"{n:,} parts of the string ask"
        count_for = "It counts" if n == 1 else "They count"
        yield Evidence(
            f"{what} for what the publications here have no data of, such as headings or kinds of publication. "
            f"{count_for} for nothing in these numbers; in the database the string may find others."
        )


def _core(counted: Counted) -> Iterator[Evidence]:
    if not counted.n_core:
        yield Evidence("The topic has no core publications, so nobody can say here what the string misses.")
        return
    n_there = count(counted.core)
    n_found = count(counted.core & counted.asked.retrieved)
    yield Evidence(f"It finds {n_found:,} of {counted.n_core:,} core publications.", look=n_found < n_there)
    gone = counted.n_core - n_there
    if gone:
        verb = "is" if gone == 1 else "are"
        yield Evidence(f"{gone:,} core {_noun(gone)} {verb} not among them, so no string can find {_it(gone)} here.")


def _noun(n: int) -> str:
    return "publication" if n == 1 else "publications"


def _it(n: int) -> str:
    return "it" if n == 1 else "them"


def _costs(counted: Counted, concept: Concept) -> Iterator[Evidence]:
    """What a concept alone keeps out."""
    kept_out = counted.kept_out(concept.node)
    if kept_out is None or concept.role == "excluded":
        return
    n, core = counted.n_and_core(kept_out)
    if core:
        verb = "matches" if core == 1 else "match"
        yield Evidence(
            f"{concept.name} alone keeps out {core:,} core {_noun(core)} that {verb} everything else: "
            f"{counted.titles(kept_out)}.",
            look=True,
        )
    elif not n and count(counted.asked.retrieved):
        yield Evidence(f"{concept.name} keeps nothing out: without it the string finds the same here.", look=True)


def tables(grounds: Grounds) -> Iterator[Table]:
    """The concepts with what each finds, and the core publications that are missed."""
    counted = grounds.counted
    if not grounds.concepts or grounds.parsed.kind == "question":
        return
    rows = tuple(_row(grounds, counted, concept) for concept in grounds.concepts[:MOST_ROWS])
    yield Table(
        "press-1-concepts",
        "The concepts of the string, and what each finds by itself",
        (
            Column("Part", "code"),
            Column("Kind"),
            Column("Terms and headings", "count"),
            Column("Publications", "count"),
            Column("Core found", "count"),
            Column("Kept out by it alone", "count"),
            Column("Core among these", "count"),
        ),
        rows,
        note=_note(grounds),
    )
    if counted is not None and counted.missed:
        yield _missed(grounds, counted)


def _role(concept: Concept) -> str:
    return f"concept {concept.place}" if concept.role == "concept" else _ROLES[concept.role]


def _note(grounds: Grounds) -> str:
    where = f"Counted among {grounds.counted_in}." if grounds.counted is not None else ""
    left = len(grounds.concepts) - MOST_ROWS
    return f"{where} {left:,} more are not listed.".strip() if left > 0 else where


def _row(grounds: Grounds, counted: Counted | None, concept: Concept) -> tuple[Value, ...]:
    node = concept.node.part if isinstance(concept.node, Not) else concept.node
    head: tuple[Value, ...] = (shortened(concept.node.extent.of(grounds.parsed.text), 200), _role(concept))
    n_terms = sum(_n_terms(node))
    if counted is None:
        return (*head, n_terms, None, None, None, None)
    bits, kept_out = counted.set_of(node), counted.kept_out(concept.node)
    found: tuple[Value, ...] = (None, None) if bits is None else counted.n_and_core(bits)
    costs: tuple[Value, ...] = (None, None) if kept_out is None else counted.n_and_core(kept_out)
    return (*head, n_terms, *found, *costs)


def _missed(grounds: Grounds, counted: Counted) -> Table:
    rows_shown = counted.missed[:MOST_ROWS]
    ids = [counted.asked.corpus.ids[row] for row in rows_shown]
    told = explain(counted.asked, ids, rows=dict(zip(ids, rows_shown, strict=True)))
    rows = tuple(
        (counted.core_titles.get(row) or each.publication_id, _failing(grounds, counted, each), _why(each))
        for row, each in zip(rows_shown, told, strict=True)
    )
    left = len(counted.missed) - len(rows)
    return Table(
        "press-1-missed",
        "Core publications that are missed, and by which part of the string",
        (Column("Core publication"), Column("Part that fails"), Column("What it has instead")),
        rows,
        note=f"{left:,} more are not listed." if left else "",
    )


def _failing(grounds: Grounds, counted: Counted, each: Explained) -> str:
    """The parts that keep a publication out: concepts by their names, others by their words."""
    names = {counted.number_of.get(id(concept.node)): concept.name for concept in grounds.concepts}
    found = []
    for node in each.failing:
        words = quoted(node.span.of(counted.asked.text))
        is_not = isinstance(counted.matched.nodes[node.number], Not)
        found.append(words if is_not else names.get(node.number, words))
    return listed(found) if found else "nothing that can be tested here"


def _why(each: Explained) -> str:
    """What it has in place of what was asked."""
    if each.verdict == "removed_by_not":
        return "Everything else matches."
    bare = "It has no abstract here. " if each.verdict == "no_abstract" else ""
    return f"{bare}{each.evidence[0].message if each.evidence else 'Nothing in it comes close.'}"
