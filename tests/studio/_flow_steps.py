"""What people do in the flow editor, by the words that they see."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from playwright.sync_api import Locator, Page, expect

__all__ = [
    "add_step",
    "begin_flow",
    "choose_step",
    "drop_file",
    "enter",
    "enter_line",
    "enter_map",
    "flow_text",
    "inspector",
    "node",
    "saved",
    "wire",
]

Action: TypeAlias = Callable[[], object]
DROP = """
([content, name, selector]) => {
  const data = new DataTransfer();
  data.items.add(new File([content], name));
  const target = document.querySelector(selector);
  for (const kind of ["dragover", "drop"])
    target.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""


def begin_flow(tab: Page, name: str) -> None:
    """Begin a flow on the screen of flows."""
    tab.get_by_label("Name of the new flow").fill(name)
    tab.get_by_role("button", name="New flow").click()
    tab.wait_for_url(f"**/flows/{name}**")
    expect(tab.get_by_role("heading", name=name, exact=True)).to_be_visible()


def node(tab: Page, name: str) -> Locator:
    """A step on the canvas."""
    return tab.locator(f".react-flow__node[data-id='{name}']")


def inspector(tab: Page) -> Locator:
    """Where the chosen step is edited."""
    return tab.get_by_role("region", name="What it becomes")


def choose_step(tab: Page, name: str) -> None:
    """Choose a step by its place on the canvas."""
    node(tab, name).click()
    expect(inspector(tab).get_by_label("Name of the step")).to_have_value(name)


def flow_text(tab: Page, name: str) -> str:
    """The file of a flow, as the server has it."""
    found: str = tab.evaluate("name => fetch(`/api/flows/${name}`).then(a => a.json()).then(flow => flow.text)", name)
    return found


def saved(tab: Page, action: Action) -> None:
    """Do something that changes a flow or a wrapper, and wait until the change is saved."""
    with tab.expect_response(lambda answer: answer.url.endswith("/edits")) as waited:
        action()
    assert waited.value.ok, waited.value.text()
    waited.value.finished()


def drop_file(tab: Page, name: str, content: str) -> None:
    """Drop a file onto the canvas."""
    saved(tab, lambda: tab.evaluate(DROP, [content, name, "section[aria-label='The flow']"]))


def add_step(tab: Page, word: str, name: str, after: str | None = None) -> None:
    """Add a step from the palette, behind another or alone, and name it."""
    if after is None:
        tab.locator(".react-flow__pane").click(position={"x": 5, "y": 5})
    else:
        choose_step(tab, after)
    tab.get_by_role("button", name="Add a step").click()
    saved(tab, lambda: inspector(tab).locator(f"button[data-word='{word}']").click())
    named = inspector(tab).get_by_label("Name of the step")
    expect(named).to_be_visible()
    if named.input_value() != name:
        named.fill(name)
        saved(tab, lambda: named.press("Enter"))
    expect(inspector(tab).get_by_label("Name of the step")).to_have_value(name)


def wire(tab: Page, start: str, end: str) -> None:
    """Draw a wire from the rows of a step to the first port of another."""
    source = node(tab, start).locator(".react-flow__handle.source")
    target = node(tab, end).locator(".react-flow__handle.target").first
    source.hover()
    tab.mouse.down()
    box = target.bounding_box()
    assert box
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
    tab.mouse.up()


def enter_line(tab: Page, key: str, label: str, text: str) -> None:
    """Give a key of the chosen step a line of text."""
    panel = inspector(tab)
    if not panel.locator(f"[data-key='{key}']").count():
        panel.get_by_label("Another setting").last.select_option(key)
    line = panel.locator(f"[data-key='{key}']").get_by_label(label, exact=True)
    line.fill(text)
    saved(tab, lambda: line.press("Enter"))


def enter(tab: Page, info: Mapping[str, Any], value: Any) -> None:
    """Give a key of the chosen step its value, in the editor that its form has."""
    panel = inspector(tab)
    label, kind = info["label"], info["form"]["kind"]
    if not panel.locator(f"[data-key='{info['key']}']").count():
        panel.get_by_label("Another setting").last.select_option(info["key"])
    field = panel.locator(f"[data-key='{info['key']}']").first
    if kind == "flag":
        saved(tab, lambda: field.get_by_role("switch").click())
    elif kind in ("choice", "step"):
        saved(tab, lambda: field.get_by_label(label).select_option(value))
    elif kind == "long text":
        field.get_by_label(label).fill(value)
        saved(tab, lambda: field.get_by_label(label).press("Control+Enter"))
    elif kind in ("map", "options"):
        enter_map(tab, field, label, value)
    elif kind == "union columns":
        _enter_union(tab, field, value)
    elif kind == "normal columns":
        _enter_normals(tab, field, info, value)
    else:
        line = field.get_by_label(label, exact=True)
        line.fill(", ".join(map(str, value)) if isinstance(value, list) else str(value))
        saved(tab, lambda: line.press("Enter"))


def enter_map(tab: Page, field: Locator, label: str, value: Mapping[str, Any]) -> None:
    """Enter names with their values, one after the other."""
    for name, text in value.items():
        field.get_by_role("button", name="Add", exact=True).click()
        new = field.get_by_label(f"New name in {label}")
        new.fill(name)
        saved(tab, lambda new=new: new.press("Enter"))  # type: ignore[misc]
        line = field.get_by_label(f"{label} of {name}", exact=True)
        line.fill(str(text))
        saved(tab, lambda line=line: line.press("Enter"))  # type: ignore[misc]


def _enter_union(tab: Page, field: Locator, value: Mapping[str, Mapping[str, str]]) -> None:
    for column, steps in value.items():
        field.get_by_role("button", name="Column", exact=True).click()
        new = field.get_by_label("New column")
        new.fill(column)
        saved(tab, lambda new=new: new.press("Enter"))  # type: ignore[misc]
        for step, name in steps.items():
            cell = field.get_by_label(f"{column} in {step}", exact=True)
            cell.fill(name)
            saved(tab, lambda cell=cell: cell.press("Enter"))  # type: ignore[misc]


def _enter_normals(tab: Page, field: Locator, info: Mapping[str, Any], value: list[dict[str, Any]]) -> None:
    kinds = {kind["word"]: kind for kind in info["form"]["kinds"]}
    for place, item in enumerate(value):
        word = next(word for word in item if word in kinds)
        saved(
            tab,
            lambda word=word: field.get_by_label("Add a column to bring to one form").select_option(word),  # type: ignore[misc]
        )
        part = field.get_by_role("group").nth(place)
        line = part.get_by_label(f"Column for {word}", exact=True)
        if line.input_value() != item[word]:
            line.fill(item[word])
            saved(tab, lambda line=line: line.press("Enter"))  # type: ignore[misc]
        for key in kinds[word]["keys"]:
            if key["key"] in item and key["key"] != word:
                _enter_setting(tab, part, key, item[key["key"]])


def _enter_setting(tab: Page, part: Locator, key: Mapping[str, Any], value: Any) -> None:
    if not part.locator(f"[data-key='{key['key']}']").count():
        part.get_by_label("Another setting").select_option(key["key"])
    editor = part.locator(f"[data-key='{key['key']}']").get_by_label(key["label"], exact=True)
    if key["form"]["kind"] == "choice":
        saved(tab, lambda: editor.select_option(str(value)))
    else:
        editor.fill(str(value))
        saved(tab, lambda: editor.press("Enter"))
