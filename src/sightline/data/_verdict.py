"""The verdict on a page or a run."""

from typing import Literal, TypeAlias

__all__ = ["Verdict"]

Verdict: TypeAlias = Literal["ok", "suspicious", "failed"]
"""Whether data can be trusted: `ok` as far as can be told, `suspicious` with reasons to check, or `failed`."""
