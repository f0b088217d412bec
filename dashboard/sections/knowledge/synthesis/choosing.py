"""What a new synthesis is made by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import InputError
from core.knowledge.synthesis.reading import ROLES, RULES, SynthesisSettings, fitting_roles
from core.knowledge.templates import Template, question_words
from dashboard.messages import sentence
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.demo_writer import MODEL, NOTE

MODEL_HELP = (
    "The name of a model at OPENAI_BASE_URL (the key is in OPENAI_API_KEY), or demo, which is a script and no language "
    "model."
)
DEFAULT = SynthesisSettings()


def draw_settings(base: KnowledgeBase, templates: Sequence[Template]) -> tuple[str, SynthesisSettings] | None:
    """Its name and settings; None while they make no sense."""
    left, middle, right = st.columns([0.45, 0.2, 0.35])
    name = left.text_input("Name", value=base.about.name, key="synthesis-name", max_chars=80)
    n = int(middle.number_input("Queries", 1, 20_000, 50, key="synthesis-n", help="How many are begun."))
    roles = right.multiselect(
        "Asked as",
        list(ROLES),
        default=[fitting_roles(base.about.templates)[0].role_id],
        key="synthesis-roles",
        format_func=lambda role_id: ROLES[role_id].label,
        help="Queries are worded as these people would word them; several take turns.",
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
        "Checks answers", value=MODEL, key="synthesis-filter", help=f"Several, with commas. {MODEL_HELP}"
    )
    return {
        "extract": extract.text_input(
            "Reads properties", value=MODEL, key="synthesis-extract", help=MODEL_HELP
        ).strip(),
        "fuse": fuse.text_input("Words the query", value=MODEL, key="synthesis-fuse", help=MODEL_HELP).strip(),
        "rewrite": rewrite.text_input(
            "Words it anew", value="", key="synthesis-rewrite", placeholder="Nobody", help=MODEL_HELP
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
                "Most answers of a relation",
                1,
                1_000,
                DEFAULT.most_answers,
                key="synthesis-most",
                help="A relation that more entities answer is not taken.",
            )
        ),
        "most_checked": int(
            c.number_input(
                "Most answers checked",
                0,
                1_000,
                DEFAULT.most_checked,
                key="synthesis-checked",
                help="Besides the one that the query is made from.",
            )
        ),
        "rule": rule,
        "seed": int(e.number_input("Seed", 0, 2**31 - 1, 0, key="synthesis-seed")),
    }
