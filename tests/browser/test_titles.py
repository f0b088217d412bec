"""Titles come from anywhere: whatever is in them is shown as it is, on the page and in files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from core.types import Publication
from data.explore.workspace import Workspace
from tests.browser.places import Places
from tests.browser.servers import Server, serving
from tests.browser.truth import Truth
from tests.browser.visitors import Visitors
from tests.data.workspaces import MODEL, TOPIC, N, fill

pytestmark = pytest.mark.slow

HOSTILE = (
    '<img src=x onerror="document.title=1"> & "quotes"',
    "</script><script>document.title = 2</script>",
    "*bold* [link](javascript:document.title=3) $x^2$ :material/lock:",
    '=HYPERLINK("https://example.org")',
    "تحليل الأدبيات ﷽ 文献 🧪",
)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A small topic whose titles were written by someone else."""
    root = tmp_path_factory.mktemp("odd")
    fill(root / "workspace")
    titles = (*HOSTILE, *(f"Title number {i}" for i in range(len(HOSTILE), N)))
    with Workspace.open(root / "workspace") as workspace, workspace.store.transaction():
        workspace.store.save_publications([Publication(f"p{i}", title) for i, title in enumerate(titles)])
    with serving(root / "workspace", root / "log") as server:
        yield server


def test_titles_are_never_markup(odd: Server, visitors: Visitors, tmp_path: Path) -> None:
    with Truth(odd.data_dir, MODEL) as truth:
        view = truth.view(TOPIC, "review")
        titles = truth.titles(TOPIC, "review")
    assert view.landscape.points is not None
    explore = visitors.open(odd, TOPIC, "review")
    page = explore.page
    name = page.title()
    expect(page.get_by_test_id("core-list")).to_contain_text(HOSTILE[0])

    places = Places(explore, view.landscape.points, titles)
    for title in HOSTILE[:2]:
        x, y = places.pixels[titles.index(title)]
        seen = places.point_at(float(x), float(y))
        assert seen is not None
        page.mouse.click(*places.on_page(seen.x, seen.y))
        explore.expect_record(seen.title)
    for title in HOSTILE:
        page.get_by_label("Search the table by title, year or DOI").fill(title)
        found = explore.table.locator(".line:visible")
        # A line that is on its way out can carry the title still: the search has to be over before the click.
        expect(found).to_have_count(1)
        found.filter(has_text=title).click()
        explore.expect_record(title)
    page.get_by_label("Search the table by title, year or DOI").fill("")

    table = explore.saved(page.get_by_role("button", name="Download CSV"), tmp_path)
    listed = {row["Title"] for row in csv.DictReader(table.read_text("utf-8-sig").splitlines())}
    assert {title for title in HOSTILE if not title.startswith("=")} <= listed
    assert f"'{HOSTILE[3]}" in listed, "a spreadsheet must not run it"
    picture = explore.save_picture("SVG", tmp_path)
    root = ElementTree.fromstring(picture.read_text("utf-8"))
    assert HOSTILE[1] in {element.text for element in root.iter() if element.tag.endswith("title")}
    assert not [element.tag for element in root.iter() if element.tag.endswith(("script", "foreignObject"))]

    expect(page.locator("img[src=x], a[href^=javascript]")).to_have_count(0)
    assert page.title() == name
