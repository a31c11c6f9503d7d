"""What the browser source sees: boxes, styles, words, frames, shadow trees, lazy and hidden parts."""

import asyncio
import io

import numpy as np
import pytest
from PIL import Image

from sightline.net import Document, Limits
from sightline.page import Page
from sightline.sources import Browser, BrowserSettings, Loader

from ._site import asked, html, node_of, rendered, reply, shared_loader, site, texts

SVG = reply(
    b"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'/>", headers={"Content-Type": "image/svg+xml"}
)


def test_browser_gives_boxes_in_pixels_of_the_document() -> None:
    """Boxes are border boxes from the document's upper left corner; what is not laid out has none."""
    page = rendered(
        "<body style='margin:0'><p id=a style='margin:10px;width:100px;height:20px;border:1px solid'>x<i hidden id=b>y"
    )
    assert page.box[node_of(page, "a")].tolist() == [10, 10, 112, 32]
    assert np.isnan(page.box[node_of(page, "b")]).all()


def test_browser_gives_computed_styles() -> None:
    """Styles are those that apply, whoever set them."""
    page = rendered("<style>p { color: red }</style><p id=a style='font-weight:bold'>x")
    colour, weight = (page.strings[page.style_column(name)[node_of(page, "a")]] for name in ("color", "font-weight"))
    assert (colour, weight) == ("rgb(255, 0, 0)", "700")


@pytest.mark.slow
def test_browser_joins_the_boxes_of_a_part_in_several_pieces() -> None:
    """An element in several pieces has the box around them all, also on a page with thousands of them."""
    page = rendered("<body style='margin:0;width:100px'><span id=a>" + "words " * 50 + "</span>" + "<b>x y</b> " * 5000)
    x0, y0, x1, y1 = page.box[node_of(page, "a")].tolist()
    assert x0 == 0
    assert x1 <= 100
    assert y1 - y0 > 100


def test_browser_lays_out_what_it_would_skip() -> None:
    """`content-visibility: auto` is laid out; closed details and what is hidden are not seen."""
    page = rendered(
        "<div style='height:9000px'></div><div style='content-visibility:auto'>far</div>"
        "<details><summary>head</summary>closed</details><div hidden=until-found>found</div><p hidden>no"
    )
    assert texts(page) == ["far", "head"]
    assert len(page.words) == 2


@pytest.mark.slow
def test_browser_flattens_frames_within_frames() -> None:
    """Frames of the same process stand in the tree where they are seen: border, padding and scrolling counted."""
    inner = "<body style='margin:0'><p id=deep style='margin:0'>deep"
    outer = (
        "<style>body { margin: 0; height: 2000px }"
        "iframe { position: absolute; left: 30px; top: 540px; border: 4px solid }</style>"
        "<iframe src=/inner></iframe><script>scrollTo(0, 500)</script>"
    )
    style = "margin: 20px; border: 5px solid; padding: 7px; width: 400px; height: 400px"
    body = f"<body style='margin:0'><iframe src=/outer style='{style}'>"
    with site({"/": html(body), "/outer": html(outer), "/inner": html(inner)}) as here:
        page = shared_loader().load(here.url())
    deep = node_of(page, "deep")
    assert page.box[deep][:2].tolist() == [20 + 5 + 7 + 30 + 4, 20 + 5 + 7 + 40 + 4]
    assert page.xpath(deep) == "/html[1]/body[1]/iframe[1] >> /html[1]/body[1]/iframe[1] >> /html[1]/body[1]/p[1]"
    assert page.words.box[0][:2].tolist() == page.box[deep][:2].tolist()
    assert page.notes == ()


def test_browser_notes_frames_of_other_sites() -> None:
    """A frame of another site is left out, and a note says so."""
    with site({"/frame": html("<p>ad")}) as other:
        elsewhere = other.url("/frame").replace("127.0.0.1", "localhost")
        with site({"/": html(f"<p>own<iframe src='{elsewhere}'></iframe>")}) as here:
            page = shared_loader().load(here.url())
    assert "own" in texts(page)
    assert "ad" in texts(page) or any("other sites" in note for note in page.notes)


def test_browser_flattens_shadow_trees() -> None:
    """Shadow trees, nested ones too, stand in the tree as they are shown, slots filled."""
    page = rendered(
        """<div id=host><u id=light>slotted</u></div><script>
        const outer = host.attachShadow({ mode: 'open' })
        outer.innerHTML = '<p id=box><b id=given>given</b></p><slot></slot>'
        const inner = outer.getElementById('box').attachShadow({ mode: 'open' })
        inner.innerHTML = '<i id=deep>deep</i> <slot></slot>'</script>"""
    )
    assert texts(page) == ["deep", "given", "slotted"]
    assert page.xpath(node_of(page, "light")) == "/html[1]/body[1]/div[1]/u[1]"
    assert page.xpath(node_of(page, "deep")) == "/html[1]/body[1]/div[1] >> /p[1] >> /i[1]"
    assert page.xpath(node_of(page, "given")) == "/html[1]/body[1]/div[1] >> /p[1]/b[1]"


def test_browser_draws_saved_pages_with_their_parts(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A saved page finds its style sheets and images beside it, also those with an integrity check."""
    folder = tmp_path_factory.mktemp("saved page ä")
    (folder / "files").mkdir()
    (folder / "files" / "a.css").write_text("p { width: 123px }")
    (folder / "files" / "b.svg").write_bytes(SVG.partition(b"\r\n\r\n")[2])
    (folder / "files" / "f.html").write_bytes(b"<meta charset=latin1><p>caf\xe9")
    digest = "sha256-vN+mzRKgOYLtJ5uGDkbWiXfKf/S4qbbJ7lQb5KvIeTE="
    (folder / "x.html").write_text(
        "<!doctype html><link rel=stylesheet href=files/a.css?v=1 crossorigin>"
        f"<link rel=stylesheet href=files/missing.css integrity='{digest}'>"
        "<p id=p>x<img src=files/b.svg><iframe src=files/f.html>"
    )
    page = shared_loader().load(folder / "x.html")
    assert page.box[node_of(page, "p")][2] - page.box[node_of(page, "p")][0] == 123
    image = page.box[page.with_tag("img")[0]]
    assert (image[2] - image[0], image[3] - image[1]) == (300, 200)
    assert "café" in texts(page)
    assert page.url.startswith("file:///")


@pytest.mark.slow
def test_browser_loads_what_scrolling_loads() -> None:
    """Asked to, it scrolls: images load and lists grow; and the page is back at its top."""
    body = """<div id=bar style='position:fixed;top:0'>bar</div><div id=list></div><script>
    let pages = 0
    const grow = () => { if (pages < 6 && scrollY + innerHeight > document.body.scrollHeight - 400) {
      pages++; setTimeout(grow, 10)
      list.insertAdjacentHTML('beforeend', `<p style='height:1200px'>page ${pages}</p>`) } }
    grow(); addEventListener('scroll', grow)</script><img loading=lazy src=/a.svg style='display:block'>"""
    with site({"/": html(body), "/a.svg": SVG}) as here:
        still = shared_loader().load(here.url())
        moved = shared_loader(BrowserSettings(scroll=True)).load(here.url())
    assert len([text for text in texts(still) if text.startswith("page")]) < 6
    assert len([text for text in texts(moved) if text.startswith("page")]) == 6
    image = moved.box[moved.with_tag("img")[0]]
    assert image[3] - image[1] == 200
    assert moved.box[node_of(moved, "bar")][1] == 0
    assert moved.notes == ()


def test_browser_stops_scrolling_an_endless_page() -> None:
    """A page that grows for ever is scrolled so far and no further, and a note says so."""
    body = """<body><script>
    const more = () => { if (scrollY + innerHeight > document.body.scrollHeight - 2000)
      document.body.insertAdjacentHTML('beforeend', '<p style="height:3000px">more</p>') }
    more(); addEventListener('scroll', more)</script>"""
    with site({"/": html(body)}) as here, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sightline.sources.browser._settling.SCROLL_STEPS", 5)
        page = shared_loader(BrowserSettings(scroll=True)).load(here.url())
    assert any("growing" in note for note in page.notes)


@pytest.mark.slow
def test_browser_keeps_the_boxes_of_what_it_does_not_load() -> None:
    """Films are not loaded, nor images when unwanted; the places that the markup gives them stay."""
    body = "<video id=v src=/a.mp4 width=320 height=180></video><img id=i src=/a.png width=100 height=50 alt=''>"
    with site(
        {"/": html(body), "/a.png": SVG, "/a.mp4": reply(b"film", headers={"Content-Type": "video/mp4"})}
    ) as here:
        page = shared_loader(BrowserSettings(images=False)).load(here.url())
        assert asked(here) == ["/"]
    for name, size in (("v", (320, 180)), ("i", (100, 50))):
        box = page.box[node_of(page, name)]
        assert (box[2] - box[0], box[3] - box[1]) == size


@pytest.mark.slow
def test_browser_leaves_scripts_alone_when_told() -> None:
    """Without scripts the page is what its markup says, and everything else works."""
    markup = b"<!doctype html><p>plain<noscript>without</noscript><script>document.body.append('written')</script>"
    page = shared_loader(BrowserSettings(scripts=False)).load(markup)
    assert texts(page) == ["plain", "without"]
    assert len(page.words) == 2


@pytest.mark.slow
def test_browser_takes_a_picture() -> None:
    """A screenshot shows the whole page, as a PNG of its size."""
    page = shared_loader(BrowserSettings(screenshot=True, width=400, height=300)).load(
        b"<!doctype html><body style='margin:0;background:rgb(1,2,3)'><div style='height:2000px'>"
    )
    assert page.screenshot
    picture = Image.open(io.BytesIO(page.screenshot))
    assert picture.size == (400, 2000)
    assert picture.convert("RGB").getpixel((5, 1900)) == (1, 2, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("nesting", "<div>" * 20_000 + "deep"),
        ("NULs", "<p>a\0b\0c</p>"),
        (
            "names",
            "<form name=scripts></form><img name=fonts><img name=documentElement><img name=getElementsByTagName>deep",
        ),
        ("unclosed", "<p>deep<table><tr><td><a href='x"),
        ("frameset", "<frameset cols=50%,50%><frame><frame></frameset>"),
    ],
)
def test_browser_survives_odd_markup(name: str, content: str) -> None:
    """Deep nesting, NULs and names that hide the document's own come back as pages."""
    page = rendered(content)
    assert len(page) > 1
    if "deep" in content and name != "unclosed":
        assert "deep" in " ".join(texts(page))


def test_browser_refuses_far_too_many_tags_unseen() -> None:
    """A hundred megabytes of `<div>` are refused at once, by size or by number."""
    with pytest.raises(Exception, match="nodes"):
        Loader(limits=Limits(document_bytes=200_000_000)).load(b"<!doctype html>" + b"<div>" * 20_000_000)


@pytest.mark.slow
def test_browser_captures_a_large_page() -> None:
    """A page of 40,000 nodes with one text of 200,000 characters comes back whole."""
    page = rendered("<p>" + "long " * 40_000 + "<table>" + "<tr><td>1<td>2" * 8_000)
    assert len(page) > 40_000
    assert len(page.words) == 56_000


def test_browser_replaces_half_characters() -> None:
    """Half of a surrogate pair, set by a script, becomes U+FFFD; everything around it stays in place."""
    page = rendered(
        "<p id=p><script>document.title = '\\udc00'\n"
        "p.textContent = 'a \\ud83d b \\ude00 \\ud83d\\ude00 \\\\ud83d c'</script>"
    )
    assert page.title == "\ufffd"
    words = [
        page.strings[page.text[n]][a:b]
        for n, a, b in zip(page.words.node, page.words.start, page.words.end, strict=True)
    ]
    assert words == ["a", "\ufffd", "b", "\ufffd", "😀", "\\ud83d", "c"]


@pytest.mark.slow
def test_browser_flattens_what_is_too_deep_and_says_so() -> None:
    """Nesting beyond the limit is flattened with a note, and its text is kept."""
    page = shared_loader(None, Limits(depth=50)).load(b"<div>" * 200 + b"deep down")
    assert int(page.depth.max()) == 50
    assert any("depth" in note for note in page.notes)
    assert page.text_of() == "deep down"


@pytest.mark.slow
def test_a_saved_page_gets_parts_of_other_sites_that_it_asks_for_openly() -> None:
    """Fonts always, and style sheets and scripts with `crossorigin`, need a header that lets the page have them."""
    sheet = Document("x", "https://cdn.example/a.css", b"p { width: 123px }", media_type="text/css")
    text = b"<link rel=stylesheet crossorigin href='https://cdn.example/a.css'><p>x"

    async def run() -> Page:
        async with Browser(BrowserSettings(tabs=1)) as browser:
            return await browser.load_document(Document("x", "https://shop.example/", text), {sheet.url: sheet})

    page = asyncio.run(run())
    (paragraph,) = page.with_tag("p")
    assert page.box[paragraph, 2] - page.box[paragraph, 0] == 123
