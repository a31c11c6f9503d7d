"""The static source: its cost over the bare parser, and how its tree agrees with the browser's."""

import statistics
from collections import Counter
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

import sightline as sl
from bench.frame import Figure, Options, Outcome, corpus, median_seconds
from bench.pages import loaded
from sightline.sources import parse

ROUNDS = 7


def run(options: Options) -> Outcome:
    """Measure speed on all kinds of pages, agreement on pages without scripts."""
    sets = [corpus(name, options, most=40) for name in ("tables", "content", "lists", "topk")]
    files = [path for one in sets for path in one.files]
    speed = [_speed(path) for path in files]
    free = [path for path in files if b"<script" not in path.read_bytes().lower()]
    agreement = _agreement(free)
    ours, bare = (statistics.median(1000 * pair[which] for pair in speed) for which in (0, 1))
    ratio = statistics.median(a / b for a, b in speed)
    return Outcome(
        task="static",
        peer="bare parser / browser",
        corpora=tuple(sets),
        figures=(
            Figure("parse to a page / bare parser", ours, bare, ratio, 3.0, "lower", "x"),
            Figure.of("leaf tag paths equal to the browser's", agreement[0], 0.99, "higher", "share"),
            Figure.of("pages with every path equal", agreement[1], 0.95, "higher", "share"),
        ),
        remarks=(f"{len(files)} pages for speed, {len(free)} without scripts for agreement.",),
    )


def _speed(path: Path) -> tuple[float, float]:
    text = path.read_text("utf-8", "replace")
    bare = median_seconds(lambda: LexborHTMLParser(text, scripting=True), ROUNDS)
    return median_seconds(lambda: parse(text), ROUNDS), bare


def _agreement(files: list[Path]) -> tuple[float, float]:
    """The share of equal leaf paths over all pages, and the share of pages where all are equal."""
    shares = []
    for page, plain in zip(loaded(files), loaded(files, static=True), strict=True):
        seen, read = _leaf_paths(page), _leaf_paths(plain)
        common = sum((seen & read).values())
        shares.append(2 * common / max(1, seen.total() + read.total()))
    return statistics.mean(shares), sum(share == 1 for share in shares) / len(shares)


def _leaf_paths(page: sl.Page) -> Counter[str]:
    """The tag paths of all texts that are not blank."""
    leaves = (page.is_text & ~page.is_blank).nonzero()[0]
    return Counter(page.path_names[number] for number in page.path[leaves].tolist())
