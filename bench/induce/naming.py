"""What each rule against wrong names is worth, and how its thresholds were found: `python -m bench.induce.naming`.

Rules are left out one at a time, and every threshold is tried with several values, on the twelve sites that rules were
made by. A wrong name costs as much as `COST` right ones that become neutral. To see whether a threshold holds
elsewhere, it is chosen on eleven of the sites and applied to the one that is left, for all twelve.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from types import ModuleType
from unittest.mock import patch

from rich.console import Console
from rich.table import Table as Sheet

from bench.constants import Constant
from bench.frame import Options
from bench.induce.clutter import JUDGED, Judged, judged
from bench.induce.sites import Site, read_sites
from bench.induce.ways import settings_without, wrapper_of
from sightline.extract.schemas import _evidence, _induce, _names
from sightline.extract.schemas._learn import learn
from sightline.extract.schemas._outline import Outline
from sightline.extract.schemas._template import Template, copy_template

COST = 10
_templates: dict[tuple[str | int, ...], Template] = {}
Scores = Mapping[str, Judged]


def _no(*_: object) -> bool:
    return False


def _yes(*_: object) -> bool:
    return True


# What each rule is, where it is decided, and what is there without it.
RULES: dict[str, tuple[ModuleType | type, str, object]] = {
    "links that say what to do, and labels": (_names, "is_named_elsewhere", _no),
    "bylines": (_names, "is_byline", _no),
    "counts name themselves": (_names, "counted", lambda _: ""),
    "years": (_names, "can_be", _yes),
    "peers": (_names, "are_peers", _no),
    "texts between a row's label and a value": (_names, "has_word", _no),
    "values in headings": (_names, "TOP_LABELS", frozenset[str]()),
    "texts that follow their value": (_names, "common_steps", lambda *_: 0),
    "second fields of a class": (_names._Namer, "_told_by_class", staticmethod(lambda name, *_: name)),
    "headings that span columns": (_names, "_covers", lambda header, cells: bool(header and cells)),
    "titles that differ, and have no other label": (_evidence, "_may_be_title", _yes),
}
THRESHOLDS: dict[str, Constant] = {
    "texts of a title that differ": Constant(_evidence, "DIFFERENT", (0.5, 0.6, 0.75, 0.9, 1.0)),
    "words that titles end with alike": Constant(_evidence, "SAME_END", (2, 3, 4)),
    "texts that say what to do": Constant(_evidence, "MOST", (0.4, 0.6, 0.8)),
    "words beside a year": Constant(_evidence, "MOST_BESIDE_YEAR", (0, 1, 2)),
    "cells without a heading": Constant(_names, "MOST_UNHEADED", (0, 1, 3)),
}


def score(sites: Sequence[Site]) -> Scores:
    """The names on each site that was judged."""
    found = {}
    for site in sites:
        with patch.object(_induce, "learn", partial(_learned, site.name)):
            wrapper = wrapper_of(site, settings_without(()))
        if wrapper is not None:
            found[site.name] = judged({site.name: wrapper})
    return found


def _learned(site: str, outlines: Sequence[Outline], *_: object) -> Template:
    """The template of pages of a site without names, which is learned once."""
    key = (site, *map(len, outlines))
    if key not in _templates:
        _templates[key] = learn(outlines)
    return copy_template(_templates[key])


def worth(scores: Scores, names: Sequence[str]) -> int:
    """How good the names of some sites are; higher is better."""
    return sum(scores[name].right - COST * len(scores[name].wrong) for name in names)


def _shown(scores: Scores) -> tuple[str, str, str, str]:
    wrong = [name for one in scores.values() for name in one.wrong]
    right = sum(one.right for one in scores.values())
    unknown = sum(len(one.unknown) for one in scores.values())
    return str(len(wrong)), str(right), str(unknown), ", ".join(wrong)


def _leave_out(sites: Sequence[Site]) -> Sheet:
    sheet = Sheet("left out", "wrong", "right", "not judged", "wrong names", title="rules against wrong names")
    sheet.add_row("nothing", *_shown(score(sites)), end_section=True)
    for rule, changed in RULES.items():
        with patch.object(*changed):
            sheet.add_row(rule, *_shown(score(sites)))
    return sheet


def _try_thresholds(sites: Sequence[Site]) -> Sheet:
    """Every value with its scores, and what the values chosen without a site make of that site."""
    sheet = Sheet("threshold", "value", "wrong", "right", "not judged", "wrong names", title="thresholds")
    for what, threshold in THRESHOLDS.items():
        found = {}
        for value in threshold.values:
            with threshold.set(value):
                found[value] = score(sites)
            used = " (used)" if value == threshold.used else ""
            sheet.add_row(what, f"{value:g}{used}", *_shown(found[value]))
        sheet.add_row(what, "by folds", *_shown(by_folds(found)), end_section=True)
    return sheet


def by_folds(found: Mapping[float, Scores]) -> Scores:
    """The names of each site with the value that is best on all others; of equal ones the middle one."""
    names = list(next(iter(found.values())))
    chosen = {}
    for name in names:
        others = [other for other in names if other != name]
        most = max(worth(scores, others) for scores in found.values())
        best = [value for value, scores in found.items() if worth(scores, others) == most]
        chosen[name] = found[best[len(best) // 2]][name]
    return chosen


def main() -> None:
    """Print both tables; arguments are parts of the names of sites, all that were judged by default."""
    known = json.loads(JUDGED.read_text("utf-8"))
    sites = [site for site in read_sites(Options(), sys.argv[1:]) if site.name in known]
    console = Console(width=200)
    console.print(_leave_out(sites))
    console.print(_try_thresholds(sites))


if __name__ == "__main__":
    main()
