"""The Labs page without a browser: with nothing loaded, what is sent changes the answer, and links open it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InputError, SettingsError
from dashboard import cache
from dashboard.explore.labs import LABS, ORDER
from dashboard.explore.labs.bench import (
    Lab,
    LabBench,
    LabChoice,
    LabNumber,
    Slider,
    mistakes_in,
    points_of,
    read_values,
)
from dashboard.explore.labs_page import LAB_JOBS
from data.explore.labs import Start
from data.explore.workspace import Workspace
from tests.dashboard.apps import SECONDS, told

LABS_PAGE = Path(__file__).parents[3] / "dashboard" / "explore" / "labs_page.py"
CONTROLS = (
    Slider("share", "Core share", "", 0.1, 0.95, 0.05, 0.7),
    LabChoice("seed", "Seed", "", (("0", "Zero"), ("1", "One")), "0"),
)
POINTS = ";".join(["0.5,0.5", "0.9,0.4", "0.6,0.9", *["0.7,0.7"] * 7])


@pytest.fixture
def page(root: Path) -> AppTest:
    """The page with nothing loaded."""
    return AppTest.from_file(str(LABS_PAGE), default_timeout=SECONDS)


def open_page(page: AppTest, lab: str = "", **link: str) -> dict[str, Any]:
    """What the browser is told when a link opens the page."""
    if lab:
        page.query_params["lab"] = lab
    for name, value in link.items():
        page.query_params[f"at-{name}"] = value
    page.run()
    assert not page.exception
    return told(page)["lab"]


def first_of(page: AppTest, lab: str) -> dict[str, Any]:
    """A lab as the browser gets it with all the others."""
    return next(document for document in open_page(page)["labs"] if document["lab"] == lab)


def ask(page: AppTest, message: Any) -> dict[str, Any]:
    """What the browser is told after it has sent this."""
    page.session_state["labs"] = {"ask": message}
    page.run()
    assert not page.exception
    return told(page)["lab"]


def move(page: AppTest, lab: str, seq: int, **values: Any) -> dict[str, Any]:
    """The lab after the browser has sent these values."""
    told_of = ask(page, {"seq": seq, "lab": lab, "values": values})
    assert told_of["echo"] == seq
    return told_of["answer"]


def test_the_labs_stand_in_their_order() -> None:
    assert list(LABS) == [name for name in ORDER if name in LABS]
    for name, lab in LABS.items():
        assert lab.id == name
        assert len(lab.explanation.splitlines()) <= 2


def test_the_browser_gets_every_lab_at_once_and_projections_cost_no_background_work(page: AppTest) -> None:
    document = open_page(page)
    assert [lab["lab"] for lab in document["labs"]] == list(LABS)
    assert all(lab["bench"] and lab["mistakes"] == [] for lab in document["labs"])
    assert document["answer"] is None
    assert list(LAB_JOBS.running()) == []


@pytest.mark.parametrize("name", LABS)
def test_every_lab_opens_with_nothing_loaded_and_follows_its_first_slider(page: AppTest, name: str) -> None:
    document = first_of(page, name)
    assert {control["kind"] for control in document["controls"]} <= {"slider", "choice"}
    first = next(control for control in document["controls"] if control["kind"] == "slider")
    other = first["max"] if document["values"][first["name"]] == first["min"] else first["min"]
    moved = move(page, name, 1, **{first["name"]: other})
    assert moved["bench"]["numbers"] != document["bench"]["numbers"]


def test_a_move_sends_the_lab_that_moved_and_no_other(page: AppTest) -> None:
    open_page(page)
    told_of = ask(page, {"seq": 1, "lab": "decay", "values": {"decay_limit": 20_000}})
    assert told_of["answer"]["lab"] == "decay"
    assert "labs" not in told_of


def test_the_toy_starts_with_what_the_source_shows_and_says_what_moved(page: AppTest) -> None:
    numbers = [number["value"] for number in first_of(page, "toy")["bench"]["numbers"]]
    assert numbers[:2] == ["96 of 200 (48 %)", "50 of 200 (25 %)"]
    moved = move(page, "toy", 1, points=POINTS)
    assert [number["value"] for number in moved["bench"]["numbers"]][:2] != numbers[:2]
    core = [series for series in moved["bench"]["charts"][1]["series"] if series["draggable"]]
    placed = {n: (x, y) for s in core for n, x, y in zip(s["numbers"], s["x"], s["y"], strict=True)}
    assert [placed[n] for n in range(10)] == points_of(POINTS, 10)


def test_a_link_opens_the_same_state(page: AppTest, root: Path) -> None:
    open_page(page)
    moved = move(page, "toy", 1, found=5, points=POINTS)
    again = AppTest.from_file(str(LABS_PAGE), default_timeout=SECONDS)
    opened = open_page(again, "toy", found="5", points=POINTS)["answer"]
    assert (opened["values"], opened["bench"]) == (moved["values"], moved["bench"])
    followed = ask(page, {"seq": 2, "lab": "toy", "values": {"found": "7"}, "from_link": True})["answer"]
    assert followed["values"]["found"] == 7


def test_a_message_counts_once_and_an_old_one_not_at_all(page: AppTest) -> None:
    open_page(page)
    assert move(page, "toy", 5, found=4)["values"]["found"] == 4
    for broken in (
        {"seq": 3, "lab": "toy", "values": {"found": 9}},
        {"seq": "x", "values": {}},
        {"seq": 9, "lab": "toy", "values": []},
        {"seq": 10, "lab": "gone", "values": {}},
        "nonsense",
        {"seq": 11},
    ):
        assert ask(page, broken)["answer"]["values"]["found"] == 4


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"found": "many"}, "from 1 to 10, not 'many'."),
        ({"found": "11"}, "from 1 to 10, not '11'."),
        ({"share": "nan"}, "from 0.4 to 0.95, not 'nan'."),
        ({"seed": "x" * 500}, "Shuffle is one of"),
        ({"points": "1,2;3"}, "This lab has 10 points to move"),
        ({"points": "nan,1;" * 10}, "This lab has 10 points to move"),
        ({"what": "1"}, "There is no 'what' in this lab."),
    ],
)
def test_a_bad_link_says_so_and_the_lab_is_there(page: AppTest, link: dict[str, str], said: str) -> None:
    document = open_page(page, "toy", **link)["answer"]
    assert said in " ".join(document["mistakes"])
    assert document["bench"]["numbers"][1]["value"] == "50 of 200 (25 %)"
    assert max(map(len, document["mistakes"])) < 250


def test_values_for_a_lab_that_is_not_there_are_passed_over(page: AppTest) -> None:
    document = open_page(page, "nonsense", found="3")
    assert document["answer"] is None
    assert len(document["labs"]) == len(LABS)


def test_points_that_are_sent_wrong_leave_the_controls(page: AppTest) -> None:
    open_page(page)
    document = move(page, "toy", 1, points="1,2")
    assert document["bench"] is None
    assert "10 points" in document["mistakes"][0]
    assert [control["name"] for control in document["controls"]] == ["found", "share", "seed"]


def test_core_on_one_spot_gives_the_reason_in_place_of_the_area(page: AppTest) -> None:
    open_page(page)
    bench = move(page, "toy", 1, points=";".join(["0.5,0.5"] * 10))["bench"]
    ellipsoid = bench["charts"][1]
    assert "on one line" in ellipsoid["title"]
    assert ellipsoid["shapes"] == []
    assert bench["numbers"][1]["value"] == "–"


def test_clusters_say_when_they_are_degenerate(page: AppTest) -> None:
    kept = first_of(page, "clusters")["bench"]
    assert [chart["id"] for chart in kept["charts"]] == ["k1", "k2", "k3", "k4", "k5", "curve"]
    assert sum("taken" in chart["title"] for chart in kept["charts"][:5]) == 1
    bench = move(page, "clusters", 1, themes=5, share=0.9)["bench"]
    assert "degenerate" in bench["charts"][0]["title"]
    assert "Degenerate" in bench["sentence"]


def test_what_a_lab_computes_in_the_background_is_shown_once_it_is_there(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_material(workspace: Workspace, start: Start) -> tuple[list[str], Start]:
        return [], start

    def bench(material: tuple[list[str], Start], values: Any) -> LabBench:
        made, start = material
        if not made:
            start("one", "Laying out", lambda on_stage: made.append("layout"))
            raise InputError("it is being laid out")
        return LabBench((), [LabNumber("Made", made[0])], "")

    lab = Lab("slow", "Slow: takes a while", "One line", lambda material: CONTROLS, bench, material=open_material)
    monkeypatch.setitem(LABS, "slow", lab)
    first = next(document for document in open_page(page)["labs"] if document["lab"] == "slow")
    assert (first["bench"], first["mistakes"]) == (None, ["It is being laid out."])
    cache.jobs().wait()
    assert move(page, "slow", 1)["bench"]["numbers"][0]["value"] == "layout"


def test_values_are_kept_within_what_the_controls_allow() -> None:
    assert read_values(CONTROLS, {}) == {"share": 0.7, "seed": "0"}
    assert read_values(CONTROLS, {"share": 7, "seed": "1"}) == {"share": 0.95, "seed": "1"}
    for broken in (None, "x", [], {}, float("nan"), 10**400):
        assert read_values(CONTROLS, {"share": broken, "seed": broken, "points": broken})["share"] in (0.7, 0.95)
    assert read_values(CONTROLS, {"share": str(0.1 + 0.2)})["share"] == 0.1 + 0.2
    assert mistakes_in(CONTROLS, {"share": "0.5", "seed": "1"}) == []


def test_points_are_pairs_of_numbers() -> None:
    for wrong in ("", "1", "1,2,3", "1,2;x,y", "inf,1", "1,nan"):
        with pytest.raises(SettingsError):
            points_of(wrong, 1)
