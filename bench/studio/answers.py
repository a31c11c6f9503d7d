"""How long single answers take: a saved page of 10,000 nodes to its first candidates, and windows of many rows."""

import statistics
import tempfile
import time
from pathlib import Path

from bench.frame import Figure, tell
from bench.studio.pages import TABLE_KEY, long_table, shop_page
from bench.studio.served import served
from sightline.net import Limits
from sightline.page import dumps
from sightline.sources import Loader

NODES, ROWS = 10_000, 100_000
MOST_SECONDS = 1.5  # until candidates are drawn, of which the front end needs a part
WINDOW_SECONDS = 0.02
TRIES = 5


def answer_figures() -> list[Figure]:
    """The figures of single answers."""
    return [*_saved_page(), *_many_rows()]


def _saved_page() -> list[Figure]:
    """A page that an earlier server kept; each try has a server that has never seen it."""
    cold, picture, geometry = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        with served(Path(folder)) as studio:
            page = studio.upload("shop.html", shop_page(NODES))
            nodes = studio.ask("GET", f"/pages/{page}")[1]["nodes"]
        for _ in range(TRIES):
            with served(Path(folder)) as studio:
                studio.seconds("/about")
                time.sleep(2)  # as long as a person takes to choose the page; the server is ready for its first one
                cold.append(studio.seconds(f"/pages/{page}/results"))
                picture.append(studio.seconds(f"/pages/{page}/pictures/0"))
                geometry.append(studio.seconds(f"/pages/{page}/geometry"))
    slowest = max(cold)
    return [
        Figure.of(f"results of a saved page of {nodes:,} nodes, slowest of {TRIES}, s", slowest, MOST_SECONDS, "lower"),
        Figure.of("its picture, first part, s", max(picture), None, "lower"),
        Figure.of("its geometry, s", max(geometry), None, "lower"),
    ]


def _many_rows() -> list[Figure]:
    """A table of very many rows, searched once."""
    loader = Loader(static=True, limits=Limits(nodes=2_000_000, document_bytes=200_000_000))
    content = dumps(loader.load(long_table(ROWS)))
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as studio:
        page = studio.upload("stars.page", content)
        first = studio.seconds(f"/pages/{page}/results/{TABLE_KEY}?limit=500")
        windows = [
            studio.seconds(f"/pages/{page}/results/{TABLE_KEY}?offset={number * ROWS // 50}&limit=500")
            for number in range(50)
        ]
    window = statistics.median(windows)
    return [
        Figure.of(f"a window of 500 of {ROWS:,} rows, s", window, WINDOW_SECONDS, "lower"),
        Figure.of("the first of them, with the search, s", first, None, "lower"),
    ]


if __name__ == "__main__":
    tell(answer_figures())
