"""The kernels in C, where they were built and are wanted.

Everything works without them, only slower: each kernel has a twin in Python, which stays the reference. The environment
variable `SIGHTLINE_NATIVE=0` turns them off.
"""

import os
from importlib import import_module
from typing import Any, Protocol, cast

from sightline.arrays import IntArray

__all__ = ["SWITCH", "Kernels", "in_use", "kernels"]

SWITCH = "SIGHTLINE_NATIVE"


class Kernels(Protocol):
    """What the module `sightline._native` has to offer."""

    def scan(
        self,
        html: str,
        scripting: bool,  # noqa: FBT001  (kernels take no keywords)
        /,
    ) -> tuple[tuple[tuple[str, ...], bytes, bytes], int, bytes, bytes, bytes, bytes, bytes, bytes, bytes] | None:
        """The columns of a page from the serialisation of its tree; None where it can be read in two ways."""

    def blank(self, strings: tuple[str, ...], columns: tuple[IntArray], /) -> bytes:
        """Which nodes are texts of nothing but blanks."""

    def shown(self, columns: tuple[object, ...], words: tuple[int, ...], /) -> bytes:
        """Which nodes of a page without layout are visible."""

    def ink(self, columns: tuple[object, ...], window: tuple[int, int], right: float, /) -> bytes:
        """Which nodes of a page with a layout leave ink."""

    def outline(self, *arguments: object) -> tuple[Any, ...]:
        """The readable texts of a page and the elements around them, in symbols."""

    def characters(self, functions: bytes, text: int, count: int, /) -> bytes:
        """The characters of a sheet of a PDF: their objects and boxes."""

    def runs(
        self,
        functions: bytes,
        objects: bytes,
        tagged: bool,  # noqa: FBT001
        faint: int,
        /,
    ) -> bytes:
        """Fonts, colours, marks, sizes and matrices of text objects."""

    def drawn(
        self, functions: bytes, page: int, count: int, most: tuple[int, ...], even: float, /
    ) -> tuple[bytes, bytes]:
        """Images, forms and paths of a sheet of a PDF, and the segments of the paths."""


def _loaded() -> Kernels | None:
    if os.environ.get(SWITCH) == "0":
        return None
    try:
        return cast("Kernels", import_module("sightline._native"))
    except ImportError:  # installed where there is no compiler
        return None


kernels = _loaded()


def in_use() -> str:
    """Which of the two is in use, and why, in words for people."""
    if kernels is not None:
        return "compiled kernels"
    if os.environ.get(SWITCH) == "0":
        return f"Python alone, because {SWITCH}=0"
    return "Python alone, which is slower; reinstall where there is a C compiler"
