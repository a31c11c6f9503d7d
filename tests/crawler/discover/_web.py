"""A small web about cameras: shops with tables of data, a blog and a forum that speak of them, and a broken site."""

from pathlib import Path

PHRASES = ("megapixel", "optical zoom", "shutter speed", "viewfinder", "burst rate")
NAMES = ("Megapixels", "Optical zoom", "Shutter speed", "Viewfinder", "Burst rate", "Weight")
WEB = {
    **{f"https://www.lumen.example/camera/{n}": "camera" for n in range(6)},
    **{f"https://pentara.example/list/{n}.html": "list" for n in range(4)},
    **{f"https://blog.example/2024/{n}": "blog" for n in range(8)},
    **{f"https://talk.example/thread/{n}": "thread" for n in range(6)},
}


def page(url: str) -> str:
    """The HTML of an address."""
    sort, number = WEB[url], int("".join(letter for letter in url if letter.isdigit()) or 0) % 97
    body = {"camera": _camera, "list": _list, "blog": _blog, "thread": _thread}[sort](number)
    return f"<!doctype html><title>{sort} {number}</title><link rel=canonical href='{url}'><h1>Page {number}</h1>{body}"


def _camera(number: int) -> str:
    values = (
        f"{20 + number} MP",
        f"{3 + number}x",
        f"1/{number + 1}000 s",
        "optical",
        f"{number + 5} fps",
        f"{400 + number} g",
    )
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in zip(NAMES, values, strict=True))
    return f"<p>A digital camera.</p><table>{rows}</table>"


def _list(number: int) -> str:
    heads = "".join(f"<th>{name}</th>" for name in ("Model", *NAMES[:5]))
    rows = "".join(
        f"<tr><td>Pentara {number}{row}</td><td>{row + 12} MP</td><td>{row}x</td><td>1/{row + 1}00 s</td><td>none</td>"
        f"<td>{row + number} fps</td></tr>"
        for row in range(1, 8)
    )
    return f"<table><tr>{heads}</tr>{rows}</table>"


def _blog(number: int) -> str:
    words = ", then the ".join(PHRASES)
    return "".join(f"<p>On day {number + line} I thought about the {words}, and went home.</p>" for line in range(4))


def _thread(number: int) -> str:
    posts = "".join(
        f"<tr><td>user{number}{post}</td><td>I think that the megapixel count and the optical zoom, not to speak of "
        f"the shutter speed and the burst rate, are no reason for message {post} of {number}.</td></tr>"
        for post in range(5)
    )
    return f"<table>{posts}</table>"


def saved(folder: Path) -> Path:
    """The web as files in a folder."""
    for number, url in enumerate(WEB):
        (folder / f"{number}.html").write_text(page(url), "utf-8")
    return folder
