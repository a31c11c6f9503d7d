"""A wrapper that is damaged: every command says so in one line, changes nothing, and has the status of wrong usage."""

import json
from pathlib import Path

import pytest

from ._inside import sightline
from ._shop import build, learn

COMMANDS = {
    "extract": ("extract", "p.wrapper.json", "p0.html"),
    "explain": ("explain", "p.wrapper.json", "p0.html"),
    "check": ("check", "p.wrapper.json", "p0.html"),
    "repair": ("repair", "p.wrapper.json", "p0.html", "-o", "new.wrapper.json"),
    "edit": ("edit", "p.wrapper.json", "--rename", "title=name"),
    "code": ("code", "p.wrapper.json", "--for", "scrapy"),
}


def _wrong_type(text: str) -> bytes:
    document = json.loads(text)
    document["templates"][0]["page"]["slots"] = {"0": None}
    return json.dumps(document).encode()


DAMAGES = {
    "a wrong type": (_wrong_type, "templates[0].page.slots must be a list, not an object"),
    "cut off": (lambda text: text[: len(text) // 2].encode(), "not JSON"),
    "bottomless": (lambda text: text.encode() + b"[" * 100_000, "not JSON"),
    "not finite": (lambda text: text.replace('"version": 1', '"version": NaN').encode(), "not JSON"),
    "empty": (lambda text: b"", "not JSON"),  # noqa: ARG005 - as the others
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a shop, with a wrapper for its products."""
    folder = build(tmp_path_factory.mktemp("shop"))
    learn(folder, "p")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_wrapper_is_one_line_and_a_status(shop: Path, tmp_path: Path, command: str, damage: str) -> None:
    """It names the file, and what is wrong where; the file stays as it was, and no other is written."""
    damaged, told = DAMAGES[damage]
    content = damaged((shop / "p.wrapper.json").read_text("utf-8"))
    (tmp_path / "p.wrapper.json").write_bytes(content)
    (tmp_path / "p0.html").write_bytes(next(shop.glob("p*.html")).read_bytes())
    done = sightline(*COMMANDS[command], folder=tmp_path)
    assert (done.status, done.output) == (2, "")
    (line,) = done.errors.splitlines()
    assert "p.wrapper.json" in line
    assert told in line
    assert "Traceback" not in line
    assert (tmp_path / "p.wrapper.json").read_bytes() == content
    assert sorted(own.name for own in tmp_path.iterdir()) == ["p.wrapper.json", "p0.html"]
