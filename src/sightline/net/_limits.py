"""How much, how long and how politely: the settings of everything that loads documents."""

from dataclasses import dataclass

from sightline._version import __version__
from sightline.settings import Settings, setting

__all__ = ["PRODUCT", "Limits", "Manners", "megabytes"]

PRODUCT = "Sightline"
"""The name by which robots.txt files know us."""

_MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Limits(Settings):
    """What one document or page may cost; reaching a limit is an error or a note, never silence."""

    document_bytes: int = setting(50 * _MB, help="how many bytes of one document may come over the wire", minimum=1)
    decoded_bytes: int = setting(200 * _MB, help="how many bytes a document may have once decompressed", minimum=1)
    nodes: int = setting(500_000, help="how many nodes a page may have", minimum=1)
    depth: int = setting(10_000, help="how deep the nodes of a page may be nested", minimum=1)
    load_seconds: float = setting(30.0, help="how many seconds a page may take to load", minimum=0.01)
    settle_seconds: float = setting(5.0, help="how many seconds a loaded page may take to come to rest", minimum=0)
    page_seconds: float = setting(60.0, help="how many seconds one page may take in all", minimum=0.01)
    redirects: int = setting(20, help="how many redirects are followed", minimum=0)
    pdf_sheets: int = setting(5_000, help="how many sheets of a PDF are read", minimum=1)
    pdf_memory: int = setting(2_000 * _MB, help="how many bytes the reader of PDFs may hold", minimum=50 * _MB)
    sheet_seconds: float = setting(20.0, help="how many seconds one sheet of a PDF may take", minimum=0.01)
    subresources: int = setting(1_000, help="how many images, scripts and the like one page may load", minimum=0)


@dataclass(frozen=True, kw_only=True)
class Manners(Settings):
    """How we behave towards the sites we visit, and which of them we visit at all."""

    robots: bool = setting(default=True, help="whether robots.txt is obeyed")
    ignore_robots_for: tuple[str, ...] = setting((), help="the hosts whose robots.txt is not asked")
    delay: float = setting(1.0, help="how many seconds lie between two requests to one host", minimum=0)
    public_only: bool = setting(
        default=False, help="whether private, loopback and link-local addresses are refused, as a server must"
    )
    user_agent: str = setting(f"{PRODUCT}/{__version__}", help="the name under which sites see us")


def megabytes(count: int) -> str:
    """Write a limit as people read it.

    >>> megabytes(50_000_000), megabytes(1_500)
    ('50 MB', '1,500 bytes')
    """
    return f"{count / _MB:,g} MB" if count >= _MB else f"{count:,} bytes"
