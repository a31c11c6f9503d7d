"""Compile the kernels in C while the package is built; where that fails, the package is built without them.

`SIGHTLINE_NATIVE=0` leaves them out, and with `SIGHTLINE_NATIVE=1` a package without them is not built at all.
"""

import hashlib
import os
import shutil
import sys
import sysconfig
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "_native.abi3.so"
OLDEST = "cp311"  # the Python whose stable interface the kernels are written for


class CompiledKernels(BuildHookInterface[Any]):
    """One library for all versions of Python from the oldest on, for this kind of machine."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into the sources for an editable installation, else beside them, into the wheel."""
        if self.target_name != "wheel" or os.environ.get("SIGHTLINE_NATIVE") == "0":
            return
        root = Path(self.root)
        self._folder = Path(mkdtemp())
        compiled = _compiled(sorted(root.glob("native/*.[ch]")), self._folder)
        own = root / "src/sightline" / NAME
        if version == "editable":
            own.unlink(missing_ok=True)  # one of older sources would be worse than none
        if compiled is None and os.environ.get("SIGHTLINE_NATIVE") == "1":
            raise RuntimeError(
                "the kernels in native/ could not be compiled; install a C compiler and Python's headers"
            )
        if compiled is None:
            self.app.display_warning("No kernels were compiled; Sightline will work without them, but slower.")
            return
        if version == "editable":
            shutil.copyfile(compiled, own)
        else:
            build_data["force_include"][str(compiled)] = f"sightline/{NAME}"
        build_data["pure_python"] = False
        build_data["tag"] = f"{OLDEST}-abi3-{_platform()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was only needed on the way."""
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder, ignore_errors=True)


def _compiled(sources: list[Path], folder: Path) -> Path | None:
    """The library, or None where it cannot be made: no compiler, or no headers of Python."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    # A product and a sum are rounded one after the other, as in Python, even where the machine can do both at once.
    flags = [] if sys.platform == "win32" else ["-std=c99", "-O3", "-ffp-contract=off"]
    names = [os.path.relpath(source) for source in sources if source.suffix == ".c"]
    # As `sightline.native` reckons it, which does without kernels of other sources than those beside it.
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    extension = Extension("_native", names, extra_compile_args=flags, py_limited_api=True, optional=True)
    extension.define_macros = [("SOURCES", f'"{digest}"')]
    command = build_ext(Distribution({"ext_modules": [extension]}))
    command.build_lib, command.build_temp = str(folder), str(folder / "temp")
    command.ensure_finalized()
    command.run()
    return next(iter(folder.glob("_native*.so")), None)


def _platform() -> str:
    if sys.platform == "darwin":
        from packaging.tags import mac_platforms

        return next(iter(mac_platforms()))
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
