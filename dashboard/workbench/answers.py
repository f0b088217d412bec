"""What is asked in the browser, answered: a step from one bench to the next, without a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from core.errors import InputError, QueryscapeError
from core.query.lint.in_corpus import Effect, effect_of
from core.query.matching.matched import rows_of
from core.query.reading.parser import parse
from core.query.repair.rescue import Rescue
from core.query.repair.suggest import Limits, Reshaped, Suggestion, priced, slim_down, suggest, widen, worth_a_look
from core.query.tree import DialectId, Edit, Group, Term, apply_edits
from core.query.writing.printing import Translation, translate
from dashboard.workbench.drafts import SEMANTICS, TYPED, Draft, Drafts
from dashboard.workbench.rewriting import added_and_left_out, carried_over, without_switched_off
from dashboard.workbench.work import Work

DIALECTS: tuple[DialectId, ...] = get_args(DialectId)
MOST_FIXES = 60
"""Fixes whose effect is worked out."""
MOST_OFFERED = 12
"""Suggestions per group that widening may choose from."""
MOST_GROUPS = 6

BenchRequest = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Panels:
    """What was asked for about one draft; gone with the next."""

    rescues: Mapping[str, tuple[Rescue, ...]] = field(default_factory=dict)
    effects: Mapping[int, Effect] = field(default_factory=dict)
    suggestions: tuple[int, tuple[Suggestion, ...]] | None = None
    reshaped: tuple[str, Reshaped] | None = None
    translations: Mapping[DialectId, Translation] | None = None


@dataclass(frozen=True, eq=False)
class Bench:
    """One visitor's work on one version's text."""

    drafts: Drafts
    panels: Panels = field(default_factory=Panels)
    seq: int = 0
    """Number of the last ask that was answered, for the browser."""
    mistake: str | None = None


Answer = Callable[[Bench, Work, BenchRequest], Bench]


def answered(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    """The bench after an ask; one that makes no sense changes nothing and says so."""
    bench = replace(bench, mistake=None)
    answer = ANSWERS.get(str(ask.get("kind")))
    if answer is None:
        return bench
    try:
        return answer(bench, work, ask)
    except QueryscapeError as e:
        return replace(bench, mistake=str(e))
    except (KeyError, IndexError, TypeError, ValueError, OverflowError):
        return replace(bench, mistake="that is not there any more: look again and repeat it")


def _drafted(bench: Bench, draft: Draft) -> Bench:
    drafts = bench.drafts.add(draft)
    return bench if drafts is bench.drafts else replace(bench, drafts=drafts, panels=Panels())


def _done(bench: Bench, work: Work, edits: tuple[Edit, ...], made_by: str) -> Bench:
    """Edits that were offered: they keep their promise only if the text is read as before."""
    text = apply_edits(work.draft.text, edits)
    dialect = _kept_dialect(work, text)
    off = carried_over(work.parsed, work.draft.off, text, dialect, edits)
    return _drafted(bench, replace(bench.drafts.current, text=text, dialect=dialect, off=off, made_by=made_by))


def _kept_dialect(work: Work, text: str) -> DialectId | None:
    """None, as long as the text by itself is taken for the same dialect."""
    read = work.parsed
    if work.draft.dialect is None and parse(text).dialect != read.dialect:
        return read.dialect
    return work.draft.dialect


def _edit(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    """Another text; what was switched off stays so wherever it is still written."""
    text = str(ask["text"])
    draft = replace(bench.drafts.current, text=text, made_by=TYPED)
    return _drafted(bench, replace(draft, off=carried_over(work.parsed, draft.off, text, draft.dialect)))


def _dialect(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    chosen = next((d for d in DIALECTS if d == ask["dialect"]), None)
    return _drafted(bench, replace(bench.drafts.current, dialect=chosen, off=frozenset(), made_by="choosing a dialect"))


def _semantics(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    chosen = SEMANTICS[SEMANTICS.index(ask["semantics"])]
    return _drafted(bench, replace(bench.drafts.current, semantics=chosen, made_by=f"matching words {chosen}"))


def _switch(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    n = len(work.parsed.nodes)
    off = frozenset(number for number in map(int, ask["off"]) if 0 <= number < n)
    return _drafted(bench, replace(bench.drafts.current, off=off, made_by="switching"))


def _fix(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    fix = work.findings[int(ask["id"])].fix
    if fix is None:
        raise InputError("this has no mend of its own: change the text")
    return _done(bench, work, fix.edits, fix.label.lower())


def _effects(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    effects: dict[int, Effect] = {}
    for i, finding in enumerate(work.findings):
        if finding.fix is not None and len(effects) < MOST_FIXES:
            corpus, core = work.desk.corpus, work.desk.stakes.core
            effects[i] = effect_of(finding.fix, work.parsed, corpus, work.draft.semantics, core)
    return replace(bench, panels=replace(bench.panels, effects=effects))


def _rescues(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    publication_id = str(ask["publication_id"])
    if work.rescuer is None:
        return bench
    found = work.rescuer.rescues(work.desk.core_rows[publication_id])
    rescues = {**bench.panels.rescues, publication_id: found}
    return replace(bench, panels=replace(bench.panels, rescues=rescues))


def _rescue(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    chosen = bench.panels.rescues[str(ask["publication_id"])][int(ask["index"])]
    return _done(bench, work, chosen.edits, chosen.label)


def _suggestions(work: Work, group: int) -> tuple[Suggestion, ...]:
    if work.asked is None or work.rescuer is None:
        return ()
    target = rows_of(worth_a_look(work.desk.stakes, work.retrieved))
    query = work.parsed.root
    found = suggest(work.desk.corpus.texts, target, query=query, semantics=work.draft.semantics)
    return priced(found, work.rescuer, group)


def _suggest(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    group = ask.get("group")
    number = group if isinstance(group, int) and group in work.blocks else (work.blocks or (0,))[0]
    return replace(bench, panels=replace(bench.panels, suggestions=(number, _suggestions(work, number))))


def _add(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    _, suggestions = bench.panels.suggestions or (0, ())
    chosen = next((s.if_added for s in suggestions if s.text == ask["text"]), None)
    if chosen is None:
        raise InputError("this term can't be added here by itself: type it where it belongs")
    return _done(bench, work, chosen.edits, chosen.label)


def _reshape(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    if work.asked is None:
        return bench
    ceiling = ask.get("ceiling")
    limits = Limits(float(ask.get("floor") or 0.0), int(ceiling) if ceiling else None)
    how = "widen" if ask.get("how") == "widen" else "slim"
    if how == "slim":
        return replace(bench, panels=replace(bench.panels, reshaped=(how, slim_down(work.asked, limits))))
    ors = [i for i in work.blocks if isinstance(work.parsed.nodes[i], Group)][:MOST_GROUPS]
    if not ors:
        raise InputError("there is no OR to add a term to: write at least two alternatives in brackets")
    offered = {number: _offered(work, number) for number in ors}
    return replace(bench, panels=replace(bench.panels, reshaped=(how, widen(work.asked, offered, limits))))


def _offered(work: Work, group: int) -> list[Term]:
    """The suggestions that bring something, as terms."""
    terms: list[Term] = []
    for suggestion in _suggestions(work, group):
        node = suggestion.if_added.changes[0].node if suggestion.if_added else None
        last = node.parts[-1] if isinstance(node, Group) else None
        if isinstance(last, Term):
            terms.append(last)
    return terms[:MOST_OFFERED]


def _accept_reshaped(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    if bench.panels.reshaped is None:
        return bench
    how, reshaped = bench.panels.reshaped
    text, off = added_and_left_out(work, reshaped.added, reshaped.left_out)
    made_by = "slimming down" if how == "slim" else "widening"
    draft = replace(bench.drafts.current, text=text, dialect=_kept_dialect(work, text), off=off, made_by=made_by)
    if Work(work.desk, draft).summary.n_retrieved != reshaped.n_after:
        raise InputError("this text is not in order, so it can't be changed by itself: mend its findings first")
    return _drafted(bench, draft)


def _translate(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    targets = [dialect for dialect in DIALECTS if dialect != work.parsed.dialect]
    found = {dialect: translate(work.parsed, dialect) for dialect in targets}
    return replace(bench, panels=replace(bench.panels, translations=found))


def _undo(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    return replace(bench, drafts=bench.drafts.undo(), panels=Panels())


def _redo(bench: Bench, work: Work, ask: BenchRequest) -> Bench:
    return replace(bench, drafts=bench.drafts.redo(), panels=Panels())


def text_to_run(work: Work) -> str:
    """The text without what is switched off: what a run saves as a version."""
    return without_switched_off(work) if work.draft.off else work.draft.text


ANSWERS: dict[str, Answer] = {
    "edit": _edit,
    "dialect": _dialect,
    "semantics": _semantics,
    "switch": _switch,
    "fix": _fix,
    "effects": _effects,
    "rescues": _rescues,
    "rescue": _rescue,
    "suggest": _suggest,
    "add": _add,
    "reshape": _reshape,
    "reshape_accept": _accept_reshaped,
    "translate": _translate,
    "undo": _undo,
    "redo": _redo,
}
