"""What is known of each kind of target before anything is opened."""

import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from sightline.errors import UsageError
from sightline.flow.deliver import (
    TARGET_KINDS,
    KindName,
    NoOptions,
    PostOptions,
    XmlOptions,
    check_delivery,
    target_kind,
)

ROOT = Path(__file__).parents[3]


def test_every_kind_is_listed_and_found_by_its_form() -> None:
    """The example of each kind is of that kind; names and lines of description are there once."""
    assert [target_kind(kind.form) for kind in TARGET_KINDS] == list(TARGET_KINDS)
    assert {kind.name for kind in TARGET_KINDS} == set(get_args(KindName))
    assert len({kind.summary for kind in TARGET_KINDS}) == len(TARGET_KINDS)


@pytest.mark.parametrize("kind", TARGET_KINDS, ids=lambda kind: kind.name)
def test_every_kind_and_option_is_documented(kind: Any) -> None:
    """docs/delivery.md shows the form of each kind, and each option as code."""
    page = (ROOT / "docs/delivery.md").read_text("utf-8")
    assert f"`{kind.form}`" in page
    for option in fields(kind.options):
        assert f"`{option.name}`" in page
        assert option.metadata["help"]


def test_delivery_is_checked_without_opening_anything(tmp_path: Path) -> None:
    """The options come back with their defaults, and neither file nor folder is made."""
    state = str(tmp_path / "state")
    found = check_delivery("https://shop.example/a", mode="append", options={"state": state, "part_rows": 7})
    assert found == PostOptions(state=state, part_rows=7)
    schema = {"schema": str(tmp_path / "none.xsd"), "element": "a/b"}
    assert isinstance(check_delivery(str(tmp_path / "a.xml"), mode="replace", options=schema), XmlOptions)
    assert check_delivery(f"delta:{tmp_path}/a", mode="upsert", key=["id"]) == NoOptions()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "wanted", "problem"),
    [
        (
            "prices.csv",
            {"mode": "append"},
            "'append' is not for a CSV file in UTF-8; use 'replace', or `parquet:folder/`",
        ),
        ("parquet:a/", {"mode": "upsert", "key": ["id"]}, "use 'append' or 'replace', or a table of a database"),
        ("https://a.example", {"mode": "replace"}, "'replace' is not for a web address .*; use 'append'"),
        ("a.duckdb#t", {"mode": "apend"}, "There is no mode 'apend'"),
        ("a.duckdb#t", {"mode": "upsert"}, "needs a key"),
        ("a.duckdb#t", {"mode": "append", "options": {"schema": "a"}}, "has no option 'schema'; it takes none"),
        ("a.xml", {"mode": "replace", "options": {"elment": "a"}}, "did you mean 'element'"),
        ("a.xml", {"mode": "replace", "options": PostOptions(state="a")}, "takes XmlOptions, not PostOptions"),
        ("a.xml", {"mode": "replace", "options": {"columns": ["id"]}}, "must map names to paths"),
        ("https://a.example", {"mode": "append", "options": {"state": "a", "part_rows": 0}}, "part_rows .* at least 1"),
        (
            "https://a.example",
            {"mode": "append", "options": {"state": "a", "headers": ["a"]}},
            "must map names to texts",
        ),
        (
            "https://a.example",
            {"mode": "append", "options": {"state": "a", "headers": {"A": 1}}},
            "put its value in quotes",
        ),
    ],
)
def test_what_cannot_be_meant_is_told(target: str, wanted: dict[str, Any], problem: str) -> None:
    """One sentence with what to write instead."""
    with pytest.raises(UsageError, match=problem):
        check_delivery(target, **wanted)


# Each target without its package in a process of its own, all of which share what was imported before.
WITHOUT = """
import os, sys
from sightline.errors import MissingExtra
from sightline.flow.deliver import check_delivery, deliver
import pyarrow as pa
for case in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    missing, target, mode = case.split()
    assert missing not in sys.modules
    sys.modules[missing] = None
    options = {"schema": "a.xsd", "element": "a/b"} if ".xml" in target else {}
    options |= {"state": "s"} if "soap" in target else {}
    check_delivery(target, mode=mode, options=options)
    try:
        deliver([pa.record_batch({"id": [1]})], target, load="a", mode=mode, options=options)
    except MissingExtra as problem:
        print(missing, problem.extra, flush=True)
    os._exit(0)
"""
OF_EXTRAS = {
    "deltalake delta:a/ append": "delta",
    "zeep soap:a.wsdl#A.b.c append": "soap",
    "sqlalchemy sqlalchemy:sqlite:///a.db#t append": "flow",
    "sqlalchemy a.duckdb#t append": "flow",
    "sqlalchemy postgresql://h/db#t append": "flow",
    "psycopg postgresql://h/db#t append": "postgres",
    "lxml a.xml replace": "xml",
    "xlsxwriter a.xlsx replace": "excel",
}


@pytest.mark.slow
def test_missing_package_names_its_extra(tmp_path: Path) -> None:
    """A target can be checked without its packages, and delivering to it says what to install."""
    command = [sys.executable, "-c", WITHOUT, *OF_EXTRAS]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert said.stdout.splitlines() == [f"{case.split()[0]} {extra}" for case, extra in OF_EXTRAS.items()]


def test_other_packages_are_not_imported(tmp_path: Path) -> None:
    """Who delivers to a CSV file does not wait for the packages of other targets."""
    code = (
        "import sys, pyarrow as pa; from sightline.flow.deliver import deliver, TARGET_KINDS\n"
        "deliver([pa.record_batch({'id': [1]})], sys.argv[1], load='a', mode='replace')\n"
        "names = ('deltalake', 'zeep', 'sqlalchemy', 'lxml', 'apprise', 'xlsxwriter', 'duckdb', 'httpx2')\n"
        "print([name for name in names if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "a.csv")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "[]"
