"""Reading a collection: what each file of a folder is, by its content, and what all of them hold together.

folder -> files -> Kind of each (by its head) -> parts -> Gathering -> Collection
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from core.errors import FileError, FormatError
from core.ranking.types import Collection, Document
from core.text import listed
from core.types import Ids, unique_ids
from data.collections.beir import JSON_LINES, sample
from data.collections.lines import TextFile
from data.collections.paperlantern import PAPER_LANTERN
from data.collections.parts import SHOWN, Gathering, Kind, RejectedLine, Role
from data.collections.smart import SMART
from data.collections.stark import HUMAN, SPLIT, STARK, is_human, read_split
from data.collections.trec import COLUMNS, DOCUMENTS, JUDGMENTS, RUN, TOPICS
from data.importers.decoding import plain_name

KINDS = (STARK, PAPER_LANTERN, JSON_LINES, DOCUMENTS, TOPICS, SMART, RUN, JUDGMENTS, COLUMNS)
"""The first that fits; what is told by less comes later."""
MOST_FILES = 5_000
DEEPEST = 4
"""Folders below the one that is named."""
LONG_TEXT = 300
"""Characters of a text that is a document rather than a query, where nothing else tells."""
KNOWN_SPLITS = frozenset({"train", "dev", "val", "valid", "validation", "test"})
_LOOKED_FOR = "documents (<doc>, .I or JSON lines), queries (<top>, .I, JSON lines or tables) and judgments (qrels)"
_NAMES: tuple[tuple[Role, frozenset[str]], ...] = (
    ("queries", frozenset({"query", "queries", "qry", "que", "topic", "topics", "question", "questions"})),
    ("documents", frozenset({"all", "doc", "docs", "document", "documents", "corpus", "collection", "passages"})),
)
_SAID = re.compile(r"readme|licen[cs]e|citation|notice|sha256sums", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class ReadCollection:
    """A collection as its files have it."""

    collection: Collection
    notes: Ids
    """What a person should know of how it was read."""
    rejected: tuple[RejectedLine, ...]
    """What nothing could be made of: the first thousand, if there are more."""
    read_as: str = ""
    """Which files were taken for what."""


@dataclass(frozen=True, slots=True)
class _Known:
    file: TextFile
    kind: Kind
    head: str


def read_collection(where: Path, *, name: str | None = None) -> ReadCollection:
    """Everything in a folder, or in one file, that makes a collection. Without a query it is none."""
    files = _files(where)
    known, left_out = _recognised(files)
    if not known:
        found = ", ".join(file.name for file in files[:10]) or "nothing"
        raise FormatError(f"{where} holds no collection that Queryscape knows: looked for {_LOOKED_FOR}; found {found}")
    roles = _roles(known)
    _check_one(where, known, roles)
    gathering = Gathering()
    splits = _gather(known, roles, gathering)
    if not gathering.queries:
        there = _what(known, roles)
        raise FormatError(f"there are no queries in {where}: found {there}. Name the folder that holds them too")
    made = Collection(
        name or plain_name(where.resolve().name),
        tuple(gathering.documents.values()),
        tuple(gathering.queries.values()),
        tuple(gathering.judgments),
        _kept_splits(splits, gathering),
    )
    notes = (*_notes(known, made, gathering), *left_out)
    return ReadCollection(made, notes, tuple(gathering.rejected), _what(known, roles))


def read_documents(where: Path) -> tuple[Document, ...]:
    """The documents alone of a folder or file, which need hold no query."""
    known, _ = _recognised(_files(where))
    roles = _roles(known)
    if len(known) == 1 and known[0].kind.holds == "either":
        roles[known[0].file.name] = "documents"
    holding = [one for one in known if _holds(one, roles) == "documents"]
    gathering = Gathering()
    _gather(holding, roles, gathering)
    if not gathering.documents:
        raise FormatError(f"{where} holds no documents: name the folder that they lie in")
    return tuple(gathering.documents.values())


def _files(where: Path) -> list[TextFile]:
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


def _recognised(files: Sequence[TextFile]) -> tuple[list[_Known], Ids]:
    """What each file is, and a note of those that are nothing of a collection."""
    known: list[_Known] = []
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
            known.append(_Known(file, kind, head))
        else:
            others.append((file, head))
    if any(one.kind is STARK for one in known):
        splits = [_Known(file, SPLIT, head) for file, head in others if _is_split(file, head)]
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


def _roles(known: Sequence[_Known]) -> dict[str, Role]:
    """What the files hold that could hold either: by their names, by their content, by what else there is."""
    roles: dict[str, Role] = {}
    there = {one.kind.holds.split()[0] for one in known}
    open_still: list[_Known] = []
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


def _by_content(one: _Known) -> Role | None:
    if one.kind is JSON_LINES:
        objects = sample(one.head)
        return "documents" if any("title" in found for found in objects) else None
    return "documents" if one.kind is SMART and "\n.T" in one.head else None


def _check_one(where: Path, known: Sequence[_Known], roles: dict[str, Role]) -> None:
    """An error for a folder of several collections."""
    asks = [one for one in known if _holds(one, roles).startswith("queries") and one.kind is not SPLIT]
    folders = sorted({PurePath(one.file.name).parent.as_posix() for one in asks})
    if len(folders) > 1:
        shown = listed(folders[:SHOWN] + ([f"{len(folders) - SHOWN:,} more"] if len(folders) > SHOWN else []))
        raise FormatError(f"{where} holds queries in several folders ({shown}): name the folder of one collection")
    tables = [one.file.name for one in asks if one.kind is STARK and not is_human(one.file)]
    if len(tables) > 1:
        raise FormatError(
            f"{where} holds {len(tables)} tables of questions ({listed(tables[:SHOWN])}): name one of them"
        )


def _holds(one: _Known, roles: dict[str, Role]) -> str:
    return roles.get(one.file.name, one.kind.holds)


def _gather(known: Sequence[_Known], roles: dict[str, Role], gathering: Gathering) -> dict[str, Ids]:
    """All files, queries first so that a split can be told from them."""
    splits: dict[str, Ids] = {}
    lanterns = [one for one in known if one.kind is PAPER_LANTERN]
    tables = [one for one in known if one.kind is STARK]
    judged = [one for one in known if one.kind is JUDGMENTS]
    for one in known:
        if one.kind in (RUN, SPLIT):
            continue
        stem, prefix = PurePath(one.file.name).name.split(".")[0], ""
        human = one.kind is STARK and is_human(one.file)
        if one.kind is PAPER_LANTERN and len(lanterns) > 1:
            prefix = f"{stem}/"
        elif human and len(tables) > 1:
            prefix = f"{HUMAN}-"
        role: Role = roles.get(one.file.name, "queries")
        named = gathering.take(one.file, one.kind.read(one.file, role), prefix)
        in_qrels = PurePath(one.file.name).parent.name == "qrels" or stem.lower() in KNOWN_SPLITS
        if prefix or human or (one.kind is JUDGMENTS and (len(judged) > 1 or in_qrels)):
            splits[HUMAN if human else stem] = named
    for one in known:
        if one.kind is SPLIT:
            _take_split(one.file, gathering, splits, f"{HUMAN}-" if len(tables) > 1 else "")
    return splits


def _take_split(file: TextFile, gathering: Gathering, splits: dict[str, Ids], human_prefix: str) -> None:
    """The queries of a file of ids; "test-0.1.index" is the split "test-0.1"."""
    stem = PurePath(file.name).name.removesuffix(".index")
    human = HUMAN in stem.lower()
    prefix = human_prefix if human else ""
    ids: list[str] = []
    for line, own_id in read_split(file):
        if prefix + own_id in gathering.queries:
            ids.append(prefix + own_id)
        else:
            gathering.reject(file, line, f"there is no query “{own_id[:60]}”")
    splits[HUMAN if human else stem] = unique_ids(ids)


def _kept_splits(splits: dict[str, Ids], gathering: Gathering) -> dict[str, Ids]:
    """Without ids of queries that are not there, and in an order that does not hang on names."""
    order = ("train", "dev", "val", "valid", "validation", "test", "test-0.1", HUMAN)
    names = sorted(splits, key=lambda name: (order.index(name) if name in order else len(order), name))
    kept = {name: tuple(i for i in splits[name] if i in gathering.queries) for name in names}
    return {name: ids for name, ids in kept.items() if ids}


def _what(known: Sequence[_Known], roles: dict[str, Role]) -> str:
    parts = []
    for what in ("documents", "queries", "queries and judgments", "judgments"):
        names = [one.file.name for one in known if _holds(one, roles) == what and one.kind not in (RUN, SPLIT)]
        if names:
            more = [f"{len(names) - SHOWN:,} more"] if len(names) > SHOWN else []
            parts.append(f"{what} in {listed(names[:SHOWN] + more)}")
    return "; ".join(parts) or "nothing of a collection"


def _notes(known: Sequence[_Known], made: Collection, gathering: Gathering) -> Iterator[str]:
    if not made.documents:
        yield "there are no documents: the queries can be looked at, and retrieval needs the corpus beside them"
    if not made.judgments:
        yield "there are no judgments: retrievers can be run, and not be scored"
    for one in known:
        if one.kind is RUN:
            yield f"{one.file.name} is a run, no part of the collection: compare it with benchmark --run"
    yield from (note for one in known for note in one.file.notes)
    yield from gathering.notes
    if n := gathering.n_rejected:
        first = "; ".join(map(str, gathering.rejected[:SHOWN]))
        more = "; …" if n > SHOWN else ""
        yield f"nothing could be made of {n:,} {'line' if n == 1 else 'lines'}: {first}{more}"
