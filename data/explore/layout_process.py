"""UMAP in a separate process: its compiled loops hold Python's lock, which would block everyone else's pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.errors import QueryscapeError
from core.explore.landscape import fit_projection
from core.protocols import OnProgress
from core.settings import ProjectionSettings
from core.types import EmbeddedSet, Projection

FEWEST = 5_000
"""Number of publications from which the layout takes longer than starting a process and importing UMAP."""
COMMAND = (sys.executable, "-m", __name__)
LOWER_PRIORITY = 10
"""Nice value: pages are drawn first."""
VECTORS, POINTS = "vectors.npy", "points.npy"


def stage_of(settings: ProjectionSettings) -> str:
    """Return the words for the progress: the first layout of a process waits for UMAP's compilation, up to a minute."""
    is_slow = settings.method == "umap" and "umap" not in sys.modules
    return "computing the landscape (the first one takes longer)" if is_slow else "computing the landscape"


def lay_out(
    embedded: EmbeddedSet, settings: ProjectionSettings, *, projection_id: str, on_step: OnProgress | None = None
) -> Projection:
    """Lay out publications from scratch, like `fit_projection`; UMAP runs in a separate process if there are many."""
    if settings.method != "umap" or len(embedded) < FEWEST:
        return fit_projection(embedded, settings, projection_id=projection_id, on_step=on_step)
    with TemporaryDirectory(prefix="queryscape-") as folder:
        np.save(Path(folder, VECTORS), embedded.vectors)
        with _running(folder, settings) as process:
            assert process.stdout is not None
            for line in process.stdout:
                done, total = map(int, line.split("/"))
                if on_step is not None:
                    on_step(done, total)  # may raise to cancel the layout
            status = process.wait()
        if status:
            raise QueryscapeError(f"the landscape could not be computed (status {status}); see the server log")
        return Projection(embedded.ids, np.load(Path(folder, POINTS)), projection_id)


@contextmanager
def _running(folder: str, settings: ProjectionSettings) -> Iterator[subprocess.Popen[str]]:
    """Start a process that writes its progress, one line per step. It ends with the block."""
    command = [*COMMAND, folder, json.dumps(asdict(settings))]
    path = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": path})
    with process:
        try:
            yield process
        finally:
            process.kill()  # in case it is still running


def _report(done: int, total: int) -> None:
    sys.stdout.write(f"{done}/{total}\n")
    sys.stdout.flush()


def main(folder: str, settings: str) -> None:
    if hasattr(os, "nice"):
        os.nice(LOWER_PRIORITY)
    vectors = np.load(Path(folder, VECTORS), mmap_mode="r")
    ids = tuple(str(row) for row in range(len(vectors)))
    found = fit_projection(
        EmbeddedSet(ids, vectors, ""),
        ProjectionSettings(**json.loads(settings)),
        projection_id="",
        on_step=_report,
    )
    np.save(Path(folder, POINTS), found.points)


if __name__ == "__main__":
    main(*sys.argv[1:])
