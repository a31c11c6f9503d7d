"""Of which kind the thing is that a page is about: by what it says, and by what was found on it.

Trees for each learned kind are grown by `python -m bench.about.grow_kinds`. A kind that was not learned is believed if
the page says it of what stands in its heading.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from sightline.extract.about._candidates import BLOCK, NUMBER_OF, Candidates
from sightline.extract.about._kinds import KINDS
from sightline.extract.about._model import ASKED
from sightline.extract.about._said import SaidThing
from sightline.extract.content import ADDRESS_MEASURES, address_measures
from sightline.page import Page
from sightline.page.own_data import read_descriptions
from sightline.trees import Forest, read_forest

LEARNED = ("product", "recipe", "article", "thread", "list", "none")
SITE_KINDS = frozenset(("person", "organisation", "place"))  # said by nearly every page of who made it
LONG_BLOCK = 200  # characters of a paragraph
TYPES = ("article", "product", "website", "other")
KIND_MEASURES = (
    *(f"most {name}" for name in ASKED),
    *(f"many {name}" for name in ASKED),
    *(f"says {kind}" for kind in KINDS),
    *(f"og:type {name}" for name in TYPES),
    *("blocks", "money", "days", "spans", "long blocks", "share long", "links", "headings", "says anything"),
    *ADDRESS_MEASURES,
)


def kind_measures(
    page: Page, said: Sequence[SaidThing], found: Candidates, likely: Mapping[str, npt.NDArray[np.float64]]
) -> list[float]:
    """What tells the kind of a page, in the order of `KIND_MEASURES`."""
    row: list[float] = [float(likely[name].max()) if len(likely[name]) else 0.0 for name in ASKED]
    row += [float(np.log1p((likely[name] > 0.5).sum())) for name in ASKED]
    worths = {kind: max((one.worth for one in said if one.kind == kind), default=-9.0) for kind in KINDS}
    row += [worths[kind] for kind in KINDS]
    told = {text.casefold() for text in read_descriptions(page).meta.get("og:type", ())}
    row += [*(float(name in told) for name in TYPES[:-1]), float(bool(told - set(TYPES)))]
    kinds = np.bincount(found.kind, minlength=len(NUMBER_OF)) if len(found) else np.zeros(len(NUMBER_OF))
    sizes = np.array([len(text) for text in found.blocks.texts] or [0])
    long = sizes >= LONG_BLOCK
    row += [float(np.log1p(kinds[number])) for number in (BLOCK, *(NUMBER_OF[one] for one in ("money", "day", "span")))]
    row += [float(np.log1p(long.sum())), float(sizes[long].sum() / max(1, sizes.sum()))]
    row += [float(np.log1p(len(page.with_tag(name)))) for name in ("a", "h2")]
    row += [float(bool(said)), *address_measures(page.address)]
    return row


def kinds_likely(
    page: Page, said: Sequence[SaidThing], found: Candidates, likely: Mapping[str, npt.NDArray[np.float64]]
) -> dict[str, float]:
    """How likely a page is of each kind; `list` is a page of many things, `none` one of no single thing."""
    row = np.array([kind_measures(page, said, found, likely)], dtype=np.float32)
    chances = {}
    for kind, forest in kind_forests().items():
        places = [KIND_MEASURES.index(name) for name in forest.names]
        chances[kind] = float(forest.likely(row[:, places])[0])
    return chances | _only_said(said, chances)


def _only_said(said: Sequence[SaidThing], chances: Mapping[str, float]) -> dict[str, float]:
    """A kind that was not learned, if the page describes a thing of it that its heading names."""
    first = next((one for one in said if one.kind not in LEARNED), None)
    if first is None or first.worth < LEAST_SAID or (said[0] is not first and said[0].worth - first.worth > CLOSE):
        return {}
    return {first.kind: max(0.0, *chances.values()) + HAIR}


LEAST_SAID = 1.5  # what speaks for a thing whose name is half of the heading
CLOSE = 0.5
HAIR = 1e-6


@cache
def kind_forests() -> dict[str, Forest]:
    """The trees of each learned kind."""
    return read_kinds(orjson.loads(resources.files("sightline.extract.about").joinpath("kinds.json").read_bytes()))


def read_kinds(document: Mapping[str, Any]) -> dict[str, Forest]:
    """The trees of each kind from plain values, as they are kept in their file."""
    return {
        kind: read_forest(tuple(one["names"]), "\n".join(one["trees"]), one["bias"]) for kind, one in document.items()
    }
