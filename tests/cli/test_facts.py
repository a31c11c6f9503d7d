"""`sightline facts`: a readable table, one JSON document, files, and what is said about pages that fail."""

import csv
import gzip
import json
from pathlib import Path

import pyarrow.parquet
import pytest

from ._inside import sightline

WEIGHTS = {"a": "675 g", "b": "0.675 kg", "c": "657 g"}


def _html(host: str, weight: str) -> str:
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>EOS 5D</title><h1>EOS 5D</h1><table><tr><th>Weight"
        f"<td>{weight}<tr><th>Mount<td>EF</table><p>The team of {host.upper()}"
    )


def _record(address: str, html: str) -> bytes:
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}".encode()
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {address}\r\nContent-Length: {len(body)}\r\n\r\n"
    return gzip.compress(head.encode() + body + b"\r\n\r\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a crawl: two archives with the pages of three sites."""
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    records = [_record(f"https://{host}.example/5d", _html(host, weight)) for host, weight in WEIGHTS.items()]
    (crawl / "1.warc.gz").write_bytes(b"".join(records[:2]))
    (crawl / "2.warc.gz").write_bytes(records[2])
    (crawl / "state.sqlite").write_bytes(b"not a page")
    return tmp_path


def test_facts_prints_consensus_support_and_conflicts(folder: Path) -> None:
    """One line a fact, the subject once, and a summary with the verdict."""
    done = sightline("facts", "crawl", "--static", folder=folder)
    assert (done.status, done.errors) == (0, "")
    lines = [line.split() for line in done.output.splitlines()]
    assert lines[1] == ["EOS", "5D", "Mount", "EF", "3", "of", "3", "sites"]
    assert lines[2] == ["Weight", "675", "g", "2", "of", "3", "sites", "657", "g", "(1)"]
    assert done.output.endswith("2 facts of 3 pages, 3 sites · 1 with conflicts · 0 suspicious · ok\n")


def test_facts_prints_one_json_document(folder: Path) -> None:
    """All facts of all sources in one result, with the sites that said them."""
    done = sightline("facts", "crawl", "--static", "--json", folder=folder)
    (result,) = done.results
    assert list(result) == ["source", "kind", "verdict", "facts", "error"]
    assert (result["source"], result["kind"], result["verdict"]) == ("crawl", "facts", "ok")
    weight = result["facts"]["facts"][1]
    assert (weight["value"], weight["number"], weight["unit"], weight["sites"], weight["of"]) == (
        "675 g",
        675,
        "g",
        2,
        3,
    )
    assert weight["conflicts"] == [{"value": "657 g", "sites": 1, "pages": 1}]
    assert "values" not in weight
    assert [site["site"] for site in result["facts"]["sites"]] == ["a.example", "b.example", "c.example"]


def test_facts_tells_where_each_value_was_seen(folder: Path) -> None:
    """`--origins` adds the address, page id, XPath and box of every value; without a browser there is no box."""
    done = sightline("facts", "crawl", "--static", "--json", "--origins", folder=folder)
    values = done.results[0]["facts"]["facts"][1]["values"]
    assert [value["value"] for value in values] == ["675 g", "657 g"]
    (place,) = values[1]["origins"]
    assert place["address"] == "https://c.example/5d"
    assert place["xpath"].endswith("/tr[1]/td[1]")
    assert len(place["page"]) > 10
    assert place["box"] is None


def test_facts_shows_only_what_is_asked_for(folder: Path) -> None:
    """`--conflicts`, `--containing` and `--subject` choose; the summary counts everything."""
    conflicts = sightline("facts", "crawl", "--static", "--conflicts", folder=folder)
    assert "Mount" not in conflicts.output
    assert "2 facts of 3 pages, 3 sites · 1 with conflicts · 0 suspicious · 1 shown · ok" in conflicts.output
    assert "Weight" not in sightline("facts", "crawl", "--static", "--containing", "ef", folder=folder).output
    found = sightline("facts", "crawl", "--static", "--subject", "eos5d", "--json", folder=folder)
    assert len(found.results[0]["facts"]["facts"]) == 2
    nothing = sightline("facts", "crawl", "--static", "--subject", "EOS 50D", "--json", folder=folder)
    assert nothing.results[0]["facts"]["facts"] == []


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "xml", "xlsx", "parquet", "html"])
def test_facts_writes_every_format(folder: Path, suffix: str) -> None:
    """One row a fact in the format of the suffix."""
    path = folder / f"facts.{suffix}"
    done = sightline("facts", "crawl", "--static", "-o", path.name, folder=folder)
    assert done.status == 0
    assert done.errors == f"Written: facts.{suffix} (2 facts)\n"
    content = path.read_bytes()
    if suffix == "parquet":
        assert pyarrow.parquet.read_table(path).to_pylist()[1]["value"] == "675 g"
    elif suffix == "csv":
        assert list(csv.DictReader(content.decode().splitlines()))[1]["conflicts"] == "657 g (1 site)"
    elif suffix == "json":
        assert json.loads(content)["facts"][1]["value"] == "675 g"
    elif suffix != "xlsx":
        assert b"675 g" in content


def test_facts_reports_a_page_that_fails(folder: Path) -> None:
    """It has its own result and its line on standard error, the others are read, and the exit status is 1."""
    (folder / "crawl" / "3.warc.gz").write_bytes(b"\x1f\x8bdamaged")
    done = sightline("facts", "crawl", "gone.html", "--static", "--json", folder=folder)
    assert done.status == 1
    whole, *failed = done.results
    assert (whole["verdict"], whole["facts"]["pages"]) == ("suspicious", 3)
    assert [result["verdict"] for result in failed] == ["failed", "failed"]
    assert "gone.html" in done.errors


def test_facts_exits_with_3_where_no_value_is_ahead(folder: Path) -> None:
    """A tie is said, not broken: no consensus, both values among the conflicts."""
    (folder / "crawl" / "1.warc.gz").write_bytes(_record("https://a.example/5d", _html("a", "675 g")))
    done = sightline("facts", "crawl", "--static", folder=folder)
    assert done.status == 3
    assert "no consensus" in done.output
    assert "1 suspicious · suspicious" in done.output


def test_facts_of_pages_without_tables_says_what_to_try(folder: Path) -> None:
    """Nothing found is not an error, and no empty file is written."""
    (folder / "prose.html").write_text("<p>Nothing but prose.")
    done = sightline("facts", "prose.html", "--static", "-o", "facts.csv", folder=folder)
    assert done.status == 0
    assert "no fact found" in done.errors
    assert "Nothing was written to facts.csv." in done.errors
    assert not (folder / "facts.csv").exists()


def test_facts_rejects_a_wrong_suffix_before_reading(folder: Path) -> None:
    """Wrong usage has status 2 and names the suffixes."""
    done = sightline("facts", "crawl", "-o", "facts.doc", folder=folder)
    assert done.status == 2
    assert ".parquet" in done.errors


def test_facts_takes_no_orders_from_pages(folder: Path) -> None:
    """Names and values of strangers cannot control the terminal."""
    (folder / "bad.html").write_text(_html("a", "\x1b[31m5 g") + "<table><tr><th>x<td>[bold]</table>")
    assert "\x1b" not in sightline("facts", "bad.html", "--static", folder=folder).output


def test_facts_speaks_of_flags(folder: Path) -> None:
    """A value that a setting does not take is refused in the name of its flag, before any page is read."""
    assert "'--weighing': 'foo' is not one of" in sightline("facts", "crawl", "--weighing", "foo", folder=folder).errors
    done = sightline("facts", "crawl", "--delay", "nan", folder=folder)
    assert (done.status, "--delay must be a number, not nan" in done.errors) == (2, True)


def test_facts_checks_where_to_write_before_it_reads(folder: Path) -> None:
    """A folder that is not there is told at once."""
    done = sightline("facts", "crawl", "--static", "-o", "gone/facts.csv", folder=folder)
    assert (done.status, done.output) == (2, "")
    assert "gone/facts.csv: there is no folder gone; create it first" in done.errors


def test_facts_proposes_another_subject(folder: Path) -> None:
    """Where nothing is said about a subject, the closest one is named, or else some of those that there are."""
    close = sightline("facts", "crawl", "--static", "--subject", "EOS 50", folder=folder)
    assert "No fact is about “EOS 50”; did you mean “EOS 5D”?" in close.errors
    far = sightline("facts", "crawl", "--static", "--subject", "nosuch", "--json", folder=folder)
    assert "No fact is about “nosuch”; there is 1 subject: “EOS 5D”." in far.errors
    assert far.results[0]["facts"]["facts"] == []
    assert sightline("facts", "crawl", "--static", "--subject", "eos5d", folder=folder).errors == ""
