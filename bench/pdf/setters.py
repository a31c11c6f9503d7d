"""Layouts as source for those who set them: HTML for a browser and for LibreOffice, LaTeX for TeX; and their PDFs.

A tool that is missing ends the run with the name of the Debian package that has it.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from bench.pdf.icdar import Cell
from bench.pdf.layouts import Columns, Element, Laid, Layout, Text
from bench.pdf.sheets import TITLE
from sightline.sources import find_browser

DEADLINE = 180.0  # seconds that a document may take
UNTAGGED = "--disable-pdf-tagging"  # tags would tell the tables to those that read them
OFFICE_FILTER = 'pdf:writer_web_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"false"}}'
LETTER_FILTER = OFFICE_FILTER.replace("writer_web_pdf", "writer_pdf")
AS_LETTER = "--infilter=HTML (StarWriter)"  # else it is a web page, whose first sheet may stay empty
PACKAGES = {"pdflatex": "texlive-latex-recommended (and lmodern)", "soffice": "libreoffice-writer-nogui"}

# By name: who sets it, and how.
STYLES = {
    "browser, article": ("browser", 'body { font: 10pt/1.2 "Liberation Serif" } td, th { padding: 0 5pt }'),
    "browser, office": ("browser", 'body { font: 11pt/1.15 "Liberation Sans" } td, th { padding: 2pt 5pt }'),
    "browser, report": ("browser", 'body { font: 9pt/1.35 "DejaVu Serif" } td, th { padding: 1.5pt 7pt }'),
    "browser, tight": ("browser", 'body { font: 9.5pt/1.1 "DejaVu Sans Condensed" } td, th { padding: 0 4pt }'),
    "office, serif": ("office", "font-family: Liberation Serif } td p { margin: 0"),
    "office, sans": ("office", "font-family: Liberation Sans; font-size: 10pt } td p { margin: 0 0 3pt 0"),
    "tex, article": ("tex", r"\documentclass[10pt,a4paper]{article}"),
    "tex, small": ("tex", r"\documentclass[9pt,a4paper]{extarticle}\renewcommand{\familydefault}{\sfdefault}"),
    "tex, report": ("tex", r"\documentclass[11pt,a4paper]{report}\renewcommand{\arraystretch}{1.25}"),
    "browser, typewritten": ("browser", 'body { font: 8.5pt/1.2 "Liberation Mono" } td, th { padding: 0 4pt }'),
    "tex, typewritten": ("tex", r"\documentclass[9pt,a4paper]{extarticle}\renewcommand{\familydefault}{\ttdefault}"),
}
PAPER = """
@page { size: A4; margin: 20mm } body { margin: 0; print-color-adjust: exact }
h2 { font-size: 1.3em } h3 { font-size: 1.1em } .note { font-size: .85em; margin: 2pt 0 }
table { border-collapse: collapse; margin: 6pt 0; max-width: 100%; break-inside: avoid }
td, th { vertical-align: top; white-space: nowrap } .w td, .w th { white-space: normal }
.two { columns: 2; column-gap: 8mm; text-align: justify } .wide { width: 100% }
.head .last > *, .book .last > *, .spans .last > * { border-bottom: .7pt solid }
.ends, .book { border-top: 1pt solid; border-bottom: 1pt solid } .rows tr { border-bottom: .5pt solid #888 }
.grid td, .grid th { border: .6pt solid } .lined > * { border-top: .5pt solid } .plain th { font-weight: normal }
.boxes { border: .6pt solid } .boxes td { border-left: .6pt solid }
.spans .over { border-bottom: .5pt solid } td.gap, th.gap { padding-left: 24pt }
"""
BREAK = ' style="page-break-before: always"'
OFFICE_LINE = 95  # letters that a line of LibreOffice holds
DOTS = 44  # behind a label of the browser and of LibreOffice
ROOM = 150.0  # millimetres that a table of TeX may take
LETTER = 1.9  # millimetres that a letter of it takes
HTML_ALIGN = {"l": "left", "r": "right", "c": "center"}
TEX_SIGNS = {sign: rf"\{sign}" for sign in "#$%&_"} | {"–": "--", "•": r"\textbullet{}", "<": r"\textless{}"}
TEX_SIGNS |= {
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "*": "{*}",
}


def source_of(style: str, layouts: Iterable[Layout]) -> str:
    """The source of a document: every sheet begins on a page of its own, with a title by which it is known."""
    setter, own = STYLES[style]
    if setter == "tex":
        return _tex_document(own, layouts)
    sheets = "\n".join(
        f"<section><h2{BREAK if number else ''}>{TITLE} {number}: figures</h2>"
        f"{''.join(_html(element, is_plain=setter == 'office') for element in layout.elements)}</section>"
        for number, layout in enumerate(layouts)
    )
    css = PAPER + own if setter == "browser" else f"@page {{ size: A4; margin: 20mm }} p, td, h2, h3 {{ {own} }}"
    return f"<!DOCTYPE html><html><head><meta charset=utf-8><style>{css}</style></head><body>{sheets}</body></html>"


# ---------------------------------------------------------------------- HTML


def _html(element: Element, *, is_plain: bool) -> str:
    if isinstance(element, Columns):
        return f"<div class=two>{''.join(_html(one, is_plain=is_plain) for one in element.elements)}</div>"
    if isinstance(element, Text):
        if element.kind == "note":
            size = "<font size=2>" if is_plain else ""
            return f"<p class=note>{size}{escape(element.text)}{'</font>' if is_plain else ''}</p>"
        tag = "h3" if element.kind == "h" else "p"
        return f"<{tag}>{escape(element.text)}</{tag}>"
    return _html_table(element, is_plain=is_plain)


def _html_table(table: Laid, *, is_plain: bool) -> str:
    rows = []
    for number, row in enumerate(table.rows):
        cells, column = "", 0
        for cell in row:
            cells += "".join(
                _html_cell(table, Cell(number, number, x, x, ""), is_plain=is_plain) for x in range(column, cell.left)
            )
            cells += _html_cell(table, cell, is_plain=is_plain)
            column = cell.right + 1
        cells += "".join(
            _html_cell(table, Cell(number, number, x, x, ""), is_plain=is_plain) for x in range(column, table.columns)
        )
        own = [*(["last"] if number == table.header_rows - 1 else []), *(["lined"] if number in table.lined else [])]
        names = " ".join(own)
        rows.append(f'<tr class="{names}">{cells}</tr>')
    wraps = " w" if table.wrap else ""
    names = f"{table.rules}{wraps}{' wide' if table.wide else ''}{'' if table.bold else ' plain'}"
    border = (" border=1 cellspacing=0" if table.rules == "grid" else " border=0") if is_plain else ""
    width = ' width="100%"' if table.wide and is_plain else ""
    body = "".join(rows)
    if is_plain:
        longest = [_longest(table, column) + 4 for column in range(table.columns)]
        share = 100 / max(sum(longest), OFFICE_LINE)
        body = "".join(f'<col width="{length * share:.0f}%">' for length in longest) + body
        width = f' width="{min(sum(longest) * share, 100) if not table.wide else 100:.0f}%"'
    return f'<table class="{names}" cellpadding=4{border}{width}>{body}</table>'


def _html_cell(table: Laid, cell: Cell, *, is_plain: bool) -> str:
    is_head = cell.top < table.header_rows
    align = (table.head or table.aligns[cell.left]) if is_head else table.aligns[cell.left]
    if cell.right > cell.left:
        align = (table.head or "c") if is_head else "c"
    text = escape(cell.text)
    if table.leaders and cell.left == 0 and not is_head and text:
        text += f"&nbsp;{'.' * max(6, DOTS - len(cell.text))}"
    if table.bold and is_head:
        text = f"<b>{text}</b>"
    wrap = f' style="max-width: {_width(table, cell.left)}ch"' if table.wrap and table.aligns[cell.left] == "l" else ""
    if is_plain:
        lines = " ".join(f"border-{side}: 1px solid #000000;" for side in _sides(table, cell))
        room = ' style="margin-left: 0.3in"' if cell.left in table.gaps else ""
        wrap = f' style="{lines}"' if lines else ""
        text = f"<p align={HTML_ALIGN[align]}{room}>{text}</p>"
    names = f"{'gap' if cell.left in table.gaps else ''}{' over' if cell.right > cell.left and is_head else ''}"
    span = f" colspan={cell.right - cell.left + 1}" if cell.right > cell.left else ""
    return f'<td class="{names}"{span} valign=top align={HTML_ALIGN[align]}{wrap}>{text}</td>'


def _longest(table: Laid, column: int) -> int:
    """The letters of the longest text of a column, or what it may take where cells wrap."""
    texts = [len(cell.text) for cell in table.cells if cell.left == cell.right == column]
    dots = DOTS if table.leaders and column == 0 else 0
    return max(dots, min(max(texts, default=1), _width(table, column) if table.wrap else 99))


def _width(table: Laid, column: int) -> int:
    """The letters that a column takes at most where its cells wrap; none of its words is longer."""
    words = [word for cell in table.cells if cell.left == cell.right == column for word in cell.text.split()]
    return max(table.wrap, max(map(len, words), default=0) + 2)


def _sides(table: Laid, cell: Cell) -> list[str]:
    """Along which sides of a cell a line is drawn, for a setter that knows no rules for whole rows."""
    last = len(table.rows) - 1
    above = cell.top in table.lined or (cell.top == 0 and table.rules in ("ends", "book"))
    below = cell.top == last and table.rules in ("ends", "book")
    below |= cell.top == table.header_rows - 1 and table.rules in ("head", "book", "spans")
    below |= table.rules == "rows"
    below |= table.rules == "spans" and cell.top < table.header_rows and cell.right > cell.left
    if table.rules == "boxes":
        ends = ("top", cell.top == 0 or above), ("bottom", cell.top == last)
        return ["left", "right", *(side for side, drawn in ends if drawn)]
    return [side for side, drawn in (("top", above), ("bottom", below)) if drawn]


# ---------------------------------------------------------------------- LaTeX


def _tex_document(own: str, layouts: Iterable[Layout]) -> str:
    sheets = "\n\\newpage\n".join(
        f"\\subsection*{{{TITLE} {number}: figures}}\n" + "\n\n".join(map(_tex, layout.elements))
        for number, layout in enumerate(layouts)
    )
    packages = r"\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern,cmap,array,booktabs,multicol}"
    page = r"\usepackage[margin=20mm]{geometry}\pagestyle{plain}\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}"
    calm = r"\hyphenpenalty=10000\exhyphenpenalty=10000\sloppy\pdfsuppressptexinfo=-1\pdfinfoomitdate=1\pdftrailerid{}"
    return f"{own}{packages}{page}{calm}\n\\begin{{document}}\n{sheets}\n\\end{{document}}\n"


def _tex(element: Element) -> str:
    if isinstance(element, Columns):
        return "\\begin{multicols}{2}\n" + "\n\n".join(map(_tex, element.elements)) + "\n\\end{multicols}"
    if isinstance(element, Text):
        text = tex_text(element.text)
        return {"h": rf"\subsubsection*{{{text}}}", "note": rf"{{\footnotesize {text}\par}}"}.get(element.kind, text)
    return _tex_table(element)


def tex_text(text: str) -> str:
    """A text as TeX takes it."""
    return "".join(TEX_SIGNS.get(sign, sign) for sign in text)


def _tex_table(table: Laid) -> str:
    lines = [rf"\begin{{tabular}}{{{_tex_columns(table)}}}"]
    top, middle, bottom = {"book": (r"\toprule", r"\midrule", r"\bottomrule")}.get(table.rules, [r"\hline"] * 3)
    ruled = table.rules
    if ruled in ("ends", "book", "grid", "boxes"):
        lines.append(top)
    for number, row in enumerate(table.rows):
        if number in table.lined and ruled != "grid":
            lines.append(r"\hline")
        lines.append(" & ".join(_tex_row(table, row)) + r" \\")
        is_last = number == table.header_rows - 1
        if ruled in ("grid", "rows") or (is_last and ruled in ("head", "book", "spans")):
            lines.append(middle if is_last else r"\hline")
        elif ruled == "spans" and number < table.header_rows:
            lines += [rf"\cmidrule(lr){{{c.left + 1}-{c.right + 1}}}" for c in row if c.right > c.left]
    lines += [bottom] if ruled in ("ends", "book", "boxes") else []
    return "\n".join((*lines, r"\end{tabular}"))


def _tex_columns(table: Laid) -> str:
    longest = [0] * table.columns
    for cell in table.cells:
        if cell.left == cell.right:
            most = _width(table, cell.left) if table.wrap else len(cell.text)
            longest[cell.left] = max(longest[cell.left], min(len(cell.text), most))
    widths = [LETTER * (length + 3) for length in longest]
    factor = min(1.0, ROOM / sum(widths))
    fixed = table.wrap > 0 or factor < 1 or table.wide
    factor = ROOM / sum(widths) if table.wide else factor
    found = []
    for column, align in enumerate(table.aligns):
        own = align
        if fixed and align == "l":
            own = rf">{{\raggedright\arraybackslash}}p{{{factor * widths[column]:.0f}mm}}"
        elif table.leaders and column == 0:
            own = "p{70mm}"
        found.append((r"@{\hspace{9mm}}" if column in table.gaps else "") + own)
    bar = "|" if table.rules in ("grid", "boxes") else ""
    return bar + bar.join(found) + bar


def _tex_row(table: Laid, row: Iterable[Cell]) -> list[str]:
    found, column = [], 0
    for cell in row:
        found += [""] * (cell.left - column)
        found.append(_tex_cell(table, cell))
        column = cell.right + 1
    return found + [""] * (table.columns - column)


def _tex_cell(table: Laid, cell: Cell) -> str:
    is_head, text = cell.top < table.header_rows, tex_text(cell.text)
    if table.leaders and cell.left == 0 and not is_head and text:
        return rf"{text} \dotfill"
    text = rf"\textbf{{{text}}}" if table.bold and is_head else text
    span = cell.right - cell.left + 1
    bar = "|" if table.rules in ("grid", "boxes") else ""
    if span > 1:
        return rf"\multicolumn{{{span}}}{{{bar}{(table.head or 'c') if is_head else 'c'}{bar}}}{{{text}}}"
    if is_head and table.head and not table.wrap and table.aligns[cell.left] != table.head:
        inner = rf"\multicolumn{{1}}{{{bar if cell.left == 0 else ''}{table.head}{bar}}}{{{text}}}"
        return inner if cell.left not in table.gaps else text
    if is_head and table.head == "c" and table.wrap and table.aligns[cell.left] == "l":
        return rf"\centering\arraybackslash {text}"
    return text


# ---------------------------------------------------------------------- PDFs


def set_document(style: str, source: str, path: Path) -> None:
    """Set a source; the PDF appears at once, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    setter, _ = STYLES[style]
    suffix = ".tex" if setter == "tex" else ".html"
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        written = Path(folder) / f"set{suffix}"
        written.write_text(source, "utf-8")
        if setter == "browser":
            print_page(written, Path(folder) / "set.pdf", Path(folder))
        elif setter == "tex":
            _run("pdflatex", ["-interaction=batchmode", "-output-directory", folder, str(written)], Path(folder))
        else:
            profile = f"-env:UserInstallation={(Path(folder) / 'profile').as_uri()}"
            options = [profile, "--headless", "--convert-to", OFFICE_FILTER, "--outdir", folder, str(written)]
            _run("soffice", options, Path(folder))
        (Path(folder) / "set.pdf").replace(path)
    path.with_suffix(suffix).write_text(source, "utf-8")


def set_letters(sources: Mapping[Path, str]) -> None:
    """Set documents of HTML by LibreOffice as somebody who writes a letter does, all of them in one go."""
    if not sources:
        return
    folder = next(iter(sources)).parent
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        written = [Path(temporary) / f"{path.stem}.html" for path in sources]
        for file, source in zip(written, sources.values(), strict=True):
            file.write_text(source, "utf-8")
        profile = f"-env:UserInstallation={(Path(temporary) / 'profile').as_uri()}"
        options = [profile, "--headless", AS_LETTER, "--convert-to", LETTER_FILTER, "--outdir", temporary]
        _run("soffice", [*options, *map(str, written)], Path(temporary), written[-1].with_suffix(".pdf"))
        for file, path in zip(written, sources, strict=True):
            file.with_suffix(".pdf").replace(path)


def _run(tool: str, options: list[str], folder: Path, target: Path | None = None) -> None:
    found = shutil.which(tool)
    if found is None:
        raise SystemExit(f"bench: {tool} is missing, by which some PDFs are set; install the package {PACKAGES[tool]}.")
    with (folder / "said.txt").open("w+", encoding="utf-8") as said:
        # A group of its own: what `soffice` starts outlives it where it hangs, as it does from time to time.
        process = subprocess.Popen([found, *options], cwd=folder, stdout=said, stderr=said, start_new_session=True)
        try:
            process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(0)
        if not (target or folder / "set.pdf").exists():
            raise SystemExit(f"bench: {tool} set nothing within {DEADLINE:g} s; run it again.\n{said.read()[-2000:]}")


def print_page(page: Path, target: Path, folder: Path) -> None:
    """Print a file by the browser, without tags; `folder` holds its profile."""
    browser = find_browser()
    if browser is None:
        raise SystemExit("bench: the tables are printed by a browser, and there is none; run `sightline doctor`.")
    flags = ["--headless", "--no-pdf-header-footer", UNTAGGED, f"--user-data-dir={folder}/profile"]
    flags += ["--no-sandbox"] if os.geteuid() == 0 else []
    command: list[str] = [str(browser), *flags, f"--print-to-pdf={target}", page.resolve().as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=DEADLINE)
    if not target.exists():
        raise SystemExit(f"bench: {browser} printed nothing:\n{done.stderr[-2000:]}")
