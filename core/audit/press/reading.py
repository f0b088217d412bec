"""Reading a review that came in a file: bounded, strictly checked, and nothing of it is taken on trust."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from typing import Any, cast, get_args

from core.audit.document import Column, ColumnKind, Table, Value
from core.audit.press.checking import Reader, checked_text, wrong
from core.audit.press.domains import DOMAINS, VERDICTS, DomainId, Verdict
from core.audit.press.parts import PARTS, SIGNATURE, STRING
from core.audit.press.signing import edited_parts
from core.audit.press.types import (
    DomainReview,
    Evidence,
    OtherText,
    Person,
    Request,
    Review,
    Side,
    Signature,
)
from core.errors import FormatError
from core.types import Ids

FORMAT = "queryscape-press"
FORMAT_VERSION = 1
LARGEST_FILE = 5_000_000
"""Bytes."""
LONGEST_STRING = 100_000
LONGEST_TEXT = 20_000
"""Characters of what somebody wrote."""
LONGEST_NAME = 500
MOST_EVIDENCE = 300
MOST_TABLES = 10
MOST_COLUMNS = 20
MOST_ROWS = 2_000
MOST_OTHERS = 200
MOST_PARTS = 200
MOST_NOTES = 20
LARGEST_NUMBER = 1e15
_ID = re.compile(r"[0-9a-f-]{16,64}")
_TABLE_NAME = re.compile(r"[a-z0-9-]{1,80}")
_TOP = (
    *("format", "version", "review_id", "topic", "label", "text", "dialect", "requested_at", "counted_in", "made_up"),
    *("request", "requestor", "reviewer", "domains", "overall", "signature", "replied_at", "others", "side"),
    *("written_at", "seen_at", "base"),
)


@dataclass(frozen=True, slots=True)
class ReadReview:
    """A review that came in a file."""

    review: Review
    edited: Ids
    """What was changed after signing, in words; empty: nothing, or it is not signed."""
    notes: Ids
    """What of the file was left out, in words."""


def read_review(content: bytes | str) -> ReadReview:
    """The review in a file. An error with one sentence if it is none, too large, or of a newer Queryscape."""
    document = _document(content)
    if not isinstance(document, dict):
        raise FormatError("this is no review file: it holds something else. Ask for it to be sent again")
    notes: list[str] = []
    reader = Reader(document, "", notes)
    _check_format(reader)
    review = _review(reader.known(_TOP))
    return ReadReview(review, edited_parts(review), tuple(notes[:MOST_NOTES]))


def _document(content: bytes | str) -> object:
    if len(content) > LARGEST_FILE:
        raise FormatError(f"the file has more than {LARGEST_FILE:,} bytes: that is no review")
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content.removeprefix("\ufeff")
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except FormatError:
        raise
    except (ValueError, RecursionError) as e:
        raise FormatError("this is no review file: it can't be read as JSON. Ask for it to be sent again") from e


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FormatError("the file names something twice, so it can't be told which one is meant")
    return found


def _no_constant(name: str) -> float:
    raise FormatError(f"the file holds {name}, which is no number")


def _check_format(reader: Reader) -> None:
    if reader.value.get("format") != FORMAT:
        raise FormatError(f'this is no review file: its "format" is not "{FORMAT}"')
    version = reader.value.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise wrong("version", "a whole number from 1", version)
    if version > FORMAT_VERSION:
        raise FormatError(
            f"this review was written by a newer Queryscape (format {version}, here {FORMAT_VERSION} is known): "
            "update Queryscape to open it"
        )


def _review(reader: Reader) -> Review:
    review_id = reader.text("review_id", 64, needed=True)
    if not _ID.fullmatch(review_id):
        raise FormatError('"review_id" is not one that Queryscape gives')
    overall = reader.inside("overall").known(("verdict", "comments", "reply"))
    return Review(
        review_id=review_id,
        topic=reader.text("topic", LONGEST_NAME, needed=True),
        version=reader.text("label", LONGEST_NAME, needed=True),
        text=reader.text("text", LONGEST_STRING, needed=True),
        dialect=reader.text("dialect", LONGEST_NAME) or None,
        requested_at=reader.moment("requested_at"),
        counted_in=reader.text("counted_in", LONGEST_NAME),
        made_up=reader.flag("made_up"),
        request=_request(reader.inside("request")),
        requestor=_person(reader.inside("requestor")),
        reviewer=_person(reader.inside("reviewer")),
        domains=_domains(reader),
        overall=cast("Verdict | None", overall.one_of("verdict", VERDICTS)),
        overall_comments=overall.text("comments", LONGEST_TEXT),
        overall_reply=overall.text("reply", LONGEST_TEXT),
        signature=_signature(reader),
        replied_at=reader.moment("replied_at"),
        others=_others(reader),
        side=_side(reader),
        written_at=reader.moment("written_at"),
        seen_at=reader.moment("seen_at"),
        base=reader.texts("base", MOST_PARTS, LONGEST_NAME),
    )


def _side(reader: Reader) -> Side:
    return cast(Side, reader.one_of("side", get_args(Side)) or "requestor")


def _request(reader: Reader) -> Request:
    names = tuple(field.name for field in fields(Request))
    reader.known(names)
    return Request(**{name: reader.text(name, LONGEST_TEXT) for name in names})


def _person(reader: Reader) -> Person:
    names = tuple(field.name for field in fields(Person))
    reader.known(names)
    return Person(**{name: reader.text(name, LONGEST_NAME) for name in names})


def _domains(reader: Reader) -> tuple[DomainReview, ...]:
    """All six in their order; one that the file lacks is blank."""
    found: dict[str, DomainReview] = {}
    known = [domain.id for domain in DOMAINS]
    for number, value in enumerate(reader.listed("domains", 2 * len(DOMAINS)), start=1):
        each = Reader(value, f"domains.{number}", reader.notes)
        each.known(("domain", "number", "title", "evidence", "tables", "verdict", "comments", "reply"))
        name = each.text("domain", LONGEST_NAME, needed=True)
        if name not in known:
            shown = name[:40]
            reader.notes.append(f'Left out of the file: domain "{shown}", which is none of PRESS 2015.')
        elif name in found:
            raise FormatError(f'the file holds domain "{name}" twice')
        else:
            found[name] = _domain(each, name)
    return tuple(found.get(domain.id, DomainReview(domain.id)) for domain in DOMAINS)


def _domain(reader: Reader, name: DomainId) -> DomainReview:
    return DomainReview(
        name,
        tuple(_evidence(each, reader) for each in reader.listed("evidence", MOST_EVIDENCE)),
        tuple(_table(each, reader) for each in reader.listed("tables", MOST_TABLES)),
        cast("Verdict | None", reader.one_of("verdict", VERDICTS)),
        reader.text("comments", LONGEST_TEXT),
        reader.text("reply", LONGEST_TEXT),
    )


def _evidence(value: object, above: Reader) -> Evidence:
    reader = Reader(value, f"{above.name}.evidence", above.notes).known(("text", "look", "rule"))
    return Evidence(reader.text("text", LONGEST_TEXT, needed=True), reader.flag("look"), reader.text("rule", 80))


def _table(value: object, above: Reader) -> Table:
    reader = Reader(value, f"{above.name}.tables", above.notes).known(("name", "caption", "columns", "rows", "note"))
    name = reader.text("name", 80, needed=True)
    if not _TABLE_NAME.fullmatch(name):
        raise FormatError("the name of a table in the file holds more than small letters, digits and hyphens")
    columns = tuple(_column(each, reader) for each in reader.listed("columns", MOST_COLUMNS))
    rows = tuple(_row(each, len(columns), reader) for each in reader.listed("rows", MOST_ROWS))
    caption, note = reader.text("caption", LONGEST_TEXT), reader.text("note", LONGEST_TEXT)
    return Table(name, caption, columns, rows, note)


def _column(value: object, above: Reader) -> Column:
    reader = Reader(value, f"{above.name}.columns", above.notes).known(("title", "kind"))
    kind = reader.one_of("kind", get_args(ColumnKind)) or "text"
    return Column(reader.text("title", LONGEST_NAME), cast(ColumnKind, kind))


def _row(value: object, n: int, above: Reader) -> tuple[Value, ...]:
    name = f"{above.name}.rows"
    if not isinstance(value, list) or len(value) != n:
        raise wrong(name, f"lists of {n} cells", value)
    return tuple(_cell(each, name) for each in value)


def _cell(value: object, name: str) -> Value:
    if isinstance(value, str):
        return checked_text(value, name, LONGEST_TEXT)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or (is_number and abs(cast(float, value)) < LARGEST_NUMBER):  # NaN is not less either
        return cast(Value, value)
    raise wrong(name, "texts and numbers", value)


def _signature(reader: Reader) -> Signature | None:
    if reader.value.get("signature") is None:
        return None
    inner = reader.inside("signature").known(("name", "signed_at", "parts", "sha256"))
    at = inner.moment("signed_at")
    if not at:
        raise wrong("signature.signed_at", "a date and time with its zone", None)
    parts = inner.texts("parts", MOST_PARTS, LONGEST_NAME)
    return Signature(inner.text("name", LONGEST_NAME, needed=True), at, parts, inner.text("sha256", 80, needed=True))


def _others(above: Reader) -> tuple[OtherText, ...]:
    found = []
    for value in above.listed("others", MOST_OTHERS):
        reader = Reader(value, "others", above.notes).known(("part", "text", "side", "written_at"))
        part, text = reader.text("part", 80, needed=True), reader.text("text", LONGEST_STRING, needed=True)
        if part in (*PARTS, SIGNATURE, STRING):
            found.append(OtherText(part, text, _side(reader), reader.moment("written_at")))
        else:
            above.notes.append(f'Left out of the file: another text of "{part[:40]}", which is no place of a review.')
    return tuple(found)
