"""`python -m dashboard`: the command line."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        from dashboard.cli import main

        main()
    except KeyboardInterrupt:  # the libraries were still loading
        sys.exit(130)
