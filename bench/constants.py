"""Constants of the source that are tried with other values, by the scripts that choose them."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from unittest.mock import patch


@dataclass(frozen=True)
class Constant:
    """A constant of a module, and the values to try."""

    module: ModuleType
    name: str
    values: tuple[float, ...]

    @property
    def used(self) -> float:
        """The value in use."""
        return float(getattr(self.module, self.name))

    def set(self, value: float) -> AbstractContextManager[Any]:
        """While it has another value."""
        return patch.object(self.module, self.name, value)
