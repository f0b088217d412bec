"""A retriever as it is written is read back as it was."""

from __future__ import annotations

import pytest

from core.retrieval.specs import KINDS, Spec, read_spec


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_alone_is_its_own_text(kind: str) -> None:
    assert read_spec(kind).text == kind


def test_a_model_with_an_equals_sign_in_its_name_is_read_back() -> None:
    spec = Spec("dense", embedder="st:/models/v=2")
    assert read_spec(spec.text) == spec
