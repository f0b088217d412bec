"""What each file of a folder is, by its content, and which of them are documents and which are queries."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from core.errors import FileError, FormatError
from core.text import listed
from core.types import Ids
from data.collections.beir import JSON_LINES, sample
from data.collections.lines import TextFile
from data.collections.own import OWN_JSON, OWN_TABLE
from data.collections.paperlantern import PAPER_LANTERN
from data.collections.parts import SHOWN, Kind, Role
from data.collections.smart import SMART
from data.collections.stark import SPLIT, STARK, is_human
from data.collections.trec import COLUMNS, DOCUMENTS, JUDGMENTS, RUN, TOPICS

KINDS = (
    STARK,
    PAPER_LANTERN,
    JSON_LINES,
    DOCUMENTS,
    TOPICS,
    SMART,
    RUN,
    JUDGMENTS,
    OWN_TABLE,
    COLUMNS,
    OWN_JSON,
)
"""The first that fits; what is told by less comes later."""
MOST_FILES = 5_000
DEEPEST = 4
"""Folders below the one that is named."""
LONG_TEXT = 300
"""Characters of a text that is a document rather than a query, where nothing else tells."""
LOOKED_FOR = "documents (<doc>, .I or JSON lines), queries (<top>, .I, JSON lines or tables) and judgments (qrels)"
_NAMES: tuple[tuple[Role, frozenset[str]], ...] = (
    ("queries", frozenset({"query", "queries", "qry", "que", "topic", "topics", "question", "questions"})),
    ("documents", frozenset({"all", "doc", "docs", "document", "documents", "corpus", "collection", "passages"})),
)
_SAID = re.compile(r"readme|licen[cs]e|citation|notice|sha256sums", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A file and what it was taken for."""

    file: TextFile
    kind: Kind
    head: str
    """What was looked at."""


def files_of(where: Path) -> list[TextFile]:
    """Every file, in the order of names."""
    try:
        if where.is_file():
            return [TextFile.at(where)]
        if not where.is_dir():
            raise FileError(f"no folder or file {where}: check its name")
        found = [TextFile.at(path, where) for path in _below(where)]
    except (OSError, ValueError) as e:
        raise FileError(f"can't read {where} ({getattr(e, 'strerror', None) or e}): check that it is yours") from e
    return sorted(found, key=lambda file: file.name)


def _below(where: Path) -> Iterator[Path]:
    n = 0
    for folder, folders, names in os.walk(where):
        depth = len(Path(folder).relative_to(where).parts)
        folders[:] = sorted(f for f in folders if depth < DEEPEST and not f.startswith((".", "__")))
        for name in names:
            path = Path(folder) / name
            if name.startswith(".") or not path.is_file():
                continue
            n += 1
            if n > MOST_FILES:
                raise FileError(f"{where} holds more than {MOST_FILES:,} files: name the collection's own folder")
            yield path


def recognised(files: Sequence[TextFile]) -> tuple[list[Recognised], Ids]:
    """What each file is, and a note of those that are nothing of a collection."""
    known: list[Recognised] = []
    others: list[tuple[TextFile, str]] = []
    unread: list[str] = []
    for file in files:
        try:
            head = file.head()
        except FormatError as e:
            unread.append(str(e))
            continue
        kind = next((kind for kind in KINDS if head.strip() and kind.fits(head)), None)
        if kind is not None:
            known.append(Recognised(file, kind, head))
        else:
            others.append((file, head))
    if any(one.kind is STARK for one in known):
        splits = [Recognised(file, SPLIT, head) for file, head in others if _is_split(file, head)]
        known += splits
        others = [(file, head) for file, head in others if not any(one.file is file for one in splits)]
    if not known and len(files) == 1 and unread:
        raise FormatError(unread[0])
    unknown = [file.name for file, _ in others if not _SAID.match(PurePath(file.name).name)]
    return known, (*_left_out(unknown), *(f"left out: {reason}" for reason in unread[:SHOWN]))


def _left_out(names: Sequence[str]) -> Ids:
    if not names:
        return ()
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return (f"left out, as they hold neither documents, queries nor judgments: {', '.join(names[:5])}{more}",)


def _is_split(file: TextFile, head: str) -> bool:
    path = PurePath(file.name)
    return (path.suffix == ".index" or path.parent.name in ("split", "splits")) and SPLIT.fits(head)


def roles_of(known: Sequence[Recognised]) -> dict[str, Role]:
    """What the files hold that could hold either: by their names, by their content, by what else there is."""
    roles: dict[str, Role] = {}
    there = {one.kind.holds.split()[0] for one in known}
    open_still: list[Recognised] = []
    for one in known:
        if one.kind.holds == "either":
            if role := _by_name(one.file) or _by_content(one):
                roles[one.file.name] = role
                there.add(role)
            else:
                open_still.append(one)
    for one in sorted(open_still, key=lambda one: -one.file.n_bytes):
        role = "documents" if "documents" not in there and ("queries" in there or len(open_still) > 1) else "queries"
        if there.isdisjoint({"documents", "queries"}) and len(open_still) == 1:
            lines = [line for line in one.head.split("\n") if line.strip()]
            role = "documents" if sum(map(len, lines)) > LONG_TEXT * len(lines) else "queries"
        roles[one.file.name] = role
        there.add(role)
    return roles


def _by_name(file: TextFile) -> Role | None:
    said = set(re.split(r"[^a-z]+", PurePath(file.name).name.lower()))
    return next((role for role, names in _NAMES if said & names), None)


def _by_content(one: Recognised) -> Role | None:
    if one.kind is JSON_LINES:
        objects = sample(one.head)
        return "documents" if any("title" in found for found in objects) else None
    return "documents" if one.kind is SMART and "\n.T" in one.head else None


def check_one(where: Path, known: Sequence[Recognised], roles: Mapping[str, Role]) -> None:
    """An error for a folder of several collections."""
    asks = [one for one in known if holds(one, roles).startswith("queries") and one.kind is not SPLIT]
    folders = sorted({PurePath(one.file.name).parent.as_posix() for one in asks})
    if len(folders) > 1:
        shown = listed(folders[:SHOWN] + ([f"{len(folders) - SHOWN:,} more"] if len(folders) > SHOWN else []))
        raise FormatError(f"{where} holds queries in several folders ({shown}): name the folder of one collection")
    tables = [one.file.name for one in asks if one.kind is STARK and not is_human(one.file)]
    if len(tables) > 1:
        raise FormatError(
            f"{where} holds {len(tables)} tables of questions ({listed(tables[:SHOWN])}): name one of them"
        )


def holds(one: Recognised, roles: Mapping[str, Role]) -> str:
    """What a file holds, once it is settled for those that look alike."""
    return roles.get(one.file.name, one.kind.holds)


def sources(known: Sequence[Recognised], roles: Mapping[str, Role]) -> str:
    """Which files were taken for what, as a sentence says it."""
    parts = []
    for what in ("documents", "queries", "queries and judgments", "judgments"):
        names = [one.file.name for one in known if holds(one, roles) == what and one.kind not in (RUN, SPLIT)]
        if names:
            more = [f"{len(names) - SHOWN:,} more"] if len(names) > SHOWN else []
            parts.append(f"{what} in {listed(names[:SHOWN] + more)}")
    return "; ".join(parts) or "nothing of a collection"
