"""The verdict never says yes where nothing was measured."""

from __future__ import annotations

from dataclasses import replace

from core.judge.reliability import (
    GradePair,
    RepeatedTriple,
    agreement_with_people,
    compare_judges,
    consistency,
    core_agreement,
    rank_correlation,
)
from core.judge.trust import CHECKS, TOO_FEW, Findings, GradeBeforeAfter, shift_of, whether_to_believe

SCALE = {value: value for value in range(6)}
NOTHING = Findings(0, 5, 20)
MANY = [(n % 6, f"q{n % 7}") for n in range(60)]
GRADES = {f"t{n}": points for n, (points, _) in enumerate(MANY)}
QUERY_OF = {f"t{n}": query for n, (_, query) in enumerate(MANY)}
STAYS = shift_of([GradeBeforeAfter(q, p, p) for p, q in MANY], lowest=0, highest=5)
FALLS = shift_of([GradeBeforeAfter(q, p, max(p - 2, 0)) for p, q in MANY], lowest=0, highest=5)
RISES = shift_of([GradeBeforeAfter(q, p, 5) for p, q in MANY], lowest=0, highest=5)
ALL_WELL = replace(
    NOTHING,
    people=agreement_with_people([GradePair(q, p, p) for p, q in MANY], SCALE, cut=3),
    people_source="judgments of soups",
    repeats=consistency([RepeatedTriple(q, (p, p)) for p, q in MANY]),
    shifts={"longer": STAYS, "demanded": STAYS, "swapped": FALLS},
    judges=compare_judges({"a": GRADES, "b": GRADES}, QUERY_OF),
    core=core_agreement([5] * 6 + [0] * 6, [True] * 6 + [False] * 6),
    similarity=rank_correlation([p for p, _ in MANY], [p / 5 for p, _ in MANY]),
)


def test_nothing_measured_is_said_and_is_not_good() -> None:
    found = whether_to_believe(NOTHING)
    assert found.state == "not measured"
    assert {check.state for check in found.checks} == {"not measured"}
    assert "is not known" in found.paragraph
    missing = found.paragraph.partition("Not measured: ")[2]
    assert missing.casefold() == ", ".join(check.label for check in found.checks).casefold() + "."


def test_all_is_well_only_where_all_was_measured() -> None:
    found = whether_to_believe(ALL_WELL)
    assert found.state == "good"
    assert "Not measured" not in found.paragraph
    assert "judgments of soups" in found.paragraph
    less = whether_to_believe(replace(ALL_WELL, repeats=None))
    assert less.state == "mixed"
    assert less.paragraph.casefold().endswith(f"not measured: {CHECKS['repeats'].label}.".casefold())
    alone = whether_to_believe(replace(ALL_WELL, people=None))
    assert alone.state == "not measured"


def test_one_that_obeys_abstracts_is_not_relied_on() -> None:
    found = whether_to_believe(replace(ALL_WELL, shifts={"longer": STAYS, "demanded": RISES, "swapped": FALLS}))
    assert found.state == "bad"
    assert found.paragraph.startswith("Don't rely on")
    assert f'fails "{CHECKS["demanded"].label}".' in found.paragraph
    assert "100 % of 50 cases" in found.paragraph


def test_one_that_does_not_see_a_swap_is_not_relied_on() -> None:
    found = whether_to_believe(replace(ALL_WELL, shifts={"swapped": STAYS}))
    assert {check.check_id: check.state for check in found.checks}["swapped"] == "bad"
    assert "it lowers 0 % of 50 grades" in found.paragraph


def test_few_grades_and_doubted_ones_say_little() -> None:
    few = agreement_with_people([GradePair("q", 1, 1), GradePair("q", 4, 4)], SCALE, cut=3)
    found = whether_to_believe(replace(ALL_WELL, people=few))
    assert found.state == "too few"
    assert TOO_FEW in found.checks[0].sentence
    doubted = whether_to_believe(replace(ALL_WELL, people_biased=True))
    assert doubted.state == "too few"
    assert "a fair sample" in doubted.paragraph


def test_a_gap_has_its_direction_and_a_script_its_name() -> None:
    kind = agreement_with_people([GradePair(q, min(p + 2, 5), p) for p, q in MANY], SCALE, cut=3)
    found = whether_to_believe(replace(ALL_WELL, people=kind, is_model=False))
    assert found.paragraph.partition(",")[0].endswith("the demo judge")
    assert "30.0 of 100 higher than theirs" in found.paragraph


def test_regions_are_no_truth() -> None:
    against = rank_correlation([p for p, _ in MANY], [-p / 5 for p, _ in MANY])
    found = whether_to_believe(replace(ALL_WELL, similarity=against))
    assert found.state == "mixed"
    assert "rank correlation of -1.00 (-1.00 to -1.00) over 60 publications" in found.paragraph


def test_made_up_judgments_are_no_people() -> None:
    found = whether_to_believe(replace(ALL_WELL, people_made_up=True))
    assert found.state == "not measured"
    assert found.checks[0].found.startswith("synthetic judgments: weighted kappa 1.00")
    assert "not compared with" in found.paragraph


def test_one_model_asked_in_other_ways_is_no_other_judge() -> None:
    found = whether_to_believe(replace(ALL_WELL, judges_one_model=True))
    assert found.state == "mixed"
    assert "one model" in found.paragraph


def test_a_judge_that_throws_dice_passes_nothing() -> None:
    thrown = [GradeBeforeAfter(f"q{n}", 2 if n % 2 else 3, (7 * n) % 6) for n in range(40)]
    dice = shift_of(thrown, lowest=0, highest=5)
    found = whether_to_believe(replace(ALL_WELL, shifts={"longer": dice, "swapped": dice}))
    states = {check.check_id: check.state for check in found.checks}
    assert (states["longer"], states["swapped"]) == ("mixed", "mixed")
    assert "too wide" in found.paragraph
    assert "may be chance" in found.paragraph


def test_one_query_alone_passes_nothing() -> None:
    one = [GradeBeforeAfter("q", p, p) for p, _ in MANY]
    stays, falls = shift_of(one, lowest=0, highest=5), shift_of([replace(b, after=0) for b in one], lowest=0, highest=5)
    alone = replace(
        ALL_WELL,
        repeats=consistency([RepeatedTriple("q", (p, p)) for p, _ in MANY]),
        shifts={"longer": stays, "demanded": stays, "swapped": falls},
    )
    found = whether_to_believe(alone)
    states = {check.check_id: check.state for check in found.checks}
    assert [states[each] for each in ("repeats", "longer", "demanded", "swapped")] == ["mixed"] * 4
    assert found.paragraph.count("from one query.") == 4


def test_a_range_that_reaches_low_passes_nothing() -> None:
    pairs = [GradePair(f"q{n % 3}", n % 6, n % 6 if n % 3 else 5 - n % 6) for n in range(60)]
    people = agreement_with_people([each for each in pairs if each.query_id != "q0"] + pairs[::9], SCALE, cut=3)
    assert people.quadratic.value is not None
    assert people.quadratic.value >= 0.6
    assert people.quadratic_range is not None
    assert people.quadratic_range.low < 0.4
    found = whether_to_believe(replace(ALL_WELL, people=people))
    assert found.checks[0].state == "mixed"
    assert f"({people.quadratic_range.low:.2f} to {people.quadratic_range.high:.2f})" in found.checks[0].found
    assert "Other queries" in found.checks[0].sentence


def test_a_core_of_a_few_is_said_to_be_too_few() -> None:
    found = whether_to_believe(replace(ALL_WELL, core=core_agreement([5] * 4 + [0] * 60, [True] * 4 + [False] * 60)))
    assert f"(4 core).{TOO_FEW}" in found.paragraph


def test_every_check_says_when_it_passes() -> None:
    found = whether_to_believe(NOTHING)
    assert [check.check_id for check in found.checks] == list(CHECKS)
    assert [check.label for check in found.checks] == [about.label for about in CHECKS.values()]
    assert "kappa of 0.6 or more" in CHECKS["people"].limits
    assert "starts at 0.4" in CHECKS["people"].limits
