"""The upgrades of the store: from each layout, beginning with the baseline, to the next.

The tables of the newest layout are in schema/. To change them, change them there and add the statements that bring a
store of the layout before to the same tables.
"""

from __future__ import annotations

from collections.abc import Mapping

BASELINE = 11
"""The oldest layout that opens."""
BASELINE_COMMIT = "0efb80e"
"""The last commit that opens an older layout; it upgrades the store to the baseline."""
UPGRADES: Mapping[int, str] = {}
"""By layout: the SQL that makes the next one of it."""
SCHEMA_VERSION = BASELINE + len(UPGRADES)
"""The newest layout: the one in schema/."""
