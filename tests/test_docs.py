"""What the documentation of tables, lists and wrappers says is so: its examples run, and it has every rule and part."""

import doctest
from pathlib import Path

import pytest

from sightline.extract.lists import LIST_RULES, TOP_RULES
from sightline.extract.lists._measures import MEASURES
from sightline.extract.lists._rank import WEIGHTS as LIST_WEIGHTS
from sightline.extract.lists._title_choices import CHOICE_MEASURES
from sightline.extract.lists._top_rank import TOP_WEIGHTS
from sightline.extract.schemas import INDUCE_RULES
from sightline.extract.structure import RULES as STRUCTURE_RULES
from sightline.extract.tables import PARTS, RULES
from sightline.extract.tables._evidence import WEIGHTS

ROOT = Path(__file__).parent.parent
TABLES = (ROOT / "docs" / "tables.md").read_text("utf-8")
WRAPPERS = (ROOT / "docs" / "wrappers.md").read_text("utf-8")
PDF = (ROOT / "docs" / "pdf.md").read_text("utf-8")
LISTS = (ROOT / "docs" / "lists.md").read_text("utf-8")
PAGES = ("README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md")))
WITH_EXAMPLES = [name for name in PAGES if ">>> " in (ROOT / name).read_text("utf-8")]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docs_examples_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example, run from the folder of the project, gives what the page says."""
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert tried
    assert not failed


def test_docs_have_examples_to_run() -> None:
    """The pages of every extractor have some, so that the test above does not run on nothing."""
    own = ("tables", "lists", "wrappers", "teaching", "content", "checks", "pdf")
    assert {"README.md", *(f"docs/{name}.md" for name in own)} <= set(WITH_EXAMPLES)


@pytest.mark.parametrize("name", [name for name in RULES if not name.startswith("part: ")])
def test_rule_is_documented(name: str) -> None:
    """A rule stands in the table of rules, in its own words."""
    assert f"| `{name}` | {RULES[name]} |" in TABLES


@pytest.mark.parametrize("name", PARTS)
def test_part_is_documented(name: str) -> None:
    """A part of the score stands in the table of parts, with the side that it speaks for."""
    assert f"| `{name}` | {PARTS[name]} | {'for' if WEIGHTS[name] > 0 else 'against'} |" in TABLES


@pytest.mark.parametrize(
    ("name", "text"), [one for one in (LIST_RULES | TOP_RULES).items() if not one[0].startswith("measure: ")]
)
def test_rule_of_lists_is_documented(name: str, text: str) -> None:
    """A rule of regions or promises stands in a table of rules, in its own words."""
    assert f"| `{name}` | {text} |" in LISTS


@pytest.mark.parametrize(
    ("name", "text", "weight"),
    [
        (name, text, weights[name])
        for measures, weights in ((MEASURES, LIST_WEIGHTS), (CHOICE_MEASURES, TOP_WEIGHTS))
        for name, text in measures.items()
    ],
)
def test_measure_is_documented(name: str, text: str, weight: float) -> None:
    """A measure stands in a table of measures, with the side that it speaks for."""
    assert f"| `{name}` | {text} | {'for' if weight > 0 else 'against'} |" in LISTS


@pytest.mark.parametrize("name", INDUCE_RULES)
def test_rule_of_induction_is_documented(name: str) -> None:
    """A rule stands in the table of rules, in its own words."""
    assert f"| `{name}` | {INDUCE_RULES[name]} |" in WRAPPERS


@pytest.mark.parametrize("name", STRUCTURE_RULES)
def test_rule_of_structure_is_documented(name: str) -> None:
    """A rule stands in the table of rules, in its own words."""
    assert f"| `{name}` | {STRUCTURE_RULES[name]} |" in PDF
