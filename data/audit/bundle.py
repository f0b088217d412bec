"""Write, read, check and rebuild a bundle of everything that a report depends on."""

from __future__ import annotations

import hashlib
import io
import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.audit.press import Review
from core.audit.press_exchange import press_document
from core.audit.prisma_report import prisma_s
from core.audit.quality_facts import LandscapeRows, QualityFacts, VersionFacts
from core.audit.quality_report import quality_report
from core.audit.recount import recount, taken_over
from core.audit.search_report import found_table
from core.audit.strategies import AuditFacts, FoundPublication
from core.errors import FileError, FormatError, InputError
from core.explore.compare import Comparison
from core.explore.evaluate import Evaluation
from core.explore.landscape import NO_GROUP
from core.pictures import svg
from core.query.dialects import known_dialect
from core.query.parser import parse
from core.query.translation import as_json, document_of
from core.report import MADE_WITH, ReportColumn, ReportDocument, Table, Value, columns_of, csv_text
from core.types import Ids, RegionKind
from data.audit.bundle_archive import (
    ABSTRACTS,
    ABSTRACTS_TABLE,
    AUDIT,
    LOCK,
    MAKING,
    QUALITY,
    README,
    REVIEWS,
    Bundle,
    BundleProvenance,
    BundleReader,
    BundleSummary,
    Encoder,
    ReportEntry,
    figure_file,
    is_safe_name,
    json_bytes,
    parsed_json,
    read_archive,
    report_file,
    slug,
    table_file,
    write_archive,
)
from data.audit.markdown import markdown
from data.files import written_aside
from data.software import software
from data.store import content_hash

# Consistency checks on facts read from a file, so that computing and drawing are safe.

FURTHEST = 1e12
"""Largest coordinate of a landscape."""
_ROUNDING = 1e-3


def check_quality(facts: QualityFacts) -> None:
    """Raise an error for the first inconsistency."""
    for problem in _problems(facts):
        raise FormatError(f"{QUALITY}: {problem}")


def _problems(facts: QualityFacts) -> Iterator[str]:
    versions = facts.versions
    if _repeats([v.label for v in versions]) or _repeats([str(v.number) for v in versions]):
        yield "two versions have the same label or number"
    if any(v.number < 1 for v in versions):
        yield "a version's number must be 1 or more"
    if facts.n_corpus < 0:
        yield "the number of publications is negative"
    for version in versions:
        for problem in (*_in_rows(version.rows), *_in_version(version)):
            yield f"version {version.label[:40]}: {problem}"
    if len({v.evaluation.core_ids for v in versions}) > 1:
        yield "versions have different core publications"
    if facts.comparison is not None:
        yield from _in_comparison(facts.comparison, {v.label: v for v in versions})


def _repeats(names: Sequence[str]) -> bool:
    return len(set(names)) < len(names)


def _in_rows(rows: LandscapeRows) -> Iterator[str]:
    n = len(rows.ids)
    if _repeats(rows.ids):
        yield "a publication has two rows"
    if not 0 <= rows.n_retrieved <= n:
        yield f"{rows.n_retrieved} rows were retrieved, but there are {n}"
        return
    columns = {
        "similarities": len(rows.similarities),
        "nearest": n if rows.nearest is None else len(rows.nearest),
        "points": n if rows.points is None else len(rows.points),
        "core_mask": len(rows.core_mask),
        "titles": len(rows.titles),
        "years": len(rows.years),
        "dois": len(rows.dois),
        "groups": len(rows.groups.group_of),
    }
    yield from (f"{n} rows, but {name} of {length}" for name, length in columns.items() if length != n)
    for name, array in {"similarities": rows.similarities, "nearest": rows.nearest}.items():
        if array is not None and (array.ndim != 1 or not np.all(np.abs(array) <= 1 + _ROUNDING)):
            yield f"{name} must be between -1 and 1, one for each row"
    if rows.core_mask.ndim != 1 or rows.years.ndim != 1 or rows.groups.group_of.ndim != 1:
        yield "a column has two dimensions"
    elif rows.similarities.ndim == 1 and np.any(np.diff(rows.similarities[: rows.n_retrieved]) < 0):
        yield "the rows are not in the order of their similarities"
    for outline in (rows.points, *rows.outlines.values()):
        if outline is not None and (outline.ndim != 2 or outline.shape[1] != 2 or not _within(outline)):
            yield "points must have two coordinates within range"
    for kind, mask in rows.masks.items():
        if mask.shape != (rows.n_retrieved,):
            yield f"{kind} decides about {len(mask)} of {rows.n_retrieved} rows"
    group_of = rows.groups.group_of
    if np.any((group_of != NO_GROUP) & (group_of >= len(rows.groups.coloured))):
        yield "a row belongs to a group that does not exist"


def _within(places: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    return bool(np.all(np.abs(places) <= FURTHEST))


def _in_version(version: VersionFacts) -> Iterator[str]:
    evaluation = version.evaluation
    retrieved = version.rows.ids[: version.rows.n_retrieved]
    if set(retrieved) != set(evaluation.scorable_ids) or len(retrieved) != len(evaluation.scorable_ids):
        yield "the rows are not the publications that were scored"
    if _repeats((*evaluation.scorable_ids, *version.unscored_ids)):
        yield "a publication was retrieved twice"
    if unknown := set(version.rows.ids[version.rows.n_retrieved :]) - set(evaluation.core_ids):
        yield f"{len(unknown)} rows are neither retrieved nor core"
    if set(version.unscored_ids) & set(version.rows.ids):
        yield "a publication is listed both with and without a vector"
    if _repeats([core.publication_id for core in version.core]):
        yield "a core publication is described twice"
    yield from _in_evaluation(evaluation)


def _in_evaluation(evaluation: Evaluation) -> Iterator[str]:
    if not evaluation.core_ids or _repeats(evaluation.core_ids):
        yield "there is no core publication, or one is listed twice"
    if _repeats(evaluation.scorable_ids):
        yield "a publication was scored twice"
    core = set(evaluation.core_ids)
    named: tuple[Ids, ...] = (evaluation.found_core_ids, evaluation.missed_core_ids)
    named += tuple(scores.accepted_core_ids for scores in evaluation.regions.values())
    if any(not core.issuperset(ids) for ids in named):
        yield "a core publication is described that is not in the core set"
    for kind, scores in evaluation.regions.items():
        if scores.kind != kind:
            yield f"{kind} contains the scores of {scores.kind}"
        if scores.relevant_mask is not None and scores.relevant_mask.shape != (evaluation.n_scorable,):
            yield f"{kind} does not decide about every scored publication"
        if (scores.status == "ok") == (scores.relevant_mask is None):
            yield f"{kind} is defined without decisions, or undefined with decisions"


def _in_comparison(comparison: Comparison, versions: dict[str, VersionFacts]) -> Iterator[str]:
    if len(comparison.versions) < 2 or not comparison.pairs:
        yield "a comparison needs at least two versions"
        return
    labels = comparison.labels
    if len(labels) != len(comparison.versions) or _repeats(labels) or not versions.keys() >= set(labels):
        yield "the comparison is of other versions"
        return
    for label, evaluation in zip(labels, comparison.versions, strict=True):
        own = versions[label].evaluation
        if (evaluation.scorable_ids, evaluation.core_ids) != (own.scorable_ids, own.core_ids):
            yield f"the comparison scores other publications than version {label[:40]}"
        yield from _in_evaluation(evaluation)
    known = {(pair.a, pair.b) for pair in comparison.pairs}
    if len(known) != len(comparison.pairs) or any((d.a, d.b) not in known for d in comparison.differences):
        yield "the comparison contains a pair that was not compared, or a pair twice"


# The lock file: everything that must be equal for the same search to give the same numbers.

LOCK_FORMAT = "queryscape-lock"
LOCK_VERSION = 1


def lock(audit: AuditFacts, quality: QualityFacts, making: BundleProvenance) -> Mapping[str, object]:
    """Return the contents of the lock file; unknown values are null."""
    found: dict[str, object] = {
        "format": LOCK_FORMAT,
        "version": LOCK_VERSION,
        "topic": quality.topic_id,
        "made_up": quality.made_up,
        "made_at": making.made_at,
        "made_with": making.made_with,
        "python": making.python,
        "platform": making.platform,
        "software": {**dict(audit.software), **dict(making.software)},
        "corpus": {"hash": quality.corpus_hash, "n_publications": quality.n_corpus},
        "core": {"hash": quality.core_hash, "n_publications": audit.n_core},
        "embedder": asdict(quality.embedder),
        "landscape": None if quality.landscape is None else asdict(quality.landscape),
        "versions": [_version(version) for version in quality.versions],
        "searches": [asdict(search) for search in audit.searches],
        "files": [asdict(file) for file in audit.files],
        "deduplication": asdict(audit.deduplication),
        "reports": [{"name": each.name, "title": each.title, "made_at": each.made_at} for each in making.reports],
    }
    # Settings may hold numbers that JSON can't represent.
    encoded = Encoder().encode(found, "facts")
    assert isinstance(encoded, dict)
    return encoded


def _version(version: VersionFacts) -> dict[str, object]:
    evaluation = version.evaluation
    return {
        "label": version.label,
        "number": version.number,
        "name": version.name,
        "origin": version.origin,
        "made_at": version.made_at,
        "text": version.text,
        "dialect": version.dialect,
        "semantics": version.semantics,
        "n_searched": version.n_searched,
        "n_retrieved": evaluation.n_retrieved,
        "n_without_vector": len(version.unscored_ids),
        "retrieved_hash": version.retrieved_hash,
        "projection_id": evaluation.projection_id,
        "settings": asdict(evaluation.settings),
        "regions": {kind: dict(scores.defines) for kind, scores in evaluation.regions.items()},
    }


# An introduction to the files of a bundle, for readers who have never seen one.

_TEXT = """\
What this is
------------
The record of a literature search on "{topic}", written by Queryscape.{made_up}
It contains the searches with their dates and results, so that others can check and repeat them.

To check it on any machine, offline and without the original data:

    queryscape report --from THIS_FILE.zip

This recomputes every score that depends only on these files, rebuilds every table, and reports any differences.

What is inside
--------------
manifest.json   Every file with its size and SHA-256. Edited, missing or extra files are reported when the bundle is
                read. The manifest is not signed: it reveals accidental changes, not deliberate ones.
lock.json       Everything needed to get the same numbers: the strings as written and as sent, times, counts,
                names of the sources, settings and seeds, versions of the software.
queries/        Each search string in the JSON shape that searchRxiv and search files use.
results/        For each version, by its number: results.csv with the retrieved publications and the missed core
                publications, and arrays (.npy, readable with numpy) at full precision: similarities, nearest, points,
                core_mask and others have a row for each publication, in the order of its rows in facts/quality.json.
tables/         Every table of every report as CSV, numbers with six significant digits.
figures/        Every figure of every report as SVG.
reports/        Every report as text (Markdown).
facts/          The data behind the reports, with every number at full precision, as JSON.
{abstracts}
results/searches.csv has every publication with 1 for each recorded search that found it; it is there if the searches of
a review were recorded. Without a version that was run, there is nothing in queries/ and no numbered folder in results/.

In results.csv: retrieved, core and the columns named after a region contain 1 for yes and 0 for no; an empty cell
means unknown, or that the publication has no vector. similarity is the cosine to the centre of the core. x and y are
coordinates on the landscape. Text that a spreadsheet would run as a formula is preceded by an apostrophe.
"""


def readme(topic: str, *, made_up: bool, has_abstracts: bool) -> bytes:
    text = _TEXT.format(
        topic=" ".join(topic.split()),
        made_up="\nThe topic is demo data: none of its publications is real." if made_up else "",
        abstracts="abstracts.csv   The abstracts, included on request.\n"
        if has_abstracts
        else "\nAbstracts are excluded: they were not requested, and not every source allows sharing them.\n",
    )
    return text.encode("utf-8", errors="replace")


# The results of a version as a table: retrieved publications, most similar first, then the missed core.

_HEAD = (
    *columns_of("publication_id", "title", "doi", "year"),
    *columns_of("retrieved", "core", kind="count"),
    *columns_of("similarity", "x", "y", kind="number"),
    ReportColumn("group"),
)


def results_table(version: VersionFacts) -> Table:
    """Return the results with a row per publication; rows without a vector have no similarity and no point."""
    kinds = tuple(version.rows.masks)
    columns = (*_HEAD, *columns_of(*kinds, kind="count"))
    return Table("results", f"Results of {version.label}", columns, tuple(_rows(version, kinds)))


def _rows(version: VersionFacts, kinds: tuple[RegionKind, ...]) -> Iterator[tuple[Value, ...]]:
    rows, n = version.rows, version.rows.n_retrieved
    for row in reversed(range(n)):
        yield _scored(version, row, kinds)
    for publication_id in version.unscored_ids:
        yield _unscored(version, publication_id, len(kinds), is_retrieved=True)
    for row in range(n, len(rows.ids)):
        yield _scored(version, row, kinds)
    known = {*rows.ids, *version.unscored_ids}
    for core in version.core:
        if core.publication_id not in known:
            yield _unscored(version, core.publication_id, len(kinds), is_retrieved=False)


def _scored(version: VersionFacts, row: int, kinds: tuple[RegionKind, ...]) -> tuple[Value, ...]:
    rows = version.rows
    is_retrieved = row < rows.n_retrieved
    group = int(rows.groups.group_of[row])
    places = (None, None) if rows.points is None else tuple(float(value) for value in rows.points[row])
    return (
        rows.ids[row],
        rows.titles[row],
        rows.dois[row] or None,
        int(rows.years[row]) or None,
        int(is_retrieved),
        int(rows.core_mask[row]),
        float(rows.similarities[row]),
        *places,
        None if group == NO_GROUP else rows.groups.coloured[group],
        *(int(rows.masks[kind][row]) if is_retrieved else None for kind in kinds),
    )


def _unscored(version: VersionFacts, publication_id: str, n_regions: int, *, is_retrieved: bool) -> tuple[Value, ...]:
    core = next((core for core in version.core if core.publication_id == publication_id), None)
    known = (None, None, None) if core is None else (core.title, core.doi, core.year)
    is_core = publication_id in version.evaluation.core_ids
    return (publication_id, *known, int(is_retrieved), int(is_core), *(None,) * (4 + n_regions))


def abstracts_table(quality: QualityFacts, abstracts: Mapping[str, str]) -> Table:
    titles: dict[str, str] = {}
    for version in quality.versions:
        titles |= dict(zip(version.rows.ids, version.rows.titles, strict=True))
    columns = columns_of("publication_id", "title", "abstract")
    rows = tuple((name, titles.get(name), text) for name, text in abstracts.items())
    return Table("abstracts", "Abstracts", columns, rows)


# All files of a bundle except its manifest, made from the facts alone, both when writing and when rebuilding.

_COMPARISON = "results/comparison"
FOUND, FOUND_TABLE = "facts/found.json", "results/searches.csv"


@dataclass(frozen=True, eq=False)
class BundleFacts:
    audit: AuditFacts
    quality: QualityFacts
    making: BundleProvenance
    reviews: tuple[Review, ...] = ()
    abstracts: Mapping[str, str] | None = None
    found: tuple[FoundPublication, ...] = ()


def report_entries(documents: Sequence[ReportDocument]) -> tuple[ReportEntry, ...]:
    seen: Counter[str] = Counter()
    entries = []
    for document in documents:
        if document.kind == "audit":
            raise InputError("a bundle stores the parts of an audit: pass its parts, not the audit itself")
        seen[document.kind] += 1
        name = document.kind if seen[document.kind] == 1 else f"{document.kind}-{seen[document.kind]}"
        entries.append(ReportEntry(name, document.kind, document.title, document.made_at, document.made_with))
    return tuple(entries)


def contents(facts: BundleFacts, documents: Sequence[ReportDocument]) -> dict[str, bytes]:
    """Return every file by its name. `documents`: in the order of the reports in `facts.making`."""
    files = _facts(facts)
    files[README] = readme(
        facts.quality.topic_id, made_up=facts.quality.made_up, has_abstracts=facts.abstracts is not None
    )
    files[LOCK] = json_bytes(lock(facts.audit, facts.quality, facts.making))
    for version in facts.quality.versions:
        files[f"results/{version.number}/results.csv"] = _utf8(csv_text(results_table(version)))
    files |= dict(_queries(facts.quality.versions, facts.audit))
    if facts.found:
        files[FOUND_TABLE] = _utf8(csv_text(found_table(facts.found, facts.audit.recorded)))
    if facts.abstracts is not None:
        files[ABSTRACTS_TABLE] = _utf8(csv_text(abstracts_table(facts.quality, facts.abstracts)))
    for entry, document in zip(facts.making.reports, documents, strict=True):
        files |= dict(_report(entry, document))
    # Names of tables may come from someone else's bundle, and the tables may be written to a folder.
    if unsafe := next((name for name in files if not is_safe_name(name)), None):
        raise FormatError(f"a report has a table or figure whose name can't be a file name: {unsafe[:80]!r}")
    return files


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", errors="replace")


def _facts(facts: BundleFacts) -> dict[str, bytes]:
    encoder = Encoder(shared=_COMPARISON)
    quality = facts.quality
    plain: dict[str, object] = {
        name: encoder.encode(getattr(quality, name), "facts/arrays", name)
        for name in type(quality).__dataclass_fields__
        if name not in ("versions", "comparison")
    }
    plain["versions"] = [_version_facts(encoder, version) for version in quality.versions]
    # Last, because it shares most masks with the versions.
    plain["comparison"] = encoder.encode(quality.comparison, _COMPARISON, "comparison")
    files = {
        QUALITY: json_bytes(plain),
        AUDIT: json_bytes(encoder.encode(facts.audit, "facts/arrays", "audit")),
        REVIEWS: json_bytes(encoder.encode(facts.reviews, "facts/arrays", "reviews")),
        MAKING: json_bytes(encoder.encode(facts.making, "facts/arrays", "making")),
    }
    if facts.found:
        files[FOUND] = json_bytes(encoder.encode(facts.found, "facts/arrays", "found"))
    if facts.abstracts is not None:
        files[ABSTRACTS] = json_bytes(dict(facts.abstracts))
    return files | encoder.files


def _version_facts(encoder: Encoder, version: VersionFacts) -> dict[str, object]:
    folder = f"results/{version.number}"
    found: dict[str, object] = {}
    for name in type(version).__dataclass_fields__:
        path = () if name == "rows" else (name,)
        found[name] = encoder.encode(getattr(version, name), folder, *path)
    return found


def _queries(versions: Sequence[VersionFacts], audit: AuditFacts) -> Iterator[tuple[str, bytes]]:
    """Yield each search as a searchRxiv and a search file; versions without a text are skipped."""
    run = {search.version: search for search in audit.searches if search.how != "local"}
    for version in versions:
        if not version.text.strip():
            continue
        search = run.get(version.label)
        document = document_of(
            parse(version.text, known_dialect(version.dialect)),
            title=version.name or version.label,
            database=(search.source,) if search else (),
            date=((search.began if search else None) or version.made_at or "")[:10],
            version=str(version.number),
        )
        text = as_json(document) + "\n"
        yield f"queries/{version.number}-{slug(version.label)}.json", _utf8(text)


def _report(entry: ReportEntry, document: ReportDocument) -> Iterator[tuple[str, bytes]]:
    for table in document.tables:
        yield table_file(entry.name, table.name), _utf8(csv_text(table))
    for figure in document.figures:
        yield figure_file(entry.name, figure.name), _utf8(svg(figure.picture, alternative=figure.alternative))
    yield report_file(entry.name), _utf8(markdown(document))


# Reading a bundle: each file is checked, its size is limited, and nothing is unpacked to disk.

_REPORT_KINDS = ("prisma-s", "press", "quality")


def read_bundle(file: Path | BinaryIO, *, name: str = "") -> Bundle:
    """Read the zip. `name`: used in messages if `file` is not a path.

    Raise one error for any problem: not a bundle, modified, from a later Queryscape, or malicious.
    """
    if isinstance(file, Path):
        name = name or file.name
        try:
            with file.open("rb") as opened:
                return _bundle(read_archive(opened, name), name)
        except OSError as e:
            raise FileError(f"{file} can't be read ({e.strerror or e}): check that it exists and is readable") from e
    return _bundle(read_archive(file, name or "this file"), name or "this file")


def _bundle(files: Mapping[str, bytes], name: str) -> Bundle:
    quality = BundleReader(QUALITY, files).read(_json(files, QUALITY), QualityFacts)
    check_quality(quality)
    making = BundleReader(MAKING, files).read(_json(files, MAKING), BundleProvenance)
    reviews = BundleReader(REVIEWS, files).read_list(_json(files, REVIEWS), Review)
    _check_reports(making, reviews, quality)
    lock = _json(files, LOCK)
    if not isinstance(lock, dict):
        raise FormatError(f"{LOCK}: it must contain an object")
    return Bundle(
        name=name,
        making=making,
        files=files,
        lock=lock,
        audit=BundleReader(AUDIT, files).read(_json(files, AUDIT), AuditFacts),
        quality=quality,
        reviews=reviews,
        abstracts=BundleReader(ABSTRACTS, files).read_texts(_json(files, ABSTRACTS)) if ABSTRACTS in files else None,
        found=BundleReader(FOUND, files).read_list(_json(files, FOUND), FoundPublication) if FOUND in files else (),
    )


def _json(files: Mapping[str, bytes], file: str) -> object:
    if file not in files:
        raise FormatError(f"this bundle lacks {file}")
    return parsed_json(files[file], file)


def _check_reports(making: BundleProvenance, reviews: tuple[Review, ...], quality: QualityFacts) -> None:
    names = [entry.name for entry in making.reports]
    if len({name.casefold() for name in names}) != len(names) or not all(map(is_safe_name, names)):
        raise FormatError(f"{MAKING}: two reports have the same name, or one has an invalid name")
    if odd := [entry.kind for entry in making.reports if entry.kind not in _REPORT_KINDS]:
        raise FormatError(f"{MAKING}: a bundle can't contain a report of kind {odd[0]}")
    for kind in ("prisma-s", "quality"):
        if sum(entry.kind == kind for entry in making.reports) > 1:
            raise FormatError(f"{MAKING}: a bundle can contain only one report of kind {kind}")
    if not quality.versions and any(entry.kind == "quality" for entry in making.reports):
        raise FormatError(f"{QUALITY}: it contains no version, but a report about versions is listed")
    n_press = sum(entry.kind == "press" for entry in making.reports)
    if n_press > len(reviews):
        raise FormatError(f"{MAKING}: {n_press} peer reviews are reported, but {REVIEWS} contains {len(reviews)}")


# Writing a bundle: the same facts give the same bytes at any time.

PACKAGES = ("NumPy", "SciPy", "scikit-learn", "umap-learn")
"""The packages behind vectors, regions and landscapes."""


def write_bundle(
    file: Path | BinaryIO,
    audit: AuditFacts,
    quality: QualityFacts,
    documents: Sequence[ReportDocument],
    *,
    made_at: str,
    abstracts: Mapping[str, str] | None = None,
    reviews: Sequence[Review] = (),
    found: Sequence[FoundPublication] = (),
) -> BundleSummary:
    """Write the zip, atomically if `file` is a path.

    `documents`: the reports it contains, without the audit that combines them. `reviews`: in the order of the documents
    of kind press. `abstracts`: by publication; None: left out.
    """
    if sum(document.kind == "press" for document in documents) > len(reviews):
        raise InputError("a bundle with a peer review needs the review itself")
    check_quality(quality)
    making = BundleProvenance(
        made_at=made_at,
        made_with=documents[0].made_with if documents else "",
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}".strip(),
        software=software(*PACKAGES)[2:],
        reports=report_entries(documents),
    )
    files = contents(BundleFacts(audit, quality, making, tuple(reviews), abstracts, tuple(found)), documents)
    out = io.BytesIO()
    write_archive(out, files)
    content = out.getvalue()
    if isinstance(file, Path):
        with written_aside(file) as opened:
            opened.write(content)
    else:
        file.write(content)
    return BundleSummary(
        n_files=len(files) + 1,
        n_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        has_abstracts=abstracts is not None,
    )


# Rebuilding a bundle: scores are recomputed, reports are rebuilt, and every difference is listed.

_SENSELESS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
    np.linalg.LinAlgError,
)
"""Errors to expect from facts that were edited to fit their types but are inconsistent."""
RECORDED = "What was searched, when and with what result, and what people answered, can be read but not rebuilt."


@dataclass(frozen=True, eq=False)
class RebuiltBundle:
    audit: AuditFacts
    quality: QualityFacts
    """With all scores that could be recomputed."""
    reviews: tuple[Review, ...]
    documents: tuple[ReportDocument, ...]
    """The reports of the bundle, in order."""
    tables: Mapping[str, bytes]
    """Every table as a file, by its name in the bundle."""
    differing: tuple[str, ...]
    """Files that differ from those of the bundle; empty: every byte is identical."""
    taken_over: tuple[str, ...]
    """Parts that can't be rebuilt, with the reason, one sentence each."""
    largest_difference: float
    """Largest difference between a score of the bundle and the recomputed one; 1 if only one is defined."""
    differing_scores: tuple[str, ...] = ()
    """Scores that differ after recomputing, one sentence each."""


def rebuild(bundle: Bundle) -> RebuiltBundle:
    """Recompute and rebuild everything from the bundle alone."""
    try:
        with np.errstate(all="ignore"):
            return _rebuilt(bundle)
    except _SENSELESS as e:
        raise FormatError(
            f"{bundle.name} can't be rebuilt: its content is inconsistent ({type(e).__name__}: {str(e)[:80]})"
        ) from e


def _rebuilt(bundle: Bundle) -> RebuiltBundle:
    counted = recount(bundle.quality)
    facts = BundleFacts(bundle.audit, counted.facts, bundle.making, bundle.reviews, bundle.abstracts, bundle.found)
    documents = tuple(_documents(facts))
    files = contents(facts, documents)
    names = sorted({*files, *bundle.files})
    return RebuiltBundle(
        audit=bundle.audit,
        quality=counted.facts,
        reviews=bundle.reviews,
        documents=documents,
        tables={name: content for name, content in sorted(files.items()) if name.endswith(".csv")},
        differing=tuple(name for name in names if files.get(name) != bundle.files.get(name)),
        taken_over=(*taken_over(bundle.quality), *_taken_over(bundle)),
        largest_difference=counted.largest_difference,
        differing_scores=(*counted.differing, *_other_ids(counted.facts)),
    )


def _documents(facts: BundleFacts) -> Iterator[ReportDocument]:
    reviews = iter(facts.reviews)
    for entry in facts.making.reports:
        at, made_with = entry.made_at, entry.made_with
        if entry.kind == "prisma-s":
            yield prisma_s(facts.audit, made_at=at, made_with=made_with)
        elif entry.kind == "press":
            yield press_document(next(reviews), made_at=at, made_with=made_with)
        else:
            yield quality_report(facts.quality, made_at=at, made_with=made_with, abstracts=facts.abstracts)


def _other_ids(quality: QualityFacts) -> Iterator[str]:
    for version in quality.versions:
        evaluation = version.evaluation
        if not version.unscored_ids and content_hash(evaluation.scorable_ids) != version.retrieved_hash:
            yield f"{version.label}: the publications do not match its hash."
        if content_hash(evaluation.core_ids) != quality.core_hash:
            yield f"{version.label}: the core publications do not match their hash."


def _taken_over(bundle: Bundle) -> Iterator[str]:
    if bundle.made_with not in ("", MADE_WITH):
        written_with = " ".join(bundle.made_with.split())[:60]
        yield (
            f"The bundle was written with {written_with} and rebuilt with {MADE_WITH}: files may differ, because "
            "reports may be worded or drawn differently."
        )
    without = [version.label for version in bundle.quality.versions if version.unscored_ids]
    if without:
        yield (
            "The order of retrieved publications without a vector is not stored, so the hash of the retrieved ones "
            f"can't be checked ({', '.join(without)})."
        )
    yield RECORDED
