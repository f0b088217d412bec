"""Brings a knowledge base into the workspace: what a path holds is seen by its content."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileError, FormatError, InputError
from core.protocols import OnStage, silent
from core.types import Ids
from data.collections.parts import RejectedLine
from data.collections.stored import checked_name
from data.files import disk_errors
from data.knowledge.base import About
from data.knowledge.building.build import Built
from data.knowledge.catalogue import KnowledgeBases
from data.knowledge.loading.openalex import read_openalex
from data.knowledge.loading.openalex_files import openalex_files
from data.knowledge.loading.plain import plain_layout, read_plain
from data.knowledge.loading.rejecting import LeftOut
from data.knowledge.loading.shelves import is_zip, shelf_at
from data.knowledge.loading.stark import INFO, read_stark, stark_folders
from data.knowledge.parts import Parts

KNOWN = (
    "a processed folder or processed.zip of STaRK (node_info.pkl ...), tables entities.csv and relations.csv (or .tsv, "
    ".parquet), or works of OpenAlex as JSON"
)
ARCHIVE = "processed.zip"
"""What STaRK's downloads are called."""
_NO_NAMES = frozenset({"processed", "cache", "brand-category-color", "data", "works", "entities"})
"""Folders that say nothing of what is in them."""


@dataclass(frozen=True, eq=False)
class BroughtBase:
    """A knowledge base that is in the workspace now, and what was seen on the way."""

    about: About
    built: Built
    notes: tuple[str, ...]
    rejected: tuple[RejectedLine, ...]
    """Parts of files of which nothing was made; at most a thousand of them."""


def bring_knowledge(
    bases: KnowledgeBases,
    where: str,
    *,
    name: str | None = None,
    replace: bool = False,
    answers: Ids = (),
    on_stage: OnStage = silent,
) -> BroughtBase:
    """Read a knowledge base and keep it; all of it or nothing. `answers`: types that questions ask for."""
    path = _path(where)
    chosen = checked_name(name if name is not None else name_for(path), "knowledge base")
    _check_free(bases, chosen, replace)
    notes: list[str] = []
    left_out = LeftOut(notes)
    on_stage("looking at the files")
    parts = _read(path, left_out, notes, on_stage)
    if answers:
        parts.answer_types = answers
    built = bases.save(chosen, parts, origin=str(path), replace=replace, on_stage=on_stage)
    about = bases.open(chosen).about
    return BroughtBase(about, built, about.notes, tuple(left_out.lines))


def _path(where: str) -> Path:
    if "://" in where:
        raise InputError("knowledge bases are not fetched from the web: download the files and give their folder")
    path = Path(os.path.expanduser(where)).absolute()
    try:
        if not path.exists():
            raise FileError(f"no folder or file {path}: check its name")
    except (OSError, ValueError) as e:
        raise FileError(f"can't read {where[:200]} ({getattr(e, 'strerror', None) or e}): check its name") from e
    return path


def name_for(path: Path) -> str:
    """What a knowledge base is called that lies there: as the innermost folder whose name says something."""
    stem = path.name if path.is_dir() else path.name.partition(".")[0]
    names = [stem, *(parent.name for parent in path.parents)]
    return next((name for name in names if name and name.lower() not in _NO_NAMES), stem)


def _check_free(bases: KnowledgeBases, name: str, replace: bool) -> None:
    """Said before minutes of reading, not after."""
    if not replace and name in bases.names():
        raise InputError(
            f'there is a knowledge base "{name}" already: give this one another name (--name), or replace that one '
            "(--replace)"
        )


def _read(path: Path, left_out: LeftOut, notes: list[str], on_stage: OnStage) -> Parts:
    with disk_errors(path, FileError):
        if path.is_dir() or is_zip(path):
            shelf = shelf_at(path)
            if stark_folders(shelf):
                return read_stark(shelf, notes, on_stage)
        if path.is_file() and path.name == INFO:
            return _read(path.parent, left_out, notes, on_stage)
        if is_zip(path / ARCHIVE):
            return _read(path / ARCHIVE, left_out, notes, on_stage)
        if layout := plain_layout(path):
            return read_plain(layout, left_out, notes)
        if files := openalex_files(path):
            root = path if path.is_dir() else path.parent
            return read_openalex(files, root, left_out, notes)
    raise FormatError(f"{path.name} is no knowledge base that Queryscape knows; it reads {KNOWN}")
