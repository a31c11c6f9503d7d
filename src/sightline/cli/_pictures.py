"""`--image`: validation of the option, and drawing of the file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.cli._console import remark
from sightline.errors import UsageError
from sightline.files import write_bytes
from sightline.page import Page

if TYPE_CHECKING:
    from sightline.data import Mark

__all__ = ["draw", "prepare_image"]


def prepare_image(image: Path | None, sources: Sequence[str], settings: dict[str, Any]) -> None:
    """Reject what cannot be drawn before any page is opened, and make pages keep a screenshot."""
    if image is None:
        return
    if image.suffix.lower() != ".png":
        raise UsageError(f"{image}: pictures are written as PNG; use the suffix .png.")
    if len(sources) > 1:
        raise UsageError("--image draws one page; give one source at a time.")
    settings["browser"] = replace(settings["browser"], screenshot=True)


def draw(page: Page, marks: "Sequence[Mark]", image: Path) -> None:
    """Draw a page with marks to a file, and say so."""
    from sightline.draw import picture  # slow to import, rarely needed

    remark(f"Picture: {write_bytes(image, picture(page, marks))}")
