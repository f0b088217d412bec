"""The LitQEval collection in its own layout, from a folder or a web address.

    core_publications.xlsx          Topic, Survey, Pub_id, Title: the core publications, and with them the topics
    metadata.xlsx                   id, title, abstract, doi, times_cited, year
    queries.json                    one object per topic: baseline (the topic's name), predicted, slr
    text/<Topic>/<label>_pubs.csv   id, title, abstract: what that query version retrieved

Only the first file is needed. Others that are missing are listed, and what is odd in them is counted in the notes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.errors import DownloadError, FileError, FormatError
from core.studies.core_sets import SurveyKind
from core.types import Ids, Origin, Publication, unique_ids
from data.download import OnProgress, mirror
from data.importers.litqeval.files import Row, Table, cell_text, read_list, whole_number
from data.importers.litqeval.outline import (
    CORE_FILE,
    METADATA_FILE,
    ORIGIN_OF,
    QUERIES_FILE,
    Outline,
    TopicOutline,
    id_notes,
    read_outline,
    rows_with_id,
)
from data.transfer import shown

OnLoad = Callable[[int, int, str], None]
"""Takes the number of result lists read, the number to read, and the path of the last one."""


@dataclass(frozen=True, slots=True)
class LitQEvalVersion:
    """One wording of a topic's search, with what it retrieved."""

    label: str
    number: int
    text: str
    """Empty when the collection has only the result list."""
    origin: Origin
    retrieved_ids: Ids | None
    """None: the result list is missing. Empty: the list is there and holds nothing."""


@dataclass(frozen=True, slots=True)
class LitQEvalTopic:
    """One topic under its own name."""

    topic_id: str
    survey_ids: Ids
    core_ids: Ids
    """Empty when only queries.json knows the topic: nothing can be scored then."""
    versions: tuple[LitQEvalVersion, ...]
    survey_kind: SurveyKind | None = None
    """None: queries.json does not know the topic."""


@dataclass(frozen=True, slots=True)
class LitQEvalCollection:
    """Everything that could be read."""

    folder: str
    """Where core_publications.xlsx lies: the folder that was named, or its data/."""
    publications: tuple[Publication, ...]
    topics: tuple[LitQEvalTopic, ...]
    missing_files: Ids
    """Paths inside `folder`, sorted."""
    notes: Ids


@dataclass(frozen=True, slots=True)
class LitQEvalDownload:
    """Where a download lies."""

    folder: Path
    """What to hand to `load_litqeval`."""
    missing_files: Ids
    """Files that the collection should have and the server has not, as paths inside `folder`, sorted."""


def load_litqeval(folder: Path, on_progress: OnLoad | None = None) -> LitQEvalCollection:
    """Read a collection from its folder, or from the folder above its data/."""
    try:
        return _load(folder, on_progress)
    except OSError as e:
        raise FileError(f"can't read {e.filename or folder}: {e.strerror or e}") from e


def _load(folder: Path, on_progress: OnLoad | None) -> LitQEvalCollection:
    root = _root_of(folder)
    outline = read_outline(root)
    lists = _read_lists(root, outline.possible_lists(), on_progress)
    tables = (outline.metadata, *lists.values())
    return LitQEvalCollection(
        folder=str(root),
        publications=_publications(tables, outline.core_titles),
        topics=tuple(_topic(topic, lists) for topic in outline.topics),
        missing_files=_missing(outline, (path for path in outline.expected_lists() if path not in lists)),
        notes=(
            *outline.notes,
            *(note for table in tables for note in (*table.notes, *id_notes(table))),
            *_stray_notes(root, outline),
        ),
    )


def download_litqeval(
    base_url: str,
    folder: Path,
    *,
    on_progress: OnProgress | None = None,
    n_attempts: int = 5,
    sleep: Callable[[float], None] = time.sleep,
) -> LitQEvalDownload:
    """Fetch a collection from under `base_url`, or from its data/. A folder belongs to one base: see `mirror`."""
    bring = partial(mirror, base_url, (), folder, on_progress=on_progress, n_attempts=n_attempts, sleep=sleep)
    prefix = "data/" if bring(optional=(CORE_FILE,)).missing else ""
    if prefix and bring(optional=(prefix + CORE_FILE,)).missing:
        where = f"at {shown(base_url)} nor in its data/"
        raise DownloadError(f"no {CORE_FILE} {where}: give the address under which the files themselves lie")
    bring(optional=(prefix + METADATA_FILE, prefix + QUERIES_FILE))
    root = folder / prefix
    try:
        outline = read_outline(root)
    except FormatError:
        for name in (CORE_FILE, METADATA_FILE, QUERIES_FILE):  # else the next run would keep what can't be read
            (root / name).unlink(missing_ok=True)
        raise
    absent = bring(optional=[prefix + path for path in outline.possible_lists()]).missing
    return LitQEvalDownload(
        root, _missing(outline, (path for path in outline.expected_lists() if prefix + path in absent))
    )


def _root_of(folder: Path) -> Path:
    if not folder.is_dir():
        problem = "is not a folder" if folder.exists() else "does not exist"
        raise FileError(f"{folder} {problem}: give the folder that holds {CORE_FILE}")
    root = next((place for place in (folder, folder / "data") if (place / CORE_FILE).exists()), None)
    if root is None:
        raise FileError(f"no {CORE_FILE} in {folder} nor in its data/: nothing can be loaded without it")
    return root


def _read_lists(root: Path, paths: Ids, on_progress: OnLoad | None) -> dict[str, Table]:
    here = [path for path in paths if _is_there(root / path)]
    lists = {}
    for n_read, path in enumerate(here, 1):
        lists[path] = read_list(root / path, path)
        if on_progress is not None:
            on_progress(n_read, len(here), path)
    return lists


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a topic's name can be longer than a file's may be
        return False


def _missing(outline: Outline, lists: Iterable[str]) -> Ids:
    return tuple(sorted((*outline.missing_files, *lists)))


def _stray_notes(root: Path, outline: Outline) -> Ids:
    """Result lists that no topic or label claims: a spelling that differs would otherwise lose them unseen."""
    found = (path.relative_to(root).as_posix() for path in sorted(root.glob("text/*/*_pubs.csv")))
    claimed = frozenset(outline.possible_lists())
    return tuple(f"{path}: not read, it belongs to no topic and label" for path in found if path not in claimed)


def _topic(topic: TopicOutline, lists: dict[str, Table]) -> LitQEvalTopic:
    labels = [label for label in ORIGIN_OF if label in topic.texts or topic.list_path(label) in lists]
    versions = tuple(_version(topic, label, number, lists) for number, label in enumerate(labels, 1))
    return LitQEvalTopic(topic.topic_id, topic.survey_ids, topic.core_ids, versions, topic.survey_kind)


def _version(topic: TopicOutline, label: str, number: int, lists: dict[str, Table]) -> LitQEvalVersion:
    table = lists.get(topic.list_path(label))
    retrieved = None if table is None else unique_ids(publication_id for publication_id, _ in rows_with_id(table))
    text = topic.texts.get(label, topic.topic_id if label == "baseline" else "")
    return LitQEvalVersion(label, number, text, ORIGIN_OF[label], retrieved)


def _publications(tables: Iterable[Table], core_titles: dict[str, str]) -> tuple[Publication, ...]:
    """Each publication once; what an earlier table says stands, a later one fills its gaps."""
    known: dict[str, Publication] = {}
    for table in tables:
        for publication_id, row in rows_with_id(table):
            known[publication_id] = _filled(known.get(publication_id), _publication(publication_id, row))
    for publication_id, title in core_titles.items():
        known[publication_id] = _filled(known.get(publication_id), Publication(publication_id, title))
    return tuple(known.values())


def _publication(publication_id: str, row: Row) -> Publication:
    return Publication(
        publication_id,
        title=cell_text(row.get("title")),
        abstract=cell_text(row.get("abstract")) or None,
        year=whole_number(row.get("year")),
        doi=cell_text(row.get("doi")) or None,
        times_cited=whole_number(row.get("times_cited")),
    )


def _filled(first: Publication | None, second: Publication) -> Publication:
    if first is None:
        return second
    return replace(
        first,
        title=first.title or second.title,
        abstract=first.abstract or second.abstract,
        year=second.year if first.year is None else first.year,
        doi=first.doi or second.doi,
        times_cited=second.times_cited if first.times_cited is None else first.times_cited,
    )
