"""Uploads: files of every kind, hostile names, files that cannot be read, and walls that are kept."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sightline.page import dumps
from sightline.testing import list_page

from .._server import reply, serve_from_thread
from ._running import Running, running

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that may visit this machine."""
    with running(tmp_path_factory.mktemp("project"), allow_private=True) as found:
        yield found


def _uploaded(studio: Running, *files: tuple[str, bytes]) -> dict[str, Any]:
    answer = studio.client.post("/api/uploads", files=[("files", file) for file in files])
    assert answer.status_code == 202, answer.text
    job = studio.finished(answer.json())
    assert not list((studio.studio.folder / ".uploads").iterdir())
    return job


@pytest.mark.slow
def test_files_of_every_kind_are_opened_and_bad_ones_stop_no_other(studio: Running) -> None:
    """HTML, PDF and saved pages; what cannot be read is named with a sentence."""
    job = _uploaded(
        studio,
        ("cameras.html", (EXAMPLES / "cameras.html").read_bytes()),
        ("offer.pdf", (EXAMPLES / "instruments.pdf").read_bytes()),
        ("stars.page", dumps(list_page(["Sirius", "Vega"]))),
        ("packed.html.gz", gzip.compress(b"<title>Packed</title><p>x")),
        ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(100)),
        ("empty.html", b""),
    )
    assert job["state"] == "done", job
    kinds = {page["source"]: page["kind"] for page in job["result"]["pages"]}
    assert kinds == {
        "cameras.html": "rendered",
        "offer.pdf": "pdf",
        "stars.page": "rendered",
        "packed.html.gz": "rendered",
    }
    assert {one["file"] for one in job["result"]["problems"]} == {"photo.png", "empty.html"}
    assert all(one["detail"].endswith(".") for one in job["result"]["problems"])
    pdf = next(page for page in job["result"]["pages"] if page["kind"] == "pdf")
    assert [sheet["number"] for sheet in pdf["sheets"]] == [1, 2]
    assert len(pdf["pictures"]) == 2
    assert studio.client.get(f"/api/pages/{pdf['id']}/pictures/1").content.startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../../etc/cron.d/x.html", "x.html"),
        ("C:\\Windows\\x.html", "x.html"),
        ("<img src=x onerror=alert(1)>.html", "<img src=x onerror=alert(1)>.html"),
        ("a" * 1_000 + ".html", "a" * 200),
        ("\u202egnp.html", "gnp.html"),
    ],
)
def test_the_name_of_a_file_is_only_shown(studio: Running, name: str, shown: str) -> None:
    """It is never a path, whatever is in it; the front end shows it as text."""
    job = _uploaded(studio, (name, b"<p>A page that is named " + name.encode()))
    (page,) = job["result"]["pages"]
    assert page["source"] == shown


def test_scripts_and_links_of_a_page_stay_texts(studio: Running) -> None:
    """Titles, links and cells of a hostile page are data; exports do not run in a spreadsheet."""
    hostile = (
        b"<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><table><tr><th>Name<th>Link"
        b"<tr><td>=cmd|' /C calc'!A0<td><a href='javascript:alert(1)'>x</a><tr><td>b<td>c</table>"
    )
    (page,) = _uploaded(studio, ("hostile.html", hostile))["result"]["pages"]
    assert page["title"] == "<script>alert(1)</script>"
    export = studio.client.get(f"/api/pages/{page['id']}/results/tables-1/export?format=csv")
    assert "'=cmd" in export.text
    assert export.headers["x-content-type-options"] == "nosniff"
    assert "attachment" in export.headers["content-disposition"]


def test_no_file_that_can_be_read_is_a_problem(studio: Running) -> None:
    """The job fails with the sentence of the first one."""
    job = _uploaded(studio, ("a.bin", bytes(100)))
    assert (job["state"], job["problem"]["code"]) == ("failed", "unreadable")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--x",
        b"--x--\r\n",
        b"--y\r\n\r\n",
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.html"\r\n\r\n<p>cut',
        b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nno file\r\n--x--\r\n',
        b"--x\r\n" + b"A" * 20_000,
    ],
)
def test_a_damaged_form_is_refused(studio: Running, body: bytes) -> None:
    """Nothing of it is kept."""
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = studio.client.post("/api/uploads", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")
    assert not list((studio.studio.folder / ".uploads").iterdir())


@pytest.mark.slow
def test_a_wall_is_a_problem_and_its_page_is_kept(studio: Running) -> None:
    """People can look at what the site showed instead of its content."""
    wall = reply(b"<title>Just a moment...</title><h1>Checking your browser</h1>", 403, {"Content-Type": "text/html"})
    with serve_from_thread({"/": wall, "/gone": reply(b"<p>Gone", 404, {"Content-Type": "text/html"})}) as inside:
        for static in (True, False):
            job = studio.finished(studio.post("/pages", {"source": inside.url("/"), "static": static}, 202))
            assert (job["state"], job["problem"]["code"]) == ("failed", "wall")
            page = studio.get(f"/pages/{job['problem']['page']}")
            assert page["title"] == "Just a moment..."
            assert "captcha" in page["wall"]
        job = studio.finished(studio.post("/pages", {"source": inside.url("/gone"), "static": True}, 202))
        assert (job["problem"]["code"], job["problem"]["reason"]) == ("unreadable", "unreachable")


LIST = "".join(
    f"<div class=c><h3><a href='/p/{{0}}-{n}'>Camera {{0}}-{n}</a></h3><b>${n}9.50</b></div>" for n in range(6)
)
OTHER = "<ul>" + "".join(f"<li><i>Shop {n}</i> in <u>Town {n}</u>, {n}0 km</li>" for n in range(5)) + "</ul>"


@pytest.mark.slow
def test_a_list_is_collected_over_its_pages(studio: Running) -> None:
    """The list that was chosen, not the most important one; the run has its rows."""

    def page(number: int) -> bytes:
        onward = f"<a href='/list?page={number + 1}'>Next</a>" if number < 3 else ""
        html = f"<title>Shop</title><h1>Cameras</h1>{LIST.format(number)}{onward}<h2>Shops</h2>{OTHER}"
        return reply(html.encode(), headers={"Content-Type": "text/html"})

    routes = {"/list": page(1), "/list?page=2": page(2), "/list?page=3": page(3)}
    with serve_from_thread(routes) as inside:
        job = studio.finished(studio.post("/pages", {"source": inside.url("/list"), "static": True}, 202))
        page_id = job["result"]["pages"][0]["id"]
        results = studio.get(f"/pages/{page_id}/results")["results"]
        key = next(one["key"] for one in results if one["kind"] == "list" and one["rows"] == 6)
        job = studio.finished(studio.post(f"/pages/{page_id}/results/{key}/collect", {"pages": 5}, 202))
    assert job["state"] == "done", job
    columns = studio.studio.store.rows(job["result"]["run"])
    assert columns is not None
    titles = next(column for column in columns if column.name == "title")
    assert len(titles.cells) == 18
    assert studio.studio.store.runs()[-1].sources == 3
