"""The Audit page, report files, and the `report` commands."""
