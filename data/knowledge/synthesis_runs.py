"""Synthesis runs in the store, their results as a collection, and STaRK exports."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from core.collections import Collection, Document, Judgment, Query, check
from core.documents import decoded
from core.errors import CorruptStoreError, FormatError, InputError
from core.knowledge.synthesis import (
    VERSION,
    ParsedAnswer,
    RequirementSample,
    SynthesisCall,
    SynthesisOutcome,
    SynthesisPosition,
    SynthesisPrompt,
    SynthesisSettings,
    SynthesizedQuery,
)
from core.knowledge.synthesis_steps import outcome, summarise
from core.text import many
from core.types import Ids
from data.access import check_allowed
from data.collections import CollectionRow, checked_name, save_collection
from data.files import disk_errors
from data.importers.collection_files import answer_list
from data.importers.collection_parts import clean_text
from data.knowledge.base import KnowledgeBase
from data.knowledge.demo_writer import MODEL, NOTE
from data.store import Clock, Store, content_hash, sound, utc_now

RUNNING, DONE, STOPPED = "running", "done", "stopped"
AllReads = Mapping[int, Mapping[SynthesisPosition, ParsedAnswer]]
"""The parsed answers, by query."""


class SynthesisLog(Protocol):
    def items(self) -> list[tuple[RequirementSample, SynthesisOutcome | None]]: ...

    def keep_item(self, sampled: RequirementSample, outcome: SynthesisOutcome | None = None) -> None: ...

    def reads(self, items: Iterable[int] | None = None) -> AllReads: ...

    def keep_call(self, call: SynthesisCall) -> None: ...

    def keep_state(self, state: str) -> None: ...


@dataclass
class MemorySynthesisLog:
    state: str = STOPPED
    kept: dict[int, tuple[RequirementSample, SynthesisOutcome | None]] = field(default_factory=dict)
    calls: dict[SynthesisPosition, SynthesisCall] = field(default_factory=dict)

    def items(self) -> list[tuple[RequirementSample, SynthesisOutcome | None]]:
        return [self.kept[item] for item in sorted(self.kept)]

    def keep_item(self, sampled: RequirementSample, outcome: SynthesisOutcome | None = None) -> None:
        """Add or replace an item."""
        self.kept[sampled.item] = sampled, outcome

    def reads(self, items: Iterable[int] | None = None) -> AllReads:
        wanted = None if items is None else set(items)
        found: dict[int, dict[SynthesisPosition, ParsedAnswer]] = defaultdict(dict)
        for place, call in self.calls.items():
            if wanted is None or place.item in wanted:
                found[place.item][place] = call.read
        return found

    def keep_call(self, call: SynthesisCall) -> None:
        self.calls.setdefault(call.place, call)

    def keep_state(self, state: str) -> None:
        self.state = state


@dataclass
class StoreSynthesisLog:
    store: Store
    synthesis_id: str

    def items(self) -> list[tuple[RequirementSample, SynthesisOutcome | None]]:
        found = self.store.rows(
            "SELECT document::VARCHAR FROM synthesis_items WHERE synthesis_id = ? ORDER BY item", [self.synthesis_id]
        )
        try:
            return [_item(json.loads(document)) for (document,) in found]
        except (ValueError, KeyError, TypeError, FormatError) as e:
            raise CorruptStoreError(f"a query of synthesis {self.synthesis_id} can't be read: delete it") from e

    def keep_item(self, sampled: RequirementSample, outcome: SynthesisOutcome | None = None) -> None:
        """Add or replace an item."""
        document = {"sampled": asdict(sampled), "outcome": None if outcome is None else asdict(outcome)}
        self.store.execute(
            "INSERT OR REPLACE INTO synthesis_items VALUES (?, ?, ?)",
            [self.synthesis_id, sampled.item, json.dumps(document)],
        )

    def reads(self, items: Iterable[int] | None = None) -> AllReads:
        wanted = None if items is None else list(items)
        found: dict[int, dict[SynthesisPosition, ParsedAnswer]] = defaultdict(dict)
        for item, step, number, model, verdict in self.store.rows(
            """
            SELECT item, step, number, model, verdict::VARCHAR FROM synthesis_calls
            WHERE synthesis_id = $id AND ($items IS NULL OR list_contains($items::INTEGER[], item))
            """,
            {"id": self.synthesis_id, "items": wanted},
        ):
            found[item][SynthesisPosition(item, step, number, model)] = decoded(json.loads(verdict), ParsedAnswer)
        return found

    def keep_call(self, call: SynthesisCall) -> None:
        """Save a call once: an existing one stays."""
        place, verdict = call.place, {"texts": list(call.read.texts), "refused": call.read.refused}
        self.store.execute(
            "INSERT OR IGNORE INTO synthesis_calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(self.synthesis_id, place.item, place.step, place.number, place.model, call.fingerprint),
                *(call.prompt.system, call.prompt.user, sound(call.answer), json.dumps(verdict)),
                *(call.n_prompt_tokens, call.n_answer_tokens, call.made_at),
            ],
        )

    def keep_state(self, state: str) -> None:
        self.store.execute("UPDATE syntheses SET state = ? WHERE synthesis_id = ?", [state, self.synthesis_id])

    def calls(self, item: int) -> tuple[SynthesisCall, ...]:
        """Return all calls for one query, in the order of the steps."""
        found = self.store.rows(
            """
            SELECT step, number, model, system, prompt, fingerprint, answer, verdict::VARCHAR, n_prompt_tokens,
                   n_answer_tokens, made_at
            FROM synthesis_calls WHERE synthesis_id = ? AND item = ?
            ORDER BY list_position(['extract', 'fuse', 'rewrite', 'filter'], step), number, model
            """,
            [self.synthesis_id, item],
        )
        return tuple(
            SynthesisCall(
                SynthesisPosition(item, *row[:3]),
                SynthesisPrompt(row[3], row[4], 0),
                row[5],
                row[6],
                decoded(json.loads(row[7]), ParsedAnswer),
                *row[8:],
            )
            for row in found
        )


def _item(document: Mapping[str, Any]) -> tuple[RequirementSample, SynthesisOutcome | None]:
    outcome = None if document["outcome"] is None else decoded(document["outcome"], SynthesisOutcome)
    return decoded(document["sampled"], RequirementSample), outcome


# All synthesis runs


@dataclass(frozen=True, slots=True)
class SynthesisRow:
    synthesis_id: str
    base: str
    name: str
    settings: SynthesisSettings
    state: str
    made_at: str
    n_items: int
    n_over: int
    """Number of queries that are complete, refused or failed."""


def synthesis_id_of(base: KnowledgeBase, settings: SynthesisSettings) -> str:
    """Return an id of settings and knowledge base; asking for more queries continues the same synthesis."""
    return content_hash([VERSION, base.about.key, json.dumps({**asdict(settings), "n": 0}, sort_keys=True)])


def is_begun(store: Store, synthesis_id: str) -> bool:
    return bool(store.rows("SELECT 1 FROM syntheses WHERE synthesis_id = ?", [synthesis_id]))


def begin(
    store: Store, base: KnowledgeBase, name: str, settings: SynthesisSettings, clock: Clock = utc_now
) -> StoreSynthesisLog:
    """Create a synthesis in the store, or continue an existing one under its new name."""
    synthesis_id, document = synthesis_id_of(base, settings), json.dumps(asdict(settings))
    with store.transaction():
        if is_begun(store, synthesis_id):
            store.execute(
                "UPDATE syntheses SET name = ?, document = ? WHERE synthesis_id = ?", [name, document, synthesis_id]
            )
        else:
            store.execute(
                "INSERT INTO syntheses VALUES (?, ?, ?, ?, ?, ?)",
                [synthesis_id, base.about.name, name, document, STOPPED, clock()],
            )
    return StoreSynthesisLog(store, synthesis_id)


def list_syntheses(store: Store, base: str | None = None) -> tuple[SynthesisRow, ...]:
    """List the runs over a knowledge base, or all, newest first."""
    found = store.rows(
        """
        SELECT s.synthesis_id, s.base, s.name, s.document::VARCHAR, s.state, s.made_at, count(i.item),
               count(i.item) FILTER (json_extract_string(i.document, '$.outcome.state') != 'waiting')
        FROM syntheses AS s LEFT JOIN synthesis_items AS i ON i.synthesis_id = s.synthesis_id
        WHERE $base IS NULL OR s.base = $base
        GROUP BY ALL ORDER BY s.made_at DESC, s.name, s.synthesis_id
        """,
        {"base": base},
    )
    return tuple(
        SynthesisRow(
            synthesis_id, of, name, decoded(json.loads(document), SynthesisSettings), state, made_at, n_items, n_over
        )
        for synthesis_id, of, name, document, state, made_at, n_items, n_over in found
    )


def delete_synthesis(store: Store, synthesis_id: str) -> None:
    """Delete a synthesis with all its requests and answers."""
    check_allowed("delete")
    with store.transaction():
        for table in ("synthesis_calls", "synthesis_items", "syntheses"):
            store.execute(f"DELETE FROM {table} WHERE synthesis_id = ?", [synthesis_id])


# The queries of a synthesis as a collection for retrievers.

SHARES = {"train": 0.8, "val": 0.1}
"""Shares of the splits; the rest is the test split."""
SAMPLE = "test-0.1"
SAMPLE_SHARE = 0.1
ROLE = "role"
"""Name of a label."""


def exported(made: Iterable[SynthesizedQuery], *, with_refused: bool = False) -> tuple[SynthesizedQuery, ...]:
    """Return the queries to export. `with_refused`: include those whose gold answer the models reject."""
    states = ("complete", "gold refused") if with_refused else ("complete",)
    return tuple(each for each in made if each.outcome.state in states)


def answers_of(made: SynthesizedQuery) -> Ids:
    """Return the answers: the gold answer, and all that the models accept."""
    return tuple(dict.fromkeys((made.sampled.gold_id, *made.outcome.accepted)))


def as_collection(
    documents: Iterable[Document],
    made: Iterable[SynthesizedQuery],
    name: str,
    *,
    seed: int = 0,
    with_refused: bool = False,
    made_up: bool = False,
) -> Collection:
    """Build a collection: requirements as labels, accepted answers as judgments, and splits.

    `documents`: the searchable documents, usually all entities that the knowledge base's questions ask for.
    """
    kept = exported(made, with_refused=with_refused)
    if not kept:
        raise InputError("there is no complete query to save: make some first")
    queries = tuple(_query(each) for each in kept)
    judgments = tuple(
        Judgment(query.query_id, doc_id, 1)
        for query, each in zip(queries, kept, strict=True)
        for doc_id in answers_of(each)
    )
    splits = split([query.query_id for query in queries], seed)
    return Collection(name, tuple(documents), queries, judgments, splits, made_up)


def _query(made: SynthesizedQuery) -> Query:
    labels = (*made.sampled.requirement.labels, (ROLE, made.sampled.role))
    return Query(str(made.sampled.item), made.outcome.query, labels)


def split(query_ids: Sequence[str], seed: int) -> Mapping[str, Ids]:
    """Split at random, in order: 80 % train, 10 % validation, 10 % test, and a tenth of test as a sample."""
    shuffled = list(query_ids)
    random.Random(f"split/{seed}").shuffle(shuffled)
    n_train, n_val = (round(share * len(shuffled)) for share in SHARES.values())
    test = shuffled[n_train + n_val :]
    parts = {
        "train": shuffled[:n_train],
        "val": shuffled[n_train : n_train + n_val],
        "test": test,
        SAMPLE: test[: -(-len(test) // round(1 / SAMPLE_SHARE))],
    }
    place = {query_id: place for place, query_id in enumerate(query_ids)}
    return {name: tuple(sorted(ids, key=place.__getitem__)) for name, ids in parts.items() if ids}


# The current results of a synthesis, and saving them as a collection.


def load_made(keeper: SynthesisLog, settings: SynthesisSettings) -> tuple[SynthesizedQuery, ...]:
    """Return every query that was started, with its current outcome."""
    items = keeper.items()
    waiting = [sampled.item for sampled, came in items if came is None or came.state == "waiting"]
    reads = keeper.reads(waiting) if waiting else {}
    return tuple(
        SynthesizedQuery(sampled, came)
        if came is not None and came.state != "waiting"
        else SynthesizedQuery(sampled, outcome(sampled, reads.get(sampled.item, {}), settings))
        for sampled, came in items
    )


def collection_of(
    base: KnowledgeBase,
    made: Sequence[SynthesizedQuery],
    settings: SynthesisSettings,
    name: str,
    *,
    with_refused: bool = False,
    with_documents: bool = True,
) -> Collection:
    """Build the collection over all entities that questions ask for. `with_documents`: False for a question file."""
    return as_collection(
        base.documents() if with_documents else (),
        made,
        checked_name(name),
        seed=settings.seed,
        with_refused=with_refused,
        made_up=base.about.made_up,
    )


def save_made(
    store: Store,
    base: KnowledgeBase,
    made: Sequence[SynthesizedQuery],
    settings: SynthesisSettings,
    name: str,
    *,
    with_refused: bool = False,
    replace: bool = False,
    clock: Clock = utc_now,
) -> CollectionRow:
    collection = collection_of(base, made, settings, name, with_refused=with_refused)
    return save_collection(
        store,
        collection,
        origin=f'written by {", ".join(settings.models)} over the knowledge base "{base.about.name}"',
        notes=notes_of(made, settings, with_refused=with_refused),
        oddities=check(collection),
        replace=replace,
        clock=clock,
    )


def notes_of(
    made: Sequence[SynthesizedQuery], settings: SynthesisSettings, *, with_refused: bool = False
) -> tuple[str, ...]:
    summary = summarise(made, settings.filters)
    rate = summary.verification
    parts = [f"queries and judgments were made by {', '.join(settings.models)}, not by people"]
    if rate.interval is not None:
        low, high = (100 * end for end in rate.interval)
        parts.append(
            f"the models accept the gold answer of {rate.n_yes:,} of {rate.n:,} queries (95 % interval {low:.0f} to "
            f"{high:.0f} %)"
        )
    if n_refused := summary.states.get("gold refused", 0):
        where = "in it, though" if with_refused else "left out, since"
        parts.append(f"{where} the models refuse the gold answer: {many(n_refused, 'query')}")
    if summary.n_unnamed:
        parts.append(f"an entity that the answers depend on is not named: {many(summary.n_unnamed, 'query')}")
    return (*parts, NOTE) if MODEL in settings.models else tuple(parts)


# A collection's questions in STaRK's format: a table of questions with answers, and one file per split.

TABLE = "stark_qa/stark_qa.csv"
DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same questions give the same bytes."""


def stark_files(collection: Collection) -> dict[str, str]:
    answers: dict[str, list[str]] = defaultdict(list)
    for judgment in collection.judgments:
        if judgment.relevance > 0:
            answers[judgment.query_id].append(judgment.doc_id)
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["id", "query", "answer_ids"])
    for query in collection.queries:
        listed = answer_list(answers[query.query_id])
        rows.writerow([_checked_id(query.query_id), " ".join(clean_text(query.text).split()), listed])
    files = {TABLE: written.getvalue()}
    for name, ids in _splits(collection).items():
        files[f"split/{name}.index"] = "".join(f"{query_id}\n" for query_id in ids)
    return files


def _splits(collection: Collection) -> Mapping[str, Ids]:
    if odd := [name for name in collection.splits if "/" in name or "\\" in name or name.startswith(".")]:
        raise InputError(f'split "{odd[0]}" can\'t be the name of a file')
    return collection.splits


def _checked_id(query_id: str) -> str:
    if clean_text(query_id) != query_id or not query_id or len(query_id.split()) != 1:
        raise InputError(f"\"{query_id[:80]}\" can't be the id of a question in STaRK's layout: number the queries")
    return query_id


def write_stark(collection: Collection, folder: Path) -> tuple[Path, ...]:
    """Write the files into a folder; create it if needed."""
    files = stark_files(collection)
    with disk_errors(folder):
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
    return tuple(folder / name for name in files)


def stark_zip(collection: Collection) -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in stark_files(collection).items():
            archive.writestr(ZipInfo(name, DATE), text, ZIP_DEFLATED)
    return packed.getvalue()
