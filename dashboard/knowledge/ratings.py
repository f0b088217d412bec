"""Rate queries for naturalness, diversity and practicality, and show the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.collections import Query
from core.knowledge.query_quality import (
    COMMON,
    POINTS,
    PUBLISHED,
    PUBLISHED_REFERENCE,
    QUALITIES,
    SHARES,
    Rating,
    Share,
    counts,
    overall_agreement,
    pair_agreements,
    share_of,
    to_rate,
)
from core.stats import AGREEMENTS, JudgeAgreement
from core.text import many
from dashboard import cache, state
from dashboard.kit.components import Row, current_theme, draw_download, draw_figure
from dashboard.kit.link_controls import choose_listed, choose_one, choose_segment
from dashboard.knowledge.contributions import NOTE, file_name
from dashboard.knowledge.figures import RatedQuality, rating_rows, ratings_figure
from dashboard.messages import sentence
from dashboard.status import why_locked
from dashboard.visitors.names import NEEDED
from dashboard.words import plain
from data.collections import list_collections
from data.knowledge.base import KnowledgeBase
from data.knowledge.people import queries_to_rate, rate, ratings_csv, ratings_of
from data.store import content_hash

# Rating queries for naturalness, diversity and practicality, with the mouse or the keys 1 to 5.

SIZES = ("10", "20", "50", "100")
AT_ONCE = 5
LAYOUTS = {"One by one": 1, "Five per page": AT_ONCE}
HOW = (
    f"Queries are assigned at random: about half are yours alone, the others go to every rater to measure "
    f"agreement. 1 is lowest, {max(POINTS)} highest."
)
Points = Mapping[tuple[str, str], int]
"""This person's ratings, by query and quality."""


def choose_rated() -> str | None:
    """Choose the collection whose queries are rated; None if there is nothing to choose."""
    rows = {row.name: row.n_queries for row in list_collections(cache.workspace().store) if row.n_queries}
    if wanted := state.wanted_by_link("rated", list(rows)):
        state.set_value("rated-missing", f'Unknown collection in the link: "{wanted}".')
    before = state.value("rated")
    if before is not None and before not in rows:
        state.set_value("rated-missing", f'Collection "{before}" no longer exists.')
    if missing := state.value("rated-missing"):
        st.warning(plain(missing), icon=":material/link_off:")
    if not rows:
        st.info("There is no collection with queries yet: write queries under Write and save them as a collection.")
        return None
    return choose_one(
        st.selectbox,
        "Collection",
        list(rows),
        "rated",
        format_func=lambda name: f"{name} ({rows.get(name, 0):,} {'query' if rows.get(name) == 1 else 'queries'})",
        on_change=state.set_value,
        args=("rated-missing", ""),
    )


def draw_rating(base: KnowledgeBase, person: str | None) -> None:
    left, middle, right = st.columns([0.5, 0.2, 0.3], vertical_alignment="bottom")
    with left:
        collection = choose_rated()
    if collection is None:
        return
    with middle:
        n = choose_listed(st, "Queries", SIZES, key="n_rated", help="Number of queries to rate.")
    with right:
        layout = choose_segment(st, "Shown", LAYOUTS, key="rate_layout")
    st.caption(HOW)
    if person is None:
        st.info(NEEDED, icon=":material/person:")
        return
    by_id = {query.query_id: query for query in queries_to_rate(cache.workspace().store, collection)}
    ids = to_rate(list(by_id), rater=person, n=int(n), common=COMMON, seed=collection)
    if not ids:
        st.info("This collection has no queries to rate.")
        return
    given = _given(collection, person)
    n_done = sum(all((query_id, quality) in given for quality in QUALITIES) for query_id in ids)
    st.progress(n_done / len(ids), text=f"{n_done:,} of {len(ids):,} rated")
    first = _first(ids, given, LAYOUTS[str(layout)], content_hash([collection, person]))
    _draw_round(collection, person, [by_id[one] for one in ids], first, LAYOUTS[str(layout)], given)


def _given(collection: str, person: str) -> Points:
    return {
        (kept.rating.query_id, kept.rating.quality): kept.rating.points
        for kept in ratings_of(cache.workspace().store, collection)
        if kept.counts and kept.rating.rater == person
    }


def _first(ids: Sequence[str], given: Points, at_once: int, who: str) -> int:
    key = f"rate-at-{who}"
    at = state.value(key)
    if at is None:
        at = next(
            (place for place, one in enumerate(ids) if any((one, quality) not in given for quality in QUALITIES)), 0
        )
        state.set_value(key, at)
    return min(int(at), len(ids) - 1) // at_once * at_once


def _go(who: str, to: int) -> None:
    state.set_value(f"rate-at-{who}", max(to, 0))


def _draw_round(
    collection: str, person: str, queries: Sequence[Query], first: int, at_once: int, given: Points
) -> None:
    shown = queries[first : first + at_once]
    current = next(
        ((query, quality) for query in shown for quality in QUALITIES if (query.query_id, quality) not in given), None
    )
    _draw_keys(collection, person, current, is_alone=at_once == 1)
    for place, query in enumerate(shown, first + 1):
        with st.container(border=True, key=f"to-rate-{place}"):
            _draw_query(collection, person, query, f"{place:,} of {len(queries):,}", current, given)
    who = content_hash([collection, person])
    with st.container(horizontal=True):
        st.button(
            "Back",
            key="rate-back",
            icon=":material/arrow_back:",
            disabled=first == 0,
            shortcut="left",
            on_click=_go,
            args=(who, first - at_once),
        )
        st.button(
            "Next",
            key="rate-next",
            icon=":material/arrow_forward:",
            disabled=first + at_once >= len(queries),
            shortcut="right",
            type="secondary" if current else "primary",
            on_click=_go,
            args=(who, first + at_once),
        )
    if first + at_once >= len(queries) and current is None:
        st.success("That was the last one. Thank you. See Results.", icon=":material/check:")
    if at_once == 1 and len(queries) > 1:
        _draw_others(queries, first)


def _draw_keys(collection: str, person: str, current: tuple[Query, str] | None, *, is_alone: bool) -> None:
    query_id, quality = (current[0].query_id, current[1]) if current else ("", "")
    with st.container(horizontal=True, vertical_alignment="center", key="rate-keys"):
        for points in POINTS:
            st.button(
                many(points, "point"),
                key=f"key-{points}",
                shortcut=str(points),
                disabled=current is None or why_locked() is not None,
                on_click=_rate,
                args=(collection, person, query_id, quality, points),
            )
        if current is None:
            st.caption("Everything shown is rated. Move with the arrow keys; change any rating below.")
        else:
            which = "" if is_alone else f" of “{current[0].text[:60]}”"
            st.caption(plain(f"Keys 1 to 5: {QUALITIES[current[1]].label}{which}"))


def _draw_query(
    collection: str, person: str, query: Query, place: str, current: tuple[Query, str] | None, given: Points
) -> None:
    st.caption(place)
    st.markdown(f"**{plain(query.text)}**" if query.text.strip() else "*An empty query*")
    columns = st.columns(len(QUALITIES))
    for column, quality in zip(columns, QUALITIES.values(), strict=True):
        key = f"points-{content_hash([collection, person, query.query_id, quality.quality_id])}"
        state.set_value(key, given.get((query.query_id, quality.quality_id)))
        is_current = current is not None and current == (query, quality.quality_id)
        with column:
            st.segmented_control(
                f"{':material/arrow_right: ' if is_current else ''}{quality.label}",
                POINTS,
                key=key,
                help=f"{quality.question} 1: {quality.lowest}; 5: {quality.highest}.",
                on_change=_rate_by,
                args=(key, collection, person, query.query_id, quality.quality_id),
                disabled=why_locked() is not None,
            )
            st.caption(f"1: {quality.lowest}; 5: {quality.highest}")


def _draw_others(queries: Sequence[Query], first: int) -> None:
    start = first // AT_ONCE * AT_ONCE
    others = [query for place, query in enumerate(queries[start : start + AT_ONCE], start) if place != first]
    with st.expander(f"The others shown with it ({len(others)})", expanded=True):
        st.markdown("\n".join(f"- {plain(query.text)}" for query in others))


def _rate_by(key: str, collection: str, person: str, query_id: str, quality: str) -> None:
    points = state.value(key)
    if points is not None:  # pressing it again does not remove the rating
        _rate(collection, person, query_id, quality, int(points))


def _rate(collection: str, person: str, query_id: str, quality: str, points: int) -> None:
    with state.noting(NOTE):
        rate(cache.workspace().store, collection, Rating(query_id, person, quality, points))


# People's ratings of queries: shares with intervals, agreement, and all ratings as a file.

TOGETHER = "All together"
WIDE_NOTE = {"Note": st.column_config.TextColumn(width="large")}
MOST_RATERS = 30
"""Raters listed individually; the number of pairs grows with its square."""
ByQuality = Mapping[str, Sequence[Rating]]
Shares = Mapping[str, Mapping[str, Share]]
"""By quality and share."""


def draw_results(base: KnowledgeBase, person: str | None) -> None:
    collection = choose_rated()
    if collection is None:
        return
    kept = ratings_of(cache.workspace().store, collection)
    by_quality: ByQuality = {
        quality: [one.rating for one in kept if one.counts and one.rating.quality == quality] for quality in QUALITIES
    }
    if n_old := sum(not one.counts for one in kept):
        what = "1 rating is" if n_old == 1 else f"{n_old:,} ratings are"
        st.caption(f"{what} left out: the query has changed since, or was deleted.")
    if not any(by_quality.values()):
        st.info("No ratings in this collection yet. Go to Rate.")
        return
    together = _shares(collection, by_quality)
    _draw_cards(together)
    _draw_picture(collection, by_quality)
    _draw_by_rater(by_quality, together)
    _draw_agreement(by_quality)
    _draw_published(together)
    draw_download(
        "All ratings (CSV)",
        lambda: ratings_csv(collection, kept),
        file_name=f"{file_name(collection)}-ratings.csv",
        mime="text/csv",
        key="ratings-csv",
    )


def percent(value: float | None) -> str:
    """Format a share for tables.

    >>> percent(0.7361), percent(None)
    ('73.6 %', '–')
    """
    return "–" if value is None else f"{100 * value:.1f} %"


def _interval(share: Share) -> str:
    if share.interval is None:
        return ""
    low, high = share.interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def _shares(collection: str, by_quality: ByQuality) -> Shares:
    """Compute the shares of all raters, by quality. They are cached, because resampling queries takes a moment."""
    given = (one for ratings in by_quality.values() for one in ratings)
    parts = (f"{one.query_id}\0{one.rater}\0{one.quality}\0{one.points}" for one in given)
    key, kept = f"shares-{content_hash([collection, *parts])}", cache.knowledge_found()
    return kept.of(
        key,
        lambda: {
            quality: {metric_id: share_of(ratings, metric_id) for metric_id in SHARES}
            for quality, ratings in by_quality.items()
        },
    )


def _draw_cards(together: Shares) -> None:
    for column, quality in zip(st.columns(len(QUALITIES)), QUALITIES.values(), strict=True):
        with column, st.container(border=True):
            st.markdown(f"**{quality.label}**")
            st.caption(quality.question)
            with st.container(horizontal=True):
                shares = together[quality.quality_id]
                for metric_id, share in shares.items():
                    metric = SHARES[metric_id]
                    with st.container():
                        st.metric(
                            metric.label,
                            percent(share.value),
                            help=plain(f"{metric.sentence} {metric.formula}. {metric.undefined} {metric.reference}."),
                        )
                        st.caption(_interval(share))
            share = shares["positive"]
            st.caption(
                f"{many(share.n, 'rating')} of {share.n_queries:,} "
                f"{'query' if share.n_queries == 1 else 'queries'}; {' / '.join(_kinds(shares))}"
            )
            for warning in dict.fromkeys(share.warning for share in shares.values() if share.warning):
                st.caption(f":orange[:material/warning: {plain(sentence(warning))}]")


def _kinds(shares: Mapping[str, Share]) -> list[str]:
    return list(dict.fromkeys(share.shown for share in shares.values()))


def _draw_picture(collection: str, by_quality: ByQuality) -> None:
    rated = [
        RatedQuality(quality.label, counts(by_quality[quality.quality_id]), quality.lowest, quality.highest)
        for quality in QUALITIES.values()
    ]
    draw_figure(
        ratings_figure(rated, title="How the queries were rated", theme=current_theme()),
        key="ratings",
        name=f"{collection} ratings",
        reading="the farther a bar reaches to the right of the line, the better the ratings; 3 points are centred "
        "on it. In brackets: number of ratings.",
        rows=rating_rows(rated),
    )


def _draw_by_rater(by_quality: ByQuality, together: Shares) -> None:
    raters = sorted({rating.rater for ratings in by_quality.values() for rating in ratings})
    rows: list[Row] = []
    for rater in (None, *raters[:MOST_RATERS]):
        for quality, ratings in by_quality.items():
            own = [rating for rating in ratings if rater is None or rating.rater == rater]
            row: dict[str, str | int | float | None] = {
                "Rater": TOGETHER if rater is None else rater,
                "Quality": QUALITIES[quality].label,
                "Ratings": len(own),
            }
            shares = (
                together[quality] if rater is None else {metric_id: share_of(own, metric_id) for metric_id in SHARES}
            )
            for metric_id, share in shares.items():
                row[SHARES[metric_id].label] = percent(share.value)
                row[f"{SHARES[metric_id].label}, 95 %"] = _interval(share) or "–"
            row["Interval"] = " / ".join(_kinds(shares))
            row["Note"] = next((share.warning for share in shares.values() if share.warning), "")
            rows.append(row)
    st.markdown("## By rater")
    st.dataframe(rows, hide_index=True, key="by-rater", column_config=WIDE_NOTE)
    if len(raters) > MOST_RATERS:
        st.caption(f"The first {MOST_RATERS} of {len(raters):,} raters; the file holds all.")


def _draw_agreement(by_quality: ByQuality) -> None:
    st.markdown("## Agreement")
    alpha = AGREEMENTS["alpha_ordinal"]
    for column, (quality, ratings) in zip(st.columns(len(QUALITIES)), by_quality.items(), strict=True):
        agreed = overall_agreement(ratings)
        with column:
            st.metric(
                f"{alpha.label}: {QUALITIES[quality].label.lower()}",
                "–" if agreed.value is None else f"{agreed.value:.2f}",
                help=plain(f"{alpha.sentence} {alpha.formula}. {alpha.range}. {alpha.undefined} {alpha.reference}."),
            )
            st.caption(sentence(agreed.reason) if agreed.reason else f"{agreed.n:,} queries rated by two or more.")
    rows: list[Row] = []
    kappa, near = AGREEMENTS["kappa_quadratic"], AGREEMENTS["within_one"]
    for quality, ratings in by_quality.items():
        raters = sorted({rating.rater for rating in ratings})[:MOST_RATERS]
        for pair in pair_agreements([rating for rating in ratings if rating.rater in raters]):
            rows.append(
                {
                    "Raters": f"{pair.first} and {pair.second}",
                    "Quality": QUALITIES[quality].label,
                    "Common": pair.kappa.n,
                    kappa.label: _number(pair.kappa),
                    near.label: percent(pair.within_one.value),
                    "Note": pair.kappa.reason,
                }
            )
    if rows:
        st.dataframe(
            rows,
            hide_index=True,
            key="by-pair",
            column_config=WIDE_NOTE
            | {
                metric.label: st.column_config.TextColumn(help=plain(f"{metric.sentence} {metric.reference}."))
                for metric in (kappa, near)
            },
        )


def _number(agreed: JudgeAgreement) -> str:
    return "–" if agreed.value is None else f"{agreed.value:.2f}"


def _draw_published(together: Shares) -> None:
    rows: list[Row] = []
    for quality in QUALITIES.values():
        here = [percent(share.value) for share in together[quality.quality_id].values()]
        row = {"Quality": quality.label, "Here": " / ".join(here)}
        for name, shares in PUBLISHED.items():
            row[name] = " / ".join(percent(value) for value in shares[quality.quality_id])
        rows.append(row)
    st.markdown("## Compared with published sets")
    st.dataframe(rows, hide_index=True, key="published-shares")
    st.caption(f"Positive / non-negative. From {PUBLISHED_REFERENCE}: other raters, so compare with care.")
