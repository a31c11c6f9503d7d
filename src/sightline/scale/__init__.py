"""A wrapper over millions of pages: the ledger, the engines and what they read and write; see docs/scale.md."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.scale._batch import Batch, BatchRun, EngineName, OnCounts, SampleRun
    from sightline.scale._folder import output_folder
    from sightline.scale._spec import BatchSettings, BatchSpec, WorkerConfig
    from sightline.scale._supervisor import supervise
    from sightline.scale._verb import batch, batch_spec, engine_of
    from sightline.scale.inputs import InputSettings
    from sightline.scale.ledger import LedgerCounts

__all__ = [
    "Batch",
    "BatchRun",
    "BatchSettings",
    "BatchSpec",
    "EngineName",
    "InputSettings",
    "LedgerCounts",
    "OnCounts",
    "SampleRun",
    "WorkerConfig",
    "batch",
    "batch_spec",
    "engine_of",
    "output_folder",
    "supervise",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_batch": "Batch BatchRun EngineName OnCounts SampleRun",
        "_folder": "output_folder",
        "_spec": "BatchSpec WorkerConfig BatchSettings",
        "_supervisor": "supervise",
        "_verb": "batch batch_spec engine_of",
        "inputs": "InputSettings",
        "ledger": "LedgerCounts",
    },
)
