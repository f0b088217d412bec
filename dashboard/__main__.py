"""`python -m dashboard`: the command line."""

from __future__ import annotations

from dashboard.commands.cli import main

if __name__ == "__main__":
    main()
