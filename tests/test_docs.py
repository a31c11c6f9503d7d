"""What the documentation of tables says is so: its examples run, and it lists every rule and part."""

import doctest
from pathlib import Path

import pytest

from sightline.extract.tables import PARTS, RULES
from sightline.extract.tables._evidence import WEIGHTS

ROOT = Path(__file__).parent.parent
TABLES = (ROOT / "docs" / "tables.md").read_text("utf-8")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", ["docs/tables.md", "README.md"])
def test_docs_examples_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example, run from the folder of the project, gives what the page says."""
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert tried
    assert not failed


@pytest.mark.parametrize("name", [name for name in RULES if not name.startswith("part: ")])
def test_rule_is_documented(name: str) -> None:
    """A rule stands in the table of rules, in its own words."""
    assert f"| `{name}` | {RULES[name]} |" in TABLES


@pytest.mark.parametrize("name", PARTS)
def test_part_is_documented(name: str) -> None:
    """A part of the score stands in the table of parts, with the side that it speaks for."""
    assert f"| `{name}` | {PARTS[name]} | {'for' if WEIGHTS[name] > 0 else 'against'} |" in TABLES
