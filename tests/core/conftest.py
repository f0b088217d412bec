"""Where hypothesis keeps its examples: with pytest's cache, so that no folder appears at the root."""

from __future__ import annotations

import pytest
from hypothesis.configuration import set_hypothesis_home_dir


def pytest_configure(config: pytest.Config) -> None:
    """Runs when this folder's tests are collected."""
    if config.cache is not None:
        set_hypothesis_home_dir(config.cache.mkdir("hypothesis"))
