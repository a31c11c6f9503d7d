"""Between the protocol and the tools: calls are run in threads, errors become sentences, progress is told.

This is the only module that knows the `mcp` package's names for these things.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import anyio
import orjson
from mcp.server import Server, ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from sightline._version import __version__
from sightline.errors import BrowserMissing, SightlineError
from sightline.jobs import Cancel, Progress
from sightline.mcp._answers import ToolAnswer, one_sentence
from sightline.mcp._desk import Desk, ToolCall
from sightline.mcp._tools import INSTRUCTIONS, OUTPUT_SCHEMA, TOOLS, AgentTool, tool_named

__all__ = ["protocol_server"]

_NO_BROWSER = (
    "There is no browser on the server's machine; open the page with static=true, "
    "or ask the user to run `sightline doctor --install`."
)


def protocol_server(desk: Desk) -> Server[Any]:
    """A server of the protocol whose tools work at a desk."""
    limiter = anyio.CapacityLimiter(desk.settings.calls)

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def call_tool(context: ServerRequestContext[Any], asked: CallToolRequestParams) -> CallToolResult:
        try:
            tool = tool_named(asked.name)
            return _succeeded(await _run(desk, tool, asked.arguments or {}, context, limiter))
        except TimeoutError:
            seconds = f"{desk.settings.call_seconds:g}"
            return _failed(f"{asked.name} took longer than {seconds} seconds; ask for fewer pages, or open one alone.")
        except BrowserMissing:
            return _failed(_NO_BROWSER)
        except SightlineError as error:
            return _failed(error.message)

    @asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            # Closing takes a moment, which those who cancel us must not cut short: a browser would be left behind.
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(desk.close)

    return Server(
        "sightline",
        version=__version__,
        title="Sightline",
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _run(
    desk: Desk,
    tool: AgentTool,
    given: dict[str, Any],
    context: ServerRequestContext[Any],
    limiter: anyio.CapacityLimiter,
) -> ToolAnswer:
    """Run a tool in a thread; if the client cancels or goes away, the thread is told, and nobody waits for it."""
    loop = asyncio.get_running_loop()
    steps = count(1)  # the protocol wants a number that only grows, and the parts of our work count anew

    def tell(progress: Progress) -> None:
        far = f", {progress.done} of {progress.total}" if progress.total else ""
        said = context.session.report_progress(next(steps), None, f"{progress.what}{far}")
        asyncio.run_coroutine_threadsafe(said, loop)

    call = ToolCall(Cancel(), tell)
    try:
        with anyio.fail_after(desk.settings.call_seconds):
            return await anyio.to_thread.run_sync(tool.run, desk, given, call, abandon_on_cancel=True, limiter=limiter)
    finally:
        call.cancel.cancel()


def _described(tool: AgentTool) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=OUTPUT_SCHEMA,
        annotations=ToolAnnotations(
            read_only_hint=not tool.saves, destructive_hint=False, idempotent_hint=not tool.saves, open_world_hint=True
        ),
    )


def _succeeded(answer: ToolAnswer) -> CallToolResult:
    # Compact, since the text is what most clients show to their model: each blank would be paid for.
    text = orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=orjson.loads(text))


def _failed(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=one_sentence(message))], is_error=True)
