"""Likeness by a wrapper: the pages looked for are those that it can read."""

from sightline.crawl.likeness._judgement import Judgement, Unlearning
from sightline.data import Records, Verdict
from sightline.extract.wrappers import Wrapper
from sightline.sources import PageOutline, parse

__all__ = ["WrapperLikeness"]

LIKENESS: dict[Verdict, float] = {"ok": 1.0, "suspicious": 0.5, "failed": 0.0}


class WrapperLikeness(Unlearning):
    """A page is a target if the wrapper finds records on it and does not reject its template.

    Suspicious pages with data are targets, too: the user wants their records, with the doubts that extraction reports.
    """

    def __init__(self, wrapper: Wrapper) -> None:
        self._wrapper = wrapper

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:  # noqa: ARG002 - the wrapper reads the page
        """The judgement on a page by the wrapper's verdict."""
        found = self._wrapper.read(parse(text, url=url), heal=False)
        is_target = found.verdict == "ok" or (found.verdict == "suspicious" and _is_filled(found.records))
        return Judgement(is_target, LIKENESS[found.verdict] if is_target else 0.0)


def _is_filled(records: Records) -> bool:
    """Whether at least half of the fields have a value: the frame of a site alone fills none, or the title."""
    values = [value for record in records.to_dicts() for value in record.values()]
    return bool(values) and 2 * sum(value not in (None, [], "") for value in values) >= len(values)
