"""`python -m dashboard`: the command line."""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - a checkout may be started with any Python
    sys.exit("Queryscape needs Python 3.11 or newer; this is " + sys.version.split()[0] + ".")

if __name__ == "__main__":
    try:
        from dashboard.cli import main

        main()
    except KeyboardInterrupt:  # the libraries were still loading
        sys.exit(130)
