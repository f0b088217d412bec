"""Printed pictures have the colours of the app."""

from __future__ import annotations

from typing import get_args

from core import pictures
from dashboard.kit.theme import COLOURS, Role


def test_every_colour_of_a_printed_picture_is_that_of_its_role() -> None:
    named = {name.lower(): value for name, value in vars(pictures).items() if str(value).startswith("#")}
    assert named
    assert set(named) <= set(get_args(Role))
    assert named == {role: value for role, value in COLOURS["light"].items() if role in named}
