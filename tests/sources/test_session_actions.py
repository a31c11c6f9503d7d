"""What a hand does besides clicking: choosing, checking, hovering, going back; and why it sometimes cannot."""

import pickle
from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.errors import ActionError, UsageError
from sightline.net import Limits

from .._server import Site
from .browser._site import asked, html, site, texts

TOLD = "<p id=told>nothing</p><script>const tell = text => told.textContent = text</script>"
CHOICES = html(f"""<title>Choices</title>{TOLD}
<select id=one onchange="tell(value + ' ' + event.isTrusted + ' ' + (window.changes = (window.changes || 0) + 1))">
<option value=a>Apples<option value=b>Big  pears<option disabled>Sold out<option value=d>Dates</select>
<select id=single onchange="tell(value)"><option value=only>Only</select>
<select id=many multiple onchange="tell([...selectedOptions].map(o => o.value).join() + ' ' + event.isTrusted)">
<option>red<option>green<option selected>blue</select>""")
BOXES = html(f"""<title>Boxes</title>{TOLD}
<input id=box type=checkbox onchange="tell('box ' + checked + ' ' + event.isTrusted)">
<label><input id=styled type=checkbox style="display: none" onchange="tell('styled ' + checked)">Styled</label>
<input id=radio type=radio checked>
<div id=switch role=switch aria-checked=false
  onclick="setAttribute('aria-checked', 'true'); tell('switched')">Switch</div>
<input id=stubborn type=checkbox onclick="return false">""")
MENU = html("""<title>Menu</title><style>#sub { display: none } #menu:hover #sub { display: block }</style>
<div id=menu>Menu<a id=sub href=/second>Sub</a></div>""")
COVERED = html("""<title>Covered</title><div style="position: relative"><button id=below>Below</button>
<div id=cover style="position: absolute; inset: 0; background: white">We value your   privacy</div></div>""")
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A small site."""
    routes = {
        "/choices": CHOICES,
        "/boxes": BOXES,
        "/leaving": html("""<select onchange="location = '/second'"><option>stay<option>go</select>
<input type=checkbox onclick="form.submit()" form=form><form id=form action=/second></form>"""),
        "/second?": html("<title>Second</title><p>You are there."),
        "/parts": html("""<title>Parts</title>
<button onclick="for (let i = 0; i < 9; i++) fetch('/part?' + i)">more</button>
<a href=/second>second</a>"""),
        "/menu": MENU,
        "/covered": COVERED,
        "/": html("<title>First</title><a href=/second>second</a><a id=part href=#part>part</a>"),
        "/second": html("<title>Second</title><p>You are there."),
    }
    with site(routes) as one:
        yield one


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One session for all tests of this module."""
    with sl.session() as one:
        yield one


def told(session: sl.Session) -> str:
    """What the page says has happened."""
    return texts(session.capture())[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "value"), [("Big pears", "b"), ("d", "d"), ("Apples", "a")], ids=["by text", "by value", "the first"]
)
def test_select_chooses_one_option_with_one_trusted_change(
    here: Site, session: sl.Session, option: str, value: str
) -> None:
    """A page that goes elsewhere on a change sees no option but the wanted one."""
    session.goto(here.url("/choices"))
    if option == "Apples":
        session.select("//*[@id='one']", "Dates")
    count = 2 if option == "Apples" else 1
    session.select("//*[@id='one']", option)
    assert told(session) == f"{value} true {count}"


def test_select_leaves_what_is_chosen_already(here: Site, session: sl.Session) -> None:
    """No change, no event."""
    session.goto(here.url("/choices")).select("//*[@id='one']", "Apples").select("//*[@id='single']", "Only")
    assert told(session) == "nothing"


def test_select_chooses_several_options_of_a_list(here: Site, session: sl.Session) -> None:
    """The options are clicked, and what was chosen before is not any more; a list can be cleared."""
    session.goto(here.url("/choices")).select("//*[@id='many']", "red", "green")
    assert told(session) == "red,green true"
    session.select("//*[@id='many']")
    assert told(session) == "true"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("xpath", "options", "problem"),
    [
        ("//*[@id='one']", ["Figs"], "has no option “Figs”; it has Apples, Big pears, Sold out, Dates"),
        ("//*[@id='one']", ["Sold out"], "that is disabled"),
        ("//*[@id='one']", ["Apples", "Dates"], "takes one option"),
        ("//*[@id='told']", ["Apples"], "is not a <select>"),
    ],
)
def test_select_says_what_cannot_be_chosen(
    here: Site, session: sl.Session, xpath: str, options: list[str], problem: str
) -> None:
    """The error names the options that there are, and nothing is changed."""
    session.goto(here.url("/choices"))
    with pytest.raises(ActionError, match=problem):
        session.select(xpath, *options)
    assert told(session) == "nothing"


def test_choices_may_lead_to_another_page(here: Site, session: sl.Session) -> None:
    """A page that leaves when something is chosen or checked takes the element with it."""
    assert session.goto(here.url("/leaving")).select("//select", "go").capture().title == "Second"
    assert session.goto(here.url("/leaving")).check("//input").capture().title == "Second"


def test_check_turns_on_and_off(here: Site, session: sl.Session) -> None:
    """With trusted events, and only if the box is not as wanted."""
    session.goto(here.url("/boxes")).uncheck("//*[@id='box']")
    assert told(session) == "nothing"
    assert told(session.check("//*[@id='box']")) == "box true true"
    assert told(session.uncheck("//*[@id='box']")) == "box false true"


def test_check_clicks_the_label_of_a_hidden_box(here: Site, session: sl.Session) -> None:
    """Many sites hide the box itself and draw their own; a switch of the page's own make is clicked as well."""
    session.goto(here.url("/boxes"))
    assert told(session.check("//*[@id='styled']")) == "styled true"
    assert told(session.check("//*[@id='switch']")) == "switched"


@pytest.mark.parametrize(
    ("identity", "problem"),
    [("radio", "was clicked, but is still on"), ("told", "is not a checkbox, radio button or switch")],
)
def test_uncheck_says_when_it_failed(here: Site, session: sl.Session, identity: str, problem: str) -> None:
    """A radio button cannot be turned off."""
    with pytest.raises(ActionError, match=problem):
        session.goto(here.url("/boxes")).uncheck(f"//*[@id='{identity}']")


def test_check_says_when_the_page_refused(here: Site, session: sl.Session) -> None:
    """A page may undo the click."""
    with pytest.raises(ActionError, match="is still off"):
        session.goto(here.url("/boxes")).check("//*[@id='stubborn']")


def test_hover_opens_a_menu(here: Site, session: sl.Session) -> None:
    """What only shows below the mouse can be clicked afterwards."""
    session.goto(here.url("/menu"))
    with pytest.raises(ActionError, match="cannot be seen"):
        session.click("//*[@id='sub']")
    assert session.hover("//*[@id='menu']").click("//*[@id='sub']").capture().title == "Second"


def test_back_and_reload(here: Site, session: sl.Session) -> None:
    """Back is the page before the click; reloading asks the site again."""
    session.goto(here.url("/")).click("//a")
    assert session.back().capture().title == "First"
    before = len(asked(here))
    assert session.reload().capture().title == "First"
    assert asked(here)[before:] == ["/"]


def test_back_within_a_document(here: Site, session: sl.Session) -> None:
    """A link to a part of the page is a step of the history, too."""
    page = session.goto(here.url("/")).click("//*[@id='part']").capture()
    assert page.url == here.url("/#part")
    assert session.back().capture().url == here.url("/")


def test_back_needs_a_page_before(here: Site) -> None:
    """The blank page of a new tab is none."""
    with sl.session() as fresh, pytest.raises(UsageError, match="no page to go back to"):
        fresh.goto(here.url("/")).back()


def test_error_shows_what_covers_the_element(here: Site, session: sl.Session) -> None:
    """With its text and a screenshot, also after a trip through another process."""
    session.goto(here.url("/covered"))
    with pytest.raises(ActionError, match="is covered by <div#cover> “We value your privacy”") as caught:
        session.click("//button")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.xpath, error.cover) == ("//button", "<div#cover> “We value your privacy”")
    assert error.screenshot.startswith(PNG)
    assert str(error) == str(caught.value)


@pytest.mark.slow
def test_session_may_go_on_for_long(here: Site) -> None:
    """The limits of redirects and parts count for each action anew."""
    with sl.session(limits=Limits(redirects=2, subresources=2)) as walker:
        walker.goto(here.url("/"))
        for _ in range(4):
            assert walker.click("//a").capture().title == "Second"
            walker.back()


def test_parts_that_an_action_loads_have_a_limit(here: Site) -> None:
    """The page says what is missing, and the next action has parts again."""
    with sl.session(limits=Limits(subresources=4)) as session:
        session.goto(here.url("/parts"))
        assert not session.capture().gaps
        assert any("more than 4 parts" in gap for gap in session.click("//button").capture().gaps)
        assert session.click("//a").capture().title == "Second"
