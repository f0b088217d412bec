"""The commands `import`, `duplicates`, `embed`, `vectors` and `export`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import FileError, InputError
from core.explore.regions import REGIONS
from core.library.duplicates import CoreMatch, PairKind
from core.library.labels import PHASES, Phase
from core.library.records import RawFields
from core.protocols import OnStage
from core.text import listed, many
from core.types import RegionKind
from dashboard.kit import options, scoring
from dashboard.kit.output import NONE, few, print_json, results, row, say, shown, table, tell, warn
from dashboard.kit.progress import progress, waiting
from data.explore.embedding import EmbedPreview, EmbedReport, EmbedRequest
from data.explore.workspace import Workspace
from data.files import written_aside
from data.importers.reading import FORMATS
from data.importers.source import ReadOptions, plain_name
from data.library.duplicates import (
    RULES,
    DuplicateProposal,
    Merge,
    alike,
    join,
    join_all,
    kinds_of,
    merge_counts,
    merges,
    proposals,
    separate,
    separate_all,
    undo,
    undo_batch,
)
from data.library.export_formats import EXPORTS, ExportFormat, ExportRow, export_named
from data.library.export_tools import TOOLS, ExportChoices, ExportTool, contents, exported_rows, tool_named
from data.library.imports import FileReport, FileUpload, ImportChoices, ImportReport, asked_for, bring_files
from data.library.priority import prefer, preferred
from data.library.records import SourceRole, load_sources, source_names
from data.library.selection import Among, ExportSelection, select, what_to_loosen
from data.lookup import check_topic
from data.models.embedders import EMBEDDERS

# `import`: files of publications into a topic.

MOST_SHOWN = 12
"""Rejected records or core publications listed individually; others are counted."""


def _columns(pairs: tuple[str, ...]) -> dict[str, str] | None:
    columns = {}
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals:
            raise InputError(f'"{pair}" is not a mapping: write --column FIELD=NAME')
        columns[name.strip()] = column.strip()
    return check_columns(columns)


def check_columns(columns: Mapping[str, str]) -> dict[str, str] | None:
    """Check a mapping of fields to the columns of a table."""
    for name in columns:
        if name not in RawFields.__annotations__:
            raise InputError(f'"{name}" is not a field: choose one of {", ".join(RawFields.__annotations__)}')
    return dict(columns) or None


def _files(paths: tuple[Path, ...]) -> list[Path | FileUpload]:
    return [FileUpload("standard input", sys.stdin.buffer.read()) if str(path) == "-" else path for path in paths]


def import_document(done: ImportReport) -> dict[str, Any]:
    """Return `import --json`."""
    document: dict[str, Any] = {
        "topic": done.topic_id,
        "as": str(done.role),
        "n_new": done.n_new,
        "n_merged": done.n_merged,
        "n_publications": done.n_publications,
        "files": [_file_document(file) for file in done.files],
    }
    if done.role.kind == "core":
        matches = done.matches
        document["matched"] = [
            {"publication_id": m.publication_id, "by": m.by, "asked_for": asked_for(m.record)}
            for m in matches
            if m.status == "matched"
        ]
        document["not_in_corpus"] = [asked_for(m.record) for m in matches if m.status == "not_in_corpus"]
        document["ambiguous"] = [
            {"asked_for": asked_for(m.record), "candidates": list(m.candidates)}
            for m in matches
            if m.status == "ambiguous"
        ]
    return document


def _file_document(file: FileReport) -> dict[str, Any]:
    return {
        "file": file.name,
        "format": file.format_id,
        "encoding": file.encoding,
        "records_in_file": file.records_in_file,
        "parsed": file.parsed,
        "rejected": [{"record": r.record, "line": r.line, "reason": r.reason} for r in file.rejected],
        "n_new": file.n_new,
        "n_merged": file.n_merged,
        "n_included": file.n_included,
        "labels": file.labels,
        "unfound": [{"record": number, "line": line, "title": title} for number, line, title in file.unfound],
        "was_here": file.was_here,
        "notes": list(file.notes),
        "unused": dict(file.unused),
    }


def _print(done: ImportReport) -> None:
    grid = table(
        f"{done.topic_id}: {done.role}",
        *("File", "Format", "Encoding", "In file", "Read", "Rejected", "New", "Known"),
        right=(3, 4, 5, 6, 7),
    )
    for file in done.files:
        counts = (file.records_in_file, file.parsed, len(file.rejected), file.n_new, file.n_merged)
        numbers = [f"{n:,}" for n in counts]
        if file.was_here:
            numbers[3:] = ["already imported", ""]
        row(grid, file.name, file.format_id or NONE, file.encoding or NONE, *numbers)
    results().print(grid)
    tell(f"{done.n_new:,} new, {done.n_merged:,} known; the topic has {done.n_publications:,} publications.")
    for file in done.files:
        _print_oddities(file)
    if done.matches:
        _print_core(done.matches)


def _print_oddities(file: FileReport) -> None:
    places = [f"line {r.line:,}: " if r.line else "" for r in file.rejected]
    parts = [f"{file.name}: {at}{r.reason}" for at, r in zip(places, file.rejected, strict=True)]
    more = len(parts) - MOST_SHOWN
    warn([*parts[:MOST_SHOWN], *([f"{file.name}: {more:,} more; --json lists them all"] if more > 0 else [])])
    warn([f"{file.name}: {note}" for note in file.notes])
    if file.unfound:
        warn([f"{file.name}: no search found {many(len(file.unfound), 'publication')}"])
        for _, line, title in file.unfound[:MOST_SHOWN]:
            tell(f"  line {line:,}: {title}" if line else f"  {title}")
        if len(file.unfound) > MOST_SHOWN:
            tell(f"  and {len(file.unfound) - MOST_SHOWN:,} more; --json lists them all")
    if file.labels and not file.was_here:
        tell(
            f"{file.name}: {file.labels}. Use them with --labels-as screened or --labels-as included; "
            "--included-as-core adds those labelled as included to the core."
        )


def _print_core(matches: tuple[CoreMatch, ...]) -> None:
    by = [m.by or "" for m in matches if m.status == "matched"]
    how = ", ".join(f"{by.count(name)} by {name}" for name in dict.fromkeys(by))
    tell(f"{len(by)} of {len(matches)} core publications are in the corpus{f' ({how})' if how else ''}.")
    absent = [asked_for(m.record) for m in matches if m.status == "not_in_corpus"]
    several = [f"{asked_for(m.record)} ({', '.join(m.candidates)})" for m in matches if m.status == "ambiguous"]
    for what, names in (("Not in the corpus", absent), ("Matches several publications: give a DOI or PMID", several)):
        if names:
            tell(f"{what}: {len(names)}")
            for name in names[:MOST_SHOWN]:
                tell(f"  {name}")
            if len(names) > MOST_SHOWN:
                tell(f"  and {len(names) - MOST_SHOWN:,} more")


@click.command(
    "import",
    epilog=options.examples(
        "import pubmed.nbib --topic masks --as corpus",
        "import included.ris --topic masks --as core",
        "import first-search.ris --topic masks --as v1",
    ),
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@options.new_topic
@click.option(
    "--as",
    "as_",
    required=True,
    metavar="corpus|core|screened|included|LABEL",
    help="Role: corpus, core publications, the results of a query version, or what passed a phase of the review.",
)
@click.option(
    "--format",
    "format_id",
    default=None,
    help=f"Input format (default: auto-detect). One of: {', '.join(FORMATS)}.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=NAME",
    help="Map a column of an unrecognised table (repeatable).",
)
@click.option("--query", "query_text", default=None, help="Search string of the query version.")
@click.option("--query-id", default=None, help="Query id, if the file covers several queries.")
@click.option("--included-as-core", is_flag=True, help="Also add records labelled as included to the core set.")
@click.option(
    "--labels-as",
    "labels_as",
    multiple=True,
    type=click.Choice(PHASES),
    help="Use the labels of a screening tool for this phase of the review (repeatable).",
)
@options.output
def bring(
    files: tuple[Path, ...],
    topic: str,
    as_: str,
    format_id: str | None,
    columns: tuple[str, ...],
    query_text: str | None,
    query_id: str | None,
    included_as_core: bool,
    labels_as: tuple[Phase, ...],
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Import files of publications into a topic: RIS, BibTeX, PubMed, Web of Science, Scopus, CSV and more.

    Every record is imported or reported with its line. Known publications are recognised, and importing a file twice
    changes nothing. "-" reads a list from standard input.
    """
    role = SourceRole.named(as_)
    if query_text is not None:
        if role.kind != "version":
            raise InputError("--query needs a query version: give its label with --as LABEL")
        query_text = plain_name(query_text)
    choices = ImportChoices(
        format_id,
        ReadOptions(_columns(columns)),
        query_id=query_id,
        included_as_core=included_as_core,
        labels_as=labels_as,
        query_text=query_text,
    )
    with Workspace.open(data_dir) as workspace, progress(f"Importing into {topic}") as report:
        on_stage: OnStage = lambda stage: report  # noqa: E731
        done = bring_files(workspace, topic, role, _files(files), choices, on_stage)
    if as_json:
        print_json(import_document(done))
    else:
        _print(done)


# `duplicates`: merges that can be undone, and pairs of similar publications.


@click.command()
@options.topic
@click.option(
    "--join", "joined", nargs=2, multiple=True, metavar="A B", help="Merge these two publications (repeatable)."
)
@click.option(
    "--separate",
    "kept",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Keep these two separate and don't suggest them again (repeatable).",
)
@click.option(
    "--join-like",
    "joined_like",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Merge this suggested pair and all others with the same evidence (repeatable).",
)
@click.option(
    "--separate-like",
    "kept_like",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Keep this suggested pair and all others with the same evidence separate (repeatable).",
)
@click.option(
    "--undo",
    "undone",
    nargs=2,
    multiple=True,
    metavar="FILE NUMBER",
    help="Undo the merge of this record; FILE is the name or id of its source (repeatable).",
)
@click.option("--undo-last", is_flag=True, help="Undo the last --join or --join-like with all of its merges.")
@click.option(
    "--prefer",
    "preferred_files",
    multiple=True,
    metavar="FILE",
    help="Take the fields of merged publications first from this file (repeatable, in order).",
)
@click.option("--import-order", is_flag=True, help="Drop this preference: take them in the order of import.")
@click.option("--by", "rule", type=click.Choice(list(RULES)), default=None, help="List only merges by this rule.")
@click.option("--containing", default="", help="List only merges with these words in the title.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Maximum number of merges and pairs to list.",
)
@options.output
def duplicates(
    topic: str,
    joined: tuple[tuple[str, str], ...],
    kept: tuple[tuple[str, str], ...],
    joined_like: tuple[tuple[str, str], ...],
    kept_like: tuple[tuple[str, str], ...],
    undone: tuple[tuple[str, str], ...],
    undo_last: bool,
    preferred_files: tuple[str, ...],
    import_order: bool,
    rule: str | None,
    containing: str,
    most: int,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """List merged records and possible duplicates; merge, dismiss or undo them.

    Only records with the same DOI, PMID, id or title are merged automatically. Similar pairs are suggested, the
    likeliest first: --join merges one, --separate dismisses it, and --undo reverses any merge. --join-like and
    --separate-like decide on all pairs with the same evidence, such as the same title and year where one has no DOI.
    --undo-last reverses the last decision to merge, also one of the page Library; repeat it for the one before.
    Merged publications show the fields of the first record that has them; --prefer changes the order of the files.
    """
    if preferred_files and import_order:
        raise InputError("--prefer and --import-order exclude each other: choose one")
    with Workspace.open(data_dir) as workspace, waiting("Looking for possible duplicates"):
        check_topic(workspace.store, topic)
        for a, b in joined:
            join(workspace, topic, a, b)
        for a, b in kept:
            separate(workspace, topic, a, b)
        batches = [_decide_alike(workspace, topic, *pair, same=True) for pair in joined_like]
        batches += [_decide_alike(workspace, topic, *pair, same=False) for pair in kept_like]
        made = [undo(workspace, topic, *_record_named(workspace, topic, *record)) for record in undone]
        made += undo_batch(workspace, topic) if undo_last else ()
        if preferred_files or import_order:
            files = () if import_order else preferred_files
            prefer(workspace, topic, [_file_named(workspace, topic, file) for file in files])
        names = source_names(workspace.store, topic)
        order = [names[source_id] for source_id in preferred(workspace.store, topic)]
        counts = merge_counts(workspace, topic)
        log = merges(workspace, topic, rule=rule, containing=containing, most=most)
        pairs = proposals(workspace, topic, most=most)
        kinds = kinds_of(workspace.store, pairs)
    if as_json:
        extra = {"topic": topic, "undone": made, "batches": batches, "preferred": order}
        print_json(extra | duplicates_document(counts, log, kinds))
    else:
        _print_duplicates(topic, counts, log, pairs)
        _print_kinds(kinds)
        if order:
            say(f"Merged publications take their fields first from {listed(order)}.")
        for batch in batches:
            left_out = f"; {len(batch['left_out']):,} left out" if batch["left_out"] else ""
            words = "merged" if batch["same"] else "kept separate"
            say(f"{many(batch['n_pairs'], 'pair')} {words}{left_out}: {batch['kind']}.")
        for publication_id in made:
            say(f"Merge undone: {publication_id} is a separate publication again.")


def _file_named(workspace: Workspace, topic: str, file: str) -> str:
    found = [s.source_id for s in load_sources(workspace.store, topic) if file in (s.source_id, s.name)]
    if not found:
        raise InputError(f'no file "{file}" was imported into {topic}: "duplicates" lists merged records')
    if len(found) > 1:
        raise InputError(f'{len(found)} files have the name "{file}": use an id, {" or ".join(found)}')
    return found[0]


def _record_named(workspace: Workspace, topic: str, file: str, number: str) -> tuple[str, int]:
    source_id = _file_named(workspace, topic, file)
    if not number.isdecimal():
        raise InputError(f'NUMBER must be the number of a record in its file, got "{number}"')
    return source_id, int(number)


def _decide_alike(workspace: Workspace, topic: str, a: str, b: str, *, same: bool) -> dict[str, Any]:
    """Decide on all proposed pairs of the kind of this one. `n_pairs` counts them without those left out."""
    kind, pairs = alike(workspace, topic, a, b)
    left_out = []
    if same:
        left_out = [list(pair) for pair in join_all(workspace, topic, pairs).left_out]
    else:
        separate_all(workspace, topic, pairs)
    return {"same": same, "kind": kind.words, "n_pairs": len(pairs) - len(left_out), "left_out": left_out}


def duplicates_document(
    counts: Mapping[str, int], log: Sequence[Merge], kinds: Mapping[PairKind, Sequence[DuplicateProposal]]
) -> dict[str, Any]:
    """Return `duplicates --json`.

    `n_merged`: merged records by rule. `merges`: the last ones first; `source_id` and `number` identify the merge to
    undo.
    `proposals`: undecided pairs, the likeliest first. `kinds`: their kinds of evidence, with the number of pairs.
    """
    kind_of = {each: kind for kind, some in kinds.items() for each in some}
    likeliest = sorted(kind_of, key=lambda each: (-each.pair.likeness, each.ids))
    return {
        "n_merged": dict(counts),
        "merges": [asdict(merge) for merge in log],
        "proposals": [_proposal_document(each) | {"kind": kind_of[each].words} for each in likeliest],
        "kinds": [{"kind": kind.words, "n_pairs": len(some)} | asdict(kind) for kind, some in kinds.items()],
    }


def _proposal_document(each: DuplicateProposal) -> dict[str, Any]:
    sides = zip((each.pair.a, each.pair.b), each.titles, each.years, each.dois, each.sources, strict=True)
    return {
        "likeness": each.pair.likeness,
        "why": each.pair.why,
        "is_version_pair": each.pair.is_version_pair,
        "publications": [
            {"publication_id": id_, "title": title, "year": year, "doi": doi, "records": list(records)}
            for id_, title, year, doi, records in sides
        ],
    }


def _print_duplicates(
    topic: str, counts: Mapping[str, int], log: Sequence[Merge], pairs: Sequence[DuplicateProposal]
) -> None:
    words = ", ".join(f"{n:,} by {RULES.get(rule, rule)}" for rule, n in counts.items())
    n = many(sum(counts.values()), "record")
    tell(f"{topic}: {n} merged into existing publications{f': {words}' if counts else ''}.")
    if log:
        grid = table("\nMerges", "File", "Record", "By", "Title", "Publication", right=(1,))
        for merge in log[:MOST_SHOWN]:
            row(grid, merge.source, str(merge.number), merge.rule, merge.title, merge.publication_id)
        results().print(grid)
        _more(len(log))
    if not pairs:
        tell("\nNo possible duplicates found.")
        return
    grid = table("\nPossible duplicates", "Similarity", "Publication", "Year", "Title", right=(0,))
    for each in pairs[:MOST_SHOWN]:
        for at, publication_id in enumerate((each.pair.a, each.pair.b)):
            year = NONE if each.years[at] is None else str(each.years[at])
            row(grid, "" if at else f"{each.pair.likeness:.2f}", publication_id, year, each.titles[at])
        row(grid, "", "", "", shown(each.pair.why, "dim"))
    results().print(grid)
    _more(len(pairs))


def _print_kinds(kinds: Mapping[PairKind, Sequence[DuplicateProposal]]) -> None:
    several = {kind: some for kind, some in kinds.items() if len(some) > 1}
    if several:
        grid = table("\nPairs with the same evidence", "Pairs", "Evidence", "One of them", right=(0,))
        for kind, some in sorted(several.items(), key=lambda item: -len(item[1]))[:MOST_SHOWN]:
            row(grid, f"{len(some):,}", kind.words, " ".join(some[0].ids))
        results().print(grid)
        _more(len(several))


def _more(n: int) -> None:
    if n > MOST_SHOWN:
        tell(f"and {n - MOST_SHOWN:,} more; --json lists them all")


# `embed`: vectors for a topic.


def preview_document(preview: EmbedPreview) -> dict[str, Any]:
    """Return `embed --dry-run --json`."""
    names = ("embedder", "topic", "n_publications", "n_new", "sends_to")
    return {name: getattr(preview, name) for name in names} | asdict(preview.estimate)


def _in_words(preview: EmbedPreview) -> str:
    estimate = preview.estimate
    if not preview.costs:
        price = "free: runs on this machine"
    elif estimate.dollars is None:
        price = "price unknown"
    else:
        dollars = f"about {estimate.dollars:,.2f}" if estimate.dollars >= 0.01 else "less than 0.01"
        price = f"{dollars} US dollars (prices of {estimate.as_of})"
    tokens = f", about {estimate.n_tokens:,} tokens" if estimate.n_tokens else ""
    goes = f" Sends to {preview.sends_to}." if preview.sends_to else ""
    return (
        f"{preview.topic}: {preview.n_new:,} of {preview.n_publications:,} publications have no vector of "
        f"{preview.embedder}; {estimate.n_texts:,} texts to embed{tokens}, {price}.{goes}"
    )


def _oddities(done: EmbedReport) -> list[str]:
    notes = [f"{done.n_cut:,} texts were too long; only their beginning is embedded"] if done.n_cut else []
    if done.refused_ids:
        notes.append(f"the service refused the text of {few(done.refused_ids)}, which can't be scored")
    return notes


@click.command()
@options.topic
@click.option(
    "--embedder",
    required=True,
    help="Embedder: lsa, openai, openai:MODEL, onnx:FOLDER, sentence_transformers:NAME_OR_FOLDER (or st:...).",
)
@click.option("--model", default=None, help="Model, if the embedder does not include it.")
@click.option("--base-url", default=None, help="Base URL of an OpenAI-compatible service. [default: OPENAI_BASE_URL]")
@click.option("--name", default=None, help="Name of the vectors. [default: the model's name]")
@click.option("--dry-run", is_flag=True, help="Show the number of texts and the cost without embedding.")
@options.output
def embed(
    topic: str,
    embedder: str,
    model: str | None,
    base_url: str | None,
    name: str | None,
    dry_run: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Embed every publication of a topic that has no vector yet. A stopped run is resumed.

    For openai the host that the texts go to and the cost are shown first. OPENAI_API_KEY goes only to OpenAI and to
    OPENAI_BASE_URL; the key for any other --base-url is in a variable named after its host.
    """
    wish = EmbedRequest(embedder, model, base_url, name)
    with Workspace.open(data_dir) as workspace:
        if dry_run:
            _print_preview(workspace.preview_embedding(topic, wish), as_json)
            return
        if embedder not in EMBEDDERS:
            preview = workspace.preview_embedding(topic, wish)
            if (preview.costs or preview.sends_to) and preview.n_new:
                say(_in_words(preview))
        with progress(f"Embedding {topic}") as report:
            done = workspace.embed(topic, wish, on_progress=report)
    if as_json:
        print_json(embed_document(done))
    else:
        _embed_print(done)
    warn(_oddities(done))


def _print_preview(preview: EmbedPreview, as_json: bool) -> None:
    if as_json:
        print_json(preview_document(preview))
    else:
        tell(_in_words(preview), soft_wrap=True)


def _embed_print(done: EmbedReport) -> None:
    unscorable = f", {done.n_unscorable:,} have no text to embed" if done.n_unscorable else ""
    have = f"{done.n_with_vectors:,} publications have vectors of {done.embedder}"
    tell(f"{have} ({done.n_new:,} new{unscorable}).")


def embed_document(report: EmbedReport) -> dict[str, Any]:
    """Return `embed --json` and `vectors --json`."""
    return asdict(report)


# `vectors`: import your own embeddings.


def _vectors_oddities(done: EmbedReport) -> list[str]:
    counts = {
        "rows are zero or not finite and can't be scored": done.n_unscorable,
        "rows repeat an earlier id and were left out": done.n_repeated,
        "ids match no publication of the workspace (stored for later imports)": done.n_unmatched,
    }
    return [f"{n:,} {what}" for what, n in counts.items() if n]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--model", required=True, help="Name of the vectors, used with --embedder.")
@options.output
def vectors(file: Path, model: str, data_dir: Path | None, as_json: bool) -> None:
    """Load vectors from an .npz with the arrays ids and vectors."""
    with Workspace.open(data_dir) as workspace, waiting(f"Loading {file.name}"):
        done = workspace.add_vectors(file, model)
    if as_json:
        print_json(embed_document(done))
        return
    topics = ", ".join(done.topics) or "no topic by half or more of its publications"
    tell(f"{done.n_with_vectors:,} vectors of {done.embedder}; they cover {topics}.")
    warn(_vectors_oddities(done))


# `export`: a selection of a topic's publications as a file for other programs.

STANDARD_OUTPUT = "-"
AMONG: dict[str, Among] = {
    "found": "retrieved",
    "corpus": "corpus",
    "core": "core",
    "missed": "core_missed",
    "screened": "screened",
    "included": "included",
    "all": "everything",
    "retrieved": "retrieved",
    "core-missed": "core_missed",
    "everything": "everything",
}
"""The last three are older words for found, missed and all."""

_selection_options = options.together(
    click.option("--version", "versions", multiple=True, help="Found by this version (repeatable)."),
    click.option(
        "--among",
        type=click.Choice(list(AMONG)),
        default="found",
        show_default=True,
        help="Publications to select from: found by versions; the corpus; the core; missed core publications; those"
        " that a file lists as screened or included; all of the topic. Retrieved, core-missed and everything are other"
        " words for found, missed and all.",
    ),
    click.option("--found-by-all", is_flag=True, help="Found by all of the versions instead of any."),
    click.option("--not-version", "not_versions", multiple=True, help="Not found by this version (repeatable)."),
    click.option("--region", type=click.Choice(list(REGIONS)), help="Only publications relevant by this region."),
    click.option("--not-relevant", is_flag=True, help="Only publications not relevant by the region."),
    click.option("--similarity-from", type=float, help="Minimum similarity to the centre of the core."),
    click.option("--similarity-to", type=float, help="Maximum similarity to the centre of the core."),
    click.option("--since", metavar="DATE", help="Only publications that searches in sources brought since this day."),
)


def _read_selection(flags: dict[str, Any]) -> ExportSelection:
    """Build the selection from its flags; the settings stay in `flags`."""
    region: RegionKind | None = flags.pop("region")
    not_relevant = flags.pop("not_relevant")
    if not_relevant and region is None:
        raise InputError("--not-relevant needs a region: add --region")
    return ExportSelection(
        versions=tuple(dict.fromkeys(flags.pop("versions"))),
        among=AMONG[flags.pop("among")],
        all_versions=flags.pop("found_by_all"),
        not_by=tuple(dict.fromkeys(flags.pop("not_versions"))),
        region=region,
        relevant=None if region is None else not not_relevant,
        min_similarity=flags.pop("similarity_from"),
        max_similarity=flags.pop("similarity_to"),
        since=flags.pop("since"),
    )


@click.command(
    epilog=options.examples(
        "export --topic masks --version v1 --out found.ris", "export --topic masks --among core-missed --out missed.csv"
    )
)
@options.topic
@_selection_options
@click.option(
    "--format", "export_id", type=click.Choice(list(EXPORTS)), help="Output format. [default: by the file extension]"
)
@click.option(
    "--tool", "tool_id", type=click.Choice(list(TOOLS)), help="Write the format and fields of this tool instead."
)
@click.option(
    "--core-in-notes",
    "--unblind",
    "core_in_notes",
    is_flag=True,
    help="Name core publications in the notes. With --tool for screening or references also the versions, similarity,"
    " regions and earlier decisions, which are left out otherwise. It unblinds screeners.",
)
@click.option(
    "--core-as-prior",
    is_flag=True,
    help="With --tool asreview: label core publications as relevant prior knowledge; earlier decisions stay labels.",
)
@click.option("--out", required=True, help="File to write; - is standard output.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@options.embedder
@scoring.regions
@scoring.settings
@options.output
def export(
    topic: str,
    export_id: str | None,
    tool_id: str | None,
    core_in_notes: bool,
    core_as_prior: bool,
    out: str,
    force: bool,
    embedder: str | None,
    regions: str,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Write publications for screening tools and reference managers: RIS, CSV, BibTeX, CSL JSON or JSON Lines.

    For evaluation programs, "export collection" writes documents and judgments, "export run" the results of versions.
    """
    selection = _read_selection(flags)
    settings, kinds = scoring.read_settings(flags), scoring.read_regions(regions)
    choices = ExportChoices(core_in_notes, core_as_prior)
    tool = _read_tool(tool_id, export_id, choices)
    form = tool.form if tool else export_named(export_id, "" if out == STANDARD_OUTPUT else out)
    _check_place(out, force=force, as_json=as_json)
    with Workspace.open(data_dir) as workspace, waiting(f"Selecting from {topic}") as on_stage:
        selected = select(
            workspace, topic, selection, embedder=embedder, settings=settings, regions=kinds, on_stage=on_stage
        )
        if not len(selected):
            raise InputError(f"no publications of {topic} match: try {what_to_loosen(selection)}")
        on_stage("writing")
        n = _write(exported_rows(selected, tool, choices), form, out)
        n_of_topic = len(workspace.store.topic_publication_ids(topic))
    if selected.judged.why_not:
        say(f"Note: no similarity or regions in the export: {selected.judged.why_not}.", "yellow")
    if as_json:
        print_json({**_document(topic, form, out, n, selection), "tool": tool_id, **asdict(choices)})
    else:
        _say_how_many(n, n_of_topic, form, out, is_default=selection == ExportSelection())
        if tool:
            say(f"{contents(form, tool, choices)} {tool.hint}")


def _read_tool(tool_id: str | None, export_id: str | None, choices: ExportChoices) -> ExportTool | None:
    if tool_id is None:
        if choices.core_as_prior:
            raise InputError("--core-as-prior needs a tool with prior knowledge: add --tool asreview")
        return None
    if export_id is not None:
        raise InputError("--tool already chooses the format: leave out --format")
    tool = tool_named(tool_id)
    if choices.core_as_prior and not tool.takes_labels:
        raise InputError(f"{tool.label} has no prior knowledge: leave out --core-as-prior")
    return tool


def _check_place(out: str, *, force: bool, as_json: bool) -> None:
    if out == STANDARD_OUTPUT:
        if as_json:
            raise InputError("--json and --out - both write to standard output: name a file")
        return
    path = Path(out)
    if path.is_dir():
        raise FileError(f"{out} is a folder: name a file in it")
    if path.exists() and not force:
        raise FileError(f"{out} already exists: choose another name or overwrite it with --force")


def _write(rows: Iterable[ExportRow], form: ExportFormat, out: str) -> int:
    if out == STANDARD_OUTPUT:
        n = form.write(rows, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return n
    with written_aside(Path(out)) as file:
        return form.write(rows, file)


def _document(topic: str, form: ExportFormat, out: str, n: int, selection: ExportSelection) -> dict[str, Any]:
    """Return `export --json`."""
    return {
        "topic": topic,
        "format": form.export_id,
        "file": out,
        "n_publications": n,
        "selection": asdict(selection),
    }


def _say_how_many(n: int, n_of_topic: int, form: ExportFormat, out: str, *, is_default: bool) -> None:
    """Print the number of publications, and which ones if nothing was chosen."""
    part = many(n, "publication") if n >= n_of_topic else f"{n:,} of {many(n_of_topic, 'publication')}"
    place = "" if out == STANDARD_OUTPUT else f" to {out}"
    what = f"{part} written as {form.label}{place}"
    if is_default and n < n_of_topic:
        what += ": those that a version retrieved. For others see --among"
    if out == STANDARD_OUTPUT:
        say(f"{what}.")
    else:
        tell(f"{what}.", soft_wrap=True)
