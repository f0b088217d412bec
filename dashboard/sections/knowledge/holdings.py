"""What a knowledge base holds."""

from __future__ import annotations

import streamlit as st

from data.knowledge.base import KnowledgeBase


def draw_holdings(base: KnowledgeBase) -> None:
    """Entities by type, relations by name and types."""
    left, right = st.columns(2)
    with left:
        st.dataframe({"Type": list(base.types), "Entities": [kind.n for kind in base.types.values()]}, hide_index=True)
    with right:
        st.dataframe(
            {
                "Relation": [kind.name for kind in base.relation_types],
                "From": [kind.source for kind in base.relation_types],
                "To": [kind.target for kind in base.relation_types],
                "Relations": [kind.n for kind in base.relation_types],
            },
            hide_index=True,
        )
