"""SHA256SUMS files, in the form that `sha256sum --check` reads."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from data.files import written_aside

SUMS_NAME = "SHA256SUMS"
_LINE = re.compile(r"^([0-9a-fA-F]{64}) [ *](?:\./)?(.+?)\r?$", re.MULTILINE)


def file_sha256(path: Path) -> str:
    """The sum of a file's bytes, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def parse_sums(text: str) -> dict[str, str]:
    """Name to sum. Lines of any other form are passed over, so an error page holds no sums.

    >>> parse_sums("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 *./empty.csv")["empty.csv"][:6]
    'e3b0c4'
    >>> parse_sums("<html>Not found</html>")
    {}
    """
    return {name: digest.lower() for digest, name in _LINE.findall(text)}


def recorded_sums(folder: Path) -> dict[str, str]:
    """What the folder's own SHA256SUMS says; empty if it has none."""
    path = folder / SUMS_NAME
    return parse_sums(path.read_text("utf-8", errors="replace")) if path.is_file() else {}


def record_sum(folder: Path, name: str, digest: str) -> None:
    """Add or change one line. Written aside and then renamed, so that the record is always whole."""
    sums = recorded_sums(folder)
    if sums.get(name) == digest:
        return
    lines = [f"{known}  {file_name}\n" for file_name, known in sorted((sums | {name: digest}).items())]
    with written_aside(folder / SUMS_NAME) as file:
        file.write("".join(lines).encode())
