"""Markdown read back by a reader of CommonMark with GitHub's tables: what others will see."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["Seen", "links_in", "read_back", "texts_of"]

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@dataclass
class Seen:
    """An element as it was read: its tag, its own text, what it says besides, and what is in it."""

    tag: str
    text: str = ""
    about: str = ""
    inside: list["Seen"] = field(default_factory=list)

    def all(self, *tags: str) -> Iterator["Seen"]:
        """The elements of these tags below, in order."""
        for one in self.inside:
            if one.tag in tags:
                yield one
            yield from one.all(*tags)


def read_back(markdown: str) -> Seen:
    """The elements of a Markdown text; marks inside of lines are elements as well."""
    root = Seen("document")
    open = [root]
    for token in READER.parse(markdown):
        _take(token, open)
    return root


def _take(token: Token, open: list[Seen]) -> None:
    if token.type == "inline":
        for child in token.children or ():
            _take(child, open)
    elif token.nesting > 0:
        said = [token.attrGet(name) for name in ("href", "start")]
        open[-1].inside.append(Seen(token.tag, about=next((str(one) for one in said if one is not None), "")))
        open.append(open[-1].inside[-1])
    elif token.nesting < 0:
        open.pop()
    elif token.type in ("fence", "code_block", "hr", "html_block", "image"):
        about = token.info or str(token.attrGet("src") or "")
        open[-1].inside.append(Seen(token.type, token.content, about))
    else:
        text = "\n" if token.type in ("hardbreak", "softbreak") or token.content == "<br>" else token.content
        if token.type == "code_inline":
            open[-1].inside.append(Seen("code", text))
        for one in open:
            one.text += text


def texts_of(seen: Seen, *tags: str) -> list[str]:
    """The texts of the elements of these tags, with all that is in them."""
    return [one.text for one in seen.all(*tags)]


def links_in(seen: Seen) -> Sequence[tuple[str, str]]:
    """The links: their texts and where they lead."""
    return [(one.text, one.about) for one in seen.all("a")]
