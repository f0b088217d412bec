"""A bundle is read: checked file by file, bounded, and never unpacked to disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from core.audit.press.domains import Review
from core.audit.quality.summary import QualityFacts
from core.audit.types import AuditFacts
from core.errors import FileError, FormatError
from data.audit.bundle.archive import read_archive
from data.audit.bundle.checking import check_quality
from data.audit.bundle.decoding import Decoder, parsed_json
from data.audit.bundle.layout import ABSTRACTS, AUDIT, LOCK, MAKING, QUALITY, REVIEWS, Bundle, Making, is_safe_name

_REPORT_KINDS = ("prisma-s", "press", "quality")


def read_bundle(file: Path | BinaryIO, *, name: str = "") -> Bundle:
    """Read the zip. `name`: what to call it in messages where it is no path.

    One error says what is wrong with it: not a bundle, changed since, of a later Queryscape, or made to do harm.
    """
    if isinstance(file, Path):
        name = name or file.name
        try:
            with file.open("rb") as opened:
                return _bundle(read_archive(opened, name), name)
        except OSError as e:
            raise FileError(f"{file} can't be read ({e.strerror or e}): check that it exists and is yours") from e
    return _bundle(read_archive(file, name or "this file"), name or "this file")


def _bundle(files: Mapping[str, bytes], name: str) -> Bundle:
    quality = _decoder(files, QUALITY).decode(_json(files, QUALITY), QualityFacts)
    check_quality(quality)
    making = _decoder(files, MAKING).decode(_json(files, MAKING), Making)
    reviews = _decoder(files, REVIEWS).decode_list(_json(files, REVIEWS), Review)
    _check_reports(making, reviews)
    lock = _json(files, LOCK)
    if not isinstance(lock, dict):
        raise FormatError(f"{LOCK}: it must hold an object")
    return Bundle(
        name=name,
        making=making,
        files=files,
        lock=lock,
        audit=_decoder(files, AUDIT).decode(_json(files, AUDIT), AuditFacts),
        quality=quality,
        reviews=reviews,
        abstracts=_decoder(files, ABSTRACTS).decode_texts(_json(files, ABSTRACTS)) if ABSTRACTS in files else None,
    )


def _decoder(files: Mapping[str, bytes], file: str) -> Decoder:
    return Decoder(file, files)


def _json(files: Mapping[str, bytes], file: str) -> object:
    if file not in files:
        raise FormatError(f"this bundle lacks {file}")
    return parsed_json(files[file], file)


def _check_reports(making: Making, reviews: tuple[Review, ...]) -> None:
    names = [entry.name for entry in making.reports]
    if len({name.casefold() for name in names}) != len(names) or not all(map(is_safe_name, names)):
        raise FormatError(f"{MAKING}: two reports have the same name, or one has a name that no report has")
    if odd := [entry.kind for entry in making.reports if entry.kind not in _REPORT_KINDS]:
        raise FormatError(f"{MAKING}: a bundle holds no report of kind {odd[0]}")
    for kind in ("prisma-s", "quality"):
        if sum(entry.kind == kind for entry in making.reports) > 1:
            raise FormatError(f"{MAKING}: a bundle holds one report of kind {kind} at most")
    n_press = sum(entry.kind == "press" for entry in making.reports)
    if n_press > len(reviews):
        raise FormatError(f"{MAKING}: {n_press} peer reviews are reported, but {REVIEWS} holds {len(reviews)}")
