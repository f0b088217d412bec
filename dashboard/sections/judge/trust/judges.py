"""A judge beside other judges of the same: every two of them, what most say, and where they differ."""

from __future__ import annotations

import streamlit as st

from core.judging.agreement import base_rates
from core.judging.trust.regions import Judges
from dashboard.components.mount import current_theme
from dashboard.figures.judge.trust_people import rate_rows, rates_figure
from dashboard.figures.upset import short
from dashboard.sections.figure import draw_figure
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.trust.found import Found
from dashboard.sections.judge.trust.look import NONE, ends_of, help_of, label_of, number, percent, range_of
from dashboard.words import plain

MOST_QUERIES, LONGEST = 50, 90


def draw_judges(opened: Opened, found: Found) -> None:
    """All judges that graded the same triples, in whatever run."""
    judges = found.judges
    if judges is None:
        st.info(
            "Not measured: no other judge graded the same. In the view Run, judge the same with another model, or with "
            "the reason before the grade; judges are compared here as soon as two have graded the same triples."
        )
        return
    st.caption(plain(f"Judges that graded some of the same triples by the same scale: {'; '.join(judges.names)}."))
    _draw_pairs(opened, judges)
    _draw_majority(judges)
    _draw_rates(opened, found)
    _draw_queries(opened, judges)


def _draw_pairs(opened: Opened, judges: Judges) -> None:
    factor = opened.judge.rubric.shown_factor
    st.dataframe(
        [
            {
                "Judges": f"{pair.first} and {pair.second}",
                "Common": pair.raw.n,
                label_of("kappa_quadratic"): number(pair.quadratic.value),
                "Its 95 %": NONE if pair.quadratic.value is None else range_of(pair.quadratic_range),
                label_of("kappa"): number(pair.kappa.value),
                label_of("raw"): percent(pair.raw.value),
                label_of("within_one"): percent(pair.within_one.value),
                "Second − first": "–" if pair.gap.value is None else f"{factor * pair.gap.value:+.1f}",
                "95 % of that": ends_of(pair.gap, factor=factor, digits=1),
                "Note": pair.quadratic.reason,
            }
            for pair in judges.pairs
        ],
        hide_index=True,
        key="judge-trust-pairs",
        column_config={
            label_of(metric_id): st.column_config.TextColumn(help=help_of(metric_id))
            for metric_id in ("kappa_quadratic", "kappa", "raw", "within_one")
        },
    )
    st.caption("Judges that agree can still be wrong together: only people's grades tell.")


def _draw_majority(judges: Judges) -> None:
    n = len(judges.majorities)
    with st.container(horizontal=True):
        st.metric(
            "With a majority",
            percent((n - judges.n_split) / n if n else None),
            help="Triples for which more than half of the judges that graded them gave the same grade. Where there is "
            "none, nothing is put in its place.",
            width="content",
        )
        st.metric(label_of("alpha_ordinal"), number(judges.alpha.value), help=help_of("alpha_ordinal"), width="content")
        for name, agreed in judges.against_others.items():
            st.metric(
                f"{plain(short(name, 24))} and the others' majority",
                number(agreed.value),
                help="Weighted kappa with what most of the other judges say; its own vote is left out.",
                width="content",
            )
    split = f" No grade has a majority for {judges.n_split:,} of them." if judges.n_split else ""
    st.caption(f"{n:,} triples were graded by two judges or more.{split}")


def _draw_rates(opened: Opened, found: Found) -> None:
    common = set.intersection(*(set(each.grades) for each in found.others))
    if not common:
        st.caption("No triple was graded by all of them.")
        return
    rates = {each.name: base_rates([each.grades[key] for key in common]) for each in found.others}
    draw_figure(
        rates_figure(rates, opened.judge.rubric, theme=current_theme()),
        key="judge-trust-judges",
        name=f"{opened.row.name} judges' grades",
        reading="bars of unequal height over a grade: one judge gives it more often than another.",
        rows=rate_rows(rates, opened.judge.rubric),
        notes=[f"Of the {len(common):,} triples that all of them graded."],
    )


def _draw_queries(opened: Opened, judges: Judges) -> None:
    st.markdown("##### Queries on which they differ most")
    text_of = {query.query_id: query.text for query in opened.field.queries}
    factor = opened.judge.rubric.shown_factor
    st.dataframe(
        [
            {
                "Query": short(text_of.get(each.query_id, each.query_id), LONGEST),
                "Triples": each.n,
                "Apart, on average": round(factor * each.mean_spread, 1),
                "At most": factor * each.largest_spread,
                **{
                    name: None if mean is None else round(factor * mean, 1)
                    for name, mean in zip(judges.names, each.means, strict=True)
                },
            }
            for each in judges.queries[:MOST_QUERIES]
        ],
        hide_index=True,
        key="judge-trust-queries",
        column_config={"Query": st.column_config.TextColumn(width="large")},
    )
    st.caption(
        f"Scores as they are shown, up to {opened.judge.rubric.shown_max:g}. Apart: the highest less the lowest grade "
        "of a triple."
    )
