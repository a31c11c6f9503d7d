"""Packages that import their names when they are first used list them in one way everywhere."""

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import sightline
from sightline.net import Limits

ROOT = Path(sightline.__file__).parent
LAZY = sorted(path for path in ROOT.rglob("__init__.py") if "= lazily(" in path.read_text("utf-8"))


def _listed(path: Path) -> tuple[set[str], set[str], set[str]]:
    """The names for type checkers, those that can be imported, and `__all__`."""
    tree = ast.parse(path.read_text("utf-8"))
    typed = {alias.name for node in tree.body if isinstance(node, ast.If) for one in node.body for alias in one.names}  # type: ignore[attr-defined]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lazily"]
    homes = ast.literal_eval(calls[0].args[1])
    exported = next(n for n in tree.body if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "__all__")
    return typed, {name for names in homes.values() for name in names.split()}, set(ast.literal_eval(exported.value))


@pytest.mark.parametrize("path", LAZY, ids=lambda path: str(path.parent.relative_to(ROOT)))
def test_lazy_names_are_listed_alike(path: Path) -> None:
    """What a type checker sees, what can be imported and what is exported are the same names."""
    typed, importable, exported = _listed(path)
    assert typed == importable
    assert exported - {"__version__", "errors"} == importable


def test_lazy_packages_exist() -> None:
    """The test above cannot pass by finding none."""
    assert {path.parent.name for path in LAZY} >= {"sightline", "jobs", "net", "sources", "checks", "navigate"}


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import sightline", "numpy typer rich"),
        ("import sightline as sl; sl.open(b'<p>x', static=True)", "asyncio httpx2 sightline.checks typer pypdfium2"),
        ("import sightline as sl; sl.tables(sl.open(b'<p>x', static=True))", "asyncio httpx2 sightline.checks.records"),
        ("from sightline.cli._app import program; program(())", "numpy sightline.page"),
        (
            "from sightline.cli._app import program; program(('play',))",
            "sightline.navigate.play sightline.navigate.code sightline.navigate.collect sightline.extract.wrappers",
        ),
    ],
)
def test_what_is_not_used_is_not_imported(code: str, absent: str) -> None:
    """Importing costs more than the work itself, so each part is imported where it is used."""
    check = f"{code}; import sys; print(*(name for name in {absent.split()} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_unknown_names_are_missing() -> None:
    """A name that no package has is an AttributeError, as for any module."""
    with pytest.raises(AttributeError, match="has no attribute 'tabels'"):
        _ = sightline.tabels  # type: ignore[attr-defined]
    assert "tables" in dir(sightline)


def test_public_face_is_small() -> None:
    """At most thirty names: the verbs, the main types that they return, and the errors."""
    names = [name for name in sightline.__all__ if not name.startswith("__")]
    assert len(names) <= 32
    assert all(hasattr(sightline, name) for name in names)
    assert dir(sightline) == sightline.__all__


def test_crawl_is_a_function() -> None:
    """Also after the package that it comes from was imported."""
    import_module("sightline.crawler.discover")
    assert inspect.isfunction(sightline.crawl)


def test_names_that_moved_work_with_a_warning() -> None:
    """It says where they are now."""
    with pytest.warns(DeprecationWarning, match=r"sightline\.Limits is now sightline\.net\.Limits"):
        assert sightline.Limits is Limits  # type: ignore[attr-defined]
