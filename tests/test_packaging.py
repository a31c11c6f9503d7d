"""The wheel and the sdist hold what they should."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import sightline
from sightline import native
from sightline.server._examples import EXAMPLES

from ._wait import LONG

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a freshly built wheel and sdist."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=LONG)
    return folder


@pytest.mark.slow
def test_wheel_holds_the_package_and_its_types(built: Path) -> None:
    """Every module is in the wheel, with the marker that it is typed, and nothing else."""
    [wheel] = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    modules = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src/sightline").rglob("*.py")}
    assert modules <= set(names)
    assert "sightline/py.typed" in names
    assert all(name.startswith(("sightline/", f"sightline_data-{sightline.__version__}.dist-info/")) for name in names)


@pytest.mark.skipif(native.kernels is None, reason="there is no compiler")
def test_wheel_has_the_kernels_for_every_python(built: Path) -> None:
    """One library serves all versions from the oldest on, and the wheel says for which machines it is."""
    [wheel] = built.glob("*.whl")
    assert "-cp311-abi3-" in wheel.name
    assert "sightline/_native.abi3.so" in zipfile.ZipFile(wheel).namelist()


@pytest.mark.slow
def test_wheel_without_a_compiler_has_python_alone(tmp_path: Path) -> None:
    """Building ends well, and gives a wheel for every machine."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    no_compiler = {**os.environ, "CC": shutil.which("false") or "false"}
    subprocess.run(command, check=True, capture_output=True, timeout=LONG, env=no_compiler)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]


def test_wheel_has_the_command_and_the_licence(built: Path) -> None:
    """Installing the wheel gives the command `sightline`; the licence goes with it."""
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        entry = archive.read(f"sightline_data-{sightline.__version__}.dist-info/entry_points.txt").decode()
        assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())
    assert "sightline = sightline.__main__:run" in entry


def test_wheel_has_the_examples_of_the_studio(built: Path) -> None:
    """In the repository they are links; an installed package has the files themselves, and the front end."""
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        for example in EXAMPLES:
            for file in example.files:
                assert archive.read(f"sightline/server/examples/{file}") == (ROOT / "examples" / file).read_bytes()
        assert "sightline/server/web/index.html" in archive.namelist()


def test_sdist_can_be_tested(built: Path) -> None:
    """The source distribution brings tests, docs and examples along."""
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2].partition("/")[0] for name in archive.getnames()}
    assert {"src", "native", "tests", "docs", "examples", "hatch_build.py", "pyproject.toml"} <= names
    assert {"LICENSE", "README.md"} <= names
