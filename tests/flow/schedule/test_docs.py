"""The unit for systemd and the Dockerfile in docs/schedule.md are such that they could be used as they are."""

import configparser
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "schedule.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
INSTRUCTIONS = {"FROM", "RUN", "USER", "WORKDIR", "COPY", "VOLUME", "STOPSIGNAL", "ENTRYPOINT", "CMD", "ENV"}


def _fenced(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_unit_stops_and_restarts_as_a_schedule_needs_it() -> None:
    """SIGTERM reaches the service alone, there is time for a run to end, and a crash leads to a new start."""
    unit = configparser.ConfigParser()
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(_fenced("ini"))
    service = unit["Service"]
    assert (service["KillMode"], service["Restart"]) == ("mixed", "on-failure")
    assert int(service["TimeoutStopSec"].removesuffix("min")) >= 10
    assert service["ExecStart"].split()[1] == "schedule"
    assert service["ExecStart"].split()[-1] == f"/var/lib/{service['StateDirectory']}"
    assert unit["Install"]["WantedBy"] == "multi-user.target"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze on this machine")
def test_unit_is_valid_for_systemd(tmp_path: Path) -> None:
    """The tool of systemd finds nothing wrong; only the path of the command is that of this machine."""
    path = tmp_path / "sightline.service"
    text = re.sub(r"^(ExecStart=)\S+", rf"\g<1>{sys.executable}", _fenced("ini"), flags=re.MULTILINE)
    path.write_text(text)
    assert _verify(path) == []
    path.write_text(text.replace("KillMode=mixed", "KillMode=mixt"))
    assert _verify(path)


def _verify(path: Path) -> list[str]:
    """What systemd says of this unit; units of the machine that it reads on the way do not matter."""
    command = ["systemd-analyze", "verify", "--man=no", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [line for line in done.stderr.splitlines() if path.name in line]


def _instructions() -> list[tuple[str, str]]:
    joined = _fenced("dockerfile").replace("\\\n", " ")
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in joined.splitlines() if line.strip()]


def test_dockerfile_is_one_of_known_instructions() -> None:
    """It begins with an image of a Python that we support, and every line is an instruction."""
    instructions = _instructions()
    assert {name for name, _ in instructions} <= INSTRUCTIONS
    name, image = instructions[0]
    assert name == "FROM"
    version = re.fullmatch(r"python:(3\.\d+)-slim", image)
    assert version
    assert f"Programming Language :: Python :: {version[1]}" in PROJECT["classifiers"]


def test_dockerfile_installs_what_exists_and_gets_signals() -> None:
    """The extra exists, the process is not root's, and it is started without a shell, which would keep signals off."""
    instructions = _instructions()
    [extra] = [text for name, text in instructions if name == "RUN" and "pip install" in text]
    found = re.search(r"'([\w-]+)\[(\w+)\]'", extra)
    assert found
    assert found[1] == PROJECT["name"]
    assert found[2] in PROJECT["optional-dependencies"]
    by_name = dict(instructions)
    assert by_name["USER"] != "root"
    assert json.loads(by_name["ENTRYPOINT"]) == ["sightline", "schedule"]
    assert json.loads(by_name["CMD"])[-1] == by_name["VOLUME"].removeprefix(f"{by_name['WORKDIR']}/")
