"""`report`: the audit as a file, how complete it is, and what goes wrong in one line."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import docx
import pytest
from docx.shared import Mm

from core.audit.prisma_items import ITEMS
from core.audit.quality_report import WITHOUT_VECTORS
from data.explore.workspace import Workspace
from tests.dashboard.runs import Runner
from tests.data.workspaces import CORE, TOPIC, Version, fill, ids_of, publications

KEYS = [
    *("topic", "kind", "file", "format", "versions", "n_bytes", "seconds"),
    *("completeness", "abstracts", "notes"),
]
BEGINNINGS = {"html": b"<!doctype html>", "docx": b"PK", "md": b"# Audit of the search", "json": b"{", "zip": b"PK"}


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_audit_in_every_format(run: Runner, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"audit.{ending}"
    asked = run("report", "--topic", TOPIC, "--out", out, "--json")
    document = asked.document
    assert list(document) == KEYS
    assert asked.err == ""
    assert (document["topic"], document["kind"], document["format"]) == (TOPIC, "audit", ending)
    assert (document["versions"], document["abstracts"]) == (["baseline", "review"], False)
    content = out.read_bytes()
    assert document["n_bytes"] == len(content)
    assert content.lower().startswith(BEGINNINGS[ending].lower())
    states = ("n_known", "n_likely", "n_open", "n_said", "n_changed")
    assert sum(document["completeness"][state] for state in states) == document["completeness"]["n"] == 16
    assert sorted(tmp_path.glob("*.part")) == [], "nothing is left aside"


def test_one_version_and_one_part(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "record.json"
    flags = ("--version", "review", "--what", "prisma-s")
    assert run("report", "--topic", TOPIC, *flags, "--out", out, "--json").document["versions"] == ["review"]
    record = json.loads(out.read_text("utf-8"))
    assert record["kind"] == "prisma-s"
    assert all(item.title in out.read_text("utf-8") for item in ITEMS)
    both = run("report", "--topic", TOPIC, "--version", "review", "--version", "baseline", *flags[2:], "--check")
    assert [flag for flag in ("--what", "--check") if flag not in both.mistake] == []


def test_for_people(run: Runner, tmp_path: Path) -> None:
    told = run("report", "--topic", TOPIC, "--out", tmp_path / "audit.html")
    assert told.status == 0
    assert f"{TOPIC}, 2 versions: written as HTML" in told.out
    assert "not confirmed" in told.out
    assert "PDF" in told.out


def test_abstracts_only_when_asked(run: Runner, tmp_path: Path) -> None:
    abstracts = [p.abstract for p in publications() if p.abstract]
    for ending in BEGINNINGS:
        out = tmp_path / f"without.{ending}"
        assert run("report", "--topic", TOPIC, "--out", out).status == 0
        said = everything_in(out)
        assert [text for text in abstracts if text in said] == [], ending
    out = tmp_path / "with.zip"
    assert run("report", "--topic", TOPIC, "--out", out, "--abstracts", "--json").document["abstracts"] is True
    said = everything_in(out)
    assert [text for text in abstracts if text not in said] == []


def everything_in(path: Path) -> str:
    """Every text of a file, also of those inside it."""
    content = path.read_bytes()
    if content[:2] != b"PK":
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "\n".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ((), "--from BUNDLE"),
        (("--topic", "Te Brewing", "--out", "x.html"), "did you mean"),
        (("--topic", TOPIC), "--out FILE"),
        (("--topic", TOPIC, "--version", "none", "--out", "x.html"), 'no version "none"; available: baseline, review'),
        (("--topic", TOPIC, "--embedder", "other", "--out", "x.html"), 'no vectors of "other"'),
        (("--topic", TOPIC, "--out", "x.pdf"), "print it"),
        (("--topic", TOPIC, "--out", "x.doc"), "choose .docx"),
        (("--topic", TOPIC, "--out", "x"), "no file extension"),
        (("--topic", TOPIC, "--out", "x.txt"), "choose one of .html, .docx, .md, .json, .zip"),
        (("--topic", TOPIC, "--out", "x.zip", "--what", "quality"), "the whole audit"),
        (("--topic", TOPIC, "--out", "missing/x.html"), "the folder missing"),
        (("--topic", TOPIC, "--what", "press", "--out", "x.html"), "report press begin"),
        (("--topic", TOPIC, "--from", "x.zip"), "with --from"),
        (("--from", "missing.zip"), "missing.zip"),
        (("--topic", TOPIC, "--out", "x.html", "--min-similarity", "7"), "min_similarity"),
        (("--topic", TOPIC, "say", "5"), "--topic after say"),
    ],
)
def test_mistakes_take_one_line(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in run("report", *flags).mistake
    assert not list(tmp_path.glob("x.*"))


def test_a_file_is_replaced_only_by_force(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "audit.md"
    out.write_text("mine")
    assert "--force" in run("report", "--topic", TOPIC, "--out", out).mistake
    assert out.read_text() == "mine"
    assert run("report", "--topic", TOPIC, "--out", out, "--force").status == 0
    assert out.read_text("utf-8").startswith("# Audit")
    (tmp_path / "folder.md").mkdir()
    assert "is a folder" in run("report", "--topic", TOPIC, "--out", tmp_path / "folder.md", "--force").mistake


def test_how_complete_it_is(run: Runner) -> None:
    asked = run("report", "--topic", TOPIC, "--check", "--json").document
    keys = ["topic", "versions", "completeness", "items", "flow", "template", "disagreements", "warnings"]
    assert list(asked) == keys
    assert [item["number"] for item in asked["items"]] == list(range(1, 17))
    assert all(item["next_step"] for item in asked["items"] if item["state"] in ("open", "likely"))
    assert {number["item"] for number in asked["flow"]} >= {"flow:screened", "flow:duplicates"}
    table = run("report", "--topic", TOPIC, "--check")
    for item in ITEMS:
        assert item.title in table.out
    assert asked["completeness"]["sentence"] in table.out


def test_answers_are_said_confirmed_and_taken_back(run: Runner, tmp_path: Path) -> None:
    def state(item: str) -> str:
        items = run("report", "--topic", TOPIC, "--check", "--json").document["items"]
        return next(one["state"] for one in items if one["item"] == item)

    on = ("--topic", TOPIC)
    assert state("prisma-s:6") == "open"
    said = run("report", "say", "6", *on, "--text", "Three authors were asked.", "--by", "A. Person", "--json").document
    assert list(said) == ["topic", "item", "state", "text", "said_by", "said_at", "completeness"]
    assert (said["state"], said["said_by"], state("prisma-s:6")) == ("said", "A. Person", "said")
    words = tmp_path / "words.txt"
    words.write_text("Nobody was asked.\nReally.", encoding="utf-8")
    assert run("report", "say", "6", *on, "--file", words, "--json").document["text"] == "Nobody was asked.\nReally."
    assert run("report", "say", "prisma-s:10", *on, "--confirm", "--json").document["state"] == "said"
    assert run("report", "say", "3", *on, "--not-done", "--json").document["state"] == "said"
    taken = run("report", "say", "6", *on, "--take-back")
    assert "withdrawn" in taken.out
    assert state("prisma-s:6") == "open"
    run("report", "say", "flow:screened", *on, "--text", "31")
    flow = run("report", *on, "--check", "--json").document["flow"]
    assert next(number["n"] for number in flow if number["item"] == "flow:screened") == 31


def test_prefilled_answers_are_confirmed_together_and_the_diagram_is_drawn(run: Runner, tmp_path: Path) -> None:
    on = ("--topic", TOPIC)
    confirmed = run("report", "confirm", *on, "--by", "Ada", "--json").document["confirmed"]
    assert confirmed
    assert run("report", "confirm", *on, "--json").document["confirmed"] == []
    picture = tmp_path / "flow.svg"
    drawn = run("report", "diagram", *on, "--out", picture, "--json").document
    assert (drawn["template"], drawn["file"]) == ("new", str(picture))
    assert picture.read_text().startswith("<svg")
    assert run("report", "say", "flow:template", *on, "--text", "another").mistake
    run("report", "say", "flow:template", *on, "--text", "update-other")
    run("report", "say", "flow:previous-studies", *on, "--text", "12")
    assert run("report", "diagram", *on, "--out", picture).mistake
    drawn = run("report", "diagram", *on, "--out", picture, "--force", "--json").document
    assert (drawn["template"], drawn["flow"]["flow:previous-studies"]) == ("update-other", 12)
    assert run("report", "diagram", *on, "--out", tmp_path / "flow.pdf").mistake


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("6",), "--take-back"),
        (("6", "--text", "a", "--confirm"), "--take-back"),
        (("6", "--text", "  "), "--text"),
        (("6", "--confirm"), "to confirm"),
        (("17", "--text", "a"), 'no item "prisma-s:17"'),
        (("6", "--take-back"), "prisma-s:6 has no answer"),
        (("8", "--not-done"), "in your own words"),
        (("flow:screened", "--text", "many"), "number"),
    ],
)
def test_what_can_not_be_said(run: Runner, flags: tuple[str, ...], says: str) -> None:
    assert says in run("report", "say", *flags, "--topic", TOPIC).mistake


def test_a_report_of_nothing(run: Runner, tmp_path: Path) -> None:
    with Workspace.open(run.root) as workspace, workspace.store.transaction():
        workspace.store.save_topic("Bare", ())
    out = tmp_path / "bare.md"
    document = run("report", "--topic", "Bare", "--out", out, "--json").document
    assert document["versions"] == []
    assert "nothing can be" in document["notes"][0]
    assert "nothing can be" in out.read_text("utf-8")
    assert "run one first" in run("report", "--topic", "Bare", "--what", "quality", "--out", tmp_path / "q.md").mistake
    assert run("report", "--topic", "Bare", "--out", tmp_path / "b.zip").status == 0
    assert run("report", "--from", tmp_path / "b.zip", "--json").document["same"]


def test_a_final_copy_has_nothing_for_its_author(run: Runner, tmp_path: Path) -> None:
    on = ("--topic", TOPIC)
    run("report", "say", "title:review", *on, "--text", "Heat and *trees*")
    for what in ("audit", "prisma-s", "checklist", "quality"):
        run("report", *on, "--what", what, "--out", tmp_path / f"{what}.json", "--final")
        document = json.loads((tmp_path / f"{what}.json").read_text("utf-8"))
        assert document["front"] == [{"label": "Review", "text": "Heat and *trees*"}]
        assert not any(block["block"] == "prompt" for block in document["blocks"])
        assert not any(block.get("name") == "prisma-s-items" for block in document["blocks"])
        run("report", *on, "--what", what, "--out", tmp_path / f"{what}-draft.json")
        draft = json.loads((tmp_path / f"{what}-draft.json").read_text("utf-8"))
        prompts = [block for block in draft["blocks"] if block["block"] == "prompt"]
        assert bool(prompts) == (what in ("audit", "prisma-s"))
    assert run("report", "say", "title:review", *on, "--text", "x" * 2_000).mistake


def test_a_reference_document_sets_the_style(run: Runner, tmp_path: Path) -> None:
    house = docx.Document()
    house.styles["Heading 1"].font.name = "Georgia"
    house.sections[0].page_width, house.sections[0].page_height = Mm(216), Mm(279)
    house.sections[0].footer.paragraphs[0].text = "Our library"
    house.add_paragraph("This text is not used.")
    house.save(str(tmp_path / "house.docx"))
    on = ("report", "--topic", TOPIC, "--force", "--out", tmp_path / "r.docx")
    assert run(*on, "--reference", tmp_path / "house.docx").status == 0
    made = docx.Document(str(tmp_path / "r.docx"))
    text = "\n".join(paragraph.text for paragraph in made.paragraphs)
    assert "This text is not used." not in text
    assert made.styles["Heading 1"].font.name == "Georgia"
    assert round(made.sections[0].page_width.mm) == 216
    assert made.sections[0].footer.paragraphs[0].text == "Our library"
    (tmp_path / "no.docx").write_bytes(b"words")
    assert run(*on, "--reference", tmp_path / "no.docx").mistake
    assert docx.Document(str(tmp_path / "r.docx")).paragraphs


def test_a_word_report_has_contents_that_lead_to_its_headings(run: Runner, tmp_path: Path) -> None:
    run("report", "--topic", TOPIC, "--out", tmp_path / "r.docx")
    xml = docx.Document(str(tmp_path / "r.docx")).element.xml
    links = re.findall(r'w:anchor="(_Toc\d+)"', xml)
    marks = re.findall(r'w:name="(_Toc\d+)"', xml)
    assert links
    assert links == marks


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_a_version_that_found_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str) -> None:
    fill(tmp_path / "ws", versions=(Version("none", 1, ()), Version("no core", 2, ids_of(len(CORE), 30))))
    run = Runner(tmp_path / "ws", capsys)
    document = run("report", "--topic", TOPIC, "--out", tmp_path / f"x.{ending}", "--json").document
    assert document["versions"] == ["none", "no core"]


def test_without_vectors_the_record_stands_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Workspace.open(tmp_path / "ws") as workspace, workspace.store.transaction():
        workspace.store.save_publications(publications())
        workspace.save_topic(TOPIC, CORE, [Version("first", 1, ids_of(0, 20))])
    run = Runner(tmp_path / "ws", capsys)
    assert run("report", "--topic", TOPIC, "--out", tmp_path / "x.md").status == 0
    assert WITHOUT_VECTORS[:30] in (tmp_path / "x.md").read_text("utf-8")
    assert run("report", "--topic", TOPIC, "--out", tmp_path / "x.zip").status == 0
    assert run("report", "--from", tmp_path / "x.zip", "--json").document["same"]


@pytest.mark.parametrize("ending", ["html", "docx", "md", "json"])
def test_without_vectors_the_quality_report_tells_what_was_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    with Workspace.open(tmp_path / "ws") as workspace, workspace.store.transaction():
        workspace.store.save_publications(publications())
        workspace.save_topic(TOPIC, CORE, [Version("first", 1, ids_of(0, 20))])
    run = Runner(tmp_path / "ws", capsys)
    out = tmp_path / f"q.{ending}"
    assert run("report", "--topic", TOPIC, "--what", "quality", "--out", out).status == 0
    if ending == "md":
        said = out.read_text()
        assert "score by Cosine" in said
        assert "found and missed" in said


def test_a_workspace_that_is_open_elsewhere_is_read_and_written(run: Runner, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dashboard", "report"]
    on = ["--topic", TOPIC, "--data-dir", str(run.root)]

    def elsewhere(*arguments: object) -> subprocess.CompletedProcess[str]:
        asked = [*command, *map(str, arguments), *on]
        return subprocess.run(asked, capture_output=True, text=True, check=False)

    with Workspace.open(run.root):
        told = elsewhere("--out", tmp_path / "x.md")
        said = elsewhere("say", "6", "--text", "Nobody.")
    assert told.returncode == 0, told.stderr
    assert said.returncode == 0, said.stderr
    assert run("report", "--topic", TOPIC, "--check", "--json").document["completeness"]["n_said"] == 1
