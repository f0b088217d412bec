"""Versions of the software that results depend on."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version

from core.version import VERSION

PACKAGES = {
    "DuckDB": "duckdb",
    "Tantivy": "tantivy",
    "NumPy": "numpy",
    "SciPy": "scipy",
    "scikit-learn": "scikit-learn",
    "umap-learn": "umap-learn",
    "HTTPX": "httpx",
    "Streamlit": "streamlit",
}
"""Display name and distribution name of the packages that a result may depend on."""


def software(*names: str) -> tuple[tuple[str, str], ...]:
    """Return the versions of Queryscape, Python and these packages, or of all, by display name."""
    packages = {name: PACKAGES[name] for name in names} or PACKAGES
    return (("Queryscape", VERSION), ("Python", platform.python_version()), *versions_of(packages))


def versions_of(packages: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the versions of the packages that are installed, by display name."""
    found = []
    for name, package in packages.items():
        try:
            found.append((name, package_version(package)))
        except PackageNotFoundError:
            continue
    return tuple(found)
