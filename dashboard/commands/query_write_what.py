"""What a string is wanted for, what it may cost and who is asked, from the flags of `query write`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import click

from core.errors import FormatError, InputError
from core.query.matching.matched import Semantics
from core.types import Publication
from core.writer.types import STATISTICS, Brief, Budget, Depth, Intent, Mode
from dashboard.commands.output import warn
from dashboard.commands.query_files import file_text
from data.importers.reading import read_file
from data.importers.source import FileReading
from data.judging.demo_judge import DEMO_MODEL, PRESETS
from data.sources.opening import ABOUT
from data.writer.keeping import MOST_RECIPES, Recipe, Wanted

MADE_UP = re.compile(r"\s*\(made up\)\s*$")
MODES, DEPTHS, INTENTS = get_args(Mode), get_args(Depth), get_args(Intent)
_USUAL = Budget()
LONGEST_NAME = 200

BRIEF_FLAGS = (
    click.option("--about", default=None, help="The topic in words. [default: the topic's name]"),
    click.option("--description", default=None, help="More about it, for who proposes keywords."),
    click.option(
        "--description-file",
        type=click.Path(path_type=Path),
        default=None,
        help="The description from a file; - is the input.",
    ),
    click.option("--question", "questions", multiple=True, help="A research question of the review; repeatable."),
    click.option("--without", "negative", multiple=True, metavar="KEYWORD", help="What is not wanted; repeatable."),
    click.option(
        "--mode",
        "modes",
        multiple=True,
        type=click.Choice(MODES),
        help="How far keywords may go from the topic; several make several candidates. [default: moderate]",
    ),
    click.option("--depth", type=click.Choice(DEPTHS), default="usual", show_default=True, help="How much is read."),
    click.option(
        "--intent",
        type=click.Choice(INTENTS),
        default=None,
        help="A whole field, or what answers a review's questions. [default: bibliometric; with --question: review]",
    ),
    click.option(
        "--semantics",
        type=click.Choice(get_args(Semantics)),
        default="literal",
        show_default=True,
        help="Words as written, or any word with the same stem.",
    ),
    click.option("--no-hold-out", is_flag=True, help="Use every core publication; nothing then shows over-fitting."),
    click.option("--seed", type=int, default=0, show_default=True, help="Of the choice which core is held out."),
)
WHO_FLAGS = (
    click.option(
        "--model",
        "models",
        multiple=True,
        metavar="M",
        help=f"Who proposes keywords, repeatable: {STATISTICS} (counted in the corpus; always there), {DEMO_MODEL} "
        "(not a language model), or a model's name at the service.",
    ),
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), default=None, help="The service. [default: own, at --base-url]"
    ),
    click.option("--base-url", default=None, help="Where the service is. [default: the preset's, or OPENAI_BASE_URL]"),
    click.option("--seeds", default="0", show_default=True, help="With commas: every model is asked once with each."),
    click.option(
        "--supporting",
        type=click.Path(path_type=Path, dir_okay=False),
        multiple=True,
        help="A file of publications that are read too; they are not brought into the topic. Repeatable.",
    ),
    click.option("--live", type=click.Choice(list(ABOUT)), default=None, help="One small search there is read too."),
)
BUDGET_FLAGS = (
    click.option(
        "--most-calls",
        type=int,
        default=_USUAL.most_calls,
        show_default=True,
        help="Questions to models. 0: none, keywords come from the corpus.",
    ),
    click.option("--most-publications", type=int, default=None, help="That a string may retrieve. [default: no limit]"),
    click.option(
        "--rounds", "most_rounds", type=int, default=0, show_default=True, help="Rounds in which the best is refined."
    ),
    click.option(
        "--min-recall",
        type=float,
        default=_USUAL.min_recall,
        show_default=True,
        help="Share of the core in use that a string has to find, if any string does.",
    ),
)
FLAGS = (*BRIEF_FLAGS, *WHO_FLAGS, *BUDGET_FLAGS)
NAMES = (
    *("about", "description", "description_file", "questions", "negative", "modes", "depth", "intent", "semantics"),
    *("no_hold_out", "seed", "models", "preset", "base_url", "seeds", "supporting", "live"),
    *("most_calls", "most_publications", "most_rounds", "min_recall", "embedder"),
)
"""What a writing keeps from its beginning, so that going on with it takes none of them."""


def read_wanted(topic: str, given: Mapping[str, Any]) -> Wanted:
    """What these flags ask for; whatever does not fit is said before anything is read or asked."""
    brief, budget = _brief(topic, given), _budget(given)
    recipes = _recipes(given)
    asks = any(recipe.model != STATISTICS for recipe in recipes)
    if asks and budget.most_calls == 0:
        raise InputError(
            f"--most-calls 0 asks no model: allow some, or leave out --model ({STATISTICS} counts in the corpus)"
        )
    return Wanted(
        topic,
        brief,
        budget,
        recipes=recipes,
        embedder=given["embedder"],
        live=given["live"],
        supporting=_supporting(given["supporting"]),
    )


def _brief(topic: str, given: Mapping[str, Any]) -> Brief:
    description, file = given["description"], given["description_file"]
    if description is not None and file is not None:
        raise InputError("give the description in the command or as a file, not both")
    questions = tuple(text.strip() for text in given["questions"] if text.strip())
    intent: Intent = given["intent"] or ("review" if questions else "bibliometric")
    about = given["about"]
    return Brief(
        MADE_UP.sub("", topic) if about is None else about,
        description=(description or "" if file is None else file_text(file)).strip(),
        questions=questions,
        negative=tuple(text.strip() for text in given["negative"] if text.strip()),
        mode=(given["modes"] or ("moderate",))[0],
        depth=given["depth"],
        intent=intent,
        semantics=given["semantics"],
        seed=_seed(given["seed"], "--seed"),
        hold_out=not given["no_hold_out"],
    )


def _budget(given: Mapping[str, Any]) -> Budget:
    return Budget(**{name: given[name] for name in ("most_calls", "most_publications", "most_rounds", "min_recall")})


def _recipes(given: Mapping[str, Any]) -> tuple[Recipe, ...]:
    """Every model with every mode and seed; the statistics are the same whatever the seed."""
    models = tuple(dict.fromkeys(name.strip() for name in given["models"])) or (STATISTICS,)
    if any(not name or len(name) > LONGEST_NAME for name in models):
        raise InputError(f"--model takes {STATISTICS}, {DEMO_MODEL}, or the name of a model at a service")
    modes: tuple[Mode, ...] = tuple(dict.fromkeys(given["modes"])) or ("moderate",)
    seeds = _seeds(given["seeds"])
    recipes = tuple(
        Recipe(model, mode, seed, preset=given["preset"], base_url=given["base_url"])
        if model not in (STATISTICS, DEMO_MODEL)
        else Recipe(model, mode, seed)
        for model in models
        for mode in modes
        for seed in (seeds[:1] if model == STATISTICS else seeds)
    )
    if len(recipes) > MOST_RECIPES:
        raise InputError(f"--model, --mode and --seeds make {len(recipes)} candidates together: {MOST_RECIPES} at most")
    return recipes


def _seeds(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise InputError("--seeds needs at least one number, such as 0 or 0,1")
    try:
        seeds = [int(part) for part in parts]
    except ValueError:
        raise InputError(f'--seeds takes whole numbers with commas, such as 0,1; got "{text[:40]}"') from None
    return tuple(dict.fromkeys(_seed(seed, "--seeds") for seed in seeds))


def _seed(seed: int, name: str) -> int:
    if not 0 <= seed < 2**31:
        raise InputError(f"{name} must be 0 or more and below {2**31:,}, got {seed}")
    return seed


def _supporting(files: tuple[Path, ...]) -> tuple[Publication, ...]:
    """Publications of files, each under the name of its file and its number there."""
    found: list[Publication] = []
    for file in files:
        reading = _read(file)
        if not reading.records:
            raise InputError(f"{reading.name} has no publication that could be read")
        if reading.rejected:
            warn([f"{reading.name}: {len(reading.rejected)} records can't be read and are left out"])
        found.extend(record.publication(f"{reading.name}#{record.number}") for record in reading.records)
    return tuple(found)


def _read(file: Path) -> FileReading:
    """What a file holds. Its format is found out: this command has no option for it."""
    try:
        return read_file(file)
    except FormatError as e:
        raise FormatError(str(e).split(", or choose a format with")[0]) from e
