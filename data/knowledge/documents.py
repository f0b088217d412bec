"""Entities as documents for text retrievers: with their texts alone, or also with their relations in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from core.knowledge.spans import Direction, EntityType
from core.knowledge.templates import relation_words
from core.ranking.check import Document
from data.knowledge.asking import TABLES
from data.knowledge.base import KnowledgeBase

AT_ONCE = 20_000
"""Entities that are read together."""
MOST_NAMES = 50
"""Neighbours by one relation that are named; how many more there are is said."""
MOST_BEYOND = 3
"""Of what a neighbour itself belongs to, named in brackets behind it."""
LONGEST_NAME = 200
Names = dict[int, tuple[list[str], int]]
"""By entity: the first neighbours, and how many there are."""
Walked = tuple[int, Direction]
"""A relation by its number, and how it is walked."""


def knowledge_documents(base: KnowledgeBase, *, with_relations: bool) -> Iterator[Document]:
    """The entities that questions ask for, by row.

    `with_relations`: with a line for each relation, such as "written by: Ito (University of Elm), Roy".
    """
    for name in base.answer_types:
        kind, documents = base.types[name], base.documents([name])
        for first in range(kind.first, kind.first + kind.n, AT_ONCE):
            some = list(islice(documents, AT_ONCE))
            rows = range(first, first + len(some))
            lines = _lines(base, kind, rows) if with_relations else {}
            for row, document in zip(rows, some, strict=True):
                yield _with(document, lines.get(row, ()))


def _with(document: Document, lines: Sequence[str]) -> Document:
    text = "\n".join([*([document.text] if document.text.strip() else []), *lines])
    return Document(document.doc_id, document.title, text)


def _lines(base: KnowledgeBase, kind: EntityType, rows: range) -> Mapping[int, list[str]]:
    """For each entity a line by relation, in the order of the knowledge base."""
    lines: dict[int, list[str]] = {}
    for (said, other), walked in _said(base, kind).items():
        for row, (names, n) in _names(base, walked, rows, base.types[other]).items():
            more = f" and {n - len(names):,} more" if n > len(names) else ""
            lines.setdefault(row, []).append(f"{said}: {'; '.join(names)}{more}")
    return lines


def _said(base: KnowledgeBase, kind: EntityType) -> Mapping[tuple[str, str], list[Walked]]:
    """By the words for it and the type that it leads to: ways that are called alike are told once."""
    said: dict[tuple[str, str], list[Walked]] = {}
    for relation in base.relation_types:
        number = base.relation_numbers[relation.name]
        if relation.source == kind.name:
            said.setdefault((relation_words(relation.name, "forward"), relation.target), []).append((number, "forward"))
        if relation.target == kind.name:
            said.setdefault((relation_words(relation.name, "back"), relation.source), []).append((number, "back"))
    return said


def _near(number: int, direction: Direction) -> str:
    """Numbers of the knowledge base alone go into the text."""
    ((table, here, there),) = TABLES[direction]
    return f"""
        SELECT {here} AS here, {there} AS there FROM {table}
        WHERE relation = {number} AND {here} BETWEEN $first AND $last AND {there} BETWEEN $low AND $high
    """


def _names(base: KnowledgeBase, walked: Sequence[Walked], rows: range, other: EntityType) -> Names:
    """The first neighbours of each of these entities, by row."""
    found = base.rows(
        f"""
        WITH near AS (
            SELECT here, there,
                row_number() OVER (PARTITION BY here ORDER BY there) AS place,
                count(*) OVER (PARTITION BY here) AS n
            FROM ({" UNION ".join(_near(*way) for way in walked)})
            QUALIFY place <= $most
        )
        SELECT here, list(there ORDER BY place), list(left(title, $longest) ORDER BY place), any_value(n)
        FROM near JOIN entities ON entities.row = there GROUP BY here
        """,
        {
            "first": rows.start,
            "last": rows.stop - 1,
            "low": other.first,
            "high": other.first + other.n - 1,
            "most": MOST_NAMES,
            "longest": LONGEST_NAME,
        },
    )
    beyond = _beyond(base, other, {there for _, near, _, _ in found for there in near})
    return {
        here: (
            [
                f"{title} ({beyond[there]})" if there in beyond else title
                for there, title in zip(near, titles, strict=True)
            ],
            n,
        )
        for here, near, titles, n in found
    }


def _beyond(base: KnowledgeBase, kind: EntityType, rows: set[int]) -> Mapping[int, str]:
    """What entities that nobody asks for belong to themselves, such as the institutions of an author."""
    if kind.is_answer or not rows:
        return {}
    found: dict[int, list[str]] = {}
    for relation in base.relation_types:
        other = base.types[relation.target]
        if relation.source != kind.name or other.is_answer or other.name == kind.name:
            continue
        near = base.rows(
            """
            SELECT source, list(left(title, $longest) ORDER BY target)[:$most]
            FROM forward JOIN entities ON entities.row = target
            WHERE relation = $relation AND source IN (SELECT unnest($rows::INTEGER[]))
                AND target BETWEEN $low AND $high
            GROUP BY source
            """,
            {
                "relation": base.relation_numbers[relation.name],
                "rows": sorted(rows),
                "low": other.first,
                "high": other.first + other.n - 1,
                "most": MOST_BEYOND,
                "longest": LONGEST_NAME,
            },
        )
        for row, names in near:
            found.setdefault(row, []).extend(names)
    return {row: ", ".join(names) for row, names in found.items()}
