"""The knowledge bases of a workspace: a folder each, that is whole or not there."""

from __future__ import annotations

import os
import shutil
import uuid
from contextlib import suppress
from pathlib import Path
from threading import Lock

from core.errors import InputError, NotFoundError, QueryscapeError
from core.protocols import OnStage, silent
from data.collections.stored import checked_name
from data.files import disk_errors
from data.folders import put_in_place
from data.knowledge.base import FILE, About, KnowledgeBase
from data.knowledge.building.build import Built, build
from data.knowledge.parts import Parts
from data.knowledge.titles import keep_titles

ASIDE = ".part"
"""What the folder of one that is not whole yet is called."""
_writing: set[Path] = set()
"""Folders that this process is writing."""
INDEXED_AT_ONCE = 50_000
"""Entities from which the titles of a new knowledge base are indexed with it; else when one is first looked up."""


class KnowledgeBases:
    """What is in a workspace's folder of knowledge bases."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._opened: dict[str, tuple[int, KnowledgeBase]] = {}
        self._lock = Lock()

    def forget(self) -> None:
        """Close those that are open."""
        with self._lock:
            for _, base in self._opened.values():
                base.close()
            self._opened.clear()

    def names(self) -> tuple[str, ...]:
        """In alphabetical order."""
        return tuple(sorted(path.parent.name for path in self.root.glob(f"*/{FILE}") if path.parent.suffix != ASIDE))

    def list(self) -> tuple[About, ...]:
        """What each says of itself; one that can't be read is left out."""
        found = []
        for name in self.names():
            with suppress(QueryscapeError):
                found.append(self.open(name).about)
        return tuple(found)

    def open(self, name: str) -> KnowledgeBase:
        """One by its name. It stays open for the next who asks: don't close it."""
        self._check_there(name)
        with self._lock:
            try:
                state = os.stat(self.root / name / FILE).st_mtime_ns
            except FileNotFoundError as e:
                raise NotFoundError(f"{name} was replaced or deleted meanwhile: load the page again") from e
            kept = self._opened.get(name)
            if kept is None or kept[0] != state:
                if kept is not None:
                    kept[1].close()  # while it is open, DuckDB takes a new file in its place for the same one
                self._opened[name] = state, KnowledgeBase.open(self.root / name)
            return self._opened[name][1]

    def _check_there(self, name: str) -> None:
        names = self.names()
        if name not in names:
            has = f"there is {', '.join(names)}" if names else "there is none yet"
            raise NotFoundError(
                f'no knowledge base "{name[:80]}"; {has}. Bring one in: python -m dashboard get knowledge --from FOLDER'
            )

    def save(
        self,
        name: str,
        parts: Parts,
        *,
        origin: str,
        replace: bool = False,
        key: str | None = None,
        on_stage: OnStage = silent,
    ) -> Built:
        """Build one, all of it or nothing. `key`: what its content is known by; None: a new one."""
        name = checked_name(name, "knowledge base")
        if name.endswith(ASIDE):
            raise InputError(f'"{name}" ends in {ASIDE}, as what is still being written does: choose another name')
        folder = self.root / name
        if folder.exists() and not replace:
            raise InputError(
                f'there is a knowledge base "{name}" already: give this one another name (--name), or replace that '
                "one (--replace)"
            )
        aside = self.root / f"{name}.{uuid.uuid4().hex}{ASIDE}"
        with disk_errors(folder):
            self._take_killed_away()
            _writing.add(aside)
            try:
                aside.mkdir(parents=True)
                built = build(
                    aside / FILE, name, parts, {"origin": origin, "key": key or uuid.uuid4().hex[:16]}, on_stage
                )
                if built.n_entities >= INDEXED_AT_ONCE:
                    with KnowledgeBase.open(aside) as base:
                        keep_titles(base, on_stage)
                put_in_place(aside, folder, lambda: False)
            finally:
                shutil.rmtree(aside, ignore_errors=True)
                _writing.discard(aside)
        return built

    def _take_killed_away(self) -> None:
        """What a killed run left. Only one process has a workspace, so whatever it does not write itself is that."""
        for left in self.root.glob(f"*{ASIDE}"):
            if left not in _writing:
                shutil.rmtree(left, ignore_errors=True)

    def delete(self, name: str) -> None:
        """Take one away, also one that can't be read."""
        self._check_there(name)
        with self._lock:
            if kept := self._opened.pop(name, None):
                kept[1].close()
        with disk_errors(self.root / name):
            shutil.rmtree(self.root / name)
