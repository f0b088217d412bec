"""The page Knowledge without a browser: entities found, opened and walked from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dashboard import cache
from data.knowledge.base import SHOWN, KnowledgeBase
from data.knowledge.builder import EntityPart, KnowledgeBaseParts, RelationPart
from data.knowledge.templates import own_templates
from tests.dashboard.apps import messages, open_alone, press, settled, shown
from tests.dashboard.knowledge.knowledge_pages import (
    AT,
    CITES,
    WRITES,
    buttons,
    head,
    htmls,
    keep,
    linked,
    open_page,
    row_of,
    step,
)


def test_an_entity_is_found_opened_and_gone_back_from(root: Path) -> None:
    keep(root)
    app = open_page()
    settled(app.text_input(key="find-entity").set_value("ito").run())
    assert buttons(app, "found-")[0] == "Ito (author)"
    press(app, f"found-{row_of('ito')}")
    assert head(app) == "Ito"
    assert app.text_input(key="find-entity").value == ""
    assert linked(app, "entity") == ["ito"]
    app.radio(key="rel").set_value(step(WRITES, "forward", "paper")).run()
    assert len(buttons(app, "neighbour-")) == SHOWN
    assert "1 to 50 of 55" in shown(app)
    press(app, f"neighbour-{row_of('p3')}")
    assert head(app) == "Paper 3 on shade"
    assert linked(app, "trail") == ["ito"]
    press(app, "trail-back")
    assert head(app) == "Ito"
    assert linked(app, "trail") == []


def test_the_browsers_back_opens_what_was_open_before(root: Path) -> None:
    keep(root)
    app = open_page(entity="ito", rel=step(WRITES, "forward", "paper"))
    press(app, f"neighbour-{row_of('p3')}")
    assert head(app) == "Paper 3 on shade"
    app.query_params["entity"] = "ito"
    del app.query_params["trail"]
    app.run()
    assert head(app) == "Ito"
    assert not buttons(app, "trail-")
    app.query_params.clear()  # as when another page was open in between
    app.run()
    assert head(app) == "Ito"


@pytest.mark.slow
def test_a_link_opens_the_same_view(root: Path) -> None:
    keep(root)
    app = open_page(entity="p1", trail=["elm", "ito"], rel=step(WRITES, "back", "author"))
    assert head(app) == "Paper 1 on shade"
    assert buttons(app, "trail-") == ["Back", "University of Elm ›", "Ito ›"]
    assert buttons(app, "neighbour-") == ["Ito"]
    press(app, "trail-0")
    assert (head(app), linked(app, "entity")) == ("University of Elm", ["elm"])


@pytest.mark.slow
def test_the_last_page_of_neighbours(root: Path) -> None:
    keep(root)
    app = open_page(entity="ito", rel=step(WRITES, "forward", "paper"))
    (page,) = [each for each in app.number_input if each.label.startswith("Page")]
    page.set_value(2).run()
    assert buttons(app, "neighbour-") == [f"Paper {n} on shade" for n in range(50, 55)]


@pytest.mark.slow
@pytest.mark.parametrize("look", ["Neighbours", "Walk", "Questions", "Landscape"])
@pytest.mark.parametrize("entity", ["mute", "odd", "p0", "elm"])
def test_odd_entities_are_shown_as_they_are(root: Path, look: str, entity: str) -> None:
    keep(root)
    app = open_page(entity=entity, look=look)
    assert not app.error
    assert "<script>" not in htmls(app)
    if entity == "mute":
        assert head(app) == "mute"
        assert "has no text" in shown(app)
    if entity == "odd":
        assert app.header[0].value.startswith(r"\*Odd\* \<img")
        assert len(head(app)) <= 400


@pytest.mark.slow
def test_a_long_text_is_cut_until_all_is_wanted(root: Path) -> None:
    keep(root)
    app = open_page(entity="elm")
    assert len(htmls(app)) < 10_000
    (toggle,) = [each for each in app.toggle if each.label == "Show all 1,000,000 characters"]
    toggle.set_value(True).run()
    assert len(htmls(app)) > 1_000_000


@pytest.mark.slow
def test_links_to_what_is_not_here_say_so(root: Path) -> None:
    keep(root)
    app = open_page(entity="gone")
    assert 'no entity "gone"' in messages(app)
    app = open_page(entity="ito", trail=["gone", "roy"], walk=[step("gone", "forward", "paper")], look="Walk")
    assert "Unknown walk" in messages(app)
    assert buttons(app, "trail-") == ["Back", "Roy ›"]
    app = open_page(entity="ito", walk=["[" * 500, "{}", '["a"]'], rel="nonsense", look="Walk")
    assert not app.error
    app = open_alone("knowledge/page.py", knowledge="deleted", entity="ito")
    assert 'in the link: "deleted"' in messages(app)
    assert head(settled(app)) == "Ito"


@pytest.mark.slow
def test_walks_keep_sets_with_counts(root: Path) -> None:
    keep(root)
    app = open_page(entity="elm", look="Walk")
    for move in (step(AT, "back", "author"), step(WRITES, "forward", "paper"), step(CITES, "forward", "paper")):
        (choice,) = [each for each in app.selectbox if (each.key or "").startswith("next-")]
        choice.set_value(move).run()
        press(app, "walk-go")
    assert "1. has as researcher 2 authors" in shown(app)
    assert "2. writes 60 papers" in shown(app)
    assert "3. cites 3 papers" in shown(app)
    assert len(linked(app, "walk")) == 3
    assert buttons(app, "step-3-") == ["Paper 0 on shade", "Paper 1 on shade", "Paper 2 on shade"]
    press(app, "walk-back")
    assert "3. cites" not in shown(app)
    assert len(linked(app, "walk")) == 2


@pytest.mark.slow
def test_a_walk_in_circles_ends_after_six_steps(root: Path) -> None:
    keep(root)
    app = open_page(entity="p0", look="Walk", walk=[step(CITES, "forward", "paper")] * 6)
    assert "6. cites" in shown(app)
    assert "at most 6 steps" in shown(app)
    assert not [each for each in app.button if each.key == "walk-go"]


@pytest.mark.slow
def test_a_walk_is_kept_as_a_template_and_deleted(root: Path) -> None:
    keep(root)
    app = open_page(entity="elm", look="Walk", walk=[step(AT, "back", "author")])
    press(app, "keep-walk")
    (kept,) = own_templates(cache.workspace().store, "small")
    assert kept.slots == {"start": "institution"}
    assert kept.question == "Find every author that is affiliated with {start}."
    app = open_page(kb="Questions")
    assert kept.template_id in shown(app)
    press(app, f"delete-template-{kept.template_id}")
    assert own_templates(cache.workspace().store, "small") == ()


# A hub


class Counting:
    """What is asked of a knowledge base, and how many rows come back."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def over(self, monkeypatch: pytest.MonkeyPatch) -> Counting:
        rows, column = KnowledgeBase.rows, KnowledgeBase.column

        def counted_rows(base: KnowledgeBase, *asked: Any) -> Any:
            found = rows(base, *asked)
            self.calls.append(len(found))
            return found

        def counted_column(base: KnowledgeBase, *asked: Any) -> Any:
            found = column(base, *asked)
            self.calls.append(len(found))
            return found

        monkeypatch.setattr(KnowledgeBase, "rows", counted_rows)
        monkeypatch.setattr(KnowledgeBase, "column", counted_column)
        return self


def a_hub(n: int) -> KnowledgeBaseParts:
    ids = ["hub", *(f"p{place}" for place in range(n))]
    types = ["field", *["paper"] * n]
    part = EntityPart(ids, types, ids, [""] * len(ids), [""] * len(ids))
    return KnowledgeBaseParts([part], [RelationPart("topic", np.arange(1, n + 1), np.zeros(n, np.int64))], ("paper",))


@pytest.mark.slow
def test_a_hub_is_opened_without_reading_its_neighbours(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(root, a_hub(300_000))
    counting = Counting().over(monkeypatch)
    app = open_page(entity="hub")
    assert "topic (the other way): 300,000 papers" in str(app.radio(key="rel").options).replace("\\", "")
    assert len(buttons(app, "neighbour-")) == SHOWN
    assert max(counting.calls) <= SHOWN
    assert sum(counting.calls) < 500
    assert len(counting.calls) < 60
