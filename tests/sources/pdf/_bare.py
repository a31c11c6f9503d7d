"""The bare page of a PDF, as the source gives it before anybody says what its blocks are."""

from typing import Any

from sightline.page import Page
from sightline.sources.pdf import PdfLimits, PdfSettings, read_pdf

from ._write import pdf


def bare(content: bytes, **options: Any) -> Page:
    """The bare page of a whole PDF."""
    options = {"settings": PdfSettings(), "limits": PdfLimits(), **options}
    return read_pdf("x.pdf", content, **options)


def sheet(*contents: bytes, **options: Any) -> Page:
    """The bare page of one sheet with all these contents."""
    return bare(pdf(b"".join(contents), **options))


def texts(page: Page, *tags: str) -> list[str]:
    """The text of each element with one of these tags, in order, its lines separated by bars."""
    return [page.text_of(number).replace("\n", " | ") for number in page.with_tag(*tags).tolist()]


def lines(page: Page) -> list[str]:
    """The lines of the page."""
    return texts(page, "span")


def blocks(page: Page) -> list[list[str]]:
    """The lines of each block, in the order in which the page is read."""
    return [[child.text for child in page.node(number).children] for number in page.with_tag("div").tolist()]
