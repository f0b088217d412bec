"""Fields to be judged, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.errors import InputError
from core.judging.types import Candidate, Field
from core.ranking.types import Query
from core.types import Ids

USUAL_K = 10
"""Of each answer, where nobody says how many."""
MOST_ENGINES = 100
"""Some 5,000 pairs."""


def checked_k(k: int) -> int:
    """How many of an answer are judged, if that can be."""
    if not 1 <= k <= 10_000:
        raise InputError(f"from 1 to 10,000 of each answer can be judged, got {k:,}")
    return k


def joined(fields: Sequence[Field]) -> Field:
    """Several fields as one: the same query in two of them is one query.

    Where an engine of the same name answers the same query in two of them, that of the later one is called by its field
    too. One id for two wordings is an error, and so are more engines than can be compared.
    """
    if not fields:
        raise InputError("there is nothing to put together: choose at least one thing to judge")
    for field in fields:
        _check_engines(field.engines)
    if len(fields) == 1:
        return fields[0]
    queries: dict[str, Query] = {}
    taken: set[tuple[str, str]] = set()
    candidates: list[Candidate] = []
    for field in fields:
        for query in field.queries:
            queries[query.query_id] = _same(queries.get(query.query_id), query)
        names = _names(field, taken)
        candidates += [replace(each, engine=names[each.engine]) for each in field.candidates]
        taken |= {(names[each.engine], each.query_id) for each in field.candidates}
    made = Field(
        " and ".join(dict.fromkeys(field.name for field in fields)),
        tuple(queries.values()),
        _ordered(candidates, queries),
        tuple(dict.fromkeys(note for field in fields for note in field.notes)),
    )
    _check_engines(made.engines)
    return made


def _check_engines(engines: Ids) -> None:
    """Each is compared with each."""
    if len(engines) > MOST_ENGINES:
        raise InputError(
            f"{len(engines):,} engines can't be compared, up to {MOST_ENGINES} can: choose fewer, or see whether each "
            "row of a file of results names its own"
        )


def _same(known: Query | None, query: Query) -> Query:
    """One query of two; what is said of it in either is said of it."""
    if known is None:
        return query
    if known.text != query.text:
        raise InputError(
            f'the id "{query.query_id[:60]}" stands for two queries, "{known.text[:60]}" and "{query.text[:60]}": '
            "give one of them another id"
        )
    return replace(known, labels=tuple(dict.fromkeys((*known.labels, *query.labels))))


def _names(field: Field, taken: set[tuple[str, str]]) -> Mapping[str, str]:
    """What its engines are called beside those that are there."""
    answered: dict[str, set[str]] = {}
    for each in field.candidates:
        answered.setdefault(each.engine, set()).add(each.query_id)
    names: dict[str, str] = {}
    for engine, query_ids in answered.items():
        name, number = engine, 1
        while any((name, query_id) in taken for query_id in query_ids) or name in names.values():
            name = f"{engine} ({field.name})" if number == 1 else f"{engine} ({field.name}, {number})"
            number += 1
        names[engine] = name
    return names


def _ordered(candidates: Iterable[Candidate], queries: Iterable[str]) -> tuple[Candidate, ...]:
    """By engine as they came, then query, then rank."""
    found = list(candidates)
    engine_place = {engine: place for place, engine in enumerate(dict.fromkeys(each.engine for each in found))}
    query_place = {query_id: place for place, query_id in enumerate(queries)}
    return tuple(sorted(found, key=lambda c: (engine_place[c.engine], query_place[c.query_id], c.rank)))
