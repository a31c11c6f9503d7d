"""A folder of HTML files served on the loopback interface by a process of its own, with a log of what was asked."""

import asyncio
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_NOT_FOUND = b"<!doctype html><title>Not found</title><h1>Not found</h1>"
_TYPES = {".html": b"text/html; charset=utf-8", ".htm": b"text/html; charset=utf-8", ".xml": b"application/xml"}


@dataclass(frozen=True)
class ServedFolder:
    """A site that is served: its address, and the file with one line for each request."""

    address: str
    log: Path

    def asked(self) -> list[str]:
        """The paths asked for so far, in order."""
        return self.log.read_text("utf-8").splitlines()


@contextmanager
def served(folder: Path, log: Path) -> Iterator[ServedFolder]:
    """Serve a folder while the block runs."""
    log.write_text("", "utf-8")
    command = [sys.executable, str(Path(__file__)), str(folder), str(log)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield ServedFolder(process.stdout.readline().strip(), log)
    finally:
        process.kill()
        process.wait()


async def _serve(folder: Path, log: Path) -> None:
    with log.open("a", buffering=1, encoding="utf-8") as asked:

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while True:
                    head = await reader.readuntil(b"\r\n\r\n")
                    target = urllib.parse.unquote(head.split(b" ", 2)[1].decode("latin-1").partition("?")[0])
                    asked.write(f"{target}\n")
                    writer.write(_answer(folder, target))
                    await writer.drain()
            except (asyncio.IncompleteReadError, ConnectionError):
                writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/\n")
        sys.stdout.flush()
        async with server:
            await server.serve_forever()


def _answer(folder: Path, target: str) -> bytes:
    path = (folder / target.lstrip("/")).resolve()
    if path.is_dir():
        path /= "index.html"
    found = path.is_relative_to(folder) and path.is_file()
    body = path.read_bytes() if found else _NOT_FOUND
    status = b"200 OK" if found else b"404 Not Found"
    kind = _TYPES.get(path.suffix.lower(), b"text/plain") if found else _TYPES[".html"]
    return b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind, len(body), body)


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
