"""What is asked next, and what a query came to, follow from what was read and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Document
from core.errors import InputError, SettingsError
from core.knowledge.synthesis import (
    ParsedAnswer,
    RequirementSample,
    Step,
    SynthesisOutcome,
    SynthesisPosition,
    SynthesisSettings,
    SynthesizedQuery,
)
from core.knowledge.synthesis_steps import (
    MOST_WORDINGS,
    ModelLoad,
    SynthesisEstimate,
    TokenPrice,
    outcome,
    pending,
    read_answer,
    summarise,
    total_cost,
)
from tests.messages import refusal

SAMPLED = RequirementSample(
    0,
    "by",
    {"author": ("a1",)},
    {"author": "Ito"},
    "Which papers are by Ito?",
    "p1",
    "Cool roofs",
    ("p2", "p3"),
    3,
    "doctor",
)
TWO = SynthesisSettings(extract="x", fuse="f", rewrite="r", filters=("u", "v"))
DOCUMENTS = {each: Document(each, f"Title {each}", "Some text") for each in ("p1", "p2", "p3")}
GOOD: Mapping[Step, str] = {
    "extract": '["shade"]',
    "fuse": "Shade by Ito?",
    "rewrite": "Ito on shade?",
    "filter": "yes",
}


def play(
    answers: Mapping[tuple[Step, int, str], str], settings: SynthesisSettings = TWO
) -> tuple[dict[SynthesisPosition, ParsedAnswer], SynthesisOutcome]:
    """Ask until nothing is left; what is not scripted is answered well."""
    reads: dict[SynthesisPosition, ParsedAnswer] = {}
    while wanted := pending(SAMPLED, reads, settings, DOCUMENTS):
        for each in wanted:
            assert each.place not in reads
            place = each.place
            text = answers.get((place.step, place.number, place.model), GOOD[place.step])
            reads[place] = read_answer(SAMPLED, reads, settings, place.step, text)
    return reads, outcome(SAMPLED, reads, settings)


def test_a_query_is_made_in_four_steps() -> None:
    reads, came = play({("filter", 1, "v"): "no"})
    steps = [place.step for place in reads]
    assert steps == ["extract", "fuse", "rewrite", *["filter"] * 6]
    assert (came.state, came.properties, came.query) == ("complete", ("shade",), "Ito on shade?")
    assert came.accepted == ("p1", "p3")
    assert came.verdicts["p2"] == {"u": "yes", "v": "no"}


def test_a_majority_needs_more_than_half() -> None:
    _, came = play({("filter", 1, "v"): "no"}, replace(TWO, rule="majority"))
    assert came.accepted == ("p1", "p3")
    three = replace(TWO, rule="majority", filters=("u", "v", "w"))
    _, came = play({("filter", 1, "v"): "no", ("filter", 2, "u"): "can't tell", ("filter", 2, "w"): "hm"}, three)
    assert came.accepted == ("p1", "p2")
    assert came.verdicts["p3"] == {"u": "unsure", "v": "yes", "w": "unreadable"}


def test_a_gold_answer_that_is_refused_is_said() -> None:
    _, came = play({("filter", 0, "u"): "no"})
    assert (came.state, came.accepted) == ("gold refused", ("p2", "p3"))


def test_a_wording_is_asked_for_three_times_at_most() -> None:
    bad = {("fuse", number, "f"): "Cool roofs by Ito" for number in range(9)}
    reads, came = play(bad)
    assert sum(place.step == "fuse" for place in reads) == MOST_WORDINGS
    assert came.state == "failed"
    assert came.reason.startswith("no query: ")
    assert "the title" in came.reason
    del bad["fuse", 2, "f"]
    assert play(bad)[1].state == "complete"


def test_a_later_prompt_says_why_the_one_before_was_refused() -> None:
    reads = {
        SynthesisPosition(0, "extract", 0, "x"): ParsedAnswer(("shade",)),
        SynthesisPosition(0, "fuse", 0, "f"): ParsedAnswer((), "an empty answer"),
    }
    (wanted,) = pending(SAMPLED, reads, TWO, DOCUMENTS)
    assert wanted.place == SynthesisPosition(0, "fuse", 1, "f")
    assert "Wording 1 was refused: an empty answer." in wanted.prompt.user


def test_without_other_words_the_first_ones_stay() -> None:
    _, came = play({("rewrite", number, "r"): "Shade by somebody" for number in range(3)})
    assert (came.state, came.query) == ("complete", "Shade by Ito?")
    assert came.notes == ("not paraphrased: it leaves out Ito",)


def test_a_query_that_lacks_a_name_is_flagged() -> None:
    _, came = play({("fuse", 0, "f"): "Shade by somebody", ("rewrite", 0, "r"): "Somebody on shade"})
    assert (came.state, came.missing_names) == ("complete", ("Ito",))


def test_properties_that_can_not_be_read_end_it() -> None:
    reads, came = play({("extract", 0, "x"): "I can't help with that:\n" + "word " * 40})
    assert (len(reads), came.state) == (1, "failed")
    assert came.reason.startswith("no properties: prose")


@given(st.data())
def test_every_play_ends_and_only_then_is_it_decided(data: st.DataObject) -> None:
    texts = st.sampled_from(["yes", "no", "hm", "", '["shade"]', "Cool roofs", "Shade by Ito", "[1]"])
    reads: dict[SynthesisPosition, ParsedAnswer] = {}
    while wanted := pending(SAMPLED, reads, TWO, DOCUMENTS):
        assert outcome(SAMPLED, reads, TWO).state == "waiting"
        each = data.draw(st.sampled_from(wanted))
        reads[each.place] = read_answer(SAMPLED, reads, TWO, each.place.step, data.draw(texts))
        assert len(reads) <= 1 + 2 * MOST_WORDINGS + 6
    came = outcome(SAMPLED, reads, TWO)
    assert came.state != "waiting"
    assert ("p1" in came.accepted) == (came.state == "complete")
    assert not came.query or "cool roofs" not in came.query.lower()


def test_rates_are_of_what_was_checked() -> None:
    made = [
        SynthesizedQuery(SAMPLED, SynthesisOutcome("complete", verdicts={"p1": {"u": "yes", "v": "no"}})),
        SynthesizedQuery(SAMPLED, SynthesisOutcome("gold refused", verdicts={"p1": {"u": "no", "v": "no"}})),
        SynthesizedQuery(SAMPLED, SynthesisOutcome("failed", "no query: x")),
        SynthesizedQuery(SAMPLED, SynthesisOutcome("waiting")),
    ]
    summary = summarise(made, ("u", "v"))
    assert (summary.verification.n_yes, summary.verification.n, summary.verification.share) == (1, 2, 0.5)
    assert summary.verification.interval == pytest.approx((0.0945, 0.9055), abs=1e-4)  # Wilson's, by hand
    assert {model: rate.n_yes for model, rate in summary.by_model.items()} == {"u": 1, "v": 0}
    assert summary.reasons == {"no query: x": 1}
    assert summarise([], ("u",)).verification.share is None


def test_an_estimate_counts_what_is_left() -> None:
    estimate = SynthesisEstimate(TWO)
    estimate.add(SAMPLED, {}, DOCUMENTS)
    loads = estimate.loads()
    assert {(load.step, load.model): (load.n_calls, load.most_calls) for load in loads} == {
        ("extract", "x"): (1, 1),
        ("fuse", "f"): (1, 3),
        ("rewrite", "r"): (1, 3),
        ("filter", "u"): (3, 3),
        ("filter", "v"): (3, 3),
    }
    assert [load.n_calls for load in estimate.loads(10)] == [10, 10, 10, 30, 30]
    begun = SynthesisEstimate(TWO)
    reads = {
        SynthesisPosition(0, "extract", 0, "x"): ParsedAnswer(("shade",)),
        SynthesisPosition(0, "fuse", 0, "f"): ParsedAnswer((), "empty"),
    }
    begun.add(SAMPLED, reads | {SynthesisPosition(0, "filter", 1, "u"): ParsedAnswer(("yes",))}, DOCUMENTS)
    assert [(load.step, load.n_calls, load.most_calls) for load in begun.loads()] == [
        ("fuse", 1, 2),
        ("rewrite", 1, 3),
        ("filter", 2, 2),
        ("filter", 3, 3),
    ]
    over = SynthesisEstimate(TWO)
    over.add(SAMPLED, play({})[0], DOCUMENTS)
    assert over.loads() == ()


def test_costs_are_tokens_times_prices() -> None:
    load = ModelLoad("fuse", "f", 10, 30, 2_000, 450, 6_000, 1_350)
    assert total_cost([load, load], {"f": TokenPrice(0.5, 2.0)}) == pytest.approx((0.0038, 0.0114))
    assert total_cost([load], {}) is None
    with pytest.raises(InputError, match="price"):
        TokenPrice(-1, 0)


@pytest.mark.parametrize(
    "odd",
    [
        {"n": 0},
        {"filters": ()},
        {"filters": ("a", "a")},
        {"extract": ""},
        {"n_properties": 9},
        {"templates": (("t", 0.0),)},
    ],
)
def test_settings_that_make_no_sense(odd: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        SynthesisSettings(**odd)  # type: ignore[arg-type]


def test_roles_have_to_be_known() -> None:
    with pytest.raises(InputError, match="researcher"):
        SynthesisSettings(roles=("pirate",))
    with refusal(InputError):
        SynthesisSettings(roles=())
