"""Every file of a bundle but its manifest, from the facts alone: written so, and rebuilt so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.audit.pictures.svg import svg
from core.audit.press.domains import Review
from core.audit.quality.summary import QualityFacts, VersionFacts
from core.audit.types import AuditFacts
from core.audit.whole import Document, csv_text
from core.errors import FormatError, InputError
from core.query.dialects import DIALECTS
from core.query.reading.parser import parse
from core.query.tree import DialectId
from core.query.writing.printing import as_json, document_of
from data.audit.bundle.encoding import Encoder, json_bytes
from data.audit.bundle.layout import (
    ABSTRACTS,
    ABSTRACTS_TABLE,
    AUDIT,
    LOCK,
    MAKING,
    QUALITY,
    README,
    REVIEWS,
    Making,
    ReportEntry,
    figure_file,
    is_safe_name,
    report_file,
    slug,
    table_file,
)
from data.audit.bundle.lock import lock
from data.audit.bundle.readme import readme
from data.audit.bundle.results import abstracts_table, results_table
from data.audit.writing.markdown import markdown

_COMPARISON = "results/comparison"


@dataclass(frozen=True, eq=False)
class Facts:
    """All that a bundle is made from."""

    audit: AuditFacts
    quality: QualityFacts
    making: Making
    reviews: tuple[Review, ...] = ()
    abstracts: Mapping[str, str] | None = None


def report_entries(documents: Sequence[Document]) -> tuple[ReportEntry, ...]:
    """What to call each report in the bundle."""
    seen: Counter[str] = Counter()
    entries = []
    for document in documents:
        if document.kind == "audit":
            raise InputError("a bundle keeps the reports that an audit consists of: hand in its parts")
        seen[document.kind] += 1
        name = document.kind if seen[document.kind] == 1 else f"{document.kind}-{seen[document.kind]}"
        entries.append(ReportEntry(name, document.kind, document.title, document.made_at, document.made_with))
    return tuple(entries)


def contents(facts: Facts, documents: Sequence[Document]) -> dict[str, bytes]:
    """Every file by its name. `documents`: in the order of the reports in `facts.making`."""
    files = _facts(facts)
    files[README] = readme(
        facts.quality.topic_id, made_up=facts.quality.made_up, has_abstracts=facts.abstracts is not None
    )
    files[LOCK] = json_bytes(lock(facts.audit, facts.quality, facts.making))
    for version in facts.quality.versions:
        files[f"results/{version.number}/results.csv"] = _utf8(csv_text(results_table(version)))
    files |= dict(_queries(facts.quality.versions, facts.audit))
    if facts.abstracts is not None:
        files[ABSTRACTS_TABLE] = _utf8(csv_text(abstracts_table(facts.quality, facts.abstracts)))
    for entry, document in zip(facts.making.reports, documents, strict=True):
        files |= dict(_report(entry, document))
    # Names of tables may come from a bundle that somebody made, and who keeps the tables writes them to a folder.
    if unsafe := next((name for name in files if not is_safe_name(name)), None):
        raise FormatError(f"a report has a table or figure that no file can be named after: {unsafe[:80]!r}")
    return files


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", errors="replace")


def _facts(facts: Facts) -> dict[str, bytes]:
    """The facts to the last digit; arrays of a version lie with its results."""
    encoder = Encoder(shared=_COMPARISON)
    quality = facts.quality
    plain: dict[str, object] = {
        name: encoder.encode(getattr(quality, name), "facts/arrays", name)
        for name in type(quality).__dataclass_fields__
        if name not in ("versions", "comparison")
    }
    plain["versions"] = [_version(encoder, version) for version in quality.versions]
    # Last, as most of its masks are those of the versions.
    plain["comparison"] = encoder.encode(quality.comparison, _COMPARISON, "comparison")
    files = {
        QUALITY: json_bytes(plain),
        AUDIT: json_bytes(encoder.encode(facts.audit, "facts/arrays", "audit")),
        REVIEWS: json_bytes(encoder.encode(facts.reviews, "facts/arrays", "reviews")),
        MAKING: json_bytes(encoder.encode(facts.making, "facts/arrays", "making")),
    }
    if facts.abstracts is not None:
        files[ABSTRACTS] = json_bytes(dict(facts.abstracts))
    return files | encoder.files


def _version(encoder: Encoder, version: VersionFacts) -> dict[str, object]:
    """As its own fields, with short names for its arrays."""
    folder = f"results/{version.number}"
    found: dict[str, object] = {}
    for name in type(version).__dataclass_fields__:
        path = () if name == "rows" else (name,)
        found[name] = encoder.encode(getattr(version, name), folder, *path)
    return found


def _queries(versions: Sequence[VersionFacts], audit: AuditFacts) -> Iterator[tuple[str, bytes]]:
    """Each search as searchRxiv and search files keep it; a version without a text is none."""
    run = {search.version: search for search in audit.searches if search.how != "local"}
    for version in versions:
        if not version.text.strip():
            continue
        dialect: DialectId | None = next((known for known in DIALECTS if known == version.dialect), None)
        search = run.get(version.label)
        document = document_of(
            parse(version.text, dialect),
            title=version.name or version.label,
            database=(search.source,) if search else (),
            date=((search.began if search else None) or version.made_at or "")[:10],
            version=str(version.number),
        )
        text = as_json(document) + "\n"
        yield f"queries/{version.number}-{slug(version.label)}.json", _utf8(text)


def _report(entry: ReportEntry, document: Document) -> Iterator[tuple[str, bytes]]:
    for table in document.tables:
        yield table_file(entry.name, table.name), _utf8(csv_text(table))
    for figure in document.figures:
        yield figure_file(entry.name, figure.name), _utf8(svg(figure.picture, alternative=figure.alternative))
    yield report_file(entry.name), _utf8(markdown(document))
