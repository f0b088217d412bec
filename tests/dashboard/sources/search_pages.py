"""The view "Search" without a browser, over sources that are played: open it, type, press, and read what it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from streamlit.testing.v1 import AppTest

from core.query.tree import ParsedQuery
from core.sources.preparation import prepare
from core.sources.source_forms import Form, PreparedSearch, SourceId, SourceOptions
from dashboard.sources import jobs
from data.sources.registry import ABOUT
from data.sources.types import SourceCount
from tests.dashboard.apps import open_alone, settled
from tests.data.listed_source import ListedSource, numbered

TOPIC = "Tea *b* [c](d)"
TEXT = "tea[tiab] AND (cup*[tiab] OR mug[tiab])"


@dataclass
class Asked(ListedSource):
    """It has so many records of tea, and takes a string as the source of its name does."""

    room: int | None = None
    wrong: Exception | None = None
    """What its count raises."""
    counted: list[str] = field(default_factory=list)

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        return prepare(parsed, self.about.id, choices, room=self.room)

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        self.counted.append(form.text)
        if self.wrong is not None:
            raise self.wrong
        return SourceCount(len(self.lists[form.number]), (f"it was read as: {form.text}",))


@dataclass
class Services:
    """In the place of those outside."""

    n: int = 25
    """Records that each has, of each form."""
    wrong: dict[SourceId, Exception] = field(default_factory=dict)
    room: int | None = None
    before: Callable[[int, int], None] = lambda form, begin: None
    opened: list[Asked] = field(default_factory=list)

    def open(self, source_id: SourceId) -> Asked:
        about = replace(ABOUT[source_id], per_page=10, per_second=1000.0)
        records = [numbered(self.n, 1 + 1000 * form) for form in range(9)]
        source = Asked(records, 10, about, room=self.room, wrong=self.wrong.get(source_id), before=self.before)
        self.opened.append(source)
        return source

    @property
    def n_asked(self) -> int:
        """Requests that went out."""
        return sum(len(each.counted) + len(each.asked) for each in self.opened)


def play(monkeypatch: pytest.MonkeyPatch) -> Services:
    """Nobody outside is asked, and no keys are set."""
    found = Services()
    monkeypatch.setattr(jobs, "opened", found.open)
    for about in ABOUT.values():
        if about.key_variable:
            monkeypatch.delenv(about.key_variable, raising=False)
    return found


def page(text: str = TEXT, topic_id: str | None = TOPIC, **link: str | list[str]) -> AppTest:
    app = open_alone("sources/page.py", {"chosen_topic": topic_id}, **link)
    return typed(app, text) if text else app


def named(name: str) -> AppTest:
    """An empty workspace, in which a topic was named."""
    typed_before = {"live-topic": name, "live-text": TEXT, "live-for": "None\n", "live-dialect": "found"}
    return open_alone("sources/page.py", typed_before, live_source="pubmed")


def typed(app: AppTest, text: str) -> AppTest:
    app.text_area(key="live-text").input(text).run()
    if any("Translating" in each.value for each in (*app.caption, *app.markdown)):
        settled(app)
    assert not app.exception
    return app


def pressed(app: AppTest, key: str, *, wait: bool = True) -> AppTest:
    app.button(key=key).click().run()
    if wait:
        settled(app)
    assert not app.exception
    return app


def totals(app: AppTest) -> list[str]:
    return [each.value for each in app.metric]


def texts(app: AppTest) -> list[str]:
    return [each.value for each in app.code]
