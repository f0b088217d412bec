"""Collections as files for other evaluation programs: folders in BEIR's layout, and judgments in TREC's columns."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import uuid
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from urllib.parse import quote

from core.collections import Collection, Judgment, Query
from core.errors import FileError, InputError
from core.text import listed, many
from core.types import Ids
from data.files import disk_errors, written_aside
from data.importers.collection_parts import clean_text

# Ids in TREC files, whose columns are separated by spaces: white space in an id is percent-encoded.

_BLANK = re.compile(r"[\s\ufeff]")


def trec_id(own_id: str) -> str:
    """Percent-encode the white space of an id.

    >>> trec_id("two words")
    'two%20words'
    """
    return _BLANK.sub(lambda found: quote(found[0]), own_id)


def trec_ids(ids: Iterable[str], what: str) -> dict[str, str]:
    """Return each id as a TREC file writes it. One that it can't write, or that would be mistaken, is an error."""
    written = {own_id: trec_id(own_id) for own_id in ids}
    first: dict[str, str] = {}
    for own_id, word in written.items():
        if not word or not is_writable(word):
            raise InputError(f"a TREC file can't contain the {what} id {own_id!r}: change it and load the data again")
        if first.setdefault(word, own_id) != own_id:
            raise InputError(
                f'a TREC file writes the {what} ids "{first[word]}" and "{own_id}" alike: export a BEIR folder'
            )
    return written


def is_writable(own_id: str) -> bool:
    return clean_text(own_id) == own_id and "\ufeff" not in own_id


def encoding_notes(*written: tuple[str, Mapping[str, str]]) -> Ids:
    """Say which ids were changed for a TREC file, for each kind of id."""
    notes = []
    for what, words in written:
        if changed := [(own_id, word) for own_id, word in words.items() if own_id != word]:
            (own_id, word), *_ = changed
            notes.append(
                f'white space in {many(len(changed), f"{what} id")} is percent-encoded in TREC files: "{own_id[:60]}" '
                f'is "{word[:80]}"'
            )
    return tuple(notes)


# Judgments: each pair of query and document once.


def counted_judgments(judgments: Iterable[Judgment]) -> tuple[Judgment, ...]:
    """Return each pair of query and document once, with its highest relevance, as metrics count it."""
    highest: dict[tuple[str, str], int] = {}
    for judgment in judgments:
        pair = (judgment.query_id, judgment.doc_id)
        highest[pair] = max(judgment.relevance, highest.get(pair, judgment.relevance))
    return tuple(Judgment(*pair, relevance) for pair, relevance in highest.items())


@dataclass(frozen=True, slots=True)
class QrelsText:
    """A file of judgments, and notes on what it holds."""

    content: bytes
    notes: Ids


def trec_qrels(judgments: Iterable[Judgment]) -> QrelsText:
    """Return lines with query, 0, document and relevance."""
    counted = counted_judgments(judgments)
    queries = trec_ids((judgment.query_id for judgment in counted), "query")
    documents = trec_ids((judgment.doc_id for judgment in counted), "document")
    lines = (f"{queries[j.query_id]} 0 {documents[j.doc_id]} {j.relevance}\n" for j in counted)
    return QrelsText("".join(lines).encode(), encoding_notes(("query", queries), ("document", documents)))


HEADER = ("query-id", "corpus-id", "score")


def beir_qrels(judgments: Iterable[Judgment]) -> bytes:
    """Return three columns separated by tabs, with a header. Quotes protect a tab in an id, as BEIR reads it."""
    text = io.StringIO(newline="")
    lines = csv.writer(text, delimiter="\t", lineterminator="\n")
    lines.writerow(HEADER)
    for judgment in counted_judgments(judgments):
        for own_id in (judgment.query_id, judgment.doc_id):
            if not own_id or not is_writable(own_id) or "\n" in own_id or "\r" in own_id:
                raise InputError(
                    f"a file of judgments can't contain the id {own_id[:60]!r}: change it and load the data again"
                )
        lines.writerow((judgment.query_id, judgment.doc_id, judgment.relevance))
    return text.getvalue().encode()


# A folder in BEIR's layout: corpus.jsonl, queries.jsonl, and a file of judgments for each split.

QRELS, USUAL_SPLIT = "qrels", "test"
_PLAIN_SPLIT = re.compile(r"[A-Za-z0-9_-]{1,60}")


@dataclass(frozen=True, eq=False)
class BeirFiles:
    """The files of a collection by name, each written when it is asked for."""

    collection: Collection
    files: Mapping[str, Callable[[], Iterable[bytes]]]
    notes: Ids


def of_split(collection: Collection, split: str | None) -> Collection:
    """Return the collection with the queries of a split and their judgments only; None: all of it."""
    if split is None:
        return collection
    queries = collection.of_split(split)
    ids = {query.query_id for query in queries}
    judgments = tuple(judgment for judgment in collection.judgments if judgment.query_id in ids)
    return replace(collection, queries=queries, judgments=judgments, splits={split: collection.splits[split]})


def beir_files(collection: Collection) -> BeirFiles:
    if not collection.documents:
        raise InputError(
            f'"{collection.name}" has no documents, and a BEIR folder needs them: load it again with --documents, '
            "or export only its judgments (--qrels)"
        )
    parts, notes = _judged_splits(collection)
    files: dict[str, Callable[[], Iterable[bytes]]] = {
        "corpus.jsonl": lambda: _documents(collection),
        "queries.jsonl": lambda: _queries(collection),
    }
    for split, judgments in parts.items():
        content = beir_qrels(judgments)  # now, so that an id that it can't contain stops all files
        files[f"{QRELS}/{split}.tsv"] = partial(iter, (content,))
    return BeirFiles(collection, files, (*notes, *judgment_notes(collection)))


def judgment_notes(collection: Collection) -> Ids:
    n, n_counted = len(collection.judgments), len(counted_judgments(collection.judgments))
    if not n:
        return ("there are no judgments: retrievers can be run on it, but not scored",)
    if n == n_counted:
        return ()
    return (f"{many(n - n_counted, 'judgment')} of a pair judged before left out; the highest relevance counts",)


def _documents(collection: Collection) -> Iterator[bytes]:
    return (_line({"_id": d.doc_id, "title": d.title, "text": d.text}) for d in collection.documents)


def _queries(collection: Collection) -> Iterator[bytes]:
    return (_line({"_id": q.query_id, "text": q.text, "metadata": _metadata(q)}) for q in collection.queries)


def _metadata(query: Query) -> dict[str, str | list[str]]:
    """Return the labels by name; a name that a query has several times gets a list."""
    values: dict[str, list[str]] = {}
    for name, value in query.labels:
        values.setdefault(name, []).append(value)
    return {name: found[0] if len(found) == 1 else found for name, found in values.items()}


def _line(value: Mapping[str, object]) -> bytes:
    # Half a surrogate pair has no encoding: it is written as JSON writes it.
    return f"{json.dumps(value, ensure_ascii=False)}\n".encode("utf-8", "backslashreplace")


def _judged_splits(collection: Collection) -> tuple[dict[str, list[Judgment]], Ids]:
    """Return the judgments by split; all in one if the splits can't be files of their own."""
    judgments, split_of = collection.judgments, _split_of(collection)
    if not collection.splits or not judgments:
        return {USUAL_SPLIT: list(judgments)}, ()
    if isinstance(split_of, str):
        shown = listed(list(collection.splits), 6)
        note = f"its splits ({shown}) {split_of}, so {QRELS}/{USUAL_SPLIT}.tsv has the judgments of all"
        return {USUAL_SPLIT: list(judgments)}, (note,)
    parts: dict[str, list[Judgment]] = {}
    for judgment in judgments:
        parts.setdefault(split_of[judgment.query_id], []).append(judgment)
    return {name: parts[name] for name in collection.splits if name in parts}, ()


def _split_of(collection: Collection) -> dict[str, str] | str:
    """Return the split of each query, or the reason why judgments can't be one file per split."""
    split_of: dict[str, str] = {}
    for name, ids in collection.splits.items():
        if not split_of.keys().isdisjoint(ids):
            return "have queries in common"
        split_of |= dict.fromkeys(ids, name)
    if any(judgment.query_id not in split_of for judgment in collection.judgments):
        return "leave out queries with judgments"
    if len({name.lower() for name in collection.splits if _PLAIN_SPLIT.fullmatch(name)}) < len(collection.splits):
        return "have names that can't be names of files"
    return split_of


# Writing


def check_folder(folder: Path, *, force: bool) -> None:
    """Check the place before anything is computed."""
    with disk_errors(folder, FileError):
        if folder.exists() and not folder.is_dir():
            raise FileError(f"{folder} is a file: name a folder")
        if not force and folder.is_dir() and any(folder.iterdir()):
            raise FileError(f"{folder} has files already: name another folder or overwrite it with --force")


def check_file(path: Path, *, force: bool) -> None:
    """Check the place before anything is computed."""
    with disk_errors(path, FileError):
        if path.is_dir():
            raise FileError(f"{path} is a folder: name a file in it")
        if path.exists() and not force:
            raise FileError(f"{path} already exists: name another file or overwrite it with --force")


def write_beir(files: BeirFiles, folder: Path, *, force: bool = False) -> list[Path]:
    """Write the files to a folder, which gets them only when all are complete.

    `force`: overwrite those of an earlier export, and delete its judgments of other splits.
    """
    check_folder(folder, force=force)
    aside = folder / f".{uuid.uuid4().hex}.part"
    with disk_errors(folder, FileError):
        try:
            for name, lines in files.files.items():
                place = aside / name
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("wb") as out:
                    out.writelines(lines())
            for old in (folder / QRELS).glob("*.tsv"):
                old.unlink()
            for name in files.files:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(aside / name, folder / name)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return [folder / name for name in files.files]


def write_qrels(qrels: QrelsText, path: Path, *, force: bool = False) -> None:
    check_file(path, force=force)
    with disk_errors(path, FileError), written_aside(path) as out:
        out.write(qrels.content)


def beir_zip(files: BeirFiles) -> bytes:
    """Return an archive of the files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in files.files.items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as out:
                out.writelines(lines())
    return content.getvalue()
