"""Which Queryscape this is: what is made with it says so."""

from __future__ import annotations

VERSION = "0.1.0"
"""As pyproject.toml says it; a test holds them together."""
MADE_WITH = f"Queryscape {VERSION}"
