"""A secret is put into every place where one may be, everything is made to fail, and then it is looked for everywhere.

What is searched is all that leaves the program: standard output and error of every command, the project folder, files
of results and traces, and the answers and the log of the Studio. The search decodes what it finds in its own way.
"""

import asyncio
import base64
import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes, urlsplit

import httpx2
import pytest
from pyarrow import ipc, parquet

from sightline.page import loads

from ._server import Request, Site, reply, serve_from_thread
from ._wait import BOUND, LONG, wait_until

SECRET = "Kanári~77*vögel+x"
WRITTEN = quote(SECRET, safe="")
EXAMPLES = Path(__file__).parents[1] / "examples"
NOWHERE = "127.0.0.1:1"  # nobody listens there
ADDRESSES = (
    f"postgresql+psycopg://anna:{WRITTEN}@{NOWHERE}/db#prices",
    f"mysql+pymysql://anna:{WRITTEN}@{NOWHERE}/db#prices",
    f"PostgreSQL://anna:{WRITTEN}@{NOWHERE}/db#prices",
    f"postgresql://anna:{WRITTEN}@{NOWHERE}/db#prices",
    f"postgresql://anna:{SECRET}/@{NOWHERE}/db#prices",
    f"postgresql://anna@{NOWHERE}/db?password={WRITTEN}#prices",
    f"sqlalchemy:postgresql+psycopg://anna:{WRITTEN}@{NOWHERE}/db#prices",
    f"sqlalchemy:nosuch://anna:{WRITTEN}@{NOWHERE}/db#prices",
    f"ftp://anna:{WRITTEN}@{NOWHERE}/prices.csv",
    f"https://anna:{WRITTEN}@{NOWHERE}/prices",
    f"{WRITTEN}.unknown",
)
QUICK = (4, 5, 6, 10)  # addresses that are tried with every change; `make test-all` tries the others

TARGETS = """\
flow: 1
secrets:
  target: {environment: TARGET}
steps:
  rows: {read: rows.csv}
  out: {deliver: rows, to: {secret: target}}
"""
SOURCE = """\
flow: 1
secrets:
  database: {environment: TARGET}
steps:
  rows:
    query: select 1
    from: {secret: database}
  out: {deliver: rows, to: out.csv}
"""
HOOK = """\
flow: 1
variables: {hook: ""}
secrets:
  token: {environment: TOKEN}
  told: {environment: TOLD}
steps:
  rows: {read: rows.csv}
  out:
    deliver: rows
    to: "{hook}"
    options: {attempts: 1, headers: {Authorization: {secret: token}}}
  tell:
    notify: rows
    to: [{secret: told}]
    when: [not ok, new rows]
    key: name
"""
INLINE = f"""\
flow: 1
variables: {{password: nothing}}
steps:
  rows: {{read: rows.csv}}
  out: {{deliver: rows, to: "postgresql://anna:{WRITTEN}@{NOWHERE}/db#prices"}}
  other: {{deliver: rows, to: "postgresql://anna:{{password}}@{NOWHERE}/db#prices"}}
"""
SCRIPT = """\
navigation: 1
secrets:
  password: {environment: PASSWORD}
steps:
  - log in: "SITE/private"
    user: anna
    password: {secret: password}
  - open: "SITE/private"
  - extract: lists
    as: private
  - open: "SITE/form"
  - fill: {label: Password}
    with: {secret: password}
  - click: {button: Send}
  - extract: lists
    as: echoed
  - click: {button: Nowhere}
"""


def spellings(content: bytes) -> Iterator[str]:
    """A file or an answer as it is, and as it is when it is decoded again and again."""
    layers = {content}
    for _ in range(3):
        for one in layers:
            yield from (one.decode("utf-8", "replace"), one.decode("latin-1"))
        decoded = {unquote_to_bytes(one) for one in layers} | {
            unquote_to_bytes(one.replace(b"+", b" ")) for one in layers
        }
        decoded |= {unescape(one.decode("latin-1")).encode("utf-8", "replace") for one in layers}
        decoded |= {
            re.sub(rb"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)).encode("utf-8", "replace"), one)
            for one in layers
        }
        layers = decoded


def is_told(content: bytes) -> bool:
    """Whether a secret is in there, in any spelling."""
    return any(word in text for text in spellings(content) for word in (SECRET, SECRET.replace("+", " ")))


def readable(path: Path) -> bytes:
    """What a file says, for those that are compressed."""
    if path.suffix == ".page":
        page = loads(path.read_bytes())
        return "\n".join([page.url, page.title, *page.notes, *page.strings]).encode()
    if path.suffix == ".parquet":
        return str(parquet.read_table(path).to_pylist()).encode()
    if path.suffix == ".arrow":
        return str(ipc.open_file(path).read_all().to_pylist()).encode()
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def test_the_search_finds_what_it_looks_for() -> None:
    """A search that finds nothing proves nothing unless it can find something."""
    for spelling in (SECRET, WRITTEN, quote(WRITTEN), escape(SECRET), json.dumps(SECRET)):
        assert is_told(f"a {spelling} b".encode()), spelling
    assert is_told(SECRET.encode("latin-1")) and is_told(quote(SECRET.encode("latin-1")).encode())
    assert not is_told(b"nothing of it")


@dataclass
class Place:
    """A folder, and what the commands that ran in it said."""

    folder: Path
    said: list[tuple[str, bytes]] = field(default_factory=list)

    def run(self, *words: str, **secrets: str) -> int:
        """Run a command with secrets in its environment, and keep what it says."""
        done = subprocess.run(
            [sys.executable, "-m", "sightline", *words],
            cwd=self.folder,
            env=os.environ | secrets,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LONG,
        )
        self.said += [(f"{words} stdout", done.stdout), (f"{words} stderr", done.stderr)]
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return done.returncode

    def write(self, name: str, text: str) -> str:
        """Write a file of the user's."""
        (self.folder / name).write_text(text)
        return name

    def told(self, *own: str) -> list[str]:
        """What tells the secret, other than files that the user wrote it into."""
        files = [path for path in sorted(self.folder.rglob("*")) if path.is_file() and path.name not in own]
        found = [(str(path), readable(path)) for path in files]
        return [what for what, content in (*self.said, *found) if is_told(content)]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder with a file of rows."""
    here = Place(tmp_path)
    here.write("rows.csv", "name,price\nArden,12\n")
    return here


async def _echo(request: Request, writer: asyncio.StreamWriter) -> None:
    """Repeat all that came with a request, as careless servers do, in an old encoding; fail where rows are posted."""
    kind, _, credentials = request.headers.get("authorization", "").partition(" ")
    given = base64.b64decode(credentials) if kind == "Basic" else credentials.encode()
    if request.path == "/private" and not given:
        writer.write(reply(b"who?", 401, {"WWW-Authenticate": 'Basic realm="x"'}))
        return
    parts = [given, unquote_to_bytes(urlsplit(request.target).query.replace("+", " ")), request.body]
    parts += [request.target.encode(), *(value.encode("latin-1") for value in request.headers.values())]
    items = b"".join(b"<li><a href='?again=%s'>%s</a>" % (quote(part).encode(), part) for part in parts)
    form = b"<form action='/echo'><label>Password <input name=password></label><button>Send</button></form>"
    page = b"<title>%s</title><h1>Echo</h1><ul>%s</ul>%s" % (parts[1], items, form if request.path == "/form" else b"")
    status = 500 if request.path.startswith("/hook") else 200
    writer.write(reply(page, status, {"Content-Type": "text/html; charset=iso-8859-1"}))


@pytest.fixture
def echo() -> Iterator[Site]:
    """A server that repeats what it is told."""
    with serve_from_thread({}, otherwise=_echo, bodies=True) as site:
        yield site


@pytest.mark.parametrize(
    "number", [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in range(len(ADDRESSES))]
)
def test_the_address_of_a_target_or_a_database_is_never_told(place: Place, number: int) -> None:
    """Whatever it is taken for, and whatever is wrong with it."""
    address = ADDRESSES[number]
    flow, source = place.write("prices.flow.yaml", TARGETS), place.write("source.flow.yaml", SOURCE)
    assert place.run("run", flow, TARGET=address) in (1, 2)  # what could not be meant is refused before the run
    assert place.run("run", source, "--json", TARGET=address.rpartition("#")[0] or address) in (1, 2)
    assert place.told() == []
    assert not [path for path in place.folder.rglob("*") if "anna" in path.name]


def test_tokens_of_hooks_and_notifications_are_never_told(place: Place, echo: Site) -> None:
    """The service answers with all that it was sent, and fails."""
    flow = place.write("hook.flow.yaml", HOOK)
    hook = f"hook={echo.url('/hook')}"
    for told in (f"json://anna:{WRITTEN}@{NOWHERE}/{WRITTEN}", f"nosuch://{WRITTEN}", SECRET):
        place.run("run", flow, "--fresh", "--set", hook, TOKEN=f"Bearer {WRITTEN}", TOLD=told)
    for words in (("history", flow), ("history", flow, "last", "--json"), ("plan", flow)):
        place.run(*words, TOKEN=WRITTEN, TOLD=WRITTEN)
    assert place.told() == []


def test_a_password_inside_a_flow_or_a_variable_is_not_copied(place: Place) -> None:
    """It stays where the user wrote it, and is in no state, history or error."""
    flow = place.write("inline.flow.yaml", INLINE)
    assert place.run("run", flow, "--set", f"password={WRITTEN}") in (1, 2)
    for words in (("history", flow), ("history", flow, "last", "--json"), ("plan", flow)):
        place.run(*words)
    assert place.told("inline.flow.yaml") == []


def test_what_is_typed_and_how_one_logs_in_is_never_told(place: Place, echo: Site) -> None:
    """The browser sends it in the encoding of the page, and the page repeats it in texts, addresses and its title."""
    script = place.write("in.nav.yaml", SCRIPT.replace("SITE", echo.url("")))
    status = place.run("play", script, "--trace", "trace", "-o", "out.json", PASSWORD=SECRET)
    assert status in (1, 3)
    assert any(is_told(request.target.encode()) for request in echo.requests)  # it was sent …
    assert place.told() == []  # … and nothing of it was kept


@pytest.mark.slow
def test_a_password_in_a_web_address_is_never_told(place: Place) -> None:
    """Such an address is refused, and so must not be repeated by those who refuse it."""
    wrapper = "t.wrapper.json"
    cameras = str(EXAMPLES / "cameras.html")
    assert place.run("teach", cameras, "name=Arden R5 Mark II", "-o", wrapper, "--static") == 0
    address = f"http://anna:{WRITTEN}@{NOWHERE}/x"
    place.write("list.txt", address + "\n")
    calls = (
        *((name, address) for name in ("show", "tables", "lists", "top", "next", "content", "facts")),
        ("tables", "@list.txt", "--json"),
        ("save", address, "-o", "x.page"),
        ("collect", address, "-o", "collected.csv"),
        ("crawl", address, "-o", "crawled"),
        ("induce", address, address, "-o", "i.wrapper.json"),
        ("teach", address, "a=b", "-o", "u.wrapper.json"),
        *((name, wrapper, address) for name in ("extract", "explain", "check")),
        ("repair", wrapper, address, "-o", "r.wrapper.json"),
        ("record", address, "-o", "recorded.nav.yaml"),
        ("batch", wrapper, address, cameras, "batch"),
        ("batch", wrapper, "list.txt", "batch-of-list"),
        ("batch", "--status", "batch"),
    )
    assert [words for words in calls if place.run(*words, "--static" if words[0] == "show" else "") == 0] == []
    assert place.told("list.txt") == []


@pytest.mark.slow
def test_what_lets_us_into_a_site_is_never_told(place: Place, echo: Site) -> None:
    """Not even by what is printed of a page that repeats it, nor in what is kept of others."""
    keys = (
        "--header",
        f"X-Token: {WRITTEN}",
        "--header",
        f"Authorization: Bearer {WRITTEN}",
        "--cookie",
        f"a={WRITTEN}",
    )
    for name in ("show", "lists", "next", "content"):
        place.run(name, echo.url("/echo"), "--static", *keys)
    place.run("lists", echo.url("/echo"), "--json", *keys)
    assert [one for one in echo.requests if is_told(one.headers.get("x-token", "").encode())]
    rows = b"".join(b"<li><a href='/%d'>Camera %d</a> <span>%d00 EUR</span>" % (one, one, one) for one in range(1, 7))
    with serve_from_thread({}, otherwise=reply(b"<title>Cameras</title><ul>%s</ul>" % rows)) as shop:
        for words in (
            ("save", shop.url("/"), "-o", "x.page"),
            ("collect", shop.url("/"), "--pages", "1", "--static", "-o", "collected.csv"),
            ("crawl", shop.url("/"), "--pages", "2", "--render", "never", "-o", "crawled"),
            ("batch", "lists", shop.url("/"), "batch"),
        ):
            assert (place.run(*words, *keys) in (0, 3)) is (words[0] != "batch"), place.said[-1]
        assert [one for one in shop.requests if is_told(one.headers.get("x-token", "").encode())]
    assert place.told() == []


def test_what_is_wrong_with_a_key_to_a_site_is_told_without_the_key(place: Place) -> None:
    """One sentence each, and the end."""
    state = place.write("in.json", json.dumps({"format": "sightline-session", "cookies": [{"value": SECRET}]}))
    address = f"http://{NOWHERE}/x"
    for words in (
        ("--header", SECRET),
        ("--header", f"X-Token: {SECRET}"),  # which is not ASCII
        ("--cookie", SECRET),
        ("--cookie", f"a={WRITTEN}; b={WRITTEN}"),
        ("--proxy", WRITTEN),
        ("--proxy", f"ftp://anna:{WRITTEN}@{NOWHERE}"),
        ("--proxy", f"http://anna:{WRITTEN}@{NOWHERE}", "--public-only"),
        ("--state", state),
    ):
        assert place.run("lists", address, *words) == 2, words
        assert place.said[-1][1].count(b"\n") == 1, place.said[-1]
    assert place.run("lists", "http://127.0.0.1:3/x", "--static", "--proxy", f"http://anna:{WRITTEN}@127.0.0.1:3") == 1
    assert place.told("in.json") == []


@contextmanager
def _studio(place: Place, **secrets: str) -> Iterator[httpx2.Client]:
    command = [sys.executable, "-m", "sightline", "studio", "--no-open", "--port", "0", "--project", "."]
    with (
        (place.folder / "studio.log").open("wb") as log,
        subprocess.Popen(
            command, cwd=place.folder, env=os.environ | secrets, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", process.stdout.readline())
            assert found
            headers = {"Authorization": f"Bearer {found[2]}"}
            with httpx2.Client(base_url=found[1], headers=headers, timeout=BOUND) as client:
                yield client
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(BOUND)


def test_the_studio_never_tells(place: Place, echo: Site) -> None:
    """Its answers, its events, its log, and what it keeps in the project folder."""
    for name, text in (("prices", TARGETS), ("source", SOURCE), ("hook", HOOK), ("inline", INLINE)):
        place.write(f"{name}.flow.yaml", text)
    secrets = {"TARGET": ADDRESSES[0], "TOKEN": f"Bearer {WRITTEN}", "TOLD": f"json://anna:{WRITTEN}@{NOWHERE}/x"}
    variables = {"hook": {"hook": echo.url("/hook")}, "inline": {"password": WRITTEN}}
    with _studio(place, **secrets) as studio:

        def ask(method: str, path: str, **what: object) -> httpx2.Response:
            answer = studio.request(method, f"/api{path}", **what)  # type: ignore[arg-type]
            place.said.append((f"{method} {path}", answer.content))
            return answer

        assert ask("POST", "/pages", json={"source": f"http://anna:{WRITTEN}@{NOWHERE}/x"}).status_code == 422
        jobs = []
        for name in ("prices", "source", "hook", "inline"):
            ask("POST", f"/flows/{name}/plan", json={})
            begun = ask("POST", f"/flows/{name}/runs", json={"variables": variables.get(name, {})})
            assert begun.status_code == 202, begun.text
            jobs.append(begun.json()["id"])
        for job in jobs:
            wait_until(lambda job=job: studio.get(f"/api/jobs/{job}").json()["state"] in ("done", "failed"))
            ask("GET", f"/jobs/{job}")
            ask("GET", f"/jobs/{job}/events")
        for name in ("prices", "source", "hook", "inline"):
            for run in ask("GET", f"/flows/{name}/runs").json():
                ask("GET", f"/flows/{name}/runs/{run['id']}")
        for path in ("/home", "/jobs", "/flows", "/about"):
            ask("GET", path)
    assert place.told("inline.flow.yaml") == []
