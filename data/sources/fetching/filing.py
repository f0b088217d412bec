"""From the pages of a run to a query version: its records come into the library, all or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from core.errors import NotFoundError
from core.protocols import OnStage, silent
from core.types import unique_ids
from data.clock import Clock, utc_now
from data.library.batches import Brought, Origin, bring_batches
from data.library.tables import Report, Role, load_sources
from data.sources.fetching.journal import Journal
from data.sources.fetching.runs import LivePage, LiveRun, document_of, find_live_run, live_pages
from data.sources.types import About
from data.store import Store
from data.workspace import Workspace

AT_ONCE = 2_000
"""Records in memory."""
MOST_REASONS = 1_000
"""Records put aside of which the library keeps why; the run's folder has all of them."""


def freeze(
    workspace: Workspace,
    journal: Journal,
    about: About,
    *,
    on_stage: OnStage = silent,
    clock: Clock = utc_now,
) -> LiveRun:
    """The run's records as a version of its topic. A kill leaves all of it or nothing, and it can be done again."""
    store, run = workspace.store, journal.run
    _check_topic(store, run)
    pages = live_pages(store, run.run_id)
    now = clock()
    notes = unique_ids([*run.notes, *about_totals(run, pages, about.label)])
    run = replace(run, notes=notes)

    def role() -> Role:
        """Within the transaction: until it begins, another thread may take the name, or the topic away."""
        _check_topic(store, run)
        return Role("version", free_label(store, run.topic_id, run.label_wanted or f"{about.label} {now[:10]}"))

    def settle(brought: Brought) -> None:
        label = str(brought.role)
        store.set_version_text(run.topic_id, label, run.text)
        store.execute(
            """
            UPDATE live_runs SET state = 'done', problem = NULL, label = ?, file_id = ?, ended_at = ?, document = ?
            WHERE run_id = ?
            """,
            [label, brought.source_id, now, document_of(run), run.run_id],
        )

    on_record = on_stage("recognising the publications")
    origin = _origin(run, journal, pages, f"{about.label}, {now[:10]}")
    bring_batches(workspace, run.topic_id, role, origin, journal.batches(AT_ONCE), on_record=on_record, and_then=settle)
    return find_live_run(store, run.run_id)


def _check_topic(store: Store, run: LiveRun) -> None:
    if all(topic.topic_id != run.topic_id for topic in store.topics()):
        raise NotFoundError(
            f'topic "{run.topic_id}" is no longer there: make one of that name and go on with the run, or delete it'
        )


def _origin(run: LiveRun, journal: Journal, pages: Sequence[LivePage], name: str) -> Origin:
    digest = sha256("\0".join((run.run_id, *(page.sha256 for page in pages))).encode()).hexdigest()
    said = unique_ids([*run.notes, *(note for page in pages for note in page.notes)])
    rejected = tuple((None, None, reason) for reason in journal.reasons(MOST_REASONS))
    return Origin(
        name,
        digest,
        run.source,
        journal.n_records + journal.n_aside,
        journal.n_aside,
        Report(rejected, said),
    )


def free_label(store: Store, topic_id: str, wanted: str) -> str:
    """This name for a version, or one like it that neither a version nor a file has."""
    taken = {row.version.label for row in store.versions(topic_id, deleted=True)}
    taken |= {source.role.label for source in load_sources(store, topic_id) if source.role.label}
    label, number = wanted, 1
    while label in taken:
        number += 1
        label = f"{wanted} ({number})"
    return label


def moved_note(before: int, after: int) -> str:
    """What is noted of a run whose total was another one at its end."""
    return f"while the pages came, the source's own total went from {before:,} to {after:,}"


def about_totals(run: LiveRun, pages: Sequence[LivePage], source: str) -> list[str]:
    """Whether what came is what the source says there is; and if not, by how much."""
    last = {page.form: page.total for page in pages if page.total is not None}
    first = {page.form: page.total for page in reversed(pages) if page.total is not None}
    notes = []
    if run.is_capped:
        there = f"; {source} counts {sum(last.values()):,}" if last and len(run.prepared.forms) == 1 else ""
        n_forms = len(run.prepared.forms)
        n_left = n_forms - len({page.form for page in pages})
        left = f"; {n_left} of the {n_forms} searches that it consists of were not begun" if n_left else ""
        return [f"it stopped at its limit of {run.most:,}{there}{left}"]
    if first != last:
        before, after = sum(first.values()), sum(last.values())
        notes.append(moved_note(before, after))
    if not last:
        return notes
    came = run.n_records + run.n_aside
    if not max(last.values()) <= came <= sum(last.values()):
        said = f"{sum(last.values()):,}" if len(last) == 1 else f"up to {sum(last.values()):,}"
        notes.append(f"the source said {said} but gave {came:,} different records")
    return notes
