"""Tables of one's own: whatever the columns are called, and whatever is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from core.errors import FormatError
from data.knowledge import loaders
from data.knowledge.builder import KnowledgeBaseParts
from data.knowledge.load_values import LoaderOmissions
from data.knowledge.loaders import plain_layout, read_plain
from tests.data.notes import assert_notes
from tests.messages import refusal

ENTITIES = """id,type,title,text,year
p1,paper,"Trees, ""shade""
and heat",On shade.,2001
a1,author,Ito,,
p2,paper,Night work,,2004
"""
RELATIONS = """source,relation,target
a1,writes,p1
p1,cites,p2
a1,writes,p2
"""
Entity = tuple[str, str, str, str, dict[str, str]]
Relation = tuple[str, str, str]


class Read:
    """Everything that was read of a folder."""

    def __init__(self, folder: Path) -> None:
        layout = plain_layout(folder)
        assert layout is not None
        self.notes: list[str] = []
        self.left_out = LoaderOmissions(self.notes)
        self.parts: KnowledgeBaseParts = read_plain(layout, self.left_out, self.notes)
        self.entities: list[Entity] = [
            (*each[:4], dict(json.loads(each[4])) if each[4] else {})
            for part in self.parts.entities
            for each in zip(part.ids, part.types, part.titles, part.texts, part.attributes, strict=True)
        ]
        ids = [*(entity[0] for entity in self.entities), "?"]
        self.relations: list[Relation] = [
            (ids[source], part.name, ids[target])
            for part in self.parts.relations
            for source, target in zip(part.sources.tolist(), part.targets.tolist(), strict=True)
        ]

    @property
    def rejected(self) -> list[str]:
        return [str(line) for line in self.left_out.lines]


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


EXPECTED: list[Entity] = [
    ("p1", "paper", 'Trees, "shade"\nand heat', "On shade.", {"year": "2001"}),
    ("a1", "author", "Ito", "", {}),
    ("p2", "paper", "Night work", "", {"year": "2004"}),
]
RELATED = {("a1", "writes", "p1"), ("p1", "cites", "p2"), ("a1", "writes", "p2")}


def test_tables_are_read(tmp_path: Path) -> None:
    read = Read(write(tmp_path, {"entities.csv": ENTITIES, "relations.csv": RELATIONS}))
    assert read.entities == EXPECTED
    assert set(read.relations) == RELATED
    assert (read.notes, read.rejected) == ([], [])
    assert (read.parts.answer_types, read.parts.templates, read.parts.made_up) == ((), "", False)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_other_encodings_ends_and_names_of_columns(tmp_path: Path, encoding: str, ends: str) -> None:
    entities = "Name;Year;ENTITY-ID;Abstract;Node Type\nMüller;;a1;;author\nÜber Wärme;2001;p1;Kühl.;paper\n"
    relations = "to;:TYPE;from\np1;writes;a1\n"
    files = {"Nodes.csv": entities, "edges.tsv": relations.replace(";", "\t")}
    read = Read(write(tmp_path, {name: text.replace("\n", ends).encode(encoding) for name, text in files.items()}))
    assert read.entities == [
        ("a1", "author", "Müller", "", {}),
        ("p1", "paper", "Über Wärme", "Kühl.", {"Year": "2001"}),
    ]
    assert read.relations == [("a1", "writes", "p1")]
    assert len([note for note in read.notes if "cp1252" in note]) == (encoding == "cp1252")


def test_parquet_and_several_files(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            f"""
            COPY (
                SELECT unnest([1, -1]) AS id, 'paper' AS type, unnest(['Trees', NULL]) AS title,
                    unnest([2.5, 'nan'::DOUBLE]) AS score, ['a', 'b'] AS tags
            ) TO '{tmp_path / "entities_1.parquet"}'
            """
        )
    write(tmp_path, {"entities_2.csv": "id,type,title\nx,author,Ito\n"})
    write(tmp_path, {"relations/a.tsv": "source\ttarget\n1\tx\n", "relations/b.csv": "source,target\nx,-1\n"})
    read = Read(tmp_path)
    assert read.entities == [
        ("1", "paper", "Trees", "", {"score": "2.5", "tags": "a; b"}),
        ("-1", "paper", "-1", "", {"tags": "a; b"}),
        ("x", "author", "Ito", "", {}),
    ]
    assert read.relations == [("1", "related to", "x"), ("x", "related to", "-1")]
    (tmp_path / "entities_1.parquet").write_bytes((tmp_path / "entities_1.parquet").read_bytes()[:-20])
    with refusal(FormatError):
        Read(tmp_path)


def test_what_is_odd_is_counted_and_named(tmp_path: Path) -> None:
    entities = "id,type,title\np1,paper,One\np1,paper,Again\n,paper,No id\np2,,Two\np3,paper,\np4,paper,Four,Five\n\n"
    relations = "source,relation,target\np1,cites,p9\np8,cites,p9\np1,,p2\n"
    read = Read(write(tmp_path, {"entities.csv": entities, "relations.csv": relations}))
    assert [entity[:3] for entity in read.entities] == [
        ("p1", "paper", "One"),
        ("p2", "entity", "Two"),
        ("p3", "paper", "p3"),
    ]
    assert_notes(
        read.rejected,
        ("entities.csv, line 4: ", "without an id"),
        ("entities.csv, line 7: 4 cells where 3",),
    )
    assert_notes(
        read.notes,
        ("ids repeated", "entities.csv", ': 1 ("p1" in line 3)'),
        ("without a type", "entities.csv", 'type "entity": 1 ("p2" in line 5)'),
        ("without a title", "entities.csv", ': 1 ("p3" in line 6)'),
        ("match no entity", "relations.csv", ': 3 ("p9" in line 2, "p8" in line 3, "p9" in line 3)'),
    )
    assert ("?", "cites", "?") in read.relations


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    files = {"entities.csv": ENTITIES[:-14], "relations.csv": RELATIONS[:-5]}
    read = Read(write(tmp_path, files))
    assert [entity[0] for entity in read.entities] == ["p1", "a1"]
    assert [line.partition(": ")[0] for line in read.rejected] == ["entities.csv, line 5", "relations.csv, line 4"]
    assert all("cut off" in line for line in read.rejected)


def test_a_last_line_without_an_end_is_whole_where_its_cells_are(tmp_path: Path) -> None:
    read = Read(write(tmp_path, {"entities.csv": ENTITIES.rstrip("\n"), "relations.csv": RELATIONS.rstrip("\n")}))
    assert read.entities == EXPECTED
    assert set(read.relations) == RELATED


def test_a_text_of_a_megabyte(tmp_path: Path) -> None:
    long = "word " * 250_000
    read = Read(write(tmp_path, {"entities.csv": f'id,title,text\n1,One,"{long}"\n2,Two,short\n'}))
    assert [(entity[0], len(entity[3])) for entity in read.entities] == [("1", len(long) - 1), ("2", 5)]
    assert_notes(read.notes, ('entities.csv has no column "type"', 'of type "entity"'), ("no table", "relations.csv"))


def test_about_json_says_what_questions_ask_for(tmp_path: Path) -> None:
    files: dict[str, Any] = {"entities.csv": ENTITIES, "relations.csv": RELATIONS}
    about = {"answers": ["paper"], "templates": "mag", "made_up": True}
    read = Read(write(tmp_path, {**files, "about.json": json.dumps(about)}))
    assert (read.parts.answer_types, read.parts.templates, read.parts.made_up) == (("paper",), "mag", True)
    for text, said in (("{", "not valid JSON"), ("[1]", "no object"), ('{"answers": [1]}', "not a list of types")):
        write(tmp_path, {"about.json": text})
        with pytest.raises(FormatError, match=said):
            Read(tmp_path)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"entities.csv": "name,type\na,b\n"}, 'entities.csv has no column "id": its columns are name, type'),
        ({"entities.csv": "id,type\n"}, "entities.csv has no entities"),
        ({"entities.csv": ""}, "entities.csv is empty"),
        ({"entities.csv": "id\n1\n", "relations.csv": "source,relation\n1,2\n"}, 'has no column "target"'),
        ({"entities.csv": b"%PDF-1.4"}, "is a PDF"),
        ({"entities.csv": b"\x00\x01\x02" * 500}, "not a text file"),
    ],
)
def test_what_is_no_table_is_said(tmp_path: Path, files: dict[str, str | bytes], said: str) -> None:
    with pytest.raises(FormatError) as caught:
        Read(write(tmp_path, files))
    assert said in str(caught.value)


def test_a_folder_without_entities_is_no_plain_layout(tmp_path: Path) -> None:
    write(tmp_path, {"relations.csv": RELATIONS, "entities.docx": "x"})
    assert plain_layout(tmp_path) is None
    write(tmp_path, {"entities.csv": ENTITIES})
    assert plain_layout(tmp_path / "entities.csv") is not None
    assert plain_layout(tmp_path / "entities.docx") is None


def test_many_rows_come_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaders, "PLAIN_PART", 4)
    write(tmp_path, {"entities.csv": "id,type\n" + "".join(f"{row},x\n" for row in range(10))})
    layout = plain_layout(tmp_path)
    assert layout is not None
    notes: list[str] = []
    parts = list(read_plain(layout, LoaderOmissions(notes), notes).entities)
    assert [list(part.ids) for part in parts] == [list("0123"), list("4567"), list("89")]
