"""How many values have to agree before a field has the name of a property: `python -m bench.induce.said_names`.

Wrappers are learned of all sites of `sites` and `sites2`, and of those sites of `things`, `content` and `content2` of
which there are several pages, most of which say something of themselves. `AGREE` is tried with several values. People
have looked at every name that a property gave at the lowest of them; `wrong_said_names.json` has those that are wrong.
To see whether a share holds elsewhere, it is chosen on all sites but one, for each of them.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table as Sheet

from bench.constants import Constant
from bench.frame import Options, folder_of
from bench.induce.naming import COST
from bench.induce.sites import listing, opened
from sightline.extract.schemas import _said_names
from sightline.extract.schemas._evidence import Witness, witness_of
from sightline.extract.schemas._induce import same_template
from sightline.extract.schemas._learn import learn
from sightline.extract.schemas._names import name_fields
from sightline.extract.schemas._outline import outlines_of
from sightline.extract.schemas._said_names import SaidNames
from sightline.extract.schemas._template import Template, copy_template

WRONG = Path(__file__).parent / "wrong_said_names.json"
SHARES = Constant(_said_names, "AGREE", (0.3, 0.5, 0.6, 0.7, 0.8, 1.0))
MOST_PAGES, FEWEST_PAGES, FEWEST_ALIKE = 8, 3, 2
Given = Mapping[str, Sequence[str]]
"""The names that properties gave on each site."""


def pages_of_sites(options: Options) -> Iterator[tuple[str, list[Path]]]:
    """The files of each site, the first few of them."""
    for data in ("sites", "sites2"):
        folder = folder_of(data, options)
        for entry in listing(folder):
            files = sorted(one for one in (folder / entry["site"]).rglob("*") if one.suffix in (".htm", ".html"))
            yield entry["site"], files[:MOST_PAGES]
    by_site: dict[str, list[Path]] = defaultdict(list)
    for data in ("things", "content", "content2"):
        folder = folder_of(data, options)
        for line in filter(None, (folder / "truth.jsonl").read_text("utf-8").split("\n")):
            page = json.loads(line)
            host = page.get("site") or urlsplit(page.get("url", "")).hostname or ""
            by_site[f"{data}: {host}"].append(folder / page["file"])
    yield from ((site, files[:MOST_PAGES]) for site, files in by_site.items() if len(files) >= FEWEST_PAGES)


def names_given(options: Options) -> dict[float, Given]:
    """The names that properties gave to fields, with each share; the template of a site is learned once."""
    given: dict[float, dict[str, list[str]]] = {share: {} for share in SHARES.values}
    for site, files in pages_of_sites(options):
        pages = opened(files)
        groups = same_template(pages)
        if not groups or len(groups[0]) < FEWEST_ALIKE:
            continue
        alike = [pages[number] for number in groups[0]]
        template, witness = learn(outlines_of(alike), frozenset()), witness_of(alike)
        for share in SHARES.values:
            with SHARES.set(share):
                given[share][site] = _names_of(template, witness)
    return dict(given)


def _names_of(template: Template, witness: Witness) -> list[str]:
    """The names of fields that are those of properties."""
    name, found = SaidNames.name, list[str]()

    def noted(said: SaidNames, texts: Sequence[str], *, is_title: bool = False) -> str:
        told = name(said, texts, is_title=is_title)
        found.extend([told] if told else [])
        return told

    with patch.object(SaidNames, "name", noted):
        name_fields(copy_template(template), witness)
    return found


def worth(given: Given, wrong: Mapping[str, Sequence[str]], sites: Sequence[str]) -> int:
    """How good the names on some sites are; higher is better."""
    bad = sum(name in wrong.get(site, ()) for site in sites for name in given[site])
    return sum(len(given[site]) for site in sites) - (COST + 1) * bad


def main() -> None:
    """Print how many names there are with each share, how many are wrong, and what the folds choose."""
    wrong = json.loads(WRONG.read_text("utf-8"))
    found = names_given(Options())
    sites = list(found[SHARES.values[0]])
    sheet = Sheet("share", "names", "wrong", "chosen without the site", title="names by properties")
    chosen = [
        max(SHARES.values, key=lambda share: worth(found[share], wrong, [other for other in sites if other != site]))
        for site in sites
    ]
    for share, given in found.items():
        bad = sum(name in wrong.get(site, ()) for site in sites for name in given[site])
        used = " (used)" if share == SHARES.used else ""
        sheet.add_row(f"{share:g}{used}", str(sum(map(len, given.values()))), str(bad), str(chosen.count(share)))
    Console(width=120).print(sheet)


if __name__ == "__main__":
    main()
