"""What the newer Next.js sends beside its HTML: rows of React's own format, in chunks pushed into `self.__next_f`.

Rows are parted by line ends; only texts (`T`) tell their length, in bytes. Rows that load programs are left out.
"""

import re
from typing import Any

import orjson

from sightline.page.own_data._json import mapped

PUSHED = "__next_f.push("
ROW = re.compile(rb"([\da-f]{1,8}):(?:T([\da-f]{1,8}),)?")
REFERENCE = re.compile(r"\$([\da-f]{1,8})")


def rows_of(chunks: list[str]) -> dict[str, Any]:
    r"""The rows of data in some chunks by their identifiers, and the texts that they refer to in their places.

    >>> rows_of(['1:I["x.js"]\n0:{"title":"$2"', ',"n":1}\n2:T6,Bees\u2026'[:-1], '!?3:["a"]\n'])
    {'0': {'title': 'Bees!?', 'n': 1}, '3': ['a']}
    """
    stream = "".join(chunks).encode("utf-8", "replace")
    rows: dict[str, Any] = {}
    texts: dict[str, str] = {}
    at = 0
    while found := ROW.match(stream, at):
        row, length = found[1].decode(), found[2]
        if length is not None:
            at = found.end() + int(length, 16)
            texts[row] = stream[found.end() : at].decode("utf-8", "replace")
            continue
        end = stream.find(b"\n", found.end())
        end = len(stream) if end < 0 else end
        at = end + 1
        data = _data(stream[found.end() : end])
        if isinstance(data, dict | list):
            rows[row] = data
    return {row: mapped(data, lambda text: _text_for(text, texts)) for row, data in rows.items()}


def _data(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:  # a row for React alone
        return None


def _text_for(written: str, texts: dict[str, str]) -> str:
    found = REFERENCE.fullmatch(written)
    return texts.get(found[1], written) if found else written
