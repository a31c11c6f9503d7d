"""Is a visited page one of those looked for? By its likeness to example pages, or by what a wrapper reads from it."""

from typing import TYPE_CHECKING

from sightline._lazy import lazily

if TYPE_CHECKING:
    from sightline.crawl.likeness._by_host import LikenessByHost
    from sightline.crawl.likeness._judgement import AnyLikeness, Judgement, Likeness
    from sightline.crawl.likeness._profile import ProfileLikeness
    from sightline.crawl.likeness._skeleton import SkeletonLikeness
    from sightline.crawl.likeness._wrapper import WrapperLikeness

__all__ = [
    "AnyLikeness",
    "Judgement",
    "Likeness",
    "LikenessByHost",
    "ProfileLikeness",
    "SkeletonLikeness",
    "WrapperLikeness",
]

__getattr__ = lazily(
    __name__,
    {
        "_by_host": "LikenessByHost",
        "_judgement": "AnyLikeness Judgement Likeness",
        "_profile": "ProfileLikeness",
        "_skeleton": "SkeletonLikeness",
        "_wrapper": "WrapperLikeness",
    },
)
