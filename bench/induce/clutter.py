"""How many fields a wrapper has, and how many of their names are wrong: a person has looked at those of 24 sites.

`judged_names.json` has the names that fields had, each judged by its values beside the page: right, or wrong if it
would make somebody take the values for something else. Names that say nothing (`text 1`) and sets of open rows are left
out. The sites are two of each vertical, drawn by chance, and rules were made while looking at them. No rule was made by
those of `judged_names_held_out.json`: two of each vertical that were left (seed 12), and two more where a vertical had
too few. A name that nobody has judged counts neither way and is told.
"""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Figure
from bench.induce.scores import ADDRESSES
from bench.induce.sites import Site
from sightline import Wrapper
from sightline.extract.schemas import is_neutral

JUDGED = Path(__file__).parent / "judged_names.json"
HELD_OUT = Path(__file__).parent / "judged_names_held_out.json"
MOST_FIELDS = 35  # on detail pages, at the median
MOST_WRONG = 0.03
OPEN_ROWS = "more"


@dataclass(frozen=True)
class Judged:
    """How many names of fields are right and wrong, and those that nobody has judged."""

    right: int
    wrong: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of wrong names among those that were judged."""
        return len(self.wrong) / max(1, self.right + len(self.wrong))


def number_of_fields(wrapper: Wrapper) -> int:
    """The fields that hold values, those in sets included; a set is none."""
    names = wrapper.fields
    sets = {name.rpartition(".")[0] for name in names}
    return sum(name not in sets for name in names)


def judged(wrappers: Mapping[str, Wrapper], path: Path = JUDGED) -> Judged:
    """The names of the fields on the sites that a person has looked at."""
    known: dict[str, dict[str, list[str]]] = json.loads(path.read_text("utf-8"))
    names = [
        (site, name)
        for site in known
        if site in wrappers
        for name in wrappers[site].fields
        if not _says_nothing(name.rpartition(".")[2]) and not name.startswith(OPEN_ROWS)
    ]
    wrong = tuple(f"{site}: {name}" for site, name in names if name in known[site]["wrong"])
    right = sum(name in known[site]["right"] for site, name in names)
    unknown = [f"{site}: {name}" for site, name in names if name not in {*known[site]["right"], *known[site]["wrong"]}]
    return Judged(right, wrong, tuple(unknown))


def _says_nothing(name: str) -> bool:
    """Whether a name says no more than that it is a text, a link or a picture."""
    return is_neutral(name) or ADDRESSES.fullmatch(name) is not None


def clutter_figures(sites: Sequence[Site], wrappers: Mapping[str, Wrapper]) -> tuple[Figure, ...]:
    """The median number of fields on pages about one thing, and the share of wrong names."""
    about_one = [site.name for site in sites if any(page.fields for page in site.truth.values())]
    counts = [number_of_fields(wrappers[name]) for name in about_one if name in wrappers]
    figures = []
    if counts:
        fields = float(statistics.median(counts))
        figures.append(Figure.of("fields on detail pages, median", fields, MOST_FIELDS, "lower", "fields"))
    for name, path in (("wrong names, judged by eye", JUDGED), ("wrong names, sites held out", HELD_OUT)):
        found = judged(wrappers, path)
        if found.right:
            figures.append(Figure.of(name, found.share, MOST_WRONG, "lower", "share"))
    return tuple(figures)
