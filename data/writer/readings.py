"""What is read before keywords are proposed: from each place by itself, so that none drowns another."""

from __future__ import annotations

from collections.abc import Sequence

from core.types import Publication
from core.writer.types import Brief, Reading
from data.workspace import Workspace
from data.writer.desk import WriterDesk


def readings(
    workspace: Workspace,
    desk: WriterDesk,
    brief: Brief,
    *,
    live: str | None = None,
    supporting: Sequence[Publication] = (),
) -> tuple[Reading, ...]:
    """All that there is to read, as deep as the brief wants it. `live`: a source that may be searched."""
    raise NotImplementedError
