"""A search in a live source, as its version's audit needs it."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.types import SearchFacts, UnfinishedRun, counted_lines, limits_in
from core.query.reading.parser import parse
from core.query.tree import Node, ParsedQuery
from core.query.writing.adapting_near import Loss
from core.sources.reporting import cap_effect, methods_sentence
from core.types import Ids, unique_ids
from data.sources.fetching.runs import LivePage, LiveRun, live_pages
from data.sources.fetching.telling import choices_of, repeated_at, searched_of
from data.sources.opening import ABOUT
from data.store import Store, VersionRow

_BECAME = {
    "widened": "finds more there",
    "narrowed": "finds less there",
    "unsupported": "can't be said there",
    "exact": "means the same there",
}
MOST_LOSSES = 200
LEFT_OUT = "left out"
"""What a loss says of a part that was not sent at all; others were sent in other words."""


def live_search(store: Store, row: VersionRow, run: LiveRun) -> SearchFacts:
    """What was sent, when, and what came."""
    pages = live_pages(store, run.run_id)
    repeats = repeated_at(store, run)
    searched = searched_of(run, pages, repeats=repeats)
    parsed = parse(run.text, run.prepared.dialect)
    label = searched.source
    cap = _cap(run, pages)
    n_total = run.total_last if run.total_last is not None else run.total_first
    n_whole = n_total if len(run.prepared.forms) == 1 else None
    return SearchFacts(
        version=row.version.label,
        source=label,
        platform=f"its own interface for programs (API), {searched.address}",
        how="live",
        text=run.text,
        dialect=run.prepared.dialect,
        sent=searched.forms,
        lines=counted_lines(parsed, count=None, counted_in="", n_whole=n_whole, whole_in=label),
        limits=limits_in(parsed, lambda start, end, node: _fate(run, parsed, label, start, end, node)),
        began=searched.began,
        ended=run.ended_at,
        n_total=run.total_first,
        n_records=run.n_records,
        n_publications=row.n_retrieved,
        most=run.most,
        n_aside=run.n_aside,
        losses=_losses(run),
        repeats=repeats or None,
        sentence=methods_sentence(searched),
        number=row.version.number,
        origin=row.version.origin,
        total_last=run.total_last,
        n_repeated=run.n_repeated,
        is_cut=bool(cap),
        advice=cap,
        form_totals=_form_totals(run, pages),
        address=searched.address,
        choices=choices_of(run),
        notes=unique_ids([*run.notes, *(note for page in pages for note in page.notes)]),
    )


def unfinished_runs(runs: Sequence[LiveRun]) -> tuple[UnfinishedRun, ...]:
    """Those that are no version, the oldest first."""
    left = sorted((run for run in runs if run.state != "done"), key=lambda run: run.made_at)
    return tuple(
        UnfinishedRun(ABOUT[run.source].label, run.state, run.text, run.n_records, run.made_at) for run in left
    )


def _form_totals(run: LiveRun, pages: Sequence[LivePage]) -> tuple[int | None, ...]:
    """The source's last count of each part."""
    last = {page.form: page.total for page in pages}
    return tuple(last.get(form.number) for form in run.prepared.forms)


def _cap(run: LiveRun, pages: Sequence[LivePage]) -> str:
    """What the cap means; empty: it does not cut."""
    if not run.is_capped:
        return ""
    totals = [total for total in _form_totals(run, pages) if total is not None]
    begun = {page.form for page in pages}
    if totals and len(begun) == len(run.prepared.forms):
        effect = cap_effect(max(totals), sum(totals), run.most)
        if effect.is_capped:
            return f"{effect.sentence} {effect.advice}"
    label = ABOUT[run.source].label
    left = len(run.prepared.forms) - len(begun)
    never = f" {left} of its {len(run.prepared.forms)} parts were never asked." if left else ""
    return (
        f"The search stopped at its cap of {run.most:,} records.{never} How many more {label} has is not known, and "
        "its order decided which ones came. Raise the cap, or split the search by year and run the parts."
    )


def _losses(run: LiveRun) -> Ids:
    """What of the text means something else to the source."""
    return tuple(
        f"“{_flat(run.text[loss.start : loss.end])}” {_BECAME.get(loss.status, loss.status)}: {loss.message}"
        for loss in run.prepared.losses[:MOST_LOSSES]
    )


def _flat(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 160 else f"{flat[:159]}…"


def _fate(run: LiveRun, parsed: ParsedQuery, label: str, start: int, end: int, node: Node | None) -> str:
    """Whether the source was asked for a limit."""
    hit = _loss_at(run.prepared.losses, parsed, start, end, node)
    if hit is None:
        return f"sent to {label} with the string"
    if hit.status == "unsupported":
        how = "not applied by" if LEFT_OUT in hit.message else "not sent as it is written to"
        return f"{how} {label}: {hit.message}"
    return f"applied by {label} otherwise than it is written: {hit.message}"


def _loss_at(losses: Sequence[Loss], parsed: ParsedQuery, start: int, end: int, node: Node | None) -> Loss | None:
    """A loss of this limit, not one of the whole string."""
    if node is None:
        return next((loss for loss in losses if (loss.start, loss.end) == (start, end)), None)
    inside = [loss for loss in losses if start <= loss.number < end and loss.number > 0]
    if start == 0 and parsed.root is node:
        inside = [loss for loss in losses if loss.number == 0]
    return next(iter(inside), None)
