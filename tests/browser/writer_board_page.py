"""The view "Sort" of the page "New search string" as a visitor sees and uses it."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import PATIENCE_MS, Explore, go_to


@dataclass(frozen=True)
class BoardPage:
    """What can be had through roles and labels."""

    page: Page

    @classmethod
    def of(cls, explore: Explore) -> BoardPage:
        """From Explore through the menu, as a visitor goes."""
        go_to(explore.page, "New search string")
        views = explore.page.get_by_test_id("stButtonGroup").first
        views.get_by_text("Sort", exact=True).click()
        found = cls(explore.page)
        expect(found.text).to_be_visible(timeout=PATIENCE_MS)
        return found

    @property
    def text(self) -> Locator:
        """The string."""
        return self.page.get_by_test_id("board-string")

    @property
    def status(self) -> Locator:
        """What the last turn did."""
        return self.page.get_by_test_id("board-status")

    @property
    def scores(self) -> Locator:
        """The row of numbers."""
        return self.page.get_by_test_id("board-scores")

    @property
    def landscape(self) -> Locator:
        """The picture."""
        return self.page.get_by_test_id("corpus-map")

    def list(self, name: str) -> Locator:
        """A list by what it is called."""
        return self.page.get_by_role("region", name=name, exact=True)

    def keyword(self, text: str, name: str | None = None) -> Locator:
        """A row, wherever it stands or in one list."""
        inside = self.list(name) if name else self.page.get_by_role("group", name="Keywords")
        return inside.get_by_role("listitem").filter(has=self.page.get_by_text(text, exact=True))

    def take_apart(self, version: str) -> None:
        """Choose a version of the topic."""
        self.page.get_by_role("combobox", name="Sort", exact=True).select_option(label=version)

    def press(self, name: str) -> None:
        """A button of the board."""
        self.page.get_by_role("group", name="Board", exact=True).get_by_role("button", name=name, exact=True).click()

    def drag(self, text: str, to: str) -> None:
        """Take a keyword by its words and let it go over a list."""
        start, end = self.keyword(text).bounding_box(), self.list(to).bounding_box()
        assert start is not None
        assert end is not None
        mouse = self.page.mouse
        mouse.move(start["x"] + 50, start["y"] + 10)
        mouse.down()
        mouse.move(start["x"] + 70, start["y"] + 20, steps=3)
        mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
        mouse.up()

    def expect_number(self, label: str, says: str) -> None:
        """Until the scores say this."""
        term = self.scores.locator("dt", has_text=label)
        expect(term.locator("xpath=following-sibling::dd[1]").locator(".value")).to_have_text(says)

    def shown(self) -> str:
        """The string as it stands there."""
        return self.text.inner_text().strip()
