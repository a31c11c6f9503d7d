"""What schema.org calls the types and properties of microformats."""

from collections.abc import Mapping

MICROFORMAT_TYPES: Mapping[str, str] = {
    "h-adr": "PostalAddress",
    "h-card": "Person",
    "h-cite": "CreativeWork",
    "h-entry": "Article",
    "h-event": "Event",
    "h-feed": "Blog",
    "h-geo": "GeoCoordinates",
    "h-item": "Thing",
    "h-listing": "Offer",
    "h-product": "Product",
    "h-recipe": "Recipe",
    "h-resume": "ProfilePage",
    "h-review": "Review",
    "h-review-aggregate": "AggregateRating",
}
COMMON = {"photo": "image", "u-photo": "image", "uid": "identifier", "category": "keywords", "summary": "description"}
MICROFORMAT_NAMES: Mapping[str, Mapping[str, str]] = {
    "h-adr": {
        "street-address": "streetAddress",
        "locality": "addressLocality",
        "region": "addressRegion",
        "postal-code": "postalCode",
        "country-name": "addressCountry",
    },
    "h-card": {
        **COMMON,
        "adr": "address",
        "tel": "telephone",
        "org": "worksFor",
        "job-title": "jobTitle",
        "given-name": "givenName",
        "family-name": "familyName",
        "note": "description",
        "bday": "birthDate",
    },
    "h-cite": {**COMMON, "published": "datePublished"},
    "h-entry": {
        **COMMON,
        "name": "headline",
        "content": "articleBody",
        "published": "datePublished",
        "updated": "dateModified",
    },
    "h-event": {**COMMON, "start": "startDate", "end": "endDate"},
    "h-feed": COMMON,
    "h-listing": {**COMMON, "item": "itemOffered"},
    "h-product": {**COMMON, "identifier": "sku", "rating": "aggregateRating"},
    "h-recipe": {
        **COMMON,
        "ingredient": "recipeIngredient",
        "instructions": "recipeInstructions",
        "yield": "recipeYield",
        "duration": "totalTime",
        "published": "datePublished",
    },
    "h-resume": {**COMMON, "contact": "mainEntity"},
    "h-review": {
        **COMMON,
        "item": "itemReviewed",
        "rating": "reviewRating",
        "content": "reviewBody",
        "reviewer": "author",
        "published": "datePublished",
    },
    "h-review-aggregate": {
        "item": "itemReviewed",
        "rating": "ratingValue",
        "average": "ratingValue",
        "count": "ratingCount",
        "votes": "ratingCount",
        "best": "bestRating",
        "worst": "worstRating",
    },
}
