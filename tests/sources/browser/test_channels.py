"""No way out: a saved page reaches nothing at all, a page in server use nothing on this machine."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sightline import Page
from sightline.net import CrawlPolicy, Document, Limits, RequestPolicy
from sightline.sources import Browser, BrowserSettings
from sightline.sources.browser import _process, _settling

from ..._server import Handler, Site, reply, serve
from ..._wait import LONG
from ._channels import CHANNELS, HOLD_SECONDS, Canaries, answers, canaries, markup

LIMITS = Limits(load_seconds=LONG, settle_seconds=LONG, page_seconds=LONG)
SETTINGS = BrowserSettings(tabs=1, media=True)
QUIET = 1.5  # seconds
WITHOUT_WAITING: dict[str, Handler] = {"/wait.png": reply(status=404)}
DOCS = Path(__file__).parents[3] / "docs" / "sources-safety.md"


async def _run(visit: Callable[[Site, Canaries], Awaitable[Page]], *, wait: bool = False) -> tuple[list[str], Page]:
    """The channels through which something arrived while this visit was paid."""
    async with canaries() as found, serve(answers(found) | ({} if wait else WITHOUT_WAITING)) as site:
        page = await visit(site, found)
        return found.hit(), page


def _connections(log: Path) -> set[str]:
    """Everything that the browser's own log of its network says was dialled, sent or looked up."""
    content = json.loads(log.read_text())
    names = {number: name for name, number in content["constants"]["logEventTypes"].items()}
    found = set()
    for event in content["events"]:
        name = names[event["type"]]
        if name in ("TCP_CONNECT_ATTEMPT", "UDP_BYTES_SENT", "DNS_TRANSACTION", "HOST_RESOLVER_SYSTEM_TASK"):
            found.add(f"{name} {event.get('params', {}).get('address', '')}".strip())
    return found - {"TCP_CONNECT_ATTEMPT"}  # the end of an attempt, which names no address


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the browsers of this test write down what they do on the network; reports are sent without delay.

    On a busy machine a page that stirs twenty times a second may seem quiet for a while, so quiet has to last longer.
    """
    place = tmp_path / "network.json"
    for name in ("QUIET_SECONDS", "QUIET_AFTER_ACTIVITY_SECONDS"):
        monkeypatch.setattr(_settling, name, QUIET)
    monkeypatch.setattr(_settling, "SAVED_SECONDS", HOLD_SECONDS + 1)  # the time of a saved page otherwise ends before
    monkeypatch.setattr(_process, "FLAGS", (*_process.FLAGS, f"--log-net-log={place}", "--short-reporting-delay"))
    return place


@pytest.mark.slow
def test_channels_are_open_to_pages_of_the_network(log: Path) -> None:
    """Without protection the same page gets through on most channels, so the tests below could fail."""

    async def visit(site: Site, _: Canaries) -> Page:
        async with Browser(SETTINGS, LIMITS, CrawlPolicy(delay=0, robots=False)) as browser:
            return await browser.load_url(site.url())

    hits, page = asyncio.run(_run(visit, wait=True))
    assert "done" in page.text_of(0)
    assert {channel.name for channel in CHANNELS if channel.used} <= set(hits)
    assert any(name.startswith("TCP_CONNECT_ATTEMPT 127.0.0.1") for name in _connections(log))


@pytest.mark.slow
@pytest.mark.parametrize("address", ["file", "https://example.org/page.html", "http://127.0.0.1/page.html"])
def test_channels_are_closed_to_saved_pages(log: Path, tmp_path: Path, address: str) -> None:
    """A file, and a page of an archive under a secure address or one of this machine, dial and look up nothing."""

    async def visit(_: Site, found: Canaries) -> Page:
        content = markup(found).encode()
        url, folder = (address, None) if address != "file" else ((tmp_path / "page.html").as_uri(), tmp_path)
        async with Browser(SETTINGS, LIMITS) as browser:
            return await browser.load_document(Document(source="x", url=url, content=content, folder=folder))

    hits, page = asyncio.run(_run(visit))
    assert "done" in page.text_of(0)
    assert hits == []
    assert _connections(log) == set()


@pytest.mark.slow
def test_channels_lead_to_the_gateway_in_server_use(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A public page reaches nothing on this machine; whatever its browser dials is the gateway."""
    gateways = []

    async def visit(site: Site, _: Canaries) -> Page:
        # `public.example` plays the internet, and has every right that a secure address has.
        secure = f"--unsafely-treat-insecure-origin-as-secure=http://public.example:{site.port}"
        monkeypatch.setattr(_process, "FLAGS", (*_process.FLAGS, secure))
        policy = CrawlPolicy(delay=0, robots=False, public_only=True)
        requests = RequestPolicy(LIMITS, policy)
        resolve = requests.resolver.resolve

        async def named(host: str, port: int, *, source: str) -> list[str]:
            return ["127.0.0.1"] if host == "public.example" else await resolve(host, port, source=source)

        monkeypatch.setattr(requests.resolver, "resolve", named)
        async with requests, Browser(SETTINGS, LIMITS, policy, requests=requests) as browser:
            page = await browser.load_url(f"http://public.example:{site.port}/")
            assert browser._egress_proxy
            gateways.append(browser._egress_proxy.url.removeprefix("http://"))
            return page

    hits, page = asyncio.run(_run(visit))
    assert "page" in page.text_of(0)
    assert hits == []
    assert _connections(log) == {f"TCP_CONNECT_ATTEMPT {gateway}" for gateway in gateways}


def test_channels_are_all_in_the_documentation() -> None:
    """The table of channels names each that is tried, and says which are never used."""
    section = DOCS.read_text().partition("### Every way out")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \| 0 \| 0 \|$", section, re.MULTILINE))
    assert rows == {channel.name: "yes" if channel.used else "no" for channel in CHANNELS}
