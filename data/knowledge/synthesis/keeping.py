"""What a synthesis keeps: in the store, so that it goes on after whatever ended it, or in memory while it lasts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from core.errors import CorruptStoreError
from core.knowledge.synthesis.reading import VERSION, Call, Outcome, Place, Prompt, Read, Sampled, SynthesisSettings
from data.clock import Clock, utc_now
from data.knowledge.base import KnowledgeBase
from data.store import Store, content_hash

RUNNING, DONE, STOPPED = "running", "done", "stopped"
AllReads = Mapping[int, Mapping[Place, Read]]
"""What was read, by query."""


class Keeper(Protocol):
    """Where one synthesis is kept."""

    def items(self) -> list[tuple[Sampled, Outcome | None]]: ...

    def keep_item(self, sampled: Sampled, outcome: Outcome | None = None) -> None: ...

    def reads(self, items: Iterable[int] | None = None) -> AllReads: ...

    def keep_call(self, call: Call) -> None: ...

    def keep_state(self, state: str) -> None: ...


@dataclass
class InMemory:
    """Keeps it for as long as it lasts."""

    state: str = STOPPED
    kept: dict[int, tuple[Sampled, Outcome | None]] = field(default_factory=dict)
    calls: dict[Place, Call] = field(default_factory=dict)

    def items(self) -> list[tuple[Sampled, Outcome | None]]:
        """In their order."""
        return [self.kept[item] for item in sorted(self.kept)]

    def keep_item(self, sampled: Sampled, outcome: Outcome | None = None) -> None:
        """Add or replace one."""
        self.kept[sampled.item] = sampled, outcome

    def reads(self, items: Iterable[int] | None = None) -> AllReads:
        """Of these queries, or of all."""
        wanted = None if items is None else set(items)
        found: dict[int, dict[Place, Read]] = defaultdict(dict)
        for place, call in self.calls.items():
            if wanted is None or place.item in wanted:
                found[place.item][place] = call.read
        return found

    def keep_call(self, call: Call) -> None:
        """Once."""
        self.calls.setdefault(call.place, call)

    def keep_state(self, state: str) -> None:
        self.state = state


@dataclass
class InStore:
    """Keeps it in the workspace, each thing as it comes."""

    store: Store
    synthesis_id: str

    def items(self) -> list[tuple[Sampled, Outcome | None]]:
        """In their order."""
        found = self.store.rows(
            "SELECT document::VARCHAR FROM synthesis_items WHERE synthesis_id = ? ORDER BY item", [self.synthesis_id]
        )
        try:
            return [_item(json.loads(document)) for (document,) in found]
        except (ValueError, KeyError, TypeError) as e:
            raise CorruptStoreError(f"a query of synthesis {self.synthesis_id} can't be read: delete it") from e

    def keep_item(self, sampled: Sampled, outcome: Outcome | None = None) -> None:
        """Add or replace one."""
        document = {"sampled": asdict(sampled), "outcome": None if outcome is None else asdict(outcome)}
        self.store.execute(
            "INSERT OR REPLACE INTO synthesis_items VALUES (?, ?, ?)",
            [self.synthesis_id, sampled.item, json.dumps(document)],
        )

    def reads(self, items: Iterable[int] | None = None) -> AllReads:
        """Of these queries, or of all."""
        wanted = None if items is None else list(items)
        found: dict[int, dict[Place, Read]] = defaultdict(dict)
        for item, step, number, model, verdict in self.store.rows(
            """
            SELECT item, step, number, model, verdict::VARCHAR FROM synthesis_calls
            WHERE synthesis_id = $id AND ($items IS NULL OR list_contains($items::INTEGER[], item))
            """,
            {"id": self.synthesis_id, "items": wanted},
        ):
            found[item][Place(item, step, number, model)] = _read(verdict)
        return found

    def keep_call(self, call: Call) -> None:
        """Once: what is there stays."""
        place, verdict = call.place, {"texts": list(call.read.texts), "refused": call.read.refused}
        self.store.execute(
            "INSERT OR IGNORE INTO synthesis_calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(self.synthesis_id, place.item, place.step, place.number, place.model, call.fingerprint),
                *(call.prompt.system, call.prompt.user, _sound(call.answer), json.dumps(verdict)),
                *(call.n_prompt_tokens, call.n_answer_tokens, call.made_at),
            ],
        )

    def keep_state(self, state: str) -> None:
        """Said of it in lists."""
        self.store.execute("UPDATE syntheses SET state = ? WHERE synthesis_id = ?", [state, self.synthesis_id])

    def calls(self, item: int) -> tuple[Call, ...]:
        """All that was asked for one query, in the order of the steps."""
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
            Call(Place(item, *row[:3]), Prompt(row[3], row[4], 0), row[5], row[6], _read(row[7]), *row[8:])
            for row in found
        )


def _sound(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read(document: str) -> Read:
    said = json.loads(document)
    return Read(tuple(said["texts"]), said["refused"])


def _item(document: Mapping[str, Any]) -> tuple[Sampled, Outcome | None]:
    made: dict[str, Any] = dict(document["sampled"])
    made["given"] = {slot: tuple(ids) for slot, ids in made["given"].items()}
    made |= {name: tuple(made[name]) for name in ("others", "passed_over")}
    if document["outcome"] is None:
        return Sampled(**made), None
    came: dict[str, Any] = dict(document["outcome"])
    came |= {name: tuple(came[name]) for name in ("properties", "accepted", "missing_names", "notes")}
    return Sampled(**made), Outcome(**came)


# All of them


@dataclass(frozen=True, slots=True)
class SynthesisRow:
    """A synthesis as a list shows it."""

    synthesis_id: str
    base: str
    name: str
    settings: SynthesisSettings
    state: str
    made_at: str
    n_items: int
    n_over: int
    """Queries that are complete, refused or failed."""


def synthesis_id_of(base: KnowledgeBase, settings: SynthesisSettings) -> str:
    """The same for the same settings over the same knowledge base; more queries are the same one going on."""
    return content_hash([VERSION, base.about.key, json.dumps({**asdict(settings), "n": 0}, sort_keys=True)])


def is_begun(store: Store, synthesis_id: str) -> bool:
    """Whether anything is kept of it."""
    return bool(store.rows("SELECT 1 FROM syntheses WHERE synthesis_id = ?", [synthesis_id]))


def begin(store: Store, base: KnowledgeBase, name: str, settings: SynthesisSettings, clock: Clock = utc_now) -> InStore:
    """The place of a synthesis in the store; one that is there goes on, under its new name."""
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
    return InStore(store, synthesis_id)


def list_syntheses(store: Store, base: str | None = None) -> tuple[SynthesisRow, ...]:
    """Those over a knowledge base, or all, the newest first."""
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
        SynthesisRow(synthesis_id, of, name, _settings(document), state, made_at, n_items, n_over)
        for synthesis_id, of, name, document, state, made_at, n_items, n_over in found
    )


def delete_synthesis(store: Store, synthesis_id: str) -> None:
    """It, and all that was asked and answered."""
    with store.transaction():
        for table in ("synthesis_calls", "synthesis_items", "syntheses"):
            store.execute(f"DELETE FROM {table} WHERE synthesis_id = ?", [synthesis_id])


def _settings(document: str) -> SynthesisSettings:
    said: dict[str, Any] = json.loads(document)
    said["templates"] = tuple((name, weight) for name, weight in said["templates"])
    said |= {name: tuple(said[name]) for name in ("roles", "filters")}
    return SynthesisSettings(**said)
