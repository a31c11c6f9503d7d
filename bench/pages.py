"""The pages of the sets, and what is known of them: read once, in the same way by all tasks."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sightline as sl
from bench.frame import CACHE
from sightline.files import write_bytes
from sightline.page import Page, dumps, loads


def json_lines(path: Path) -> list[dict[str, Any]]:
    """What a file of the truth has, an object a line."""
    if not path.exists():
        raise SystemExit(f"bench: {path} is missing; see docs/benchmarks.md for how to rebuild the set.")
    # Not by lines as Python sees them: texts have separators of other kinds in them.
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def rendered(files: Sequence[Path], *, keep: bool) -> list[Page]:
    """Every page as the browser shows it; with `keep` those of an earlier run are taken, whatever has changed since."""
    kept = {path: _kept_at(path) for path in files} if keep else {}
    missing = [path for path in files if not (keep and kept[path].exists())]
    fresh = dict(zip(missing, loaded(missing), strict=True))
    for path, page in fresh.items() if keep else ():
        kept[path].parent.mkdir(parents=True, exist_ok=True)
        write_bytes(kept[path], dumps(page))
    return [fresh[path] if path in fresh else loads(kept[path].read_bytes()) for path in files]


def loaded(files: Sequence[Path], *, static: bool = False) -> Iterator[Page]:
    """Every page as the browser shows it now, or as it is parsed; one that cannot be opened ends the run."""
    for found in sl.open_all([str(path) for path in files], static=static):
        if found.page is None:
            raise SystemExit(f"bench: {found.error}")
        yield found.page


def static(files: Sequence[Path]) -> list[Page]:
    """Every page without a browser."""
    return list(loaded(files, static=True))


def _kept_at(path: Path) -> Path:
    return CACHE / "pages" / (hashlib.blake2b(path.read_bytes(), digest_size=12).hexdigest() + ".page")


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Adds the page's name to whatever goes wrong while it is read."""
    try:
        yield
    except Exception as problem:
        problem.add_note(f"on the page {name}")
        raise
