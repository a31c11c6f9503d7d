"""Downloads of a session: into a folder of their own, never larger than allowed, and never under a name of the site's.

The files are only stored. Their names have no ending, so nothing opens or runs them by mistake.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.errors import DeadlineError, LimitError, OutputError, RefusedError, SourceError, UnreachableError
from sightline.net import megabytes
from sightline.sources.browser._tab import Tab

CALL_SECONDS = 10.0
OWN_FOLDER = 0o700
OWN_FILE = 0o600
WITHOUT_FOLDER = "is a download, which was refused; name a folder to store it in: session(downloads=…)."


@dataclass(frozen=True)
class Download:
    """A file that a page offered: where it is now, and the `name`, `url` and `size` it came with."""

    path: Path
    name: str
    url: str
    size: int


class Downloads:
    """The downloads of one session; without a folder they are refused."""

    def __init__(self, folder: Path | None, *, most: int, seconds: float) -> None:
        self.folder = folder
        self.done: list[Download] = []
        self._most = most
        self._seconds = seconds
        self._tab: Tab | None = None
        self._under_way: dict[str, tuple[str, str]] = {}
        self._changed = asyncio.Event()
        self._problem: SourceError | None = None
        self._begun = 0

    async def open(self, tab: Tab) -> None:
        """Have the browser put the files of this tab's profile into the folder."""
        self._tab = tab
        if self.folder is None:
            return
        try:
            self.folder.mkdir(mode=OWN_FOLDER, parents=True, exist_ok=True)
        except OSError as problem:
            raise OutputError(
                f"The folder {self.folder} for downloads cannot be used ({problem.strerror})."
            ) from problem
        allow = {
            "behavior": "allowAndName",
            "browserContextId": tab.context,
            "downloadPath": str(self.folder),
            "eventsEnabled": True,
        }
        await tab.connection.call("Browser.setDownloadBehavior", allow, seconds=CALL_SECONDS)

    def begin_action(self) -> None:
        """Count from here."""
        self._begun = 0
        self._problem = None

    def check(self) -> None:
        """Raise what went wrong with a download of this action, if anything did."""
        if self._problem:
            raise self._problem

    def hear(self, method: str, params: dict[str, Any]) -> None:
        """Follow the downloads of a tab by its events."""
        if method == "Page.downloadWillBegin" and self.folder is None:
            self._problem = RefusedError(params["url"], WITHOUT_FOLDER)
        elif method == "Page.downloadWillBegin":
            self._begun += 1
            self._under_way[params["guid"]] = (params["url"], params.get("suggestedFilename", ""))
        elif method == "Page.downloadProgress" and params["guid"] in self._under_way:
            self._progress(params["guid"], params)
        self._changed.set()

    async def begun(self, seconds: float) -> bool:
        """Wait for the first download of this action; False if there is none in this time."""
        return await self._until(lambda: self._begun > 0, seconds)

    async def finished(self) -> None:
        """Wait for the downloads that are under way; those that take too long are cancelled."""
        if not await self._until(lambda: not self._under_way, self._seconds):
            for guid, (url, _) in list(self._under_way.items()):
                text = (
                    f"was not downloaded within {self._seconds:g} s; raise the limit `download_seconds` to wait longer."
                )
                self._cancel(guid, DeadlineError(url, text))

    def close(self) -> None:
        """Cancel whatever is under way."""
        for guid, (url, _) in list(self._under_way.items()):
            self._cancel(guid, UnreachableError(url, "the session was closed before the download was complete."))

    async def _until(self, holds: Callable[[], bool], seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def _progress(self, guid: str, params: dict[str, Any]) -> None:
        url, name = self._under_way[guid]
        size = int(max(params.get("receivedBytes", 0), params.get("totalBytes", 0)))
        if size > self._most:
            text = (
                f"is a download of more than {megabytes(self._most)} and was stopped; raise the limit `download_bytes`."
            )
            self._cancel(guid, LimitError(url, text, limit="download_bytes"))
        elif params["state"] == "completed":
            del self._under_way[guid]
            self._keep(guid, url, name)
        elif params["state"] == "canceled":
            del self._under_way[guid]
            self._problem = UnreachableError(url, "the download broke off; try again.")

    def _keep(self, guid: str, url: str, name: str) -> None:
        path = self.folder / guid if self.folder else Path(guid)
        path.chmod(OWN_FILE)
        self.done.append(Download(path, Path(name).name, url, path.stat().st_size))

    def _cancel(self, guid: str, problem: SourceError) -> None:
        """Stop a download; the browser removes what it has of it."""
        self._under_way.pop(guid, None)
        self._problem = problem
        if self._tab:
            cancel = {"guid": guid, "browserContextId": self._tab.context}
            self._tab.connection.send("Browser.cancelDownload", cancel)
