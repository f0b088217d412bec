"""Recognise the files of a collection and read them: STaRK, SMART, Paper Lantern and own queries."""

from __future__ import annotations

import ast
import csv
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from core.collections import Collection, Document, Judgment, Query
from core.errors import FileError, FormatError, InputError
from core.text import first_of, listed, many
from core.types import Ids, unique_ids
from data.files import read_errors
from data.importers.collection_parts import (
    JSON_LINES,
    LONGEST_LABEL,
    MOST_LABELS,
    NUMBER,
    SHOWN,
    TEXT,
    Cells,
    CollectionFileKind,
    CollectionPart,
    Gathering,
    JsonPairs,
    RejectedLine,
    Role,
    TextFile,
    clean_text,
    column_name,
    delimiter_of,
    json_of,
    labels_of,
    looks_like_json,
    named_rows,
    sample,
)
from data.importers.source import ImportRejection, plain_name
from data.importers.tagged import StrayLine, TaggedEntry, gathered, one_text
from data.importers.tagged_formats import SMART_GRAMMAR
from data.importers.trec import COLUMNS, DOCUMENTS, JUDGMENTS, RUN, TOPICS, no_parts

# SMART files: .I with a number, then .T, .A, .B and .W. Documents and queries have the same form.

_BEGINS = re.compile(r"\s*\.I[ \t]+\S+[ \t]*\n\.[A-Z][ \t]*(?:\n|$)")


def _read_smart(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    for part in gathered(file.whole(), SMART_GRAMMAR):
        if isinstance(part, ImportRejection):
            yield part.line, part.reason
        elif isinstance(part, StrayLine):
            yield part.line, f"“{' '.join(part.text[:200].split())[:60]}” is outside any entry"
        else:
            own_id, title, text = _smart_texts(part)
            if not own_id:
                yield part.line, "an entry without a number (.I)"
            elif role == "documents":
                yield part.line, Document(own_id, title, text)
            else:
                yield part.line, Query(own_id, text)


def _smart_texts(entry: TaggedEntry) -> tuple[str, str, str]:
    """Return number, title and text. A tag that repeats after the text began is text that looks like a tag."""
    found: dict[str, list[list[str]]] = {}
    for tag, *lines in entry.fields:
        owner = "W" if tag in found and "W" in found else tag
        found.setdefault(owner, []).append(lines)
    number, title, text = (clean_text(one_text(found.get(tag, ()))) for tag in "ITW")
    return number, " ".join(title.split()), " ".join(text.split())


SMART = CollectionFileKind("smart", "SMART", "either", lambda head: _BEGINS.match(head) is not None, _read_smart)


# STaRK's question files: a table of questions with lists of answers, and files that list the questions of a split.

HUMAN = "human"
"""The split of the questions that people wrote; next to other tables, their ids begin with it."""
LONGEST_LIST = 131_072
"""Largest length of a list of answers in characters; csv reads no longer field."""
_ANSWER = r"(?:-?\d{1,18}|'[^'\\\n]{0,200}'|\"[^\"\\\n]{0,200}\")"
_LIST = re.compile(rf"\s*\[\s*+(?:{_ANSWER}\s*+(?:,\s*+{_ANSWER}\s*+)*+,?\s*+)?\]\s*")


def answers_of(text: str) -> tuple[str, ...] | str:
    """Parse the ids of a list in Python syntax; return the reason if that fails.

    >>> answers_of("[1797078, 1334906]"), answers_of("[open('x')]")
    (('1797078', '1334906'), 'its answers are no list of ids')
    """
    if len(text) > LONGEST_LIST:
        return f"its answers have more than {LONGEST_LIST:,} characters"
    if not _LIST.fullmatch(text):
        return "its answers are no list of ids"
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return "its answers are no list of ids"
    ids = (clean_text(str(answer)) for answer in found)
    return tuple(dict.fromkeys(doc_id for doc_id in ids if doc_id))


def answer_list(ids: Sequence[str]) -> str:
    """Write ids as a Python list: numbers bare, others in quotes.

    >>> answer_list(["17", "007", "w5", "d'Or"])
    '[17, \\'007\\', \\'w5\\', "d\\'Or"]'
    """
    text = f"[{', '.join(map(_written, ids))}]"
    if answers_of(text) != tuple(dict.fromkeys(ids)):
        odd = next((one for one in ids if answers_of(f"[{_written(one)}]") != (one,)), "")
        which = f'the id "{clean_text(odd)[:60]}"' if odd else f"a list of {len(ids):,} ids"
        raise InputError(f"STaRK's files can't store {which}: choose other answers or give the entities other ids")
    return text


def _written(own_id: str) -> str:
    is_number = own_id.isascii() and own_id.isdigit() and len(own_id) <= 18 and str(int(own_id)) == own_id
    quote = '"' if "'" in own_id else "'"
    return own_id if is_number else f"{quote}{own_id}{quote}"


def _header(line: str) -> dict[str, int]:
    try:
        names = [name.strip().lower() for name in next(csv.reader([line]), [])]
    except csv.Error:
        return {}
    wanted = {"id": ("id", "query_id"), "query": ("query", "question"), "answers": ("answer_ids", "answers", "answer")}
    return {what: names.index(name) for what, known in wanted.items() for name in known[::-1] if name in names}


def _fits(head: str) -> bool:
    return {"id", "query", "answers"} <= set(_header(head.split("\n", 1)[0]))


def is_human(file: TextFile) -> bool:
    return HUMAN in PurePath(file.name).stem.lower()


def _read_stark(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    lines = (line + "\n" for _, line in file.lines())
    columns = _header(next(lines, ""))
    rows, begins = csv.reader(lines), 2
    seen: set[str] = set()
    while True:
        try:
            row = next(rows, None)
        except csv.Error as e:
            yield begins, f"no row of a table ({e})"
            begins = rows.line_num + 2
            continue
        if row is None:
            return
        if row:
            yield from _row(begins, row, columns, seen)
        begins = rows.line_num + 2


def _row(line: int, row: list[str], columns: dict[str, int], seen: set[str]) -> Iterator[CollectionPart]:
    if len(row) <= max(columns.values()):
        yield line, f"{len(row)} columns, {max(columns.values()) + 1} expected"
        return
    own_id = clean_text(row[columns["id"]])
    if not own_id:
        yield line, "a question without an id"
        return
    yield line, Query(own_id, " ".join(clean_text(row[columns["query"]]).split()))
    if own_id in seen:
        return
    seen.add(own_id)
    answers = answers_of(row[columns["answers"]])
    if isinstance(answers, str):
        yield line, answers
        return
    for doc_id in answers:
        yield line, Judgment(own_id, doc_id, 1)


def read_split(file: TextFile) -> Iterator[tuple[int, str]]:
    for number, line in file.lines():
        if own_id := clean_text(line):
            yield number, own_id


def is_split(head: str) -> bool:
    """Return True if each line holds one id and nothing else."""
    lines = [line for line in head.split("\n")[:200] if line.strip()]
    return bool(lines) and all(len(line) < 200 and len(line.split()) == 1 for line in lines)


STARK = CollectionFileKind("stark", "STaRK questions", "queries and judgments", _fits, _read_stark)
SPLIT = CollectionFileKind("split", "a split", "queries", is_split, no_parts)
"""A file that assigns queries of another file to a split."""


# Queries that people import themselves: a list in JSON, or a table with a column of queries and more columns.

MOST_PASTED_BYTES = 64_000_000
MOST_PASTED = 5_000_000
"""Largest pasted text in characters."""
MOST_KINDS = 100
"""Largest number of different labels in a file; a file with more uses names for something else."""
QUERY_NAMES = ("query", "search_query", "query_text", "question")
ID_NAMES = ("query_id", "qid", "_id", "id")
OF_ANSWERS = frozenset({"title", "abstract", "rank", "engine", "score", "relevance", "answers", "answer_ids"}) | {
    *("doc_id", "docid", "corpus_id"),
}
"""Columns of files that hold answers or judgments: such a file is not a list of queries."""
_QUERY_KEY = re.compile(r"\"(?:" + "|".join(QUERY_NAMES) + r")\"\s*:\s*\"", re.IGNORECASE)
_ANSWER_KEY = re.compile(r"\"(?:" + "|".join(sorted(OF_ANSWERS)) + r")\"\s*:", re.IGNORECASE)
_LIST_OF_TEXTS = re.compile(r"\s*\[\s*+\"")
_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.)*+)\"")
_LOOKED_AT = 20_000


def query_parts(text: str, name: str, notes: list[str]) -> Iterator[CollectionPart]:
    """Yield every query of a text in one of these forms, or the reason for a rejection. Number queries without id."""
    n_queries, kinds, given = 0, _Kinds(), set[str]()
    for row in named_rows(text, name, frozenset(QUERY_NAMES)):
        if isinstance(row.cells, str):
            yield row.line, row.cells
            continue
        column = next((each for each in (*QUERY_NAMES, TEXT) if each in row.cells), None)
        if column is None and "text" in row.cells and OF_ANSWERS.isdisjoint(row.cells):
            column = "text"
        if column is None:
            yield row.line, "a query without a text"
            continue
        n_queries += 1
        own_id = next((row.cells[each] for each in (*ID_NAMES, NUMBER) if each in row.cells), "")
        if not own_id:
            own_id = f"q{n_queries}" if f"q{n_queries}" not in given else f"q{n_queries} (line {row.line or n_queries})"
        given.add(own_id)
        yield row.line, Query(own_id, row.cells[column], kinds.of(row.cells, column))
    notes += (f"{name}: {note}" for note in kinds.notes())


@dataclass(eq=False)
class _Kinds:
    names: dict[str, None] = field(default_factory=dict)
    too_long: dict[str, None] = field(default_factory=dict)
    too_many: dict[str, None] = field(default_factory=dict)

    def of(self, cells: Cells, column: str) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for name, value in cells.items():
            if name in (column, TEXT, NUMBER, *ID_NAMES):
                continue
            if len(value) > LONGEST_LABEL or len(name) > LONGEST_LABEL:
                self.too_long[name] = None
            elif len(found) == MOST_LABELS or (name not in self.names and len(self.names) == MOST_KINDS):
                self.too_many[name] = None
            else:
                self.names[name] = None
                found.append((name.replace("_", " "), value))
        return tuple(found)

    def notes(self) -> Iterator[str]:
        if self.too_long:
            yield f"labels of over {LONGEST_LABEL} characters left out: {_some(self.too_long)}"
        if self.too_many:
            most = f"up to {MOST_LABELS} labels per query and {MOST_KINDS} in all are imported"
            yield f"{most}; left out: {_some(self.too_many)}"


def _some(names: Iterable[str]) -> str:
    return first_of([f"“{each[:40]}”" for each in names], 3)


def _read_own(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    yield from query_parts(file.whole(MOST_PASTED_BYTES), file.name, file.notes)


def _is_table(head: str) -> bool:
    first = next((line for line in head.split("\n") if line.strip()), "")
    if looks_like_json(first) or (delimiter := delimiter_of(first, frozenset(QUERY_NAMES))) is None:
        return False
    return OF_ANSWERS.isdisjoint(column_name(cell.strip().strip('"')) for cell in first.split(delimiter))


def _is_json(head: str) -> bool:
    some = head[:_LOOKED_AT]
    if not looks_like_json(some):
        return False
    if _LIST_OF_TEXTS.match(some):
        return "{" not in some and any(" " in text.strip() for text in _TEXT.findall(some))
    return _QUERY_KEY.search(some) is not None and not _ANSWER_KEY.search(some)


OWN_TABLE = CollectionFileKind("own_table", "a table of queries", "queries", _is_table, _read_own)
OWN_JSON = CollectionFileKind("own_json", "queries in JSON", "queries", _is_json, _read_own)


@dataclass(frozen=True, eq=False)
class PastedQueries:
    queries: tuple[Query, ...]
    notes: tuple[str, ...]
    rejected: tuple[RejectedLine, ...]


def pasted_queries(text: str, name: str = "the pasted text") -> PastedQueries:
    """Parse JSON, a table with a header, or one query per line. A text without a query is an error."""
    if len(text) > MOST_PASTED:
        raise FormatError(f"{name} has over {MOST_PASTED:,} characters: import it as a file")
    notes: list[str] = []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    in_form = looks_like_json(text) or _is_table(text)
    parts = query_parts(text, name, notes) if in_form else _lines_of(text)
    found: dict[str, Query] = {}
    rejected: list[RejectedLine] = []
    for line, part in parts:
        if isinstance(part, str):
            rejected.append(RejectedLine(name, line, part))
        elif isinstance(part, Query) and part.query_id in found:
            rejected.append(RejectedLine(name, line, f"the id “{part.query_id[:60]}” is repeated"))
        elif isinstance(part, Query):
            found[part.query_id] = part
    if not found:
        why = f": {rejected[0]}" if rejected else ""
        raise FormatError(f"no query in {name}{why}. Write one query per line, or a table with a column “query”")
    return PastedQueries(tuple(found.values()), tuple(notes), tuple(rejected))


def _lines_of(text: str) -> Iterator[CollectionPart]:
    n_queries = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if cleaned := clean_text(line):
            n_queries += 1
            yield number, Query(f"q{n_queries}", cleaned)


# Paper Lantern's query files: one JSON object, each query with the settings used to write it.

MOST_LANTERN_BYTES = 64_000_000
_LANTERN_BEGINS = re.compile(r"\s*\{\s*\"[^\"\n]{1,200}\"\s*:\s*\{\s*\"(?:settings|search_query)\"\s*:")


def _read_paper_lantern(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    queries = json_of(file.whole(MOST_LANTERN_BYTES), file.name)
    for own_id, value in queries if isinstance(queries, JsonPairs) else ():
        fields = dict(value) if isinstance(value, JsonPairs) else {}
        asked, settings = fields.get("search_query"), fields.get("settings")
        if not own_id.strip():
            yield None, "a query without an id"
        elif not isinstance(asked, str):
            yield None, f"“{own_id[:60]}” has no search_query"
        else:
            labels = labels_of(dict(settings)) if isinstance(settings, JsonPairs) else ()
            yield None, Query(clean_text(own_id), clean_text(asked), labels)


PAPER_LANTERN = CollectionFileKind(
    "paper_lantern",
    "Paper Lantern queries",
    "queries",
    lambda h: _LANTERN_BEGINS.match(h) is not None,
    _read_paper_lantern,
)


# Classify each file of a folder by its content, and tell documents from queries.

KINDS = (
    STARK,
    PAPER_LANTERN,
    JSON_LINES,
    DOCUMENTS,
    TOPICS,
    SMART,
    RUN,
    JUDGMENTS,
    OWN_TABLE,
    COLUMNS,
    OWN_JSON,
)
"""The first kind that fits is used; less specific kinds come later."""
MOST_FILES = 5_000
DEEPEST = 4
"""Depth of subfolders to search."""
LONG_TEXT = 300
"""Smallest average length of documents, in characters, to tell them from queries if nothing else does."""
LOOKED_FOR = "documents (<doc>, .I or JSON lines), queries (<top>, .I, JSON lines or tables) and judgments (qrels)"
_NAMES: tuple[tuple[Role, frozenset[str]], ...] = (
    ("queries", frozenset({"query", "queries", "qry", "que", "topic", "topics", "question", "questions"})),
    ("documents", frozenset({"all", "doc", "docs", "document", "documents", "corpus", "collection", "passages"})),
)
_SAID = re.compile(r"readme|licen[cs]e|citation|notice|sha256sums", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RecognisedFile:
    file: TextFile
    kind: CollectionFileKind
    head: str
    """The beginning of the file, used to recognise it."""


def files_of(where: Path) -> list[TextFile]:
    """Return every file, ordered by name."""
    with read_errors(where, (OSError, ValueError)):
        if where.is_file():
            return [TextFile.at(where)]
        if not where.is_dir():
            raise FileError(f"no folder or file {where}: check its name")
        found = [TextFile.at(path, where) for path in _below(where)]
    return sorted(found, key=lambda file: file.name)


def _below(where: Path) -> Iterator[Path]:
    n = 0
    for folder, folders, names in os.walk(where):
        depth = len(Path(folder).relative_to(where).parts)
        folders[:] = sorted(f for f in folders if depth < DEEPEST and not f.startswith((".", "__")))
        for name in names:
            path = Path(folder) / name
            if name.startswith(".") or not path.is_file():
                continue
            n += 1
            if n > MOST_FILES:
                raise FileError(f"{where} holds more than {MOST_FILES:,} files: name the collection's own folder")
            yield path


def recognised(files: Sequence[TextFile]) -> tuple[list[RecognisedFile], Ids]:
    known: list[RecognisedFile] = []
    others: list[tuple[TextFile, str]] = []
    unread: list[str] = []
    for file in files:
        try:
            head = file.head()
        except FormatError as e:
            unread.append(str(e))
            continue
        kind = next((kind for kind in KINDS if head.strip() and kind.fits(head)), None)
        if kind is not None:
            known.append(RecognisedFile(file, kind, head))
        else:
            others.append((file, head))
    if any(one.kind is STARK for one in known):
        splits = [RecognisedFile(file, SPLIT, head) for file, head in others if _is_split(file, head)]
        known += splits
        others = [(file, head) for file, head in others if not any(one.file is file for one in splits)]
    if not known and len(files) == 1 and unread:
        raise FormatError(unread[0])
    unknown = [file.name for file, _ in others if not _SAID.match(PurePath(file.name).name)]
    return known, (*_left_out(unknown), *(f"left out: {reason}" for reason in unread[:SHOWN]))


def _left_out(names: Sequence[str]) -> Ids:
    if not names:
        return ()
    return (f"left out, without documents, queries or judgments: {first_of(names, 5)}",)


def _is_split(file: TextFile, head: str) -> bool:
    path = PurePath(file.name)
    return (path.suffix == ".index" or path.parent.name in ("split", "splits")) and SPLIT.fits(head)


def roles_of(known: Sequence[RecognisedFile]) -> dict[str, Role]:
    roles: dict[str, Role] = {}
    there = {one.kind.holds.split()[0] for one in known}
    open_still: list[RecognisedFile] = []
    for one in known:
        if one.kind.holds == "either":
            if role := _by_name(one.file) or _by_content(one):
                roles[one.file.name] = role
                there.add(role)
            else:
                open_still.append(one)
    for one in sorted(open_still, key=lambda one: -one.file.n_bytes):
        role = "documents" if "documents" not in there and ("queries" in there or len(open_still) > 1) else "queries"
        if there.isdisjoint({"documents", "queries"}) and len(open_still) == 1:
            lines = [line for line in one.head.split("\n") if line.strip()]
            role = "documents" if sum(map(len, lines)) > LONG_TEXT * len(lines) else "queries"
        roles[one.file.name] = role
        there.add(role)
    return roles


def _by_name(file: TextFile) -> Role | None:
    terms = set(re.split(r"[^a-z]+", PurePath(file.name).name.lower()))
    return next((role for role, names in _NAMES if terms & names), None)


def _by_content(one: RecognisedFile) -> Role | None:
    if one.kind is JSON_LINES:
        objects = sample(one.head)
        return "documents" if any("title" in found for found in objects) else None
    return "documents" if one.kind is SMART and "\n.T" in one.head else None


def check_one(where: Path, known: Sequence[RecognisedFile], roles: Mapping[str, Role]) -> None:
    """Raise an error if the folder holds several collections."""
    asks = [one for one in known if holds(one, roles).startswith("queries") and one.kind is not SPLIT]
    folders = sorted({PurePath(one.file.name).parent.as_posix() for one in asks})
    if len(folders) > 1:
        raise FormatError(
            f"{where} has queries in several folders ({listed(folders, SHOWN)}): choose the folder of one collection"
        )
    tables = [one.file.name for one in asks if one.kind is STARK and not is_human(one.file)]
    if len(tables) > 1:
        raise FormatError(
            f"{where} has {len(tables)} tables of questions ({listed(tables[:SHOWN])}): choose one of them"
        )


def holds(one: RecognisedFile, roles: Mapping[str, Role]) -> str:
    return roles.get(one.file.name, one.kind.holds)


def sources(known: Sequence[RecognisedFile], roles: Mapping[str, Role]) -> str:
    parts = []
    for what in ("documents", "queries", "queries and judgments", "judgments"):
        names = [one.file.name for one in known if holds(one, roles) == what and one.kind not in (RUN, SPLIT)]
        if names:
            parts.append(f"{what} in {listed(names, SHOWN)}")
    return "; ".join(parts) or "nothing of a collection"


# Reading a collection: recognise each file of a folder by its content, and combine their contents.
#
# folder -> files -> Kind of each (by its head) -> parts -> Gathering -> Collection

LISTS = (PAPER_LANTERN, OWN_TABLE, OWN_JSON)
"""Lists of queries that number their own queries: if there are several, each becomes a split."""
KNOWN_SPLITS = frozenset({"train", "dev", "val", "valid", "validation", "test"})


@dataclass(frozen=True, eq=False)
class ReadCollection:
    collection: Collection
    notes: Ids
    """Notes for the person about the import."""
    rejected: tuple[RejectedLine, ...]
    """Rejected lines; at most the first thousand."""
    read_as: str = ""
    """The files read as documents, queries and judgments."""


def read_collection(where: Path, *, name: str | None = None) -> ReadCollection:
    """Read a collection from a folder or one file. One without a query is an error."""
    files = files_of(where)
    known, left_out = recognised(files)
    if not known:
        found = ", ".join(file.name for file in files[:10]) or "nothing"
        raise FormatError(f"{where} has no collection in a known format: looked for {LOOKED_FOR}; found {found}")
    roles = roles_of(known)
    check_one(where, known, roles)
    gathering = Gathering()
    splits = _gather(known, roles, gathering)
    if not gathering.queries:
        if gathering.rejected and any(holds(one, roles).startswith("queries") for one in known):
            raise FormatError(f"no query could be read in {where}: {_rejections(gathering)}")
        there = sources(known, roles)
        raise FormatError(f"no queries in {where}: found {there}. Choose the folder that includes them")
    made = Collection(
        name or plain_name(where.stem if where.is_file() else where.resolve().name),
        tuple(gathering.documents.values()),
        tuple(gathering.queries.values()),
        tuple(gathering.judgments),
        _kept_splits(splits, gathering),
    )
    notes = (*_notes(known, gathering), *left_out)
    return ReadCollection(made, notes, tuple(gathering.rejected), sources(known, roles))


def read_documents(where: Path) -> tuple[Document, ...]:
    """Read only the documents of a folder or file; queries are not required."""
    known, _ = recognised(files_of(where))
    roles = roles_of(known)
    if len(known) == 1 and known[0].kind.holds == "either":
        roles[known[0].file.name] = "documents"
    holding = [one for one in known if holds(one, roles) == "documents"]
    gathering = Gathering()
    _gather(holding, roles, gathering)
    if not gathering.documents:
        raise FormatError(f"{where} has no documents: choose the folder that contains them")
    return tuple(gathering.documents.values())


def _gather(known: Sequence[RecognisedFile], roles: Mapping[str, Role], gathering: Gathering) -> dict[str, Ids]:
    splits: dict[str, Ids] = {}
    lists = [one for one in known if one.kind in LISTS]
    tables = [one for one in known if one.kind is STARK]
    judged = [one for one in known if one.kind is JUDGMENTS]
    for one in known:
        if one.kind in (RUN, SPLIT):
            continue
        stem, prefix = PurePath(one.file.name).name.split(".")[0], ""
        human = one.kind is STARK and is_human(one.file)
        if one.kind in LISTS and len(lists) > 1:
            prefix = f"{stem}/"
        elif human and len(tables) > 1:
            prefix = f"{HUMAN}-"
        role: Role = roles.get(one.file.name, "queries")
        named = gathering.take(one.file, one.kind.read(one.file, role), prefix)
        in_qrels = PurePath(one.file.name).parent.name == "qrels" or stem.lower() in KNOWN_SPLITS
        if prefix or human or (one.kind is JUDGMENTS and (len(judged) > 1 or in_qrels)):
            splits[HUMAN if human else stem] = named
    for one in known:
        if one.kind is SPLIT:
            _take_split(one.file, gathering, splits, f"{HUMAN}-" if len(tables) > 1 else "")
    return splits


def _take_split(file: TextFile, gathering: Gathering, splits: dict[str, Ids], human_prefix: str) -> None:
    """Read the queries of a split from a file of ids; "test-0.1.index" is the split "test-0.1"."""
    stem = PurePath(file.name).name.removesuffix(".index")
    human = HUMAN in stem.lower()
    prefix = human_prefix if human else ""
    ids: list[str] = []
    for line, own_id in read_split(file):
        if prefix + own_id in gathering.queries:
            ids.append(prefix + own_id)
        else:
            gathering.reject(file, line, f"no query “{own_id[:60]}”")
    splits[HUMAN if human else stem] = unique_ids(ids)


def _kept_splits(splits: dict[str, Ids], gathering: Gathering) -> dict[str, Ids]:
    order = ("train", "dev", "val", "valid", "validation", "test", "test-0.1", HUMAN)
    names = sorted(splits, key=lambda name: (order.index(name) if name in order else len(order), name))
    kept = {name: tuple(i for i in splits[name] if i in gathering.queries) for name in names}
    return {name: ids for name, ids in kept.items() if ids}


def _notes(known: Sequence[RecognisedFile], gathering: Gathering) -> Iterator[str]:
    for one in known:
        if one.kind is RUN:
            yield f"{one.file.name} is a run, not part of the collection: compare it with benchmark --run"
    yield from (note for one in known for note in one.file.notes)
    yield from gathering.notes
    if gathering.n_rejected:
        yield _rejections(gathering)


def _rejections(gathering: Gathering) -> str:
    n, first = gathering.n_rejected, "; ".join(map(str, gathering.rejected[:SHOWN]))
    return f"{many(n, 'line')} could not be read: {first}{'; …' if n > SHOWN else ''}"
