"""The templates of a knowledge base: the set that it belongs to, and those that users added."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import CorruptStoreError, InputError, NotFoundError
from core.knowledge.templates import Template, compose, lacking, read_template, template_form
from data.knowledge.base import KnowledgeBase
from data.store import Store

SETS = Path(__file__).with_name("template_sets")
OURS = "Queryscape"
"""The reference of templates that stand in a set but were not published with it."""
SAID = 20


def set_names() -> tuple[str, ...]:
    """Names of the sets."""
    return tuple(sorted(path.stem for path in SETS.glob("*.toml")))


@cache
def template_set(name: str) -> tuple[Template, ...]:
    """A set, in its order: what was published, then ours; empty for a name that is none."""
    return tuple(read_template({"reference": reference, **form}) for reference, form in _forms(name))


@cache
def published(name: str) -> tuple[Template, ...]:
    """Those of a set that were published as such, without ours."""
    return tuple(template for template in template_set(name) if template.reference != OURS)


@cache
def compositions(name: str) -> tuple[Template, ...]:
    """Templates of a set that are also offered together."""
    by_id = {template.template_id: template for template in template_set(name)}
    listed = _document(name).get("composed", [])
    return tuple(compose([by_id[template_id] for template_id in ids]) for ids in listed)


def _forms(name: str) -> list[tuple[str, dict[str, object]]]:
    document = _document(name)
    return [(document["reference"], form) for form in document.get("templates", [])]


def _document(name: str) -> dict[str, Any]:
    if name not in set_names():
        return {}
    return tomllib.loads((SETS / f"{name}.toml").read_text(encoding="utf-8"))


def templates_of(base: KnowledgeBase, store: Store | None = None) -> tuple[Template, ...]:
    """Its own set with compositions, then the users'; only those whose types and relations it has."""
    name = base.about.templates
    own = own_templates(store, base.about.name) if store is not None else ()
    every = (*template_set(name), *compositions(name), *own)
    return tuple(template for template in every if not lacking(template, base.types, base.relation_numbers))


def template_of(templates: Sequence[Template], template_id: str) -> Template:
    """One by its id."""
    for template in templates:
        if template.template_id == template_id:
            return template
    raise NotFoundError(f'there is no template "{template_id[:80]}" for this knowledge base')


# Users' own


def save_template(store: Store, base: KnowledgeBase, template: Template) -> Template:
    """Keep a user's template, if the knowledge base has what it needs and its id is free. As it was kept."""
    template = read_template(template_form(template))
    name = base.about.name
    steps = [step for leg in template.legs for step in leg.steps]
    unknown = [each for step in steps for each in step.relations if each not in base.relation_numbers]
    missing = (
        *(each for each in lacking(template, base.types, base.relation_numbers) if each.startswith("the type")),
        *(f'the relation "{each}"' for each in dict.fromkeys(unknown)),
    )
    if missing:
        raise InputError(
            f'knowledge base "{name}" lacks {_some(missing)}. Types: {_some(base.types)}. '
            f"Relations: {_some(base.relation_numbers)}"
        )
    given = (*template_set(base.about.templates), *compositions(base.about.templates))
    with store.transaction():
        taken = {each.template_id for each in (*given, *own_templates(store, name))}
        if template.template_id in taken:
            raise InputError(f'there is a template "{template.template_id}" already: give this one another id')
        store.execute(
            "INSERT INTO knowledge_templates VALUES (?, ?, ?)",
            [name, template.template_id, json.dumps(template_form(template))],
        )
    return template


def _some(names: Iterable[str]) -> str:
    """Names in a message: not more than one reads."""
    listed = list(names)
    return ", ".join(listed[:SAID]) + (f" and {len(listed) - SAID:,} more" if len(listed) > SAID else "")


def delete_template(store: Store, base_name: str, template_id: str) -> None:
    """Take a user's template away."""
    with store.transaction():
        if template_id not in {each.template_id for each in own_templates(store, base_name)}:
            raise NotFoundError(f'you added no template "{template_id[:80]}" to knowledge base "{base_name[:80]}"')
        store.execute("DELETE FROM knowledge_templates WHERE base = ? AND template_id = ?", [base_name, template_id])


def own_templates(store: Store, base_name: str) -> tuple[Template, ...]:
    """Those that users added to a knowledge base, by id."""
    found = store.rows(
        "SELECT document::VARCHAR FROM knowledge_templates WHERE base = ? ORDER BY template_id", [base_name]
    )
    try:
        return tuple(read_template(json.loads(document)) for (document,) in found)
    except (ValueError, InputError) as e:
        raise CorruptStoreError(f"{store.path} holds a template that can't be read ({e}): put a copy back") from e
