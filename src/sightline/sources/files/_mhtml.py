"""Reads MHTML: a page saved with its parts in a single file, as written by Chromium, Word and others."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.message import Message

from sightline.errors import UnreadableError
from sightline.net import Document

__all__ = ["Mhtml", "read_mhtml"]

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
