"""The pages: one file each, layout only."""
