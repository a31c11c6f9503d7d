"""A Studio in a process of its own, as a user starts it, and a client that costs little of the processor."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from bench.processes import resident

ANSWER_SECONDS = 600.0  # a page of 700,000 nodes is searched in one request


@dataclass(frozen=True)
class ServedStudio:
    """A running Studio: its process, port and token."""

    process: "subprocess.Popen[str]"
    port: int
    token: str

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """The status of an answer and its JSON."""
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        own = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **(headers or {})}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api{path}", content, own, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return answer.status, _decoded(answer.read())
        except HTTPError as problem:
            return problem.code, _decoded(problem.read())

    def seconds(self, path: str) -> float:
        """How long an answer takes."""
        began = time.perf_counter()
        status, found = self.ask("GET", path)
        if status != 200:
            raise SystemExit(f"bench: {path} answered {status}: {found}")
        return time.perf_counter() - began

    def upload(self, name: str, content: bytes) -> str:
        """Upload a page and give its id."""
        mark = uuid.uuid4().hex
        head = f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        status, job = self.ask("POST", "/uploads", body, kind)
        while status < 300 and job["state"] in ("waiting", "running"):
            time.sleep(0.05)
            status, job = self.ask("GET", f"/jobs/{job['id']}")
        if status >= 300 or job["state"] != "done":
            raise SystemExit(f"bench: {name} could not be uploaded: {job}")
        found: str = job["result"]["pages"][0]["id"]
        return found

    def resident(self) -> int:
        """The resident bytes of the process."""
        return resident(self.process.pid)

    def kill(self) -> None:
        """Kill it as the system does when memory runs out."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def _decoded(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content


@contextmanager
def served(project: Path, *more: str) -> Iterator[ServedStudio]:
    """Run `sightline studio` for a project."""
    command = [sys.executable, "-m", "sightline", "studio", "--no-open", "--port", "0", "--project", str(project)]
    with subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r":(\d+)/\?token=(\S+)", line)
        if not found:
            raise SystemExit(f"bench: the Studio did not start: {line!r}")
        try:
            yield ServedStudio(process, int(found[1]), found[2])
        finally:
            process.kill()


class Client:
    """One connection that stays open, and nothing but what a request needs."""

    def __init__(self, studio: ServedStudio) -> None:
        self._studio = studio
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", headers: str = "") -> tuple[int, bytes]:
        """The status of an answer and its body; a connection that was closed meanwhile is opened again."""
        try:
            return await self._ask(method, path, body, headers)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            return await self._ask(method, path, body, headers)

    async def _ask(self, method: str, path: str, body: bytes, headers: str) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._studio.port)
        reader, writer = self._streams
        head = (
            f"{method} /api{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self._studio.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
        )
        writer.write(head.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(answer[9:12])
        length = re.search(r"content-length: (\d+)", answer, re.IGNORECASE)
        content = await reader.readexactly(int(length[1])) if length else b""
        if re.search(r"connection: close", answer, re.IGNORECASE):
            self.close()
        return status, content

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
