"""Reading a collection: what each file of a folder is, by its content, and what all of them hold together.

folder -> files -> Kind of each (by its head) -> parts -> Gathering -> Collection
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from core.errors import FormatError
from core.ranking.check import Collection, Document
from core.types import Ids, unique_ids
from data.collections.lines import TextFile
from data.collections.own import OWN_JSON, OWN_TABLE
from data.collections.paperlantern import PAPER_LANTERN
from data.collections.parts import SHOWN, Gathering, RejectedLine, Role
from data.collections.recognising import (
    LOOKED_FOR,
    Recognised,
    check_one,
    files_of,
    holds,
    recognised,
    roles_of,
    sources,
)
from data.collections.stark import HUMAN, SPLIT, STARK, is_human, read_split
from data.collections.trec import JUDGMENTS, RUN
from data.importers.decoding import plain_name

LISTS = (PAPER_LANTERN, OWN_TABLE, OWN_JSON)
"""Lists of queries that number theirs each for itself: of several, each is a split."""
KNOWN_SPLITS = frozenset({"train", "dev", "val", "valid", "validation", "test"})


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


def read_collection(where: Path, *, name: str | None = None) -> ReadCollection:
    """Everything in a folder, or in one file, that makes a collection. Without a query it is none."""
    files = files_of(where)
    known, left_out = recognised(files)
    if not known:
        found = ", ".join(file.name for file in files[:10]) or "nothing"
        raise FormatError(f"{where} holds no collection that Queryscape knows: looked for {LOOKED_FOR}; found {found}")
    roles = roles_of(known)
    check_one(where, known, roles)
    gathering = Gathering()
    splits = _gather(known, roles, gathering)
    if not gathering.queries:
        if gathering.rejected and any(holds(one, roles).startswith("queries") for one in known):
            raise FormatError(f"no query could be read in {where}: {_rejections(gathering)}")
        there = sources(known, roles)
        raise FormatError(f"there are no queries in {where}: found {there}. Name the folder that holds them too")
    made = Collection(
        name or plain_name(where.stem if where.is_file() else where.resolve().name),
        tuple(gathering.documents.values()),
        tuple(gathering.queries.values()),
        tuple(gathering.judgments),
        _kept_splits(splits, gathering),
    )
    notes = (*_notes(known, gathering), *left_out)
    return ReadCollection(made, notes, tuple(gathering.rejected), sources(known, roles))


def read_documents(where: Path) -> tuple[Document, ...]:
    """The documents alone of a folder or file, which need hold no query."""
    known, _ = recognised(files_of(where))
    roles = roles_of(known)
    if len(known) == 1 and known[0].kind.holds == "either":
        roles[known[0].file.name] = "documents"
    holding = [one for one in known if holds(one, roles) == "documents"]
    gathering = Gathering()
    _gather(holding, roles, gathering)
    if not gathering.documents:
        raise FormatError(f"{where} holds no documents: name the folder that they lie in")
    return tuple(gathering.documents.values())


def _gather(known: Sequence[Recognised], roles: Mapping[str, Role], gathering: Gathering) -> dict[str, Ids]:
    """All files, queries first so that a split can be told from them."""
    splits: dict[str, Ids] = {}
    lists = [one for one in known if one.kind in LISTS]
    tables = [one for one in known if one.kind is STARK]
    judged = [one for one in known if one.kind is JUDGMENTS]
    for one in known:
        if one.kind in (RUN, SPLIT):
            continue
        stem, prefix = PurePath(one.file.name).name.split(".")[0], ""
        human = one.kind is STARK and is_human(one.file)
        if one.kind in LISTS and len(lists) > 1:
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


def _notes(known: Sequence[Recognised], gathering: Gathering) -> Iterator[str]:
    for one in known:
        if one.kind is RUN:
            yield f"{one.file.name} is a run, no part of the collection: compare it with benchmark --run"
    yield from (note for one in known for note in one.file.notes)
    yield from gathering.notes
    if gathering.n_rejected:
        yield _rejections(gathering)


def _rejections(gathering: Gathering) -> str:
    n, first = gathering.n_rejected, "; ".join(map(str, gathering.rejected[:SHOWN]))
    return f"nothing could be made of {n:,} {'line' if n == 1 else 'lines'}: {first}{'; …' if n > SHOWN else ''}"
