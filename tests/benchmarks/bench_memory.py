"""The most memory that 700,000 documents take to be indexed and searched, each retriever in a process of its own.

python -m tests.benchmarks.bench_memory [RETRIEVER ...]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from core.collections import Collection
from core.protocols import silent
from core.retrieval.specs import read_spec
from data.files import WorkspacePaths
from data.retrieval.collections import RetrievalCorpus
from data.retrieval.retrievers import open_retriever
from tests.benchmarks import made_up

N = 700_000
SPECS = ("bm25", "bm25:k1=0.9,b=0.4", "boolean")
LIMIT = 4e9
CHILD = "--measure"


def peak() -> float:
    """The most bytes that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def measure(spec_text: str) -> dict[str, float]:
    """Made, indexed and searched in this process."""
    start = time.perf_counter()
    collection = Collection("made up", tuple(made_up.documents(N)), (), ())
    found = {"made": time.perf_counter() - start, "documents": peak()}
    queries = made_up.queries(50, n_words=2 if spec_text == "boolean" else 8)
    with tempfile.TemporaryDirectory() as folder:
        opened = open_retriever(
            RetrievalCorpus.of(collection, WorkspacePaths(Path(folder))), read_spec(spec_text), silent
        )
        found |= {"index": opened.index_seconds or 0.0, "indexed": peak(), "bytes": opened.index_bytes or 0.0}
        times = []
        for query in queries:
            start = time.perf_counter()
            opened.retriever.search(query, 100)
            times.append((time.perf_counter() - start) * 1e3)
    return found | {"searched": peak(), "p50": float(np.median(times))}


def main(specs: list[str]) -> None:
    print(f"{N:,} documents of {made_up.N_WORDS} words; the most memory in GB, at most {LIMIT / 1e9:.0f} wanted\n")
    heads = ("documents", "indexed", "searched", "index, s", "GB on disk", "p50, ms")
    print(f"{'retriever':<20}" + "".join(f"{head:>12}" for head in heads))
    for spec in specs or SPECS:
        command = [sys.executable, "-m", "tests.benchmarks.bench_memory", CHILD, spec]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{spec:<20} failed: {done.stderr.strip().splitlines()[-1:]}")
            continue
        found = json.loads(done.stdout)
        memory = [found[when] / 1e9 for when in ("documents", "indexed", "searched")]
        says = "" if memory[-1] * 1e9 <= LIMIT else "  TOO MUCH"
        numbers = [f"{gb:.2f}" for gb in memory]
        numbers += [f"{found['index']:.1f}", f"{found['bytes'] / 1e9:.2f}", f"{found['p50']:.1f}"]
        print(f"{spec:<20}" + "".join(f"{number:>12}" for number in numbers) + says, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == [CHILD]:
        print(json.dumps(measure(sys.argv[2])))
    else:
        main(sys.argv[1:])
