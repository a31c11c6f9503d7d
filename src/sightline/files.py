"""Writing a file so that nothing half-written is ever seen under its name."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from sightline.errors import OutputError

__all__ = ["write_bytes"]


def write_bytes(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write to a temporary name beside `path`, then rename; on any failure `path` is as it was before."""
    target = Path(path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as problem:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
        reason = problem.strerror or str(problem)
        raise OutputError(f"Could not write {target}: {reason}; free some space or choose another place.") from problem
    return target


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
