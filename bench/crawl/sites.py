"""Sites to crawl that nobody here made: manuals from Debian's documentation packages, downloaded and unpacked.

Targets are the pages of one template. They are told by a rule that the crawler does not know: the name of the file, or
what the page calls itself.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

__all__ = ["MANUALS", "Manual", "address_of", "load_manual"]

CACHE = Path.home() / ".cache/sightline/bench/crawl-sites"

Rule = Callable[[str, str], bool]
"""Whether a page is a target, by its path and its text."""


@dataclass(frozen=True)
class Manual:
    """A manual: its packages (of each, the first name that this Debian has), its folder in them, and its targets."""

    name: str
    packages: tuple[tuple[str, ...], ...]
    folder: str
    front: str
    targets: dict[str, Rule] = field(hash=False)
    without: str = "^$"
    """A pattern for paths that are left out."""


def _named(pattern: str) -> Rule:
    return lambda path, _: re.search(pattern, path) is not None


def _says(pattern: str) -> Rule:
    return lambda _, text: re.search(pattern, text) is not None


def _catalog(path: str, text: str) -> bool:
    return re.search(r"(^|/)(catalog|view|infoschema)-", path) is not None and "catalog_table_entry" in text


MANUALS = (
    Manual(
        "java",
        (("openjdk-17-doc", "openjdk-21-doc", "openjdk-25-doc"),),
        "usr/share/doc/openjdk-*-jre-headless/api",
        "index.html",
        {
            "packages": _named(r"/package-summary\.html$"),
            "enums": _says(r'<h1 title="Enum Class '),
        },
    ),
    Manual(
        "postgresql",
        (("postgresql-doc-15", "postgresql-doc-17", "postgresql-doc-18"),),
        "usr/share/doc/postgresql-doc-*/html",
        "index.html",
        {"catalogs": _catalog},
    ),
    Manual(
        "qt",
        tuple((f"{name}5-doc-html",) for name in ("qtbase", "qtdeclarative", "qtmultimedia", "qttools", "qtsvg")),
        "usr/share/qt5/doc",
        "qtcore/qtcore-index.html",
        {
            "examples": _named(r"-example\.html$"),
            "obsolete": _named(r"-obsolete\.html$"),
        },
    ),
    Manual(
        "rust",
        (("rust-doc",),),
        "usr/share/doc/rust-doc/html",
        "std/index.html",
        {
            "traits": _named(r"/trait\.[^/]*\.html$"),
            "macros": _named(r"/macro\.[^/]*\.html$"),
        },
        # 27,000 pages, nearly all of them on single instructions of processors.
        without=r"^core/|^src/|/print\.html$",
    ),
    Manual(
        "libstdcxx",
        (("libstdc++-12-doc", "libstdc++-14-doc", "libstdc++-15-doc"),),
        "usr/share/doc/gcc-*-base/libstdc++/user",
        "index.html",
        {"files": _says(r"<title>[^<]*File Reference</title>")},
    ),
    Manual(
        "sqlite",
        (("sqlite3-doc",),),
        "usr/share/doc/sqlite3",
        "index.html",
        {"syntax": _named(r"^syntax/[^/]*\.html$")},
    ),
)


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
