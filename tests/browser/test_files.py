"""What is saved is a file that others can open."""

from __future__ import annotations

import csv
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.browser.servers import Server
from tests.browser.truth import HEAT, Truth
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
CAPTION = "Distances are not cosines"


def test_the_picture_as_a_file(demo: Server, truth: Truth, visitors: Visitors, tmp_path: Path) -> None:
    explore = visitors.open(demo, HEAT, "review")
    numbers = explore.set_threshold(0.7)
    png = explore.save_picture("PNG", tmp_path)
    content = png.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content.rstrip(b"\0").endswith(b"IEND\xaeB`\x82")
    width, height = struct.unpack(">II", content[16:24])
    box = explore.box(explore.overlay)
    assert width == 2 * round(box["width"])
    assert height > 2 * round(box["height"])
    assert len(content) > 20_000, "it is not empty"

    svg = explore.save_picture("SVG", tmp_path)
    assert svg.stem == png.stem
    root = ElementTree.fromstring(svg.read_text("utf-8"))
    assert root.tag == f"{SVG}svg"
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert not tags & {"script", "foreignObject", "image", "a", "use"}
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    words = " ".join(element.text or "" for element in root.iter())
    assert HEAT in words
    assert f"{numbers.n_relevant:,} of" in words
    assert CAPTION in words
    besides, *dots = [n for path in root.iter(f"{SVG}path") if (n := path.get("d", "").count("h0"))]
    landscape = truth.view(HEAT, "review").landscape
    assert sum(dots) == landscape.n_retrieved
    n_in_topic = len(truth.workspace.landscapes.load(truth.workspace.project(HEAT, truth.embedder)))
    assert besides + len(landscape) == n_in_topic


def test_the_table_as_a_file(demo: Server, truth: Truth, visitors: Visitors, tmp_path: Path) -> None:
    explore = visitors.open(demo, HEAT, "review")
    numbers = explore.set_threshold(0.7)
    explore.chip("relevant").click()
    path = explore.saved(explore.page.get_by_role("button", name="Download CSV"), tmp_path)
    assert re.fullmatch(r"urban-heat-.*_review_relevant\.csv", path.name)
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    landscape = truth.view(HEAT, "review").landscape
    n, split = landscape.n_retrieved, truth.split(HEAT, "review", numbers.min_similarity)
    titles = truth.titles(HEAT, "review")
    assert len(rows) == n - split == numbers.n_relevant
    assert [row["Title"] for row in rows] == titles[n - 1 : split - 1 : -1]
    assert [row["Rank"] for row in rows] == [str(rank) for rank in range(1, n - split + 1)]
    assert {row["Relevant: Cosine"] for row in rows} == {"yes"}


def test_the_curve_as_a_file(demo: Server, truth: Truth, visitors: Visitors, tmp_path: Path) -> None:
    explore = visitors.open(demo, HEAT, "review")
    name = f"{HEAT} review F-beta curve"
    path = explore.saved(explore.page.get_by_role("button", name=f"Save {name} as CSV"), tmp_path)
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    evaluation = truth.evaluate(HEAT, "review")
    at = evaluation.regions["cosine"].defines["min_similarity"]
    nearest = min(rows, key=lambda row: abs(float(row["Similarity threshold (stricter to the right)"]) - float(at)))
    assert len(rows) > 30
    assert float(nearest["F2 (with decay)"]) == pytest.approx(evaluation.regions["cosine"].f_beta, abs=1e-6)
    svg = explore.saved(explore.page.get_by_role("button", name=f"Save {name} as SVG"), tmp_path)
    words = " ".join(element.text or "" for element in ElementTree.fromstring(svg.read_text("utf-8")).iter())
    assert "Similarity threshold" in words
