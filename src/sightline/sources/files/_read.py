"""Turns files into documents, judged by their bytes and not by their name."""

import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.message import Message
from pathlib import Path
from typing import BinaryIO

from sightline.errors import LimitError, SourceError, UnreachableError, UnreadableError
from sightline.net import (
    DamagedStreamError,
    Document,
    DocumentKind,
    Inflater,
    Limits,
    TooLargeError,
    media_type_of,
    megabytes,
    readable_kind,
    sniff,
)
from sightline.sources.files._warc import INDEX_SUFFIX, read_index, read_warc

_HEAD_BYTES = 64 * 1024


def documents(
    source: str | os.PathLike[str] | bytes | Document, limits: Limits | None = None
) -> Iterator[Document | SourceError]:
    """Yield the documents of one source: a path, bytes, or a document that may be an archive.

    A WARC gives one per response record, everything else exactly one. Nothing is raised: an error takes the place of
    the document that it concerns. An MHTML document is returned whole; `read_mhtml` splits it.
    """
    limits = limits or Limits()
    try:
        if isinstance(source, bytes):
            yield from _from_document(Document(source="<bytes>", url="", content=source), limits)
        elif isinstance(source, Document):
            yield from _from_document(source, limits)
        else:
            yield from _from_path(os.fspath(source), limits)
    except SourceError as error:
        yield error


def _from_document(document: Document, limits: Limits) -> Iterator[Document | SourceError]:
    kind = readable_kind(document)
    if kind is DocumentKind.GZIP:
        yield from _from_gzip(io.BytesIO(document.content), document, limits)
    elif kind is DocumentKind.WARC:
        yield from read_warc(io.BytesIO(document.content), document.source, limits)
    else:
        yield document


def _from_path(path: str, limits: Limits) -> Iterator[Document | SourceError]:
    try:
        if path.endswith(INDEX_SUFFIX):
            yield from read_index(path, limits)
            return
        with open(path, "rb", opener=_without_waiting) as stream:
            size = _size(stream, path)
            document = _named(path)
            kind = sniff(stream.read(_HEAD_BYTES), document.media_type)
            stream.seek(0)
            if kind is DocumentKind.WARC:
                yield from read_warc(stream, path, limits)
            elif kind is DocumentKind.GZIP:
                yield from _from_gzip(stream, document, limits)
            else:
                yield from _from_document(replace(document, content=_read(stream, size, path, limits)), limits)
    except (OSError, ValueError) as error:
        raise unreachable(path, error) from error


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; of a pipe that nobody writes into, the end at once."""
    return os.open(path, flags | os.O_NONBLOCK)


def _size(stream: BinaryIO, path: str) -> int:
    """The size of a file; an UnreadableError for pipes, devices and the like, which may never end."""
    found = os.fstat(stream.fileno())
    if not stat.S_ISREG(found.st_mode):
        problem = "is a pipe or a device, not a file; pass its content on standard input, with - as the source."
        raise UnreadableError(path, problem)
    return found.st_size


def _named(path: str) -> Document:
    """A file's document before it is read."""
    place = Path(path).absolute()
    return Document(source=path, url=place.as_uri(), content=b"", media_type=media_type_of(path), folder=place.parent)


def _read(stream: BinaryIO, size: int, path: str, limits: Limits) -> bytes:
    content = stream.read(limits.document_bytes + 1) if size <= limits.document_bytes else None
    if content is None or len(content) > limits.document_bytes:
        problem = f"is larger than {megabytes(limits.document_bytes)}; raise document_bytes to read it."
        raise LimitError(path, problem, limit="document_bytes")
    return content


def _from_gzip(stream: BinaryIO, document: Document, limits: Limits) -> Iterator[Document | SourceError]:
    """Yield a compressed WARC record by record, anything else unpacked as a whole."""
    head = next((piece for piece in _pieces(stream, document.source, limits) if piece), b"")
    stream.seek(0)
    if sniff(head) is DocumentKind.WARC:
        yield from read_warc(stream, document.source, limits)
        return
    content = bytearray()
    for piece in _pieces(stream, document.source, limits):
        content += piece
    inner = media_type_of(document.source.removesuffix(".gz"))
    yield from _from_document(replace(document, content=bytes(content), media_type=inner), _unpacked(limits))


def _unpacked(limits: Limits) -> Limits:
    """Stop a second layer from becoming larger than the first: gzip inside gzip is where bombs hide."""
    return replace(limits, document_bytes=limits.decoded_bytes)


def _pieces(stream: BinaryIO, source: str, limits: Limits) -> Iterator[bytes]:
    inflater = Inflater(("gzip",), limit=limits.decoded_bytes)
    try:
        while data := stream.read(_HEAD_BYTES):
            yield from inflater.feed(data)
    except TooLargeError as error:
        problem = f"is larger than {megabytes(limits.decoded_bytes)} once decompressed; raise decoded_bytes to read it."
        raise LimitError(source, problem, limit="decoded_bytes") from error
    except DamagedStreamError as error:
        raise UnreadableError(source, "is damaged: its gzip data cannot be unpacked.") from error
    if not inflater.complete:
        raise UnreadableError(source, "is cut short: its gzip data has no end.")


_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (FileNotFoundError, "there is no such file; check the path."),
    (IsADirectoryError, "is a folder, not a file."),
    (PermissionError, "may not be read; change its permissions or your user."),
)


def unreachable(path: str, error: Exception) -> UnreachableError:
    """Translate the operating system's errors, in this place only."""
    reason = next((text for kind, text in _REASONS if isinstance(error, kind)), None)
    detail = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UnreachableError(path, reason or f"cannot be opened ({detail}).")


# -- reads MHTML: a page saved with its parts in a single file, as written by Chromium, Word and others -------------

_MAX_PARTS = 10_000  # ten times what one page may load


@dataclass(frozen=True)
class Mhtml:
    """The page itself, and its parts by URL and by `cid:` address."""

    document: Document
    resources: dict[str, Document]


def read_mhtml(document: Document) -> Mhtml:
    """Split an MHTML document into its parts; UnreadableError if it contains no page."""
    message = message_from_bytes(document.content, policy=policy.compat32)
    parts = list(_parts(message, document))
    if len(parts) > _MAX_PARTS:
        raise UnreadableError(document.source, f"has more than {_MAX_PARTS:,} parts.")
    main = _main(message, parts)
    if main is None:
        raise UnreadableError(document.source, "is MHTML without an HTML part; save the page again.")
    url = _location(message, "Snapshot-Content-Location") or main.url or document.url
    page = replace(main, source=document.source, url=url, status=document.status, notes=document.notes)
    return Mhtml(page, {address: part for part, addresses in parts for address in addresses})


def _parts(message: Message, document: Document) -> Iterator[tuple[Document, list[str]]]:
    """Yield every part that is not a container, with the addresses that pages use for it."""
    for part in message.walk():
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        content = payload if isinstance(payload, bytes) else b""
        location = _location(part, "Content-Location")
        identifier = _location(part, "Content-ID").strip("<>")
        charset = part.get_param("charset")
        yield (
            Document(
                source=document.source,
                url=location or (f"cid:{identifier}" if identifier else ""),
                content=content,
                media_type=part.get_content_type(),
                charset=charset if isinstance(charset, str) else None,
            ),
            [address for address in (location, f"cid:{identifier}" if identifier else "") if address],
        )


def _main(message: Message, parts: list[tuple[Document, list[str]]]) -> Document | None:
    """Choose the part that the file names as its start, else the first HTML part."""
    start = message.get_param("start")
    wanted = {_location(message, "Snapshot-Content-Location")}
    if isinstance(start, str):
        wanted.add(f"cid:{start.strip('<>')}")
    pages = [(part, names) for part, names in parts if part.media_type in ("text/html", "application/xhtml+xml")]
    named = (part for part, names in pages if wanted.intersection(names))
    return next(named, pages[0][0] if pages else None)


def _location(part: Message, header: str) -> str:
    """Read an address that mail programs fold over several lines."""
    return "".join(str(part.get(header, "")).split())
