"""The verdict on a page or a run."""

from typing import Literal, TypeAlias

__all__ = ["Verdict"]

Verdict: TypeAlias = Literal["ok", "suspicious", "failed"]
"""Whether data can be trusted: `ok` as far as anybody can tell, `suspicious` with reasons to look, or `failed`."""
