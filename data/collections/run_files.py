"""Run files as TREC has them: query, Q0, document, rank, score, name of the run; one line for each document."""

from __future__ import annotations

import math
import os
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.errors import FileError, FormatError, InputError
from core.ranking.check import Collection, Rows, Run
from core.retrieval.base import id_ranks
from core.text import listed
from core.types import Floats, Ids
from data.collections.lines import TextFile
from data.collections.parts import clean_text

SHOWN = 3
_Q0 = frozenset({"Q0", "q0", "0"})


def write_run(run: Run, path: Path) -> None:
    """Every ranking, score descending, then doc_id ascending, ranks from 1. A query without documents has no line."""
    for what, ids in (("query", run.query_ids), ("document", [run.doc_ids[row] for row in np.unique(run.rows)])):
        for own_id in ids:
            if not _is_one_word(own_id):
                raise InputError(f"a run file separates by spaces: the {what} id {own_id!r} can't stand in one")
    if not np.isfinite(run.scores).all():
        raise InputError(f'run "{run.name}" holds a score that is no finite number: it can\'t be ranked')
    name = "_".join(clean_text(run.name).replace("\ufeff", "").split()) or "run"
    # Only a whole file takes the name: one that was cut off would be read as a worse run.
    part = path.parent / f"{path.name}.part"
    try:
        with part.open("w", encoding="utf-8", newline="\n") as out:
            for lines in _lines_of(run, name):
                out.write(lines)
        os.replace(part, path)
    except (OSError, ValueError) as e:
        part.unlink(missing_ok=True)
        raise FileError(f"can't write {path} ({getattr(e, 'strerror', None) or e}): choose another place") from e


def _is_one_word(own_id: str) -> bool:
    return own_id.split() == [own_id] and clean_text(own_id) == own_id and "\ufeff" not in own_id


def _lines_of(run: Run, name: str) -> Iterator[str]:
    """The lines of each query."""
    ranks = id_ranks(run.doc_ids)
    for place, query_id in enumerate(run.query_ids):
        part = slice(int(run.starts[place]), int(run.starts[place + 1]))
        rows, scores = run.rows[part], run.scores[part]
        order = np.lexsort((ranks[rows], -scores))
        pairs = zip(rows[order].tolist(), scores[order].tolist(), strict=True)
        yield "".join(
            f"{query_id} Q0 {run.doc_ids[row]} {rank} {score!r} {name}\n"
            for rank, (row, score) in enumerate(pairs, start=1)
        )


@dataclass(eq=False)
class _Seen:
    """One kind of line that is left out."""

    n: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, line: int, what: str) -> None:
        self.n += 1
        if len(self.examples) < SHOWN:
            self.examples.append(f"{what} in line {line:,}" if what else f"line {line:,}")


class _Reading:
    """Lines become numbers at once: a run can have millions of them."""

    def __init__(self, collection: Collection) -> None:
        self.place_of = {query_id: place for place, query_id in enumerate(collection.query_ids)}
        self.row_of = dict(collection.row_of)
        self.grows = not collection.documents
        """Whether the documents are those that the run names, as the collection has none."""
        self.places, self.rows, self.lines = array("i"), array("i"), array("i")
        self.scores = array("d")
        self.names: Counter[str] = Counter()
        self.queries, self.documents, self.unranked, self.broken = _Seen(), _Seen(), _Seen(), _Seen()
        self.seen_queries: dict[str, None] = {}
        self.seen_documents: dict[str, None] = {}
        self.n_lines = 0

    def take(self, first: int, block: str) -> None:
        """Many lines; one by one only where some are not as they should be."""
        cells = block.split()
        n = block.count("\n") + (not block.endswith("\n"))
        if not cells or len(cells) != 6 * n or not self._take_whole(first, cells):
            for number, line in enumerate(block.split("\n"), start=first):
                if line and not line.isspace():
                    self._take_line(number, line)

    def _take_whole(self, first: int, cells: list[str]) -> bool:
        """Whether every line was as it should be; if not, nothing was taken."""
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
        query_id, doc_id = cells[0], cells[2]
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

    def _remember(self, query_id: str, doc_id: str) -> None:
        """The first few ids of the file, to show beside the collection's."""
        for ids, own_id in ((self.seen_queries, query_id), (self.seen_documents, doc_id)):
            if len(ids) < SHOWN:
                ids[own_id] = None


def read_run(path: Path, collection: Collection) -> tuple[Run, Ids]:
    """Somebody's run on this collection, and what of it was left out.

    Its name is that of its last column, else the file's. Queries come in the collection's order, each ranking as it
    stands in the file. Where the collection has no documents, the run's own are taken.
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
    """The lines of a query side by side, each document once: where it comes first."""
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
        (reading.unranked, "with a score that is no finite number"),
        (repeated, "with a document that the query has already (the first one counts)"),
        (reading.broken, "not in the form query, Q0, document, rank, score, name"),
    ):
        if seen.n:
            yield f"{name}: left out {seen.n:,} {'line' if seen.n == 1 else 'lines'} {what}: {_examples(seen)}"
    if len(reading.names) > 1:
        names = listed([f"“{name}”" for name in list(reading.names)[:SHOWN]])
        yield f"{name}: its lines bear {len(reading.names):,} names ({names}): they were taken for one run"


def _examples(seen: _Seen) -> str:
    return "; ".join(seen.examples) + ("; …" if seen.n > len(seen.examples) else "")


def _why_nothing(name: str, reading: _Reading, collection: Collection) -> str:
    if not reading.n_lines:
        return f"{name} is empty: write the run again"
    if reading.broken.n == reading.n_lines:
        lines = _examples(reading.broken)
        return f"{name} is no run: none of its lines is query, Q0, document, rank, score, name ({lines})"
    theirs = f"queries {_ids(reading.seen_queries)} and documents {_ids(reading.seen_documents)}"
    ours = f"queries {_ids(collection.query_ids)} and documents {_ids(collection.doc_ids)}"
    return f'nothing in {name} fits collection "{collection.name}": it has {theirs}, the collection has {ours}'


def _ids(ids: Sequence[str] | dict[str, None]) -> str:
    shown = [f"“{own_id[:40]}”" for own_id in list(ids)[:SHOWN]]
    return ", ".join(shown) + (", …" if len(ids) > SHOWN else "") if shown else "none"
