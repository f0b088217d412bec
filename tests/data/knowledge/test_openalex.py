"""Works of OpenAlex become papers, authors, institutions and fields, with MAG's names."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import FormatError
from core.knowledge.entities import NeighbourCount
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from data.knowledge.load_values import LoaderOmissions
from data.knowledge.loaders import openalex_files, read_openalex
from tests.data.notes import assert_notes, is_noted
from tests.messages import refusal

HOST = "https://openalex.org/"


def work(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{HOST}W{number}",
        "display_name": f"Work {number}",
        "publication_year": 2000 + number,
        "abstract_inverted_index": {"We": [0], "measure": [1, 3], "and": [2]},
        "authorships": [
            authorship("A1", "Ito", ["I1"]),
            {"author": {"id": None, "display_name": None}, "raw_author_name": "N. N.", "institutions": []},
        ],
        "topics": [{"id": f"{HOST}T5", "display_name": "Heat"}],
        "concepts": [{"id": f"{HOST}C9", "display_name": "Physics"}],
        "referenced_works": [f"{HOST}W1", f"{HOST}W99"],
        "primary_location": {"source": {"display_name": "Journal of Heat"}},
        **more,
    }


def authorship(author: str, name: str, institutions: list[str]) -> dict[str, Any]:
    named = [{"id": HOST + own_id, "display_name": f"University {own_id}"} for own_id in institutions]
    return {"author": {"id": HOST + author, "display_name": name}, "institutions": named}


WORKS = [
    work(1, referenced_works=[]),
    work(2, authorships=[authorship("A1", "Ito", ["I1", "I2"]), authorship("A2", "", [])], topics=[]),
    work(3, display_name=None, abstract_inverted_index=None),
]


def brought(where: Path, root: Path) -> tuple[KnowledgeBase, LoaderOmissions]:
    notes: list[str] = []
    left_out = LoaderOmissions(notes)
    bases = KnowledgeBases(root / "bases")
    folder = where if where.is_dir() else where.parent
    bases.save("it", read_openalex(openalex_files(where), folder, left_out, notes), origin="here")
    return bases.open("it"), left_out


def test_works_authors_institutions_and_fields(tmp_path: Path) -> None:
    file = tmp_path / "works.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in WORKS))
    base, left_out = brought(file, tmp_path)
    assert (base.about.templates, base.answer_types, left_out.n) == ("mag", ("paper",), 0)
    assert {name: kind.n for name, kind in base.types.items()} == {
        "paper": 3,
        "author": 2,
        "institution": 2,
        "field_of_study": 2,
    }
    one = base.entity("W1")
    assert one.title == "Work 1"
    told = base.text(one.row)
    assert (told.text, told.attributes) == ("We measure and measure", {"year": "2001", "venue": "Journal of Heat"})
    assert (base.entity("W3").title, base.entity("A2").title) == ("W3", "A2")
    assert {(r.name, r.source, r.target, r.n) for r in base.relation_types} == {
        ("author___affiliated_with___institution", "author", "institution", 2),
        ("paper___cites___paper", "paper", "paper", 2),
        ("paper___has_topic___field_of_study", "paper", "field_of_study", 3),
        ("author___writes___paper", "author", "paper", 4),
    }
    ito = base.entity("A1").row
    assert NeighbourCount("author___writes___paper", "forward", "paper", 3) in base.neighbour_counts(ito)
    assert is_noted(base.about.notes, "authors without", 'OpenAlex id, left out: 2 ("N. N."')
    assert is_noted(base.about.notes, "cited works missing", 'left out: 1 ("W99")')
    assert not is_noted(base.about.notes, "repeated relations")


@pytest.mark.parametrize("form", ["list", "answer", "one work", "packed lines", "packed list"])
def test_every_form_of_a_file(tmp_path: Path, form: str) -> None:
    lines = "".join(json.dumps(each) + "\n" for each in WORKS)
    content, name = {
        "list": (json.dumps(WORKS, indent=1).encode(), "works.json"),
        "answer": (json.dumps({"meta": {"count": 3}, "results": WORKS}).encode(), "works.json"),
        "one work": (json.dumps(WORKS[0], indent=1).encode(), "W1.json"),
        "packed lines": (gzip.compress(lines.encode()), "part_000.gz"),
        "packed list": (gzip.compress(json.dumps(WORKS).encode()), "works.json.gz"),
    }[form]
    (tmp_path / "works").mkdir()
    (tmp_path / "works" / name).write_bytes(content)
    (tmp_path / "works" / "readme.json").write_text('{"title": "no work"}')
    base, _ = brought(tmp_path, tmp_path)
    assert base.types["paper"].n == (1 if form == "one work" else 3)


def test_works_in_several_files_and_damage(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(WORKS[0]) + "\n" + '{"id": "https://openalex.org/W7", "ti')
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(each) + "\n" for each in [{"id": ""}, WORKS[0], WORKS[1]]))
    lines = "".join(json.dumps(work(n)) + "\n" for n in range(10, 200)).encode()
    (tmp_path / "c.gz").write_bytes(gzip.compress(lines, 1)[:-60])
    base, left_out = brought(tmp_path, tmp_path)
    assert_notes(
        left_out.lines,
        ("a.jsonl, line 2: no valid JSON",),
        ("b.jsonl, line 1: ", "without an id"),
        ("c.gz: the file ends", "damaged"),
    )
    assert {"W1", "W2", "W10"} <= base.rows_of(["W1", "W2", "W10"]).keys()
    assert any(note.startswith("works repeated in b.jsonl") for note in base.about.notes)


def test_odd_values_do_no_harm(tmp_path: Path) -> None:
    odd = work(
        4,
        authorships=[None, {"author": []}, {"author": {"id": 5}}, authorship("A1", "Ito", ["I1"])],
        topics={"id": f"{HOST}T1"},
        referenced_works=[None, 3, f"{HOST}W4", {}],
        abstract_inverted_index={"half \ud800": [0], "x": "y"},
        display_name=["A", "B"],
    )
    (tmp_path / "w.json").write_text(json.dumps([odd]))
    base, _ = brought(tmp_path, tmp_path)
    assert base.entity("W4").title == "A"
    assert base.text(base.entity("W4").row).text == "half ?"
    counts = {(c.relation, c.direction) for c in base.neighbour_counts(base.entity("W4").row)}
    assert ("paper___cites___paper", "forward") in counts


def test_what_holds_no_works_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"title": "x"}]')
    (tmp_path / "b.gz").write_bytes(b"\x1f\x8bbroken")
    (tmp_path / "c.json").write_bytes(b"\xff\xfe\x00")
    assert openalex_files(tmp_path) == ()
    notes: list[str] = []
    empty = read_openalex([tmp_path / "a.json"], tmp_path, LoaderOmissions(notes), notes)
    with refusal(FormatError):
        list(empty.entities)
