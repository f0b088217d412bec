"""A run's own text read again over what it brought, and what a narrower text keeps of it, without asking the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.errors import InputError
from core.query.matching.matched import Bits, Semantics, mask_of, match
from core.query.reading.parser import parse
from core.query.tree import DialectId, Leaf, Node
from core.sources.changing.deciding import Deciding, Standing, as_read, kept_of, looks_further, semantics_of, standing
from core.sources.sending.saying import Choices, SourceId
from core.types import Ids
from data.index import CorpusIndex
from data.sources.fetching.runs import LiveRun
from data.workspace import Workspace

_USUAL = Choices()


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a run can be narrowed without asking again, and what a changed text keeps of it."""

    n: int
    """Publications that the run brought."""
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
    """What it leaves out."""
    unknown: Ids = ()
    """What can't be decided from title, abstract, keywords and year."""
    is_capped: bool = False
    """The run stopped at its cap: more of what the changed text finds may lie beyond it."""

    @property
    def n_unknown(self) -> int:
        """How many can't be decided."""
        return len(self.unknown)

    @property
    def is_exact(self) -> bool:
        """Whether `kept` is all that the changed text would find."""
        decided = self.standing is not None and not self.standing.needs_run and not self.unknown
        return decided and not self.is_capped

    @property
    def sentence(self) -> str:
        """In words."""
        share = f"{self.n_agree / self.n:.0%}".replace("%", " %") if self.n else "–"
        again = (
            f"The same text finds {self.n_agree:,} of the run's {self.n:,} publications here too ({share}). The others "
            "came for reasons that are not in title, abstract and keywords."
            if self.n_agree < self.n
            else f"The same text finds all of the run's {self.n:,} publications here too."
        )
        if self.standing is None:
            return again
        found = f"It keeps {len(self.kept):,} and drops {len(self.dropped):,}"
        if self.unknown:
            found += f"; {self.n_unknown:,} can't be decided without asking the source"
        more = " What it finds beyond the run needs a run." if self.standing.needs_run else ""
        if self.is_capped:
            more += " The run stopped at its cap, so the source may find more of it."
        return f"{found}.{more} {again}"

    def as_document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"n_unknown": self.n_unknown, "is_exact": self.is_exact, "sentence": self.sentence}


def replay(
    workspace: Workspace,
    topic_id: str,
    ids: Sequence[str],
    text: str,
    changed: str | None = None,
    *,
    source: SourceId,
    dialect: DialectId | None = None,
    changed_dialect: DialectId | None = None,
    choices: Choices = _USUAL,
) -> Replay:
    """The text of a run over the publications that it brought, and a changed one, if there is one.

    `changed_dialect`: that of the changed text; None: the same. The first time a topic is indexed, which takes seconds.
    InputError: one of the texts has nothing to look for.
    """
    parsed = parse(text, dialect)
    if parsed.root is None:
        raise InputError("the text of this run has nothing to look for, so it can't be read again")
    after = parse(changed, changed_dialect or parsed.dialect).root if changed is not None else None
    if changed is not None and after is None:
        raise InputError("nothing is left to look for: leave at least one term")
    return replay_trees(
        workspace.corpora.of(topic_id),
        ids,
        parsed.root,
        after,
        source=source,
        choices=choices,
        is_native=parsed.dialect == source,
    )


def replay_trees(
    corpus: CorpusIndex,
    ids: Sequence[str],
    before: Node,
    after: Node | None,
    *,
    source: SourceId,
    choices: Choices = _USUAL,
    is_native: bool = False,
) -> Replay:
    """The same for texts that were read, such as a tree with terms switched off, over a corpus that holds the run's
    publications. `is_native`: the text was typed in the source's own language."""
    how = semantics_of(source, choices)
    first = as_read(before, source, choices)
    rows = _rows(corpus, ids)

    def chosen(found: Bits) -> Ids:
        mask = mask_of(found, len(corpus.ids))
        return tuple(i for i, row in rows.items() if mask[row])

    again = match(first, corpus, how).root
    n_agree = 0 if again is None else len(chosen(again))
    if after is None:
        return Replay(len(ids), n_agree, how)
    second = as_read(after, source, choices)

    def further(leaf: Leaf) -> bool:
        return looks_further(leaf, source, choices, is_native=is_native)

    deciding = Deciding(corpus, how, further)
    found = standing(first, second, may_stem=how == "stemmed")
    kept, dropped, unknown = map(chosen, kept_of(deciding, first, second))
    unread = tuple(i for i in ids if i not in rows)
    return Replay(len(ids), n_agree, how, found, kept, dropped, unknown + unread)


def _rows(corpus: CorpusIndex, ids: Sequence[str]) -> dict[str, int]:
    """Where each publication stands; those that are not there are left out."""
    there = set(corpus.ids)
    known = [i for i in ids if i in there]
    return dict(zip(known, corpus.rows_of_ids(known).tolist(), strict=True))


def replay_run(
    workspace: Workspace, run: LiveRun, changed: str | None = None, *, dialect: DialectId | None = None
) -> Replay:
    """The same for a finished run. `dialect`: of the changed text. InputError: it has no publications yet."""
    if run.label is None:
        raise InputError("this run is not finished: only what has come can be read again")
    rows = {row.version.label: row.version.query_id for row in workspace.store.versions(run.topic_id, deleted=True)}
    ids = workspace.store.load_retrieved_ids(rows[run.label]) if run.label in rows else ()
    found = replay(
        workspace,
        run.topic_id,
        ids,
        run.text,
        changed,
        source=run.source,
        dialect=run.prepared.dialect,
        changed_dialect=dialect,
        choices=run.prepared.choices,
    )
    return replace(found, is_capped=run.is_capped)
