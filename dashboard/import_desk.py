"""What one visitor is about to bring in: files that were read, and what became of those that came in."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from data.library.bringing import BringReport, Looked


@dataclass
class ImportDesk:
    """Kept on the server, so that a file is read once however often the page is drawn."""

    _looked: dict[str, Looked] = field(default_factory=dict, repr=False)
    _reports: dict[str, BringReport] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def find(self, key: str) -> Looked | None:
        """A file under these choices, if it was read."""
        return self._looked.get(key)

    def keep(self, key: str, looked: Looked) -> None:
        """Once it is read."""
        with self._lock:
            self._looked[key] = looked

    def keep_only(self, keys: set[str]) -> None:
        """What the visitor took away or chose otherwise needs no room."""
        with self._lock:
            for key in [key for key in self._looked if key not in keys]:
                del self._looked[key]

    def report(self, key: str) -> BringReport | None:
        """What a finished job brought in."""
        return self._reports.get(key)

    def keep_report(self, key: str, report: BringReport) -> None:
        """The last one is enough."""
        with self._lock:
            self._reports = {key: report}
