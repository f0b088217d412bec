"""`query check | explain | terms | translate`: what they say to people and to programs, and how they refuse."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from tests.dashboard.runs import Runner, ordered
from tests.data.workspaces import CORE, MODEL, TOPIC

QUERY = "(tea OR leaves) AND (kettle OR cup)"
ON_TOPIC = ("--topic", TOPIC, "--embedder", MODEL)


def test_check_gives_one_document(run: Runner) -> None:
    text = '(heat OR "tall tree*") AND predict*OR x'
    document = run("query", "check", text, "--json").document
    ordered(document, ["dialect", "confidence", "tree", "findings"])
    assert (document["dialect"], document["kind"]) == ("plain", "boolean")
    assert document["tree"]["kind"] == "AND"
    finding = next(f for f in document["findings"] if f["rule"] == "missing-space")
    ordered(finding, ["rule", "severity", "start", "end", "message", "fix"])
    assert text[finding["start"] : finding["end"]] == "predict*OR"
    assert finding["fix"]["edits"] == [{"start": 35, "end": 35, "text": " "}]


def test_check_reads_files_and_the_dialect_it_is_told(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "search.txt"
    file.write_bytes("\ufeff1. heat.ti.\r\n2. exp Trees/\r\n3. 1 and 2".encode())
    document = run("query", "check", "--file", str(file), "--json").document
    assert document["dialect"] == "ovid"
    assert [part["kind"] for part in document["tree"]["parts"]] == ["term", "heading"]
    told = run("query", "check", "heat OR cold AND ice", "--dialect", "scopus", "--json").document
    assert (told["confidence"], told["tree"]["kind"]) == (1.0, "AND")


def test_check_for_people(run: Runner) -> None:
    printed = run("query", "check", "(tea OR leaf AND cup").out
    for fact in ("Plain", "AND", "leaf", "never closed", "unbalanced-bracket", "Close the bracket"):
        assert fact in printed
    assert "No problems found." in run("query", "check", "tea").out
    assert "ranked" in run("query", "check", "How do leaves steep in a kettle?").out


def test_explain_gives_one_document(run: Runner) -> None:
    document = run("query", "explain", QUERY, *ON_TOPIC, "--json").document
    ordered(document, ["found", "missed"])
    missed = document["missed"]
    assert missed
    assert {*document["found"], *(m["publication_id"] for m in missed)} == set(CORE)
    for each in missed:
        ordered(each, ["publication_id", "title", "verdict", "failing", "rescues"])
        assert each["verdict"] in ("not_in_corpus", "no_abstract", "removed_by_not", "near_miss", "fails_block")
        assert all(QUERY[f["start"] : f["end"]] == f["text"] for f in each["failing"])
        for rescue in each["rescues"]:
            ordered(rescue, ["edit", "n_added", "core_gained", "f_beta_change"])
            assert each["publication_id"] in rescue["core_gained"]
    assert any(each["rescues"] for each in missed)


def test_explain_for_people_and_by_version(run: Runner) -> None:
    printed = run("query", "explain", QUERY, *ON_TOPIC).out
    assert "core publications found, literal" in printed
    assert "Fails block" in printed
    by_version = run("query", "explain", "--version", "baseline", *ON_TOPIC, "--json").document
    assert set(by_version) == {"n_found", "found", "disagrees", "missed"}
    never_run = run("query", "explain", "--version", "predicted", *ON_TOPIC, "--json").document
    as_text = run("query", "explain", "tea OR leaf", *ON_TOPIC, "--json").document
    assert never_run == as_text  # without a list, its text decides


def test_a_version_is_what_it_holds(run: Runner) -> None:
    held = set(
        run("evaluate", "--version", "baseline", *ON_TOPIC, "--regions", "cosine", "--json").document["found_core_ids"]
    )
    by_version = run("query", "explain", "--version", "baseline", *ON_TOPIC, "--json").document
    by_text = run("query", "explain", "tea OR leaf", *ON_TOPIC, "--json").document
    assert set(by_version["found"]) == held != set(by_text["found"])
    assert by_text["disagrees"] == []
    core = {each["publication_id"] for each in by_version["disagrees"] if each["is_core"]}
    assert core == held ^ set(by_text["found"])
    ordered(by_version["disagrees"][0], ["publication_id", "title", "is_core", "in_version", "message"])
    terms = run("query", "terms", "--version", "baseline", *ON_TOPIC, "--json").document
    assert (set(terms["found"]), terms["n_found"], terms["disagrees"]) == (held, len(held), by_version["disagrees"])
    for command in ("explain", "terms"):
        printed = run("query", command, "--version", "baseline", *ON_TOPIC).out
        n_held = sum(each["in_version"] for each in by_version["disagrees"])
        assert f"{n_held} in the version, but not" in printed
        assert "read here, but not in" in printed


def test_words_of_a_version_are_matched_as_it_was_run(run: Runner) -> None:
    with Workspace.open(run.root) as workspace:
        version = workspace.run_query(TOPIC, "leaf OR kettles", semantics="stemmed").version
    where = ("--version", version.label, *ON_TOPIC, "--json")
    assert run("query", "explain", *where).document["disagrees"] == []
    assert run("query", "explain", *where, "--semantics", "literal").document["disagrees"]


def test_terms_gives_one_document(run: Runner) -> None:
    nodes = run("query", "terms", QUERY, *ON_TOPIC, "--json").document["nodes"]
    keys = ["start", "end", "text", "n_alone", "n_unique", "core", "core_unique", "semantic_precision_unique"]
    for node in nodes:
        ordered(node, [*keys, "f_beta_change_if_removed", "flags"])
        assert node["text"] == " ".join(QUERY[node["start"] : node["end"]].split())
    assert [node["kind"] for node in nodes] == ["AND", "OR", "term", "term", "OR", "term", "term"]
    table = run("query", "terms", QUERY, *ON_TOPIC, "--semantics", "stemmed").out
    assert "stemmed" in table
    assert all(term in table for term in ("tea", "leaves", "kettle", "cup"))


def test_what_can_not_be_tested_has_no_numbers(run: Runner) -> None:
    text = 'tea[tiab] OR "Tea"[mesh]'
    nodes = run("query", "terms", text, *ON_TOPIC, "--json").document["nodes"]
    heading = next(node for node in nodes if node["kind"] == "heading")
    assert heading["flags"] == ["not_testable"]
    assert heading["n_alone"] is heading["core"] is None
    (line,) = [x for x in run("query", "terms", text, *ON_TOPIC).out.splitlines() if "mesh" in x]
    assert "0" not in line


def test_translate_gives_one_document(run: Runner) -> None:
    text = 'heat[ti] AND "tall trees"[ab]'
    document = run("query", "translate", text, "--to", "wos", "--json").document
    ordered(document, ["text", "losses"])
    assert document["from"] == "pubmed"
    assert document["text"].replace("(", "").replace(")", "") == 'TI=heat AND AB="tall trees"'
    assert document["losses"] == []
    lossy = run("query", "translate", "wom?n", "--from", "wos", "--to", "pubmed", "--json").document
    (loss,) = lossy["losses"]
    ordered(loss, ["start", "end", "status", "message"])
    assert (loss["start"], loss["end"]) == (0, 5)
    assert loss["status"] in ("widened", "narrowed", "unsupported")


def test_translate_for_people(run: Runner) -> None:
    printed = run("query", "translate", "heat AND tree*", "--to", "ovid").out
    assert "Exact: Ovid" in printed
    assert "heat" in printed.splitlines()[0]


BROKEN = "1. heat.ti.\n2. cold.ti.\n3. or/1-13"


def test_errors_of_the_reading_come_first_and_are_counted(run: Runner) -> None:
    printed = run("query", "translate", BROKEN, "--to", "wos")
    assert printed.status == 0
    assert "Read with 1 error:" in printed.out.splitlines()[0]
    assert "lines 4 to 13" in printed.out.splitlines()[0]
    losses = [line for line in printed.out.splitlines() if line.startswith("unsupported:")]
    assert "lines 4 to 13" in losses[0]


def test_what_is_lost_in_several_places_is_said_once(run: Runner) -> None:
    words = [f"word{n}.mp." for n in range(12)]
    printed = run("query", "translate", " or ".join(words), "--to", "pubmed", "--from", "ovid")
    said = " ".join(printed.out.split()).partition("widened:")[2]
    assert ("word7.mp" in said, "word8.mp" in said, "4 more" in said, "widened:" in said) == (True, False, True, False)


def test_errors_of_the_reading_are_losses_for_programs(run: Runner) -> None:
    document = run("query", "translate", BROKEN, "--to", "pubmed", "--json").document
    first = document["losses"][0]
    assert (first["status"], BROKEN[first["start"] : first["end"]]) == ("unsupported", "or/1-13")
    assert "1 error" in document["reading"]
    sent = run("query", "translate", BROKEN, "--to", "pubmed", "--as-search-file")
    assert "1 error" in sent.err


@pytest.mark.parametrize("way", [(), ("--json",), ("--as-search-file",)])
def test_a_strict_translation_fails_after_errors_of_the_reading_only(run: Runner, way: tuple[str, ...]) -> None:
    assert run("query", "translate", BROKEN, "--to", "wos", "--strict", *way).status == 1
    assert run("query", "translate", "wom?n", "--from", "wos", "--to", "pubmed", "--strict", *way).status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check",), "the search string"),
        (("check", "tea", "--file", "x"), "the search string"),
        (("check", "--file", "not-there.txt"), "can't be read"),
        (("explain", "", *ON_TOPIC), "empty"),
        (("explain", "tea"), "--topic"),
        (("terms", "tea", "--version", "baseline", *ON_TOPIC), "--version already has"),
        (("terms", "--version", "nothing", *ON_TOPIC), 'has no version "nothing"'),
        (("terms", "tea", "--topic", "Tee Brewing"), 'did you mean "Tea Brewing"'),
        (("explain", "Which leaves steep best in a kettle?", *ON_TOPIC), "question"),
        (("translate", "tea"), "--to"),
        (("check", "tea", "--dialect", "klingon"), "klingon"),
    ],
)
def test_mistakes_are_one_line(run: Runner, arguments: tuple[str, ...], said: str) -> None:
    assert said in run("query", *arguments).mistake


SEARCH_FILE = {"search_string": "heat AND tree*", "platform": "wos", "field": "TI", "authors": [{"name": "A. Author"}]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_search_file_is_read_as_its_platform_reads_it(run: Runner, tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "search.json"
    file.write_text(f"\n{json.dumps(SEARCH_FILE, indent=2)}\n", encoding)
    document = run("query", "check", "--file", file, "--json").document
    assert (document["dialect"], document["confidence"]) == ("wos", 1.0)
    assert [part["fields"] for part in document["tree"]["parts"]] == [["title"], ["title"]]
    told = run("query", "check", "--file", file, "--dialect", "plain", "--json").document
    assert told["dialect"] == "plain"
    translated = run("query", "translate", json.dumps(SEARCH_FILE), "--to", "ovid", "--json").document
    assert (translated["from"], ".ti." in translated["text"]) == ("wos", True)


def test_of_several_searches_the_first_is_taken(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "searches.json"
    file.write_text(json.dumps([SEARCH_FILE, {"search_string": "cold", "platform": "pubmed"}]), "utf-8")
    checked = run("query", "check", "--file", file, "--json")
    assert checked.document["dialect"] == "wos"
    assert "2 searches" in checked.err
    unknown = run("query", "check", json.dumps({"search_string": "heat[ti]", "platform": "Klingon"}), "--json")
    assert unknown.document["dialect"] == "pubmed"
    assert 'platform "Klingon" is unknown' in unknown.err


def test_a_translation_leaves_as_a_search_file_and_comes_back(run: Runner, tmp_path: Path) -> None:
    made = run("query", "translate", "wom?n AND heat[ti]", "--from", "pubmed", "--to", "ebsco", "--as-search-file")
    assert (made.document["platform"], made.document["search_string"].count("TI ")) == ("ebscohost", 1)
    file = tmp_path / "made.json"
    file.write_text(made.out, "utf-8")
    assert run("query", "check", "--file", file, "--json").document["dialect"] == "ebsco"
    lossy = run("query", "translate", "wom?n", "--from", "wos", "--to", "pubmed", "--as-search-file")
    assert lossy.document["platform"] == "pubmed"
    assert "Note: " in lossy.err


def test_old_files_and_odd_ones(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "search.txt"
    file.write_bytes("\u201cM\u00e9ni\u00e8re\u2019s disease\u201d\r\nAND heat".encode("cp1252"))
    document = run("query", "check", "--file", file, "--json").document
    assert document["tree"]["parts"][0] == document["tree"]["parts"][0] | {
        "text": "M\u00e9ni\u00e8re's disease",
        "quoted": True,
    }
    brace = run("query", "check", "{heat wave} AND trees", "--json").document
    assert brace["tree"]["kind"] == "AND"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a" * 2_000_001, "more than 2,000,000 bytes"),
        (b"\x7fELF\x00\x00heat", "not a text file"),
        (b'{"search_string": "heat"', "not JSON"),
        (b'{"platform": "wos"}', "search_string"),
        (b"[{}]", "search_string"),
        (b'{"search_string": 3}', "be a text"),
        (b"{}", "search_string"),
        (b'{"a": ' * 50_000, "not JSON"),
    ],
)
def test_a_file_that_holds_no_search_is_one_line(run: Runner, tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "search.json"
    file.write_bytes(content)
    assert said in run("query", "check", "--file", file).mistake
    assert "can't be read" in run("query", "check", "--file", tmp_path).mistake


def test_the_input_is_a_file_too(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfheat[ti]\r\nOR cold")))
    document = run("query", "check", "--file", "-", "--json").document
    assert (document["dialect"], document["tree"]["kind"]) == ("pubmed", "OR")


EMTREE = "1. exp Heat/\n2. heat.ti.\n3. 1 or 2"


def _translated(run: Runner, text: str, *flags: str) -> dict[str, object]:
    return run("query", "translate", text, *flags, "--json").document


def test_headings_belong_to_the_database_that_is_named(run: Runner) -> None:
    unnamed = _translated(run, EMTREE, "--from", "ovid", "--to", "pubmed")
    assert (unnamed["database"], unnamed["to_database"], unnamed["losses"]) == (None, None, [])
    named = _translated(run, EMTREE, "--from", "ovid", "--to", "pubmed", "--database", "Embase")
    assert (named["database"], len(named["losses"])) == ("embase", 1)
    kept = _translated(run, EMTREE, "--from", "ovid", "--to", "ovid", "--database", "embase", "--to-database", "embase")
    assert (kept["to_database"], kept["losses"]) == ("embase", [])
    moved = _translated(run, EMTREE, "--from", "ovid", "--to", "ovid", "--to-database", "embase")
    assert "exp Heat/" not in moved["text"]
    assert len(moved["losses"]) == 1


def test_a_search_file_names_the_database_it_is_for(run: Runner) -> None:
    given = ("query", "translate", "heat", "--to", "ebsco", "--as-search-file")
    assert run(*given, "--to-database", "cinahl").document["database"] == ["CINAHL"]
    assert "database" not in run(*given).document


def test_the_database_that_a_search_file_names_counts_unless_another_one_is_named(run: Runner) -> None:
    search = json.dumps({"search_string": "exp Heat/ or heat.ti.", "platform": "ovid", "database": ["Embase"]})
    document = _translated(run, search, "--to", "pubmed")
    assert (document["database"], "[Mesh]" in str(document["text"])) == ("embase", False)
    told = _translated(run, search, "--to", "pubmed", "--database", "medline")
    assert (told["database"], "[Mesh]" in str(told["text"])) == ("medline", True)


@pytest.mark.parametrize(
    ("above", "database"),
    [
        ("Embase (Ovid)", "embase"),
        ("Database: Embase <1974 to 2020 March 12>\nSearch Strategy:\n------", "embase"),
        ("Ovid MEDLINE(R) ALL <1946 to March 12, 2020>", "medline"),
        ("MEDLINE and Embase (Ovid)", None),
    ],
)
def test_the_database_named_above_a_search_counts_unless_another_one_is_named(
    run: Runner, above: str, database: str | None
) -> None:
    text = f"{above}\n1 exp Heat/\n2 heat.ti.\n3 1 or 2"
    document = _translated(run, text, "--to", "pubmed")
    assert (document["from"], document["database"]) == ("ovid", database)
    assert ("[Mesh]" in str(document["text"])) == (database != "embase")
    told = _translated(run, text, "--to", "pubmed", "--database", "psycinfo")
    assert told["database"] == "psycinfo"


@pytest.mark.parametrize(
    ("flags", "facts"),
    [
        (("--to", "ovid", "--to-database", "cinahl"), ("Ovid", '"cinahl"', "--to-database", "medline", "embase")),
        (("--to", "scopus", "--to-database", "embase"), ("Scopus", "one database", "--to-database")),
        (("--to", "wos", "--from", "ebsco", "--database", "x"), ("EBSCOhost", '"x"', "--database", "cinahl")),
        (("--to", "wos", "--from", "pubmed", "--database", "medline"), ("PubMed", "one database", "--database")),
        (("--to", "pubmed", "--topic", "Tee Brewing"), ('"Tea Brewing"',)),
    ],
)
def test_a_database_or_topic_that_is_not_there_is_one_line(
    run: Runner, flags: tuple[str, ...], facts: tuple[str, ...]
) -> None:
    mistake = run("query", "translate", "tea", *flags).mistake
    assert all(fact in mistake for fact in facts)


def test_stems_that_the_target_refuses_are_written_out_with_the_words_of_the_topic(run: Runner) -> None:
    without = _translated(run, "cup AND te*", "--from", "plain", "--to", "pubmed")
    assert "tea" not in without["text"]
    document = _translated(run, "cup AND te*", "--from", "plain", "--to", "pubmed", "--topic", TOPIC)
    assert (document["topic"], "tea[tiab]" in document["text"]) == (TOPIC, True)
    (loss,) = document["losses"]
    assert (loss["status"], loss["start"], loss["end"], "tea" in loss["message"]) == ("narrowed", 8, 11, True)


def test_every_fix_of_a_finding_is_named(run: Runner) -> None:
    text = '"tall trees" "hot summers"'
    (finding,) = [
        f for f in run("query", "check", text, "--json").document["findings"] if f["rule"] == "adjacent-terms"
    ]
    labels = [fix["label"] for fix in (finding["fix"], *finding["other_fixes"])]
    assert len(labels) == len(set(labels)) == 2
    printed = run("query", "check", text).out
    assert all(label in printed for label in labels)
