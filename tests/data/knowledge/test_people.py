"""What people write is given, drafted, confirmed, kept and read back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Query
from core.errors import InputError, NotFoundError, ReadOnlyError
from core.knowledge.templates import Leg, Template, TemplateStep, requirement_of
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.importers.collection_files import read_collection
from data.knowledge import people
from data.knowledge.base import KnowledgeBase
from data.knowledge.people import (
    SPLIT,
    TABLE,
    HumanQuery,
    checked_person,
    confirm,
    find_query,
    give_entity,
    human_archive,
    human_collection,
    human_questions,
    keep_draft,
    open_draft,
    queries_of,
    save_human_collection,
    skip,
    take_back,
    tidy,
)
from data.retrieval.collections import open_collection
from data.retrieval.plane import BY_RELATIONS, BY_TEXT, OWN, FilledTemplate, TextSearch, candidates_for
from data.store import Store
from tests.data.people_bases import ENTITIES, make_base
from tests.messages import refusal

BY_AUTHOR = Template(
    "by", (Leg((TemplateStep(("author___writes___paper",), "paper", "forward"),), "author", "author"),), ""
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people") / "ws"
    with Workspace.open(folder) as opened:
        make_base(opened.paths.knowledge)
    return folder


@pytest.fixture
def own(made: Path, tmp_path: Path) -> Iterator[Workspace]:
    shutil.copytree(made, tmp_path / "ws")
    with Workspace.open(tmp_path / "ws") as opened:
        yield opened


@pytest.fixture
def base(own: Workspace) -> KnowledgeBase:
    return own.knowledge.open("small")


def _given(own: Workspace, base: KnowledgeBase, writer: str, entity_id: str) -> HumanQuery:
    """The draft for this entity, after the others were skipped."""
    while (draft := give_entity(own.store, base, writer)).entity_id != entity_id:
        skip(own.store, draft.query_id)
    return draft


def test_two_people_are_given_different_entities(own: Workspace, base: KnowledgeBase) -> None:
    given = [give_entity(own.store, base, writer).entity_id for writer in ("Ada", "Bo", "Cy", "Di", "Ed")]
    assert sorted(given) == ["p1", "p2", "p3", "p4", "p5"]
    assert give_entity(own.store, base, "Ada").entity_id == given[0], "the draft that is open"
    assert give_entity(own.store, base, "Flo").entity_id in given, "nobody wrote for it yet"


def test_nobody_is_given_an_entity_twice(own: Workspace, base: KnowledgeBase) -> None:
    seen = []
    for _ in range(5):
        draft = give_entity(own.store, base, "Ada")
        seen.append(draft.entity_id)
        skip(own.store, draft.query_id, "  I know \n nothing of it ")
    assert sorted(seen) == sorted(one for one, said in ENTITIES.items() if said[0] == "paper")
    with pytest.raises(NotFoundError, match="every paper"):
        give_entity(own.store, base, "Ada")
    assert {one.reason for one in queries_of(own.store, "small")} == {"I know nothing of it"}
    other = give_entity(own.store, base, "Bo")
    assert other.state == "drafted", "what Ada skipped may suit Bo"


def test_a_type_is_only_one_that_questions_ask_for(own: Workspace, base: KnowledgeBase) -> None:
    assert give_entity(own.store, base, "Ada", type="paper").type == "paper"
    with refusal(InputError):
        give_entity(own.store, base, "Bo", type="author")


def test_a_draft_survives(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "ws")
    with Workspace.open(tmp_path / "ws") as first:
        draft = give_entity(first.store, first.knowledge.open("small"), "Ada")
        keep_draft(
            first.store, draft.query_id, " what of\nheat \0 ", answers=["p1", "p1"], template="by", given={"a": ["x"]}
        )
    with Workspace.open(tmp_path / "ws") as again:
        found = open_draft(again.store, again.knowledge.open("small"), "Ada")
        assert found is not None
        assert found.query_id == draft.query_id
        assert (found.text, found.answers, found.template, dict(found.given)) == (
            "what of heat",
            ("p1",),
            "by",
            {"a": ("x",)},
        )
        assert open_draft(again.store, again.knowledge.open("small"), "Bo") is None


def test_a_query_that_names_its_entity_is_refused(own: Workspace, base: KnowledgeBase) -> None:
    draft = _given(own, base, "Ada", "p2")
    for text, why in (
        ("studies of NIGHT-WORK", "name of"),
        ("like p2", "id of"),
        ("", "no query yet"),
    ):
        keep_draft(own.store, draft.query_id, text)
        with pytest.raises(InputError, match=why):
            confirm(own.store, base, draft.query_id, ["p2"])
    with refusal(InputError):
        keep_draft(own.store, draft.query_id, "x" * 5000)
    assert find_query(own.store, draft.query_id).state == "drafted"


def test_a_query_is_confirmed_and_taken_back(own: Workspace, base: KnowledgeBase) -> None:
    draft = give_entity(own.store, base, "Ada")
    mine = draft.entity_id
    other = "p1" if mine == "p3" else "p3"
    keep_draft(own.store, draft.query_id, "who sleeps badly?")
    with refusal(InputError):
        confirm(own.store, base, draft.query_id, [other])
    with pytest.raises(NotFoundError, match='no entity "p99"'):
        confirm(own.store, base, draft.query_id, [mine, "p99"])
    assert confirm(own.store, base, draft.query_id, [other, mine, other]).answers == (mine, other)
    with pytest.raises(InputError, match="was confirmed"):
        keep_draft(own.store, draft.query_id, "too late")
    after = give_entity(own.store, base, "Ada")
    assert after.entity_id != mine
    take_back(own.store, draft.query_id)
    found = open_draft(own.store, base, "Ada")
    assert found is not None
    assert (found.query_id, found.text, found.answers) == (draft.query_id, "who sleeps badly?", (mine, other))
    with refusal(NotFoundError):
        find_query(own.store, after.query_id)


def test_what_changes_while_it_is_confirmed_is_not_taken_unread(
    own: Workspace, base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = _given(own, base, "Ada", "p1")
    keep_draft(own.store, draft.query_id, "who sleeps badly?")

    def meanwhile(*asked: object) -> tuple[()]:
        keep_draft(own.store, draft.query_id, base.entity("p1").title)
        return ()

    monkeypatch.setattr(people, "leaks_of", meanwhile)
    with pytest.raises(InputError, match="was changed"):
        confirm(own.store, base, draft.query_id, ["p1"])
    assert find_query(own.store, draft.query_id).state == "drafted"


def test_an_entity_without_title_or_text_can_be_written_for(own: Workspace, base: KnowledgeBase) -> None:
    draft = _given(own, base, "Ada", "p4")
    keep_draft(own.store, draft.query_id, "what is there of note?")
    assert confirm(own.store, base, draft.query_id, ["p4"]).state == "confirmed"


def test_a_person_has_a_name() -> None:
    assert checked_person(" <b>Ada</b> ") == "<b>Ada</b>"
    with refusal(InputError):
        checked_person(" \t")
    with refusal(InputError):
        checked_person("x" * 10_000)
    with pytest.raises(InputError, match="printable"):
        checked_person("A\u202eda")


def test_in_a_copy_nothing_is_written(own: Workspace, base: KnowledgeBase, tmp_path: Path) -> None:
    draft = give_entity(own.store, base, "Ada")
    own.store.execute("CHECKPOINT")
    with Store.open_copy(own.paths.store) as copy:
        assert queries_of(copy, "small") == (draft,)
        for write in (
            lambda: give_entity(copy, base, "Bo"),
            lambda: keep_draft(copy, draft.query_id, "x"),
            lambda: skip(copy, draft.query_id),
            lambda: confirm(copy, base, draft.query_id, [draft.entity_id]),
            lambda: take_back(copy, draft.query_id),
            lambda: save_human_collection(copy, base, "mine"),
        ):
            with pytest.raises(ReadOnlyError, match="only be read"):
                write()


def test_candidates_are_its_own_those_of_the_text_and_those_of_relations(own: Workspace, base: KnowledgeBase) -> None:
    by_text = TextSearch.of(base, own.paths).find("hot streets")
    assert by_text[0] == "p5"
    found, n = candidates_for(base, "p2", by_text, FilledTemplate(BY_AUTHOR, {"author": ("ito",)}))
    why = {one.entity.entity_id: set(one.why) for one in found}
    assert found[0].entity.entity_id == "p2"
    assert n == 2
    assert (why["p2"], why["p5"]) == ({OWN}, {BY_TEXT, BY_RELATIONS})
    assert candidates_for(base, "p2", ["gone"])[1] == 0
    with refusal(NotFoundError):
        candidates_for(base, "p2", (), FilledTemplate(BY_AUTHOR, {"author": ("nobody",)}))
    with refusal(InputError):
        candidates_for(base, "p2", (), FilledTemplate(BY_AUTHOR, {"author": ()}))


def test_what_was_confirmed_is_a_collection(own: Workspace, base: KnowledgeBase) -> None:
    with refusal(InputError):
        human_collection(own.store, base, "mine")
    draft = _given(own, base, "Ada", "p1")
    keep_draft(own.store, draft.query_id, "=cooler, “streets”", template="mag-author", given={"author": ["ito"]})
    confirm(own.store, base, draft.query_id, ["p5", "p1"])
    row = save_human_collection(own.store, base, "mine")
    assert (row.n_documents, row.n_queries, row.n_judgments, row.splits) == (5, 1, 2, ("human",))
    made = open_collection(own, "mine").collection
    assert made.judgments == (Judgment(draft.query_id, "p1", 1), Judgment(draft.query_id, "p5", 1))
    assert dict(made.queries[0].labels)["writer"] == "Ada"
    requirement = requirement_of(made.queries[0])
    assert requirement is not None
    assert requirement.given == {"author": ("ito",)}
    with pytest.raises(InputError, match="already"):
        save_human_collection(own.store, base, "mine")
    assert save_human_collection(own.store, base, "mine", replace=True).n_queries == 1
    other = Collection("other", (Document("x", "", ""),), (Query("1", "a"),), ())
    save_collection(own.store, other, origin="by hand")
    with pytest.raises(InputError, match="already exists"):
        save_human_collection(own.store, base, "other", replace=True)


@pytest.mark.parametrize(
    ("template", "given"),
    [("mag-author", {}), ("mag-author", {"author": []}), ("gone", {"author": ["ito"]}), ("", {})],
)
def test_a_template_that_is_not_filled_is_no_requirement(
    own: Workspace, base: KnowledgeBase, template: str, given: dict[str, list[str]]
) -> None:
    draft = give_entity(own.store, base, "Ada")
    keep_draft(own.store, draft.query_id, "what is it?", template=template, given=given)
    confirm(own.store, base, draft.query_id, [draft.entity_id])
    (query,) = human_questions(own.store, base, "mine").queries
    assert query.labels == (("writer", "Ada"), ("type", "paper"))


IDS = st.one_of(st.integers(0, 10**18 - 1).map(str), st.text("ab0179 :/.-_'é", min_size=1, max_size=8))
TEXTS = st.text(max_size=30).map(tidy).filter(bool)
ANSWERS = st.lists(IDS.map(str.strip).filter(bool), min_size=1, max_size=4, unique=True)


def _round_trip(given: Sequence[tuple[str, list[str]]], folder: Path) -> None:
    queries = tuple(Query(f"{n:x}", text) for n, (text, _) in enumerate(given))
    judgments = tuple(Judgment(f"{n:x}", one, 1) for n, (_, ids) in enumerate(given) for one in ids)
    made = Collection("mine", (), queries, judgments, {"human": tuple(query.query_id for query in queries)})
    ZipFile(BytesIO(human_archive(made))).extractall(folder)
    read = read_collection(folder)
    assert read.rejected == ()
    assert read.collection.queries == queries
    assert read.collection.judgments == judgments
    assert read.collection.splits == made.splits


def test_the_files_are_read_back_as_they_were(tmp_path: Path) -> None:
    _round_trip([("=a, “b” 'c' \"d\"", ["17", "007", "-3"]), ("№ 5", ["d'Or", 'a"b', "10.1/x y", "[1]"])], tmp_path)


@pytest.mark.slow
@given(st.lists(st.tuples(TEXTS, ANSWERS), min_size=1, max_size=4))
def test_any_files_are_read_back_as_they_were(given: list[tuple[str, list[str]]]) -> None:
    with TemporaryDirectory() as folder:
        _round_trip(given, Path(folder))


def test_an_id_that_the_files_cant_hold_is_named() -> None:
    made = Collection("mine", (Document("x", "", ""),), (Query("1", "a"),), (Judgment("1", "a\\b", 1),), {})
    with refusal(InputError):
        human_archive(made)
    fits = replace(made, judgments=(Judgment("1", "ab", 1), Judgment("1", "no", 0), Judgment("gone", "ab", 1)))
    archive = human_archive(fits)
    assert archive == human_archive(fits)
    assert TABLE.encode() in archive
    assert SPLIT.encode() in archive
