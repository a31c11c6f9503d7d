"""Pages of small sites, for the tests of facts."""

from collections.abc import Mapping, Sequence

import sightline as sl

HEAD = "<!doctype html><html lang={}><meta charset=utf-8><title>{}</title>"


def table_page(host: str, rows: Sequence[Sequence[str]], *, title: str = "Cameras", language: str = "en") -> sl.Page:
    """A page with one table, whose first row are headings."""
    head = "".join(f"<th>{text}" for text in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{text}" for text in row) for row in rows[1:])
    html = f"{HEAD.format(language, title)}<h1>{title}</h1><table><tr>{head}{body}</table>{_footer(host)}"
    return sl.open(html, url=f"https://{host}/list", static=True)


def pairs_html(
    heading: str, pairs: Mapping[str, str], *, tag: str = "th", language: str = "en", title: str = ""
) -> str:
    """The HTML of a page about one thing."""
    rows = "".join(f"<tr><{tag}>{name}<td>{value}" for name, value in pairs.items())
    return f"{HEAD.format(language, title or heading)}<h1>{heading}</h1><table>{rows}</table>"


def pairs_page(
    host: str, heading: str, pairs: Mapping[str, str], *, language: str = "en", path: str = "item"
) -> sl.Page:
    """A page about one thing: a table of keys and values."""
    html = pairs_html(heading, pairs, language=language) + _footer(host)
    return sl.open(html, url=f"https://{host}/{path}", static=True)


def _footer(host: str) -> str:
    """What sites say about themselves: without it, pages that say the same would be mirrors."""
    return f"<footer>The team of {host.removesuffix('.example').upper()}</footer>"


def said_by(values: Mapping[str, str], *, subject: str = "EOS 5D", attribute: str = "Weight") -> list[sl.Page]:
    """One page for each host, which says something about one attribute and the same about another."""
    return [pairs_page(host, subject, {attribute: value, "Mount": "EF"}) for host, value in values.items()]
