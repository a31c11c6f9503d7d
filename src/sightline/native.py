"""The kernels in C, where they were built and are wanted.

Everything works without them, only slower: each kernel has a twin in Python, which stays the reference. The environment
variable `SIGHTLINE_NATIVE=0` turns them off.
"""

import hashlib
import os
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from sightline.arrays import IntArray

__all__ = ["SWITCH", "Kernels", "in_use", "kernels"]

SWITCH = "SIGHTLINE_NATIVE"
SOURCES = Path(__file__).parents[2] / "native"  # only in a checkout, which may have changed since it was installed


class Kernels(Protocol):
    """What the module `sightline._native` has to offer."""

    SOURCES: str  # a hash of what it was compiled from

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


def _loaded() -> tuple[Kernels | None, str]:
    """The kernels, or None and why there are none."""
    if os.environ.get(SWITCH) == "0":
        return None, f"because {SWITCH}=0"
    try:
        found = cast("Kernels", import_module("sightline._native"))
    except ImportError:
        return None, "which is slower; reinstall where there is a C compiler"
    sources = sorted(SOURCES.glob("*.[ch]"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    if sources and getattr(found, "SOURCES", "") != digest:  # such kernels take and give other things
        return None, "which is slower; the compiled kernels are of other sources, so reinstall"
    return found, ""


_kernels, _why_none = _loaded()
kernels: "Kernels | None" = _kernels


def in_use() -> str:
    """Which of the two is in use, and why, in words for people."""
    if kernels is not None:
        return "compiled kernels"
    return f"Python alone, {_why_none}"
