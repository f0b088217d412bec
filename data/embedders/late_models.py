"""Models made for late interaction, such as ColBERT: a vector for each token, and other rules for a query's.

They come in the forms of three libraries; sentence-transformers reads all of them from its version 6 on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import FileError, NotFoundError
from core.types import Vectors
from core.vectors import normalise

MADE_FOR_IT = frozenset({"HF_ColBERT", "ColBERT", "MultiVectorEncoder"})
"""What such a model calls itself, in one of two files."""
TOO_OLD = 'models made for late interaction need sentence-transformers 6: pip install -U "sentence-transformers>=6,<7"'


def is_late_model(folder: Path) -> bool:
    """Whether the model in this folder was made for it; any other gives token vectors too, but was not trained to."""
    names: set[str] = set()
    for file, entry in (("config.json", "architectures"), ("config_sentence_transformers.json", "model_type")):
        try:
            said = json.loads((folder / file).read_text("utf-8")).get(entry)
        except (OSError, ValueError, AttributeError):
            continue
        names |= {said} if isinstance(said, str) else {name for name in said or () if isinstance(name, str)}
    return bool(names & MADE_FOR_IT)


def load_late_model(folder: str) -> Any:
    """Read one from a folder, without the network."""
    try:
        from sentence_transformers import MultiVectorEncoder
    except ImportError as e:
        raise NotFoundError(TOO_OLD) from e
    try:
        return MultiVectorEncoder(folder, local_files_only=True, trust_remote_code=False)
    # What a model's files can be wrong with has no one class.
    except Exception as e:
        raise FileError(f"{folder} can't be read as a model ({' '.join(str(e).split())[:200]})") from e


def token_rows(encode: Callable[..., Any], texts: Sequence[str]) -> list[Vectors]:
    """What such a model compares, as unit rows: which tokens count is its own choice."""
    found = encode(list(texts), batch_size=16, show_progress_bar=False, convert_to_numpy=True)
    return [normalise(np.asarray(rows, dtype=np.float32))[0] for rows in found]
