"""The entry point of the PDF reader's process: `python -I -S _child.py MEMORY_BYTES FOLDER…`.

It imports numpy, pdfium and our modules on PDFs, and none of the packages around them: they would take three times as
long. `FOLDER…` is where the caller finds numpy and pdfium, however they were installed.
"""

import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
BARE = ("sightline", "sightline.sources", "sightline.sources.pdf")  # of which only modules within are imported


def main(memory_bytes: int, folders: list[str]) -> None:
    """Set up the import path, and serve until the pipe closes."""
    sys.path.extend(folders)
    for up, name in enumerate(reversed(BARE)):
        package = ModuleType(name)
        package.__path__ = [str(HERE if up == 0 else HERE.parents[up - 1])]
        sys.modules[name] = package

    from sightline.sources.pdf._answer import serve

    serve(memory_bytes)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
