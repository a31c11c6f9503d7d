"""Pages of `sites` and `sites2` that are asked for fields by name, with the values that they have."""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import sightline as sl
from bench.about.samples import bare, listed
from bench.frame import Options, folder_of, thinned
from sightline.extract.about._asked import AskedField
from sightline.extract.about._candidates import candidates_of
from sightline.extract.about._context import context_of
from sightline.extract.about._measures import looks_of
from sightline.extract.about._own_ground import OwnGround, ground_of

SETS = ("sites", "sites2")
PAGES_A_SITE = 12
# Fields that hardly any page of another vertical has; some are asked for, so that the trees know what is not there.
FOREIGN = (
    *("frame size", "cuisine", "mpaa rating", "engine", "isbn 13", "team", "publisher", "diffstat", "fuel economy"),
    *("wingspan", "warranty period", "blood type", "voltage", "harvest year", "thread count", "director", "salary"),
)
LABEL = re.compile(r"^(?:[^\W\d][^:]{0,40})?:\s*(?=\S)(?!\d\d:)")


@dataclass(frozen=True)
class OwnPage:
    """A page of a site: the fields that it is asked for, and of each the texts that are right."""

    site: str
    vertical: str
    path: Path
    asked: tuple[AskedField, ...]
    truth: Mapping[str, Sequence[str]]
    url: str = ""
    only_teaches: bool = False

    @property
    def id(self) -> str:
        """The page by its site and file."""
        return f"{self.site}/{self.path.name}"

    def right(self, field: AskedField) -> list[frozenset[str]]:
        """What is right as the value of a field; of several values, what is right as each of them."""
        values = self.truth.get(field.name, ())
        parts = [[value] for value in values] if field.many else [values]
        return [own for own in (frozenset(_spellings(part)) for part in parts) if own]

    def taught(self, field: AskedField) -> frozenset[str]:
        """What is taught as a value of a field: without the label that the truth may have before it."""
        values = [LABEL.sub("", value) for value in self.truth.get(field.name, ())]
        whole = {plain_key(" ".join(values))} - {""}  # also of several, which a page may say as one
        return frozenset().union(
            whole, *(_spellings([value]) for value in values), () if field.many else _spellings(values)
        )


@dataclass(frozen=True, eq=False)
class OwnSample:
    """A page as it is asked, with what it shows."""

    page: OwnPage
    ground: OwnGround
    keys: tuple[str, ...]

    def labels(self, field: AskedField) -> npt.NDArray[np.bool_]:
        """Which candidates are values of a field."""
        right = self.page.taught(field)
        return np.array([key in right for key in self.keys], dtype=bool)


def plain_key(text: object) -> str:
    """A text as it is compared: its letters and figures.

    >>> plain_key("$ 33,575 "), plain_key("6'4”")
    ('33575', '64')
    """
    return "".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", str(text)).casefold()))


def _spellings(values: Sequence[str]) -> set[str]:
    """What is right for one value: each text as it stands, without its label, and several in a row as one."""
    whole = {plain_key(value) for value in values} | {plain_key(LABEL.sub("", value)) for value in values}
    runs = {
        plain_key(" ".join(values[low:high])) for low in range(len(values)) for high in range(low + 2, len(values) + 1)
    }
    return (whole | runs) - {""}


def own_pages(options: Options, most: int = PAGES_A_SITE) -> Iterator[OwnPage]:
    """The pages of all sites of single things, thinned out."""
    sites_of: dict[str, list[tuple[Path, Mapping[str, Any]]]] = defaultdict(list)
    for name in SETS:
        folder = folder_of(name, options)
        told = json.loads((folder / "sites.json").read_text("utf-8"))
        entries: Mapping[str, Any] = told if isinstance(told, dict) else {one["site"]: one for one in told}
        for site, about in entries.items():
            if about["kind"] != "list":
                sites_of[about["vertical"]].append((folder / site, about))
    for vertical, sites in sites_of.items():
        yield from _of_vertical(vertical, sites, most)


def _of_vertical(vertical: str, sites: Sequence[tuple[Path, Mapping[str, Any]]], most: int) -> Iterator[OwnPage]:
    """The pages of a vertical; a field that has several values on any of them is asked for with several on all."""
    pages = {folder: _read_truth(folder) for folder, _ in sites}
    spelled = frozenset(name for _, about in sites for name in about.get("any") or ())
    several = {
        name for own in pages.values() for page in own for name, values in page["fields"].items() if len(values) > 1
    }
    for folder, about in sites:
        names = [name for name in about["attributes"] if not name.startswith("record.")]
        asked = tuple(AskedField(name, many=name in several - spelled) for name in names)
        for page in thinned(pages[folder], most):
            yield OwnPage(folder.name, vertical, folder / "pages" / page["file"], asked, page["fields"])


def _read_truth(folder: Path) -> list[Mapping[str, Any]]:
    lines = (folder / "truth.jsonl").read_text("utf-8").strip("\n").split("\n")
    return [json.loads(line) for line in lines]


def read_sample(page: OwnPage, html: bytes | None = None) -> OwnSample:
    """What a page shows."""
    opened = sl.open(page.path if html is None else html, static=True, **({"url": page.url} if page.url else {}))
    found = candidates_of(opened)
    ground = ground_of(opened, found, context_of(found), looks_of(found))
    return OwnSample(page, ground, tuple(plain_key(one.text) for one in ground.rows))


# The fields of `things` that teach, under the names that its truth has for them, and those with several values.
TAUGHT = (
    *("title", "author", "authors", "ingredients", "instructions", "yields", "total_time", "ratings", "price", "sku"),
    *("brand", "mpn", "publishing_date", "description", "topics"),
)
SEVERAL = ("ingredients", "instructions", "topics", "authors")
EVERY_RECIPE = 4  # of so many recipes one, so that they are as many as articles and products


def read_things(options: Options) -> Iterator[OwnSample]:
    """Pages of `things`, which teach how values look that have no label; every second without its own data."""
    folder = folder_of("things", options)
    lines = (folder / "truth.jsonl").read_text("utf-8").strip("\n").split("\n")
    told = [json.loads(line) for line in lines]
    kept = [one for number, one in enumerate(told) if one["kind"] != "recipe" or number % EVERY_RECIPE == 0]
    for number, one in enumerate(kept):
        truth = {
            name: [str(value) for value in listed(values)] for name, values in one["fields"].items() if name in TAUGHT
        }
        asked = tuple(AskedField(name, many=name in SEVERAL) for name in truth)
        path = folder / one["file"]
        html = path.read_bytes()
        page = OwnPage(one["site"], one["kind"], path, asked, truth, one["url"] or "", only_teaches=True)
        yield read_sample(page, bare(html) if number % 2 else html)
