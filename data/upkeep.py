"""Check a workspace: its store, vectors, indexes, knowledge bases and leftovers; and repair what can be repaired."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from core.errors import CorruptStoreError, NotFoundError, QueryscapeError, StoreInUseError
from core.protocols import OnStage, silent
from core.text import many
from data.copies import copies, is_readable, restore_newest
from data.digests import SUFFIX, damaged_blocks, digests_of, read_digests, record_digests
from data.explore.workspace import Workspace
from data.files import ABOUT, WorkspacePaths, disk_errors, is_sound
from data.knowledge.titles import FOLDER as TITLES
from data.library.retractions import load_retractions
from data.log import log_damage, log_of
from data.models.embedders import EMBEDDERS
from data.parts import parts_without_owner, remove_parts
from data.query.mesh import load_mesh

AREAS = (
    "store",
    "cached results",
    "vectors",
    "models",
    "indexes",
    "knowledge bases",
    "other files",
    "copies",
    "orphans",
)
Repair = Literal["remove", "embed", "drop result", "rewrite digests", "store", "none"]
"""How `repair_workspace` removes a problem."""
AT_ONCE = 200
"""Cached results that are read at once."""
DAMAGED = ".damaged"
"""Suffix of the files that a repair sets aside."""


@dataclass(frozen=True, slots=True)
class WorkspaceProblem:
    area: str
    place: str
    """A path relative to the workspace, or the name of a table or a key."""
    problem: str
    remedy: str
    repair: Repair = "none"


@dataclass(frozen=True, slots=True)
class WorkspaceCheck:
    folder: Path
    n_checked: dict[str, int]
    """By area, in the order of `AREAS`."""
    problems: tuple[WorkspaceProblem, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorkspaceRepair:
    folder: Path
    repaired: tuple[str, ...]
    problems: tuple[WorkspaceProblem, ...]
    """The problems that are left."""


@dataclass(slots=True)
class _Checking:
    paths: WorkspacePaths
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(AREAS, 0))
    problems: list[WorkspaceProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, area: str, n: int = 1) -> None:
        self.counts[area] += n

    def report(self, area: str, place: Path | str, problem: str, remedy: str, repair: Repair = "none") -> None:
        shown = place.relative_to(self.paths.root).as_posix() if isinstance(place, Path) else place
        self.problems.append(WorkspaceProblem(area, shown, problem, remedy, repair))


def check_workspace(data_dir: Path | None = None, *, on_stage: OnStage = silent) -> WorkspaceCheck:
    """Check everything in a workspace. Nothing is changed, but files that have no digests get them."""
    paths = existing(data_dir)
    checking = _Checking(paths)
    if n := len(parts_without_owner(paths.root)):
        checking.notes.append(f"{many(n, 'unfinished file')} of processes that have ended: removed at the next open")
    try:
        workspace = Workspace.open(paths.root)
    except StoreInUseError:
        raise
    except QueryscapeError as e:
        checking.count("store")
        checking.report("store", paths.store, str(e), _store_remedy(paths), "store")
    else:
        with workspace:
            for stage, check in _WITH_STORE.items():
                on_stage(stage)
                with _reported(checking, stage):
                    check(workspace, checking)
    for stage, check_files in _WITHOUT_STORE.items():
        on_stage(stage)
        check_files(paths, checking)
    return WorkspaceCheck(paths.root, checking.counts, tuple(checking.problems), tuple(checking.notes))


def existing(data_dir: Path | None) -> WorkspacePaths:
    """Return the paths of a workspace that exists."""
    paths = WorkspacePaths.of(data_dir)
    if not paths.store.exists():
        raise NotFoundError(f"there is no workspace in {paths.root}: choose its folder with --data-dir")
    return paths


@contextmanager
def _reported(checking: _Checking, area: str) -> Iterator[None]:
    """Report an error that ends the check of an area, so that the others are still checked."""
    try:
        yield
    except CorruptStoreError as e:
        checking.report(area, checking.paths.store, str(e), _store_remedy(checking.paths), "store")


def _store_remedy(paths: WorkspacePaths) -> str:
    if log_damage(paths.store) is not None:
        return "run queryscape workspace repair: it opens the store without the changes that can't be read"
    return "run queryscape workspace repair --from-copy: it restores the newest copy that can be read"


# The parts of a workspace that its store lists


def _check_store(workspace: Workspace, checking: _Checking) -> None:
    store = workspace.store
    for (name,) in store.rows("SELECT table_name FROM duckdb_tables() ORDER BY table_name"):
        checking.count("store")
        try:
            store.rows(f'SELECT bit_xor(hash(t)) FROM "{name}" AS t')
        except CorruptStoreError as e:
            checking.report("store", f"table {name}", str(e), _store_remedy(checking.paths), "store")


def _check_results(workspace: Workspace, checking: _Checking) -> None:
    store = workspace.store
    keys = [key for (key,) in store.rows("SELECT key FROM remembered ORDER BY key")]
    for start in range(0, len(keys), AT_ONCE):
        found = store.rows(
            "SELECT key, document::VARCHAR, arrays FROM remembered WHERE key IN (SELECT unnest($keys::VARCHAR[]))",
            {"keys": keys[start : start + AT_ONCE]},
        )
        for key, document, arrays in found:
            checking.count("cached results")
            if not _is_readable(document, arrays):
                checking.report(
                    "cached results", key, "can't be read", "repair drops it; it is computed again", "drop result"
                )


def _is_readable(document: str, arrays: bytes | None) -> bool:
    try:
        json.loads(document)
        if arrays is not None and arrays.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(arrays)) as archive:
                return archive.testzip() is None
    # Zip readers fail on damaged files in many ways.
    except Exception:
        return False
    return True


def _check_vectors(workspace: Workspace, checking: _Checking) -> None:
    n_new = 0
    for file in workspace.catalogue.files():
        checking.count("vectors")
        if not file.is_whole():
            built_in = file.embedder in EMBEDDERS
            remedy = (
                "repair embeds the publications again"
                if built_in
                else f'embed again with "{file.embedder}", or load the vectors again with queryscape vectors'
            )
            problem = "missing" if not file.path.exists() else "damaged"
            checking.report("vectors", file.path, problem, remedy, "embed" if built_in else "none")
            continue
        n_new += _with_digests(file.path, "vectors", checking, writes=not workspace.store.is_read_only)
    if n_new:
        checking.notes.append(f"{many(n_new, 'file')} from before digests: recorded now")


def _with_digests(path: Path, area: str, checking: _Checking, *, writes: bool) -> int:
    """Write the digests that are missing, and report those that can't be read. Return how many were written."""
    if read_digests(path) is not None or not writes:
        return 0
    if digests_of(path).exists():
        checking.report(area, digests_of(path), "can't be read", "repair writes it again", "rewrite digests")
        return 0
    with suppress(QueryscapeError):
        record_digests(path)
        return 1
    return 0


def _check_knowledge(workspace: Workspace, checking: _Checking) -> None:
    for name in workspace.knowledge.names():
        checking.count("knowledge bases")
        folder = workspace.paths.knowledge / name
        try:
            workspace.knowledge.open(name).check()
        except QueryscapeError as e:
            checking.report(
                "knowledge bases", folder, str(e), "import it again with queryscape get knowledge --replace"
            )
        if (folder / TITLES).is_dir() and not is_sound(folder / TITLES):
            checking.report(
                "knowledge bases", folder / TITLES, "damaged", "repair removes it; it is built again", "remove"
            )


def _check_orphans(workspace: Workspace, checking: _Checking) -> None:
    """Look for files that no row names: left by a run that was killed between a row and its file."""
    paths = workspace.paths
    listed = {file.path for file in workspace.catalogue.files()}
    runs = {run_id for (run_id,) in workspace.store.rows("SELECT run_id FROM live_runs")}
    models = {f"{name}.npz" for (name,) in workspace.store.rows("SELECT embedding_id FROM embeddings")}
    for path in sorted(paths.vectors.glob("*/*")):
        if path.name.endswith((".npy", f".npy{SUFFIX}")):
            checking.count("orphans")
            if path.with_name(path.name.removesuffix(SUFFIX)) not in listed:
                checking.report("orphans", path, "no row names it", "repair removes it", "remove")
    for path in sorted(paths.models.glob("*.npz*")):
        if path.name.endswith((".npz", f".npz{SUFFIX}")):
            checking.count("orphans")
            if path.name.removesuffix(SUFFIX) not in models:
                checking.report("orphans", path, "no row names it", "repair removes it", "remove")
    for path in sorted((paths.root / "sources").glob("*")):
        checking.count("orphans")
        if path.name not in runs:
            checking.report("orphans", path, "no row names it", "repair removes it", "remove")


# The parts that need no store


def _check_models(paths: WorkspacePaths, checking: _Checking) -> None:
    for path in sorted(paths.models.glob("*.npz")):
        checking.count("models")
        if damaged_blocks(path):
            checking.report("models", path, "damaged", "repair removes it, and embeds the topic again", "embed")


def _check_indexes(paths: WorkspacePaths, checking: _Checking) -> None:
    remedy = "repair removes it; it is built again when it is needed"
    folders = [*paths.index("").glob("*"), *paths.retrieval("").glob("*/*")]
    for folder in sorted(folder for folder in folders if folder.is_dir() and folder.suffix != ".part"):
        checking.count("indexes")
        files = [path for path in folder.rglob("*") if digests_of(path).exists()]
        is_whole = not any(damaged_blocks(path) for path in files) if files else is_sound(folder)
        if not is_whole and (files or (folder / ABOUT).exists()):
            checking.report("indexes", folder, "damaged", remedy, "remove")


def _check_lists(paths: WorkspacePaths, checking: _Checking) -> None:
    readers: dict[Path, tuple[Callable[[WorkspacePaths], object], str]] = {
        paths.mesh: (load_mesh, "run queryscape get mesh --replace"),
        paths.retractions: (load_retractions, "run queryscape get retractions"),
    }
    for path, (read, remedy) in readers.items():
        if path.exists():
            checking.count("other files")
            try:
                read(paths)
            except QueryscapeError as e:
                checking.report("other files", path, str(e), remedy)


def _check_copies(paths: WorkspacePaths, checking: _Checking) -> None:
    found = copies(paths)
    for copy in found:
        checking.count("copies")
        if not is_readable(copy):
            checking.report("copies", copy, "can't be read", "repair removes it", "remove")
    if found:
        checking.notes.append(f"the newest copy of the store is {found[0].relative_to(paths.root).as_posix()}")


_WITH_STORE: dict[str, Callable[[Workspace, _Checking], None]] = {
    "store": _check_store,
    "cached results": _check_results,
    "vectors": _check_vectors,
    "knowledge bases": _check_knowledge,
    "orphans": _check_orphans,
}
_WITHOUT_STORE: dict[str, Callable[[WorkspacePaths, _Checking], None]] = {
    "models": _check_models,
    "indexes": _check_indexes,
    "other files": _check_lists,
    "copies": _check_copies,
}


# Repair


def repair_workspace(
    data_dir: Path | None = None, *, from_copy: bool = False, on_stage: OnStage = silent
) -> WorkspaceRepair:
    """Remove orphans and leftovers, rebuild what can be built again, and list what is left.

    A damaged log is set aside, and the store opens with the changes before the damage. `from_copy`: if the store can't
    be read, restore the newest copy that can.
    """
    paths = existing(data_dir)
    repaired = list(_repaired_log(paths))
    if from_copy and any(problem.repair == "store" for problem in check_workspace(paths.root).problems):
        copy, moved = restore_newest(paths, _set_aside)
        repaired.append(f"restored {copy.name}; the damaged store is kept as {moved.name}")
    if n := remove_parts(paths.root):
        repaired.append(f"removed {many(n, 'unfinished file')} of processes that have ended")
    found = check_workspace(paths.root, on_stage=on_stage)
    kept = [problem for problem in found.problems if problem.repair in ("none", "store")]
    todo = [problem for problem in found.problems if problem not in kept]
    in_store = [problem for problem in todo if problem.repair in ("embed", "drop result")]
    with Workspace.open(paths.root) if in_store else nullcontext() as workspace:
        for problem in todo:
            on_stage(f"repairing {problem.place}")
            try:
                repaired.append(_repaired(paths, workspace, problem))
            except QueryscapeError as e:
                kept.append(WorkspaceProblem(problem.area, problem.place, problem.problem, str(e)))
    return WorkspaceRepair(paths.root, tuple(dict.fromkeys(repaired)), tuple(kept))


def _repaired_log(paths: WorkspacePaths) -> Iterator[str]:
    """Set a log aside that can't be replayed, and keep its sound beginning."""
    log = log_of(paths.store)
    damage = log_damage(paths.store)
    if damage is None:
        try:
            Workspace.open(paths.root).close()
            return
        except CorruptStoreError:
            if not log.exists() or not log.stat().st_size:
                return
    with disk_errors(log):
        aside = _free_name(log)
        shutil.copyfile(log, aside)
        kept = 0 if damage is None else damage.at
        os.truncate(log, kept)
        if not kept:
            log.unlink()
    yield (
        f"opened the store without the last changes, because its log is damaged at byte {kept:,} of "
        f"{aside.stat().st_size:,}: what was changed after that is lost; the log is kept as {aside.name}"
    )


def _set_aside(path: Path) -> Path:
    return path.rename(_free_name(path))


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}{DAMAGED}{number or ''}") for number in range(1_000_000))
    return next(name for name in names if not name.exists())


def _repaired(paths: WorkspacePaths, workspace: Workspace | None, problem: WorkspaceProblem) -> str:
    path = paths.root / problem.place
    if workspace is not None and problem.repair == "drop result":
        workspace.store.execute("DELETE FROM remembered WHERE key = ?", [problem.place])
        return f"dropped the cached result {problem.place}"
    if workspace is not None and problem.repair == "embed":
        return _embedded_again(workspace, problem, path)
    if problem.repair == "rewrite digests":
        record_digests(path.with_name(path.name.removesuffix(SUFFIX)))
        return f"wrote {problem.place} again"
    with disk_errors(path):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return f"removed {problem.place} ({problem.problem})"


def _embedded_again(workspace: Workspace, problem: WorkspaceProblem, path: Path) -> str:
    """Embed the publications of a damaged file again, or those of a damaged model."""
    catalogue = workspace.catalogue
    files = [file for file in catalogue.files() if path in (file.path, _model_of(workspace.paths, file.path))]
    if path.parent == workspace.paths.models:
        path.unlink(missing_ok=True)
    for file in files:
        catalogue.drop_file(file)
    topics = {(file.topic_id, file.embedder) for file in files if file.topic_id is not None}
    for topic_id, embedder in sorted(topics):
        workspace.embed(topic_id, embedder)
    for file in files:
        for left in (file.path, digests_of(file.path)):
            with suppress(OSError):
                left.unlink(missing_ok=True)
    return f"embedded the publications of {problem.place} again"


def _model_of(paths: WorkspacePaths, vectors: Path) -> Path:
    return paths.models / f"{vectors.parent.name}.npz"
