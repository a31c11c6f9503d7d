"""`sightline explain`: every text of a page, what it was read as, and why."""

from pathlib import Path

import pytest
from PIL import Image

from ._command import sightline
from ._shop import build, learn


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a shop, with a wrapper for its products."""
    folder = build(tmp_path_factory.mktemp("shop"))
    learn(folder, "p")
    return folder


def test_explain_tells_of_every_text(shop: Path) -> None:
    """In the order of the page: the role, the field, the text and the reason; then the verdict."""
    done = sightline("explain", "p.wrapper.json", "p5.html", folder=shop)
    assert (done.status, done.errors) == (0, "")
    lines = [line.split("  ") for line in done.output.splitlines()]
    words = [[word.strip() for word in line if word.strip()] for line in lines]
    assert words[0] == ["p5.html"]
    assert words[1] == ["read as", "field", "text", "why"]
    assert words[2] == ["template", "Home", "it says the same on all pages"]
    assert words[3][:3] == ["field", "title", "Camera 5"]
    assert words[4][:2] == ["template", "Price:"]
    assert words[5][:3] == ["field", "Price", "105.50 €"]
    assert done.output.splitlines()[-2].startswith("ok; 100% of the template's texts are on it")
    assert done.output.splitlines()[-1].strip() == "field 2 · template 7"


def test_explain_shows_what_is_unknown_and_the_problems(shop: Path) -> None:
    """A page that differs is explained all the same; that it is suspicious is told, and no error."""
    done = sightline("explain", "p.wrapper.json", "odd.html", folder=shop)
    assert done.status == 0
    unknown = next(line for line in done.output.splitlines() if line.lstrip().startswith("unknown"))
    assert "Only today!" in unknown
    assert "suspicious; " in done.output
    assert "“Only today!”: the template has no place for it\n      /html[1]/body[1]/div[1]" in done.output


def test_explain_takes_a_page_that_would_be_refused(shop: Path) -> None:
    """Why a page is refused is what people want to know."""
    done = sightline("explain", "p.wrapper.json", "other.html", folder=shop)
    assert done.status == 0
    assert "failed; 0% of the template's texts are on it" in done.output
    assert "is missing" in done.output
    assert "more problem" in done.errors
    done = sightline("explain", "p.wrapper.json", "other.html", "--all", folder=shop)
    assert done.errors == ""


def test_explain_has_json(shop: Path) -> None:
    """One result with all texts, the verdict on the page, and its problems."""
    done = sightline("explain", "p.wrapper.json", "odd.html", "--json", folder=shop)
    (result,) = done.results
    assert list(result) == ["source", "kind", "verdict", "explanation", "error"]
    assert (result["kind"], result["verdict"]) == ("explanation", "ok")
    told = result["explanation"]
    assert list(told) == ["verdict", "found", "known", "problems", "texts"]
    assert told["verdict"] == "suspicious"
    assert set(told["problems"][0]) == {"xpath", "what"}
    assert [list(text) for text in told["texts"]][:1] == [["text", "xpath", "box", "role", "field", "why"]]
    price = next(text for text in told["texts"] if text["field"] == "Price")
    assert (price["text"], price["role"]) == ("108.50 €", "field")
    assert price["xpath"].startswith("/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]")


def test_explain_shows_only_what_is_wanted(shop: Path) -> None:
    """`--only` chooses by role and may be given again; the counts at the end are of the whole page."""
    done = sightline("explain", "p.wrapper.json", "p5.html", "--only", "field", "--json", folder=shop)
    texts = done.results[0]["explanation"]["texts"]
    assert [text["text"] for text in texts] == ["Camera 5", "105.50 €"]
    both = sightline("explain", "p.wrapper.json", "p5.html", "--only", "field", "--only", "template", folder=shop)
    assert both.output == sightline("explain", "p.wrapper.json", "p5.html", folder=shop).output


def test_explain_tells_what_was_dropped(shop: Path, tmp_path: Path) -> None:
    """A field that was mended away is there, as dropped."""
    sightline("mend", "p.wrapper.json", "--drop", "Price", "-o", tmp_path / "x.json", folder=shop)
    done = sightline("explain", tmp_path / "x.json", "p5.html", "--only", "dropped", "--json", folder=shop)
    assert [text["text"] for text in done.results[0]["explanation"]["texts"]] == ["105.50 €"]


def test_explain_draws_roles(shop: Path, tmp_path: Path) -> None:
    """Fields are green, the template is grey, what is unknown is red."""
    out = tmp_path / "x.png"
    done = sightline("explain", "p.wrapper.json", "odd.html", "--image", out, "--width", "640", folder=shop)
    assert done.status == 0
    with Image.open(out) as picture:
        assert (picture.format, picture.width) == ("PNG", 640)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    assert {(0, 158, 115), (120, 120, 120), (213, 94, 0)} <= colours


@pytest.mark.parametrize("width", [80, 120])
def test_explain_fits_the_terminal(shop: Path, width: int) -> None:
    """Long texts and reasons are cut, each as little as possible; `--all` cuts nothing."""
    text = "<div>" + "Not of this template, and very long. " * 9 + "</div>"
    (shop / f"long{width}.html").write_text((shop / "odd.html").read_text() + text)
    arguments = ("explain", "p.wrapper.json", f"long{width}.html")
    done = sightline(*arguments, folder=shop, COLUMNS=str(width))
    assert max(map(len, done.output.splitlines())) <= width
    done = sightline(*arguments, "--all", folder=shop, COLUMNS=str(width))
    assert "Not of this template, and very long. " * 8 in done.output


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["gone.wrapper.json", "p4.html"], "there is no such file"),
        (["p.wrapper.json", "gone.html", "--only", "nonsense"], "one of field, template, changed"),
        (["p.wrapper.json", "gone.html", "--image", "x.jpg"], ".png"),
    ],
)
def test_explain_helps_newcomers(shop: Path, arguments: list[str], advice: str) -> None:
    """What cannot be is told at once in one line."""
    done = sightline("explain", *arguments, folder=shop)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1
