"""Whoever waits for work stops it."""

from __future__ import annotations

from core.protocols import OnStage


class Stopped(Exception):
    """What a job raises to stop."""


def stop_from(n: int) -> OnStage:
    """Stops when so many are done."""

    def report(done: int, total: int) -> None:
        if done >= n:
            raise Stopped

    return lambda stage: report
