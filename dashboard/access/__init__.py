"""Who may open the app: the token of its address, the cookie that follows it, and the roles owner and visitor."""

from __future__ import annotations

from dashboard.access.gate import browser_id, role

__all__ = ["browser_id", "role"]
