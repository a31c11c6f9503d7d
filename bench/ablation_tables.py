"""Write the tables of docs/ablation.md from the rules in the source: `python -m bench.ablation_tables --write`.

What was measured stands below them, from the first heading `## One record of a listing` on, and is kept.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from sightline.extract.lists import LIST_RULES, TOP_RULES
from sightline.extract.lists._measures import MEASURES
from sightline.extract.lists._measures import WEIGHTS as LIST_WEIGHTS
from sightline.extract.lists._title_choices import CHOICE_MEASURES
from sightline.extract.lists._top import TOP_WEIGHTS
from sightline.extract.schemas import INDUCE_RULES
from sightline.extract.structure import RULES as STRUCTURE_RULES
from sightline.extract.tables import PARTS, RULES
from sightline.extract.tables._evidence import WEIGHTS

PLACE = Path(__file__).parents[1] / "docs" / "ablation.md"
MEASURED = "\n## One record of a listing\n"
PAGE = """# Rules that can be left out

This page is for people who study the algorithms. Every extractor is built from named rules. You can leave out any of
them to see what it contributes. To measure all of them in turn, use `--ablate` of the [benchmark](benchmarks.md).

Each settings class has a field `without` with the names of the rules to leave out. The commands `tables`, `lists`,
`top` and `induce` have the flag `--without NAME`, which `--help` does not show and which you can repeat. So do the
benchmark tasks `tables`, `lists` and `induce`.

```python
>>> import sightline as sl
>>> page = sl.open("examples/observatory.html")
>>> from sightline.extract.tables import TableSettings
>>> len(sl.tables(page)), len(sl.tables(page, settings=TableSettings(without=("words",))))
(3, 2)

```

The tables below are generated from the source by `python -m bench.ablation_tables`.

## Tables

`TableSettings`. How it works: [finding tables](tables.md).

{tables}

The score of a table is a weighted sum of these parts. Leave one out with `part: NAME`.

{parts}

## Lists

`ListSettings`. How it works: [every repeated region](lists.md#every-repeated-region).

{lists}

The score of a region is a weighted sum of these measures. Leave one out with `measure: NAME`.

{list_measures}

```python
>>> shop = sl.open("examples/cameras.html")
>>> from sightline.extract.lists import ListSettings
>>> [found.kind for found in sl.lists(shop, settings=ListSettings(without=("inline",)))]
['items', 'items']

```

## Top-k lists

`TopSettings`. How it works: [the k items that a title promises](lists.md#the-k-items-that-a-title-promises). The
rules `visual area`, `interleaving`, `k ± 1` and `item title` are the four optimisations of the paper.

{top}

The score of a choice of k items is a weighted sum of these measures. Leave one out with `measure: NAME`. Leaving out
the rule `visual area` also leaves out the measure `area`. Leaving out the rule `numbering` also leaves out the measure
`numbered`, the lines that begin with a number and the choices of lines that count; a list found without it still has
ranks.

{top_measures}

## Induction

`InduceSettings`. How it works: [wrappers from pages alone](wrappers.md#how-it-works).

{induce}

## Structure of PDFs

`StructureSettings` of `sightline.extract.structure`, in Python only. How it works: [PDFs](pdf.md#how-it-works).

{structure}

```python
>>> from pathlib import Path
>>> from sightline.extract.structure import StructureSettings, structured
>>> from sightline.sources.pdf import PdfLimits, PdfSettings, read_pdf
>>> content = Path("examples/instruments.pdf").read_bytes()
>>> bare = read_pdf("instruments.pdf", content, settings=PdfSettings(), limits=PdfLimits())
>>> len(structured(bare, settings=StructureSettings(without=("joining",))).with_tag("table"))
4

```
"""


def ablation_page() -> str:
    """Return the text of docs/ablation.md."""
    return PAGE.format(
        tables=_rules(RULES),
        parts=_weighted("part", PARTS, WEIGHTS),
        lists=_rules(LIST_RULES),
        list_measures=_weighted("measure", MEASURES, LIST_WEIGHTS),
        top=_rules(TOP_RULES),
        top_measures=_weighted("measure", CHOICE_MEASURES, TOP_WEIGHTS),
        induce=_rules(INDUCE_RULES),
        structure=_rules(STRUCTURE_RULES),
    )


def _rules(rules: Mapping[str, str]) -> str:
    """One row per rule; parts and measures have tables of their own."""
    rows = [f"| `{name}` | {text} |" for name, text in rules.items() if ": " not in name]
    return "\n".join(["| rule | what it says |", "|---|---|", *rows])


def _weighted(what: str, texts: Mapping[str, str], weights: Mapping[str, float]) -> str:
    """One row per part or measure, with the side it speaks for."""
    rows = [f"| `{name}` | {text} | {'for' if weights[name] > 0 else 'against'} |" for name, text in texts.items()]
    return "\n".join([f"| {what} | what it measures | speaks |", "|---|---|---|", *rows])


def main() -> None:
    """Print the page, or write it with what was measured."""
    if "--write" not in sys.argv[1:]:
        print(ablation_page(), end="")
        return
    _, heading, measured = PLACE.read_text("utf-8").partition(MEASURED)
    PLACE.write_text(ablation_page() + heading + measured, "utf-8")


if __name__ == "__main__":
    main()
