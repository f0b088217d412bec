"""Fields that save themselves: what is shown, what the browser reports, and what is then saved."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.audit import fields

KEY = "audit-flow-x"


class Browser:
    """The state of a visit, runs that draw one field, and what the browser reports before each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state: dict[str, Any] = {}
        self.kept: Any = 417
        self.saved: list[Any] = []
        self.now = 0.0
        monkeypatch.setattr(fields.state, "snapshot", lambda: dict(self.state))
        monkeypatch.setattr(fields.state, "value", lambda key, default=None: self.state.get(key, default))
        monkeypatch.setattr(fields.state, "set_value", self.state.__setitem__)
        monkeypatch.setattr(fields, "monotonic", lambda: self.now)
        monkeypatch.setattr(fields, "SENT_SECONDS", 1.0)

    def run(self, *, reported: Any = ..., is_interrupted: bool = False, after: float = 10.0) -> Any:
        """Run the page; return what the field holds at its end."""
        self.now += after
        if reported is not ...:
            self.state[KEY] = reported
        fields.settle()
        fields.fill_in(KEY, self.kept, self._save)
        if not is_interrupted:
            fields.note_end()
        return self.state[KEY]

    def _save(self, value: Any) -> None:
        self.saved.append(value)
        self.kept = value


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    return Browser(monkeypatch)


@pytest.mark.parametrize("default", [None, ""])
@pytest.mark.parametrize("is_interrupted", [True, False])
def test_a_default_reported_for_what_never_arrived_is_not_saved(
    browser: Browser, default: Any, is_interrupted: bool
) -> None:
    browser.run(is_interrupted=is_interrupted)
    assert browser.run(reported=default, after=0.1) == 417
    assert browser.saved == []


def test_what_is_typed_is_saved_even_if_it_interrupts_a_run(browser: Browser) -> None:
    browser.run(is_interrupted=True)
    assert browser.run(reported=418, is_interrupted=True, after=0.1) == 418
    assert browser.run(after=0.1) == 418
    assert browser.saved == [418]


def test_a_field_that_is_cleared_is_saved_as_cleared(browser: Browser) -> None:
    browser.run()
    browser.run(reported=None)
    assert browser.saved == [None]
    assert browser.run() is None


def test_what_another_page_saved_is_shown(browser: Browser) -> None:
    browser.run()
    browser.kept = 500
    assert browser.run(is_interrupted=True) == 500
    assert browser.run(reported=417, after=0.1) == 500
    assert browser.saved == []
