"""WARC files built from known records, and ways to damage them."""

import gzip
import hashlib
import random
import zlib
from dataclasses import dataclass


def page(number: int, rng: random.Random) -> bytes:
    """A page of 200 to 2,000 bytes that does not compress to nothing, so that damage can hit its middle."""
    words = " ".join(f"{rng.getrandbits(40):x}" for _ in range(rng.randint(20, 200)))
    return f"<!doctype html><title>page {number}</title><p>{words}".encode()


def record(block: bytes, kind: str = "response", *, digest: bool = True, **headers: str) -> bytes:
    """One record; headers given by keyword replace or extend its own."""
    lines = {"WARC-Type": kind, "WARC-Target-URI": "http://site.example/", "Content-Length": str(len(block))}
    if digest:
        lines["WARC-Block-Digest"] = "sha1:" + hashlib.sha1(block).hexdigest()
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def answer(body: bytes, media_type: str = "text/html") -> bytes:
    """An HTTP answer as archives store it."""
    return f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n".encode() + body


@dataclass(frozen=True)
class Built:
    """A file, where each of its pages stands in it, and what they are."""

    content: bytes
    spans: list[tuple[int, int]]
    pages: list[bytes]


def build(count: int, pack: str, seed: int = 0, *, digest: bool = True) -> Built:
    """A file with so many pages, and with requests and pictures between them."""
    rng = random.Random(seed)
    content, spans, pages = b"", [], []
    for number in range(count):
        for extra in (record(b"GET / HTTP/1.1\r\n\r\n", "request"), record(answer(b"\x89PNG", "image/png"))):
            if rng.random() < 0.3:
                content += packed(extra, pack)
        pages.append(page(number, rng))
        one = packed(record(answer(pages[-1]), digest=digest, WARC_Target_URI=f"http://site.example/{number}"), pack)
        spans.append((len(content), len(content) + len(one)))
        content += one
    return Built(gzip.compress(content) if pack == "whole" else content, spans, pages)


def packed(one: bytes, pack: str) -> bytes:
    """A record as it stands in a file of this kind: `plain`, `members` (one for each record), or `whole`."""
    return gzip.compress(one, mtime=0) if pack == "members" else one


def blocks(content: bytes, size: int) -> bytes:
    """A file as some tools compress it: in members of one size, whatever stands in them."""
    return b"".join(gzip.compress(content[start : start + size]) for start in range(0, len(content), size))


def stored(one: bytes) -> bytes:
    """A member whose bytes are stored as they are, so that what is compressed inside of it shows."""
    packer = zlib.compressobj(0, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return packer.compress(one) + packer.flush()
