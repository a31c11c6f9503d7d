"""Elements inside frames of any origin and open shadow roots: acted on by the paths that captured pages have."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import ActionError, UsageError
from sightline.sources.browser import _process

from .._server import Site
from .browser._site import html, node_of, site, texts

INNER = html("""<title>Inner</title><p id=told>nothing</p>
<button id=press onclick="told.textContent = 'pressed ' + event.isTrusted">Press</button>
<input id=name oninput="told.textContent = value"><select id=one onchange="told.textContent = value"><option>a<option>b
</select><div style="height: 900px"></div>
<button id=far onclick="told.textContent = 'far'; scrollTo(0, 0)">Far</button>""")
SHADOW = html("""<title>Shadow</title><p id=told>nothing</p><my-box><span id=light>in the light</span></my-box>
<div id=closed></div>
<script>
customElements.define('my-box', class extends HTMLElement { constructor() { super();
  this.attachShadow({ mode: 'open' }).innerHTML = `<div>first</div><div><button id=deep>deep</button><slot></slot></div>
  <my-inner></my-inner><svg width=20 height=20><rect id=rect width=20 height=20 /></svg>`;
  for (const one of this.shadowRoot.querySelectorAll('button, rect'))
    one.onclick = event => told.textContent = one.id + ' ' + event.isTrusted } });
customElements.define('my-inner', class extends HTMLElement { constructor() { super();
  this.attachShadow({ mode: 'open' }).innerHTML = '<button id=deeper>deeper</button><input id=text>';
  this.shadowRoot.querySelector('input').oninput = event => told.textContent = event.target.value;
  this.shadowRoot.querySelector('button').onclick = event => told.textContent = 'deeper ' + event.isTrusted } });
light.onclick = event => told.textContent = 'light ' + event.isTrusted;
closed.attachShadow({ mode: 'closed' }).innerHTML = '<button>closed</button>';
</script>""")
FRAME_STYLE = "width: 400px; height: 200px; padding: 9px; border: 5px solid"


def outer(port: int) -> bytes:
    """A page with frames of its own origin, another origin, and another site; the last one is covered."""
    frames = "".join(
        f"<iframe id={name} src={address} style='{FRAME_STYLE}'></iframe>"
        for name, address in (
            ("same", "/inner"),
            ("origin", f"http://127.0.0.1:{port}/inner"),
            ("site", f"http://localhost:{port}/inner"),
        )
    )
    covered = "<div style='position: relative'><iframe id=covered src=/inner></iframe><div id=lid "
    lid = "style='position: absolute; inset: 0; background: white'>Lid</div></div>"
    return html(f"<title>Outer</title><div style='height: 1500px'></div>{frames}{covered}{lid}<p id=plain>no frame")


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A site whose pages have frames of this and of another one."""
    upload = html("""<p id=told>nothing</p><input id=file type=file style="display: none"
  onchange="told.textContent = [...files].map(f => f.name + ' ' + f.size).join()"><input id=text>
<input id=several type=file multiple onchange="told.textContent = files.length + ' files'">
<input id=off type=file disabled>""")
    with site({"/inner": INNER}) as other:
        routes = {"/": outer(other.port), "/inner": INNER, "/shadow": SHADOW, "/upload": upload}
        with site(routes) as one:
            yield one


@pytest.fixture(scope="module", params=["one process", "a process for each site"])
def session(request: pytest.FixtureRequest) -> Iterator[sl.Session]:
    """A session in a browser that keeps frames of other sites in the page's process, or does not."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "one process":
            patch.setattr(_process, "FLAGS", (*_process.FLAGS, "--site-per-process"))
        with sl.session() as one:
            yield one


@pytest.mark.slow
@pytest.mark.parametrize("frame", ["same", "origin", "site"])
def test_frame_of_any_origin_can_be_acted_on(here: Site, session: sl.Session, frame: str) -> None:
    """The page there sees trusted events at the right place, and what it shows proves them."""
    inside = session.goto(here.url("/")).frame(f"//iframe[@id='{frame}']")
    inside.click("//*[@id='press'][../p='nothing']").hover("//p[.='pressed true']")
    inside.fill("//input", "Anna").hover("//p[.='Anna']")
    inside.select("//select", "b").hover("//p[.='b']")
    inside.click("//*[@id='far']").hover("//p[.='far']")
    with pytest.raises(ActionError, match="is not on the page"):
        inside.hover("//p[.='nothing']")


def test_frame_that_is_covered_is_not_clicked_in(here: Site, session: sl.Session) -> None:
    """What covers the frame covers what is inside."""
    with pytest.raises(ActionError, match="is covered by <div#lid> “Lid”") as caught:
        session.goto(here.url("/")).frame("//*[@id='covered']").click("//button")
    assert caught.value.xpath == "//*[@id='covered'] >> //button"


def test_frame_must_be_one(here: Site, session: sl.Session) -> None:
    """An ordinary element has nothing inside that a path cannot reach, and a closed shadow root stays closed."""
    with pytest.raises(ActionError, match="has no frame or open shadow root inside"):
        session.goto(here.url("/")).frame("//*[@id='plain']").click("//button")
    with pytest.raises(ActionError, match="has no frame or open shadow root inside"):
        session.goto(here.url("/shadow")).frame("//*[@id='closed']").click("//button")


@pytest.mark.slow
@pytest.mark.parametrize("identity", ["deep", "deeper", "rect", "light"])
def test_path_of_a_captured_page_can_be_clicked(here: Site, session: sl.Session, identity: str) -> None:
    """In shadow roots, in shadow roots of shadow roots, in drawings and in slots."""
    page = session.goto(here.url("/shadow")).capture()
    session.click(page.xpath(node_of(page, identity)))
    assert texts(session.capture())[0] == f"{identity} true"


@pytest.mark.slow
def test_path_of_a_captured_frame_can_be_clicked(here: Site, session: sl.Session) -> None:
    """The first frame is of the page's own origin, so its elements are on the captured page."""
    page = session.goto(here.url("/")).capture()
    path = page.xpath(node_of(page, "press"))
    assert " >> " in path
    session.click(path).frame("//iframe[@id='same']").hover("//p[.='pressed true']")


@pytest.mark.slow
def test_shadow_roots_take_paths_written_by_hand(here: Site, session: sl.Session) -> None:
    """`//name` searches all of a shadow root, `/name[position]` its top."""
    box = session.goto(here.url("/shadow")).frame("//my-box")
    box.click("//button")
    assert texts(session.capture())[0] == "deep true"
    box.click("/div[2]/button")
    box.frame("//my-inner").fill("//input", "typed")
    assert texts(session.capture())[0] == "typed"
    with pytest.raises(ActionError, match="is not on the page"):
        box.click("/div[3]")


@pytest.mark.slow
def test_upload_gives_a_hidden_input_its_files(here: Site, session: sl.Session, tmp_path: Path) -> None:
    """As the system's dialog would; the page reads name and size."""
    files = [tmp_path / name for name in ("one.csv", "two.csv")]
    for file in files:
        file.write_text("a,b\n")
    session.goto(here.url("/upload")).upload("//*[@id='file']", files[0])
    assert texts(session.capture())[0] == "one.csv 4"
    assert texts(session.upload("//*[@id='several']", *files).capture())[0] == "2 files"
    for xpath, problem in (
        ("//*[@id='file']", "takes one file"),
        ("//*[@id='text']", "is not an <input type=file>"),
        ("//*[@id='off']", "is disabled"),
    ):
        with pytest.raises(ActionError, match=problem):
            session.upload(xpath, *files)
    with pytest.raises(UsageError, match="There is no file"):
        session.upload("//*[@id='file']", tmp_path / "missing.csv")
    with pytest.raises(UsageError, match="at least one file"):
        session.upload("//*[@id='file']")
