"""Where a supervisor works: everything it needs to know, as plain values that travel to other machines."""

import msgspec

__all__ = ["Station"]


class Station(msgspec.Struct, frozen=True):
    """A job, its ledger and its folders."""

    ledger: str
    job: str
    folder: str
    work: str
    spec: bytes
    render: bool
    workers: int
    document_seconds: float
    worker_memory: int
    lone_memory: int
    lease_seconds: float
    keep_going: bool
    version: str
    run_in: str  # the folder that the driver is in, to which names of inputs are relative
    sampled: tuple[int, int] = (0, 0)  # documents of a sample, and how many of them were not ok
