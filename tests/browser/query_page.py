"""The search string of the Workbench, and the panel beside the landscape, as a visitor sees and uses them."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import PATIENCE_MS, Explore


@dataclass(frozen=True)
class QueryPage:
    """What can be had through roles and labels."""

    page: Page

    @classmethod
    def of(cls, explore: Explore) -> QueryPage:
        """Of the Workbench that is open."""
        found = cls(explore.page)
        expect(found.editor).to_be_visible(timeout=PATIENCE_MS)
        return found

    @property
    def editor(self) -> Locator:
        """Where the text is typed."""
        return self.page.get_by_role("textbox", name="Search string")

    @property
    def summary(self) -> Locator:
        """The line of numbers."""
        return self.page.get_by_role("region", name="What it retrieves")

    @property
    def tabpanel(self) -> Locator:
        """What lies under the tab that is open."""
        return self.page.get_by_role("tabpanel")

    def type(self, text: str) -> None:
        """Type a search string and have it read."""
        self.editor.fill(text)
        self.editor.blur()

    def press(self, name: str) -> None:
        """A button of the toolbar."""
        self.page.get_by_role("region", name="Search string").get_by_role("button", name=name, exact=True).click()

    def open_translations(self) -> None:
        """What is folded under the terms."""
        self.open_tab("Terms")
        self.page.get_by_text("In the syntax of other databases").click()

    def open_tab(self, name: str) -> None:
        """One of the tabs."""
        self.page.get_by_role("tab", name=name).click()

    def switch(self, term: str) -> Locator:
        """The switch of a part of the search."""
        return self.page.get_by_role("switch", name=f"Use {term}", exact=True)

    def number(self, label: str) -> str:
        """What the summary says under a label."""
        term = self.summary.locator("dt", has_text=label)
        return term.locator("xpath=following-sibling::dd[1]").inner_text()

    def expect_number(self, label: str, starts: str) -> None:
        """Until the summary says this."""
        term = self.summary.locator("dt", has_text=label)
        expect(term.locator("xpath=following-sibling::dd[1]")).to_contain_text(starts)
