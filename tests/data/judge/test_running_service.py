"""Runs of a judge behind a service that fails in every way, and of a process that is killed while it is at it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from core.judge.judgments import JudgeField, Status, Triple
from core.judge.prompts import user_prompt
from data.http.client import Patience
from data.judge.runner import judge_run, make_judge
from data.judge.runs import Judge, save_run
from data.models.chat import ServiceModel, open_chat
from data.store import Store
from tests.data.children import TOP, child, killed_child
from tests.data.judge.fake_judges import RUBRIC, FakeJudge, judge_of, judged, numbered, state
from tests.data.judge_server import ENDS_IN, Request, always, as_json, judge_server, some_fail
from tests.data.services import KEY
from tests.data.stopping import Stopped

pytestmark = pytest.mark.usefixtures("key")

WAYS = [name for name in ENDS_IN if name not in ("good", "hang", "slow")]
TIMES = 3
N_WORKERS = 16


def model_at(url: str) -> ServiceModel:
    return open_chat("m", url, Patience(n_attempts=TIMES, timeout=20, sleep=lambda seconds: None))


def judge_at(store: Store, url: str) -> Judge:
    return make_judge(store, judge_of().settings, model_at(url), RUBRIC)


def requests_of(field: JudgeField) -> list[Request]:
    """What the server is asked first about each candidate."""
    query = field.queries[0].text
    users = [user_prompt(Triple(query, each.title, each.abstract)) for each in field.candidates]
    return [Request(0, 0, {"messages": [{"content": user}]}, "") for user in users]


def way_of(request: Request) -> str:
    """How a question is answered: every tenth publication fails, each in one way, whenever it is asked about."""
    found = re.search(r"^Title (\d+)$", request.user, re.MULTILINE)
    number = int(found[1]) if found else 0
    return WAYS[number // 10 % len(WAYS)] if number % 10 == 3 else "good"


@pytest.mark.slow
def test_of_two_thousand_judgments_every_tenth_fails_and_nothing_is_lost_or_paid_twice(store: Store) -> None:
    field = numbered(2000)
    requests = requests_of(field)
    wanted: list[Status] = [ENDS_IN[way_of(request)] for request in requests]
    assert wanted.count("ok") < 1900
    assert set(wanted) == set(ENDS_IN.values())
    graded = [request.points if status == "ok" else None for request, status in zip(requests, wanted, strict=True)]
    fine = [request.user for request, status in zip(requests, wanted, strict=True) if status == "ok"]
    with judge_server(way_of) as server:
        save_run(store, "mine", judge_at(store, server.url), field, {})
        done = judge_run(store, "mine", model_at(server.url))
        got = judged(store)
        assert [each.verdict and each.verdict.status for each in got] == wanted
        assert [each.points for each in got] == graded, "no failure is a grade"
        assert done.failures
        assert not any("again" in reason or KEY in reason for reason in done.failures)
        assert (done.n_asked, done.statuses, state(store)) == (2000, Counter(wanted), "paused")
        assert {server.times_asked(user) for user in fine} == {1}

        n_before, server.script = len(server.asked), always("good")
        again = judge_run(store, "mine", model_at(server.url))
        assert again.n_asked == wanted.count("http_error") == len(server.asked) - n_before
        last = judge_run(store, "mine", model_at(server.url), again=True)
        assert (last.n_asked, last.statuses) == (2000 - wanted.count("ok") - again.n_asked, {"ok": 2000})
        assert [each.points for each in judged(store)] == [request.points for request in requests]
        assert {server.times_asked(user) for user in fine} == {1}


CHILD = """
import sys
from data.http.client import Patience
from data.models.chat import open_chat
from data.judge.runner import judge_run
from data.store import Store
from pathlib import Path

with Store.open(Path(sys.argv[1])) as store:
    judge_run(store, "mine", open_chat("m", sys.argv[2], Patience(n_attempts=3, timeout=20)))
"""


def test_paused_while_a_service_asks_to_wait_nothing_is_asked_later(store: Store) -> None:
    n_workers = 4

    def report(done: int, total: int) -> None:
        if len(server.asked) >= n_workers:
            raise Stopped

    busy = as_json({"error": "busy"}, 429, **{"retry-after": "50"})
    with judge_server(lambda request: busy) as server:
        model = open_chat("m", server.url, Patience(n_attempts=2))
        run_id = save_run(store, "mine", judge_at(store, server.url), numbered(20), {})
        with pytest.raises(Stopped):
            judge_run(store, run_id, model, n_workers=n_workers, on_stage=lambda stage: report)
        asking = [thread for thread in threading.enumerate() if thread.name == "queryscape-judge"]
        for thread in asking:
            thread.join(10)
        assert not any(thread.is_alive() for thread in asking), "one that wakes up later would ask, and be paid for"
        server.script = always("good")
        done = judge_run(store, run_id, model, n_workers=n_workers)
        assert (done.statuses, done.n_calls) == ({"ok": 20}, 20)
        assert len(server.asked) == n_workers + 20


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_to_the_same_result(store: Store, tmp_path: Path) -> None:
    n, kills = 400, (5, 60, 250)
    running: list[subprocess.Popen[bytes]] = []
    fails = some_fail(["84", "filtered", "refusal"], n_times=sys.maxsize)

    def script(request: Request) -> str:
        if len(server.asked) in kills:
            os.kill(running[-1].pid, signal.SIGKILL)
        return fails(request)

    with judge_server(script, 0.02) as server:
        judge = judge_at(store, server.url)
        save_run(store, "mine", judge, numbered(n), {})
        store.close()
        for _ in kills:
            running.append(subprocess.Popen([sys.executable, "-c", CHILD, str(store.path), server.url], cwd=TOP))
            assert running[-1].wait(60) == -signal.SIGKILL
        with Store.open(store.path) as again, Store.open(tmp_path / "other.duckdb") as other:
            n_known = judge_run(again, "mine", model_at(server.url)).n_known
            questions = {request.user for request in requests_of(numbered(n))}
            times = [server.times_asked(question) for question in questions]
            assert min(times) == 1
            assert sum(times) - n <= N_WORKERS * len(kills), "only what was under way is asked twice"
            asked = questions & {request.user for request in server.asked[: kills[-1]]}
            assert n_known >= len(asked) - N_WORKERS, "only what was under way is not known"
            save_run(other, "mine", judge, numbered(n), {})
            judge_run(other, "mine", model_at(server.url))
            assert judged(again) == judged(other)
        assert not (tmp_path / "judging").exists()


FULL = """
import os, resource, signal, sys
from pathlib import Path
from core.errors import DiskFullError
from data.judge.runner import judge_run
from data.store import Store
from tests.data.judge.fake_judges import FakeJudge, good

def told(title, time):
    os.write(1, f"{title}\\n".encode())
    return good(title, time)

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = Path(sys.argv[1])
limit = int(sys.argv[2]) or resource.RLIM_INFINITY
with Store.open(path) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        judge_run(store, "mine", FakeJudge(told))
    except DiskFullError as e:
        os.write(1, f"full {e}\\n".encode())
"""


@pytest.mark.slow
def test_on_a_full_disk_nothing_that_came_is_lost(store: Store) -> None:
    save_run(store, "mine", judge_of(), numbered(3000), {})
    store.close()

    def run(limit: int) -> list[str]:
        ended = child(FULL, store.path, limit)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.splitlines()

    asked: list[str] = []
    for limit in (1, 100_000, 200_000):
        *titles, last = run(limit)
        assert last.startswith("full no room left"), last
        assert len(titles) < 3000
        asked += titles
    asked += run(0)
    assert len(asked) == len(set(asked)) == 3000
    with Store.open(store.path) as again:
        assert [each.points for each in judged(again)] == [i % 6 for i in range(3000)]


ANYWHERE = """
import os, signal, sys
from pathlib import Path
from data import database
from data.judge import runner as journal
from data.judge.runner import judge_run
from data.store import Store
from tests.data.judge.fake_judges import FakeJudge, good

path, where, log = Path(sys.argv[1]), sys.argv[2], os.open(sys.argv[3], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
n = 0

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def counted(self, sql, parameters, fetch, run=database.Database._run):
    global n
    n += 1
    if str(n) == where:
        die()
    return run(self, sql, parameters, fetch)

def told(title, time):
    os.write(log, f"{title}\\n".encode())
    return good(title, time)

journal.AT_ONCE = 8
with Store.open(path) as store:
    database.Database._run = counted
    if where == "forget":
        journal.AnswerJournal.forget = lambda self: die()
    judge_run(store, "mine", FakeJudge(told))
"""


@pytest.mark.slow
def test_killed_at_any_statement_it_goes_on_to_the_same_result(store: Store, tmp_path: Path) -> None:
    n, log = 1000, tmp_path / "log"
    save_run(store, "mine", judge_of(), numbered(n), {})
    store.close()
    places = ("5", "7", "forget", "8", "6")
    for place in places:
        killed_child(ANYWHERE, store.path, place, log)
    with Store.open(store.path) as again:
        model = FakeJudge()
        assert judge_run(again, "mine", model).statuses == {"ok": n}
        assert [each.points for each in judged(again)] == [i % 6 for i in range(n)]
    asked = Counter(log.read_text().splitlines()) + model.asked
    assert len(asked) == n
    assert asked.total() - n <= N_WORKERS * len(places), "only what was under way is asked twice"
