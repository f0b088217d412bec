"""What `search` and `benchmark` share: a retriever by what a person wrote."""

from __future__ import annotations

from core.errors import InputError, SettingsError
from core.retrieval.spec import KINDS, PRESETS, Spec, read_spec


def spec_named(text: str) -> Spec:
    """`bm25:k1=0.9`, or a name from the literature, such as ANCE."""
    preset = next((preset for preset in PRESETS if preset.name.casefold() == text.strip().casefold()), None)
    kind = text.partition(":")[0].strip()
    if preset is None or kind in KINDS:
        try:
            return read_spec(text)
        except SettingsError as e:
            if kind in KINDS:
                raise
            names = ", ".join(preset.name for preset in PRESETS if preset.spec)
            raise SettingsError(f"{e}; or by name: {names}") from None
    if preset.spec is None:
        raise InputError(f"{preset.name} needs {preset.needs}")
    return preset.spec
