"""A made-up knowledge base of MAG's shape: loading, its file, reopening, the seven templates, a hub.

python -m tests.benchmarks.bench_knowledge FOLDER

FOLDER takes 1.4 GB of files as STaRK publishes them (made once, kept) and 1 GB of the knowledge base. Answers are
compared with those of a direct adjacency (scipy CSR); that they are equal is asserted, times are printed.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from core.knowledge.entities import Rows
from core.knowledge.templates import Leg, Template
from data.explore.workspace import Workspace
from data.knowledge.base import FILE, KnowledgeBase
from data.knowledge.loaders import bring_knowledge
from data.knowledge.pickles import read_tensor
from data.knowledge.stark import MAG_RELATIONS, MAG_TYPES
from data.knowledge.templates import templates_of
from tests.benchmarks import made_up_mag

N_ANCHORS = 30
Adjacency = Mapping[tuple[str, str], Any]
"""Neighbours of every entity, by relation and direction."""


def load(files: Path, into: Path) -> None:
    """In a process of its own, so that its memory is seen; stages on standard error, figures on standard output."""
    start, stages = time.perf_counter(), []

    def on_stage(stage: str) -> Callable[[int, int], None]:
        stages.append((round(time.perf_counter() - start, 1), stage))
        return lambda done, total: None

    with Workspace.open(into) as workspace:
        brought = bring_knowledge(workspace.knowledge, str(files), name="mag", replace=True, on_stage=on_stage)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    seconds, processors = time.perf_counter() - start, time.process_time()
    found = {"seconds": seconds, "of all processors": processors, "peak, GB": peak, "stages": stages}
    print(json.dumps({**found, "entities": brought.built.n_entities, "relations": brought.built.n_relations}))


def adjacency(files: Path) -> Adjacency:
    """Straight from the files."""
    with (files / "edge_index.pt").open("rb") as index, (files / "edge_types.pt").open("rb") as kinds:
        ends, numbers = read_tensor(index, "edge_index.pt"), read_tensor(kinds, "edge_types.pt")
    n = int(ends.max()) + 1
    found = {}
    for number, name in MAG_RELATIONS.items():
        sources, targets = ends[:, numbers == number]
        made = csr_array((np.ones(len(sources), dtype=np.int8), (sources, targets)), shape=(n, n))
        found[name, "forward"], found[name, "back"] = made, made.T.tocsr()
    return found


def walked(leg: Leg, starts: Sequence[int], by: Adjacency) -> Rows:
    """Where a leg leads, by looking up neighbours one after the other."""
    here = np.array(starts, dtype=np.int64)
    for step in leg.steps:
        (relation,) = step.relations
        made = by[relation, step.direction]
        parts = [made.indices[made.indptr[row] : made.indptr[row + 1]] for row in here]
        here = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *parts]))
    return here


def answered(template: Template, given: Mapping[str, Sequence[int]], by: Adjacency) -> Rows:
    """What meets every leg, without what was given."""
    found = None
    for leg in template.legs:
        reached = walked(leg, given[leg.slot or ""], by)
        found = reached if found is None else np.intersect1d(found, reached)
    assert found is not None
    return np.setdiff1d(found, np.concatenate([np.array(rows) for rows in given.values()]))


def anchors(template: Template, base: KnowledgeBase, by: Adjacency, seed: int, *, by_answer: bool) -> Any:
    """What fills the blanks: entities at random, or from a random answer back, which prefers hubs as questions do."""
    rng = np.random.default_rng(seed)
    for _ in range(N_ANCHORS):
        given = {slot: [int(rng.choice(base.types[kind].rows))] for slot, kind in template.slots.items()}
        if by_answer:
            answer = int(rng.choice(base.types[template.answer_type].rows))
            for leg in template.legs:
                if len(start := _back(leg, answer, by)):
                    given[leg.slot or ""] = [int(rng.choice(start))]
        yield given


def _back(leg: Leg, answer: int, by: Adjacency) -> Rows:
    here = np.array([answer])
    for step in reversed(leg.steps):
        made = by[step.relations[0], "back" if step.direction == "forward" else "forward"]
        here = np.unique(np.concatenate([made.indices[made.indptr[row] : made.indptr[row + 1]] for row in here[:50]]))
        if not len(here):
            break
    return here


def timed(template: Template, base: KnowledgeBase, by: Adjacency, *, by_answer: bool) -> npt.NDArray[np.float64]:
    """Milliseconds and number of answers of each question; the answers are those of the adjacency."""
    found = []
    for given in anchors(template, base, by, 1, by_answer=by_answer):
        start = time.perf_counter()
        rows = base.answers(template, given)
        found.append(((time.perf_counter() - start) * 1e3, len(rows)))
        np.testing.assert_array_equal(rows, answered(template, given, by))
    return np.array(found)


def hub(base: KnowledgeBase, by: Adjacency) -> None:
    """What a page does that opens the institution with most authors: counts, first neighbours, text."""
    made = by[MAG_RELATIONS[0], "back"]
    row = int(np.argmax(np.diff(made.indptr)))
    for again in ("first", "again"):
        start = time.perf_counter()
        counts = base.neighbour_counts(row)
        for count in counts:
            base.neighbours(row, count.relation, count.direction, count.type)
        base.text(row)
        print(f"hub ({sum(c.n for c in counts):,} neighbours), {again}: {time.perf_counter() - start:.3f} s")


def main(folder: Path) -> None:
    """Make the files where they are not there, load, measure."""
    files, into = folder / "mag", folder / "workspace"
    if not (files / "node_info.pkl").exists():
        start = time.perf_counter()
        made_up_mag.write(files)
        print(f"files made in {time.perf_counter() - start:.0f} s")
    command = [sys.executable, "-m", "tests.benchmarks.bench_knowledge", "load", str(files), str(into)]
    loaded = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for what, value in loaded.items():
        print(f"{what}: {value}")
    place = into / "knowledge/mag"
    whole = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    print(f"file: {(place / FILE).stat().st_size / 1e6:,.0f} MB; with the index of titles {whole / 1e6:,.0f} MB")
    start = time.perf_counter()
    base = KnowledgeBase.open(place)
    assert tuple(base.types) == tuple(MAG_TYPES.values())
    print(f"opened in {time.perf_counter() - start:.3f} s")
    by = adjacency(files)
    print(f"{'template':<24}{'p50, ms':>9}{'p95, ms':>9}{'answers':>9} | from an answer back: the same")
    for template in templates_of(base)[:7]:
        cells = ""
        for by_answer in (False, True):
            measured = timed(template, base, by, by_answer=by_answer)
            p50, p95 = np.percentile(measured[:, 0], [50, 95])
            cells += f"{p50:>9.1f}{p95:>9.1f}{np.median(measured[:, 1]):>9,.0f} | "
        print(f"{template.template_id:<24}{cells}")
    hub(base, by)


if __name__ == "__main__":
    if sys.argv[1] == "load":
        load(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(Path(sys.argv[1]))
