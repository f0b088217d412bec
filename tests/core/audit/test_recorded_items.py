"""PRISMA-S and the flow diagram from the table of searches."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.flow import Flow, flow_of
from core.audit.flow_picture import flow_alternative, flow_picture, width_of
from core.audit.prisma_items import ALL_FLOW_LABELS, FLOW_TEMPLATES, ITEMS, TEMPLATE, checked_text
from core.audit.prisma_report import prisma_s
from core.audit.prisma_s import FilledItem, fill
from core.audit.recorded_items import not_recorded
from core.audit.searches import SEARCH_KINDS, SearchKind
from core.audit.strategies import AuditAnswer, AuditFacts, Deduplication, RecordedSearch, SearchFacts
from core.errors import InputError
from core.pictures import Path, TextShape
from tests.audit_cases import HOSTILE, search_facts

MEDLINE = RecordedSearch(
    1,
    "MEDLINE (Ovid)",
    "database",
    "MEDLINE",
    "Ovid",
    "2026-11-04",
    "Ada",
    None,
    "heat* AND tree*",
    False,
    (),
    (),
    90,
    84,
)
MEDLINE = replace(MEDLINE, n_publications=84, files=("medline.ris",))
ECONLIT = replace(
    MEDLINE,
    number=2,
    name="EconLit (EBSCOhost)",
    database="EconLit",
    platform="EBSCOhost",
    n_records=3,
    n_publications=3,
)
TRIALS = replace(
    MEDLINE, number=3, name="ClinicalTrials.gov", database="ClinicalTrials.gov", kind="register", n_records=12
)
SNOWBALL = replace(MEDLINE, number=4, name="Citations", database="Citations", kind="citations", n_records=7)


def facts_of(*table: RecordedSearch, searches: tuple[SearchFacts, ...] = (), **more: int) -> AuditFacts:
    none = Deduplication(0, 0, (), 0, 0, 0)
    return AuditFacts("Tea", False, 1, searches, (), none, recorded=table, **more)  # type: ignore[arg-type]


def item(facts: AuditFacts, number: int) -> FilledItem:
    return fill(facts)[number - 1]


def answered(facts: AuditFacts, item: str, text: str) -> AuditFacts:
    return replace(facts, answers=facts.answers | {item: AuditAnswer(item, "own", text, "Ada", "2026-11-05")})


def test_a_whole_table_answers_all_that_it_can() -> None:
    facts = facts_of(MEDLINE, ECONLIT, TRIALS, SNOWBALL)
    states = {each.item.number: each.state for each in fill(facts)}
    assert {number for number, state in states.items() if state == "open"} == {6, 7, 11, 14, 16}
    assert states[15] == "known"
    assert all(name in item(facts, 3).text + item(facts, 5).text for name in ("ClinicalTrials.gov", "Citations"))
    assert "MEDLINE" in item(facts, 1).text
    assert "Ovid" in item(facts, 1).text


@pytest.mark.parametrize(
    ("lacks", "number"),
    [
        ({"database": "", "name": "Search 1"}, 1),
        ({"platform": ""}, 1),
        ({"text": ""}, 8),
        ({"text": ""}, 9),
        ({"day": ""}, 13),
        ({"n_hits": None, "n_records": None}, 15),
    ],
)
def test_what_is_missing_leaves_its_item_open(lacks: dict[str, object], number: int) -> None:
    facts = facts_of(replace(MEDLINE, **lacks), ECONLIT)  # type: ignore[arg-type]
    assert item(facts_of(MEDLINE, ECONLIT), number).state != "open"
    assert item(facts, number).state == "open"
    assert item(facts, number).next_step


def test_databases_of_one_platform_and_days_of_one_database_are_told() -> None:
    other = replace(ECONLIT, number=5, name="GreenFILE (EBSCOhost)", database="GreenFILE")
    text = item(facts_of(ECONLIT, other), 2).text
    assert all(name in text for name in ("EconLit", "GreenFILE", "EBSCOhost"))
    again = replace(MEDLINE, number=6, day="2026-12-01")
    text = item(facts_of(MEDLINE, again), 12).text
    assert "4 November 2026" in text
    assert "1 December 2026" in text


def test_runs_over_the_topic_are_no_searches_beside_a_table() -> None:
    local = replace(search_facts("trial"), how="local")
    live = replace(search_facts("live"), how="live")
    filed = replace(search_facts("v1"), how="file")
    facts = facts_of(replace(MEDLINE, version="v1"), searches=(local, live, filed))
    assert [search.version for search in not_recorded(facts)] == ["live"]
    assert [source.name for source in flow_of(facts).sources] == ["MEDLINE (Ovid)", live.source]
    assert not_recorded(replace(facts, recorded=())) == facts.searches
    assert live.source in item(facts, 1).text


def test_kinds_fill_their_boxes() -> None:
    flow = flow_of(facts_of(MEDLINE, ECONLIT, TRIALS, SNOWBALL, n_found=100, n_to_screen=95))
    assert flow.template == "new-other"
    assert (flow.n("flow:databases"), flow.n("flow:registers"), flow.n("flow:citations")) == (87, 12, 7)
    assert flow.n("flow:websites") == 0
    assert flow.n("flow:duplicates") == 87 + 12 - 95
    assert flow.n("flow:screened") == 95
    assert flow.disagreements == ()


def test_screened_and_included_fill_the_rest() -> None:
    facts = facts_of(MEDLINE, n_found=80, n_to_screen=80, n_sought=30, n_included=24)
    flow = flow_of(answered(facts, "flow:reports-excluded", "Wrong population: 4\nNo outcome: 1"))
    numbers = {number.item: (number.n, number.state) for number in flow.numbers}
    assert numbers["flow:excluded"] == (50, "likely")
    assert numbers["flow:sought"] == (30, "known")
    assert numbers["flow:assessed"] == (29, "likely")
    assert numbers["flow:not-retrieved"] == (1, "likely")
    assert (numbers["flow:reports"], numbers["flow:studies"]) == ((24, "known"), (24, "likely"))
    assert flow.disagreements == ()


def test_hits_without_a_file_count_and_a_note_says_so() -> None:
    flow = flow_of(facts_of(MEDLINE, replace(ECONLIT, n_records=None, n_publications=None, n_hits=9), n_found=84))
    assert flow.n("flow:databases") == 84 + 9
    assert flow.n("flow:duplicates") == 0
    assert any("EconLit" in note for note in flow.notes)


def test_a_diagram_without_other_methods_says_what_it_leaves_out() -> None:
    facts = facts_of(MEDLINE, SNOWBALL)
    assert flow_of(facts).warnings == ()
    assert any("Citations" in warning for warning in flow_of(answered(facts, TEMPLATE, "new")).warnings)
    with pytest.raises(InputError):
        checked_text(TEMPLATE, "own", "another")


tables = st.lists(
    st.builds(
        replace,
        st.just(MEDLINE),
        name=st.sampled_from([*HOSTILE, "x" * 300, "MEDLINE (Ovid)"]),
        kind=st.sampled_from(SEARCH_KINDS),
        n_records=st.none() | st.integers(0, 10**6),
        n_hits=st.none() | st.integers(0, 10**6),
        text=st.sampled_from(["", "heat* AND english[la]", "1. heat* (12)\n2. tree* (9)\n3. 1 AND 2 (7)"]),
        day=st.sampled_from(["", "2026-11-04", "2026-12-01"]),
    ),
    min_size=1,
    max_size=15,
).map(lambda found: tuple(replace(search, number=number) for number, search in enumerate(found, start=1)))


@pytest.mark.parametrize("template", FLOW_TEMPLATES)
@given(table=tables, said=st.dictionaries(st.sampled_from(list(ALL_FLOW_LABELS)), st.integers(0, 10**6).map(str)))
def test_every_diagram_can_be_drawn_and_keeps_its_text_in_its_boxes(
    template: str, table: tuple[RecordedSearch, ...], said: dict[str, str]
) -> None:
    facts = answered(facts_of(*table, n_found=10), TEMPLATE, template)
    for each, text in said.items():
        facts = answered(facts, each, text)
    flow = flow_of(facts)
    assert flow.template == template
    check_inside(flow)
    assert flow_alternative(flow)
    assert len(prisma_s(facts, made_at="2026-11-05", made_with="Q").blocks) > len(ITEMS)


def check_inside(flow: Flow) -> None:
    picture = flow_picture(flow)
    boxes = [shape.places for shape in picture.shapes if isinstance(shape, Path) and len(shape.places) == 4]
    for shape in picture.shapes:
        if isinstance(shape, TextShape) and shape.anchor == "start" and shape.size == 13:
            end = shape.x + width_of(shape.text, shape.size)
            assert any(x <= shape.x and end <= right and y < shape.y < low for (x, y), _, (right, low), _ in boxes)


@given(table=tables)
def test_what_databases_and_registers_brought_is_removed_or_screened(table: tuple[RecordedSearch, ...]) -> None:
    kinds: set[SearchKind] = {"database", "register"}
    brought = sum(search.n_records or 0 for search in table if search.kind in kinds and search.n_records is not None)
    flow = flow_of(facts_of(*table, n_found=brought, n_to_screen=brought))
    if flow.n_identified is not None:
        assert flow.n_identified - flow.n_removed == flow.n("flow:screened")
    assert not any("higher than" in sentence for sentence in flow.disagreements)


@given(kinds=st.lists(st.sampled_from([kind for kind in SEARCH_KINDS if kind != "database"]), max_size=4))
def test_what_is_denied_is_only_what_nothing_records(kinds: list[SearchKind]) -> None:
    others = [
        replace(TRIALS, number=n, name=f"Source {n}", database=f"Source {n}", kind=kind)
        for n, kind in enumerate(kinds, 2)
    ]
    items = {each.item.number: each for each in fill(facts_of(MEDLINE, *others))}
    assert all(line in each.recorded.splitlines() for each in items.values() for line in each.denials)
    for number, kind in ((3, "register"), (4, "website"), (5, "citations")):
        assert bool(items[number].denials) is (kind not in kinds)
    assert items[9].denials


def test_recorded_limits_and_a_repeated_search_deny_nothing() -> None:
    limited = replace(MEDLINE, limits=("Years 2000 to 2024",))
    facts = facts_of(limited, replace(limited, number=2, day="2026-11-20"))
    assert not item(facts, 9).denials
    assert not item(facts, 12).denials


def test_a_string_that_cannot_be_read_is_a_warning_of_its_item() -> None:
    whole, cut = replace(MEDLINE, text="heat.ti. and trees.ti."), replace(ECONLIT, text="heat AND (")
    assert not item(facts_of(whole), 8).warnings
    (warning,) = item(facts_of(whole, cut), 8).warnings
    assert "EconLit" in warning
