"""How pages are opened for extraction: a loader whose PDFs come with their structure."""

from collections.abc import Callable

from sightline.net import CrawlPolicy, Limits
from sightline.page import Page, Printed
from sightline.sources import BrowserSettings, Loader, PdfSettings

__all__ = ["new_loader", "structured_page"]


def structured_page(printed: Printed) -> Page:
    """The page of a printed document, with its structure."""
    from sightline.extract.structure import structured  # only PDFs need it, and it takes long to import

    return structured(printed)


def new_loader(
    *,
    static: bool = False,
    browser: BrowserSettings | None = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
    pdf: PdfSettings | None = None,
    structure: Callable[[Printed], Page] = structured_page,
) -> Loader:
    """A loader of one's own, whose PDFs come with their structure; `structure` finds it in another way."""
    return Loader(static=static, browser=browser, limits=limits, policy=policy, pdf=pdf, structure=structure)
