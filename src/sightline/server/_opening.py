"""The jobs that open pages: addresses, uploads, examples and what was named at the start."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from sightline.errors import BlockedError, SightlineError
from sightline.net import Document
from sightline.server._board import JobHandle
from sightline.server._problems import ProblemError, problem_of
from sightline.server._shapes import page_shape
from sightline.server._studio import Studio

__all__ = ["open_one", "open_several"]

Opening: TypeAlias = Callable[[JobHandle], dict[str, Any]]


def open_one(studio: Studio, source: str, *, static: bool = False) -> Opening:
    """Opens one address; if that fails, so does the job. A wall is kept, and the problem says which page it is."""

    def work(job: JobHandle) -> dict[str, Any]:
        pages = []
        for loaded, info in studio.opened(job, [source], 1, static=static):
            if loaded.error is not None:
                wall = {"page": info.id} if info and isinstance(loaded.error, BlockedError) else {}
                raise _Failed(loaded.error, wall)
            if info is not None:
                pages.append(page_shape(info))
                job.found({"page": pages[-1]})
        return {"pages": pages}

    return work


def open_several(
    studio: Studio,
    sources: Iterable[str | Document],
    total: int | None,
    *,
    static: bool = False,
    trusted: bool = False,
    finish: Callable[[], None] | None = None,
) -> Opening:
    """Opens several sources; what is wrong with some of them is told in the end, and stops no other.

    `finish` is called when all is over, however it ended.
    """
    listed = list(sources)
    order = {_name(source): place for place, source in enumerate(listed)}

    def work(job: JobHandle) -> dict[str, Any]:
        kept: list[tuple[str, dict[str, Any]]] = []
        problems = []
        try:
            for loaded, info in studio.opened(job, listed, total, static=static, trusted=trusted):
                if info is not None:
                    kept.append((loaded.source, page_shape(info)))
                    job.found({"page": kept[-1][1]})
                if loaded.error is not None:
                    problems.append({"file": loaded.source, "detail": _sentence(loaded.error, loaded.source)})
        finally:
            if finish is not None:
                finish()
        if problems and not kept:
            raise ProblemError("unreadable", problems[0]["detail"], reason="unreadable", problems=problems)
        # They come as they are ready, and are told in the order in which they were given, whatever the machine does.
        pages = [page for _, page in sorted(kept, key=lambda one: order.get(one[0], len(order)))]
        return {"pages": pages, "problems": problems}

    return work


def _name(source: str | Document) -> str:
    return source if isinstance(source, str) else source.source


def _sentence(error: SightlineError, source: str) -> str:
    """What is wrong, without the name of the file, which is beside it."""
    told = error.message.removeprefix(f"{source}: ")
    return told[:1].upper() + told[1:]


class _Failed(ProblemError):
    """A source that did not become a page."""

    def __init__(self, error: SightlineError, extra: dict[str, Any]) -> None:
        found = problem_of(error)
        super().__init__(found["code"], found["detail"])
        self.document = found | extra
