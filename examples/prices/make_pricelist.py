"""Make the price lists of Alpen, one for each day: `python make_pricelist.py` prints them with the browser."""

import subprocess
import tempfile
from html import escape
from pathlib import Path

from offers import DATES, offers

from sightline.sources.browser import find_browser

HERE = Path(__file__).parent
FILES = {1: HERE / "pricelist.pdf", 2: HERE / "pricelist-2.pdf"}
STYLE = """
@page { size: A4; margin: 18mm 16mm } body { font: 8.5pt/1.35 "DejaVu Sans", Arial, sans-serif; color: #222 }
h1 { font-size: 18pt; margin: 0 } .s { color: #666; margin: 2mm 0 6mm } table { border-collapse: collapse; width: 100% }
th { text-align: left; border-bottom: 1.2pt solid #333; padding: 1.5mm 2mm } thead { display: table-header-group }
td { padding: 1.2mm 2mm; border-bottom: .3pt solid #bbb } th, td { white-space: nowrap } .n { text-align: right }
"""


def price_list(day: int) -> str:
    """The list as a page."""
    rows = "".join(
        f"<tr><td>{one.sku}<td>{one.model}<td>{escape(one.name)}<td>{', '.join(one.regions)}"
        f"<td>{'lagernd' if one.stock else 'auf Anfrage'}<td class=n>{_euros(f'{one.amount:,.2f}')}"
        for one in offers("alpen", day)
    )
    year, month, number = DATES[day].split("-")
    return (
        '<!doctype html><html lang="de-AT"><meta charset="utf-8">'
        f"<title>Händlerpreisliste {number}.{month}.{year}</title><style>{STYLE}</style><h1>Alpen Foto Großhandel</h1>"
        f"<p class=s>Händlerpreisliste, gültig ab {number}.{month}.{year} · Preise netto in EUR, ohne USt.</p>"
        "<table><thead><tr><th>Art.-Nr.<th>Modell<th>Bezeichnung<th>Region<th>Lager<th class=n>Preis netto</thead>"
        f"<tbody>{rows}</tbody></table></html>"
    )


def _euros(amount: str) -> str:
    return "€ " + amount.translate(str.maketrans(",.", ".,"))


def main() -> None:
    """Print a list for each day."""
    with tempfile.TemporaryDirectory() as folder:
        for day, file in FILES.items():
            page = Path(folder) / f"{day}.html"
            page.write_text(price_list(day), encoding="utf-8")
            flags = ["--headless", "--no-sandbox", "--no-pdf-header-footer", "--disable-pdf-tagging"]
            subprocess.run(
                [str(find_browser()), *flags, f"--print-to-pdf={file}", page.as_uri()], check=True, capture_output=True
            )


if __name__ == "__main__":
    main()
