"""The PRISMA 2020 flow: sums that come out, disagreements that are said, and text that stays in its boxes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.flow import Flow, FlowNumber, flow_of, flow_tables
from core.audit.flow_picture import flow_alternative, flow_picture, width_of, wrapped
from core.audit.prisma_items import FLOW_LABELS
from core.audit.strategies import AuditAnswer, AuditFacts, Deduplication, SearchFacts
from core.pictures import Path, TextShape, svg
from tests.audit_cases import HOSTILE, search_facts

LIVE = replace(search_facts("a"), n_records=100, n_aside=2, n_publications=100)


def facts_of(*searches: SearchFacts, n_found: int | None = None, **said: str) -> AuditFacts:
    """`said`: numbers by the item's name, with _ for a hyphen."""
    answers = {
        item: AuditAnswer(item, "own", text, "A. Person", "2026-05-05T09:00:00+00:00")
        for name, text in said.items()
        if (item := f"flow:{name.replace('_', '-')}")
    }
    duplicates = Deduplication(0, 0, (), 0, 0, 0)
    return AuditFacts("Tea", False, 1, searches, (), duplicates, answers=answers, n_found=n_found)


def two() -> tuple[SearchFacts, SearchFacts]:
    return LIVE, replace(LIVE, version="b", source="OpenAlex", n_records=50, n_aside=0, n_publications=50)


def test_identification_comes_from_the_record() -> None:
    flow = flow_of(facts_of(*two(), n_found=120))
    assert flow.n("flow:databases") == 152
    assert flow.n("flow:duplicates") == 30
    assert flow.n("flow:other") == 2
    screened = flow.of("flow:screened")
    assert (screened.n, screened.state) == (120, "likely")
    assert flow.of("flow:registers").state == "open"
    assert flow.of("flow:excluded").n is None
    assert flow.disagreements == ()
    assert [(source.name, source.n) for source in flow.sources] == [("PubMed", 102), ("OpenAlex", 50)]


def test_a_run_over_the_topic_is_no_database() -> None:
    local = replace(LIVE, how="local", source="the 9 publications of this topic", n_records=None, n_publications=0)
    local = replace(local, n_aside=0)
    flow = flow_of(facts_of(local, n_found=0))
    assert flow.n("flow:databases") is None
    assert flow.n("flow:topic") == 0
    assert flow.n("flow:screened") == 0
    assert "no database" in flow_alternative(flow)


def test_nothing_run_leaves_everything_open() -> None:
    flow = flow_of(facts_of())
    assert {number.state for number in flow.numbers} == {"open"}
    assert flow.n_identified is None
    assert flow.sources == ()
    assert len(flow_tables(flow)) == 1


def test_no_register_follows_from_item_three() -> None:
    facts = facts_of(LIVE, n_found=100)
    answer = AuditAnswer("prisma-s:3", "not done", "", "", "2026-05-05T09:00:00+00:00")
    assert flow_of(replace(facts, answers={"prisma-s:3": answer})).n("flow:registers") == 0


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"databases": "90"}, "Databases: 90 was answered, but 102 is recorded."),
        ({"screened": "99"}, "but records screened: 99."),
        ({"automation": "200"}, "The number of records removed before screening (202)"),
        ({"screened": "100", "excluded": "60", "sought": "41"}, "but reports sought for retrieval: 41."),
        ({"sought": "40", "not_retrieved": "2", "assessed": "40"}, "38 are left"),
        ({"assessed": "38", "reports_excluded": "A: 10\nB: 8", "reports": "21"}, "20 are left"),
        ({"studies": "5", "reports": "4"}, "5 studies can't have only 4 reports."),
    ],
)
def test_a_sum_that_does_not_come_out_is_said(said: dict[str, str], words: str) -> None:
    flow = flow_of(facts_of(LIVE, n_found=100, **said))
    assert any(words in each for each in flow.disagreements), flow.disagreements


def test_a_whole_diagram_agrees_and_has_no_dashes() -> None:
    facts = facts_of(
        *(LIVE,),
        n_found=100,
        registers="0",
        automation="0",
        screened="100",
        excluded="60",
        sought="40",
        not_retrieved="2",
        assessed="38",
        reports_excluded="Wrong population: 10\nNo outcome: 8",
        studies="18",
        reports="20",
    )
    flow = flow_of(facts)
    assert flow.disagreements == ()
    assert flow.reasons == (("Wrong population", 10), ("No outcome", 8))
    shapes = flow_picture(flow).shapes
    assert not [shape for shape in shapes if isinstance(shape, Path) and shape.dash]
    assert not [shape for shape in shapes if isinstance(shape, TextShape) and "?" in shape.text]


def test_a_confirmed_number_that_is_recorded_otherwise_now_has_changed() -> None:
    facts = facts_of(LIVE, n_found=100)
    answer = AuditAnswer("flow:databases", "confirmed", "90", "", "2026-05-05T09:00:00+00:00")
    number = flow_of(replace(facts, answers={"flow:databases": answer})).of("flow:databases")
    assert (number.state, number.n) == ("changed", 102)
    assert "90 was confirmed" in number.sentence


def test_a_confirmed_number_of_screened_records_follows_what_is_left() -> None:
    facts = facts_of(LIVE, n_found=100)

    def screened(text: str) -> FlowNumber:
        answer = AuditAnswer("flow:screened", "confirmed", text, "", "2026-05-05T09:00:00+00:00")
        return flow_of(replace(facts, answers={answer.item: answer})).of(answer.item)

    assert (screened("100").state, screened("100").n) == ("said", 100)
    assert (screened("90").state, screened("90").n) == ("changed", 100)


def test_several_searches_of_one_source_and_a_cut_are_noted() -> None:
    flow = flow_of(facts_of(LIVE, replace(LIVE, version="b", is_cut=True), n_found=150))
    assert any("Report only" in note for note in flow.notes)
    (warning,) = flow.warnings
    assert "version “b” was cut" in warning
    shown = " ".join(shape.text for shape in flow_picture(flow).shapes if isinstance(shape, TextShape))
    for text in (shown.replace("\u00a0", " "), flow_alternative(flow)):
        assert "by its cap" in text


def test_a_version_that_was_not_run_gave_nothing() -> None:
    flow = flow_of(facts_of(LIVE, replace(LIVE, version="b", source="Scopus", n_records=None, n_publications=None)))
    assert flow.of("flow:databases").sentence == f"All records from {LIVE.source}."


def test_a_very_long_reason_does_not_blow_the_picture_up() -> None:
    flow = flow_of(facts_of(LIVE, n_found=100, reports_excluded=f"{'wrong ' * 1500}: 3"))
    assert flow.n("flow:reports-excluded") == 3
    assert flow_picture(flow).height < 1000


numbers = st.integers(0, 10**6)


@given(st.lists(st.tuples(numbers, st.integers(0, 50)), min_size=1, max_size=20), st.data())
def test_what_was_identified_is_removed_or_left(sizes: list[tuple[int, int]], data: st.DataObject) -> None:
    searches = [
        replace(LIVE, version=str(i), source=f"Source {i}", n_records=n, n_aside=aside, n_publications=n)
        for i, (n, aside) in enumerate(sizes)
    ]
    n_found = data.draw(st.integers(max(n for n, _ in sizes), sum(n for n, _ in sizes)))
    flow = flow_of(facts_of(*searches, n_found=n_found))
    assert flow.disagreements == ()
    assert flow.n_identified == sum(source.n or 0 for source in flow.sources)
    assert flow.n_identified - flow.n_removed == n_found == flow.n("flow:screened")


@given(st.dictionaries(st.sampled_from(list(FLOW_LABELS)), numbers.map(str)), st.text(max_size=60))
def test_whatever_is_said_there_is_a_picture(said: dict[str, str], name: str) -> None:
    answers = {item: AuditAnswer(item, "own", text, name, "") for item, text in said.items()}
    facts = replace(facts_of(replace(LIVE, source=name, version=name), n_found=100), answers=answers)
    flow = flow_of(facts)
    check_inside(flow)
    assert flow_alternative(flow)


def check_inside(flow: Flow) -> None:
    """Every line of text lies in the picture, and those in boxes end before the box does."""
    picture = flow_picture(flow)
    for shape in picture.shapes:
        if isinstance(shape, TextShape):
            assert 0 < shape.y < picture.height
            if shape.anchor == "start" and shape.size == 13:
                room = 412 if shape.x < 440 else 752
                assert shape.x + width_of(shape.text, shape.size) <= room


def test_many_sources_and_long_or_hostile_names_stay_in_their_boxes() -> None:
    names = [*HOSTILE, "x" * 300, "データベース" * 20, *(f"Source {i}" for i in range(30))]
    searches = [replace(LIVE, version=name, source=name) for name in names]
    reasons = "\n".join(f"A reason that goes on and on for number {i}: {i}" for i in range(40))
    flow = flow_of(facts_of(*searches, n_found=100, reports_excluded=reasons))
    check_inside(flow)
    drawn = svg(flow_picture(flow), alternative=flow_alternative(flow))
    assert "<script>" not in drawn
    assert "more reasons" in drawn


@given(st.text(max_size=200), st.floats(20, 300))
def test_wrapping_loses_no_sign_and_keeps_to_the_room(text: str, room: float) -> None:
    lines = wrapped(text, room, 13)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width_of(line, 13) <= room or len(line.strip()) <= 2 for line in lines)
