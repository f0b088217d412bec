"""Read NLM's MeSH files (tree, descriptor XML, ASCII; also .gz) and store them once per workspace."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree import ElementTree

from core.errors import CorruptStoreError, FormatError, InputError
from core.library.headings import HeadingGrid, heading_grid
from core.library.mesh import MeshHeading, MeshThesaurus, merged_headings
from core.protocols import OnProgress
from core.text import many
from core.types import Ids, unique_ids
from data.digests import check_bytes, written_with_digests
from data.files import WorkspacePaths, read_errors
from data.http.download import file_at
from data.query.index import CorpusIndex

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_IN_NAME = re.compile(r"(?:19|20)\d\d")
_DTD_YEAR = re.compile(rb"descriptorrecordset_((?:19|20)\d\d)")
_PLACE = re.compile(r"[A-Z](?:\d\d(?:\.\d{3})*)?")
_FORMER = re.compile(r"\bwas ([^;.(]+?)(?:\s+\d{4}.*|\s*)(?:[;.(]|$)", re.IGNORECASE)
"""The former name in a note: "91; was SLEEP LOSS 1975-90"."""
MOST_NOTES = 20
BLOCK = 1 << 16
LONGEST_LINE = 1_000_000
TRUNCATED = (EOFError, zlib.error, gzip.BadGzipFile)


@dataclass(frozen=True, slots=True)
class MeshImport:
    thesaurus: MeshThesaurus
    n_read: int
    """Headings in the new file."""
    notes: tuple[str, ...]
    """Damage in the new file, with its place."""
    replaced: str
    """The edition that was replaced; empty: none."""


class _Damage:
    """Notes on a file that is read; the first ones are kept in full, and all are counted."""

    def __init__(self, name: str) -> None:
        self.name, self.notes, self.n, self.is_cut_off = name, list[str](), 0, False

    def add(self, place: str, reason: str, *, is_cut_off: bool = False) -> None:
        self.n += 1
        self.is_cut_off |= is_cut_off
        if self.n <= MOST_NOTES or is_cut_off:
            self.notes.append(f"{self.name}, {place}: {reason}")

    def all(self) -> tuple[str, ...]:
        hidden = self.n - len(self.notes)
        return (*self.notes, f"{self.name}: {many(hidden, 'more line')} of this kind") if hidden else (*self.notes,)


def read_mesh(path: Path, on_progress: OnProgress | None = None) -> tuple[MeshThesaurus, bool]:
    """Read one of NLM's files, and return True if it is cut off. All complete headings are kept.

    `on_progress` receives the number of bytes read.
    """
    damage = _Damage(path.name)
    with read_errors(path), io.BufferedReader(_WatchedFile(path, on_progress), BLOCK) as plain:
        signature = plain.read(2)
        is_packed = signature == b"\x1f\x8b"
        if signature == b"PK":
            raise FormatError(f"{path.name} is a .zip file: unpack it, or choose NLM's .gz file")
        plain.seek(0)
        file = io.BufferedReader(_Unpacked(plain, damage)) if is_packed else plain
        head = file.peek(4096)[:4096] if isinstance(file, io.BufferedReader) else b""
        year = _year_of(path.name, head)
        if head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
            found = list(_from_xml(file, damage))
        elif b"*NEWRECORD" in head:
            found = list(_from_ascii(file, damage))
        else:
            found = list(_from_tree(file, damage))
    if not found:
        raise FormatError(
            f"{path.name} holds no MeSH headings: give NLM's tree file (mtrees2025.bin), descriptor XML (desc2025.xml, "
            "also .gz) or ASCII file (d2025.bin)"
        )
    return MeshThesaurus(merged_headings(found), year, (path.name,), damage.all()), damage.is_cut_off


class _WatchedFile(io.FileIO):
    """A file that reports how much of it was read."""

    def __init__(self, path: Path, on_progress: OnProgress | None) -> None:
        super().__init__(path)
        self._on_progress, self._n_bytes = on_progress, path.stat().st_size

    def readinto(self, buffer: Any, /) -> int:
        n = super().readinto(buffer) or 0
        if self._on_progress is not None:
            self._on_progress(self.tell(), self._n_bytes)
        return n


class _Unpacked(io.RawIOBase):
    """The content of a .gz file up to the place where it is cut off."""

    def __init__(self, file: BinaryIO, damage: _Damage) -> None:
        self._file, self._unzipped, self._damage, self._done = file, gzip.GzipFile(fileobj=file), damage, False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if self._done:
            return 0
        try:
            found = self._unzipped.read1(len(buffer))
        except TRUNCATED:
            self._done = True
            place = f"byte {self._file.tell():,} of the .gz file"
            self._damage.add(place, "the file is cut off or damaged here", is_cut_off=True)
            return 0
        buffer[: len(found)] = found
        return len(found)


def _year_of(name: str, head: bytes) -> int | None:
    if found := _DTD_YEAR.search(head):
        return int(found[1])
    in_name = _IN_NAME.search(name)
    return int(in_name[0]) if in_name else None


def _lines(file: BinaryIO) -> Iterator[tuple[int, str, bool]]:
    """Yield each line with its number, and False if it lacks its end."""
    for number in count(1):
        line = file.readline(LONGEST_LINE)
        if not line:
            return
        if len(line) == LONGEST_LINE:
            raise FormatError(f"line {number:,} has more than {LONGEST_LINE:,} bytes: this is no MeSH file of NLM's")
        yield number, line.decode("utf-8", errors="replace").lstrip("\ufeff").strip(), line.endswith(b"\n")


def _from_tree(file: BinaryIO, damage: _Damage) -> Iterator[MeshHeading]:
    for number, line, ends in _lines(file):
        if not line:
            continue
        name, _, place = (part.strip() for part in line.rpartition(";"))
        if not ends and name:
            reason = "no line end: the file may be cut off here, so this line was left out"
            damage.add(f"line {number:,}", reason, is_cut_off=True)
        elif name and _PLACE.fullmatch(place):
            yield MeshHeading(name, (place,))
        elif number == 1 and not name:
            return
        else:
            damage.add(f"line {number:,}", 'not "Heading;Tree.Number", so it was left out')


def _from_ascii(file: BinaryIO, damage: _Damage) -> Iterator[MeshHeading]:
    fields: dict[str, list[str]] = {}
    last, is_whole = 0, True
    began = 1
    for number, line, ends in _lines(file):
        last, is_whole = number, ends
        if line == "*NEWRECORD":
            yield from _ascii_heading(fields, damage, began)
            fields, began = {}, number
        elif " = " in line:
            name, _, value = line.partition(" = ")
            fields.setdefault(name, []).append(value)
    # UI is the last field of a record
    if fields and ("UI" not in fields or not is_whole):
        damage.add(f"line {last:,}", "the file is cut off here: its last record was left out", is_cut_off=True)
    else:
        yield from _ascii_heading(fields, damage, began)


def _ascii_heading(fields: dict[str, list[str]], damage: _Damage, line: int) -> Iterator[MeshHeading]:
    if not fields or fields.get("RECTYPE", ["D"])[0] != "D":
        return
    if "MH" not in fields:
        damage.add(f"line {line:,}", "a record without MH, so it was left out")
        return
    entries = (
        value.partition("|")[0].strip() for value in chain(fields.get("PRINT ENTRY", ()), fields.get("ENTRY", ()))
    )
    notes = " ; ".join(chain(fields.get("PM", ()), fields.get("HN", ())))
    began = next(chain(fields.get("DX", ()), fields.get("DA", ())), "")
    yield MeshHeading(
        fields["MH"][0].strip(), tuple(fields.get("MN", ())), unique_ids(entries), _former(notes), _first_year(began)
    )


def _from_xml(file: BinaryIO, damage: _Damage) -> Iterator[MeshHeading]:
    parser: Any = ElementTree.XMLPullParser(("start", "end"))
    root: ElementTree.Element | None = None
    before, is_over = b"", False
    while not is_over:
        block = file.read(BLOCK)
        # An entity may begin in one block and end in the next, and in UTF-16 each sign has a NUL.
        seen = before + block.replace(b"\x00", b"")
        if b"<!ENTITY" in seen:
            raise FormatError(f"{damage.name} declares XML entities (<!ENTITY), which are not read: remove them")
        before = seen[-len(b"<!ENTITY") :]
        try:
            if block:
                parser.feed(block)
            else:
                parser.close()
                is_over = True
            for event, element in parser.read_events():
                if root is None:
                    root = element
                if event == "end" and element.tag == "DescriptorRecord":
                    yield from _xml_heading(element, damage)
                    root.clear()
        except ElementTree.ParseError as e:
            line, column = e.position
            reason = "the file is cut off or damaged here: the headings before it were read"
            damage.add(f"line {line:,}, column {column + 1:,}", reason, is_cut_off=True)
            is_over = True
        except (LookupError, ValueError) as e:
            raise FormatError(f"{damage.name} is XML in an unknown encoding ({str(e)[:80]}): save it as UTF-8") from e


def _xml_heading(record: ElementTree.Element, damage: _Damage) -> Iterator[MeshHeading]:
    name = (record.findtext("DescriptorName/String") or "").strip()
    if not name:
        damage.add(f"record {record.findtext('DescriptorUI') or 'without DescriptorUI'}", "no name, so it was left out")
        return
    terms = (term.text or "" for term in record.iterfind("ConceptList/Concept/TermList/Term/String"))
    notes = " ; ".join(filter(None, (record.findtext("PublicMeSHNote"), record.findtext("HistoryNote"))))
    dates = (record.findtext(f"{name}/Year") for name in ("DateIntroduced", "DateEstablished", "DateCreated"))
    began = next(filter(None, dates), "")  # the first from 2026 on, the others before
    yield MeshHeading(
        name,
        tuple((place.text or "").strip() for place in record.iterfind("TreeNumberList/TreeNumber")),
        unique_ids(term.strip() for term in terms if term.strip() and term.strip() != name),
        _former(notes),
        _first_year(began),
    )


def _former(notes: str) -> tuple[str, ...]:
    return unique_ids(found[1].strip() for found in _FORMER.finditer(notes))


def _first_year(text: str) -> int | None:
    found = re.match(r"(?:19|20)\d\d", text.strip())
    return int(found[0]) if found else None


# One file per workspace.


def load_mesh(paths: WorkspacePaths) -> MeshThesaurus | None:
    """Return the workspace's thesaurus; None: none was loaded."""
    if not paths.mesh.is_file():
        return None
    problem = f"{paths.mesh} is damaged: delete it and run `get mesh --from FILE` again"
    with read_errors(paths.mesh):
        text = paths.mesh.read_bytes()
    try:
        check_bytes(paths.mesh)
        found = json.loads(text)
        headings = tuple(
            MeshHeading(name, tuple(places), tuple(terms), tuple(former), introduced)
            for name, places, terms, former, introduced in found["headings"]
        )
        return MeshThesaurus(headings, found["year"], tuple(found["sources"]), tuple(found["notes"]))
    except (CorruptStoreError, ValueError, KeyError, TypeError) as e:
        raise FormatError(problem) from e


def save_mesh(paths: WorkspacePaths, thesaurus: MeshThesaurus) -> None:
    document = {
        "year": thesaurus.year,
        "sources": thesaurus.sources,
        "notes": thesaurus.notes,
        "headings": [list(asdict(heading).values()) for heading in thesaurus.headings],
    }
    with written_with_digests(paths.mesh) as file:
        file.write(json.dumps(document).encode("ascii"))


def bring_mesh(
    paths: WorkspacePaths,
    where: str,
    *,
    replace: bool = False,
    how_to_replace: str = "add --replace",
    on_progress: OnProgress | None = None,
) -> MeshImport:
    """Read a MeSH file or address, and store it. A file of the same year adds to the one before.

    A file of another year, or one that is cut off, never overwrites what is stored unless `replace`.
    """
    with file_at(where, paths.downloads("mesh"), "a MeSH file") as path:
        found, is_cut_off = read_mesh(path, on_progress)
    before = None if replace else load_mesh(paths)
    if before is not None and before.year != found.year:
        raise InputError(
            f"{path.name} is {found.label}, but the workspace has {before.label} ({', '.join(before.sources)}), which "
            f"was kept: {how_to_replace} to change the edition"
        )
    if before is not None and is_cut_off:
        raise FormatError(f"{found.notes[-1]}. The MeSH file in the workspace was kept: load a complete file")
    replaced = _label_before(paths) if replace else ""
    result = found if before is None else _added(before, found)
    save_mesh(paths, result)
    return MeshImport(result, len(found.headings), found.notes, replaced)


def _label_before(paths: WorkspacePaths) -> str:
    try:
        before = load_mesh(paths)
    except FormatError:
        return ""
    return before.label if before else ""


def _added(before: MeshThesaurus, found: MeshThesaurus) -> MeshThesaurus:
    """Join two files of one year: the tree file adds places, the descriptor file entry terms and years."""
    return MeshThesaurus(
        merged_headings((*before.headings, *found.headings)),
        found.year,
        unique_ids((*before.sources, *found.sources)),
        unique_ids((*before.notes, *found.notes)),
    )


def core_grid(corpus: CorpusIndex, core_ids: Ids) -> HeadingGrid:
    """Return the grid of the core publications in this corpus."""
    index = corpus.headings
    rows = zip(core_ids, (corpus.rows_of_ids((i,)).tolist() for i in core_ids), strict=True)
    return heading_grid([(i, index.of_row(of_id[0]) if index and of_id else {}) for i, of_id in rows])
