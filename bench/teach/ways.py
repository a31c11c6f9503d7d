"""Wrappers taught by us, and what they read. What cannot be taught counts as failed and is told, and stops nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

import sightline as sl
from bench.induce.sites import opened
from bench.pages import naming
from bench.teach.lessons import FAILED, Delivered, Example, TaughtSite
from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.page import Page

DEFAULT = "sightline"


@dataclass(frozen=True)
class SiteReading:
    """The wrapper of a site, if there is one, and what it reads of every test page."""

    wrapper: Wrapper | None
    pages: list[Delivered]


def taught(name: str, examples: Sequence[Example]) -> Wrapper | None:
    """A wrapper of what is shown; None where this cannot be learned."""
    lesson = sl.teach()
    with naming(name):
        try:
            for example, page in zip(examples, opened([example.path for example in examples]), strict=True):
                lesson.show(page, fields=example.fields, records=example.records)
            wrapper: Wrapper = lesson.wrapper
        except UsageError as problem:
            print(f"bench: {name}: {problem}")
            return None
    return wrapper


def mended(name: str, wrapper: Wrapper, pages: Sequence[Page]) -> Wrapper | None:
    """The wrapper that repair proposes for pages of a new version; None where it cannot."""
    with naming(name):
        try:
            proposed: Wrapper = wrapper.repair(pages).wrapper
        except UsageError as problem:
            print(f"bench: {name}: {problem}")
            return None
    return proposed


def read_pages(name: str, wrapper: Wrapper | None, pages: Sequence[Page]) -> list[Delivered]:
    """What a wrapper reads of pages; nothing without one."""
    if wrapper is None:
        return [FAILED] * len(pages)
    found = []
    for number, page in enumerate(pages):
        with naming(f"{name}, number {number}"):
            read = wrapper.read(page)
        found.append(Delivered(read.records.to_dicts(), read.verdict))
    return found


def read_site(own: TaughtSite) -> dict[int, SiteReading]:
    """The test pages of a site by the wrapper of every number of examples."""
    pages = opened(own.site.paths(own.test))
    found = {}
    for k in own.ks:
        job = own.job(k)
        wrapper = taught(own.site.name, job.examples)
        found[k] = SiteReading(wrapper, read_pages(own.site.name, wrapper, pages))
    return found
