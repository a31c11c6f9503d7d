"""The browser's process: started with its pipe, watched, and gone for certain when we are."""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from sightline.errors import BrowserError, BrowserMissing
from sightline.sources._find_browser import VARIABLE, find_browser
from sightline.sources._pipe import CallError, Connection

if sys.platform != "win32":
    import fcntl

__all__ = ["BrowserProcess", "sweep_profiles"]

PROFILE_PREFIX = "sightline-browser-"
START_SECONDS = 30.0
STOP_SECONDS = 3.0
PIPE_BYTES = 1 << 20  # a full megabyte a read instead of 64 KB: fewer turns for big answers
LOWEST_FREE_FD = 10  # the child's ends must not collide with 3 and 4, where it expects them

FLAGS = (
    *("--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
    *("--mute-audio", "--disable-dev-shm-usage", "--font-render-hinting=none", "--disable-extensions"),
    *("--disable-back-forward-cache", "--disable-default-apps", "--no-default-browser-check", "--disable-breakpad"),
    *("--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--password-store=basic"),
    *("--disable-backgrounding-occluded-windows", "--use-mock-keychain", "--disable-client-side-phishing-detection"),
    # No packet leaves past the proxy, if there is one.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,InterestFeedContentSuggestions",
)


class BrowserProcess:
    """One running browser. Its pipe is its life line: when we die, in whatever way, it sees the pipe close and quits."""

    def __init__(self, pid: int, profile: Path, connection: Connection, path: Path) -> None:
        self.pid = pid
        self.connection = connection
        self.path = path
        self._profile = profile
        self._reaped = False

    @classmethod
    async def start(cls, extra: tuple[str, ...] = ()) -> "BrowserProcess":
        """Start the browser that is installed here."""
        path = find_browser()
        if path is None:
            raise BrowserMissing
        sweep_profiles()
        profile = Path(tempfile.mkdtemp(prefix=f"{PROFILE_PREFIX}{os.getpid()}-"))
        pid, read_fd, write_fd = _spawn(path, profile, extra)
        connection = Connection()
        await connection.open(read_fd, write_fd)
        process = cls(pid, profile, connection, path)
        try:
            await connection.call("Browser.getVersion", seconds=START_SECONDS)
        except (CallError, TimeoutError) as problem:
            log = _last_line(profile / "stderr.txt")
            await process.stop()
            hint = f"run `sightline doctor`, or name another browser in {VARIABLE}"
            raise BrowserError(str(path), f"did not start ({log or problem or 'no answer'}); {hint}.") from problem
        return process

    @property
    def alive(self) -> bool:
        """Whether the process runs and its pipe is open."""
        return not self.connection.lost.is_set() and not self._reap()

    async def stop(self) -> None:
        """Ask it to quit, then make it; returns when it and its children are gone."""
        self.connection.send("Browser.close")
        for _ in range(int(STOP_SECONDS / 0.02)):
            if self._reap():
                break
            await asyncio.sleep(0.02)
        self.connection.close()
        self.kill()

    def kill(self) -> None:
        """End the whole process group at once and remove its profile."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if not self._reaped:
            with suppress(ChildProcessError):
                os.waitpid(self.pid, 0)
            self._reaped = True
        shutil.rmtree(self._profile, ignore_errors=True)

    def memory(self) -> int:
        """The resident bytes of the browser and all its children; 0 where that cannot be read."""
        return _group_memory(self.pid)

    def _reap(self) -> bool:
        if not self._reaped:
            with suppress(ChildProcessError):
                self._reaped = os.waitpid(self.pid, os.WNOHANG)[0] == self.pid
        return self._reaped


def _spawn(path: Path, profile: Path, extra: tuple[str, ...]) -> tuple[int, int, int]:
    """Start the process with our pipes as its descriptors 3 and 4; returns its pid and our two ends."""
    to_read, to_write = _pipe()
    from_read, from_write = _pipe()
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    arguments = [str(path), *FLAGS, *sandbox, f"--user-data-dir={profile}", *extra, "about:blank"]
    log = str(profile / "stderr.txt")
    actions = [
        (os.POSIX_SPAWN_DUP2, to_read, 3),
        (os.POSIX_SPAWN_DUP2, from_write, 4),
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, log, os.O_WRONLY | os.O_CREAT, 0o600),
    ]
    try:
        pid = os.posix_spawn(str(path), arguments, dict(os.environ), file_actions=actions, setpgroup=0)
    except OSError as problem:
        os.close(to_write)
        os.close(from_read)
        shutil.rmtree(profile, ignore_errors=True)
        raise BrowserError(str(path), f"could not be started ({problem.strerror}); run `sightline doctor`.") from problem
    finally:
        os.close(to_read)
        os.close(from_write)
    return pid, from_read, to_write


def _pipe() -> tuple[int, int]:
    """A pipe whose ends have high numbers and, on Linux, a large buffer."""
    ends = []
    for low in os.pipe():
        ends.append(fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, LOWEST_FREE_FD))
        os.close(low)
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # the system's limit for unprivileged users may be lower
            fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return ends[0], ends[1]


def _last_line(path: Path) -> str:
    try:
        lines = path.read_text("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1][-200:] if lines else ""


def _group_memory(group: int) -> int:
    """The resident bytes of a process group, from /proc; 0 elsewhere."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            total += int(fields[21]) * page
    return total


def sweep_profiles() -> None:
    """Remove the profiles of processes that were killed before they could clean up."""
    for profile in Path(tempfile.gettempdir()).glob(f"{PROFILE_PREFIX}*"):
        owner = profile.name.removeprefix(PROFILE_PREFIX).partition("-")[0]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(profile, ignore_errors=True)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
