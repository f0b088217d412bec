"""Read a file of Retraction Watch, store it once per workspace, and look up publications in it."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.errors import FormatError
from core.library.records import doi_of, pmid_of
from core.library.retractions import (
    NATURES,
    RetractionList,
    RetractionNotice,
    nature_of,
    notice_date,
    notice_reason,
)
from core.text import many
from data.files import WorkspacePaths, file_stamp, read_errors, written_aside
from data.http.download import file_at
from data.importers.source import opened, read_bytes
from data.store import Store

DOI, PMID, NATURE, DATE, REASON = (
    "OriginalPaperDOI",
    "OriginalPaperPubMedID",
    "RetractionNature",
    "RetractionDate",
    "Reason",
)
NEEDED = (DOI, PMID, NATURE, DATE)
MOST_NOTES = 20
LONGEST_CELL = 1_000_000


# The file as Retraction Watch publishes it: one row for each notice.


@dataclass(frozen=True, slots=True)
class RetractionRow:
    line: int
    """The line where it begins, from 1."""
    cells: Sequence[str]


def read_retractions(path: Path) -> RetractionList:
    """Read the CSV. Rows that can't be read are noted with their line; a file that is cut off is an error."""
    file = opened(read_bytes(path), path.name)
    rows = _rows(file.text, path.name)
    header = next(rows, RetractionRow(1, ()))
    names = _without_empty_end([cell.strip() for cell in header.cells])  # its lines end with a comma
    if missing := [name for name in NEEDED if name not in names]:
        raise FormatError(
            f"{path.name}, line {header.line}: no column {', '.join(missing)}. Give the CSV of Retraction Watch, which "
            f"has the columns {', '.join((*NEEDED, REASON))}"
        )
    places = {name: names.index(name) for name in (*NEEDED, REASON) if name in names}
    notices, problems, n_without = list[RetractionNotice](), list[str](), 0
    short: RetractionRow | None = None
    for row in rows:
        if short is not None:
            problems.append(_n_cells(short, names))
            short = None
        if not any(cell.strip() for cell in row.cells):
            continue
        row = replace(row, cells=[*row.cells[: len(names)], *_without_empty_end(row.cells[len(names) :])])
        if len(row.cells) != len(names):
            if len(row.cells) < len(names):
                short = row
            else:
                problems.append(_n_cells(row, names))
            continue
        cell = {name: row.cells[place].strip() for name, place in places.items()}
        nature = nature_of(cell[NATURE])
        doi, pmid = doi_of(cell[DOI]), pmid_of(cell[PMID])
        if nature is None:
            problems.append(f"line {row.line:,}: unknown {NATURE} “{cell[NATURE][:40]}”, so it was left out")
        elif doi or pmid:
            day = notice_date(cell[DATE])
            if cell[DATE] and not day:
                problems.append(f"line {row.line:,}: the date “{cell[DATE][:40]}” can't be read; the notice was kept")
            notices.append(RetractionNotice(doi, pmid, nature, day, notice_reason(cell.get(REASON, ""))))
        else:
            n_without += 1
    if short is not None:
        raise _cut_off(path.name, short.line)
    if not notices:
        raise FormatError(f"{path.name} has no notices about a publication with a DOI or PMID")
    return RetractionList(tuple(notices), path.name, n_without, _few(path.name, problems))


def _rows(text: str, name: str) -> Iterator[RetractionRow]:
    csv.field_size_limit(max(LONGEST_CELL, csv.field_size_limit()))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as e:
            if "unexpected end" in str(e):
                raise _cut_off(name, line) from e
            raise FormatError(f"{name}, line {line:,}: not readable as CSV ({e})") from e
        yield RetractionRow(line, cells)


def _without_empty_end(cells: Sequence[str]) -> list[str]:
    kept = list(cells)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _cut_off(name: str, line: int) -> FormatError:
    return FormatError(
        f"{name} is cut off in the row that begins at line {line:,}. Nothing was stored: download the file again"
    )


def _n_cells(row: RetractionRow, names: Sequence[str]) -> str:
    return f"line {row.line:,}: {many(len(row.cells), 'cell')} instead of {len(names)}, so it was left out"


def _few(name: str, problems: Sequence[str]) -> tuple[str, ...]:
    shown = tuple(f"{name}, {problem}" for problem in problems[:MOST_NOTES])
    n_hidden = len(problems) - len(shown)
    return (*shown, f"{name}: {many(n_hidden, 'more line')} of this kind") if n_hidden else shown


# One file per workspace.


@dataclass(frozen=True, slots=True)
class RetractionImport:
    retractions: RetractionList
    replaced: str
    """Name of the file that was replaced; empty: none."""


def bring_retractions(paths: WorkspacePaths, where: str) -> RetractionImport:
    """Read a file or address, and store it in place of the one before. A damaged file never replaces a good one."""
    with file_at(where, paths.downloads("retractions"), "the CSV of Retraction Watch") as path:
        found = read_retractions(path)
    replaced = _name_before(paths)
    save_retractions(paths, found)
    return RetractionImport(found, replaced)


def _name_before(paths: WorkspacePaths) -> str:
    try:
        before = load_retractions(paths)
    except FormatError:
        return ""
    return before.source if before else ""


def save_retractions(paths: WorkspacePaths, retractions: RetractionList) -> None:
    reasons = {reason: at for at, reason in enumerate(dict.fromkeys(n.reason for n in retractions.notices))}
    document = {
        "source": retractions.source,
        "n_without_id": retractions.n_without_id,
        "notes": retractions.notes,
        "reasons": list(reasons),
        "notices": [[n.doi, n.pmid, NATURES.index(n.nature), n.date, reasons[n.reason]] for n in retractions.notices],
    }
    with written_aside(paths.retractions) as file:
        file.write(gzip.compress(json.dumps(document).encode("ascii"), mtime=0))


def load_retractions(paths: WorkspacePaths) -> RetractionList | None:
    """Return the workspace's notices; None: no file was loaded."""
    stamp = file_stamp(paths.retractions)
    return _loaded(paths.retractions, stamp) if stamp else None


@lru_cache(maxsize=2)
def _loaded(path: Path, _stamp: str) -> RetractionList:
    with read_errors(path):
        content = path.read_bytes()
    try:
        found = json.loads(gzip.decompress(content))
        reasons = found["reasons"]
        notices = tuple(
            RetractionNotice(doi, pmid, NATURES[nature], day, reasons[reason])
            for doi, pmid, nature, day, reason in found["notices"]
        )
        return RetractionList(notices, found["source"], found["n_without_id"], tuple(found["notes"]))
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError) as e:
        raise FormatError(f"{path} is damaged: run `get retractions --from FILE` again") from e


# Publications and their notices. Records are never rewritten: the file is looked up whenever they are read.


def notices_of(store: Store, ids: Sequence[str]) -> dict[str, RetractionNotice]:
    """Return the notice in force for each of these publications that has one, by the DOIs and PMIDs of its records."""
    known = load_retractions(WorkspacePaths(store.path.parent))
    if known is None or not ids:
        return {}
    found = store.rows(
        """
        WITH wanted AS (SELECT unnest($ids::VARCHAR[]) AS publication_id)
        SELECT publication_id, doi, pmid FROM records SEMI JOIN wanted USING (publication_id)
        WHERE doi IS NOT NULL OR pmid IS NOT NULL
        UNION ALL SELECT publication_id, doi, NULL FROM publications SEMI JOIN wanted USING (publication_id)
        WHERE doi IS NOT NULL
        """,
        {"ids": list(ids)},
    )
    names: defaultdict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for publication_id, doi, pmid in found:
        plain = doi if doi is None or known.has_doi(doi) else doi_of(doi)  # files of others may hold it as an address
        if plain and known.has_doi(plain):
            names[publication_id][0].add(plain)
        if pmid and known.has_pmid(pmid):
            names[publication_id][1].add(pmid)
    notices = ((i, known.find(sorted(dois), sorted(pmids))) for i, (dois, pmids) in names.items())
    return {publication_id: notice for publication_id, notice in notices if notice is not None}
