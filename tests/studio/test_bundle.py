"""The front end that is committed inside the package is what its sources give; checked where Node is installed."""

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
BUNDLE = ROOT / "src/sightline/server/web"
UNREACHABLE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT")
LARGEST = 500_000  # bytes of the whole bundle as it is sent, without the fonts

needs_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="Node and npm are not installed")


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout[-3000:]}{done.stderr[-3000:]}"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with what they need installed, so that nothing is written into the checkout."""
    folder = tmp_path_factory.mktemp("sightline") / "web"
    shutil.copytree(WEB, folder, ignore=shutil.ignore_patterns("node_modules"))
    command = ("npm", "ci", "--no-audit", "--no-fund")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode and UNREACHABLE.search(done.stderr):
        pytest.skip("the registry of npm cannot be reached from here")
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_lock_file_is_complete_for_every_platform() -> None:
    """`npm ci` refuses a lock file that leaves out a native part, also one of a platform that is not this one."""
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    named = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert {name.removeprefix("@rolldown/binding-") for name in named} >= {"darwin-arm64", "win32-x64-msvc"}
    assert [name for name in sorted(named) if f"node_modules/{name}" not in packages] == []


@pytest.mark.slow
@needs_npm
def test_the_committed_bundle_is_what_the_sources_give(sources: Path, tmp_path: Path) -> None:
    """Anybody who changes the front end builds it: `npm run build` in web/."""
    _run(sources, "npx", "vite", "build", "--outDir", str(tmp_path / "built"))
    built, committed = _files(tmp_path / "built"), _files(BUNDLE)
    assert sorted(built) == sorted(committed)
    assert [name for name in built if built[name] != committed[name]] == []


@pytest.mark.slow
@needs_npm
def test_the_front_end_passes_its_own_checks(sources: Path) -> None:
    """Types, format and rules, and the unit tests."""
    _run(sources, "npm", "run", "check")
    _run(sources, "npm", "test")


def test_the_bundle_is_small_enough_to_load_at_once() -> None:
    """Scripts, styles and the page itself, compressed as they are sent."""
    sent = [path for path in BUNDLE.rglob("*") if path.suffix in (".js", ".css", ".html", ".svg")]
    assert sum(len(gzip.compress(path.read_bytes())) for path in sent) <= LARGEST
