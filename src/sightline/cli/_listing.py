"""What `lists` and `top` share: their flags, what is kept of every page, and the file at the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import typer

from sightline import Page
from sightline.cli._files import check_suffix, content_of, write_all
from sightline.cli._origins import Origins
from sightline.cli._pictures import draw, prepare_image
from sightline.data import ItemList
from sightline.sources import Loaded

__all__ = ["Everything", "Harvest", "Image", "ListOutput", "Out", "Trace", "WithOrigins"]

Out = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Write into this file: .csv .jsonl .json .xml .xlsx .parquet or .html. "
        "Several lists become numbered files where the format holds only one.",
    ),
]
WithOrigins = Annotated[
    bool, typer.Option("--origins", help="With box and XPath of every part, in JSON, JSON lines and XML.")
]
Image = Annotated[
    Path | None, typer.Option("--image", help="Draw the page with a frame around each list and its records.")
]
Trace = Annotated[
    bool, typer.Option("--trace", help="Show what was looked at, what spoke for and against it, and the verdict.")
]
Everything = Annotated[bool, typer.Option("--all", help="Print everything, not only the first of it.")]


@dataclass(frozen=True)
class ListOutput:
    """What to do with the lists."""

    origins: bool
    trace: bool
    everything: bool
    image: Path | None
    out: Path | None

    def prepare(self, sources: Sequence[str], settings: dict[str, Any]) -> None:
        """Refuse what cannot be, before any page is opened."""
        if self.out:
            check_suffix(self.out)
        prepare_image(self.image, sources, settings)


Traced = TypeVar("Traced")


@dataclass
class Harvest(Generic[Traced]):
    """What was found so far, and how on the last page; the pages themselves are not kept."""

    wanted: ListOutput
    trace: Traced
    lists: list[ItemList] = field(default_factory=list)
    origins: Origins = field(default_factory=Origins)

    def take(self, page: Page, lists: Sequence[ItemList]) -> list[dict[str, Any]]:
        """The documents of the lists of a page; what is wanted of them beyond that is done or kept."""
        if self.wanted.out:
            self.lists.extend(lists)
        if self.wanted.origins:
            self.origins.note_lists(page, lists)
        if self.wanted.image:
            from sightline.draw import marks_of_lists  # slow to import, and seldom asked for

            draw(page, marks_of_lists(lists), self.wanted.image)
        return [
            one.to_json(origins=self.wanted.origins, xpath=self.origins, evidence=self.wanted.trace) for one in lists
        ]

    def and_then_write(self, loaded: Iterator[Loaded], advice: str = "") -> Iterator[Loaded]:
        """The pages, and after the last one the file: also when some failed, and before their status is told."""
        yield from loaded
        path = self.wanted.out
        if path:
            places = self.origins if self.wanted.origins else None
            write_all(self.lists, path, lambda part: content_of(part, path, places), what="list", advice=advice)
