"""What came of a run, page after page: a page is a file first and then a row, and only a row counts.

    page-00001.gz           as it came
    page-00001.records.gz   a line with the keys of the records that had not come before, then each of these, cleaned
    aside.jsonl             records that are not as they should be
    changed-001.bin         what a source said that had changed its form

A kill between the two leaves files without a row: the page is asked for again and takes their place.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from core.errors import CorruptStoreError
from core.records.cleaning import Record
from core.types import Ids
from data.files import disk_errors, written_aside
from data.sources.fetching.runs import LiveRun
from data.sources.types import Aside, Fetched, Page
from data.store import Store

LEVEL = 1
"""Of gzip: a page must not take longer to keep than to come."""
ASIDE = "aside.jsonl"


class Journal:
    """What came of one run so far, and how more is added. Of what came it holds the keys only."""

    def __init__(self, store: Store, folder: Path, run: LiveRun) -> None:
        self.store, self.folder, self.run = store, folder, run
        self.keys: set[str] = set()
        """Of every record that came."""
        self.n_pages = 0
        self.n_repeated, self.n_aside = run.n_repeated, run.n_aside
        self.firsts: dict[int, int] = {}
        self.lasts: dict[int, int] = {}
        """By form: the source's own total when its first and its last page came."""
        self._form = 0
        self._next: str | None = None
        self._is_begun = False
        self._aside: set[bytes] = set()
        self._read()

    # What came

    @property
    def n_records(self) -> int:
        """Different ones."""
        return len(self.keys)

    @property
    def place(self) -> tuple[int, str | None] | None:
        """The form and where its next page begins; None: everything came, or as much as is wanted."""
        if self.n_records >= self.run.most:
            return None
        if self._is_begun and self._next is None:
            return (self._form + 1, None) if self._form + 1 < len(self.run.prepared.forms) else None
        return self._form, self._next

    @property
    def totals(self) -> tuple[int | None, int | None]:
        """The source's own counts at first and last; of several forms their sums."""
        return _sum(self.firsts), _sum(self.lasts)

    @property
    def expected(self) -> int:
        """Records that there will be, as far as that can be told; 0 before the source said anything."""
        total = self.totals[1]
        if not self._is_begun:
            return 0
        return self.run.most if total is None else min(self.run.most, max(total, self.n_records))

    def _read(self) -> None:
        """The keys of what came, from the files of the pages that have a row."""
        found = self.store.rows(
            "SELECT number, form, next, total, n_new, name FROM live_pages WHERE run_id = ? ORDER BY number",
            [self.run.run_id],
        )
        for number, form, following, total, n_new, name in found:
            keys = keys_of(self.folder / name)
            if len(keys) != n_new:
                raise _damaged(self.folder / name)
            self.keys.update(keys)
            self._went_on(number, form, following, total)
        self._clear()

    def _clear(self) -> None:
        """What a kill left half done goes: files that were being written, and lines of a page without a row."""
        if not self.folder.exists():
            return
        with disk_errors(self.folder):
            for left in self.folder.glob("*.part"):
                left.unlink(missing_ok=True)
            path = self.folder / ASIDE
            lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
            kept = [line for line in lines if line.endswith(b"\n") and self._page_of(line) <= self.n_pages]
            if len(kept) != len(lines):
                with written_aside(path) as file:
                    file.writelines(kept)
        self._aside = {_digest(json.loads(line)["raw"]) for line in kept}

    def _page_of(self, line: bytes) -> int:
        """Of a line about a record put aside."""
        try:
            said = json.loads(line)
            _digest(said["raw"])
            return int(said["page"])
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            raise CorruptStoreError(
                f"{self.folder / ASIDE} is damaged: put a copy back, or delete the run and begin it anew"
            ) from e

    def _went_on(self, number: int, form: int, following: str | None, total: int | None) -> None:
        self.n_pages, self._form, self._next, self._is_begun = number, form, following, True
        if total is not None:
            self.firsts.setdefault(form, total)
            self.lasts[form] = total

    # What comes

    def is_news(self, page: Page) -> bool:
        """Whether anything on it did not come before."""
        return any(each.key not in self.keys for each in page.fetched) or any(
            _digest(each.raw) not in self._aside for each in page.aside
        )

    def keep(self, form: int, page: Page, came_at: str) -> int:
        """Keep a page: files, then one transaction. How many of its records had not come before."""
        number = self.n_pages + 1
        name = f"page-{number:05d}.gz"
        new, n_repeated = self._new(page)
        aside = [each for each in page.aside if _digest(each.raw) not in self._aside]
        self._write(name, page, new)
        self._write_aside(number, aside)
        earlier = self.firsts.copy(), self.lasts.copy()
        if page.total is not None:
            self.firsts.setdefault(form, page.total)
            self.lasts[form] = page.total
        try:
            self._insert(number, form, name, page, (len(new), n_repeated, len(aside)), came_at)
        except BaseException:
            self.firsts, self.lasts = earlier
            raise
        self.keys.update(each.key for each in new)
        self._aside.update(_digest(each.raw) for each in aside)
        self.n_repeated += n_repeated
        self.n_aside += len(aside)
        self._went_on(number, form, page.next, page.total)
        return len(new)

    def _new(self, page: Page) -> tuple[list[Fetched], int]:
        """Those of a page that had not come before, as far as they are wanted, and how many came again."""
        new: dict[str, Fetched] = {}
        n_repeated = 0
        for each in page.fetched:
            if each.key in self.keys or each.key in new:
                n_repeated += 1
            elif self.n_records + len(new) < self.run.most:
                new[each.key] = each
        return list(new.values()), n_repeated

    def _write(self, name: str, page: Page, new: list[Fetched]) -> None:
        lines = [json.dumps([each.key for each in new])]
        lines += [json.dumps(each.record.document(), ensure_ascii=False) for each in new]
        with written_aside(records_file(self.folder / name)) as file:
            file.write(_gzipped("\n".join(lines).encode(errors="surrogatepass")))
        with written_aside(self.folder / name) as file:
            file.write(_gzipped(page.raw))

    def _write_aside(self, number: int, aside: list[Aside]) -> None:
        if not aside:
            return
        path = self.folder / ASIDE
        lines = [json.dumps({"page": number, "reason": each.reason, "raw": each.raw}) + "\n" for each in aside]
        with disk_errors(path), path.open("ab") as file:
            file.write("".join(lines).encode())

    def _insert(
        self, number: int, form: int, name: str, page: Page, counts: tuple[int, int, int], came_at: str
    ) -> None:
        n_new, n_repeated, n_aside = counts
        requests = json.dumps([asdict(sent) for sent in page.sent])
        first, last = self.totals
        with self.store.transaction():
            self.store.execute(
                "INSERT INTO live_pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    *(self.run.run_id, number, form, page.next, page.total, len(page.fetched), n_new, name),
                    *(sha256(page.raw).hexdigest(), requests, json.dumps(page.notes), came_at),
                ],
            )
            self.store.execute(
                """
                UPDATE live_runs SET n_records = ?, n_repeated = ?, n_aside = ?, total_first = ?, total_last = ?
                WHERE run_id = ?
                """,
                [
                    *(self.n_records + n_new, self.n_repeated + n_repeated, self.n_aside + n_aside),
                    *(first, last, self.run.run_id),
                ],
            )

    def keep_changed(self, raw: bytes) -> Path:
        """What a source said that had changed its form, for whoever mends that."""
        number = 1 + len(list(self.folder.glob("changed-*.bin")))
        path = self.folder / f"changed-{number:03d}.bin"
        with written_aside(path) as file:
            file.write(raw)
        return path

    # What is done with it

    def batches(self, at_least: int) -> Iterator[list[Record]]:
        """Every record that came, numbered from 1, many at a time."""
        some: list[Record] = []
        number = 0
        for page in range(1, self.n_pages + 1):
            path = self.folder / f"page-{page:05d}.gz"
            for document in documents_of(path):
                number += 1
                with _readable(path):
                    some.append(Record.from_document(json.loads(document), number))
            if len(some) >= at_least:
                yield some
                some = []
        if some:
            yield some

    def reasons(self, most: int) -> list[str]:
        """Why records were put aside, in the order in which they came."""
        path = self.folder / ASIDE
        if not path.exists():
            return []
        with disk_errors(path), path.open("rb") as file:
            return [json.loads(line)["reason"] for line, _ in zip(file, range(most), strict=False)]


def _sum(totals: dict[int, int]) -> int | None:
    return sum(totals.values()) if totals else None


def _digest(raw: str) -> bytes:
    return sha256(raw.encode(errors="surrogatepass")).digest()


def _gzipped(data: bytes) -> bytes:
    return gzip.compress(data, LEVEL, mtime=0)


def records_file(page: Path) -> Path:
    """The cleaned records of a page."""
    return page.with_name(f"{page.stem}.records.gz")


def keys_of(page: Path) -> Ids:
    """The keys of the records that a page brought first; no record is read."""
    with _readable(page), gzip.open(records_file(page), "rb") as file:
        return tuple(json.loads(file.readline()))


def documents_of(page: Path) -> Iterator[bytes]:
    """The records that a page brought first, each as JSON."""
    with _readable(page):
        lines = gzip.decompress(records_file(page).read_bytes()).split(b"\n")
        if len(lines) - 1 != len(json.loads(lines[0])):
            raise ValueError("a record for each key")
    yield from lines[1:]


def fetched_of(page: Path) -> Iterator[tuple[str, Record]]:
    """Key and record of what a page brought first."""
    for key, document in zip(keys_of(page), documents_of(page), strict=True):
        yield key, Record.from_document(json.loads(document))


@contextmanager
def _readable(page: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, ValueError, TypeError, zlib.error) as e:
        raise _damaged(page) from e


def _damaged(page: Path) -> CorruptStoreError:
    return CorruptStoreError(
        f"{records_file(page)} is missing or damaged: put a copy back, or delete the run and begin it anew"
    )
