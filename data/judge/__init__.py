"""Judged runs: models, rubrics, dry runs, answers as they arrive, and exports."""
