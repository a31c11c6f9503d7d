"""Work that ends when whoever asked for it has gone."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from sightline.jobs import Cancel

__all__ = ["while_connected"]

LOOKS = 0.5  # seconds between two looks at whether the client is still there

Found = TypeVar("Found")


async def while_connected(request: Request, work: Callable[[Cancel], Found]) -> Found:
    """Do something in a thread of its own; once the client has gone, it is asked to stop."""
    cancel = Cancel()
    watching = asyncio.create_task(_watch(request, cancel))
    try:
        return await run_in_threadpool(work, cancel)
    finally:
        watching.cancel()


async def _watch(request: Request, cancel: Cancel) -> None:
    while not await request.is_disconnected():
        await asyncio.sleep(LOOKS)
    cancel.cancel()
