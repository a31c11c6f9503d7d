"""Markdown, as CommonMark with the tables of GitHub reads it: text that is only text, marks, blocks, front matter.

A main text as Markdown: paragraphs, headings, lists, quotations, code and tables, one inside another.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from operator import itemgetter

from sightline.data._content_parts import ContentImage, ContentPart, Enclosure, InlineText, PartMarkup, Placement

HEADINGS = tuple(f"h{level}" for level in range(1, 7))
LISTS = ("ul", "ol")
CELLS = ("td", "th")
# Kinds of parts that stand in lines below each other if nothing else is known of them.
LINES = ("td", "th", "dt", "dd", "br")
# Two lists in a row are one list to Markdown, unless their marks differ.
BULLETS, DOTS = ("-", "*"), (".", ")")
HIGHEST_NUMBER = 999_999_999  # Markdown reads at most nine digits
# A cell of Markdown has one line. A table with a cell of more blocks than this is there for the layout of the page.
MOST_LINES = 8
TICKS = re.compile("^`{3,}", re.MULTILINE)


@dataclass(frozen=True)
class WrittenPart:
    """A part or an image as it is written: its stretches, and where it stands."""

    inline: tuple[InlineText, ...]
    around: tuple[Enclosure, ...]
    element: int
    follows: Placement

    @property
    def text(self) -> str:
        """The text without its marks."""
        return "".join(one.text for one in self.inline if not one.image)


@dataclass(frozen=True)
class MarkdownBlock:
    """A piece of Markdown between two blank lines; that of a list knows its mark."""

    text: str
    mark: str = ""


def markdown_of(parts: Sequence[ContentPart], images: Sequence[ContentImage] | None = None) -> str:
    """Parts as Markdown; with `images` also these, and those inside of parts.

    >>> from sightline.data import Value
    >>> print(markdown_of([ContentPart(Value("one"), "li"), ContentPart(Value("2 * 2"), "li")]))
    - one
    - 2 * 2
    """
    leaves = [_leaf(part, place, with_images=images is not None) for place, part in enumerate(parts)]
    return _stacked(_blocks(_with_images(leaves, parts, images or ()), 0))


def _leaf(part: ContentPart, place: int, *, with_images: bool) -> WrittenPart:
    markup = part.markup or _guessed(part.kind, place)
    inline = markup.inline or (InlineText(part.text),)
    kept = inline if with_images else tuple(one for one in inline if not one.image)
    return WrittenPart(kept, markup.around, markup.element, markup.follows)


def _image_leaf(image: ContentImage) -> WrittenPart:
    return WrittenPart((InlineText(image.text, image=image.address),), image.around, image.node, "apart")


def _with_images(
    leaves: Sequence[WrittenPart], parts: Sequence[ContentPart], images: Sequence[ContentImage]
) -> list[WrittenPart]:
    """The parts with the images between them, each before the first part that stands behind it on the page."""
    origins = (part.value.origin for part in parts)
    starts = accumulate((origin.nodes[0] if origin and origin.nodes else -1 for origin in origins), max)
    placed = [*zip(starts, leaves, strict=True), *((image.node, _image_leaf(image)) for image in images)]
    return [leaf for _, leaf in sorted(placed, key=itemgetter(0))]


def _guessed(kind: str, place: int) -> PartMarkup:
    """How a part is marked of which only the kind is known: neighbours of a kind belong together."""
    if kind == "li":
        return PartMarkup(around=(Enclosure("ul", -1), Enclosure("li", place)))
    if kind == "pre" or kind in HEADINGS:
        return PartMarkup(around=(Enclosure(kind, place),))
    if kind == "blockquote":
        return PartMarkup(around=(Enclosure(kind, -1),))
    return PartMarkup(
        follows="line" if kind in LINES else "apart", element=-2 - LINES.index(kind) if kind in LINES else -1
    )


# ---------------------------------------------------------------- blocks


def _blocks(leaves: Sequence[WrittenPart], depth: int) -> list[MarkdownBlock]:
    """Leaves as blocks, by what is around them at a depth."""
    done: list[MarkdownBlock] = []
    for enclosure, group in _grouped(leaves, depth):
        if enclosure is None:
            done += _paragraphs(group)
        else:
            before = done[-1].mark if done else ""
            done += WRITERS.get(enclosure.kind, _transparent)(enclosure, group, depth + 1, before)
    return [block for block in done if block.text]


def _grouped(leaves: Sequence[WrittenPart], depth: int) -> list[tuple[Enclosure | None, list[WrittenPart]]]:
    """Leaves that stand in the same element at a depth; None where there is none."""
    groups = groupby(leaves, key=lambda leaf: leaf.around[depth] if len(leaf.around) > depth else None)
    return [(enclosure, list(group)) for enclosure, group in groups]


def _stacked(blocks: Sequence[MarkdownBlock], *, close: bool = False) -> str:
    """Blocks below each other; with `close`, a list follows its paragraph without a blank line where it may."""
    done = ""
    for block in blocks:
        # An ordered list may interrupt a paragraph only if it begins at 1.
        attached = close and block.mark and (block.mark in BULLETS or block.text.startswith(("1. ", "1) ")))
        done += ("\n" if attached else "\n\n") * bool(done) + block.text
    return done


def _paragraphs(leaves: Sequence[WrittenPart]) -> list[MarkdownBlock]:
    paragraphs: list[list[str]] = []
    before: WrittenPart | None = None
    for leaf in leaves:
        text = inline_markdown(leaf.inline)
        goes_on = before is not None and leaf.follows != "apart" and before.element == leaf.element
        if goes_on and leaf.follows == "line":
            paragraphs[-1].append(text)
        elif goes_on:
            paragraphs[-1][-1] = f"{paragraphs[-1][-1]} {text}".strip()
        else:
            paragraphs.append([text])
        before = leaf
    return [MarkdownBlock("\\\n".join(safe_line(line) for line in lines if line)) for lines in paragraphs]


def _one_line(leaves: Sequence[WrittenPart], *, bold: bool) -> str:
    """Leaves in one line, all of it bold or nothing."""
    stretches: list[InlineText] = []
    for leaf in leaves:
        stretches += [InlineText(" ", bold)] if stretches else []
        stretches += [replace(one, bold=bold) for one in leaf.inline]
    return inline_markdown(stretches)


def _heading(enclosure: Enclosure, leaves: Sequence[WrittenPart], _depth: int, _before: str) -> list[MarkdownBlock]:
    text = _one_line(leaves, bold=False)
    return [MarkdownBlock(f"{'#' * int(enclosure.kind[1:])} {safe_title(text)}")] if text else []


def _term(_enclosure: Enclosure, leaves: Sequence[WrittenPart], _depth: int, _before: str) -> list[MarkdownBlock]:
    """A term that is defined: Markdown has no sign for it, so it is bold."""
    return [MarkdownBlock(safe_line(_one_line(leaves, bold=True)))]


def _code_block(enclosure: Enclosure, leaves: Sequence[WrittenPart], _depth: int, _before: str) -> list[MarkdownBlock]:
    code = enclosure.text or "\n".join(leaf.text for leaf in leaves)
    fence = "`" * max(3, 1 + max(map(len, TICKS.findall(_outdented(code))), default=0))
    return [MarkdownBlock(f"{fence}{enclosure.language}\n{code}\n{fence}")]


def _outdented(code: str) -> str:
    """Code without its indentation, up to which a fence may be indented as well."""
    return "\n".join(line.lstrip() for line in code.split("\n"))


def _quotation(_enclosure: Enclosure, leaves: Sequence[WrittenPart], depth: int, _before: str) -> list[MarkdownBlock]:
    inner = _stacked(_blocks(leaves, depth))
    return [MarkdownBlock("\n".join(f"> {line}".rstrip(" ") for line in inner.split("\n")))] if inner else []


def _transparent(_enclosure: Enclosure, leaves: Sequence[WrittenPart], depth: int, _before: str) -> list[MarkdownBlock]:
    return _blocks(leaves, depth)


# ---------------------------------------------------------------- lists


def _list(enclosure: Enclosure, leaves: Sequence[WrittenPart], depth: int, before: str) -> list[MarkdownBlock]:
    """A list; what stands in it outside its items belongs to the item before."""
    items: list[tuple[int, list[MarkdownBlock]]] = []
    for item, group in _grouped(leaves, depth):
        is_item = item is not None and item.kind == "li"
        blocks = _blocks(group, depth + is_item)
        if blocks and (is_item or not items):
            items.append((item.number if item else 0, blocks))
        elif blocks:
            items[-1][1].extend(blocks)
    if not items:
        return []
    marks = DOTS if enclosure.kind == "ol" else BULLETS
    mark = marks[1] if before == marks[0] else marks[0]
    texts = [_item(mark if mark in BULLETS else f"{_number(number)}{mark}", blocks) for number, blocks in items]
    return [MarkdownBlock(("\n\n" if any("\n\n" in text for text in texts) else "\n").join(texts), mark)]


def _number(number: int) -> int:
    return min(max(number, 0), HIGHEST_NUMBER)


def _item(mark: str, blocks: Sequence[MarkdownBlock]) -> str:
    first, *others = _stacked(blocks, close=True).split("\n")
    indent = " " * (len(mark) + 1)
    return "\n".join([f"{mark} {first}", *(indent + line if line else "" for line in others)])


# ---------------------------------------------------------------- tables


def _table(enclosure: Enclosure, leaves: Sequence[WrittenPart], depth: int, _before: str) -> list[MarkdownBlock]:
    """A table; the cells one after another if it was made for the layout of the page."""
    groups = _grouped(leaves, depth)
    captions = [block for row, group in groups if not _is_row(row) for block in _blocks(group, depth)]
    rows = [_grouped(group, depth + 1) for row, group in groups if _is_row(row)]
    if not _is_data(rows, enclosure.number, depth + 2):
        return [
            *captions,
            *(block for row in rows for cell, group in row for block in _blocks(group, depth + 1 + bool(cell))),
        ]
    lines = [
        _row(row, enclosure.number, depth + 2, header=place == 0 and _is_header(row)) for place, row in enumerate(rows)
    ]
    if not _is_header(rows[0]):
        lines.insert(0, [""] * enclosure.number)  # Markdown has no table without a heading
    lines.insert(1, ["---"] * enclosure.number)
    return [*captions, MarkdownBlock("\n".join(f"| {' | '.join(line)} |" for line in lines))]


Row = list[tuple[Enclosure | None, list[WrittenPart]]]


def _is_row(enclosure: Enclosure | None) -> bool:
    return enclosure is not None and enclosure.kind == "tr"


def _is_data(rows: Sequence[Row], columns: int, depth: int) -> bool:
    """Whether a table has rows and columns, and cells that can be written in a line."""
    filled = {cell.number for row in rows for cell, _ in row if cell}
    return (
        len(rows) > 1
        and len(filled) > 1
        and max(filled) < columns
        and all(_fits(group, depth) for row in rows for _, group in row)
    )


def _fits(leaves: Sequence[WrittenPart], depth: int) -> bool:
    """Whether a cell holds no other table, no text below a heading, and not too many lines."""
    inside = [{enclosure.kind for enclosure in leaf.around[depth:]} for leaf in leaves]
    headed = sum(not kinds.isdisjoint(HEADINGS) for kinds in inside)
    return len(leaves) <= MOST_LINES and not any("table" in kinds for kinds in inside) and headed in (0, len(leaves))


def _is_header(row: Row) -> bool:
    """Whether a row names the columns: by its tags, or since all of it is bold."""
    return all(cell is not None and (cell.kind == "th" or _is_bold(group)) for cell, group in row)


def _is_bold(leaves: Sequence[WrittenPart]) -> bool:
    return all(one.bold for leaf in leaves for one in leaf.inline if one.text.strip())


def _row(row: Row, columns: int, depth: int, *, header: bool) -> list[str]:
    cells = [""] * columns
    for cell, group in row:
        place = cell.number if cell else 0
        cells[place] = "<br>".join(filter(None, [cells[place], _cell(group, depth, header=header)]))
    return cells


def _cell(leaves: Sequence[WrittenPart], depth: int, *, header: bool) -> str:
    """The text of a cell; lines below each other are separated by the only sign that cells have for it."""
    text = ""
    before: WrittenPart | None = None
    for code, group in groupby(leaves, key=lambda leaf: _code_around(leaf, depth)):
        for leaf in [next(group)] if code else group:
            goes_on = before is not None and leaf.follows == "space" and before.element == leaf.element
            line = _code_lines(code) if code else _cell_line(leaf, header=header)
            text += (" " if goes_on else "<br>") * bool(text and line) + line
            before = leaf
    return text


def _code_around(leaf: WrittenPart, depth: int) -> str:
    """The code that a leaf of a cell is in, if any."""
    return next((one.text or leaf.text for one in leaf.around[depth:] if one.kind == "pre"), "")


def _code_lines(code: str) -> str:
    lines = (line for line in code.split("\n") if line.strip())
    return "<br>".join(inline_markdown([InlineText(line, code=True)], cell=True) for line in lines)


def _cell_line(leaf: WrittenPart, *, header: bool) -> str:
    return inline_markdown([replace(one, bold=one.bold and not header) for one in leaf.inline], cell=True)


Writer = Callable[[Enclosure, Sequence[WrittenPart], int, str], list[MarkdownBlock]]
WRITERS: dict[str, Writer] = {
    **dict.fromkeys(HEADINGS, _heading),
    **dict.fromkeys(LISTS, _list),
    "dt": _term,
    "pre": _code_block,
    "blockquote": _quotation,
    "table": _table,
}


# What is known of a text, as YAML above its Markdown.

# JSON strings are YAML strings, apart from characters that YAML does not allow unescaped.
UNPRINTABLE = re.compile("[\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")


def front_matter(facts: Mapping[str, str | None]) -> str:
    r"""The facts that are known, each quoted, between two lines of dashes.

    >>> print(front_matter({"title": 'Bees: "so"', "author": None, "language": "no"}))
    ---
    title: "Bees: \"so\""
    language: "no"
    ---
    """
    lines = [f"{name}: {_quoted(value)}" for name, value in facts.items() if value]
    return "\n".join(["---", *lines, "---"])


def _quoted(text: str) -> str:
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


# -- A line of Markdown: stretches of text with their marks, nested so that no mark is opened twice -----------------

MARKS = ("link", "bold", "italic")
DELIMITERS = {"bold": ("**", "__"), "italic": ("*", "_")}
BLANKS, DOUBLE = re.compile(r"\s*[\n\r]\s*"), re.compile(" {2,}")
LINE_TICKS = re.compile("`+")


@dataclass(frozen=True, slots=True)
class LinePlace:
    """Where stretches are written: between which letters, and whether in a cell or a link."""

    before: str = ""
    after: str = ""
    cell: bool = False
    link: bool = False


def inline_markdown(stretches: Sequence[InlineText], *, cell: bool = False) -> str:
    """Stretches of text as one line of Markdown.

    >>> inline_markdown([InlineText("See "), InlineText("the "), InlineText("map", bold=True, link="https://x.org/")])
    'See the [**map**](https://x.org/)'
    """
    return _written(_joined(stretches), LinePlace(cell=cell)).strip()


def _joined(stretches: Sequence[InlineText]) -> list[InlineText]:
    """Stretches without line breaks; neighbours that are marked alike are one."""
    plain = [replace(one, text=BLANKS.sub(" ", one.text)) for one in stretches if one.text or one.image]
    runs = groupby(plain, key=lambda one: replace(one, text=one.text if one.image else ""))
    return [marks if marks.image else replace(marks, text=_spaced(run, code=marks.code)) for marks, run in runs]


def _spaced(run: Iterable[InlineText], *, code: bool) -> str:
    """The text of stretches; where an image was left out between two blanks, one is left."""
    text = "".join(one.text for one in run)
    return text if code else DOUBLE.sub(" ", text)


def _written(stretches: Sequence[InlineText], place: LinePlace) -> str:
    """The stretches, each run of them inside the mark that reaches furthest."""
    done, at = "", 0
    while at < len(stretches):
        mark, stop = _widest(stretches, at)
        following = stretches[stop].text[:1] if stop < len(stretches) else place.after
        here = replace(place, before=done[-1:] or place.before, after=following)
        if not mark:
            done += _line_leaf(stretches[at], here)
        else:
            start, inner, end = _trimmed([_without(one, mark) for one in stretches[at:stop]])
            here = replace(here, before=start[-1:] or here.before, after=end[:1] or here.after)
            written = _marked(mark, stretches[at].link, inner, here)
            if not start and written.startswith("[") and done.endswith("!"):
                done = f"{done[:-1]}\\!"  # else it would be an image
            done += start + written + end
        at = stop
    return done


def _widest(stretches: Sequence[InlineText], start: int) -> tuple[str, int]:
    """The mark of a stretch that the most stretches from it on share, and where it ends."""
    best, furthest = "", start + 1
    for mark in MARKS:
        value = getattr(stretches[start], mark)
        stop = start
        while value and stop < len(stretches) and getattr(stretches[stop], mark) == value:
            stop += 1
        if value and (not best or stop > furthest):
            best, furthest = mark, stop
    return best, furthest


def _without(one: InlineText, mark: str) -> InlineText:
    """A stretch without one of its marks."""
    if mark == "link":
        return replace(one, link="")
    return replace(one, bold=one.bold and mark != "bold", italic=one.italic and mark != "italic")


def _trimmed(stretches: Sequence[InlineText]) -> tuple[str, list[InlineText], str]:
    """Stretches without the blanks around them, which marks cannot begin or end with, and these blanks."""
    kept = list(stretches)
    start = end = ""
    while kept and not kept[0].image and kept[0].text != (text := kept[0].text.lstrip()):
        start += kept[0].text[: len(kept[0].text) - len(text)]
        kept = [replace(kept[0], text=text), *kept[1:]] if text else kept[1:]
    while kept and not kept[-1].image and kept[-1].text != (text := kept[-1].text.rstrip()):
        end = kept[-1].text[len(text) :] + end
        kept = [*kept[:-1], replace(kept[-1], text=text)] if text else kept[:-1]
    return start, _joined(kept), end


def _line_leaf(one: InlineText, place: LinePlace) -> str:
    """A stretch without any other mark: an image, code or text."""
    if one.image:
        return f"![{escaped(one.text, cell=place.cell, link=True)}]({escaped_address(one.image)})"
    # Backticks that meet would be one mark, and readers disagree on a backslash before a pipe in the code of a cell.
    if one.code and one.text.strip() and place.before != "`" and not (place.cell and "\\|" in one.text):
        return _code(one.text, cell=place.cell)
    return escaped(one.text, cell=place.cell, link=place.link)


def _code(text: str, *, cell: bool) -> str:
    """Code between more backticks than it contains in a row."""
    inner = text.strip()
    start, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    ticks = "`" * (max(map(len, LINE_TICKS.findall(inner)), default=0) + 1)
    gap = " " if inner.startswith("`") or inner.endswith("`") else ""
    # In a table a pipe ends the cell even in code.
    return f"{start}{ticks}{gap}{inner.replace('|', chr(92) + '|') if cell else inner}{gap}{ticks}{end}"


def _marked(mark: str, link: str, stretches: Sequence[InlineText], place: LinePlace) -> str:
    """Stretches inside a mark; without it if Markdown would not take it for one in this place."""
    if not stretches:
        return ""
    if mark == "link":
        inner = _written(stretches, replace(place, before="[", after="]", link=True))
        return f"[{inner}]({escaped_address(link)})"
    for delimiter in DELIMITERS[mark]:
        letter = delimiter[0]
        inner = _written(stretches, replace(place, before=letter, after=letter))
        if _can_mark(letter, inner, place):
            return f"{delimiter}{inner}{delimiter}"
    return _written(stretches, place)


def _can_mark(letter: str, inner: str, place: LinePlace) -> bool:
    """Whether a delimiter opens and closes here, by the rules of CommonMark for left- and right-flanking runs."""
    if place.before == letter or (letter == "_" and (_is_in_word(place.before) or _is_in_word(place.after))):
        return False
    opens = inner[:1].isalnum() or _is_edge(place.before)
    closes = inner[-1:].isalnum() or _is_edge(place.after)
    return bool(inner) and opens and closes


def _is_in_word(letter: str) -> bool:
    """Whether a letter belongs to a word: for CommonMark all but blanks and punctuation, known or not."""
    return not _is_edge(letter) and not unicodedata.category(letter).startswith("S")


def _is_edge(letter: str) -> bool:
    """Whether a letter is a blank or punctuation to every reader of Markdown; the end of a line is."""
    kind = unicodedata.category(letter) if letter else "Zs"
    return kind == "Zs" or kind.startswith("P")


# Text that Markdown reads as just this text, with as few backslashes as possible.

PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# What marks something inside a line: a backslash before punctuation or at the end, code, stars unless they stand alone,
# underscores unless they are inside a word, tildes that may close, the middle of a link, tags and entities.
_INLINE = (
    rf"\\(?=[{PUNCTUATION}]|\Z)"
    r"|`"
    r"|(?<! )\*+|\*+(?! )"
    r"|(?<![^\W_])(?<!_)_+(?! )|(?<=[^ _])_+(?![^\W_]|_)|^_+"
    r"|(?<=[^ ~])~+|~~+"
    r"|\](?=\()|!(?=\[)"
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?\w+;)"
)
INLINE, INSIDE_LINK = re.compile(_INLINE), re.compile(rf"{_INLINE}|[\[\]]")
# What makes a line more than a line: headings, quotations, items, fences, underlines, tasks, definitions, tables.
LINE_START = re.compile(
    r"#{1,6}(?=\s|$)|>|[-+](?=\s|$)|\d{1,9}(?=[.)](?:\s|$))|~~~|=+\s*$|(?=[^-]*-)[|:\-\s]+$"
    r"|\[(?=[ xX]\](?:\s|$))|\[(?=(?:[^\]\\]|\\.)+\]:)"
)
TITLE_END = re.compile(r"(?:(?<=\s)|^)(?=#+\s*$)")
ENTITY = re.compile(r"&(?=#?\w+;)")
# What an address cannot contain, or what would end it; a backslash is one to Markdown only before punctuation.
UNSAFE = {ord(letter): f"%{ord(letter):02X}" for letter in ' <>|\\`"'}
CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")


def escaped(text: str, *, cell: bool = False, link: bool = False) -> str:
    r"""A text inside a line, in which nothing is a mark; in a cell also no pipe, in a link no bracket.

    >>> print(escaped("snake_case, 2 * 3 < 7, R&D, but *so*, `x` and <b>"))
    snake_case, 2 * 3 < 7, R&D, but \*so\*, \`x\` and \<b>
    """
    marks = INSIDE_LINK if link else INLINE
    marked = marks.sub(lambda found: "".join(f"\\{letter}" for letter in found[0]), text)
    return marked.replace("|", "\\|") if cell else marked


def safe_line(line: str) -> str:
    r"""A line of a paragraph that begins nothing else.

    >>> print(safe_line("1. May was cold."), safe_line("#1 again"), safe_line("- so"))
    1\. May was cold. #1 again \- so
    """
    found = LINE_START.match(line)
    if not found:
        return line
    # A number is not punctuation, so the dot behind it is escaped instead.
    place = found.end() if found[0][0].isdigit() else 0
    return f"{line[:place]}\\{line[place:]}"


def safe_title(line: str) -> str:
    r"""The text of a heading, which does not end in what closes one.

    >>> print(safe_title("C #"), safe_title("C#"))
    C \# C#
    """
    return TITLE_END.sub(lambda _: "\\", line, count=1)


def escaped_address(address: str) -> str:
    r"""The address of a link; brackets that come in pairs stay as they are.

    >>> escaped_address("https://example.org/a b_(c)"), escaped_address("https://example.org/:)")
    ('https://example.org/a%20b_(c)', 'https://example.org/:\\)')
    """
    safe = ENTITY.sub(r"\\&", CONTROLS.sub("", address).translate(UNSAFE))
    return safe if _is_paired(safe) else re.sub(r"[()]", r"\\\g<0>", safe)


def _is_paired(address: str) -> bool:
    """Whether every bracket of an address is closed behind where it opens."""
    open = 0
    for letter in address:
        open += (letter == "(") - (letter == ")")
        if open < 0:
            return False
    return open == 0
