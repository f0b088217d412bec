"""Copies of the demo workspace, one per visitor of a public demo, in folders that are deleted with the visit."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from core.protocols import OnStage, silent
from data.demo.loading import bring_demo
from data.explore.workspace import Workspace
from data.files import disk_errors
from data.public_demo import COPIES

ORIGINAL = "original"


class DemoCopies:
    """A folder of this process. Its lock ends with the process, so that the next one can delete what is left."""

    def __init__(self, parent: Path | None = None) -> None:
        parent = parent or Path(tempfile.gettempdir())
        delete_leftovers(parent)
        with disk_errors(parent):
            self.folder = Path(tempfile.mkdtemp(prefix=COPIES, dir=parent))
            self._lock = (self.folder / "lock").open("wb")
        _is_locked(self._lock.fileno())

    def build(self, on_stage: OnStage = silent) -> None:
        """Build the original. It is closed afterwards, and only ever copied."""
        with Workspace.open(self.folder / ORIGINAL) as workspace:
            bring_demo(workspace, on_stage)

    def open_copy(self) -> Workspace:
        root = self.folder / uuid4().hex
        with disk_errors(root):
            shutil.copytree(self.folder / ORIGINAL, root)
        return Workspace.open(root)

    def delete(self, root: Path) -> None:
        if root.parent == self.folder:
            shutil.rmtree(root, ignore_errors=True)

    def close(self) -> None:
        self._lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def size_of(root: Path) -> int:
    """Return the size of a folder in bytes."""
    total = 0
    for path in root.rglob("*"):
        with suppress(OSError):  # deleted meanwhile
            total += path.stat().st_size
    return total


def delete_leftovers(parent: Path) -> None:
    """Delete the folders of processes that ended without deleting them."""
    for folder in parent.glob(f"{COPIES}*"):
        if not _is_in_use(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_in_use(folder: Path) -> bool:
    try:
        with (folder / "lock").open("rb") as lock:
            return not _is_locked(lock.fileno())
    except FileNotFoundError:  # it is just being made, or was not completed
        return False
    except OSError:
        return True


def _is_locked(file: int) -> bool:
    """Lock an open file for this process; False: another process holds it. Windows locks open files by itself."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
