"""What passes between the finding, the listing and the reading of documents."""

from dataclasses import dataclass

import msgspec

from sightline.settings import Settings, setting

__all__ = ["FILES", "BatchInput", "DocumentReference", "InputSettings"]

FILES = "files"
"""The kind of the input of all single files and addresses."""


@dataclass(frozen=True, kw_only=True)
class InputSettings(Settings):
    """What has to be said of inputs that do not tell it themselves."""

    column: str = setting("", help="the column of a Parquet file that holds the pages; found by itself if empty")
    url_column: str = setting("", help="the column of a Parquet file that holds the addresses of the pages")


class BatchInput(msgspec.Struct, frozen=True):
    """One file of documents, or all single files and addresses of a job together.

    `name` is as the user wrote it, unique in the job, and the first part of its documents' ids. `kind` is `warc`,
    `wacz`, `index`, `list`, `parquet` or `files`. `identity` changes when the bytes do. `names` are where to look:
    the file itself (a list may be named `@FILE`), or the folders, globs, files and addresses of an input of files.
    What `besides` stands for belongs to inputs that were there before, and is left out.
    """

    name: str
    kind: str
    identity: str
    column: str = ""
    url_column: str = ""
    names: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()


class DocumentReference(msgspec.Struct, frozen=True, array_like=True):
    """A document that can be read later, by any process that has the same files.

    `id` is unique in the job: `pages.warc.gz#17`, `list.txt#3`, or a path; `source` is the address or the path that
    people know it by. With a `problem`, it was found to be damaged, and reading it gives an error that says so. The
    rest tells the reader where it stands: the archive `inside` of which it is, its first byte (or its row), how far in
    what is compressed there, and how many bytes it has.
    """

    id: str
    source: str = ""
    problem: str = ""
    inside: str = ""
    position: int = 0
    offset: int = 0
    length: int = 0

    @property
    def known_as(self) -> str:
        """The address or the path that people know it by."""
        return self.source or self.id
