"""`sightline play` plays a script, writes what it extracted, and says how it ended."""

import csv
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sightline as sl
from sightline.navigate import script_schema

from .._wait import wait_until
from ..navigate._site import Served, served
from ..navigate.play._sites import NAMES, pages_of, shop
from ._command import Outcome, environment
from ._inside import sightline

FAST = ("--delay", "0")


def written(folder: Path, site: Served, steps: str) -> str:
    """The file of a script."""
    text = f"navigation: 1\nvariables: {{site: {site.url}}}\nsteps:\n  - open: '{{site}}/'\n{steps}"
    (folder / "x.nav.yaml").write_text(text)
    return "x.nav.yaml"


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))


def test_play_writes_what_was_extracted(tmp_path: Path) -> None:
    """And a trace, if it is asked for."""
    with served(shop()) as site:
        file = written(tmp_path, site, "  - extract: lists\n")
        done = sightline("play", file, *FAST, "-o", "cameras.csv", "--trace", "trace", folder=tmp_path)
    assert done.status == 0, done.errors
    assert "6 records · 2 steps · ok" in done.output
    assert "Written: cameras.csv (6 records)" in done.errors
    assert [row["title"] for row in rows(tmp_path / "cameras.csv")] == [f"{name} 1" for name in NAMES]
    assert (tmp_path / "trace" / "index.html").exists()


def test_play_gives_each_output_a_file(tmp_path: Path) -> None:
    """Named like the output."""
    with served(shop()) as site:
        file = written(tmp_path, site, "  - extract: lists\n    as: a\n  - extract: content\n    as: b\n")
        sightline("play", file, *FAST, "-o", "x.csv", folder=tmp_path)
    assert len(rows(tmp_path / "x-a.csv")) == 6
    assert rows(tmp_path / "x-b.csv")[0] == {"kind": "h1", "words": "Cameras"}


@pytest.mark.slow
def test_play_plays_the_example_of_the_docs(tmp_path: Path) -> None:
    """All pages of a list, and the page of each record, without a wrapper."""
    docs = (Path(__file__).parents[2] / "docs" / "scripts.md").read_text("utf-8")
    [text] = [one for one in re.findall(r"^```yaml\n(.*?)^```", docs, re.DOTALL | re.MULTILINE) if "next pages:" in one]
    with served(shop(2)) as site:
        (tmp_path / "x.nav.yaml").write_text(text.replace("https://shop.example/cameras", f"{site.url}/"))
        done = sightline("play", "x.nav.yaml", *FAST, "-o", "x.csv", folder=tmp_path)
    assert done.status == 0, done.errors
    assert [row["name"] for row in rows(tmp_path / "x.csv")] == [f"{name} {page}" for page in (1, 2) for name in NAMES]
    assert [row["weight"] for row in rows(tmp_path / "x.csv")][:2] == ["600 g", "700 g"]


def test_play_writes_outputs_as_sheets(tmp_path: Path) -> None:
    """Of one workbook, each named like its output."""
    with served(shop()) as site:
        file = written(tmp_path, site, "  - extract: lists\n    as: cameras\n  - extract: content\n    as: texts\n")
        done = sightline("play", file, *FAST, "-o", "x.xlsx", folder=tmp_path)
    assert "Written: x.xlsx (cameras: 6 records, texts: " in done.errors
    import openpyxl

    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    assert book.sheetnames[1:] == ["cameras", "texts"]
    assert book["cameras"].max_row == 7
    assert [path.name for path in tmp_path.glob("*.xlsx")] == ["x.xlsx"]


def test_play_counts_one_thing_as_one(tmp_path: Path) -> None:
    """One step, and a sentence that is both the reason and a doubt, once."""
    with served(shop()) as site:
        done = sightline("play", written(tmp_path, site, "  - stop: enough\n"), *FAST, "--from", "1", folder=tmp_path)
        short = sightline("play", written(tmp_path, site, ""), *FAST, folder=tmp_path)
    assert done.errors.count("enough") == 1
    assert "nothing extracted · 1 step · ok" in short.output


def test_play_keeps_the_words_of_a_script(tmp_path: Path) -> None:
    """A variable or a key that has the name of a flag stays as it is written, also in the JSON document."""
    with served(shop()) as site:
        steps = f"  - open: {site.url}/\n  - stop: the `nodes` and `scroll`\n"
        (tmp_path / "x.nav.yaml").write_text(f"navigation: 1\nvariables: {{nodes: x}}\nsteps:\n{steps}")
        done = sightline("play", "x.nav.yaml", *FAST, folder=tmp_path)
        told = sightline("play", "x.nav.yaml", *FAST, "--json", folder=tmp_path)
    assert "Ended: the `nodes` and `scroll`." in done.errors
    assert json.loads(told.output)["results"][0]["records"]["why"] == "the `nodes` and `scroll`"


def checked(folder: Path, steps: str, *flags: str) -> Outcome:
    """What the check of a script says."""
    (folder / "x.nav.yaml").write_text(f"navigation: 1\nsteps:\n  - open: http://127.0.0.1:9\n{steps}")
    return sightline("play", "x.nav.yaml", "--check", *flags, folder=folder)


def test_play_checks_a_script_and_its_files(tmp_path: Path) -> None:
    """Without a browser: nothing listens at the address that the script opens."""
    page = sl.open(b"<h1>EOS 5D</h1><p>Price: <b>$500</b></p>", static=True)
    sl.teach(page).want("name", "EOS 5D").want("price", "$500").wrapper.save(tmp_path / "w.wrapper.json")
    good = checked(tmp_path, "  - for each: {wrapper: w.wrapper.json}\n    take: [name]\n    steps: [back]\n")
    assert (good.status, good.output) == (0, "x.nav.yaml · 2 steps · nothing is wrong\n")
    bad = checked(
        tmp_path,
        "  - for each: {wrapper: w.wrapper.json}\n    take: [nam]\n    steps:\n"
        "      - set: {price: {wrapper: w.wrapper.json, field: cost}}\n      - extract: {wrapper: none.wrapper.json}\n"
        "  - upload: Picture\n    files: none.png\n",
    )
    assert bad.status == 2
    told = bad.errors
    assert "x.nav.yaml, line 4: the wrapper w.wrapper.json has no field `nam`; it has `name`, `price`." in told
    assert "x.nav.yaml, line 7: the wrapper w.wrapper.json has no field `cost`" in told
    assert "line 8: " in told
    assert "none.wrapper.json: there is no such file" in told
    assert "line 9: there is no file" in told
    assert "none.png to upload" in told


def test_play_checks_as_json(tmp_path: Path) -> None:
    """All problems in one document."""
    done = checked(tmp_path, "  - extract: {wrapper: none.wrapper.json}\n", "--json")
    assert done.status == 2
    [problem] = json.loads(done.output)["problems"]
    assert problem.startswith("x.nav.yaml, line 4: ")


def test_play_as_json(tmp_path: Path) -> None:
    """One document, with how it ended."""
    with served(shop()) as site:
        file = written(tmp_path, site, "  - extract: lists\n  - stop: enough\n")
        done = sightline("play", file, *FAST, "--json", folder=tmp_path)
    [result] = json.loads(done.output)["results"]
    assert (result["kind"], result["verdict"], result["error"]) == ("records", "ok", None)
    told = result["records"]
    assert (told["ended"], told["why"], told["steps"]) == ("stop", "enough", 3)
    assert len(told["outputs"]["records"]["records"]) == len(told["records"]) == 6


@pytest.mark.slow
def test_play_keeps_what_is_there_when_a_step_fails(tmp_path: Path) -> None:
    """With the line and step that failed, and status 3."""
    with served(shop()) as site:
        file = written(tmp_path, site, "  - extract: lists\n  - click: {button: Sell}\n")
        done = sightline("play", file, *FAST, "-o", "x.csv", folder=tmp_path)
    assert done.status == 3
    assert "x.nav.yaml, line 6, step 3 (click button “Sell”): Button “Sell” is not on the page" in done.errors
    assert len(rows(tmp_path / "x.csv")) == 6


@pytest.mark.slow
def test_play_fails_if_there_is_nothing(tmp_path: Path) -> None:
    """With status 1, and no file."""
    with served(shop()) as site:
        done = sightline(
            "play", written(tmp_path, site, "  - click: {link: No}\n"), *FAST, "-o", "x.csv", folder=tmp_path
        )
    assert done.status == 1
    assert "Link “No” is not on the page" in done.errors
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.slow
def test_play_sets_variables_and_begins_later(tmp_path: Path) -> None:
    """As the flags say."""
    with served(shop()) as site, served(pages_of(home="<ul><li>a</li><li>b</li><li>c</li></ul>")) as other:
        file = written(tmp_path, site, "  - click: {link: No}\n  - extract: lists\n")
        done = sightline("play", file, *FAST, "--set", f"site={other.url}", "--from", "3", folder=tmp_path)
        assert "3 records" in done.output, done.errors
        assert not site.asked
        assert "no variable `shop`" in sightline("play", file, "--set", "shop=x", folder=tmp_path).errors
        assert "--set NAME=TEXT" in sightline("play", file, "--set", "shop", folder=tmp_path).errors


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.nav.yaml"], "none.nav.yaml could not be read"),
        (["bad.nav.yaml"], "bad.nav.yaml, line 3: there is no step `opn`; did you mean `open`?"),
        (["good.nav.yaml", "-o", "x.docx"], "x.docx"),
        (["bad.nav.yml"], "did you mean bad.nav.yaml?"),
        (["good.nav.yaml", "--from", "7"], "There is no step 7; the script has 1."),
        (["good.nav.yaml", "--from", "4.1"], "--from 4.1: begin at a whole step of the script, such as --from 4."),
        (["good.nav.yaml", "--from", "0"], "--from 0: begin at a whole step"),
        (
            ["secret.nav.yaml"],
            "secret.nav.yaml, line 5: the secret `password` is not there; set the environment variable",
        ),
        (["good.nav.yaml", "--trace", "."], "has other files in it"),
    ],
)
def test_play_says_what_is_wrong(tmp_path: Path, arguments: list[str], said: str) -> None:
    """In one sentence, before anything is opened."""
    (tmp_path / "bad.nav.yaml").write_text("navigation: 1\nsteps:\n  - opn: https://example.org\n")
    (tmp_path / "good.nav.yaml").write_text("navigation: 1\nsteps:\n  - open: http://127.0.0.1:9\n")
    (tmp_path / "secret.nav.yaml").write_text(
        "navigation: 1\nsecrets: {password: {environment: SIGHTLINE_TEST_NOWHERE}}\nsteps:\n"
        "  - open: http://127.0.0.1:9\n  - fill: Password\n    with: {secret: password}\n"
    )
    done = sightline("play", *arguments, folder=tmp_path)
    assert done.status == 2
    assert said in done.errors


def test_play_prints_the_schema(tmp_path: Path) -> None:
    """That the docs have."""
    schema = json.loads(sightline("play", "--schema", folder=tmp_path).output)
    assert schema == script_schema()
    assert json.loads((Path(__file__).parents[2] / "docs" / "navigation.schema.json").read_text()) == schema


@pytest.mark.slow
def test_play_keeps_what_is_there_when_it_is_interrupted(tmp_path: Path) -> None:
    """Ctrl-C ends it, and the records so far are written."""
    with served(shop()) as site:
        steps = "  - extract: lists\n  - click: {link: Kestrel 1}\n  - wait for: {button: Never}\n    seconds: 300\n"
        file = written(tmp_path, site, steps)
        command = [sys.executable, "-m", "sightline", "play", file, *FAST, "-o", "x.csv"]
        with subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True) as process:
            wait_until(lambda: "/camera/Kestrel1" in site.asked)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert re.search(r"^Interrupted after [23] steps; extracted until then: 6 records\.$", errors, re.MULTILINE)
    assert "source" not in errors
    assert len(rows(tmp_path / "x.csv")) == 6


def test_code_exports_a_script(tmp_path: Path) -> None:
    """For Playwright, and for nothing else."""
    (tmp_path / "x.nav.yaml").write_text("navigation: 1\nsteps:\n  - open: https://example.org\n")
    done = sightline("code", "x.nav.yaml", "--for", "playwright", "-o", "x.py", folder=tmp_path)
    assert done.status == 0, done.errors
    compile((tmp_path / "x.py").read_text(), "x.py", "exec")
    assert "playwright only" in sightline("code", "x.nav.yaml", "--for", "scrapy", folder=tmp_path).errors
    assert "is a wrapper" in sightline("code", "x.json", "--for", "playwright", folder=tmp_path).errors


def test_play_tells_what_was_downloaded(tmp_path: Path) -> None:
    """By the name that the site gives it, for the stored file has none."""
    link = "<a href='data:text/csv,a' download='report.csv'>Report</a>"
    with served(pages_of(home=link)) as site:
        file = written(tmp_path, site, "  - download: Report\n")
        done = sightline("play", file, *FAST, "--downloads", "stored", "--json", folder=tmp_path)
    assert done.status == 0, done.errors
    assert "Downloaded: report.csv, stored as " in done.errors
    [stored] = json.loads(done.output)["results"][0]["records"]["downloads"]
    assert (stored["name"], Path(stored["path"]).read_text()) == ("report.csv", "a")
