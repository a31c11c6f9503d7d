"""`sightline studio`: one line that says where it is, sources opened at the start, and a clean end."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from .._wait import BOUND, wait_until
from ._command import started

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"


@contextmanager
def _started(*words: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A Studio of its own, and the line that it printed."""
    command = [sys.executable, "-m", "sightline", "studio", "--no-open", "--port", "0", *words]
    environment = {name: value for name, value in os.environ.items() if name != "SIGHTLINE_PASSWORD"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def _client(line: str) -> httpx2.Client:
    found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", line)
    assert found, line
    return httpx2.Client(base_url=found[1], headers={"Authorization": f"Bearer {found[2]}"}, timeout=BOUND)


def test_studio_opens_sources_says_where_it_is_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    """A second one on the same project says so; both end with status 0 and leave no process behind."""
    project = str(tmp_path / "project")
    with _started(str(EXAMPLES / "telescopes.html"), "--project", project) as (first, line), _client(line) as client:
        assert f"project {project}" in line
        wait_until(lambda: client.get("/api/jobs").json()["jobs"][0]["state"] in ("done", "failed"))
        assert client.get("/api/pages").json()["pages"][0]["title"].startswith("7 Telescopes")
        with _started("--project", project) as (second, other), _client(other) as same:
            assert len(same.get("/api/pages").json()["pages"]) == 1
            second.send_signal(signal.SIGINT)
            _, told = second.communicate(timeout=BOUND)
            assert second.returncode == 0
            assert f"is served by process {first.pid} as well" in told
        first.send_signal(signal.SIGINT)
        out, told = first.communicate(timeout=BOUND)
        assert (first.returncode, out, told) == (0, "", "Stopped.\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--host", "0.0.0.0"], "needs a password; set SIGHTLINE_PASSWORD"),
        (["--password-file", "none.txt"], "there is no such file"),
        (["--password-file", "short.txt"], "at least 8 characters"),
        (["--host", "203.0.113.9", "--password-file", "good.txt"], "an address of this machine"),
        (["--project", "newer"], "made by a newer Sightline"),
    ],
)
def test_studio_that_cannot_start_says_why(tmp_path: Path, words: list[str], told: str) -> None:
    """Before anything is served."""
    (tmp_path / "short.txt").write_text("secret\n")
    (tmp_path / "good.txt").write_text("correct horse\n")
    (tmp_path / "newer").mkdir()
    (tmp_path / "newer" / "project.json").write_text('{"format": "sightline project", "version": 9}')
    done = started("studio", "--no-open", *words, folder=tmp_path)
    assert done.status == 2
    assert told in done.errors
