"""Where files are. The only module that knows."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileError

VARIABLE = "QUERYSCAPE_DATA_DIR"
DEFAULT_DIR = Path(__file__).parent / "local"


@dataclass(frozen=True, slots=True)
class WorkspacePaths:
    """The files of one workspace."""

    root: Path

    @classmethod
    def of(cls, data_dir: Path | None = None) -> WorkspacePaths:
        """The folder asked for, else QUERYSCAPE_DATA_DIR, else data/local."""
        root = (data_dir or Path(os.environ.get(VARIABLE) or DEFAULT_DIR)).expanduser().resolve()
        try:
            str(root).encode()
        except UnicodeEncodeError as e:
            raise FileError(f"the folder's name {str(root)!r} is in no known encoding: choose another one") from e
        return cls(root)

    @property
    def store(self) -> Path:
        return self.root / "queryscape.duckdb"

    @property
    def vectors(self) -> Path:
        return self.root / "vectors"

    @property
    def models(self) -> Path:
        return self.root / "models"

    def index(self, key: str) -> Path:
        """Where the search index of these publications is."""
        return self.root / "index" / key

    def retrieval(self, key: str) -> Path:
        """Where the indexes of a collection's documents are."""
        return self.root / "retrieval" / key

    @property
    def knowledge(self) -> Path:
        """Where knowledge bases are, each in a folder of its name."""
        return self.root / "knowledge"

    def answers(self, judge_key: str) -> Path:
        """Where answers of a judge wait for their place in the store."""
        return self.root / "judging" / f"{judge_key}.jsonl"

    def pages(self, run_id: str) -> Path:
        """Where what a live source sent is kept as it came."""
        return self.root / "sources" / run_id

    def downloads(self, collection: str) -> Path:
        return self.root / "downloads" / collection
