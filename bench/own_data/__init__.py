"""Own data: how much of what pages say about themselves is read, beside extruct and mf2py, and what it costs."""

import statistics
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from time import process_time
from typing import Any

from rich.table import Column
from rich.table import Table as Sheet

from bench.frame import Figure, Options, Outcome, asked_to_show, corpus, show_texts, show_title
from bench.own_data.compare import SYNTAXES, Found, Share, found_of, ours_of, share
from bench.pages import static
from bench.peers import answered
from sightline.page import Page, link_base

__all__ = ["run", "show"]

ENVIRONMENT = "peers-own-data"
SCRIPT = Path(__file__).with_name("readers.py")
PEER, OF_MICROFORMATS = "extruct", "mf2py"
ROUNDS = 3  # of which the fastest counts: other programs take their share of the caches
# Of what either reads. What is missing are mostly matters of taste, such as the blanks between the parts of a text.
LEAST = {"json-ld": 0.98, "microdata": 0.95, "rdfa": 0.9, "meta": 0.98}
MOST_MILLISECONDS = 10.0
MOST_TIME = 0.25  # of extruct's without microformats


def run(options: Options) -> Outcome:
    """Read every page of the set with everybody."""
    files = corpus("things", options)
    pages = static(files.files)
    peers = _peers(files.files, pages)
    seconds = [_seconds(page) for page in pages]
    ours = [ours_of(page) for page in pages]
    shares = _shares(ours, peers)
    return Outcome(
        task="own-data",
        peer="peer",
        corpora=(files,),
        figures=(*_coverage(shares), *_failures(pages, peers), *_cost(seconds, peers)),
        remarks=_remarks(pages, peers),
        details={f"{name}, {syntax}: values": value for name, syntax, value in _counts(shares)},
        views=(_side_by_side(shares),),
    )


def show(options: Options) -> None:
    """Print what one reader has and the other has not, of the pages where they differ most."""
    number, named = asked_to_show(options)
    files = [path for path in corpus("things", options).files if not named or any(part in str(path) for part in named)]
    pages = static(files)
    peers = _peers(files, pages)
    both = [one["values"] for one in peers.values()]
    found = [found_of(chain.from_iterable(values)) for values in zip(*both, strict=True)]
    rows = sorted(zip(files, map(ours_of, pages), found, strict=True), key=lambda row: -len(row[1] ^ row[2]))
    show_title("where we and the peers differ", number)
    for path, ours, theirs in rows[:number]:
        print(f"{path.parent.name}/{path.name}")
        for syntax in SYNTAXES:
            mine, other = ({one for one in each if one[0] == syntax} for each in (ours, theirs))
            show_texts(f"{syntax}, ours alone", [f"{name} = {value}" for _, name, value in sorted(mine - other)])
            show_texts(f"{syntax}, theirs alone", [f"{name} = {value}" for _, name, value in sorted(other - mine)])


def _peers(files: Sequence[Path], pages: Sequence[Page]) -> Mapping[str, Any]:
    question = [{"path": str(path), "base": link_base(page)} for path, page in zip(files, pages, strict=True)]
    answers: Mapping[str, Any] = answered(ENVIRONMENT, SCRIPT, question)
    return answers


def _seconds(page: Page) -> float:
    """The processor time of reading a page that has been parsed."""
    times = []
    for _ in range(ROUNDS):
        fresh = page.without([])
        began = process_time()
        _ = fresh.own_data
        times.append(process_time() - began)
    return min(times)


def _shares(ours: Sequence[Found], peers: Mapping[str, Any]) -> dict[tuple[str, str], Share]:
    shares = {}
    for name in (PEER, OF_MICROFORMATS):
        if name in peers:
            theirs = [found_of(one) for one in peers[name]["values"]]
            for syntax in SYNTAXES[:-1] if name == PEER else SYNTAXES[-1:]:
                shares[name, syntax] = share(ours, theirs, syntax)
    return shares


def _coverage(shares: Mapping[tuple[str, str], Share]) -> list[Figure]:
    return [
        Figure.of(
            f"{syntax}: of the values that we or {name} read",
            one.ours / one.either,
            LEAST.get(syntax),
            "higher",
            "share",
            peer=one.peer / one.either,
        )
        for (name, syntax), one in shares.items()
        if one.either
    ]


def _failures(pages: Sequence[Page], peers: Mapping[str, Any]) -> list[Figure]:
    failed = float(sum(any(errors) for errors in zip(*(one["errors"] for one in peers.values()), strict=True)))
    told = sum(bool(page.own_data.gaps) for page in pages)
    return [
        Figure.of("pages on which something raises", 0.0, 0.0, "lower", "pages", peer=failed if peers else None),
        Figure.of("pages of which something is told to be left out", float(told), None, "lower", "pages"),
    ]


def _cost(seconds: Sequence[float], peers: Mapping[str, Any]) -> list[Figure]:
    mean = 1000 * statistics.mean(seconds)
    figures = [
        Figure.of("processor time a page, ms", mean, MOST_MILLISECONDS, "lower", "ms"),
        Figure.of("processor time a page, median, ms", 1000 * statistics.median(seconds), None, "lower", "ms"),
    ]
    times = {name: 1000 * statistics.mean(one["seconds"]) for name, one in peers.items()}
    figures += [
        Figure.ratio(f"processor time a page / {name}", mean, peer, MOST_TIME if name == PEER else None, "lower")
        for name, peer in times.items()
    ]
    return figures


def _remarks(pages: Sequence[Page], peers: Mapping[str, Any]) -> tuple[str, ...]:
    states = sum(document.syntax == "state" for page in pages for document in page.own_data.documents)
    versions = ", ".join(f"{name} {one['version']}" for name, one in peers.items())
    return (
        f"Beside the peers: {versions or 'none is installed; see docs/benchmarks.md'}. Their time includes parsing "
        f"HTML; ours is that of a page that is open, and includes {states:,} states of programs, which no peer reads.",
    )


def _counts(shares: Mapping[tuple[str, str], Share]) -> list[tuple[str, str, float]]:
    return [
        entry
        for (name, syntax), one in shares.items()
        for entry in (("ours", syntax, float(one.ours)), (name, syntax, float(one.peer)))
    ]


def _side_by_side(shares: Mapping[tuple[str, str], Share]) -> Sheet:
    sheet = Sheet(Column("", no_wrap=True), "either", "ours", "peer", title="different values of a page")
    for (name, syntax), one in shares.items():
        sheet.add_row(f"{syntax}, {name}", *(f"{count:,}" for count in (one.either, one.ours, one.peer)))
    return sheet
