"""Pages of these tests have no browser that could miss what a run has drawn."""

from __future__ import annotations

import pytest

from dashboard.audit import fields


@pytest.fixture(autouse=True)
def _everything_arrives_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "SENT_SECONDS", 0.0)
