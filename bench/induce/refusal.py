"""Pages that are none of the wrapper's: of other sites, and of other templates of the same site."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.induce.sites import SEED, Site, opened
from bench.induce.ways import FAILED
from sightline.extract.wrappers import Wrapper

# Two templates of one site each: same header, same style, other contents.
TWINS = (("cgit-commit", "cgit-log"), ("ecommerce-list", "ecommerce-product"))


@dataclass(frozen=True)
class Foreign:
    """A page that was shown to the wrapper of another site, and whether it was refused without handing out records."""

    wrapper: str
    site: str
    file: str
    refused: bool


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
