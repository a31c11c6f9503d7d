"""Tests of what a machine of a Ray cluster needs to have."""

import socket

import msgspec
import pytest

from sightline.errors import MissingExtra, UsageError
from sightline.scale import WorkerConfig
from sightline.scale.engines import RayEngine, _ray
from sightline.scale.engines._ray_crew import WorkerPlace, check_installed, check_machines, check_place, check_tokens

HERE = socket.gethostname()
STATION = WorkerConfig(
    ledger="/batch/out/ledger.sqlite",
    job="batch",
    folder="/batch/out",
    work="/batch/out/_work",
    spec=b"{}",
    render=False,
    workers=2,
    document_seconds=60,
    worker_memory=10**9,
    lone_memory=10**9,
    lease_seconds=60,
    keep_going=False,
    run_in="/",
    version="1.2.3",
)
SHARED = msgspec.structs.replace(STATION, ledger="postgresql://db/ledger")


def test_a_sqlite_ledger_is_for_one_machine() -> None:
    """Several nodes on this machine are fine; another machine needs a PostgreSQL ledger."""
    check_machines(STATION, {HERE})
    check_machines(SHARED, {HERE, "other"})
    with pytest.raises(UsageError, match=r"\(other\).* PostgreSQL ledger"):
        check_machines(STATION, {"other"})


def test_all_machines_have_the_same_version() -> None:
    """A machine with another version is named, with both versions."""
    check_place(SHARED, WorkerPlace("other", "1.2.3", sees_folder=True))
    with pytest.raises(UsageError, match=r"other has Sightline 1\.2\.2, and this one has 1\.2\.3"):
        check_place(SHARED, WorkerPlace("other", "1.2.2", sees_folder=True))


def test_all_machines_share_the_output_folder() -> None:
    """A folder that only the driver sees would lose what the others write."""
    with pytest.raises(UsageError, match="other does not see /batch/out;"):
        check_place(SHARED, WorkerPlace("other", "1.2.3", sees_folder=False))


def test_a_machine_without_sightline_is_recognised() -> None:
    """Ray reports it as an actor that died; any other death is not this one."""
    check_installed("The actor died because its node has died.")
    with pytest.raises(UsageError, match="has no Sightline"):
        check_installed(
            "The actor died because of an error raised in its creation task ...\n"
            "ModuleNotFoundError: No module named 'sightline'"
        )


def test_a_cluster_without_tokens_is_recognised() -> None:
    """Ray says nothing of tokens then: it drops actors before they run, again and again."""
    dropped = (
        "The actor is dead because all references to the actor were removed.\nThe actor never ran - it was cancelled"
    )
    check_tokens(dropped, 2)
    check_tokens("The actor died because its node has died.", 5)
    with pytest.raises(UsageError, match="RAY_AUTH_MODE=disabled"):
        check_tokens(dropped, 3)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray is no part of the base install."""
    monkeypatch.setattr(_ray, "is_installed", lambda _: False)
    with pytest.raises(MissingExtra, match=r"sightline-data\[ray\]"):
        RayEngine()
