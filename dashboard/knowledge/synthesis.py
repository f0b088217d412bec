"""The Synthesis view: plan, run and inspect the synthesis of queries by language models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

import streamlit as st

from core.errors import InputError
from core.knowledge.synthesis import ROLES, RULES, SynthesisCall, SynthesisSettings, SynthesizedQuery, fitting_roles
from core.knowledge.synthesis_steps import (
    AcceptanceRate,
    SynthesisSummary,
    TokenPrice,
    checked_ids,
    summarise,
    total_cost,
)
from core.knowledge.templates import Template, question_words
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.kit.figures import short
from dashboard.kit.link_controls import choose_one
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.knowledge.entity_display import entity_group, found
from dashboard.knowledge.questions import answers_of
from dashboard.messages import guarded, sentence
from dashboard.status import JobFamily, draw_early_end, is_watched
from dashboard.words import plain
from data.collections import is_stored
from data.knowledge.base import KnowledgeBase
from data.knowledge.demo_writer import MODEL, NOTE
from data.knowledge.synthesis import SynthesisPlan, dry_run, open_models, settled, synthesise
from data.knowledge.synthesis_runs import (
    MemorySynthesisLog,
    StoreSynthesisLog,
    SynthesisRow,
    begin,
    collection_of,
    delete_synthesis,
    exported,
    is_begun,
    list_syntheses,
    load_made,
    save_made,
    stark_zip,
    synthesis_id_of,
)
from data.knowledge.templates import templates_of
from data.models.destination import find_destination
from data.models.prices import FREE
from data.store import content_hash

MODEL_HELP = (
    "The name of a model at OPENAI_BASE_URL (the key is in OPENAI_API_KEY), or demo, which is a script, not a "
    "language model."
)
DEFAULT = SynthesisSettings()


def draw_settings(base: KnowledgeBase, templates: Sequence[Template]) -> tuple[str, SynthesisSettings] | None:
    """Choose a name and settings; None while they are invalid."""
    left, middle, right = st.columns([0.45, 0.2, 0.35])
    name = left.text_input("Name", value=base.about.name, key="synthesis-name", max_chars=80)
    n = int(middle.number_input("Queries", 1, 20_000, 50, key="synthesis-n", help="Number of queries to start."))
    roles = right.multiselect(
        "Roles",
        list(ROLES),
        default=[fitting_roles(base.about.templates)[0].role_id],
        key="synthesis-roles",
        format_func=lambda role_id: ROLES[role_id].label,
        help="Queries are phrased as these people would; several take turns.",
    )
    models = _models()
    with st.expander("More", icon=":material/tune:"):
        more = _more(templates)
    try:
        settings = SynthesisSettings(n=n, roles=tuple(roles), **models, **more)
    except InputError as e:
        st.warning(plain(sentence(str(e))))
        return None
    if MODEL in settings.models:
        st.caption(plain(sentence(NOTE)))
    return name.strip() or base.about.name, settings


def _models() -> dict[str, Any]:
    extract, fuse, rewrite, filters = st.columns(4)
    given = filters.text_input(
        "Checks answers", value=MODEL, key="synthesis-filter", help=f"Separate several with commas. {MODEL_HELP}"
    )
    return {
        "extract": extract.text_input(
            "Reads properties", value=MODEL, key="synthesis-extract", help=MODEL_HELP
        ).strip(),
        "fuse": fuse.text_input("Words the query", value=MODEL, key="synthesis-fuse", help=MODEL_HELP).strip(),
        "rewrite": rewrite.text_input(
            "Paraphrases the query", value="", key="synthesis-rewrite", placeholder="None", help=MODEL_HELP
        ).strip(),
        "filters": tuple(dict.fromkeys(each.strip() for each in given.split(",") if each.strip())),
    }


def _more(templates: Sequence[Template]) -> dict[str, Any]:
    by_id = {template.template_id: template for template in templates}
    chosen = st.multiselect(
        "Templates",
        list(by_id),
        default=list(by_id),
        key="synthesis-templates",
        format_func=lambda each: question_words(by_id[each], {}) or each,
        help="Each gets the same share of the queries.",
    )
    a, b, c = st.columns(3)
    d, e, _ = st.columns(3)
    rule = d.selectbox(
        "An answer counts if",
        RULES,
        key="synthesis-rule",
        format_func=lambda each: "all models accept it" if each == "all" else "more than half accept it",
    )
    return {
        "templates": tuple((template_id, 1.0) for template_id in chosen or by_id),
        "n_properties": int(a.number_input("Properties", 1, 8, 1, key="synthesis-properties", help="At most.")),
        "most_answers": int(
            b.number_input(
                "Maximum answers of a relation",
                1,
                1_000,
                DEFAULT.most_answers,
                key="synthesis-most",
                help="Relations with more answers are skipped.",
            )
        ),
        "most_checked": int(
            c.number_input(
                "Maximum answers checked",
                0,
                1_000,
                DEFAULT.most_checked,
                key="synthesis-checked",
                help="In addition to the one that the query is made from.",
            )
        ),
        "rule": rule,
        "seed": int(e.number_input("Seed", 0, 2**31 - 1, 0, key="synthesis-seed")),
    }


# The requests and the cost of a synthesis, before it starts.

STEP_LABELS = {
    "extract": "Read properties",
    "fuse": "Word the query",
    "rewrite": "Paraphrase the query",
    "filter": "Check answers",
}

COUNTS = ("Questions", "At most", "Prompt tokens", "Answer tokens")


def draw_plan(base: KnowledgeBase, templates: Sequence[Template], settings: SynthesisSettings, label: str) -> bool:
    """Draw the dry run, then a start button; return True if that was pressed."""
    settings = settled(settings, templates)
    store, synthesis_id = cache.workspace().store, synthesis_id_of(base, settings)
    kept = store.rows("SELECT count(*) FROM synthesis_calls WHERE synthesis_id = ?", [synthesis_id])[0][0]
    key = content_hash([base.about.key, json.dumps(asdict(settings)), str(kept)])
    asked = f"synthesis-planned-{synthesis_id}"
    if st.button(
        "Dry run",
        key=f"dry-{synthesis_id}",
        icon=":material/calculate:",
        help="Samples the relations and counts questions, tokens and dollars. Nothing is sent.",
    ):
        state.set_value(asked, key)
    if state.value(asked) != key:
        st.caption("Do a dry run first to see the number of questions and their cost.")
        return False
    keeper = StoreSynthesisLog(store, synthesis_id) if is_begun(store, synthesis_id) else MemorySynthesisLog()
    plan = found(
        ["synthesis-plan", key],
        "Counting questions",
        lambda on_stage: dry_run(base, templates, settings, {}, keeper=keeper, on_stage=on_stage),
    )
    return plan is not None and _draw(plan, label, synthesis_id)


def _draw(plan: SynthesisPlan, label: str, synthesis_id: str) -> bool:
    if not plan.loads:
        st.info("These queries already exist: choose them above, or change the seed.")
        return False
    prices = _prices(plan)
    st.dataframe(
        {
            "Step": [STEP_LABELS[load.step] for load in plan.loads],
            "Model": [load.model for load in plan.loads],
            "Questions": [load.n_calls for load in plan.loads],
            "At most": [load.most_calls for load in plan.loads],
            "Prompt tokens": [load.n_prompt_tokens for load in plan.loads],
            "Answer tokens": [load.n_answer_tokens for load in plan.loads],
            "Dollars": [
                _dollars(load.cost(prices[load.model])[0]) if load.model in prices else "–" for load in plan.loads
            ],
        },
        hide_index=True,
        column_config={name: st.column_config.NumberColumn(format="localized") for name in COUNTS}
        | {"Dollars": st.column_config.TextColumn(alignment="right")},
    )
    cost = total_cost(plan.loads, prices)
    text = f"About ${cost[0]:,.2f}, at most ${cost[1]:,.2f}" if cost else "Enter the prices to see the cost"
    st.markdown(f"**{plain(sentence(text))}**")
    with suppress(InputError):  # shown where the models are opened
        goes = f" {find_destination().words}" if any(load.model != MODEL for load in plan.loads) else ""
        st.caption(plain(f"{plan.how} Nothing was sent yet.{goes}"))
    if plan.n_found < plan.n_sampled:
        st.warning(f"The templates give only {plan.n_found:,} different relations, so you get fewer queries.")
    return bool(st.button(label, key=f"write-{synthesis_id}", type="primary", icon=":material/play_arrow:"))


def _dollars(cost: float) -> str:
    return f"{cost:,.4f}" if cost else "0"


def _prices(plan: SynthesisPlan) -> Mapping[str, TokenPrice]:
    """Return the model prices entered by the user; the demo model is free."""
    prices = {MODEL: FREE}
    for model in dict.fromkeys(load.model for load in plan.loads if load.model != MODEL):
        prompt, answer = st.columns(2)
        name = plain(model)
        a = prompt.number_input(
            f"{name}: dollars per million prompt tokens", 0.0, 1e5, None, key=f"price-in-{model}", placeholder="?"
        )
        b = answer.number_input(
            f"{name}: dollars per million answer tokens", 0.0, 1e5, None, key=f"price-out-{model}", placeholder="?"
        )
        if a is not None and b is not None:
            prices[model] = TokenPrice(a, b)
    return prices


# Writing queries in the background: it can be stopped at any time, and resumed.

SYNTHESIS_JOBS = JobFamily("synthesis", lane="long")
"""Writing queries. The notes are its outcome."""


def start(base: KnowledgeBase, templates: Sequence[Template], settings: SynthesisSettings, name: str) -> str:
    """Start or resume a synthesis; return its id. A model without an API key is an error before any request."""
    settings = settled(settings, templates)
    models = open_models(settings)
    keeper = begin(cache.workspace().store, base, name, settings)

    def work(on_stage: OnStage) -> tuple[str, ...]:
        return tuple(synthesise(base, templates, settings, models, keeper, on_stage=on_stage).notes)

    SYNTHESIS_JOBS.start(keeper.synthesis_id, "Writing queries", work)
    return keeper.synthesis_id


def draw_progress(row: SynthesisRow) -> bool:
    """Draw the progress and the reason why it ended; return True while it is running."""
    job = SYNTHESIS_JOBS.find(row.synthesis_id)
    if is_watched(job):
        return True
    if job is not None:
        for note in job.outcome:
            st.warning(plain(sentence(note)), icon=":material/warning:")
        draw_early_end(job, "Stopped. Answers are stored; resume to get the rest.", ":material/pause_circle:")
    return False


def draw_going_on(
    base: KnowledgeBase, templates: Sequence[Template], row: SynthesisRow, made: Sequence[SynthesizedQuery]
) -> None:
    n_waiting = row.settings.n - sum(each.outcome.state != "waiting" for each in made)
    waits = "1 query is unfinished" if n_waiting == 1 else f"{n_waiting:,} queries are unfinished"
    label = f"{waits}: resume" if n_waiting > 0 else "Write more queries"
    with st.expander(label, icon=":material/resume:" if n_waiting > 0 else ":material/add:", expanded=not made):
        n = int(
            st.number_input(
                "Queries in all",
                max(len(made), 1),
                20_000,
                max(row.settings.n, len(made)),
                key=f"more-{row.synthesis_id}",
            )
        )
        wanted = replace(row.settings, n=n)
        if n <= sum(each.outcome.state != "waiting" for each in made):
            st.caption("Enter a larger number than the current one.")
        elif draw_plan(base, templates, wanted, "Resume"):
            start(base, templates, wanted, row.name)
            st.rerun()


# The results of a synthesis: counts, the models' acceptance of the gold answer, and every query in a table.

TABLE_PX = 360
STATES = {
    "complete": "complete",
    "gold refused": "gold answer refused",
    "failed": "failed",
    "waiting": "waiting",
}


def answers_group(base: KnowledgeBase, made: SynthesizedQuery, column: str) -> PublicationGroup | None:
    """Return the answers counted in a cell of the table; None: it counts none, or its template was deleted."""
    sampled, query = made.sampled, made.outcome.query
    if column == "Answers":
        return entity_group(base, query, list(base.rows_of(made.outcome.accepted).values()))
    templates = {each.template_id: each for each in templates_of(base, cache.workspace().store)}
    template = templates.get(sampled.template_id) if column == "By relation" else None
    if template is None:
        return None
    given = {slot: base.entities(list(base.rows_of(ids).values())) for slot, ids in sampled.given.items()}
    rows = answers_of(base, template, given)
    return None if rows is None else entity_group(base, sampled.relation, rows)


def draw_results(base: KnowledgeBase, row: SynthesisRow, made: Sequence[SynthesizedQuery]) -> None:
    summary = summarise(made, row.settings.filters)
    _draw_numbers(summary)
    draw_table(
        [
            {
                "No.": each.sampled.item,
                "Query": each.outcome.query or each.outcome.reason,
                "Template": each.sampled.template_id,
                "Role": ROLES[each.sampled.role].label,
                "Properties": "; ".join(each.outcome.properties),
                "Answers": len(each.outcome.accepted),
                "By relation": each.sampled.n_answers,
                "State": STATES[each.outcome.state],
            }
            for each in made
        ],
        lambda at, column: answers_group(base, made[at], column),
        key=f"synthesis-{row.synthesis_id}",
        hint="Click a number of answers to list them.",
        height=min(TABLE_PX, 38 + 35 * len(made)),
        column_config={"Query": st.column_config.TextColumn(width="large")},
    )
    st.caption(
        "How to read this: By relation counts the entities that meet the relation, Answers those that also have "
        "the properties. Queries with a refused gold answer are not saved."
    )
    for reason, n in summary.reasons.items():
        st.caption(plain(f"{n:,} failed: {reason}."))
    if summary.n_unnamed:
        st.caption(
            f"Queries that don't name an entity that their answers depend on: {summary.n_unnamed:,}. No retriever "
            f"can know it."
        )


def _draw_numbers(summary: SynthesisSummary) -> None:
    states = summary.states
    columns = st.columns([0.2, 0.2, 0.2, 0.4])
    columns[0].metric("Complete", f"{states.get('complete', 0):,}")
    columns[1].metric("Gold refused", f"{states.get('gold refused', 0):,}")
    columns[2].metric("Failed", f"{states.get('failed', 0):,}")
    with columns[3]:
        st.metric(
            "Gold answers accepted",
            _share(summary.verification),
            help="The share of queries whose gold answer, the one that the query was made from, passes the check that "
            "every other answer has to pass.",
        )
        st.caption(_rate_words(summary.verification))
    if len(summary.by_model) > 1:
        st.caption(plain(" · ".join(f"{model}: {_rate_words(rate)}" for model, rate in summary.by_model.items())))


def _share(rate: AcceptanceRate) -> str:
    return "–" if rate.share is None else f"{100 * rate.share:.1f} %"


def _rate_words(rate: AcceptanceRate) -> str:
    if rate.interval is None:
        return "none checked yet"
    low, high = (100 * end for end in rate.interval)
    return f"{rate.n_yes:,} of {rate.n:,}, 95 % interval {low:.1f} to {high:.1f} %"


# One open query: its origin, every prompt, every answer, and the text extracted from it.

LONGEST, FEW = 110, 8
CALL_LABELS = {
    "extract": "Properties read by",
    "fuse": "Worded by",
    "rewrite": "Paraphrased by",
    "filter": "Checked by",
}
OPENED = "synthesis-item"


def draw_opened(
    base: KnowledgeBase, keeper: StoreSynthesisLog, row: SynthesisRow, made: Sequence[SynthesizedQuery]
) -> None:
    by_id = {str(each.sampled.item): each for each in made}
    item = choose_one(
        st.selectbox, "Open a query", list(by_id), OPENED, format_func=lambda each: _item_label(by_id, each)
    )
    opened = by_id[item]
    sampled, came = opened.sampled, opened.outcome
    st.markdown(f"**{plain(came.query or came.reason or 'Not worded yet')}**")
    st.caption(
        plain(
            f"Relation: {sampled.relation} · Properties: {'; '.join(came.properties) or 'none'} · "
            f"Made from: {sampled.gold_title} ({sampled.gold_id})"
        )
    )
    for note in (*came.notes, *(f"the query does not name {name}" for name in came.missing_names)):
        st.caption(plain(note))
    calls = keeper.calls(sampled.item)
    _draw_verdicts(base, row, opened)
    for call in calls:
        if call.place.step != "filter":
            _draw_call(call, _title(call))
    checks = {f"{_title(call)}: {_of(opened, call)}": call for call in calls if call.place.step == "filter"}
    if checks:
        chosen = st.selectbox("Open a check", list(checks), key=f"check-{row.synthesis_id}-{item}")
        _draw_call(checks[str(chosen)], str(chosen))


def _item_label(by_id: dict[str, SynthesizedQuery], item: str) -> str:
    made = by_id.get(item)
    return item if made is None else f"{item}: {short(made.outcome.query or made.outcome.reason or '–', LONGEST)}"


def _draw_verdicts(base: KnowledgeBase, row: SynthesisRow, opened: SynthesizedQuery) -> None:
    verdicts, accepted = opened.outcome.verdicts, opened.outcome.accepted
    if not verdicts:
        return
    gold = opened.sampled.gold_id
    rows = base.rows_of(list(verdicts))
    titles = {entity.entity_id: entity.title for entity in base.entities(list(rows.values()))}
    models = {model: [entries.get(model, "–") for entries in verdicts.values()] for model in row.settings.filters}
    st.dataframe(
        {
            "Answer": [f"{doc_id} (gold)" if doc_id == gold else doc_id for doc_id in verdicts],
            "Title": [titles.get(doc_id, "–") for doc_id in verdicts],
            "Counts": ["yes" if doc_id in accepted else "no" for doc_id in verdicts],
            **{f"Answer of {model}": entries for model, entries in models.items()},
        },
        hide_index=True,
        height="content" if len(verdicts) < FEW else 300,
    )


def _title(call: SynthesisCall) -> str:
    again = f", attempt {call.place.number + 1}" if call.place.number and call.place.step != "filter" else ""
    return f"{CALL_LABELS[call.place.step]} {call.place.model}{again}"


def _of(opened: SynthesizedQuery, call: SynthesisCall) -> str:
    ids = checked_ids(opened.sampled)
    return ids[call.place.number] if call.place.number < len(ids) else "?"


def _draw_call(call: SynthesisCall, title: str) -> None:
    """Draw a request and its response verbatim, never as Markdown."""
    with st.expander(plain(title)):
        words = "; ".join(call.read.texts) or f"nothing: {call.read.refused}"
        st.caption(plain(f"Read from the answer: {words}"))
        for name, text in (("Answer", call.answer), ("Prompt", call.prompt.user), ("Task", call.prompt.system)):
            st.caption(name)
            st.code(text or " ", language=None, wrap_lines=True)
        counts = [
            f"{n:,} tokens of {what}"
            for what, n in (("prompt", call.n_prompt_tokens), ("answer", call.n_answer_tokens))
            if n is not None
        ]
        st.caption(plain(" · ".join([*counts, call.fingerprint, call.made_at])))


# Exporting the queries: as a collection of the workspace, or as question files in STaRK's layout.


def draw_handing(base: KnowledgeBase, row: SynthesisRow, made: Sequence[SynthesizedQuery]) -> None:
    st.header("Export")
    n_refused = sum(each.outcome.state == "gold refused" for each in made)
    with_refused = n_refused > 0 and st.checkbox(
        f"Include the {n_refused:,} with a refused gold answer", key=f"refused-{row.synthesis_id}"
    )
    n = len(exported(made, with_refused=with_refused))
    if not n:
        st.caption("There is no complete query yet.")
    else:
        _draw_saving(base, row, made, n, with_refused)
    with st.popover("Delete this synthesis", icon=":material/delete:", type="tertiary"):
        st.caption("This also deletes its questions and answers. Saved collections are kept.")
        if st.button("Delete", key=f"delete-{row.synthesis_id}"):
            delete_synthesis(cache.workspace().store, row.synthesis_id)
            state.say_once("knowledge", f"{row.name}: deleted, with its questions and answers.")
            st.rerun()


def _draw_saving(
    base: KnowledgeBase, row: SynthesisRow, made: Sequence[SynthesizedQuery], n: int, with_refused: bool
) -> None:
    name_at, save_at, file_at = st.columns([0.46, 0.27, 0.27], vertical_alignment="bottom")
    name = name_at.text_input("Collection", value=f"{row.name}-queries", key=f"save-name-{row.synthesis_id}")
    there = is_stored(cache.workspace().store, name.strip())
    if save_at.button(
        "Replace the collection" if there else "Save as a collection",
        key=f"save-{row.synthesis_id}",
        icon=":material/save:",
        help="Queries are labelled with their template and its filled blanks, so you can compare retrievers by them.",
        width="stretch",
    ):
        kept = save_made(
            cache.workspace().store, base, made, row.settings, name, with_refused=with_refused, replace=there
        )
        cache.collections_changed()
        state.say_once("knowledge", f"{kept.name}: {kept.n_queries:,} queries saved. Open it on the page Retrievers.")
        st.rerun()
    collection = collection_of(base, made, row.settings, row.name, with_refused=with_refused, with_documents=False)
    file_at.download_button(
        "STaRK files",
        stark_zip(collection),
        file_name=f"{_stem(row.name)}-stark-qa.zip",
        mime="application/zip",
        icon=":material/download:",
        help=f"{n:,} questions with answers, and the splits, as STaRK publishes them.",
        width="stretch",
    )


def _stem(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in name).strip("-")[:60] or "queries"


# The view "Synthesis": start a new one, or open an existing one.

CHOICE, NEW, NEXT = "synthesis", "new", "next-synthesis"


def draw_synthesis(base: KnowledgeBase) -> None:
    st.caption(
        "Write new queries in four steps: sample a relation with entities for its blanks, let a model read "
        "properties from one answer, word a query from both, and check which other answers also have the properties."
    )
    rows = {row.synthesis_id: row for row in list_syntheses(cache.workspace().store, base.about.name)}
    row = _choose(rows)
    if row is None:
        _draw_new(base)
    else:
        _draw_one(base, row)


def _choose(rows: dict[str, SynthesisRow]) -> SynthesisRow | None:
    if not rows:
        return None
    options = [*rows, NEW]
    if (wanted := state.value(NEXT)) in rows:
        state.set_value(CHOICE, wanted)
        state.set_value(NEXT, None)
    return rows.get(
        choose_one(st.selectbox, "Synthesis", options, CHOICE, format_func=lambda each: _synthesis_label(rows, each))
    )


def _synthesis_label(rows: dict[str, SynthesisRow], synthesis_id: str) -> str:
    row = rows.get(synthesis_id)
    if row is None:
        return "New synthesis"
    return f"{row.name}, {row.settings.n:,} queries ({row.made_at[:16].replace('T', ' ')})"


def _draw_new(base: KnowledgeBase) -> None:
    templates = templates_of(base, cache.workspace().store)
    if not templates:
        st.info("This knowledge base has no templates. Write one in the view Questions.")
        return
    chosen = draw_settings(base, templates)
    if chosen is None:
        return
    name, settings = chosen
    if draw_plan(base, templates, settings, "Write the queries"):
        state.set_value(NEXT, start(base, templates, settings, name))
        st.rerun()


def _draw_one(base: KnowledgeBase, row: SynthesisRow) -> None:
    if draw_progress(row):
        return
    templates = templates_of(base, cache.workspace().store)
    keeper = StoreSynthesisLog(cache.workspace().store, row.synthesis_id)
    made = load_made(keeper, row.settings)
    st.caption(plain(sentence(_made_by(row))))
    with guarded():
        draw_going_on(base, templates, row, made)
    if not made:
        return
    draw_results(base, row, made)
    with guarded():
        draw_opened(base, keeper, row, made)
    with guarded():
        draw_handing(base, row, made)


def _made_by(row: SynthesisRow) -> str:
    s = row.settings
    rewrite = f", {s.rewrite} paraphrases them" if s.rewrite else ""
    checked = f"{', '.join(s.filters)} {'check' if len(s.filters) > 1 else 'checks'} answers"
    counts = f"{s.rule} of them must accept" if len(s.filters) > 1 else ""
    text = f"{s.extract} reads properties, {s.fuse} words queries{rewrite}, {checked}{', ' if counts else ''}{counts}"
    return f"{text}. Roles: {', '.join(s.roles)}. Seed {s.seed}."
