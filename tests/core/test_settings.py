"""Settings: every value outside its range is refused by name, range and value; what is left open gets filled in."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.settings import PUBLISHED_MODEL, EvaluationSettings, ProjectionSettings

ABOVE_0 = "a number above 0"
SEEDS = "in [0, 4294967295], a whole number"
TWO = "2 or more, a whole number"
COSINE_MODES = "one of fixed, least_similar_core, quantile, leave_one_out, best"

REFUSED = [
    (EvaluationSettings, "cosine_mode", COSINE_MODES, ["guess", ""]),
    (EvaluationSettings, "compat", "one of litqeval-2024", ["litqeval-2025"]),
    (EvaluationSettings, "min_similarity", "in [-1, 1]", [-1.01, 1.01, 69]),
    (EvaluationSettings, "quantile", "in [0, 1]", [-0.1, 1.1]),
    (EvaluationSettings, "min_core_share", "in (0, 1)", [0, 1, -0.7, 70]),
    (EvaluationSettings, "max_k", TWO, [1, 0, -3, 2.5]),
    (EvaluationSettings, "decay_limit", ABOVE_0, [0, -50000]),
    (EvaluationSettings, "decay_onset", ABOVE_0, [0, -1.5]),
    (EvaluationSettings, "decay_steepness", ABOVE_0, [0, -10]),
    (EvaluationSettings, "beta", ABOVE_0, [0, -2]),
    (EvaluationSettings, "seed", SEEDS, [-1, 2**32]),
    (ProjectionSettings, "method", "one of umap, pca", ["tsne"]),
    (ProjectionSettings, "n_neighbors", TWO, [1, -15]),
    (ProjectionSettings, "min_dist", "in [0, 0.99]", [-0.1, 1]),
    (ProjectionSettings, "n_dimensions_before", TWO, [1]),
    (ProjectionSettings, "seed", SEEDS, [-1, 2**32]),
]
IN_WORDS = {"cosine_mode", "compat", "method"}
CASES = [
    pytest.param(kind, name, allowed, value, id=f"{name}={value}")
    for kind, name, allowed, values in REFUSED
    for value in values + ([] if name in IN_WORDS else [math.nan, math.inf, -math.inf])
]


@pytest.mark.parametrize(("kind", "name", "allowed", "value"), CASES)
def test_a_value_outside_its_range_is_refused_with_name_range_and_value(kind, name, allowed, value):
    with pytest.raises(SettingsError) as caught:
        kind(**{name: value})
    assert str(caught.value) == f"{name} must be {allowed}, got {value}"


@pytest.mark.parametrize("kind", [EvaluationSettings, ProjectionSettings])
def test_every_setting_has_a_refused_value_here(kind):
    assert {field.name for field in fields(kind)} == {name for of, name, _, _ in REFUSED if of is kind}


def test_a_value_just_outside_is_not_shown_as_the_end_of_the_range():
    with pytest.raises(SettingsError, match=r"in \[-1, 1\], got 1\.0000001$"):
        EvaluationSettings(min_similarity=1.0000001)


@pytest.mark.parametrize(
    "edge",
    [
        {"min_similarity": -1},
        {"min_similarity": 1},
        {"quantile": 0},
        {"quantile": 1},
        {"min_core_share": 1e-9},
        {"min_core_share": 1 - 1e-9},
        {"max_k": 2},
        {"seed": 0},
        {"seed": 2**32 - 1},
        {"decay_limit": 1e-9},
    ],
)
def test_the_ends_of_a_range_belong_to_it(edge):
    (name, value), *_ = edge.items()
    assert getattr(EvaluationSettings(**edge), name) == value


@given(st.floats())
def test_a_similarity_threshold_is_taken_or_refused_but_never_changed(value):
    try:
        kept = EvaluationSettings(min_similarity=value).min_similarity
    except SettingsError:
        assert not -1 <= value <= 1
    else:
        assert kept == value
        assert -1 <= value <= 1


@pytest.mark.parametrize(
    ("compat", "model_id", "mode"),
    [
        (None, PUBLISHED_MODEL, "fixed"),
        (None, "lsa", "leave_one_out"),
        (None, "all-MiniLM-L6-v2", "leave_one_out"),
        (None, "text-embedding-3-large", "leave_one_out"),
        ("litqeval-2024", "lsa", "fixed"),
        ("litqeval-2024", PUBLISHED_MODEL, "fixed"),
    ],
)
def test_an_open_cosine_mode_follows_the_embedder(compat, model_id, mode):
    settings = EvaluationSettings(compat=compat, beta=3.0)
    assert settings.resolved(model_id) == replace(settings, cosine_mode=mode)
    assert settings.cosine_mode is None


@pytest.mark.parametrize("mode", ["fixed", "least_similar_core", "quantile", "leave_one_out", "best"])
@pytest.mark.parametrize("compat", [None, "litqeval-2024"])
def test_a_cosine_mode_that_was_chosen_stays(mode, compat):
    settings = EvaluationSettings(cosine_mode=mode, compat=compat)
    assert settings.resolved("lsa") == settings.resolved(PUBLISHED_MODEL) == settings


def test_the_defaults_are_those_of_the_method():
    settings = EvaluationSettings()
    assert (PUBLISHED_MODEL, settings.min_similarity) == ("text-embedding-3-small", 0.69)
    assert (settings.decay_limit, settings.decay_onset, settings.decay_steepness) == (50_000, 1.5, 10)
    assert (settings.beta, settings.min_core_share, settings.max_k, settings.seed) == (2, 0.7, 100, 0)
    landscape = ProjectionSettings()
    assert (landscape.method, landscape.n_neighbors, landscape.min_dist) == ("umap", 15, 0.1)


@pytest.mark.parametrize("settings", [EvaluationSettings(), ProjectionSettings()])
def test_settings_are_frozen_and_usable_as_a_key(settings):
    with pytest.raises(FrozenInstanceError):
        settings.seed = 7
    assert {settings: "kept"}[replace(settings)] == "kept"
    assert settings != replace(settings, seed=7)
    assert repr(EvaluationSettings(beta=2)) == repr(EvaluationSettings(beta=2.0))
