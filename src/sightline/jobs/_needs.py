"""Whether a wrapper needs the browser: tried on pages that it was learned from, opened without one."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from sightline.extract.wrappers import Wrapper
from sightline.page import Page

__all__ = ["tried_without_browser"]

TRIED = 3  # pages; each may be one more request to the site


def tried_without_browser(
    wrapper: Wrapper, pages: Sequence[tuple[str, Page]], open_static: Callable[[str], Page | None]
) -> Wrapper:
    """The wrapper, knowing whether its pages read the same without a browser: same records, and no doubt about them.

    `pages` are rendered ones with their sources, `open_static` opens a source without a browser, or gives None.
    """
    rendered = [(source, page) for source, page in pages if page.kind == "rendered"]
    tried = _spread(rendered)
    if not wrapper.rendered or not tried:
        return wrapper
    return replace(wrapper, plain=all(_reads_alike(wrapper, page, open_static(source)) for source, page in tried))


def _spread(pages: Sequence[tuple[str, Page]]) -> list[tuple[str, Page]]:
    """The first page, the last, and one between."""
    places = sorted({round(place * (len(pages) - 1) / (TRIED - 1)) for place in range(TRIED)}) if pages else []
    return [pages[place] for place in places]


def _reads_alike(wrapper: Wrapper, rendered: Page, static: Page | None) -> bool:
    if static is None:
        return False
    with_browser, without = wrapper.read(rendered, heal=False), wrapper.read(static, heal=False)
    same = with_browser.records.to_dicts() == without.records.to_dicts()
    return same and without.verdict == "ok" and len(without.records) > 0
