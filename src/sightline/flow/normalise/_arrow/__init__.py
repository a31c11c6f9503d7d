"""The steps on batches of Arrow. Only this folder imports pyarrow, so that columns of Python need no extra."""

from sightline.flow.normalise._arrow._stream import NormalisedBatches

__all__ = ["NormalisedBatches"]
