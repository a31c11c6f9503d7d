"""Export taught wrappers as code for other frameworks: a web-poet page object or a Scrapy spider."""

import keyword
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

from sightline.errors import UsageError
from sightline.extract.wrappers._trained import TrainedRules
from sightline.extract.wrappers.patterns import ADDRESSES, Pattern, Patterns, expression_of, pattern_in_words, xpath_of

# Attributes of a web-poet page; a field of that name would replace them.
RESERVED = (
    *("response", "url", "html", "selector", "base_url", "urljoin", "css", "xpath", "jmespath"),
    *("to_item", "item_cls", "get_item_cls", "skip_nonitem_fields", "validate_input"),
    *(
        "field",
        "fields_to_ignore",
        "get_fields_dict",
        "dict",
        "self",
    ),  # names that the code itself uses are never fields
)
FRAMEWORKS = ("web-poet", "scrapy")

_HELPERS = '''
_BLOCKS = set(
    "address article aside blockquote br caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_UNSEEN = {"script", "style", "noscript", "template"}


def _pieces(element):
    """The texts of an element, with blanks where a block begins and ends."""
    if not isinstance(element.tag, str) or element.tag in _UNSEEN:
        return
    edge = " " if element.tag in _BLOCKS else ""
    yield edge
    yield element.text or ""
    for child in element:
        yield from _pieces(child)
        yield child.tail or ""
    yield edge


def _read(node, attribute, cut, base):
    if attribute:
        value = node.attrib.get(attribute, "").strip()
        try:
            value = urljoin(base, value) if base else value
        except ValueError:
            pass  # it isn't an address, and stays as it is written
    else:
        value = " ".join((node.root if isinstance(node.root, str) else "".join(_pieces(node.root))).split())
    if cut:
        value = _part(value, *cut)
    return value


def _part(value, expression, longest):
    """The part of a value that an expression captures; on a longer text it could take for ever."""
    if len(value) > longest:
        raise ValueError(f"{value[:40]!r}… has more than {longest} characters, too many for {expression!r}")
    match = re.search(expression, value, re.DOTALL)
    return (match[1] or "").strip() if match else ""


def _nodes(root, paths):
    """What the first of some XPaths that finds anything finds, without what stands in another of them."""
    for path in paths:
        found, outer = [], set()
        for node in root.xpath(path):
            element = node.root
            if not isinstance(element, str):
                if outer.intersection(element.iterancestors()):
                    continue
                outer.add(element)
            found.append(node)
        if found:
            return found
    return []


def _texts(root, paths, attribute=None, cut=None, many=False, base=""):
    """The texts of the nodes, or an attribute of them; addresses are made whole."""
    values = [value for node in _nodes(root, paths) if (value := _read(node, attribute, cut, base))]
    return values if many else next(iter(values), None)
'''


def code_for(wrapper: TrainedRules, framework: str, name: str) -> str:
    """The code of a wrapper for a framework; raises an error if a rule cannot be written as XPath."""
    if framework not in FRAMEWORKS:
        raise UsageError(f"There is no export to {framework!r}; choose one of {', '.join(FRAMEWORKS)}.")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise UsageError(f"{name!r} is not a valid name for a Python class; use letters, such as Camera.")
    patterns = _exportable(wrapper)
    return "".join(_web_poet(patterns, name) if framework == "web-poet" else _scrapy(patterns, name))


@dataclass(frozen=True)
class Selector:
    """A field of a taught wrapper as XPaths, of which the first that finds anything counts; those of a set have fields.

    `attribute` is taken instead of the text, unless it is empty; `cut` is an expression for the part that is meant.
    """

    name: str
    paths: tuple[str, ...]
    attribute: str = ""
    cut: str = ""
    many: bool = False
    fields: tuple["Selector", ...] = ()


def selectors_of(wrapper: TrainedRules) -> tuple[Selector, ...]:
    """The fields of a taught wrapper as XPaths; raises an error if a rule cannot be written as one."""
    return tuple(_selector(pattern, inside=False) for pattern in _exportable(wrapper))


def _selector(pattern: Pattern, *, inside: bool) -> Selector:
    return Selector(
        pattern.name,
        tuple(_paths(pattern, inside=inside)),
        attribute="" if pattern.take == "text" else pattern.take,
        cut=pattern.cut or "",
        many=pattern.many,
        fields=tuple(_selector(field, inside=True) for field in _not_dropped(pattern.fields)),
    )


def _exportable(wrapper: TrainedRules) -> list[Pattern]:
    """The patterns of a wrapper, if all of them can be written as XPath."""
    rules = wrapper.rules
    if not isinstance(rules, Patterns):
        raise UsageError(
            "Only taught wrappers can be exported, since a template is more than a set of selectors; teach one with "
            "`sightline teach`, or use this wrapper with `sightline extract`."
        )
    patterns = _not_dropped(rules.patterns)
    for pattern in patterns:
        _check(pattern, pattern.name)
    return patterns


def _not_dropped(patterns: Sequence[Pattern]) -> list[Pattern]:
    return [pattern for pattern in patterns if not pattern.dropped and not (pattern.unlearned and not pattern.rules)]


def _check(pattern: Pattern, name: str, *, inside: bool = False) -> None:
    if not _paths(pattern, inside=inside):
        raise UsageError(
            f"The rule of “{name}” cannot be written as XPath ({pattern_in_words(pattern)}): it needs a rendered page "
            "or the page's embedded data; use the wrapper with `sightline extract`."
        )
    if pattern.flat:
        raise UsageError(
            f"The records of “{name}” are runs of siblings, which no selector can select; use `sightline extract`."
        )
    if pattern.split:
        raise UsageError(
            f"The values of “{name}” are parts of one text, which no selector can tell apart; use `sightline extract`."
        )
    if pattern.cut and expression_of(pattern.cut).harmless_length <= 0:
        raise UsageError(
            f"The cut of “{name}” ({pattern.cut}) could take for ever in code that runs without Sightline; "
            "write it without repeats inside repeats, or use `sightline extract`."
        )
    for field in _not_dropped(pattern.fields):
        _check(field, f"{name}.{field.name}", inside=True)


def _paths(pattern: Pattern, *, inside: bool) -> list[str]:
    paths = [xpath_of(rule, inside=inside, take=pattern.take) for rule in pattern.rules]
    return [path for path in paths if path is not None]


def _call(pattern: Pattern, root: str, base: str, *, inside: bool) -> str:
    more = [f"attribute={pattern.take!r}"] if pattern.take != "text" else []
    more += [f"base={base}"] if pattern.take in ADDRESSES else []
    more += [f"cut={(pattern.cut, expression_of(pattern.cut).harmless_length)!r}"] if pattern.cut else []
    more += ["many=True"] if pattern.many else []
    return f"_texts({', '.join([root, repr(_paths(pattern, inside=inside)), *more])})"


def _record(pattern: Pattern, root: str, base: str, indent: str, *, inside: bool) -> Iterator[str]:
    """An expression that builds the records of a set."""
    node = f"{root}_item" if inside else "item"
    yield "[\n"
    yield f"{indent}    {{\n"
    for field in _not_dropped(pattern.fields):
        yield f"{indent}        {field.name!r}: {_value(field, node, base, indent + '        ', inside=True)},\n"
    yield f"{indent}    }}\n"
    yield f"{indent}    for {node} in _nodes({root}, {_paths(pattern, inside=inside)!r})\n"
    yield f"{indent}]"


def _value(pattern: Pattern, root: str, base: str, indent: str, *, inside: bool = False) -> str:
    if pattern.fields:
        return "".join(_record(pattern, root, base, indent, inside=inside))
    return _call(pattern, root, base, inside=inside)


def _web_poet(patterns: Sequence[Pattern], name: str) -> Iterator[str]:
    yield '"""A page object for web-poet, taught by examples. The rules in words:\n\n'
    yield from (f"{_one_line(pattern_in_words(pattern))}\n" for pattern in patterns)
    yield '"""\n\nimport re\nfrom urllib.parse import urljoin\n\nfrom web_poet import WebPage, field\n'
    yield _HELPERS
    yield f"\n\nclass {name}Page(WebPage[dict]):\n"
    yield '    """What is on a page, as a dict."""\n'
    methods = _identifiers([pattern.name for pattern in patterns])
    for pattern in patterns:
        yield f"\n    @field\n    def {methods[pattern.name]}(self):\n"
        yield f"        return {_value(pattern, 'self.selector', 'str(self.url)', '        ')}\n"
    named = ", ".join(f"{pattern.name!r}: self.{methods[pattern.name]}" for pattern in patterns)
    yield f"\n    async def to_item(self) -> dict:\n        return {{{named}}}\n"


def _scrapy(patterns: Sequence[Pattern], name: str) -> Iterator[str]:
    yield '"""A Scrapy spider, taught by examples. Run it by\n\n'
    yield f"    scrapy runspider THIS_FILE -a urls=https://…,https://… -O {name.lower()}.jsonl\n\n"
    yield "The rules in words:\n\n"
    yield from (f"{_one_line(pattern_in_words(pattern))}\n" for pattern in patterns)
    yield '"""\n\nimport re\nfrom urllib.parse import urljoin\n\nimport scrapy\n'
    yield _HELPERS
    yield f"\n\nclass {name}Spider(scrapy.Spider):\n    name = {name.lower()!r}\n\n"
    yield '    def __init__(self, urls="", **settings):\n        super().__init__(**settings)\n'
    yield '        self.start_urls = [url for url in urls.split(",") if url]\n\n'
    yield "    def parse(self, response):\n"
    if len(patterns) == 1 and patterns[0].fields:
        yield f"        yield from {_value(patterns[0], 'response', 'response.url', '        ')}\n"
        return
    yield "        yield {\n"
    if "url" not in [pattern.name for pattern in patterns]:
        yield "            'url': response.url,\n"
    for pattern in patterns:
        yield f"            {pattern.name!r}: {_value(pattern, 'response', 'response.url', '            ')},\n"
    yield "        }\n"


def _identifiers(names: Sequence[str]) -> dict[str, str]:
    """A distinct method name for each field that replaces nothing of a page object."""
    used = set(RESERVED)
    found: dict[str, str] = {}
    for name in names:
        identifier = _identifier(name)
        free = next(
            candidate
            for candidate in chain([identifier], (f"{identifier}_{number}" for number in count(2)))
            if candidate not in used
        )
        used.add(free)
        found[name] = free
    return found


def _identifier(name: str) -> str:
    """A name as Python would read it; what begins with an underscore, as all that is special does, gets a prefix."""
    plain = re.sub(r"\W", "_", unicodedata.normalize("NFKC", name))
    special = plain.startswith("_") or not plain.isidentifier() or keyword.iskeyword(plain)
    return f"field_{plain}" if special else plain


def _one_line(text: str) -> str:
    """A text in a docstring, which it can neither end nor disguise: on one line, without quotes and controls."""
    plain = " ".join(text.replace("\\", "\\\\").replace('"""', "'''").split())
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in plain
    )
