"""What is tuned, as settings, as a link and as the browser's message: each comes back from the others."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.explore.regions import DEFAULT_REGIONS
from core.settings import LARGEST_BETA, CosineMode, EvaluationSettings
from dashboard.controls import (
    COLOURINGS,
    IN_LINK,
    NUMBERS,
    Tuning,
    browser_values,
    link_of,
    tuning_from,
    tuning_in_link,
)

positive = st.floats(0, 1e300, exclude_min=True)
modes = st.sampled_from([None, *get_args(CosineMode)])
settings_choices = st.builds(
    EvaluationSettings,
    cosine_mode=modes,
    min_similarity=st.floats(-1, 1),
    quantile=st.floats(0, 1),
    min_core_share=st.floats(0, 1, exclude_min=True, exclude_max=True),
    decay_limit=positive,
    decay_onset=positive,
    decay_steepness=positive,
    beta=st.floats(0, LARGEST_BETA, exclude_min=True),
)
tunings = st.builds(Tuning, st.sampled_from(DEFAULT_REGIONS), settings_choices, st.sampled_from(COLOURINGS))


def in_force(tuning: Tuning) -> Tuning:
    """Without the threshold and the quantile of another mode: they are kept at what they are by default."""
    default, settings = EvaluationSettings(), tuning.settings
    if settings.cosine_mode != "fixed":
        settings = replace(settings, min_similarity=default.min_similarity)
    if settings.cosine_mode != "quantile":
        settings = replace(settings, quantile=default.quantile)
    return replace(tuning, settings=settings)


@given(tunings)
def test_a_link_opens_what_it_was_made_from(tuning: Tuning) -> None:
    link = link_of(tuning)
    assert set(link) <= set(IN_LINK.values())
    assert all(type(value) is str for value in link.values())
    assert tuning_in_link(link) == in_force(tuning)
    assert link_of(tuning_in_link(link)) == link


@given(tunings)
def test_a_link_holds_only_what_is_in_force(tuning: Tuning) -> None:
    assert link_of(tuning) == link_of(in_force(tuning))
    assert ("similarity" in link_of(tuning)) is (tuning.settings.cosine_mode == "fixed")


def test_the_defaults_need_no_link() -> None:
    assert link_of(Tuning()) == {}
    assert tuning_in_link({}) == Tuning()
    assert tuning_in_link({"topic": "Tea", "version": "x", "beta ": "7", "min_similarity": "3"}) == Tuning()


def test_a_link_is_short_and_plain() -> None:
    tuning = Tuning("hull", EvaluationSettings(cosine_mode="fixed", min_similarity=0.1 + 0.2, beta=1), "year")
    assert link_of(tuning) == {
        "region": "hull",
        "colour": "year",
        "mode": "fixed",
        "similarity": "0.30000000000000004",
        "beta": "1.0",
    }
    assert tuning_in_link({"similarity": "0.5"}).settings == EvaluationSettings(cosine_mode="fixed", min_similarity=0.5)


@given(tunings, tunings)
def test_what_the_browser_shows_comes_back_the_same(tuning: Tuning, base: Tuning) -> None:
    """Whatever was tuned before; and the browser always has a mode, because settings are resolved for it."""
    tuning = replace(tuning, settings=tuning.settings.resolved("toy"))
    sent = json.loads(json.dumps(browser_values(tuning, min_similarity=None)))
    got = tuning_from({"seq": 3, **sent}, base)
    assert in_force(got) == in_force(tuning)
    assert tuning_from(sent, got) == got


@given(tunings, st.floats(-1, 1))
def test_the_threshold_in_force_is_shown_in_every_mode_and_taken_over_only_when_fixed(
    tuning: Tuning, threshold: float
) -> None:
    tuning = replace(tuning, settings=tuning.settings.resolved("toy"))
    values = browser_values(tuning, min_similarity=threshold)
    assert values["min_similarity"] == threshold
    assert set(values) == {*NUMBERS, "region", "cosine_mode", "colour_by"}
    got = tuning_from(values, tuning)
    fixed = tuning.settings.cosine_mode == "fixed"
    assert got.settings.min_similarity == (threshold if fixed else tuning.settings.min_similarity)
    assert replace(got.settings, min_similarity=0) == replace(tuning.settings, min_similarity=0)


@given(tunings)
def test_nothing_sent_changes_nothing(base: Tuning) -> None:
    assert tuning_from({}, base) == base
    assert tuning_from(dict.fromkeys(NUMBERS), base) == base
    assert tuning_from({"seq": 1, "unknown": object()}, base) == base


def test_what_the_browser_can_not_tune_stays_as_it_was() -> None:
    base = Tuning(settings=EvaluationSettings(max_k=7, seed=3))
    assert tuning_from({"beta": 1, "max_k": 9, "seed": 4}, base).settings == EvaluationSettings(max_k=7, seed=3, beta=1)


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"region": "circle"}, "one of cosine"),
    ({"region": "mvee_embedding"}, "region must be"),
    ({"region": None}, "region must be"),
    ({"region": ["cosine"]}, "region must be"),
    ({"colour_by": "taste"}, "one of region, decay"),
    ({"cosine_mode": "wild"}, "one of None, fixed"),
    ({"cosine_mode": {}}, "cosine_mode must be"),
    ({"min_similarity": "much"}, "number, got much"),
    ({"beta": [2]}, "beta must be"),
    ({"beta": ""}, "beta must be"),
    ({"beta": 10**400}, "beta must be"),
    ({"beta": 0}, "above 0"),
    ({"beta": 2e6}, "at most"),
    ({"decay_limit": "-1"}, "decay_limit must be"),
    ({"decay_onset": "nan"}, "decay_onset must be"),
    ({"decay_steepness": "inf"}, "decay_steepness must be"),
    ({"min_core_share": 1}, "min_core_share must be"),
    ({"min_similarity": 1.5}, "min_similarity must be"),
    ({"cosine_mode": "quantile", "quantile": -0.1}, "quantile must be"),
]


@pytest.mark.parametrize(("values", "message"), MISTAKES)
def test_what_does_not_fit_is_a_mistake_of_one_line(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        tuning_from(values)
    *_, name = values
    assert str(caught.value).startswith(name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


anything = st.one_of(st.text(max_size=8), st.integers(), st.floats(), st.none(), st.booleans(), st.lists(st.integers()))


@given(st.dictionaries(st.sampled_from([*NUMBERS, "region", "cosine_mode", "colour_by"]), anything))
def test_any_message_is_settings_or_a_mistake(values: dict[str, Any]) -> None:
    try:
        tuning = tuning_from(values)
    except SettingsError:
        return
    assert tuning_in_link(link_of(tuning)) == in_force(tuning)


@given(st.dictionaries(st.sampled_from(list(IN_LINK.values())), st.text(max_size=8)))
def test_any_link_is_a_tuning_or_a_mistake(link: dict[str, str]) -> None:
    try:
        tuning = tuning_in_link(link)
    except SettingsError:
        return
    assert tuning.region in DEFAULT_REGIONS
    assert tuning.colour_by in COLOURINGS
