"""STaRK's published tables of knowledge bases and query sets, compared with values measured here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from core.explore.reproduction import ReproducedNumber, compare_number
from core.knowledge.statistics import STARK, BaseRow, SetStatistics, average_degree

StarkQueries = Literal["synthesized", "human-generated"]


@dataclass(frozen=True, slots=True)
class PublishedQueries:
    """STaRK's published statistics of the queries over one knowledge base."""

    name: str
    n_synthesized: int
    n_human: int
    answers_per_query: float
    """Of the synthesized queries."""
    entropy: float
    """Shannon entropy, presumably in bits, judging by its size: the unit is not printed."""
    type_token_ratio: float
    verified: float
    """Percentage of answers behind the queries that language models accepted."""


PUBLISHED_BASES: Mapping[str, BaseRow] = {
    "Amazon": BaseRow("Amazon, published", 4, 5, 18.2, 1_035_542, 9_443_802, 592_067_882),
    "MAG": BaseRow("MAG, published", 4, 4, 43.5, 1_872_968, 39_802_116, 212_602_571, "relations counted both ways"),
    "Prime": BaseRow("Prime, published", 10, 18, 125.2, 129_375, 8_100_498, 31_844_769, "each given both ways"),
}
PUBLISHED_QUERIES = (
    PublishedQueries("Amazon", 9_100, 81, 17.99, 10.39, 0.179, 86.6),
    PublishedQueries("MAG", 13_323, 84, 2.78, 10.25, 0.180, 98.9),
    PublishedQueries("Prime", 11_204, 98, 2.56, 9.63, 0.143, 92.3),
)
REFERENCE_ENTROPY, REFERENCE_RATIO = 10.44, 0.261
"""Values of STaRK's reference text."""
PUBLISHED_NOTE = (
    f"Published: {STARK}, Table 2; nothing in these rows was measured here. STaRK counts MAG's relations both ways, "
    "39,802,116 where 19.85 M are on disk; its printed average degree is 43.5, and its printed counts give 42.5."
)
BASES = "Table 2: knowledge bases"
QUERIES = "Table 3: queries"
DIVERSITY = "Table 5: diversity of the queries"
VERIFIED = "Answers verified by language models"


def stark_base_named(text: str) -> str | None:
    """Return the STaRK knowledge base that a name refers to; None: none of them, or several.

    >>> stark_base_named("stark_mag"), stark_base_named("prime"), stark_base_named("magazine")
    ('MAG', 'Prime', None)
    """
    words = re.findall(r"[a-z]+", text.casefold())
    found = [name for name in PUBLISHED_BASES if name.casefold() in words]
    return found[0] if len(found) == 1 else None


def stark_numbers(
    bases: Mapping[str, BaseRow], queries: Mapping[tuple[str, StarkQueries], SetStatistics]
) -> tuple[ReproducedNumber, ...]:
    """Compare all numbers of Tables 2, 3 and 5 with ours. `bases`, `queries`: local values, by STaRK's name."""
    return (
        *(number for name in PUBLISHED_BASES for number in _base_numbers(name, bases.get(name))),
        *(number for row in PUBLISHED_QUERIES for number in _query_numbers(row, queries)),
        *(number for row in PUBLISHED_QUERIES for number in _diversity_numbers(row, queries)),
        *_reference_numbers(),
        *(_verified_number(row) for row in PUBLISHED_QUERIES),
    )


def _base_numbers(name: str, ours: BaseRow | None) -> Iterator[ReproducedNumber]:
    published = PUBLISHED_BASES[name]
    columns: tuple[tuple[str, str, int], ...] = (
        ("n_entity_types", "Entity types", 0),
        ("n_relation_types", "Relation types", 0),
        ("average_degree", "Average degree", 1),
        ("n_entities", "Entities", 0),
        ("n_relations", "Relations", 0),
        ("n_tokens", "Tokens", 0),
    )
    needs = f"needs STaRK's knowledge base {name}: get knowledge FOLDER --name {name.lower()}"
    for column, label, decimals in columns:
        value = None if ours is None else getattr(ours, column)
        reason = needs if ours is None else f"needs its words counted: knowledge statistics {ours.name}"
        if ours is not None and value is not None:
            reason = _why_bases_differ(column, published)
        basis = f"knowledge base {ours.name}" if ours is not None else ""
        if column == "average_degree":
            basis = "; ".join(filter(None, (basis, _printed_degree(published))))
        yield compare_number(
            BASES,
            name,
            label,
            published=getattr(published, column),
            decimals=decimals,
            ours=value,
            basis=basis,
            reason=reason,
        )


def _printed_degree(published: BaseRow) -> str:
    """Describe the degree that follows from the printed counts, if it differs from the printed one."""
    follows = average_degree(published.n_entities, published.n_relations) or 0.0
    same = round(follows, 1) == published.average_degree
    return "" if same else f"the printed counts give 2 · relations / entities = {follows:.1f}"


def _why_bases_differ(column: str, published: BaseRow) -> str:
    if column == "n_tokens":
        return "tokens here are words of titles and texts; STaRK uses another tokenizer"
    if column in ("n_relations", "average_degree", "n_relation_types") and published.note:
        return f"published: {published.note}"
    return "another copy of the knowledge base"


def _query_numbers(
    published: PublishedQueries, queries: Mapping[tuple[str, StarkQueries], SetStatistics]
) -> Iterator[ReproducedNumber]:
    rows: tuple[tuple[StarkQueries, str, str, float, int], ...] = (
        ("synthesized", "n_queries", "Queries", published.n_synthesized, 0),
        ("synthesized", "answers_per_query", "Answers per query", published.answers_per_query, 2),
        ("human-generated", "n_queries", "Queries", published.n_human, 0),
    )
    for part, statistic_id, label, value, decimals in rows:
        yield _of_set(QUERIES, published.name, part, statistic_id, label, value, decimals, queries)


def _diversity_numbers(
    published: PublishedQueries, queries: Mapping[tuple[str, StarkQueries], SetStatistics]
) -> Iterator[ReproducedNumber]:
    rows = (
        ("entropy_bits", "Shannon entropy", published.entropy, 2),
        ("type_token_ratio", "Type-token ratio", published.type_token_ratio, 3),
    )
    for statistic_id, label, value, decimals in rows:
        yield _of_set(DIVERSITY, published.name, "synthesized", statistic_id, label, value, decimals, queries)


def _of_set(
    group: str,
    name: str,
    part: StarkQueries,
    statistic_id: str,
    label: str,
    published: float,
    decimals: int,
    queries: Mapping[tuple[str, StarkQueries], SetStatistics],
) -> ReproducedNumber:
    of_set = queries.get((name, part))
    ours = None if of_set is None else of_set.value(statistic_id)
    reason = f"needs STaRK's {part} queries: get stark FOLDER --name stark-{name.lower()}"
    if of_set is not None:
        reason = of_set.values[statistic_id].reason or "other queries, or another way to count"
        if group == DIVERSITY:
            reason = "words here are runs of letters and digits, entropy in bits; STaRK's tokenizer is not published"
    basis = "" if of_set is None else f"collection {of_set.name}"
    return compare_number(
        group, name, label, published=published, decimals=decimals, ours=ours, part=part, basis=basis, reason=reason
    )


def _reference_numbers() -> Iterator[ReproducedNumber]:
    needs = "needs the reference text, which is not part of STaRK's files: knowledge statistics --reference FILE"
    rows = (("Shannon entropy", REFERENCE_ENTROPY, 2), ("Type-token ratio", REFERENCE_RATIO, 3))
    for label, published, decimals in rows:
        yield compare_number(
            DIVERSITY, "Reference text", label, published=published, decimals=decimals, ours=None, reason=needs
        )


def _verified_number(published: PublishedQueries) -> ReproducedNumber:
    reason = (
        "needs the verdicts of STaRK's language models, which its files do not hold; for queries of your own: "
        f"knowledge synthesize {published.name.lower()}"
    )
    return compare_number(
        VERIFIED,
        published.name,
        "Answers accepted, %",
        published=published.verified,
        decimals=1,
        ours=None,
        part="synthesized",
        reason=reason,
    )
