"""`sightline explain`: every text of a page, what it was read as, and why."""

from pathlib import Path

import pytest
from PIL import Image

import sightline as sl

from ._inside import sightline
from ._lessons import FIRST, OF_FIRST, SECOND, taught
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
    sightline("edit", "p.wrapper.json", "--drop", "Price", "-o", tmp_path / "x.json", folder=shop)
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
        (["p.wrapper.json", "gone.html", "--text", "x", "--node", "7"], "Give either --text or --node"),
        (["p.wrapper.json", "gone.html", "--text", "x", "--only", "field"], "leave out --only and --image"),
    ],
)
def test_explain_helps_newcomers(shop: Path, arguments: list[str], advice: str) -> None:
    """What cannot be is told at once in one line."""
    done = sightline("explain", *arguments, folder=shop)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1


@pytest.fixture(scope="module")
def cameras(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wrapper that was taught."""
    folder = tmp_path_factory.mktemp("cameras")
    taught(folder, FIRST, *OF_FIRST)
    return folder


def test_explain_tells_of_a_page_what_was_taught(cameras: Path) -> None:
    """Fields have their rule, everything else is `other`; the verdict speaks of marks and fields, not of a template."""
    done = sightline("explain", "x.wrapper.json", SECOND, folder=cameras)
    assert (done.status, done.errors) == (0, "")
    lines = [line.split("  ") for line in done.output.splitlines()]
    words = [[word.strip() for word in line if word.strip()] for line in lines]
    assert ["other", "Lenses", "no pattern matches it"] in words
    assert [line[:3] for line in words if line[0] == "field"] == [
        ["field", "name", "Arden R50"],
        ["field", "price", "$679.00"],
        ["field", "weight", "375 g"],
    ]
    told = "ok; 100% of the marks around the values are on it, 100% of the fields were found"
    assert done.output.splitlines()[-2] == told
    assert done.output.splitlines()[-1].startswith("   field 3 · other ")
    done = sightline("explain", "x.wrapper.json", SECOND, "--only", "other", "--json", folder=cameras)
    assert {text["role"] for text in done.results[0]["explanation"]["texts"]} == {"other"}


def test_explain_judges_one_text(cameras: Path) -> None:
    """Every rule with the conditions that reject a text and those that hold; one that takes it has none that reject."""
    done = sightline("explain", "x.wrapper.json", SECOND, "--text", "$679.00", folder=cameras)
    assert (done.status, done.errors) == (0, "")
    rows = [line.split() for line in done.output.splitlines()]
    assert rows[1] == ["field", "takes", "it", "condition"]
    assert next(row[:3] for row in rows if row[0] == "price") == ["price", "yes", "✓"]
    assert next(row[:3] for row in rows if row[0] == "name") == ["name", "no", "✗"]
    done = sightline("explain", "x.wrapper.json", SECOND, "--text", "$679.00", "--json", folder=cameras)
    told = done.results[0]["explanation"]
    assert list(told) == ["example", "judged"]
    assert told["example"] == "$679.00"
    assert {tuple(one) for one in told["judged"]} == {("field", "rule", "taken", "holds", "fails")}
    assert {one["field"] for one in told["judged"] if one["taken"]} == {"price"}
    assert all(one["fails"] for one in told["judged"] if one["field"] == "name")


def test_explain_judges_a_node(cameras: Path) -> None:
    """A node is judged as the text that it says."""
    page = sl.open(SECOND, static=True)
    (heading,) = (node for node in range(len(page)) if page.node(node).tag == "h1")
    done = sightline("explain", "x.wrapper.json", SECOND, "--node", str(heading), "--json", folder=cameras)
    judged = done.results[0]["explanation"]["judged"]
    assert {one["field"] for one in judged if one["taken"]} == {"name"}


def test_explain_judges_by_a_template_as_well(shop: Path) -> None:
    """What was induced tells what the text was read as, and why."""
    done = sightline("explain", "p.wrapper.json", "p5.html", "--text", "105.50 €", "--json", folder=shop)
    (one,) = done.results[0]["explanation"]["judged"]
    assert (one["field"], one["taken"]) == ("Price", True)
    assert sightline("explain", "p.wrapper.json", "p5.html", "--text", "105.50 €", folder=shop).status == 0


@pytest.mark.parametrize(("wrapper", "text"), [("p.wrapper.json", "Nonsense"), ("x.wrapper.json", "Nonsense")])
def test_explain_tells_that_a_text_is_not_there(shop: Path, cameras: Path, wrapper: str, text: str) -> None:
    """That is an error of the page, not of the command."""
    done = sightline("explain", (shop if wrapper[0] == "p" else cameras) / wrapper, SECOND, "--text", text)
    assert (done.status, done.output) == (1, "")
    assert "“Nonsense”" in done.errors
    assert done.errors.count("\n") == 1
