"""How documents of one template are set: HTML for LibreOffice and LaTeX for TeX, each family in a design of its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from bench.pdf.family_texts import Row, Said
from bench.pdf.setters import tex_text

OFFICE, TEX = "office", "tex, article"  # a letter of LibreOffice, or the style of `setters` that sets a source

TEX_FRAME = r"""\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern,cmap,array,booktabs,longtable}
\usepackage[margin=22mm]{geometry}\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\setlength{\LTleft}{0pt}
\setcounter{LTchunksize}{200}\raggedright
\pdfsuppressptexinfo=-1\pdfinfoomitdate=1\pdftrailerid{}
"""
OFFICE_FRAME = """<!DOCTYPE html><html><head><meta charset=utf-8><title>{title}</title><style>
@page {{ size: A4; margin: 20mm }} p, td, th, h1, h2 {{ font-family: {font}; font-size: {size} }} p {{ margin: 0 }}
h1 {{ font-size: 18pt }} h2 {{ font-size: 12pt }}
</style></head><body>{body}</body></html>"""


def statement(said: Said) -> str:
    """Two blocks side by side, balances above and below a table without lines between its rows."""
    value = _texts(said.fields)
    pairs = [
        ("Account number", value["account"]),
        ("IBAN", value["iban"]),
        ("Statement no.", value["statement"]),
        *([("Overdraft limit", value["overdraft"])] if "overdraft" in value else []),
    ]
    rows = (
        _tex_row([row["date"], row["text"], row["debit"], row["credit"], row["balance"]]) for row in _tex_rows(said)
    )
    head = _tex_row(rf"\textbf{{{name}}}" for name in ("Date", "Description", "Debit", "Credit", "Balance"))
    body = rf"""\textbf{{\Large Harbour and Holm Savings Bank}}\\{{\small 2 Lantern Lane, Whitby LS1 1AP}}\par\bigskip
\begin{{minipage}}[t]{{85mm}}{_tex_lines(said.beside["holder"])}\end{{minipage}}\hfill
\begin{{minipage}}[t]{{72mm}}{_tex_pairs(pairs)}\end{{minipage}}\par\bigskip
{{\large\bfseries Statement of account}}\par
Period: {value["period"]}\par
\begin{{tabular}}{{@{{}}p{{60mm}}r@{{}}}}Opening balance & {value["opening"]}\\\end{{tabular}}\par
\begin{{longtable}}{{@{{}}{_tex_widths("l20", "l62", "r20", "r20", "r22")}@{{}}}}\toprule
{head}\midrule\endhead\bottomrule\endfoot
{"".join(rows)}\end{{longtable}}
\begin{{tabular}}{{@{{}}p{{60mm}}r@{{}}}}Total debits & {value["debits"]}\\Total credits & {value["credits"]}\\
\textbf{{Closing balance}} & \textbf{{{value["closing"]}}}\\\end{{tabular}}\par\bigskip
{{\footnotesize Please check this statement and tell us within six weeks if anything on it is wrong.}}"""
    return _tex_document(body)


def payslip(said: Said) -> str:
    """Labels and values in four columns, a table of what was earned and taken, and three sums at the right."""
    value = _texts(said.fields)
    left = [("Name", value["name"]), ("Staff number", value["staff"]), ("Department", value["department"])]
    right = [("Tax code", value["tax code"]), ("Joined", value["joined"])]
    right += [("Holidays left", value["holidays"])] if "holidays" in value else []
    right += [("", "")] * (len(left) - len(right))
    block = "".join(_tex_row((*one, *other)) for one, other in zip(left, right, strict=True))
    rows = (_tex_row([row["text"], row["units"], row["rate"], row["earned"], row["taken"]]) for row in _tex_rows(said))
    body = rf"""{{\Large\bfseries Castellan Marine Instruments}}\hfill Payslip\par
\hrule\medskip {{\large {value["month"]}}}\par\medskip
\begin{{tabular}}{{@{{}}l>{{\raggedright\arraybackslash}}p{{55mm}}l>{{\raggedright\arraybackslash}}p{{35mm}}@{{}}}}
{block}\end{{tabular}}\par\bigskip
\begin{{tabular}}{{|p{{60mm}}|r|r|r|r|}}\hline
Description & Units & Rate & Earnings & Deductions\\\hline
{"".join(rows)}\hline\end{{tabular}}\par\bigskip
\hfill\begin{{tabular}}{{lr}}Gross pay & {value["gross"]}\\Deductions & {value["deductions"]}\\\hline
\textbf{{Net pay}} & \textbf{{{value["net"]}}}\\\end{{tabular}}\par\bigskip
Paid to your account on the last working day of the month."""
    return _tex_document(rf"\sffamily {body}", page="empty")


def delivery(said: Said) -> str:
    """An address, labels with colons before their values, a table with lines all around, and a place to sign."""
    value = _texts(said.fields)
    pairs = [
        ("Date:", value["date"]),
        ("Your order:", value["order"]),
        *([("Contact:", value["contact"])] if "contact" in value else []),
        ("Carrier:", value["carrier"]),
    ]
    cells = ("number", "article", "text", "ordered", "sent", "unit")
    rows = (_tex_row(row[name] for name in cells).replace("\n", "\\hline\n") for row in _tex_rows(said))
    head = _tex_row(("Pos.", "Article", "Description", "Ordered", "Sent", "Unit"))
    remark = rf"\textbf{{Remarks}}\par {value['remark']}\par\bigskip" if "remark" in value else ""
    body = rf"""\hfill\textbf{{Gull Rock Supplies}}\par\hfill Ferry Street 4, Berwick\par\bigskip
\textbf{{Deliver to}}\par {_tex_lines(said.beside["consignee"])}\par\bigskip
{{\LARGE Delivery note {value["number"]}}}\par\medskip
{_tex_pairs(pairs)}\par\bigskip
\begin{{longtable}}{{|{_tex_widths("r10", "l18", "l62", "r16", "r12", "l12", bar="|")}|}}\hline
{head}\hline\endhead
{"".join(rows)}\end{{longtable}}
Number of packages: {value["packages"]}\par Gross weight: {value["weight"]}\par\bigskip
{remark}
Received in good order:\par\vspace{{12mm}}\rule{{60mm}}{{.4pt}}\par Date, signature"""
    return _tex_document(body)


def invoice(said: Said) -> str:
    """An address, the heading, labels and values in two columns, and a table that ends with the sums."""
    value = _texts(said.fields, escape)
    names = {"number": "Invoice no.", "date": "Date", "customer": "Customer no.", "reference": "Your reference"}
    names |= {"due": "Payable until"}
    pairs = [(label, value[name]) for name, label in names.items() if name in value]
    head = [("No.", "left"), ("Description", "left"), ("Quantity", "right"), ("Price", "right"), ("Amount", "right")]
    cells = ("number", "text", "quantity", "price", "amount")
    rows = [
        _html_row([(escape(row[name]), align) for name, (_, align) in zip(cells, head, strict=True)])
        for row in said.rows
    ]
    sums = {"net": "Subtotal", "shipping": "Shipping", "tax": "VAT 20 %", "total": "<b>Total EUR</b>"}
    right = '<p align=right style="margin: 0">'
    rows += [
        f"<tr><td></td><td colspan=3>{right}{label}</p></td><td>{right}{value[name]}</p></td></tr>"
        for name, label in sums.items()
        if name in value
    ]
    heading = _html_row([(f"<b>{text}</b>", align) for text, align in head], "border-bottom: 1px solid #000000;")
    remark = f"<p>{value['remark']}</p>" if "remark" in value else ""
    lines = "<br>".join(map(escape, said.beside["recipient"]))
    body = f"""<p align=right><b>Dunmore Paper and Paint</b><br>17 Quarry Hill, Leeds LS1 2AP<br>VAT GB 912 3456 78</p>
<p><br></p><p>{lines}</p><p><br></p><h1>Invoice</h1>{_html_pairs(pairs)}<p><br></p>
<table width="100%" cellpadding=3 cellspacing=0 border=0>{_html_columns(7, 51, 12, 14, 16)}
<thead>{heading}</thead>{"".join(rows)}</table><p><br></p>{remark}
<p>Please pay by bank transfer to our account at the Harbour and Holm Savings Bank, and state the number above.</p>"""
    return OFFICE_FRAME.format(title="Invoice", font="Liberation Sans", size="10pt", body=body)


def timetable(said: Said) -> str:
    """The line and its route as headings, a line of words, and a table whose columns are called by numbers of trips."""
    value = _texts(said.fields, escape)
    trips = [f"trip {place}" for place in range(1, 5)]
    head = [("Stop", "left"), ("Zone", "center"), *((trip, "center") for trip in said.beside["trips"])]
    rows = [
        _html_row(
            [(escape(row[name]), align) for name, (_, align) in zip(("stop", "zone", *trips), head, strict=True)],
            "border-bottom: 1px solid #a0a0a0;",
        )
        for row in said.rows
    ]
    heading = _html_row([(f"<b>{text}</b>", align) for text, align in head], "border-bottom: 1px solid #000000;")
    names = {"from": "Valid from", "until": "Valid until", "operator": "Operator", "phone": "Information"}
    pairs = [(label, value[name]) for name, label in names.items() if name in value]
    body = f"""<h1>{value["line"]}</h1><h2>{value["route"]}</h2><p><i>{value["days"]}</i></p>
<table width="100%" cellpadding=3 cellspacing=0 border=0>{_html_columns(40, 12, 12, 12, 12, 12)}
<thead>{heading}</thead>{"".join(rows)}</table><p><br></p>{_html_pairs(pairs)}
<p><br></p><p>– does not call here. Tickets are sold on board.</p>"""
    return OFFICE_FRAME.format(title="Timetable", font="Liberation Serif", size="11pt", body=body)


SOURCES: Mapping[str, tuple[str, Callable[[Said], str]]] = {
    "statements": (TEX, statement),
    "invoices": (OFFICE, invoice),
    "payslips": (TEX, payslip),
    "timetables": (OFFICE, timetable),
    "deliveries": (TEX, delivery),
}


def _texts(fields: Mapping[str, str | None], made: Callable[[str], str] = tex_text) -> dict[str, str]:
    """The values that a document has, as its setter takes them."""
    return {name: made(text) for name, text in fields.items() if text is not None}


def _tex_document(body: str, page: str = "plain") -> str:
    return f"{TEX_FRAME}\\pagestyle{{{page}}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def _tex_rows(said: Said) -> list[Row]:
    return [{name: tex_text(text) for name, text in row.items()} for row in said.rows]


def _tex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + "\\\\\n"


def _tex_lines(lines: Sequence[str]) -> str:
    return r"\\".join(map(tex_text, lines))


def _tex_widths(*columns: str, bar: str = "") -> str:
    """Columns of these millimetres, aligned at the left or right: TeX need not run twice to know how wide they are."""
    sides = {"l": "right", "r": "left"}
    return bar.join(rf">{{\ragged{sides[column[0]]}\arraybackslash}}p{{{column[1:]}mm}}" for column in columns)


def _tex_pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return rf"\begin{{tabular}}[t]{{@{{}}ll@{{}}}}{''.join(map(_tex_row, pairs))}\end{{tabular}}"


def _html_columns(*shares: int) -> str:
    return "".join(f'<col width="{share}%">' for share in shares)


def _html_row(cells: Iterable[tuple[str, str]], style: str = "") -> str:
    own = f' style="{style}"' if style else ""
    made = (f'<td{own} valign=top><p align={align} style="margin: 0">{text}</p></td>' for text, align in cells)
    return f"<tr>{''.join(made)}</tr>"


def _html_pairs(pairs: Iterable[tuple[str, str]]) -> str:
    rows = "".join(_html_row([(label, "left"), (text, "left")]) for label, text in pairs)
    return f'<table width="70%" cellpadding=2 cellspacing=0 border=0>{_html_columns(35, 65)}{rows}</table>'
