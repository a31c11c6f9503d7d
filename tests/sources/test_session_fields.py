"""Fields, keys and the mouse held down: what a session types and moves, and what it says if it cannot."""

from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.errors import ActionError, UsageError
from sightline.sources._loop import RUNTIME

from .._server import Site
from .browser._site import html, site

TELL = """<script>const told = [];
for (const kind of ['input', 'change', 'dblclick', 'keydown']) addEventListener(kind, event => {
  const name = kind === 'keydown' ? ['Control', 'Shift', 'Alt', 'Meta'].filter(one => event.getModifierState(one))
    .concat(event.key, event.code).join(' ') : kind;
  told.push(`${event.target.id || 'page'} ${name} ${event.isTrusted}`);
  tell.textContent = told.slice(-9).join(', ') }, true)
</script>"""
FIELDS = html(f"""<title>Fields</title><p id=tell></p>{TELL}
<input id=date type=date><input id=time type=time><input id=month type=month><input id=week type=week>
<input id=moment type=datetime-local><input id=colour type=color><input id=slider type=range min=10 max=20 step=2>
<input id=number type=number><input id=text><textarea id=area></textarea>
<div id=rich contenteditable>old <b>text</b></div>
<label id=label>Name <input id=named></label>
<input id=fixed value=kept readonly><input id=fixed-date type=date readonly><input id=off value=kept disabled>
<input id=short maxlength=3><input id=card oninput="value = value.replace(/\\D/g, '').replace(/(.{{4}})(?=.)/g, '$1 ')">
<input id=pin type=password><input id=refuses oninput="value = ''"><input id=stubborn oninput="value = 'mine'">
<input id=later oninput="Promise.resolve().then(() => value = '')">
<p id=plain>plain</p><input id=box type=checkbox><button id=button>b</button><select id=choice><option>1</select>
<input id=file type=file><input id=leaves oninput="location = '/gone'">""")
DRAGS = html(f"""<title>Drags</title><p id=tell></p>{TELL}<p id=moved>nowhere</p>
<input id=slider type=range min=0 max=100 value=0 style="width: 200px; margin: 0; display: block">
<div id=knob style="width: 40px; height: 40px; background: red">knob</div>
<ul><li id=apple draggable=true>Apple<li id=pear draggable=true>Pear</ul><div style="height: 2000px"></div>
<div id=basket style="width: 100px; height: 100px; background: silver">basket</div>
<div style="position: relative; width: 50px">
<p id=below>below</p><div style="position: absolute; inset: 0">lid</div></div>
<script>
knob.onmousedown = down => {{ let steps = 0;
  onmousemove = move => {{ steps += move.buttons === 1 }};
  onmouseup = up => {{ onmousemove = onmouseup = null;
    moved.textContent = [up.clientX - down.clientX, up.clientY - down.clientY, steps > 3, up.isTrusted].join(' ') }} }};
for (const one of [apple, pear]) one.ondragstart = event => event.dataTransfer.setData('text/plain', one.id);
basket.ondragover = event => event.preventDefault();
basket.ondrop = event => {{ event.preventDefault();
  moved.textContent = event.dataTransfer.getData('text/plain') + ' in the basket ' + event.isTrusted }}
</script>""")


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A small site."""
    with site({"/": FIELDS, "/drags": DRAGS, "/gone": html("<title>Gone</title>")}) as one:
        yield one


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One session for all tests of this module."""
    with sl.session() as one:
        yield one


def by_id(identity: str) -> str:
    """The path of an element of the pages here."""
    return f"//*[@id='{identity}']"


def text_of(session: sl.Session, identity: str) -> str:
    """What an element of the page shows."""
    found = session.element(by_id(identity))
    assert found
    return found.text


def told(session: sl.Session) -> str:
    """The events that the page has seen."""
    return text_of(session, "tell")


def value_of(session: sl.Session, identity: str) -> str:
    """The value of a field, shown by the page itself."""
    tab = session._opened().tabs.current.tab
    script = {"expression": f"document.getElementById('{identity}').value", "returnByValue": True}
    answer = RUNTIME.run(tab.call("Runtime.evaluate", script))
    return str(answer["result"]["value"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("identity", "value"),
    [
        ("date", "2026-03-14"),
        ("time", "09:30"),
        ("month", "2026-03"),
        ("week", "2026-W11"),
        ("moment", "2026-03-14T09:30"),
        ("colour", "#1e90ff"),
        ("slider", "14"),
    ],
)
def test_fill_sets_what_the_browser_has_a_picker_for(
    here: Site, session: sl.Session, identity: str, value: str
) -> None:
    """With one input and one change event, as if it had been picked; again it changes nothing."""
    session.goto(here.url("/")).fill(by_id(identity), value)
    assert value_of(session, identity) == value
    assert told(session) == f"{identity} input false, {identity} change false"
    session.fill(by_id(identity), value)
    assert told(session) == f"{identity} input false, {identity} change false"


def test_fill_clears_a_date(here: Site, session: sl.Session) -> None:
    """As the cross in the browser's picker does."""
    session.goto(here.url("/")).fill(by_id("date"), "2026-03-14").fill(by_id("date"), "")
    assert value_of(session, "date") == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("identity", "text"),
    [("number", "-3.5"), ("text", "Ünï ‘x’"), ("area", "one\ntwo"), ("pin", "s3cret"), ("text", "")],
)
def test_fill_types_with_trusted_events(here: Site, session: sl.Session, identity: str, text: str) -> None:
    """What was there before is replaced."""
    session.goto(here.url("/")).fill(by_id(identity), "7").fill(by_id(identity), text)
    assert value_of(session, identity) == text
    assert f"{identity} input true" in told(session)


def test_fill_writes_into_what_can_be_edited(here: Site, session: sl.Session) -> None:
    """The whole text of the element is replaced; a label leads to its field."""
    session.goto(here.url("/")).fill(by_id("rich"), "new text").fill(by_id("label"), "Anna")
    assert text_of(session, "rich") == "new text"
    assert value_of(session, "named") == "Anna"
    assert text_of(session.fill(by_id("rich"), ""), "rich") == ""


def test_fill_accepts_what_the_page_formats(here: Site, session: sl.Session) -> None:
    """Blanks in the number of a card are not another number; leaving for another page is no failure."""
    session.goto(here.url("/")).fill(by_id("card"), "4111111111111111")
    assert value_of(session, "card") == "4111 1111 1111 1111"
    assert session.fill(by_id("leaves"), "x").capture().title == "Gone"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("identity", "text", "problem"),
    [
        ("fixed", "x", "is read-only"),
        ("fixed-date", "2026-03-14", "is read-only"),
        ("off", "x", "is disabled"),
        ("date", "14.3.2026", "does not take this value; write it as in 2026-03-14"),
        ("time", "half past", "write it as in 09:30"),
        ("colour", "blue", "write it as in #1e90ff"),
        ("slider", "13", "takes numbers from 10 to 20 in steps of 2"),
        ("slider", "99", "takes numbers from 10 to 20"),
        ("slider", "", "takes numbers from 10 to 20"),
        ("number", "many", "did not keep the text"),
        ("short", "12345", "did not keep the text"),
        ("refuses", "x", "did not keep the text"),
        ("stubborn", "x", "did not keep the text"),
        ("later", "x", "did not keep the text"),
        ("plain", "x", "takes no text"),
        ("button", "x", "takes no text"),
        ("box", "x", r"use check\(\)"),
        ("choice", "x", r"with select\(\)"),
        ("file", "x", r"with upload\(\)"),
    ],
)
def test_fill_says_what_a_field_does_not_take(
    here: Site, session: sl.Session, identity: str, text: str, problem: str
) -> None:
    """Instead of going on with a form that is filled wrongly."""
    with pytest.raises(ActionError, match=problem):
        session.goto(here.url("/")).fill(by_id(identity), text)


@pytest.mark.slow
def test_fill_keeps_secrets_out_of_errors(here: Site, session: sl.Session) -> None:
    """An error goes to logs and terminals."""
    for identity in ("refuses", "date", "slider", "fixed"):
        with pytest.raises(ActionError) as caught:
            session.goto(here.url("/")).fill(by_id(identity), "swordfish")
        assert "swordfish" not in str(caught.value)


@pytest.mark.slow
def test_press_takes_modifiers(here: Site, session: sl.Session) -> None:
    """They are held while the key is pressed, and the browser does what it does for them."""
    session.goto(here.url("/")).fill(by_id("text"), "all of it").press("Control+a").press("Delete")
    assert value_of(session, "text") == ""
    assert "text Control a KeyA true" in told(session)
    session.press("x").press("Shift+y").press("+")
    assert value_of(session, "text") == "xY+"
    session.press("Shift+Tab").press("5")
    assert value_of(session, "number") == "5"
    session.press("Control+Shift+ArrowLeft").press("F2")
    assert "Control Shift ArrowLeft ArrowLeft true" in told(session)
    with pytest.raises(UsageError, match="There is no modifier 'Ctrl' in 'Ctrl\\+a'; there are Alt, Control"):
        session.press("Ctrl+a")
    with pytest.raises(UsageError, match="There is no key 'Return'"):
        session.press("Control+Return")


def test_double_click_is_one_for_the_page(here: Site, session: sl.Session) -> None:
    """A word is selected by it."""
    session.goto(here.url("/")).double_click(by_id("plain"))
    assert told(session) == "plain dblclick true"


def test_drag_moves_a_slider(here: Site, session: sl.Session) -> None:
    """The mouse is pressed in the middle of it and released where the value is higher."""
    session.goto(here.url("/drags")).drag(by_id("slider"), by=(50, 0))
    assert 70 <= int(value_of(session, "slider")) <= 80
    assert "slider input true" in told(session)
    assert told(session).endswith("slider change true")


def test_drag_is_seen_step_by_step(here: Site, session: sl.Session) -> None:
    """By trusted events with the button held."""
    session.goto(here.url("/drags")).drag(by_id("knob"), by=(120, 30))
    assert text_of(session, "moved") == "120 30 true true"


def test_drag_drops_an_element_on_another(here: Site, session: sl.Session) -> None:
    """With the data that it carries, also where the target is far below."""
    session.goto(here.url("/drags")).drag(by_id("pear"), to=by_id("basket"))
    assert text_of(session, "moved") == "pear in the basket true"


def test_drag_checks_both_ends_first(here: Site, session: sl.Session) -> None:
    """Nothing is pressed if the target cannot be reached; one end must be named."""
    session.goto(here.url("/drags"))
    with pytest.raises(ActionError, match="is covered by <div> “lid”"):
        session.drag(by_id("knob"), to=by_id("below"))
    assert text_of(session, "moved") == "nowhere"
    for wrong in ({}, {"to": by_id("basket"), "by": (1, 1)}):
        with pytest.raises(UsageError, match="Say where to drag"):
            session.drag(by_id("knob"), **wrong)  # type: ignore[arg-type]
