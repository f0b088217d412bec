"""Evaluation settings from a TOML file: the same as from flags, which win over it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from core.errors import QueryscapeError
from core.settings import LARGEST_BETA, LARGEST_SEED, Compat, CosineMode, EvaluationSettings
from dashboard.kit import scoring
from tests.dashboard.runs import Runner
from tests.data.workspaces import TOPIC, fill

positive = st.floats(0.001, LARGEST_BETA)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "cosine_mode": st.sampled_from(get_args(CosineMode)),
    "min_similarity": st.floats(-1, 1),
    "quantile": st.floats(0, 1),
    "min_core_share": st.floats(0.001, 0.999),
    "max_k": st.integers(2, 10_000),
    "decay_limit": positive,
    "decay_onset": positive,
    "decay_steepness": positive,
    "beta": positive | st.integers(1, 9),
    "seed": st.integers(0, LARGEST_SEED),
    "compat": st.sampled_from(get_args(Compat)),
}


def settings_of(*arguments: str) -> EvaluationSettings:
    read: list[EvaluationSettings] = []

    @click.command()
    @scoring.settings
    def command(**flags: Any) -> None:
        read.append(scoring.read_settings(flags))

    CliRunner().invoke(command, [*arguments], catch_exceptions=False, standalone_mode=False)
    return read[0]


def in_toml(values: dict[str, Any]) -> str:
    return "".join(f"{name} = {value!r}\n" for name, value in values.items())


def in_flags(values: dict[str, Any]) -> list[str]:
    return [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]


def test_the_table_has_every_setting() -> None:
    assert VALUES.keys() == {field.name for field in fields(EvaluationSettings)}


@pytest.mark.parametrize("name", VALUES)
def test_a_file_gives_the_same_as_the_flag(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("settings") / "s.toml"

    @given(VALUES[name], VALUES[name])
    def law(value: Any, other: Any) -> None:
        file.write_text(in_toml({name: value}))
        assert settings_of("--settings", str(file)) == settings_of(*in_flags({name: value}))
        assert settings_of(*in_flags({name: other}), "--settings", str(file)) == settings_of(*in_flags({name: other}))

    law()


@given(st.fixed_dictionaries({}, optional={name: VALUES[name] for name in VALUES if name not in ("cosine_mode",)}))
def test_flags_win_whatever_the_file_says(values: dict[str, Any]) -> None:
    if "min_similarity" in values:
        values.pop("quantile", None)
    lower = values | {"cosine_mode": "best"} if not {"min_similarity", "quantile"} & values.keys() else values
    for upper in ({"cosine_mode": "leave_one_out"}, {"min_similarity": 0.25}, {"quantile": 0.5}):
        merged = scoring.overlaid(lower, upper)
        mode = upper.get("cosine_mode") or scoring.MODES[next(iter(upper))]
        result = scoring.read_settings(merged)
        assert result.cosine_mode == mode
        assert all(getattr(result, name) == value for name, value in upper.items())
        rest = {name: value for name, value in lower.items() if name not in ("cosine_mode", *scoring.MODES)}
        assert all(getattr(result, name) == value for name, value in rest.items())


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("min_similarty = 0.5", ["min_similarty", 'did you mean "min_similarity"']),
        ("beta = 'two'", ["beta", "two", "number"]),
        ("beta = true", ["beta", "true"]),
        ("beta = -1", ["beta", "-1"]),
        ("beta = nan", ["beta"]),
        ("beta = 1" + "0" * 400, ["beta"]),
        ("max_k = 5.5", ["max_k", "whole number", "5.5"]),
        ("seed = [1]", ["seed"]),
        ("cosine_mode = 'fixd'", ["cosine_mode", 'did you mean "fixed"']),
        ("cosine_mode = 3", ["cosine_mode", "3"]),
        ("cosine_mode = 'best'\nquantile = 0.1", ["quantile", "best"]),
        ("beta = 1\n'be-ta' = 1", ["be-ta"]),
        ("min_similarity = 0.1\nmin-similarity = 0.2", ["min-similarity", "twice"]),
        ("[evaluate]\nbeta = 1", ["evaluate"]),
        ("beta = 1\nbeta = 2\nmax_k = 5", ["line 2"]),
    ],
)
def test_a_mistake_is_one_sentence_with_its_place(text: str, facts: list[str], tmp_path: Path) -> None:
    (file := tmp_path / "mine.toml").write_text(text)
    with pytest.raises(QueryscapeError) as caught:
        settings_of("--settings", str(file))
    message = str(caught.value)
    assert all(fact in message for fact in [*facts, "mine.toml"]), message
    assert "\n" not in message


@pytest.mark.parametrize("content", [None, b"beta = '\xff'", b"\x00", b"a = " + b"[" * 5000])
def test_files_that_are_no_settings(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(QueryscapeError, match=r"mine\.toml"):
        settings_of("--settings", str(file))


def test_the_commands_take_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path)
    run = Runner(tmp_path, capsys)
    (file := tmp_path / "mine.toml").write_bytes(b"\xef\xbb\xbfbeta = 1\nquantile = 0.25\n")
    asked = ("evaluate", "--topic", TOPIC, "--version", "baseline", "--json", "--regions", "cosine")
    by_file = run(*asked, "--settings", str(file)).document
    assert by_file == run(*asked, "--beta", "1", "--quantile", "0.25").document
    assert by_file["settings"]["beta"] == 1
    assert run(*asked, "--settings", str(file), "--beta", "3").document["settings"]["beta"] == 3
