"""A knowledge base in numbers. What is slow of it is counted once, and remembered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from core.knowledge.spans import Rows
from core.knowledge.statistics.query_sets import (
    BaseRow,
    BaseStatistics,
    Bin,
    Counts,
    Hub,
    Spread,
    TypeStatistics,
    average_degree,
    type_statistics,
)
from core.protocols import OnStage, silent
from core.text import words
from data.knowledge.base import KnowledgeBase
from data.memory import key_for
from data.store import Store

BASE_VERSION = 1
"""Rises whenever a number would come out differently today."""
BASE_KIND = "knowledge-statistics"
BASE_AT_ONCE = 4_000
"""Entities whose texts are read at a time."""


def base_row(base: KnowledgeBase, known: BaseStatistics | None) -> BaseRow:
    """The line of a knowledge base in a table of several. What is not counted yet is not known."""
    about = base.about
    return BaseRow(
        about.name,
        len(base.types),
        len({kind.name for kind in base.relation_types}),
        average_degree(about.n_entities, about.n_relations),
        about.n_entities,
        about.n_relations,
        known.n_words if known else None,
        "made up" if about.made_up else "",
    )


def known_statistics(base: KnowledgeBase, store: Store) -> BaseStatistics | None:
    """What was counted before."""
    found = store.recall(_key(base))
    return _read(json.loads(found[0])) if found else None


def base_statistics(base: KnowledgeBase, store: Store, on_stage: OnStage = silent) -> BaseStatistics:
    """Degrees and words by type. Takes seconds for each million relations or texts, the first time."""
    known = known_statistics(base, store)
    if known is not None:
        return known
    degrees = _degrees(base, on_stage)
    n_words, has_text = _words(base, on_stage)
    types = []
    for kind in base.types.values():
        part = slice(kind.first, kind.first + kind.n)
        types.append(type_statistics(kind, degrees[part], n_words[part], int(has_text[part].sum())))
    found = BaseStatistics(tuple(types))
    store.remember(_key(base), BASE_KIND, json.dumps(asdict(found)), None)
    return found


def _key(base: KnowledgeBase) -> str:
    return key_for(BASE_KIND, BASE_VERSION, base.about.key)


def _degrees(base: KnowledgeBase, on_stage: OnStage) -> Counts:
    """By row. One name of relations at a time, so that the memory is bounded."""
    report = on_stage("counting relations")
    found = np.zeros(base.about.n_entities, dtype=np.int64)
    ends = [(n, sql) for n in base.relation_numbers.values() for sql in _ENDS]
    for done, (number, sql) in enumerate(ends, start=1):
        found += base.column(sql, {"relation": number, "n": len(found)})
        report(done, len(ends))
    return found


_ENDS = tuple(
    f"""
    SELECT coalesce(counted.n, 0) FROM range($n) AS e(row)
    LEFT JOIN (
        SELECT {end} AS row, count(*) AS n FROM {table} WHERE relation = $relation GROUP BY {end}
    ) AS counted USING (row)
    ORDER BY row
    """
    for table, end in (("forward", "source"), ("reverse", "target"))
)
"""How many relations of a name each entity has at one end, by row."""


def _words(base: KnowledgeBase, on_stage: OnStage) -> tuple[Counts, Rows]:
    """Words of each entity's title and text, and whether it has a text; by row."""
    n = base.about.n_entities
    report = on_stage("counting words")
    n_words, has_text = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for first in range(0, n, BASE_AT_ONCE):
        last = min(first + BASE_AT_ONCE, n)
        found = base.rows(_TEXTS, {"first": first, "last": last - 1})
        n_words[first:last] = word_counts([whole for whole, _ in found])
        has_text[first:last] = [has for _, has in found]
        report(last, n)
    return n_words, has_text


_TEXTS = """
    SELECT title || chr(10) || text, trim(text) != '' FROM entities JOIN texts USING (row)
    WHERE row BETWEEN $first AND $last ORDER BY row
"""
_IN_WORD = np.array([chr(code).isalnum() and code < 128 for code in range(256)])


def word_counts(texts: Sequence[str]) -> Counts:
    """Words of each text, as `core.text.words` cuts them; those of plain letters are counted all at once.

    >>> word_counts(["Meta-models (2019)", "", "na\u00efve tea"]).tolist()
    [3, 0, 2]
    """
    plain = [text if text.isascii() else "" for text in texts]
    letters = _IN_WORD[np.frombuffer("\n".join(["", *plain, ""]).encode("ascii"), dtype=np.uint8)]
    begins = np.flatnonzero(letters[1:] & ~letters[:-1]) + 1
    ends = np.cumsum([len(text) + 1 for text in plain])
    counts = np.diff(np.searchsorted(begins, ends, side="right"), prepend=0)
    for place, text in enumerate(texts):
        if not text.isascii():
            counts[place] = len(words(text))
    return counts.astype(np.int64)


def _read(document: Mapping[str, Any]) -> BaseStatistics:
    return BaseStatistics(
        tuple(
            TypeStatistics(
                **{
                    **kind,
                    "degrees": _spread(kind["degrees"]),
                    "degree_bins": tuple(Bin(**each) for each in kind["degree_bins"]),
                    "hubs": tuple(Hub(**each) for each in kind["hubs"]),
                    "words": _spread(kind["words"]),
                }
            )
            for kind in document["types"]
        )
    )


def _spread(document: Mapping[str, Any] | None) -> Spread | None:
    return Spread(**document) if document else None
