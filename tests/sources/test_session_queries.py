"""What a session says about the live page: where elements are, what they are now, and what the window shows."""

import io
from collections.abc import Iterator

import pytest
from PIL import Image

import sightline as sl
from sightline.errors import UsageError

from .._server import Site
from .browser._site import html, node_of, site

INNER = html("""<title>Inner</title><body style="margin: 0"><p>One</p><p id=two>Two</p>
<input id=card style="border: 0; width: 50px; height: 20px; background: lime">""")
THINGS = html("""<title>Things</title><h1 class=name>Shop</h1>
<ul><li class=name>Apples<li class=name>Pears</ul><p>text</p>
<svg width=10 height=10><linearGradient id=paint /><g><rect id=rect width=5 height=5 /></g></svg>
<my-box id=host></my-box><iframe id=frame src=/inner style="border: 3px solid; padding: 5px"></iframe>
<a id=trail href=#>Home >> Cameras</a>
<script>
host.attachShadow({ mode: 'open' }).innerHTML =
  '<div></div><div><button id=deep>Deep</button><my-inner></my-inner></div><p>Shade</p>';
host.shadowRoot.querySelector('my-inner').attachShadow({ mode: 'open' }).innerHTML = '<button id=deeper>Deeper</button>'
</script>""")
STATES = html("""<title>States</title><a id=link class="big blue" href=/there>  Read
 <b>more</b><span style="display: none">hidden</span></a>
<input id=on type=checkbox checked><input id=off type=checkbox disabled><i id=switch role=switch aria-checked=true>s</i>
<input id=typed value=seen><input id=secret type=password value=hunter2 name=pin>
<p id=gone style="display: none">gone</p><p id=ghost style="visibility: hidden">ghost</p><p id=empty></p>
<button id=grey aria-disabled=true>grey</button>""")
BOXES = html("""<title>Boxes</title>
<style>body { margin: 0 } div { position: absolute; width: 40px; height: 40px }</style>
<div id=red style="left: 100px; top: 50px; background: red"></div>
<div id=blue style="left: 300px; top: 50px; background: blue"></div>
<iframe id=frame src=/inner style="position: absolute; left: 400px; top: 100px; border: 4px solid"></iframe>""")
RED, BLUE, LIME, GREY = (255, 0, 0), (0, 0, 255), (0, 255, 0), (64, 64, 64)


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A small site."""
    with site({"/": THINGS, "/inner": INNER, "/states": STATES, "/boxes": BOXES}) as one:
        yield one


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One session for all tests of this module."""
    with sl.session() as one:
        yield one


@pytest.mark.slow
@pytest.mark.parametrize(
    ("css", "xpath"),
    [
        (".name", "//*[@class='name']"),
        ("li", "//li"),
        ("rect", "//*[name()='rect']"),
        ("#trail", "//a[.='Home >> Cameras']"),
        ("#frame >> p", "//iframe >> //p"),
        ("#host >> button", "//my-box >> //button"),
        ("#host >> p", "//my-box >> /p[1]"),
    ],
)
def test_located_has_the_paths_of_captured_pages(here: Site, session: sl.Session, css: str, xpath: str) -> None:
    """By CSS and by XPath, in drawings, frames and shadow roots; each path is found on the captured page."""
    page = session.goto(here.url("/")).capture()
    outer, _, last = css.rpartition(" >> ")
    found = session.located(xpath=xpath)
    assert found
    inside = session.frame(f"//*[@id='{outer[1:]}']") if outer else session
    assert inside.located(css=last) == found
    assert [page.xpath(node) for path in found if (node := page.find(path)) is not None] == list(found)


def test_located_says_where_each_element_is(here: Site, session: sl.Session) -> None:
    """In document order, each once; a text counts as its element."""
    session.goto(here.url("/"))
    assert session.located(css=".name") == (
        "/html[1]/body[1]/h1[1]",
        "/html[1]/body[1]/ul[1]/li[1]",
        "/html[1]/body[1]/ul[1]/li[2]",
    )
    assert session.located(xpath="//li/text() | //li/@class") == session.located(css="li")
    assert session.located(xpath="//my-box >> //my-inner >> //button") == (
        "/html[1]/body[1]/my-box[1] >> /div[2]/my-inner[1] >> /button[1]",
    )


def test_located_paths_can_be_acted_on(here: Site, session: sl.Session) -> None:
    """The same element as on the captured page."""
    page = session.goto(here.url("/")).capture()
    assert session.located(xpath="//*[@id='rect']") == (page.xpath(node_of(page, "rect")),)
    assert session.hover(session.located(xpath="//my-box >> //button")[0])


def test_located_finds_nothing_where_there_is_nothing(here: Site, session: sl.Session) -> None:
    """No element, no frame, an element without anything inside."""
    session.goto(here.url("/"))
    assert session.located(css="blink") == ()
    assert session.located(xpath="//iframe[9] >> //p") == ()
    assert session.located(xpath="//h1 >> //p") == ()


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"css": "li["}, "'li\\[' is not a CSS selector"),
        ({"css": ""}, "'' is not a CSS selector"),
        ({"xpath": "]["}, "'\\]\\[' is not an XPath"),
        ({"xpath": "count(//li)"}, "is not an XPath of elements"),
        ({"xpath": "][ >> //p"}, "is not an XPath"),
        ({}, "one of the two"),
        ({"css": "li", "xpath": "//li"}, "one of the two"),
    ],
)
def test_located_refuses_what_is_no_query(here: Site, session: sl.Session, query: dict[str, str], problem: str) -> None:
    """The message names it."""
    session.goto(here.url("/"))
    with pytest.raises(UsageError, match=problem):
        session.located(**query)


def facts(session: sl.Session, identity: str) -> tuple[bool | None, bool, bool]:
    """The state of an element: checked, disabled, visible."""
    found = session.element(f"//*[@id='{identity}']")
    assert found
    return found.checked, found.disabled, found.visible


def test_element_says_what_is_at_a_path(here: Site, session: sl.Session) -> None:
    """Its text as shown, with blanks collapsed, and its attributes."""
    found = session.goto(here.url("/states")).element("/html[1]/body[1]/a[1]")
    assert found
    assert (found.tag, found.text) == ("a", "Read more")
    assert found.attributes == {"id": "link", "class": "big blue", "href": "/there"}


def test_element_says_in_which_state_it_is(here: Site, session: sl.Session) -> None:
    """A switch of the page's own make counts, and so does what it says is disabled."""
    session.goto(here.url("/states"))
    assert facts(session, "link") == (None, False, True)
    assert facts(session, "on") == (True, False, True)
    assert facts(session, "off") == (False, True, True)
    assert facts(session, "switch") == (True, False, True)
    assert facts(session, "grey") == (None, True, True)
    assert [facts(session, one)[2] for one in ("gone", "ghost", "empty")] == [False, False, False]
    session.uncheck("//*[@id='on']")
    assert facts(session, "on") == (False, False, True)


def test_element_never_reads_what_was_typed(here: Site, session: sl.Session) -> None:
    """Nor a password that the page itself has written down."""
    session.goto(here.url("/states")).fill("//*[@id='typed']", "mine").fill("//*[@id='secret']", "swordfish")
    typed, secret = (session.element(f"//*[@id='{one}']") for one in ("typed", "secret"))
    assert typed and secret
    assert typed.attributes == {"id": "typed", "value": "seen"}
    assert secret.attributes == {"id": "secret", "type": "password", "name": "pin"}
    assert (typed.text, secret.text) == ("", "")


def test_element_has_a_text_of_limited_length(here: Site, session: sl.Session) -> None:
    """A whole page is an element, too."""
    session.goto(here.url("/states")).fill("//*[@id='typed']", "x")
    found = session.element("/html[1]")
    assert found and 0 < len(found.text) <= 500


def test_element_is_none_where_nothing_is(here: Site, session: sl.Session) -> None:
    """In frames as well; a path that is none is refused."""
    session.goto(here.url("/"))
    assert session.element("/html[1]/body[1]/ul[1]/li[3]") is None
    assert session.element("//iframe[7] >> //p") is None
    inside = session.frame("//iframe").element("//*[@id='two']")
    assert inside and inside.text == "Two"
    with pytest.raises(UsageError, match="is not an XPath"):
        session.element("][")


def colours(content: bytes, *points: tuple[int, int]) -> list[tuple[int, ...]]:
    """The colours of a picture at some points."""
    image = Image.open(io.BytesIO(content)).convert("RGB")
    assert image.size == (1280, 1024)
    return [image.getpixel(point) for point in points]  # type: ignore[misc]


def test_screenshot_shows_the_window(here: Site, session: sl.Session) -> None:
    """At its own size."""
    content = session.goto(here.url("/boxes")).screenshot()
    assert colours(content, (120, 70), (320, 70)) == [RED, BLUE]


def test_screenshot_hides_what_is_secret(here: Site, session: sl.Session) -> None:
    """Also inside frames; what is not there hides nothing, and the page itself is not changed."""
    session.goto(here.url("/boxes"))
    (card,) = session.located(xpath="//iframe >> //input")
    image = Image.open(io.BytesIO(session.screenshot())).convert("RGB")
    lime = next((x, y) for y in range(104, 260) for x in range(404, 454) if image.getpixel((x, y)) == LIME)
    hidden = session.screenshot(hide=["//*[@id='red']", card, "//*[@id='nowhere']"])
    assert colours(hidden, (120, 70), (320, 70), lime) == [GREY, BLUE, GREY]
    assert colours(session.screenshot(), (120, 70), lime) == [RED, LIME]
    with pytest.raises(UsageError, match="is not an XPath"):
        session.screenshot(hide=["]["])
