"""Work on a query without a page: every ask is answered, prices come true, and every step can be taken back."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import SettingsError
from core.library.headings import HeadingIndex
from core.query.contributions import StoredResult
from core.query.dialects import DIALECTS
from core.query.match import Semantics, rows_of
from core.settings import CosineMode, EvaluationSettings
from core.types import Publication
from core.writer.keyword_effects import SheetEvaluator
from core.writer.sheets import LISTS
from dashboard.workbench.bench import (
    AUTOMATIC,
    NODE_COUNTS,
    TYPED,
    DraftResults,
    Drafts,
    QueryBench,
    QueryDraft,
    answered,
    fixed,
    text_to_run,
)
from dashboard.workbench.document import bench_document, problems_document
from data.explore.desk import Desk, set_up
from data.explore.workspace import Workspace
from data.query.search import answer
from data.store import Store
from tests.data.workspaces import CORE, MODEL, TOPIC, N

QUERY = "(tea OR leaves) AND (kettle OR cup) NOT petri"


@pytest.fixture
def desk(workspace: Workspace) -> Desk:
    return set_up(workspace, TOPIC, MODEL)


@dataclass
class Visitor:
    """Asks one thing after the other and looks at what comes back."""

    desk: Desk
    bench: QueryBench
    works: dict[QueryDraft, DraftResults] = field(default_factory=dict)

    @property
    def work(self) -> DraftResults:
        return self.works.setdefault(self.bench.drafts.current, DraftResults(self.desk, self.bench.drafts.current))

    def ask(self, kind: str, **more: Any) -> dict[str, Any]:
        self.bench = answered(self.bench, self.work, {"kind": kind, **more})
        return self.look()

    def look(self) -> dict[str, Any]:
        before = DraftResults(self.desk, self.bench.drafts.first).summary
        document = bench_document(self.bench, self.work, before, {})
        assert json.loads(json.dumps(document, allow_nan=False)) == document
        return document


def visitor(desk: Desk, text: str = QUERY, semantics: Semantics = "literal") -> Visitor:
    return Visitor(desk, QueryBench(Drafts((QueryDraft(text, None, semantics),))))


def test_sorting_on_the_board_writes_the_next_draft(desk: Desk) -> None:
    at = visitor(desk)
    at.ask("board")
    assert at.bench.panels.board is not None
    assert [k.text for k in at.bench.panels.board.sheet.overarching] == ["kettle", "cup"]
    after = at.ask("sort", turn={"kind": "move", "key": "cup", "to": "aside"})
    assert after["text"] == "((tea OR leaves) AND kettle) NOT petri"
    assert after["history"]["label"] == "Moved “cup” to Aside"
    assert [k.text for k in at.bench.panels.board.sheet.aside] == ["cup"]
    back = at.ask("sort", turn={"kind": "move", "key": "cup", "to": "specific"})
    assert back["summary"]["n_retrieved"] == len(answer(desk.corpus, at.work.parsed, "literal").ids)
    at.ask("undo")
    assert at.ask("undo")["text"] == QUERY
    assert at.bench.panels.board is None


@pytest.mark.parametrize(
    "turn",
    [{"kind": "move", "key": "zebra", "to": "aside"}, {"kind": "add", "text": "tea AND cup", "to": "specific"}, {}],
)
def test_a_turn_on_the_board_that_makes_no_sense_leaves_the_draft(desk: Desk, turn: dict[str, str]) -> None:
    at = visitor(desk)
    document = at.ask("sort", turn=turn)
    assert document["text"] == QUERY
    assert bool(document["message"]) == bool(turn)


def test_a_draft_can_not_be_sorted_away(desk: Desk) -> None:
    at = visitor(desk, "tea")
    document = at.ask("sort", turn={"kind": "move", "key": "tea", "to": "aside"})
    assert (document["text"], bool(document["message"])) == ("tea", True)


def test_what_is_switched_off_is_kept_when_another_term_is_sorted(desk: Desk) -> None:
    at = visitor(desk, "tea OR leaves OR nets")
    nodes = at.look()["nodes"]
    at.ask("switch", off=[next(n["number"] for n in nodes if n["text"] == "nets")])
    document = at.ask("sort", turn={"kind": "move", "key": "leaves", "to": "aside"})
    assert document["text"] == "tea OR nets"
    assert [n["text"] for n in document["nodes"] if n["off"]] == ["nets"]


MODES: tuple[CosineMode, ...] = ("fixed", "least_similar_core", "quantile", "leave_one_out")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("low", [-1.0, 0.2, 0.9])
def test_a_draft_is_scored_with_the_settings_of_the_landscape(
    workspace: Workspace, desk: Desk, mode: CosineMode, low: float
) -> None:
    tuned = EvaluationSettings(cosine_mode=mode, min_similarity=low, quantile=0.5, beta=0.5, decay_limit=9.0)
    after, direct = desk.tuned(tuned), set_up(workspace, TOPIC, MODEL, tuned)
    assert (after.state, after.undefined) == (direct.state, direct.undefined)
    assert after.stakes.accepted.tolist() == direct.stakes.accepted.tolist()
    assert visitor(after).look()["summary"] == visitor(direct).look()["summary"]
    assert after.untuned_state == desk.untuned_state


def test_prices_of_another_threshold_are_dropped_and_the_board_stays(desk: Desk) -> None:
    at = visitor(desk, "tea AND kettle")
    at.bench = at.bench.on(desk)
    at.ask("board")
    assert at.ask("reasons")["missed_priced"]
    assert at.bench.on(desk) is at.bench
    after = at.bench.on(desk.tuned(EvaluationSettings(cosine_mode="fixed", min_similarity=0.2)))
    assert (after.panels.best, after.panels.board) == (None, at.bench.panels.board)
    assert after.drafts == at.bench.drafts


def test_a_desk_refuses_a_threshold_that_depends_on_a_version(desk: Desk) -> None:
    with pytest.raises(SettingsError):
        desk.tuned(EvaluationSettings(cosine_mode="best"))


def test_a_message_stays_when_the_browser_asks_by_itself(desk: Desk) -> None:
    at = visitor(desk, "tea AND zzzzq")
    at.bench = replace(at.bench, mistake="this can't be run")
    for kind in sorted(AUTOMATIC):
        assert at.ask(kind)["message"] is not None
    assert at.ask("edit", text="tea")["message"] is None


def test_terms_without_hits_are_named_where_nothing_is_retrieved(desk: Desk) -> None:
    assert "zzzzq" in visitor(desk, "tea AND zzzzq").look()["semantics_note"]
    assert "zzzzq" not in visitor(desk, "tea OR zzzzq").look()["semantics_note"]
    assert "tested" in visitor(desk, "tea[mesh]").look()["semantics_note"]
    assert visitor(desk, "tea AND NOT tea").look()["summary"]["n_retrieved"] == 0


def test_the_text_that_a_fix_makes_is_shown_before_it_is_run(desk: Desk) -> None:
    at = visitor(desk, "tea AND (kettle")
    bench = replace(at.bench, panels=replace(at.bench.panels, problems=True))
    document = problems_document(bench, at.work)
    assert document is not None
    after = fixed(at.bench, desk).drafts.current.text
    assert (document["fixed"], document["waits"]) == (after, True)
    assert after.count("(") == after.count(")")
    assert problems_document(visitor(desk, after).bench, visitor(desk, after).work) is None


BOARD_WORDS = ("tea", "leaves", "kettle", "cup", "petri")


@given(st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_draft_retrieves_what_the_lists_of_the_board_say(desk: Desk, data: st.DataObject) -> None:
    at = visitor(desk)
    dialect = data.draw(st.sampled_from(("plain", "pubmed", "ovid", "wos", "scopus")))
    at.ask("dialect", dialect=dialect)
    for key, to in data.draw(st.lists(st.tuples(st.sampled_from(BOARD_WORDS), st.sampled_from(LISTS)), max_size=5)):
        at.ask("sort", turn={"kind": "move", "key": key, "to": to})
        board = at.bench.panels.board
        if board is not None and at.bench.mistake is None:
            expected = SheetEvaluator(desk.corpus, "literal", desk.stakes).retrieved(board.sheet)
            assert rows_of(at.work.retrieved).tolist() == rows_of(expected).tolist()
        assert at.work.draft.text


def test_a_document_says_what_a_run_would_give(desk: Desk) -> None:
    at = visitor(desk)
    document = at.look()
    found = answer(desk.corpus, at.work.parsed, "literal")
    assert document["summary"]["n_retrieved"] == len(found.ids) > 0
    assert document["summary"]["n_found"] == len(set(found.ids) & set(CORE))
    bits = np.unpackbits(np.frombuffer(base64.b64decode(document["retrieved"]), np.uint8), bitorder="little")
    assert {desk.corpus.ids[row] for row in np.flatnonzero(bits)} == set(found.ids)
    assert [c["publication_id"] for c in document["core"]] == list(CORE)
    assert {c["publication_id"] for c in document["core"] if c["found"]} == set(found.ids) & set(CORE)
    assert [node["number"] for node in document["nodes"]] == list(range(len(at.work.parsed.nodes)))
    assert document["before"] == document["summary"]


def test_scores_are_those_of_an_evaluation(workspace: Workspace, desk: Desk) -> None:
    row = workspace.run_query(TOPIC, QUERY)
    evaluation = workspace.evaluate(TOPIC, row.version.label, embedder=MODEL, regions=["cosine"])
    summary = visitor(desk).look()["summary"]
    cosine = evaluation.regions["cosine"]
    assert summary["recall"] == evaluation.recall
    assert summary["semantic_precision"] == pytest.approx(cosine.semantic_precision, abs=1e-12)
    assert summary["f_beta"] == pytest.approx(cosine.f_beta, abs=1e-12)


def test_a_node_is_switched_off_and_on(desk: Desk) -> None:
    at = visitor(desk)
    before = at.look()
    number = next(node["number"] for node in before["nodes"] if node["text"] == "petri")
    off = at.ask("switch", off=[number])
    assert off["nodes"][number]["off"]
    assert off["summary"]["n_retrieved"] >= before["summary"]["n_retrieved"]
    assert off["text"] == before["text"]
    assert "petri" not in text_to_run(at.work)
    run = answer(desk.corpus, visitor(desk, text_to_run(at.work)).work.parsed, "literal")
    assert len(run.ids) == off["summary"]["n_retrieved"]
    on = at.ask("switch", off=[])
    assert (on["summary"], on["nodes"]) == (before["summary"], before["nodes"])


def test_a_rescue_keeps_its_promise_and_is_taken_back(desk: Desk) -> None:
    at = visitor(desk, "(tea OR leaves) AND kettle")
    before = at.look()
    missed = [c["publication_id"] for c in before["core"] if not c["found"]]
    assert missed
    chosen = at.ask("rescues", publication_id=missed[0])
    rescues = next(c["rescues"] for c in chosen["core"] if c["publication_id"] == missed[0])
    assert rescues
    after = at.ask("rescue", publication_id=missed[0], index=0)
    assert missed[0] in {c["publication_id"] for c in after["core"] if c["found"]}
    assert after["summary"]["n_retrieved"] - before["summary"]["n_retrieved"] == rescues[0]["n_added"]
    assert after["summary"]["f_beta"] - before["summary"]["f_beta"] == pytest.approx(rescues[0]["f_beta_change"])
    assert after["history"] == {"undo": True, "redo": False, "label": after["history"]["label"]}
    beyond = bench_document(
        replace(at.bench, drafts=at.bench.drafts.undo(), parent="v1", child="v3"), at.work, at.work.summary, {}
    )
    assert beyond["history"] == {"undo": True, "redo": True, "label": "the run"}
    undone = at.ask("undo")
    assert undone["history"] == {"undo": False, "redo": True, "label": ""}
    assert (undone["text"], undone["summary"]) == (before["text"], before["summary"])
    assert at.ask("redo")["text"] == after["text"]


@pytest.mark.parametrize("text", ["(tea OR leaves) AND kettle", "tea AND kettle AND steep"])
def test_the_edit_of_a_reason_gives_up_no_concept_if_another_edit_helps(desk: Desk, text: str) -> None:
    at = visitor(desk, text)
    at.look()
    at.ask("reasons")
    panels = at.bench.panels
    assert panels.best
    for reason, (publication_id, number) in panels.best.items():
        others = [each for i in reason.publication_ids for each in panels.rescues.get(i, ())]
        assert panels.rescues[publication_id][number].gives_up is all(each.gives_up for each in others)
    assert any(each.gives_up for found in panels.rescues.values() for each in found)


@pytest.mark.parametrize(
    ("text", "rule", "at_fix", "mended"),
    [
        ("(tea OR leaves) AND (kettl*OR cup)", "missing-space", 0, "(tea OR leaves) AND (kettl* OR cup)"),
        ('("tea" "leaves") AND kettle', "adjacent-terms", 0, '("tea" AND "leaves") AND kettle'),
        ('("tea" "leaves") AND kettle', "adjacent-terms", 1, '("tea" OR "leaves") AND kettle'),
    ],
)
def test_each_fix_of_a_finding_does_what_was_predicted(
    desk: Desk, text: str, rule: str, at_fix: int, mended: str
) -> None:
    at = visitor(desk, text)
    before = at.look()["summary"]["n_retrieved"]
    slip = next(f for f in at.ask("effects")["findings"] if f["rule"] == rule)
    fix = [slip["fix"], *slip["other_fixes"]][at_fix]
    after = at.ask("fix", id=slip["id"], fix=at_fix)
    assert (after["text"], after["history"]["label"]) == (mended, fix["label"].lower())
    gained = fix["effect"]["records_gained"] - fix["effect"]["records_lost"]
    assert after["summary"]["n_retrieved"] - before == gained
    assert rule not in {f["rule"] for f in after["findings"]}
    undone = at.ask("undo")
    assert undone["findings"][slip["id"]]["rule"] == rule
    assert at.ask("fix", id=slip["id"], fix=2)["message"]["kind"] == "error"


def test_a_suggestion_is_priced_and_added(desk: Desk) -> None:
    at = visitor(desk, "(kettle OR cup) AND water")
    before = at.look()
    suggestions = at.ask("suggest", group=at.work.blocks[0])["suggestions"]
    item = next(i for i in suggestions["items"] if i["n_added"])
    after = at.ask("add", group=suggestions["group"], text=item["text"])
    assert item["text"] in after["text"]
    assert after["summary"]["n_retrieved"] - before["summary"]["n_retrieved"] == item["n_added"]
    assert after["summary"]["n_found"] - before["summary"]["n_found"] == item["core_gained"]
    assert after["suggestions"] is None


def test_a_heading_is_suggested_and_added_like_a_term(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def carried(_: Store, ids: Sequence[str]) -> HeadingIndex:
        return HeadingIndex.of([["Infusions"] if publication_id in CORE else ["Networks"] for publication_id in ids])

    monkeypatch.setattr("data.query.search.load_headings", carried)
    at = visitor(set_up(workspace, TOPIC, MODEL), "(kettle[tiab] OR cup[tiab]) AND water[tiab]")
    before = at.look()
    suggestions = at.ask("suggest", group=at.work.blocks[0])["suggestions"]
    (item,) = [i for i in suggestions["items"] if i["kind"] == "heading"]
    assert (item["text"], item["n_corpus"], item["contexts"]) == ("Infusions", len(CORE), [])
    after = at.ask("add", group=suggestions["group"], text="Infusions", of="heading")
    assert '"Infusions"[Mesh]' in after["text"]
    assert after["summary"]["n_found"] - before["summary"]["n_found"] == item["core_gained"]


@pytest.mark.parametrize("how", ["slim", "widen"])
def test_a_new_shape_is_what_was_shown(desk: Desk, how: str) -> None:
    at = visitor(desk, "(tea OR leaves OR nets OR petri OR model) AND (kettle OR cup OR water OR workflow)")
    shown = at.ask("reshape", how=how, floor=0.3, ceiling=None)["reshape"]
    assert shown["after"]["f_beta"] >= shown["before"]["f_beta"]
    assert shown["after"]["recall"] >= min(0.3, shown["before"]["recall"])
    assert len(shown["added_to"]) == len(shown["added"])
    after = at.ask("reshape_accept")
    assert after["message"] is None
    assert after["summary"]["n_retrieved"] == shown["after"]["n_retrieved"]
    assert after["summary"]["f_beta"] == pytest.approx(shown["after"]["f_beta"])


def test_translations_are_given_for_every_other_dialect(desk: Desk) -> None:
    found = visitor(desk).ask("translate")["translations"]
    assert {t["dialect"] for t in found} == set(DIALECTS) - {"plain"}
    assert all(t["text"] for t in found)
    without_the_same_fields = {t["dialect"] for t in found if t["losses"]}
    assert without_the_same_fields == {"cochrane", "ebsco", "openalex"}


def test_what_was_not_read_is_the_first_loss_of_every_translation(desk: Desk) -> None:
    found = visitor(desk, "1. tea.ti.\n2. 1 and 13").ask("translate")["translations"]
    assert {t["losses"][0]["status"] for t in found} == {"unsupported"}
    assert all("13" in t["losses"][0]["message"] for t in found)


def _by_dialect(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {t["dialect"]: t for t in document["translations"]}


def test_what_was_not_read_is_summed_up_once(desk: Desk) -> None:
    document = visitor(desk, "1. tea.ti.\n2. 1 and 13").ask("translate")
    assert "13" in document["reading_summary"]
    assert {t["n_unread"] for t in document["translations"]} == {1}
    assert visitor(desk).ask("translate")["reading_summary"] == ""


def test_stems_that_a_target_refuses_are_written_out_with_the_words_of_the_topic(desk: Desk) -> None:
    pubmed = _by_dialect(visitor(desk, "cup AND te*").ask("translate"))["pubmed"]
    assert "tea" in pubmed["text"]
    assert [loss["status"] for loss in pubmed["losses"]] == ["narrowed"]


def test_without_headings_no_database_is_to_be_chosen(desk: Desk) -> None:
    document = visitor(desk, "tea.ti. and leaves.ab.").ask("translate")
    assert document["dialect"] == "ovid"
    assert "ovid" not in _by_dialect(document)
    assert [document["database"], *(t["database"] for t in document["translations"])] == [None] * (len(DIALECTS))


def test_the_databases_of_both_platforms_can_be_chosen(desk: Desk) -> None:
    at = visitor(desk, "exp Tea/ and leaves.ti.")
    first = at.ask("translate")
    usual = _by_dialect(first)
    choices = {dialect: t["database"]["chosen"] for dialect, t in usual.items() if t["database"]}
    assert first["database"]["chosen"] == "medline"
    assert choices == {"ovid": "embase", "ebsco": "cinahl", "proquest": "other"}
    assert (usual["pubmed"]["losses"], len(usual["ovid"]["losses"])) == ([], 1)

    mesh = _by_dialect(at.ask("translate", to={"ebsco": "medline"}))["ebsco"]
    assert (mesh["database"]["chosen"], len(mesh["losses"])) == ("medline", len(usual["ebsco"]["losses"]) - 1)
    assert 'MH "Tea+"' in mesh["text"]

    emtree = at.ask("translate", **{"from": {"ovid": "embase"}})
    assert emtree["database"]["chosen"] == "embase"
    assert len(_by_dialect(emtree)["pubmed"]["losses"]) == 1
    assert _by_dialect(emtree)["ovid"]["database"]["chosen"] == "medline"

    at.ask("edit", text="exp Tea/ and leaves.ab.")
    later = at.ask("translate")
    assert (later["database"]["chosen"], _by_dialect(later)["ebsco"]["database"]["chosen"]) == ("embase", "medline")


def test_the_database_named_above_the_search_is_chosen_at_first(desk: Desk) -> None:
    at = visitor(desk, "Embase (Ovid)\n1 exp Tea/\n2 leaves.ti.\n3 1 and 2")
    assert at.ask("translate")["database"]["chosen"] == "embase"
    assert at.ask("translate", **{"from": {"ovid": "medline"}})["database"]["chosen"] == "medline"


@pytest.mark.parametrize("to", [{"ovid": "cinahl"}, {"pubmed": "medline"}, {"klingon": "x"}, 5, {"ovid": []}])
def test_a_database_that_is_not_there_is_not_chosen(desk: Desk, to: object) -> None:
    at = visitor(desk, "exp Tea/ and leaves.ti.")
    at.ask("translate", to=to)
    assert at.bench.to_databases == {}


def test_the_way_of_matching_is_said_with_what_the_other_would_give(desk: Desk) -> None:
    at = visitor(desk, "leaf OR kettles")
    literal = at.look()
    stemmed = at.ask("semantics", semantics="stemmed")
    assert literal["summary"]["n_retrieved"] == 0 < stemmed["summary"]["n_retrieved"]
    assert f"Stemmed, it would retrieve {stemmed['summary']['n_retrieved']:,} publications" in literal["semantics_note"]
    assert "Literal, it would retrieve 0 publications" in stemmed["semantics_note"]


def test_what_can_not_be_tested_has_no_numbers(desk: Desk) -> None:
    document = visitor(desk, "tea[tiab] OR Tea[mesh]").look()
    node = next(n for n in document["nodes"] if n["kind"] == "heading")
    assert node["untestable"]
    assert node["n_alone"] is node["core"] is node["n_unique"] is None
    assert document["summary"]["n_untestable"] == 1


def test_a_question_is_ranked(desk: Desk) -> None:
    document = visitor(desk, "Which tea leaves steep best in a kettle?").look()
    assert document["kind"] == "question"
    ranks = [item["rank"] for item in document["ranked"]["items"]]
    assert ranks == list(range(1, len(ranks) + 1))
    assert document["summary"]["n_retrieved"] == min(len(ranks), document["ranked"]["cut"])
    assert document["nodes"] == []


def test_lines_say_what_each_retrieves(desk: Desk) -> None:
    at = visitor(desk, "1. tea.ti.\n2. kettle.ti,ab.\n3. nets.ti.\n4. 1 and 2")
    lines = at.look()["lines"]
    alone = [len(rows_of(visitor(desk, text).work.retrieved)) for text in ("title:tea", "kettle", "title:nets")]
    assert [line["hits"] for line in lines[:3]] == alone
    assert [line["used"] for line in lines] == [True, True, False, True]


def test_a_search_in_one_piece_is_written_down_block_by_block(desk: Desk) -> None:
    at = visitor(desk, "(tea OR leaves) AND kettle NOT (cup OR nets)")
    lines = at.look()["lines"]
    assert [line["text"] for line in lines] == ["tea OR leaves", "kettle", "cup OR nets", "1 AND 2 NOT 3"]
    alone = [len(rows_of(visitor(desk, text).work.retrieved)) for text in ("tea OR leaves", "kettle", "cup OR nets")]
    assert [line["hits"] for line in lines] == [*alone, len(rows_of(at.work.retrieved))]
    assert visitor(desk, "tea").look()["lines"] == []


def test_what_is_switched_off_stays_off_while_the_text_around_it_changes(desk: Desk) -> None:
    at = visitor(desk)
    number = next(n["number"] for n in at.look()["nodes"] if n["text"] == "cup")
    at.ask("switch", off=[number])
    after = at.ask("edit", text=f"{QUERY} NOT workflow")
    assert [n["text"] for n in after["nodes"] if n["off"]] == ["cup"]
    assert not [n for n in at.ask("edit", text="tea AND kettle")["nodes"] if n["off"]]


def test_every_pause_in_typing_is_a_step_back(desk: Desk) -> None:
    at = visitor(desk)
    for text in ("tea", "tea AND cup", "tea AND cup"):
        at.ask("edit", text=text)
    assert at.ask("undo")["text"] == "tea"
    assert at.ask("undo")["text"] == QUERY
    assert at.ask("redo")["text"] == "tea"


def test_every_count_leads_to_its_publications(desk: Desk) -> None:
    at = visitor(desk)
    document = at.look()
    counts = [(node["number"], key, node[key]) for node in document["nodes"] for key in NODE_COUNTS]
    counts += [(None, key, document["summary"][key]) for key in ("n_retrieved", "n_found")]
    for node, key, n in counts:
        assert at.ask("list", node=node, count=key)["listed"]
        listed = at.bench.panels.listed
        assert listed is not None
        assert len(set(listed.ids)) == len(listed.ids) == n, (node, key)
        assert at.ask("list", node=node, count=key)["listed"] is None
    at.ask("list", node=None, count="n_found")
    assert at.ask("edit", text="tea")["listed"] is None  # it was about another draft


def test_a_version_lists_what_it_holds(desk: Desk) -> None:
    held = StoredResult.of([*desk.corpus.ids[:3], "elsewhere"], desk.corpus.ids)
    work = DraftResults(desk, QueryDraft(QUERY), stored=held)
    assert set(work.retrieved_ids) == held.ids
    assert len(work.retrieved_ids) == work.summary.n_retrieved
    assert len(work.found_core_ids) == work.summary.n_found


ASKS = [
    {"kind": "fix", "id": 99},
    {"kind": "fix"},
    {"kind": "rescue", "publication_id": "nobody", "index": 3},
    {"kind": "rescues", "publication_id": "nobody"},
    {"kind": "add", "text": "nothing"},
    {"kind": "switch", "off": "all"},
    {"kind": "semantics", "semantics": "magic"},
    {"kind": "reshape", "how": "slim", "floor": "high"},
    {"kind": "edit"},
    {"kind": "list", "node": 0, "count": "read_per_core"},
    {"kind": "list", "node": -1, "count": "core"},
    {"kind": "list", "node": 999, "count": "core"},
    {"kind": "list", "node": None, "count": "recall"},
]


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: str(ask["kind"]))
def test_an_ask_that_makes_no_sense_is_answered_with_a_sentence(desk: Desk, ask: dict[str, Any]) -> None:
    at = visitor(desk)
    before = at.bench.drafts
    kind, more = ask["kind"], {k: v for k, v in ask.items() if k != "kind"}
    document = at.ask(kind, **more)
    assert document["message"]["kind"] == "error"
    assert at.bench.drafts == before


def test_an_unknown_ask_is_no_reason_to_stop(desk: Desk) -> None:
    at = visitor(desk)
    assert at.ask("dance")["message"] is None


@pytest.mark.parametrize("text", ["", "(((", "*", "OR", "\0", "tea[mesh]", "\u202eeat", "x" * 100_001, '"tea'])
def test_any_text_gives_a_document(desk: Desk, text: str) -> None:
    document = visitor(desk).ask("edit", text=text)
    assert document["text"] == text
    assert all(0 <= f["start"] <= f["end"] <= len(text) for f in document["findings"])


def test_a_core_publication_that_nobody_knows_is_said_to_be_missing(workspace: Workspace) -> None:
    with workspace.store.transaction():
        workspace.store.save_topic(TOPIC, (*CORE, "ghost"))
    desk = set_up(workspace, TOPIC, MODEL)
    last = visitor(desk).look()["core"][-1]
    assert (last["verdict"], last["title"], last["found"]) == ("not_in_corpus", "", False)


def test_a_title_without_abstract_is_read(workspace: Workspace) -> None:
    workspace.store.save_publications([Publication("p0", "Brewing", None)])
    workspace.corpora.forget()
    assert visitor(set_up(workspace, TOPIC, MODEL)).look()["summary"]["n_corpus"] == N


drafts = st.builds(
    QueryDraft, st.sampled_from("abc"), st.none(), st.just("literal"), made_by=st.sampled_from(["", TYPED])
)


@given(st.lists(st.one_of(drafts, st.sampled_from(["undo", "redo"])), max_size=12))
def test_the_way_back_leads_to_the_first_draft(steps: list[QueryDraft | str]) -> None:
    first = QueryDraft("as run")
    history = Drafts((first,))
    for step in steps:
        if isinstance(step, QueryDraft):
            after = history.add(step)
            assert replace(after.current, made_by="") == replace(step, made_by="")
            assert not after.can_redo or after == history
            history = after
        else:
            history = history.undo() if step == "undo" else history.redo()
    while history.can_undo:
        history = history.undo()
    assert history.current == first == history.first
