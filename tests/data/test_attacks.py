"""Every attack is refused with one sentence, or read without harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import QueryscapeError
from tests.data.attacks import ATTACKS, Attack

LEAST = 60


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.label)
def test_an_attack_is_refused_with_a_sentence(attack: Attack, tmp_path: Path) -> None:
    message = ""
    try:
        attack.reader.read(attack.make(), tmp_path)
    except QueryscapeError as e:
        message = str(e)
        assert 15 < len(message) < 700
        assert "\n" not in message
    assert message or not attack.refused


def test_there_are_enough_attacks_and_none_twice() -> None:
    labels = [attack.label for attack in ATTACKS]
    assert len(set(labels)) == len(labels)
    assert sum(attack.refused for attack in ATTACKS) >= LEAST
