"""Browser or not: a few pages of each template are read both ways, and what was found out is said."""

from pathlib import Path

import pytest

from sightline import open_all
from sightline.crawler import Crawler, CrawlSettings
from sightline.crawler._host import Rendering, adds_much
from sightline.net import CrawlPolicy
from sightline.sources import Anchor, PageOutline

from ._site import html, links, serving


def outline(count: int, tags: int = 10) -> PageOutline:
    """An outline with some links."""
    return PageOutline(skeleton="x" * tags, anchors=tuple(Anchor(f"/{number}") for number in range(count)))


def test_adds_much_needs_substance() -> None:
    """A handful of links that a script adds is nothing; a list of goods is something, and so is a page of text."""
    assert not adds_much(outline(30), outline(34))
    assert adds_much(outline(3), outline(40))
    assert adds_much(outline(3, tags=20), outline(3, tags=200))


def test_rendering_decides_by_template() -> None:
    """Two pages of a shape that differ decide for that shape; pages of other shapes are tried on their own."""
    rendering = Rendering()
    for _ in range(2):
        assert rendering.wants_try("shop/#")
        rendering.learn("shop/#", differs=True)
        rendering.learn("blog/#", differs=False)
    assert rendering.needs_browser("shop/#")
    assert not rendering.needs_browser("blog/#")
    assert not rendering.wants_try("shop/#")
    assert rendering.wants_try("news/#")
    assert Rendering.from_json(rendering.to_json()) == rendering


def test_page_made_by_script_is_opened_in_the_browser(tmp_path: Path) -> None:
    """A shop whose goods are listed by script is crawled whole; its plain pages are not rendered but for the trials."""
    script = "<script>for(let n=0;n<12;n++)document.body.innerHTML+=`<p><a href=/good/${n}>${n}</a></p>`</script>"

    def page(target: str) -> bytes | None:
        if target == "/":
            return html(f"<h1>Goods</h1>{script}")
        return links("/", title=target) if target.startswith("/good/") else None

    with serving(page) as site:
        how = CrawlSettings(sitemaps=False, pages=50)
        status = Crawler(tmp_path, first=[site.url()], settings=how, policy=CrawlPolicy(delay=0)).run()
        asked = len([path for path in site.paths() if path.startswith("/good/")])
    assert status.visits == 13
    assert asked <= 12 + 2
    pages = {loaded.page.url: loaded.page for loaded in open_all([str(tmp_path)], static=True) if loaded.page}
    assert pages[site.url()].kind == "rendered"
    assert pages[site.url("/good/1")].kind == "static"


def test_crawl_without_a_browser_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine without a browser, pages are read as they come, and a remark tells."""
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(tmp_path / "no-such-browser"))
    with serving({"/": links("/a"), "/a": links(title="Ann")}) as site:
        how = CrawlSettings(sitemaps=False)
        status = Crawler(tmp_path / "crawl", first=[site.url()], settings=how).run()
    assert status.visits == 2
    assert [event.what for event in status.events] == ["browser"]
