"""Which addresses are admitted and which are public."""

import asyncio
import ipaddress
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import RefusedError, UnreachableError
from sightline.net._addresses import (
    Location,
    Resolver,
    _parsed,
    _plain,
    admit,
    is_loopback,
    is_public,
    join,
    system_lookup,
)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://example.com", "http://example.com/"),
        ("  HTTPS://Example.COM:443/a?b=c#d ", "https://example.com/a?b=c"),
        ("http://example.com:8080/x", "http://example.com:8080/x"),
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("http://[2001:DB8:0::1]:81/", "http://[2001:db8::1]:81/"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://0x7f000001/", "http://127.0.0.1/"),
        ("http://017700000001/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://127。0。0。1/", "http://127.0.0.1/"),
        ("http://a_b.example./", "http://a_b.example./"),
    ],
)
def test_admit_gives_one_spelling(url: str, canonical: str) -> None:
    """Every spelling of an address becomes the one that is checked and dialled; the fragment is dropped."""
    assert admit(url).url == canonical


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("file:///etc/passwd", "file:"),
        ("FILE:/etc/passwd", "file:"),
        ("data:text/html,<p>x", "data:"),
        ("view-source:http://example.com/", "view-source:"),
        ("source:file:///etc/passwd", "source:"),
        ("javascript:alert(1)", "javascript:"),
        ("chrome://version", "chrome:"),
        ("ftp://example.com/", "ftp:"),
        ("ws://example.com/", "ws:"),
        ("blob:http://example.com/x", "blob:"),
        ("about:blank", "about:"),
        ("//example.com/", "http://"),
        ("example.com", "http://"),
        ("", "http://"),
        ("http://user:pass@example.com/", "password"),
        ("http://good.example@127.0.0.1/", "password"),
        ("http://good.example\\@127.0.0.1/", "password"),
        ("http://127.0.0.1:80\\x/", "well-formed"),
        ("http:example.com/", "well-formed"),
        ("http:////example.com/", "well-formed"),
        ("http://", "well-formed"),
        ("http:///x", "well-formed"),
        ("http://[::1", "well-formed"),
        ("http://[fe80::1%25eth0]/", "well-formed"),
        ("http://127.0.0.1%00.good.example/", "well-formed"),
        ("http://①②⑦.⓪.⓪.①/", "well-formed"),
        ("http://exa mple.com/", "well-formed"),
        ("ht\ntp://example.com/", "http://"),
        ("http://example.com/a\nb", "control"),
        ("http://256.256.256.256/", "well-formed"),
        ("http://1.2.3.4.5/", "well-formed"),
        ("http://a..b/", "well-formed"),
        (f"http://{'a.' * 200}test/", "well-formed"),
        ("http://example.com:99999/", "port"),
        ("http://example.com:0/", "port"),
        ("http://127.0.0.1:-1/", "well-formed"),
        ("http://example.com:+80/", "well-formed"),
        ("http://example.com: 80/", "well-formed"),
        ("http://example.com:8_0/", "well-formed"),
        ("http://example.com:\u0664\u0665/", "well-formed"),
        ("http://example.com:22/", "port"),
        ("http://example.com:6000/", "port"),
        ("http://example.com/" + "a" * 9_000, "longer"),
    ],
)
def test_admit_refuses_what_is_no_plain_web_address(url: str, word: str) -> None:
    """Other schemes, credentials and spellings on which parsers disagree are refused with the reason."""
    with pytest.raises(RefusedError, match=word):
        admit(url)


HOSTS = st.sampled_from(["127.0.0.1", "localhost", "[::1]", "a.example", "[", "0x7f.1", "%31", "\u2488", "-"])
PORTS = st.text("0123456789-+_ eE.\u0661\uff11", max_size=12) | st.integers().map(str)
ADDRESSES = st.builds(
    "{}://{}{}{}{}".format,
    st.sampled_from(["http", "https", "HTTP", "hTTps"]),
    HOSTS,
    st.sampled_from([":", "", "::"]),
    PORTS,
    st.text(max_size=20).map(lambda path: f"/{path}"),
)


@given(st.text(max_size=60) | st.text(max_size=40).map(lambda tail: "http://" + tail) | ADDRESSES)
def test_admit_takes_any_text(url: str) -> None:
    """Any text is either admitted or refused, and what is admitted is admitted again unchanged."""
    try:
        location = admit(url)
    except RefusedError:
        return
    assert admit(location.browser_url) == location
    assert location.url.startswith(location.origin)
    assert 0 < location.port < 65536


PLAIN_ADDRESSES = st.builds(
    "{}://{}{}/{}".format,
    st.sampled_from(["http", "https"]),
    st.text("ab01.-", min_size=1, max_size=12).map(lambda name: f"{name}.org")
    | st.lists(st.integers(0, 300), min_size=3, max_size=5).map(lambda parts: ".".join(map(str, parts))),
    st.just("") | st.integers(0, 70_000).map(lambda port: f":{port}"),
    st.text("aZ0-._~/", max_size=12),
)


@given(PLAIN_ADDRESSES)
def test_admit_reads_plain_addresses_as_all_others(url: str) -> None:
    """The short way for plain spellings admits nothing that the parser refuses, and says the same of the rest."""
    try:
        parsed = _parsed(url, None)
    except RefusedError:
        assert _plain(url) is None
    else:
        assert _plain(url) in (None, parsed)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/a/b.html", "https://www.example.org/", "http://a-b.co/~c/d_e"])
def test_admit_goes_the_short_way(url: str) -> None:
    """Links of ordinary sites need no parser."""
    assert _plain(url) == _parsed(url, None)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "198.18.0.1",
        "192.0.2.1",
        "203.0.113.9",
        "224.0.0.1",
        "239.1.1.1",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.0.8",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "100::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:10.1.2.3",
        "::127.0.0.1",
        "::a9fe:a9fe",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::7f00:1",
        "64:ff9b:1::808:808",
        "64:ff9b:1:ffff::a9fe:a9fe",
        "2002:a9fe:a9fe::",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2001:0:a9fe:a9fe::",
        "2001:0:808:808:0:0:80ff:fffe",
        "2a00:1450:4001::5efe:10.0.0.1",
        "not-an-address",
        "127.0.0.1:80",
    ],
)
def test_is_public_refuses_private_addresses_in_every_disguise(address: str) -> None:
    """Private, loopback, link-local, reserved and multicast addresses are seen through mapping and tunnelling."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "93.184.216.34",
        "8.8.8.8",
        "1.1.1.1",
        "2606:4700:4700::1111",
        "2a00:1450:4001:801::200e",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
    ],
)
def test_is_public_lets_the_internet_through(address: str) -> None:
    """Addresses of the public internet are public, also when written as IPv6."""
    assert is_public(address)


@given(st.integers(0, 2**32 - 1))
def test_is_public_sees_embedded_addresses(number: int) -> None:
    """Whatever is private as IPv4 is private in each form that embeds it."""
    inside = ipaddress.IPv4Address(number)
    forms = [
        ipaddress.IPv6Address(0xFFFF << 32 | number),
        ipaddress.IPv6Address(0x0064_FF9B << 96 | number),
        ipaddress.IPv6Address(0x2002 << 112 | number << 80),
        ipaddress.IPv6Address(0x2A00_1450 << 96 | 0x5EFE << 32 | number),
    ]
    if not is_public(inside):
        assert not any(map(is_public, forms))


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("example.com", False),
        ("10.0.0.1", False),
        ("localhost.example", False),
    ],
)
def test_is_loopback_knows_this_machine(host: str, expected: bool) -> None:
    """Only names and numbers of this very machine are loopback."""
    assert is_loopback(host) is expected


def test_join_refuses_malformed_targets() -> None:
    """A redirect to something unparsable is refused and not a crash."""
    base = admit("http://example.com/a/")
    assert join(base, " ../b ", source="s") == "http://example.com/b"
    with pytest.raises(RefusedError):
        join(base, "http://[::1", source="s")


def test_location_keeps_the_fragment_for_the_browser() -> None:
    """The part after # is not sent, but a page's scripts may need it."""
    location = admit("http://example.com/app#/cameras/5")
    assert (location.url, location.browser_url) == ("http://example.com/app", "http://example.com/app#/cameras/5")
    assert admit("http://example.com/").browser_url == "http://example.com/"


def test_location_has_origin_and_authority() -> None:
    """The default port is left out, any other kept, and IPv6 put in brackets."""
    location = Location("http://[::1]:8080/x", "http", "::1", 8080, "/x")
    assert (location.authority, location.origin) == ("[::1]:8080", "http://[::1]:8080")


async def _answers(*addresses: str) -> list[str]:
    return list(addresses)


@pytest.mark.parametrize("addresses", [("10.0.0.1",), ("8.8.8.8", "127.0.0.1"), ("8.8.8.8", "::ffff:10.0.0.1"), ()])
def test_resolver_refuses_hosts_with_any_private_address(addresses: tuple[str, ...]) -> None:
    """One private address among public ones refuses the host, and so does none at all."""
    resolver = Resolver(public_only=True, lookup=lambda _host, _port: _answers(*addresses))
    with pytest.raises(RefusedError) as caught:
        asyncio.run(resolver.resolve("rebind.example", 80, source="http://rebind.example/"))
    assert caught.value.problem == Resolver.OPAQUE


def test_resolver_says_the_same_of_missing_and_private_hosts() -> None:
    """In server use nobody learns which internal names exist."""

    async def lookup(host: str, port: int) -> list[str]:
        if host == "missing.example":
            raise socket.gaierror(-2, "unknown")
        return await system_lookup(host, port)

    resolver = Resolver(public_only=True, lookup=lookup)
    problems = set()
    for host in ("localhost", "127.0.0.1", "missing.example", "::1"):
        with pytest.raises(RefusedError) as caught:
            asyncio.run(resolver.resolve(host, 80, source="s"))
        problems.add(str(caught.value))
    assert len(problems) == 1


def test_resolver_lets_private_addresses_through_at_home() -> None:
    """Outside server use the user may visit the own machine, and a missing host is named."""
    resolver = Resolver(public_only=False)
    assert "127.0.0.1" in asyncio.run(resolver.resolve("127.0.0.1", 80, source="s"))

    async def fails(_host: str, _port: int) -> list[str]:
        raise socket.gaierror(-2, "unknown")

    with pytest.raises(UnreachableError, match=r"missing\.example is not known"):
        asyncio.run(Resolver(public_only=False, lookup=fails).resolve("missing.example", 80, source="s"))
