"""Peer reviews in the workspace: begun, sent to another one, brought back, signed, answered."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.audit.press import DOMAINS, Person, Request, Review, edited_parts
from core.audit.press_exchange import as_json
from core.audit.searches import Search
from core.errors import CorruptStoreError, FormatError, InputError, NotFoundError
from core.library.mesh import MeshHeading, MeshThesaurus
from core.query.parser import parse
from data.audit.reports import gather_audit
from data.audit.reviews import (
    bring_review,
    choose,
    delete_review,
    load_review,
    new_review,
    reply,
    review_of_search,
    review_of_string,
    reviews,
    save_review,
    sign,
)
from data.explore.workspace import Workspace
from data.library.filing import delete_topic
from data.library.searches import load_searches, save_searches
from data.query.mesh import save_mesh
from tests.data.notes import assert_notes
from tests.data.workspaces import TOPIC, Version, fill, ids_of
from tests.messages import refusal

VERSIONS = (
    Version("baseline", 1, ids_of(3, 30), "baseline", text="tea NOT kettle"),
    Version("brought", 2, ids_of(3, 30), "review", text=""),
    Version("unrun", 3, None, text="petri OR (nets AND model)"),
)
ANN, ROB = Person("Ann Asks", "A library"), Person("Rob Reads")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("reviews")
    fill(root, versions=VERSIONS, models=())
    return root


@pytest.fixture
def ours(filled: Path, tmp_path: Path) -> Iterator[Workspace]:
    """The requestor's."""
    shutil.copytree(filled, tmp_path / "ours")
    with Workspace.open(tmp_path / "ours") as workspace:
        yield workspace


@pytest.fixture
def theirs(tmp_path: Path) -> Iterator[Workspace]:
    """The reviewer's: empty, without the topic."""
    with Workspace.open(tmp_path / "theirs") as workspace:
        yield workspace


class Clock:
    """A minute later each time."""

    def __init__(self) -> None:
        self.minutes = 0

    def __call__(self) -> str:
        self.minutes += 1
        return f"2031-05-06T{self.minutes // 60:02}:{self.minutes % 60:02}:00+00:00"


@pytest.fixture
def clock() -> Clock:
    return Clock()


def begin(workspace: Workspace, clock: Clock, label: str = "baseline") -> Review:
    return new_review(workspace, TOPIC, label, requestor=ANN, request=Request("Does tea steep?"), clock=clock)


def decided(review: Review, name: str = "Rob Reads") -> Review:
    domains = tuple(replace(each, verdict="none", comments=f"{each.about.number}.") for each in review.domains)
    return replace(review, domains=domains, overall="none", reviewer=Person(name))


def file_of(workspace: Workspace, review: Review) -> bytes:
    return as_json(load_review(workspace.store, review.review_id)).encode()


def test_a_review_begins_with_the_string_and_its_evidence(ours: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    assert (begun.text, begun.topic, begun.version) == ("tea NOT kettle", TOPIC, "baseline")
    assert begun.counted_in.startswith("the 30 publications")
    assert [each.domain for each in begun.domains] == [domain.id for domain in DOMAINS]
    assert any("of 8 core publications" in each.text for each in begun.domains[0].evidence)
    assert reviews(ours.store, TOPIC) == (begun,)
    assert begun.state == "requested"


def test_a_pasted_string_is_checked_with_the_mesh_file_of_the_workspace(theirs: Workspace, clock: Clock) -> None:
    text = '"Soups"[Mesh] AND broth*[tiab] AND (health[tiab] OR "Health"[Mesh])'

    def rules() -> set[str]:
        review = review_of_string(theirs, parse(text, "pubmed"), is_named=True, requestor=ANN, clock=clock)
        return {each.rule for each in review.domain("operators").findings}

    assert "and-within-concept" not in rules()
    headings = (MeshHeading("Soups", ("J01.100",), ("Broths",)), MeshHeading("Health", ("N01.400",)))
    save_mesh(theirs.paths, MeshThesaurus(headings, 2024, ("made.bin",)))
    assert "and-within-concept" in rules()


def test_a_version_without_a_string_has_nothing_to_review(ours: Workspace, clock: Clock) -> None:
    with refusal(InputError):
        begin(ours, clock, "brought")
    with refusal(NotFoundError):
        begin(ours, clock, "nothing")
    assert begin(ours, clock, "unrun").text == "petri OR (nets AND model)"


def test_two_people_work_by_exchanging_one_file(ours: Workspace, theirs: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    arrived = bring_review(theirs, file_of(ours, begun), clock=clock)
    assert arrived.is_new
    assert arrived.review.side == "reviewer"
    assert [r.review_id for r in reviews(theirs.store)] == [begun.review_id]
    assert arrived.review.domains == begun.domains, "everything needed is in the file"
    save_review(theirs.store, decided(arrived.review), clock=clock)
    signed = sign(theirs.store, begun.review_id, clock=clock)
    assert signed.state == "signed"
    back = bring_review(ours, file_of(theirs, begun), clock=clock)
    assert not back.is_new
    assert back.edited == back.both_kept == back.notes == ()
    assert "the signature" in back.taken
    assert gather_audit(ours, TOPIC, ("baseline",)).n_reviews_signed == 1
    answered = reply(ours.store, begun.review_id, replies={"words": "Thank you."}, overall="All done.", clock=clock)
    assert answered.state == "replied"
    assert edited_parts(answered) == ()
    last = bring_review(theirs, file_of(ours, begun), clock=clock)
    assert last.review.domain("words").reply == "Thank you."
    assert last.review.state == "replied"
    assert edited_parts(last.review) == ()


def test_an_unnamed_reviewer_may_save_but_not_sign(ours: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    save_review(ours.store, decided(begun, name=""), clock=clock)
    with refusal(InputError):
        sign(ours.store, begun.review_id, clock=clock)
    assert load_review(ours.store, begun.review_id).domain("words").comments == "4.", "nothing was lost"


def test_an_edit_of_the_file_after_signing_is_named(ours: Workspace, theirs: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    bring_review(theirs, file_of(ours, begun), clock=clock)
    save_review(theirs.store, decided(load_review(theirs.store, begun.review_id)), clock=clock)
    sign(theirs.store, begun.review_id, clock=clock)
    document = json.loads(file_of(theirs, begun))
    document["domains"][1]["comments"] = "Wonderful."
    brought = bring_review(ours, json.dumps(document).encode(), clock=clock)
    assert_notes(brought.edited, ("comments on domain 2",))
    assert gather_audit(ours, TOPIC, ("baseline",)).n_reviews_signed == 0, "what was changed is no longer signed"


def test_saving_after_signing_keeps_the_signature_and_shows_the_change(ours: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    save_review(ours.store, decided(begun), clock=clock)
    signed = sign(ours.store, begun.review_id, clock=clock)
    changed = save_review(ours.store, replace(signed, overall_comments="After all."), clock=clock)
    assert edited_parts(changed) == ("the overall comments",)
    assert edited_parts(sign(ours.store, begun.review_id, clock=clock)) == ()


def test_both_texts_are_kept_and_one_is_chosen(ours: Workspace, theirs: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    arrived = bring_review(theirs, file_of(ours, begun), clock=clock).review
    words = replace(begun.domain("words"), comments="From Ann.")
    save_review(ours.store, begun.with_domain(words), clock=clock)
    save_review(theirs.store, decided(arrived), clock=clock)
    back = bring_review(ours, file_of(theirs, begun), clock=clock)
    assert_notes(back.both_kept, ("comments on domain 4",))
    assert back.review.domain("words").comments == "4."
    chosen = choose(ours.store, begun.review_id, 0, take_it=True, clock=clock)
    assert chosen.domain("words").comments == "From Ann."
    assert choose(ours.store, begun.review_id, 0, take_it=False, clock=clock).others == ()
    with refusal(InputError):
        choose(ours.store, begun.review_id, 0, take_it=True, clock=clock)


def test_a_reply_waits_for_the_signature(ours: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    with refusal(InputError):
        reply(ours.store, begun.review_id, overall="Thanks.", clock=clock)


def test_saving_what_did_not_change_keeps_the_time(ours: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    assert save_review(ours.store, begun, clock=clock).written_at == begun.written_at
    assert save_review(ours.store, replace(begun, overall="none"), clock=clock).written_at > begun.written_at


def test_what_could_not_be_read_again_is_not_kept(ours: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    with pytest.raises(FormatError, match="at most 20,000"):
        save_review(ours.store, replace(begun, overall_comments="x" * 20_001), clock=clock)
    assert load_review(ours.store, begun.review_id) == begun


def test_odd_signs_survive_the_store(ours: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    text = "a\x00b \u2028 ' -- ; DROP TABLE press_reviews; \U0001f333 <b>&amp;"
    kept = save_review(ours.store, replace(begun, overall_comments=text), clock=clock)
    assert load_review(ours.store, begun.review_id).overall_comments == kept.overall_comments == text


def test_two_people_review_a_recorded_search_that_has_no_version(
    ours: Workspace, theirs: Workspace, clock: Clock
) -> None:
    history = "1. tea.tw. (30)\n2. kettle.tw. (9)\n3. 1 not 2 (21)"
    search = Search("", 0, database="MEDLINE", platform="Ovid", text=history, limits="English")
    save_searches(ours.store, TOPIC, (search, replace(search, text="")))
    search = load_searches(ours.store, TOPIC)[0]
    begun = review_of_search(ours, TOPIC, search, requestor=ANN, clock=clock)
    assert (begun.version, begun.dialect, begun.is_search) == ("MEDLINE (Ovid) #1", "ovid", True)
    assert any(each.text.startswith("MEDLINE (Ovid) showed 21 hits") for each in begun.domain("question").evidence)
    assert any("English" in each.text for each in begun.domain("limits").evidence)
    arrived = bring_review(theirs, file_of(ours, begun), clock=clock).review
    assert replace(arrived, side=begun.side, seen_at="", base=(), written_at=begun.written_at) == begun
    save_review(theirs.store, decided(arrived), clock=clock)
    sign(theirs.store, begun.review_id, clock=clock)
    back = bring_review(ours, file_of(theirs, begun), clock=clock)
    assert back.edited == back.both_kept == back.notes == ()
    facts = gather_audit(ours, TOPIC, ("baseline",))
    assert [(each.version, each.is_search) for each in facts.reviews] == [(begun.version, True)]
    assert facts.n_reviews_signed == 1
    save_searches(ours.store, TOPIC, (replace(search, label="unrun"),))
    assert gather_audit(ours, TOPIC).n_reviews_signed == 1
    with refusal(InputError):
        review_of_search(ours, TOPIC, load_searches(ours.store, TOPIC)[1], requestor=ANN)


def test_a_new_review_is_listed_where_it_is_wanted(ours: Workspace, theirs: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    bring_review(theirs, file_of(ours, begun), topic_id="My topic", clock=clock)
    assert [r.topic for r in reviews(theirs.store, "My topic")] == [TOPIC]
    assert reviews(theirs.store, TOPIC) == ()


def test_the_last_changed_stands_first_and_reviews_go_with_their_topic(ours: Workspace, clock: Clock) -> None:
    first, second = begin(ours, clock), begin(ours, clock, "unrun")
    save_review(ours.store, replace(first, overall="none"), clock=clock)
    assert [r.version for r in reviews(ours.store, TOPIC)] == ["baseline", "unrun"]
    delete_review(ours.store, second.review_id)
    with refusal(NotFoundError):
        delete_review(ours.store, second.review_id)
    delete_topic(ours, TOPIC)
    assert reviews(ours.store) == ()


def test_a_damaged_review_in_the_store_is_said_to_be_so(ours: Workspace, clock: Clock) -> None:
    begun = begin(ours, clock)
    ours.store.execute("UPDATE press_reviews SET document = '{}' WHERE review_id = ?", [begun.review_id])
    with refusal(CorruptStoreError):
        load_review(ours.store, begun.review_id)
