"""The products of this example, all invented: `python products.py` writes `catalogue.csv`, our list of 1,000 products.

There are more of them than we sell, since shops have products that are not in anyone else's catalogue.
"""

import csv
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
SEED = 1000
OURS = 1000


@dataclass(frozen=True)
class Product:
    """A product; `id` is empty if it is not in our catalogue."""

    id: str
    brand: str
    series: str
    noun: str
    variant: str
    model: str
    price: float
    weight: int

    @property
    def name(self) -> str:
        """What our catalogue calls it."""
        return f"{self.series} {self.noun}" + (f", {self.variant}" if self.variant else "")


@dataclass(frozen=True)
class Line:
    """A line of products: its brands, what its series are called, its variants, and what they cost and weigh."""

    noun: str
    brands: tuple[str, ...]
    series: tuple[str, ...]
    variants: tuple[str, ...]
    price: tuple[int, int]
    weight: tuple[int, int]


BLACK, SILVER, BODY, KIT = "black", "silver", "body", "kit with 18-55 mm lens"
CAMERAS = tuple(f"{body}, {colour}" for body, colour in product((BODY, KIT), (BLACK, SILVER)))
LINES = (
    Line(
        "mirrorless camera",
        ("Lumora", "Arden", "Kestrel", "Bellis"),
        ("Z5", "Z50", "Z70", "Z8", "R10", "R62", "R7", "Z9"),
        CAMERAS,
        (480, 3900),
        (380, 910),
    ),
    Line(
        "compact camera",
        ("Fennel", "Lumora", "Arden"),
        ("X20", "X100", "X130", "P7", "P9", "P70"),
        (BLACK, SILVER),
        (210, 1500),
        (210, 480),
    ),
    Line(
        "lens",
        ("Lumora", "Arden", "Kestrel", "Bellis", "Fennel"),
        tuple(
            f"{mm} mm f/{stop}" for mm, stop in product((16, 20, 24, 28, 35, 50, 85, 105, 135), ("1.4", "1.8", "2.8"))
        ),
        ("",),
        (190, 2100),
        (170, 1150),
    ),
    Line(
        "zoom lens",
        ("Lumora", "Arden", "Kestrel", "Bellis"),
        tuple(f"{zoom} mm f/{stop}" for zoom, stop in product(("14-24", "24-70", "70-200", "100-400"), ("2.8", "4"))),
        ("",),
        (420, 2900),
        (450, 1700),
    ),
    Line(
        "binoculars",
        ("Corvus", "Heliox", "Orrery", "Vireo"),
        tuple(
            f"{name} {size}"
            for name, size in product(("M-12", "Field", "Ranger", "Scout"), ("8x32", "8x42", "10x42", "12x50"))
        ),
        ("green", BLACK),
        (95, 1700),
        (420, 1250),
    ),
    Line(
        "telescope",
        ("Astra", "Orrery", "Heliox"),
        tuple(
            f"{name} {size}"
            for name, size in product(("Nova", "Dob", "Mak"), ("90/900", "114/500", "130/650", "150/750"))
        ),
        ("tube only", "with mount"),
        (130, 1450),
        (2600, 17500),
    ),
    Line(
        "spotting scope",
        ("Corvus", "Vireo", "Heliox"),
        ("Heron 60", "Heron 65", "Heron 80", "Heron 95"),
        ("angled", "straight"),
        (180, 2400),
        (900, 2100),
    ),
    Line(
        "tripod",
        ("Vireo", "Tarn", "Quill"),
        ("T150", "T180", "T220", "PX42", "PX55", "PX70", "Go 3", "Go 4"),
        ("aluminium", "carbon"),
        (45, 640),
        (950, 2700),
    ),
    Line(
        "ball head",
        ("Vireo", "Tarn", "Quill"),
        ("BH20", "BH30", "BH40", "BH55"),
        ("", "with plate"),
        (35, 330),
        (160, 720),
    ),
    Line(
        "eyepiece",
        ("Astra", "Orrery", "Heliox"),
        tuple(f"Wide {mm} mm" for mm in (4, 6, 9, 12, 17, 20, 25, 32)),
        ('1.25"', '2"'),
        (29, 310),
        (90, 640),
    ),
    Line(
        "strap",
        ("Tarn", "Vireo"),
        ("S1", "S2", "Duo", "Neo"),
        (BLACK, "grey", "olive"),
        (15, 69),
        (60, 210),
    ),
    Line(
        "softbox",
        ("Quill", "Heliox"),
        ("Octa 60", "Octa 90", "Octa 120", "Strip 90"),
        ("", "with grid"),
        (39, 280),
        (700, 2900),
    ),
    Line(
        "flash",
        ("Quill", "Arden", "Kestrel"),
        ("SF30", "SF45", "SF60", "SF80"),
        ("for Arden", "for Kestrel", "for Lumora"),
        (65, 520),
        (190, 450),
    ),
    Line(
        "memory card",
        ("Tarn", "Heliox", "Quill"),
        ("Pro V60", "Pro V90", "Go V30"),
        ("64 GB", "128 GB", "256 GB", "512 GB"),
        (16, 410),
        (2, 4),
    ),
    Line(
        "filter",
        ("Fennel", "Tarn", "Vireo"),
        ("UV", "Polarising", "ND8", "ND64", "Star"),
        tuple(f"{mm} mm" for mm in (49, 52, 58, 67, 72, 77, 82)),
        (14, 190),
        (12, 60),
    ),
    Line(
        "camera bag",
        ("Tarn", "Vireo", "Quill"),
        ("Sling 6", "Sling 10", "Trek 20", "Trek 30", "City 12", "City 18", "Case 4"),
        (BLACK, "grey", "olive"),
        (35, 290),
        (480, 2300),
    ),
    Line(
        "LED light",
        ("Quill", "Heliox", "Tarn"),
        ("L60", "L100", "L200", "Panel 30", "Panel 60", "Tube 2"),
        ("daylight", "bi-colour"),
        (55, 690),
        (350, 3300),
    ),
    Line(
        "microphone",
        ("Quill", "Corvus"),
        ("VM10", "VM20", "Shot 5", "Shot 9", "Lav 2", "Lav 3"),
        ("", "with wind shield"),
        (39, 420),
        (60, 310),
    ),
    Line(
        "battery",
        ("Tarn", "Lumora", "Arden", "Kestrel", "Bellis"),
        ("NB-11", "NB-14", "NB-22", "NB-25", "EL-3", "EL-5"),
        ("", "with charger"),
        (19, 120),
        (40, 130),
    ),
    Line(
        "teleconverter",
        ("Lumora", "Arden", "Kestrel", "Bellis"),
        ("1.4x TC", "1.7x TC", "2x TC"),
        ("",),
        (240, 620),
        (190, 340),
    ),
    Line(
        "drone",
        ("Corvus", "Kestrel"),
        ("Mini 2", "Mini 3", "Air 4", "Pro 5"),
        ("", "with remote", "set of three batteries"),
        (290, 2300),
        (240, 950),
    ),
    Line(
        "gimbal",
        ("Quill", "Vireo", "Kestrel"),
        ("G200", "G350", "G500", "G800"),
        (BLACK, "white"),
        (110, 690),
        (380, 1350),
    ),
    Line(
        "photo printer",
        ("Bellis", "Heliox"),
        ("SP400", "SP700", "SP1300"),
        (BLACK, "white"),
        (120, 980),
        (860, 15800),
    ),
)


def dictionary(text: str) -> dict[str, str]:
    """Words with what they are elsewhere, from a text that is easy to read."""
    return {one.strip(): other.strip() for one, _, other in (pair.partition("=") for pair in text.split(";"))}


# What makers write into model numbers; what is not here is written as it is.
SHORT = dictionary(
    """body = B; kit = K; 18-55 = ; lens = ; black = BK; silver = SV; green = GN; grey = GY; olive = OL; white = WH;
    tube = T; only = ; mount = M; aluminium = AL; carbon = CF; daylight = D; bi-colour = BC; angled = A; straight = S;
    charger = C; wind = W; shield = ; remote = RC; three = 3; set = ; batteries = ; plate = P; grid = G; mm = ;
    with = ; for = ; of = ; Arden = AR; Kestrel = KE; Lumora = LU"""
)
KINDS = {"filter": "F", "lens": "L", "zoom lens": "LZ", "LED light": "LL", "photo printer": ""}


def model_number(line: Line, brand: str, series: str, variant: str) -> str:
    """As its maker prints it on the box, such as `LU-MCZ70-BBK`."""
    words = line.noun.split()
    kind = KINDS.get(line.noun, "".join(word[0] for word in words) if len(words) > 1 else line.noun[:2]).upper()
    plain = "".join(sign for sign in series.replace(" mm", "").replace("f/", "") if sign.isalnum()).upper()
    tail = "".join(SHORT.get(word, word) for word in variant.replace(",", "").split()).replace(" ", "").upper()
    tail = "".join(sign for sign in tail if sign.isalnum())
    return f"{brand[:2].upper()}-{kind}{plain}" + (f"-{tail}" if tail else "")


def all_products() -> list[Product]:
    """Everything that anyone sells, in an order that never changes; ours are those with an id."""
    chance = Random(SEED)
    found: dict[str, Product] = {}
    for line in LINES:
        for brand, series in product(line.brands, line.series):
            base = chance.uniform(0, 1) ** 1.6 * (line.price[1] - line.price[0]) + line.price[0]
            weight = chance.randint(*line.weight)
            for step, variant in enumerate(line.variants):
                model = model_number(line, brand, series, variant)
                price = round(base * (1 + 0.07 * step), 0) - 0.1
                found[model] = Product("", brand, series, line.noun, variant, model, round(price, 2), weight)
    everything = list(found.values())
    ours = {one.model for one in chance.sample(everything, OURS)}
    numbers = iter(range(1, OURS + 1))
    return [Product(**{**vars(one), "id": f"P{next(numbers):04}"}) if one.model in ours else one for one in everything]


def write_catalogue(path: Path) -> None:
    """Our list, with net prices in euros and weights in grams."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["id", "brand", "name", "model", "price", "weight"])
        for one in all_products():
            if one.id:
                writer.writerow([one.id, one.brand, one.name, one.model, f"{one.price:.2f}", f"{one.weight} g"])


if __name__ == "__main__":
    write_catalogue(HERE / "catalogue.csv")
