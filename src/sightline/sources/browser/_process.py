"""The browser's process: started with its pipe, watched, and certain to end when we do."""

import asyncio
import fcntl
import os
import shutil
import signal
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sightline.errors import BrowserError, BrowserMissing
from sightline.project import Lock, remove_abandoned
from sightline.sources.browser._pipe import CallError, Connection

# The browser's profile: a separate folder for each run, removed afterwards, however the run ended.
#
# Its owner holds a lock on it. A lock ends with its process, however that dies, and is seen by processes elsewhere (in
# another container, say) that share the folder but not our process numbers: so a profile without a lock may be removed
# by any process.

PREFIX = "sightline-browser-"
LOCK = "owner.lock"
SECONDS_TO_LOCK = 60.0  # a folder without a lock file may be one that is just being made


class UserDataFolder:
    """A fresh profile folder, locked by us until it is removed."""

    def __init__(self) -> None:
        try:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._lock = Lock(self.path / LOCK, mode=0o600)
        except OSError as problem:
            text = f"has no place for the browser's profile ({problem.strerror}); free some space or set TMPDIR."
            raise BrowserError(tempfile.gettempdir(), text) from problem

    def release(self) -> None:
        """Release the lock."""
        self._lock.release()

    def remove(self) -> None:
        """Remove the folder; anything a dying process still writes to it is removed at the next start."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()


def sweep_user_data() -> None:
    """Remove the profiles of processes that were killed before they could clean up."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if _is_abandoned(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(path: Path) -> bool:
    try:
        if not (path / LOCK).exists():
            return _age(path) > SECONDS_TO_LOCK
        return remove_abandoned(path / LOCK)
    except OSError:  # of another user
        return False


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0


LOG = "stderr.txt"
START_SECONDS = 30.0
SHOWN_LOG = 200  # characters of what the browser said last
LOOK_EVERY_SECONDS = 0.01
GONE_SECONDS = 5.0  # after SIGKILL, on a busy machine; then the system is to blame
STOP_SECONDS = 2.0
PIPE_BYTES = 1 << 20  # a full megabyte a read instead of 64 KB: fewer turns for big answers
LOWEST_FREE_FD = 10  # the child's ends must not collide with 3 and 4, where it expects them

# What no page needs to be drawn; most of it makes requests that no tab announces.
UNNEEDED = (
    *("Translate", "MediaRouter", "OptimizationHints", "AutofillServerCommunication", "InterestFeedContentSuggestions"),
    *("FedCm", "WebPayments", "BackgroundFetch"),
    # Frames of saved pages are sandboxed; in a process of their own they would be missing from the snapshot.
    "IsolateSandboxedIframes",
)
UNNEEDED_IN_PAGES = ("FedCm", "PaymentRequest", "BackgroundFetch", "FetchLaterAPI")

FLAGS = (
    *("--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
    *("--mute-audio", "--disable-dev-shm-usage", "--font-render-hinting=none", "--disable-extensions"),
    *("--disable-back-forward-cache", "--disable-default-apps", "--no-default-browser-check", "--disable-breakpad"),
    *("--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--password-store=basic"),
    *("--disable-backgrounding-occluded-windows", "--use-mock-keychain", "--disable-client-side-phishing-detection"),
    "--no-startup-window",  # it would cost a renderer
    "--allow-pre-commit-input",  # a click before the first frame is drawn would be lost, on a busy machine
    # No packet leaves past the proxy, if there is one; the headless shell and the full browser have a flag each.
    *(f"--{flag}=disable_non_proxied_udp" for flag in ("force-webrtc-ip-handling-policy", "webrtc-ip-handling-policy")),
    f"--disable-features={','.join(UNNEEDED)}",
    f"--disable-blink-features={','.join(UNNEEDED_IN_PAGES)}",
)

WITHOUT_DISPLAY = ("--headless=new", "--disable-gpu", "--hide-scrollbars", "--mute-audio")
"""The flags that are only for browsers that nobody sees."""

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")

WITHOUT_WINDOWS = ("--block-new-web-contents",)
"""The flag of a browser whose pages cannot open tabs."""

SEALED = (
    *WITHOUT_WINDOWS,
    # Every request would go through a proxy, loopback addresses included, and no name or address is ever resolved.
    *("--proxy-server=http://nowhere.invalid:9", "--proxy-bypass-list=<-loopback>"),
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
"""The flags of a browser that can reach nothing: what it shows has to be handed to it."""


class BrowserProcess:
    """A running browser. Its pipe is its lifeline: however we die, the pipe closes and the browser quits."""

    def __init__(self, pid: int, profile: UserDataFolder, connection: Connection, path: Path) -> None:
        self.pid = pid
        self.connection = connection
        self.path = path
        self._profile = profile
        self._reaped = False
        _running.add(self)

    @classmethod
    async def start(cls, extra: tuple[str, ...] = (), *, headed: bool = False) -> "BrowserProcess":
        """Start the installed browser, with windows that people see if `headed`."""
        path = _installed(headed=headed)
        if headed:
            _check_display(path)
        sweep_user_data()
        profile = UserDataFolder()
        pid, read_fd, write_fd = _spawn(path, profile, (*_flags(headed=headed), *extra))
        process = cls(pid, profile, Connection(), path)
        started = False
        try:
            await process.connection.open(read_fd, write_fd)
            await process.connection.call("Browser.getVersion", seconds=START_SECONDS)
            started = True
        except CallError as problem:
            raise BrowserError(str(path), _unstarted(_last_line(profile.path / LOG), str(problem))) from problem
        finally:
            if not started:
                process.connection.close()
                process.kill()
        return process

    @property
    def alive(self) -> bool:
        """Whether the process runs and its pipe is open."""
        return not self.connection.lost.is_set() and not self._reap()

    async def stop(self) -> None:
        """Ask it to quit, then force it; returns when it and its children are gone."""
        try:
            self.connection.send("Browser.close")
            until = time.monotonic() + STOP_SECONDS
            while not self._reap() and time.monotonic() < until:
                await asyncio.sleep(LOOK_EVERY_SECONDS)
        finally:
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
        until = time.monotonic() + GONE_SECONDS
        while self.memory() and time.monotonic() < until:  # dead processes hold none, even before they are reaped
            time.sleep(LOOK_EVERY_SECONDS)
        self._profile.remove()

    def abandon(self) -> None:
        """Release everything in a forked child: its copy of the pipe would keep the browser alive after us."""
        self.connection.abandon()
        self._profile.release()
        self._reaped = True

    def memory(self) -> int:
        """The private memory of the browser and its children in bytes; 0 if that cannot be read."""
        return sum(size for _, size in _group(self.pid))

    def kill_largest_page(self) -> bool:
        """Kill the process that uses most memory, if it renders pages; its tab will notice."""
        size, pid = max(((size, pid) for pid, size in _group(self.pid)), default=(0, 0))
        if not size or b"--type=renderer" not in _command(pid):
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        return True

    def _reap(self) -> bool:
        if not self._reaped:
            with suppress(ChildProcessError):
                self._reaped = os.waitpid(self.pid, os.WNOHANG)[0] == self.pid
        return self._reaped


_running: "weakref.WeakSet[BrowserProcess]" = weakref.WeakSet()


def _forget_in_child() -> None:
    for process in list(_running):
        process.abandon()


os.register_at_fork(after_in_child=_forget_in_child)


def _flags(*, headed: bool) -> tuple[str, ...]:
    return tuple(flag for flag in FLAGS if not headed or flag not in WITHOUT_DISPLAY)


def _check_display(path: Path) -> None:
    """Raise where no window could be opened; the browser itself would end without a word to us."""
    if sys.platform == "linux" and not any(os.environ.get(name) for name in DISPLAYS):
        problem = f"cannot open a window, because there is no display ({' and '.join(DISPLAYS)} are not set)"
        raise BrowserError(str(path), f"{problem}; work on a desktop, with `xvfb-run`, or without `headed`.")
    if path.name in SHELLS:
        raise BrowserError(str(path), f"has no windows; name a full browser in {VARIABLE}, or leave it unset.")


def _installed(*, headed: bool) -> Path:
    """The browser to start, or an error that says what is wrong with the named one."""
    path = find_browser(headed=headed)
    named = os.environ.get(VARIABLE)
    if path is None and named:
        problem = "cannot be run" if Path(named).exists() else "does not exist"
        raise BrowserError(named, f"{problem}, but {VARIABLE} names it as the browser; correct or unset that variable.")
    if path is None:
        without_windows = find_browser() if headed else None
        if without_windows:
            raise BrowserMissing(f"A browser with a window is needed, and {without_windows} has none; {WINDOW_HINT}.")
        raise BrowserMissing
    return path


def _spawn(path: Path, profile: UserDataFolder, flags: tuple[str, ...]) -> tuple[int, int, int]:
    """Start the process with our pipes as its descriptors 3 and 4; returns its pid and our two ends."""
    to_read, to_write = _pipe()
    from_read, from_write = _pipe()
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    arguments = [str(path), *flags, *sandbox, f"--user-data-dir={profile.path}"]
    log = str(profile.path / LOG)
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
        profile.remove()
        raise BrowserError(
            str(path), f"could not be started ({problem.strerror}); run `sightline doctor`."
        ) from problem
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


def _unstarted(log: str, problem: str) -> str:
    """Why the browser did not start, and what to do."""
    if "sandbox" in log:
        return (
            "did not start, because this machine or container doesn't let it make its sandbox; allow user namespaces, "
            f"or, where the container is wall enough, name a command in {VARIABLE} that adds --no-sandbox."
        )
    shown = log if len(log) <= SHOWN_LOG else f"… {log[-SHOWN_LOG:]}"
    return f"did not start ({shown or problem}); run `sightline doctor`, or name another browser in {VARIABLE}."


def _last_line(path: Path) -> str:
    try:
        lines = path.read_text("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""


def _group(group: int) -> Iterator[tuple[int, int]]:
    """The processes of a group and their private memory in bytes, from /proc; empty elsewhere.

    Shared memory (the program, its fonts) is not counted: it would count once per tab.
    """
    page = os.sysconf("SC_PAGE_SIZE")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            if int(fields[2]) != group:
                continue
            resident, shared = (folder / "statm").read_bytes().split()[1:3]
        except (OSError, ValueError, IndexError):
            continue
        yield int(folder.name), (int(resident) - int(shared)) * page


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


# Finding an installed Chromium, Chrome or Edge.

VARIABLE = "SIGHTLINE_BROWSER"

# The headless shell comes first: it is the same engine without a desktop, and needs half the time and memory.
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
COMMANDS = (
    *SHELLS,
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"),
    *("microsoft-edge-stable", "microsoft-edge"),
)
WINDOW_HINT = (
    "install Chromium, Chrome or Edge itself (on Debian or Ubuntu: `apt-get install chromium`), or set "
    f"{VARIABLE} to the path of one"
)
MAC_APPLICATIONS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)


def find_browser(*, headed: bool = False) -> Path | None:
    """The browser that will be used: the one named by SIGHTLINE_BROWSER, or the first that is installed.

    Only browsers that can open a window are `headed`.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        return Path(found) if found else None
    for command in COMMANDS:
        found = shutil.which(command) if not headed or command not in SHELLS else None
        if found:
            return Path(found)
    return _on_a_mac() if sys.platform == "darwin" else None


def _on_a_mac() -> Path | None:
    folders = (Path("/Applications"), Path.home() / "Applications")
    candidates = (folder / application for application in MAC_APPLICATIONS for folder in folders)
    return next((path for path in candidates if path.exists()), None)
