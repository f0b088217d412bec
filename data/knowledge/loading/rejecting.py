"""What a loader leaves out, with where it stood. Nothing is lost in silence."""

from __future__ import annotations

from data.collections.parts import MOST_NAMED, RejectedLine

SHOWN = 3


class LeftOut:
    """Parts of files of which nothing was made, and what was seen more than once."""

    def __init__(self, notes: list[str]) -> None:
        self.lines: list[RejectedLine] = []
        self.n = 0
        self._notes = notes
        self._counted: dict[str, tuple[int, list[str]]] = {}

    def reject(self, file: str, line: int | None, reason: str) -> None:
        """One more."""
        self.n += 1
        if len(self.lines) < MOST_NAMED:
            self.lines.append(RejectedLine(file, line, reason))

    def count(self, what: str, example: str, line: int | None = None) -> None:
        """Something that is kept, or left out in another way, and that a reader should know."""
        n, examples = self._counted.setdefault(what, (0, []))
        if len(examples) < SHOWN:
            named = f'"{example[:60]}"'
            examples.append(named if line is None else f"{named} in line {line:,}")
        self._counted[what] = n + 1, examples

    def say(self) -> None:
        """Put what was counted into the notes, once."""
        for what, (n, examples) in self._counted.items():
            self._notes.append(f"{what}: {n:,} ({', '.join(examples)}{', ...' if n > len(examples) else ''})")
        self._counted.clear()
        if self.n > len(self.lines):
            self._notes.append(f"{self.n:,} parts of files were left out; the first {len(self.lines):,} are named")
