"""The commands of the guide for librarians do what it says, on a real review."""

from __future__ import annotations

import csv
import io
import re
import shlex
import shutil
from pathlib import Path

import docx
import pytest
from click.testing import CliRunner

from dashboard.cli import cli
from data.audit.bundle import read_bundle, rebuild

GUIDE = Path(__file__).parents[3] / "dashboard" / "guide" / "review.md"
DATABASES = ("Dimensions", "EconLit", "Environment Index", "The Lens", "MEDLINE", "Web of Science")


@pytest.mark.collections
def test_eight_commands_make_an_appendix(
    collections_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", str(tmp_path / "workspace"))
    Path("exports").mkdir()
    for path in sorted((collections_dir / "citesource_stages").glob("*.ris")):
        kind = path.stem.split("_")[0]
        names = {"screened": "screened.ris", "final": "included.ris"}
        shutil.copyfile(path, names.get(kind, f"exports/{path.name}"))
    rows = [f'{name},2024-08-09,A. Librarian,"wildfire* AND review*"' for name in DATABASES]
    Path("searches.csv").write_text("\n".join(["Database,Date,By,Search string", *rows]), "utf-8")
    found = re.search(r"```sh\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    commands = found[1].splitlines()
    assert len(commands) == 8
    for command in commands:
        words = [word for each in shlex.split(command)[1:] for word in sorted(map(str, Path().glob(each))) or [each]]
        told = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert told.exit_code == 0, (command, told.output)
    text = "\n".join(cell.text for table in docx.Document("appendix.docx").tables for cell in table._cells)
    assert all(name in text for name in DATABASES)
    bundle = read_bundle(Path("audit.zip"))
    found = list(csv.DictReader(io.StringIO(bundle.files["results/searches.csv"].decode())))
    assert (len(found), sum(row["3 Environment Index (EBSCOhost)"] == "1" for row in found)) == (507, 100)
    rebuilt = rebuild(bundle)
    assert rebuilt.differing == ()
    facts = rebuilt.audit
    assert (facts.n_found, facts.n_sought, facts.n_included, facts.n_core) == (507, 127, 24, 24)
    assert [search.n_records for search in facts.recorded] == [246, 3, 100, 343, 84, 278]
