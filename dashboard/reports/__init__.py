"""Reports as pages that open without Queryscape."""
