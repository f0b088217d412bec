"""Public collections into the workspace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.types import Ids
from data.download import OnProgress
from data.importers.litqeval import LitQEvalCollection, OnLoad, download_litqeval, load_litqeval
from data.store import content_hash
from data.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Intake:
    """What was loaded, and from where."""

    folder: Path
    collection: LitQEvalCollection
    missing_files: Ids


def bring_litqeval(
    workspace: Workspace, where: str, *, on_download: OnProgress | None = None, on_load: OnLoad | None = None
) -> Intake:
    """LitQEval from a folder, or downloaded first; then into the workspace, all topics or none."""
    folder = Path(where).expanduser()
    if "://" in where:
        # One folder per address: files that are whole are not asked for again.
        into = workspace.paths.downloads(f"litqeval-{content_hash([where])[:8]}")
        folder = download_litqeval(where, into, on_progress=on_download).folder
    collection = load_litqeval(folder, on_load)
    with workspace.store.transaction():
        workspace.store.save_publications(collection.publications)
        for topic in collection.topics:
            survey_id = topic.survey_ids[0] if topic.survey_ids else None
            workspace.save_topic(topic.topic_id, topic.core_ids, topic.versions, survey_id=survey_id)
    return Intake(folder, collection, collection.missing_files)
