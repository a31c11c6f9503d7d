"""Wrappers learned by us, and what they and the peers read from the pages of a site."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.induce import peers
from bench.induce.names import Named, named
from bench.induce.scores import SiteScore, score
from bench.induce.sites import SEED, Site, opened
from bench.pages import naming
from sightline.errors import UsageError
from sightline.extract import wrappers as engine
from sightline.extract.schemas import INDUCE_RULES, InduceSettings
from sightline.extract.wrappers import Wrapper
from sightline.page import Page

DEFAULT = "sightline"
FAILED = "failed"
# Two templates of one site each: same header, same style, other contents.
TWINS = (("cgit-commit", "cgit-log"), ("ecommerce-list", "ecommerce-product"))

Opener = Callable[[Sequence[Path]], list[Page]]
"""What makes pages of the files of a site."""


@dataclass(frozen=True)
class SiteReading:
    """The test pages of a site as its wrapper reads them: the records, the score, the names, and what was refused."""

    score: SiteScore
    files: tuple[str, ...]
    records: tuple[list[Any], ...]
    named: tuple[Named, ...] = ()
    refused: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Foreign:
    """A page that was shown to the wrapper of another site, and whether it was refused without handing out records."""

    wrapper: str
    site: str
    file: str
    refused: bool


def settings_without(without: Sequence[str], learn_from: int | None = None) -> InduceSettings:
    """Settings that leave these rules out; a misspelt one is refused."""
    unknown = [rule for rule in without if rule not in INDUCE_RULES]
    if unknown:
        names = ", ".join(INDUCE_RULES)
        raise SystemExit(f"bench: there is no rule {', '.join(unknown)}; the rules are {names}.")
    return InduceSettings(without=tuple(without), learn_from=learn_from)


def learned(pages: Sequence[Page], settings: InduceSettings) -> engine.Wrapper | None:
    """A wrapper of these pages; None where nothing can be learned from them."""
    try:
        return engine.induce(pages, settings=settings)
    except UsageError as problem:
        print(f"bench: {problem}")
        return None


def wrapper_of(
    site: Site, settings: InduceSettings, *, most: int | None = None, read: Opener = opened
) -> engine.Wrapper | None:
    """A wrapper of the training pages of a site, or of the first so many of them."""
    with naming(site.name):
        return learned(read(site.paths(site.split[0][:most])), settings)


def read_site(site: Site, wrapper: engine.Wrapper | None, *, read: Opener = opened) -> SiteReading:
    """Every test page of a site, as the wrapper reads it; nothing without one."""
    test = site.split[1]
    truth = [site.truth[name] for name in test]
    pages = read(site.paths(test)) if wrapper else []
    found = []
    for name, page in zip(test, pages, strict=False):
        with naming(f"{site.name}/{name}"):
            found.append(wrapper.read(page) if wrapper else None)
    records: list[list[Any]] = [one.records.to_dicts() if one else [] for one in found] or [[] for _ in test]
    scored = score(site, truth, records)
    verdicts = {
        name: one.verdict if one else FAILED for name, one in zip(test, found or [None] * len(test), strict=True)
    }
    return SiteReading(
        scored,
        tuple(test),
        tuple(records),
        tuple(named(scored.attributes, pages, [page.fields for page in truth], site.vertical)) if pages else (),
        tuple(name for name, verdict in verdicts.items() if verdict == FAILED),
        tuple(name for name, verdict in verdicts.items() if verdict == "suspicious"),
    )


def read_by_paths(site: Site, peer: peers.Peer) -> SiteScore:
    """What a peer makes of the same pages."""
    train, test = site.split
    read = peers.learn(site.paths(train), peer)
    return score(site, [site.truth[name] for name in test], [read(path) for path in site.paths(test)])


# ---------------------------------------------------------------- pages that are none of the wrapper's


def foreign_pages(sites: Sequence[Site], wrappers: Mapping[str, Wrapper]) -> list[Foreign]:
    """One page of every other site for every wrapper, and every test page of its twin."""
    found = []
    for other in sites:
        pages: dict[str, list[str]] = {}
        for name in wrappers:
            if name != other.name:
                for file in _shown(name, other):
                    pages.setdefault(file, []).append(name)
        for file, names in pages.items():
            [page] = opened(other.paths([file]))
            for name in names:
                read = wrappers[name].read(page)
                found.append(Foreign(name, other.name, file, read.verdict == FAILED and not len(read.records)))
    return found


def share(foreign: Sequence[Foreign]) -> float:
    """The share that was refused."""
    return sum(one.refused for one in foreign) / max(1, len(foreign))


def _shown(wrapper: str, other: Site) -> list[str]:
    """The pages of a site that the wrapper of another is shown; always the same."""
    if any({wrapper, other.name} == set(pair) for pair in TWINS):
        return other.split[1]
    return [random.Random(f"{SEED}:{wrapper}:{other.name}").choice(sorted(other.truth))]
