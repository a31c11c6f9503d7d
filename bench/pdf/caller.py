"""A caller of `sl.open` in a process of its own: `python -m bench.pdf.caller`.

Reads a path a line from the input, opens it, and writes one line of JSON: how it ended (`page`, `error` for one of
ours, `foreign` for any other), what it said, the sheets, and the largest memory of any child that has ended.
"""

import json
import os
import resource
import sys
from typing import Any

import sightline as sl
from sightline.errors import SightlineError

KILOBYTE = 1024


def main() -> None:
    """Answer until the input ends; whatever else is printed on the way goes elsewhere."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        for line in sys.stdin:
            answer = _opened(line.rstrip("\n")) | {"child_bytes": _largest_child()}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def _opened(path: str) -> dict[str, Any]:
    try:
        page = sl.open(path)
    except SightlineError as problem:
        return {"end": "error", "kind": type(problem).__name__, "text": str(problem)}
    except Exception as problem:  # noqa: BLE001 - that anything else comes out is what is measured
        return {"end": "foreign", "kind": type(problem).__name__, "text": str(problem)}
    return {"end": "page", "kind": page.kind, "text": "", "sheets": len(page.sheets), "words": len(page.words)}


def _largest_child() -> int:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * KILOBYTE


if __name__ == "__main__":
    main()
