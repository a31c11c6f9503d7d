"""`sightline content`: the main text for people, Markdown, JSON for programs, files of every format, and a picture."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer
from PIL import Image

import sightline as sl
from sightline.checks import CheckSettings, ExtractedNodes, Outliers, OutlierSettings, find_outliers
from sightline.cli import program
from sightline.cli._sources import LOADING
from sightline.extract.content import ContentSettings
from sightline.settings import describe

from ._inside import sightline

HEAD = "<!doctype html><html lang=en><meta charset=utf-8><style>body{margin:0;font:16px serif}main{width:640px}</style>"
MENU = "<nav><a href=/>Home</a> <a href=/n>News</a> <a href=/c>Contact</a></nav>"
LOUD = "<p style='font:bold 26px sans-serif;color:#c00;background:#ff0'>Buy honey now and save 50 percent!"
BEES = f"""{HEAD}<title>How bees dance | The Hive</title>{MENU}<main><article><h1>How bees dance</h1>
<p class=byline>By <a rel=author href=/a>Ann Field</a></p><time datetime=2024-05-03>3 May 2024</time>
<p>Bees dance to tell the others in the hive where the flowers are, how far away they stand and how rich they are.</p>
<h2>The round dance</h2>
<p>When the flowers are near, a bee runs in small circles, now to the left and now to the right, and others follow.</p>
{LOUD}<ul><li>She carries the scent of the flower on her [bold] hairs.
<li>She stops now and then to hand out a little nectar.</ul>
<p>When they are far away, she walks straight ahead and shakes her body, and the angle of her walk tells the way.</p>
<blockquote>No other animal but man is known to speak of things that are not there.</blockquote>
</article></main><footer>Imprint · All rights reserved · Privacy</footer>"""
ANTS = f"""{HEAD}<title>Ants</title>{MENU}<main><article><h1>Ants</h1>
<p>Ants follow the scent that others have left on the ground, and the shortest way smells most after some time.</p>
<p>Nobody leads them, and still they find it, since whoever walks the short way is back sooner and leaves more.</p>
</article></main>"""
COMMENTED = ANTS.replace(
    "</main>",
    "</main><section id=comments class=comments><h2>1 comment</h2><div class=comment><div class=comment-content>"
    "<p>Ours have found the sugar on the highest shelf.</p></div><a href=#>Reply</a></div></section>",
)
SILENT = f"{HEAD}<title>Silence</title><meta name=description content='A page about silence.'><div></div>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two articles, a page without any text and one that only speaks of itself; the first also as it is rendered."""
    made = tmp_path_factory.mktemp("content")
    pages = {"bees": BEES, "ants": ANTS, "commented": COMMENTED, "silent": SILENT, "empty": "<!doctype html><p>"}
    for name, text in pages.items():
        (made / f"{name}.html").write_text(text, encoding="utf-8")
    sl.save(sl.open(made / "bees.html"), made / "bees.page")
    sl.save(sl.open(made / "bees.html", static=True), made / "static.page")
    return made


def test_content_prints_comments_on_demand(folder: Path) -> None:
    """What readers say is not part of the text; with `--comments` it follows, and `.jsonl` files have it, too."""
    plain = sightline("content", "commented.html", "--static", folder=folder)
    assert "sugar" not in plain.output
    done = sightline("content", "commented.html", "--static", "--comments", folder=folder)
    assert done.output.startswith(plain.output)
    assert done.output[len(plain.output) :].split("\n") == [
        "",
        "1 comment",
        "",
        "Ours have found the sugar on the highest shelf.",
        "",
    ]
    sightline("content", "commented.html", "--static", "--comments", "-o", "commented.jsonl", folder=folder)
    line = json.loads((folder / "commented.jsonl").read_text("utf-8"))
    assert line["comments"] == ["Ours have found the sugar on the highest shelf."]


def test_content_prints_what_a_reader_came_for(folder: Path) -> None:
    """Title, byline and date, then the text; headings, items and quotations can be told apart, menus are gone."""
    done = sightline("content", "bees.html", "--static", folder=folder)
    assert (done.status, done.errors) == (0, "")
    lines = [line.rstrip() for line in done.output.splitlines()]
    assert lines[:4] == ["bees.html", "How bees dance", "Ann Field · 2024-05-03", ""]
    assert lines.count("How bees dance") == 1
    assert "• She carries the scent of the flower on her [bold] hairs." in lines
    first = lines.index("• She stops now and then to hand out a little nectar.")
    assert lines[first - 1].startswith("• ")
    assert any(line.startswith("│ No other animal") for line in lines)
    assert max(map(len, lines)) <= 100
    assert "Imprint" not in done.output
    assert "Contact" not in done.output


def test_content_prints_markdown(folder: Path) -> None:
    """`--markdown` marks what is what, and breaks no line."""
    done = sightline("content", "bees.html", "--static", "--markdown", folder=folder)
    assert done.output.startswith("# How bees dance\n\n")
    assert "\n## The round dance\n" in done.output
    assert "\n- She stops now" in done.output
    assert "\n> No other animal" in done.output
    assert max(map(len, done.output.splitlines())) > 100


def test_content_keeps_the_json_contract(folder: Path) -> None:
    """One result a source, each with exactly the promised names; every node has its XPath and box."""
    done = sightline("content", "bees.page", "empty.html", "gone.html", "--static", "--json", folder=folder)
    assert done.status == 1
    assert [list(result) for result in done.results] == [["source", "kind", "verdict", "content", "error"]] * 3
    assert [result["kind"] for result in done.results] == ["content"] * 3
    assert [result["verdict"] for result in done.results] == ["ok", "suspicious", "failed"]
    bees, empty, gone = (result["content"] for result in done.results)
    about = {"title", "byline", "authors", "date"}
    assert set(bees) == set(empty) == {"text", "nodes", *about, "score", "page_kind", "comments"}
    assert gone is None
    assert (bees["title"], bees["byline"], bees["date"]) == ("How bees dance", "Ann Field", "2024-05-03")
    assert bees["authors"] == ["Ann Field"]
    assert bees["text"] == "\n".join(node["text"] for node in bees["nodes"])
    assert 0 < bees["score"] <= 1
    page = sl.open(folder / "bees.page")
    for node in bees["nodes"]:
        assert set(node) == {"xpath", "text", "box", "kind"}
        assert page.find(node["xpath"]) is not None
        assert node["box"][2] > node["box"][0]
    assert (empty["text"], empty["nodes"], empty["score"]) == ("", [], 0)


def test_content_tells_where_the_title_stands(folder: Path) -> None:
    """`--origins` adds the places of title, byline and date."""
    done = sightline("content", "bees.page", "--json", "--origins", folder=folder)
    title = done.results[0]["content"]["title"]
    assert (title["text"], title["xpath"][-6:]) == ("How bees dance", "/h1[1]")
    assert title["box"]


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["empty.html", "--static"], "the page has no text; if its scripts create it, use a browser"),
        (["silent.html", "--static"], "the page shows no text; this is its own description"),
        (["empty.html", "--static", "--by", "trafilatura"], "trafilatura found no text; leave out --by"),
    ],
)
def test_content_doubts_a_page_without_text(folder: Path, arguments: list[str], advice: str) -> None:
    """The status is 3, and standard error says why and what to try."""
    done = sightline("content", *arguments, folder=folder)
    assert done.status == 3
    assert advice in done.errors


def test_content_is_found_by_others_too(folder: Path) -> None:
    """`--by` asks another extractor, and its text is led back to nodes; our own has a name as well."""
    named = {
        name: sightline("content", "bees.page", "--json", "--by", name, folder=folder).results[0]["content"]
        for name in ("sightline", "readability")
    }
    plain = sightline("content", "bees.page", "--json", folder=folder).results[0]["content"]
    assert named["sightline"] == plain
    assert "shakes her body" in named["readability"]["text"]
    assert all(node["xpath"] for node in named["readability"]["nodes"])


@pytest.mark.parametrize("suffix", ["txt", "md", "json", "jsonl", "csv", "xml", "xlsx", "parquet", "html"])
def test_content_writes_all_pages_into_one_file(folder: Path, tmp_path: Path, suffix: str) -> None:
    """Whatever the format, one file has the texts of all pages."""
    out = tmp_path / f"x.{suffix}"
    done = sightline("content", "bees.html", "ants.html", "--static", "-o", out, folder=folder)
    assert (done.status, done.output) == (0, "")
    assert done.errors.replace("\n", "").startswith(f"Written: {out} (")
    assert "parts of 2 pages" in done.errors
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_content_files_say_which_page_a_text_is_of(folder: Path, tmp_path: Path) -> None:
    """Rows have a column for it, texts a line above them; a single page needs none."""

    def written(suffix: str, *sources: str) -> str:
        out = tmp_path / f"x.{suffix}"
        sightline("content", *sources, "--static", "--origins", "-o", out, folder=folder)
        return out.read_text("utf-8")

    both = ("bees.html", "ants.html")
    rows = list(csv.reader(written("csv", *both).splitlines()))
    assert rows[0] == ["source", "kind", "words"]
    assert [row[0] for row in rows[1:]] == sorted((row[0] for row in rows[1:]), reverse=True)
    assert {row[0] for row in rows[1:]} == set(both)
    assert written("csv", "ants.html").splitlines()[0] == "kind,words"
    text = written("txt", *both)
    assert text.startswith("==> bees.html <==\n\nHow bees dance\n")
    assert "\n\n==> ants.html <==\n\nAnts" in text
    assert written("txt", "ants.html").startswith("Ants")
    assert written("md", *both).startswith("# bees.html\n\n# How bees dance\n")
    documents = json.loads(written("json", *both))
    assert [document["source"] for document in documents] == list(both)
    assert any(node["xpath"].endswith("/p[1]") for node in documents[1]["nodes"])
    (line,) = written("jsonl", "ants.html").splitlines()
    assert any(node["xpath"].endswith("/p[1]") for node in json.loads(line)["nodes"])
    assert len(ElementTree.fromstring(written("xml", "ants.html"))) == len(documents[1]["nodes"])


def test_content_writes_a_document_a_line(folder: Path, tmp_path: Path) -> None:
    """Every source has a line with all that is known of it, also without a text; with `--markdown` it is Markdown."""
    out = tmp_path / "x.jsonl"

    def documents(*flags: str) -> list[dict[str, object]]:
        sightline("content", "bees.html", "empty.html", "--static", *flags, "-o", out, folder=folder)
        return [json.loads(line) for line in out.read_text("utf-8").splitlines()]

    bees, empty = documents()
    assert list(bees) == ["source", "title", "author", "date", "address", "language", "text", "verdict"]
    assert (bees["source"], bees["title"], bees["author"], bees["date"]) == (
        *("bees.html", "How bees dance", "Ann Field", "2024-05-03"),
    )
    assert (bees["address"], bees["language"], bees["verdict"]) == (None, "en", "ok")
    assert "Bees dance to tell" in str(bees["text"])
    assert (empty["source"], empty["text"], empty["verdict"]) == ("empty.html", "", "suspicious")
    assert str(documents("--markdown")[0]["text"]).startswith("# How bees dance\n\n")


def test_content_writes_front_matter_and_images(folder: Path, tmp_path: Path) -> None:
    """Both are for Markdown, printed or in files; several pages then need no other heading."""
    (folder / "seen.html").write_text(ANTS.replace("<p>Ants", "<img src=https://x.org/ant.png alt=Ant><p>Ants"))
    flags = ["--static", "--front-matter", "--with-images"]
    done = sightline("content", "seen.html", *flags, "--markdown", folder=folder)
    assert done.output.startswith('---\ntitle: "Ants"\nlanguage: "en"\n---\n\n')
    assert "\n\n![Ant](https://x.org/ant.png)\n" in done.output
    out = tmp_path / "x.md"
    sightline("content", "bees.html", "ants.html", *flags, "-o", out, folder=folder)
    assert out.read_text("utf-8").startswith('---\ntitle: "How bees dance"\nauthor: "Ann Field"\n')
    assert '\n---\ntitle: "Ants"\n' in out.read_text("utf-8")


def test_content_prints_code_as_it_is(folder: Path) -> None:
    """Blanks in code are kept; a tabulator, which a terminal would draw as it likes, becomes blanks."""
    code = "\tway  = shortest  # of all the ways that the ants have found, the one that smells most"
    (folder / "code.html").write_text(ANTS.replace("<p>Nobody", f"<pre>{code}</pre><p>Nobody"), encoding="utf-8")
    done = sightline("content", "code.html", "--static", "--markdown", folder=folder)
    assert "```\n    way  = shortest  # of" in done.output


def test_content_writes_nothing_when_there_is_none(folder: Path, tmp_path: Path) -> None:
    """A file without a text would look like a result."""
    out = tmp_path / "x.txt"
    done = sightline("content", "empty.html", "--static", "-o", out, folder=folder)
    assert done.status == 3
    assert "Nothing was written to" in done.errors
    assert not out.exists()


def _by_style(seen: Sequence[ExtractedNodes], _: OutlierSettings | None = None) -> Outliers:
    return find_outliers(seen, OutlierSettings(method="hbos"))


def test_content_leaves_out_what_looks_unlike_the_rest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--clean` takes away the loud part and nothing else, and says so."""
    whole = sightline("content", "bees.page", "--json", folder=folder).results[0]["content"]
    monkeypatch.setattr("sightline.extract.content._find.find_outliers", _by_style)
    done = sightline("content", "bees.page", "--clean", "--json", folder=folder)
    clean = done.results[0]["content"]
    assert [node for node in whole["nodes"] if node not in clean["nodes"]] == [
        node for node in whole["nodes"] if node["text"].startswith("Buy honey")
    ]
    assert clean["title"] == whole["title"]
    assert "bees.page: 1 part that looks unlike the rest left out." in done.errors


def test_content_cannot_clean_what_has_no_layout(folder: Path) -> None:
    """It is said before a page is opened, or of a page that was saved without one."""
    done = sightline("content", "bees.html", "--clean", "--static", folder=folder)
    assert done.status == 2
    assert "leave out --static" in done.errors
    done = sightline("content", "static.page", "--clean", folder=folder)
    assert done.status == 0
    assert "it has no layout" in done.errors
    assert "Buy honey" in done.output


def test_content_draws_a_picture(folder: Path, tmp_path: Path) -> None:
    """`--image` frames every part in the colour of its kind."""
    done = sightline("content", "bees.page", "--image", tmp_path / "x.png", folder=folder)
    assert done.status == 0
    assert "Picture: " in done.errors
    with Image.open(tmp_path / "x.png") as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    assert {(213, 94, 0), (0, 114, 178), (0, 158, 115), (204, 121, 167)} <= colours


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["-o", "x.pdf"], ".txt"),
        (["--image", "x.jpg"], ".png"),
        (["ants.html", "--image", "x.png"], "one source at a time"),
        (["--by", "nonsense"], "trafilatura"),
        (["--with-images"], "--markdown"),
        (["--front-matter", "-o", "x.txt"], "--markdown"),
    ],
)
def test_content_refuses_what_cannot_be_before_opening_anything(
    folder: Path, arguments: list[str], advice: str
) -> None:
    """A wrong name is told at once in one line, with what would be right."""
    done = sightline("content", "gone.html", *arguments, folder=folder)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1


def test_content_makes_pages_harmless(folder: Path) -> None:
    """What a terminal would obey is not printed, whichever way the text is."""
    (folder / "wild.html").write_text(ANTS.replace("Nobody", "No\x1b[31mbody"), encoding="utf-8")
    for flags in ([], ["--markdown"]):
        done = sightline("content", "wild.html", "--static", *flags, folder=folder)
        assert "body leads them" in done.output
        assert "\x1b" not in done.output


@pytest.mark.parametrize(
    ("command", "kinds"),
    [("content", [ContentSettings]), ("check", [CheckSettings, OutlierSettings])],
)
def test_documentation_has_the_flags(command: str, kinds: list[type]) -> None:
    """The sections have every flag that the commands have beyond those of all, and the defaults as they are."""
    text = (Path(__file__).parent.parent.parent / "docs" / "cli.md").read_text("utf-8")
    section = text.split(f"\n## `{command}`\n")[1].split("\n## ")[0]
    common = {f"--{declared.name.replace('_', '-')}" for one in LOADING.values() for declared in describe(one)}
    own = typer.main.get_command(program([command])).commands[command]  # type: ignore[attr-defined]
    flags = {name for parameter in own.params for name in parameter.opts if name.startswith("--")}
    assert {flag for flag in flags - common - {"--help", "--help-all"} if f"`{flag}" not in section} == set()
    assert common - {"--static"} <= flags
    for declared in (declared for kind in kinds for declared in describe(kind)):
        if type(declared.default) in (int, float):
            line = next(line for line in section.splitlines() if f"| `--{declared.name.replace('_', '-')}`" in line)
            assert f"({declared.default:g})" in line


def test_content_writes_a_text_each_to_a_folder(folder: Path) -> None:
    """In a folder every page is a Markdown file named by its source."""
    (folder / "texts").mkdir()
    sightline("content", "bees.page", "ants.html", "--static", "--front-matter", "-o", "texts", folder=folder)
    written = sorted((folder / "texts").iterdir())
    assert [path.name for path in written] == ["ants.md", "bees.md"]
    assert all(path.read_text("utf-8").startswith("---\n") for path in written)
