"""What a synthesis would ask and cost, before it is begun."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import streamlit as st

from core.knowledge.synthesis.reading import SynthesisSettings
from core.knowledge.synthesis.steps import Price, total_cost
from core.knowledge.templates import Template
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.knowledge.entities.showing import found
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.demo_writer import MODEL
from data.knowledge.synthesis.keeping import InMemory, InStore, is_begun, synthesis_id_of
from data.knowledge.synthesis.sampling import FREE, Plan, dry_run, settled
from data.store import content_hash

STEP_LABELS = {
    "extract": "Read properties",
    "fuse": "Word the query",
    "rewrite": "Word it anew",
    "filter": "Check answers",
}

COUNTS = ("Questions", "At most", "Prompt tokens", "Answer tokens")


def draw_plan(base: KnowledgeBase, templates: Sequence[Template], settings: SynthesisSettings, label: str) -> bool:
    """First the dry run, then a button that begins; whether that was pressed."""
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
        state.say(asked, key)
    if state.said(asked) != key:
        st.caption("Do a dry run first: it says how many questions are asked, and what they cost.")
        return False
    keeper = InStore(store, synthesis_id) if is_begun(store, synthesis_id) else InMemory()
    plan = found(
        ["synthesis-plan", key],
        "Counting questions",
        lambda on_stage: dry_run(base, templates, settings, {}, keeper=keeper, on_stage=on_stage),
    )
    return plan is not None and _draw(plan, label, synthesis_id)


def _draw(plan: Plan, label: str, synthesis_id: str) -> bool:
    if not plan.loads:
        st.info("All of this was asked and answered before: choose it above, or change the seed.")
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
    said = f"About ${cost[0]:,.2f}, at most ${cost[1]:,.2f}" if cost else "Give the prices to see what it costs"
    st.markdown(f"**{plain(sentence(said))}**")
    st.caption(plain(f"{plan.how} Nothing was sent yet."))
    if plan.n_found < plan.n_sampled:
        st.warning(f"The templates give only {plan.n_found:,} different relations, so fewer queries come out.")
    return bool(st.button(label, key=f"write-{synthesis_id}", type="primary", icon=":material/play_arrow:"))


def _dollars(cost: float) -> str:
    return f"{cost:,.4f}" if cost else "0"


def _prices(plan: Plan) -> Mapping[str, Price]:
    """What the user says that models cost; the demo model is free."""
    prices = {MODEL: FREE}
    for model in dict.fromkeys(load.model for load in plan.loads if load.model != MODEL):
        prompt, answer = st.columns(2)
        name = plain(model)
        a = prompt.number_input(
            f"{name}: dollars for a million prompt tokens", 0.0, 1e5, None, key=f"price-in-{model}", placeholder="?"
        )
        b = answer.number_input(
            f"{name}: dollars for a million answer tokens", 0.0, 1e5, None, key=f"price-out-{model}", placeholder="?"
        )
        if a is not None and b is not None:
            prices[model] = Price(a, b)
    return prices
