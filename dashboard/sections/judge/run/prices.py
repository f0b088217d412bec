"""What models cost, to be edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.errors import InputError
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.words import plain
from data.judging.prices import price_rows, save_prices

FLAG = "judge-prices"
TABLE_PX = 220


def draw_prices(model: str, *, is_local: bool = False) -> None:
    """The table; the model's own row is there even where nobody knows its price.

    `is_local`: it runs on one's own machine, so the price is not what one looks for.
    """
    store = cache.workspace().store
    rows = price_rows(store)
    is_known = any(row.model == model for row in rows)
    with st.expander("Prices", icon=":material/payments:", expanded=not is_known and not is_local):
        table = [
            {"model": row.model, "prompt": f"{row.prompt:g}", "answer": f"{row.answer:g}", "read": row.read_on}
            for row in rows
        ]
        if not is_known:
            table.insert(0, {"model": model, "prompt": "", "answer": "", "read": ""})
        edited = st.data_editor(
            table,
            key=f"judge-prices-{state.flag(FLAG)}-{model}",
            num_rows="dynamic",
            hide_index=True,
            height=min(38 + 35 * (len(table) + 1), TABLE_PX),
            column_config={
                "model": st.column_config.TextColumn("Model", width="medium", max_chars=200),
                "prompt": st.column_config.TextColumn("$ per million prompt tokens", alignment="right"),
                "answer": st.column_config.TextColumn("$ per million answer tokens", alignment="right"),
                "read": st.column_config.TextColumn("As of", disabled=True),
            },
        )
        if st.button("Keep these prices", key="judge-keep-prices", icon=":material/save:"):
            _keep(edited, model)
        st.caption("Providers change their prices: compare these with your provider's list.")


def _keep(edited: Sequence[Mapping[str, object]], model: str) -> None:
    store = cache.workspace().store
    unpriced = [row for row in edited if row.get("model") == model and not row.get("prompt") and not row.get("answer")]
    try:
        save_prices(store, [row for row in edited if row not in unpriced])
    except InputError as e:
        st.error(plain(sentence(str(e))), icon=":material/error:")
        return
    state.raise_flag(FLAG)
    state.say_once("judge", "The prices are kept.")
    st.rerun()
