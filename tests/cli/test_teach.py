"""`sightline teach`: a wrapper from examples, and what people get wrong about them."""

import json
from pathlib import Path

import pytest
from PIL import Image

import sightline as sl
from sightline import Wrapper
from sightline.testing import list_page

from ._inside import sightline
from ._lessons import CAMERAS, FIRST, LISTING, OF_FIRST, SECOND, THIRD, refused, taught

HIDDEN = "<title>x</title><h1>Shown</h1><p style='display:none'>Secret</p><p>More of it</p>"
EMPTY = "<!doctype html><title>x</title><body></body>"


def _texts(folder: Path, wrapper: str, *pages: Path) -> list[dict[str, object]]:
    """What a wrapper that was written reads on pages."""
    read = Wrapper.load(folder / wrapper)
    return [record for page in pages for record in read.extract(sl.open(folder / page, static=True)).to_dicts()]


def test_teach_writes_a_wrapper_and_tells_its_rules(tmp_path: Path) -> None:
    """One page is enough: the rules come in words, then what they take; standard error says what to do next."""
    done = sightline("teach", FIRST, *OF_FIRST, "--static", "-o", "x.wrapper.json", folder=tmp_path)
    assert done.status == 0
    rules, found = done.output.split("\n\n")
    assert [line.split(":")[0] for line in rules.splitlines()] == ["name", "price", "weight"]
    assert found.splitlines()[0] == f"{FIRST} · 1 record · ok"
    assert [line.split(maxsplit=1) for line in found.splitlines()[1:]] == [
        ["name", "Arden R5 Mark II"],
        ["price", "$4,299.00"],
        ["weight", "738 g"],
    ]
    assert "Seen on one page only" in done.errors
    assert done.errors.endswith("Written: x.wrapper.json\nNext: sightline extract x.wrapper.json SOURCE…\n")
    assert Wrapper.load(tmp_path / "x.wrapper.json").fields == ["name", "price", "weight"]


def test_teach_makes_what_extract_reads(tmp_path: Path) -> None:
    """The wrapper reads pages that it has not seen, without a browser, as it was taught."""
    wrapper = taught(tmp_path, FIRST, *OF_FIRST)
    assert _texts(tmp_path, wrapper, SECOND, THIRD) == [
        {"name": "Arden R50", "price": "$679.00", "weight": "375 g"},
        {"name": "Kestrel Z8", "price": "$3,696.95", "weight": "910 g"},
    ]


def test_teach_takes_one_example_for_a_whole_list(tmp_path: Path) -> None:
    """On a page of a list one text means all of them."""
    wrapper = taught(tmp_path, LISTING, "name=Arden R5 Mark II")
    found = _texts(tmp_path, wrapper, LISTING)
    assert len(found) == 10
    assert found[1] == {"name": "Arden R50"}


def test_teach_takes_names_in_turn_for_records(tmp_path: Path) -> None:
    """Two records are enough for all ten of them; what stands before them is a field of the page."""
    two = ("name=Arden R5 Mark II", "price=$4,299.00", "name=Arden R50", "price=$679.00")
    found = _texts(tmp_path, taught(tmp_path, LISTING, *two), LISTING)
    assert len(found) == 10
    assert found[9] == {"name": "Halden ZV-2", "price": "$998.50"}
    (page,) = _texts(tmp_path, taught(tmp_path, LISTING, "heading=Mirrorless cameras", *two), LISTING)
    assert page["heading"] == "Mirrorless cameras"
    items = page["items"]
    assert isinstance(items, list)
    assert len(items) == 10


def test_teach_takes_a_name_twice_in_a_row_for_a_list(tmp_path: Path) -> None:
    """A field with several values beside one with a single value."""
    words = ("name=Arden R50", "who=Mia", "who=Paul D.")
    (found,) = _texts(tmp_path, taught(tmp_path, SECOND, *words), FIRST)
    assert found == {"name": "Arden R5 Mark II", "who": ["Ines K.", "Tom", "R. Osei"]}


def test_teach_goes_on_with_the_next_page(tmp_path: Path) -> None:
    """Examples belong to the page before them; a page that is named again goes on."""
    words = (FIRST, "name=Arden R5 Mark II", SECOND, "name=Arden R50", FIRST, "was=$4,799.00", SECOND, "was!=")
    wrapper = Wrapper.load(tmp_path / taught(tmp_path, *words))
    assert wrapper.training.pages == 2
    assert wrapper.fields == ["name", "was"]
    found = _texts(tmp_path, "x.wrapper.json", FIRST, SECOND)
    assert found == [{"name": "Arden R5 Mark II", "was": "$4,799.00"}, {"name": "Arden R50", "was": None}]


def test_teach_is_told_what_is_none(tmp_path: Path) -> None:
    """`name!=TEXT` takes away a match: the rule that is left does not take it."""
    items = "<li class=a>First<li class=a>Second<li class='a ad'>Buy now<li class=a>Third"
    (tmp_path / "page.html").write_text(f"<title>x</title><h1>Lenses</h1><ul>{items}</ul>")
    found = _texts(tmp_path, taught(tmp_path, "page.html", "name=First"), Path("page.html"))
    assert {"name": "Buy now"} in found
    found = _texts(tmp_path, taught(tmp_path, "page.html", "name=First", "name!=Buy now"), Path("page.html"))
    assert found == [{"name": "First"}, {"name": "Second"}, {"name": "Third"}]


def test_teach_takes_examples_from_a_file(tmp_path: Path) -> None:
    """A line for each page, found beside the file wherever the command is called; blank lines are nothing."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "p.html").write_bytes(FIRST.read_bytes())
    lines = [
        {"source": "p.html", "fields": {"name": ["Arden R5 Mark II"], "price": "$4,299.00"}},
        {"source": str(SECOND), "fields": {"name": ["Arden R50"], "price": ["$679.00"]}, "records": []},
        {"source": str(LISTING)},
    ]
    (tmp_path / "sub" / "x.jsonl").write_text("\n\n".join(map(json.dumps, lines)) + "\n")
    wrapper = taught(tmp_path, "--examples", "sub/x.jsonl")
    assert _texts(tmp_path, wrapper, THIRD) == [{"name": "Kestrel Z8", "price": "$3,696.95"}]


def test_teach_takes_records_from_a_file(tmp_path: Path) -> None:
    """The first records of a page show what all of them are."""
    records = [{"name": ["Arden R5 Mark II"], "price": ["$4,299.00"]}, {"name": "Arden R50", "price": "$679.00"}]
    (tmp_path / "x.jsonl").write_text(json.dumps({"source": str(LISTING), "records": records}))
    assert len(_texts(tmp_path, taught(tmp_path, "--examples", "x.jsonl"), LISTING)) == 10


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("{", "it is not JSON"),
        ("[]", 'a line has a "source"'),
        ('{"fields": {}}', 'a line has a "source"'),
        ('{"source": "a.html", "field": {}}', 'a key "field"; the keys of a line are source, fields, records'),
        ('{"source": "a.html", "fields": ["x"]}', '"fields" has a list of texts for each name'),
        ('{"source": "a.html", "fields": {"name": [5]}}', '"fields" has a list of texts for each name'),
        ('{"source": "a.html", "records": {"name": ["x"]}}', '"records" is a list of records'),
        ('{"source": "a.html", "records": ["x"]}', 'a record of "records" has a list of texts'),
    ],
)
def test_teach_tells_which_line_of_a_file_is_bad(tmp_path: Path, line: str, advice: str) -> None:
    """One error with the number of the line, before any page is opened."""
    good = json.dumps({"source": "gone.html", "fields": {"name": ["x"]}})
    (tmp_path / "x.jsonl").write_text(f"{good}\n{line}\n")
    done = refused(tmp_path, "--examples", "x.jsonl")
    assert done.status == 2
    assert done.errors.startswith("sightline: x.jsonl, line 2: ")
    assert advice in done.errors


@pytest.mark.parametrize(
    ("content", "words", "advice"),
    [
        (FIRST.read_text("utf-8"), ["name=Arden R5 Mark 2"], "the closest text is “Arden R5 Mark II”"),
        (HIDDEN, ["secret=Secret"], "is on the page but not visible"),
        (EMPTY, ["name=Canon"], "has no visible text"),
    ],
)
def test_teach_refuses_an_example_that_is_not_there(
    tmp_path: Path, content: str, words: list[str], advice: str
) -> None:
    """The source is named with the closest text or the reason, and no half of a wrapper is written."""
    (tmp_path / "page.html").write_text(content, "utf-8")
    done = refused(tmp_path, "page.html", *words)
    assert done.status == 1
    assert done.errors.startswith("sightline: page.html: ")
    assert advice in done.errors


def test_teach_goes_on_without_one_example_of_several(tmp_path: Path) -> None:
    """The example is told, the other fields make the wrapper, and the status says that something is to be seen to."""
    words = (FIRST, *OF_FIRST, "mount=Zebra crossing")
    done = sightline("teach", *words, "--static", "-o", "x.wrapper.json", folder=tmp_path)
    assert done.status == 3
    assert "“Zebra crossing” is not on the page" in done.errors
    assert "mount" not in Wrapper.load(tmp_path / "x.wrapper.json").fields


def test_teach_leaves_out_what_is_not_there_on_one_of_several_pages(tmp_path: Path) -> None:
    """A wrong example is told, and the others make the wrapper; the status says that there is something to look at."""
    words = (FIRST, "name=Arden R5 Mark II", "price=$4,299.00", SECOND, "name=Arden R500", "price=$679.00")
    done = sightline("teach", *words, "--static", "-o", "x.wrapper.json", folder=tmp_path)
    assert done.status == 3
    assert f"{SECOND}: “Arden R500” is not on the page; the closest text is “Arden R50”" in done.errors
    assert _texts(tmp_path, "x.wrapper.json", SECOND) == [{"name": "Arden R50", "price": "$679.00"}]


def test_teach_leaves_out_a_field_without_any_example(tmp_path: Path) -> None:
    """The field is named; with nothing left there is an error."""
    (tmp_path / "a.html").write_text(HIDDEN)
    (tmp_path / "b.html").write_text(EMPTY)
    arguments = ("a.html", "secret=Secret", "title=Shown", "b.html", "title=Shown", "--static", "-o", "x.wrapper.json")
    done = sightline("teach", *arguments, "--json", folder=tmp_path)
    assert done.status == 3
    assert "“secret” is left out: none of its examples was found." in done.errors
    (result,) = done.results
    assert (result["verdict"], result["error"]) == ("suspicious", None)
    assert Wrapper.from_json(result["wrapper"]).fields == ["title"]
    (tmp_path / "x.wrapper.json").unlink()
    done = refused(tmp_path, "a.html", "secret=Secret", "b.html", "title=Shown")
    assert done.status == 1
    assert "No example is left to learn from. a.html: " in done.errors


def test_teach_does_not_take_a_bad_example_for_a_missing_value(tmp_path: Path) -> None:
    """Of a page that is shown as a whole, a text that was not found does not say that there is none."""
    lines = [
        {"source": str(FIRST), "fields": {"name": ["Arden R5 Mark II"], "price": ["$4,299.00"]}},
        {"source": str(SECOND), "fields": {"name": ["Arden R50"], "price": ["USD 2"]}},
        {"source": str(THIRD), "fields": {"name": ["Kestrel Z8"], "price": ["EUR 1"]}},
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = sightline("teach", "--examples", "x.jsonl", "--static", "-o", "x.wrapper.json", folder=tmp_path)
    assert done.status == 3
    found = _texts(tmp_path, "x.wrapper.json", CAMERAS / "lumora-s9.html")
    assert found == [{"name": "Lumora S9", "price": "$1,497.99"}]


def test_teach_goes_on_without_a_page_that_cannot_be_opened(tmp_path: Path) -> None:
    """It is told in one line, the wrapper is written all the same, and the status tells of the failure."""
    words = ("gone.html", "name=x", FIRST, "name=Arden R5 Mark II")
    done = sightline("teach", *words, "--static", "--json", folder=tmp_path)
    assert done.status == 1
    assert done.errors.startswith("sightline: gone.html: there is no such file")
    assert [result["verdict"] for result in done.results] == ["ok", "failed"]
    assert refused(tmp_path, "gone.html", "name=x").status == 1


def test_teach_remarks_on_a_text_of_many_places(tmp_path: Path) -> None:
    """A text that stands forty times says little about which one is meant; that is told, and the first is doubted."""
    (tmp_path / "page.html").write_text("<h1>Votes</h1>" + "".join(f"<p class=c{n}>Yes</p>" for n in range(40)))
    done = sightline("teach", "page.html", "answer=Yes", "--static", "-o", "x.wrapper.json", folder=tmp_path)
    assert done.status == 3
    assert "“Yes” is in 40 places" in done.errors


def test_teach_prints_the_wrapper_as_json(tmp_path: Path) -> None:
    """`--json` needs no file; what it prints is what the file would hold, and failures have the same form."""
    arguments = ("teach", FIRST, *OF_FIRST, "--static", "--json")
    (result,) = sightline(*arguments, "-o", "x.json", folder=tmp_path).results
    assert list(result) == ["source", "kind", "verdict", "wrapper", "error"]
    assert (result["source"], result["kind"], result["verdict"]) == (str(FIRST), "wrapper", "ok")
    assert result["wrapper"] == json.loads((tmp_path / "x.json").read_text())
    assert sightline(*arguments, folder=tmp_path).results == [result]
    done = sightline("teach", FIRST, "name=Nonsense", "--static", "--json", folder=tmp_path)
    assert done.status == 1
    (result,) = done.results
    assert (result["verdict"], result["wrapper"], result["error"]["type"]) == ("failed", None, "UsageError")


def test_teach_draws_what_is_taken(tmp_path: Path) -> None:
    """A picture of the first page, with the frames of the fields."""
    words = (LISTING, "name=Arden R5 Mark II", "-o", "x.wrapper.json", "--image", "x.png")
    done = sightline("teach", *words, folder=tmp_path)
    assert done.status == 0, done.errors
    assert "Picture: x.png" in done.errors
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.format == "PNG"
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    assert (0, 114, 178) in colours


def test_teach_knows_pages_from_examples(tmp_path: Path) -> None:
    """A file with an equals sign in its name is a page, and an address is; a text may have equals signs."""
    (tmp_path / "id=7.html").write_text("<h1>a = b</h1><p>Some more text</p>")
    assert _texts(tmp_path, taught(tmp_path, "id=7.html", "name=a = b"), Path("id=7.html")) == [{"name": "a = b"}]
    done = sightline("teach", "http://127.0.0.1:1/?id=7", "name=x", "--static", "--json", folder=tmp_path)
    assert done.status == 1
    assert [result["source"] for result in done.results] == ["http://127.0.0.1:1/?id=7"]


def test_teach_learns_from_a_saved_page(tmp_path: Path) -> None:
    """Pages as captured are pages like others."""
    sl.save(list_page(["Canon", "Nikon", "Pentax", "Leica"]), tmp_path / "x.page")
    found = _texts(tmp_path, taught(tmp_path, "x.page", "maker=Canon"), Path("x.page"))
    assert [record["maker"] for record in found] == ["Canon", "Nikon", "Pentax", "Leica"]


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ([], "There is no example"),
        (["name=x"], "name=x: this example has no page"),
        (["gone.html"], "gone.html: this page has no examples"),
        (["gone.html", "name=x", "gone2.html"], "gone2.html: this page has no examples"),
        (["gone.html", "name="], "the example is empty; give its text, or name!="),
        (["gone.html", "name=x", "name!=x"], "gone.html: name=x and name!=x contradict each other"),
        (["gone.html", "name=x", "name!="], "gone.html: name=x and name!= contradict each other"),
        (["gone.html", "name=x", "nmae!=y"], "there is no example of “nmae”"),
        (["gone.html", "name=x", "b.html", "a=1", "price!="], "the fields with examples are a, name"),
        (["gone.html", "a.b=x"], "A field cannot be called “a.b”"),
        (["gone.html", "items=x", "a=1", "b=2", "a=3", "b=4"], "The records of a page are called “items”"),
        (["--examples", "gone.jsonl"], "gone.jsonl: there is no such file; write one"),
        (["gone.html", "name=x", "--image", "x.jpg"], ".png"),
        ([CAMERAS, "name=Arden R50"], "Each source of a lesson must be one page"),
    ],
)
def test_teach_helps_newcomers(tmp_path: Path, words: list[str | Path], advice: str) -> None:
    """What cannot be is wrong usage, told in one line with what would be right; nothing is written."""
    done = refused(tmp_path, *words)
    assert done.status == 2
    assert advice in done.errors


def test_teach_wants_a_file_for_the_wrapper(tmp_path: Path) -> None:
    """Nobody waits for a wrapper that is kept nowhere."""
    for out in ([], ["-o", "x.csv"]):
        done = sightline("teach", "gone.html", "name=x", *out, folder=tmp_path)
        assert done.status == 2
        assert "shop.wrapper.json" in done.errors


def test_teach_says_that_one_of_many_was_taken(tmp_path: Path) -> None:
    """A field that takes the first of a list beside another field is suspicious, with a remark on what to do."""
    steps = "".join(f"<li>Do thing number {number}</li>" for number in range(6))
    (tmp_path / "soup.html").write_text(f"<h1>Soup</h1><h2>Method</h2><ol>{steps}</ol>", "utf-8")
    words = ("soup.html", "title=Soup", "step=Do thing number 0", "--static", "-o", "x.wrapper.json")
    done = sightline("teach", *words, folder=tmp_path)
    assert done.status == 3
    assert "1 record · suspicious" in done.output
    assert "“step” takes one of several that look alike" in done.errors
