"""What every rule is worth: the figures with one rule left out at a time."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as Sheet

from bench.frame import RESULTS, Corpus, Options, changed
from bench.lists import records, topk
from bench.lists.pages import (
    Known,
    Truth,
    found_lists,
    found_tops,
    list_way,
    lists_truth,
    rendered,
    score_lists,
    score_tops,
    split,
    top_truth,
    top_way,
)
from sightline.extract import lists as engine
from sightline.files import write_bytes
from sightline.page import Page

LOWER_IS_BETTER = ("false_alarms",)
OF_LISTS = ("best_f1", "best_cells", "first_f1")
OF_TOPS = ("paper_precision", "paper_recall", "item_f1", "exact_k", "strict_recall", "false_alarms")

Worth = dict[str, float]


@dataclass(frozen=True)
class Ablation:
    """What the rules of a set are worth: its figures with all of them, and without each."""

    corpus: Corpus
    rules: Mapping[str, str]
    full: Worth
    without: Mapping[str, Worth]


def ablate(options: Options) -> None:
    """Leave out every rule in turn; print what changes, and write it down if all was measured anew."""
    split(options.without)  # refuses unknown names before anything takes its time
    found = (
        _measured(options, lists_truth(options), list_worth, engine.LIST_RULES),
        _measured(options, top_truth(options), top_worth, engine.TOP_RULES),
    )
    for one in found:
        Console(width=150).print(_sheet(one))
    if options.limit is None and not options.without and not options.keep_pages:
        _write(found)


def _measured(
    options: Options,
    truth: Truth[Known],
    worth: Callable[[Truth[Known], Sequence[Page], Sequence[str]], Worth],
    rules: Mapping[str, str],
) -> Ablation:
    pages = rendered(truth, keep=options.keep_pages)
    full = worth(truth, pages, options.without)
    left_out = [rule for rule in rules if rule not in options.without]
    without = {rule: worth(truth, pages, (*options.without, rule)) for rule in left_out}
    return Ablation(truth.corpus, rules, full, without)


def list_worth(truth: Truth[records.ListTruth], pages: Sequence[Page], without: Sequence[str]) -> Worth:
    """The figures of lists with these rules left out."""
    found = records.summary(score_lists(truth, found_lists(truth, pages, list_way(without))))
    return {name: getattr(found, name) or 0.0 for name in OF_LISTS}


def top_worth(truth: Truth[topk.TopTruth], pages: Sequence[Page], without: Sequence[str]) -> Worth:
    """The figures of top-k lists with these rules left out."""
    found = topk.summary(score_tops(truth, found_tops(truth, pages, top_way(without))))
    return {name: getattr(found, name) or 0.0 for name in OF_TOPS}


def _sheet(of: Ablation) -> Sheet:
    sheet = Sheet("left out", "what it does", *of.full, title=f"{of.corpus.name}: what every rule is worth")
    sheet.add_row("nothing", "", *(f"{value:.3f}" for value in of.full.values()), end_section=True)
    for rule, figures in of.without.items():
        sheet.add_row(rule, of.rules[rule], *(_changed(name, of.full[name], value) for name, value in figures.items()))
    return sheet


def _changed(name: str, full: float, value: float) -> str:
    return changed(full, value, lower_is_better=name in LOWER_IS_BETTER)


def _write(found: Sequence[Ablation]) -> None:
    document = {
        "task": "lists-ablation",
        "corpora": {of.corpus.name: {"hash": of.corpus.hash, "files": len(of.corpus.files)} for of in found},
        "full": {of.corpus.name: of.full for of in found},
        "without": {
            of.corpus.name: {rule: {"rule": of.rules[rule], **figures} for rule, figures in of.without.items()}
            for of in found
        },
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    write_bytes(RESULTS / "lists-ablation.json", text.encode())
