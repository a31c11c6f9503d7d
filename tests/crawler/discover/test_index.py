"""The local index over saved pages and WARC files."""

import sqlite3
from pathlib import Path

import pytest

from sightline.crawler.discover import LocalIndex
from sightline.errors import UsageError

from ._web import page, saved


def _urls(index: LocalIndex, *phrases: str, page: int = 1) -> list[str]:
    return [result.url for result in index.search(phrases, page).results]


def _warc(*pages: tuple[str, str], status: str = "200 OK") -> bytes:
    records = []
    for url, html in pages:
        answer = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n{html}".encode()
        head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(answer)}\r\n\r\n"
        records.append(head.encode() + answer + b"\r\n\r\n")
    return b"".join(records)


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's cache of its own for each test."""
    home = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    return home / "sightline" / "index"


def test_pages_with_all_phrases_are_found(tmp_path: Path) -> None:
    """By the address that a saved page calls its own, with title and snippet; stems count."""
    index = LocalIndex(saved(tmp_path))
    answer = index.search(["megapixel", "viewfinder"], 1)
    assert {result.url.split("/")[2] for result in answer.results} == {
        "www.lumen.example",
        "pentara.example",
        "blog.example",
    }
    assert all("iewfinder" in result.snippet for result in answer.results)
    assert answer.total == 6 + 4 + 8
    assert index.search(["megapixel", "no such word"], 1).results == ()
    assert index.search(["?!"], 1).results == ()


def test_one_site_does_not_fill_the_results(tmp_path: Path) -> None:
    """Two of a site, then the others, then the next two; and every page once in the end."""
    index = LocalIndex(saved(tmp_path))
    first, second, third = (_urls(index, "megapixel", page=number) for number in (1, 2, 3))
    for group in (first[:8],):
        hosts = [url.split("/")[2] for url in group]
        assert sorted(hosts) == sorted(2 * ["www.lumen.example", "pentara.example", "blog.example", "talk.example"])
    every = first + second + third
    assert len(every) == len(set(every)) == 24
    assert not index.search(["megapixel"], 3).more


def test_index_is_kept_and_updated(tmp_path: Path) -> None:
    """Only changed files are read again; those that are gone are forgotten."""
    (tmp_path / "a.html").write_text("<title>A</title><p>red zoom")
    (tmp_path / "b.html").write_text("<title>B</title><p>blue zoom")
    first = LocalIndex(tmp_path)
    assert len(_urls(first, "zoom")) == 2
    first.close()
    (tmp_path / "a.html").write_text("<title>A</title><p>green zoom, changed")
    (tmp_path / "b.html").unlink()
    (tmp_path / "c.html").write_text("<title>C</title><p>white zoom")
    read: list[str] = []
    again = LocalIndex(tmp_path, on_progress=lambda progress: read.append(progress.current or ""))
    assert len(_urls(again, "zoom")) == 2
    assert _urls(again, "red") == _urls(again, "blue") == []
    assert [Path(name).name for name in read if name] == ["a.html", "c.html"]
    again.close()
    quiet = LocalIndex(tmp_path, on_progress=lambda progress: read.append(progress.current or ""))
    assert len(_urls(quiet, "zoom")) == 2
    assert len(read) == 3


def test_saved_documents_are_those_of_files_and_archives(tmp_path: Path) -> None:
    """Each with the content of its own record."""
    pages = [(f"https://w.example/{n}", f"<title>W{n}</title><p>zoom {n}") for n in range(5)]
    (tmp_path / "crawl.warc").write_bytes(_warc(*pages))
    (tmp_path / "a.html").write_text(page("https://blog.example/2024/1"))
    index = LocalIndex(tmp_path)
    wanted = ["https://w.example/3", "https://w.example/0", "https://blog.example/2024/1", "https://gone.example/"]
    found = index.saved(wanted)
    assert set(found) == set(wanted[:3])
    assert b"zoom 3" in found["https://w.example/3"].content
    assert b"zoom 0" in found["https://w.example/0"].content


def test_page_that_is_stored_twice_is_found_once(tmp_path: Path) -> None:
    """The later one is opened; answers that are errors are not found at all."""
    old, new = (f"<title>W</title><p>zoom {age}" for age in ("old", "new"))
    (tmp_path / "crawl.warc").write_bytes(_warc(("https://w.example/1", old), ("https://w.example/1", new)))
    (tmp_path / "gone.warc").write_bytes(_warc(("https://w.example/2", "<p>zoom"), status="404 Not Found"))
    index = LocalIndex(tmp_path)
    assert _urls(index, "zoom") == ["https://w.example/1"]
    assert index.saved(["https://w.example/1"])["https://w.example/1"].content == new.encode()


def test_one_archive_may_be_the_folder(tmp_path: Path) -> None:
    """Its index is beside it."""
    archive = tmp_path / "crawl.warc"
    archive.write_bytes(_warc(("https://w.example/1", "<p>zoom")))
    assert _urls(LocalIndex(archive), "zoom") == ["https://w.example/1"]


def test_page_without_an_address_is_known_by_its_file(tmp_path: Path) -> None:
    """And can be opened by it."""
    (tmp_path / "shop").mkdir()
    path = tmp_path / "shop" / "a b.html"
    path.write_text("<p>zoom")
    index = LocalIndex(tmp_path)
    assert _urls(index, "zoom") == [path.as_uri()]
    assert index.saved([path.as_uri()])[path.as_uri()].content == b"<p>zoom"


def test_page_without_an_address_is_known_by_where_its_folder_is_served(tmp_path: Path) -> None:
    """With a base, its address is below that, and opens it; pages with an address of their own keep it."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a b.html").write_text("<p>zoom")
    (tmp_path / "own.html").write_text("<link rel=canonical href=https://own.example/><p>zoom zoom zoom")
    LocalIndex(tmp_path).search(["zoom"], 1)  # one that was built without a base serves one with it
    served, own = "https://shop.example/m/shop/a%20b.html", "https://own.example/"
    for base in ("https://shop.example/m", "https://shop.example/m/"):
        index = LocalIndex(tmp_path, base=base)
        assert sorted(_urls(index, "zoom")) == [own, served]
        assert index.saved([served, own])[served].content == b"<p>zoom"
    with pytest.raises(UsageError, match="--base shop: this is not an address"):
        LocalIndex(tmp_path, base="shop")


def test_file_that_cannot_be_read_is_a_problem_and_stops_nothing(tmp_path: Path) -> None:
    """It is told with the first answer, and by later indexes again."""
    (tmp_path / "a.html").write_text("<p>zoom")
    (tmp_path / "bad.html").write_bytes(b"\x89PNG\r\n\x1a\n1234")
    for _ in range(2):
        index = LocalIndex(tmp_path)
        answer = index.search(["zoom"], 1)
        assert len(answer.results) == 1
        assert len(answer.problems) == 1
        assert "bad.html: is a damaged picture" in answer.problems[0]
        assert index.search(["zoom"], 1).problems == ()
        index.close()


def test_damaged_or_older_index_is_built_anew(tmp_path: Path, cache: Path) -> None:
    """It is a cache."""
    (tmp_path / "a.html").write_text("<p>zoom")
    LocalIndex(tmp_path).search(["zoom"], 1)
    (place,) = cache.glob("*.sqlite")
    for beside in ("", "-wal", "-shm"):
        Path(f"{place}{beside}").unlink(missing_ok=True)
    place.write_bytes(b"this is no database at all, but it is long enough to look like one" * 20)
    first = LocalIndex(tmp_path)
    assert len(_urls(first, "zoom")) == 1
    first.close()
    with sqlite3.connect(place) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    second = LocalIndex(tmp_path)
    assert len(_urls(second, "zoom")) == 1
    second.close()


def test_the_folder_stays_as_it_is(tmp_path: Path, cache: Path) -> None:
    """The index is in the user's cache, so that what is searched is not changed."""
    (tmp_path / "a.html").write_text("<p>zoom")
    for place in (tmp_path, tmp_path / "a.html"):
        index = LocalIndex(place)
        assert len(_urls(index, "zoom")) == 1
        index.close()
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]
    assert len(list(cache.glob("*.sqlite"))) == 2


def test_folder_without_pages_is_refused(tmp_path: Path) -> None:
    """As is one that does not exist."""
    with pytest.raises(UsageError, match=r"without any \.html.*save some pages there first"):
        LocalIndex(tmp_path).search(["a"], 1)
    with pytest.raises(UsageError, match="there is no such folder"):
        LocalIndex(tmp_path / "gone")
