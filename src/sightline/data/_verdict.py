"""The verdict on a page or a run."""

from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias, get_args

__all__ = ["Verdict", "verdict_of_pages", "worst_verdict"]

Verdict: TypeAlias = Literal["ok", "suspicious", "failed"]
"""Whether data can be trusted: `ok` as far as can be told, `suspicious` with reasons to check, or `failed`."""


def verdict_of_pages(verdicts: Collection[Verdict], *, most_suspicious: float = 0.0) -> Verdict:
    """The verdict on a run by those on its pages; `most_suspicious` is the share of them that may be so in an ok run.

    Checks and repairs judge by it, so that neither calls a run ok if one of its pages was suspicious when it was read.

    >>> verdict_of_pages(["ok", "suspicious"]), verdict_of_pages(["failed", "ok"]), verdict_of_pages(["failed"])
    ('suspicious', 'suspicious', 'failed')
    """
    failed, suspicious = (sum(verdict == word for verdict in verdicts) for word in ("failed", "suspicious"))
    if failed and failed == len(verdicts):
        return "failed"
    return "suspicious" if failed or suspicious > most_suspicious * len(verdicts) else "ok"


def worst_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of some verdicts; `ok` if there is none.

    >>> worst_verdict(["ok", "failed", "suspicious"]), worst_verdict([])
    ('failed', 'ok')
    """
    return max(verdicts, key=get_args(Verdict).index, default="ok")
