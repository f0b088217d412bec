"""Why each core publication is found or missed: one verdict and one plain sentence each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from core.query.matching.bits import holds
from core.query.matching.matched import Matched, searched_fields
from core.query.matching.texts import Texts
from core.query.repair.candidates import leaves_of_alternatives
from core.query.repair.rescue import MOST_LEAVES, Rescue, Rescuer
from core.query.tree import Not, Span, terms_in
from core.query.weighing.asked import Asked
from core.query.weighing.evidence import CLOSENESS, Evidence
from core.query.weighing.failing import block_of, failing, n_blocks
from core.text import listed

Verdict = Literal["found", "not_in_corpus", "no_abstract", "removed_by_not", "near_miss", "fails_block"]
MOST_EVIDENCE = 5


@dataclass(frozen=True, slots=True)
class FailingNode:
    """A part of the query that keeps a publication out."""

    number: int
    """Its place in `walk`."""
    span: Span
    block: int | None
    """Which part of the AND at the root it belongs to, from 1; None: there is no such AND."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What became of one core publication."""

    publication_id: str
    verdict: Verdict
    failing: tuple[FailingNode, ...]
    """The fewest parts that would have to match."""
    evidence: tuple[Evidence, ...]
    """What it has in their place, the closest first."""
    sentence: str
    rescues: tuple[Rescue, ...] = ()
    """Only if they were asked for."""


def explain(
    asked: Asked,
    core_ids: Sequence[str],
    *,
    rows: Mapping[str, int] | None = None,
    with_rescues: Collection[str] = (),
    rescuer: Rescuer | None = None,
) -> tuple[Explained, ...]:
    """One for each core publication, in the order given.

    `rows`: where the core publications stand in the corpus, if that is known. `with_rescues`: ids of those for which
    rescues are worked out, which takes longer. `rescuer`: one that was used for this query before and remembers what
    it tried.
    """
    row_of = rows
    if row_of is None:
        row_of = {publication_id: row for row, publication_id in enumerate(asked.corpus.ids)}
    rescuer = rescuer or Rescuer(asked)
    return tuple(
        _explained(
            asked, publication_id, row_of.get(publication_id), rescuer if publication_id in with_rescues else None
        )
        for publication_id in core_ids
    )


def _explained(asked: Asked, publication_id: str, row: int | None, rescuer: Rescuer | None) -> Explained:
    if row is None:
        return Explained(
            publication_id, "not_in_corpus", (), (), "It is not in the corpus, so no query can find it here."
        )
    if holds(asked.retrieved, row):
        return Explained(publication_id, "found", (), (), "Found.")
    numbers = failing(asked.matched, row).numbers
    evidence = _evidence(asked, numbers, row)
    verdict = _verdict(asked, numbers, evidence, row)
    nodes = tuple(FailingNode(i, asked.matched.nodes[i].span, block_of(asked.matched, i)) for i in numbers)
    sentence = _sentence(asked, verdict, numbers, evidence)
    return Explained(
        publication_id, verdict, nodes, evidence, sentence, rescuer.rescues(row) if rescuer is not None else ()
    )


def _evidence(asked: Asked, numbers: tuple[int, ...], row: int) -> tuple[Evidence, ...]:
    leaves = chain.from_iterable(leaves_of_alternatives(asked.matched, i, MOST_LEAVES) for i in numbers)
    found = (e for i in leaves for e in asked.evidence.evidence(asked.matched.nodes[i], row))
    best: dict[tuple[str, int, int], Evidence] = {}
    for each in sorted(found, key=lambda e: (CLOSENESS[e.kind], e.between)):
        best.setdefault((each.field, each.first, each.last), each)
    return tuple(best.values())[:MOST_EVIDENCE]


def _verdict(asked: Asked, numbers: tuple[int, ...], evidence: tuple[Evidence, ...], row: int) -> Verdict:
    matched = asked.matched
    if numbers and all(isinstance(matched.nodes[i], Not) for i in numbers):
        return "removed_by_not"
    if _lacks_abstract(asked.texts, row) and any(_looks_beyond_the_title(matched, asked.texts, i) for i in numbers):
        return "no_abstract"
    if len(numbers) == 1 and any(each.is_close for each in evidence):
        return "near_miss"
    return "fails_block"


def _lacks_abstract(texts: Texts, row: int) -> bool:
    return "abstract" not in texts.fields or not len(texts.tokens_of(row, "abstract"))


def _looks_beyond_the_title(matched: Matched, texts: Texts, number: int) -> bool:
    node, fields = matched.nodes[number], frozenset(texts.fields) | {"abstract"}
    return not isinstance(node, Not) and any("abstract" in searched_fields(term, fields) for term in terms_in(node))


def _sentence(asked: Asked, verdict: Verdict, numbers: tuple[int, ...], evidence: tuple[Evidence, ...]) -> str:
    if not numbers:
        return "Nothing of this query can be tested in this corpus."
    if verdict == "removed_by_not":
        names = " and ".join(_without_not(asked, i) for i in numbers)
        return f"Everything else matches, but NOT {names} keeps it out."
    start = "It has no abstract, and fails" if verdict == "no_abstract" else "Fails"
    blocks = [block for i in numbers if (block := block_of(asked.matched, i)) is not None]
    nodes = asked.matched.nodes
    parts = [f"nothing of {asked.name_of(i)}" for i in numbers if not isinstance(nodes[i], Not)]
    parts += [f"NOT {_without_not(asked, i)} keeps it out" for i in numbers if isinstance(nodes[i], Not)]
    if blocks:
        several = "s" if len(set(blocks)) > 1 else ""
        names = listed([str(block) for block in sorted(set(blocks))])
        where = f"{start} block{several} {names} of {n_blocks(asked.matched)}"
    else:
        where = f"{start} the query"
    has = f"; {evidence[0].message[0].lower()}{evidence[0].message[1:]}" if evidence else "."
    return f"{where}: {' and '.join(parts)}{has}"


def _without_not(asked: Asked, number: int) -> str:
    (part,) = asked.matched.children[number]
    return asked.name_of(part)
