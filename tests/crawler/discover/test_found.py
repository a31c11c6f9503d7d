"""The file of a discovery."""

import json
from pathlib import Path

import pytest

from sightline.crawler.discover import DiscoveredSite, Discovery
from sightline.errors import OutputError, UsageError

SITE = DiscoveredSite(
    "shop.example", 0.93, ("found",), ("https://shop.example/1",), ("https://shop.example/1",), 7, "x"
)
FOUND = Discovery(("zoom", "ISO"), "index:/saved", "Quiet.", 12, (SITE,), (), ("a: hangs.",), "lists", "budget", 3)


def test_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    """With everything in it, in the form that the crawler reads."""
    path = FOUND.save(tmp_path / "found.json")
    assert Discovery.load(path) == FOUND
    document = json.loads(path.read_bytes())
    assert document["version"] == 1
    assert document["sites"][0] == {
        "site": "shop.example",
        "score": 0.93,
        "why": ["found"],
        "pages": ["https://shop.example/1"],
        "templates": ["https://shop.example/1"],
        "support": 7,
        "found": "x",
    }


def test_file_by_hand_needs_only_the_main_entries(tmp_path: Path) -> None:
    """What is optional has its default; what is unknown is skipped."""
    site = {
        "site": "a.example",
        "score": 1,
        "why": [],
        "pages": ["https://a.example/"],
        "templates": [],
        "note": "mine",
    }
    document = {"version": 1, "phrases": ["a", "b"], "provider": "me", "stopped": "", "queries": 0, "sites": [site]}
    path = tmp_path / "found.json"
    path.write_text(json.dumps({**document, "problems": [], "more": 1}))
    assert Discovery.load(path).sites[0].pages == ("https://a.example/",)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "it is of version 2.*newer Sightline"),
        ({"sites": [{"site": "a"}]}, r"sites\[0\]\.\w+ is missing|missing"),
        ({"queries": "many"}, "queries must be a whole number"),
        ({"ended": "somehow"}, "ended has the unknown value"),
        ({"left_out": 3}, "left_out must be a list"),
    ],
)
def test_file_with_a_mistake_is_refused(tmp_path: Path, change: dict[str, object], said: str) -> None:
    """The error names the file and the place."""
    path = tmp_path / "found.json"
    path.write_text(json.dumps(FOUND.to_json() | change))
    with pytest.raises(UsageError, match=f"found.json: this is not a file of `sightline discover`: .*{said}"):
        Discovery.load(path)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff"])
def test_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    """Whatever it is."""
    path = tmp_path / "found.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="this is not a file of `sightline discover`"):
        Discovery.load(path)


def test_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    """By the command."""
    with pytest.raises(UsageError, match="make one with `sightline discover`"):
        Discovery.load(tmp_path / "gone.json")
    with pytest.raises(OutputError):
        FOUND.save(tmp_path / "no folder" / "found.json")


def test_verdict_is_ok_only_after_an_end_of_its_own() -> None:
    """A budget, a failure or nothing found is suspicious."""
    assert FOUND.verdict == "suspicious"
    whole = Discovery(("a", "b"), "p", "", 1, (SITE,))
    assert whole.verdict == "ok"
    assert Discovery(("a", "b"), "p", "", 1, ()).verdict == "suspicious"
