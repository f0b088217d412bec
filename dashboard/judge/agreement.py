"""Compare a judge with people and with other judges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import InputError
from core.judge.judgments import Rubric
from core.judge.reliability import GradeAgreement, JudgePair, Judges, Scale, checked_scale
from core.stats import JudgeAgreement, base_rates
from core.text import many
from dashboard import cache, state
from dashboard.judge.figures import rate_rows, rates_figure, table_figure, table_rows
from dashboard.judge.findings import (
    NONE,
    SOURCE,
    ends_of,
    help_of,
    label_of,
    number,
    percent,
    range_of,
    scale_key,
    scale_of,
)
from dashboard.judge.results import judgment_row
from dashboard.judge.selection import OpenedJudgeRun
from dashboard.kit.components import Row, current_theme, draw_figure
from dashboard.kit.figures import short
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.messages import sentence
from dashboard.words import plain
from data.judge.findings import TrustReport
from data.judge.trust import OtherJudge, PeopleSource, graded_twice

# A judge compared with people: the source of their grades, the scale, and the agreement.

LEFT_OUT = "left out"


def draw_people(opened: OpenedJudgeRun, found: TrustReport) -> None:
    if not found.sources or found.source is None:
        st.info(
            "Not measured: no person graded the same publications as this judge. Import a collection with "
            "judgments for the same queries and publications on the page Retrievers, or overrule "
            "some grades in the view Queries."
        )
        return
    labels = {key: f"{each.label} ({each.n:,})" for key, each in found.sources.items()}
    state.settle_named(SOURCE, list(labels))
    st.selectbox("Human grades", list(labels), key=SOURCE, format_func=lambda key: labels.get(key, key))
    source = found.sources[found.source]
    state.write_in_link(SOURCE, [found.source])
    if source.note:
        st.warning(plain(source.note), icon=":material/warning:")
    _draw_scale(opened, found.source, source)
    if found.people is not None:
        _draw_numbers(opened, found.people, source)


def _draw_scale(opened: OpenedJudgeRun, key: str, source: PeopleSource) -> None:
    rubric, scale = opened.judge.rubric, scale_of(opened, source)
    names = {str(grade.points): f"{grade.points} {grade.name}" for grade in rubric.grades}
    text = ", ".join(f"{value} counts as {scale.get(value, LEFT_OUT)}" for value in source.values)
    st.caption(plain(f"Human values on the judge's scale: {text}."))
    with st.expander("Map human values to grades", icon=":material/swap_horiz:"):
        st.caption(
            "Suggested mapping: a scale with the same highest grade is used as it is; other scales are stretched "
            "evenly. Correct it if the values mean something else."
        )
        store_key = scale_key(opened, key)
        edited = st.data_editor(
            [
                {
                    "value": value,
                    "given": n,
                    "counts": names[str(scale[value])] if value in scale else LEFT_OUT,
                }
                for value, n in source.values.items()
            ],
            key=f"edit-{store_key}-{state.flag(store_key)}",
            hide_index=True,
            column_config={
                "value": st.column_config.NumberColumn("Value", disabled=True),
                "given": st.column_config.NumberColumn("Count", disabled=True, format="localized"),
                "counts": st.column_config.SelectboxColumn(
                    "Counts as", options=[*names.values(), LEFT_OUT], required=True, width="medium"
                ),
            },
        )
        if st.button("Apply", key=f"use-{store_key}"):
            points_of = {name: int(points) for points, name in names.items()}
            wanted = _scale(edited, points_of)
            try:
                state.set_value(store_key, dict(checked_scale(wanted, rubric.points)))
            except InputError as e:
                st.error(plain(sentence(str(e))))
                return
            state.raise_flag(store_key)
            st.rerun()


def _scale(edited: Any, points_of: Mapping[str, int]) -> dict[int, int]:
    return {int(row["value"]): points_of[row["counts"]] for row in edited if row.get("counts") in points_of}


def triples_group(opened: OpenedJudgeRun, name: str, others: Mapping[str, Row]) -> PublicationGroup:
    """List triples by their keys: the judge's own grade of each, and next to it the others' grades."""
    text_of = {query.query_id: query.text for query in opened.field.queries}
    judged = {each.triple_key: each for each in reversed(opened.judged)}
    rows = tuple(
        {**judgment_row(judged[key], text_of[judged[key].candidate.query_id], judge_alone=True), **given}
        for key, given in others.items()
    )
    return PublicationGroup(name, rows=rows, noun="triple")


def people_group(
    opened: OpenedJudgeRun, source: PeopleSource, scale: Scale, *, judge: int | None = None, people: int | None = None
) -> PublicationGroup:
    """Return the triples with these grades of the judge and of people; None: any grade."""
    pairs = graded_twice(cache.workspace().store, opened.row.run_id, opened.judged, source)
    listed = {
        pair.triple_key: {"People's value": pair.human}
        for pair in pairs
        if pair.human in scale and judge in (None, pair.judge) and people in (None, scale[pair.human])
    }
    grades = [f"{who} {grade}" for who, grade in (("Judge", judge), ("People", people)) if grade is not None]
    return triples_group(opened, ", ".join(grades), listed)


def _draw_numbers(opened: OpenedJudgeRun, people: GradeAgreement, source: PeopleSource) -> None:
    rubric = opened.judge.rubric
    numbers: list[tuple[str, str, str]] = [
        (
            "kappa_quadratic",
            number(people.quadratic.value),
            people.quadratic.reason or range_of(people.quadratic_range),
        ),
        ("kappa", number(people.kappa.value), people.kappa.reason),
        ("raw", percent(people.raw.value), people.raw.reason),
        ("within_one", percent(people.within_one.value), people.within_one.reason),
    ]
    with st.container(horizontal=True):
        for metric_id, value, more in numbers:
            with st.container(width="content"):
                st.metric(label_of(metric_id), value, help=help_of(metric_id))
                if more:
                    st.caption(plain(more))
        gap = people.gap.value
        with st.container(width="content"):
            st.metric(
                label_of("gap"),
                "–" if gap is None else f"{rubric.shown(gap):+.1f}",
                help=help_of("gap"),
            )
            st.caption(plain(ends_of(people.gap, factor=rubric.shown_factor, digits=1)))
    st.caption(plain(_agreement_words(people)))
    rows, points = table_rows(people.table, "Judge", "People"), rubric.points

    def of_grades(judge: object, given: object) -> PublicationGroup:
        return people_group(opened, source, people.scale, judge=int(str(judge)), people=int(str(given)))

    draw_figure(
        table_figure(people.table, rubric, judge="judge", other="people", theme=current_theme()),
        key="judge-trust-table",
        name=f"{opened.row.name} judge and people",
        reading="rows are the judge's grades, columns the human grades; in framed cells both agree.",
        rows=rows,
        group_of=lambda point: of_grades(points[int(point["y"])], points[int(point["x"])]),
        group_of_row=lambda row, _: of_grades(rows[row]["Judge"], rows[row]["People"]),
        click="Click a number to list its triples.",
    )
    rates = {"judge": people.judge_rates, "people": people.human_rates}
    _draw_rates(
        rates,
        rubric,
        lambda who, grade: people_group(opened, source, people.scale, **{who: grade}),
        key="judge-trust-rates",
        name=f"{opened.row.name} base rates",
        reading="bars of different height at a grade mean that one side gives it more often. With such base "
        "rates, chance-corrected agreement is more informative than raw agreement.",
    )


def _draw_rates(
    rates: Mapping[str, Mapping[int, float]],
    rubric: Rubric,
    group_of: Callable[[str, int], PublicationGroup],
    **more: Any,
) -> None:
    """Draw the rates of each grade. `group_of`: the triples to which a judge or people gave a grade."""
    names, rows = list(rates), rate_rows(rates, rubric)
    draw_figure(
        rates_figure(rates, rubric, theme=current_theme()),
        rows=rows,
        group_of=lambda point: group_of(names[point["curve_number"]], int(point["x"])),
        group_of_row=lambda row, _: group_of(str(rows[row]["Grader"]), int(str(rows[row]["Grade"]))),
        click="Click a bar to list its triples.",
        **more,
    )


def _agreement_words(people: GradeAgreement) -> str:
    queries = many(people.n_queries, "query")
    parts = [f"{people.n:,} pairs of {queries}"]
    if people.n_left_out:
        parts.append(f"{people.n_left_out:,} more left out because their value maps to no grade")
    parts.append(f"relevant (grade {people.cut} or higher) against not relevant: kappa {_kappa(people.kappa_at_cut)}")
    return (
        f"{'; '.join(parts)}. Publications that people did not judge are not compared and never count as not relevant."
    )


def _kappa(agreed: JudgeAgreement) -> str:
    return number(agreed.value) if agreed.value is not None else f"– ({agreed.reason})"


# A judge compared with other judges of the same triples: pairs, majorities, and differences.

MOST_QUERIES, LONGEST = 50, 90


def draw_judges(opened: OpenedJudgeRun, found: TrustReport) -> None:
    judges = found.judges
    if judges is None:
        st.info(
            "Not measured: no other judge graded the same publications. In the view Run, judge them with another "
            "model, or with the reason before the grade. Two judges of the same triples are enough "
            "for a comparison."
        )
        return
    st.caption(plain(f"Judges that graded some of the same triples on the same scale: {'; '.join(judges.names)}."))
    _draw_pairs(opened, found, judges)
    _draw_majority(judges)
    _draw_judge_rates(opened, found)
    _draw_queries(opened, found, judges)


def judges_group(
    opened: OpenedJudgeRun, name: str, others: Sequence[OtherJudge], keys: Iterable[str]
) -> PublicationGroup:
    listed = {key: {each.name: each.grades.get(key) for each in others} for key in keys}
    return triples_group(opened, name, listed)


def pair_group(opened: OpenedJudgeRun, found: TrustReport, pair: JudgePair) -> PublicationGroup:
    """Return the triples graded by both judges of a pair."""
    both = [each for each in found.others if each.name in (pair.first, pair.second)]
    keys = dict.fromkeys(each.triple_key for each in opened.judged)
    common = [key for key in keys if all(key in each.grades for each in both)]
    return judges_group(opened, f"{pair.first} and {pair.second}", both, common)


def _draw_pairs(opened: OpenedJudgeRun, found: TrustReport, judges: Judges) -> None:
    factor = opened.judge.rubric.shown_factor
    draw_table(
        [
            {
                "Judges": f"{pair.first} and {pair.second}",
                "Common": pair.raw.n,
                label_of("kappa_quadratic"): number(pair.quadratic.value),
                "95 % range": NONE if pair.quadratic.value is None else range_of(pair.quadratic_range),
                label_of("kappa"): number(pair.kappa.value),
                label_of("raw"): percent(pair.raw.value),
                label_of("within_one"): percent(pair.within_one.value),
                "Second − first": "–" if pair.gap.value is None else f"{factor * pair.gap.value:+.1f}",
                "95 % range of the difference": ends_of(pair.gap, factor=factor, digits=1),
                "Note": pair.quadratic.reason,
            }
            for pair in judges.pairs
        ],
        lambda row, column: pair_group(opened, found, judges.pairs[row]) if column == "Common" else None,
        key="judge-trust-pairs",
        hint="Click a number of common triples to list them.",
        column_config={
            label_of(metric_id): st.column_config.TextColumn(help=help_of(metric_id))
            for metric_id in ("kappa_quadratic", "kappa", "raw", "within_one")
        },
    )
    st.caption("Judges that agree can still be wrong together; only human grades can show that.")


def _draw_majority(judges: Judges) -> None:
    n = len(judges.majorities)
    with st.container(horizontal=True):
        st.metric(
            "Majority grade",
            percent((n - judges.n_split) / n if n else None),
            help="Triples that got the same grade from more than half of their judges. Triples without a "
            "majority get no grade.",
            width="content",
        )
        st.metric(label_of("alpha_ordinal"), number(judges.alpha.value), help=help_of("alpha_ordinal"), width="content")
        for name, agreed in judges.against_others.items():
            st.metric(
                f"{plain(short(name, 24))} and the majority of the others",
                number(agreed.value),
                help="Weighted kappa with the majority of the other judges; its own vote is excluded.",
                width="content",
            )
    split = f" {judges.n_split:,} of them have no majority." if judges.n_split else ""
    st.caption(f"{n:,} triples were graded by at least two judges.{split}")


def _draw_judge_rates(opened: OpenedJudgeRun, found: TrustReport) -> None:
    grades = {each.name: each.grades for each in found.others}
    common = [key for key in found.others[0].grades if all(key in given for given in grades.values())]
    if not common:
        st.caption("No triple was graded by all judges.")
        return

    def group_of(who: str, grade: int) -> PublicationGroup:
        keys = [key for key in common if grades[who][key] == grade]
        return judges_group(opened, f"{who}, grade {grade}", found.others, keys)

    _draw_rates(
        {name: base_rates([given[key] for key in common]) for name, given in grades.items()},
        opened.judge.rubric,
        group_of,
        key="judge-trust-judges",
        name=f"{opened.row.name} judges' grades",
        reading="bars of different height at a grade mean that one judge gives it more often.",
        notes=[f"Only the {len(common):,} triples that all judges graded."],
    )


def query_group(opened: OpenedJudgeRun, found: TrustReport, judges: Judges, query_id: str) -> PublicationGroup:
    """Return the triples of a query graded by at least two judges."""
    keys = [each.triple_key for each in judges.majorities if each.query_id == query_id]
    return judges_group(opened, query_id, found.others, keys)


def _draw_queries(opened: OpenedJudgeRun, found: TrustReport, judges: Judges) -> None:
    st.markdown("### Queries with the largest differences")
    text_of = {query.query_id: query.text for query in opened.field.queries}
    factor = opened.judge.rubric.shown_factor
    listed = judges.queries[:MOST_QUERIES]
    draw_table(
        [
            {
                "Query": short(text_of.get(each.query_id, each.query_id), LONGEST),
                "Triples": each.n,
                "Mean difference": round(factor * each.mean_spread, 1),
                "Largest difference": factor * each.largest_spread,
                **{
                    name: None if mean is None else round(factor * mean, 1)
                    for name, mean in zip(judges.names, each.means, strict=True)
                },
            }
            for each in listed
        ],
        lambda row, column: query_group(opened, found, judges, listed[row].query_id) if column == "Triples" else None,
        key="judge-trust-queries",
        hint="Click a number of triples to list them.",
        column_config={"Query": st.column_config.TextColumn(width="large")},
    )
    st.caption(
        f"Scores on the displayed scale, up to {opened.judge.rubric.shown_max:g}. Difference: the highest minus "
        "the lowest grade of a triple."
    )
