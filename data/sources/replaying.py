"""A run's own text read again over what it brought, and what a narrower text keeps of it, without asking the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.query.matching.matched import Semantics
from core.query.reading.parse import parse
from core.query.tree import DialectId
from core.sources.narrowing import Standing, standing
from core.sources.types import Choices, SourceId
from core.types import Ids
from data.workspace import Workspace

if TYPE_CHECKING:
    from data.sources.runs import LiveRun


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a run can be narrowed without asking again, and what a changed text keeps of it."""

    n: int
    """Publications that the run brought and of which the workspace knows the text."""
    n_agree: int
    """Those that the run's own text finds here too. The others came for reasons that are not in title, abstract and
    keywords: subject headings, other word forms, full text."""
    semantics: Semantics
    """How words were matched."""
    standing: Standing | None = None
    """How the changed text stands to the one that was run; None: nothing was changed."""
    kept: Ids = ()
    """What the changed text keeps of the run."""
    dropped: Ids = ()
    unknown: Ids = ()
    """What can't be decided from title, abstract and keywords."""

    @property
    def n_unknown(self) -> int:
        """How many can't be decided."""
        return len(self.unknown)

    @property
    def is_exact(self) -> bool:
        """Whether `kept` is all that the changed text would find."""
        return self.standing is not None and not self.standing.needs_run and not self.unknown

    @property
    def sentence(self) -> str:
        """In words."""
        return f"{self.n_agree:,} of {self.n:,} publications are found by the same text here."

    def as_document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"n_unknown": self.n_unknown, "is_exact": self.is_exact, "sentence": self.sentence}


def semantics_of(source: SourceId, choices: Choices) -> Semantics:
    """How a source matches words: OpenAlex and Semantic Scholar by their stems."""
    return "stemmed" if source == "semanticscholar" or (source == "openalex" and choices.stem) else "literal"


def replay(
    workspace: Workspace,
    topic_id: str,
    ids: Sequence[str],
    text: str,
    changed: str | None = None,
    *,
    source: SourceId,
    dialect: DialectId | None = None,
    choices: Choices = Choices(),
) -> Replay:
    """The text of a run over the publications that it brought, and a changed one, if there is one.

    InputError: one of the texts has nothing to look for.
    """
    before = parse(text, dialect)
    if before.root is None:
        raise InputError("the text of this run has nothing to look for: it can't be read again")
    how = semantics_of(source, choices)
    if changed is None:
        return Replay(len(ids), 0, how)
    after = parse(changed, before.dialect)
    if after.root is None:
        raise InputError("nothing is left to look for: leave at least one term")
    return Replay(len(ids), 0, how, standing(before.root, after.root), unknown=tuple(ids))


def replay_run(workspace: Workspace, run: LiveRun, changed: str | None = None) -> Replay:
    """The same for a finished run. InputError: it has no publications yet."""
    if run.label is None:
        raise InputError("this run is not finished: only what has come can be read again")
    rows = {row.version.label: row.version.query_id for row in workspace.store.versions(run.topic_id, deleted=True)}
    ids = workspace.store.load_retrieved_ids(rows[run.label]) if run.label in rows else ()
    return replay(
        workspace,
        run.topic_id,
        ids,
        run.text,
        changed,
        source=run.source,
        dialect=run.prepared.dialect,
        choices=run.prepared.choices,
    )
