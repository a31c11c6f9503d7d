"""Secrets that scripts type while everything is traced, on sites that repeat them wherever they can."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

from bench.frame import Figure
from bench.site import made
from sightline.page import loads

SECRET = 'kR7"Zebra&42/ö'  # with what is written in another way in HTML, JSON and addresses
VARIABLE = "BENCH_SECRET"
PAGE = "<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><h1>Shop</h1>{content}"
INPUT = "<label>Password <input type={kind} name=p></label><button>Send</button>"
FILL = "  - fill: {label: Password}\n    with: {secret: password}\n"
SEND = f"{FILL}  - click: {{button: Send}}\n"
AREA = "<form action=/in><label>Password <textarea name=p></textarea></label><button>Send</button></form>"
LIST = "<ul><li>{0}</li><li>one {0}</li><li>two</li><li>three</li></ul>"


@dataclass(frozen=True)
class Case:
    """A script and how its site answers: what the first page has, and what it says once it was told the secret."""

    name: str
    steps: str
    form: str = f"<form action=/in>{INPUT.format(kind='password')}</form>"
    after: Callable[[str], str] = lambda secret: f"<p>You typed {escape(secret)}</p>"
    title: bool = False


CASES = (
    Case("a password in an address", SEND),
    Case("a password in a posted form", SEND, f"<form action=/in method=post>{INPUT.format(kind='password')}</form>"),
    Case("a code in a plain input", SEND, f"<form action=/in>{INPUT.format(kind='text')}</form>"),
    Case("a secret in a text area", SEND, AREA),
    Case("records that repeat it", f"{SEND}  - extract: lists\n", after=lambda secret: LIST.format(escape(secret))),
    Case("a title that repeats it", f"{SEND}  - extract: content\n", title=True),
    Case(
        "an error that names it",
        f"{SEND}  - set: {{said: {{read: {{css: p}}}}}}\n  - click: {{button: '{{said}}'}}\n",
    ),
    Case(
        "a script of the page that repeats it",
        SEND,
        after=lambda secret: f"<script>document.write('<p>' + {json.dumps(secret)} + '</p>')</script><p>done</p>",
    ),
    Case(
        "a link that repeats it",
        f"{SEND}  - set: {{link: {{read: {{link: Again}}, attribute: href}}}}\n  - follow: {{link: Again}}\n"
        "    steps:\n      - extract: content\n",
        after=lambda secret: f"<p><a href='/in?p={quote(secret)}'>Again</a></p><p>{escape(secret)}</p>",
    ),
    Case("typed, and never sent", f"{FILL}  - click: {{button: Nowhere}}\n"),
)


@dataclass(frozen=True)
class SecretRun:
    """What came of one script: whether the site got the secret, and where else it was found."""

    name: str
    arrived: bool
    found: tuple[str, ...]


def type_secrets() -> list[SecretRun]:
    """Play every script with a trace, a file and JSON, and look for the secret in all of it."""
    return [_played(case) for case in CASES]


def secret_figures(runs: list[SecretRun]) -> tuple[Figure, ...]:
    """How often the secret was found, and how many sites got it."""
    found = float(sum(len(run.found) for run in runs))
    typed = float(sum(run.arrived for run in runs))
    return (
        Figure.of("secrets: occurrences in any file, output or log", found, 0, "lower", "number"),
        Figure.of("secrets: sites that got theirs", typed, len(CASES) - 1, "higher", "number"),
    )


def _played(case: Case) -> SecretRun:
    told: list[str] = []
    with made(partial(_answer, case, told)) as address, tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        head = f"navigation: 1\nsecrets: {{password: {{environment: {VARIABLE}}}}}\n"
        (folder / "x.nav.yaml").write_text(f"{head}steps:\n  - open: {address}\n{case.steps}")
        play = [sys.executable, "-m", "sightline", "play", "x.nav.yaml", "--trace", "trace", "-o", "x.json", "--json"]
        environment = {**os.environ, VARIABLE: SECRET}
        command = [*play, "--delay", "0"]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        texts = {path.name: _content(path) for path in folder.rglob("*") if path.is_file()}
        texts |= {"output": done.stdout, "errors": done.stderr}
        found = tuple(name for name, content in texts.items() if any(way in content for way in _ways()))
        return SecretRun(case.name, any(SECRET in one for one in told), found)


def _answer(case: Case, told: list[str], path: str, sent: str) -> tuple[int, str]:
    """What the site of a script says, which notes what it was told."""
    secret = parse_qs(sent or urlsplit(path).query).get("p", [""])[0]
    told.append(secret)
    inside = path.startswith("/in")
    title = escape(secret) if inside and case.title else "Shop"
    page = PAGE.format(title=title, content=case.after(secret) if inside else case.form)
    return (404 if path == "/robots.txt" else 200), page


def _content(path: Path) -> bytes:
    """The bytes of a file; of a page, which is compressed, everything that it says."""
    content = path.read_bytes()
    if path.suffix != ".page":
        return content
    page = loads(content)
    return "\n".join((*page.strings, page.url, page.title, *page.notes)).encode()


def _ways() -> list[bytes]:
    texts = {
        SECRET,
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        escape(SECRET),
        escape(SECRET, quote=False),
    }
    texts |= {json.dumps(SECRET)[1:-1], json.dumps(SECRET, ensure_ascii=False)[1:-1]}
    return [text.encode() for text in texts]
