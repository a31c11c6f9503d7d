"""Sites that ask for a user and password by HTTP: answered once, and for their own origin only."""

import asyncio
import base64
from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.errors import UnreachableError, UsageError

from .._server import Request, Site
from .browser._site import html, site, texts

RIGHT = "Basic " + base64.b64encode(b"anna:right").decode()


async def closed(request: Request, writer: asyncio.StreamWriter) -> None:
    """A page for one user only."""
    if request.headers.get("authorization") == RIGHT:
        writer.write(html("<title>Inside</title><p>Hello Anna"))
    else:
        writer.write(html("<p>No", 401, {"WWW-Authenticate": 'Basic realm="Reports"'}))


@pytest.fixture
def here() -> Iterator[Site]:
    """A site with an open and a closed page."""
    link = html("<title>Open</title><a href=/closed>in</a><a id=new href=/closed target=_blank>in a new tab</a>")
    with site({"/": link, "/closed": closed}) as one:
        yield one


def sent(here: Site) -> list[str]:
    """The passwords that arrived."""
    return [request.headers["authorization"] for request in here.requests if "authorization" in request.headers]


@pytest.mark.slow
def test_login_is_given_when_the_site_asks(here: Site) -> None:
    """By goto, by a click, and in a new tab."""
    with sl.session() as session:
        session.login(here.url("/"), "anna", "right")
        assert texts(session.goto(here.url("/closed")).capture()) == ["Hello Anna"]
    with sl.session() as session:
        session.login(here.url("/"), "anna", "right").goto(here.url("/"))
        assert sent(here)[1:] == []
        assert session.click("//a").capture().title == "Inside"
        session.back().click("//*[@id='new']")
        assert session.tab(-1).capture().title == "Inside"


def test_login_that_is_wrong_is_given_once(here: Site) -> None:
    """A site may lock out a user who fails too often."""
    with sl.session() as session, pytest.raises(UnreachableError, match=r"asks for a user and password.*login"):
        session.login(here.url("/"), "anna", "wrong").goto(here.url("/closed"))
    assert len(sent(here)) == 1


def test_login_is_for_its_own_origin_only(here: Site) -> None:
    """Another port is another origin; without a login the error says what to do."""
    with sl.session() as session:
        session.login("http://127.0.0.1:1/", "anna", "right")
        with pytest.raises(UnreachableError, match="asks for a user and password"):
            session.goto(here.url("/closed"))
    assert sent(here) == []


@pytest.mark.slow
@pytest.mark.parametrize("address", ["reports.example", "https://", "https://[", "http://host:port/"])
def test_login_needs_an_address(address: str) -> None:
    """Not only a name."""
    with sl.session() as session, pytest.raises(UsageError, match="is not the address of a site"):
        session.login(address, "anna", "right")
