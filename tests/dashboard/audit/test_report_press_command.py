"""`report press`: two people with a workspace each, and one file between them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from core.audit.press import DOMAINS
from tests.dashboard.runs import Runner
from tests.data.workspaces import TOPIC

KEYS = [
    *("review", "topic", "version", "state", "requestor", "reviewer", "requested_at", "signed_at"),
    *("edited_after_signing", "replied_at", "overall", "domains", "n_others", "others", "is_search"),
]


@pytest.fixture
def other(filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    """The reviewer's machine, where nothing is known of the topic."""
    return Runner(tmp_path / "reviewer", capsys)


def begun(run: Runner) -> str:
    """The id of a review that was just begun."""
    flags = ("--by", "A. Requestor", "--question", "Does tea help?", "--json")
    document = run("report", "press", "begin", "--topic", TOPIC, "--version", "baseline", *flags).document
    assert list(document) == KEYS
    assert (document["state"], document["version"]) == ("requested", "baseline")
    assert [domain["title"] for domain in document["domains"]] == [domain.title for domain in DOMAINS]
    return str(document["review"])


def test_there_and_back(run: Runner, other: Runner, tmp_path: Path) -> None:
    review, file = begun(run), tmp_path / "tea.press.json"
    assert run("report", "press", "export", review[:8], "--out", file, "--json").document["n_bytes"] > 500
    assert other("report", "press", "bring", file, "--json").document["is_new"] is True
    for domain in DOMAINS:
        verdict = "suggested" if domain.number == 4 else "none"
        words = ("--text", "Add oolong.") if domain.number == 4 else ()
        flags = ("--domain", domain.number, "--verdict", verdict, *words)
        assert other("report", "press", "comment", review[:8], *flags).status == 0
    assert "--by" in other("report", "press", "comment", review, "--verdict", "suggested").err
    assert "name" in other("report", "press", "sign", review).mistake
    signed = other("report", "press", "sign", review, "--by", "B. Reviewer", "--json").document
    assert (signed["state"], signed["edited_after_signing"]) == ("signed", [])
    back = tmp_path / "back.press.json"
    assert other("report", "press", "export", review, "--out", back).status == 0
    brought = run("report", "press", "bring", back, "--json").document
    assert (brought["is_new"], brought["state"], brought["both_kept"]) == (False, "signed", [])
    assert brought["reviewer"]["name"] == "B. Reviewer"
    replied = run(
        "report", "press", "reply", review, "--domain", "4", "Added.", "--text", "Thank you.", "--json"
    ).document
    assert (replied["state"], replied["edited_after_signing"]) == ("replied", [])
    assert replied["domains"][3]["reply"] == "Added."
    (listed,) = run("report", "press", "list", "--topic", TOPIC, "--json").document["reviews"]
    assert listed == replied
    assert run("report", "--topic", TOPIC, "--what", "press", "--out", tmp_path / "press.md").status == 0
    written = (tmp_path / "press.md").read_text("utf-8")
    assert all(words in written for words in ("Add oolong.", "Thank you.", "B. Reviewer"))


def test_a_file_that_was_edited_after_signing_says_so(run: Runner, tmp_path: Path) -> None:
    review, file = begun(run), tmp_path / "x.press.json"
    for domain in DOMAINS:
        run("report", "press", "comment", review, "--domain", domain.id, "--verdict", "none")
    run("report", "press", "comment", review, "--verdict", "none", "--by", "B. Reviewer")
    assert run("report", "press", "sign", review).status == 0
    run("report", "press", "export", review, "--out", file)
    text = file.read_text("utf-8")
    assert '"none"' in text
    shutil.copy(file, tmp_path / "whole.press.json")
    changed = run("report", "press", "comment", review, "--domain", "1", "--text", "One more thing.", "--json").document
    (edited,) = changed["edited_after_signing"]
    assert edited.endswith("comments on domain 1")
    again = run("report", "press", "reply", review, "--text", "Thanks.")
    assert "comments on domain 1" in " ".join(again.err.split())


def test_where_both_wrote_one_is_chosen(run: Runner, other: Runner, tmp_path: Path) -> None:
    review, file, back = begun(run), tmp_path / "x.press.json", tmp_path / "y.press.json"
    run("report", "press", "export", review, "--out", file)
    other("report", "press", "bring", file)
    comment = ("report", "press", "comment", review, "--domain", "4", "--text")
    other(*comment, "Add oolong.")
    run(*comment, "Is oolong meant?")
    other("report", "press", "export", review, "--out", back)
    brought = run("report", "press", "bring", back, "--json").document
    (both,) = brought["both_kept"]
    assert both.endswith("comments on domain 4")
    assert brought["domains"][3]["comments"] == "Add oolong.", "the reviewer's words stand in the reviewer's place"
    (left,) = brought["others"]
    assert (left["number"], left["side"], left["text"]) == (1, "requestor", "Is oolong meant?")
    assert "choose" in run("report", "press", "comment", review, "--by", "B. Reviewer").err
    choose = ("report", "press", "choose", review)
    assert "--let-go" in run(*choose, "1").mistake
    assert "no longer available" in run(*choose, "2", "--take").mistake
    taken = run(*choose, "1", "--take", "--json").document
    assert (taken["domains"][3]["comments"], taken["others"][0]["text"]) == ("Is oolong meant?", "Add oolong.")
    assert run(*choose, "1", "--let-go", "--json").document["others"] == []


@pytest.mark.parametrize("ending", ["html", "docx", "md"])
def test_a_review_to_read(run: Runner, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"review.{ending}"
    assert run("report", "press", "export", begun(run), "--out", out).status == 0
    assert out.stat().st_size > 1000


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("export", "nothing", "--out", "x.md"), 'no peer review "nothing"'),
        (("export", "{review}", "--out", "x.zip"), ".press.json"),
        (("export", "{review}", "--out", "x.pdf"), "print it"),
        (("comment", "{review}"), "--verdict"),
        (("comment", "{review}", "--domain", "7", "--text", "a"), 'no domain "7"'),
        (("reply", "{review}"), "--domain"),
        (("reply", "{review}", "--text", "Thanks."), "not signed yet"),
        (("sign", "{review}", "--by", "B. Reviewer"), "verdict"),
        (("bring", "missing.json"), "missing.json can't be read"),
        (("bring", "broken.json"), "review"),
        (("begin", "--topic", TOPIC, "--version", "none"), 'no version "none"'),
        (("begin", "--topic", TOPIC), "--search"),
        (("begin", "--topic", TOPIC, "--version", "baseline", "--search", "1"), "--search"),
        (("begin", "--topic", TOPIC, "--search", "7"), "no search 7"),
        (("check", "tea", "--topic", TOPIC, "--search", "1"), "--search"),
    ],
)
def test_mistakes(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.json").write_text("[]")
    review = begun(run)
    assert says in run("report", "press", *(flag.format(review=review) for flag in flags)).mistake


def test_none_was_begun(run: Runner) -> None:
    assert "report press begin" in run("report", "press", "list").err
    assert "report press begin" in run("report", "press", "sign", "abc").mistake


def findings(document: dict[str, Any]) -> dict[str, set[str | None]]:
    return {domain["domain"]: {each["rule"] for each in domain["findings"]} for domain in document["domains"]}


def test_any_string_is_checked_without_a_workspace(other: Runner, tmp_path: Path) -> None:
    text = '("Asthma"[Mesh] OR asthma*[tiab]) AND ("Steroids"[Mesh] OR steroid*[tiab]) AND english[la]'
    document = other("report", "press", "check", text, "--json").document
    assert [domain["title"] for domain in document["domains"]] == [domain.title for domain in DOMAINS]
    assert (document["dialect"], document["counted_in"], document["n_findings"]) == ("pubmed", None, 1)
    assert findings(document)["limits"] == {"language-limit"}
    file = tmp_path / "history.txt"
    file.write_text("1. exp Asthma/\n2. asthma*.tw.\n3. wheez*.tw.\n4. 1 or 2", encoding="utf-8")
    assert findings(other("report", "press", "check", "--file", file, "--json").document)["spelling"] == {"unused-line"}
    assert "english[la]" in other("report", "press", "check", text).out.replace("\n", "")
    assert "--file" in other("report", "press", "check").mistake


def test_with_a_topic_the_string_is_counted_in_its_publications(run: Runner) -> None:
    document = run("report", "press", "check", "tea NOT kettle", "--topic", TOPIC, "--json").document
    assert "publications of this topic" in document["counted_in"]
    told = [each["text"] for domain in document["domains"] for each in (*domain["findings"], *domain["facts"])]
    assert any("Overall, it finds" in text for text in told)
    assert run("report", "press", "check", "tea", "--topic", "none", "--json").status != 0


def test_a_recorded_search_is_checked_and_reviewed_by_its_number(run: Runner) -> None:
    (added,) = run("searches", "--topic", TOPIC, "--add", "MEDLINE", "--json").document["searches"]
    number = added["number"]
    for value in ("platform=Ovid", "limits=English", "hits=21", "string=tea.tw. not kettle.tw."):
        assert run("searches", "--topic", TOPIC, "--set", number, value).status == 0
    document = run("report", "press", "check", "--topic", TOPIC, "--search", number, "--json").document
    assert document["dialect"] == "ovid"
    told = {
        (domain["domain"], kind): " ".join(each["text"] for each in domain[kind])
        for domain in document["domains"]
        for kind in ("facts", "findings")
    }
    assert "21 hits" in told["question", "facts"]
    assert "English" in told["limits", "findings"]
    review = run("report", "press", "begin", "--topic", TOPIC, "--search", number, "--json").document
    assert (review["version"], review["is_search"]) == ("MEDLINE (Ovid)", True)
