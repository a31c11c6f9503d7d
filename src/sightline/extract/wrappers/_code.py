"""Taught wrappers as code for other frameworks: a web-poet page object, and a Scrapy spider."""

import keyword
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sightline.errors import UsageError
from sightline.extract.wrappers._patterns import Patterns
from sightline.extract.wrappers.patterns import Pattern, pattern_in_words, xpath_of

if TYPE_CHECKING:
    from sightline.extract.wrappers._wrapper import Wrapper

__all__ = ["FRAMEWORKS", "code_for"]

FRAMEWORKS = ("web-poet", "scrapy")

_HELPERS = '''

def _texts(root, paths, attribute=None, cut=None, many=False):
    """What the first of some XPaths that finds anything finds."""
    for path in paths:
        found = root.xpath(path)
        if not found:
            continue
        values = []
        covered = []
        for node in found:
            element = node.root
            if not isinstance(element, str) and any(outer in element.iterancestors() for outer in covered):
                continue
            if not isinstance(element, str):
                covered.append(element)
            if attribute:
                value = node.attrib.get(attribute, "")
            elif isinstance(element, str):
                value = " ".join(element.split())
            else:
                texts = node.xpath(".//text()[not(ancestor::script or ancestor::style)]").getall()
                value = " ".join("".join(texts).split())
            if cut:
                match = re.search(cut, value, re.DOTALL)
                value = match[1].strip() if match else ""
            if value:
                values.append(value)
            if not many:
                break
        return values if many else (values[0] if values else None)
    return [] if many else None
'''


def code_for(wrapper: "Wrapper", framework: str, name: str) -> str:
    """The code of a wrapper for a framework; an error where it says what XPath cannot."""
    if framework not in FRAMEWORKS:
        raise UsageError(f"There is no export for {framework!r}; use one of {', '.join(FRAMEWORKS)}.")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise UsageError(f"{name!r} is no name for a Python class; use letters, such as Camera.")
    rules = wrapper.rules
    if not isinstance(rules, Patterns):
        raise UsageError(
            "Only taught wrappers are exported: a template is more than a set of selectors. Teach one with "
            "`sightline teach`, or use this wrapper by `sightline extract`."
        )
    patterns = [own for own in rules.patterns if not own.dropped]
    for pattern in patterns:
        _check(pattern, pattern.name)
    return "".join(_web_poet(patterns, name) if framework == "web-poet" else _scrapy(patterns, name))


def _check(pattern: Pattern, name: str, *, inside: bool = False) -> None:
    if not _paths(pattern, inside=inside):
        raise UsageError(
            f"The rule of “{name}” cannot be written as XPath ({pattern_in_words(pattern)}): it needs a rendered page "
            "or the page's own data; use the wrapper by `sightline extract`."
        )
    if pattern.flat:
        raise UsageError(
            f"The records of “{name}” are runs of siblings, which no selector gives; use `sightline extract`."
        )
    for own in pattern.fields:
        _check(own, f"{name}.{own.name}", inside=True)


def _paths(pattern: Pattern, *, inside: bool) -> list[str]:
    told = [xpath_of(rule, inside=inside) for rule in pattern.rules]
    return [path for path in told if path is not None]


def _call(pattern: Pattern, root: str, *, inside: bool) -> str:
    more = [f"attribute={pattern.take!r}"] if pattern.take != "text" else []
    more += [f"cut={pattern.cut!r}"] if pattern.cut else []
    more += ["many=True"] if pattern.many else []
    return f"_texts({', '.join([root, repr(_paths(pattern, inside=inside)), *more])})"


def _record(pattern: Pattern, root: str, indent: str) -> Iterator[str]:
    """An expression that makes the records of a set."""
    path = _paths(pattern, inside=False)[0]
    yield "[\n"
    yield f"{indent}    {{\n"
    for own in pattern.fields:
        yield f"{indent}        {own.name!r}: {_call(own, 'node', inside=True)},\n"
    yield f"{indent}    }}\n"
    yield f"{indent}    for node in {root}.xpath({path!r})\n"
    yield f"{indent}]"


def _value(pattern: Pattern, root: str, indent: str) -> str:
    return "".join(_record(pattern, root, indent)) if pattern.fields else _call(pattern, root, inside=False)


def _web_poet(patterns: Sequence[Pattern], name: str) -> Iterator[str]:
    yield '"""A page object for web-poet, taught by examples. The rules in words:\n\n'
    yield from (f"{_one_line(pattern_in_words(own))}\n" for own in patterns)
    yield '"""\n\nimport re\n\nfrom web_poet import WebPage, field\n'
    yield _HELPERS
    yield f"\n\nclass {name}Page(WebPage[dict]):\n"
    yield '    """What is on a page, as a dict."""\n'
    for own in patterns:
        yield f"\n    @field\n    def {_identifier(own.name)}(self):\n"
        yield f"        return {_value(own, 'self.selector', '        ')}\n"
    named = ", ".join(f"{own.name!r}: self.{_identifier(own.name)}" for own in patterns)
    yield f"\n    async def to_item(self) -> dict:\n        return {{{named}}}\n"


def _scrapy(patterns: Sequence[Pattern], name: str) -> Iterator[str]:
    yield '"""A Scrapy spider, taught by examples. Run it by\n\n'
    yield f"    scrapy runspider THIS_FILE -a urls=https://…,https://… -O {name.lower()}.jsonl\n\n"
    yield "The rules in words:\n\n"
    yield from (f"{_one_line(pattern_in_words(own))}\n" for own in patterns)
    yield '"""\n\nimport re\n\nimport scrapy\n'
    yield _HELPERS
    yield f"\n\nclass {name}Spider(scrapy.Spider):\n    name = {name.lower()!r}\n\n"
    yield '    def __init__(self, urls="", **settings):\n        super().__init__(**settings)\n'
    yield '        self.start_urls = [url for url in urls.split(",") if url]\n\n'
    yield "    def parse(self, response):\n"
    if len(patterns) == 1 and patterns[0].fields:
        yield f"        yield from {_value(patterns[0], 'response', '        ')}\n"
        return
    yield "        yield {\n            'url': response.url,\n"
    for own in patterns:
        yield f"            {own.name!r}: {_value(own, 'response', '            ')},\n"
    yield "        }\n"


def _identifier(name: str) -> str:
    told = re.sub(r"\W", "_", name)
    return f"{told}_" if keyword.iskeyword(told) else told if told.isidentifier() else f"field_{told}"


def _one_line(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace('"""', "'''").split())
