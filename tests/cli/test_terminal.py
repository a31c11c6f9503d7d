"""Nothing that a page or a name contains can control the terminal."""

import json
import re
from pathlib import Path

import pytest

from sightline.cli._console import harmless

from ._inside import sightline
from ._shop import HEAD, build, learn

# Sets the title of the window, changes the colour, moves the cursor, in two encodings; and turns the line around.
EVIL = "\x1b]0;owned\x07\x1b[31m\x9b2J\x9d\x7f\u202e\u2066"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
NAME = f"evil{EVIL.replace('/', '')}\r\n.html"


def _page() -> str:
    rows = "".join(f"<tr><td>a{EVIL}{n}</td><td>{n}{EVIL}</td></tr>" for n in range(4))
    items = "".join(f"<h2>{n}. Thing{EVIL}</h2><p>Some words{EVIL} about it, and some more.</p>" for n in range(1, 6))
    return (
        f"{HEAD}<title>5 Things{EVIL}</title><h1>5 Things{EVIL}</h1>"
        f"<table><caption>c{EVIL}</caption><tr><th>x{EVIL}</th><th>y</th></tr>{rows}</table>{items}"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop with a wrapper, and a hostile page under a hostile name."""
    folder = build(tmp_path_factory.mktemp("terminal"))
    learn(folder, "p")
    (folder / NAME).write_text(_page())
    evil = (folder / "p4.html").read_text().replace("Camera 4", f"Camera{EVIL} 4")
    (folder / f"p4-{NAME}").write_text(evil)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["show", "--static", NAME],
        ["show", NAME],
        ["tables", NAME],
        ["tables", "--trace", NAME],
        ["lists", NAME],
        ["top", NAME],
        ["content", "--static", NAME],
        ["content", "--static", "--markdown", NAME],
        ["save", "--static", NAME, "-o", "saved.page"],
        ["tables", f"missing{NAME}"],
        ["tables", f"https://{NAME}/"],
        ["extract", "p.wrapper.json", f"p4-{NAME}"],
        ["extract", "p.wrapper.json", NAME],
        ["extract", f"missing{NAME}.json", "p4.html"],
        ["explain", "p.wrapper.json", f"p4-{NAME}"],
        ["check", "p.wrapper.json", "p1.html", "p2.html", "p3.html", f"p4-{NAME}"],
        ["tables", f"--{EVIL}", "p4.html"],
        ["tables", "--first", EVIL, "p4.html"],
        ["edit", "p.wrapper.json", "--rename", f"{EVIL}=x"],
        [EVIL],
    ],
)
def test_commands_print_nothing_that_a_terminal_obeys(folder: Path, words: list[str]) -> None:
    """Results, remarks, errors and complaints about the command line show such characters as replaced."""
    done = sightline(*words, folder=folder)
    assert done.output + done.errors
    assert CONTROLS.findall(done.output + done.errors) == []


def test_json_escapes_what_a_terminal_obeys_and_loses_nothing(folder: Path) -> None:
    """Control characters beyond ASCII are written like the others, so that the text comes back whole."""
    done = sightline("show", "--static", "--json", NAME, folder=folder)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.output)
    assert json.loads(done.output)["results"][0]["page"]["title"].endswith(EVIL)


def test_harmless_keeps_every_other_character() -> None:
    """Letters of all writings, line breaks, signs and emoji stay as they are; half of a character does not."""
    text = "Grüße, 日本語 \u200f\u05d0 – 😀\nnext"
    assert harmless(text) == text
    assert harmless("file\udce9.html") == "file\ufffd.html"
