"""The `.page` file: how large it is against the gzipped HTML, and how fast it opens."""

import gzip
import statistics

import sightline as sl
from bench.frame import Figure, Options, Outcome, corpus, median_seconds
from bench.pages import loaded
from sightline.page import Page, dumps, loads

ROUNDS = 7


def run(options: Options) -> Outcome:
    """Measure sizes on all kinds of pages, times on a page of 10,000 nodes."""
    sets = [corpus(name, options, most=30) for name in ("tables", "content", "lists")]
    ratios, pages = [], []
    for one in sets:
        for path, page in zip(one.files, loaded(one.files), strict=True):
            ratios.append((len(dumps(page)), len(gzip.compress(path.read_bytes()))))
            pages.append(page)
    large = _large_page()
    content = dumps(large)
    opening = 1000 * median_seconds(lambda: loads(content), ROUNDS)
    writing = 1000 * median_seconds(lambda: dumps(large), ROUNDS)
    shares = [ours / peer for ours, peer in ratios]
    sizes = [statistics.median(size) / 1000 for size in zip(*ratios, strict=True)]
    return Outcome(
        task="storage",
        peer="gzipped HTML, kB",
        corpora=tuple(sets),
        figures=(
            Figure(
                "file / gzipped HTML, median", sizes[0], sizes[1], statistics.median(shares), 3.0, "lower", "x size"
            ),
            Figure("file / gzipped HTML, largest", sizes[0], sizes[1], max(shares), 3.0, "lower", "x size"),
            Figure.of("open a page of 10,000 nodes", opening, 20.0, "lower", "ms"),
            Figure.of("write a page of 10,000 nodes", writing, 60.0, "lower", "ms"),
        ),
        remarks=(f"{len(pages)} rendered pages; the large one has {len(large):,} nodes.",),
    )


def _large_page() -> Page:
    """A rendered page of about 10,000 nodes: a table of figures, as statistics offices publish them."""
    row = "<tr><th>Place {0}</th><td>{1:,}</td><td>{2:.1f} %</td><td><a href='/places/{0}'>more about {0}</a></td></tr>"
    rows = "".join(row.format(number, number * 7919 % 100_003, number * 31 % 977 / 10) for number in range(1_000))
    return sl.open(f"<!doctype html><title>Figures</title><h1>Figures</h1><table border=1>{rows}</table>".encode())
