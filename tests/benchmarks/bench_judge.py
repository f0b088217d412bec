"""How fast a judge is asked: 16 workers against a server that takes 200 ms, and how well the rate limit holds.

python -m tests.benchmarks.bench_judge [TRIPLES]

The server runs in a process of its own. Ideal is what 16 workers could ask if nothing but the server took time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory

from core.collections import Query
from core.judge.judgments import JudgeCandidate, JudgeField, JudgeSettings, Rubric, Triple
from core.judge.prompts import answer_schema, system_prompt, user_prompt
from core.protocols import JsonModel
from data.http.client import Limiter
from data.judge.rubric import find_rubric
from data.judge.runner import judge_run, make_judge
from data.judge.runs import find_judge_run, load_judged, save_run
from data.models.chat import limited, open_chat
from data.store import Store

SECONDS = 0.2
N_WORKERS = 16
RUBRIC = "query-publication-relevance"
PER_QUERY = 20
ABSTRACT = "It reports what was measured over several years, and how far that holds elsewhere. " * 15


@contextmanager
def serving(seconds: float) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-m", "tests.data.judge_server", str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def made_field(n: int) -> JudgeField:
    """As many different triples, with abstracts of a usual length."""
    queries = tuple(Query(f"q{i}", f"What helps against problem {i}?") for i in range(-(-n // PER_QUERY)))
    candidates = tuple(
        JudgeCandidate("engine", f"q{i // PER_QUERY}", i % PER_QUERY + 1, f"d{i}", f"Study number {i}", ABSTRACT)
        for i in range(n)
    )
    return JudgeField("made up", queries, candidates)


def bench_client(model: JsonModel, rubric: Rubric, n: int) -> float:
    """Seconds that the client alone takes: threads, prompts and requests, nothing kept."""
    todo: SimpleQueue[int] = SimpleQueue()
    for i in range(n):
        todo.put(i)
    system, schema = system_prompt(rubric, "score_first"), answer_schema(rubric, "score_first")

    def work() -> None:
        while True:
            try:
                i = todo.get_nowait()
            except Empty:
                return
            user = user_prompt(Triple(f"problem {i}", f"Study number {i}", ABSTRACT))
            model.ask_json(system, user, schema=schema, max_tokens=4096, temperature=0.01)

    threads = [threading.Thread(target=work) for _ in range(N_WORKERS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def bench_run(folder: Path, model: JsonModel, n: int) -> float:
    """Seconds that a whole run takes, in a store of its own."""
    field = made_field(n)
    with Store.open(folder / f"{n}.duckdb") as store:
        judge = make_judge(store, JudgeSettings(model.model_id, RUBRIC), model)
        run_id = save_run(store, "bench", judge, field, {})
        start = time.perf_counter()
        done = judge_run(store, run_id, model, n_workers=N_WORKERS)
        seconds = time.perf_counter() - start
        assert done.n_asked == done.n_calls == n == done.statuses["ok"]
        assert all(each.points is not None for each in load_judged(store, find_judge_run(store, run_id), field))
    return seconds


def bench_rate(model: JsonModel, rubric: Rubric, per_minute: float, n: int) -> float:
    """Requests a minute that were really let through, from the first turn to the last."""
    turns: list[float] = []
    limiter = Limiter(per_minute)

    class Noted:
        model_id, fingerprint = model.model_id, model.fingerprint
        ask = model.ask

        def ask_json(self, system: str, user: str, **settings: object) -> object:
            turns.append(time.perf_counter())
            return model.ask_json(system, user, **settings)  # type: ignore[arg-type]

    bench_client(limited(Noted(), limiter), rubric, n)  # type: ignore[arg-type]
    return 60 * (len(turns) - 1) / (max(turns) - min(turns))


def main(n: int) -> None:
    """Print everything."""
    os.environ.setdefault("OPENAI_API_KEY", "none")
    with TemporaryDirectory() as name, serving(SECONDS) as url:
        model = open_chat("judge-2030", url)
        ideal = -(-n // N_WORKERS) * SECONDS
        with Store.open(Path(name) / "rubric.duckdb") as store:
            rubric = find_rubric(store, RUBRIC)
        bench_client(model, rubric, N_WORKERS)  # connections are open from here on
        alone, whole = bench_client(model, rubric, n), bench_run(Path(name), model, n)
        print(f"{n:,} triples, {N_WORKERS} workers, {SECONDS * 1000:.0f} ms an answer: ideal {ideal:.2f} s")
        print(f"client alone: {alone:.2f} s, {ideal / alone:.1%} of the ideal rate")
        print(f"a whole run, all kept: {whole:.2f} s, {ideal / whole:.1%} of the ideal rate")
        for per_minute in (600, 2_400):
            reached = bench_rate(model, rubric, per_minute, min(n, per_minute // 6))
            print(f"limit {per_minute:,} a minute: {reached:,.1f} let through ({reached / per_minute - 1:+.2%})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_600)
