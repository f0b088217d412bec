"""A small collection in LitQEval's layout, with a name that a screen could take for markup."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openpyxl

from data.library.litqeval import folder_name

SOUPS = "[bold red]Soups[bold] :tea:"


def write_workbook(path: Path, rows: list[list[Any]]) -> None:
    """One sheet with these rows."""
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    workbook.save(path)
    workbook.close()


def write_litqeval(root: Path) -> Path:
    """One topic with three core publications, two of them found by the one query that was run."""
    lists = root / "text" / folder_name(SOUPS)
    lists.mkdir(parents=True)
    core = [[SOUPS, "s1", f"p{i}", f"Core {i}"] for i in range(3)]
    write_workbook(root / "core_publications.xlsx", [["Topic", "Survey", "Pub_id", "Title"], *core])
    write_workbook(root / "metadata.xlsx", [["id", "title", "abstract"], ["p0", "Core 0", "About soup."]])
    (root / "queries.json").write_text(json.dumps([{"baseline": SOUPS, "predicted": "soup OR broth"}]), "utf-8")
    rows = "".join(f"p{i},Title {i},About soup {i}\n" for i in range(1, 12))
    (lists / "baseline_pubs.csv").write_text(f"id,title,abstract\n{rows}", "utf-8")
    return root
