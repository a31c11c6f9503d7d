"""What every rule is worth: the figures with one rule left out at a time."""

import json
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table as Sheet

from bench.frame import RESULTS, Options, changed
from bench.induce.scores import summary
from bench.induce.sites import Site, corpus_of, read_sites
from bench.induce.ways import read_site, settings_without, wrapper_of
from sightline.extract.schemas import INDUCE_RULES
from sightline.files import write_bytes

LOWER_IS_BETTER = ("refused",)
FIGURES = {
    "page_f1": "page F1",
    "cell_recall": "cells R",
    "record_f1": "records",
    "record_cells": "their cells",
    "column_precision": "col. P",
    "column_recall": "col. R",
    "column_f1": "col. F",
}
WIDTH = 170

Worth = dict[str, float]


def ablate(options: Options) -> None:
    """Leave out every rule in turn; print what changes, and write it down if all was measured anew."""
    settings_without(options.without)  # refuses unknown names before anything takes its time
    sites = read_sites(options)
    full = worth(sites, options.without)
    left_out = [rule for rule in INDUCE_RULES if rule not in options.without]
    without = {rule: worth(sites, (*options.without, rule)) for rule in left_out}
    Console(width=WIDTH).print(_sheet(full, without))
    if options.limit is None and not options.without:
        _write(sites, full, without)


def worth(sites: Sequence[Site], without: Sequence[str]) -> Worth:
    """The figures with these rules left out."""
    settings = settings_without(without)
    readings = [read_site(site, wrapper_of(site, settings)) for site in sites]
    found = summary([reading.score for reading in readings])
    values = {name: getattr(found, name) or 0.0 for name in FIGURES}
    names = [one.good for reading in readings for one in reading.named]
    values["names"] = sum(names) / max(1, len(names))
    pages = sum(len(reading.files) for reading in readings)
    return values | {"refused": sum(len(reading.refused) for reading in readings) / max(1, pages)}


def _sheet(full: Worth, without: Mapping[str, Worth]) -> Sheet:
    titles = [FIGURES.get(name, name) for name in full]
    sheet = Sheet("left out", "what it does", *titles, title="sites: what every rule is worth")
    sheet.add_row("nothing", "", *(f"{value:.3f}" for value in full.values()), end_section=True)
    for rule, figures in without.items():
        changed = (_changed(name, full[name], value) for name, value in figures.items())
        sheet.add_row(rule, INDUCE_RULES[rule], *changed)
    return sheet


def _changed(name: str, full: float, value: float) -> str:
    return changed(full, value, lower_is_better=name in LOWER_IS_BETTER)


def _write(sites: Sequence[Site], full: Worth, without: Mapping[str, Worth]) -> None:
    corpus = corpus_of(sites)
    document = {
        "task": "induce-ablation",
        "corpora": {corpus.name: {"hash": corpus.hash, "files": len(corpus.files)}},
        "full": full,
        "without": {rule: {"rule": INDUCE_RULES[rule], **figures} for rule, figures in without.items()},
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    write_bytes(RESULTS / "induce-ablation.json", text.encode())
