"""Which of all values of a field is the right one: small forests weigh what is said, what is held, and what is seen.

They are grown by `python -m bench.about.grow_weighing`; docs/about.md tells what they were grown on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from sightline.extract.about._options import OPTION_MEASURES, ValueOptions
from sightline.trees import Forest, read_forest


@dataclass(frozen=True, eq=False)
class Weigher:
    """The trees of a field, and the least chance by which a value is given."""

    forest: Forest
    least: float

    def likely(self, options: ValueOptions) -> npt.NDArray[np.float64]:
        """How likely each option is the value."""
        if not options.all:
            return np.zeros(0)
        places = [OPTION_MEASURES.index(name) for name in self.forest.names]
        return self.forest.likely(options.measures()[:, places])


@cache
def weighers() -> dict[str, Weigher]:
    """The trees of every weighed field."""
    return read_weighers(
        orjson.loads(resources.files("sightline.extract.about").joinpath("weighing.json").read_bytes())
    )


def read_weighers(document: Mapping[str, Any]) -> dict[str, Weigher]:
    """The trees from plain values, as they are kept in their file."""
    return {
        name: Weigher(read_forest(tuple(one["names"]), "\n".join(one["trees"]), one["bias"]), one["least"])
        for name, one in document.items()
    }
