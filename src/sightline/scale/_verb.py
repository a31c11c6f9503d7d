"""The verb: a batch from what people name."""

import os
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any

from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.jobs import extractor
from sightline.scale._batch import Batch, BatchRun, EngineName, OnCounts
from sightline.scale._folder import output_folder
from sightline.scale._spec import BatchSettings, BatchSpec
from sightline.scale.engines import LocalEngine
from sightline.settings import Settings

if TYPE_CHECKING:
    from sightline.jobs import Cancel
    from sightline.net import CrawlPolicy, Limits
    from sightline.scale.engines import BatchEngine
    from sightline.scale.inputs import InputSettings
    from sightline.sources import BrowserSettings

_WRAPPER_SUFFIX = ".json"
WRAPPER = "wrapper"


def batch(  # noqa: PLR0913 - keywords, each of them said seldom
    what: Wrapper | str | os.PathLike[str],
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    *,
    engine: EngineName = "local",
    render: bool | None = None,
    origins: bool = True,
    settings: BatchSettings | None = None,
    reading: "InputSettings | None" = None,
    ledger: str | None = None,
    job: str | None = None,
    ray_address: str | None = None,
    verify: bool = False,
    delta: bool = False,
    limits: "Limits | None" = None,
    policy: "CrawlPolicy | None" = None,
    browser: "BrowserSettings | None" = None,
    cancel: "Cancel | None" = None,
    on_counts: OnCounts | None = None,
    **options: Any,
) -> BatchRun:
    """Extract from millions of documents with a wrapper, `tables`, `lists` or `content`, into Parquet files.

    `inputs` are WARC and WACZ files, folders, globs, lists of addresses, Parquet files with a column of HTML, and the
    same in object stores. The same call goes on where the last one ended, however that was; with `verify` it also reads
    every file again, and makes anew what is damaged. `options` are those of the extractor. In the command line:
    `sightline batch`.

    >>> batch("tabels", "pages.warc.gz", "out")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: There is no extractor 'tabels'; use one of tables, lists, top, content...
    """
    spec = batch_spec(
        what, render=render, origins=origins, limits=limits, policy=policy, browser=browser, options=options
    )
    names = [inputs] if isinstance(inputs, str | os.PathLike) else list(inputs)
    with Batch(
        spec,
        [os.fspath(name) for name in names],
        output_folder(os.fspath(folder)),
        engine=engine_of(engine, ray_address),
        settings=settings,
        reading=reading,
        ledger=ledger,
        job=job,
        cancel=cancel,
        on_counts=on_counts,
    ) as begun:
        return begun.run(verify=verify, delta=delta)


def engine_of(name: str, ray_address: str | None = None) -> "Callable[[], BatchEngine]":
    """What makes an engine of this name."""
    if name == "local":
        return LocalEngine
    if name != "ray":
        raise UsageError(f"There is no engine {name!r}; use local or ray.")
    from sightline.scale.engines import RayEngine  # Ray is an extra

    return partial(RayEngine, ray_address)


def batch_spec(  # noqa: PLR0913
    what: Wrapper | str | os.PathLike[str],
    *,
    render: bool | None = None,
    origins: bool = True,
    limits: "Limits | None" = None,
    policy: "CrawlPolicy | None" = None,
    browser: "BrowserSettings | None" = None,
    options: dict[str, Any] | None = None,
) -> BatchSpec:
    """What is to be done, from a wrapper, the file of one, or the name of an extractor.

    Pages are rendered if the wrapper needs that, unless `render` says otherwise.
    """
    if policy is not None and (policy.is_secret or policy.state):
        raise UsageError(
            "A batch keeps its settings in its folder, for all who work on it, so it takes no header, cookie, state or "
            "proxy; crawl the pages with them first, and give the batch the folder of the crawl."
        )
    wrapper = _wrapper(what)
    if wrapper is None:
        extractor(os.fspath(what))  # type: ignore[arg-type] # which says which there are
    return BatchSpec(
        extractor=WRAPPER if wrapper else str(what),
        wrapper=wrapper.dumps() if wrapper else "",
        options=options or {},
        render=(wrapper is not None and wrapper.needs != "static") if render is None else render,
        limits=_changed(limits),
        policy=_changed(policy),
        browser=_changed(browser),
        origins=origins,
    )


def _wrapper(what: Wrapper | str | os.PathLike[str]) -> Wrapper | None:
    if isinstance(what, Wrapper):
        return what
    if isinstance(what, os.PathLike) or what.lower().endswith(_WRAPPER_SUFFIX):
        return Wrapper.load(what)
    return None


def _changed(settings: Settings | None) -> dict[str, Any]:
    """The settings that are not as by default."""
    if settings is None:
        return {}
    return {one.name: value for one in fields(settings) if (value := getattr(settings, one.name)) != one.default}
