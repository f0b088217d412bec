"""Which words of queries speak of relations: by what the queries say they require, else as a knowledge base tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.knowledge.evidence import propose
from core.knowledge.spans import Mention
from core.knowledge.statistics.query_sets import Counts, Span, WordKinds, runs, word_kinds
from core.knowledge.templates import Requirement, Template, requirement_of
from core.protocols import OnStage, silent
from core.ranking.check import Query
from core.text import words
from data.knowledge.base import KnowledgeBase
from data.knowledge.linking import find_mentions
from data.knowledge.statistics.query_sets import texts_key
from data.knowledge.templates import templates_of
from data.memory import key_for, packed, unpacked
from data.store import Store, content_hash

QUERY_WORDS_VERSION = 2
"""Rises whenever a number would come out differently today."""
QUERY_WORDS_KIND = "query-words"
QUERY_WORDS_AT_ONCE = 200
"""Queries that are remembered together."""
Basis = Literal["labels", "proposed", "mentions"]
BASES: tuple[Basis, ...] = get_args(Basis)
Found = tuple[WordKinds, Basis]
Finder = Callable[[str], Sequence[Mention]]


@dataclass(frozen=True, eq=False)
class QueryWords:
    """Words of each query by kind."""

    counts: Counts
    """A row for each query: relational, textual, stop words."""
    bases: Counts
    """How its requirement was found: the place in BASES."""

    def __len__(self) -> int:
        return len(self.counts)

    def of(self, places: Sequence[int]) -> WordKinds:
        """Of some queries together."""
        return WordKinds(*map(int, self.counts[list(places)].sum(axis=0)))

    def n_by(self, basis: Basis, places: Sequence[int]) -> int:
        """How many of them were told this way."""
        return int(np.count_nonzero(self.bases[list(places)] == BASES.index(basis)))


def known_query_words(base: KnowledgeBase, store: Store, queries: Sequence[Query]) -> QueryWords | None:
    """What was found before, if that is all."""
    found = [_recalled(store, key) for key, _ in _parts(base, queries, templates_of(base, store))]
    known = [table for table in found if table is not None]
    return _joined(known) if len(known) == len(found) else None


def query_words(base: KnowledgeBase, store: Store, queries: Sequence[Query], on_stage: OnStage = silent) -> QueryWords:
    """Each query's words by kind; remembered in parts, so that what was stopped goes on where it was.

    A query that carries its requirement is told by it, if the base holds the entities. Of another one the best
    proposal counts; where no template fits, whatever in it names an entity.
    """
    templates = templates_of(base, store)
    report = on_stage("looking for entities in queries")
    tables: list[Counts] = []
    done = 0
    for key, part in _parts(base, queries, templates):
        table = _recalled(store, key)
        if table is None:
            rows = []
            for query in part:
                rows.append(_row(*words_of(query, base, templates, lambda text: find_mentions(base, text))))
                report(done + len(rows), len(queries))
            table = np.array(rows, dtype=np.int64)
            store.remember(key, QUERY_WORDS_KIND, "{}", packed({"table": table}))
        tables.append(table)
        done += len(part)
    return _joined(tables)


def _row(kinds: WordKinds, basis: Basis) -> tuple[int, int, int, int]:
    return kinds.n_relational, kinds.n_textual, kinds.n_stop, BASES.index(basis)


def _joined(tables: Sequence[Counts]) -> QueryWords:
    whole = np.concatenate([np.zeros((0, 4), np.int64), *tables])
    return QueryWords(whole[:, :3], whole[:, 3])


def _parts(
    base: KnowledgeBase, queries: Sequence[Query], templates: Sequence[Template]
) -> list[tuple[str, Sequence[Query]]]:
    """Some queries at a time, under a key that names all that their kinds of words depend on."""
    told = content_hash([*map(repr, templates)])
    parts = [queries[start : start + QUERY_WORDS_AT_ONCE] for start in range(0, len(queries), QUERY_WORDS_AT_ONCE)]
    return [
        (key_for(QUERY_WORDS_KIND, QUERY_WORDS_VERSION, base.about.key, told, content_hash(texts_key(part))), part)
        for part in parts
    ]


def _recalled(store: Store, key: str) -> Counts | None:
    found = store.recall(key)
    return None if found is None or found[1] is None else unpacked(found[1])["table"]


def words_of(query: Query, base: KnowledgeBase, templates: Sequence[Template], find: Finder) -> Found:
    """One query's words by kind, and how its requirement was found."""
    requirement = requirement_of(query)
    rows = _rows_of(requirement, base) if requirement else None
    if requirement is not None and rows is not None:
        cues = _cues(requirement.template_id, templates)
        titles, spans = _named(query.text, base, rows, find)
        return word_kinds(query.text, spans=spans, phrases=(*titles, *cues)), "labels"
    mentions = tuple(find(query.text))
    proposals = propose(query.text, mentions, templates)
    if proposals:
        best = proposals[0]
        return word_kinds(query.text, spans=_spans(best.mentions), phrases=best.template.cues), "proposed"
    return word_kinds(query.text, spans=_spans(mentions)), "mentions"


def _cues(template_id: str, templates: Sequence[Template]) -> tuple[str, ...]:
    """Of a template, or of those that it was put together from."""
    by_id = {each.template_id: each.cues for each in templates}
    if template_id in by_id:
        return by_id[template_id]
    return tuple(cue for part in template_id.split("+") for cue in by_id.get(part, ()))


def _rows_of(requirement: Requirement, base: KnowledgeBase) -> tuple[int, ...] | None:
    """Of the entities that it names; None: the base lacks one."""
    ids = tuple(dict.fromkeys(each for given in requirement.given.values() for each in given))
    found = base.rows_of(ids)
    return tuple(found.values()) if ids and len(found) == len(ids) else None


def _named(text: str, base: KnowledgeBase, rows: tuple[int, ...], find: Finder) -> tuple[list[str], list[Span]]:
    """Titles that stand in a query as they are, and parts of it that name the other entities."""
    in_text = words(text)
    entities = base.entities(rows)
    titles = [entity.title for entity in entities if any(True for _ in runs(in_text, words(entity.title)))]
    others = {entity.row for entity in entities if entity.title not in titles}
    if not others:
        return titles, []
    return titles, _spans([each for each in find(text) if others & {entity.row for entity in each.entities}])


def _spans(mentions: Sequence[Mention]) -> list[Span]:
    return [(mention.start, mention.end) for mention in mentions]
