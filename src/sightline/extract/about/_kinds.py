"""The kinds of things that a page can be about, and the fields of each, by the names of schema.org."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

FieldType: TypeAlias = Literal[
    "text",
    "texts",
    "money",
    "currency",
    "availability",
    "code",
    "gtin",
    "span",
    "day",
    "number",
    "rating",
    "address",
    "body",
]


@dataclass(frozen=True)
class ThingField:
    """A field: its type, whether it has several values, where data for machines says it, and which `meta` do."""

    name: str
    type: FieldType = "text"
    said: tuple[tuple[str, ...], ...] = ()
    meta: tuple[str, ...] = ()
    many: bool = False
    parted: tuple[tuple[str, ...], ...] = ()  # chains that lead to parts of it, which belong together in their order
    summed: tuple[str, ...] = ()  # properties whose spans make it up where it is not said itself

    @property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """The chains of properties that lead to it, the best first."""
        return self.said or ((self.name,),)


@dataclass(frozen=True)
class ThingKind:
    """A kind: the types of schema.org that are of it, and its fields."""

    name: str
    types: tuple[str, ...]
    fields: tuple[ThingField, ...]


def _named(*meta: str) -> ThingField:
    return ThingField("name", "text", (("name",), ("headline",), ("title",)), (*meta, "og:title", "twitter:title"))


def _offered(name: str, type: FieldType, *more: tuple[str, ...], meta: tuple[str, ...] = ()) -> ThingField:
    return ThingField(name, type, (("offers", name), *more, (name,)), meta)


IMAGE = ThingField(
    "image", "address", (("image", "url"), ("image", "contentUrl"), ("image",)), ("og:image", "twitter:image")
)
DESCRIPTION = ThingField("description", "text", (), ("og:description", "description"))
AUTHOR = ThingField(
    "author",
    "texts",
    (("author", "name"), ("author",), ("creator",)),
    ("author", "article:author", "parsely-author"),
    many=True,
)
PUBLISHED = ThingField(
    "datePublished",
    "day",
    (("datePublished",), ("dateCreated",), ("uploadDate",)),
    ("article:published_time", "datepublished", "date", "pubdate"),
)
RATED = (
    ThingField("ratingValue", "rating", (("aggregateRating", "ratingValue"),)),
    ThingField("ratingCount", "number", (("aggregateRating", "ratingCount"), ("aggregateRating", "reviewCount"))),
)
PRICED = (
    _offered(
        "price",
        "money",
        ("offers", "lowPrice"),
        ("offers", "priceSpecification", "price"),
        ("hasVariant", "offers", "price"),
        meta=("product:price:amount", "og:price:amount", "product:sale_price:amount"),
    ),
    _offered(
        "priceCurrency",
        "currency",
        ("offers", "priceSpecification", "priceCurrency"),
        ("hasVariant", "offers", "priceCurrency"),
        meta=("product:price:currency", "og:price:currency"),
    ),
    _offered(
        "availability",
        "availability",
        ("hasVariant", "offers", "availability"),
        meta=("product:availability", "og:availability"),
    ),
)
PLACED = (
    ThingField("address", "text", (("address", "streetAddress"), ("address",))),
    ThingField("addressLocality", "text", (("address", "addressLocality"),)),
    ThingField("postalCode", "code", (("address", "postalCode"),)),
    ThingField("telephone", "code"),
)
PLAIN = (_named(), DESCRIPTION, IMAGE)

STEPS = tuple(
    ("recipeInstructions", *("itemListElement",) * depth, part) for depth in range(3) for part in ("name", "text")
)

KINDS: Mapping[str, ThingKind] = {
    kind.name: kind
    for kind in (
        ThingKind(
            "product",
            ("Product", "ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts", "Vehicle", "Car"),
            (
                *PLAIN,
                *PRICED,
                ThingField(
                    "sku",
                    "code",
                    (("sku",), ("offers", "sku"), ("productID",), ("hasVariant", "sku")),
                    ("product:retailer_item_id",),
                ),
                ThingField(
                    "brand", "text", (("brand", "name"), ("brand",), ("manufacturer",)), ("product:brand", "og:brand")
                ),
                ThingField("mpn", "code", (("mpn",), ("model",)), ("product:mfr_part_no",)),
                ThingField(
                    "gtin",
                    "gtin",
                    tuple((name,) for name in ("gtin13", "gtin", "gtin12", "gtin14", "gtin8", "ean", "isbn")),
                    ("product:ean", "product:upc", "product:isbn"),
                ),
                *RATED,
            ),
        ),
        ThingKind(
            "recipe",
            ("Recipe",),
            (
                *PLAIN,
                AUTHOR,
                ThingField("recipeIngredient", "texts", (("recipeIngredient",), ("ingredients",)), many=True),
                ThingField("recipeInstructions", "texts", many=True, parted=STEPS),
                ThingField("recipeYield", "number", (("recipeYield",), ("yield",))),
                ThingField("totalTime", "span", summed=("prepTime", "cookTime")),
                ThingField("prepTime", "span"),
                ThingField("cookTime", "span"),
                *RATED,
                PUBLISHED,
            ),
        ),
        ThingKind(
            "article",
            (
                *(
                    "Article",
                    "NewsArticle",
                    "BlogPosting",
                    "ReportageNewsArticle",
                    "AnalysisNewsArticle",
                    "OpinionNewsArticle",
                ),
                *(
                    "BackgroundNewsArticle",
                    "ReviewNewsArticle",
                    "LiveBlogPosting",
                    "TechArticle",
                    "ScholarlyArticle",
                    "Report",
                ),
            ),
            (
                ThingField("name", "text", (("headline",), ("name",)), ("og:title", "twitter:title")),
                AUTHOR,
                PUBLISHED,
                ThingField("dateModified", "day", (), ("article:modified_time",)),
                ThingField("articleBody", "body"),
                ThingField("keywords", "texts", (), ("article:tag", "news_keywords", "keywords"), many=True),
                DESCRIPTION,
                IMAGE,
            ),
        ),
        ThingKind(
            "event",
            (
                "Event",
                "MusicEvent",
                "SportsEvent",
                "TheaterEvent",
                "BusinessEvent",
                "EducationEvent",
                "Festival",
                "ScreeningEvent",
            ),
            (
                *PLAIN,
                ThingField("startDate", "day", (("startDate",),), ("event:start_time",)),
                ThingField("endDate", "day", (("endDate",),), ("event:end_time",)),
                ThingField("location", "text", (("location", "name"), ("location",))),
                ThingField("organizer", "text", (("organizer", "name"), ("organizer",))),
                *PRICED,
            ),
        ),
        ThingKind(
            "job",
            ("JobPosting",),
            (
                ThingField("name", "text", (("title",), ("name",)), ("og:title",)),
                ThingField("hiringOrganization", "text", (("hiringOrganization", "name"), ("hiringOrganization",))),
                ThingField("jobLocation", "text", (("jobLocation", "address", "addressLocality"), ("jobLocation",))),
                ThingField("employmentType", "text"),
                ThingField(
                    "baseSalary", "text", (("baseSalary", "value", "value"), ("baseSalary", "value"), ("baseSalary",))
                ),
                ThingField("datePosted", "day"),
                ThingField("validThrough", "day"),
                DESCRIPTION,
            ),
        ),
        ThingKind(
            "book",
            ("Book", "Audiobook"),
            (
                *PLAIN,
                AUTHOR,
                ThingField("isbn", "gtin", (("isbn",), ("workExample", "isbn")), ("books:isbn", "book:isbn")),
                ThingField("publisher", "text", (("publisher", "name"), ("publisher",))),
                PUBLISHED,
                ThingField("numberOfPages", "number"),
                *PRICED,
                *RATED,
            ),
        ),
        ThingKind(
            "film",
            ("Movie", "TVSeries", "TVEpisode", "TVSeason"),
            (
                *PLAIN,
                ThingField("director", "texts", (("director", "name"), ("director",)), many=True),
                ThingField("actor", "texts", (("actor", "name"), ("actor",)), many=True),
                ThingField("genre", "texts", (("genre",),), many=True),
                ThingField("duration", "span"),
                PUBLISHED,
                *RATED,
            ),
        ),
        ThingKind(
            "place",
            (
                *("LocalBusiness", "Restaurant", "Hotel", "Store", "Place", "FoodEstablishment", "LodgingBusiness"),
                *(
                    "CafeOrCoffeeShop",
                    "BarOrPub",
                    "MedicalBusiness",
                    "Dentist",
                    "AutoDealer",
                    "TouristAttraction",
                    "Museum",
                ),
            ),
            (*PLAIN, *PLACED, ThingField("openingHours", "texts", many=True), ThingField("priceRange"), *RATED),
        ),
        ThingKind(
            "person",
            ("Person", "ProfilePage"),
            (
                *PLAIN,
                ThingField("jobTitle"),
                ThingField("birthDate", "day"),
                ThingField("worksFor", "text", (("worksFor", "name"), ("worksFor",))),
            ),
        ),
        ThingKind(
            "organisation",
            (
                "Organization",
                "Corporation",
                "EducationalOrganization",
                "CollegeOrUniversity",
                "NGO",
                "GovernmentOrganization",
            ),
            (*PLAIN, *PLACED, ThingField("foundingDate", "day"), ThingField("url", "address")),
        ),
        ThingKind(
            "course",
            ("Course", "CourseInstance"),
            (
                *PLAIN,
                ThingField("provider", "text", (("provider", "name"), ("provider",))),
                ThingField("courseCode", "code"),
                *PRICED,
            ),
        ),
        ThingKind(
            "software",
            ("SoftwareApplication", "WebApplication", "MobileApplication", "VideoGame", "SoftwareSourceCode"),
            (
                *PLAIN,
                ThingField("softwareVersion", "code"),
                ThingField("applicationCategory"),
                ThingField("operatingSystem"),
                *PRICED,
                *RATED,
            ),
        ),
        ThingKind(
            "property",
            (
                *("RealEstateListing", "Accommodation", "Apartment", "House", "SingleFamilyResidence", "Residence"),
                *("ApartmentComplex",),
            ),
            (
                *PLAIN,
                *PRICED,
                *PLACED,
                ThingField("floorSize", "text", (("floorSize", "value"), ("floorSize",))),
                ThingField("numberOfRooms", "number"),
            ),
        ),
        ThingKind(
            "thread",
            ("QAPage", "Question", "DiscussionForumPosting"),
            (
                ThingField("name", "text", (("mainEntity", "name"), ("headline",), ("name",)), ("og:title",)),
                ThingField("text", "text", (("mainEntity", "text"), ("text",), ("articleBody",))),
                ThingField("author", "texts", (("mainEntity", "author"), ("author", "name"), ("author",)), many=True),
                ThingField(
                    "datePublished", "day", (("mainEntity", "dateCreated"), ("datePublished",), ("dateCreated",))
                ),
                ThingField(
                    "answerCount", "number", (("mainEntity", "answerCount"), ("answerCount",), ("commentCount",))
                ),
            ),
        ),
    )
}
"""The kinds by name."""
KIND_OF_TYPE: Mapping[str, str] = {type: kind.name for kind in KINDS.values() for type in kind.types}
