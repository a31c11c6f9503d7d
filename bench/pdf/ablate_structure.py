"""What each rule and constant of the structure of PDFs is worth: `python -m bench.pdf.ablate_structure`.

Every rule is left out, and every number in the modules is made a quarter and four times what it is, one at a time. The
documents are those of the competition, the manuals, the papers, the printed tables and the reports; each is read by
trees that do not know its family. A constant is told by the best that one of its other values does: where that is no
worse than what is in force, the constant earns nothing here.
"""

import ast
import importlib
import json
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any
from unittest.mock import patch

import sightline as sl
from bench.frame import Options, folder_of, program
from bench.pdf import icdar, labels, printed, reports, twins
from bench.pdf.held_out import Unseen
from bench.pdf.ours import labelled, tables_of
from sightline.errors import SightlineError
from sightline.extract import structure
from sightline.extract.structure import RULES, StructureSettings, structured
from sightline.page import Page
from sightline.sources.pdf import PdfLimits, PdfSettings, read_pdf

TIMES = (0.25, 4.0)
EVERY = {"manuals": 6, "printed": 6, "reports": 8, "papers": 6}  # every so manieth of what is many
CHANGED = 0.0005  # a mean over the sets that is closer to the one in force is the same

Scores = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Held:
    """A bare document, its set and family, and how what was found in it is scored."""

    group: str
    family: str
    page: Page
    judge: Any


@dataclass(frozen=True)
class Number:
    """A number at the top of a module, and the modules that hold it."""

    name: str
    value: float
    modules: tuple[ModuleType, ...]

    @contextmanager
    def times(self, factor: float) -> Iterator[None]:
        """While it is so many times what it is."""
        other = self.value * factor
        changed = round(other) if isinstance(self.value, int) else other
        with ExitStack() as stack:
            for module in self.modules:
                stack.enter_context(patch.object(module, self.name.partition(".")[2], changed))
            yield


def main() -> None:
    """Leave out every rule and change every number, and print what comes of it."""
    parser = program(__doc__)
    parser.add_argument("--json", type=Path, default=None, help="where all scores go")
    arguments = parser.parse_args()
    held, unseen = list(_documents(Options(data=arguments.data))), Unseen()
    base = _scored(held, unseen)
    print("in force", _told(base), flush=True)
    rows = {"in force": base}
    for rule in RULES:
        rows[rule] = _scored(held, unseen, StructureSettings(without=(rule,)))
        print(f"without {rule}", _told(rows[rule], base), flush=True)
    for number in numbers():
        for factor in TIMES:
            with number.times(factor):
                rows[f"{number.name} × {factor:g}"] = told = _scored(held, unseen)
            print(f"{number.name} = {number.value:g} × {factor:g}", _told(told, base), flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(rows, indent=1), "utf-8")


# ---------------------------------------------------------------- the numbers


def numbers() -> Iterator[Number]:
    """Every number that a module of the structure gives a name to."""
    modules = [
        importlib.import_module(f"{structure.__name__}.{found.name}")
        for found in pkgutil.iter_modules(structure.__path__)
    ]
    for module in modules:
        for name in _assigned(module):
            value = getattr(module, name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                sharing = tuple(one for one in modules if one is module or name in _imported(one, module))
                yield Number(f"{module.__name__.rpartition('.')[2]}.{name}", value, sharing)


def _assigned(module: ModuleType) -> list[str]:
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    targets = (
        target
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in (
            element for one in statement.targets for element in (one.elts if isinstance(one, ast.Tuple) else [one])
        )
    )
    return [target.id for target in targets if isinstance(target, ast.Name) and target.id.isupper()]


def _imported(module: ModuleType, source: ModuleType) -> set[str]:
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    return {
        name.name
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == source.__name__
        for name in statement.names
    }


# ---------------------------------------------------------------- the documents


def _documents(options: Options) -> Iterator[Held]:
    for group, name in (("ICDAR, EU", "pdf"), ("ICDAR, US", "pdf2")):
        for document in icdar.read_documents(folder_of(name, options) / "icdar2013"):
            yield Held(group, document.name, _bare(document.path), partial(_of_icdar, document))
    for manual in _some(twins.read_twins(folder_of("twins", options)), "manuals"):
        with suppress(SightlineError):
            yield Held("manuals", manual.tool_chain, _bare(manual.path), partial(_of_manual, manual))
    truth = folder_of("tables", options) / "truth.jsonl"
    for sheets in _some(printed.print_sheets(truth, None), "printed"):
        yield Held("printed", sheets.style, _bare(sheets.path), partial(_of_printed, sheets))
    for report in _some(reports.reports(truth), "reports"):
        yield Held("reports", report.style, _bare(report.path), partial(_of_report, report))
    for path in _some(sorted((folder_of("pdf", options) / "docbank").glob("*.pdf")), "papers"):
        words = labels.read_words(path.with_suffix(".txt"))
        yield Held("papers", "papers", _bare(path), partial(_of_words, words))


def _some(all_of_them: Sequence[Any], group: str) -> Sequence[Any]:
    return all_of_them[:: EVERY[group]]


def _bare(path: Path) -> Page:
    return read_pdf(path.name, path.read_bytes(), settings=PdfSettings(), limits=PdfLimits())


def _of_icdar(document: icdar.Document, page: Page) -> Iterable[float]:
    return [icdar.score(document, tables_of(page, sl.tables(page))).structure.f1]


def _of_manual(manual: twins.TwinDocument, page: Page) -> Iterable[float]:
    return [one.f1 for one in twins.score(manual, tables_of(page, sl.tables(page)))[0]]


def _of_printed(sheets: printed.Printed, page: Page) -> Iterable[float]:
    return [one.structure.f1 for one in printed.scores(sheets, tables_of(page, sl.tables(page)))]


def _of_report(report: reports.Report, page: Page) -> Iterable[float]:
    return [one.count.f1 for one in reports.scores(report, tables_of(page, sl.tables(page)))]


def _of_words(words: Sequence[labels.Word], page: Page) -> Iterable[float]:
    return [labels.compare(words, labelled(page)).right]


# ---------------------------------------------------------------- the scores


def _scored(held: Iterable[Held], unseen: Unseen, settings: StructureSettings | None = None) -> Scores:
    """The mean of each set; a document that cannot be read like this has nothing right."""
    found: dict[str, list[float]] = {}
    for one in held:
        own = found.setdefault(one.group, [])
        with unseen.family(one.family):
            own += one.judge(structured(one.page, settings=settings))
    return {group: fmean(values) for group, values in found.items()}


def _told(found: Scores, base: Scores | None = None) -> str:
    mean = fmean(found.values())
    if base is None:
        return " ".join(f"{group} {value:.4f}" for group, value in found.items()) + f" | mean {mean:.4f}"
    by = " ".join(f"{group} {value - base[group]:+.4f}" for group, value in found.items() if value != base[group])
    change = mean - fmean(base.values())
    return f"| {change:+.4f} | {by or 'the same'}{' *' if change >= -CHANGED else ''}"


if __name__ == "__main__":
    main()
