"""Of which kind the thing is that a page is about: by what it says, and by what was found on it.

Trees for each learned kind are grown by `python -m bench.about.grow_kinds`. A kind that was not learned is believed if
the page says it of what stands in its heading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
COUNTED = ("product", "recipe", "article")  # a page that describes many of one kind lists them
TYPES = ("article", "product", "website", "other")
FIELDS = 2 * len(ASKED)
"""How many measures, the first ones, are of the fields that were found."""
KIND_MEASURES = (
    *(f"most {name}" for name in ASKED),
    *(f"many {name}" for name in ASKED),
    *(f"says {kind}" for kind in KINDS),
    *(f"og:type {name}" for name in TYPES),
    *("blocks", "money", "days", "spans", "long blocks", "share long", "links", "headings", "says anything"),
    *ADDRESS_MEASURES,
    *(*(f"things {kind}" for kind in COUNTED), "says a price", "says first"),
)


def field_measures(likely: Mapping[str, npt.NDArray[np.float64]]) -> list[float]:
    """What was found on a page of each field: how likely the best is, and how many are likelier than not."""
    row = [float(likely[name].max()) if len(likely[name]) else 0.0 for name in ASKED]
    return row + [float(np.log1p((likely[name] > 0.5).sum())) for name in ASKED]


def page_measures(page: Page, said: Sequence[SaidThing], found: Candidates) -> list[float]:
    """What tells the kind of a page before any field is looked for: what it says, its address, and what is on it."""
    row: list[float] = []
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
    row += [float(np.log1p(sum(one.kind == kind for one in said))) for kind in COUNTED]
    product = next((one for one in said if one.kind == "product"), None)
    row += [float(product is not None and bool(product.thing.values("offers", "price")))]
    row += [float(LEARNED.index(said[0].kind)) if said and said[0].kind in LEARNED else -1.0]
    return row


def kinds_likely(
    page: Page, said: Sequence[SaidThing], found: Candidates, likely: Mapping[str, npt.NDArray[np.float64]]
) -> dict[str, float]:
    """How likely a page is of each kind; `list` is a page of many things, `none` one of no single thing.

    Most pages that describe something can be told at first sight; the fields of all kinds are looked for on the others.
    """
    models, own = kind_models(), page_measures(page, said, found)
    chances = _chances(models.first, own, KIND_MEASURES[FIELDS:])
    if not said or max(chances.values()) < models.sure:
        chances = _chances(models.all, [*field_measures(likely), *own], KIND_MEASURES)
    return chances | _only_said(said, chances)


def _chances(forests: Mapping[str, Forest], row: list[float], names: Sequence[str]) -> dict[str, float]:
    measures = np.array([row], dtype=np.float32)
    return {
        kind: float(forest.likely(measures[:, [names.index(name) for name in forest.names]])[0])
        for kind, forest in forests.items()
    }


def _only_said(said: Sequence[SaidThing], chances: Mapping[str, float]) -> dict[str, float]:
    """A kind that was not learned, if the page describes a thing of it that its heading names."""
    first = next((one for one in said if one.kind not in LEARNED), None)
    if first is None or first.worth < LEAST_SAID or (said[0] is not first and said[0].worth - first.worth > CLOSE):
        return {}
    return {first.kind: max(0.0, *chances.values()) + HAIR}


LEAST_SAID = 1.5  # what speaks for a thing whose name is half of the heading
CLOSE = 0.5
HAIR = 1e-6


@dataclass(frozen=True, eq=False)
class KindModels:
    """The trees of each kind: those for a first sight, how sure they must be, and those that know the fields."""

    first: Mapping[str, Forest]
    sure: float
    all: Mapping[str, Forest]


@cache
def kind_models() -> KindModels:
    """The models that come with the package."""
    return read_kinds(orjson.loads(resources.files("sightline.extract.about").joinpath("kinds.json").read_bytes()))


def read_kinds(document: Mapping[str, Any]) -> KindModels:
    """The models from plain values, as they are kept in their file."""

    def forests(kept: Mapping[str, Any]) -> dict[str, Forest]:
        return {
            kind: read_forest(tuple(one["names"]), "\n".join(one["trees"]), one["bias"]) for kind, one in kept.items()
        }

    return KindModels(forests(document["first"]), document["sure"], forests(document["all"]))
