"""Files that wait to come in: what was said about each, and reading them in the background, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.protocols import OnStage
from dashboard import cache, state
from dashboard.import_desk import ImportDesk
from dashboard.jobs import Job
from data.importers.source import Asked
from data.library.bringing import Choices, Looked, Upload, look_at
from data.library.tables import Role
from data.store import content_hash

PASTED = "Pasted list"


@dataclass(frozen=True, eq=False)
class Waiting:
    """A file as the browser sent it, or a pasted list."""

    file_id: str
    """Another upload has another one."""
    name: str
    load: Callable[[], bytes]

    @property
    def choices(self) -> Choices:
        """What the visitor said about it so far."""
        return Choices(
            format_id=state.said(f"format-{self.file_id}"),
            asked=Asked(state.read_columns(self.file_id)),
            query_id=state.said(f"query-{self.file_id}"),
            included_as_core=bool(state.said(f"included-{self.file_id}", False)),
        )

    def hold(self) -> None:
        """While it is read again, its choices are not drawn."""
        for name in ("format", "query", "included"):
            state.hold(f"{name}-{self.file_id}")

    def key(self, role: Role) -> str:
        """Names the file and everything that its reading depends on."""
        choices = self.choices
        columns = [f"{name}={column}" for name, column in sorted((choices.asked.columns or {}).items())]
        return content_hash([self.file_id, choices.format_id or "", str(role.kind == "core"), *columns])


def desk() -> ImportDesk:
    """What this visitor has read."""
    return cache.import_desk(state.visitor())


def reading_job(waiting: Sequence[Waiting], role: Role) -> Job | None:
    """Reads what was not read yet; None: all of it was."""
    here = desk()
    for file in waiting:
        file.hold()
    keys = {file.key(role): file for file in waiting}
    here.keep_only(set(keys))
    left = {key: (file, file.choices) for key, file in keys.items() if here.find(key) is None}
    if not left:
        return None

    def work(on_stage: OnStage) -> None:
        for key, (file, choices) in left.items():
            here.keep(key, look_at(Upload(file.name, file.load()), role, choices, on_stage))

    name = f"read:{state.visitor()}:{content_hash(sorted(left))}"
    jobs = cache.jobs()
    found = jobs.find(name)
    if found is not None and found.finished:  # read before, and forgotten since
        jobs.forget(name)
    return jobs.start(name, "Reading the files", work, lane="long")


def looked_at(waiting: Sequence[Waiting], role: Role) -> dict[str, Looked]:
    """What was read, by the id of its file."""
    here = desk()
    found = {file.file_id: here.find(file.key(role)) for file in waiting}
    return {file_id: looked for file_id, looked in found.items() if looked is not None}
