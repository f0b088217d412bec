"""`knowledge synthesize`: new queries over a knowledge base, written and checked by language models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from core.errors import InputError, ServiceError
from core.knowledge.synthesis.reading import ROLES, RULES, Made, Rule, SynthesisSettings, fitting_roles
from dashboard.commands import options
from dashboard.commands.knowledge_synthesize_tables import done_document, print_done, show_plan
from dashboard.commands.output import print_json, waiting
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.demo_writer import MODEL
from data.knowledge.synthesis.keeping import (
    InMemory,
    InStore,
    begin,
    collection_of,
    is_begun,
    save_made,
    synthesis_id_of,
    write_stark,
)
from data.knowledge.synthesis.sampling import dry_run, open_models, read_prices, settled, synthesise
from data.knowledge.templates import templates_of
from data.workspace import Workspace

MODELS = "A model at OPENAI_BASE_URL, or demo, which is not a language model."

_FLAGS = (
    click.option("--n", "n", type=int, default=100, show_default=True, help="How many queries are begun."),
    click.option("--name", default=None, help="What it is called. [default: the knowledge base's name]"),
    click.option(
        "--role",
        "roles",
        multiple=True,
        type=click.Choice(list(ROLES)),
        help="Who asks; several take turns. [default: who fits the knowledge base]",
    ),
    click.option("--templates", default="", help="Which, with commas; a weight as ID=2. [default: all, evenly]"),
    click.option("--extract", default=MODEL, show_default=True, help=f"Reads properties. {MODELS}"),
    click.option("--fuse", default=MODEL, show_default=True, help="Words the query."),
    click.option("--rewrite", default="", help="Words it anew. [default: nobody]"),
    click.option("--filter", "filters", multiple=True, help="Checks answers; several may. [default: demo]"),
    click.option(
        "--rule", type=click.Choice(RULES), default="all", show_default=True, help="How many filters must accept."
    ),
    click.option("--properties", "n_properties", type=int, default=1, show_default=True, help="At most, of an answer."),
    click.option("--most-answers", type=int, default=20, show_default=True, help="Of a relational requirement."),
    click.option("--most-checked", type=int, default=50, show_default=True, help="Further answers that are checked."),
    click.option("--seed", type=int, default=0, show_default=True, help="Every random choice comes from here."),
    click.option("--base-url", default=None, help="Where the models are. [default: OPENAI_BASE_URL]"),
    click.option("--dry-run", "only_plan", is_flag=True, help="Count questions, tokens and dollars; send nothing."),
    click.option(
        "--price", "prices", multiple=True, metavar="MODEL=IN,OUT", help="Dollars for a million tokens; repeatable."
    ),
    click.option("--save-as", default=None, metavar="COLLECTION", help="Save the queries as a collection."),
    click.option("--replace", is_flag=True, help="In the place of a collection of that name."),
    click.option(
        "--export",
        "folder",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        help="Write them to a folder in STaRK's layout.",
    ),
    click.option("--with-refused", is_flag=True, help="Hand over queries whose gold answer was refused, too."),
)


def _flags(command: Any) -> Any:
    for option in reversed(_FLAGS):
        command = option(command)
    return command


@click.command()
@click.argument("base_name", metavar="BASE")
@_flags
@options.data_dir
@options.as_json
def synthesize(base_name: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Write new queries over a knowledge base: sample a relation, read properties, fuse both, check the answers.

    Everything that is asked and answered is kept. The same command again goes on where it ended.
    """
    prices = read_prices(given.pop("prices"))
    only_plan, base_url, name = given.pop("only_plan"), given.pop("base_url"), given.pop("name")
    handing = {key: given.pop(key) for key in ("save_as", "replace", "folder", "with_refused")}
    with Workspace.open(data_dir) as workspace, waiting(f"Queries over {base_name}") as on_stage:
        base = workspace.knowledge.open(base_name)
        templates = templates_of(base, workspace.store)
        settings = settled(_settings(base, given), templates)
        if only_plan:
            begun = is_begun(workspace.store, synthesis_id_of(base, settings))
            keeper = InStore(workspace.store, synthesis_id_of(base, settings)) if begun else InMemory()
            plan = dry_run(base, templates, settings, prices, keeper=keeper, on_stage=on_stage)
        else:
            models = open_models(settings, base_url)
            kept = begin(workspace.store, base, name or base_name, settings)
            done = synthesise(base, templates, settings, models, kept, on_stage=on_stage)
            if done.failures and not done.n_asked:
                raise ServiceError(f"nothing was answered: {done.notes[-1]}")
            handed = _hand_over(workspace, base, done.made, settings, **handing)
    if only_plan:
        show_plan(plan, as_json)
    elif as_json:
        print_json(done_document(base_name, kept.synthesis_id, settings, done, handed))
    else:
        print_done(settings, done, handed)


def _settings(base: KnowledgeBase, given: dict[str, Any]) -> SynthesisSettings:
    rule: Rule = given.pop("rule")
    roles = given.pop("roles") or (fitting_roles(base.about.templates)[0].role_id,)
    filters = given.pop("filters") or (MODEL,)
    return SynthesisSettings(
        templates=_weights(given.pop("templates")), roles=tuple(roles), filters=tuple(filters), rule=rule, **given
    )


def _weights(text: str) -> tuple[tuple[str, float], ...]:
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, weight = part.rpartition("=")
        try:
            found.append((name.strip(), float(weight)) if equals else (part, 1.0))
        except ValueError:
            raise InputError(f'"{part[:80]}" is no template with a weight: write ID or ID=2') from None
    return tuple(found)


def _hand_over(
    workspace: Workspace,
    base: KnowledgeBase,
    made: Sequence[Made],
    settings: SynthesisSettings,
    *,
    save_as: str | None,
    replace: bool,
    folder: Path | None,
    with_refused: bool,
) -> dict[str, Any]:
    """Saved and written as far as that is wished."""
    handed: dict[str, Any] = {"collection": None, "files": []}
    if save_as is not None:
        kept = save_made(workspace.store, base, made, settings, save_as, with_refused=with_refused, replace=replace)
        handed["collection"] = kept.name
    if folder is not None:
        name = save_as or base.about.name
        collection = collection_of(base, made, settings, name, with_refused=with_refused, with_documents=False)
        handed["files"] = [str(path) for path in write_stark(collection, folder)]
    return handed
