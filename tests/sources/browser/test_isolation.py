"""What pages cannot do: find traces of other pages, read files, or reach private addresses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sightline.errors import SightlineError
from sightline.net import CrawlPolicy, Document, Limits
from sightline.net._request_policy import RequestPolicy
from sightline.sources import Browser, BrowserSettings

from ..._server import Handler, Request, Site, serve
from ..._wait import BOUND, LONG, happened
from ._site import asked, html, redirect, reply, shared_loader, site, texts

STORE = """<p id=p></p><img src=/slow.png><script>
(async () => {
  const databases = await indexedDB.databases()
  const found = [document.cookie, localStorage.length, sessionStorage.length, name, databases.length]
  document.cookie = 'a=b'; localStorage.a = 1; sessionStorage.a = 1; name = 'kept'
  indexedDB.open('kept').onsuccess = () => { p.textContent = JSON.stringify(found); fetch('/opened') }
})()</script>"""


@pytest.mark.slow
def test_browser_lets_no_page_find_traces_of_another() -> None:
    """Cookies, storage, databases and the window's name are gone when the next page of the site comes."""

    async def opened(_: Request, writer: asyncio.StreamWriter) -> None:
        """Keep the page waiting until its database is open."""
        await happened(lambda: here.paths().count("/opened") == here.paths().count("/slow.png"))
        writer.write(reply(b"", 404))

    settings = BrowserSettings(tabs=1)
    routes: dict[str, Handler] = {"/": html(STORE), "/slow.png": opened}
    routes |= {"/cookie": html("<p>x", headers={"Set-Cookie": "seen=1"}), "/plain": html("<p>x")}
    with site(routes) as here:
        loader = shared_loader(settings, Limits(load_seconds=LONG, settle_seconds=LONG, page_seconds=LONG))
        assert [texts(loader.load(here.url())) for _ in range(2)] == [['["",0,0,"",0]']] * 2
        loader.load(here.url("/cookie"))
        loader.load(here.url("/plain"))
        request = next(request for request in here.requests if request.target == "/plain")
        assert "cookie" not in request.headers


@pytest.mark.slow
def test_browser_reuses_the_tab_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replacing a tab costs a tenth of a second, so it happens only for pages with frames of other sites."""
    for module in ("_settling", "_tab"):
        monkeypatch.setattr(f"sightline.sources.browser.{module}.ANSWER_SECONDS", BOUND)

    async def run() -> list[int]:
        kept = []
        async with (
            serve({"/s": html(STORE), "/f": html("<p>x<iframe src='http://elsewhere.invalid/'></iframe>")}) as here,
            Browser(BrowserSettings(tabs=1)) as browser,
        ):
            for path in ("/s", "/f", "/s"):
                await browser.load_url(here.url(path))
                kept.append(len(browser._networked.idle))
        return kept

    assert asyncio.run(run()) == [1, 0, 1]


@pytest.mark.slow
def test_browser_gives_a_saved_page_its_folder_only(tmp_path: Path) -> None:
    """Scripts and frames of a saved page read nothing outside its folder; drawing things may lie beside it."""
    folder = tmp_path / "inner"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "secret.html").write_text("<p>secret")
    (tmp_path / "shared.css").write_text("p { color: rgb(1, 2, 3) }")
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    (folder / "page.html").write_text(
        """<!doctype html><link rel=stylesheet href=../shared.css><link rel=stylesheet href=../secret.txt>
        <p id=p>own</p>
        <iframe src=../secret.html></iframe><iframe src=link.html></iframe><iframe src='file:///etc/passwd'></iframe>
        <script>for (const place of ['../secret.txt', '../secret.html', 'link.html', '/etc/passwd', 'file:///etc/passwd'])
        fetch(place).then(answer => answer.text()).then(text => p.append(text))</script>"""
    )
    page = shared_loader().load(folder / "page.html")
    text = page.text_of(0)
    assert "own" in text
    assert "secret" not in text
    assert "root:" not in text
    colour = page.style_column("color")[page.with_tag("p")[0]]
    assert page.strings[colour] == "rgb(1, 2, 3)"


READING = """<!doctype html><p id=p>own</p><iframe id=f src=frame.html></iframe><script type=module>
const tell = text => p.append(` ${text}`)
const attempts = [
  () => fetch('data.txt').then(answer => answer.text()),
  () => import('./data.json', {with: {type: 'json'}}).then(module => module.default.a),
  () => import('./data.txt', {with: {type: 'text'}}).then(module => module.default),
  () => new Promise((good, bad) => {
    const request = new XMLHttpRequest()
    request.onload = () => good(request.responseText); request.onerror = bad
    request.open('GET', 'data.txt'); request.send()
  }),
  () => new Promise((good, bad) => {
    const worker = new Worker('worker.js'); worker.onmessage = event => good(event.data); worker.onerror = bad
  }),
  async () => f.contentDocument.body.textContent,
]
const busy = setInterval(() => document.body.append(document.createElement('i')), 20)  // so that nobody leaves early
onload = async () => {
  for (const attempt of attempts) await attempt().then(tell, () => tell('refused'))
  clearInterval(busy)
}
</script>"""


@pytest.mark.slow
def test_browser_lets_no_script_read_the_folder_of_a_saved_page(tmp_path: Path) -> None:
    """Requests, modules, workers and frames give a script nothing; the frame itself is captured."""
    (tmp_path / "data.txt").write_text("secret")
    (tmp_path / "data.json").write_text('{"a": "secret"}')
    (tmp_path / "worker.js").write_text(
        "fetch('data.txt').then(a => a.text()).then(postMessage, () => postMessage('-'))"
    )
    (tmp_path / "frame.html").write_text("<p>framed")
    (tmp_path / "page.html").write_text(READING)
    page = shared_loader(None, Limits(settle_seconds=LONG)).load(tmp_path / "page.html")
    assert texts(page) == ["own", *["refused"] * 6, "framed"]


def test_browser_leaves_no_saved_page(tmp_path: Path) -> None:
    """A saved page that goes elsewhere by itself is captured as it was, and the page says so."""
    away = "location.href = 'http://elsewhere.example/'"
    (tmp_path / "page.html").write_text(f"<!doctype html><p>here</p><script>onload = () => {{ {away} }}</script>")
    page = shared_loader().load(tmp_path / "page.html")
    assert texts(page) == ["here"]
    assert any("another one" in note for note in page.notes)


@pytest.mark.slow
def test_browser_keeps_a_saved_page_off_the_network() -> None:
    """What was not saved is not fetched, unless asked for."""
    with site({"/a.css": reply(b"p { width: 77px }", headers={"Content-Type": "text/css"})}) as here:
        content = f"<!doctype html><link rel=stylesheet href='{here.url('/a.css')}'><p>x".encode()
        document = Document(source="x", url=here.url("/x.html"), content=content)

        async def load(settings: BrowserSettings) -> float:
            async with Browser(settings) as browser:
                page = await browser.load_document(document)
            box = page.box[page.with_tag("p")[0]]
            return float(box[2] - box[0])

        assert asyncio.run(load(BrowserSettings())) > 1000
        assert here.paths() == []
        assert asyncio.run(load(BrowserSettings(remote=True))) == 77
        assert asked(here) == ["/a.css"]


class _Canary:
    """A listener on the loopback interface that nothing may ever reach."""

    def __init__(self) -> None:
        self.hits = 0
        self.port = 0

    def _hit(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.hits += 1
        writer.close()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["_Canary"]:
        server = await asyncio.start_server(self._hit, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            await server.wait_closed()


def _routes(port: int) -> dict[str, Handler]:
    private = f"127.0.0.1:{port}"
    parts = "".join(
        f"<img src=http://{host}:{port}/i.png><iframe src=http://{host}:{port}/f></iframe><link rel=stylesheet href=http://{host}:{port}/c>"
        f"<link rel=prefetch href=http://{host}:{port}/p><script src=http://{host}:{port}/s></script>"
        for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "127.1", "0.0.0.0")
    )
    script = f"""<script>fetch('http://{private}/a', {{mode: 'no-cors'}}).catch(() => 0); new WebSocket('ws://{private}/w')
    navigator.sendBeacon('http://{private}/b'); new EventSource('http://{private}/e')
    new RTCPeerConnection({{iceServers: [{{urls: 'stun:{private}'}}]}}).createDataChannel('x')</script>"""
    return {
        "/parts": html(f"<p>page{parts}{script}"),
        "/redirect": redirect(f"http://{private}/"),
        "/hop": redirect("/redirect"),
        "/script": html(f"<p>x<script>location.href = 'http://{private}/'</script>"),
        "/refresh": html(f"<meta http-equiv=refresh content='0;url=http://{private}/'>"),
    }


def _public(host: str, site: Site) -> str:
    return f"http://{host}:{site.port}"


@pytest.mark.slow
def test_browser_in_server_use_reaches_no_private_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """By no way that a page has, nor as the start, is a loopback address ever dialled."""
    # `public.example` plays the internet: it alone may lie on the loopback interface.
    original = RequestPolicy.__init__

    def init(self: RequestPolicy, *args: object, **settings: object) -> None:
        original(self, *args, **settings)  # type: ignore[arg-type]
        resolve = self.resolver.resolve

        async def named(host: str, port: int, *, source: str) -> list[str]:
            return ["127.0.0.1"] if host == "public.example" else await resolve(host, port, source=source)

        self.resolver.resolve = named  # type: ignore[method-assign]
        self.wire._resolver = self.resolver

    monkeypatch.setattr(RequestPolicy, "__init__", init)

    async def run() -> tuple[int, dict[str, str]]:
        seen = {}
        async with _Canary().listening() as canary, serve(_routes(canary.port)) as site:
            policy = CrawlPolicy(public_only=True, robots=False, delay=0)
            async with Browser(BrowserSettings(tabs=1), policy=policy) as browser:
                for path in ("/parts", "/redirect", "/hop", "/script", "/refresh", f"http://127.0.0.1:{canary.port}/"):
                    url = path if path.startswith("http") else f"{_public('public.example', site)}{path}"
                    try:
                        seen[path] = (await browser.load_url(url)).text_of(0)
                    except SightlineError as error:
                        seen[path] = type(error).__name__
            return canary.hits, seen

    hits, seen = asyncio.run(run())
    assert hits == 0
    assert "page" in seen["/parts"]
    assert all(
        seen[path] in ("UnreachableError", "RefusedError")
        for path in seen
        if path not in ("/parts", "/script", "/refresh")
    )
