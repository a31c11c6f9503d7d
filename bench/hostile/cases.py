"""What is thrown at the sources: files, their bytes, the cases inside of test files, and names."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from bench.frame import thinned

RENDERED = ("generated", "html", "payloads", "blns", "warc-warcio", "scrapy-compressed", "encodings-chardet")
MOST_RENDERED = 400  # some thousand pages would take an hour; static pages cover the rest
SNIPPET = re.compile(rb"^#data\n(.*?)\n#errors", re.MULTILINE | re.DOTALL)
NOT_DATA = ("README.md", "SOURCE.md", "LICENSE", "MANIFEST.json")


@dataclass(frozen=True)
class Case:
    """One thing to open: `how` says in which way; `source` is a path or a name, `content` its bytes if they count."""

    how: str
    source: str
    content: bytes | None = None


def cases(folder: Path) -> list[Case]:
    """All cases of the set, in an order that never changes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in NOT_DATA)
    shown = [path for path in files if path.relative_to(folder).parts[0] in RENDERED]
    return [
        *(Case("file", str(path)) for path in files),
        *(Case("bytes", str(path), path.read_bytes()) for path in files),
        *(Case("snippet", f"{path}#{number}", content) for path in files for number, content in _snippets(path)),
        *(Case("name", name) for name in _names(folder)),
        *(Case("server name", name) for name in _names(folder)),
        *(Case("rendered", str(path)) for path in thinned(shown, MOST_RENDERED)),
    ]


def _snippets(path: Path) -> list[tuple[int, bytes]]:
    """The pages inside of a file of html5lib's tests."""
    if path.suffix != ".dat":
        return []
    return list(enumerate((found for found in SNIPPET.findall(path.read_bytes()) if found), 1))


def _names(folder: Path) -> list[str]:
    lists = ("blns/blns.json", "generated/names.json", "generated/ssrf-urls.json")
    names = (name for place in lists for name in json.loads((folder / place).read_text("utf-8")))
    return list(dict.fromkeys(name for name in names if name != "-"))
