"""What a client says on standard input; what isn't a message is answered, which the protocol's package does not do."""

from types import TracebackType
from typing import Any

__all__ = ["AnsweringStream"]

_MOST_SHOWN = 200  # letters of a problem


class AnsweringStream:
    """The messages of a client; a line that is none is answered by a parse error of JSON-RPC, and the next is read."""

    def __init__(self, messages: Any, answers: Any) -> None:
        self._messages = messages
        self._answers = answers

    async def receive(self) -> Any:
        """The next message."""
        while isinstance(item := await self._messages.receive(), Exception):
            await self._answers.send(_parse_error(item))
        return item

    def __aiter__(self) -> "AnsweringStream":
        return self

    async def __anext__(self) -> Any:
        import anyio

        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "AnsweringStream":
        await self._messages.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> Any:
        return await self._messages.__aexit__(kind, problem, trace)

    def __getattr__(self, name: str) -> Any:
        """All else is as the package has it."""
        return getattr(self._messages, name)


def _parse_error(problem: Exception) -> Any:
    import mcp_types as types
    from mcp.shared.message import SessionMessage

    said = " ".join(str(problem).split())[:_MOST_SHOWN]
    told = f"Parse error: this line isn't a JSON-RPC message ({said}); send one message a line."
    error = types.ErrorData(code=types.PARSE_ERROR, message=told)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=error))
