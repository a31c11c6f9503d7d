"""Documentation packages of Debian, downloaded and unpacked into one folder each."""

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path


def download(folder: Path, packages: Iterable[str]) -> None:
    """Download and unpack the packages that are not there yet; those that Debian does not have are left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in packages:
        if (folder / name).exists():
            continue
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(["apt-get", "download", name], cwd=place, capture_output=True, check=False)
            for archive in Path(place).glob("*.deb"):
                subprocess.run(["dpkg-deb", "-x", archive, folder / name], check=True)
