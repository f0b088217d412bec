"""The syntax of retrievers, for the help of the commands that accept them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from core.retrieval.specs import PRESETS, spec_lines

LINE = 76


def _written(spec: str) -> Iterator[str]:
    """Split one form into lines, each ending after a comma."""
    line = "  "
    for part in re.findall(r"[^,]+,?", spec):
        if len(line + part) > LINE:
            yield line
            line = "      "
        line += part
    yield line


SYNTAX = "\n".join(
    [
        "\b",
        "Syntax of retrievers: KIND or KIND:SETTING=VALUE,SETTING=VALUE.",
        "The name of the first setting is optional if it is in capitals.",
        "Omitted settings take the value shown, or the first one shown.",
        *(line for spec in spec_lines() for line in _written(spec)),
        "Examples: bm25:k1=0.9,b=0.4 dense:st:NAME_OR_FOLDER dense:openai:MODEL",
        "hybrid:lsa,fusion=weighted,weight=0.7 llm_reranker:gpt-4o-mini,depth=10",
        *wrap(f"Presets: {', '.join(preset.name for preset in PRESETS if preset.spec)}.", LINE),
    ]
)
