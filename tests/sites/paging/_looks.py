"""What the sites look like: page frames, lists and pagers differ in markup, class names, language and style."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from ._records import Record, Trade, aside_of

__all__ = ["LOOKS", "Look", "frame"]


@dataclass(frozen=True)
class Look:
    """The clothes of a site. `row` writes a record and `around` is put around all rows."""

    name: str
    language: str
    brand: str
    heading: str
    menu: tuple[str, ...]
    aside: tuple[str, ...]
    aside_title: str
    footer: str
    trade: Trade
    row: Callable[[Record], str]
    around: tuple[str, str]
    body: str
    style: str

    def rows(self, records: Sequence[Record]) -> str:
        """Some records, one after the other."""
        return "\n".join(map(self.row, records))

    def list(self, records: Sequence[Record]) -> str:
        """The list with these records."""
        return f"{self.around[0]}{self.rows(records)}{self.around[1]}"


def frame(look: Look, main: str, *, head: str = "", beside: str = "", title: str = "") -> str:
    """A whole page of a site around what is in its middle."""
    menu = "".join(f'<li><a href="/section/{place}">{said}</a></li>' for place, said in enumerate(look.menu))
    aside = "".join(f'<li><a href="{link}">{said}</a></li>' for said, link in aside_of(look.name, look.aside))
    filled = look.body.format(
        brand=look.brand,
        heading=title or look.heading,
        menu=menu,
        aside=f"<h4>{look.aside_title}</h4><ul>{aside}</ul>{beside}",
        footer=look.footer,
        main=main,
    )
    base = (
        "body{margin:0;font:15px/1.5 sans-serif;color:#222}a{color:#14508c}img{vertical-align:middle}"
        ".pagination,.by-month{display:flex;flex-wrap:wrap;gap:6px 14px;list-style:none;padding:0}"
        ".az-strip>*{margin-right:9px}.turner button,.pager a,.shop-pagination>*{margin-right:8px}"
    )
    return (
        f'<!doctype html><html lang="{look.language}"><head><meta charset="utf-8">'
        f"<title>{title or look.heading} – {look.brand}</title>{head}<style>{base}{look.style}</style></head>"
        f"<body>{filled}</body></html>"
    )


def _card(record: Record) -> str:
    return (
        f'<div class="product-card"><a class="thumb" href="{record.link}"><img src="/i/photo.svg" width="160" '
        f'height="110" alt=""></a><h3 class="product-name"><a href="{record.link}">{escape(record.title)}</a></h3>'
        f'<p class="blurb">{record.about}</p><span class="price">{record.price}</span>'
        f'<button type="button" class="basket">Add to basket</button></div>'
    )


def _table_row(record: Record) -> str:
    return (
        f'<tr><td class="art"><a href="{record.link}">{escape(record.title)}</a></td><td>{record.about}</td>'
        f'<td class="preis">{record.price}</td></tr>'
    )


def _result(record: Record) -> str:
    return (
        f'<li class="hit"><h2 class="hit__title"><a href="{record.link}">{escape(record.title)}</a></h2>'
        f'<div class="hit__text">{record.about}</div><b class="hit__cost">{record.price}</b></li>'
    )


def _article(record: Record) -> str:
    return (
        f'<article class="deal"><header><h2><a href="{record.link}">{escape(record.title)}</a></h2></header>'
        f'<p>{record.about} Now for <strong class="amount">{record.price}</strong> while stocks last.</p></article>'
    )


def _utility(record: Record) -> str:
    return (
        f'<div class="flex items-center gap-4 py-3 border-b"><span class="w-12 h-12 bg-zinc-200"></span>'
        f'<a class="grow font-medium" href="{record.link}">{escape(record.title)}</a>'
        f'<span class="w-60 text-sm">{record.about}</span><span class="w-28 text-right">{record.price}</span></div>'
    )


def _old(record: Record) -> str:
    return (
        f'<tr valign="top"><td width="70"><img src="/i/photo.svg" width="60" height="45" alt=""></td><td>'
        f'<a href="{record.link}"><b>{escape(record.title)}</b></a><br><font size="2">{record.about}</font></td>'
        f'<td align="right"><font color="#990000">{record.price}</font></td></tr>'
    )


def _japanese(record: Record) -> str:
    return (
        f'<dl class="shohin"><dt><a href="{record.link}">{escape(record.title)}</a></dt>'
        f'<dd class="setsumei">{record.about}</dd><dd class="kakaku">{record.price}</dd></dl>'
    )


_SHOP = """<header class="site-header"><a class="logo" href="/">{brand}</a><form class="search" action="/search">
<input name="q" placeholder="Search the shop"><button>Search</button></form><ul class="main-menu">{menu}</ul></header>
<div class="layout"><aside class="sidebar">{aside}</aside><main><h1>{heading}</h1>{main}</main></div>
<footer class="site-footer"><p>{footer}</p><a href="/terms">Terms</a> <a href="/privacy">Privacy</a></footer>"""
_GERMAN = """<div id="kopf"><a href="/">{brand}</a><ul id="hauptmenue">{menu}</ul></div><div id="rahmen">
<div id="inhalt"><h1>{heading}</h1>{main}</div><div id="spalte">{aside}</div></div>
<div id="fuss">{footer} <a href="/impressum">Impressum</a> <a href="/agb">AGB</a></div>"""
_LIBRARY = """<nav class="topbar"><b>{brand}</b><ul>{menu}</ul></nav><section class="content"><h1>{heading}</h1>{main}
</section><section class="related">{aside}</section><footer>{footer}</footer>"""
_BLOG = """<div class="wrap"><header><h1 class="blog-title"><a href="/">{brand}</a></h1><ul class="nav">{menu}</ul>
</header><div class="column"><p class="tagline">{heading}</p>{main}</div><div class="widgets">{aside}</div>
<footer>{footer}</footer></div>"""
_APP = """<div class="flex bg-zinc-800 p-4"><span class="text-lg">{brand}</span><ul class="flex gap-4">{menu}</ul></div>
<div class="flex"><div class="w-60 p-4">{aside}</div><div class="grow p-4"><h1 class="text-xl">{heading}</h1>{main}
</div></div><div class="p-4 text-sm">{footer}</div>"""
_TABLES = """<table width="960" align="center" cellpadding="6"><tr><td colspan="2" bgcolor="#ddddcc"><b>{brand}</b>
<ul class="m">{menu}</ul></td></tr><tr valign="top"><td width="190" bgcolor="#f4f4e8">{aside}</td><td>
<h1><font size="5">{heading}</font></h1>{main}</td></tr><tr><td colspan="2"><font size="1">{footer}</font></td></tr>
</table>"""
_JAPAN = """<div id="header"><p id="rogo"><a href="/">{brand}</a></p><ul id="gnavi">{menu}</ul></div><div id="wrapper">
<div id="main"><h1>{heading}</h1>{main}</div><div id="side">{aside}</div></div><div id="footer">{footer}</div>"""

_GOODS = Trade(
    ("Arden", "Bellis", "Corvo", "Dunmore", "Elstow", "Farrow", "Greyfield", "Hollin"),
    (
        *("desk lamp", "wall clock", "tea kettle", "bookend", "garden chair", "umbrella stand", "bread bin"),
        *("coat rack", "picture frame", "requests mat", "step stool", "wool blanket", "fruit bowl", "spice mill"),
        "candle holder",
    ),
    ("Solid oak, oiled by hand.", "Three year guarantee.", "Powder coated steel.", "Made to order in two weeks."),
)
_TOOLS = Trade(
    ("Adlerwerk", "Brandt", "Cordes", "Dietz", "Ehlers", "Falk", "Gerlach", "Hansen"),
    (
        *("Bohrmaschine", "Stichsäge", "Schraubzwinge", "Wasserwaage", "Hobelbank", "Feile", "Zange", "Winkelmesser"),
        *("Lötkolben", "Werkbank", "Säge", "Schleifer", "Meißel", "Hammer", "Ratsche"),
    ),
    ("sofort lieferbar", "Lieferzeit 3 Tage", "nur noch wenige Stück", "mit Koffer"),
    price="{:,.2f} €",
    folder="/artikel/",
    comma=True,
)
_BOOKS = Trade(
    ("The Quiet", "A Winter", "The Second", "An Island", "The Glass", "Letters from a", "Notes on a", "The Last"),
    (
        *("Harbour", "Orchard", "Cartographer", "Lighthouse", "Inheritance", "Gardener", "Tide", "Border"),
        *("Clockmaker", "Summer", "Librarian", "River", "Staircase", "Province", "Telescope"),
    ),
    ("Paperback, 288 pages.", "Hardcover with maps.", "New translation.", "Second edition, revised."),
    price="£{:,.2f}",
    folder="/books/",
    dearest=60,
)
_BARGAINS = Trade(
    ("Zephyr", "Yarrow", "Wexford", "Vasto", "Umbra", "Torrent", "Solano", "Rivet"),
    (
        *("headphones", "travel mug", "backpack", "e-reader case", "bike light", "power bank", "webcam", "keyboard"),
        *("tripod", "desk fan", "air pump", "router", "label printer", "dash cam", "projector"),
    ),
    ("Lowest price in months.", "Our readers' favourite is back.", "Ends on Sunday.", "With free shipping."),
    folder="/2024/deal-",
)
_PARTS = Trade(
    ("KX", "MP", "TR", "QF", "LN", "ZB", "HD", "VC"),
    (
        *("relay module", "stepper driver", "level shifter", "buck converter", "encoder", "load cell", "ball valve"),
        *("timing belt", "heat sink", "ribbon cable", "fuse holder", "hall sensor", "crimp set", "servo", "pump"),
    ),
    ("12 V, 2 A", "with screw terminals", "RoHS, lead free", "sold in packs of ten"),
    price="USD {:,.2f}",
    folder="/p/",
)
_STAMPS = Trade(
    ("Helvetia", "Ceylon", "Saxony", "Tasmania", "Baden", "Victoria", "Bavaria", "Malta"),
    (
        *("1d red", "2d blue", "5c green", "10c violet", "1sh brown", "half penny", "25r orange", "3kr rose"),
        *("6d grey", "20c lake", "1f black", "40c carmine", "9kr olive", "4d slate", "15r buff"),
    ),
    ("Used, fine.", "Mint, hinged.", "With certificate.", "Short perforation at top."),
    price="US$ {:,.2f}",
    folder="/lots/view.cgi/",
)
_TEA = Trade(
    ("宇治", "八女", "静岡", "狭山", "知覧", "嬉野", "伊勢", "近江"),
    (
        *("煎茶", "玉露", "抹茶", "ほうじ茶", "玄米茶", "茎茶", "粉茶", "番茶", "紅茶", "新茶", "深蒸し茶", "かぶせ茶"),
        *("急須", "湯呑", "茶筒"),
    ),
    ("送料無料", "在庫あり", "一番人気の品です", "贈り物に最適"),
    price="{:,.0f}円",
    folder="/shouhin/",
    dearest=9000,
)

SHOP = Look(
    "shop", "en", "Larkspur Home", "For the home", ("New in", "Kitchen", "Garden", "Outlet", "Journal"),
    ("Caring for oak", "How we pack", "Visit the workshop", "Gift cards"), "Reading", "© Larkspur Home Ltd.", _GOODS,
    _card, ('<div class="product-grid">', "</div>"), _SHOP,
    ".site-header{padding:16px;background:#f3eee6}.main-menu{display:flex;gap:20px;list-style:none}.layout{display:flex}"
    ".sidebar{width:220px;padding:16px}main{flex:1;padding:16px}.product-grid{display:grid;grid-template-columns:"
    "repeat(3,1fr);gap:18px}.product-card{border:1px solid #ddd;padding:12px}.price{font-weight:bold;color:#a33}",
)  # fmt: skip
GERMAN = Look(
    "german", "de", "Werkzeug Petersen", "Alle Artikel", ("Start", "Angebote", "Marken", "Beratung", "Kontakt"),
    ("Sägen richtig schärfen", "Unsere Filialen", "Versandkosten"), "Ratgeber", "© Werkzeug Petersen KG", _TOOLS,
    _table_row, ('<table class="artikelliste"><tr><th>Artikel</th><th>Hinweis</th><th>Preis</th></tr>', "</table>"),
    _GERMAN,
    "#kopf{background:#25313b;padding:12px}#kopf a{color:#fff}#hauptmenue{display:flex;gap:18px;list-style:none}"
    "#rahmen{display:flex}#inhalt{flex:1;padding:14px}#spalte{width:230px;padding:14px;background:#eee}"
    ".artikelliste{width:100%;border-collapse:collapse}.artikelliste td,.artikelliste th{border-bottom:1px solid #bbb;"
    "padding:6px;text-align:left}.seiten a,.blaettern a{padding:4px 8px}",
)  # fmt: skip
LIBRARY = Look(
    "library", "en", "Ferry Lane Books", "Fiction in stock", ("Home", "Events", "Authors", "About us"),
    ("Reading group in June", "Signed copies", "Our opening hours", "The children's corner", "Book tokens"),
    "From the shop floor", "Ferry Lane Books, 12 Ferry Lane", _BOOKS, _result,
    ('<ul class="hits">', "</ul>"), _LIBRARY,
    ".topbar{display:flex;gap:24px;background:#123;color:#fff;padding:10px}.topbar ul{display:flex;gap:14px;list-style:"
    "none}.topbar a{color:#fff}.content{max-width:760px;margin:auto}.hits{list-style:none;padding:0}.hit{padding:10px 0"
    ";border-bottom:1px dotted #888}.hit__title{font-size:18px;margin:0}.related{max-width:760px;margin:30px auto}",
)  # fmt: skip
BLOG = Look(
    "blog", "en", "The Thrifty Post", "A deal a day since 2011", ("Blog", "Coupons", "Newsletter", "About"),
    ("How we test", "Ten things never to buy", "Ask us anything"), "Our favourites", "Written by Ida and Tom",
    _BARGAINS, _article, ('<div class="stream">', "</div>"), _BLOG,
    ".wrap{max-width:980px;margin:auto}.nav{display:flex;gap:16px;list-style:none}.column{float:left;width:660px}"
    ".widgets{float:right;width:260px}.deal{margin:22px 0}footer{clear:both;padding:30px 0}.amount{color:#080}",
)  # fmt: skip
APP = Look(
    "app", "en", "Partbase", "Components", ("Browse", "Orders", "Quotes", "Account"),
    ("Datasheets", "Cross references", "Lead times"), "Resources", "Partbase Inc. All prices without tax.", _PARTS,
    _utility, ('<div class="rounded bg-white">', "</div>"), _APP,
    ".flex{display:flex}.items-center{align-items:center}.gap-4{gap:16px;list-style:none}.grow{flex-grow:1}"
    ".p-4{padding:16px}.py-3{padding:12px 0}.border-b{border-bottom:1px solid #ddd}.w-12{width:48px}.h-12{height:48px}"
    ".w-28{width:112px}.w-60{width:240px}.bg-zinc-200{background:#ddd}.bg-zinc-800{background:#27272a;color:#fff}"
    ".bg-zinc-800 a{color:#ddd}.text-sm{font-size:13px}.text-xl{font-size:22px}.text-right{text-align:right}"
    ".btn{padding:8px 14px;border:1px solid #999;border-radius:6px;background:#fff}",
)  # fmt: skip
TABLES = Look(
    "tables", "en", "Old Harbour Stamp Auctions", "Lots of sale no. 41", ("Home", "Catalogue", "Bidding", "Results"),
    ("Terms of sale", "How to bid by mail", "Map"), "Information", "Best viewed at 1024 x 768", _STAMPS, _old,
    ('<table width="100%" cellpadding="4" border="0">', "</table>"), _TABLES,
    ".m{padding:0;margin:4px 0}.m li{display:inline;margin-right:14px}",
)  # fmt: skip
JAPANESE = Look(
    "japanese", "ja", "茶の蔵", "商品一覧", ("ホーム", "お茶の淹れ方", "店舗案内", "お問い合わせ"),
    ("お茶の保存方法", "工場見学のご案内", "定期便について"), "読みもの", "© 茶の蔵 株式会社", _TEA, _japanese,
    ('<div class="ichiran">', "</div>"), _JAPAN,
    "#header{border-bottom:3px solid #486b3a;padding:10px}#gnavi{display:flex;gap:16px;list-style:none}#wrapper{display"
    ":flex}#main{flex:1;padding:16px}#side{width:220px;padding:16px}.shohin{border:1px solid #cdb;margin:8px 0;padding:"
    "8px}.kakaku{color:#b00}.pagenavi span,.pagenavi a{padding:4px 8px}",
)  # fmt: skip

LOOKS = {look.name: look for look in (SHOP, GERMAN, LIBRARY, BLOG, APP, TABLES, JAPANESE)}
