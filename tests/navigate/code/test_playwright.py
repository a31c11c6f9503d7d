"""A navigation script exported for Playwright does the same there, without Sightline."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.navigate import playwright_code
from sightline.sources import find_browser

from ..._wait import LONG
from .._site import served
from ..play._sites import pages_of
from ..play.test_published_example import SCRIPT, the_shop


def run(code: str, folder: Path, **environment: str) -> dict[str, Any]:
    """What an exported script extracts."""
    (folder / "exported.py").write_text(code)
    command = [sys.executable, "exported.py", "out.json"]
    browser = {"BROWSER_PATH": str(find_browser())}
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **browser, **environment}, capture_output=True, text=True, timeout=LONG
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads((folder / "out.json").read_text())
    return found


def exported(steps: str, **more: str) -> str:
    """The code of a script with some steps."""
    head = "".join(f"{key}: {value}\n" for key, value in more.items())
    return playwright_code(sl.Script.loads(f"navigation: 1\n{head}steps:\n{steps}", "x.nav.yaml"))


@pytest.mark.slow
def test_the_published_example_gives_the_same_records(tmp_path: Path) -> None:
    """Every camera with its price, whether it was on the overview or in the cart."""
    shop = the_shop()
    with shop.open_shop() as address:
        code = playwright_code(sl.Script.load(SCRIPT)).replace("http://127.0.0.1:8010", address)
        found = run(code, tmp_path)
    assert [(one["name"], one["price"]) for one in found["cameras"]] == [
        (one.name, f"€{one.price:,.2f}") for one in shop.CAMERAS
    ]
    assert "sightline" not in code.lower().replace("from cameras.nav.yaml", "")


@pytest.mark.slow
def test_forms_frames_dialogs_tabs_and_secrets_are_exported(tmp_path: Path) -> None:
    """The site gets what the script says, and the secret is not in the code."""
    form = (
        "<button onclick=\"document.title = prompt('Name?')\">Ask</button><a href=/other target=_blank>New</a>"
        "<form action=/done><label>Name <input name=name></label><label>Password <input type=password name=p></label>"
        "<label>Size <select name=size><option>S<option>M</select></label>"
        "<label><input type=checkbox name=new> New one</label><label>Born <input type=date name=born></label>"
        "<button>Send</button></form><iframe src=/inner></iframe>"
    )
    inner = "<button onclick=\"parent.document.querySelector('h1').textContent='framed'\">Frame it</button>"
    with served(pages_of(home=form, done="<p>Thank you", other="<p>Other", inner=inner)) as site:
        code = exported(
            f"  - open: {site.url}/\n  - dialog: accept\n    text: Anna\n  - click: {{button: Ask}}\n"
            "  - fill: {textbox: name}\n    with: '{who} B.'\n  - fill: {label: Password}\n    with: {secret: p}\n"
            "  - select: {combobox: Size}\n    option: M\n  - check: {checkbox: New one}\n"
            "  - fill: {textbox: Born}\n    with: '2001-02-03'\n"
            "  - click: {button: Frame it}\n  - click: {link: New}\n  - tab: newest\n  - tab: first\n"
            "  - repeat until: framed\n    steps:\n      - press: Escape\n"
            "  - if missing: {button: Nothing}\n    then:\n      - click: {button: Send}\n"
            "  - wait for: {text: Thank you}\n  - stop: done\n",
            variables="{who: Anna}",
            secrets="{p: {environment: SHOP_PASSWORD}}",
        )
        run(code, tmp_path, SHOP_PASSWORD="geheim")
        assert "/done?name=Anna+B.&p=geheim&size=M&new=on&born=2001-02-03" in site.asked
        assert "/other" in site.asked
    assert "geheim" not in code


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("  - next pages:\n    steps: [back]\n", "line 3: `next pages` has no counterpart in Playwright"),
        ("  - extract: lists\n", "line 3: `extract` has no counterpart in Playwright"),
    ],
)
def test_what_has_no_counterpart_is_named(steps: str, said: str) -> None:
    """Nothing is left out silently."""
    with pytest.raises(UsageError) as problem:
        exported(steps)
    assert said in str(problem.value)
