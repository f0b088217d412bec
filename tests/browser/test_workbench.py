"""From a string to a better one on one page: type, see what is missed and why, mend it, see that it got better."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from data.demo.loading import bring_demo_topic, first_topic
from data.explore.workspace import Workspace
from tests.browser.pages import Explore, go_to
from tests.browser.query_page import QueryPage
from tests.browser.servers import Server, serving
from tests.browser.truth import BATTERY, HEAT
from tests.browser.visitors import Visitors
from tests.browser.writer_board_page import BoardPage

pytestmark = pytest.mark.slow

TYPED = "batter* AND (ageing OR degradation)"
BROKEN = "batter* AND (ageing OR degradation"
MOST_CLICKS = 5
AT_REST = """() => {
  const within = (root) => [...root.querySelectorAll("*")]
    .flatMap((each) => [each, ...(each.shadowRoot ? within(each.shadowRoot) : [])]);
  const all = within(document.querySelector("[data-testid=stMain]"));
  const rows = "[data-testid=retrieved-table], .missed-core, [data-testid=stDataFrame]";
  const onScreen = all.filter((each) => each.getBoundingClientRect().top < innerHeight
    && each.checkVisibility({ visibilityProperty: true }) && !each.closest(rows));
  const controls = onScreen.filter((each) => each.matches("input, select, textarea, a[href], [role=tab], button")
    && !each.matches("[data-testid=stSelectbox] button")); // it belongs to the field beside it
  const isText = ({ nodeType }) => nodeType === 3;
  const text = (each) => [...each.childNodes].filter(isText).map(({ data }) => data).join(" ");
  const told = onScreen.filter((each) => !["STYLE", "SCRIPT", "OPTION"].includes(each.tagName));
  const isWord = (word) => /\\p{L}/u.test(word);
  const words = told.flatMap((each) => text(each).split(/\\s+/).filter(isWord));
  const numbersOf = (each) => text(each).match(/(?<![\\p{L}\\d])\\d[\\d.,]*/gu) ?? []; // v5 and F2 are names
  const above = told.filter((each) => each.closest(".strip, .readout, .st-key-result"));
  return { controls: controls.length, words: words.length, numbers: above.flatMap(numbersOf).length };
}"""
"""On the first screen: what can be pressed or filled in, words, and numbers above the landscape; no rows of lists."""


@pytest.fixture
def explore(demo: Server, visitors: Visitors) -> Explore:
    return visitors.open(demo, BATTERY, "baseline")


def test_a_string_gets_better_in_five_clicks_on_one_page(explore: Explore) -> None:
    page, query = explore.page, QueryPage.of(explore)
    page.evaluate("() => { globalThis.clicks = 0; addEventListener('click', () => globalThis.clicks++, true); }")
    query.editor.click()
    query.editor.fill(TYPED)
    query.editor.press("Control+Enter")
    first = _version_after(explore, "baseline")
    reason = query.tabpanel.locator(".reason").first
    expect(reason.get_by_role("heading")).to_have_text(re.compile(r"^\d+ fails? only "))
    reason.locator(".best").get_by_role("button", name="Accept").click()
    expect(query.editor).not_to_have_value(TYPED)
    result = page.locator(".st-key-result")
    expect(result).to_be_hidden()  # it is about the version, not about the draft
    expect(explore.readout).to_contain_text("open version")
    query.press("Run")
    second = _version_after(explore, first)
    expect(result).to_contain_text(re.compile(rf" {first}: \d+ more core publications found, "))
    explore.wait_until_painted(BATTERY, second)
    assert page.evaluate("globalThis.clicks") <= MOST_CLICKS
    at_rest = page.evaluate(AT_REST)
    assert at_rest["controls"] <= 40, at_rest
    assert at_rest["words"] <= 350, at_rest
    assert at_rest["numbers"] <= 14, at_rest

    page.get_by_role("button", name=f"Back to {first}").click()
    expect(explore.version).to_have_value(first)
    expect(query.editor).to_have_value(TYPED)


def test_an_edit_that_is_accepted_while_its_text_is_run_is_kept(explore: Explore) -> None:
    query = QueryPage.of(explore)
    query.editor.fill(TYPED)
    expect(explore.page.get_by_text("Not run yet")).to_be_visible()
    accept = query.tabpanel.locator(".reason .best").get_by_role("button", name="Accept").first
    accept.evaluate("""(button) => {
      const panel = button.getRootNode(); // what is in it is drawn anew
      const press = () => panel.querySelector(".reason .best button").click();
      document.addEventListener("keydown", ({ key }) => key === "Enter" && setTimeout(press, 30));
    }""")
    query.editor.press("Control+Enter")
    _version_after(explore, "baseline")
    expect(query.editor).not_to_have_value(TYPED)
    expect(explore.page.get_by_text("Not run yet")).to_be_visible()


def _version_after(explore: Explore, before: str) -> str:
    expect(explore.version).not_to_have_value(re.compile(rf"^{before}$"))
    label = explore.version.input_value()
    explore.wait_until_painted(BATTERY, label)
    return label


def test_a_ring_shows_why_it_is_missed_and_a_title_its_record(explore: Explore) -> None:
    query = QueryPage.of(explore)
    query.open_tab("Publication")
    missed = explore.page.get_by_test_id("core-list").get_by_role("button").first
    title = missed.locator(".core-title").inner_text()
    missed.click()
    unfolded = query.tabpanel.locator(".missed.unfolded")
    expect(unfolded).to_contain_text(title)
    expect(unfolded.get_by_role("list", name="Edits that rescue it")).to_be_visible()
    expect(explore.page.locator(".mirror .marked").first).to_be_visible()
    unfolded.get_by_role("button", name="Read it").click()
    explore.expect_record(title)


def test_sorting_a_term_on_the_board_edits_the_draft_and_undo_takes_it_back(explore: Explore) -> None:
    query, board = QueryPage.of(explore), BoardPage(explore.page)
    before = query.editor.input_value()
    query.open_tab("Board")
    board.keyword("ageing", "Overarching").press("a")
    expect(query.editor).to_have_value("batter* AND (degradation OR charging)")
    expect(board.keyword("ageing", "Aside")).to_be_visible()
    expect(board.status).to_contain_text("Moved “ageing” to Aside")
    expect(explore.page.get_by_text("Not run yet")).to_be_visible()
    board.list("Specific").get_by_role("textbox").fill("one AND two")
    board.list("Specific").get_by_role("textbox").press("Enter")
    expect(query.tabpanel.get_by_role("alert")).to_contain_text("contains an operator")
    board.keyword("degradation", "Overarching").press("Control+z")
    expect(query.editor).to_have_value(before)
    expect(board.keyword("ageing", "Overarching")).to_be_visible()


def test_a_broken_string_asks_before_it_becomes_a_version(explore: Explore) -> None:
    query = QueryPage.of(explore)
    query.editor.fill(BROKEN)
    query.editor.press("Control+Enter")
    explore.expect_message("1 problem: This bracket is never closed.")
    expect(explore.version).to_have_value("baseline")
    explore.page.get_by_role("button", name="Fix and run").click()
    expect(explore.version).to_have_value(re.compile(r"^v\d+$"))
    expect(query.editor).to_have_value(f"{BROKEN})")
    expect(explore.page.locator(".problems")).to_be_hidden()


def test_a_draft_outlives_a_reload_and_another_tab(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    query = QueryPage.of(explore)
    before = query.editor.input_value()
    query.type("heat AND shade")
    expect(explore.page.get_by_text("Not run yet")).to_be_visible()
    explore.page.reload()
    explore.wait_until_painted(HEAT, "review")
    expect(query.editor).to_have_value("heat AND shade")
    explore.expect_message("Your unsaved edits are back")
    other = Explore(explore.page.context.new_page())
    other.page.goto(explore.address())
    expect(QueryPage.of(other).editor).to_have_value("heat AND shade")
    expect(other.page.get_by_text("Not run yet")).to_be_visible()
    other.page.close()
    query.press("Undo")
    expect(query.editor).to_have_value(before)
    expect(explore.page.get_by_text("Not run yet")).to_be_hidden()
    explore.page.reload()
    explore.wait_until_painted(HEAT, "review")
    expect(query.editor).to_have_value(before)


def test_undo_goes_on_through_versions_and_redo_comes_back(explore: Explore) -> None:
    query = QueryPage.of(explore)
    original = query.editor.input_value()
    query.editor.fill(TYPED)
    query.press("Run")
    first = _version_after(explore, "baseline")
    query.press("Undo")
    expect(explore.version).to_have_value(re.compile("^baseline"))
    expect(query.editor).to_have_value(original)
    query.press("Redo")
    expect(explore.version).to_have_value(first)
    expect(query.editor).to_have_value(TYPED)


def test_a_click_on_a_dot_of_the_versions_goes_back_and_runs_that_were_left_are_folded(explore: Explore) -> None:
    page, query = explore.page, QueryPage.of(explore)
    labels = ["baseline"]
    for typed in ("batter* AND ageing", "batter* AND degradation", "batter* AND (ageing OR fade)", "batter* AND fade"):
        query.editor.fill(typed)
        query.press("Run")
        labels.append(_version_after(explore, labels[-1]))
    strip = page.locator(".queryscape.versions_strip")
    dots = strip.get_by_role("list").get_by_role("button")
    left, opened = labels[2], labels[-1]
    expect(dots.filter(has_text=re.compile(f"^{opened}$"))).to_have_attribute("aria-current", "true")
    expect(dots.filter(has_text=re.compile(f"^{left}$"))).to_have_count(0)
    strip.get_by_role("button", name=re.compile("more run")).click()
    dots.filter(has_text=re.compile(f"^{left}$")).locator(".dot").click()  # names may lie over each other
    expect(explore.version).to_have_value(left)
    page.reload()
    explore.wait_until_painted(BATTERY, left)
    explore.choose("Query version", opened)
    expect(dots.filter(has_text=re.compile(f"^{opened}$"))).to_have_attribute("aria-current", "true")
    expect(dots.filter(has_text=re.compile(f"^{left}$"))).to_have_count(1)
    expect(dots.filter(has_text=re.compile(f"^{labels[1]}$"))).to_have_count(0)


def test_a_draft_outlives_the_version_that_is_deleted_in_another_tab(explore: Explore) -> None:
    page, query = explore.page, QueryPage.of(explore)
    query.editor.fill("batter* AND fade")
    query.press("Run")
    label = _version_after(explore, "baseline")
    query.type("batter* AND fade AND cell*")
    expect(page.get_by_text("Not run yet")).to_be_visible()
    other = page.context.new_page()
    other.goto(explore.address())
    Explore(other).wait_until_painted(BATTERY, label)
    go_to(other, "Versions")
    other.get_by_role("radio", name="History", exact=True).click()
    entry = other.locator("[class*=st-key-version-]").filter(has=other.get_by_text(label, exact=True))
    entry.get_by_role("button", name="Open").click()
    entry.get_by_role("button", name="Delete").click()
    expect(entry).to_have_count(0)
    query.editor.press("End")
    query.editor.press_sequentially(" OR ageing")
    explore.expect_message(f'Version "{label}" was deleted.')
    expect(query.editor).to_have_value("batter* AND fade AND cell* OR ageing")
    query.press("Run")
    expect(query.editor).to_have_value("batter* AND fade AND cell* OR ageing")
    expect(page.get_by_text("Not run yet")).to_have_count(0)


def test_a_draft_outlives_a_restart_of_the_server(visitors: Visitors, tmp_path: Path) -> None:
    topic = first_topic()
    with Workspace.open(tmp_path / "workspace") as workspace:
        bring_demo_topic(workspace, topic, step=topic.topic_id)
    with serving(tmp_path / "workspace", tmp_path / "log") as server:
        explore = visitors.open(server, topic.topic_id, "review")
        query = QueryPage.of(explore)
        query.type("heat AND shade")
        expect(explore.page.get_by_text("Not run yet")).to_be_visible()
    query.editor.press("End")
    query.editor.press_sequentially(" AND trees")
    with serving(tmp_path / "workspace", tmp_path / "log", port=urlsplit(server.url).port):
        expect(explore.page.get_by_text("Not run yet")).to_be_visible()
        expect(query.editor).to_have_value("heat AND shade AND trees")
        query.press("Run")
        expect(explore.version).to_have_value(re.compile(r"^v\d+$"))
        expect(query.editor).to_have_value("heat AND shade AND trees")
        explore.leave()
    visitors.watch.errors.clear()  # the browser complains of a server that is gone
