"""Documents there and back, and what a document that somebody else wrote, or cut, is refused for."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import as_document
from core.errors import FormatError
from core.stats import Interval
from core.writer import sheets as types
from core.writer.sheets import (
    Brief,
    CoreScores,
    Depth,
    Gain,
    HeldBackProposal,
    Intent,
    Keyword,
    KeywordProposal,
    Mode,
    Sheet,
    SheetStep,
    StringScores,
    WriterBudget,
)
from tests.core.writer.writer_sheets import keywords, sheets
from tests.messages import refusal

texts = st.text(max_size=12)
numbers = st.floats(-1e6, 1e6)
maybe = st.one_of(st.none(), numbers)
intervals = st.builds(Interval, numbers, numbers)
standings = st.builds(CoreScores, st.integers(0, 99), st.integers(0, 99), numbers, intervals, maybe, maybe)
judged = st.builds(StringScores, st.integers(0, 99), standings, st.one_of(st.none(), standings), standings)
gains = st.builds(Gain, maybe, st.one_of(st.none(), intervals))
steps = st.builds(
    SheetStep,
    number=st.integers(0, 99),
    parent=st.one_of(st.none(), st.integers(0, 99)),
    made_by=texts,
    sheet=sheets(most=3),
    text=texts,
    judged=judged,
    gain=st.one_of(st.none(), gains),
    label=st.one_of(st.none(), texts),
    mode=st.one_of(st.none(), st.sampled_from(get_args(Mode))),
    notes=st.lists(texts, max_size=2).map(tuple),
)
briefs = st.builds(
    Brief,
    topic=st.sampled_from(("street trees", "β-lactams")),
    description=texts,
    questions=st.lists(texts, max_size=2).map(tuple),
    negative=st.lists(texts, max_size=2).map(tuple),
    mode=st.sampled_from(get_args(Mode)),
    depth=st.sampled_from(get_args(Depth)),
    intent=st.sampled_from(get_args(Intent)),
    seed=st.integers(),
    hold_out=st.booleans(),
)
budgets = st.builds(WriterBudget, st.integers(0, 99), st.one_of(st.none(), st.integers(1, 99)), st.integers(0, 9))
proposals = st.builds(KeywordProposal, keywords(), texts, texts, texts, st.sampled_from((None, "specific", "general")))
held_back = st.builds(HeldBackProposal, texts, texts, texts, texts, st.one_of(st.none(), keywords()))
WAYS = {
    "brief": briefs,
    "budget": budgets,
    "proposal": proposals,
    "held_back": held_back,
    "step": steps,
}


@pytest.mark.parametrize("name", WAYS)
@given(data=st.data())
@settings(max_examples=25)
def test_what_is_written_is_read_again(name, data):
    value = data.draw(WAYS[name])
    document = types.step_document(value) if name == "step" else as_document(value)
    again = json.loads(json.dumps(document, allow_nan=False))
    assert getattr(types, f"read_{name}")(again) == value


def test_a_document_has_a_key_for_each_field():
    sheet = Sheet(specific=(Keyword("heat wave", fields=("title",)),), joined="AND")
    assert as_document(sheet) == {
        "specific": [{"text": "heat wave", "phrase": True, "fields": ["title"]}],
        "general": [],
        "overarching": [],
        "excluded": [],
        "aside": [],
        "joined": "AND",
    }
    assert types.gain_document(Gain(0.2, Interval(0.1, 0.3))) == {
        "value": 0.2,
        "interval": [0.1, 0.3],
        "is_clear": True,
    }


def test_fields_that_came_later_may_be_missing():
    assert types.read_budget({"most_calls": 3}) == WriterBudget(3)
    assert types.read_brief({"topic": "trees"}) == Brief("trees")


SOME_STEP = types.step_document(
    SheetStep(
        0,
        None,
        "the topic's name",
        Sheet(specific=(Keyword("tree"),)),
        "tree",
        StringScores(
            1,
            CoreScores(2, 1, 0.5, Interval(0, 1), None, None),
            None,
            CoreScores(2, 1, 0.5, Interval(0, 1), None, None),
        ),
    )
)


def changed(document, place, value):
    """A copy with another value at a place such as judged.used.recall."""
    copy = json.loads(json.dumps(document))
    here, *rest = place.split(".")
    copy[here] = changed(copy[here], ".".join(rest), value) if rest else value
    return copy


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        *(
            ("number", value, f"step.number must be a whole number, got {told}")
            for value, told in (("0", "'0'"), (True, "True"), (1.0, "1.0"), (None, "nothing"))
        ),
        ("made_by", ["x"], "step.made_by must be a text, got a list of 1"),
        ("mode", "wild", "step.mode must be one of strict, moderate, creative, got 'wild'"),
        ("mode", ["strict"], "step.mode must be one of strict, moderate, creative, got a list of 1"),
        ("notes", "x", "step.notes must be a list, got 'x'"),
        ("sheet", [], "step.sheet must be an object, got a list of 0"),
        ("sheet.joined", "XOR", "step.sheet.joined must be one of AND, OR, got 'XOR'"),
        ("sheet.specific", [{"text": 5}], "step.sheet.specific[1].text must be a text, got 5"),
        ("sheet.specific", [{"phrase": True}], 'step.sheet.specific[1] lacks "text"'),
        ("sheet.general", [{"text": "Tree"}], 'step.sheet: "tree" is in the lists twice: keep one of them'),
        ("judged.used.recall", float("nan"), "step.judged.used.recall must be a number, got nan"),
        ("judged.used.recall", 10**301, "step.judged.used.recall must be a number, got " + repr(10**301)[:60]),
        ("judged.used.recall_interval", [0.1], "step.judged.used.recall_interval must be a list of 2, got a list of 1"),
        ("judged.whole", None, "step.judged.whole must be an object, got nothing"),
        ("sheet.colour", "red", 'step.sheet has the unknown key "colour": the file may come from a newer Queryscape'),
        ("text", "x" * 200_001, "step.text has 200,001 characters: at most 200,000 are allowed"),
        ("notes", ["x"] * 10_001, "step.notes has 10,001 values: at most 10,000 are allowed"),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(place, value, message):
    with pytest.raises(FormatError) as told:
        types.read_step(changed(SOME_STEP, place, value))
    assert str(told.value) == message


def test_limits_of_a_brief_hold_for_what_is_read_too():
    with refusal(FormatError):
        types.read_brief({"topic": " "})
    with refusal(FormatError):
        types.read_budget({"most_publications": 0})
