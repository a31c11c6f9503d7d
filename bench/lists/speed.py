"""What finding lists costs, against the capture of the same page, how it grows, and where the time goes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Figure, median_seconds
from bench.searches import ROUNDS, ROWS, TIMES, Search, Timing, fresh_seconds, growth
from sightline.sources import parse

DEAR, DEAR_TOP = 0.25, 0.15  # of the capture: what finding lists, and finding the top k, may cost


@dataclass(frozen=True)
class Split:
    """Where the time of a page goes, in seconds; `parsing` is None where it is part of the input."""

    input: float
    parsing: float | None
    algorithm: float
    optimisation: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.input + (self.parsing or 0.0) + self.algorithm + self.optimisation


def parts_rendered(measured: Sequence[Timing], basic: str, full: str) -> list[Split]:
    """The split of pages that a browser loads; decoding what it captured is part of the input."""
    return [
        Split(one.load + one.capture, None, one.searches[basic], one.searches[full] - one.searches[basic])
        for one in measured
    ]


def parts_static(files: Sequence[Path], basic: Search, full: Search) -> list[Split]:
    """The split of the same pages read without a browser."""
    return [_static(path, basic, full) for path in files]


def _static(path: Path, basic: Search, full: Search) -> Split:
    text = path.read_text("utf-8", "replace")
    input = median_seconds(lambda: path.read_text("utf-8", "replace"), ROUNDS)
    parsing = median_seconds(lambda: parse(text), ROUNDS)
    page = parse(text)
    algorithm = fresh_seconds(page, basic)
    return Split(input, parsing, algorithm, fresh_seconds(page, full) - algorithm)


def growths(lists: Search, top: Search) -> tuple[Figure, ...]:
    """How much longer a search takes on a page with ten times the rows."""
    title = f"{ROWS * TIMES:,} rows / {ROWS:,} rows"
    return (
        growth(f"{title}, list in <ul>", _markup, lists),
        growth(f"{title}, cards of <div>", _cards, lists),
        growth(f"{title}, top 10 with comments", _article, top),
    )


def _markup(rows: int) -> str:
    body = "".join(f"<li><a href=/{row}>{name}</a> <b>{price}</b> {text}" for row, name, price, text in _offers(rows))
    return f"<!doctype html><title>Offers</title><h1>Offers</h1><ul>{body}</ul>"


def _cards(rows: int) -> str:
    style = "main{display:grid;grid-template-columns:repeat(4,200px);gap:20px}"
    body = "".join(
        f"<div><div><a href=/{row}>{name}</a></div><div>{price}</div><div>{text}</div></div>"
        for row, name, price, text in _offers(rows)
    )
    return f"<!doctype html><title>Offers</title><style>{style}</style><h1>Offers</h1><main>{body}</main>"


def _article(rows: int) -> str:
    """Ten items, and as many comments below as asked for: k does not grow with a page."""
    items = "".join(f"<h2>{row}. {name}</h2><p>{text}" for row, name, _, text in _offers(10))
    comments = "".join(f"<div><b>Reader {row}</b><p>{text}</p></div>" for row, _, _, text in _offers(rows))
    return f"<!doctype html><title>Top 10 Anvils</title><h1>Top 10 Anvils</h1>{items}<h3>Comments</h3>{comments}"


def _offers(rows: int) -> list[tuple[int, str, str, str]]:
    """Names, prices and some words, as shops write them; no two the same."""
    return [
        (
            row,
            f"Anvil {row * 7919 % 100_003}",
            f"{row * 104_729 % 997}.90 €",
            f"Weighs {row % 90 + 9} kg, as used by smith {row}.",
        )
        for row in range(1, rows + 1)
    ]
