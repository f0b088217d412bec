"""Serves made-up sources under one address until it is ended: for people, browser tests and benchmarks.

    python tests/data/sources/fake_sources/serve.py --n 12000
    python tests/data/sources/fake_sources/serve.py --like DATA_DIR --faults openalex:3=429 openalex:7+=html
    python tests/data/sources/fake_sources/serve.py --like DATA_DIR --n 13000 --revised 50

It prints its address, and the lines that make Queryscape use it.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path

TOP = Path(__file__).parents[4]
if str(TOP) not in sys.path:
    sys.path.insert(0, str(TOP))

from tests.data.sources.fake_sources.corpus import Corpus, like, made_up, revised  # noqa: E402
from tests.data.sources.fake_sources.registry import KEYS, VARIABLES, services  # noqa: E402
from tests.data.sources.fake_sources.server import FakeSources, in_words, listen  # noqa: E402

LEFT_OUT_EVERY = 6
"""Of the core publications of a workspace, every sixth is in no source."""


def like_workspace(data_dir: Path, n: int, topic: str | None = None) -> Corpus:
    """The publications of a workspace's topics, core and others, without some of the core; then made-up ones."""
    from data.explore.workspace import Workspace

    with Workspace.open(data_dir) as workspace:
        store = workspace.store
        topics = [row.topic_id for row in store.topics() if topic in (None, row.topic_id)]
        core = dict.fromkeys(i for name in topics for i in store.load_core(name).ids)
        every = dict.fromkeys([*core, *(i for name in topics for i in store.topic_publication_ids(name))])
        publications = store.load_publications(tuple(every))
    return like(publications, n, left_out=tuple(core)[::LEFT_OUT_EVERY])


def _asked() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--n", type=int, default=12_000, help="works that every source holds")
    reader.add_argument("--port", type=int, default=0)
    reader.add_argument("--like", type=Path, help="data folder whose publications they hold too")
    reader.add_argument("--topic", help="of that folder; all, if it is not given")
    reader.add_argument("--revised", type=int, default=0, metavar="M", help="every M-th title changed, as many gone")
    reader.add_argument("--faults", nargs="*", default=[], help="SOURCE:NUMBER=FAULT, NUMBER+ for all from there on")
    reader.add_argument("--dollars", type=float, default=100.0, help="that OpenAlex lets be spent in a day")
    reader.add_argument("--seconds", type=float, default=0.0, help="that every answer takes")
    return reader.parse_args()


def main() -> None:
    """Serve until SIGTERM, or Ctrl-C; the address is the first line."""
    asked = _asked()
    corpus = like_workspace(asked.like, asked.n, asked.topic) if asked.like else made_up(asked.n)
    if asked.revised:
        corpus = revised(corpus, asked.revised)
    server = FakeSources(services(corpus, dollars=asked.dollars), in_words(asked.faults), asked.seconds, keeps=False)
    end = asyncio.Event()

    def told() -> None:
        print(server.url)
        for source, variable in VARIABLES.items():
            print(f"export {variable}={server.address(source)}")
        for variable, key in KEYS.items():
            print(f"export {variable}={key}")
        sys.stdout.flush()

    async def run() -> None:
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, end.set)
        await listen(server, asked.port, told, end)

    asyncio.run(run())


if __name__ == "__main__":
    main()
