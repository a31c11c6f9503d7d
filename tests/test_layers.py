"""The rules of the house that import-linter cannot hold: who may import the public face and others' private modules."""

import ast
import importlib
import inspect
import pkgutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import sightline

ROOT = Path(sightline.__file__).parent
SHELLS = ("cli", "server", "mcp", "testing")
MODULES = sorted(ROOT.rglob("*.py"))
OWN = {path.stem for path in ROOT.glob("*.py")} | {path.name for path in ROOT.iterdir() if path.is_dir()}


@cache
def _imports(path: Path) -> tuple[tuple[str, str], ...]:
    """Every (module, name) that a file imports; the name is empty for `import module`."""
    return tuple(
        (node.module or "", alias.name) if isinstance(node, ast.ImportFrom) else (alias.name, "")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module)
        for alias in node.names
    )


def _package(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


# One test for all modules, which names each that is wrong: a test for each of them would take longer to begin and to
# report than to run.
def test_modules_do_not_import_the_public_face() -> None:
    """Only the shells say `import sightline`; everything inside names the layer that it needs."""
    inside = [path for path in MODULES if _package(path) not in SHELLS and path.parent != ROOT]
    assert inside
    wrong = [
        f"{_name(path)} imports {name or 'sightline'} from the public face"
        for path in inside
        for module, name in _imports(path)
        if module == "sightline" and name not in OWN
    ]
    assert not wrong


def test_modules_do_not_import_others_private_modules() -> None:
    """A package is an interface: its `_modules` are imported by itself alone."""
    assert not [
        f"{_name(path)} imports {module}, which is private to {owner.name}"
        for path in MODULES
        for module, _ in _imports(path)
        if (owner := _owner(module)) and not path.is_relative_to(owner)
    ]


def _owner(module: str) -> Path | None:
    """The package to which a private module of ours belongs; None for any other module."""
    parts = module.split(".")
    private = next((place for place, part in enumerate(parts) if part.startswith("_")), len(parts))
    if parts[0] != "sightline" or private < 2 or private == len(parts):
        return None
    return ROOT.joinpath(*parts[1:private])


def test_import_check_sees_a_planted_mistake(tmp_path: Path) -> None:
    """The reader of imports finds both forms, so that the two tests above cannot pass by being blind."""
    planted = tmp_path / "x.py"
    planted.write_text("import sightline\nfrom sightline.page._columns import depths\n")
    assert list(_imports(planted)) == [("sightline", ""), ("sightline.page._columns", "depths")]


def _module(module: str, name: str) -> str | None:
    """The file of ours that an import reads, if it is a module; packages only pass on what their modules have."""
    for dotted in (f"{module}.{name}", module):
        path = ROOT.parent.joinpath(*dotted.split(".")).with_suffix(".py")
        if path.is_file() and path.is_relative_to(ROOT):
            return _name(path)
    return None


def _import_graph(paths: Iterable[Path]) -> dict[str, set[str]]:
    """The modules that each module imports: at its top, within functions, or for types only."""
    return {
        (own := _name(path)): {one for module, name in _imports(path) if (one := _module(module, name))} - {own}
        for path in paths
    }


def test_modules_do_not_import_in_circles() -> None:
    """A module can be read after those that it imports."""
    TopologicalSorter(_import_graph(path for path in MODULES if path.name != "__init__.py")).prepare()


def test_circles_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted circle is found, though one of its imports is within a function and another for types only."""
    house = tmp_path / "sightline"
    monkeypatch.setattr(f"{__name__}.ROOT", house)
    planted = {
        "_a.py": "from sightline.page._b import one\n",
        "_b.py": "def one():\n    from sightline.page import _c\n",
        "_c.py": "if TYPE_CHECKING:\n    from sightline.page._a import two\n",
    }
    paths = [house / "page" / name for name in planted]
    paths[0].parent.mkdir(parents=True)
    for path, text in zip(paths, planted.values(), strict=True):
        path.write_text(text)
    with pytest.raises(CycleError):
        TopologicalSorter(_import_graph(paths)).prepare()
    paths[2].write_text("")
    _imports.cache_clear()
    TopologicalSorter(_import_graph(paths)).prepare()


# ---------------------------------------------------------------------- one word means one thing


def _defined(path: Path) -> Iterator[str]:
    """The public names of classes and types that a module defines at its top; what it only imports is not its own.

    Classes are public unless their names say otherwise; a type that only shortens the lines of a module, and is not in
    the `__all__` of its package, means nothing to others.
    """
    body = ast.parse(path.read_text("utf-8")).body
    face = path.with_name("__init__.py")
    exported = ast.parse(face.read_text("utf-8")).body if face.exists() else []
    listed = {name for node in (*body, *exported) if isinstance(node, ast.Assign) for name in _listed(node)}
    for node in body:
        match node:
            case ast.ClassDef(name=name):
                pass
            case ast.Assign(targets=[ast.Name(id=name)]) if _is_type(node.value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if "TypeAlias" in ast.dump(annotation):
                pass
            case _:
                continue
        if name[0].isupper() and not name.isupper() and (name in listed or isinstance(node, ast.ClassDef)):
            yield name


def _listed(node: ast.Assign) -> list[str]:
    """What an assignment says to be public, if it is that of `__all__`."""
    is_all = isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    return list(ast.literal_eval(node.value)) if is_all else []


def _is_type(value: ast.expr) -> bool:
    """Whether an assigned value is a type: `list[Cell]`, `A | B`, `NewType("Id", int)`."""
    if isinstance(value, ast.Subscript):
        return True
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.BitOr)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "NewType"


def _homes(paths: Iterable[Path]) -> dict[str, list[Path]]:
    """Where each public name is defined."""
    homes = defaultdict(list)
    for path in paths:
        for name in _defined(path):
            homes[name].append(path)
    return homes


def test_word_means_one_thing() -> None:
    """No two modules define a public class, enumeration or type of the same name."""
    twice = {name: list(map(_name, paths)) for name, paths in _homes(MODULES).items() if len(paths) > 1}
    assert not twice


def test_exported_class_is_one() -> None:
    """By the name of a class that some package exports, all packages export that very class."""
    known: dict[str, type] = {}
    for _, module, is_package in pkgutil.walk_packages(sightline.__path__, "sightline."):
        exporting = importlib.import_module(module) if is_package else None
        for name in exporting.__all__ if exporting else ():
            one = getattr(exporting, name)
            if inspect.isclass(one):
                assert known.setdefault(name, one) is one, f"{module} exports another {name}"


def test_glossary_sees_a_planted_mistake(tmp_path: Path) -> None:
    """Classes, enumerations and types of one name are found; what is private, constant or imported is no second one."""
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text(
        "__all__ = ['Cell', 'Row']\nclass Cell: ...\nclass _Own: ...\nLIMIT = 5\nRow = list[int]\nKind = A | B\n"
    )
    second.write_text("from a import Cell\nclass _Own: ...\nLIMIT = dict[int, int]\nclass Row: ...\nKind = int | str\n")
    assert {name for name, paths in _homes([first, second]).items() if len(paths) > 1} == {"Row"}
    second.write_text("class Cell(Enum): ...\n")
    assert {name for name, paths in _homes([first, second]).items() if len(paths) > 1} == {"Cell"}
