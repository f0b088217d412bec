"""`knowledge answers`: what answers a relational question, and the ways that lead there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.knowledge.spans import Entity
from core.knowledge.templates import Template, Way, compose, question_words, relation_words
from dashboard.commands import options
from dashboard.commands.knowledge_entity import brief, find_named
from dashboard.commands.output import print_json, results, row, shown, table, waiting, warn
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import template_of, templates_of
from data.workspace import Workspace

MOST_WITH_WAYS = 1_000
"""Answers for which ways are looked for."""
Filled = Mapping[str, Sequence[Entity]]


@click.command()
@click.argument("base")
@click.argument("template", required=False)
@click.option("--given", multiple=True, metavar="SLOT=ID_OR_TITLE", help="What fills a blank; several for one: any.")
@click.option("--ways", "with_ways", is_flag=True, help="Also how each answer is reached.")
@click.option("--k", "k", type=click.IntRange(1, 1_000_000), default=50, show_default=True, help="Answers listed.")
@options.data_dir
@options.as_json
def answers(
    base: str,
    template: str | None,
    given: tuple[str, ...],
    with_ways: bool,
    k: int,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Answers to a template with its blanks filled; without a template, the templates that there are.

    Several templates are put together with "+", such as mag-institution+mag-field.
    """
    with Workspace.open(data_dir) as workspace:
        opened = workspace.knowledge.open(base)
        templates = templates_of(opened, workspace.store)
        if template is None:
            _list(opened, templates, as_json)
            return
        with waiting("Looking for answers"):
            chosen = _chosen(templates, template)
            filled = _filled(opened, chosen, given)
            rows = {slot: [each.row for each in entities] for slot, entities in filled.items()}
            found = opened.answers(chosen, rows)
            first = opened.entities(found[:k])
            some = first[:MOST_WITH_WAYS] if with_ways else ()
            led = {each.row: opened.ways(chosen, rows, each.row) for each in some}
            names = _names(opened, led)
    if as_json:
        print_json(_answers_document(chosen, filled, len(found), first, led, names))
    else:
        _print_answers(chosen, filled, len(found), first, led, names)


def _chosen(templates: Sequence[Template], template_id: str) -> Template:
    known = {each.template_id for each in templates}
    if template_id in known or "+" not in template_id:
        return template_of(templates, template_id)
    return compose([template_of(templates, part) for part in template_id.split("+")], template_id=template_id)


def _filled(base: KnowledgeBase, template: Template, given: Sequence[str]) -> dict[str, list[Entity]]:
    filled: dict[str, list[Entity]] = {}
    for said in given:
        slot, sign, named = said.partition("=")
        if not sign or slot not in template.slots:
            blanks = ", ".join(f"--given {slot}=..." for slot in template.slots)
            raise InputError(f'"{said[:80]}" fills no blank of template "{template.template_id}": use {blanks}')
        filled.setdefault(slot, []).append(find_named(base, named, template.slots[slot])[0])
    if missing := [slot for slot in template.slots if slot not in filled]:
        raise InputError(
            f'template "{template.template_id}" also needs {", ".join(f"--given {s}=..." for s in missing)}'
        )
    return filled


def _names(base: KnowledgeBase, led: Mapping[int, Sequence[Way]]) -> dict[int, str]:
    rows = sorted({row for ways in led.values() for way in ways for row in way.rows})
    return {each.row: each.title or each.entity_id for each in base.entities(rows)}


def _words(template: Template, way: Way, names: Mapping[int, str]) -> str:
    parts = [names[way.rows[0]]]
    for step, relation, place in zip(template.legs[way.leg].steps, way.relations, way.rows[1:], strict=True):
        parts += [relation_words(relation, step.direction), names[place]]
    return " – ".join(parts)


def _question(template: Template, filled: Filled) -> str:
    return question_words(
        template, {slot: " or ".join(e.title or e.entity_id for e in es) for slot, es in filled.items()}
    )


def _answers_document(
    template: Template,
    filled: Filled,
    n: int,
    first: Sequence[Entity],
    led: Mapping[int, Sequence[Way]],
    names: Mapping[int, str],
) -> dict[str, Any]:
    return {
        "template": template.template_id,
        "question": _question(template, filled),
        "given": {slot: [each.entity_id for each in entities] for slot, entities in filled.items()},
        "n_answers": n,
        "answers": [
            {
                **brief(each),
                **({"ways": [_words(template, way, names) for way in led[each.row]]} if each.row in led else {}),
            }
            for each in first
        ],
        "notes": [template.note] if template.note else [],
    }


def _print_answers(
    template: Template,
    filled: Filled,
    n: int,
    first: Sequence[Entity],
    led: Mapping[int, Sequence[Way]],
    names: Mapping[int, str],
) -> None:
    out = results()
    grid = table(_question(template, filled), "Id", "Title")
    for each in first:
        row(grid, each.entity_id, each.title)
        for way in led.get(each.row, ()):
            row(grid, "", shown(f"  {_words(template, way, names)}", "dim"))
    out.print(grid if n else shown(f"{_question(template, filled)}\nNothing answers it."))
    out.print(shown(f"\n{n:,} answers{f', the first {len(first):,} listed' if n > len(first) else ''}"))
    warn([template.note.rstrip(".")] if template.note else [])


def _list(base: KnowledgeBase, templates: Sequence[Template], as_json: bool) -> None:
    if as_json:
        listed = [
            {
                "template": each.template_id,
                "question": each.question,
                "slots": each.slots,
                "answer_type": each.answer_type,
                "reference": each.reference,
            }
            for each in templates
        ]
        print_json({"knowledge_base": base.about.name, "templates": listed})
        return
    out = results()
    grid = table(f"Templates of {base.about.name}", "Template", "Question", "Blanks")
    for each in templates:
        row(grid, each.template_id, question_words(each, {}), ", ".join(each.slots))
    out.print(grid if templates else shown("No templates belong to this knowledge base, and you added none."))
