"""Queryscape as a library: `import queryscape as qs`."""

from __future__ import annotations

from core.version import VERSION

__version__ = VERSION
