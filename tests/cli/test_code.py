"""`sightline code`: a taught wrapper as Python code."""

import ast
from pathlib import Path

import pytest

from ._inside import sightline
from ._lessons import FIRST, LISTING, OF_FIRST, taught
from ._shop import build, learn


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wrapper for a camera, one for a list of them, and one that was induced."""
    made = build(tmp_path_factory.mktemp("code"))
    taught(made, FIRST, *OF_FIRST)
    two = ("name=Arden R5 Mark II", "price=$4,299.00", "name=Arden R50", "price=$679.00")
    taught(made, LISTING, *two, name="list.wrapper.json")
    learn(made, "p")
    return made


@pytest.mark.parametrize("wrapper", ["x.wrapper.json", "list.wrapper.json"])
@pytest.mark.parametrize(("framework", "kind"), [("web-poet", "CameraPage"), ("scrapy", "CameraSpider")])
def test_code_prints_python(folder: Path, wrapper: str, framework: str, kind: str) -> None:
    """It is a module with one class, called as it was asked for, and with nothing but the code on standard output."""
    done = sightline("code", wrapper, "--for", framework, "--name", "Camera", folder=folder)
    assert (done.status, done.errors) == (0, "")
    module = ast.parse(done.output)
    assert [node.name for node in module.body if isinstance(node, ast.ClassDef)] == [kind]
    assert "price" in done.output


def test_code_writes_a_file(folder: Path, tmp_path: Path) -> None:
    """The file holds what would be printed."""
    out = tmp_path / "camera.py"
    done = sightline("code", "x.wrapper.json", "--for", "scrapy", "-o", out, folder=folder)
    assert (done.status, done.output, done.errors) == (0, "", f"Written: {out}\n")
    assert out.read_text("utf-8") == sightline("code", "x.wrapper.json", "--for", "scrapy", folder=folder).output


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["gone.wrapper.json", "--for", "scrapy"], "there is no such file"),
        (["x.wrapper.json", "--for", "django"], "choose one of web-poet, scrapy"),
        (["x.wrapper.json", "--for", "scrapy", "--name", "my camera"], "not a valid name for a Python class"),
        (["x.wrapper.json", "--for", "scrapy", "-o", "x.wrapper.json"], "suffix .py"),
        (["p.wrapper.json", "--for", "scrapy"], "Only taught wrappers can be exported"),
    ],
)
def test_code_helps_newcomers(folder: Path, arguments: list[str], advice: str) -> None:
    """What cannot be is told in one line, and no file is touched."""
    before = (folder / "x.wrapper.json").read_bytes()
    done = sightline("code", *arguments, folder=folder)
    assert (done.status, done.output) == (2, "")
    assert advice in done.errors
    assert done.errors.count("\n") == 1
    assert (folder / "x.wrapper.json").read_bytes() == before
