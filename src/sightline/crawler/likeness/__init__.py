"""Is a visited page one of those looked for? By its likeness to example pages, or by what a wrapper reads from it."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.crawler.likeness._judgement import (
        AnyLikeness,
        Judgement,
        Likeness,
        LikenessByHost,
        SkeletonLikeness,
        WrapperLikeness,
    )
    from sightline.crawler.likeness._profile import ProfileLikeness

__all__ = [
    "AnyLikeness",
    "Judgement",
    "Likeness",
    "LikenessByHost",
    "ProfileLikeness",
    "SkeletonLikeness",
    "WrapperLikeness",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_judgement": "AnyLikeness Judgement Likeness LikenessByHost SkeletonLikeness WrapperLikeness",
        "_profile": "ProfileLikeness",
    },
)
