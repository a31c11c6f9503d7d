"""The Dockerfile says what is so: what it copies is there and let through, nobody is root, and what it runs exists."""

import fnmatch
import json
import re
import tomllib
from pathlib import Path

import pytest

from sightline.cli._app import COMMANDS
from sightline.extras import EXTRAS

from .cli._inside import sightline

ROOT = Path(__file__).parent.parent
Stage = list[tuple[str, str]]


def stages() -> dict[str, Stage]:
    """The instructions of each stage, by its name; a stage that builds on another one begins with those of that."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    found: dict[str, Stage] = {}
    name = ""
    for line in filter(str.strip, lines):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            base, name = re.fullmatch(r"(\S+) AS (\S+)", rest).groups()  # type: ignore[union-attr]
            found[name] = list(found.get(base, []))
        elif name:
            found[name].append((word, " ".join(rest.split())))
    return found


def last(stage: Stage, word: str) -> str:
    """What the last instruction of a kind says, which is the one that counts."""
    return [rest for own, rest in stage if own == word][-1]


def is_let_through(name: str) -> bool:
    """Whether `.dockerignore` lets a file or folder into the build; its last line that fits decides."""
    found = True
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern = line.removeprefix("!").removeprefix("**/")
            found = line.startswith("!") if fnmatch.fnmatch(name, pattern) else found
    return found


def test_there_are_two_images() -> None:
    """And the stage that builds what both have."""
    assert list(stages()) == ["build", "base", "browser"]


def test_what_is_copied_is_there_and_let_through() -> None:
    """From the repository; what comes from another stage names one that is before it."""
    copied = [rest.split() for stage in stages().values() for word, rest in stage if word == "COPY"]
    assert copied
    for *sources, _ in copied:
        if sources[0].startswith("--from="):
            assert sources[0].removeprefix("--from=") in stages()
            continue
        for name in sources:
            assert (ROOT / name).exists()
            assert is_let_through(name), name


def test_nothing_else_gets_into_the_build() -> None:
    """Neither the environment and the history, nor stores, tests and secrets of whoever builds."""
    for name in (".git", ".venv", ".env", "store", "tests", "docs", "prices.env"):
        assert not is_let_through(name), name


def test_the_build_has_all_that_the_wheel_is_made_of() -> None:
    """Whatever the project file names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    copied = " ".join(rest for word, rest in stages()["build"] if word == "COPY")
    needed = (project["project"]["readme"], *project["project"]["license-files"], "hatch_build.py", "native", "src")
    assert [name for name in needed if name not in copied] == []


def test_extras_are_those_of_the_project() -> None:
    """A name that the project does not have would be skipped with a warning that nobody reads."""
    [given] = [rest for word, rest in stages()["build"] if word == "ARG" and rest.startswith("EXTRAS=")]
    assert set(given.removeprefix("EXTRAS=").split(",")) <= set(EXTRAS)


@pytest.mark.parametrize("name", ["base", "browser"])
def test_an_image_runs_the_command_as_an_ordinary_user(name: str) -> None:
    """By the number of the user, and with a check of its health that is a command of ours."""
    stage = stages()[name]
    user = last(stage, "USER")
    assert int(user) > 0
    assert any(word == "RUN" and f"--uid {user}" in rest for word, rest in stage)
    assert json.loads(last(stage, "ENTRYPOINT")) == ["sightline"]
    check = json.loads(last(stage, "HEALTHCHECK").partition("CMD ")[2])
    assert check[:2] == ["sightline", "doctor"]
    assert "doctor" in COMMANDS


def test_the_check_of_the_image_without_a_browser_asks_for_none() -> None:
    """It is well where there is no browser at all."""
    check = json.loads(last(stages()["base"], "HEALTHCHECK").partition("CMD ")[2])
    found = sightline(*check[1:], SIGHTLINE_BROWSER="/nowhere/at/all")
    assert found.status == 0, found.errors
    assert "browser" not in found.output.partition("optional part")[0]
