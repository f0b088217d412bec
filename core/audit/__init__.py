"""The audit of a search: PRISMA-S, PRESS and quality reports, before they become files."""
