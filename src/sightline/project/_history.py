"""The last good run in one file, for the next run to be compared with."""

import os
from pathlib import Path

import orjson

from sightline.data import Profile
from sightline.documents import MOST_BYTES, check_document, decoded_document
from sightline.errors import UsageError
from sightline.files import read_bytes, write_bytes

__all__ = ["History"]

ADVICE = "name another file, or remove it to start afresh"


class History:
    """Remembers the profile of the last good run in a JSON file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = Path(path)

    def last(self) -> Profile | None:
        """The profile of the last good run, or None if there was none yet."""
        if not self.path.exists():
            return None
        content = read_bytes(self.path, ADVICE, MOST_BYTES)
        try:
            document = decoded_document(content)
            # A file of another kind must not be taken for a history, since it would be overwritten.
            if not isinstance(document, dict) or not {"pages", "fields", "marks"} <= document.keys():
                raise UsageError("it has no pages, fields and marks")
            check_document(document, Profile)
            return Profile.from_json(document)
        except UsageError as problem:
            reason = str(problem).removesuffix(".")
            raise UsageError(f"{self.path}: this is not the history of a run ({reason}); {ADVICE}.") from problem

    def remember(self, profile: Profile) -> Path:
        """Replace what is remembered."""
        return write_bytes(self.path, orjson.dumps(profile.to_json(), option=orjson.OPT_INDENT_2) + b"\n")
