"""Statistics of knowledge bases and of query sets over them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, get_args

import numpy as np

from core.collections import Query
from core.documents import decoded
from core.errors import FormatError, InputError
from core.knowledge.entities import Mention, Rows
from core.knowledge.proposals import propose
from core.knowledge.statistics import (
    BaseRow,
    BaseStatistics,
    Counts,
    QuerySet,
    SetStatistics,
    Span,
    Wording,
    WordKinds,
    average_degree,
    compare_sets,
    runs,
    type_statistics,
    word_kinds,
)
from core.knowledge.templates import Requirement, Template, requirement_of
from core.protocols import OnStage, silent
from core.text import many, words
from core.types import Ids
from data.collections import load_queries, not_found
from data.importers.source import NO_TEXT, no_text, opened
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import templates_of
from data.knowledge.titles import find_mentions
from data.memory import key_for, packed, unpacked
from data.store import Store, content_hash

# A knowledge base in numbers. Slow ones are counted once and cached.

BASE_VERSION = 1
"""Increase it whenever a number would come out differently."""
BASE_KIND = "knowledge-statistics"
BASE_AT_ONCE = 4_000
"""Number of entities whose texts are read at a time."""


def base_row(base: KnowledgeBase, known: BaseStatistics | None) -> BaseRow:
    about = base.about
    return BaseRow(
        about.name,
        len(base.types),
        len({kind.name for kind in base.relation_types}),
        average_degree(about.n_entities, about.n_relations),
        about.n_entities,
        about.n_relations,
        known.n_words if known else None,
        "demo data" if about.made_up else "",
    )


def known_statistics(base: KnowledgeBase, store: Store) -> BaseStatistics | None:
    found = store.recall(_key(base))
    return decoded(json.loads(found[0]), BaseStatistics) if found else None


def base_statistics(base: KnowledgeBase, store: Store, on_stage: OnStage = silent) -> BaseStatistics:
    """Count degrees and words by type. The first time takes seconds per million relations or texts."""
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
    """Return degrees by row. Only one relation is processed at a time, to limit memory."""
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
"""Count the relations of a name at one end of each entity, by row."""


def _words(base: KnowledgeBase, on_stage: OnStage) -> tuple[Counts, Rows]:
    """Count the words of each entity's title and text, and mark entities with a text; by row."""
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
    """Count the words of each text, as `core.text.words` splits them; ASCII texts are counted all at once.

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


# Sets of queries from the workspace, texts to compare them with, and their words about relations.

SPLIT_WORDS = {"test-0.1": "10 % sample of test", "human_generated_eval": "human"}
"""Readable names for parts of queries."""
MOST_DOCUMENTS = 20_000
"""Largest number of documents of a reference collection; from larger ones a sample is drawn."""
MOST_REFERENCE = 20_000_000
"""Largest length of a reference text in characters."""
SEED = 0
_PIECES = re.compile(r"[.!?]\s+|[\r\n]+")


@dataclass(frozen=True, eq=False)
class Reference:
    name: str
    wording: Wording
    note: str = ""
    """A note for the reader."""


def set_name(collection: str, split: str | None) -> str:
    """Return the name of a set in a comparison.

    >>> set_name("mag", None), set_name("mag", "test-0.1")
    ('mag', 'mag, 10 % sample of test')
    """
    return collection if split is None else f"{collection}, {SPLIT_WORDS.get(split, split)}"


@dataclass(frozen=True, eq=False)
class Queries:
    collection: str
    whole: QuerySet
    splits: Mapping[str, Ids]

    def places(self, split: str | None) -> tuple[int, ...]:
        if split is None:
            return tuple(range(len(self.whole.queries)))
        if split not in self.splits:
            there = ", ".join(self.splits) or "none"
            raise InputError(f'collection "{self.collection}" has no split "{split[:80]}"; it has {there}')
        wanted = set(self.splits[split])
        return tuple(place for place, query in enumerate(self.whole.queries) if query.query_id in wanted)

    def part(self, split: str | None) -> QuerySet:
        """Return the queries of a split; without a name, all of them."""
        if split is None:
            return self.whole
        queries = tuple(self.whole.queries[place] for place in self.places(split))
        return QuerySet(set_name(self.collection, split), queries, self.whole.n_answers)


def splits_of(store: Store, collection: str) -> Mapping[str, Ids]:
    found = store.rows("SELECT splits::VARCHAR FROM collections WHERE name = ?", [collection])
    if not found:
        raise not_found(store, collection)
    return {split: tuple(ids) for split, ids in json.loads(found[0][0]).items()}


def stored_set(store: Store, name: str) -> QuerySet:
    answers = store.rows(
        """
        SELECT query_id, count(DISTINCT doc_id) FILTER (relevance > 0) FROM collection_judgments
        WHERE collection = ? GROUP BY query_id
        """,
        [name],
    )
    return QuerySet(name, load_queries(store, name), dict(answers))


def reference_text(text: str, name: str) -> Reference:
    if len(text) > MOST_REFERENCE:
        raise InputError(f"{name} has {len(text):,} characters; up to {MOST_REFERENCE:,} can be a reference")
    return Reference(name, Wording.of(_PIECES.split(text)))


def reference_file(content: bytes, name: str) -> Reference:
    if what := no_text(content):
        raise FormatError(f"{name} is {what}: save it as plain text")
    source = opened(content, name)
    if source.data:
        raise FormatError(f"{name} is {NO_TEXT[source.encoding]}: save it as plain text")
    return reference_text(source.text, name)


def reference_documents(store: Store, collection: str) -> Reference:
    """Return the documents of a stored collection; a seeded sample if there are very many."""
    (n,) = store.rows("SELECT count(*) FROM collection_documents WHERE collection = ?", [collection])[0]
    positions = np.arange(n)
    if n > MOST_DOCUMENTS:
        positions = np.sort(np.random.default_rng(SEED).choice(n, MOST_DOCUMENTS, replace=False))
    found = store.rows(
        """
        SELECT title || chr(10) || text FROM collection_documents
        WHERE collection = $name AND position IN (SELECT unnest($positions::INTEGER[])) ORDER BY position
        """,
        {"name": collection, "positions": positions.tolist()},
    )
    note = f"{MOST_DOCUMENTS:,} of its {n:,} documents, drawn with seed {SEED}" if n > MOST_DOCUMENTS else ""
    return Reference(f"documents of {collection}", Wording.of(text for (text,) in found), note)


def texts_key(queries: Sequence[Query]) -> list[str]:
    return [part for query in queries for part in (query.query_id, query.text, json.dumps(query.labels))]


# Words of queries that refer to relations: by the queries' own requirements, else by a knowledge base.

QUERY_WORDS_VERSION = 2
"""Increase it whenever a number would come out differently."""
QUERY_WORDS_KIND = "query-words"
QUERY_WORDS_AT_ONCE = 200
"""Number of queries that are cached together."""
Basis = Literal["labels", "proposed", "mentions"]
BASES: tuple[Basis, ...] = get_args(Basis)
Found = tuple[WordKinds, Basis]
Finder = Callable[[str], Sequence[Mention]]


@dataclass(frozen=True, eq=False)
class QueryWords:
    counts: Counts
    """A row for each query: relational, textual, stop words."""
    bases: Counts
    """The source of its requirement, as the position in BASES."""

    def __len__(self) -> int:
        return len(self.counts)

    def of(self, places: Sequence[int]) -> WordKinds:
        return WordKinds(*map(int, self.counts[list(places)].sum(axis=0)))

    def n_by(self, basis: Basis, places: Sequence[int]) -> int:
        return int(np.count_nonzero(self.bases[list(places)] == BASES.index(basis)))


def known_query_words(base: KnowledgeBase, store: Store, queries: Sequence[Query]) -> QueryWords | None:
    found = [_recalled(store, key) for key, _ in _parts(base, queries, templates_of(base, store))]
    known = [table for table in found if table is not None]
    return _joined(known) if len(known) == len(found) else None


def query_words(base: KnowledgeBase, store: Store, queries: Sequence[Query], on_stage: OnStage = silent) -> QueryWords:
    """Count each query's words by kind; cached in parts, so that a stopped run resumes.

    A query with a requirement uses it, if the base holds its entities. Other queries use the best proposal; if no
    template fits, all their mentions of entities.
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
    by_id = {each.template_id: each.cues for each in templates}
    if template_id in by_id:
        return by_id[template_id]
    return tuple(cue for part in template_id.split("+") for cue in by_id.get(part, ()))


def _rows_of(requirement: Requirement, base: KnowledgeBase) -> tuple[int, ...] | None:
    """Return the rows of the entities in a requirement; None: the base lacks one."""
    ids = tuple(dict.fromkeys(each for given in requirement.given.values() for each in given))
    found = base.rows_of(ids)
    return tuple(found.values()) if ids and len(found) == len(ids) else None


def _named(text: str, base: KnowledgeBase, rows: tuple[int, ...], find: Finder) -> tuple[list[str], list[Span]]:
    in_text = words(text)
    entities = base.entities(rows)
    titles = [entity.title for entity in entities if any(True for _ in runs(in_text, words(entity.title)))]
    others = {entity.row for entity in entities if entity.title not in titles}
    if not others:
        return titles, []
    return titles, _spans([each for each in find(text) if others & {entity.row for entity in each.entities}])


def _spans(mentions: Sequence[Mention]) -> list[Span]:
    return [(mention.start, mention.end) for mention in mentions]


# Sets of queries side by side, with all known counts of their words.

Chosen = tuple[str, str | None]
"""A collection, and a split of its queries; None: all."""
BASIS_WORDS = {
    "labels": "by their stated requirement",
    "proposed": "guessed from the template that fits best",
    "mentions": "guessed from entity names alone",
}


@dataclass(frozen=True, eq=False)
class QuerySetComparison:
    """Sets side by side, the reference last."""

    statistics: tuple[SetStatistics, ...]
    told: Mapping[str, Mapping[str, int]]
    """By set name: the number of queries for each basis of classifying their words."""
    untold: Ids
    """Collections whose words were not classified yet, although a knowledge base could do it."""

    def told_words(self, name: str) -> str:
        """Describe the basis of classifying the words of a set; empty: not classified."""
        told = self.told.get(name, {})
        return "; ".join(f"{many(n, 'query')} {BASIS_WORDS[b]}" for b, n in told.items() if n)


def compare_chosen(
    loaded: Mapping[str, Queries],
    chosen: Sequence[Chosen],
    *,
    words: Mapping[str, QueryWords | None],
    reference: Reference | None = None,
    seed: int = SEED,
) -> QuerySetComparison:
    """Compute each set's statistics. `words`: by collection with a knowledge base; None: not classified yet."""
    kinds: dict[str, WordKinds | None] = {}
    told: dict[str, dict[str, int]] = {}
    for collection, split in chosen:
        if collection not in words:
            continue
        known, places = words[collection], loaded[collection].places(split)
        name = set_name(collection, split)
        kinds[name] = known.of(places) if known is not None else None
        if known is not None:
            told[name] = {str(basis): known.n_by(basis, places) for basis in BASES}
    found = compare_sets(
        [loaded[collection].part(split) for collection, split in chosen],
        reference.wording if reference else None,
        kinds=kinds,
        reference_name=reference.name if reference else "",
        seed=seed,
    )
    return QuerySetComparison(found, told, tuple(name for name, known in words.items() if known is None))


def known_words(base: KnowledgeBase, store: Store, loaded: Mapping[str, Queries]) -> dict[str, QueryWords | None]:
    return {name: known_query_words(base, store, queries.whole.queries) for name, queries in loaded.items()}
