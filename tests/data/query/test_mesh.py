"""NLM's files: all forms agree, damage is reported with its place, and what is stored is never lost."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from core.errors import FormatError, InputError
from core.library.headings import HeadingIndex, carried_headings
from core.library.mesh import MeshThesaurus
from core.query.match import rows_of
from core.query.parser import parse
from core.query.tree import Heading, Term
from core.types import Publication
from data.files import WorkspacePaths, file_stamp
from data.importers.reading import read_file
from data.query.index import CorpusIndex, in_memory
from data.query.mesh import bring_mesh, load_mesh, read_mesh

TREE = "Soups;J01.100\n  Lentil Soups;J01.100.010\nLentil Soups;J02.300\n"
ASCII = """*NEWRECORD
RECTYPE = D
MH = Soups
PRINT ENTRY = Broths|T1|NON|EQV|x
ENTRY = Clear Soup
MN = J01.100
PM = 1980; was POTTAGES 1970-1979
DX = 19800101
UI = D1

*NEWRECORD
RECTYPE = D
MH = Lentil Soups
MN = J01.100.010
MN = J02.300
DX = 20110101
UI = D2
"""


def _record(name: str, places: list[str], terms: list[str], year: int, note: str = "") -> str:
    tree = "".join(f"<TreeNumber>{place}</TreeNumber>" for place in places)
    listed = "".join(f"<Term><String>{term}</String></Term>" for term in [name, *terms])
    return (
        f"<DescriptorRecord><DescriptorUI>D</DescriptorUI><DescriptorName><String>{name}</String></DescriptorName>\n"
        f"<DateEstablished><Year>{year}</Year></DateEstablished><PublicMeSHNote>{note}</PublicMeSHNote>\n"
        f"<TreeNumberList>{tree}</TreeNumberList><ConceptList><Concept><TermList>{listed}</TermList></Concept>"
        "</ConceptList></DescriptorRecord>\n"
    )


XML = (
    '<?xml version="1.0"?>\n<!DOCTYPE DescriptorRecordSet SYSTEM "https://x/nlmdescriptorrecordset_20240101.dtd">\n'
    "<DescriptorRecordSet>\n"
    + _record("Soups", ["J01.100"], ["Broths", "Clear Soup"], 1980, "1980; was POTTAGES 1970-1979")
    + _record("Lentil Soups", ["J01.100.010", "J02.300"], [], 2011)
    + "</DescriptorRecordSet>\n"
)


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def test_the_layout_of_2026_has_another_date(tmp_path: Path) -> None:
    before, _ = read_mesh(_write(tmp_path, "before.xml", XML))
    after, _ = read_mesh(_write(tmp_path, "after.xml", XML.replace("DateEstablished", "DateIntroduced")))
    assert after.headings == before.headings
    assert [heading.introduced for heading in after.headings] == [1980, 2011]


@pytest.mark.parametrize("name", ["d2024.bin", "d2024.bin.gz", "desc.xml", "desc.xml.gz"])
def test_descriptor_files_agree(tmp_path: Path, name: str) -> None:
    mesh, is_cut_off = read_mesh(_write(tmp_path, name, XML if "xml" in name else ASCII))
    soups = mesh.find("soups")
    assert soups is not None
    assert not is_cut_off
    assert mesh.notes == ()
    assert (mesh.year, soups.places, soups.introduced) == (2024, ("J01.100",), 1980)
    assert (soups.entry_terms, soups.former_names) == (("Broths", "Clear Soup"), ("POTTAGES",))
    assert mesh.exploded("Soups") == {"soups", "lentil soups"}


@pytest.mark.parametrize("name", ["mtrees2024.bin", "mtrees2024.bin.gz"])
def test_tree_files_give_every_place(tmp_path: Path, name: str) -> None:
    mesh, is_cut_off = read_mesh(_write(tmp_path, name, TREE))
    found = mesh.find("Lentil Soups")
    assert found is not None
    assert not is_cut_off
    assert (found.places, found.introduced, mesh.has_entry_terms) == (("J01.100.010", "J02.300"), None, False)


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("mtrees2024.bin", TREE[:-5], "line 3"),
        ("d2024.bin", ASCII[:-8], "line 16"),
        ("desc2024.xml", XML[:-80], "line 9"),
    ],
)
def test_a_file_that_is_cut_off_keeps_its_whole_records_and_shows_the_place(
    tmp_path: Path, name: str, text: str, place: str
) -> None:
    mesh, is_cut_off = read_mesh(_write(tmp_path, name, text))
    assert is_cut_off
    assert mesh.find("Soups") is not None
    assert place in mesh.notes[-1]
    assert name in mesh.notes[-1]


def test_a_gz_file_that_is_cut_off_shows_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "d2024.bin.gz"
    whole = gzip.compress(ASCII.encode() * 400)
    path.write_bytes(whole[: len(whole) * 3 // 4])
    mesh, is_cut_off = read_mesh(path)
    assert is_cut_off
    assert mesh.find("Soups") is not None
    assert any("byte" in note for note in mesh.notes)


def test_lines_that_are_no_headings_are_listed(tmp_path: Path) -> None:
    mesh, is_cut_off = read_mesh(_write(tmp_path, "mtrees2024.bin", TREE + "rubbish\n"))
    assert not is_cut_off
    assert "line 4" in mesh.notes[0]
    assert len(mesh.headings) == 2


@pytest.mark.parametrize("text", ["", "hello\nworld\n", "<html></html>", "\x00\x01"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError):
        read_mesh(_write(tmp_path, "x.bin", text))


def test_entities_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="ENTITY"):
        read_mesh(_write(tmp_path, "x.xml", '<!DOCTYPE x [<!ENTITY a "b">]><DescriptorRecordSet/>'))


def _stored(paths: WorkspacePaths) -> MeshThesaurus:
    mesh = load_mesh(paths)
    assert mesh is not None
    return mesh


def test_a_file_of_the_same_year_adds_and_one_of_another_year_is_refused(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path / "w")
    assert load_mesh(paths) is None
    assert file_stamp(paths.mesh) == ""
    bring_mesh(paths, str(_write(tmp_path, "mtrees2024.bin", TREE + "Stews;J03\n")))
    bring_mesh(paths, str(_write(tmp_path, "d2024.bin", ASCII)))
    both = _stored(paths)
    assert len(both.headings) == 3
    assert both.has_entry_terms
    assert both.sources == ("mtrees2024.bin", "d2024.bin")
    other = _write(tmp_path, "mtrees2025.bin", "Other;J01\n")
    with pytest.raises(InputError, match="2024"):
        bring_mesh(paths, str(other))
    assert _stored(paths).headings == both.headings
    assert bring_mesh(paths, str(other), replace=True).replaced == "MeSH 2024"
    assert [heading.name for heading in _stored(paths).headings] == ["Other"]


def test_a_file_that_is_cut_off_does_not_change_what_is_stored(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path / "w")
    bring_mesh(paths, str(_write(tmp_path, "d2024.bin", ASCII)))
    before = _stored(paths).headings
    with pytest.raises(FormatError, match="line 16"):
        bring_mesh(paths, str(_write(tmp_path, "more2024.bin", ASCII[:-8])))
    assert _stored(paths).headings == before


def test_a_zip_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"desc2025\.zip"):
        read_mesh(_write(tmp_path, "desc2025.zip", "PK\x03\x04"))


def test_a_file_is_read_from_an_address(tmp_path: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/mesh/SHA256SUMS").respond_with_data("", status=404)
    httpserver.expect_request("/mesh/mtrees2024.bin").respond_with_data(TREE)
    paths = WorkspacePaths(tmp_path / "w")
    assert bring_mesh(paths, httpserver.url_for("/mesh/mtrees2024.bin")).n_read == 2
    assert _stored(paths).year == 2024
    assert not list(paths.downloads("mesh").glob("*"))


def test_headings_match_by_name_major_topic_and_qualifier(tmp_path: Path) -> None:
    mesh, _ = read_mesh(_write(tmp_path, "d2024.bin", ASCII))
    rows = [["*Soups"], ["Lentil Soups/*adverse effects"], ["Soups/history"], []]
    publications = [Publication(str(i), "x", None, 2000, None) for i in range(len(rows))]

    def found(text: str, with_file: MeshThesaurus | None) -> list[int]:
        corpus = CorpusIndex(in_memory(publications), lambda: HeadingIndex.of(rows), lambda: with_file)
        root = parse(text).root
        assert isinstance(root, Heading)
        bits = corpus.look_up(root, "literal")
        assert bits is not None
        return rows_of(bits).tolist()

    assert found("exp Soups/", mesh) == [0, 1, 2]
    assert found("exp Soups/", None) == found("Soups/", mesh) == [0, 2]
    assert found('"soups"[Majr]', mesh) == [0, 1]
    assert found('"Soups"[Majr:noexp]', mesh) == [0]
    assert found("exp Soups/ae", mesh) == found('"Soups/adverse effects"[Mesh]', mesh) == [1]
    assert found("exp Soups/ph", mesh) == []


@pytest.mark.collections
def test_the_real_tree(collections_dir: Path) -> None:
    mesh, is_cut_off = read_mesh(collections_dir / "mesh" / "mtrees2019.bin")
    known = mesh.find("Sleep Deprivation")
    assert (mesh.year, len(mesh.headings), is_cut_off, mesh.notes) == (2019, 29_062, False, ())
    assert known is not None
    assert len(known.places) == 4
    assert "sleep deprivation" in mesh.exploded("Sleep Wake Disorders")
    proposal = mesh.proposal("Slepe Deprivation")
    assert proposal is not None
    assert proposal.name == "Sleep Deprivation"
    assert mesh.find("Abdomen") is None
    assert mesh.proposal("Body Regions") is None


@pytest.mark.collections
@pytest.mark.parametrize(
    "name", ["Fires", "Ecosystem", "Particulate Matter", "Environment", "Air Pollutants", "Humans"]
)
def test_real_headings_match_as_in_a_plain_loop(collections_dir: Path, name: str) -> None:
    mesh, _ = read_mesh(collections_dir / "mesh" / "mtrees2019.bin")
    records = read_file(collections_dir / "citesource_stages" / "medline_84.ris").records
    rows = [carried_headings(record.keywords, record.headings) for record in records]
    publications = [Publication(str(i), r.title or "x", None, r.year, None) for i, r in enumerate(records)]
    corpus = CorpusIndex(in_memory(publications), lambda: HeadingIndex.of(rows), lambda: mesh)
    lines = [
        line.strip().rpartition(";") for line in (collections_dir / "mesh" / "mtrees2019.bin").read_text().splitlines()
    ]
    own = [place for heading, _, place in lines if heading.strip() == name]
    below = {h.strip() for h, _, place in lines if any(place == up or place.startswith(f"{up}.") for up in own)}
    for explode, wanted in ((False, {name}), (True, below | {name})):
        expected = []
        for i, record in enumerate(records):
            plain = {keyword.removeprefix("*").partition("/")[0] for keyword in record.keywords}
            is_indexed = any(k.startswith("*") or " [" in k for k in record.keywords)
            if is_indexed and plain & wanted:
                expected.append(i)
        bits = corpus.look_up(Heading(name, explode), "literal")
        assert bits is not None
        assert rows_of(bits).tolist() == expected


def _rows_of(text: str, corpus: CorpusIndex) -> list[int] | None:
    root = parse(text, "ovid" if text.endswith(".") else "pubmed").root
    assert isinstance(root, Term)
    bits = corpus.look_up(root, "literal")
    return None if bits is None else rows_of(bits).tolist()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('"adverse effects"[sh]', [1]),
        ("ae[sh]", [1]),
        ("ae.fs.", [1]),
        ('"therapy"[sh]', [2, 3]),
        ('"therapy"[sh:noexp]', [3]),
        ("th.fs.", [3]),
        ("th.xs.", [2, 3]),
        ("therap*[sh:noexp]", [3]),
        ("effects.fx.", [1]),
        ("physiology[sh]", []),
        ("soups.hw.", [0, 1, 2]),
        ("soup$.hw.", [0, 1, 2]),
        ("lentil soups.hw.", [1]),
        ("soups lentil.hw.", []),
        ("x.ti,hw.", [0, 1, 2, 3]),
        ("lentil.ti,ab,hw.", [1]),
    ],
)
def test_words_and_qualifiers_are_tested_in_headings(text: str, rows: list[int]) -> None:
    carried = [["*Soups"], ["Lentil Soups/*adverse effects"], ["Soups/drug therapy"], ["Stones/th"]]
    publications = [Publication(str(i), "x", None, 2000, None) for i in range(len(carried))]
    assert _rows_of(text, CorpusIndex(in_memory(publications), lambda: HeadingIndex.of(carried))) == rows


def test_without_headings_such_parts_stay_untestable() -> None:
    publications = [Publication(str(i), "soups", None, 2000, None) for i in range(2)]
    for headings in (None, HeadingIndex.of([[], []])):
        corpus = CorpusIndex(in_memory(publications), lambda headings=headings: headings)  # type: ignore[misc]
        assert [_rows_of(text, corpus) for text in ("ae[sh]", "soups.hw.")] == [None, None]
        assert _rows_of("soups.ti,hw.", corpus) == [0, 1]
    full = CorpusIndex(in_memory(publications), lambda: HeadingIndex.of([["Stones"], []]))
    assert _rows_of("stones.mp.", full) == []  # all words of a record: tested in the texts alone


@pytest.mark.collections
@pytest.mark.parametrize("asked", ["ae", "et", "mt", "sn", "ph", "th", "fires", "air", "pollution", "matter"])
def test_real_qualifiers_and_words_match_as_in_a_plain_loop(collections_dir: Path, asked: str) -> None:
    records = read_file(collections_dir / "citesource_stages" / "medline_84.ris").records
    rows = [carried_headings(record.keywords, record.headings) for record in records]
    publications = [Publication(str(i), r.title or "x", None, r.year, None) for i, r in enumerate(records)]
    corpus = CorpusIndex(in_memory(publications), lambda: HeadingIndex.of(rows))
    expected = []
    for i, record in enumerate(records):
        if not any(keyword.startswith("*") or " [" in keyword for keyword in record.keywords):
            continue
        if len(asked) == 2:
            is_meant = any(f"/{asked} [" in keyword for keyword in record.keywords)
        else:
            names = (keyword.removeprefix("*").partition("/")[0].lower() for keyword in record.keywords)
            is_meant = any(asked in name.replace(",", " ").replace("-", " ").split() for name in names)
        if is_meant:
            expected.append(i)
    assert _rows_of(f"{asked}.fs." if len(asked) == 2 else f"{asked}.hw.", corpus) == expected
