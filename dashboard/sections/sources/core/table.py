"""Where each core publication stands in a source: counts on top, the table, and why the string misses some."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.sources.core_counts import VERDICTS, CoreCounts, CoreVerdict, core_counts, in_range
from core.sources.reporting import SOURCE_METRICS
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.messages import sentence
from dashboard.sections.sources.core.marked import marked_html
from dashboard.sections.sources.runs.handing import csv_bytes, draw_files, file_stem, json_bytes
from dashboard.sections.sources.runs.words import source_label
from dashboard.words import many, plain, when
from data.sources.fetching.journal import LiveRun, version_of
from data.sources.looking.core_lookup import Item, Lookup

ALL = "all"
SHOWN = "core_verdict"
BY_WORDS = {"doi": "DOI", "pmid": "PubMed number", "title": "title"}
MOST_EXPLAINED = 15
MOST_DRAWN = 100
"""A page of a thousand strings takes seconds."""
TELLING: tuple[CoreVerdict, ...] = ("missed", "not indexed", "unsure", "not asked", "found")
"""As they are listed: what something can be done about comes first."""


def draw_lookup(run: LiveRun, found: Lookup) -> None:
    """All of it."""
    there = (item.verdict for item in found.items if item.located.status == "indexed")
    counts = core_counts((item.verdict for item in found.items), there)
    st.markdown(f"**{plain(counts.sentence(source_label(run.source)))}**")
    asked = f"Asked {when(found.at)}, with {many(found.n_calls, 'count')}. " if found.at else ""
    st.caption(plain(f"{asked}Kept until the core set or the run changes."))
    _draw_cautions(run, found)
    _draw_numbers(counts)
    shown = _choose(found.items, counts)
    st.dataframe(
        item_rows(shown),
        hide_index=True,
        key="core-items",
        column_config={
            "Title": st.column_config.Column(width="large"),
            "Year": st.column_config.NumberColumn(format="%d", width="small"),
            "Why": st.column_config.Column(width="large"),
        },
    )
    rows = item_rows(found.items)
    draw_files(
        file_stem(run, "core publications"),
        {"CSV": lambda: csv_bytes(rows), "JSON": lambda: json_bytes(found.as_document())},
        key="core-files",
    )
    _draw_missed(run, [item for item in shown if item.verdict == "missed"])


def _draw_cautions(run: LiveRun, found: Lookup) -> None:
    if found.is_cut:
        why = sentence(found.problem or "the counts that were allowed were spent")
        kept = "What is known is kept: go on, and only the rest is asked."
        st.warning(plain(f"It ended early. {why} {kept}"), icon=":material/warning:")
    if run.is_capped:
        st.caption(
            plain(
                f"The run stopped at its cap of {run.most:,}. A core publication that lies beyond it counts as found "
                "here, since the string finds it, but it was not fetched."
            )
        )
    if any(item.is_our_reading for item in found.items):
        st.caption(
            plain(
                f"{source_label(run.source)} can't be asked whether a string finds one certain publication. So the "
                "words of its records were read here, which is not always how the source reads them."
            )
        )
    if run.state != "done":
        st.caption("This run is not finished, so nothing is said of what it fetched: only of what its string finds.")
    elif version_of(cache.workspace(), run) is None:
        st.caption("The version of this run is deleted, so only what its string finds is told, not what was fetched.")


def _draw_numbers(counts: CoreCounts) -> None:
    a, b, c, d = st.columns(4)
    attainable = counts.attainable
    for place, value, metric_id in (
        (a, counts.recall_between, "recall_within"),
        (b, None if attainable is None else (attainable, attainable), "attainable"),
    ):
        words = SOURCE_METRICS[metric_id]
        place.metric(words.label, "–" if value is None else in_range(value), help=f"{words.sentence} {words.undefined}")
    c.metric("Indexed", f"{counts.n_indexed:,}", help="Core publications that the source has.")
    d.metric("Not indexed", f"{counts.n_not_indexed:,}", help="No string can find them there. Another source may.")


def _choose(items: Sequence[Item], counts: CoreCounts) -> list[Item]:
    n_of = dict(
        zip(
            VERDICTS,
            (counts.n_found, counts.n_missed, counts.n_not_indexed, counts.n_unsure, counts.n_not_asked),
            strict=True,
        )
    )
    names = {ALL: f"All ({len(items):,})"}
    names |= {verdict: f"{verdict.capitalize()} ({n:,})" for verdict, n in n_of.items() if n}
    state.settle_named(SHOWN, list(names))
    chosen = str(
        st.segmented_control(
            "Show",
            list(names),
            key=SHOWN,
            required=True,
            format_func=lambda each: names.get(each, each),
            label_visibility="collapsed",
        )
    )
    state.write_in_link(SHOWN, [chosen] if chosen != ALL else [])
    return sorted(
        (item for item in items if chosen in (ALL, item.verdict)), key=lambda item: TELLING.index(item.verdict)
    )


def item_rows(items: Sequence[Item]) -> list[dict[str, str | int | None]]:
    """A line for each core publication."""
    return [
        {
            "Verdict": item.verdict.capitalize(),
            "Title": item.wanted.title or item.wanted.publication_id,
            "Year": item.wanted.year,
            "Why": sentence(item.sentence),
            "Found by its": BY_WORDS.get(item.located.by or "", "–"),
            "Its name there": item.located.key or "–",
            "DOI": item.wanted.doi or "–",
        }
        for item in items
    ]


def _draw_missed(run: LiveRun, missed: Sequence[Item]) -> None:
    """Each with the string, and the parts in it that do not find it."""
    explained = [item for item in missed if item.failing]
    if not explained:
        return
    st.markdown("**Indexed, but missed by the string**")
    st.caption("How to read this: a part that is underlined does not find the publication; the others do.")
    for item in explained[:MOST_EXPLAINED]:
        _draw_one(run, item)
    if len(explained) > MOST_EXPLAINED:
        further = explained[MOST_EXPLAINED:MOST_DRAWN]
        with st.expander(f"{len(further):,} more"):
            for item in further:
                _draw_one(run, item)
    if len(explained) > MOST_DRAWN:
        st.caption(f"The first {MOST_DRAWN:,} of {len(explained):,} are shown; the files hold all.")


def _draw_one(run: LiveRun, item: Item) -> None:
    with st.container(border=True):
        year = f" ({item.wanted.year})" if item.wanted.year else ""
        st.markdown(f"**{plain(item.wanted.title or item.wanted.publication_id)}**{year}")
        st.html(marked_html(run.text, item.failing, current_theme()))
        st.caption(plain(sentence(item.sentence)))
