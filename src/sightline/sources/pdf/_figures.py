"""Figures: areas with many curved or slanted lines close together."""

import numpy as np

from sightline.arrays import AnyFloats

__all__ = ["figures"]


NEAR = 8.0  # CSS pixels: drawings so close belong to one figure
SMALLEST = 30.0  # CSS pixels, either way
FEWEST = 3  # drawings: a frame with round corners is one
MOST = 800  # drawings, the largest, that are looked at


def figures(drawings: AnyFloats) -> AnyFloats:
    """The boxes around groups of drawings that touch each other.

    >>> import numpy as np
    >>> figures(np.array([[0, 0, 40, 40], [30, 30, 60, 80], [45, 45, 50, 50], [300, 0, 310, 10]], dtype=np.float32))
    array([[ 0.,  0., 60., 80.]], dtype=float32)
    """
    if len(drawings) < FEWEST:
        return np.zeros((0, 4), dtype=np.float32)
    area = (drawings[:, 2] - drawings[:, 0]) * (drawings[:, 3] - drawings[:, 1])
    boxes = drawings[np.argsort(-area, kind="stable")[:MOST]].astype(np.float32)
    count = np.ones(len(boxes), dtype=np.int64)
    while True:  # each round joins what touches; the boxes grow, so that more may touch
        touch = (boxes[:, None, :2] <= boxes[None, :, 2:] + NEAR).all(axis=2)
        touch &= touch.T
        leader = touch.argmax(axis=1)
        heads = np.unique(leader)
        if len(heads) == len(boxes):
            break
        place = np.searchsorted(heads, leader)
        low = np.full((len(heads), 2), np.inf, dtype=np.float32)
        high = np.full((len(heads), 2), -np.inf, dtype=np.float32)
        np.minimum.at(low, place, boxes[:, :2])
        np.maximum.at(high, place, boxes[:, 2:])
        boxes = np.concatenate([low, high], axis=1)
        count = np.bincount(place, weights=count).astype(np.int64)
    large = (boxes[:, 2:] - boxes[:, :2] >= SMALLEST).all(axis=1) & (count >= FEWEST)
    return boxes[large]
