"""Run retrievers over a collection, resume a cancelled run, and read and write TREC run files."""

from __future__ import annotations

import math
import os
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from core.collections import Collection, Query, Rows, Run
from core.errors import FileError, FormatError, InputError, QueryscapeError, StoreError
from core.protocols import OnProgress, OnStage, silent
from core.retrieval.graph import STAGE as FOLLOWED
from core.retrieval.retriever import Hits, Retriever, id_ranks
from core.retrieval.specs import Spec
from core.text import listed, many
from core.types import Floats, Ids
from data.collections import WHOLE, SavedRun, load_run, save_run
from data.explore.workspace import Workspace
from data.importers.collection_parts import TextFile, clean_text
from data.knowledge.bases import Holders
from data.retrieval.collections import OpenedCollection, OpenedRetriever, RetrievalCorpus
from data.retrieval.evaluation_files import encoding_notes, trec_id, trec_ids
from data.retrieval.llm_reranker import REMEMBERED
from data.retrieval.retrievers import identity, needs, open_retriever, settled
from data.store import Clock, Store, content_hash, utc_now

# Running retrievers over a collection, with regular saves, so that a cancelled run can be resumed.

VERSION = 1
"""Increased whenever a retriever would answer differently."""
DEPTH = 100
"""Documents of each ranking that are stored."""
SECONDS_BETWEEN_SAVES = 5.0
SAVING_SHARE = 0.05
"""Maximum share of the time spent on saving a long run."""
MOST_TIMED = 1_000
"""Queries that are asked and timed one by one; later ones are asked in batches where that is faster."""
BATCH = 256
MOST_NOTES = 8
TEXT_ALONE = "name no entity with relations and were answered by text alone"
IN_BATCHES = ("dense", "multi_vector")
Timer = Callable[[], float]


class ProgressBeat:
    """A progress report that can be repeated while waiting for an answer, so that a cancel is noticed."""

    def __init__(self) -> None:
        self._tell: Callable[[], None] = lambda: None

    def follow(self, report: OnProgress, done: int, total: int) -> None:
        self._tell = partial(report, done, total)
        self._tell()

    def again(self) -> None:
        self._tell()


class Stopwatch:
    """A timer of the stages of one answer, in milliseconds."""

    def __init__(self, timer: Timer = time.perf_counter) -> None:
        self._timer = timer
        self.ms: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = self._timer()
        try:
            yield
        finally:
            self.ms[stage] = self.ms.get(stage, 0.0) + 1000.0 * (self._timer() - start)


@dataclass
class _Growing:
    doc_ids: tuple[str, ...]
    answers: list[tuple[str, Rows, Floats]] = field(default_factory=list)
    stages: list[dict[str, float]] = field(default_factory=list)
    n_failed: int = 0
    notes: dict[str, None] = field(default_factory=dict)

    def take_over(self, before: SavedRun) -> None:
        for place, query_id in enumerate(before.run.query_ids):
            self.answers.append((query_id, *before.run.answer(query_id)))
            self.stages.append({stage: float(ms[place]) for stage, ms in before.stages_ms.items()})
        self.n_failed = before.n_failed
        self.notes |= dict.fromkeys(before.notes)

    def add(self, query: Query, hits: Hits, ms: Mapping[str, float]) -> None:
        self.answers.append((query.query_id, hits.rows, hits.scores))
        is_timed = REMEMBERED not in hits.notes
        self.stages.append({stage: took if is_timed else np.nan for stage, took in ms.items()})
        self.n_failed += hits.n_failed
        if hits.n_failed and len(self.notes) < MOST_NOTES:
            self.notes |= dict.fromkeys(note for note in hits.notes if note != REMEMBERED)

    @property
    def done(self) -> set[str]:
        return {query_id for query_id, _, _ in self.answers}

    def n_without(self, stage: str) -> int:
        return sum(not np.isfinite(ms.get(stage, np.nan)) for ms in self.stages)

    def stages_ms(self) -> dict[str, Floats]:
        """Return one array per stage; NaN for a query that did not reach it."""
        names = dict.fromkeys(name for ms in self.stages for name in ms)
        return {name: np.array([ms.get(name, np.nan) for ms in self.stages]) for name in names}


@dataclass(frozen=True, slots=True)
class _Named:
    run_id: str
    collection: str
    split: str | None
    spec: Spec
    n_queries: int
    made_at: str

    def saved(self, growing: _Growing, opened: OpenedRetriever) -> SavedRun:
        stages = growing.stages_ms()
        notes = [note for note in (*opened.notes, *growing.notes) if not note.endswith(TEXT_ALONE)]
        if self.spec.kind == "graph" and (n := growing.n_without(FOLLOWED)):
            notes.append(f"{n:,} of {len(growing.answers):,} queries {TEXT_ALONE}")
        return SavedRun(
            self.run_id,
            self.collection,
            self.split,
            self.spec.text,
            self.spec.label,
            Run.of(self.spec.label, growing.doc_ids, growing.answers),
            self.n_queries,
            stages,
            opened.index_seconds,
            opened.index_bytes,
            growing.n_failed,
            tuple(dict.fromkeys(notes)),
            self.made_at,
        )


def run_id_of(opened: OpenedCollection, spec: Spec, split: str | None, depth: int) -> str:
    """Return a hash of everything the answers depend on, and of the query ids, which a split's name does not fix."""
    asked = "" if split is None else content_hash([query.query_id for query in opened.collection.of_split(split)])
    what = spec.text, identity(spec, opened.holders)
    return content_hash([str(VERSION), opened.key, split or "", asked, *what, str(depth)])


def known_run(
    workspace: Workspace, opened: OpenedCollection, spec: Spec, split: str | None = None, *, depth: int = DEPTH
) -> SavedRun | None:
    """Return the saved run, complete or partial; None: it was not started."""
    run_id = run_id_of(opened, settled(spec), split, depth)
    return load_run(workspace.store, run_id, opened.collection.doc_ids)


def run_retriever(
    workspace: Workspace,
    opened: OpenedCollection,
    spec: Spec,
    split: str | None = None,
    *,
    depth: int = DEPTH,
    again: bool = False,
    on_stage: OnStage = silent,
    clock: Clock = utc_now,
    timer: Timer = time.perf_counter,
) -> SavedRun:
    """Ask every query of the split. Earlier answers are kept; answers are saved however the run ends.

    `again`: a run in which candidates failed is repeated, with the cached answers of a chat model.
    """
    if not 1 <= depth <= 10_000:
        raise InputError(f"the depth of a ranking must be from 1 to 10,000, got {depth:,}")
    spec = settled(spec)
    queries = opened.collection.of_split(split)
    if not queries:
        raise InputError(f'collection "{opened.collection.name}" has no queries to ask')
    before = known_run(workspace, opened, spec, split, depth=depth)
    if again and before is not None and before.n_failed:
        before = None
    if before is not None and before.is_complete:
        return before
    corpus = RetrievalCorpus.of(opened.collection, workspace.paths, opened.holders)
    beat = ProgressBeat()
    retriever = open_retriever(corpus, spec, on_stage, answers=workspace.store, heed=beat.again)
    run_id = run_id_of(opened, spec, split, depth)
    name = _Named(run_id, opened.collection.name, split, spec, len(queries), clock())
    growing = _Growing(corpus.doc_ids)
    if before is not None:
        growing.take_over(before)
    _Asking(workspace.store, name, growing, retriever, depth, timer, beat).ask(queries, on_stage)
    return name.saved(growing, retriever)


NEEDS = "needs "


def run_each(
    specs: Mapping[str, Spec],
    run: Callable[[Spec], SavedRun],
    holders: Holders | None,
    not_run: dict[str, str],
    *,
    any_file: bool = False,
) -> dict[str, SavedRun]:
    """Run the retrievers that can run, by name; the others go to `not_run` with a reason. An error if none is left.

    `any_file`: there are also runs from files, so that some are left. A single retriever raises its own error.
    """
    saved: dict[str, SavedRun] = {}
    for name, spec in specs.items():
        try:
            saved[name] = run(spec)
        except StoreError:
            raise
        except QueryscapeError as e:
            lacking = needs(spec, holders)
            if len(specs) == 1 and not not_run and not any_file:
                raise
            not_run[name] = f"{NEEDS}{lacking}" if lacking else f"stopped: {e}"
    if not saved and not any_file:
        raise InputError(nothing_runs(not_run))
    return saved


def nothing_runs(not_run: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {why}" for name, why in not_run.items())


def not_run_document(not_run: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"retriever": name, "needs": why.removeprefix(NEEDS)} for name, why in not_run.items()]


@dataclass
class _Asking:
    store: Store
    name: _Named
    growing: _Growing
    opened: OpenedRetriever
    depth: int
    timer: Timer
    beat: ProgressBeat
    _save_at: float = field(default=0.0, init=False)
    """The time of the next save."""

    def ask(self, queries: Sequence[Query], on_stage: OnStage) -> None:
        """Ask every unanswered query, saving from time to time, and at the end however it comes."""
        done = self.growing.done
        waiting = [query for query in queries if query.query_id not in done]
        report = on_stage(f"asking {self.name.spec.label}")
        self._save_at = self.timer() + SECONDS_BETWEEN_SAVES
        n_before = len(done)
        try:
            self.beat.follow(report, n_before, len(queries))
            self._warm_up(waiting)
            for some in self._groups(waiting, n_before):
                self._answer(some)
                self._save_now_and_then()
                self.beat.follow(report, len(self.growing.answers), len(queries))
        finally:
            if len(self.growing.answers) > n_before or not waiting:
                self._save()

    def _warm_up(self, waiting: Sequence[Query]) -> None:
        """Warm up, since the first answer loads files and models. Models that may cost money are not asked twice."""
        if waiting and self.name.spec.kind not in ("llm_reranker", "late_interaction"):
            self.opened.retriever.search(waiting[0], self.depth)

    def _groups(self, waiting: Sequence[Query], n_before: int) -> Iterator[Sequence[Query]]:
        n_timed = len(waiting)
        if self.name.spec.kind in IN_BATCHES:
            n_timed = min(max(MOST_TIMED - n_before, 0), len(waiting))
        for query in waiting[:n_timed]:
            yield [query]
        for start in range(n_timed, len(waiting), BATCH):
            yield waiting[start : start + BATCH]

    def _answer(self, some: Sequence[Query]) -> None:
        retriever: Retriever = self.opened.retriever
        if len(some) == 1:
            watch = Stopwatch(self.timer)
            with watch(WHOLE):
                hits = retriever.search(some[0], self.depth, watch)
            self.growing.add(some[0], hits, watch.ms)
            return
        for query, hits in zip(some, retriever.search_many(some, self.depth), strict=True):
            self.growing.add(query, hits, {WHOLE: np.nan})

    def _save_now_and_then(self) -> None:
        start = self.timer()
        if start < self._save_at:
            return
        self._save()
        end = self.timer()
        self._save_at = end + max(SECONDS_BETWEEN_SAVES, (end - start) / SAVING_SHARE)

    def _save(self) -> None:
        save_run(self.store, self.name.saved(self.growing, self.opened), unless_longer=True)


# Run files in TREC format: query, Q0, document, rank, score, name of the run; one line for each document.

SHOWN = 3
_Q0 = frozenset({"Q0", "q0", "0"})


def write_run(run: Run, path: Path, *, is_ranked: bool = True) -> Ids:
    """Write every ranking by descending score, then ascending doc_id, with ranks from 1; none for an empty query.

    `is_ranked`: lower scores that tie, so that programs that order ties in another way measure the same; else keep
    them. Return notes on the ids that a file separated by spaces writes in another way.
    """
    queries = trec_ids(run.query_ids, "query")
    documents = trec_ids((run.doc_ids[row] for row in np.unique(run.rows).tolist()), "document")
    if not np.isfinite(run.scores).all():
        raise InputError(f'run "{run.name}" has a score that is not a finite number, so it can\'t be ranked')
    name = "_".join(clean_text(run.name).replace("\ufeff", "").split()) or "run"
    # Only a complete file gets the name: a truncated one would be read as a worse run.
    part = path.parent / f"{path.name}.part"
    try:
        with part.open("w", encoding="utf-8", newline="\n") as out:
            for lines in _lines_of(run, name, queries, documents, is_ranked):
                out.write(lines)
        os.replace(part, path)
    except (OSError, ValueError) as e:
        part.unlink(missing_ok=True)
        raise FileError(f"can't write {path} ({getattr(e, 'strerror', None) or e}): choose another place") from e
    return encoding_notes(("query", queries), ("document", documents))


def _lines_of(
    run: Run, name: str, queries: Mapping[str, str], documents: Mapping[str, str], is_ranked: bool
) -> Iterator[str]:
    ranks = id_ranks(run.doc_ids)
    for place, query_id in enumerate(run.query_ids):
        part = slice(int(run.starts[place]), int(run.starts[place + 1]))
        rows, scores = run.rows[part], run.scores[part]
        order = np.lexsort((ranks[rows], -scores))
        written = without_ties(scores[order]) if is_ranked else scores[order]
        pairs = zip(rows[order].tolist(), written.tolist(), strict=True)
        yield "".join(
            f"{queries[query_id]} Q0 {documents[run.doc_ids[row]]} {rank} {score!r} {name}\n"
            for rank, (row, score) in enumerate(pairs, start=1)
        )


def without_ties(scores: Floats) -> Floats:
    """Return descending scores, each that ties with the one before lowered by the smallest step of single precision.

    trec_eval compares scores in single precision. Scores beyond its range stay as they are.

    >>> without_ties(np.array([2.0, 1.0, 1.0])).tolist()
    [2.0, 1.0, 0.9999999403953552]
    """
    with np.errstate(over="ignore", under="ignore"):
        single = scores.astype(np.float32)
    if (single[1:] < single[:-1]).all():
        return scores
    written, last = scores.copy(), np.float32(np.inf)
    for at, score in enumerate(single):
        if score < last:
            last = score
        else:
            last = np.nextafter(last, np.float32(-np.inf))
            written[at] = last
    return written if np.isfinite(single).all() and np.isfinite(written).all() else scores


@dataclass(eq=False)
class _Seen:
    n: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, line: int, what: str) -> None:
        self.n += 1
        if len(self.examples) < SHOWN:
            self.examples.append(f"{what} in line {line:,}" if what else f"line {line:,}")


class _Reading:
    """A reader that turns lines into numbers at once, since a run can have millions."""

    def __init__(self, collection: Collection) -> None:
        self.place_of = {query_id: place for place, query_id in enumerate(collection.query_ids)}
        self.row_of = dict(collection.row_of)
        self.grows = not collection.documents
        """True if the documents are taken from the run, because the collection has none."""
        self.places, self.rows, self.lines = array("i"), array("i"), array("i")
        self.scores = array("d")
        self.names: Counter[str] = Counter()
        self.queries, self.documents, self.unranked, self.broken = _Seen(), _Seen(), _Seen(), _Seen()
        self.seen_queries: dict[str, None] = {}
        self.seen_documents: dict[str, None] = {}
        self.n_lines = 0

    def take(self, first: int, block: str) -> None:
        cells = block.split()
        n = block.count("\n") + (not block.endswith("\n"))
        if not cells or len(cells) != 6 * n or not self._take_whole(first, cells):
            for number, line in enumerate(block.split("\n"), start=first):
                if line and not line.isspace():
                    self._take_line(number, line)

    def _take_whole(self, first: int, cells: list[str]) -> bool:
        """Return True if every line was well-formed; otherwise nothing was added."""
        query_ids, doc_ids = cells[0::6], cells[2::6]
        if not set(cells[1::6]) <= _Q0:
            return False
        places = list(map(self.place_of.get, query_ids))
        if None in places:
            return False
        try:
            scores = np.array(list(map(float, cells[4::6])))
        except ValueError:
            return False
        if not np.isfinite(scores).all():
            return False
        if self.grows:
            for doc_id in doc_ids:
                self.row_of.setdefault(doc_id, len(self.row_of))
        rows = list(map(self.row_of.get, doc_ids))
        if None in rows:
            return False
        self.places.extend(places)  # type: ignore[arg-type]
        self.rows.extend(rows)  # type: ignore[arg-type]
        self.lines.extend(range(first, first + len(rows)))
        self.scores.extend(scores.tolist())
        self.names.update(cells[5::6])
        self.n_lines += len(rows)
        return True

    def _take_line(self, number: int, line: str) -> None:
        self.n_lines += 1
        cells = line.split()
        if len(cells) not in (5, 6) or cells[1] not in _Q0:
            self.broken.add(number, "")
            return
        query_id, doc_id = self._known(cells[0], self.place_of), self._known(cells[2], self.row_of)
        try:
            score = float(cells[4])
        except ValueError:
            self.broken.add(number, "")
            return
        self._remember(query_id, doc_id)
        if len(cells) == 6:
            self.names[cells[5]] += 1
        if query_id not in self.place_of:
            self.queries.add(number, f"“{query_id}”")
        elif not self.grows and doc_id not in self.row_of:
            self.documents.add(number, f"“{doc_id}”")
        elif not math.isfinite(score):
            self.unranked.add(number, cells[4])
        else:
            self.places.append(self.place_of[query_id])
            self.rows.append(self.row_of.setdefault(doc_id, len(self.row_of)))
            self.lines.append(number)
            self.scores.append(score)

    def _known(self, word: str, ids: Mapping[str, int]) -> str:
        """Return the id that a word means: itself, or else the one that is percent-encoded in TREC files."""
        if word in ids or "%" not in word:
            return word
        meant = unquote(word)
        return meant if meant in ids and trec_id(meant) == word else word

    def _remember(self, query_id: str, doc_id: str) -> None:
        for ids, own_id in ((self.seen_queries, query_id), (self.seen_documents, doc_id)):
            if len(ids) < SHOWN:
                ids[own_id] = None


def read_run(path: Path, collection: Collection) -> tuple[Run, Ids]:
    """Read a run on this collection, and describe the lines left out.

    Its name is that of the last column, or else of the file. Queries are in the collection's order, each ranking in the
    order of the file. If the collection has no documents, those of the run are used.
    """
    reading = _Reading(collection)
    file = TextFile.at(path)
    if not path.exists():
        raise FileError(f"no file {path}: check its name and folder")
    for first, block in file.blocks():
        reading.take(first, block)
    if not reading.rows:
        raise FormatError(_why_nothing(file.name, reading, collection))
    doc_ids = tuple(reading.row_of) if reading.grows else collection.doc_ids
    repeated = _Seen()
    query_ids, starts, rows, scores = _grouped(reading, collection.query_ids, len(doc_ids), repeated)
    name = reading.names.most_common(1)[0][0] if reading.names else file.name.rsplit(".", 1)[0]
    return Run(name, query_ids, doc_ids, starts, rows, scores), (*file.notes, *_notes(file.name, reading, repeated))


def _grouped(
    reading: _Reading, query_ids: Ids, n_documents: int, repeated: _Seen
) -> tuple[Ids, npt.NDArray[np.int64], Rows, Floats]:
    """Group the lines of each query, with the first occurrence of each document."""
    places = np.frombuffer(reading.places, dtype=np.int32)
    rows = np.frombuffer(reading.rows, dtype=np.int32)
    pairs = places.astype(np.int64) * n_documents + rows
    first = np.sort(np.unique(pairs, return_index=True)[1])
    if len(first) < len(pairs):
        again = np.setdiff1d(np.arange(len(pairs)), first, assume_unique=True)
        repeated.n = len(again)
        repeated.examples = [f"line {reading.lines[int(at)]:,}" for at in again[:SHOWN]]
    order = first[np.argsort(places[first], kind="stable")]
    there, counts = np.unique(places[order], return_counts=True)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    scores = np.frombuffer(reading.scores, dtype=np.float64)[order]
    return tuple(query_ids[place] for place in there.tolist()), starts, rows[order].astype(np.int64), scores


def _notes(name: str, reading: _Reading, repeated: _Seen) -> Iterator[str]:
    for seen, what in ((reading.queries, "query"), (reading.documents, "document")):
        if seen.n:
            where = "1 line names" if seen.n == 1 else f"{seen.n:,} lines name"
            yield f"{name}: {where} a {what} that the collection does not have, left out: {_examples(seen)}"
    for seen, what in (
        (reading.unranked, "with a score that is not a finite number"),
        (repeated, "with a repeated document (the first one counts)"),
        (reading.broken, "not in the form query, Q0, document, rank, score, name"),
    ):
        if seen.n:
            yield f"{name}: left out {many(seen.n, 'line')} {what}: {_examples(seen)}"
    if len(reading.names) > 1:
        names = listed([f"“{name}”" for name in list(reading.names)[:SHOWN]])
        yield f"{name}: its lines have {len(reading.names):,} names ({names}): they were read as one run"


def _examples(seen: _Seen) -> str:
    return "; ".join(seen.examples) + ("; …" if seen.n > len(seen.examples) else "")


def _why_nothing(name: str, reading: _Reading, collection: Collection) -> str:
    if not reading.n_lines:
        return f"{name} is empty: write the run again"
    if reading.broken.n == reading.n_lines:
        lines = _examples(reading.broken)
        return f"{name} is not a run: none of its lines is query, Q0, document, rank, score, name ({lines})"
    theirs = f"queries {_ids(reading.seen_queries)} and documents {_ids(reading.seen_documents)}"
    ours = f"queries {_ids(collection.query_ids)} and documents {_ids(collection.doc_ids)}"
    return f'nothing in {name} fits collection "{collection.name}": it has {theirs}, the collection has {ours}'


def _ids(ids: Sequence[str] | dict[str, None]) -> str:
    shown = [f"“{own_id[:40]}”" for own_id in list(ids)[:SHOWN]]
    return ", ".join(shown) + (", …" if len(ids) > SHOWN else "") if shown else "none"
