"""What is known of a text, as YAML above its Markdown."""

import json
import re
from collections.abc import Mapping

__all__ = ["front_matter"]

# JSON strings are YAML strings, apart from characters that YAML does not allow unescaped.
UNPRINTABLE = re.compile("[\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")


def front_matter(facts: Mapping[str, str | None]) -> str:
    r"""The facts that are known, each quoted, between two lines of dashes.

    >>> print(front_matter({"title": 'Bees: "so"', "author": None, "language": "no"}))
    ---
    title: "Bees: \"so\""
    language: "no"
    ---
    """
    lines = [f"{name}: {_quoted(value)}" for name, value in facts.items() if value]
    return "\n".join(["---", *lines, "---"])


def _quoted(text: str) -> str:
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
