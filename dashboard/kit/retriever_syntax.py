"""The syntax of retrievers, for the help of the commands that accept them."""

from __future__ import annotations

from core.retrieval.specs import PRESETS, spec_lines

SYNTAX = "\n".join(
    [
        "\b",
        "Syntax of retrievers: KIND or KIND:SETTING=VALUE,SETTING=VALUE. The name of the first setting is optional",
        "if it is in capitals. Omitted settings take the value shown, or the first one shown.",
        *(f"  {line}" for line in spec_lines()),
        "Examples: bm25:k1=0.9,b=0.4 dense:st:NAME_OR_FOLDER dense:openai:MODEL",
        "hybrid:lsa,fusion=weighted,weight=0.7 llm_reranker:gpt-4o-mini,depth=10",
        f"Presets: {', '.join(preset.name for preset in PRESETS if preset.spec)}.",
    ]
)
