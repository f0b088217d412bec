"""Import the LitQEval collection and its authors' published numbers."""

from __future__ import annotations

import csv
import io
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import DownloadError, FileError, FormatError, InputError
from core.explore.reproduction import BESIDE_REVIEW, PublishedCurve, PublishedRegion, PublishedScore
from core.explore.studies import SurveyKind, ThresholdCurve
from core.types import Ids, Origin, Publication, unique_ids
from data.http.download import OnProgress, is_safe_name, mirror, shown
from data.importers.workbooks import Workbook

# Read the three kinds of file of a LitQEval collection: workbooks, the list of queries and result lists.
#
# A row is a dict of lower-case column name to cell. Deviations from the format are reported in `notes`.

Row = dict[str, Any]
_LONGEST_FIELD = 16 * 1024 * 1024
_NO_VALUE = frozenset({"", "nan", "none", "null", "[no abstract available]"})


@dataclass(frozen=True, slots=True)
class LitQEvalTable:
    name: str
    """The file's path inside the collection, as used in messages and notes."""
    rows: tuple[Row, ...]
    notes: Ids = ()


def read_workbook(path: Path, name: str, needed: Sequence[str], useful: Sequence[str]) -> LitQEvalTable:
    """Read the first sheet with every `needed` column. No such sheet is an error; a missing `useful` one is a note."""
    try:
        lines = _sheet_lines(path, name, needed)
    except OSError as e:
        raise _unreadable(name, e) from e
    return _table(name, lines, needed, useful, notes=[])


def read_list(path: Path, name: str) -> LitQEvalTable:
    """Read a comma-separated result list with the columns id, title and abstract."""
    return read_comma_separated(path, name, ("id",), ("title", "abstract"))


def read_comma_separated(path: Path, name: str, needed: Sequence[str], useful: Sequence[str]) -> LitQEvalTable:
    """Read a comma-separated table. A missing `needed` column is an error, a missing `useful` one a note."""
    text, notes = _read_text(path, name)
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        lines = _csv_lines(text, name, strict=True)
    except FormatError as e:
        notes.append(f"{e}: read anyway, rows may have run together")
        lines = _csv_lines(text, name, strict=False)
    return _table(name, lines, needed, useful, notes)


def read_queries(path: Path, name: str) -> LitQEvalTable:
    """Read a JSON list of objects, one per topic, each with its query texts."""
    text, notes = _read_text(path, name)
    try:
        entries = json.loads(text)
    except json.JSONDecodeError as e:
        raise FormatError(f"{name} is not valid JSON: {e.msg} in line {e.lineno}: correct or download it again") from e
    except (ValueError, RecursionError) as e:
        raise FormatError(f"{name} is not a list of queries: {_one_line(e)}: correct or download it again") from e
    if not isinstance(entries, list):
        raise FormatError(f'{name} must be a list of objects with "baseline", not a {type(entries).__name__}')
    rows = tuple(entry for entry in entries if isinstance(entry, dict))
    if len(rows) < len(entries):
        notes.append(f"{name}: entries that are not objects, left out: {len(entries) - len(rows)}")
    return LitQEvalTable(name, rows, tuple(notes))


def cell_text(value: Any) -> str:
    """Return a cell as text; an empty cell and a marker for "no value" become empty.

    >>> cell_text(" pub.1 "), cell_text(None), cell_text("nan"), cell_text("[No abstract available]"), cell_text(12.0)
    ('pub.1', '', '', '', '12')
    """
    number = whole_number(value) if isinstance(value, float) else None
    text = str(value if number is None else number).strip()
    return "" if text.lower() in _NO_VALUE else text


LARGEST_NUMBER = 2**31 - 1
"""Largest year or count; anything above is a typing error and is left out."""


def whole_number(value: Any) -> int | None:
    """Read a year or a count from a number or a text; None if it is not a whole number.

    >>> whole_number(2019.0), whole_number(" 2019 "), whole_number("2019.0"), whole_number("n.d."), whole_number(2.5)
    (2019, 2019, 2019, None, None)
    """
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    in_range = abs(number) <= LARGEST_NUMBER
    return int(number) if in_range and number.is_integer() and not isinstance(value, bool) else None


def _sheet_lines(path: Path, name: str, needed: Sequence[str]) -> list[list[Any]]:
    workbook = Workbook(path.read_bytes(), name)
    first: list[list[Any]] | None = None
    for sheet in workbook.sheets:
        lines = [row.values for row in workbook.rows(sheet)]
        if _has_columns(lines, needed):
            return lines
        first = lines if first is None else first
    return first or []


def _has_columns(lines: Sequence[Sequence[Any]], needed: Sequence[str]) -> bool:
    head = next((line for line in lines if any(cell is not None for cell in line)), ())
    return {column.lower() for column in needed} <= {str(cell).strip().lower() for cell in head}


def _csv_lines(text: str, name: str, *, strict: bool) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=strict)
    try:
        return list(reader)
    except csv.Error as e:
        raise FormatError(f"{name}: line {reader.line_num} is not well-formed CSV ({e})") from e


def _table(
    name: str, lines: Iterable[Sequence[Any]], needed: Sequence[str], useful: Sequence[str], notes: list[str]
) -> LitQEvalTable:
    filled = [line for line in lines if any(cell is not None for cell in line)]
    head = ["" if cell is None else str(cell).strip() for cell in (filled[0] if filled else ())]
    columns = {column.lower(): i for i, column in reversed(list(enumerate(head)))}
    lacking = [column for column in needed if column.lower() not in columns]
    if lacking:
        found = " ".join(", ".join(column for column in head if column).split())[:200] or "none"
        raise FormatError(f"{name} has no column {', '.join(lacking)} (columns found: {found}): correct its first row")
    notes += [f"{name}: no column {column}" for column in useful if column.lower() not in columns]
    n_longer = sum(any(cell not in (None, "") for cell in line[len(head) :]) for line in filled[1:])
    if n_longer:
        notes.append(f"{name}: rows with more cells than the first row has, the surplus left out: {n_longer}")
    rows = [{column: line[i] if i < len(line) else None for column, i in columns.items()} for line in filled[1:]]
    return LitQEvalTable(name, tuple(rows), tuple(notes))


def _read_text(path: Path, name: str) -> tuple[str, list[str]]:
    try:
        content = path.read_bytes()
    except OSError as e:
        raise _unreadable(name, e) from e
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text, [] if encoding == "utf-8-sig" else [f"{name}: not valid UTF-8, read as {encoding}"]
    return content.decode("latin-1"), [f"{name}: not valid UTF-8, read as latin-1"]


def _unreadable(name: str, e: OSError) -> FileError:
    return FileError(f"can't read {name}: {e.strerror or e}")


def _one_line(e: Exception) -> str:
    return " ".join(str(e).split())[:200] or type(e).__name__


# Everything of a LitQEval collection except its result lists: topics, core publications, query texts, metadata.

CORE_FILE, METADATA_FILE, QUERIES_FILE = "core_publications.xlsx", "metadata.xlsx", "queries.json"
ORIGIN_OF: dict[str, Origin] = {"baseline": "baseline", "predicted": "generated", "slr": "review"}
"""Version label to origin, in the order in which a topic's versions are numbered."""


@dataclass(frozen=True, slots=True)
class TopicOutline:
    """One topic. Topic names in different files are the same topic if they lead to the same folder in text/."""

    topic_id: str
    survey_ids: Ids
    core_ids: Ids
    texts: dict[str, str]
    """Label to query text, for the labels that queries.json has."""

    @property
    def survey_kind(self) -> SurveyKind | None:
        """The collection's own split: a topic with a review's search string has its core from that systematic review.

        None: queries.json does not list the topic.
        """
        if not self.texts:
            return None
        return "systematic review" if "slr" in self.texts else "bibliometric"

    def list_path(self, label: str) -> str:
        return f"text/{folder_name(self.topic_id)}/{label}_pubs.csv"

    def expected_lists(self) -> Ids:
        return tuple(self.list_path(label) for label in self.texts)

    def possible_lists(self) -> Ids:
        """Return the paths of all possible result lists, with or without a query text; none if the name is unsafe."""
        return tuple(path for path in map(self.list_path, ORIGIN_OF) if is_safe_name(path))


@dataclass(frozen=True, slots=True)
class LitQEvalOutline:
    """The contents of the three files at the top of a collection."""

    topics: tuple[TopicOutline, ...]
    """Topics with core publications first, then those that only queries.json lists."""
    core_titles: dict[str, str]
    metadata: LitQEvalTable
    missing_files: Ids
    notes: Ids

    def expected_lists(self) -> Ids:
        return tuple(path for topic in self.topics for path in topic.expected_lists())

    def possible_lists(self) -> Ids:
        return tuple(path for topic in self.topics for path in topic.possible_lists())


def folder_name(topic: str) -> str:
    """Return the folder in text/ that holds a topic's result lists.

    >>> folder_name('"Green Warehousing"')
    'Green_Warehousing'
    """
    return topic.strip().replace('"', "").replace(" ", "_")


def rows_with_id(table: LitQEvalTable, column: str = "id") -> Iterator[tuple[str, Row]]:
    return ((publication_id, row) for row in table.rows if (publication_id := cell_text(row.get(column))))


def id_notes(table: LitQEvalTable) -> Ids:
    ids = [publication_id for publication_id, _ in rows_with_id(table)]
    n_repeated = len(ids) - len(set(ids))
    counts = {"rows without an id, left out": len(table.rows) - len(ids), "repeated ids, counted once": n_repeated}
    return _counted(table.name, counts)


def read_outline(root: Path) -> LitQEvalOutline:
    """Read the three files. Only core_publications.xlsx is required."""
    missing = tuple(name for name in (METADATA_FILE, QUERIES_FILE) if not (root / name).exists())
    core = read_workbook(root / CORE_FILE, CORE_FILE, ("Topic", "Pub_id"), ("Survey", "Title"))
    metadata, queries = LitQEvalTable(METADATA_FILE, ()), LitQEvalTable(QUERIES_FILE, ())
    if METADATA_FILE not in missing:
        needed, useful = ("id", "title", "abstract"), ("doi", "times_cited", "year")
        metadata = read_workbook(root / METADATA_FILE, METADATA_FILE, needed, useful)
    if QUERIES_FILE not in missing:
        queries = read_queries(root / QUERIES_FILE, QUERIES_FILE)
    texts = _query_texts(queries)
    topics = _topics(core, texts)
    core_ids = frozenset(publication_id for topic in topics for publication_id in topic.core_ids)
    rows = ((publication_id, row) for publication_id, row in rows_with_id(core, "pub_id") if publication_id in core_ids)
    titles = {publication_id: cell_text(row.get("title")) for publication_id, row in rows}
    notes = (*_core_notes(core), *_query_notes(queries), *_topic_notes(topics, missing))
    if METADATA_FILE not in missing:
        n_bare = len(core_ids - {publication_id for publication_id, _ in rows_with_id(metadata)})
        notes += _counted(METADATA_FILE, {"core publications without a row": n_bare})
    return LitQEvalOutline(topics, titles, metadata, missing, notes)


def _topics(core: LitQEvalTable, texts: dict[str, tuple[str, dict[str, str]]]) -> tuple[TopicOutline, ...]:
    names: dict[str, str] = {}
    rows: dict[str, list[tuple[str, Row]]] = {}
    for publication_id, row in rows_with_id(core, "pub_id"):
        if folder := folder_name(cell_text(row["topic"])):
            names.setdefault(folder, cell_text(row["topic"]))
            rows.setdefault(folder, []).append((publication_id, row))
    for folder, (name, _) in texts.items():
        names.setdefault(folder, name)
    return tuple(
        TopicOutline(
            topic_id=name,
            survey_ids=unique_ids(
                survey for _, row in rows.get(folder, ()) if (survey := cell_text(row.get("survey")))
            ),
            core_ids=unique_ids(publication_id for publication_id, _ in rows.get(folder, ())),
            texts=texts[folder][1] if folder in texts else {},
        )
        for folder, name in names.items()
    )


def _query_texts(queries: LitQEvalTable) -> dict[str, tuple[str, dict[str, str]]]:
    """Return the topic's name and its query texts by folder in text/. Of repeated entries the first counts."""
    texts: dict[str, tuple[str, dict[str, str]]] = {}
    for row in queries.rows:
        found = {label: row[label].strip() for label in ORIGIN_OF if isinstance(row.get(label), str)}
        if folder := folder_name(found.get("baseline", "")):
            texts.setdefault(folder, (found["baseline"], {label: text for label, text in found.items() if text}))
    return texts


def _core_notes(core: LitQEvalTable) -> Ids:
    pairs = [(folder_name(cell_text(row["topic"])), cell_text(row["pub_id"])) for row in core.rows]
    whole = [pair for pair in pairs if all(pair)]
    counts = {
        "rows without a topic, left out": sum(not topic for topic, _ in pairs),
        "rows without an id, left out": sum(bool(topic) and not publication_id for topic, publication_id in pairs),
        "repeated rows, counted once": len(whole) - len(set(whole)),
    }
    return (*core.notes, *_counted(core.name, counts))


def _query_notes(queries: LitQEvalTable) -> Ids:
    baselines = [row.get("baseline") for row in queries.rows]
    folders = [folder for text in baselines if isinstance(text, str) and (folder := folder_name(text))]
    others = [row.get(label) for row in queries.rows for label in ORIGIN_OF]
    counts = {
        "entries without a baseline, left out": len(baselines) - len(folders),
        "repeated topics, first entry taken": len(folders) - len(set(folders)),
        "queries that are not text, left out": sum(not isinstance(text, str | None) for text in others),
    }
    return (*queries.notes, *_counted(queries.name, counts))


def _topic_notes(topics: tuple[TopicOutline, ...], missing: Ids) -> Ids:
    without_core = (f'{CORE_FILE}: no row for topic "{topic.topic_id}"' for topic in topics if not topic.core_ids)
    without_text = (f'{QUERIES_FILE}: no entry for topic "{topic.topic_id}"' for topic in topics if not topic.texts)
    elsewhere = (
        f'topic "{t.topic_id}" leads outside text/: no result list read' for t in topics if not t.possible_lists()
    )
    return (*without_core, *(() if QUERIES_FILE in missing else without_text), *elsewhere)


def _counted(name: str, counts: dict[str, int]) -> Ids:
    return tuple(f"{name}: {what}: {n}" for what, n in counts.items() if n)


# The LitQEval collection in its own layout, from a folder or a web address.
#
#     core_publications.xlsx          Topic, Survey, Pub_id, Title: the core publications, and with them the topics
#     metadata.xlsx                   id, title, abstract, doi, times_cited, year
#     queries.json                    one object per topic: baseline (the topic's name), predicted, slr
#     text/<Topic>/<label>_pubs.csv   id, title, abstract: the result list of that query version
#
# Only the first file is required. Other missing files are listed, and irregularities are counted in the notes.

OnLoad = Callable[[int, int, str], None]
"""Takes the number of result lists read, the number to read, and the path of the last one."""


@dataclass(frozen=True, slots=True)
class LitQEvalVersion:
    label: str
    number: int
    text: str
    """Empty if the collection has only the result list."""
    origin: Origin
    retrieved_ids: Ids | None
    """None: the result list is missing. Empty: the list exists but has no entries."""


@dataclass(frozen=True, slots=True)
class LitQEvalTopic:
    topic_id: str
    survey_ids: Ids
    core_ids: Ids
    """Empty if only queries.json lists the topic: nothing can be scored then."""
    versions: tuple[LitQEvalVersion, ...]
    survey_kind: SurveyKind | None = None
    """None: queries.json does not list the topic."""


@dataclass(frozen=True, slots=True)
class LitQEvalCollection:
    folder: str
    """The folder of core_publications.xlsx: the given folder, or its data/."""
    publications: tuple[Publication, ...]
    topics: tuple[LitQEvalTopic, ...]
    missing_files: Ids
    """Paths inside `folder`, sorted."""
    notes: Ids


@dataclass(frozen=True, slots=True)
class LitQEvalDownload:
    folder: Path
    """The folder to pass to `load_litqeval`."""
    missing_files: Ids
    """Files that belong to the collection but are not on the server, as paths inside `folder`, sorted."""


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
    """Download a collection from `base_url`, or from its data/. A folder belongs to one base URL: see `mirror`."""
    bring = partial(mirror, base_url, (), folder, on_progress=on_progress, n_attempts=n_attempts, sleep=sleep)
    prefix = "data/" if bring(optional=(CORE_FILE,)).missing else ""
    if prefix and bring(optional=(prefix + CORE_FILE,)).missing:
        where = f"at {shown(base_url)} nor in its data/"
        raise DownloadError(f"no {CORE_FILE} {where}: give the address of the folder that contains the files")
    bring(optional=(prefix + METADATA_FILE, prefix + QUERIES_FILE))
    root = folder / prefix
    try:
        outline = read_outline(root)
    except FormatError:
        for name in (CORE_FILE, METADATA_FILE, QUERIES_FILE):  # else the next run would reuse an unreadable file
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


def _read_lists(root: Path, paths: Ids, on_progress: OnLoad | None) -> dict[str, LitQEvalTable]:
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
    except OSError:  # a topic's name can be longer than a file name may be
        return False


def _missing(outline: LitQEvalOutline, lists: Iterable[str]) -> Ids:
    return tuple(sorted((*outline.missing_files, *lists)))


def _stray_notes(root: Path, outline: LitQEvalOutline) -> Ids:
    """Note result lists that match no topic and label: a different spelling would otherwise lose them silently."""
    found = (path.relative_to(root).as_posix() for path in sorted(root.glob("text/*/*_pubs.csv")))
    claimed = frozenset(outline.possible_lists())
    return tuple(f"{path}: not read: no matching topic and label" for path in found if path not in claimed)


def _topic(topic: TopicOutline, lists: dict[str, LitQEvalTable]) -> LitQEvalTopic:
    labels = [label for label in ORIGIN_OF if label in topic.texts or topic.list_path(label) in lists]
    versions = tuple(_version(topic, label, number, lists) for number, label in enumerate(labels, 1))
    return LitQEvalTopic(topic.topic_id, topic.survey_ids, topic.core_ids, versions, topic.survey_kind)


def _version(topic: TopicOutline, label: str, number: int, lists: dict[str, LitQEvalTable]) -> LitQEvalVersion:
    table = lists.get(topic.list_path(label))
    retrieved = None if table is None else unique_ids(publication_id for publication_id, _ in rows_with_id(table))
    text = topic.texts.get(label, topic.topic_id if label == "baseline" else "")
    return LitQEvalVersion(label, number, text, ORIGIN_OF[label], retrieved)


def _publications(tables: Iterable[LitQEvalTable], core_titles: dict[str, str]) -> tuple[Publication, ...]:
    """Return each publication once; values of an earlier table take precedence, a later one fills gaps."""
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


# The numbers that LitQEval's authors published with their collection, as far as the files exist.
#
#     results.xlsx                    pairs of rows: the generated search, then the baseline, whose text names the topic
#     slr_results.xlsx                the same with the review's search in place of the generated one
#     published_threshold_curves.csv  topic, threshold, n_core, n_pubs, n_total, f2_minmax, total_core
#
# Every file is optional, and no content is an error: unusable rows are left out and counted in the notes.

RESULTS_FILE, REVIEW_FILE, CURVES_FILE = "results.xlsx", "slr_results.xlsx", "published_threshold_curves.csv"
PUBLISHED_FILES = (RESULTS_FILE, REVIEW_FILE, CURVES_FILE)
COLUMNS_OF: Mapping[PublishedRegion, str] = {"cosine": "Cosine", "cluster": "Cluster", "mvee": "MVEE", "hull": "Hull"}
LABELS_OF = {RESULTS_FILE: ("predicted", "baseline"), REVIEW_FILE: ("slr", BESIDE_REVIEW)}
"""The labels for the rows called "Predicted" and "Baseline"."""
ORIGIN_COLUMNS = ("", "unnamed: 0", "origin", "version", "search")
MOST_POINTS = 500_000
"""Largest number of curve lines to read; 21 topics have 6,300."""


@dataclass(frozen=True, slots=True)
class PublishedNumbers:
    scores: tuple[PublishedScore, ...] = ()
    curves: tuple[PublishedCurve, ...] = ()
    files: Ids = ()
    """Names of the files that exist."""
    notes: Ids = ()


def read_published(folder: Path, topics: Iterable[str]) -> PublishedNumbers:
    """Read the published numbers of these topics. `folder`: the folder of core_publications.xlsx."""
    names = {folder_name(topic): topic for topic in topics}
    places = (folder, folder / "data", *((folder.parent,) if folder.resolve().name == "data" else ()))
    paths = {name: path for name in PUBLISHED_FILES if (path := _first_there(places, name)) is not None}
    notes: list[str] = []
    scores: list[PublishedScore] = []
    curves: tuple[PublishedCurve, ...] = ()
    for name, path in paths.items():
        try:
            if name == CURVES_FILE:
                curves = _read_curves(path, names, notes)
            else:
                scores += _read_scores(path, name, names, notes)
        except (FormatError, FileError) as e:
            notes.append(f"{e}; its numbers are left out")
    return PublishedNumbers(tuple(scores), curves, tuple(paths), tuple(notes))


def _first_there(places: Sequence[Path], name: str) -> Path | None:
    return next((place / name for place in places if (place / name).is_file()), None)


# Scores


def _read_scores(path: Path, name: str, names: Mapping[str, str], notes: list[str]) -> list[PublishedScore]:
    numbers = [f"{column} {what}" for column in COLUMNS_OF.values() for what in ("Precision", "Relevant", "F2")]
    table = read_workbook(path, name, ("Query", "Recall"), numbers)
    notes += table.notes
    left_out: Counter[str] = Counter()
    scores: dict[tuple[str, str, str], PublishedScore] = {}
    for topic_id, label, row in _named_rows(table, LABELS_OF[name], names, left_out):
        for score in _scores_of(row, topic_id, label, left_out):
            if (score.topic_id, score.label, score.region) in scores:
                left_out["repeated scores, the first taken"] += 1
            else:
                scores[score.topic_id, score.label, score.region] = score
    notes += [f"{name}: {what}: {n}" for what, n in left_out.items()]
    if name == REVIEW_FILE and scores:
        n = len({topic_id for topic_id, _, _ in scores})
        notes.append(
            f"{name}: recall of {n} topics counts the core publications inside the cosine region, not those found: "
            "it can be lower than the recall computed here"
        )
    return list(scores.values())


def _named_rows(
    table: LitQEvalTable, labels: tuple[str, str], names: Mapping[str, str], left_out: Counter[str]
) -> Iterator[tuple[str, str, Row]]:
    """Yield rows with topic and label. A search's topic is in the baseline row that follows it."""
    waiting: Row | None = None
    for row in table.rows:
        origin = next((text.lower() for column in ORIGIN_COLUMNS if (text := cell_text(row.get(column)))), "")
        if origin == "predicted":
            left_out["rows without the baseline that gives their topic, left out"] += waiting is not None
            waiting = row
            continue
        if origin != "baseline":
            left_out["rows that are neither Predicted nor Baseline, left out"] += 1
            continue
        topic_id = names.get(folder_name(cell_text(row["query"])))
        if topic_id is None:
            left_out["rows of topics that are not in the collection, left out"] += 1 + (waiting is not None)
        else:
            if waiting is not None:
                yield topic_id, labels[0], waiting
            yield topic_id, labels[1], row
        waiting = None
    left_out["rows without the baseline that gives their topic, left out"] += waiting is not None
    for what in [what for what, n in left_out.items() if not n]:
        del left_out[what]


def _scores_of(row: Row, topic_id: str, label: str, left_out: Counter[str]) -> Iterator[PublishedScore]:
    recall = _share(row["recall"])
    for region, column in COLUMNS_OF.items():
        precision = _share(row.get(f"{column} Precision".lower()))
        f_beta = _share(row.get(f"{column} F2".lower()))
        n_relevant = whole_number(row.get(f"{column} Relevant".lower()))
        if recall is None or precision is None or f_beta is None or n_relevant is None or n_relevant < 0:
            left_out["scores with an empty or invalid cell, left out"] += 1
            continue
        text = cell_text(row["query"])
        yield PublishedScore(topic_id, label, text, recall, region, precision, n_relevant, f_beta)


def _share(value: Any) -> float | None:
    """Return a number between 0 and 1; None if the value is not one.

    >>> _share(0.5), _share("0.5"), _share(2), _share(None), _share("nan"), _share(True)
    (0.5, 0.5, None, None, None, None)
    """
    number = _number(value)
    return number if number is not None and 0 <= number <= 1 else None


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and not isinstance(value, bool) else None


# Curves


def _read_curves(path: Path, names: Mapping[str, str], notes: list[str]) -> tuple[PublishedCurve, ...]:
    needed = ("topic", "threshold", "n_core", "n_pubs", "n_total", "total_core")
    table = read_comma_separated(path, CURVES_FILE, needed, ("f2_minmax",))
    notes += table.notes
    left_out: Counter[str] = Counter()
    points: dict[str, dict[float, tuple[int, ...]]] = {}
    scores: dict[tuple[str, float], float] = {}
    for row in table.rows[:MOST_POINTS]:
        topic_id = names.get(folder_name(cell_text(row["topic"])))
        at, counts = _number(row["threshold"]), [whole_number(row[c]) for c in needed[2:]]
        if topic_id is None:
            left_out["points of topics that are not in the collection, left out"] += 1
        elif at is None or any(count is None for count in counts):
            left_out["points with an empty or invalid cell, left out"] += 1
        elif at in points.setdefault(topic_id, {}):
            left_out["repeated thresholds, the first taken"] += 1
        else:
            points[topic_id][at] = tuple(count for count in counts if count is not None)
            score = _number(row.get("f2_minmax"))
            scores[topic_id, at] = math.nan if score is None else score
    if len(table.rows) > MOST_POINTS:
        left_out[f"points beyond the first {MOST_POINTS:,}, left out"] = len(table.rows) - MOST_POINTS
    curves = []
    for topic_id, of_topic in points.items():
        try:
            curves.append(_curve(topic_id, of_topic, scores))
        except InputError as e:
            notes.append(f"{CURVES_FILE}: {e}; it is left out")
    notes += [f"{CURVES_FILE}: {what}: {n}" for what, n in left_out.items()]
    return tuple(curves)


def _curve(
    topic_id: str, points: Mapping[float, tuple[int, ...]], scores: Mapping[tuple[str, float], float]
) -> PublishedCurve:
    thresholds = sorted(points)
    n_accepted, n_relevant, n_retrieved, n_core = zip(*(points[at] for at in thresholds), strict=True)
    if len({*n_retrieved}) > 1 or len({*n_core}) > 1:
        raise InputError(f'the curve of "{topic_id}" has several numbers of publications')
    if max(n_relevant) > n_retrieved[0] or max(n_accepted) > n_core[0]:
        raise InputError(f'the curve of "{topic_id}" accepts more publications than there are')
    curve = ThresholdCurve(
        topic_id=topic_id,
        min_similarity=np.array(thresholds, dtype=np.float64),
        n_relevant=np.array(n_relevant, dtype=np.int64),
        n_accepted_core=np.array(n_accepted, dtype=np.int64),
        n_retrieved=n_retrieved[0],
        n_scorable=n_relevant[0],
        n_core=n_core[0],
    )
    return PublishedCurve(curve, np.array([scores[topic_id, at] for at in thresholds]))
