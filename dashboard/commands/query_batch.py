"""`query batch`: strings of several origins over many topics, and writing those that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import click

from core.audit.whole import csv_text
from core.errors import FileError, InputError
from core.settings import EvaluationSettings
from core.studies.core_sets import Column
from core.studies.strings import EXPERIMENTS
from core.types import Origin, RegionKind
from dashboard.commands import options
from dashboard.commands.output import print_json, results, say, shown, waiting
from dashboard.commands.query_batch_tables import batch_document, print_study
from data.audit.writing.markdown import markdown
from data.files import written_aside
from data.lookup import check_topic
from data.studies.scores import known_scores, make_scores, want
from data.studies.strings import WAYS, Lacking, Made, Making, StringStudy, Way, lacking, make_missing, report_of, whole
from data.workspace import Workspace

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
@options.regions
@options.settings
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
    settings, kinds, experiments = options.read_settings(flags), options.read_regions(regions), _origins(origins)
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
