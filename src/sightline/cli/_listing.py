"""What `lists` and `top` share: their flags, and the output of the lists of each page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline.cli._console import output
from sightline.cli._files import ExportSettings, check_suffix, content_of, draw, prepare_image, write_all
from sightline.cli._report import Reporter
from sightline.cli._text import clean, print_trace
from sightline.data import Extraction, ItemList
from sightline.jobs import XPaths
from sightline.page import Page

__all__ = ["Everything", "Image", "ListOutput", "Out", "ShowTrace", "WithOrigins"]

Out = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Write to this file: .csv .jsonl .json .xml .xlsx .parquet or .html; or to this folder. "
        "Several lists become numbered files if the format holds only one.",
    ),
]
WithOrigins = Annotated[
    bool, typer.Option("--origins", help="Include the box and XPath of every part, in JSON, JSON lines and XML.")
]
Image = Annotated[Path | None, typer.Option("--image", help="Draw the page with each list and its records framed.")]
ShowTrace = Annotated[
    bool, typer.Option("--trace", help="Show every candidate, the evidence for and against it, and the decision.")
]
Everything = Annotated[bool, typer.Option("--all", help="Print everything, not only the beginning.")]


@dataclass
class ListOutput:
    """Where the lists go: JSON documents, a picture, and finally a file."""

    origins: bool
    trace: bool
    image: Path | None
    out: Path | None
    how: ExportSettings
    kept: list[ItemList] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    xpaths: XPaths = field(default_factory=XPaths)

    def prepare(self, sources: Sequence[str], settings: dict[str, Any]) -> None:
        """Reject what cannot be written or drawn, before any page is opened."""
        if self.out:
            check_suffix(self.out, folder=True)
        prepare_image(self.image, sources, settings)

    def show(self, reporter: Reporter, source: str, page: Page, found: Extraction) -> bool:
        """Report what was found on a page; whether its lists are still to be printed, after its name."""
        reporter.add(source, self.take(source, page, found))
        if reporter.json or not (self.trace or (len(found) and not self.out)):
            return False
        output.print(clean(source), style="dim", markup=False)
        if self.trace and found.trace:
            print_trace(found.trace)
        return not self.trace

    def take(self, source: str, page: Page, found: Extraction) -> Any:
        """The JSON document for a page; its lists are also drawn and kept if wanted."""
        if self.out:
            lists = [result for result in found if isinstance(result, ItemList)]
            self.kept += lists
            self.sources += [source] * len(lists)
        if self.origins:
            self.xpaths.add_results(page, found)
        if self.image:
            draw(page, found.marks(), self.image)
        return found.to_json(origins=self.origins, xpath=self.xpaths, evidence=self.trace)

    def write(self, advice: str = "") -> None:
        """Write all kept lists, if wanted."""
        path = self.out
        if path:
            xpaths = self.xpaths if self.origins else None
            write_all(
                self.kept,
                path,
                lambda part, file: content_of(part, file, xpaths, self.how, self.sources),
                what="list",
                sources=self.sources,
                advice=advice,
            )
