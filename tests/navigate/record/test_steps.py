"""What becomes of a person's events: one step for what belongs together, and none for noise."""

from typing import Any

import pytest

import sightline as sl
from sightline.navigate.record import Act, Recording, Understanding, steps_of
from sightline.navigate.script import DialogStep, FillStep, PressStep, Script, SecretName
from sightline.page import Page
from sightline.sources import UserEvent

FORM = """<title>Shop</title><h1>Shop</h1><form><label>User <input id=user></label>
<label>Password <input id=password type=password></label><label id=keep-label><input id=keep type=checkbox>Keep</label>
<label>Size <select id=size><option>S<option>M</select></label><label>Photo <input id=photo type=file></label>
<button id=send>Send</button><textarea id=text aria-label=Text></textarea></form>
<ul><li>Arden <button id=add-1>Add</button><li>Bellis <button id=add-2>Add</button></ul>
<span role=switch aria-checked=true id=alerts>Alerts</span><span id=odd></span><p id=plain>Read more</p>
<a id=story href=/story>Read the whole story of how our lenses are ground, polished, coated, centred, tested and
packed</a>
<input id=query name=query>"""


@pytest.fixture(scope="module")
def page() -> Page:
    """A page with one of everything."""
    return sl.open(FORM, url="https://shop.example/", static=True)


class Told:
    """Events of a person on one page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.events: list[UserEvent] = []

    def __call__(self, kind: str, identity: str = "", **more: Any) -> "Told":
        """Add an event."""
        node = self._node(identity) if identity else 0
        given = self._page.node(node)
        about = {"xpath": self._page.xpath(node), "tag": given.tag, "type": given.attributes.get("type", "")}
        event = {**(about if identity else {}), "page": self._page, **({"count": 1} if kind == "click" else {}), **more}
        self.events.append(UserEvent(kind=kind, **event))
        return self

    def path(self, identity: str) -> str:
        """The path of an element."""
        return self._page.xpath(self._node(identity))

    def _node(self, identity: str) -> int:
        return int((self._page.attribute("id") == self._page.string_id(identity)).nonzero()[0][0])

    @property
    def recording(self) -> Recording:
        """What comes of them."""
        understanding = Understanding()
        return steps_of([understanding.of(event) for event in self.events])

    @property
    def lines(self) -> list[str]:
        """The steps as people read them."""
        return [str(one.step) for one in self.recording.steps]


@pytest.fixture
def told(page: Page) -> Told:
    """Nothing yet."""
    return Told(page)


def test_typing_is_one_fill_with_its_last_text(told: Told) -> None:
    """The click that gave the focus, keys that edit and every letter on the way are noise."""
    told("click", "user")("input", "user", value="a")("input", "user", value="ax")("key", "user", key="Backspace")
    told("input", "user", value="a")("input", "user", value="an")("key", "user", key="Tab")
    assert told.lines == ["fill textbox “User”"]
    step = told.recording.steps[0].step
    assert isinstance(step, FillStep)
    assert step.text == "an"


def test_enter_after_typing_is_a_key(told: Told) -> None:
    """And the click that the browser itself makes on the button of the form is noise."""
    told("input", "user", value="anna")("key", "user", key="Enter")("click", "send", count=0)
    assert told.lines == ["fill textbox “User”", "press Enter"]


def test_enter_in_a_text_of_several_lines_is_part_of_it(told: Told) -> None:
    """A line break is no key to press."""
    told("key", "text", key="Enter")("input", "text", value="a\nb")
    assert told.lines == ["fill textbox “Text”"]


def test_key_on_a_button_is_a_click(told: Told) -> None:
    """However a button was pressed."""
    told("key", "send", key="Space")("click", "send", count=0)
    assert told.lines == ["click button “Send”"]


def test_secret_is_named_and_not_kept(told: Told) -> None:
    """The script says where it is kept; the same input has the same secret, another one another."""
    told("input", "password", secret="password")("click", "send")("input", "password", secret="password")
    told("input", "user", secret="password")
    recording = told.recording
    typed = [one.step.text for one in recording.steps if isinstance(one.step, FillStep)]
    assert typed == [SecretName("password"), SecretName("password"), SecretName("password_2")]
    assert {name: place.environment for name, place in recording.secrets.items()} == {
        "password": "PASSWORD",
        "password_2": "PASSWORD_2",
    }


def test_label_and_checkbox_are_one_check(told: Told) -> None:
    """The click on the label, the browser's click on the box, and the change are one act."""
    told("click", "keep-label", label_of=told.path("keep"), label_type="checkbox")("click", "keep", count=0)
    told("check", "keep", checked=True)
    assert told.lines == ["check checkbox “Keep”"]


def test_drawn_switch_is_turned_off_if_it_was_on(told: Told) -> None:
    """What a click does to it depends on how it was."""
    assert told("click", "alerts").lines == ["uncheck switch “Alerts”"]


def test_select_is_its_last_choice(told: Told) -> None:
    """Clicks and keys that open the list are noise."""
    told("click", "size")("key", "size", key="ArrowDown")("choice", "size", options=("M",))
    told("choice", "size", options=("S",))
    assert told.lines == ["select combobox “Size”"]


def test_file_choice_is_an_upload_with_a_doubt(told: Told) -> None:
    """The click that opened the system's window is noise; where the file was, nobody can know."""
    told("click", "send")("files", "photo", files=("me.png",))
    (one,) = told.recording.steps
    assert str(one.step) == "upload file “Photo”"
    assert "put me.png beside the script" in one.doubts[0]


def test_dialog_is_answered_before_it_opens(told: Told) -> None:
    """Accepting is what happens anyway; any other answer is said before the step, and taken back later."""
    told("click", "send")("dialog", type="confirm", accepted=True)
    told("click", "send")("dialog", type="prompt", accepted=True, value="Anna", text="Bob")
    told("click", "send")("dialog", type="confirm", accepted=False)
    assert told.lines == [
        "click button “Send”",
        "dialog accept",
        "click button “Send”",
        "dialog dismiss",
        "click button “Send”",
    ]
    step = told.recording.steps[1].step
    assert isinstance(step, DialogStep)
    assert step.text == "Anna"


def test_download_is_the_click_that_started_it(told: Told) -> None:
    """One step, which waits for the file."""
    assert told("click", "send")("download", message="report.csv").lines == ["download button “Send”"]


def test_tabs_are_said_when_something_is_done_in_them(told: Told) -> None:
    """A tab that opens and is never used is none of the script's business."""
    told("click", "send")("tab", tab=1, tabs=2)("click", "send", tab=1, tabs=2)("click", "send", tab=0, tabs=2)
    assert told.lines == [
        "click button “Send”",
        "tab newest",
        "click button “Send”",
        "tab first",
        "click button “Send”",
    ]


def test_history_is_counted(told: Told) -> None:
    """Back twice is one step; forward is the address, with a doubt."""
    told("opened", url="https://shop.example/")("back")("back")("reload")("forward", url="https://shop.example/2")
    assert told.lines == ["open https://shop.example/", "back 2", "reload", "open https://shop.example/2"]
    assert told.recording.steps[-1].doubts


@pytest.mark.parametrize(("after", "steps"), [(1000.0, []), (2000.0, ["scroll 800"])])
def test_scroll_counts_if_it_loaded_something(after: float, steps: list[str]) -> None:
    """A page that is no higher afterwards was only read."""
    begun = Act(event=UserEvent(kind="scroll", top=10), height=1000.0)
    ended = Act(event=UserEvent(kind="scroll", top=800, first=False), height=1000.0)
    rest = Act(event=UserEvent(kind="rest"), height=after)
    for acts in ([begun, ended, rest], [begun, rest, ended]):
        assert [str(one.step) for one in steps_of(acts).steps] == steps


def test_same_names_are_told_apart_by_memory_or_number(told: Told) -> None:
    """Where memory cannot, the number says which one, and the step is doubtful."""
    (one,) = told("click", "add-2").recording.steps
    target = one.step.target  # type: ignore[attr-defined]
    assert target.memory is not None
    assert target.number == 2 or not one.doubts


def test_what_has_no_role_is_named_by_its_text(told: Told) -> None:
    """Or by an attribute of its own, with a doubt."""
    assert told("click", "plain").lines == ["click “Read more”"]
    unnamed = told("click", "query").recording.steps[-1]
    assert str(unnamed.step) == "click #query"
    assert "has no name" in unnamed.doubts[0]


def test_long_name_is_cut_where_it_still_tells(told: Told) -> None:
    """Nobody wants to read a paragraph in a script."""
    (line,) = told("click", "story").lines
    assert line.endswith("*”")
    assert len(line) < 100


def test_element_that_was_not_captured_has_its_path(told: Told) -> None:
    """Nothing is dropped: the step is there, and doubtful; whatever else comes to be there is not clicked."""
    told.events.append(UserEvent(kind="click", count=1, xpath="/html[1]/body[1]/div[9]", page=None))
    (one,) = told.recording.steps
    assert str(one.step) == "click /html[1]/body[1]/div[9]"
    assert "path only" in one.doubts[0]
    told.events.append(UserEvent(kind="click", count=1, xpath="/html[1]/body[1]/div[8]", text="Go on", page=None))
    assert told.lines[1] == 'click /html[1]/body[1]/div[8][normalize-space()="Go on"]'


def test_braces_that_were_typed_are_not_a_variable(told: Told) -> None:
    """A script would look for the variable; so the text is one."""
    recording = told("input", "user", value="{name}").recording
    script = Script(steps=tuple(one.step for one in recording.steps), variables=recording.variables)
    assert Script.loads(script.dumps()).variables == {"text_1": "{name}"}


def test_keys_outside_of_inputs_are_kept(told: Told) -> None:
    """Such as those that close a window of the page; keys that scroll are not."""
    told("click", "send")("key", "plain", key="Escape")
    told.events.append(UserEvent(kind="key", key="PageDown", tag="body", xpath="/html[1]/body[1]"))
    last = told.recording.steps[-1].step
    assert isinstance(last, PressStep)
    assert last.key == "Escape"


def test_memories_are_at_the_end_of_the_script(told: Told) -> None:
    """What people read is not buried in them, and they are found again."""
    recording = told("input", "user", value="anna")("click", "send").recording
    script = Script(steps=tuple(one.step for one in recording.steps))
    text = script.dumps()
    assert "- click: {button: Send, memory: 2}" in text
    assert text.index("\nmemory:") > text.index("- click")
    assert Script.loads(text) == script


def test_memory_that_is_missing_is_an_error_with_its_line() -> None:
    """Somebody may have cut the end off."""
    with pytest.raises(sl.errors.UsageError, match="line 3: there is no memory 7"):
        Script.loads("navigation: 1\nsteps:\n  - click: {button: Send, memory: 7}\n")
