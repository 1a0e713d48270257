# SPDX-License-Identifier: BSD-3-Clause
"""Spheres and bodies with flat faces as a shaded picture of pixels, in parallel projection.

No order of whole bodies is right where they have flat faces: of two, or three, each may hide a part
of the next. So every pixel keeps what is nearest to the eye. A body is a stamp, made once for all
that look alike: the depth and the light of each of its pixels, relative to the centre. O(pixels of
all stamps).
"""
from dataclasses import dataclass

import numpy as np

from shapes import faces_of

LIGHT = np.array([-0.45, 0.65, 0.62]) / np.linalg.norm([-0.45, 0.65, 0.62])  # right, up, towards the eye
MOST_HAZE = 0.45  # of the farthest, towards white
EDGE_WIDTH = 1.2  # pixels of a face along an edge, which are darker
EDGE_LIGHT = -0.3
SPHERES_PER_PIXEL = 4  # radii of stamps of spheres, apart by this part of a pixel


def light_on(facing):
    """From the cosine of the angle to the light: from -1 (black) to 0, then 1 (white)."""
    return -0.74 + 0.42 * (1 + facing)


@dataclass
class Stamp:
    """The pixels of a body; low: (row, column) of the first, from that of the centre."""

    low: tuple
    depth: np.ndarray  # towards the eye, from the centre; -inf where the body is not
    light: np.ndarray  # as light_on


def pixel_grid(low, high, scale):
    """((row, column) of the first, x, y) of the pixels about the centre that cover [low, high]."""
    first, last = np.floor(np.array(low) * scale).astype(int), np.ceil(np.array(high) * scale).astype(int)
    x, y = (np.arange(a, b + 1) / scale for a, b in zip(first, last))
    return (int(first[1]), int(first[0])), x[None, :], y[:, None]


def stamp_of_sphere(radius, scale):
    low, x, y = pixel_grid((-radius, -radius), (radius, radius), scale)
    square = 1 - (x**2 + y**2) / radius**2
    height = np.sqrt(np.maximum(square, 0))
    facing = LIGHT[0] * x / radius + LIGHT[1] * y / radius + LIGHT[2] * height
    half = (LIGHT + [0, 0, 1]) / np.linalg.norm(LIGHT + [0, 0, 1])
    mirrored = np.maximum(half[0] * x / radius + half[1] * y / radius + half[2] * height, 0)
    depth = np.where(square > 0, radius * height, -np.inf)
    return Stamp(low, depth.astype(np.float32), (light_on(facing) + 0.4 * mirrored**30).astype(np.float32))


def stamp_of_shape(corners, axes, scale):
    """axes: right, up and towards the eye, as rows."""
    corners = corners @ axes.T
    low, x, y = pixel_grid(corners[:, :2].min(axis=0), corners[:, :2].max(axis=0), scale)
    shape = y.shape[0], x.shape[1]
    depth, light = np.full(shape, -np.inf, np.float32), np.zeros(shape, np.float32)
    for normal, points in faces_of(corners):
        if normal[2] <= 1e-9:
            continue
        inwards = np.full(shape, np.inf)  # distance from the edges
        for a, b in zip(points, np.roll(points, -1, axis=0)):
            along = (b - a)[:2] / np.linalg.norm((b - a)[:2])
            inwards = np.minimum(inwards, along[0] * (y - a[1]) - along[1] * (x - a[0]))
        inside = inwards >= -0.01 / scale
        height = (normal @ points[0] - normal[0] * x - normal[1] * y) / normal[2]
        is_nearest = inside & (height > depth)
        depth[is_nearest] = height[is_nearest]
        edge = np.where(inwards * scale < EDGE_WIDTH, EDGE_LIGHT, 0)
        light[is_nearest] = (light_on(normal @ LIGHT) + edge)[is_nearest]
    return Stamp(low, depth, light)


class Canvas:
    """Pixels that keep the nearest body. low, high: corners of the picture on the screen."""

    def __init__(self, low, high, most_pixels):
        self.low, self.high = np.array(low), np.array(high)
        self.scale = most_pixels / (self.high - self.low).max()
        width, height = np.ceil((self.high - self.low) * self.scale).astype(int)
        self.high = self.low + np.array([width, height]) / self.scale
        self.depth = np.full((height, width), -np.inf, np.float32)
        self.light = np.zeros((height, width), np.float32)
        self.owner = np.full((height, width), -1, np.int32)

    def put(self, stamps, which, screen):
        """Puts a stamp at each place: right, up and towards the eye; `which` of the stamps it is."""
        pixel = np.rint((screen[:, :2] - self.low) * self.scale - 0.5).astype(int)
        for number, ((column, row), k, depth) in enumerate(zip(pixel.tolist(), which, screen[:, 2].tolist())):
            stamp = stamps[k]
            top, left = row + stamp.low[0], column + stamp.low[1]
            if top < 0 or left < 0:
                continue
            area = (slice(top, top + stamp.depth.shape[0]), slice(left, left + stamp.depth.shape[1]))
            nearest = self.depth[area]
            if nearest.shape != stamp.depth.shape:
                continue
            own = stamp.depth + np.float32(depth)
            is_nearer = own > nearest
            np.copyto(nearest, own, where=is_nearer)
            np.copyto(self.light[area], stamp.light, where=is_nearer)
            np.copyto(self.owner[area], number, where=is_nearer)

    def image(self, colours, haze):
        """[row][column] RGBA, the lowest row first; transparent where nothing is. haze: of each body."""
        seen = self.owner >= 0
        owner, light = self.owner[seen], self.light[seen][:, None]
        lit = np.where(light > 0, colours[owner] + light * (1 - colours[owner]), colours[owner] * (1 + light))
        picture = np.ones((*seen.shape, 4), np.float32)
        picture[..., 3] = seen
        picture[seen, :3] = np.clip(lit + haze[owner][:, None] * (1 - lit), 0, 1)
        return picture


def haze_of(depth):
    """Of bodies by their places towards the eye: the farther, the paler."""
    return MOST_HAZE * (depth.max() - depth) / (np.ptp(depth) or 1.0)


def stamps_for(radius, species, corners, axes, scale):
    """(stamps, which one each particle has). corners: of each species, or None where it has spheres."""
    stamps, which = [], np.zeros(len(radius), int)
    is_sphere = np.isin(species, [k for k, own in enumerate(corners) if own is None])
    for k in np.unique(species[~is_sphere]):
        which[species == k] = len(stamps)
        stamps.append(stamp_of_shape(corners[k], axes, scale))
    sizes, kind = np.unique(np.rint(SPHERES_PER_PIXEL * radius[is_sphere] * scale), return_inverse=True)
    which[is_sphere] = len(stamps) + kind
    stamps += [stamp_of_sphere(max(size, 1) / SPHERES_PER_PIXEL / scale, scale) for size in sizes]
    return stamps, which


def paint(axes, canvas, screen, particles, corners, view):
    """Draws particles, (radius, species, colour) of each, into axes whose coordinates are those of the screen.

    view: right, up and towards the eye, as rows.
    """
    radius, species, colours = particles
    stamps, which = stamps_for(radius, species, corners, view, canvas.scale)
    canvas.put(stamps, which.tolist(), screen)
    extent = canvas.low[0], canvas.high[0], canvas.low[1], canvas.high[1]
    axes.imshow(canvas.image(colours, haze_of(screen[:, 2])), origin="lower", extent=extent, zorder=1)
