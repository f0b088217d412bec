"""The headless face: one file per subcommand, each with a table for people and `--json` for programs."""
