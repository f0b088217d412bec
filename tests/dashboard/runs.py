"""Running a command in this process, and reading what it left on the two streams."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from dashboard.cli import main
from dashboard.kit.output import plain_json

EVALUATION = [
    "topic",
    "version",
    "embedder",
    "projection_id",
    "n_retrieved",
    "n_scorable",
    "n_unscorable",
    "n_core",
    "n_core_with_vectors",
    "n_found",
    "found_core_ids",
    "missed_core_ids",
    "recall",
    "recall_interval",
    "attainable_recall",
    "warnings",
    "settings",
    "regions",
]


def ordered(document: dict[str, Any], keys: list[str]) -> None:
    """Asserts these keys, in this order; more may stand between them."""
    assert [key for key in document if key in keys] == keys


def in_json(value: Any) -> Any:
    """Numbers and texts as a document of a command holds them."""
    return json.loads(json.dumps(plain_json(value)))


@dataclass(frozen=True)
class Run:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as one JSON document, with nothing beside it and no NaN in it."""
        assert self.status == 0, self.err

        def refuse(constant: str) -> NoReturn:
            raise AssertionError(f"{constant} is not JSON")

        return json.loads(self.out, parse_constant=refuse)

    @property
    def mistake(self) -> str:
        """The one line that says what is wrong."""
        assert (self.status, self.out) == (2, "")
        (line,) = self.err.splitlines()
        assert line.startswith("Error: ")
        assert "Traceback" not in line
        return line


@dataclass(frozen=True)
class Runner:
    """Runs commands on one workspace."""

    root: Path
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *arguments: object) -> Run:
        self.capsys.readouterr()
        status: object = 0
        try:
            main([*map(str, arguments), "--data-dir", str(self.root)])
        except SystemExit as e:
            status = e.code
        assert isinstance(status, int)
        return Run(status, *self.capsys.readouterr())
