"""What the methods section of a review says of a run."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import NotFoundError
from core.sources.reporting import Searched, choices_in_words
from data.sources.fetching.runs import LivePage, LiveRun, find_live_run
from data.sources.opening import ABOUT
from data.store import Store


def searched_of(run: LiveRun, pages: Sequence[LivePage], *, repeats: str = "") -> Searched:
    """What the sentence says of a run. It began when the first request was sent, and was sent where that went."""
    first = next((sent for page in pages for sent in page.requests), None)
    return Searched(
        source=ABOUT[run.source].label,
        address=run.address if first is None else first.address.partition("?")[0],
        began=run.made_at if first is None else first.at,
        ended=run.ended_at,
        forms=tuple(form.text for form in run.prepared.forms),
        total_first=run.total_first,
        total_last=run.total_last,
        n_fetched=run.n_records,
        n_aside=run.n_aside,
        most=run.most,
        n_repeated=run.n_repeated,
        n_begun=len({page.form for page in pages}) if run.state == "done" else None,
        choices=choices_of(run),
        repeats=repeats,
    )


def choices_of(run: LiveRun) -> str:
    """How the source was asked, where it can be asked in more than one way."""
    return choices_in_words(run.source, run.prepared.choices, has_wildcards=any(sign in run.text for sign in "*?$"))


def repeated_at(store: Store, run: LiveRun) -> str:
    """When the run that it repeats was planned; empty: it repeats none, or that one is deleted."""
    if run.earlier_id is None:
        return ""
    try:
        return find_live_run(store, run.earlier_id).made_at
    except NotFoundError:
        return ""
