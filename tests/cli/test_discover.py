"""`sightline discover`: the sites of a domain, for people, for programs and for the next step."""

import json
from pathlib import Path

import pytest

from sightline.crawler.discover import Discovery

from ..crawler._site import serving
from ..crawler.discover._web import PHRASES, page, saved
from ._inside import sightline


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with saved pages in `web` and a file of phrases."""
    (tmp_path / "web").mkdir()
    saved(tmp_path / "web")
    (tmp_path / "cameras.txt").write_text("# what cameras are described by\n" + "\n".join(PHRASES) + "\n")
    return tmp_path


def test_discover_shows_and_writes_the_sites(folder: Path) -> None:
    """People get a table with scores and reasons, and why it stopped; the file has everything."""
    arguments = ("--phrases", "cameras.txt", "--search", "index:web", "--static", "-o", "found.json")
    done = sightline("discover", *arguments, folder=folder)
    assert done.status == 0
    assert "lumen.example" in done.output
    assert "the data name megapixel, optical zoom" in " ".join(done.output.split())
    assert "2 sites of 4 looked at" in done.output
    assert "Stopped: " in done.errors
    assert "Written: found.json (2 sites)" in done.errors
    found = Discovery.load(folder / "found.json")
    assert {site.site for site in found.sites} == {"lumen.example", "pentara.example"}


def test_discover_as_json_by_the_variable(folder: Path) -> None:
    """Programs get one document and nothing else; the provider may come from the environment."""
    arguments = ("--phrases", "cameras.txt", "--static", "--json", "--seed", "4")
    done = sightline("discover", *arguments, folder=folder, SIGHTLINE_SEARCH=f"index:{folder / 'web'}")
    (result,) = done.results
    assert (done.status, result["kind"], result["verdict"], result["error"]) == (0, "discovery", "ok", None)
    assert result["discovery"]["seed"] == 4
    assert result["source"] == f"index:{folder / 'web'}"
    assert {site["site"] for site in result["discovery"]["sites"]} == {"lumen.example", "pentara.example"}


def test_budget_is_suspicious_and_named_by_its_flag(folder: Path) -> None:
    """The status is 3, and the result is there all the same."""
    arguments = ("--phrases", "cameras.txt", "--search", "index:web", "--static", "--queries", "4", "-o", "found.json")
    done = sightline("discover", *arguments, folder=folder)
    assert done.status == 3
    assert "raise --queries to ask more" in done.errors
    assert Discovery.load(folder / "found.json").ended == "budget"


def test_without_a_provider_the_error_says_how_to_get_one(folder: Path) -> None:
    """On one line, with the ways that there are."""
    done = sightline("discover", "--phrases", "cameras.txt", folder=folder, SIGHTLINE_SEARCH="")
    assert done.status == 2
    assert "Discovery needs a search provider" in done.errors
    assert "searxng:https://HOST" in done.errors
    assert done.output == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--want", "pictures"), "--want pictures: this cannot be looked for"),
        (("--want", "wrapper"), "--want wrapper needs a wrapper"),
        (("--want", "lists", "--wrapper", "x.json"), "--wrapper and --want lists exclude each other"),
        (("-o", "found.csv"), "found.csv: what is discovered is written as JSON"),
        (("-o", "gone/found.json"), "gone/found.json: there is no folder gone; create it first"),
        (("--base", "shop"), "--base shop: this is not an address"),
        (("--base", "https://a.example", "--search", "searxng:https://s.example"), "search one with index:FOLDER"),
        (("--phrases", "gone.txt"), "gone.txt: there is no such file"),
        (("--search", "index:gone"), "index:gone: there is no such folder"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_asked(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    """The status is 2."""
    done = sightline("discover", "--phrases", "cameras.txt", "--search", "index:web", *arguments, folder=folder)
    assert done.status == 2
    assert said in done.errors


def test_provider_that_does_not_answer_is_an_error(folder: Path) -> None:
    """The status is 1, and JSON has the error."""
    arguments = ("--phrases", "cameras.txt", "--search", "searxng:http://127.0.0.1:9", "--json")
    done = sightline("discover", *arguments, folder=folder)
    assert done.status == 1
    (result,) = json.loads(done.output)["results"]
    assert result["error"]["type"] in ("RefusedError", "UnreachableError")
    assert result["verdict"] == "failed"


def test_lists_may_be_wanted(folder: Path) -> None:
    """The flag is kept in the file."""
    arguments = ("--phrases", "cameras.txt", "--search", "index:web", "--static", "--want", "lists", "--json")
    done = sightline("discover", *arguments, folder=folder)
    assert done.results[0]["discovery"]["want"] == "lists"


def test_what_is_discovered_in_files_can_be_crawled_where_they_are_served(folder: Path) -> None:
    """Files alone cannot be crawled, and the error says how; with --base, the crawl begins where they are served."""
    pages = {f"/camera/{n}.html": page(f"https://www.lumen.example/camera/{n}") for n in range(6)}
    bare = {path: text.replace("rel=canonical", "rel=x").encode() for path, text in pages.items()}
    mirror = folder / "mirror" / "camera"
    mirror.mkdir(parents=True)
    for path, content in bare.items():
        (mirror / Path(path).name).write_bytes(content)
    arguments = ("--phrases", "cameras.txt", "--search", "index:mirror", "--static", "-o", "found.json")
    crawl = ("crawl", "--from", "found.json", "-o", "crawl", "--static", "--no-sitemaps")
    with serving(bare) as site:
        sightline("discover", *arguments, folder=folder)
        files = sightline(*crawl, folder=folder)
        sightline("discover", *arguments, "--base", site.url(), folder=folder)
        done = sightline(*crawl, folder=folder)
    assert files.status == 2
    assert f"found.json has files such as {mirror.as_uri()}/" in files.errors
    assert "again with --base URL" in files.errors
    assert (done.status, "6 pages visited · 6 found" in done.output) == (0, True)
