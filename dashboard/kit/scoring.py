"""Evaluation settings, regions and topics as options of a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import click
from click.core import ParameterSource

from core.errors import InputError, SettingsError
from core.explore.regions import DEFAULT_REGIONS, REGIONS
from core.settings import Compat, CosineMode, EvaluationSettings
from core.text import many
from core.types import RegionKind
from dashboard.kit.defaults import read_options
from dashboard.kit.options import Command, together
from dashboard.kit.output import say
from data.config import read_toml
from data.explore.studies import study_topics
from data.explore.workspace import Workspace
from data.lookup import check_topic

regions = click.option(
    "--regions",
    default=",".join(DEFAULT_REGIONS),
    show_default=True,
    help=f"Regions, separated by commas: {', '.join(REGIONS)}.",
)
_DEFAULTS = EvaluationSettings()
_flags = together(
    click.option(
        "--cosine-mode",
        type=click.Choice(get_args(CosineMode)),
        help="Method that sets the similarity threshold. "
        "[default: fixed for text-embedding-3-small, else leave_one_out]",
    ),
    click.option(
        "--min-similarity",
        type=float,
        help=f"Similarity threshold; implies --cosine-mode fixed. [default: {_DEFAULTS.min_similarity:g}]",
    ),
    click.option(
        "--quantile",
        type=float,
        help="Share of the core that may fall outside; implies --cosine-mode quantile. "
        f"[default: {_DEFAULTS.quantile:g}]",
    ),
    click.option(
        "--min-core-share",
        type=float,
        help=f"Minimum share of the found core in a cluster (exclusive). [default: {_DEFAULTS.min_core_share:g}]",
    ),
    click.option("--max-k", type=int, help=f"Maximum number of clusters to try. [default: {_DEFAULTS.max_k}]"),
    click.option(
        "--decay-limit",
        type=float,
        help=f"Number of relevant publications at which the decay is 0. [default: {_DEFAULTS.decay_limit:.0f}]",
    ),
    click.option(
        "--decay-onset",
        type=float,
        help=f"Start of the decay; a larger value starts it later. [default: {_DEFAULTS.decay_onset:g}]",
    ),
    click.option(
        "--decay-steepness",
        type=float,
        help=f"Speed of the decay after its onset. [default: {_DEFAULTS.decay_steepness:g}]",
    ),
    click.option(
        "--beta", type=float, help=f"Weight of recall against precision in F-beta. [default: {_DEFAULTS.beta:g}]"
    ),
    click.option("--seed", type=int, help=f"Random seed. [default: {_DEFAULTS.seed}]"),
    click.option(
        "--compat",
        type=click.Choice(get_args(Compat)),
        help="Follow the published code, to reproduce its numbers. [default: off]",
    ),
)


MODES = {"min_similarity": "fixed", "quantile": "quantile"}
"""Thresholds and the mode that they imply."""


def settings_in(path: Path) -> dict[str, Any]:
    """Read the evaluation settings that a TOML file sets."""
    options = {option.name: option for option in click.command()(_flags(lambda **_: None)).params}
    known = {name: option for name, option in options.items() if name and isinstance(option, click.Option)}
    values = read_options(known, read_toml(path), str(path))
    try:
        _resolved(values)
    except SettingsError as e:
        raise SettingsError(f"{path}: {e}") from e
    return values


def overlaid(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    """Return both; `upper` wins, also where its mode makes a threshold or a mode of `lower` pointless.

    >>> overlaid({"min_similarity": 0.5, "beta": 1.0}, {"quantile": 0.2})
    {'beta': 1.0, 'quantile': 0.2}
    """
    implied = next((mode for name, mode in MODES.items() if name in upper), None)
    mode = upper.get("cosine_mode") or implied
    dropped = {name for name, its in MODES.items() if mode and its != mode} | ({"cosine_mode"} if mode else set())
    return {name: value for name, value in lower.items() if name not in dropped} | dict(upper)


def _use_file(context: click.Context, _parameter: click.Parameter, path: Path | None) -> None:
    """Make the values of the file the defaults of the flags. This option is read before them."""
    if path is not None:
        context.default_map = overlaid(context.default_map or {}, settings_in(path))


settings = together(
    click.option(
        "--settings",
        type=click.Path(path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=_use_file,
        help="TOML file with the settings below, such as beta = 1. A flag wins over it.",
    ),
    _flags,
)
"""Every evaluation setting as a flag, or all in a file."""


def read_settings(flags: dict[str, Any]) -> EvaluationSettings:
    """Read settings from flags; a threshold implies its mode. A flag wins over a file, also with its mode."""
    given = {name: value for name, value in flags.items() if value is not None}
    if context := click.get_current_context(silent=True):
        source = context.get_parameter_source
        filed = {name: value for name, value in given.items() if source(name) is ParameterSource.DEFAULT_MAP}
        given = overlaid(filed, {name: value for name, value in given.items() if name not in filed})
    return _resolved(given)


def _resolved(values: Mapping[str, Any]) -> EvaluationSettings:
    given = dict(values)
    for name, mode in MODES.items():
        if name in given and given.setdefault("cosine_mode", mode) != mode:
            flag = name.replace("_", "-")
            raise SettingsError(f"--{flag} needs --cosine-mode {mode}, not {given['cosine_mode']}")
    return EvaluationSettings(**given)


def read_regions(text: str) -> tuple[RegionKind, ...]:
    """Read region kinds from a list with commas, each once."""
    kinds = dict.fromkeys(part.strip() for part in text.split(",") if part.strip())
    known: dict[str, RegionKind] = {kind: kind for kind in REGIONS}
    if unknown := [kind for kind in kinds if kind not in known]:
        raise SettingsError(f"unknown region {', '.join(unknown)}: choose from {', '.join(known)}")
    if not kinds:
        raise SettingsError(f"--regions needs at least one of {', '.join(known)}")
    return tuple(known[kind] for kind in kinds)


ALL = "all"


def topics(command: Command) -> Command:
    """Add an option for several topics, or all of them: `--topics A B ...`."""
    command = click.argument("others", nargs=-1)(command)
    return click.option(
        "--topics",
        "first",
        default=ALL,
        show_default=True,
        help="Topics: --topics A B ..., or all but demo topics.",
    )(command)


def read_topics(workspace: Workspace, first: str, others: Sequence[str]) -> tuple[str, ...]:
    """Return the topics listed, or all but demo data; if there is nothing else, demo data."""
    if first == ALL and not others:
        found = study_topics(workspace.store)
        rows = workspace.store.topics()
        if len(found) < len(rows):
            say(f"{many(len(rows) - len(found), 'demo topic')} left out: list them with --topics to include them.")
        elif rows and all(row.made_up for row in rows):
            say("This workspace has only demo topics.")
        if not found:
            check_topic(workspace.store, ALL)  # reports that the workspace is empty, and what to do
        return found
    named = tuple(dict.fromkeys((first, *others)))
    for topic_id in named:
        check_topic(workspace.store, topic_id)
    return named


def read_embedder(workspace: Workspace, topics: Sequence[str], named: str | None) -> str | None:
    """Return the embedder chosen, else the only one; None: there are no vectors, and only lists can be compared."""
    found = sorted({e for topic in workspace.topics() if topic.topic_id in topics for e in topic.embedders})
    if named is None and len(found) > 1:
        raise InputError(f"these topics have vectors of several embedders: add --embedder {' or '.join(found)}")
    if named is not None and named not in found:
        there = f"available: {', '.join(found)}" if found else 'create them with "embed"'
        raise InputError(f'no vectors of "{named}" cover any of these topics; {there}')
    return named or (found[0] if found else None)
