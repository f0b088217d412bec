"""Rubrics: the shipped ones and those that users add."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path

from core.errors import CorruptStoreError, InputError, NotFoundError
from core.judge.judgments import Rubric
from core.judge.rubric import check_rubric, rubric_form
from data.access import check_allowed
from data.config import MOST_DOTS, has_endless_names
from data.store import Clock, Store, utc_now

FOLDER = Path(__file__).with_name("rubrics")
DEFAULT_RUBRIC = "query-publication-relevance"
LONGEST_FILE = 100_000
"""Characters: more than twice the longest rubric."""


@cache
def our_rubrics() -> tuple[Rubric, ...]:
    return tuple(read_rubric(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml")))


def load_rubrics(store: Store) -> dict[str, Rubric]:
    """Load all rubrics by id, built-in ones first."""
    found = store.rows("SELECT document::VARCHAR FROM judge_rubrics ORDER BY rubric_id")
    try:
        own = [check_rubric(json.loads(document)) for (document,) in found]
    except (ValueError, InputError) as e:
        raise CorruptStoreError(f"{store.path} has a rubric that can't be read ({e}): restore a copy") from e
    return {rubric.rubric_id: rubric for rubric in (*our_rubrics(), *own)}


def find_rubric(store: Store, rubric_id: str) -> Rubric:
    rubrics = load_rubrics(store)
    if rubric_id not in rubrics:
        raise NotFoundError(f'no rubric "{rubric_id[:80]}"; available: {", ".join(rubrics)}')
    return rubrics[rubric_id]


def is_ours(rubric_id: str) -> bool:
    """Return True if it is built in, and so can't be replaced or deleted."""
    return any(rubric.rubric_id == rubric_id for rubric in our_rubrics())


def read_rubric(text: str) -> Rubric:
    """Parse a rubric from TOML or JSON."""
    if len(text) > LONGEST_FILE:
        raise InputError(f"a rubric can have at most {LONGEST_FILE:,} characters, got {len(text):,}")
    stripped = text.lstrip("\ufeff").strip()
    if not stripped:
        raise InputError("the rubric is empty")
    return check_rubric(_json(stripped) if stripped.startswith("{") else _toml(stripped))


def _json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise InputError("the rubric is nested too deeply") from None
    except json.JSONDecodeError as e:
        raise InputError(f"the rubric is not valid JSON: {e.msg}, line {e.lineno}") from e
    except ValueError as e:
        raise InputError("the rubric has a number with too many digits") from e


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table: dict[str, object] = {}
    for key, value in pairs:
        if key in table:
            raise InputError(f'the rubric has the key "{key[:40]}" twice in one table')
        table[key] = value
    return table


def _toml(text: str) -> object:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if has_endless_names(text):
        raise InputError(f"a line of the rubric has more than {MOST_DOTS:,} dots: split it into several lines")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError("the rubric is nested too deeply") from None
    except ValueError as e:
        raise InputError(f"the rubric is not valid TOML or JSON: {e}") from e


def save_rubric(store: Store, rubric: Rubric, clock: Clock = utc_now) -> Rubric:
    """Save a user's rubric under a new id and return it as saved. Saving an identical one again is not an error."""
    rubric = check_rubric(rubric_form(rubric))
    with store.transaction():
        known = load_rubrics(store).get(rubric.rubric_id)
        if known == rubric:
            return rubric
        if known is not None:
            raise InputError(
                f'another rubric "{rubric.rubric_id}" already exists: choose another rubric_id'
                + ("" if is_ours(rubric.rubric_id) else ", or delete the existing one first")
            )
        store.execute(
            "INSERT INTO judge_rubrics VALUES (?, ?, ?)", [rubric.rubric_id, json.dumps(rubric_form(rubric)), clock()]
        )
    return rubric


def delete_rubric(store: Store, rubric_id: str) -> None:
    """Delete a user's rubric. Judgments stay, because every judge stores its whole rubric."""
    check_allowed("delete")
    if is_ours(rubric_id):
        raise InputError(f'rubric "{rubric_id}" is part of Queryscape and can\'t be deleted')
    with store.transaction():
        if rubric_id not in load_rubrics(store):
            raise NotFoundError(f'no rubric "{rubric_id[:80]}" of your own exists')
        store.execute("DELETE FROM judge_rubrics WHERE rubric_id = ?", [rubric_id])


def rubric_text(rubric: Rubric) -> str:
    """Format a rubric as TOML, which `read_rubric` reads back."""
    form = rubric_form(rubric)
    rules = "".join(f"    {_quoted(rule)},\n" for rule in form["weigh"])
    lines = [
        *(f"{key} = {_quoted(form[key])}" for key in ("rubric_id", "name")),
        f"shown_factor = {form['shown_factor']}",
        f"task = {_quoted(form['task'])}",
        f"weigh = [\n{rules}]",
    ]
    for grade in form["grades"]:
        lines += ["", "[[grades]]", f"points = {grade['points']}"]
        lines += [f"{key} = {_quoted(grade[key])}" for key in ("name", "text")]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
