"""Waits between attempts: as long as the service asks, otherwise growing and spread at random."""

from __future__ import annotations

from email.utils import formatdate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.http import client
from data.http.client import Patience, growing_wait, retry_after

firsts = st.floats(0.01, 10)
attempts = st.integers(0, 2000)
longest = st.floats(0.01, 100)


@given(firsts, attempts, longest, st.integers())
def test_a_random_part_of_at_most_half_is_taken_off_each_wait(first: float, attempt: int, most: float, seed: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "random", lambda: 0.0)
        whole = growing_wait(first, attempt % 1000, most)
        patch.setattr(client, "random", Random(seed).random)
        waits = [growing_wait(first, attempt % 1000, most) for _ in range(5)]
    assert whole == min(first * 2 ** (attempt % 1000), most)
    assert all(whole / 2 <= wait <= whole for wait in waits)
    assert len(set(waits)) == 5, "callers who failed together come back at different times"


@given(st.floats(0, 200), attempts)
def test_what_a_service_asks_for_is_kept_up_to_the_limit(asked: float, attempt: int):
    slept: list[float] = []
    Patience(longest_wait=60.0, sleep=slept.append).wait(attempt % 1000, {"retry-after": f"{asked:.3f}"})
    assert slept == [min(float(f"{asked:.3f}"), 60.0)]


@given(st.integers(0, 2**31), st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_date_counts_from_the_clock_of_the_service(sent: int, asked: int, ours: int):
    date = formatdate(sent + asked, usegmt=True)
    assert retry_after({"retry-after": date, "date": formatdate(sent, usegmt=True)}, ours) == asked
    assert retry_after({"retry-after": date}, ours) == max(sent + asked - ours, 0)
