"""What the project promises about itself: names, documentation, change log, packaging."""

import importlib
import inspect
import pkgutil
import re
import tomllib
from pathlib import Path

import pytest

import sightline
from sightline import errors
from sightline.cli._flags import with_flags
from sightline.settings import Settings, describe

ROOT = Path(__file__).parent.parent
DOCS = "\n".join(path.read_text("utf-8") for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])
PACKAGES = [
    name
    for _, name, is_package in pkgutil.walk_packages(sightline.__path__, "sightline.")
    if is_package or "._" not in name
]


@pytest.mark.parametrize("name", ["sightline", *PACKAGES])
def test_all_lists_what_exists_in_order(name: str) -> None:
    """Every public package has an `__all__`, sorted, whose names exist and are documented."""
    module = importlib.import_module(name)
    listed = module.__all__
    assert sorted(listed, key=_isort) == list(listed)
    for entry in listed:
        thing = getattr(module, entry)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), f"{name}.{entry} has no docstring"


def _isort(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as ruff sorts them."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_public_face_stays_small() -> None:
    """At most thirty names: the verbs, what they return, and errors; everything else is in its package."""
    assert len([name for name in sightline.__all__ if not name.startswith("__")]) <= 32


@pytest.mark.parametrize("name", errors.__all__)
def test_error_is_documented(name: str) -> None:
    """Each error has its place in docs/errors.md, and the tree in the module's docstring."""
    assert f"`{name}`" in (ROOT / "docs/errors.md").read_text("utf-8")
    assert name in (errors.__doc__ or "")


def _is_documented(name: str, text: str) -> bool:
    """Whether a name stands in a text as code: a class by its name, a function as what it is called by.

    `open` and `lists` are words of the language and of the command line; `sl.open` can mean one thing only.
    """
    fenced = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    called = rf"\b(?:sl|sightline)\.{re.escape(name)}\b|^from sightline import .*\b{re.escape(name)}\b"
    named = rf"(?<![\w.]){re.escape(name)}\b" if name[0].isupper() else called
    return any(re.search(f"{called}|{named}", code, re.MULTILINE) for code in (*fenced, *inline))


@pytest.mark.parametrize("name", [name for name in sightline.__all__ if not name.startswith("_")])
def test_public_name_is_documented(name: str) -> None:
    """No public name that the docs do not use or name as code."""
    assert _is_documented(name, DOCS)


def test_public_name_without_documentation_is_found() -> None:
    """Words of a sentence, of a command or of another module document nothing."""
    text = "To open lists, `open` a Lens with `re.open(x)` or `MyLens`.\n```sh\nsightline open x\n```\n"
    assert not any(_is_documented(name, text) for name in ("open", "lists", "Lens", "planted"))
    shown = "```python\nfrom sightline import lists, Other\npage = sl.open(x)\n```\nThen `Lens(3)`."
    assert all(_is_documented(name, shown) for name in ("open", "lists", "Lens", "Other"))


def _settings_classes() -> list[type[Settings]]:
    """All of them: a class is known only when its module has been imported."""
    for name in PACKAGES:
        package = importlib.import_module(name)
        for public in getattr(package, "__all__", ()):  # those of many packages are imported when they are used
            getattr(package, public)
    return sorted(Settings.__subclasses__(), key=lambda kind: kind.__name__)


def test_settings_of_every_extractor_are_looked_at() -> None:
    """The test below is not blind to settings whose module nobody had imported yet."""
    known = {kind.__name__ for kind in _settings_classes()}
    assert {name for name in sightline.__all__ if name.endswith("Settings")} <= known


@pytest.mark.parametrize("kind", _settings_classes(), ids=lambda kind: kind.__name__)
def test_setting_is_documented(kind: type[Settings]) -> None:
    """No setting without a word in the docs."""
    if kind.__module__.startswith("sightline."):
        for declared in describe(kind):
            assert f"`{declared.name}`" in DOCS or f"--{declared.name.replace('_', '-')}" in DOCS, declared.name


def test_every_setting_is_a_flag() -> None:
    """A settings class gives its flags without a line in the command."""
    from sightline.net import Limits

    @with_flags
    def command(*, limits: Limits) -> None:
        """Nothing."""

    names = {declared.name for declared in describe(Limits)}
    assert set(inspect.signature(command).parameters) == {*names, "help_all"}


def test_changelog_knows_this_version() -> None:
    """The version of the package has its section in the change log."""
    assert f"## {sightline.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_readme_shows_the_two_commands() -> None:
    """A newcomer finds what to type on the first screen."""
    first_screen = (ROOT / "README.md").read_text("utf-8").splitlines()[:40]
    assert any("make demo" in line for line in first_screen)
    assert any("make test" in line for line in first_screen)


def test_python_versions_agree() -> None:
    """The oldest Python is the same in the packaging and in the linter."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    oldest = project["project"]["requires-python"].removeprefix(">=")
    assert project["tool"]["ruff"]["target-version"] == "py" + oldest.replace(".", "")


def test_documentation_links_lead_somewhere() -> None:
    """Every relative link in README and docs leads to a file."""
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_modules_that_the_guides_name_exist(page: str) -> None:
    """Whoever looks for a room finds it where the guide says: `net/_request_policy.py` is there."""
    named = re.findall(r"`((?:[a-z_]+/)+_?[a-z_]+\.py)`", (ROOT / page).read_text("utf-8"))
    homes = (ROOT / "src/sightline", ROOT)
    missing = [name for name in named if not any((home / name).exists() for home in homes)]
    assert missing == []
    assert page != "CONTRIBUTING.md" or len(named) > 20
