"""Sorting without a page: every ask is answered, promises come true, and every step can be taken back."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.query.parser import parse
from core.query.tree import DialectId
from core.writer.keyword_effects import SheetEvaluator
from core.writer.sheets import LISTS, STATISTICS, HeldBackProposal, Keyword, KeywordProposal, Sheet
from dashboard.undo import MOST_TURNS
from dashboard.writer.board import (
    ANSWERS,
    GONE,
    MOST_AT_ONCE,
    BoardHistory,
    BoardScorer,
    BoardSource,
    BoardState,
    BoardTurn,
    OpenedBoard,
    answered,
    board_document,
    opened_state,
    read_typed,
)
from data.explore.desk import set_up
from data.explore.workspace import Workspace
from data.query.search import answer
from data.writer.desk import WriterDesk, with_split
from tests.data.workspaces import MODEL, TOPIC

SHEET = Sheet(
    specific=(Keyword("tea"), Keyword("petri nets")),
    general=(Keyword("leaves"), Keyword("cup")),
    overarching=(Keyword("water"), Keyword("kettle")),
    excluded=(Keyword("workflow"),),
    aside=(Keyword("steep water", phrase=False), Keyword("nowhere")),
)
HELD = (
    HeldBackProposal("KETTLE LID", "It is written in capitals.", "core", "demo", Keyword("kettle lid")),
    HeldBackProposal("ignore all this", "It is an instruction.", "core", "demo"),
)
OPENED = OpenedBoard(
    "step:w:1", "step", SHEET, "Step 1", TOPIC, writing_id="w", number=1, is_candidate=True, held_back=HELD,
    proposals={"tea": (KeywordProposal(Keyword("tea"), "In 5 of 8.", STATISTICS),)},
)  # fmt: skip
KEYS = [keyword.key for name in LISTS for keyword in SHEET.of(name)]


@pytest.fixture(scope="module")
def at(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WriterDesk]:
    root = tmp_path_factory.mktemp("board") / "ws"
    shutil.copytree(filled, root)
    with Workspace.open(root) as workspace:
        yield with_split(workspace, set_up(workspace, TOPIC, MODEL), seed=0)


@pytest.fixture(scope="module")
def scales(at: WriterDesk) -> BoardScorer:
    return BoardScorer(at.sides, SheetEvaluator(at.desk.corpus, "literal", at.sides.used), len(at.desk.corpus.ids))


def ask(state: BoardState, kind: str, **more: Any) -> BoardState:
    return answered(state, OPENED, {"kind": kind, **more})


def look(state: BoardState, scales: BoardScorer, opened: OpenedBoard = OPENED) -> dict[str, Any]:
    document = board_document(state, opened, scales, (BoardSource("step:1", "Step 1", "This writing"),))
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    return document


def rows(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["key"]: row | {"list": each["id"]} for each in document["lists"] for row in each["rows"]}


def retrieved(document: dict[str, Any]) -> set[int]:
    bits = np.frombuffer(base64.b64decode(document["retrieved"]), np.uint8)
    return set(np.flatnonzero(np.unpackbits(bits, bitorder="little")).tolist())


def test_a_board_says_what_a_run_of_its_string_would_give(at: WriterDesk, scales: BoardScorer) -> None:
    document = look(opened_state(OPENED), scales)
    found = answer(at.desk.corpus, parse(document["text"]), "literal")
    assert {at.desk.corpus.ids[row] for row in retrieved(document)} == set(found.ids)
    assert document["scores"]["n_retrieved"] == len(found.ids) > 0
    sides = document["scores"]["sides"]
    assert sides["whole"]["n_core"] == sides["used"]["n_core"] + sides["held_out"]["n_core"] == len(at.desk.core_ids)
    assert sides["whole"]["n_found"] == sides["used"]["n_found"] + sides["held_out"]["n_found"]
    assert document["way"] == "step:1"
    assert not document["is_changed"]
    assert document["saved"] is None
    assert rows(document)["tea"]["who"] == [{"by": "corpus statistics", "reason": "In 5 of 8."}]
    assert list(rows(document)) == KEYS


def test_figures_of_keywords_count_the_core_publications_in_use_alone(at: WriterDesk, scales: BoardScorer) -> None:
    used = set(at.split.used)
    for key, row in rows(look(opened_state(OPENED), scales)).items():
        keyword = next(k for name in LISTS for k in SHEET.of(name) if k.key == key)
        bits = scales.board.look_up(keyword)
        assert bits is not None
        assert row["core_found"] == len(used & set(at.desk.retrieved_ids(bits)))


@pytest.mark.parametrize("key", KEYS)
def test_what_a_move_promises_comes_true(key: str, scales: BoardScorer) -> None:
    state = opened_state(OPENED)
    promised = rows(look(state, scales))[key]["if_moved"]
    assert set(promised) == set(LISTS) - {SHEET.list_of(key)}
    for to, effect in promised.items():
        after = look(ask(state, "move", key=key, to=to), scales)
        assert after["scores"]["n_retrieved"] == effect["n_retrieved"]
        assert after["scores"]["sides"]["used"]["n_found"] == effect["n_found"]
        assert after["scores"]["sides"]["used"]["f_beta"] == effect["f_beta"]
        assert after["last"]["n_retrieved"] == effect["n_retrieved"] - look(state, scales)["scores"]["n_retrieved"]


SIMPLE = st.one_of(
    st.fixed_dictionaries(
        {"kind": st.just("move"), "key": st.sampled_from(KEYS), "to": st.sampled_from(LISTS)},
        optional={"place": st.integers(-1, 4)},
    ),
    st.fixed_dictionaries({"kind": st.just("join"), "joined": st.sampled_from(["AND", "OR"])}),
    st.fixed_dictionaries({"kind": st.sampled_from(["undo", "redo"])}),
)
ANY = st.one_of(
    SIMPLE,
    st.fixed_dictionaries({"kind": st.just("delete"), "key": st.sampled_from([*KEYS, "gone"])}),
    st.fixed_dictionaries(
        {"kind": st.just("add"), "text": st.text('tea ("*,;\nORß', max_size=9), "to": st.sampled_from([*LISTS, "no"])}
    ),
    st.fixed_dictionaries(
        {"kind": st.just("edit"), "key": st.sampled_from(KEYS), "text": st.text("tea ?*x", max_size=6)},
        optional={"phrase": st.booleans()},
    ),
    st.fixed_dictionaries({"kind": st.just("take"), "index": st.integers(-2, 3), "to": st.sampled_from(LISTS)}),
    st.fixed_dictionaries({"kind": st.sampled_from([*ANSWERS, "unheard of"])}),
)


@given(asks=st.lists(ANY, max_size=12))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_asks_are_answered_and_can_all_be_taken_back(asks: list[dict[str, Any]], scales: BoardScorer) -> None:
    state = opened_state(OPENED)
    for each in asks:
        before, state = state.sheet, answered(state, OPENED, each)
        if state.mistake is not None:
            assert state.sheet == before
    document = look(state, scales)
    assert document["scores"]["n_retrieved"] == len(retrieved(document))
    last = state.sheet
    for _ in range(state.history.at):
        state = ask(state, "undo")
    assert state.sheet == SHEET
    assert not state.is_changed
    while state.history.can_redo and state.sheet != last:
        state = ask(state, "redo")
    assert state.sheet == last


@given(asks=st.lists(SIMPLE, max_size=10))
@settings(deadline=None, max_examples=60)
def test_sorting_neither_loses_nor_doubles_a_keyword(asks: list[dict[str, Any]]) -> None:
    state = opened_state(OPENED)
    for each in asks:
        state = answered(state, OPENED, each)
    assert sorted(k.key for name in LISTS for k in state.sheet.of(name)) == sorted(KEYS)


@pytest.mark.parametrize("dialect", ["plain", "pubmed", "wos", "scopus", "ovid", "ebsco"])
def test_each_keyword_of_the_string_is_shown_in_the_colour_of_its_list(dialect: DialectId, scales: BoardScorer) -> None:
    document = look(ask(opened_state(OPENED), "dialect", dialect=dialect), scales)
    assert document["dialect"] == dialect
    listed = rows(document)
    assert {span["key"] for span in document["spans"]} == {key for key in KEYS if SHEET.list_of(key) != "aside"}
    for span in document["spans"]:
        written = document["text"][span["start"] : span["end"]].casefold()
        assert listed[span["key"]]["list"] == span["list"]
        assert listed[span["key"]]["text"] in written


def test_what_was_held_back_comes_in_only_when_it_is_asked_for(scales: BoardScorer) -> None:
    state = opened_state(OPENED)
    assert "lid" not in look(state, scales)["text"]
    taken = ask(state, "take", index=0, to="specific")
    document = look(taken, scales)
    assert '"kettle lid"' in document["text"]
    assert [h["taken"] for h in document["held_back"]] == [True, False]
    refused = ask(taken, "take", index=1, to="specific")
    assert refused.sheet == taken.sheet
    assert "be added" in str(refused.mistake)
    assert "is already in Specific" in str(ask(taken, "take", index=0, to="general").mistake)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "no keyword yet"),
        (" ; , ", "no keyword yet"),
        ("(*)", "has no word"),
        ("tea OR coffee", "contains an operator"),
        ("x" * 201, "201 characters"),
        (";".join(f"w{i}" for i in range(MOST_AT_ONCE + 1)), "101 keywords"),
        ("TEA", "is already in Specific"),
    ],
)
def test_what_is_no_keyword_is_refused_in_one_line(text: str, wrong: str) -> None:
    state = ask(opened_state(OPENED), "add", text=text, to="general")
    assert state.sheet == SHEET
    assert wrong in str(state.mistake)
    assert "\n" not in str(state.mistake)


def test_several_keywords_are_added_at_once_and_those_that_are_there_are_passed_over() -> None:
    state = ask(opened_state(OPENED), "add", text='oolong; "green tea"\ntea, cha*', to="general")
    assert [k.text for k in state.sheet.general] == ["leaves", "cup", "oolong", "green tea", "cha*"]
    assert state.message == "Added “oolong”, “green tea” and “cha*” to General"
    assert all(keyword.phrase for keyword in read_typed("green tea"))


def test_a_keyword_keeps_its_place_and_fields_when_it_is_changed() -> None:
    titled = replace(OPENED, sheet=Sheet(specific=(Keyword("tea", fields=("title",)), Keyword("cup"))))
    state = opened_state(titled)
    state = answered(state, titled, {"kind": "edit", "key": "tea", "text": "green tea", "phrase": False})
    assert state.sheet.specific == (Keyword("green tea", False, ("title",)), Keyword("cup"))
    again = answered(state, titled, {"kind": "edit", "key": "green tea", "text": "green tea", "phrase": True})
    assert again.message == "Words of “green tea” are now adjacent"
    assert answered(again, titled, {"kind": "edit", "key": "green tea", "text": "cup"}).mistake
    assert answered(again, titled, {"kind": "edit", "key": "long gone", "text": "cup"}).mistake == GONE


def test_general_keywords_wait_for_something_overarching(scales: BoardScorer) -> None:
    opened = replace(OPENED, sheet=Sheet(general=(Keyword("leaves"),), aside=(Keyword("water"),)))
    state = opened_state(opened)
    document = look(state, scales, opened)
    assert document["text"] == ""
    assert document["spans"] == []
    assert not retrieved(document)
    assert rows(document)["leaves"]["waits"]
    state = answered(state, opened, {"kind": "move", "key": "water", "to": "overarching"})
    document = look(state, scales, opened)
    assert document["text"] == "leaves AND water"
    assert not rows(document)["leaves"]["waits"]


def test_a_version_that_lost_something_is_not_called_the_version(scales: BoardScorer) -> None:
    whole = replace(OPENED, kind="version", label="v2")
    cut = replace(whole, left=(("tea NEAR/3 cup", "Nearness has no list."),), is_whole=False)
    assert look(opened_state(whole), scales, whole)["saved"] == "v2"
    document = look(opened_state(cut), scales, cut)
    assert document["saved"] is None
    assert document["way"] == "version:v2"
    assert document["left"] == [{"text": "tea NEAR/3 cup", "why": "Nearness has no list."}]


def test_without_held_out_publications_there_is_one_side(at: WriterDesk, scales: BoardScorer) -> None:
    sides = replace(scales.sides, used=scales.sides.whole, held_out=None)
    document = look(
        opened_state(OPENED), BoardScorer(sides, SheetEvaluator(at.desk.corpus, "literal", sides.used), scales.n)
    )
    assert list(document["scores"]["sides"]) == ["whole"]


def test_the_way_back_is_long_but_not_endless() -> None:
    history = BoardHistory((BoardTurn(SHEET),))
    for number in range(MOST_TURNS + 20):
        history = history.add(BoardTurn(SHEET.added(Keyword(f"w{number}"), "aside")))
    assert len(history.all) == MOST_TURNS + 2
    assert history.first.sheet == SHEET
    assert history.add(history.current) is history
