"""`queryscape` and `python -m queryscape`: the command line."""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - a checkout may be started with any Python
    sys.exit("Queryscape needs Python 3.11 or newer; this is " + sys.version.split()[0] + ".")


def main() -> None:
    try:
        from dashboard.cli import main as run

        run()
    except KeyboardInterrupt:  # the libraries were still loading
        sys.exit(130)


if __name__ == "__main__":
    main()
