"""Edit model prices, and format tokens, dollars and minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.errors import InputError
from dashboard import cache, state
from dashboard.messages import draw_problem
from data.models.prices import find_price, price_rows, save_prices

# Tokens, dollars and minutes of a dry run, in a few characters.


def in_short(n: int) -> str:
    """Format a large number in a few characters.

    >>> in_short(950), in_short(12_300), in_short(4_560_000)
    ('950', '12.3 k', '4.56 M')
    """
    if n < 1_000:
        return f"{n:,}"
    return f"{n / 1e3:.3g} k" if n < 999_500 else f"{n / 1e6:,.3g} M" if n < 1e9 else f"{n / 1e6:,.0f} M"


def dollars(cost: tuple[float, float] | None) -> str:
    """Format the expected cost, the first of (expected, at most).

    >>> [dollars(cost) for cost in (None, (0.0, 0.0), (0.002, 0.1), (1234.5, 3e3))]
    ['–', '0', '< 0.01', '1,234.50']
    """
    if cost is None:
        return "–"
    expected = cost[0]
    return f"{expected:,.2f}" if expected >= 0.01 else "< 0.01" if expected else "0"


def how_long(minutes: float) -> str:
    """Format a duration.

    >>> how_long(0), how_long(0.001), how_long(0.5), how_long(12.4), how_long(200)
    ('0 s', '1 s', '30 s', '12 min', '3.3 h')
    """
    if not minutes:
        return "0 s"
    if minutes < 2:
        return f"{max(round(60 * minutes), 1)} s"
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"


# Prices of models, editable.

FLAG = "judge-prices"
TABLE_PX = 220


def draw_prices(model: str, *, is_local: bool = False) -> None:
    """Draw the price table; it includes the model's own row even if its price is unknown.

    `is_local`: the model runs on the visitor's machine, so the table starts collapsed.
    """
    store = cache.workspace().store
    rows = price_rows(store)
    is_listed = any(row.model == model for row in rows)
    is_known = find_price(model, {row.model: row.price for row in rows}) is not None
    with st.expander("Prices", icon=":material/payments:", expanded=not is_known and not is_local):
        table = [
            {"model": row.model, "prompt": f"{row.prompt:g}", "answer": f"{row.answer:g}", "read": row.read_on}
            for row in rows
        ]
        if not is_listed:
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
        if st.button("Save prices", key="judge-keep-prices", icon=":material/save:"):
            _keep(edited, model)
        st.caption("Prices change. Check them against your provider's price list.")


def _keep(edited: Sequence[Mapping[str, object]], model: str) -> None:
    store = cache.workspace().store
    unpriced = [row for row in edited if row.get("model") == model and not row.get("prompt") and not row.get("answer")]
    try:
        save_prices(store, [row for row in edited if row not in unpriced])
    except InputError as e:
        draw_problem(str(e))
        return
    state.raise_flag(FLAG)
    state.say_once("judge", "Prices saved.")
    st.rerun()
