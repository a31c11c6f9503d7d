"""What every rule is worth: the figures with one rule left out at a time."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from rich.console import Console
from rich.table import Table as Sheet

from bench.frame import RESULTS, Options
from bench.tables.adjacency import summary
from bench.tables.pages import DEFAULT, RENDERING, Truth, found_on, read_truth, rendered, scores, settings_without, ways
from sightline.extract.tables import RULES
from sightline.files import write_bytes
from sightline.page import Page

LOWER_IS_BETTER = ("layout",)
SHOWN = 0.0005  # smaller changes vanish in three digits


@dataclass(frozen=True)
class Worth:
    """The figures that the rules are judged by: F1 from the rendering alone, the rest with the markup as a witness."""

    markup: float
    visual: float
    ascii: float
    layout: float
    precision: float
    header: float


def ablate(options: Options) -> None:
    """Leave out every rule in turn; print what changes, and write it down if all was measured anew."""
    settings_without(*options.without)  # refuses unknown names before anything takes its time
    truth = read_truth(options)
    pages = rendered(truth, keep=options.keep_pages)
    full = worth(truth, pages, options.without)
    left_out = {rule: worth(truth, pages, (*options.without, rule)) for rule in RULES if rule not in options.without}
    Console(width=150).print(_sheet(full, left_out))
    if options.limit is None and not options.without and not options.keep_pages:
        _write(truth, full, left_out)


def worth(truth: Truth, pages: Sequence[Page], without: Sequence[str]) -> Worth:
    """The figures with these rules left out."""
    by_way = ways(without)
    default, rendering = (scores(truth, found_on(truth, pages, by_way[name])) for name in (DEFAULT, RENDERING))
    of_kinds = (summary(rendering, kind).f1 or 0.0 for kind in ("markup", "visual", "ascii"))
    whole = summary(default)
    return Worth(*of_kinds, whole.layout_handed_out or 0.0, whole.hit_share or 0.0, whole.header or 0.0)


def _sheet(full: Worth, left_out: dict[str, Worth]) -> Sheet:
    names = [field.name for field in fields(Worth)]
    sheet = Sheet("left out", "what it does", *names, title="what every rule is worth")
    sheet.add_row("nothing", "", *(f"{getattr(full, name):.3f}" for name in names), end_section=True)
    for rule, figures in left_out.items():
        sheet.add_row(rule, RULES[rule], *(_changed(name, full, figures) for name in names))
    return sheet


def _changed(name: str, full: Worth, figures: Worth) -> str:
    value = getattr(figures, name)
    change = value - getattr(full, name)
    if abs(change) < SHOWN:
        return f"{value:.3f}"
    is_loss = (change > 0) == (name in LOWER_IS_BETTER)
    return f"{value:.3f} [{'red' if is_loss else 'green'}]{change:+.3f}[/]"


def _write(truth: Truth, full: Worth, left_out: dict[str, Worth]) -> None:
    document = {
        "task": "tables-ablation",
        "corpora": {"tables": {"hash": truth.corpus.hash, "files": len(truth.corpus.files)}},
        "full": asdict(full),
        "without": {rule: {"rule": RULES[rule], **asdict(figures)} for rule, figures in left_out.items()},
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    write_bytes(RESULTS / "tables-ablation.json", text.encode())
