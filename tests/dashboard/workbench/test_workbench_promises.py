"""What the Query page offers comes true in the text, whatever is switched off, written twice or left open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.explanations import Rescue
from core.query.match import Semantics, count
from core.query.parser import parse
from core.query.tree import DialectId, Edit, apply_edits
from dashboard.workbench.bench import (
    ANSWERS,
    DIALECTS,
    SEMANTICS,
    DraftResults,
    Drafts,
    Panels,
    QueryBench,
    QueryDraft,
    answered,
    carried_over,
    difference,
    text_to_run,
)
from dashboard.workbench.document import bench_document
from data.explore.desk import Desk, set_up
from data.explore.workspace import Workspace
from tests.data.workspaces import MODEL, TOPIC, fill

WORDS = ("tea", "leaves", "kettle", "cup", "nets", "petri", "word3", "steep", "wat*", '"tea leaves"', "model", "zzz")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    root: Path = tmp_path_factory.mktemp("promises")
    fill(root)
    with Workspace.open(root) as workspace:
        yield set_up(workspace, TOPIC, MODEL)


def opened(text: str, off: tuple[int, ...] = (), dialect: DialectId | None = None) -> QueryBench:
    return QueryBench(Drafts((QueryDraft(text, dialect, off=frozenset(off)),)))


def ask(desk: Desk, bench: QueryBench, kind: str, **more: Any) -> QueryBench:
    return answered(bench, DraftResults(desk, bench.drafts.current), {"kind": kind, **more})


def numbers_of(text: str, *written: str) -> list[int]:
    """The nodes that are written like that."""
    parsed = parse(text)
    return [i for i, node in enumerate(parsed.nodes) if node.span.of(text) in written]


def test_an_alternative_that_comes_into_what_is_switched_off_does_not_switch_it_on(desk: Desk) -> None:
    text = "(tea AND (kettle OR cup)) OR petri"
    off = numbers_of(text, "tea AND (kettle OR cup)")
    bench = ask(desk, opened(text, tuple(off)), "edit", text="(tea AND (kettle OR cup OR pot)) OR petri")
    after = bench.drafts.current
    assert after.off == frozenset(numbers_of(after.text, "tea AND (kettle OR cup OR pot)"))


def test_a_term_that_is_typed_on_stays_off(desk: Desk) -> None:
    text = "tea OR cup OR tea"
    bench = ask(desk, opened(text, (3,)), "edit", text="tea OR cup OR teapot")
    assert bench.drafts.current.off == {3}
    assert ask(desk, opened(text, (3,)), "edit", text="tea OR cup").drafts.current.off == frozenset()


def test_of_equal_terms_the_one_that_was_switched_off_goes(desk: Desk) -> None:
    text = "(tea OR cup OR kettle) AND (leaves OR cup OR water OR kettle)"
    off = numbers_of(text, "cup", "kettle")
    work = DraftResults(desk, QueryDraft(text, None, off=frozenset(off)))
    assert text_to_run(work) == "(tea) AND (leaves OR water)"
    second = DraftResults(desk, QueryDraft(text, None, off=frozenset(numbers_of(text, "cup")[1:])))
    assert text_to_run(second) == "(tea OR cup OR kettle) AND (leaves OR water OR kettle)"


def test_nothing_is_offered_that_would_come_into_an_open_bracket(desk: Desk) -> None:
    work = DraftResults(desk, QueryDraft("(zzz OR (tea( AND cup) AND kettle", None))
    assert work.rescuer is not None
    for row in range(len(desk.corpus.ids)):
        for rescue in work.rescuer.rescues(row):
            check_price(desk, work.draft, rescue)


def test_an_offer_that_takes_the_last_sign_of_a_dialect_keeps_the_dialect(desk: Desk) -> None:
    text = "(petri[tiab] OR tea) AND cup OR leaves"
    work = DraftResults(desk, QueryDraft(text, None))
    assert work.parsed.dialect == "pubmed"
    bench = ask(desk, opened(text), "reshape", how="slim")
    bench = ask(desk, bench, "reshape_accept")
    draft = bench.drafts.current
    assert "[tiab]" not in draft.text
    assert DraftResults(desk, draft).parsed.dialect == "pubmed"


@given(st.text("ab ()", max_size=12), st.text("ab ()", max_size=12))
def test_the_difference_of_two_texts_makes_the_one_of_the_other(before: str, after: str) -> None:
    edit = difference(before, after)
    assert apply_edits(before, (edit,)) == after
    assert difference(before, before) in [Edit(len(before), len(before), "")]


@given(st.data())
def test_what_is_off_is_carried_through_a_change_elsewhere(data: st.DataObject) -> None:
    text = data.draw(queries)
    nodes = parse(text, "plain").nodes
    off = data.draw(st.sets(st.integers(0, max(len(nodes) - 1, 0)))) if nodes else set()
    moved = carried_over(parse(text, "plain"), off, f"  {text}", "plain")
    assert moved == frozenset(off)


def check_price(desk: Desk, draft: QueryDraft, offer: Rescue) -> None:
    """It adds what it says it adds, and gains what it says it gains."""
    before = DraftResults(desk, draft)
    publication_id = desk.corpus.ids[0]
    bench = QueryBench(Drafts((draft,)), Panels(rescues={publication_id: (offer,)}))
    after = DraftResults(desk, ask(desk, bench, "rescue", publication_id=publication_id, index=0).drafts.current)
    assert count(after.retrieved & ~before.retrieved) == offer.n_added, (draft, offer.label, after.draft)
    assert count(before.retrieved & ~after.retrieved) == 0
    assert after.summary.n_found - before.summary.n_found == len(offer.core_gained)
    assert after.summary.f_beta == pytest.approx(offer.f_beta)


@st.composite
def _queries(draw: st.DrawFn) -> str:
    blocks = draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=1, max_size=3))
    parts = [f"({' OR '.join(block)})" for block in blocks]
    text = draw(st.sampled_from((" AND ", " OR ", " "))).join(parts)
    text += draw(st.sampled_from(("", " NOT petri", " NOT (nets OR zzz)", " OR tea[tiab]", " AND tea adj2 cup")))
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(("(", ")", '"', " OR ", " NOT ", "*", "[ti]", "\n1. "))) + text[at:]
    return text


queries = _queries()
JUNK = st.sampled_from(
    (None, 1, -1, 0, True, 1e99, float("nan"), float("inf"), 10**30, "x", "tea", "\ud800", [], {}, [1, "a"], [None])
)
KEYS = ("text", "dialect", "semantics", "off", "id", "publication_id", "index", "group", "how", "floor", "ceiling")


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_offer_comes_true(desk: Desk, data: st.DataObject) -> None:
    dialect = data.draw(st.sampled_from((None, None, *DIALECTS)))
    semantics: Semantics = data.draw(st.sampled_from(SEMANTICS))
    draft = QueryDraft(data.draw(queries), dialect, semantics)
    n = len(DraftResults(desk, draft).parsed.nodes)
    if n and data.draw(st.booleans()):
        draft = QueryDraft(draft.text, dialect, semantics, data.draw(st.frozensets(st.integers(0, n - 1), max_size=2)))
    work = DraftResults(desk, draft)
    if work.rescuer is not None:
        for row in data.draw(st.lists(st.integers(0, len(desk.corpus.ids) - 1), max_size=2)):
            for rescue in work.rescuer.rescues(row):
                check_price(desk, draft, rescue)
    bench = QueryBench(Drafts((draft,)))
    how = data.draw(st.sampled_from(("slim", "widen")))
    bench = ask(desk, bench, "reshape", how=how)
    if bench.panels.reshaped is None:
        return
    accepted = ask(desk, bench, "reshape_accept")
    if accepted.mistake is None:
        assert DraftResults(desk, accepted.drafts.current).summary.n_retrieved == bench.panels.reshaped[1].n_after


@pytest.mark.parametrize("limit", [float("inf"), float("nan"), -1, "many", [1]])
def test_a_limit_that_is_no_number_changes_nothing(desk: Desk, limit: Any) -> None:
    bench = ask(desk, opened("(tea OR cup) AND kettle"), "reshape", how="slim", ceiling=limit, floor=limit)
    assert bench.drafts.current.text == "(tea OR cup) AND kettle"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_ask_is_answered_and_can_be_taken_back(desk: Desk, data: st.DataObject) -> None:
    bench = opened(data.draw(queries))
    for _ in range(data.draw(st.integers(1, 6))):
        kind = data.draw(st.sampled_from((*ANSWERS, "nonsense", None)))
        more = {key: data.draw(JUNK) for key in data.draw(st.lists(st.sampled_from(KEYS), unique=True))}
        before = bench.drafts.current
        work = DraftResults(desk, before)
        bench = answered(bench, work, {"kind": kind, **more})
        work = DraftResults(desk, bench.drafts.current)
        document = bench_document(bench, work, DraftResults(desk, bench.drafts.first).summary, {})
        json.dumps(document, allow_nan=False)
        if kind not in ("undo", "redo") and bench.drafts.current != before:
            assert answered(bench, work, {"kind": "undo"}).drafts.current == before


def test_two_visitors_at_one_desk_get_what_each_would_get_alone(desk: Desk) -> None:
    texts = ["(tea OR cup) AND (zzz OR petri)", "nets AND steep*", "tea NEAR/2 leaves OR model", "NOT tea"] * 3

    def documents(text: str) -> str:
        bench = opened(text)
        for publication_id in desk.core_rows:
            bench = ask(desk, bench, "rescues", publication_id=publication_id)
        bench = ask(desk, ask(desk, bench, "suggest"), "effects")
        work = DraftResults(desk, bench.drafts.current)
        return json.dumps(bench_document(bench, work, work.summary, {}), allow_nan=False)

    alone = [documents(text) for text in texts]
    with ThreadPoolExecutor(4) as visitors:
        assert list(visitors.map(documents, texts)) == alone
