"""Every real file is recognised and read in full, or refused by name: records in the file, read and rejected."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FormatError
from data.importers.reading import read_file
from tests.data.importers.real_files import COUNTED, REFUSED, Counted

pytestmark = pytest.mark.collections


@pytest.mark.parametrize(("name", "counted"), COUNTED.items(), ids=str)
def test_every_record_of_a_real_file(collections_dir: Path, name: str, counted: Counted) -> None:
    found = read_file(collections_dir / name)
    assert (found.format_id, found.records_in_file, len(found.records), len(found.rejected)) == counted
    assert all(rejected.line and rejected.reason for rejected in found.rejected)


@pytest.mark.parametrize(("name", "reason"), REFUSED.items())
def test_what_is_no_bibliography_is_refused_by_name(collections_dir: Path, name: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as refused:
        read_file(collections_dir / name)
    assert Path(name).name in str(refused.value)


def test_no_file_of_the_formats_is_left_out(collections_dir: Path) -> None:
    there = {f"formats/{path.name}" for path in (collections_dir / "formats").iterdir()}
    assert there == {name for name in (*COUNTED, *REFUSED) if name.startswith("formats/")}
