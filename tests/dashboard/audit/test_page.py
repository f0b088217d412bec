"""The page Audit without a browser: what is worth doing next, answers, drafts, reviews, and a copy to look at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.audit.flow import flow_of
from core.audit.press import DOMAINS, NO_TOPIC, PASTED, DomainReview, Person, PressEvidence, Request, Review
from core.audit.press_exchange import as_json
from core.audit.prisma_items import ITEMS
from core.audit.prisma_s import FilledItem, fill
from core.audit.searches import Search
from core.audit.strategies import ItemState
from core.types import Ids, Origin, Publication
from dashboard import cache
from dashboard.audit import review as review_page
from dashboard.audit import string_check
from dashboard.audit.fields import STANDINGS, first_line, next_items, unique
from dashboard.audit.page import duplicates_group, flow_group, source_group, words_key
from dashboard.audit.record_facts import known_of
from dashboard.audit.report import FINAL
from dashboard.audit.review import brought_lines, part_key
from dashboard.words import plain
from data.audit.reviews import ReviewImport, delete_review, new_review, reviews
from data.audit.searches import answers
from data.explore.workspace import Workspace
from data.library.duplicates import separate
from data.library.searches import save_search
from tests.dashboard.apps import click, messages, open_app, open_page, shown, told
from tests.data.live_scenes import TOPIC as LIVE_TOPIC
from tests.data.live_scenes import finished, repeated

TOPIC = "Street *trees*"
ODD = "<b>Nobody</b> was *asked* & [no](http://one)"


@dataclass(frozen=True, slots=True)
class Wording:
    """A version as a collection hands it over."""

    retrieved_ids: Ids
    label: str = "first"
    number: int = 1
    text: str = "heat AND (tree OR trees)"
    origin: Origin = "baseline"


@pytest.fixture
def small(root: Path) -> Path:
    """A topic with one version whose results were brought in."""
    publications = tuple(Publication(f"p{n}", f"Street trees cool {n}", "Shade and heat.") for n in range(8))
    with Workspace.open(root) as workspace:
        workspace.store.save_publications(publications)
        ids = tuple(publication.publication_id for publication in publications)
        workspace.save_topic(TOPIC, ids[:3], [Wording(retrieved_ids=ids[:6])], corpus_ids=ids)
    return root


def open_audit(topic: str = TOPIC, **link: str) -> AppTest:
    """The page as a link opens it."""
    return open_page("audit/page.py", topic=topic, **link)


def test_publications_of_the_flow_are_listed_by_search_and_together(small: Path) -> None:
    app = open_audit()
    table = next(frame.value for frame in app.dataframe if "Publications" in frame.value)
    numbers = next(frame.value for frame in app.dataframe if "Stage" in frame.value)
    facts = known_of(TOPIC)
    groups = [source_group(facts, row) for row in range(len(table))]
    assert [None if group is None else len(group) for group in groups] == table["Publications"].tolist() == [6, 6]
    known = [number for number in flow_of(facts).numbers if number.n is not None]
    counted = {number.label: flow_group(facts, number) for number in known}
    assert {label: len(group) for label, group in counted.items() if group is not None} == {
        "This topic's publications (no database)": 6,
        "Duplicate records removed": 0,
        "Records screened": 6,
    }
    assert numbers["Stage"].tolist() == list(counted)
    assert flow_group(facts, replace(known[0], n=7)) is None


def test_counts_of_duplicates_lead_to_what_each_rule_merged(root: Path) -> None:
    with Workspace.open(root) as workspace:
        repeated(workspace, finished(workspace))
        first, *_, last = workspace.store.topic_publication_ids(LIVE_TOPIC)
        separate(workspace, LIVE_TOPIC, first, last)
    app = open_audit(LIVE_TOPIC, audit="Record", audit_item="prisma-s:16")
    counts = next(frame.value for frame in app.dataframe if "Number" in frame.value)["Number"].tolist()
    groups = [duplicates_group(known_of(LIVE_TOPIC), row) for row in range(len(counts))]
    assert [len(group) for group in groups] == counts
    assert sum(counts[1:]) > counts[0] == 51


def test_a_next_step_leads_to_its_item_and_only_once(small: Path) -> None:
    app = open_audit()
    assert "sight" not in told(app)
    step = next(button for button in app.button if str(button.key).startswith("audit-next-"))
    number = str(step.key).rpartition("-")[2]
    step.click().run()
    assert told(app)["sight"]["target"] == f".st-key-audit-row-{number}"
    assert "sight" not in told(app.run())
    linked = open_audit(audit="Record", audit_item="prisma-s:9")
    assert told(linked)["sight"]["target"] == ".st-key-audit-row-9"
    assert "sight" not in told(linked.run())


def test_the_browser_keeps_the_name(small: Path) -> None:
    app = open_audit()
    assert told(app)["browser_memory"]["text"] is None  # the browser answers with what it kept
    app.session_state["browser-memory"] = {"kept": "Ada"}
    app.run()
    assert app.text_input(key="your-name").value == "Ada"
    app.run()
    assert told(app)["browser_memory"]["text"] == "Ada"
    app.text_input(key="your-name").set_value("").run()
    assert told(app)["browser_memory"]["text"] == ""
    assert app.text_input(key="your-name").value == ""
    app.text_input(key="your-name").set_value("Grace").run()
    app.segmented_control(key="audit").set_value("Peer review").run()
    assert app.text_input(key="your-name").value == "Grace"


def filled(*states: ItemState) -> list[FilledItem]:
    return [FilledItem(item, state, "", "do it") for item, state in zip(ITEMS, states, strict=False)]


def test_what_changed_comes_before_what_is_likely_and_that_before_what_is_open() -> None:
    wanted = next_items(filled("open", "known", "likely", "said", "changed", "open"))
    assert [each.item.number for each in wanted] == [5, 3, 1]
    assert next_items(filled("known", "said")) == []


def test_every_state_has_its_own_words_and_its_own_sign() -> None:
    assert len({each.word for each in STANDINGS.values()}) == len(STANDINGS) == 5
    assert len({each.icon for each in STANDINGS.values()}) == 5


def test_a_long_text_is_cut_where_it_stands_in_the_list() -> None:
    assert first_line("") == ""
    assert first_line("One line.") == "One line."
    assert first_line("a " * 500).endswith(" …")
    assert len(first_line("a " * 500)) < 160


def test_columns_of_one_name_are_told_apart() -> None:
    assert unique(["n", "n", "n (2)"]) == ["n", "n (2)", "n (2) (2)"]


def test_what_a_file_brought_is_told_in_sentences() -> None:
    review = Review("r", TOPIC, "first", "heat", None, "2031-01-01T00:00:00+00:00", "")
    new = ReviewImport(review, True, (), (), (), ())
    assert brought_lines(new) == ["New review added."]
    changed = replace(new, is_new=False, taken=("the overall verdict",), both_kept=("the notes",))
    assert brought_lines(changed)[0] == "1 field changed: the overall verdict."
    assert "Both texts" in brought_lines(changed)[1]
    assert brought_lines(replace(new, is_new=False)) == ["No changes."]


def test_own_words_are_kept_as_typed_and_with_the_name_of_who_said_them(small: Path) -> None:
    app = open_audit(audit="Record", audit_item="prisma-s:6")
    app.text_input(key="your-name").set_value("Ada").run()
    app.text_area(key=words_key(TOPIC, "prisma-s:6")).set_value(ODD).run()
    click(app, "audit-own-prisma-s:6")
    said = answers(cache.workspace().store, TOPIC)["prisma-s:6"]
    assert (said.state, said.text, said.said_by) == ("own", ODD, "Ada")
    app.button(key="audit-unsay-prisma-s:6").click().run()
    assert answers(cache.workspace().store, TOPIC) == {}


def test_saving_nothing_says_what_to_do_and_another_item_keeps_what_is_typed(small: Path) -> None:
    app = open_audit(audit="Record", audit_item="prisma-s:6")
    app.button(key="audit-own-prisma-s:6").click().run()
    assert "nothing to save" in messages(app).lower()
    app.text_area(key=words_key(TOPIC, "prisma-s:6")).set_value(ODD).run()
    app.button(key="audit-item-4").click().run()
    assert not [area for area in app.text_area if area.value == ODD]
    app.button(key="audit-item-6").click().run()
    assert app.text_area(key=words_key(TOPIC, "prisma-s:6")).value == ODD


def test_an_item_that_is_none_is_said(small: Path) -> None:
    app = open_audit(audit="Record", audit_item="prisma-s:99")
    assert "the sixteen" in messages(app)


def test_a_field_of_a_review_is_saved_when_it_is_left_and_an_unnamed_reviewer_cannot_sign(small: Path) -> None:
    open_app(topic=TOPIC)
    store = cache.workspace().store
    review = new_review(cache.workspace(), TOPIC, "first", requestor=Person("Ada"), request=Request("Why?"))
    app = open_audit(audit="Peer review", audit_review=review.review_id)
    (comments,) = [area for area in app.text_area if area.label == "Overall comments"]
    comments.set_value(ODD).run()
    assert reviews(store, TOPIC)[0].overall_comments == ODD
    app.button(key="audit-sign").click().run()
    assert reviews(store, TOPIC)[0].signature is None
    assert app.error


def test_a_review_that_is_gone_leaves_the_list(small: Path) -> None:
    app = open_audit(audit="Peer review", audit_review="gone")
    assert "not found" in messages(app)
    assert app.button(key="audit-begin-review")


def test_two_visitors_request_a_review_each(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    make = review_page.new_review

    def slowly(*args: Any, **options: Any) -> Any:
        assert gate.wait(30)
        return make(*args, **options)

    monkeypatch.setattr(review_page, "new_review", slowly)
    ada, bo = (open_audit(audit="Peer review") for _ in range(2))
    for app, asked in ((ada, "Asked by Ada?"), (bo, "Asked by Bo?")):
        (question,) = [area for area in app.text_area if area.label == "Research question"]
        question.set_value(asked).run()
    click(ada, "audit-begin-review")
    click(bo, "audit-begin-review")
    gate.set()
    cache.jobs().wait()
    bo.run()
    ada.run()
    asked = sorted(one.request.question for one in reviews(cache.workspace().store, TOPIC))
    assert asked == ["Asked by Ada?", "Asked by Bo?"]


def test_a_visitor_keeps_the_form_while_another_requests(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    make = review_page.new_review

    def slowly(*args: Any, **options: Any) -> Any:
        assert gate.wait(30)
        return make(*args, **options)

    monkeypatch.setattr(review_page, "new_review", slowly)
    ada, bo = (open_audit(audit="Peer review") for _ in range(2))
    (question,) = [area for area in bo.text_area if area.label == "Research question"]
    question.set_value("Asked by Bo?").run()
    click(ada, "audit-begin-review")
    gate.set()
    cache.jobs().wait()
    bo.run()
    bo.run()
    left = [area.value for area in bo.text_area if area.label == "Research question"]
    assert left == ["Asked by Bo?"]


FLAWED = "1. exp Hypertension/\n2. hypertens*.tw.\n3. 1 and 2\n4. exp Animals/\n5. 3 not 4"


def checked(app: AppTest, text: str) -> str:
    """Everything shown once a search string was pasted."""
    app.text_area(key=string_check.TEXT).set_value(text).run()
    assert not app.exception
    return shown(app)


def test_a_pasted_string_is_checked_without_a_topic(root: Path) -> None:
    app = open_page("audit/page.py", audit="Peer review")
    text = checked(app, FLAWED)
    assert "name one concept" in text
    assert "NOT (animals NOT humans)" in text
    assert all(domain.title in text for domain in DOMAINS)
    assert "Overall, it finds" not in text


def test_with_the_topic_the_counts_are_added(small: Path) -> None:
    app = open_audit(audit="Peer review")
    assert "Overall, it finds" not in checked(app, "trees NOT heat")
    app.toggle(key=string_check.JOINED).set_value(True).run()
    assert "Overall, it finds" in shown(app)


def test_one_click_begins_a_review_of_the_pasted_string(root: Path) -> None:
    app = open_page("audit/page.py", audit="Peer review")
    checked(app, FLAWED)
    click(app, "audit-check-begin")
    (review,) = reviews(cache.workspace().store, NO_TOPIC)
    assert (review.text, review.version) == (FLAWED, PASTED)
    assert "and-within-concept" in {each.rule for each in review.domain("operators").evidence}
    assert app.text_area(key=part_key(review.review_id, "overall.comments")) is not None


def test_a_string_that_is_a_version_is_reviewed_as_this_version(small: Path) -> None:
    app = open_audit(audit="Peer review")
    checked(app, "heat AND (tree OR trees)")
    app.toggle(key=string_check.JOINED).set_value(True).run()
    click(app, "audit-check-begin")
    (review,) = reviews(cache.workspace().store, TOPIC)
    assert review.version == "first"


def test_columns_are_about_equally_high() -> None:
    def domains(*counts: int) -> tuple[DomainReview, ...]:
        look = PressEvidence("Look.", look=True)
        return tuple(DomainReview(each.id, (look,) * n) for each, n in zip(DOMAINS, counts, strict=True))

    assert string_check.middle(domains(0, 0, 0, 0, 0, 0)) == 3
    assert string_check.middle(domains(5, 5, 0, 0, 0, 0)) == 2
    assert string_check.middle(domains(0, 0, 0, 0, 0, 9)) > 3


HISTORY = "1. exp Trees/ (900)\n2. heat.tw. (1200)\n3. 1 and 2 (75)"


@pytest.fixture
def recorded(small: Path) -> Path:
    with Workspace.open(small) as workspace:
        search = Search("", 0, database="MEDLINE", platform="Ovid", text=HISTORY, limits="English language\n2000 on")
        save_search(workspace.store, TOPIC, replace(search, searched_on="2026-11-04"))
    return small


def test_a_recorded_search_is_checked_in_the_dialect_of_its_platform_with_hits_and_limits(recorded: Path) -> None:
    app = open_audit(audit="Peer review")
    app.selectbox(key="audit-check-search").select("MEDLINE (Ovid)").run()
    assert app.text_area(key=string_check.TEXT).value == HISTORY
    assert app.selectbox(key=string_check.DIALECT).value == "ovid"
    assert "75 hits on 4 Nov 2026" in shown(app)
    assert "English language" in shown(app)
    click(app, "audit-check-begin")
    (review,) = reviews(cache.workspace().store, TOPIC)
    assert (review.version, review.is_search, review.dialect) == ("MEDLINE (Ovid)", True, "ovid")
    assert review.request.database == "MEDLINE (Ovid)"
    assert any("2000 on" in each.text for each in review.domain("limits").evidence)
    assert "the search “MEDLINE (Ovid)”" in shown(app)


def test_an_edited_string_is_no_longer_the_recorded_one(recorded: Path) -> None:
    app = open_audit(audit="Peer review")
    app.selectbox(key="audit-check-search").select("MEDLINE (Ovid)").run()
    assert "English language" not in checked(app, HISTORY.replace("heat", "warmth"))
    click(app, "audit-check-begin")
    (review,) = reviews(cache.workspace().store, NO_TOPIC)
    assert (review.version, review.is_search) == (PASTED, False)


def test_a_review_of_a_recorded_search_is_requested_like_one_of_a_version(recorded: Path) -> None:
    app = open_audit(audit="Peer review")
    (strings,) = (box for box in app.selectbox if box.label == "Search string of")
    assert strings.value == "first"
    strings.select("Search: MEDLINE (Ovid)").run()
    click(app, "audit-begin-review")
    cache.jobs().wait()
    app.run()
    (review,) = reviews(cache.workspace().store, TOPIC)
    assert (review.is_search, review.text, review.request.database) == (True, HISTORY, "MEDLINE (Ovid)")


def test_a_review_in_the_field_for_strings_is_imported_and_a_string_in_the_other_field_is_checked(small: Path) -> None:
    with Workspace.open(small) as workspace:
        review = new_review(workspace, TOPIC, "first", requestor=Person("Ada"), request=Request("Why?"))
        delete_review(workspace.store, review.review_id)
    app = open_audit(audit="Peer review")
    app.file_uploader[0].upload("first.press.json", as_json(review).encode(), "application/json").run()
    assert not app.text_area(key=string_check.TEXT).value
    click(app, "audit-check-bring")
    assert [each.review_id for each in reviews(cache.workspace().store, TOPIC)] == [review.review_id]
    assert "New review added" in shown(app)

    app = open_audit(audit="Peer review")
    app.file_uploader[1].upload("strategy.txt", b"heat AND tree*", "text/plain").run()
    click(app, "audit-bring-string")
    assert app.text_area(key=string_check.TEXT).value == "heat AND tree*"
    assert not app.exception


def test_what_was_confirmed_together_is_withdrawn_together(small: Path) -> None:
    app = open_audit()
    click(app, "audit-confirm-all")
    store = cache.workspace().store
    confirmed = answers(store, TOPIC)
    assert len(confirmed) > 1
    assert {answer.state for answer in confirmed.values()} == {"confirmed"}
    click(app, "audit-undo-confirmed")
    assert answers(store, TOPIC) == {}
    assert not app.exception


def test_a_final_copy_names_what_is_open_and_what_nobody_confirmed(small: Path) -> None:
    app = open_audit(audit="Report")
    assert not app.warning
    app.toggle(key=FINAL).set_value(True).run()
    told = [warning.value for warning in app.warning]
    filled = fill(known_of(TOPIC))
    for at in ("open", "likely"):
        titles = [plain(one.item.title) for one in filled if one.state == at]
        assert titles
        assert any(all(title in text for title in titles) for text in told)
