"""Steps of the writer: from keywords to a string, its results, and a saved version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from core.errors import InputError, NotFoundError
from core.protocols import OnProgress
from core.query.match import Bits, Semantics, count, none_of, of_rows, rows_of
from core.query.parser import parse
from core.types import Origin, Publication
from core.writer.gains import breadth_note, gain, judged, score_order
from core.writer.keyword_effects import SheetCriteria, SheetEvaluator, without_harmful
from core.writer.keywords import proposals_from_corpus
from core.writer.prompts import MergedProposals, merged
from core.writer.sheet_search import KeywordLookup, SheetSearchResult, best_sheet, keeps_budget, sort
from core.writer.sheets import (
    Brief,
    Gain,
    Keyword,
    KeywordProposal,
    Mode,
    Sheet,
    SheetStep,
    StringScores,
    WriterBudget,
    baseline_sheet,
    text_of,
)
from data.explore.workspace import Workspace
from data.store import Clock, Store, VersionRow, utc_now
from data.writer.desk import WriterDesk, check_halves
from data.writer.runs import BY_HAND, COUNTED, Recipe, WriterSession, find_writing, keep_step, replace_step, say_label

# From a sheet to a step: its string, its results, and its gain over the topic's name.

BASELINE = "the topic's name"
"""Author of the first step."""


def retrieved_by(desk: WriterDesk, sheet: Sheet, semantics: Semantics = "literal") -> Bits:
    """Return what the string of a sheet retrieves, parsed as a version would be; nothing if it makes no string."""
    text = text_of(sheet).text
    matched = desk.desk.match(parse(text, "plain"), semantics) if text else None
    nothing = none_of(len(desk.desk.corpus.ids))
    return nothing if matched is None or matched.root is None else matched.root


def step_of(
    desk: WriterDesk,
    sheet: Sheet,
    *,
    parent: int | None,
    made_by: str,
    semantics: Semantics = "literal",
    baseline: Bits | None = None,
    seed: int = 0,
    model: str = "",
    mode: Mode | None = None,
    round: int | None = None,
    predicted: float | None = None,
    notes: tuple[str, ...] = (),
) -> SheetStep:
    """Build an unsaved step (its number is -1), scored on every side.

    `baseline`: what the topic's name alone retrieves; it adds the gain on the held-out half, which is the same for the
    same string. `seed`: of the recipe.
    """
    retrieved = retrieved_by(desk, sheet, semantics)
    sides = desk.sides
    broad = breadth_note(count(retrieved), len(desk.desk.corpus.ids))
    return SheetStep(
        number=-1,
        parent=parent,
        made_by=made_by,
        sheet=sheet,
        text=text_of(sheet).text,
        judged=judged(sides, retrieved),
        gain=None if baseline is None or sides.held_out is None else gain(sides.held_out, retrieved, baseline),
        model=model,
        mode=mode,
        seed=seed,
        round=round,
        notes=(*notes, broad) if broad else notes,
        predicted=predicted,
    )


def baseline_step(desk: WriterDesk, brief: Brief) -> SheetStep:
    """Return the step of the topic's name alone, the baseline of all others."""
    return step_of(desk, baseline_sheet(brief.topic), parent=None, made_by=BASELINE, semantics=brief.semantics)


# From proposals to candidates: keywords in lists, their best string, and its scores.

Heed = Callable[[], None]
TOGETHER = "all proposals together"
MOST_TOGETHER = 120
"""Most keywords of all proposals to sort together: the most often proposed, then the earliest."""


def silent_heed() -> None:
    """Ignore the call."""


@dataclass(frozen=True, slots=True)
class ProposalPool:
    made_by: str
    proposals: tuple[KeywordProposal, ...]
    model: str = ""
    mode: Mode | None = None
    seed: int = 0


@dataclass
class CandidateBuilder:
    """A desk with cached data for making candidates."""

    desk: WriterDesk
    brief: Brief
    budget: WriterBudget
    look_up: KeywordLookup = field(init=False)
    scale: SheetCriteria = field(init=False)
    """Scale that scores strings by the core publications in use alone."""
    board: SheetEvaluator = field(init=False)
    """Board with the effect of each keyword, as on the sorting board."""
    _found: dict[tuple[Keyword, ...], SheetSearchResult] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.look_up = KeywordLookup(self.desk.desk.corpus, self.brief.semantics)
        self.scale = SheetCriteria(self.look_up, self.desk.sides.used, self.budget, self.brief)
        self.board = SheetEvaluator(self.desk.desk.corpus, self.brief.semantics, self.desk.sides.used)

    def vocabulary(self, keyword: Keyword) -> int:
        """Count the publications of the corpus with a keyword."""
        return count(self.look_up(keyword))

    def counted(self, mode: Mode, supporting: Sequence[Publication] = ()) -> tuple[KeywordProposal, ...]:
        """Propose keywords by corpus statistics, from the core publications in use and the user's examples."""
        corpus = self.desk.desk.corpus
        ids = [*self.desk.split.used, *(p.publication_id for p in supporting)]
        rows = np.unique(corpus.rows_of_ids([i for i in ids if i not in self.desk.split.held_out]))
        near = rows_of(self.desk.sides.used.accepted)
        return proposals_from_corpus(corpus.texts, rows, brief=replace(self.brief, mode=mode), near=near)

    def best(self, keywords: Sequence[Keyword], heed: Heed = silent_heed) -> SheetSearchResult:
        """Return the best string the search finds with these keywords, by the core publications in use alone.

        It has no keyword that the board advises to drop. `heed`: called repeatedly during the search; an exception from
        it ends the search.
        """
        if (key := tuple(keywords)) not in self._found:
            used = self.desk.sides.used
            first = sort(keywords, self.look_up, used, self.brief)
            found = best_sheet(
                first, self.look_up, used, budget=self.budget, brief=self.brief, on_step=lambda n_tried: heed()
            )
            sheet = without_harmful(found.sheet, self.board, self.budget)
            self._found[key] = SheetSearchResult(
                sheet, found.n_tried, *keeps_budget(sheet, self.look_up, used, self.budget)
            )
        return self._found[key]

    def _beyond(self, found: SheetSearchResult) -> tuple[str, ...]:
        """Return a sentence for each limit of the budget that the best string does not meet."""
        if not found.n_tried:
            return ()
        retrieved = self.look_up.retrieved(found.sheet)
        parts = []
        if not found.keeps_recall:
            parts.append(
                f"It finds {self.desk.sides.used.recall(retrieved):.0%} of the core publications in use, and the "
                f"budget requires {self.budget.min_recall:.0%}: no string that was tried finds more."
            )
        if not found.keeps_size:
            recall = " without falling below the required recall" if self.budget.min_recall else ""
            parts.append(
                f"It retrieves {count(retrieved):,} publications, and the budget allows "
                f"{self.budget.most_publications:,}: no string that was tried retrieves fewer{recall}."
            )
        return tuple(parts)

    def candidate(self, made: ProposalPool, baseline: Bits, heed: Heed = silent_heed) -> SheetStep:
        """Build an unsaved candidate."""
        found = self.best([row.keyword for row in _most_proposed(merged(made.proposals))], heed)
        return step_of(
            self.desk,
            found.sheet,
            parent=0,
            made_by=made.made_by,
            semantics=self.brief.semantics,
            baseline=baseline,
            seed=made.seed,
            model=made.model,
            mode=made.mode,
            notes=self._beyond(found),
        )


def _most_proposed(rows: Sequence[MergedProposals]) -> Sequence[MergedProposals]:
    if len(rows) <= MOST_TOGETHER:
        return rows
    kept = sorted(range(len(rows)), key=lambda i: (-len(rows[i].proposals), i))[:MOST_TOGETHER]
    return [rows[i] for i in sorted(kept)]


def made_from(
    counted: Mapping[Mode, Sequence[KeywordProposal]], asked: Iterable[tuple[Recipe, Sequence[KeywordProposal]]]
) -> tuple[ProposalPool, ...]:
    """Return the sources of candidates: statistics, each recipe with proposals, and all proposals together.

    `counted`: by mode, that of the brief first.
    """
    found = [
        ProposalPool(Recipe("", mode).name if place else COUNTED, tuple(proposals), mode=mode)
        for place, (mode, proposals) in enumerate(counted.items())
        if proposals
    ]
    found += [
        ProposalPool(recipe.name, tuple(proposals), recipe.model, recipe.mode, recipe.seed)
        for recipe, proposals in asked
        if proposals
    ]
    if len(found) > 1:
        found.append(ProposalPool(TOGETHER, tuple(each for made in found for each in made.proposals)))
    return tuple(found)


def keep_candidates(
    store: Store,
    writing_id: str,
    bench: CandidateBuilder,
    made: Sequence[ProposalPool],
    steps: Sequence[SheetStep],
    on_progress: OnProgress,
) -> None:
    """Save candidates as steps. An identical step is kept; one with a different result is replaced.

    A step that was saved as a version or has later steps is not replaced; the new one is added after it.
    """
    baseline = retrieved_by(bench.desk, steps[0].sheet, bench.brief.semantics)
    parents = {step.parent for step in steps}
    same: dict[str, str] = {}
    for place, each in enumerate(made):
        step = bench.candidate(each, baseline, partial(on_progress, place, len(made)))
        if step.text in same:
            step = replace(step, notes=(*step.notes, f"Same string as {same[step.text]}."))
        same.setdefault(step.text, each.made_by)
        before = [s for s in steps if s.made_by == each.made_by and s.round is None and s.made_by != BY_HAND]
        last = before[-1] if before else None
        if last is None or (last.sheet != step.sheet and (last.label or last.number in parents)):
            keep_step(store, writing_id, step)
        elif last.sheet != step.sheet:
            replace_step(store, writing_id, replace(step, number=last.number))


# The topic's own versions, scored like candidates, for comparison with a new string.


@dataclass(frozen=True, slots=True)
class JudgedVersion:
    row: VersionRow
    judged: StringScores
    gain: Gain | None
    """Gain in F-beta on the held-out half over the topic's name; None: none is held out."""


def judge_versions(store: Store, desk: WriterDesk, writing: WriterSession) -> tuple[JudgedVersion, ...]:
    """Score the topic's versions on the halves of a session, best first, without those saved from it.

    Raise an error if the desk has other halves because the topic's core publications changed.
    """
    check_halves(desk, writing.split)
    own = {step.label for step in writing.steps if step.label is not None and step.number}
    baseline = retrieved_by(desk, writing.steps[0].sheet, writing.brief.semantics) if writing.steps else None
    found = [
        _judged_version(store, desk, row, baseline)
        for row in store.versions(writing.topic_id)
        if row.n_retrieved is not None and row.version.label not in own
    ]
    return tuple(sorted(found, key=lambda each: (*score_order(each.judged), each.row.version.label)))


def _judged_version(store: Store, desk: WriterDesk, row: VersionRow, baseline: Bits | None) -> JudgedVersion:
    corpus, sides = desk.desk.corpus, desk.sides
    rows = corpus.rows_of_ids(store.load_retrieved_ids(row.version.query_id))
    retrieved = of_rows(rows.tolist(), len(corpus.ids))
    found = replace(judged(sides, retrieved), n_retrieved=row.n_retrieved or 0)
    against = None if baseline is None or sides.held_out is None else gain(sides.held_out, retrieved, baseline)
    return JudgedVersion(row, found, against)


# A step saved as a version of the topic's query, with the version it comes from as its parent.


def save_step(
    workspace: Workspace,
    writing_id: str,
    number: int,
    *,
    origin: Origin | None = None,
    clock: Clock = utc_now,
) -> VersionRow:
    """Save a step as a version. If it was saved before, or its text was run before, return that version.

    `origin`: None: "baseline" for the topic's name, "manual" for steps made by a person, else "generated".
    """
    store = workspace.store
    writing = find_writing(store, writing_id)
    step = step_named(writing, number)
    if not step.text:
        raise InputError(
            f"step {number} makes no string yet: add a keyword to Specific, or one to General and one to Overarching"
        )
    row = workspace.run_query(
        writing.topic_id,
        step.text,
        dialect="plain",
        semantics=writing.brief.semantics,
        parent=_saved_ancestor(store, writing, step),
        origin=origin or _origin(step),
        clock=clock,
    )
    if row.version.note is None:
        row = _with_note(store, row, _note(writing, step))
    say_label(store, writing_id, number, row.version.label)
    return row


def step_named(writing: WriterSession, number: int) -> SheetStep:
    for step in writing.steps:
        if step.number == number:
            return step
    last = writing.steps[-1].number if writing.steps else None
    there = "it has none yet" if last is None else f"its steps are 0 to {last}"
    raise NotFoundError(f"the session has no step {number}: {there}")


def _origin(step: SheetStep) -> Origin:
    if step.made_by == BASELINE:
        return "baseline"
    return "manual" if step.made_by == BY_HAND else "generated"


def _saved_ancestor(store: Store, writing: WriterSession, step: SheetStep) -> str | None:
    """Return the version saved from the nearest earlier step; None if there is none."""
    there = {row.version.label for row in store.versions(writing.topic_id, deleted=True)}
    parents = {each.number: each for each in writing.steps}
    above = step
    while above.parent is not None:
        above = parents[above.parent]
        if above.label in there:
            return above.label
    return None


def _note(writing: WriterSession, step: SheetStep) -> str:
    what = "by hand" if step.made_by == BY_HAND else f"by the query writer: {step.made_by}"
    return f"Written {what}, for “{writing.brief.topic}”."


def _with_note(store: Store, row: VersionRow, note: str) -> VersionRow:
    version = row.version
    with store.transaction():
        store.say_of_version(version.query_id, name=version.name, note=note, deleted_at=row.deleted_at)
    return replace(row, version=replace(version, note=note))
