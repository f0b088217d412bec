"""`report --from`: a bundle that somebody handed on is checked, and its reports are built again."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from core.audit.whole import Document, whole
from core.errors import FileError, FormatError, InputError
from dashboard.commands.output import print_json, results, shown
from dashboard.commands.report_make import check_place
from dashboard.reports.files import REPORT_FORMATS, document_file, format_of
from data.audit.bundle.checking import Rebuilt, read_bundle, rebuild
from data.audit.bundle.decoding import Bundle
from data.files import disk_errors, written_aside

ENDINGS = tuple(f".{ending}" for ending in (*REPORT_FORMATS, "pdf", "doc", "htm"))


def rebuild_bundle(path: Path, out: str | None, *, force: bool, as_json: bool) -> None:
    """Check, rebuild and compare; `out` keeps the tables in a folder, or the report as a file.

    An edited file, a table or a score that came out otherwise ends with exit status 2, after what was found is told.
    """
    if out is not None:
        _check_out(out, force=force)
    bundle = read_bundle(path)
    rebuilt = rebuild(bundle)
    written = [] if out is None else _write(bundle, rebuilt, out)
    document = _document(path, bundle, rebuilt, written)
    if as_json:
        print_json(document)
    else:
        _print(document)
    if not document["same"]:
        n = len(rebuilt.differing) or len(rebuilt.differing_scores)
        what = "file" if rebuilt.differing else "score"
        first = (*rebuilt.differing, *rebuilt.differing_scores)[0]
        raise FormatError(
            f"{n:,} {what}{'' if n == 1 else 's'} of {path} came out otherwise when rebuilt, the first is {first}"
        )


def _check_out(out: str, *, force: bool) -> None:
    if _is_file(out):
        if format_of(out).form == "zip":
            raise InputError("a bundle is not written from a bundle: name a folder for the tables, or a report (.html)")
        check_place(Path(out), force=force)
        return
    folder = Path(out)
    if folder.is_file():
        raise FileError(f"{out} is a file: name a folder for the tables, or a report such as {out}.html")
    if not folder.absolute().parent.is_dir():
        raise FileError(f"the folder {folder.parent} is not there: make it, or choose another place")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise FileError(f"{out} is not empty: choose another folder, or write into it with --force")


def _is_file(out: str) -> bool:
    return out.lower().endswith(ENDINGS) and not Path(out).is_dir()


def _write(bundle: Bundle, rebuilt: Rebuilt, out: str) -> list[str]:
    """What was written, by name."""
    if _is_file(out):
        content = document_file(as_one(bundle, rebuilt), format_of(out), rebuilt.quality)
        with written_aside(Path(out)) as file:
            file.write(content)
        return [out]
    for name, content in rebuilt.tables.items():
        place = Path(out).joinpath(*PurePosixPath(name).parts)
        with disk_errors(place):
            place.parent.mkdir(parents=True, exist_ok=True)
        with written_aside(place) as file:
            file.write(content)
    return [str(Path(out).joinpath(*PurePosixPath(name).parts)) for name in rebuilt.tables]


def as_one(bundle: Bundle, rebuilt: Rebuilt) -> Document:
    """The rebuilt reports as the one audit that the bundle was made with."""
    return whole(rebuilt.documents, topic=bundle.audit.topic_id, made_at=bundle.made_at, made_with=bundle.made_with)


def _document(path: Path, bundle: Bundle, rebuilt: Rebuilt, written: list[str]) -> dict[str, Any]:
    """`report --from --json`: bundle, topic, versions, made_at, made_with, n_files, same, n_tables, differing,
    differing_scores, largest_difference, taken_over, abstracts, written.

    `same`: every table came out byte for byte, every score within 1e-9; `differing`: files that did not;
    `taken_over`: what can't be rebuilt and why. A bundle that was edited gives no document but exit status 2.
    """
    return {
        "bundle": str(path),
        "topic": bundle.audit.topic_id,
        "versions": [version.label for version in bundle.quality.versions],
        "made_at": bundle.made_at,
        "made_with": bundle.made_with,
        "n_files": len(bundle.files),
        "same": not rebuilt.differing and not rebuilt.differing_scores,
        "n_tables": len(rebuilt.tables),
        "differing": list(rebuilt.differing),
        "differing_scores": list(rebuilt.differing_scores),
        "largest_difference": rebuilt.largest_difference,
        "taken_over": list(rebuilt.taken_over),
        "abstracts": bundle.abstracts is not None,
        "written": written,
    }


def _print(document: dict[str, Any]) -> None:
    n, differing = document["n_tables"], document["differing"]
    versions = ", ".join(document["versions"])
    lines = [
        f"{document['topic']} · {versions} · made {document['made_at']} with {document['made_with']}",
        f"Whole: {document['n_files']:,} files, each with the checksum that the bundle lists.",
        f"Rebuilt: {n:,} tables"
        + (
            f"; files that came out otherwise: {len(differing):,}"
            if differing
            else ", every one the same byte for byte."
        ),
        *(f"  {name}" for name in differing),
        f"Largest difference between a score and the same score counted anew: {document['largest_difference']:.2g}.",
        *(f"  {sentence}" for sentence in document["differing_scores"]),
        *(["Taken over, not rebuilt:"] if document["taken_over"] else []),
        *(f"  {sentence}" for sentence in document["taken_over"]),
        "Abstracts are in it." if document["abstracts"] else "Abstracts were left out of it.",
    ]
    if document["written"]:
        first = document["written"][0]
        more = len(document["written"]) - 1
        lines.append(f"Written: {first}" + (f" and {more:,} more" if more else ""))
    out = results()
    for line in lines:
        out.print(shown(line), soft_wrap=True)
