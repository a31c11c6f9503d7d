"""What a newcomer has after `pip install` without extras: every command starts, and the Studio opens.

The wheel is built and installed into an environment of its own, once with the kernels and once as a machine without a C
compiler builds it.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from sightline.cli._app import COMMANDS
from sightline.extras import EVERYTHING, EXTRAS

from ._server import Site, reply, serve_from_thread
from ._wait import BOUND, LONG, wait_until

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"

FLOW = """\
flow: 1
steps:
  rows:
    read: rows.csv
  summary:
    sql: select count(*) as n from rows
  out:
    deliver: summary
    to: out.csv
"""
ASKS_EVERY_COMMAND = """
from sightline.cli._app import COMMANDS, program
for name in COMMANDS:
    program([name])([name, "--help"], prog_name="sightline", standalone_mode=False)
"""
SCRIPT = """\
navigation: 1
steps:
  - open: "{address}"
  - extract: lists
"""


@dataclass(frozen=True)
class Plain:
    """An environment with the wheel and its dependencies alone."""

    folder: Path
    work: Path

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """The installed command, where nothing of the checkout or of the user is seen."""
        return subprocess.run(
            [self.folder / "bin/sightline", *words],
            cwd=self.work,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONG,
        )

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a person whose home is empty."""
        known = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SIGHTLINE"))}
        known = {name: value for name, value in known.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return known | {"HOME": str(self.work / "home"), "VIRTUAL_ENV": str(self.folder)}


def _wheel(folder: Path, **environment: str) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=LONG, env={**os.environ, **environment})
    [wheel] = folder.glob("*.whl")
    return wheel


def _install(environment: Path, *words: str) -> None:
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin/python"), "install", "--quiet"]
    done = subprocess.run([*pip, "--no-compile", *words], capture_output=True, text=True, check=False, timeout=LONG)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("plain")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True, timeout=LONG)
    _install(folder / "venv", str(_wheel(folder / "dist")))
    return folder / "venv"


@pytest.fixture(scope="module", params=["with kernels", "without a compiler"])
def plain(request: pytest.FixtureRequest, environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Plain:
    """The installed package, as it is after a build with a C compiler and after one without."""
    if request.param == "without a compiler":
        wheel = _wheel(tmp_path_factory.mktemp("dist"), CC=shutil.which("false") or "false")
        _install(environment, "--force-reinstall", "--no-deps", str(wheel))
    work = tmp_path_factory.mktemp("work")
    (work / "home").mkdir()
    (work / "rows.csv").write_text("name,price\nArden,12\n")
    (work / "x.flow.yaml").write_text(FLOW)
    (work / "phrases.txt").write_text("megapixels\nburst rate\nweight\nbattery\n")
    return Plain(environment, work)


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    """A page with a list, on a real server."""
    page = (EXAMPLES / "cameras.html").read_bytes()
    with serve_from_thread({"/": reply(page, headers={"Content-Type": "text/html; charset=utf-8"})}) as site:
        yield site


def _calls(shop: Site) -> tuple[dict[str, tuple[str, ...]], ...]:
    """One real call of every command, in two rows, in each of which every call finds what it needs."""
    cameras, saved = str(EXAMPLES / "cameras.html"), [str(path) for path in sorted(EXAMPLES.glob("cameras/[al]*.html"))]
    tables = (str(EXAMPLES / "matching/shop.csv"), str(EXAMPLES / "matching/catalogue.csv"))
    reading = {
        "save": (cameras, "-o", "x.page", "--static"),
        "show": ("x.page",),
        "tables": (str(EXAMPLES / "observatory.html"), "--static"),
        "lists": (cameras, "--static"),
        "top": (str(EXAMPLES / "telescopes.html"), "--static"),
        "next": (cameras, "--static"),
        "behind": (shop.url(),),
        "collect": (shop.url(), "--static", "-o", "collected.csv"),
        "facts": (str(EXAMPLES / "spec-sites"), "--static"),
        "discover": ("--phrases", "phrases.txt", "--search", f"index:{EXAMPLES / 'spec-sites'}", "-o", "found.json"),
        "play": ("x.nav.yaml",),
        "record": (shop.url(), "-o", "recorded.nav.yaml"),
        "crawl": (shop.url(), "-o", "crawled", "--static", "--pages", "1"),
    }
    learning = {
        "about": (str(EXAMPLES / "comet.html"), "--static"),
        "content": (str(EXAMPLES / "comet.html"), "--static"),
        "induce": (*saved, "-o", "i.wrapper.json", "--static"),
        "teach": (cameras, "name=Arden R5 Mark II", "-o", "t.wrapper.json", "--static"),
        "extract": ("t.wrapper.json", cameras),
        "explain": ("t.wrapper.json", cameras),
        "edit": ("t.wrapper.json",),
        "repair": ("t.wrapper.json", str(EXAMPLES / "redesigned/cameras.html"), "-o", "r.wrapper.json"),
        "check": ("t.wrapper.json", cameras),
        "code": ("t.wrapper.json", "--for", "scrapy"),
        "match": (*tables, "-o", "pairs.csv"),
        "review": (*tables, "--decisions", "decisions.jsonl"),
        "deduplicate": (tables[0],),
        "batch": ("t.wrapper.json", cameras, "batch"),
        "run": ("x.flow.yaml",),
        "plan": ("x.flow.yaml",),
        "test": ("x.flow.yaml",),
        "schedule": ("x.flow.yaml", "--at", "every hour", "--list"),
        "history": ("x.flow.yaml",),
        "mcp": (),
        "doctor": (),
    }
    return reading, learning


# Calls that cannot end well here, and what their one sentence has to name.
ENDS_IN_A_SENTENCE = {
    "record": "window",
    "batch": "sightline-data[flow]",
    "run": "sightline-data[flow]",
    "plan": "sightline-data[flow]",
    "test": "sightline-data[flow]",
    "schedule": "sightline-data[flow]",
    "history": "sightline-data[flow]",
    "mcp": "sightline-data[mcp]",
}
SUSPICIOUS = 3


def test_every_command_says_what_it_does(plain: Plain) -> None:
    """`--help` needs no extra, whatever the command itself needs; one process asks for all, to save their starts."""
    command = [plain.folder / "bin/python", "-I", "-c", ASKS_EVERY_COMMAND]
    done = subprocess.run(command, env=plain.environment, capture_output=True, text=True, check=False, timeout=LONG)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[-2000:]
    assert [name for name in COMMANDS if f"Usage: sightline {name}" not in done.stdout] == []


@pytest.mark.parametrize(
    "plain", ["with kernels", pytest.param("without a compiler", marks=pytest.mark.slow)], indirect=True
)
def test_every_command_works_or_says_in_a_sentence_what_it_lacks(plain: Plain, shop: Site) -> None:
    """No command ends in a traceback; those that need an extra name the command that installs it."""
    (plain.work / "x.nav.yaml").write_text(SCRIPT.format(address=shop.url()))
    rows = _calls(shop)
    assert {*rows[0], *rows[1], "studio"} == set(COMMANDS)
    with ThreadPoolExecutor(len(rows)) as at_once:
        for row in at_once.map(lambda calls: [(name, plain.run(name, *words)) for name, words in calls.items()], rows):
            for name, done in row:
                _check(name, done)


def _check(name: str, done: "subprocess.CompletedProcess[str]") -> None:
    told = f"{name} → {done.returncode}: {done.stderr[-2000:]}"
    assert "Traceback" not in done.stderr, told
    if name in ENDS_IN_A_SENTENCE:
        assert done.returncode in (1, 2), told
        assert ENDS_IN_A_SENTENCE[name] in done.stderr, told
        assert len(done.stderr.strip().splitlines()) == 1, told
    else:
        assert done.returncode in (0, SUSPICIOUS), told


def test_the_studio_opens_without_extras(plain: Plain) -> None:
    """Its first page comes, a page is opened by a job, and it says which parts are off and what turns them on."""
    command = [plain.folder / "bin/sightline", "studio", "--no-open", "--port", "0", "--project", "project"]
    with subprocess.Popen(
        [*command, EXAMPLES / "cameras.html"],
        cwd=plain.work,
        env=plain.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as studio:
        try:
            assert studio.stdout is not None and studio.stderr is not None
            line = studio.stdout.readline()
            found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", line)
            assert found, studio.stderr.read()
            headers = {"Authorization": f"Bearer {found[2]}"}
            with httpx2.Client(base_url=found[1], headers=headers, timeout=BOUND) as client:
                _use(client)
        finally:
            studio.kill()


def _use(client: httpx2.Client) -> None:
    assert "<title>Sightline" in client.get("/").text
    wait_until(lambda: [job["state"] for job in client.get("/api/jobs").json()["jobs"]] == ["done"])
    [page] = client.get("/api/pages").json()["pages"]
    assert page["title"]
    parts = {part["name"]: part for part in client.get("/api/about").json()["parts"]}
    assert not parts["flow"]["installed"]
    assert parts["flow"]["command"] == "pip install 'sightline-data[flow]'"
    assert client.get("/api/home").json()["runs_flows"] is False
    refused = client.get("/api/reviews").json()
    assert (refused["reason"], refused["extra"]) == ("extra", "flow")


def test_the_table_of_extras_is_that_of_the_package() -> None:
    """`sightline doctor` and the README's `[all]` know every extra, and nothing else."""
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(optional) - {"dev", EVERYTHING} == set(EXTRAS)
    named = {name for line in optional[EVERYTHING] for name in re.findall(r"[\w-]+", line.partition("[")[2])}
    assert named == set(EXTRAS)
