"""Live runs against a server that answers at once: records a second, and the most memory that they take.

python -m tests.benchmarks.bench_sources [RECORDS ...]

The server runs in a process of its own and each run in another one. The bare client sends the very same requests with
httpx and only reads the JSON or XML of the answers: it cleans nothing and keeps nothing.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import httpx

from core.protocols import OnProgress
from core.sources.source_forms import Form, PreparedSearch, SourceId
from data.explore.workspace import Workspace
from data.sources.fetch import go_on, plan_prepared
from data.sources.registry import open_source
from data.sources.runs import live_pages
from data.sources.types import SentRequest

TOP = Path(__file__).parents[2]
TEXTS: dict[SourceId, str] = {
    "openalex": "title_and_abstract.search:everything",
    "pubmed": "everything",
    "europepmc": "everything",
}
MEASURE = "--measure"
MORE = 1.4
"""Works that the server holds, for each record that is fetched: not every work is in PubMed."""


@contextmanager
def serving(n: int) -> Iterator[dict[str, str]]:
    """A server over so many made-up works; the variables that make Queryscape use it."""
    command = [
        sys.executable,
        str(TOP / "tests/data/sources/fake_sources/serve.py"),
        "--n",
        str(n),
        "--dollars",
        "1000000",
    ]
    with subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            said = dict[str, str]()
            while "DIMENSIONS_API_KEY" not in said:
                name, _, value = server.stdout.readline().removeprefix("export ").strip().partition("=")
                said[name] = value
            yield said
        finally:
            server.terminate()
            server.communicate()


def megabytes() -> float:
    """The most that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def bare(requests: Sequence[SentRequest], key: str) -> float:
    """Seconds that the same requests take a client that does nothing else."""
    begin = time.perf_counter()
    with httpx.Client() as client:
        for sent in requests:
            body = dict(parse_qsl(sent.body, keep_blank_values=True)) if sent.body else None
            split = urlsplit(sent.address)
            params = dict(parse_qsl(split.query, keep_blank_values=True)) | ({"api_key": key} if key else {})
            address = sent.address.partition("?")[0]
            answer = client.request(sent.method, address, params=params, data=body)
            answer.raise_for_status()
            json.loads(answer.content) if answer.content[:1] in b"{[" else ElementTree.fromstring(answer.content)
    return time.perf_counter() - begin


def measure(source_id: SourceId, n: int, key: str) -> dict[str, float]:
    """One run in this process: seconds and megabytes of each part."""
    marks: dict[str, tuple[float, float, float]] = {}

    def on_stage(stage: str) -> OnProgress:
        marks[stage.split()[0]] = time.perf_counter(), megabytes(), time.process_time()
        return lambda done, total: None

    with TemporaryDirectory() as folder, Workspace.open(Path(folder)) as workspace:
        source = open_source(source_id, store=workspace.store, sleep=lambda seconds: None)
        prepared = PreparedSearch(source_id, "pubmed", TEXTS[source_id], (Form(0, TEXTS[source_id]),))
        run = plan_prepared(workspace, "made up", source, TEXTS[source_id], prepared, most=n)
        run = go_on(workspace, run.run_id, source, on_stage=on_stage)
        end = time.perf_counter(), megabytes(), time.process_time()
        assert run.n_records == n, run
        requests = [sent for page in live_pages(workspace.store, run.run_id) for sent in page.requests]
        n_bytes = sum(path.stat().st_size for path in Path(folder).rglob("*.gz"))
        begun, fetched = marks["fetching"], marks["recognising"]
        return {
            "fetch": fetched[0] - begun[0],
            "freeze": end[0] - fetched[0],
            "processor": end[2] - begun[2],
            "bare": bare(requests, key),
            "calls": len(requests),
            "before": begun[1],
            "fetched": fetched[1],
            "frozen": end[1],
            "disk": n_bytes / 2**20,
        }


def child(source_id: SourceId, n: int, environment: dict[str, str]) -> dict[str, float]:
    """The same in a process of its own."""
    key = {"openalex": environment["OPENALEX_API_KEY"], "pubmed": environment["NCBI_API_KEY"]}.get(source_id, "")
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.bench_sources", MEASURE, source_id, str(n), key],
        cwd=TOP,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main(sizes: Sequence[int]) -> None:
    """Print the table."""
    print("records a second; of both, by processor time; the bare client; fetching in times of it; MB at each point")
    heads = (
        "records",
        "calls",
        "fetch",
        "freeze",
        "both",
        "by cpu",
        "bare",
        "ratio",
        "begin",
        "fetched",
        "frozen",
        "MB kept",
    )
    print(f"{'':10}" + "".join(f"{head:>9}" for head in heads))
    for n in sizes:
        with serving(int(n * MORE)) as environment:
            for source_id in TEXTS:
                child(source_id, n, environment)  # from here on the server has every answer ready
                found = child(source_id, n, environment)
                rates = [n / found["fetch"], n / found["freeze"], n / (found["fetch"] + found["freeze"])]
                rates.append(n / found["processor"])
                cells = [f"{n:,}", f"{found['calls']:,.0f}", *(f"{rate:,.0f}" for rate in rates)]
                cells += [f"{n / found['bare']:,.0f}", f"{found['fetch'] / found['bare']:.2f}"]
                cells += [f"{found[name]:,.0f}" for name in ("before", "fetched", "frozen", "disk")]
                print(f"{source_id:10}" + "".join(f"{cell:>9}" for cell in cells), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == [MEASURE]:
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]), sys.argv[4])))  # type: ignore[arg-type]
    else:
        main([int(size) for size in sys.argv[1:]] or (12_000, 60_000, 120_000))
