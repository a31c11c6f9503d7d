"""The rules of the house that import-linter cannot hold: who may import the public face and others' private modules."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline

ROOT = Path(sightline.__file__).parent
SHELLS = ("cli", "server", "mcp", "testing")
MODULES = sorted(ROOT.rglob("*.py"))


def _imports(path: Path) -> Iterator[tuple[str, str]]:
    """Every (module, name) that a file imports; the name is empty for `import module`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


def _package(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_module_does_not_import_the_public_face(path: Path) -> None:
    """Only the shells say `import sightline`; everything inside names the layer that it needs."""
    if _package(path) in SHELLS or path.parent == ROOT:
        return
    own = {p.stem for p in ROOT.glob("*.py")} | {p.name for p in ROOT.iterdir() if p.is_dir()}
    for module, name in _imports(path):
        assert module != "sightline" or name in own, f"{_name(path)} imports {name or 'sightline'} from the public face"


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_module_does_not_import_others_private_modules(path: Path) -> None:
    """A package is an interface: its `_modules` are imported by itself alone."""
    for module, _ in _imports(path):
        parts = module.split(".")
        private = next((place for place, part in enumerate(parts) if part.startswith("_")), len(parts))
        if parts[0] != "sightline" or private < 2 or private == len(parts):
            continue
        owner = ROOT.joinpath(*parts[1:private])
        assert path.is_relative_to(owner), f"{_name(path)} imports {module}, which is private to {owner.name}"


def test_import_check_sees_a_planted_mistake(tmp_path: Path) -> None:
    """The reader of imports finds both forms, so that the two tests above cannot pass by being blind."""
    planted = tmp_path / "x.py"
    planted.write_text("import sightline\nfrom sightline.page._tree import depths\n")
    assert list(_imports(planted)) == [("sightline", ""), ("sightline.page._tree", "depths")]
