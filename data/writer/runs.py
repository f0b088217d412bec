"""Query-writing sessions in the store: their settings, answers and steps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any, Literal, get_args

from core.documents import as_document, decoded
from core.errors import CorruptStoreError, FormatError, InputError, NotFoundError, SettingsError
from core.settings import LARGEST_SEED
from core.types import Ids, Publication
from core.writer.gains import best_of
from core.writer.prompts import MergedProposals, Removal, merged
from core.writer.sheets import (
    STATISTICS,
    Brief,
    CoreSplit,
    HeldBackProposal,
    KeywordProposal,
    Mode,
    ReadingKind,
    SheetStep,
    WriterBudget,
    read_brief,
    read_budget,
    read_held_back,
    read_proposal,
    read_step,
    step_document,
)
from data.access import check_allowed
from data.changes import author
from data.store import Clock, Store, utc_now

COUNTED = "corpus statistics"
"""Author of the candidate that is always included, in the mode of the brief."""
MOST_RECIPES = 40
MOST_SUPPORTING = 1_000


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to make a candidate: the model that proposes keywords, how broad they may be, and the seed."""

    model: str = ""
    """Empty or "statistics": keywords come from corpus statistics, and no model is used."""
    mode: Mode = "moderate"
    seed: int = 0
    preset: str | None = None
    """Service, by its id in `data.judge.services`."""
    base_url: str | None = None
    """Address to use instead of the preset's."""

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            raise SettingsError(f"mode must be one of {', '.join(get_args(Mode))}, got {self.mode}")
        if not isinstance(self.seed, int) or not 0 <= self.seed <= LARGEST_SEED:
            raise SettingsError(f"seed must be in [0, {LARGEST_SEED}], a whole number, got {self.seed}")

    @property
    def key(self) -> tuple[str, Mode, int]:
        """Identity of the recipe. Statistics have no seed."""
        return (STATISTICS, self.mode, 0) if self.is_statistics else (self.model, self.mode, self.seed)

    @property
    def is_statistics(self) -> bool:
        """True if no model is used."""
        return self.model in ("", STATISTICS)

    @property
    def name(self) -> str:
        """Author of a step, as displayed: "corpus statistics (strict)", "demo (strict, seed 1)"."""
        if self.is_statistics:
            return f"{COUNTED} ({self.mode})"
        return f"{self.model} ({self.mode})" if not self.seed else f"{self.model} ({self.mode}, seed {self.seed})"


@dataclass(frozen=True, slots=True)
class WriterRequest:
    """Everything that one session depends on, except the topic itself."""

    topic_id: str
    brief: Brief
    budget: WriterBudget = field(default_factory=WriterBudget)
    recipes: tuple[Recipe, ...] = ()
    """Corpus statistics are always among the candidates, even without a recipe."""
    embedder: str | None = None
    """None: the topic's only one."""
    live: str | None = None
    """Live source that may be searched for reading; None: none."""
    supporting: tuple[Publication, ...] = ()
    """Example publications given by the user."""

    def __post_init__(self) -> None:
        different = tuple({recipe.key: recipe for recipe in reversed(self.recipes)}.values())[::-1]
        object.__setattr__(self, "recipes", different)
        if len(different) > MOST_RECIPES:
            raise InputError(
                f"models, modes and seeds make {len(different)} candidates: at most {MOST_RECIPES} are allowed"
            )
        if len(self.supporting) > MOST_SUPPORTING:
            raise InputError(
                f"there are {len(self.supporting):,} supporting publications: at most {MOST_SUPPORTING:,} are "
                "allowed, and only some of them are read"
            )


# Stored data of a session: its settings, the calls to models, and every step.

BY_HAND = "by hand"
"""Author of steps made by a person."""
WritingState = Literal["planned", "running", "stopped", "done"]
Purpose = Literal["propose", "refine"]
CallStatus = Literal["ok", "not read", "refused", "failed", "known"]
"""ok: a list was read. not read: unreadable answer. failed: service error. known: from the cache, nothing sent."""


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """A reading as it is stored, with the ids of its publications."""

    reading_id: str
    kind: ReadingKind
    ids: Ids
    """For a live reading, ids of the source."""
    note: str = ""
    source: str = ""
    """Id of the source, for a live reading."""
    outside: tuple[Publication, ...] = ()
    """Whole records of publications from outside the workspace, live or given by the user."""


@dataclass(frozen=True, slots=True)
class WriterCall:
    """One request and its outcome. Never changed."""

    number: int
    """From 1, in the order of the answers."""
    purpose: Purpose
    reading: str
    model: str
    """Model that was asked."""
    mode: Mode
    seed: int
    prompt_version: str
    system: str
    question: str
    answers: tuple[str, ...]
    """Raw answers; empty if there was none."""
    status: CallStatus
    proposals: tuple[KeywordProposal, ...] = ()
    removals: tuple[Removal, ...] = ()
    """Keywords to remove, for a refinement."""
    held_back: tuple[HeldBackProposal, ...] = ()
    problem: str | None = None
    """Problem of the answer, or reason for a missing one."""
    n_prompt_tokens: int | None = None
    n_answer_tokens: int | None = None
    ms: float = 0.0
    made_at: str = ""


@dataclass(frozen=True, slots=True)
class WriterSession:
    writing_id: str
    topic_id: str
    brief: Brief
    budget: WriterBudget
    recipes: tuple[Recipe, ...]
    embedder: str
    live: str | None
    split: CoreSplit
    """The halves at the start of the session."""
    readings: tuple[ReadingRow, ...]
    steps: tuple[SheetStep, ...]
    """The first is the topic's name alone; candidates, rounds of refinement and changes by hand follow."""
    calls: tuple[WriterCall, ...]
    proposals: tuple[MergedProposals, ...]
    """One row per keyword, with every model that proposed it."""
    held_back: tuple[HeldBackProposal, ...]
    state: WritingState
    problem: str | None
    """Reason for an early end."""
    made_at: str
    ended_at: str | None = None
    notes: tuple[str, ...] = ()
    """Remarks for the user."""
    supporting: tuple[Publication, ...] = ()
    """Example publications given by the user."""
    counted: Mapping[Mode, tuple[KeywordProposal, ...]] = field(default_factory=dict)
    """Proposals of corpus statistics, without any model; by mode, that of the brief first."""
    topic_state: str = ""
    """Key that identifies the topic's publications at the start."""

    @property
    def baseline(self) -> SheetStep | None:
        """The topic's name alone; None: nothing was written yet."""
        return self.steps[0] if self.steps else None

    @property
    def candidates(self) -> tuple[SheetStep, ...]:
        """Steps made from proposals, not by refining or by hand."""
        return tuple(step for step in self.steps if step.parent == 0 and step.round is None and step.made_by != BY_HAND)

    @property
    def best(self) -> SheetStep | None:
        """The best step on the held-out half; None: there is no string except the topic's name."""
        return best_of(self.steps, self.budget)


@dataclass(frozen=True, slots=True)
class WriterSessionRow:
    writing_id: str
    topic_id: str
    topic: str
    """Topic as worded in the brief."""
    n_steps: int
    n_calls: int
    state: WritingState
    problem: str | None
    made_at: str
    ended_at: str | None = None


# Sessions in the store. Calls are saved at once, and never changed.

_CALL = (
    "number, purpose, reading, model, mode, seed, prompt_version, system, question, answers::VARCHAR, status, "
    "outcome::VARCHAR, n_prompt_tokens, n_answer_tokens, ms, made_at"
)


def begin(
    store: Store,
    writing_id: str,
    wanted: WriterRequest,
    *,
    embedder: str,
    split: CoreSplit,
    readings: Sequence[ReadingRow],
    counted: Mapping[Mode, Sequence[KeywordProposal]],
    notes: Sequence[str] = (),
    clock: Clock = utc_now,
) -> None:
    """Save a new session without steps. `counted`: proposals of corpus statistics."""
    document = {
        "brief": as_document(wanted.brief),
        "budget": as_document(wanted.budget),
        "recipes": [asdict(recipe) for recipe in wanted.recipes],
        "embedder": embedder,
        "live": wanted.live,
        "supporting": [asdict(publication) for publication in wanted.supporting],
        "split": asdict(split),
        "readings": [asdict(reading) for reading in readings],
        "notes": list(notes),
        # Pairs, because JSON does not guarantee the order of keys.
        "counted": [[mode, [as_document(each) for each in found]] for mode, found in counted.items()],
        "topic_state": store.topic_state(wanted.topic_id),
    }
    store.execute(
        "INSERT INTO writings VALUES (?, ?, ?, 'planned', NULL, ?, NULL)",
        [writing_id, wanted.topic_id, json.dumps(document), clock()],
    )


def note(store: Store, writing_id: str, notes: Sequence[str]) -> None:
    """Replace the remarks of a session."""
    document = {**json.loads(_row(store, writing_id)[2]), "notes": list(dict.fromkeys(notes))}
    store.execute("UPDATE writings SET document = ? WHERE writing_id = ?", [json.dumps(document), writing_id])


def keep_state(
    store: Store, writing_id: str, state: WritingState, problem: str | None = None, *, clock: Clock = utc_now
) -> None:
    """Save the state of a session. `problem`: reason for an early end."""
    ended_at = clock() if state in ("stopped", "done") else None
    store.execute(
        "UPDATE writings SET state = ?, problem = ?, ended_at = ? WHERE writing_id = ?",
        [state, problem, ended_at, writing_id],
    )


def keep_call(store: Store, writing_id: str, call: WriterCall) -> WriterCall:
    """Save a call and return it with its number, the next one."""
    outcome = {
        "proposals": [as_document(each) for each in call.proposals],
        "removals": [asdict(each) for each in call.removals],
        "held_back": [as_document(each) for each in call.held_back],
        "problem": call.problem,
    }
    with store.transaction():
        _row(store, writing_id)
        ((last,),) = store.rows("SELECT max(number) FROM writer_calls WHERE writing_id = ?", [writing_id])
        kept = replace(call, number=(last or 0) + 1)
        store.execute(
            f"INSERT INTO writer_calls VALUES ({', '.join('?' * 17)})",
            [
                *(writing_id, kept.number, kept.purpose, kept.reading, kept.model, kept.mode, kept.seed),
                *(kept.prompt_version, kept.system, kept.question, json.dumps(list(kept.answers)), kept.status),
                *(json.dumps(outcome), kept.n_prompt_tokens, kept.n_answer_tokens, kept.ms, kept.made_at),
            ],
        )
    return kept


def keep_step(store: Store, writing_id: str, step: SheetStep, *, clock: Clock = utc_now) -> SheetStep:
    """Save a step and return it with its number, the next one."""
    with store.transaction():
        _row(store, writing_id)
        ((last,),) = store.rows("SELECT max(number) FROM writer_steps WHERE writing_id = ?", [writing_id])
        kept = replace(step, number=0 if last is None else last + 1, label=None)
        _write_step(store, writing_id, kept, clock())
    return kept


def replace_step(store: Store, writing_id: str, step: SheetStep, *, clock: Clock = utc_now) -> SheetStep:
    """Replace the step of the same number. It must not be saved as a version or have later steps."""
    with store.transaction():
        _write_step(store, writing_id, step, clock())
    return step


def say_label(store: Store, writing_id: str, number: int, label: str) -> None:
    store.execute("UPDATE writer_steps SET label = ? WHERE writing_id = ? AND number = ?", [label, writing_id, number])


def _write_step(store: Store, writing_id: str, step: SheetStep, made_at: str) -> None:
    document = json.dumps({**step_document(step), "label": None})
    store.execute(
        "INSERT OR REPLACE INTO writer_steps VALUES (?, ?, ?, ?, ?, ?)",
        [writing_id, step.number, document, step.label, made_at, author() or None],
    )


def find_writing(store: Store, writing_id: str) -> WriterSession:
    """Load a session; raise an error if it does not exist."""
    _, topic_id, document, state, problem, made_at, ended_at = _row(store, writing_id)
    try:
        read = json.loads(document)
        steps, calls = _steps(store, writing_id), _calls(store, writing_id)
        counted = {mode: tuple(read_proposal(each) for each in found) for mode, found in read["counted"]}
        rows = decoded(read["readings"], tuple[ReadingRow, ...])
        asked = (each for call in in_reading_order(calls, rows) for each in call.proposals)
        proposals = [*chain.from_iterable(counted.values()), *asked]
        return WriterSession(
            writing_id,
            topic_id,
            read_brief(read["brief"]),
            read_budget(read["budget"]),
            decoded(read["recipes"], tuple[Recipe, ...]),
            read["embedder"],
            read["live"],
            decoded(read["split"], CoreSplit),
            rows,
            steps,
            calls,
            merged(proposals),
            _held_back(calls),
            state,
            problem,
            made_at,
            ended_at,
            tuple(read["notes"]),
            decoded(read["supporting"], tuple[Publication, ...]),
            counted,
            read["topic_state"],
        )
    except (ValueError, TypeError, KeyError, FormatError) as e:
        raise CorruptStoreError(f"session {writing_id} can't be read: delete it and start a new one") from e


def list_writings(store: Store, topic_id: str | None = None) -> tuple[WriterSessionRow, ...]:
    """Return the sessions of one topic, or of all, newest first."""
    found = store.rows(
        """
        SELECT writing_id, topic_id, coalesce(document->'brief'->>'topic', topic_id),
               (SELECT count(*) FROM writer_steps AS s WHERE s.writing_id = w.writing_id),
               (SELECT count(*) FROM writer_calls AS c WHERE c.writing_id = w.writing_id),
               state, problem, made_at, ended_at
        FROM writings AS w WHERE $topic IS NULL OR topic_id = $topic
        ORDER BY made_at DESC, writing_id
        """,
        {"topic": topic_id},
    )
    return tuple(WriterSessionRow(*row) for row in found)


def has_writing(store: Store, writing_id: str) -> bool:
    return bool(store.rows("SELECT 1 FROM writings WHERE writing_id = ?", [writing_id]))


def delete_writing(store: Store, writing_id: str) -> None:
    """Delete a session with its calls and steps. Versions saved from it stay."""
    check_allowed("delete")
    _row(store, writing_id)
    with store.transaction():
        for table in ("writer_steps", "writer_calls", "writings"):
            store.execute(f"DELETE FROM {table} WHERE writing_id = ?", [writing_id])


def _row(store: Store, writing_id: str) -> tuple[Any, ...]:
    found = store.rows(
        "SELECT writing_id, topic_id, document::VARCHAR, state, problem, made_at, ended_at FROM writings "
        "WHERE writing_id = ?",
        [writing_id],
    )
    if not found:
        raise NotFoundError(f'no session "{writing_id[:40]}": list the sessions with `query writings`')
    return found[0]


def _steps(store: Store, writing_id: str) -> tuple[SheetStep, ...]:
    found = store.rows(
        "SELECT document::VARCHAR, label FROM writer_steps WHERE writing_id = ? ORDER BY number", [writing_id]
    )
    return tuple(replace(read_step(json.loads(document)), label=label) for document, label in found)


def _calls(store: Store, writing_id: str) -> tuple[WriterCall, ...]:
    found = store.rows(f"SELECT {_CALL} FROM writer_calls WHERE writing_id = ? ORDER BY number", [writing_id])
    return tuple(_call(*row) for row in found)


def _call(*row: Any) -> WriterCall:
    *front, answers, status, outcome, n_prompt, n_answer, ms, made_at = row
    number, purpose, reading, model, mode, seed, prompt_version, system, question = front
    document = json.loads(outcome)
    return WriterCall(
        number=number,
        purpose=purpose,
        reading=reading,
        model=model,
        mode=mode,
        seed=seed,
        prompt_version=prompt_version,
        system=system,
        question=question,
        answers=tuple(json.loads(answers)),
        status=status,
        proposals=tuple(read_proposal(each) for each in document["proposals"]),
        removals=decoded(document["removals"], tuple[Removal, ...]),
        held_back=tuple(read_held_back(each) for each in document["held_back"]),
        problem=document["problem"],
        n_prompt_tokens=n_prompt,
        n_answer_tokens=n_answer,
        ms=ms,
        made_at=made_at,
    )


def in_reading_order(calls: Sequence[WriterCall], readings: Sequence[ReadingRow]) -> list[WriterCall]:
    """Sort calls by the order of the readings they are about; others follow in their own order."""
    place = {row.reading_id: n for n, row in enumerate(readings)}
    return sorted(calls, key=lambda call: place.get(call.reading, len(place)))


def _held_back(calls: Sequence[WriterCall]) -> tuple[HeldBackProposal, ...]:
    """Return each held-back keyword once per model and reason."""
    found = (each for call in calls for each in call.held_back)
    return tuple({(each.text.casefold(), each.why, each.model): each for each in found}.values())
