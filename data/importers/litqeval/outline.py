"""Everything of a LitQEval collection but its result lists: topics, core publications, query texts, metadata."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.studies.core_sets import SurveyKind
from core.types import Ids, Origin, unique_ids
from data.download import is_safe_name
from data.importers.litqeval.files import Row, Table, cell_text, read_queries, read_workbook

CORE_FILE, METADATA_FILE, QUERIES_FILE = "core_publications.xlsx", "metadata.xlsx", "queries.json"
ORIGIN_OF: dict[str, Origin] = {"baseline": "baseline", "predicted": "generated", "slr": "review"}
"""Version label to origin, in the order in which a topic's versions are numbered."""


@dataclass(frozen=True, slots=True)
class TopicOutline:
    """One topic. The files mean the same topic when its name leads them to the same folder in text/."""

    topic_id: str
    survey_ids: Ids
    core_ids: Ids
    texts: dict[str, str]
    """Label to query text, for the labels that queries.json has."""

    @property
    def survey_kind(self) -> SurveyKind | None:
        """The collection's own split: a topic with a review's search string has its core from that systematic review.

        None: queries.json does not know the topic.
        """
        if not self.texts:
            return None
        return "systematic review" if "slr" in self.texts else "bibliometric"

    def list_path(self, label: str) -> str:
        return f"text/{folder_name(self.topic_id)}/{label}_pubs.csv"

    def expected_lists(self) -> Ids:
        """The result lists that belong to the query texts."""
        return tuple(self.list_path(label) for label in self.texts)

    def possible_lists(self) -> Ids:
        """All that could be there, whether the query's text is known or not; none if the name leads elsewhere."""
        return tuple(path for path in map(self.list_path, ORIGIN_OF) if is_safe_name(path))


@dataclass(frozen=True, slots=True)
class Outline:
    """What the three files at the top of a collection say."""

    topics: tuple[TopicOutline, ...]
    """Those with core publications first, then those that only queries.json knows."""
    core_titles: dict[str, str]
    metadata: Table
    missing_files: Ids
    notes: Ids

    def expected_lists(self) -> Ids:
        return tuple(path for topic in self.topics for path in topic.expected_lists())

    def possible_lists(self) -> Ids:
        return tuple(path for topic in self.topics for path in topic.possible_lists())


def folder_name(topic: str) -> str:
    """Where a topic's result lists lie in text/.

    >>> folder_name('"Green Warehousing"')
    'Green_Warehousing'
    """
    return topic.strip().replace('"', "").replace(" ", "_")


def rows_with_id(table: Table, column: str = "id") -> Iterator[tuple[str, Row]]:
    """The rows that name a publication, with its id."""
    return ((publication_id, row) for row in table.rows if (publication_id := cell_text(row.get(column))))


def id_notes(table: Table) -> Ids:
    """How many rows name no publication, or one that an earlier row named."""
    ids = [publication_id for publication_id, _ in rows_with_id(table)]
    n_repeated = len(ids) - len(set(ids))
    counts = {"rows without an id, left out": len(table.rows) - len(ids), "repeated ids, counted once": n_repeated}
    return _counted(table.name, counts)


def read_outline(root: Path) -> Outline:
    """Read the three files. Only core_publications.xlsx must be there."""
    missing = tuple(name for name in (METADATA_FILE, QUERIES_FILE) if not (root / name).exists())
    core = read_workbook(root / CORE_FILE, CORE_FILE, ("Topic", "Pub_id"), ("Survey", "Title"))
    metadata, queries = Table(METADATA_FILE, ()), Table(QUERIES_FILE, ())
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
    return Outline(topics, titles, metadata, missing, notes)


def _topics(core: Table, texts: dict[str, tuple[str, dict[str, str]]]) -> tuple[TopicOutline, ...]:
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


def _query_texts(queries: Table) -> dict[str, tuple[str, dict[str, str]]]:
    """Folder in text/ to the topic's name and its query texts. Of repeated entries the first counts."""
    texts: dict[str, tuple[str, dict[str, str]]] = {}
    for row in queries.rows:
        found = {label: row[label].strip() for label in ORIGIN_OF if isinstance(row.get(label), str)}
        if folder := folder_name(found.get("baseline", "")):
            texts.setdefault(folder, (found["baseline"], {label: text for label, text in found.items() if text}))
    return texts


def _core_notes(core: Table) -> Ids:
    pairs = [(folder_name(cell_text(row["topic"])), cell_text(row["pub_id"])) for row in core.rows]
    whole = [pair for pair in pairs if all(pair)]
    counts = {
        "rows without a topic, left out": sum(not topic for topic, _ in pairs),
        "rows without an id, left out": sum(bool(topic) and not publication_id for topic, publication_id in pairs),
        "repeated rows, counted once": len(whole) - len(set(whole)),
    }
    return (*core.notes, *_counted(core.name, counts))


def _query_notes(queries: Table) -> Ids:
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
        f'topic "{t.topic_id}" leads out of text/: no result list read' for t in topics if not t.possible_lists()
    )
    return (*without_core, *(() if QUERIES_FILE in missing else without_text), *elsewhere)


def _counted(name: str, counts: dict[str, int]) -> Ids:
    return tuple(f"{name}: {what}: {n}" for what, n in counts.items() if n)
