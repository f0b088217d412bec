"""Queries over a small knowledge base: sampled, made, stopped at any moment and gone on with, counted beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

import pytest

from core.errors import InputError, ServiceError
from core.knowledge.synthesis import SynthesisSettings
from core.knowledge.synthesis_steps import TokenPrice
from core.knowledge.templates import Template
from core.protocols import Answer
from data.knowledge.base import KnowledgeBase
from data.knowledge.demo_writer import DemoWriter
from data.knowledge.synthesis import Sampler, dry_run, read_prices, settled, synthesise, wanted_templates
from data.knowledge.synthesis_runs import (
    MemorySynthesisLog,
    StoreSynthesisLog,
    begin,
    delete_synthesis,
    list_syntheses,
    load_made,
    synthesis_id_of,
)
from data.models.chat import RefusedError
from data.store import Store
from tests.data.knowledge.knowledge_papers import TEMPLATES, paper_parts
from tests.data.knowledge_bases import base_of
from tests.data.stopping import Stopped
from tests.messages import refusal


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    made = base_of(tmp_path_factory.mktemp("kb"), paper_parts())
    yield made
    made.close()


@dataclass
class Counting:
    """The demo model, which is asked in turn and may end the process at one question."""

    ends_at: int = -1
    model_id: str = "demo"
    fingerprint: str = "fake"
    asked: list[tuple[str, str]] = field(default_factory=list)
    inner: DemoWriter = field(default_factory=DemoWriter)

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        if len(self.asked) == self.ends_at:
            raise Stopped
        self.asked.append((system, user))
        return self.inner.ask(system, user, max_tokens=max_tokens)


@dataclass
class Saying:
    """Answers by a rule."""

    rule: Callable[[str], str]
    model_id: str = "m"
    fingerprint: str = "fake"

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        return Answer(self.rule(user), "m", 10, 2)


SETTINGS = SynthesisSettings(n=7, rewrite="demo", seed=3)
CLOCK = "2030-01-01T00:00:00+00:00"


# Sampling


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.template_id)
def test_a_requirement_has_its_answers(base: KnowledgeBase, template: Template) -> None:
    settings = SynthesisSettings(n=3, most_answers=20, most_checked=3)
    sampler = Sampler(base, [(template, 1.0)], settings)
    found = [sampled for item in range(3) if (sampled := sampler.next(item)) is not None]
    assert len(found) == 3
    assert len({tuple(each.given.values()) for each in found}) == len(found)
    for each in found:
        given = {slot: [base.entity(ids[0]).row] for slot, ids in each.given.items()}
        answers = {entity.entity_id for entity in base.entities(base.answers(template, given))}
        assert 1 <= len(answers) == each.n_answers <= 20
        assert each.gold_id in answers
        assert set(each.others) <= answers - {each.gold_id}
        assert len(each.others) == min(3, len(answers) - 1)
        assert all(title in each.relation for title in each.titles.values())
        assert each.gold_title not in each.relation


def test_templates_have_their_shares(base: KnowledgeBase) -> None:
    settings = SynthesisSettings(n=12, templates=(("by", 1.0), ("both", 2.0)))
    sampler = Sampler(base, wanted_templates(TEMPLATES, settings), settings)
    counts = Counter(sampled.template_id for item in range(12) if (sampled := sampler.next(item)))
    # There are only eight authors, and each is given once.
    assert counts == {"by": 4, "both": 8}


def test_sampling_ends_when_there_is_nothing_more(base: KnowledgeBase) -> None:
    settings = SynthesisSettings(n=50, templates=(("by", 1.0),))
    models = {"demo": DemoWriter()}
    done = synthesise(base, TEMPLATES, settings, models, MemorySynthesisLog())
    assert len(done.made) == 8
    assert "only 8 of 50" in done.notes[0]


def test_another_seed_is_another_sample(base: KnowledgeBase) -> None:
    def sampled(seed: int) -> list[str]:
        settings = SynthesisSettings(seed=seed)
        sampler = Sampler(base, wanted_templates(TEMPLATES, settings), settings)
        return [each.relation for item in range(4) if (each := sampler.next(item))]

    assert sampled(1) == sampled(1)
    assert sampled(1) != sampled(2)


def test_a_template_that_is_not_there_is_named(base: KnowledgeBase) -> None:
    with refusal(InputError):
        wanted_templates(TEMPLATES, SynthesisSettings(templates=(("x", 1.0),)))
    with refusal(InputError):
        wanted_templates((), SynthesisSettings())


# Stopping and going on


def one_go(base: KnowledgeBase) -> tuple[MemorySynthesisLog, Counting]:
    kept, model = MemorySynthesisLog(), Counting()
    synthesise(base, TEMPLATES, SETTINGS, {"demo": model}, kept, clock=lambda: CLOCK)
    return kept, model


def test_ended_at_any_question_it_comes_to_the_same_and_asks_nothing_twice(base: KnowledgeBase) -> None:
    whole, model = one_go(base)
    assert whole.state == "done"
    assert len(model.asked) == len(whole.calls) > 30
    for ends_at in range(0, len(model.asked), 5):
        kept, first, second = MemorySynthesisLog(), Counting(ends_at), Counting()
        with pytest.raises(Stopped):
            synthesise(base, TEMPLATES, SETTINGS, {"demo": first}, kept, clock=lambda: CLOCK)
        assert kept.state == "stopped"
        assert len(kept.calls) == ends_at
        synthesise(base, TEMPLATES, SETTINGS, {"demo": second}, kept, clock=lambda: CLOCK)
        assert kept.items() == whole.items()
        assert kept.calls == whole.calls
        assert Counter(first.asked + second.asked) == Counter(model.asked)


def test_the_store_keeps_all_of_it(base: KnowledgeBase, store: Store) -> None:
    whole, model = one_go(base)
    settings = settled(SETTINGS, TEMPLATES)
    kept = begin(store, base, "first", settings, lambda: CLOCK)
    for ends_at in (5, 20, -1, 0):
        with_end = Counting(ends_at)
        try:
            synthesise(base, TEMPLATES, settings, {"demo": with_end}, kept, clock=lambda: CLOCK)
        except Stopped:
            assert [row.state for row in list_syntheses(store) if row.synthesis_id == kept.synthesis_id] == ["stopped"]
        again = begin(store, base, "second", settings)
        assert again == kept
    assert kept.items() == whole.items()
    assert {call.place: call.read for item in range(7) for call in kept.calls(item)} == {
        place: call.read for place, call in whole.calls.items()
    }
    prompts = [(call.prompt.system, call.prompt.user) for item in range(7) for call in kept.calls(item)]
    assert Counter(prompts) == Counter(model.asked)
    (row,) = list_syntheses(store, "small")
    assert (row.name, row.state, row.n_items, row.n_over, row.settings) == ("second", "done", 7, 7, settings)
    assert [made.outcome for made in load_made(kept, settings)] == [outcome for _, outcome in whole.items()]
    delete_synthesis(store, row.synthesis_id)
    assert list_syntheses(store) == ()
    assert store.rows("SELECT count(*) FROM synthesis_calls") == [(0,)]


def test_what_was_answered_shows_before_it_is_over(base: KnowledgeBase, store: Store) -> None:
    kept = begin(store, base, "first", settled(SETTINGS, TEMPLATES))
    with pytest.raises(Stopped):
        synthesise(base, TEMPLATES, SETTINGS, {"demo": Counting(17)}, kept)
    made = load_made(kept, SETTINGS)
    assert [each.outcome.state for each in made] == ["waiting"] * 7
    assert sum(bool(each.outcome.query) for each in made) == 7


def test_more_queries_are_the_same_synthesis_going_on(base: KnowledgeBase) -> None:
    few, many = (SynthesisSettings(n=n, templates=(("by", 1.0), ("at", 1.0))) for n in (3, 6))
    assert synthesis_id_of(base, few) == synthesis_id_of(base, many)
    assert synthesis_id_of(base, few) != synthesis_id_of(base, SynthesisSettings(seed=1, templates=few.templates))
    kept, once, model = MemorySynthesisLog(), MemorySynthesisLog(), Counting()
    synthesise(base, TEMPLATES, few, {"demo": model}, kept, clock=lambda: CLOCK)
    synthesise(base, TEMPLATES, many, {"demo": model}, kept, clock=lambda: CLOCK)
    synthesise(base, TEMPLATES, many, {"demo": DemoWriter()}, once, clock=lambda: CLOCK)
    assert kept.items() == once.items()
    assert len(model.asked) == len(once.calls)


def test_who_no_longer_waits_ends_it(base: KnowledgeBase) -> None:
    told = count()

    def report(done: int, total: int) -> None:
        if next(told) == 12:
            raise Stopped

    kept = MemorySynthesisLog()
    with pytest.raises(Stopped):
        synthesise(base, TEMPLATES, SETTINGS, {"demo": DemoWriter()}, kept, on_stage=lambda stage: report)
    assert kept.state == "stopped"


# Failures


def test_single_failures_are_counted_and_asked_again(base: KnowledgeBase) -> None:
    @dataclass
    class Flaky(Counting):
        n: int = 0

        def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
            self.n += 1
            if self.n % 5 == 3:
                raise RefusedError("too long")
            return super().ask(system, user, max_tokens=max_tokens)

    kept, flaky = MemorySynthesisLog(), Flaky()
    done = synthesise(base, TEMPLATES, SETTINGS, {"demo": flaky}, kept, clock=lambda: CLOCK)
    assert done.failures["too long"] > 3
    assert kept.state == "stopped"
    assert "not answered (too long)" in done.notes[0]
    assert any(made.outcome.state == "waiting" for made in done.made)
    synthesise(base, TEMPLATES, SETTINGS, {"demo": Counting()}, kept, clock=lambda: CLOCK)
    assert kept.items() == one_go(base)[0].items()


def test_a_dead_service_ends_it(base: KnowledgeBase) -> None:
    class Dead(Counting):
        def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
            self.asked.append((system, user))
            raise ServiceError("the key is refused")

    dead, kept = Dead(), MemorySynthesisLog()
    with refusal(ServiceError):
        synthesise(base, TEMPLATES, SETTINGS, {"demo": dead}, kept)
    assert len(dead.asked) == 1
    assert kept.state == "stopped"


def test_each_step_has_its_model_and_all_filters_must_accept(base: KnowledgeBase) -> None:
    settings = SynthesisSettings(n=4, extract="e", fuse="f", filters=("u", "v"), templates=(("at", 1.0),))
    models = {
        "e": Saying(lambda user: '["trees"]'),
        "f": Saying(lambda user: user.partition("[relation ")[2].split("\n")[1] + " About trees."),
        "u": Saying(lambda user: "yes"),
        "v": Saying(lambda user: "no" if "battery" in user else "yes"),
    }
    kept = MemorySynthesisLog()
    done = synthesise(base, TEMPLATES, settings, models, kept)
    assert {place.model for place in kept.calls if place.step == "filter"} == {"u", "v"}
    texts = {document.doc_id: document.whole for document in base.documents()}
    for made in done.made:
        ids = (made.sampled.gold_id, *made.sampled.others)
        assert set(made.outcome.accepted) == {doc_id for doc_id in ids if "battery" not in texts[doc_id]}


# Counting beforehand


@pytest.mark.parametrize("rewrite", ["", "demo"])
def test_a_dry_run_counts_what_is_asked_then(base: KnowledgeBase, rewrite: str) -> None:
    settings = SynthesisSettings(n=9, rewrite=rewrite)
    plan = dry_run(base, TEMPLATES, settings, {})
    kept = MemorySynthesisLog()
    synthesise(base, TEMPLATES, settings, {"demo": DemoWriter()}, kept)
    asked = Counter(place.step for place in kept.calls)
    assert {load.step: load.n_calls for load in plan.loads} == asked
    assert all(load.n_calls <= load.most_calls for load in plan.loads)
    assert plan.cost == (0.0, 0.0)
    assert dry_run(base, TEMPLATES, settings, {}, keeper=kept).loads == ()


def test_a_dry_run_stays_above_what_stubborn_models_take(base: KnowledgeBase) -> None:
    settings = SynthesisSettings(n=5, fuse="f", templates=(("by", 1.0),))
    plan = dry_run(base, TEMPLATES, settings, {"f": TokenPrice(1.0, 1.0)})
    kept = MemorySynthesisLog()
    synthesise(base, TEMPLATES, settings, {"demo": DemoWriter(), "f": Saying(lambda user: "")}, kept)
    fuse = next(load for load in plan.loads if load.step == "fuse")
    assert sum(place.step == "fuse" for place in kept.calls) == fuse.most_calls == 15
    assert plan.cost is not None
    assert 0 < plan.cost[0] < plan.cost[1]


def test_a_dry_run_infers_the_rest(base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.knowledge.synthesis.MOST_SAMPLED", 5)
    plan = dry_run(base, TEMPLATES, SynthesisSettings(n=20, extract="paid"), {})
    assert (plan.n_sampled, plan.n_found, plan.loads[0].n_calls) == (5, 5, 20)
    assert (plan.cost, plan.unpriced) == (None, ("paid",))


@pytest.mark.parametrize("odd", ["m", "m=1", "m=1,2,3", "=1,2", "m=a,b", "m=nan,1"])
def test_prices_that_can_not_be_read(odd: str) -> None:
    with pytest.raises(InputError, match="price"):
        read_prices([odd])


def test_an_unknown_synthesis_is_empty(store: Store) -> None:
    assert StoreSynthesisLog(store, "x").items() == []
    assert dict(StoreSynthesisLog(store, "x").reads()) == {}
