"""What the documentation says is so: its examples run, and docs/ablation.md has every rule, part and measure."""

import doctest
from pathlib import Path

import pytest
from bench.ablation_tables import ablation_page

from sightline.extract.lists import LIST_RULES, TOP_RULES
from sightline.extract.lists._measures import MEASURES
from sightline.extract.lists._measures import WEIGHTS as LIST_WEIGHTS
from sightline.extract.lists._title_choices import CHOICE_MEASURES
from sightline.extract.lists._top import TOP_WEIGHTS
from sightline.extract.schemas import INDUCE_RULES
from sightline.extract.structure import RULES as STRUCTURE_RULES
from sightline.extract.tables import PARTS, RULES
from sightline.extract.tables._evidence import WEIGHTS

ROOT = Path(__file__).parent.parent
ABLATION = (ROOT / "docs" / "ablation.md").read_text("utf-8")
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
    own = ("tables", "lists", "wrappers", "teaching", "content", "checks", "pdf", "own-data")
    assert {"README.md", *(f"docs/{name}.md" for name in own)} <= set(WITH_EXAMPLES)


def test_ablation_page_is_what_its_script_prints() -> None:
    """The page is generated: run `python -m bench.ablation_tables > docs/ablation.md` after changing a rule."""
    assert ablation_page() == ABLATION


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (name, text)
        for rules in (RULES, LIST_RULES, TOP_RULES, INDUCE_RULES, STRUCTURE_RULES)
        for name, text in rules.items()
        if not name.startswith(("part: ", "measure: "))
    ],
)
def test_rule_is_documented(name: str, text: str) -> None:
    """A rule has its row in a table of rules, in its own words."""
    assert f"| `{name}` | {text} |" in ABLATION


@pytest.mark.parametrize(
    ("name", "text", "weight"),
    [
        (name, text, weights[name])
        for texts, weights in ((PARTS, WEIGHTS), (MEASURES, LIST_WEIGHTS), (CHOICE_MEASURES, TOP_WEIGHTS))
        for name, text in texts.items()
    ],
)
def test_part_or_measure_is_documented(name: str, text: str, weight: float) -> None:
    """A part or measure of a score has its row, with the side that it speaks for."""
    assert f"| `{name}` | {text} | {'for' if weight > 0 else 'against'} |" in ABLATION
