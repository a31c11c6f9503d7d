"""The helpers that an exported script brings along: ordinary Playwright, to be read and changed."""

__all__ = ["HELPERS"]

HELPERS = r'''
ROLES = {"image": ["img"], "textbox": ["textbox", "searchbox", "spinbutton"], "combobox": ["combobox", "listbox"]}
CONTROLS = ["button", "link", "checkbox", "radio", "switch", "combobox", "slider", "tab", "menuitem", "option"]
TYPED = "input:not([type=hidden]), textarea, select, [contenteditable]"


class Stop(Exception):
    """A step said to stop."""


def filled(text, scope):
    """A text with the values of its variables."""
    return re.sub(r"\{([A-Za-z_][A-Za-z0-9_ .-]*)\}", lambda found: scope[found[1]] or "", text)


def exactly(name):
    """A name as a whole; case and blanks do not matter, and a star stands for anything."""
    words = r"\s+".join(".*".join(map(re.escape, word.split("*"))) for word in name.split())
    return re.compile(rf"^\s*{words}\s*$", re.IGNORECASE | re.DOTALL)


def named(kind, name):
    """How to look for something by what it is called."""

    def look(root):
        wanted = exactly(name)
        if kind == "text":
            return root.get_by_text(wanted)
        if kind in ("label", "file"):
            return root.get_by_label(wanted).locator("visible=true").and_(root.locator(TYPED))
        roles = CONTROLS if kind == "anything" else ROLES.get(kind, [kind])
        found = root.get_by_role(roles[0], name=wanted)
        for role in roles[1:]:
            found = found.or_(root.get_by_role(role, name=wanted))
        if kind in ("textbox", "anything"):  # inputs for passwords and dates have no role of their own
            found = found.or_(root.get_by_label(wanted).and_(root.locator(TYPED)))
        return found

    return look


def selected(selector):
    """How to look for something by a selector."""
    return lambda root: root.locator(selector)


def answer(dialog, accept, text):
    """Answer a dialog as the script says."""
    if accept:
        dialog.accept(text or dialog.default_value)
    else:
        dialog.dismiss()


def ready(root):
    """Wait until the page has loaded."""
    page = root if hasattr(root, "goto") else getattr(root, "page", None)
    if page is not None:
        page.wait_for_load_state()


def there(root, *ways):
    """What is there now: in the page or in one of its frames, by the first way that finds anything."""
    ready(root)
    frames = root.frames if hasattr(root, "frames") else [root]
    for way in ways:
        for frame in frames:
            if way(frame).count():
                return way(frame)
    return None


def find(root, *ways, number=None, seconds=30):
    """The same, once it is there; Playwright itself refuses to act on several."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = there(root, *ways)
        if found is not None:
            return found if number is None else found.nth(number - 1)
        time.sleep(0.1)
    raise TimeoutError(f"nothing was found in {seconds} s")


def first_of(root, paths):
    """What the first of some XPaths that finds anything finds."""
    ready(root)
    found = [root.locator(f"xpath={path}") for path in paths]
    return next((one for one in found if one.count()), found[0])


def value_of(root, paths, attribute="", cut="", many=False):
    """The texts that some XPaths find, or an attribute of them."""
    nodes = first_of(root, paths)
    texts = [read(one, attribute) or "" for one in nodes.all()]
    if attribute in ("href", "src", "action", "poster", "data-src"):
        texts = [urljoin(nodes.page.url, text) for text in texts]
    if cut:
        texts = [found[1].strip() for text in texts if (found := re.search(cut, text, re.DOTALL))]
    texts = [text for text in texts if text]
    return texts if many else next(iter(texts), None)


def cell(page, column, row=""):
    """The cell below a heading, in the row that has a text."""
    ready(page)
    for table in page.locator("table").all():
        lines = [[read(one) for one in line.locator("th, td").all()] for line in table.locator("tr").all()]
        for place, headings in enumerate(lines):
            at = next((at for at, heading in enumerate(headings) if exactly(column).match(heading)), None)
            if at is None:
                continue
            if not row and len(headings) == 2 and at == 0:
                return headings[1]  # a table of labels and values
            found = [line for line in lines[place + 1 :] if not row or any(map(exactly(row).match, line))]
            if len(found) > 1:
                raise LookupError(f"{column!r} has {len(found)} rows with {row!r}")
            if found:
                return found[0][at]
    return None


def beside(page, label):
    """The text that follows a label: after its colon, or the next line on the page."""
    ready(page)
    lines = [" ".join(line.split()) for line in page.locator("body").inner_text().replace("\t", "\n").splitlines()]
    lines = [line for line in lines if line]
    wanted = label.rstrip(":").casefold()
    for number, line in enumerate(lines):
        if line.rstrip(": ").casefold() == wanted and number + 1 < len(lines):
            return lines[number + 1]
        if line.casefold().startswith(wanted + ":"):
            return line[len(wanted) + 1 :].strip()
    return None


def read(found, attribute=""):
    """The text of an element, or an attribute of it."""
    if found is None:
        return None
    return found.get_attribute(attribute) if attribute else " ".join(found.inner_text().split())


def drag(page, found, dx, dy):
    """Press in the middle of an element, move, and let go."""
    box = found.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=10)
    page.mouse.up()


def scroll_to_end(page, most=100):
    """Scroll until the page no longer grows."""
    for _ in range(most):
        height = page.evaluate("document.documentElement.scrollHeight")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_load_state("networkidle")
        if page.evaluate("document.documentElement.scrollHeight") <= height:
            return
'''
