"""What people said of queries: shares with intervals, how far they agree, and all of it as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.judging.agreement import AGREEMENTS, Agreed
from core.knowledge.people.ratings import (
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
)
from dashboard import cache
from dashboard.components.mount import current_theme
from dashboard.figures.knowledge.ratings import RatedQuality, rating_rows, ratings_figure
from dashboard.messages import sentence
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.knowledge.people.own import file_name
from dashboard.sections.knowledge.people.rating import choose_rated
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.people.writing import ratings_csv, ratings_of
from data.store import content_hash

TOGETHER = "All together"
NOTE = {"Note": st.column_config.TextColumn(width="large")}
MOST_RATERS = 30
"""Raters that are listed by themselves; pairs of them are as many squared."""
ByQuality = Mapping[str, Sequence[Rating]]
Shares = Mapping[str, Mapping[str, Share]]
"""By quality and share."""


def draw_results(base: KnowledgeBase, person: str | None) -> None:
    """Everything that is known of one collection's ratings."""
    collection = choose_rated()
    if collection is None:
        return
    kept = ratings_of(cache.workspace().store, collection)
    by_quality: ByQuality = {
        quality: [one.rating for one in kept if one.counts and one.rating.quality == quality] for quality in QUALITIES
    }
    if n_old := sum(not one.counts for one in kept):
        what = "1 rating is" if n_old == 1 else f"{n_old:,} ratings are"
        st.caption(f"{what} left out: the query was worded otherwise then, or is gone.")
    if not any(by_quality.values()):
        st.info("Nobody has rated a query of this collection yet: go to Rate.")
        return
    together = _shares(collection, by_quality)
    _draw_cards(together)
    _draw_picture(collection, by_quality)
    _draw_by_rater(by_quality, together)
    _draw_agreement(by_quality)
    _draw_published(together)
    st.download_button(
        "All ratings (CSV)",
        lambda: ratings_csv(collection, kept),
        file_name=f"{file_name(collection)}-ratings.csv",
        mime="text/csv",
        key="ratings-csv",
        icon=":material/download:",
        on_click="ignore",
    )


def percent(value: float | None) -> str:
    """As tables give a share.

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
    """Of all raters, by quality. Drawing queries anew takes a moment, so they are remembered."""
    given = (one for ratings in by_quality.values() for one in ratings)
    parts = (f"{one.query_id}\0{one.rater}\0{one.quality}\0{one.points}" for one in given)
    key, kept = f"shares-{content_hash([collection, *parts])}", cache.knowledge_found()
    if key not in kept:
        kept[key] = {
            quality: {metric_id: share_of(ratings, metric_id) for metric_id in SHARES}
            for quality, ratings in by_quality.items()
        }
    found: Shares = kept[key]
    return found


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
                f"{share.n:,} {'rating' if share.n == 1 else 'ratings'} of {share.n_queries:,} "
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
        reading="the farther a bar reaches to the right of the line, the better its queries were rated; 3 points stand "
        "astride it. In brackets: ratings.",
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
    st.markdown("##### By rater")
    st.dataframe(rows, hide_index=True, key="by-rater", column_config=NOTE)
    if len(raters) > MOST_RATERS:
        st.caption(f"The first {MOST_RATERS} of {len(raters):,} raters; the file holds all.")


def _draw_agreement(by_quality: ByQuality) -> None:
    """Of all raters for each quality, then of every two."""
    st.markdown("##### Agreement")
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
            column_config=NOTE
            | {
                metric.label: st.column_config.TextColumn(help=plain(f"{metric.sentence} {metric.reference}."))
                for metric in (kappa, near)
            },
        )


def _number(agreed: Agreed) -> str:
    return "–" if agreed.value is None else f"{agreed.value:.2f}"


def _draw_published(together: Shares) -> None:
    """These shares beside those of published sets."""
    rows: list[Row] = []
    for quality in QUALITIES.values():
        here = [percent(share.value) for share in together[quality.quality_id].values()]
        row = {"Quality": quality.label, "Here": " / ".join(here)}
        for name, shares in PUBLISHED.items():
            row[name] = " / ".join(percent(value) for value in shares[quality.quality_id])
        rows.append(row)
    st.markdown("##### Beside published sets")
    st.dataframe(rows, hide_index=True, key="published-shares")
    st.caption(f"Positive / non-negative. From {PUBLISHED_REFERENCE}: other raters, so compare with care.")
