"""The Labs page without a browser: with nothing loaded, what is sent changes the answer, and links open it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import SettingsError
from core.protocols import OnStage
from dashboard import cache
from dashboard.explore.labs import LABS, ORDER
from dashboard.explore.labs.bench import (
    Bench,
    Choice,
    Lab,
    Number,
    Slider,
    mistakes_in,
    points_of,
    read_values,
    values_in_link,
)
from data.explore.labs import Start
from data.explore.workspace import Workspace
from tests.dashboard.apps import SECONDS, messages, told

LABS_PAGE = Path(__file__).parents[3] / "dashboard" / "explore" / "labs_page.py"
CONTROLS = (
    Slider("share", "Core share", "", 0.1, 0.95, 0.05, 0.7),
    Choice("seed", "Seed", "", (("0", "Zero"), ("1", "One")), "0"),
)
POINTS = ";".join(["0.5,0.5", "0.9,0.4", "0.6,0.9", *["0.7,0.7"] * 7])
LIGHT = [name for name, lab in LABS.items() if lab.material is None]


@pytest.fixture
def page(root: Path) -> AppTest:
    """The page with nothing loaded."""
    return AppTest.from_file(str(LABS_PAGE), default_timeout=SECONDS)


def open_lab(page: AppTest, lab: str, **link: str) -> dict[str, Any]:
    """What the browser is told when a link opens a lab."""
    page.query_params["lab"] = lab
    for name, value in link.items():
        page.query_params[f"at-{name}"] = value
    page.run()
    assert not page.exception
    return told(page)["lab"]


def move(page: AppTest, lab: str, seq: int, rests: bool = False, **values: Any) -> dict[str, Any]:
    """What the browser is told after it has sent these values."""
    page.session_state[f"lab-{lab}"] = {"lab": {"seq": seq, "lab": lab, "values": values, "rests": rests}}
    page.run()
    assert not page.exception
    return told(page)["lab"]


def address(page: AppTest) -> dict[str, str]:
    """What the link holds."""
    return {name: value if isinstance(value, str) else value[0] for name, value in page.query_params.items()}


def test_the_labs_stand_in_their_order() -> None:
    assert list(LABS) == [name for name in ORDER if name in LABS]
    for name, lab in LABS.items():
        assert lab.id == name
        assert len(lab.explanation.splitlines()) <= 2


@pytest.mark.parametrize("name", LIGHT)
def test_every_lab_opens_with_nothing_loaded_and_follows_its_first_slider(page: AppTest, name: str) -> None:
    document = open_lab(page, name)
    assert document["lab"] == name
    assert document["mistakes"] == []
    assert document["link"] == {}
    first = next(control for control in document["controls"] if control["kind"] == "slider")
    moved = move(page, name, 1, **{first["name"]: first["min"]})
    assert moved["echo"] == 1
    assert moved["bench"]["numbers"] != document["bench"]["numbers"]


def test_the_toy_starts_with_what_the_source_shows_and_says_what_moved(page: AppTest) -> None:
    numbers = [number["value"] for number in open_lab(page, "toy")["bench"]["numbers"]]
    assert numbers[:2] == ["96 of 200 (48 %)", "50 of 200 (25 %)"]
    moved = move(page, "toy", 1, points=POINTS)
    assert [number["value"] for number in moved["bench"]["numbers"]][:2] != numbers[:2]
    core = [series for series in moved["bench"]["charts"][1]["series"] if series["draggable"]]
    placed = {n: (x, y) for s in core for n, x, y in zip(s["numbers"], s["x"], s["y"], strict=True)}
    assert [placed[n] for n in range(10)] == points_of(POINTS, 10)


def test_the_link_follows_when_the_hand_rests_and_opens_the_same_state(page: AppTest, root: Path) -> None:
    open_lab(page, "toy")
    move(page, "toy", 1, found=5, points=POINTS)
    assert "at-found" not in page.query_params
    rested = move(page, "toy", 2, rests=True, found=5, points=POINTS)
    assert address(page) == {"lab": "toy", "at-found": "5", "at-points": POINTS}
    again = AppTest.from_file(str(LABS_PAGE), default_timeout=SECONDS)
    assert open_lab(again, "toy", found="5", points=POINTS)["bench"] == rested["bench"]
    move(page, "toy", 3, rests=True, found=10)
    assert address(page) == {"lab": "toy"}


def test_a_message_counts_once_and_an_old_one_not_at_all(page: AppTest) -> None:
    open_lab(page, "toy")
    assert move(page, "toy", 5, found=4)["values"]["found"] == 4
    assert move(page, "toy", 3, found=9)["values"]["found"] == 4
    for broken in ({"seq": "x", "values": {}}, {"seq": 9, "values": []}, "nonsense", {"seq": 9}):
        page.session_state["lab-toy"] = {"lab": broken}
        page.run()
        assert told(page)["lab"]["values"]["found"] == 4


def test_another_lab_and_back_is_as_it_was_left(page: AppTest) -> None:
    open_lab(page, "toy")
    move(page, "toy", 1, rests=True, found=4)
    page.session_state["lab"] = "clusters"
    page.run()
    assert told(page)["lab"]["lab"] == "clusters"
    assert address(page) == {"lab": "clusters"}
    page.session_state["lab"] = "toy"
    page.run()
    assert told(page)["lab"]["values"]["found"] == 4


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"found": "many"}, "Core publications found is a number from 1 to 10, not 'many'."),
        ({"found": "11"}, "Core publications found is a number from 1 to 10, not '11'."),
        ({"share": "nan"}, "Core share is a number from 0.4 to 0.95, not 'nan'."),
        ({"seed": "x" * 500}, "Shuffle is one of"),
        ({"points": "1,2;3"}, "This lab has 10 points to move"),
        ({"points": "nan,1;" * 10}, "This lab has 10 points to move"),
        ({"what": "1"}, "There is no 'what' in this lab."),
    ],
)
def test_a_bad_link_says_so_and_the_lab_is_there(page: AppTest, link: dict[str, str], said: str) -> None:
    document = open_lab(page, "toy", **link)
    assert said in " ".join(document["mistakes"])
    assert document["bench"]["numbers"][1]["value"] == "50 of 200 (25 %)"
    assert max(map(len, document["mistakes"])) < 250


def test_a_lab_that_is_not_there(page: AppTest) -> None:
    assert open_lab(page, "nonsense")["lab"] == "toy"
    assert "asks for a lab 'nonsense' that there is not" in messages(page)


def test_points_that_are_sent_wrong_leave_the_controls(page: AppTest) -> None:
    open_lab(page, "toy")
    document = move(page, "toy", 1, points="1,2")
    assert document["bench"] is None
    assert "10 points" in document["mistakes"][0]
    assert [control["name"] for control in document["controls"]] == ["found", "share", "seed"]


def test_core_on_one_spot_gives_the_reason_in_place_of_the_area(page: AppTest) -> None:
    open_lab(page, "toy")
    bench = move(page, "toy", 1, points=";".join(["0.5,0.5"] * 10))["bench"]
    ellipsoid = bench["charts"][1]
    assert "do not lie on one line" in ellipsoid["title"]
    assert ellipsoid["shapes"] == []
    assert bench["numbers"][1]["value"] == "–"


def test_clusters_say_when_they_are_degenerate(page: AppTest) -> None:
    bench = open_lab(page, "clusters", themes="5", share="0.9")["bench"]
    assert "degenerate" in bench["charts"][0]["title"]
    assert "Degenerate" in bench["sentence"]
    kept = open_lab(AppTest.from_file(str(LABS_PAGE), default_timeout=SECONDS), "clusters")["bench"]
    assert [chart["id"] for chart in kept["charts"]] == ["k1", "k2", "k3", "k4", "k5", "curve"]
    assert sum("taken" in chart["title"] for chart in kept["charts"][:5]) == 1


def test_material_is_made_once_with_progress_to_see(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def make(workspace: Workspace, start: Start, on_stage: OnStage) -> str:
        on_stage("Laying out")(1, 2)
        made.append("material")
        return made[-1]

    def bench(material: str, values: Any) -> Bench:
        return Bench((), [Number("Made of", material)], "")

    lab = Lab("slow", "Slow: takes a while", "One line", lambda material: CONTROLS, bench, material=make)
    monkeypatch.setitem(LABS, "slow", lab)
    page.query_params["lab"] = "slow"
    page.run()
    cache.jobs().wait()
    page.run()
    page.run()
    assert told(page)["lab"]["bench"]["numbers"][0]["value"] == "material"
    assert made == ["material"]


def test_values_are_kept_within_what_the_controls_allow() -> None:
    assert read_values(CONTROLS, {}) == {"share": 0.7, "seed": "0"}
    assert read_values(CONTROLS, {"share": 7, "seed": "1"}) == {"share": 0.95, "seed": "1"}
    for broken in (None, "x", [], {}, float("nan"), 10**400):
        assert read_values(CONTROLS, {"share": broken, "seed": broken, "points": broken})["share"] in (0.7, 0.95)
    assert values_in_link(CONTROLS, {"share": 0.7, "seed": "1", "points": "1,2"}) == {"seed": "1", "points": "1,2"}
    link = values_in_link(CONTROLS, {"share": 0.1 + 0.2, "seed": "0"})
    assert read_values(CONTROLS, link)["share"] == pytest.approx(0.3, abs=1e-11)
    assert mistakes_in(CONTROLS, {"share": "0.5", "seed": "1"}) == []


def test_points_are_pairs_of_numbers() -> None:
    for wrong in ("", "1", "1,2,3", "1,2;x,y", "inf,1", "1,nan"):
        with pytest.raises(SettingsError):
            points_of(wrong, 1)
