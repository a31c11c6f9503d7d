"""The verb: a crawl from addresses and examples, as people name them."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sightline.crawler._crawl import Ask, Crawler, Goal, OnStatus
from sightline.crawler._settings import CrawlSettings, CrawlStatus, CrawlTarget
from sightline.errors import UsageError
from sightline.page import Page

if TYPE_CHECKING:
    from sightline.extract.wrappers import Wrapper
    from sightline.net import CrawlPolicy, Limits
    from sightline.sources import BrowserSettings

_WEB = ("http://", "https://")


def crawl(  # noqa: PLR0913 - keywords, each of them said seldom
    first: str | Sequence[str] = (),
    folder: str | os.PathLike[str] | None = None,
    *,
    like: "str | os.PathLike[str] | Page | Sequence[str | os.PathLike[str] | Page]" = (),
    wrapper: "Wrapper | None" = None,
    kind: str | None = None,
    again: bool = False,
    settings: CrawlSettings | None = None,
    limits: "Limits | None" = None,
    policy: "CrawlPolicy | None" = None,
    browser: "BrowserSettings | None" = None,
    ask: Ask | None = None,
    on_status: OnStatus | None = None,
) -> CrawlStatus:
    """Visit the pages of a site, those that matter first, and keep them in a folder; the status it has in the end.

    It begins at the addresses `first`, and needs a `folder` for what it finds. Pages matter that are like the pages
    `like` (addresses, files or pages), that a `wrapper` can read, or that are about one thing of a `kind`, such as
    `product`; without any of these, every page does. The same call goes on where the last one ended; with `again` it
    visits everything once more, and tells what is new, changed and gone. `ask` is called with the address of a page in
    doubt, three times at most, and says whether it is one of those looked for.

    >>> crawl("https://shop.example/")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: A crawl needs a folder for what it finds; name one: crawl(url, "folder").
    """
    if folder is None:
        raise UsageError('A crawl needs a folder for what it finds; name one: crawl(url, "folder").')
    begin = _several("first", first, str, "an address, or several")
    examples = _several("like", like, str | os.PathLike | Page, "an address, a file or a page, or several")
    if sum((bool(examples), wrapper is not None, kind is not None)) > 1:
        raise UsageError(
            "Pages are told by examples, by a wrapper or by a kind; give one of `like`, `wrapper`, `kind`."
        )
    _check_kind(kind)
    web = [one for one in examples if isinstance(one, str) and one.startswith(_WEB)]
    texts = [_text(one) for one in examples if not (isinstance(one, str) and one.startswith(_WEB))]
    crawler = Crawler(
        folder,
        first=begin,
        like=web,
        examples=texts,
        goal=_goal(wrapper, kind, settings or CrawlSettings()) if wrapper or kind or examples else None,
        target=CrawlTarget.of_wrapper(wrapper) if wrapper else CrawlTarget.of_kind(kind) if kind else None,
        settings=settings,
        limits=limits,
        policy=policy,
        browser=browser,
        again=again,
        ask=ask,
        on_status=on_status,
    )
    return crawler.run()


def _several(name: str, given: Any, kind: Any, what: str) -> list[Any]:
    """What was given one by one or together, as a list."""
    found = [given] if isinstance(given, kind) else list(given) if isinstance(given, Iterable) else [given]
    for one in found:
        if not isinstance(one, kind):
            raise UsageError(f"`{name}` of a crawl must be {what}, not {one!r:.60}.")
    return found


def _check_kind(kind: str | None) -> None:
    """Refuse a kind that there is not before anything is visited."""
    if kind is None:
        return
    from sightline.extract.about import KINDS  # whose models a crawl by examples does not need

    if kind not in KINDS:
        raise UsageError(f"There is no kind of thing {kind!r:.40}; use one of {', '.join(KINDS)}.")


def _goal(wrapper: "Wrapper | None", kind: str | None, settings: CrawlSettings) -> Goal:
    """What tells the pages looked for; the published ranking comes with the published comparison."""
    from sightline.crawler.likeness import KindLikeness, ProfileLikeness, SkeletonLikeness, WrapperLikeness

    if wrapper is not None:
        return lambda *_: WrapperLikeness(wrapper)
    if kind is not None:
        return lambda *_: KindLikeness(kind)
    if settings.rank == "published":
        return lambda texts, *_: SkeletonLikeness.of_texts(texts)
    return lambda texts, urls, questions: ProfileLikeness(texts, urls, questions=questions)


def _text(example: str | os.PathLike[str] | Page) -> str:
    """The HTML of an example that is at hand."""
    from sightline.sources import Loader

    page = example if isinstance(example, Page) else Loader(static=True).load(example)
    if page.kind == "pdf":
        named = "An example" if isinstance(example, Page) else os.fspath(example)
        raise UsageError(
            f"{named} is a PDF, and web pages cannot be compared with it; give an HTML page as an example."
        )
    return page.to_xhtml()
