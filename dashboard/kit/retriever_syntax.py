"""The syntax of retrievers, for the help of the commands that accept them."""

from __future__ import annotations

from core.retrieval.specs import PRESETS, spec_lines

SYNTAX = "\n".join(
    [
        "\b",
        "How retrievers are written: KIND or KIND:SETTING=VALUE,SETTING=VALUE. The first setting needs no name",
        "where it is in capitals; what is left out has the value shown, or the first of those shown.",
        *(f"  {line}" for line in spec_lines()),
        "For example bm25:k1=0.9,b=0.4 dense:st:NAME_OR_FOLDER dense:openai:MODEL",
        "hybrid:lsa,fusion=weighted,weight=0.7 llm_reranker:gpt-4o-mini,depth=10",
        f"By name: {', '.join(preset.name for preset in PRESETS if preset.spec)}.",
    ]
)
