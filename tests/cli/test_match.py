"""`sightline match` and `sightline review`: tables in, pairs out, and a person asked about the doubtful ones."""

import csv
import json
from pathlib import Path

import pytest

from ._inside import sightline

CATALOGUE = """id,name
1,Sony Cyber-shot DSC-W150 digital camera black
2,Sony Cyber-shot DSC-W150 digital camera silver
3,Panasonic KX-TG9343T cordless phone
4,Canon EOS 5D Mark II body
"""
SHOP = """id,name
a,Panasonic cordless phone KXTG9343T
b,Sony W150 camera
c,Garden hose
"""


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    """A shop's table, and a catalogue."""
    left, right = tmp_path / "shop.csv", tmp_path / "catalogue.csv"
    left.write_text(SHOP)
    right.write_text(CATALOGUE)
    return left, right


def test_pairs_are_written_and_counted(tables: tuple[Path, Path], tmp_path: Path) -> None:
    """The file has a row for each pair and for each new record; a summary is printed."""
    done = sightline("match", *tables, "-o", tmp_path / "pairs.csv")
    assert done.status == 0, done.errors
    with (tmp_path / "pairs.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == ["left", "right", "score", "zone"]
    assert {row["left"]: row["right"] for row in rows if row["zone"] == "matched"}["a"] == "3"
    assert "matched ·" in done.output


def test_json_has_texts_and_reasons(tables: tuple[Path, Path]) -> None:
    """One document, with what the columns were taken for."""
    document = json.loads(sightline("match", *tables, "--json").output)
    found = document["results"][0]["matches"]
    pair = next(pair for pair in found["pairs"] if pair["left"] == "a")
    assert (pair["right"], pair["zone"]) == ("3", "matched")
    assert "for: they share a model number" in pair["why"]
    assert found["columns"]["left"] == {"name": "name"}


def test_answers_are_kept_and_used(tables: tuple[Path, Path], tmp_path: Path) -> None:
    """A pair called the same in review is matched from then on, and not asked about again."""
    kept, asking = tmp_path / "decisions.jsonl", ("--matched", "0.999", "--review-share", "1", "--decisions")
    first = sightline("review", *tables, *asking, kept, stdin=b"y\nx\nq\n")
    assert first.status == 0, first.errors
    assert "1 decision kept" in first.output
    assert "Answer y (the same)" in first.errors
    said = json.loads(kept.read_text())
    pairs = json.loads(sightline("match", *tables, "--decisions", kept, "--json").output)["results"][0]["matches"]
    decided = [pair for pair in pairs["pairs"] if pair["why"] == ["a person decided it"]]
    assert [(pair["left_text"], pair["right_text"], pair["zone"]) for pair in decided] == [
        (said["left"], said["right"], "matched")
    ]
    again = sightline("review", *tables, *asking, kept, stdin=b"q\n")
    assert said["right"] not in " ".join(again.output.split()) or said["left"] not in again.output


def test_an_answer_is_taken_back(tables: tuple[Path, Path], tmp_path: Path) -> None:
    """After u, the last answer is gone and its pair is asked about again; the end of input stops the review."""
    kept = tmp_path / "decisions.jsonl"
    asking = ("--matched", "0.999", "--review-share", "1", "--decisions", kept)
    done = sightline("review", *tables, *asking, stdin=b"u\nn\nu\nq\n")
    assert done.status == 0, done.errors
    assert "There is no answer to take back." in done.errors
    assert kept.read_text() == ""
    assert sightline("review", *tables, *asking, stdin=b"").status == 0


def test_nothing_to_review_is_said(tables: tuple[Path, Path], tmp_path: Path) -> None:
    """Where no pair is doubtful, nobody is asked."""
    done = sightline("review", *tables, "--review", "1", "--decisions", tmp_path / "decisions.jsonl")
    assert (done.status, done.output.strip()) == (0, "There is nothing to review.")


def test_a_missing_table_is_one_sentence(tmp_path: Path) -> None:
    """What cannot be read, and what to do."""
    done = sightline("match", tmp_path / "no.csv", tmp_path / "none.csv")
    assert done.status == 1
    assert "no.csv: cannot be read" in done.errors


def test_decisions_that_do_not_exist_are_told(tables: tuple[Path, Path], tmp_path: Path) -> None:
    """A wrong name must not look as if nothing had been decided."""
    done = sightline("match", *tables, "--decisions", tmp_path / "no.jsonl")
    assert done.status == 2
    assert "`sightline review` writes one" in " ".join(done.errors.split())
