"""STaRK's question files: a table of questions with lists of answers, and files that say which belong to a split."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from core.errors import InputError
from core.ranking.check import Judgment, Query
from data.collections.lines import TextFile
from data.collections.parts import CollectionPart, Kind, Role, clean_text

HUMAN = "human"
"""The split of the questions that people wrote; in a folder with others their ids begin with it."""
LONGEST_LIST = 131_072
"""Characters of a list of answers; csv reads no longer field."""
_ANSWER = r"(?:-?\d{1,18}|'[^'\\\n]{0,200}'|\"[^\"\\\n]{0,200}\")"
_LIST = re.compile(rf"\s*\[\s*+(?:{_ANSWER}\s*+(?:,\s*+{_ANSWER}\s*+)*+,?\s*+)?\]\s*")


def answers_of(text: str) -> tuple[str, ...] | str:
    """The ids in a list that is written as Python writes it; or why they can't be read.

    >>> answers_of("[1797078, 1334906]"), answers_of("[open('x')]")
    (('1797078', '1334906'), 'its answers are no list of ids')
    """
    if len(text) > LONGEST_LIST:
        return f"its answers take more than {LONGEST_LIST:,} characters"
    if not _LIST.fullmatch(text):
        return "its answers are no list of ids"
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return "its answers are no list of ids"
    ids = (clean_text(str(answer)) for answer in found)
    return tuple(dict.fromkeys(doc_id for doc_id in ids if doc_id))


def answer_list(ids: Sequence[str]) -> str:
    """Ids as Python writes a list: numbers bare, others in quotes.

    >>> answer_list(["17", "007", "w5", "d'Or"])
    '[17, \\'007\\', \\'w5\\', "d\\'Or"]'
    """
    text = f"[{', '.join(map(_written, ids))}]"
    if answers_of(text) != tuple(dict.fromkeys(ids)):
        odd = next((one for one in ids if answers_of(f"[{_written(one)}]") != (one,)), "")
        which = f'the id "{clean_text(odd)[:60]}"' if odd else f"a list of {len(ids):,} ids"
        raise InputError(f"STaRK's files can't hold {which}: choose other answers, or give the entities other ids")
    return text


def _written(own_id: str) -> str:
    is_number = own_id.isascii() and own_id.isdigit() and len(own_id) <= 18 and str(int(own_id)) == own_id
    quote = '"' if "'" in own_id else "'"
    return own_id if is_number else f"{quote}{own_id}{quote}"


def _header(line: str) -> dict[str, int]:
    """The columns that are used, by what they hold."""
    try:
        names = [name.strip().lower() for name in next(csv.reader([line]), [])]
    except csv.Error:
        return {}
    wanted = {"id": ("id", "query_id"), "query": ("query", "question"), "answers": ("answer_ids", "answers", "answer")}
    return {what: names.index(name) for what, known in wanted.items() for name in known[::-1] if name in names}


def _fits(head: str) -> bool:
    return {"id", "query", "answers"} <= set(_header(head.split("\n", 1)[0]))


def is_human(file: TextFile) -> bool:
    """Whether its questions were written by people."""
    return HUMAN in PurePath(file.name).stem.lower()


def _read(file: TextFile, role: Role) -> Iterator[CollectionPart]:
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
        yield line, f"{len(row)} columns where {max(columns.values()) + 1} are expected"
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
    """The ids of a split, each with its line."""
    for number, line in file.lines():
        if own_id := clean_text(line):
            yield number, own_id


def is_split(head: str) -> bool:
    """Whether there is one id in each line, and nothing else."""
    lines = [line for line in head.split("\n")[:200] if line.strip()]
    return bool(lines) and all(len(line) < 200 and len(line.split()) == 1 for line in lines)


def _no_parts(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    return iter(())


STARK = Kind("stark", "STaRK questions", "queries and judgments", _fits, _read)
SPLIT = Kind("split", "a split", "queries", is_split, _no_parts)
"""What it says is of queries that stand elsewhere."""
