"""The `query` commands: check, explain, weigh, translate, split and compare search strings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

import click

from core.errors import FileError, InputError
from core.explore.compare import REGION_LABELS
from core.explore.studies import ORIGIN_LABELS, Column, TopicScores, metric_label
from core.query.contributions import Asked, Contribution, contributions
from core.query.dialects import DIALECTS
from core.query.explanations import Explained
from core.query.explanations import explain as explain_missed
from core.query.lint import lint, lint_in_corpus
from core.query.match import Semantics, match, of_rows
from core.query.parser import parse
from core.query.translation import Translation, document_of
from core.query.translation import translate as translate_query
from core.query.tree import DialectId, Finding, ParsedQuery, parts_of
from core.report import csv_text
from core.settings import EvaluationSettings
from core.stats import Interval
from core.types import Origin, Publication, RegionKind
from core.writer.decomposition import Apart, take_apart
from core.writer.sheets import IN_STRING, Gain, Keyword, ListName, sheet_document
from core.writer.sheets import text_of as sheet_text
from core.writer.string_study import (
    EXPERIMENTS,
    Paired,
    TopicStrings,
    mean_gain,
    mean_of,
    result_columns,
    sentence_of,
)
from dashboard.kit import options, scoring
from dashboard.kit.output import NONE, interval, number, print_json, results, row, say, shown, table, warn
from dashboard.kit.progress import waiting
from dashboard.kit.search_strings import read_query, version_query
from dashboard.query.documents import check_document, explain_document, kind_of, node_document, query_text
from dashboard.writer.commands import steps_command, write_command, writings_command
from data.audit.markdown import markdown
from data.explore.desk import Desk, ask, set_up
from data.explore.studies import known_scores, make_scores, want
from data.explore.workspace import Workspace
from data.files import written_aside
from data.lookup import check_topic
from data.writer.string_study import (
    WAYS,
    Lacking,
    Made,
    Making,
    PublishedPair,
    StringStudy,
    Way,
    lacking,
    make_missing,
    report_of,
    whole,
)

# What the `query` commands print for people.

LONGEST = 60
STYLES = {"error": "bold red", "warning": "yellow", "hint": "dim"}
FLAGS = {
    "zero_hit": "no hits",
    "subsumed": "adds nothing",
    "harmful": "harms",
    "single_point_of_failure": "sole finder",
    "not_testable": "not testable here",
    "off": "off",
}


COLUMNS = (
    "Term",
    "Alone",
    "In context",
    "Unique",
    "Core",
    "Core unique",
    "Precision of unique",
    "Read per core",
    "F-beta if left out",
    "",
)


def _short(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _tree_lines(parsed: ParsedQuery) -> list[str]:
    """The tree, one node to a line, indented."""
    lines: list[str] = []
    for node, depth in zip(parsed.nodes, depths(parsed), strict=True):
        kind = kind_of(node)
        text = kind if kind in ("AND", "OR", "NOT") else _short(query_text(parsed.text, node))
        lines.append("  " * depth + text)
    return lines


def depths(parsed: ParsedQuery) -> list[int]:
    """How deep each node of the tree stands."""
    out: list[int] = []
    stack = [(parsed.root, 0)] if parsed.root is not None else []
    while stack:
        node, depth = stack.pop()
        out.append(depth)
        stack.extend((part, depth + 1) for part in reversed(parts_of(node)))
    return out


def print_check(parsed: ParsedQuery, findings: Sequence[Finding]) -> None:
    """How it was understood, then what is wrong."""
    out = results()
    sure = f", {parsed.confidence:.0%} sure" if parsed.confidence < 1 else ""
    out.print(shown(f"{DIALECTS[parsed.dialect].label}{sure}: {parsed.kind}", "bold"))
    for line in _tree_lines(parsed):
        out.print(shown(f"  {line}"))
    if parsed.kind == "question":
        out.print(shown("  A question in plain words: it is ranked, not matched."))
    out.print()
    if not findings:
        out.print(shown("Nothing to mend."))
    for f in findings:
        where = f"{f.span.start}-{f.span.end}"
        out.print(shown(f"{f.severity}: {f.message} ({f.rule}, characters {where})", STYLES[f.severity]))
        if f.span.end > f.span.start:
            out.print(shown(f"    {_short(' '.join(f.span.of(parsed.text).split()), 100)}"))
        if f.fix:
            out.print(shown(f"    {f.fix.label}.", "dim"))


def print_explained(asked: Asked, explained: Sequence[Explained], known: Mapping[str, Publication]) -> None:
    """The missed core publications with their reasons and what rescues them."""
    out = results()
    missed = [e for e in explained if e.verdict != "found"]
    n_found = len(explained) - len(missed)
    out.print(shown(f"{n_found} of {len(explained)} core publications found, words {asked.semantics}"))
    for e in missed:
        title = known[e.publication_id].title if e.publication_id in known else ""
        out.print()
        out.print(shown(f"{e.publication_id}  {_short(title, 110)}", "bold"))
        out.print(shown(f"  {e.sentence}"))
        for rescue in e.rescues:
            change = NONE if rescue.f_beta_change is None else f"{rescue.f_beta_change:+.3f}"
            gained = f", {len(rescue.core_gained)} core" if rescue.core_gained else ""
            out.print(shown(f"    {rescue.label}: +{rescue.n_added:,} publications{gained}, F-beta {change}", "dim"))


def print_terms(asked: Asked, parsed: ParsedQuery, found: Sequence[Contribution]) -> None:
    """The tree with its numbers."""
    out = results()
    grid = table(f"Terms, words {asked.semantics}", *COLUMNS, right=range(1, 9))
    for c, depth in zip(found, depths(parsed), strict=True):
        node = parsed.nodes[c.number]
        kind = kind_of(node)
        text = kind if kind in ("AND", "OR", "NOT") else query_text(parsed.text, node)
        change = c.f_beta_change_if_removed
        row(
            grid,
            "  " * depth + _short(text, 44),
            *(NONE if "not_testable" in c.flags else f"{n:,}" for n in _counts(c)),
            number(c.semantic_precision_unique),
            NONE if c.read_per_core is None else f"{c.read_per_core:.1f}",
            NONE if change is None else f"{change:+.3f}",
            ", ".join(FLAGS[flag] for flag in c.flags),
        )
    out.print(grid)


def _counts(c: Contribution) -> tuple[int, ...]:
    return c.n_alone, c.n_in_context, c.n_unique, c.core, c.core_unique


def print_translation(parsed: ParsedQuery, target: DialectId, translation: Translation) -> None:
    """The text alone, then what was lost."""
    out = results()
    out.print(shown(translation.text), soft_wrap=True)
    out.print()
    if not translation.losses:
        out.print(shown(f"Exact: {DIALECTS[target].label} says the same."))
    for loss in translation.losses:
        text = _short(" ".join(parsed.text[loss.start : loss.end].split()))
        out.print(shown(f"{loss.status}: {loss.message} ({text})", "yellow"))


# `query apart`: the keywords of a search string in the lists that the query writer sorts them into.

DIALECT = click.Choice(get_args(DialectId))
NAMES: dict[ListName, str] = {
    "specific": "Specific, retrieve by themselves",
    "general": "General, only together with what is overarching",
    "overarching": "Overarching",
    "excluded": "Excluded",
}


@click.command("apart")
@click.argument("text", required=False)
@click.option(
    "--file", type=click.Path(path_type=Path), default=None, help="Read the text from a file; - is the input."
)
@click.option("--topic", default=None, help="The topic of --version.")
@click.option("--version", "label", default=None, help="The text of this version of the topic.")
@click.option("--dialect", type=DIALECT, default=None, help="[default: found out from the text]")
@options.data_dir
@options.as_json
def apart_command(
    text: str | None,
    file: Path | None,
    topic: str | None,
    label: str | None,
    dialect: DialectId | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Take a search string apart into specific, general, overarching and excluded keywords.

    With --json: specific, general, overarching, excluded (each a list of {text, phrase, fields}), joined (how several
    overarching ones are: AND or OR), left (what has no place in the lists: {text, why}), is_whole (whether the lists
    ask for the same as the string), text (the string that the lists make).
    """
    query = _query(text, file, topic, label, dialect, data_dir)
    if query.kind == "empty":
        raise InputError("there is nothing to take apart: type at least one word")
    warn([finding.message.rstrip(".") for finding in query.findings if finding.severity == "error"])
    apart = take_apart(query)
    if as_json:
        print_json(apart_document(apart))
    else:
        print_apart(apart)


def _query(
    text: str | None,
    file: Path | None,
    topic: str | None,
    label: str | None,
    dialect: DialectId | None,
    data_dir: Path | None,
) -> ParsedQuery:
    if (topic is None) != (label is None):
        raise InputError("a version is named by both --topic and --version")
    if topic is None or label is None:
        return read_query(text, file, dialect)
    if text is not None or file is not None:
        raise InputError("--version has a text of its own: leave out the text and --file")
    with Workspace.open(data_dir) as workspace:
        return version_query(workspace.store, topic, label, dialect)


def apart_document(apart: Apart) -> dict[str, Any]:
    """What `--json` prints."""
    sheet = sheet_document(apart.sheet)
    return {
        **{name: sheet[name] for name in IN_STRING},
        "joined": apart.sheet.joined,
        "left": [{"text": left.text, "why": left.why} for left in apart.left],
        "is_whole": apart.is_whole,
        "text": sheet_text(apart.sheet).text,
    }


def print_apart(apart: Apart) -> None:
    """The lists, then what has no place in them."""
    out = results()
    for name, title in NAMES.items():
        keywords = apart.sheet.of(name)
        if not keywords:
            continue
        how = f", joined by {apart.sheet.joined}" if name == "overarching" and len(keywords) > 1 else ""
        out.print(shown(f"{title}{how} ({len(keywords)})", "bold"))
        for keyword in keywords:
            out.print(shown(f"  {_told(keyword)}"))
    if apart.sheet.general and not apart.sheet.overarching:
        out.print(shown("The general keywords wait: nothing is overarching.", "yellow"))
    for left in apart.left:
        out.print(shown(f"Left: {left.text}", "yellow"))
        out.print(shown(f"    {left.why}"))
    whole = "The lists ask for the same as the string." if apart.is_whole else "The lists don't ask for all of it."
    out.print(shown(whole, "" if apart.is_whole else "yellow"))


def _told(keyword: Keyword) -> str:
    apart = "" if keyword.phrase or " " not in keyword.text else " (its words anywhere)"
    return f"{keyword.text}{apart}{' in ' + ', '.join(keyword.fields) if keyword.fields else ''}"


# What `query batch` says: to people as tables, to programs as one document.


def print_study(study: StringStudy, whats: Sequence[Column]) -> None:
    """Topics with their strings, the means, and what differs, in numbers and in words."""
    out = results()
    named = ", ".join(ORIGIN_LABELS[origin].lower() for origin in study.origins)
    if not study.rows:
        out.print(shown(f"No topic has core publications and lists of each origin: {named}."))
        for sentence in study.published_sentences(whats):
            out.print(shown(sentence))
        out.print()
        return
    region = study.regions[0]
    first = (Column("n_retrieved"), Column("recall"), *(Column(m, region) for m in ("semantic_precision", "f_beta")))
    heads = ["Retrieved", "Recall", "Precision", f"F{study.beta:g}"]
    title = f"{named.capitalize()}, region {REGION_LABELS[region]}"
    grid = table(title, "Topic", "Origin", "Version", *heads, "Held-out gain", right=(3, 4, 5, 6, 7))
    for of in study.rows:
        for origin in study.origins:
            scores = of.scores[origin]
            name = of.topic_id if origin == study.origins[0] else ""
            gain = _gain(of.gain) if origin == "generated" else ""
            row(grid, name, ORIGIN_LABELS[origin], scores.label, *(_cell(scores, what) for what in first), gain)
    _print_means(grid, study, first)
    out.print(grid)
    out.print()
    _print_pairs(study)
    for sentence in study.sentences(whats):
        out.print(shown(sentence))
    _print_reasons("Left out", study.left_out)
    _print_reasons("Read with care", study.beware)
    out.print()


def _print_reasons(head: str, reasons: Sequence[tuple[str, str]]) -> None:
    for why in dict.fromkeys(why for _, why in reasons):
        named = ", ".join(topic for topic, of in reasons if of == why)
        results().print(shown(f"{head}: {named}. Why: {why}."))


def _cell(scores: TopicScores, what: Column) -> Any:
    if what.metric == "n_retrieved":
        return f"{scores.n_retrieved:,}"
    return number(scores.value(what), "strike" if scores.degenerate(what) else "")


def _gain(gain: Gain | None) -> str:
    if gain is None or gain.value is None:
        return NONE
    return f"{gain.value:+.3f}" + (f" ({interval(gain.interval)})" if gain.interval else "")


def _print_means(grid: Any, study: StringStudy, whats: Sequence[Column]) -> None:
    for origin in study.origins:
        means = [mean_of(study.rows, study.origins, what) for what in whats]
        cells = [number(mean.values.get(origin)) for mean in means]
        if means[0].values:
            cells[0] = f"{means[0].values[origin]:,.0f}"  # type: ignore[call-overload]
        name = "Mean" if origin == study.origins[0] else ""
        gain = _gain(mean_gain(study.rows)[0]) if origin == "generated" else ""
        row(grid, name, ORIGIN_LABELS[origin], "", *cells, gain)


def _print_pairs(study: StringStudy) -> None:
    right = (2, 3, 4, 5, 6)
    heads = ("Number", "Difference", "Topics", "Higher", "Lower", "Mean", "Fits, 95 %", "")
    grid = table("Differences over topics", *heads, right=right)
    for p in study.pairs:
        if p.column.metric != "n_retrieved":
            region = f", {REGION_LABELS[p.column.region].lower()}" if p.column.region else ""
            name = metric_label(p.column.metric, study.beta) + region
            clear = "clear" if p.is_clear else "not clear" if p.n_topics else ""
            counts = (str(n) for n in (p.n_topics, p.wins, p.losses))
            row(grid, name, f"{p.b} minus {p.a}", *counts, number(p.mean), interval(p.interval), clear)
    results().print(grid)


def batch_document(
    embedder: str | None, made: Sequence[Made], missing: Sequence[Lacking], studies: Sequence[StringStudy]
) -> dict[str, Any]:
    """`query batch --json`.

    `embedder`. `made`: topic, version, writing and problem of each string that was written or run now. `missing`:
    topics without a generated string that was run, each with what it lacks (string, run, corpus, core). `experiments`,
    each with `origins`, `regions`, `topics` (n_core, `versions` by origin with version, n_retrieved, n_core_found,
    recall and `regions`, and `held_out_gain`), `means` (over the topics in which every origin has the number),
    `differences` (B minus A over topics: wins, losses, ties, n_left_out where a number is undefined or says
    nothing, mean_difference, interval or null below 6 topics, is_clear, sentence), `held_out_gain` over topics,
    `published` (the same differences as published, n_here and n_same of the topics that both have), `left_out` and
    `beware` (topic, reason).
    """
    return {
        "embedder": embedder,
        "made": [
            {"topic": m.topic_id, "version": m.label, "writing": m.writing_id, "problem": m.problem} for m in made
        ],
        "missing": [{"topic": each.topic_id, "lacks": each.lack} for each in missing],
        "experiments": [_study(study) for study in studies],
    }


def _study(study: StringStudy) -> dict[str, Any]:
    gain, n_topics = mean_gain(study.rows)
    return {
        "origins": list(study.origins),
        "regions": list(study.regions),
        "topics": [_topic(of, study.origins) for of in study.rows],
        "means": [_mean(study, what) for what in result_columns(study.regions)],
        "differences": [_difference(p, study.beta) for p in study.pairs],
        "held_out_gain": {**_gain_document(gain), "n_topics": n_topics},
        "published": [_published(p, study.beta) for p in study.published],
        "left_out": [{"topic": topic, "reason": why} for topic, why in study.left_out],
        "beware": [{"topic": topic, "reason": why} for topic, why in study.beware],
    }


def _topic(of: TopicStrings, origins: Sequence[Origin]) -> dict[str, Any]:
    return {
        "topic": of.topic_id,
        "n_core": of.scores[origins[0]].n_core,
        "versions": {origin: _version(of.scores[origin]) for origin in origins},
        "held_out_gain": None if of.gain is None else _gain_document(of.gain),
    }


def _version(scores: TopicScores) -> dict[str, Any]:
    return {
        "version": scores.label,
        "n_retrieved": scores.n_retrieved,
        "n_core_found": scores.n_found,
        "recall": scores.recall,
        "regions": {kind: asdict(numbers) for kind, numbers in scores.regions.items()},
    }


def _mean(study: StringStudy, what: Column) -> dict[str, Any]:
    mean = mean_of(study.rows, study.origins, what)
    return {"metric": what.metric, "region": what.region, "n_topics": mean.n_topics, "values": dict(mean.values)}


def _difference(p: Paired, beta: float) -> dict[str, Any]:
    return {
        "a": p.a,
        "b": p.b,
        "metric": p.column.metric,
        "region": p.column.region,
        "n_topics": p.n_topics,
        "wins": p.wins,
        "losses": p.losses,
        "ties": p.ties,
        "n_left_out": p.n_left_out,
        "mean_difference": p.mean,
        "interval": _ends(p.interval),
        "is_clear": p.is_clear,
        "sentence": sentence_of(p, beta=beta),
    }


def _published(p: PublishedPair, beta: float) -> dict[str, Any]:
    return {**_difference(p.paired, beta), "n_here": p.n_here, "n_same": p.n_same}


def _gain_document(gain: Gain) -> dict[str, Any]:
    return {"value": gain.value, "interval": _ends(gain.interval), "is_clear": gain.is_clear}


def _ends(pair: Interval | None) -> list[float] | None:
    return None if pair is None else [pair.low, pair.high]


# `query batch`: strings of several origins over many topics, and writing those that are missing.

ALL = "all"
ENDINGS = (".csv", ".md")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is compared, and how."""

    topics: tuple[str, ...]
    embedder: str | None
    settings: EvaluationSettings
    regions: tuple[RegionKind, ...]
    experiments: tuple[tuple[Origin, ...], ...]


@click.command("batch")
@click.option("--topics", "first", default=ALL, show_default=True, help="Names of topics: --topics A B ..., or all.")
@click.argument("others", nargs=-1)
@click.option("--origins", default=None, help="Two or more, with commas. [default: LitQEval's two experiments]")
@click.option("--write", "way", type=click.Choice(WAYS), default=None, help="Who writes the strings that are missing.")
@click.option("--anew", is_flag=True, help="With --write: also for topics that have a generated string.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    help="Also a file: .md all of it, .csv results.",
)
@options.embedder
@scoring.regions
@scoring.settings
@options.data_dir
@options.as_json
def batch_command(
    first: str,
    others: tuple[str, ...],
    origins: str | None,
    way: Way | None,
    anew: bool,
    out: Path | None,
    embedder: str | None,
    regions: str,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Compare baseline, generated and review strings over topics; --write makes those that are missing.

    Without a key: "statistics" counts keywords in the corpus, "demo" is a script and not a language model.
    --out FILE.csv makes a file of each experiment, named by its origins.
    """
    settings, kinds, experiments = scoring.read_settings(flags), scoring.read_regions(regions), _origins(origins)
    if anew and way is None:
        raise InputError("--anew says which strings are written: add --write statistics or --write demo")
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise FileError(f"{out} has no ending that says what to write: use {' or '.join(ENDINGS)}")
    with Workspace.open(data_dir) as workspace:
        topics = _topics(workspace, first, others)
        asked = _Asked(topics, _embedder(workspace, topics, embedder), settings, kinds, experiments)
        made = _write(workspace, asked, way, anew=anew) if way is not None else ()
        studies = _studies(workspace, asked)
        missing = lacking(workspace, topics)
    if out is not None:
        _save([study for study in studies if study.rows], out)
    if as_json:
        print_json(batch_document(asked.embedder, made, missing, studies))
    else:
        for study in studies:
            print_study(study, _whats(study))
        _say_missing(made, missing, way)


def _origins(text: str | None) -> tuple[tuple[Origin, ...], ...]:
    if text is None:
        return EXPERIMENTS
    known: dict[str, Origin] = {origin: origin for origin in get_args(Origin)}
    named = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if unknown := [name for name in named if name not in known]:
        raise InputError(f"no origin {', '.join(unknown)}; there are {', '.join(known)}")
    if len(named) < 2:
        raise InputError("--origins needs two or more, with commas: --origins baseline,generated")
    return (tuple(known[name] for name in named),)


def _topics(workspace: Workspace, first: str, others: Sequence[str]) -> tuple[str, ...]:
    if first == ALL and not others:
        found = tuple(topic.topic_id for topic in workspace.store.topics())
        if not found:
            check_topic(workspace.store, ALL)  # says that the workspace is empty, and what to do
        return found
    named = tuple(dict.fromkeys((first, *others)))
    for topic_id in named:
        check_topic(workspace.store, topic_id)
    return named


def _embedder(workspace: Workspace, topics: Sequence[str], named: str | None) -> str | None:
    """The one that was named, else the only one; None: there are no vectors, and only lists can be compared."""
    found = sorted({e for topic in workspace.topics() if topic.topic_id in topics for e in topic.embedders})
    if named is None and len(found) > 1:
        raise InputError(f"these topics have vectors of several embedders: add --embedder {' or '.join(found)}")
    if named is not None and named not in found:
        there = f"there is {', '.join(found)}" if found else 'make some with "embed"'
        raise InputError(f'no vectors of "{named}" cover any of these topics; {there}')
    return named or (found[0] if found else None)


def _write(workspace: Workspace, asked: _Asked, way: Way, *, anew: bool) -> tuple[Made, ...]:
    missing = lacking(workspace, asked.topics, anew=anew)
    if asked.embedder is None and any(each.lack == "string" for each in missing):
        raise InputError('a string is judged by vectors, and these topics have none: make some with "embed"')
    with waiting("Writing strings") as on_stage:
        return make_missing(workspace, missing, Making(way, asked.embedder), on_stage=on_stage)


def _studies(workspace: Workspace, asked: _Asked) -> tuple[StringStudy, ...]:
    found = []
    for origins in asked.experiments:
        wanted = want(workspace, asked.topics, origins, asked.embedder)
        with waiting("Evaluating topics") as on_stage:
            make_scores(workspace, wanted, asked.settings, asked.regions, on_stage=on_stage)
        known = known_scores(workspace, wanted, asked.settings, asked.regions)
        scores = {w: s for w, s in known.items() if s is not None}
        kept = [w for w in wanted if w in scores]
        found.append(whole(workspace, asked.topics, origins, kept, scores, asked.regions, beta=asked.settings.beta))
    return tuple(found)


def _whats(study: StringStudy) -> tuple[Column, ...]:
    """What is said in words: recall, and F-beta in the first region."""
    return (Column("recall"), Column("f_beta", study.regions[0]))


def _save(studies: Sequence[StringStudy], out: Path) -> None:
    if not studies:
        raise InputError("there is nothing to write to a file: no topic has a list of each origin")
    if out.suffix.lower() != ".csv":
        files = {out: "\n".join(markdown(report_of(study, _whats(study))) for study in studies)}
    elif len(studies) == 1:
        files = {out: csv_text(studies[0].tables[0])}
    else:  # one table in each file, as other columns in the same one could not be read back
        files = {out.with_stem("-".join((out.stem, *s.origins))): csv_text(s.tables[0]) for s in studies}
    for path, text in files.items():
        with written_aside(path) as file:
            file.write(text.encode())
        say(f"Written to {path}.")


def _say_missing(made: Sequence[Made], missing: Sequence[Lacking], way: Way | None) -> None:
    printed = results()
    for each in made:
        printed.print(shown(f"{each.topic_id}: version {each.label}." + (f" {each.problem}" if each.problem else "")))
    can_be = [each.topic_id for each in missing if each.can_be_made]
    if can_be and way is None:
        many = f"{len(can_be)} topics have" if len(can_be) > 1 else "1 topic has"
        way_out = "--write statistics writes it, or runs the one there is"
        printed.print(shown(f"{many} no generated string that was run: {way_out}."))


# `query`: check a search string, explain what it misses, weigh its terms, translate it.

text_argument = click.argument("text", required=False)
file_option = click.option(
    "--file", "file", type=click.Path(path_type=Path), default=None, help="Read the text from a file; - is the input."
)
dialect_option = click.option("--dialect", type=DIALECT, default=None, help="[default: found out from the text]")
version_option = click.option("--version", "label", default=None, help="The text of this version of the topic.")
semantics_option = click.option(
    "--semantics",
    type=click.Choice(get_args(Semantics)),
    default="literal",
    show_default=True,
    help="Words as written, or any word with the same stem.",
)


@click.group()
def query() -> None:
    """Check a search string, explain what it misses, weigh its terms, translate it."""


@query.command()
@text_argument
@file_option
@dialect_option
@click.option("--topic", default=None, help="Also what this topic's publications show: terms without a hit, and more.")
@semantics_option
@options.data_dir
@options.as_json
def check(
    text: str | None,
    file: Path | None,
    dialect: DialectId | None,
    topic: str | None,
    semantics: Semantics,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """How a search string is understood, and what is wrong with it."""
    parsed = read_query(text, file, dialect)
    findings = lint(parsed)
    if topic is not None:
        with Workspace.open(data_dir) as workspace:
            findings = (*findings, *_in_corpus(workspace, topic, parsed, semantics))
    if as_json:
        print_json(check_document(parsed, findings))
    else:
        print_check(parsed, findings)


def _in_corpus(workspace: Workspace, topic: str, parsed: ParsedQuery, semantics: Semantics) -> tuple[Finding, ...]:
    """What only a topic's publications show."""
    corpus = workspace.corpora.of(topic)
    if parsed.root is None:
        return ()
    core = of_rows(corpus.rows_of_ids(workspace.store.load_core(topic).ids), len(corpus.ids))
    return lint_in_corpus(parsed, match(parsed.root, corpus, semantics), corpus.texts, core)


def _on_a_topic(command: Callable[..., None]) -> Callable[..., None]:
    """What explain and terms have in common."""
    shared = (
        text_argument,
        options.topic,
        version_option,
        file_option,
        options.embedder,
        dialect_option,
        semantics_option,
        scoring.settings,
        options.data_dir,
        options.as_json,
    )
    for option in reversed(shared):
        command = option(command)
    return command


def _ask(workspace: Workspace, topic: str, given: dict[str, Any]) -> tuple[Desk, ParsedQuery, Asked]:
    """The query that was named, matched over the topic."""
    label, text, file = given.pop("label"), given.pop("text"), given.pop("file")
    dialect, semantics, embedder = given.pop("dialect"), given.pop("semantics"), given.pop("embedder")
    if label is not None:
        if text is not None or file is not None:
            raise InputError("--version has a text of its own: leave out the text and --file")
        parsed = version_query(workspace.store, topic, label, dialect)
    else:
        parsed = read_query(text, file, dialect)
    settings = scoring.read_settings(given)
    if parsed.kind == "question":
        raise InputError("this is a question in plain words, which is ranked: there are no terms to weigh")
    with waiting(f"Indexing {topic}"):
        desk = set_up(workspace, topic, embedder, settings)
    asked = ask(desk, parsed, semantics)
    if asked is None:
        reason = parsed.findings[0].message.rstrip(".") if parsed.findings else "it is empty"
        raise InputError(f"there is no query in this text ({reason}): type at least one word")
    return desk, parsed, asked


@query.command()
@_on_a_topic
def explain(topic: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Why each core publication is found or missed, and which edits rescue it."""
    with Workspace.open(data_dir) as workspace:
        desk, _, asked = _ask(workspace, topic, given)
        explained = explain_missed(asked, desk.core_ids, with_rescues=desk.core_ids)
    known = {p.publication_id: p for p in desk.core if p is not None}
    if as_json:
        print_json(explain_document(asked, explained, known))
    else:
        print_explained(asked, explained, known)


@query.command()
@_on_a_topic
def terms(topic: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """What each term brings and what it costs."""
    with Workspace.open(data_dir) as workspace:
        _, parsed, asked = _ask(workspace, topic, given)
        found = contributions(asked.matched, asked.stakes)
    if as_json:
        print_json({"nodes": [node_document(parsed, each) for each in found]})
    else:
        print_terms(asked, parsed, found)


@query.command()
@text_argument
@file_option
@click.option("--from", "source", type=DIALECT, default=None, help="[default: found out from the text]")
@click.option("--to", "target", type=DIALECT, required=True, help="The dialect to write.")
@click.option("--as-search-file", is_flag=True, help="The translation as a JSON document that other programs read.")
@options.data_dir
@options.as_json
def translate(
    text: str | None,
    file: Path | None,
    source: DialectId | None,
    target: DialectId,
    as_search_file: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """The same search in another dialect, and what is lost on the way."""
    parsed = read_query(text, file, source)
    translation = translate_query(parsed, target)
    if as_search_file:
        if not translation.text.strip():
            raise InputError("there is nothing to translate: type at least one word")
        for loss in translation.losses:
            say(f"Note: {loss.status}: {loss.message}")
        print_json(dict(document_of(parse(translation.text, target)).as_dict()))
    elif as_json:
        print_json(
            {
                "from": parsed.dialect,
                "to": target,
                "text": translation.text,
                "losses": [
                    {"start": x.start, "end": x.end, "status": x.status, "message": x.message}
                    for x in translation.losses
                ],
            }
        )
    else:
        print_translation(parsed, target, translation)


for command in (apart_command, write_command, writings_command, steps_command, batch_command):
    query.add_command(command)
