"""Tagged files as databases and reference managers write them: none of their records is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import FormatError
from data.importers.reading import TAGGED, read_data, read_file
from data.importers.source import opened
from tests.data.importers.bibliographies import reading
from tests.data.importers.real_files import COUNTED

TAGGED_FILES = {name for name, counted in COUNTED.items() if counted[0] in {form.format_id for form in TAGGED}}

HELD = {
    "asreview_vandeSchoot_2017/schoot-lgmm-ptsd-included-1.ris": {"title": 363, "abstract": 196, "doi": 153},
    "citesource_new_benchmark/benchmark_15.ris": {"title": 15, "abstract": 0, "doi": 0, "venue": 15},
    "citesource_stages/Dimensions_246.ris": {"doi": 246, "pmid": 76, "own_id": 246, "abstract": 243},
    "citesource_stages/medline_84.ris": {"pmid": 84, "doi": 84, "abstract": 84, "venue": 84},
    "citesource_stages/envindex_100.ris": {"abstract": 99, "doi": 99},
    "citesource_stages/screened_128.ris": {"abstract": 124, "own_id": 90},
    "citesource_stages/wos_278.ris": {"own_id": 278, "abstract": 276, "doi": 271, "venue": 278},
    "formats/asreview__baseline_tag-notes_labels.ris": {"included": 20},
    "formats/asreview__pubmed_endnote.txt": {"pmid": 6, "doi": 6},
    "cranfield_smart/cran.all.1400": {"title": 1398, "abstract": 1398, "own_id": 1400},
    "litsearchr_woodpecker/zoorec.txt": {"title": 134, "abstract": 80, "doi": 27, "pmid": 9},
    "medline/MED.ALL": {"title": 0, "abstract": 1033, "own_id": 1033},
}


@pytest.mark.collections
@pytest.mark.parametrize(("name", "expected"), HELD.items(), ids=str)
def test_what_real_records_hold(collections_dir: Path, name: str, expected: dict[str, int]) -> None:
    records = read_file(collections_dir / name).records
    held = {field: sum(getattr(record, field) not in (None, "", ()) for record in records) for field in expected}
    assert held == expected


DAMAGES: dict[str, Callable[[str], str]] = {
    "no ends": lambda text: re.sub(r"(?m)^ER  -.*\n?", "", text),
    "line ends of old Macs": lambda text: text.replace("\n", "\r"),
    "line ends twice": lambda text: text.replace("\n", "\r\r\n"),
    "blank lines between all lines": lambda text: text.replace("\n", "\n\n"),
    "indented": lambda text: re.sub(r"(?m)^", "  ", text),
    "one space": lambda text: re.sub(r"(?m)^([A-Z][A-Z0-9])  -", r"\1 -", text),
    "a web page": lambda text: f"<html><body><pre>\n{text}</pre></body></html>",
}


@pytest.mark.collections
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["Dimensions_246", "lens_343", "medline_84", "screened_128", "wos_278"])
def test_damage_to_real_files_loses_no_record(collections_dir: Path, name: str, damage: str) -> None:
    data = (collections_dir / f"citesource_stages/{name}.ris").read_bytes()
    whole = read_data(data, "whole.ris")
    damaged = read_data(DAMAGES[damage](data.decode("utf-8-sig")).encode(), "damaged.ris")
    assert [record.title for record in damaged.records] == [record.title for record in whole.records]
    assert damaged.records_in_file == whole.records_in_file
    assert damaged.rejected == ()


@pytest.mark.collections
def test_no_other_file_is_taken_for_a_tagged_one(collections_dir: Path) -> None:
    taken = []
    for path in sorted(collections_dir.glob("*/*")):
        if not path.is_file() or path.relative_to(collections_dir).as_posix() in TAGGED_FILES or path.suffix == ".npz":
            continue
        try:
            source = opened(path.read_bytes(), path.name)
        except FormatError:
            continue
        taken += [(path.name, form.format_id) for form in TAGGED if form.likeness(source) > 0]
    assert taken == []


SMALL = {
    "ris": "TY  - JOUR\nTI  - R\nER  - \n",
    "pubmed_nbib": "PMID- 12345\nTI  - M\n",
    "wos_text": "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI W\nER\n\nEF\n",
    "endnote_tagged": "%0 Book\n%T E\n",
    "smart": ".I 1\n.T\nS\n",
}


@pytest.mark.parametrize("format_id", SMALL)
def test_each_format_is_told_from_the_others(format_id: str) -> None:
    assert reading(SMALL[format_id]).format_id == format_id


JOINED = [
    (first, second, gap)
    for first in SMALL
    for second in (*SMALL, "bibtex")
    for gap in ("\n", "")
    if first != second and (gap or first != "smart")
]


@pytest.mark.parametrize(("first", "second", "gap"), JOINED)
def test_records_of_a_second_format_are_named(first: str, second: str, gap: str) -> None:
    other = {**SMALL, "bibtex": "@article{k,\n  title = {B}\n}\n"}[second]
    found = reading(SMALL[first] + gap + other)
    assert found.format_id == first
    assert len(found.records) == 1
    assert all("it looks like" in rejected.reason for rejected in found.rejected)
    assert found.rejected[0].line == (SMALL[first] + gap).count("\n") + 1
