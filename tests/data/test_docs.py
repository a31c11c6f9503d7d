"""The examples of the documentation run, and it names everything public."""

import doctest
from pathlib import Path

import pytest

import sightline.data

DOCS = Path(__file__).parents[2] / "docs"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", ["data.md", "exports.md"])
def test_docs_examples_run(name: str) -> None:
    """Every example gives what the page says."""
    failed, tried = doctest.testfile(str(DOCS / name), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert tried
    assert not failed


def test_docs_name_everything_public() -> None:
    """No public name is left out of both pages."""
    text = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("data.md", "exports.md"))
    assert [name for name in sightline.data.__all__ if name not in text] == []
