"""Lookups of core publications kept, so that a page shows them again without asking the source."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

from core.errors import NoCoreError, NotFoundError
from core.query.tree import Span
from core.records.cleaning import Record
from core.sources.sending.saying import Form, Prepared
from core.sources.sending.splitting import Clause
from data.memory import key_for
from data.sources.fetching.runs import find_live_run
from data.sources.looking.core_lookup import Item, Lookup, wanted_core
from data.sources.types import Located, Wanted
from data.workspace import Workspace

LAYOUT = 2
"""Of what is remembered; rises when it would come out differently."""


def remembered_lookup(workspace: Workspace, topic_id: str, prepared: Prepared, run_id: str | None) -> Lookup | None:
    """A lookup that was made for this core set, this text and this run; None: there is none."""
    try:
        kept = workspace.store.recall(_key(workspace, topic_id, prepared, run_id))
    except NoCoreError:
        return None
    return None if kept is None else _from_document(json.loads(kept[0]))


def remember_lookup(workspace: Workspace, topic_id: str, prepared: Prepared, run_id: str | None, found: Lookup) -> None:
    """Keep it, so that a page shows it again without asking the source."""
    items = [
        {
            "wanted": asdict(item.wanted),
            "located": asdict(replace(item.located, record=None))
            | {"record": None if item.located.record is None else item.located.record.document()},
            "verdict": item.verdict,
            "failing": [asdict(replace(clause, node=None)) for clause in item.failing],
            "sentence": item.sentence,
            "is_our_reading": item.is_our_reading,
            "is_whole": item.is_whole,
        }
        for item in found.items
    ]
    document = found.as_document() | {"items": items}
    workspace.store.remember(
        _key(workspace, topic_id, prepared, run_id), "live lookup", json.dumps(document), arrays=None
    )


def _key(workspace: Workspace, topic_id: str, prepared: Prepared, run_id: str | None) -> str:
    """Names the core set with all that it is looked for by, the text as it is sent, and the run as far as it is."""
    return key_for(
        "live-lookup", LAYOUT, topic_id, wanted_core(workspace, topic_id), prepared, run_id, _label(workspace, run_id)
    )


def _label(workspace: Workspace, run_id: str | None) -> str | None:
    """A run that has become a version since brought more than it had then."""
    try:
        return None if run_id is None else find_live_run(workspace.store, run_id).label
    except NotFoundError:
        return None


def _from_document(document: dict[str, Any]) -> Lookup:
    items = []
    for fields in document["items"]:
        record = fields["located"].pop("record")
        located = Located(**fields["located"], record=None if record is None else Record.from_document(record))
        failing = tuple(
            Clause(Span(**c["span"]), c["text"], c["is_excluded"], tuple(Form(**form) for form in c["forms"]))
            for c in fields["failing"]
        )
        items.append(
            Item(
                Wanted(**fields["wanted"]),
                located,
                fields["verdict"],
                failing,
                fields["sentence"],
                fields["is_our_reading"],
                fields["is_whole"],
            )
        )
    return Lookup(tuple(items), document["n_calls"], document["is_cut"], document["problem"], document["at"])
