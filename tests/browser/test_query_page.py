"""Work on a search string: why a core publication is missed, the edit that rescues it, recall up, and back again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.pages import go_to
from tests.browser.query_page import QueryPage
from tests.browser.servers import Server
from tests.browser.truth import HEAT, Truth
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

TYPED = '("street trees" OR "urban trees") AND (cool* OR shad*)'
SLIP = "heat AND (shad*OR cool*)"
HOSTILE = '"<img src=x onerror=document.title=1>" OR tree*'


def test_a_missed_core_publication_is_explained_rescued_and_the_edit_undone(
    demo: Server, truth: Truth, visitors: Visitors
) -> None:
    query = QueryPage.of(visitors.open(demo, HEAT, "review"))
    query.type(TYPED)
    query.expect_number("Retrieved", f"{truth.matching(HEAT, TYPED):,}")
    before = query.number("Core found").split()[0]
    query.open_tab("Missed")
    reason = query.tabpanel.locator(".reason").filter(has_text="only cool* OR shad*")
    expect(reason.get_by_role("heading")).to_contain_text("fail")
    reason.locator(".missed-title").first.click()
    missed = reason.locator(".missed.unfolded")
    expect(missed).to_contain_text("Fails block 2 of 2")
    expect(missed).to_contain_text("no match for cool* OR shad*")
    missed.get_by_role("button", name="Accept").first.click()
    expect(query.editor).not_to_have_value(TYPED)
    query.expect_number("Retrieved", f"{truth.matching(HEAT, query.editor.input_value()):,}")
    assert int(query.number("Core found").split()[0]) > int(before)
    query.press("Undo")
    expect(query.editor).to_have_value(TYPED)
    query.expect_number("Core found", before)


def test_a_part_is_switched_off_and_on(demo: Server, truth: Truth, visitors: Visitors) -> None:
    query = QueryPage.of(visitors.open(demo, HEAT, "review"))
    query.type(TYPED)
    query.expect_number("Retrieved", f"{truth.matching(HEAT, TYPED):,}")
    query.open_tab("Terms")
    query.switch("shad*").click()
    query.expect_number("Retrieved", f"{truth.matching(HEAT, TYPED.replace(' OR shad*', '')):,}")
    expect(query.switch("shad*")).not_to_be_checked()
    query.switch("shad*").click()
    query.expect_number("Retrieved", f"{truth.matching(HEAT, TYPED):,}")


def test_a_count_leads_to_its_publications(demo: Server, truth: Truth, visitors: Visitors) -> None:
    query = QueryPage.of(visitors.open(demo, HEAT, "review"))
    query.type(TYPED)
    n = truth.matching(HEAT, TYPED)
    query.expect_number("Retrieved", f"{n:,}")
    query.summary.get_by_role("button", name=f"{n:,}", exact=True).click()
    listed = query.page.get_by_text(re.compile(rf"^Retrieved: {n:,} publications$"))
    expect(listed).to_be_in_viewport()
    query.open_tab("Terms")
    query.page.get_by_test_id("tree").focus()
    query.page.keyboard.press("l")
    expect(query.page.get_by_text(re.compile("^Retrieved and matched by .*: "))).to_be_visible()
    expect(listed).to_be_hidden()


def test_a_slip_is_found_and_mended(demo: Server, truth: Truth, visitors: Visitors) -> None:
    query = QueryPage.of(visitors.open(demo, HEAT, "review"))
    query.type(SLIP)
    query.open_tab("Suggest")
    expect(query.tabpanel).to_contain_text("A space is missing before OR")
    query.tabpanel.get_by_role("button", name="Add a space").click()
    mended = "heat AND (shad* OR cool*)"
    expect(query.editor).to_have_value(mended)
    query.expect_number("Retrieved", f"{truth.matching(HEAT, mended):,}")


def test_the_second_fix_of_a_finding_is_offered_too(demo: Server, truth: Truth, visitors: Visitors) -> None:
    query = QueryPage.of(visitors.open(demo, HEAT, "review"))
    query.type('heat AND ("street trees" "urban trees")')
    query.open_tab("Suggest")
    query.tabpanel.get_by_role("button", name="Write OR").click()
    either = 'heat AND ("street trees" OR "urban trees")'
    expect(query.editor).to_have_value(either)
    query.expect_number("Retrieved", f"{truth.matching(HEAT, either):,}")


def test_databases_are_chosen_where_headings_depend_on_them(demo: Server, visitors: Visitors) -> None:
    query = QueryPage.of(visitors.open(demo, HEAT, "review"))
    query.type("exp Trees/ and heat.ti. and (cool.ti.")
    query.open_translations()
    pubmed = query.tabpanel.get_by_role("article").filter(has=query.page.get_by_role("heading", name="PubMed"))
    expect(pubmed).to_contain_text('"Trees"[Mesh]')
    expect(query.tabpanel.get_by_text("Read with 1 error")).to_have_count(1)
    source = query.tabpanel.get_by_label("Written for this database of Ovid")
    source.select_option("Embase")
    expect(pubmed).not_to_contain_text("[Mesh]")
    expect(source).to_have_value("embase")
    expect(query.tabpanel.get_by_label("Database of Ovid", exact=True)).to_have_value("medline")
    query.type("trees.ti. and heat.ti.")
    expect(query.tabpanel.get_by_role("combobox")).to_have_count(0)


def test_a_run_saves_a_version_that_the_other_pages_show(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    query = QueryPage.of(explore)
    query.type(TYPED)
    query.expect_number("Retrieved", f"{truth.matching(HEAT, TYPED):,}")
    query.press("Run")
    expect(explore.version).to_have_value(re.compile(r"v\d+"))
    expect(query.editor).to_have_value(TYPED)
    go_to(explore.page, "Audit")
    expect(explore.page.locator(".st-key-page-head")).to_contain_text("exact words")


def test_a_search_string_is_never_markup(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    title = explore.page.title()
    query = QueryPage.of(explore)
    query.type(HOSTILE)
    query.expect_number("Retrieved", f"{truth.matching(HEAT, HOSTILE):,}")
    for tab in ("Suggest", "Missed", "Terms", "Tune"):
        query.open_tab(tab)
        expect(query.tabpanel).to_be_visible()
    expect(explore.page.locator("img[src=x]")).to_have_count(0)
    assert explore.page.title() == title
