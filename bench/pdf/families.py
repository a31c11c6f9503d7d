"""Documents of one template as PDFs: a wrapper is induced from some of them, and reads others that it has not seen.

Five families were set by LibreOffice and by TeX, so that everything on them is known: statements of accounts, invoices,
payslips, time tables of buses and delivery notes, twenty documents each. The half of a family is learned from (or the
first five of these), the other half is read and scored as the pages of sites are in `bench.induce`: page F1 of the
values that a document has once, record F1 and cell F1 of its table, and page F1 again with the columns of that table as
values, of which all must be right. `python -m bench.pdf.families` prints them.

The code was changed with an eye on `LOOKED_AT` alone; the others say whether that holds for documents that nobody saw.
Another `--seed` draws other documents of the same designs.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table as Sheet

from bench.frame import CACHE, program, shown
from bench.induce.report import report
from bench.induce.scores import score
from bench.induce.sites import PageTruth, Site
from bench.induce.ways import SiteReading, read_site, wrapper_of
from bench.measures import mean
from bench.pdf.family_sources import OFFICE, SOURCES
from bench.pdf.family_texts import SAID, Draw, Said
from bench.pdf.ours import opened
from bench.pdf.setters import set_document, set_letters
from sightline.extract.schemas import InduceSettings
from sightline.page import Page

FAMILIES = CACHE / "pdf-families"
DOCUMENTS = 20
LEARNED = (10, 5)  # documents that are learned from
LOOKED_AT = ("statements", "invoices", "deliveries")


def family(name: str, seed: int = 0) -> Site:
    """The documents of a family with their truth; what was set before is not set again."""
    folder = FAMILIES / (f"{name}-{seed}" if seed else name)
    says = [SAID[name](Draw(random.Random(f"{seed}/{name}/{number}"))) for number in range(DOCUMENTS)]
    paths = _documents(name, folder / "pages", says)
    truth = {path.name: _truth(path.name, said) for path, said in zip(paths, says, strict=True)}
    return Site(name, "pdf", complete=False, any_of=frozenset(), folder=folder, truth=truth)


def _documents(name: str, folder: Path, says: Sequence[Said]) -> list[Path]:
    """The files of documents, whose names change with their sources."""
    style, source_of = SOURCES[name]
    sources = {}
    for number, source in enumerate(map(source_of, says)):
        sources[folder / f"{number:02}-{hashlib.blake2b(source.encode(), digest_size=8).hexdigest()}.pdf"] = source
    missing = {path: source for path, source in sources.items() if not path.exists()}
    if style == OFFICE:
        set_letters(missing)
    else:
        for path, source in missing.items():
            set_document(style, source, path)
    return list(sources)


def _truth(file: str, said: Said) -> PageTruth:
    fields = {name: [text] for name, text in said.fields.items() if text is not None}
    rows = [{name: [text] for name, text in row.items() if text} for row in said.rows]
    return PageTruth(file, fields, tuple(rows))


def read_family(site: Site, learned_from: int) -> SiteReading:
    """The unseen half of a family, read by a wrapper of so many documents of the other half."""
    wrapper = wrapper_of(site, InduceSettings(), most=learned_from, read=pages_of)
    return read_site(site, wrapper, read=pages_of)


def pages_of(paths: Sequence[Path]) -> list[Page]:
    """The pages of PDFs."""
    return list(map(opened, paths))


def with_columns(reading: SiteReading) -> float | None:
    """Page F1 where the columns of the table are values as well."""
    site = reading.score.site
    truth = [replace(site.truth[name], fields=site.truth[name].all_columns, records=()) for name in reading.files]
    return score(site, truth, reading.records).page_f1


def main() -> None:
    """Set all documents, learn from some, read the others, and print the figures of every family."""
    parser = program(__doc__)
    parser.add_argument("--seed", type=int, default=0, help="another one draws other documents")
    parser.add_argument("--family", choices=tuple(SAID), nargs="+", default=tuple(SAID), help="only these")
    parser.add_argument("--show", action="store_true", help="print what is wrong")
    arguments = parser.parse_args()
    sheet = Sheet("family", "learned", "page F1", "columns", "records", "cells", "refused", "doubted")
    readings = []
    for learned_from in LEARNED:
        found = [(name, read_family(family(name, arguments.seed), learned_from)) for name in arguments.family]
        for name, reading in found:
            sheet.add_row(name, str(learned_from), *_figures(reading))
        sheet.add_row("mean", str(learned_from), shown(mean(one.score.page_f1 or 0.0 for _, one in found)))
        readings += [reading for _, reading in found]
    if arguments.show:
        report(readings, most=len(readings))
    Console().print(sheet)


def _figures(reading: SiteReading) -> tuple[str, ...]:
    records = reading.score.records
    shares = (reading.score.page_f1, with_columns(reading), records and records.f1, records and records.cell_f1)
    return (*map(shown, shares), str(len(reading.refused)), str(len(reading.doubted)))


if __name__ == "__main__":
    main()
