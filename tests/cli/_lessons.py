"""Pages to teach on: the cameras of the examples, the same after a redesign, and pages that are no use."""

from pathlib import Path

from ._command import Outcome
from ._inside import sightline

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
CAMERAS = EXAMPLES / "cameras"
LISTING = EXAMPLES / "cameras.html"
FIRST = CAMERAS / "arden-r5-mark-ii.html"
SECOND = CAMERAS / "arden-r50.html"
THIRD = CAMERAS / "kestrel-z8.html"
OF_FIRST = ("name=Arden R5 Mark II", "price=$4,299.00", "weight=738 g")


def taught(folder: Path, *words: str | Path, name: str = "x.wrapper.json") -> str:
    """Teach a wrapper without a browser, and give the name of its file."""
    done = sightline("teach", *words, "--static", "-o", name, folder=folder)
    assert done.status == 0, done.errors
    return name


def refused(folder: Path, *words: str | Path) -> Outcome:
    """Teach what cannot be learned: one line of complaint, and no file."""
    done = sightline("teach", *words, "--static", "-o", "x.wrapper.json", folder=folder)
    assert done.status in (1, 2), done.output
    assert done.output == ""
    assert done.errors.count("\n") == 1
    assert not (folder / "x.wrapper.json").exists()
    return done


def rebuilt(page: Path) -> str:
    """A page of a camera after a redesign: other tags and classes, other places, the same words."""
    text = page.read_text("utf-8")
    for old, new in (
        ('<p class="price">', '<div class="c-offer">'),
        ('<span class="now">', '<b class="c-amount">'),
        ("<h1>", '<div class="c-title" role="heading">'),
        ("</h1>", "</div>"),
        ("<tr><th>", '<dl class="c-fact"><dt>'),
        ("</th><td>", "</dt><dd>"),
        ("</td></tr>", "</dd></dl>"),
        ("<table>", "<div>"),
        ("</table>", "</div>"),
        ("<tbody>", ""),
        ("</tbody>", ""),
    ):
        text = text.replace(old, new)
    return text
