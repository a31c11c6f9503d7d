"""Sites to crawl that nobody here made: manuals from Debian's documentation packages, downloaded and unpacked."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bench.crawl.manuals import Manual

__all__ = ["address_of", "load_manual"]

CACHE = Path.home() / ".cache/sightline/bench/crawl-sites"


def address_of(manual: str, path: str) -> str:
    """The address of a page of a manual."""
    return f"http://{manual}.test/{path}"


@cache
def load_manual(manual: Manual) -> dict[str, Path]:
    """The pages of a manual, by their path in it."""
    root = _unpacked(manual)
    left_out = re.compile(manual.without)
    pages = {path.relative_to(root).as_posix(): path for path in sorted(_html_files(root))}
    return {name: path for name, path in pages.items() if not left_out.search(name)}


def _html_files(root: Path) -> Iterator[Path]:
    return (path for path in root.glob("**/*.html") if path.is_file())


def _unpacked(manual: Manual) -> Path:
    folder = CACHE / manual.name
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for names in manual.packages:
            _unpack(_available(names), folder)
        (folder / "complete").touch()
    roots = sorted(folder.glob(manual.folder))
    if not roots:
        raise SystemExit(f"bench: the packages of {manual.name} have no folder {manual.folder}; look into {folder}.")
    return roots[0]


def _available(names: tuple[str, ...]) -> str:
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise SystemExit(
            "bench: the sites come from Debian packages; apt-get and dpkg-deb are missing on this machine."
        )
    for name in names:
        if subprocess.run(["apt-cache", "show", name], capture_output=True, check=False).returncode == 0:
            return name
    raise SystemExit(f"bench: apt knows none of {', '.join(names)}; run `apt-get update`, or add its name to sites.py.")


def _unpack(package: str, folder: Path) -> None:
    done = subprocess.run(["apt-get", "download", package], cwd=folder, capture_output=True, text=True, check=False)
    files = sorted(folder.glob("*.deb"))
    if done.returncode or not files:
        raise SystemExit(f"bench: apt-get cannot download {package}: {done.stderr.strip().splitlines()[-1:]}")
    for file in files:
        subprocess.run(["dpkg-deb", "-x", file, folder], check=True)
        file.unlink()
