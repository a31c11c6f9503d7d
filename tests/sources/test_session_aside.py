"""A session can visit another page in a tab of its own, and find its page as it was."""

from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.errors import UnreachableError
from sightline.net import CrawlPolicy

from ..navigate._site import Served, served

HOME = (
    "<title>List</title><ul id=l><li>one</li></ul><button onclick=\"l.innerHTML += '<li>two</li>'; "
    "document.cookie = 'seen=1'\">More</button>"
)


@pytest.fixture(scope="module")
def site() -> Iterator[Served]:
    """A list that grows, and another page."""
    pages = {"/": HOME, "/other": "<title>Other</title><script>document.title = document.cookie</script>"}
    with served(pages.get) as opened:
        yield opened


@pytest.fixture
def session(site: Served) -> Iterator[sl.Session]:
    """A session whose list has grown."""
    with sl.session(policy=CrawlPolicy(delay=0)) as opened:
        opened.goto(site("/")).click("//button")
        yield opened


def test_the_page_stays_as_it_was(session: sl.Session, site: Served) -> None:
    """With what it had loaded; the other tab has the same cookies, and is closed in the end."""
    site.asked.clear()
    with session.aside() as tab:
        assert tab.goto(site("/other")).capture().title == "seen=1"
        assert len(session.tabs) == 2
    assert session.tabs == (site("/"),)
    assert session.capture().text_of(0).split()[:2] == ["one", "two"]
    assert "/" not in site.asked


@pytest.mark.slow
def test_a_page_that_fails_leaves_the_session_where_it_was(session: sl.Session, site: Served) -> None:
    """The error is raised, the tab closed."""
    with pytest.raises(UnreachableError), session.aside():
        session.goto(site("/none"))
    assert session.tabs == (site("/"),)
    assert session.click("//button").capture().text_of(0).count("two") == 2


@pytest.mark.slow
def test_one_can_be_inside_another(session: sl.Session, site: Served) -> None:
    """Each ends where it began."""
    with session.aside():
        session.goto(site("/other"))
        with session.aside():
            session.goto(site("/"))
        assert session.capture().title == "seen=1"
    assert session.capture().title == "List"
