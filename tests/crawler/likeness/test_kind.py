"""Crawls that know pages by what they are about, on a shop on loopback, without an example."""

from pathlib import Path

import pytest

import sightline as sl
from sightline.crawler import CrawlSettings
from sightline.crawler.likeness import KindLikeness
from sightline.errors import UsageError
from sightline.sources import read_outline

from .._site import html, links, serving

EXAMPLES = Path(__file__).parents[3] / "examples"
LAMP = (EXAMPLES / "lamp.html").read_text()
NAMES = ("Mira", "Vega", "Lyra", "Arc", "Dune")
QUIET = CrawlSettings(render="never", sitemaps=False, retry_seconds=0.01)
SHOP = {
    "/": links("/lamps", "/news", "/imprint"),
    "/lamps": links(*(f"/lamp/{name}" for name in NAMES), title="Lamps"),
    "/news": (EXAMPLES / "comet.html").read_bytes(),
    "/imprint": html("<h1>Imprint</h1><p>Lamps and Co, 1 High Street, Ghent.</p>", title="Imprint"),
    **{f"/lamp/{name}": LAMP.replace("Mira", name).encode() for name in NAMES},
}


def test_a_crawl_finds_the_products_of_a_shop_without_an_example(tmp_path: Path) -> None:
    """Its lists, its news and its imprint are visited, and not found; the folder is a source of the products."""
    with serving(SHOP) as site:
        status = sl.crawl(site.url(), tmp_path / "shop", kind="product", settings=QUIET)
    assert (status.targets, status.verdict) == (len(NAMES), "ok")
    pages = [loaded.page for loaded in sl.open_all([str(tmp_path / "shop")], static=True)]
    found = [sl.about(page)["name"] for page in pages if page]
    assert sorted(found) == sorted(f"Brass lamp “{name}”" for name in NAMES)


def test_another_kind_finds_other_pages(tmp_path: Path) -> None:
    """The one article of the shop."""
    with serving(SHOP) as site:
        status = sl.crawl(site.url(), tmp_path / "shop", kind="article", settings=QUIET)
    assert status.targets == 1


def test_a_page_that_is_no_target_is_still_more_or_less_like_one() -> None:
    """By which links are ranked."""
    likeness = KindLikeness("product")
    lamp = likeness.judge(LAMP, read_outline(LAMP), "https://shop.example/lamp")
    text = SHOP["/imprint"].decode()
    imprint = likeness.judge(text, read_outline(text), "https://shop.example/imprint")
    assert lamp.is_target
    assert not imprint.is_target
    assert 0.0 <= imprint.likeness < lamp.likeness <= 1.0
    assert likeness.dumps() == b""


def test_a_folder_belongs_to_one_kind(tmp_path: Path) -> None:
    """Products and articles in one folder could not be told apart; the same kind goes on."""
    with serving(SHOP) as site:
        sl.crawl(site.url(), tmp_path, kind="product", settings=QUIET)
        assert sl.crawl(site.url(), tmp_path, kind="product", settings=QUIET).targets == len(NAMES)
        with pytest.raises(UsageError, match="a crawl for pages about one product, not for pages about one article"):
            sl.crawl(site.url(), tmp_path, kind="article", settings=QUIET)


def test_what_cannot_be_looked_for_is_refused_before_anything_is_visited(tmp_path: Path) -> None:
    """A kind that there is not, with those that there are; and two ways to say what is looked for."""
    with pytest.raises(UsageError, match="no kind of thing 'lamp'; use one of product"):
        sl.crawl("https://shop.example/", tmp_path / "a", kind="lamp")
    with pytest.raises(UsageError, match="give one of"):
        sl.crawl("https://shop.example/", tmp_path / "a", kind="product", like="https://shop.example/lamp")
    assert not (tmp_path / "a").exists()
