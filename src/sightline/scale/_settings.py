"""The settings of a batch: how documents are shared out, and what one of them may cost."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["BatchSettings"]

_MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class BatchSettings(Settings):
    """How a batch runs; none of these changes what is extracted."""

    workers: int = setting(0, help="worker processes at a time; 0 is one for each core", minimum=0)
    # 200 pages take a worker a few seconds: often enough for a progress bar, and seldom enough that claiming, fsync
    # and the Parquet footer cost less than 2 % (`python -m bench.scale.speed`). Rendered pages take 20 x longer.
    shard: int = setting(0, help="documents in a shard; 0 is 200, or 50 if pages are rendered", minimum=0, maximum=500)
    document_seconds: float = setting(120.0, help="maximum seconds for one document", minimum=0.1)
    worker_memory: int = setting(4_000 * _MB, help="maximum bytes of memory for a worker", minimum=300 * _MB)
    lease_seconds: float = setting(
        60.0, help="seconds without a heartbeat after which the shard of a worker is given to another", minimum=1
    )
    keep_going: bool = setting(
        default=False, help="whether to go on when the share of suspicious or failed pages rises"
    )

    @property
    def lone_memory(self) -> int:
        """The memory of a process that reads one document alone, after two others died over it: half."""
        return max(300 * _MB, self.worker_memory // 2)

    def shard_documents(self, *, render: bool) -> int:
        """How many documents a shard has."""
        return self.shard or (50 if render else 200)
