"""Exchange PRESS reviews as files and reports: write, read strictly, and merge them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, cast, get_args

from core.audit.press import (
    CITATION,
    DOMAINS,
    NO_PROOF,
    PARTS,
    SIGNATURE,
    STRING,
    VERDICTS,
    DomainId,
    DomainReview,
    OtherText,
    Person,
    PressEvidence,
    PressPart,
    Request,
    Review,
    Side,
    Signature,
    Verdict,
    edited_parts,
    mark,
    marks,
    shown,
    words_of,
)
from core.errors import FormatError, InputError
from core.query.dialects import DIALECTS
from core.report import (
    AnswerPrompt,
    Block,
    ColumnKind,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Strategy,
    Table,
    Value,
    columns_of,
    moment,
)
from core.text import first_of, listed, upper_first
from core.types import Ids

# Read values of a foreign JSON file: a value of another type, or above its size limit, is refused.

LONGEST_NAME_SHOWN = 40
MOST_NAMED = 5
_KINDS: dict[type, str] = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}


def wrong(name: str, expected: str, value: object) -> FormatError:
    got = "nothing" if value is None else _KINDS.get(type(value), "an object")
    return FormatError(f'this is not a valid Queryscape review: "{name}" must be {expected}, got {got}')


class Reader:
    """One object of the file and its path; collects notes on what was ignored."""

    def __init__(self, value: object, name: str, notes: list[str]) -> None:
        if not isinstance(value, Mapping):
            raise wrong(name, "an object", value)
        self.value: Mapping[str, object] = value
        self.name = name
        self.notes = notes

    def known(self, names: Collection[str]) -> Reader:
        others = [f'"{str(key)[:LONGEST_NAME_SHOWN]}"' for key in self.value if key not in names]
        if others:
            where = f" in {self.name}" if self.name else ""
            self.notes.append(f"Ignored in the file{where}, as unknown here: {first_of(others, MOST_NAMED)}.")
        return self

    def text(self, key: str, most: int, *, needed: bool = False) -> str:
        """Return a text of at most `most` characters; empty if it is missing and not needed."""
        value = self.value.get(key)
        if value is None and not needed:
            return ""
        if not isinstance(value, str):
            raise wrong(self._path(key), "a text", value)
        return checked_text(value, self._path(key), most)

    def moment(self, key: str) -> str:
        """Return a date and time in UTC, or an empty text."""
        value = self.text(key, 40)
        if not value:
            return ""
        try:
            found = datetime.fromisoformat(value)
            if found.tzinfo is None:
                raise ValueError
            return found.astimezone(UTC).isoformat()
        except (ValueError, OverflowError) as e:
            raise wrong(self._path(key), "a date and time with its zone, like 2031-05-06T12:00:00+00:00", value) from e

    def flag(self, key: str) -> bool:
        """Return true or false; false if missing."""
        value = self.value.get(key, False)
        if not isinstance(value, bool):
            raise wrong(self._path(key), "true or false", value)
        return value

    def one_of(self, key: str, allowed: Collection[str]) -> str | None:
        value = self.value.get(key)
        if value is not None and (not isinstance(value, str) or value not in allowed):
            raise wrong(self._path(key), f"one of {', '.join(allowed)}, or null", value)
        return value

    def listed(self, key: str, most: int) -> list[object]:
        """Return a list of at most `most` entries; empty if missing."""
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise wrong(self._path(key), "a list", value)
        if len(value) > most:
            raise FormatError(f'"{self._path(key)}" has {len(value):,} entries; at most {most:,} are read')
        return value

    def texts(self, key: str, most: int, longest: int) -> tuple[tuple[str, str], ...]:
        value = self.value.get(key)
        if value is None:
            return ()
        if not isinstance(value, Mapping) or not all(isinstance(each, str) for each in value.values()):
            raise wrong(self._path(key), "an object of texts", value)
        if len(value) > most:
            raise FormatError(f'"{self._path(key)}" has {len(value):,} entries; at most {most:,} are read')
        pairs = ((str(name), str(each)) for name, each in value.items())
        path = self._path(key)
        return tuple((checked_text(n, path, longest), checked_text(t, path, longest)) for n, t in pairs)

    def inside(self, key: str) -> Reader:
        """Return the object under this key; an empty one if missing."""
        value = self.value.get(key)
        return Reader({} if value is None else value, self._path(key), self.notes)

    def _path(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key


def checked_text(value: str, name: str, most: int) -> str:
    if len(value) > most:
        raise FormatError(f'"{name}" has {len(value):,} characters; at most {most:,} are read')
    try:
        value.encode()
    except UnicodeEncodeError as e:
        raise FormatError(f'"{name}" contains half a character: the file was damaged in transfer') from e
    return value


# Read a review from a file: bounded, strictly checked, and without trusting its content.

FORMAT = "queryscape-press"
FORMAT_VERSION = 1
LARGEST_FILE = 5_000_000
"""Bytes."""
LONGEST_STRING = 100_000
LONGEST_TEXT = 20_000
"""Characters of a text that a person wrote."""
LONGEST_READ_NAME = 500
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
    *("written_at", "seen_at", "base", "is_search"),
)


@dataclass(frozen=True, slots=True)
class ReadReview:
    review: Review
    edited: Ids
    """Parts that were changed after signing; empty: none, or the review is not signed."""
    notes: Ids
    """Parts of the file that were ignored."""


def read_review(content: bytes | str) -> ReadReview:
    """Read a review from a file. Raise an error if it is none, too large, or of a newer Queryscape."""
    document = _document(content)
    if not isinstance(document, dict):
        raise FormatError("this is not a review file: it contains something else. Ask the sender for a new copy")
    notes: list[str] = []
    reader = Reader(document, "", notes)
    _check_format(reader)
    review = _review(reader.known(_TOP))
    return ReadReview(review, edited_parts(review), tuple(notes[:MOST_NOTES]))


def is_review_file(content: bytes) -> bool:
    """Return True if a file says that it is a review, even one that can't be read completely."""
    try:
        document = _document(content)
    except FormatError:
        return False
    return isinstance(document, dict) and document.get("format") == FORMAT


def _document(content: bytes | str) -> object:
    if len(content) > LARGEST_FILE:
        raise FormatError(f"the file has more than {LARGEST_FILE:,} bytes, more than a review has")
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content.removeprefix("\ufeff")
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except FormatError:
        raise
    except (ValueError, RecursionError) as e:
        raise FormatError("this is not a review file: it can't be read as JSON. Ask the sender for a new copy") from e


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FormatError("the file contains the same key twice, so its content is ambiguous")
    return found


def _no_constant(name: str) -> float:
    raise FormatError(f"the file contains {name}, which is not a number")


def _check_format(reader: Reader) -> None:
    if reader.value.get("format") != FORMAT:
        raise FormatError(f'this is not a review file: its "format" is not "{FORMAT}"')
    version = reader.value.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise wrong("version", "a whole number from 1", version)
    if version > FORMAT_VERSION:
        raise FormatError(
            f"this review was written by a newer Queryscape (format {version}; this one reads up to {FORMAT_VERSION}): "
            "update Queryscape to open it"
        )


def _review(reader: Reader) -> Review:
    review_id = reader.text("review_id", 64, needed=True)
    if not _ID.fullmatch(review_id):
        raise FormatError('"review_id" is not an id from Queryscape')
    overall = reader.inside("overall").known(("verdict", "comments", "reply"))
    return Review(
        review_id=review_id,
        topic=reader.text("topic", LONGEST_READ_NAME, needed=True),
        version=reader.text("label", LONGEST_READ_NAME, needed=True),
        text=reader.text("text", LONGEST_STRING, needed=True),
        dialect=reader.text("dialect", LONGEST_READ_NAME) or None,
        requested_at=reader.moment("requested_at"),
        counted_in=reader.text("counted_in", LONGEST_READ_NAME),
        made_up=reader.flag("made_up"),
        request=Request(**_texts(reader.inside("request"), Request, LONGEST_TEXT)),
        requestor=Person(**_texts(reader.inside("requestor"), Person, LONGEST_READ_NAME)),
        reviewer=Person(**_texts(reader.inside("reviewer"), Person, LONGEST_READ_NAME)),
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
        base=reader.texts("base", MOST_PARTS, LONGEST_READ_NAME),
        is_search=reader.flag("is_search"),
    )


def _side(reader: Reader) -> Side:
    return cast(Side, reader.one_of("side", get_args(Side)) or "requestor")


def _texts(reader: Reader, cls: type, most: int) -> dict[str, str]:
    """Return the texts of a record that has nothing else."""
    names = tuple(field.name for field in fields(cls))
    reader.known(names)
    return {name: reader.text(name, most) for name in names}


def _domains(reader: Reader) -> tuple[DomainReview, ...]:
    """Read all six domains in their order; one that the file lacks is blank."""
    found: dict[str, DomainReview] = {}
    known = [domain.id for domain in DOMAINS]
    for number, value in enumerate(reader.listed("domains", 2 * len(DOMAINS)), start=1):
        each = Reader(value, f"domains.{number}", reader.notes)
        each.known(("domain", "number", "title", "evidence", "tables", "verdict", "comments", "reply"))
        name = each.text("domain", LONGEST_READ_NAME, needed=True)
        if name not in known:
            shown = name[:40]
            reader.notes.append(f'Ignored in the file: domain "{shown}", which is not in PRESS 2015.')
        elif name in found:
            raise FormatError(f'the file contains domain "{name}" twice')
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


def _evidence(value: object, above: Reader) -> PressEvidence:
    reader = Reader(value, f"{above.name}.evidence", above.notes).known(("text", "look", "rule"))
    return PressEvidence(reader.text("text", LONGEST_TEXT, needed=True), reader.flag("look"), reader.text("rule", 80))


def _table(value: object, above: Reader) -> Table:
    reader = Reader(value, f"{above.name}.tables", above.notes).known(("name", "caption", "columns", "rows", "note"))
    name = reader.text("name", 80, needed=True)
    if not _TABLE_NAME.fullmatch(name):
        raise FormatError("the name of a table in the file may contain only lower-case letters, digits and hyphens")
    columns = tuple(_column(each, reader) for each in reader.listed("columns", MOST_COLUMNS))
    rows = tuple(_row(each, len(columns), reader) for each in reader.listed("rows", MOST_ROWS))
    caption, note = reader.text("caption", LONGEST_TEXT), reader.text("note", LONGEST_TEXT)
    return Table(name, caption, columns, rows, note)


def _column(value: object, above: Reader) -> ReportColumn:
    reader = Reader(value, f"{above.name}.columns", above.notes).known(("title", "kind"))
    kind = reader.one_of("kind", get_args(ColumnKind)) or "text"
    return ReportColumn(reader.text("title", LONGEST_READ_NAME), cast(ColumnKind, kind))


def _row(value: object, n: int, above: Reader) -> tuple[Value, ...]:
    name = f"{above.name}.rows"
    if not isinstance(value, list) or len(value) != n:
        raise wrong(name, f"lists of {n} cells", value)
    return tuple(_cell(each, name) for each in value)


def _cell(value: object, name: str) -> Value:
    if isinstance(value, str):
        return checked_text(value, name, LONGEST_TEXT)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or (is_number and abs(cast(float, value)) < LARGEST_NUMBER):  # false for NaN too
        return cast(Value, value)
    raise wrong(name, "texts and numbers", value)


def _signature(reader: Reader) -> Signature | None:
    if reader.value.get("signature") is None:
        return None
    inner = reader.inside("signature").known(("name", "signed_at", "parts", "sha256"))
    at = inner.moment("signed_at")
    if not at:
        raise wrong("signature.signed_at", "a date and time with its zone", None)
    parts = inner.texts("parts", MOST_PARTS, LONGEST_READ_NAME)
    return Signature(
        inner.text("name", LONGEST_READ_NAME, needed=True), at, parts, inner.text("sha256", 80, needed=True)
    )


def _others(above: Reader) -> tuple[OtherText, ...]:
    found = []
    for value in above.listed("others", MOST_OTHERS):
        reader = Reader(value, "others", above.notes).known(("part", "text", "side", "written_at"))
        part, text = reader.text("part", 80, needed=True), reader.text("text", LONGEST_STRING, needed=True)
        if part in (*PARTS, SIGNATURE, STRING):
            found.append(OtherText(part, text, _side(reader), reader.moment("written_at")))
        else:
            above.notes.append(f'Ignored in the file: another text for "{part[:40]}", which is not a part of a review.')
    return tuple(found)


# A review as the one file that goes from requestor to reviewer and back: plain JSON with all that a reviewer needs.

ENDING = ".press.json"
LONGEST_FILE_NAME = 60


def as_json(review: Review) -> str:
    """Serialise a review as JSON; the same review gives the same text.

    >>> as_json(Review("0123456789abcdef", "Heat", "v1", "heat", None, "", "")).splitlines()[1]
    '  "format": "queryscape-press",'
    """
    signature = review.signature
    document: dict[str, object] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "review_id": review.review_id,
        "topic": review.topic,
        "label": review.version,
        "text": review.text,
        "dialect": review.dialect,
        "requested_at": review.requested_at,
        "counted_in": review.counted_in,
        "made_up": review.made_up,
        "request": asdict(review.request),
        "requestor": asdict(review.requestor),
        "reviewer": asdict(review.reviewer),
        "domains": [
            {"domain": each.domain, "number": each.about.number, "title": each.about.title, **asdict(each)}
            for each in review.domains
        ],
        "overall": {
            "verdict": review.overall,
            "comments": review.overall_comments,
            "reply": review.overall_reply,
        },
        "signature": signature and {**asdict(signature), "parts": dict(signature.parts)},
        "replied_at": review.replied_at,
        "others": [asdict(other) for other in review.others],
        "side": review.side,
        "written_at": review.written_at,
        "seen_at": review.seen_at,
        "base": dict(review.base),
        "is_search": review.is_search,
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def file_name(review: Review) -> str:
    """Return a file name made of topic and version, valid on any system.

    >>> file_name(Review("0123456789abcdef", "Urban heat & trees", "v 2/b", "heat", None, "", ""))
    'urban-heat-trees-v-2-b.press.json'
    """
    name = "-".join(re.findall(r"[a-z0-9]+", f"{review.topic} {review.version}".lower()))
    return f"{name[:LONGEST_FILE_NAME].strip('-') or 'review'}{ENDING}"


# Merge a returned file with the local copy: both sides' texts are preserved, and each change has a known author.
#
# Each copy stores a mark of every part as the other side last had it, which distinguishes a part that one side has
# changed since from one that both have. If both have, the owner's text takes effect, and the other text is stored
# with the review, to choose from.


@dataclass(frozen=True, slots=True)
class ReviewMerge:
    review: Review
    taken: Ids
    """Parts that the file changed."""
    both_kept: Ids
    """Parts that both sides wrote; the other text is among `review.others`."""
    notes: Ids


def merge(ours: Review, theirs: Review) -> ReviewMerge:
    """Merge two copies: each side's text prevails in its own parts, and the replaced text is kept to choose from."""
    if ours.review_id != theirs.review_id:
        raise InputError("the file belongs to another review")
    if note := _too_late(ours, theirs):
        return ReviewMerge(ours, (), (), (note,))
    merged, taken, others = ours, [], []
    for part in PARTS.values():
        text, other = _settled(part, ours, theirs)
        if text != part.read(ours):
            merged = part.write(merged, text)
            taken.append(part.words)
        if other is not None:
            others.append(other)
    merged, was_signed, left = _with_signature(merged, theirs)
    taken += was_signed
    others += left
    notes: Ids = ()
    if ours.text != theirs.text:
        others.append(OtherText(STRING, theirs.text, theirs.side, theirs.written_at))
        notes = ("The search string in the file differs from the one stored here, which was kept.",)
    fresh = [other for other in others if other not in ours.others]
    kept = replace(
        _with_their_evidence(merged, theirs),
        others=(*ours.others, *fresh)[-MOST_OTHERS:],
        seen_at=theirs.written_at,
        base=marks(theirs),
    )
    return ReviewMerge(kept, tuple(taken), tuple(words_of(other.part) for other in fresh), notes)


def _too_late(ours: Review, theirs: Review) -> str | None:
    """Explain why a file must change nothing; None: it may be merged."""
    if theirs.side == ours.side and theirs.written_at <= ours.written_at:
        return f"This is your own file of {theirs.written_at}, not one from the other side. Nothing was changed."
    if theirs.written_at < ours.seen_at:
        return (
            f"This file was written on {theirs.written_at}, before the file of {ours.seen_at} that was already "
            "imported. Nothing was changed."
        )
    return None


def _settled(part: PressPart, ours: Review, theirs: Review) -> tuple[str, OtherText | None]:
    here, there = part.read(ours), part.read(theirs)
    if here == there:
        return here, None
    known = {dict(each).get(part.id) for each in (ours.base, theirs.base)}
    by_another = _are_two_people(ours, theirs, part.owner)
    we_changed, they_changed = by_another or mark(here) not in known, by_another or mark(there) not in known
    they_own = part.owner == theirs.side != ours.side
    if dict(ours.base).get(part.id) == mark(there):
        if they_own and here and dict(theirs.base).get(part.id) == mark(here):
            return there, OtherText(part.id, here, ours.side, ours.written_at)  # they saw this, and kept their own
        return here, None  # they had this when their file was written; the text here is newer
    if they_own:
        if we_changed and here:
            return there, OtherText(part.id, here, ours.side, ours.written_at)
        return there, None
    return here, OtherText(part.id, there, theirs.side, theirs.written_at) if they_changed and there else None


def _are_two_people(ours: Review, theirs: Review, side: Side) -> bool:
    """Return True if the copies name different people; then neither builds on the other's text."""
    here, there = ((each.reviewer if side == "reviewer" else each.requestor).name.strip() for each in (ours, theirs))
    return bool(here and there) and here.casefold() != there.casefold()


def _with_signature(merged: Review, theirs: Review) -> tuple[Review, list[str], list[OtherText]]:
    """Adopt the later signature, and keep the other one, of another person or an earlier time, as a note."""
    here, there = merged.signature, theirs.signature
    taken: list[str] = []
    others: list[OtherText] = []
    if there is not None and there != here:
        if here is None or there.signed_at >= here.signed_at:
            merged = replace(merged, signature=there, replied_at="")
            taken.append("the signature")
        others += [OtherText(SIGNATURE, _told(one), theirs.side, theirs.written_at) for one in _left(here, there)]
    if theirs.replied_at > merged.replied_at and merged.signature == there:
        merged = replace(merged, replied_at=theirs.replied_at)
        taken.append("the completion of the requestor's reply")
    return merged, taken, others


def _left(here: Signature | None, there: Signature) -> list[Signature]:
    return [] if here is None else [here if there.signed_at >= here.signed_at else there]


def _told(signature: Signature) -> str:
    return f"Signed by {signature.name} on {signature.signed_at}, SHA-256 {signature.sha256}"


def _with_their_evidence(merged: Review, theirs: Review) -> Review:
    if merged.side == "requestor":
        return merged
    found = {each.domain: each for each in theirs.domains}
    domains = tuple(
        replace(each, evidence=found[each.domain].evidence, tables=found[each.domain].tables) for each in merged.domains
    )
    return replace(merged, domains=domains, counted_in=theirs.counted_in)


def choose(review: Review, other: OtherText, *, take_it: bool) -> Review:
    """Restore another text to its part, or discard it. A text that is replaced can be chosen again later."""
    if other not in review.others:
        raise InputError("this text is no longer available: open the review again")
    left = tuple(each for each in review.others if each != other)
    if not take_it:
        return replace(review, others=left)
    part = PARTS.get(other.part)
    if part is None:
        raise InputError(f"{words_of(other.part)} can't replace the current one: you can only discard it")
    before = part.read(review)
    back = (OtherText(part.id, before, review.side, review.written_at),) if before else ()
    return replace(part.write(review, other.text), others=(*left, *back))


def shown_other(other: OtherText) -> str:
    part = PARTS.get(other.part)
    return other.text if part is None else shown(part, other.text)


# A review as a document, in the order of the form.

LOOK = "Worth a look: "
"""The prefix of evidence that may call for a revision."""


def press_document(review: Review, *, made_at: str, made_with: str) -> ReportDocument:
    """Compose the document: request, string, the six domains, the overall verdict, and the signature."""
    blocks: list[Block] = [
        *_head(review),
        *_request_blocks(review),
        *_string(review),
        *(block for each in review.domains for block in _domain_blocks(review, each)),
        *_overall(review),
        *_other_blocks(review),
        *_signature_blocks(review),
        ReportHeading("How this review was made"),
        Paragraph(
            f"The six domains and the three verdicts are those of PRESS 2015: {CITATION}. The questions and the "
            "evidence are in Queryscape's words. Evidence is counted or checked by the tool; verdicts and comments are "
            "the reviewer's."
        ),
    ]
    return ReportDocument(
        kind="press",
        title="Peer review of a search strategy (PRESS 2015)",
        subtitle=f"{review.topic}, {review.subject}",
        blocks=tuple(_with_own_names(blocks)),
        made_at=made_at,
        made_with=made_with,
        made_up=review.made_up,
    )


def _with_own_names(blocks: list[Block]) -> Iterator[Block]:
    """Rename tables of the same name, which a foreign file may contain."""
    seen: Counter[str] = Counter()
    for block in blocks:
        if isinstance(block, Table):
            seen[block.name] += 1
            if seen[block.name] > 1:
                yield replace(block, name=f"{block.name}-again-{seen[block.name]}")
                continue
        yield block


def _head(review: Review) -> Iterator[Block]:
    yield Paragraph(_state_in_words(review), is_lead=True)
    edited = edited_parts(review)
    if edited:
        yield Remark(f"Changed after signing: {listed(edited)}.", is_warning=True)
    if review.others:
        n = len(review.others)
        places = "one place" if n == 1 else f"{n:,} places"
        yield Remark(f"Both sides edited {places}. Both texts are below; choose one of them.", True)
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (each.about.number, each.about.title, VERDICTS[each.verdict] if each.verdict else None, _n_to_look_at(each))
        for each in review.domains
    )
    yield Table(
        "press-verdicts",
        "Verdicts by domain",
        (ReportColumn("Domain", "count"), *columns_of("Title", "Verdict"), ReportColumn("Worth a look", "count")),
        (*rows, (None, "Overall", VERDICTS[review.overall] if review.overall else None, None)),
        note="Worth a look: how much of the evidence a reviewer may want a revision for.",
    )


def _n_to_look_at(each: DomainReview) -> int:
    return sum(found.look for found in each.evidence)


def _state_in_words(review: Review) -> str:
    who = review.reviewer.name.strip() or "not named yet"
    if review.signature is not None:
        text = VERDICTS[review.overall] if review.overall else "no overall verdict"
        signed = f"Signed by {review.signature.name} on {moment(review.signature.signed_at)}. Overall: {text}."
        return f"{signed} The requestor replied on {moment(review.replied_at)}." if review.replied_at else signed
    asked = f"Requested on {moment(review.requested_at)}."
    if review.state == "requested":
        return f"{asked} The review has not started. Reviewer: {who}."
    return f"{asked} Under review: {review.n_decided} of {len(review.domains)} domains have a verdict. Reviewer: {who}."


def _request_blocks(review: Review) -> Iterator[Block]:
    yield ReportHeading("Request")
    request = review.request
    rows: list[tuple[Value, ...]] = [
        ("Requestor", _person_line(review.requestor)),
        ("Reviewer", _person_line(review.reviewer)),
        ("Requested on", moment(review.requested_at) if review.requested_at else None),
        ("Needed by", request.wanted_by or None),
        ("Database and platform", request.database or None),
    ]
    yield Table("press-request", "People and dates", columns_of("What", "Entry"), tuple(rows))
    for title, text, item in (
        ("Research question", request.question, "press:question"),
        ("Inclusion criteria", request.included, ""),
        ("Exclusion criteria", request.excluded, ""),
        ("Notes", request.notes, ""),
    ):
        if text.strip():
            yield ReportHeading(title, 3)
            yield from _written(text)
        elif item:
            yield ReportHeading(title, 3)
            yield AnswerPrompt("The requestor has not given a research question yet.", item)


def _person_line(person: Person) -> str | None:
    parts = [person.name.strip() or "unnamed", person.affiliation.strip(), person.email.strip()]
    return ", ".join(each for each in parts if each) if any((person.name, person.affiliation, person.email)) else None


def _written(text: str) -> Iterator[Block]:
    """Yield the paragraphs of a text that a person wrote; an empty line separates them."""
    for part in text.replace("\r\n", "\n").split("\n\n"):
        if part.strip():
            yield Paragraph(part.strip())


def _string(review: Review) -> Iterator[Block]:
    yield ReportHeading("Search string")
    names: dict[str, str] = {dialect.id: dialect.label for dialect in DIALECTS.values()}
    dialect = f", read as {names.get(review.dialect, review.dialect)}" if review.dialect not in (None, "plain") else ""
    yield Strategy(review.text, f"{upper_first(review.subject)}{dialect}, exactly as it was sent for review")
    if review.counted_in:
        yield Paragraph(f"Everything below was counted among {review.counted_in}, when the review was requested.")


def _domain_blocks(review: Review, each: DomainReview) -> Iterator[Block]:
    about = each.about
    yield ReportHeading(f"{about.number}. {about.title}")
    yield Paragraph("Questions to consider:")
    yield Listing(about.asks)
    if each.evidence:
        yield Paragraph("Evidence found by the tool:")
        yield Listing(tuple(_sentence(found) for found in each.evidence))
    else:
        yield Paragraph("The tool found nothing.")
    yield from each.tables
    yield from _verdict(each.verdict, about.item, about.number)
    if each.verdict is not None or each.comments.strip():
        yield from _comments(each.comments)
    yield from _reply(review, each.reply)


def _sentence(found: PressEvidence) -> str:
    return f"{LOOK}{found.text}" if found.look else found.text


def _verdict(verdict: Verdict | None, item: str, domain: int | None) -> Iterator[Block]:
    if verdict is None:
        name = "an overall verdict" if domain is None else f"a verdict on domain {domain}"
        yield AnswerPrompt(f"The reviewer has not given {name} yet.", item)
    else:
        name = "Overall verdict" if domain is None else f"Verdict on domain {domain}"
        yield ReportHeading(f"{name}: {VERDICTS[verdict]}", 3)


def _comments(text: str) -> Iterator[Block]:
    if text.strip():
        yield Paragraph("Reviewer's comments:")
        yield from _written(text)
    else:
        yield Paragraph("The reviewer wrote no comments.")


def _reply(review: Review, text: str) -> Iterator[Block]:
    if text.strip():
        yield Paragraph("Requestor's reply:")
        yield from _written(text)
    elif review.replied_at:
        yield Paragraph("The requestor did not reply to this.")


def _overall(review: Review) -> Iterator[Block]:
    yield ReportHeading("Overall")
    yield from _verdict(review.overall, "press:overall", None)
    if review.requires_revision and review.overall not in (None, "required"):
        yield Remark("A domain requires revisions, so PRESS asks for an overall verdict of the same kind.", True)
    if review.overall is not None or review.overall_comments.strip():
        yield from _comments(review.overall_comments)
    yield from _reply(review, review.overall_reply)


def _other_blocks(review: Review) -> Iterator[Block]:
    if not review.others:
        return
    yield ReportHeading("Conflicting texts from the other side")
    for other in review.others:
        when = f" on {moment(other.written_at)}" if other.written_at else ""
        place = words_of(other.part)
        yield ReportHeading(f"{upper_first(place)}, by the {other.side}{when}", 3)
        text = shown_other(other)
        if other.part == "string":
            yield Strategy(text)
        else:
            yield from _written(text)


def _signature_blocks(review: Review) -> Iterator[Block]:
    yield ReportHeading("Signature")
    signature = review.signature
    if signature is None:
        yield AnswerPrompt("The review is not signed yet. A reviewer needs a name to sign.", "press:signature")
        return
    edited = edited_parts(review)
    rows: tuple[tuple[Value, ...], ...] = (
        ("Signed by", signature.name),
        ("On", moment(signature.signed_at)),
        ("SHA-256 of the signed content", signature.sha256),
        ("Changed since", listed(edited) if edited else "nothing"),
    )
    yield Table(
        "press-signature", "The reviewer's signature", (ReportColumn("What"), ReportColumn("Entry", "code")), rows
    )
    yield Paragraph(NO_PROOF)
