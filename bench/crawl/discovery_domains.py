"""Three domains to discover: their phrases, what their things are described by, and domains that resemble them.

The phrases are what a person would write down in a minute: words of the domain, names of attributes, makers. An
attribute has several names, of which a site uses one; only some of them are phrases.
"""

from dataclasses import dataclass

__all__ = ["DOMAINS", "Attribute", "Domain", "Kind"]


@dataclass(frozen=True)
class Attribute:
    """What a thing is described by: its names, and a pattern of its values (`#` is a digit, `a|b` a choice)."""

    names: tuple[str, ...]
    values: str


@dataclass(frozen=True)
class Kind:
    """A kind of things: what one is called, who makes them, and what describes them."""

    thing: str
    makers: tuple[str, ...]
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True)
class Domain:
    """A domain: the phrases, the things that are looked for, and kinds of things with similar tables."""

    name: str
    phrases: tuple[str, ...]
    kind: Kind
    neighbours: tuple[Kind, ...]


def _attributes(*lines: str) -> tuple[Attribute, ...]:
    """Attributes as `name / another name = values`."""
    pairs = (line.split(" = ") for line in lines)
    return tuple(Attribute(tuple(names.split(" / ")), values) for names, values in pairs)


DOMAINS = (
    Domain(
        "cameras",
        (
            *("digital camera", "megapixel", "optical zoom", "shutter speed", "aperture", "ISO", "viewfinder"),
            *("image sensor", "burst rate", "focal length", "image stabilisation", "battery life", "Canon", "Nikon"),
        ),
        Kind(
            "digital camera",
            ("Canon", "Nikon", "Arden", "Pentara", "Lumina", "Fujiko", "Olymp", "Sigrid"),
            _attributes(
                "Megapixels / Resolution / Effective pixels = ## MP",
                "Optical zoom / Zoom = #x|##x",
                "Shutter speed / Exposure times = 1/#000 s|1/#00 s",
                "Aperture / Maximum aperture = f/#.#",
                "ISO / ISO range / Sensitivity = 100-##00|64-###00",
                "Viewfinder / Finder = electronic|optical|none",
                "Image sensor / Sensor / Sensor size = APS-C|full frame|1 inch|Micro 4/3",
                "Burst rate / Continuous shooting = ## fps|# fps",
                "Focal length / Focal range = ##-### mm",
                "Image stabilisation / Stabiliser = yes|no|5-axis",
                "Battery life / Shots per charge = ##0 shots",
                "Weight = ### g",
                "Price = $#,###.00|$###.00",
                "Released / Year = 20##",
            ),
        ),
        (
            Kind(
                "lens",
                ("Canon", "Nikon", "Tamrox", "Sigrid", "Zeissler"),
                _attributes(
                    "Focal length / Focal range = ##-### mm",
                    "Aperture / Maximum aperture = f/#.#",
                    "Image stabilisation / Stabiliser = yes|no",
                    "Filter size = ## mm",
                    "Mount = EF|F|E|L",
                    "Elements / groups = ##/##",
                    "Closest focus = 0.## m",
                    "Weight = ### g",
                    "Price = $#,###.00|$###.00",
                ),
            ),
            Kind(
                "smartphone",
                ("Pixelon", "Galaxo", "Applin", "Xiro"),
                _attributes(
                    "Megapixels / Main camera = ## MP",
                    "Aperture / Camera aperture = f/#.#",
                    "Image stabilisation / OIS = yes|no",
                    "Battery life / Talk time = ## h",
                    "Display / Screen = #.# inch",
                    "Memory / RAM = # GB|## GB",
                    "Storage = ### GB",
                    "Processor / Chip = A## Bionic|SD ###",
                    "SIM = dual|single|eSIM",
                    "Price = $#,###.00|$###.00",
                ),
            ),
        ),
    ),
    Domain(
        "telescopes",
        (
            *("telescope", "aperture", "focal length", "focal ratio", "refractor", "equatorial mount", "eyepiece"),
            *(
                "finder scope",
                "magnification",
                "limiting magnitude",
                "resolving power",
                "Dobsonian",
                "Celestron",
                "Meade",
            ),
        ),
        Kind(
            "telescope",
            ("Celestron", "Meade", "Orionis", "Skywatch", "Vixena", "Bressen"),
            _attributes(
                "Aperture / Diameter of the mirror = ### mm",
                "Focal length / Focus = #### mm|### mm",
                "Focal ratio / Speed = f/#|f/#.#",
                "Optical design / Type = refractor|Dobsonian|Newtonian|Maksutov",
                "Mount / Mount type = equatorial mount|altazimuth|fork",
                "Eyepiece / Eyepieces = ## mm|## mm and # mm",
                "Finder scope / Finder = 6x30|red dot|8x50",
                "Magnification / Highest useful power = ###x",
                "Limiting magnitude / Faintest star = ##.#",
                "Resolving power / Resolution = #.## arcsec",
                "Weight = ##.# kg",
                "Price = $#,###.00|$###.00",
            ),
        ),
        (
            Kind(
                "binoculars",
                ("Nikonar", "Steinert", "Bushnall", "Celestron"),
                _attributes(
                    "Magnification / Power = #x|##x",
                    "Aperture / Objective = ## mm",
                    "Exit pupil = #.# mm",
                    "Eye relief = ## mm",
                    "Field of view = ### m at 1000 m",
                    "Prism = roof|Porro",
                    "Waterproof = yes|no",
                    "Weight = ### g",
                    "Price = $#,###.00|$###.00",
                ),
            ),
            Kind(
                "microscope",
                ("Leitzer", "Zeissler", "Bressen", "Motics"),
                _attributes(
                    "Magnification / Total magnification = ##x-###x",
                    "Eyepiece / Oculars = WF10x|WF15x",
                    "Resolving power / Resolution = 0.# µm",
                    "Objectives = 4x, 10x, 40x",
                    "Illumination = LED|halogen",
                    "Stage = mechanical|plain",
                    "Head = binocular|trinocular|monocular",
                    "Price = $#,###.00|$###.00",
                ),
            ),
        ),
    ),
    Domain(
        "books",
        (
            *("paperback", "hardcover", "ISBN", "publisher", "author", "first edition", "number of pages", "novel"),
            *("publication date", "translator", "illustrator", "book series", "dust jacket", "Penguin"),
        ),
        Kind(
            "book",
            ("Penguin", "Faber", "Vintage House", "Harbour Press", "Norton Hill", "Quarto"),
            _attributes(
                "Author / Written by / By = A. Smith|J. Novak|M. Rossi|L. Berg|T. Okafor",
                "ISBN / ISBN-13 = 978-#-###-#####-#",
                "Publisher / Imprint = Penguin|Faber|Vintage House|Harbour Press",
                "Binding / Format = paperback|hardcover|hardcover with dust jacket",
                "Number of pages / Pages / Length = ### pages|###",
                "Publication date / Published = ## May 20##|## June 19##",
                "Edition / Printing = first edition|second edition|reprint",
                "Translator / Translated by = K. Weiss|none|P. Brown",
                "Illustrator / Pictures by = none|E. Blake|S. Moon",
                "Book series / Series = none|Harbour Classics #|Night Watch #",
                "Language = English|German|French",
                "Price = $##.##|$#.##",
            ),
        ),
        (
            Kind(
                "film",
                ("Criteria", "Arrowhead", "Warnock", "Universe"),
                _attributes(
                    "Publisher / Studio = Criteria|Arrowhead|Warnock",
                    "Publication date / Release date = ## May 20##|## June 19##",
                    "Director = A. Lang|J. Ford|S. Ray",
                    "Running time = ### min",
                    "Aspect ratio = 1.##:1",
                    "Discs = #",
                    "Rating = PG|R|U",
                    "Language = English|German|French",
                    "Price = $##.##",
                ),
            ),
            Kind(
                "board game",
                ("Ravenhill", "Kosmik", "Hasbrook", "Queensgate"),
                _attributes(
                    "Publisher / Maker = Ravenhill|Kosmik|Queensgate",
                    "Author / Designer = R. Knizi|U. Rosen|A. Smith",
                    "Illustrator / Artist = M. Menz|E. Blake|none",
                    "Players = 2-#|1-#",
                    "Playing time = ## min",
                    "Age = #+|1#+",
                    "Weight = #.## / 5",
                    "Language = English|German|French",
                    "Price = $##.##",
                ),
            ),
        ),
    ),
)
