"""How likely each candidate is the value of a field that somebody asks for, by trees that never saw its name.

They are grown by `python -m bench.own_fields.grow`.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from sightline.extract.about._asked import AskedField
from sightline.extract.about._own_ground import OwnGround
from sightline.extract.about._own_measures import NAMES, asked_measures, fitting, form_of
from sightline.trees import Forest, read_forest

NAMING, NAMED = ("best label", "best said"), 0.5


def likely_own(asked: AskedField, ground: OwnGround, forest: Forest | None = None) -> npt.NDArray[np.float64]:
    """How likely each candidate is a value of a field; 0 where it cannot be."""
    forest = forest or own_forest()
    likely = np.zeros(len(ground))
    may = fitting(asked, ground)
    if not may.any():
        return likely
    measures, form = asked_measures(asked, ground), form_of(asked, ground)
    if form is not None and not form.any():  # "on request" is a price where a label says so, and nowhere else
        may &= measures[[NAMES.index(name) for name in NAMING]].max(axis=0) >= NAMED
    places = [NAMES.index(name) for name in forest.names]
    likely[may] = forest.likely_by_columns(np.ascontiguousarray(measures[places][:, may]))
    return likely


@cache
def own_forest() -> Forest:
    """The trees that come with the package."""
    content = resources.files("sightline.extract.about").joinpath("own_fields.json").read_bytes()
    return read_own_forest(orjson.loads(content))


def read_own_forest(document: Mapping[str, Any]) -> Forest:
    """The trees from plain values, as they are kept in their file."""
    return read_forest(tuple(document["names"]), "\n".join(document["trees"]), document["bias"])
