"""`query write | writings | steps`: what they say to people and to programs, and how they refuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from core.writer.sheets import Brief, WriterBudget
from dashboard.writer.commands import read_wanted, write_command
from data.writer.runs import Recipe, WriterRequest
from tests.dashboard.runs import Runner, ordered
from tests.data.workspaces import CORE, MODEL, TOPIC

KEYS = ["writing", "topic", "about", "embedder", "state", "problem", "made_at", "ended_at", "brief", "budget", "models"]
KEYS += ["n_used", "n_held_out", "readings", "best", "sentence", "steps", "proposals", "held_back", "removed_core"]
KEYS += ["n_calls", "calls_by_status", "notes"]
STEP = ["number", "parent", "made_by", "sheet", "text", "judged", "gain", "label", "model", "mode", "seed", "round"]
SIDE = ["n_core", "n_found", "recall", "recall_interval", "semantic_precision", "f_beta"]
WRITE = ("query", "write", "--topic", TOPIC)
DEMO = (*WRITE, "--model", "demo")


def wanted(*arguments: str) -> WriterRequest:
    """What flags ask for, with nothing opened."""
    given = dict(write_command.make_context("write", ["--topic", "Tea (made up)", *arguments]).params)
    return read_wanted(given.pop("topic"), given)


def test_write_gives_one_document(run: Runner) -> None:
    document = run(*DEMO, "--json").document
    ordered(document, KEYS)
    assert (document["topic"], document["embedder"], document["state"]) == (TOPIC, MODEL, "done")
    assert (document["n_used"], document["n_held_out"]) == (len(CORE) // 2, len(CORE) // 2)
    name, *others = document["steps"]
    assert (name["parent"], name["made_by"], name["gain"]) == (None, "the topic's name", None)
    assert [step["made_by"] for step in others] == ["corpus statistics", "demo (moderate)", "all proposals together"]
    for step in document["steps"]:
        ordered(step, [*STEP, "sentence"])
        ordered(step["judged"], ["n_retrieved", "used", "held_out", "whole"])
        for side in ("used", "held_out", "whole"):
            ordered(step["judged"][side], SIDE)
    assert document["best"] == document["ranked"][0]
    assert sorted(document["ranked"]) == [step["number"] for step in others]
    assert document["ranked_by"] == "held_out"
    assert {r["reading"] for r in document["readings"]} == {"core", "nearest", "most_cited", "newest"}
    assert document["models"] == [{"model": "demo", "mode": "moderate", "seed": 0, "is_language_model": False}]
    assert any("not a language" in note for note in document["notes"])
    assert all(row["by"] and row["keyword"] for row in document["proposals"])


def test_write_for_people(run: Runner) -> None:
    done = run(*DEMO, "--about", "tea kettle")
    head, *lines = done.out.splitlines()
    assert head.startswith(f"{TOPIC} · tea kettle · {MODEL} · 4 core publications in")
    assert "4 held out" in head
    assert lines[1].split()[1:5] == ["0", "the", "topic's", "name"]
    assert [line.split()[0] for line in lines[2:5]] == ["1", "2", "3"]
    assert len(set(re.split(r"\s{2,}", lines[0]))) == 13
    assert any("not known" in line for line in lines)
    assert any("too small for" in line for line in lines)
    assert any(line.startswith("The best on") for line in lines)
    assert "demo is not" in done.err
    (kept,) = (line for line in done.err.splitlines() if line.startswith("Saved as session"))
    writing_id = kept.split()[-1].rstrip(".")
    again = run("query", "steps", writing_id)
    assert again.out.splitlines()[:6] == done.out.splitlines()[:6]


def test_what_was_written_is_listed_and_opened(run: Runner) -> None:
    assert run("query", "writings", "--json").document == {"writings": []}
    assert "No sessions yet" in run("query", "writings").err
    document = run(*DEMO, "--json").document
    (row,) = run("query", "writings", "--topic", TOPIC, "--json").document["writings"]
    assert row["writing"] == document["writing"]
    assert (row["n_steps"], row["n_calls"], row["state"]) == (4, document["n_calls"], "done")
    assert document["writing"] in run("query", "writings").out
    steps = run("query", "steps", document["writing"], "--json").document
    assert steps == document
    asked = run("query", "steps", document["writing"], "--asked", "--json").document["calls"]
    assert [c["reading"] for c in asked] == [r["reading"] for r in document["readings"] if r["n_publications"]]
    assert all(call["question"] and call["answers"] for call in asked)
    one = run("query", "steps", document["writing"], "--step", 1, "--json").document
    assert one["text"] == document["steps"][1]["text"]
    shown = run("query", "steps", document["writing"], "--step", 1).out
    assert document["steps"][1]["text"] in " ".join(shown.split())
    assert "Specific (" in shown or "General (" in shown


def test_a_dry_run_asks_and_keeps_nothing(run: Runner) -> None:
    plan = run(*DEMO, "--mode", "strict", "--mode", "creative", "--dry-run", "--json").document
    ordered(
        plan, ["dry_run", "n_calls", "n_known", "n_prompt_tokens", "n_answer_tokens", "dollars", "minutes", "lines"]
    )
    assert len(plan["lines"]) == plan["n_calls"] > 0
    assert {line["mode"] for line in plan["lines"]} == {"strict", "creative"}
    assert plan["dollars"]["most"] == 0
    assert "Dry run: nothing was sent" in run(*DEMO, "--dry-run").out
    assert "no model would" in run(*WRITE, "--dry-run").out
    assert run("query", "writings", "--json").document == {"writings": []}
    document = run(*DEMO, "--mode", "strict", "--mode", "creative", "--json").document
    assert document["n_calls"] == plan["n_calls"]


def test_the_best_string_becomes_a_version(run: Runner) -> None:
    document = run(*WRITE, "--save", "--json").document
    (best,) = (step for step in document["steps"] if step["number"] == document["best"])
    versions = run("versions", "--topic", TOPIC, "--json").document["versions"]
    (saved,) = (version for version in versions if version["version"] == best["label"])
    assert (saved["origin"], saved["text"]) == ("generated", best["text"])
    everything = run(*DEMO, "--save", "all", "--json").document
    assert all(step["label"] for step in everything["steps"][1:])
    assert everything["steps"][0]["label"] is None


def test_a_writing_goes_on(run: Runner) -> None:
    document = run(*DEMO, "--json").document
    again = run("query", "write", "--resume", document["writing"], "--json").document
    assert again == document
    refined = run("query", "write", "--resume", document["writing"], "--rounds", 2, "--json").document
    assert refined["steps"][: len(document["steps"])] == document["steps"]
    for step in refined["steps"][len(document["steps"]) :]:
        assert step["round"] in (1, 2)
        assert step["parent"] is not None


def test_what_is_not_wanted_names_what_it_removes(run: Runner) -> None:
    document = run(*WRITE, "--without", "kettle", "--json").document
    (removed,) = document["removed_core"]
    assert removed["keyword"] == "kettle"
    assert {p["publication_id"] for p in removed["publications"]} == {"p2", "p3", "p4"}
    assert "“kettle” removes 3 core publications: “steep water”" in run(*WRITE, "--without", "kettle").err
    assert "“kettle” removes 3 core" in run(*WRITE, "--without", "kettle", "--dry-run").err
    mistake = run(*WRITE, "--without", "tea", "--without", "of").mistake
    assert f"remove all {len(CORE)} core publications" in mistake


def test_the_flags_say_what_is_wanted(tmp_path: Path) -> None:
    assert wanted() == WriterRequest(
        "Tea (made up)", Brief("Tea"), WriterBudget(most_rounds=0), recipes=(Recipe("statistics"),)
    )
    file = tmp_path / "about.txt"
    file.write_text(" Leaves in hot water.\n", encoding="utf-8")
    flags = ["--description-file", str(file), "--question", "How long?", "--question", " ", "--without", " coffee "]
    flags += ["--depth", "deep", "--seed", "3", "--no-hold-out", "--semantics", "stemmed", "--mode", "strict"]
    assert wanted("--about", "Brewing tea", *flags).brief == Brief(
        "Brewing tea",
        description="Leaves in hot water.",
        questions=("How long?",),
        negative=("coffee",),
        mode="strict",
        depth="deep",
        intent="review",
        semantics="stemmed",
        seed=3,
        hold_out=False,
    )
    assert wanted("--question", "How?", "--intent", "bibliometric").brief.intent == "bibliometric"
    budget = ["--most-calls", "7", "--most-publications", "90", "--rounds", "2", "--min-recall", "0.5"]
    assert wanted(*budget).budget == WriterBudget(7, 90, 2, 0.5)


def test_every_model_with_every_mode_and_seed() -> None:
    flags = ["--model", "demo", "--model", "statistics", "--model", "m-1", "--mode", "strict", "--mode", "creative"]
    recipes = wanted(*flags, "--seeds", "0, 2,0", "--preset", "gemini").recipes
    assert len(set(recipes)) == len(recipes) == 4 + 2 + 4
    assert {r.preset for r in recipes if r.model == "m-1"} == {"gemini"}
    assert {r.preset for r in recipes if r.model != "m-1"} == {None}
    assert {(r.mode, r.seed) for r in recipes if r.model == "statistics"} == {("strict", 0), ("creative", 0)}


def test_supporting_publications_are_read_and_not_brought_in(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "mine.ris"
    file.write_text("TY  - JOUR\nTI  - Brewing in a samovar\nAB  - Samovar and kettle.\nER  - \n", encoding="utf-8")
    document = run(*WRITE, "--supporting", file, "--json").document
    (reading,) = (r for r in document["readings"] if r["reading"] == "supporting")
    assert reading["n_publications"] == 1
    (topic,) = run("topics", "--json").document["topics"]
    assert topic["n_core"] == len(CORE)


def test_a_file_of_no_known_format_names_no_flag_that_is_not_there(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("Just some words.", encoding="utf-8")
    mistake = run(*WRITE, "--supporting", file).mistake
    assert "as RIS" in mistake
    assert "--format" not in mistake


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--about", " "], "topic is empty"),
        (["--about", "tea " * 5000], "the topic has 5,000 words: use at most 60"),
        (["--about", "!?"], "topic is empty"),
        (["--description", "tea " * 3000], "the description has 3,000 words"),
        (["--description", "a", "--description-file", "b"], "not both"),
        (["--description-file", "nowhere.txt"], "can't be read"),
        (["--model", "demo", "--most-calls", "0"], "--most-calls 0 allows no model"),
        (["--most-calls", "-1"], "most_calls must be 0 or more"),
        (["--most-publications", "0"], "most_publications must be 1 or more"),
        (["--rounds", "-2"], "most_rounds must be 0 or more"),
        (["--min-recall", "70"], "in [0, 1], got 70"),
        (["--seeds", "one"], "whole numbers"),
        (["--seeds", ","], "at least one"),
        (["--seed", "-1"], "--seed must be 0 or more"),
        (["--model", " "], "--model takes statistics, demo"),
        (["--model", "demo", "--seeds", ",".join(map(str, range(60)))], "make 60 candidates: at most 40"),
        (["--mode", "loose"], "strict"),
        (["--supporting", "nowhere.ris"], "nowhere.ris"),
        (["--dry-run", "--save"], "leave out --save"),
        (["--resume", "x"], "with --topic"),
        (["--embedder", "nobody"], "no vectors"),
    ],
)
def test_bad_input_is_one_line(run: Runner, flags: list[str], said: str) -> None:
    assert said in run(*WRITE, *flags).mistake


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["write"], "with --topic"),
        (["write", "--topic", "Tee Brewing"], 'did you mean "Tea Brewing"?'),
        (["write", "--resume", "nothing"], 'no session "nothing"'),
        (["write", "--resume", "nothing", "--mode", "strict"], "--resume uses"),
        (["steps", "nothing"], 'no session "nothing"'),
        (["writings", "--topic", "Coffee"], 'no topic "Coffee"'),
    ],
)
def test_names_that_are_not_there(run: Runner, arguments: list[str], said: str) -> None:
    assert said in run("query", *arguments).mistake


def test_a_step_that_is_not_there(run: Runner) -> None:
    writing: dict[str, Any] = run(*WRITE, "--json").document
    assert "no string 9; it has 0 to 1" in run("query", "steps", writing["writing"], "--step", 9).mistake


def test_without_a_key_a_service_is_not_asked(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    mistake = run(*WRITE, "--model", "gpt-4.1-mini", "--preset", "openai").mistake
    assert "OPENAI_API_KEY" in mistake
    assert run("query", "writings", "--json").document == {"writings": []}


def test_the_topics_own_versions_are_compared_with_what_was_written(run: Runner) -> None:
    saved = run(*WRITE, "--about", "tea kettle", "--save", "--json").document
    (mine,) = (step for step in saved["steps"] if step["label"])
    assert mine["label"] not in [version["label"] for version in saved["versions"]]
    versions = run(*DEMO, "--json").document["versions"]
    (found,) = (version for version in versions if version["label"] == mine["label"])
    assert found["judged"] == mine["judged"]
    scores = [version["judged"]["held_out"]["f_beta"] for version in versions]
    assert scores == sorted(scores, reverse=True)
    assert f"your best version, {versions[0]['label']}, finds" in " ".join(run(*DEMO).out.split())
