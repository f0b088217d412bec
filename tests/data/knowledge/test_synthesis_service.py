"""Queries through a service that speaks OpenAI's language, and a process that is killed while it has them written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug import Request, Response

from core.errors import InputError, ServiceError
from core.knowledge.synthesis import SynthesisSettings
from data.explore.workspace import Workspace
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis import open_models, settled, synthesise
from data.knowledge.synthesis_runs import MemorySynthesisLog, StoreSynthesisLog, begin
from data.models.chat import N_THREADS
from tests.data.chats import ChatService, completion, fails
from tests.data.children import child, killed_child
from tests.data.knowledge.knowledge_papers import TEMPLATES, paper_parts
from tests.data.knowledge_bases import base_of
from tests.data.services import KEY, as_json
from tests.messages import refusal

PAID = SynthesisSettings(n=3, extract="m", fuse="m", filters=("m", "demo"))


@pytest.fixture
def service(service: ChatService) -> ChatService:
    """One that writes and grades."""
    service.usual = answer
    return service


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with base_of(tmp_path, paper_parts()) as base:
        yield base


def answer(request: Request) -> Response:
    """As a well-behaved model does."""
    user = json.loads(request.data)["messages"][1]["content"]
    if "[relation " in user:
        lines = user.split("\n")
        at = next(place for place, line in enumerate(lines) if line.startswith("[relation "))
        return as_json(completion(f"{lines[at + 1]} Those that matter."))
    return as_json(completion("yes" if "[properties " in user else '["they matter"]'))


def test_a_service_writes_and_its_counts_are_kept(service: ChatService, base: KnowledgeBase) -> None:
    kept = MemorySynthesisLog()
    models = open_models(PAID, service.url, service.patience())
    done = synthesise(base, TEMPLATES, PAID, models, kept)
    paid = [call for call in kept.calls.values() if call.place.model == "m"]
    assert len(service.asked) == len(paid)
    assert done.n_asked == len(kept.calls)
    assert {(call.n_prompt_tokens, call.n_answer_tokens) for call in paid} == {(40, 3)}
    assert {call.fingerprint for call in paid} == {models["m"].fingerprint}
    assert not any(KEY in str(call) for call in kept.calls.values())
    assert all(made.outcome.query.endswith("Those that matter.") for made in done.made)


def test_a_key_that_is_refused_ends_it_at_once(service: ChatService, base: KnowledgeBase) -> None:
    kept = MemorySynthesisLog()
    service.odd = [fails(401)] * 50
    with pytest.raises(ServiceError, match="is unavailable") as caught:
        synthesise(base, TEMPLATES, PAID, open_models(PAID, service.url, service.patience()), kept)
    assert KEY not in str(caught.value)
    assert len(service.asked) <= 4
    service.odd = []
    synthesise(base, TEMPLATES, PAID, open_models(PAID, service.url, service.patience()), kept)
    assert kept.state == "done"


def test_without_a_key_the_way_out_is_named(no_key: None) -> None:
    with refusal(InputError):
        open_models(PAID)


CHILD = """
import os, signal, sys
from pathlib import Path
from core.knowledge.synthesis import SynthesisSettings
from data import database
from data.knowledge.demo_writer import DemoWriter
from data.knowledge.synthesis_runs import begin
from data.knowledge.synthesis import synthesise
from data.knowledge.synthesis import settled
from data.explore.workspace import Workspace
from tests.data.knowledge.knowledge_papers import TEMPLATES

root, last, log = Path(sys.argv[1]), int(sys.argv[2]), open(sys.argv[3], "a")
run, n = database.Database._run, 0

def counted(self, sql, parameters, fetch):
    global n
    n += 1
    if n == last:
        os.kill(os.getpid(), signal.SIGKILL)
    return run(self, sql, parameters, fetch)

class Logged(DemoWriter):
    def ask(self, system, user, **more):
        print(hash((system, user)), file=log, flush=True)
        return super().ask(system, user, **more)

with Workspace.open(root) as workspace:
    base = workspace.knowledge.open("small")
    settings = settled(SynthesisSettings(n=8, rewrite="demo"), TEMPLATES)
    keeper = begin(workspace.store, base, "killed", settings)
    database.Database._run = counted
    synthesise(base, TEMPLATES, settings, {"demo": Logged()}, keeper)
print(n)
"""


@pytest.mark.slow
def test_killed_at_any_statement_it_goes_on(tmp_path: Path) -> None:
    settings = settled(SynthesisSettings(n=8, rewrite="demo"), TEMPLATES)
    root = tmp_path / "ws"
    with Workspace.open(root) as workspace:
        base = base_of(workspace.paths.knowledge, paper_parts())
        whole = MemorySynthesisLog()
        synthesise(base, TEMPLATES, settings, open_models(settings), whole)
        base.close()
    moments = (2, 9, 20, 30)
    for last in moments:
        killed_child(CHILD, root, last, root / "log", PYTHONHASHSEED="0")
    assert child(CHILD, root, 0, root / "log", PYTHONHASHSEED="0").returncode == 0
    with Workspace.open(root) as workspace:
        keeper: StoreSynthesisLog = begin(workspace.store, workspace.knowledge.open("small"), "killed", settings)
        assert keeper.items() == whole.items()
        assert {place for reads in keeper.reads().values() for place in reads} == set(whole.calls)
    asked = Counter((root / "log").read_text().split())
    # Only what was in flight when a process was killed was asked twice.
    assert sum(asked.values()) - len(whole.calls) <= N_THREADS * len(moments)
