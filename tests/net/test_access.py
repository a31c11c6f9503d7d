"""Headers, cookies, a recorded log-in and a proxy: read strictly, sent to whom they are for, never repeated."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from sightline.errors import UsageError
from sightline.net import CrawlPolicy, Fetcher, LoginState, RequestPolicy, admit
from sightline.redaction import redacted

from .._server import Site, redirect, reply, serve

SECRET = "s3cret-T0ken-99"
HOME = "https://shop.example"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("header", (SECRET,)),
        ("header", (f"X-Token: {SECRET}\r\nX-Other: 1",)),
        ("header", (f"X Token: {SECRET}",)),
        ("header", (f"X-Token: {SECRET}é",)),
        ("header", ("X-Token:",)),
        ("header", (f"Host: {SECRET}",)),
        ("header", (f"Cookie: a={SECRET}",)),
        ("header", (f"User-Agent: {SECRET}",)),
        ("header", (f"Proxy-Authorization: {SECRET}",)),
        ("header", f"X-Token: {SECRET}"),
        ("cookie", (SECRET,)),
        ("cookie", (f"a={SECRET}; b=1",)),
        ("cookie", (f"={SECRET}",)),
        ("cookie", [f"a={SECRET}"]),
        ("proxy", SECRET),
        ("proxy", f"socks5://anna:{SECRET}@proxy.example:1080"),
        ("proxy", f"http://anna:{SECRET}@proxy.example:99999"),
        ("proxy", f"http://anna:{SECRET}@"),
        ("proxy", f"http://proxy.example:3128/{SECRET}"),
        ("proxy", (SECRET,)),
    ],
)
def test_malformed_values_are_refused_without_being_repeated(name: str, value: object) -> None:
    """One sentence that says which setting is wrong."""
    with pytest.raises(UsageError) as caught:
        CrawlPolicy(**{name: value})  # type: ignore[arg-type]
    assert caught.value.message.startswith(f"{name} of CrawlPolicy ")
    assert SECRET not in caught.value.message and SECRET not in repr(caught.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"format": "sightline-session", "version": 9}'])
def test_file_that_holds_no_log_in_is_refused(tmp_path: Path, content: bytes) -> None:
    """Also one that is not there."""
    file = tmp_path / "in.json"
    with pytest.raises(UsageError, match="there is no such file"):
        CrawlPolicy(state=str(file))
    file.write_bytes(content)
    with pytest.raises(UsageError, match="not the file of a session"):
        CrawlPolicy(state=str(file))


def test_cookie_without_a_domain_is_no_cookie(tmp_path: Path) -> None:
    """What is read later is checked at once."""
    cookies = [{"name": "a", "value": "b"}]
    content = {"format": "sightline-session", "version": 1, "cookies": cookies, "storage": {}}
    file = tmp_path / "in.json"
    file.write_text(json.dumps(content))
    with pytest.raises(UsageError, match="not the file of a session"):
        CrawlPolicy(state=str(file))


def test_proxy_is_no_way_around_the_check_of_addresses() -> None:
    """The proxy would look names up by itself."""
    with pytest.raises(UsageError, match="cannot be used with public_only"):
        CrawlPolicy(public_only=True, proxy="http://proxy.example:3128")


def test_values_are_secret_from_the_moment_they_are_read() -> None:
    """In the settings themselves, and in every text that leaves the program."""
    basic = "YW5uYTpodW50ZXItMjIy"  # anna:hunter-222
    policy = CrawlPolicy(
        header=(f"Authorization: Bearer {SECRET}", f"X-Auth: Basic {basic}", "Accept-Language: german"),
        cookie=("session=c00kie-77", "consent=true"),
        proxy="http://anna:pr0xy%21pass@proxy.example:3128",
    )
    told = repr(policy) + redacted(f"{SECRET} {basic} hunter-222 c00kie-77 pr0xy!pass pr0xy%21pass")
    assert not [one for one in (SECRET, basic, "hunter-222", "c00kie-77", "pr0xy") if one in told]
    assert redacted("true, german") == "true, german"


def test_cookies_of_a_log_in_go_where_a_browser_sends_them() -> None:
    """By host, path, https and age."""

    def cookie(name: str, domain: str, **more: object) -> dict[str, object]:
        return {"name": name, "value": "1", "domain": domain, "path": "/", **more}

    state = LoginState(
        [
            cookie("host", "shop.example"),
            cookie("domain", ".shop.example"),
            cookie("deep", "shop.example", path="/account"),
            cookie("safe", "shop.example", secure=True),
            cookie("old", "shop.example", expires=time.time() - 9),
            cookie("new", "shop.example", expires=time.time() + 99),
            cookie("apart", "shop.example", partitionKey={"topLevelSite": "https://other.example"}),
            cookie("other", "other.example"),
        ],
        {},
    )

    def sent(url: str) -> set[str]:
        return set(state.cookies_for(admit(url)))

    assert sent(f"{HOME}/") == {"host", "domain", "safe", "new"}
    assert sent(f"{HOME}/account?x=1") == {"host", "domain", "safe", "new", "deep"}
    assert "deep" not in sent(f"{HOME}/accounts")
    assert sent("http://shop.example/") == {"host", "domain", "new"}
    assert sent("https://www.shop.example/") == {"domain"}
    assert sent("https://myshop.example/") == set()


def test_only_the_named_origin_gets_headers_and_cookies() -> None:
    """Not its robots.txt, and not the site that it redirects to, even on another port of the same host."""
    site, other = asyncio.run(_redirected())
    got = {one.target: (one.headers.get("x-token"), one.headers.get("cookie")) for one in site.requests}
    assert got == {"/robots.txt": (None, None), "/": (SECRET, "a=1; b=2"), "/there": (SECRET, "a=1; b=2")}
    assert [one.target for one in other.requests] == ["/robots.txt", "/end"]
    assert all("x-token" not in one.headers and "cookie" not in one.headers for one in other.requests)


async def _redirected() -> tuple[Site, Site]:
    policy = CrawlPolicy(header=(f"X-Token: {SECRET}",), cookie=("a=1", "b=2"), delay=0)
    async with serve({"/end": reply(b"end")}) as other:
        routes = {"/": redirect("/there"), "/there": redirect(other.url("/end"))}
        async with serve(routes) as site, RequestPolicy(policy=policy.bound_to([site.url()])) as requests:
            assert (await Fetcher(requests).fetch(site.url())).content == b"end"
    return site, other
