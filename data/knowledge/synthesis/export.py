"""A collection's questions as STaRK publishes them: a table of questions with answers, and one file for each split."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from core.errors import InputError
from core.ranking.check import Collection
from core.types import Ids
from data.collections.parts import clean_text
from data.collections.stark import answer_list
from data.files import disk_errors

TABLE = "stark_qa/stark_qa.csv"
DATE = (1980, 1, 1, 0, 0, 0)
"""Of every file in an archive, so that the same questions are the same bytes."""


def stark_files(collection: Collection) -> dict[str, str]:
    """The text of every file, by its path."""
    answers: dict[str, list[str]] = defaultdict(list)
    for judgment in collection.judgments:
        if judgment.relevance > 0:
            answers[judgment.query_id].append(judgment.doc_id)
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["id", "query", "answer_ids"])
    for query in collection.queries:
        listed = answer_list(answers[query.query_id])
        rows.writerow([_checked_id(query.query_id), " ".join(clean_text(query.text).split()), listed])
    files = {TABLE: written.getvalue()}
    for name, ids in _splits(collection).items():
        files[f"split/{name}.index"] = "".join(f"{query_id}\n" for query_id in ids)
    return files


def _splits(collection: Collection) -> Mapping[str, Ids]:
    if odd := [name for name in collection.splits if "/" in name or "\\" in name or name.startswith(".")]:
        raise InputError(f'split "{odd[0]}" can\'t be the name of a file')
    return collection.splits


def _checked_id(query_id: str) -> str:
    if clean_text(query_id) != query_id or not query_id or len(query_id.split()) != 1:
        raise InputError(f"\"{query_id[:80]}\" can't be the id of a question in STaRK's layout: number the queries")
    return query_id


def write_stark(collection: Collection, folder: Path) -> tuple[Path, ...]:
    """Write them into a folder, which is made if it is not there."""
    files = stark_files(collection)
    with disk_errors(folder):
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
    return tuple(folder / name for name in files)


def stark_zip(collection: Collection) -> bytes:
    """All of them as one archive."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in stark_files(collection).items():
            archive.writestr(ZipInfo(name, DATE), text, ZIP_DEFLATED)
    return packed.getvalue()
