"""`queryscape` and `python -m queryscape`: the command line."""

from __future__ import annotations

import sys


def main() -> None:
    try:
        from dashboard.cli import main as run

        run(name="queryscape")
    except KeyboardInterrupt:  # the libraries were still loading
        sys.exit(130)


if __name__ == "__main__":
    main()
