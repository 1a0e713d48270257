# SPDX-License-Identifier: BSD-3-Clause
"""A frame as a picture, in true sizes, coloured by species; and frames as an animation.

Spheres are drawn from far to near as shaded circles (parallel projection, the painter's algorithm:
right for spheres that do not overlap). One collection of ellipses holds them all, three to a sphere:
body, lit side, highlight. Where some particles have flat faces, solids.py draws all. Where there are
more particles than a picture can show, a corner of the box is cut out.
"""
import shutil
import tempfile

import matplotlib
import numpy as np
from matplotlib import pyplot
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
from matplotlib.patches import Patch

from page import Section, png_of
from shapes import outline_of
from solids import Canvas, paint
from text import as_label

MOST_IN_PICTURE = 20000
MOST_IN_ANIMATION = 3000
MOST_ANIMATED_FRAMES = 100
PIXELS_PER_INCH = 210  # of the figure, for shapes: about twice those of the file, which smooths edges
FRAMES_PER_SECOND = 10
WITHOUT_FRAMES = (
    "The file has no complete frame: no picture is drawn, nor anything that needs positions, velocities, radii or "
    "masses of particles. What follows is from the observables and the log. The key output.trajectory_every "
    "makes frames."
)
VIEW = np.array([0.55, -0.75, 0.42])  # from the middle of the box towards the eye


def colours_of(result):
    """One colour per species, as rows of RGB."""
    name = "tab10" if len(result.species) <= 10 else "tab20"
    return np.array([matplotlib.colormaps[name](k % 20)[:3] for k in range(len(result.species))])


def cut_of(result, frame, most):
    """The edge lengths of the corner that holds about `most` particles of a frame."""
    share = min(1.0, most / max(result.count_in(frame), 1))
    return result.size * share ** (1 / result.dimension)


def particles_in(result, frame, cut):
    """(position, radius, species) of the particles whose centres lie in the corner."""
    parts = []
    for position, radius, species in result.blocks(frame, "position", "radius", "species"):
        inside = (position <= cut).all(axis=1)
        parts.append((position[inside], radius[inside], species[inside]))
    return tuple(np.concatenate(part) for part in zip(*parts))


def screen_axes():
    """Right, up and towards the eye, as rows."""
    eye = VIEW / np.linalg.norm(VIEW)
    right = np.cross([0, 0, 1], eye)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(eye, right), eye])


def ellipses(axes, middle, diameter, colours, **options):
    return EllipseCollection(
        diameter,
        diameter,
        0 * diameter,
        units="xy",
        offsets=middle,
        transOffset=axes.transData,
        facecolors=colours,
        **options,
    )


def draw_spheres(axes, position, radius, colours):
    """Three circles per sphere, from far to near; further ones are paler."""
    if len(radius) == 0:
        return
    screen = position @ screen_axes().T
    order = np.argsort(screen[:, 2], kind="stable")
    screen, radius, colours = screen[order], radius[order], colours[order]
    span = np.ptp(screen[:, 2]) or 1.0
    haze = 0.45 * ((screen[:, 2].max() - screen[:, 2]) / span)[:, None]
    middle, diameter, shade = [], [], []
    for size, shift, light in ((1.0, 0.0, -0.25), (0.82, 0.07, 0.0), (0.35, 0.3, 0.45)):
        middle.append(screen[:, :2] + shift * radius[:, None] * np.array([-0.7, 0.7]))
        diameter.append(2 * size * radius)
        lit = colours + light * (1 - colours) if light > 0 else colours * (1 + light)
        shade.append(lit + haze * (1 - lit))
    interleaved = [
        np.stack(part, axis=1).reshape(-1, *part[0].shape[1:]) for part in (middle, diameter, shade)
    ]
    axes.add_collection(ellipses(axes, *interleaved, linewidths=0))


def draw_flat(axes, result, position, radius, species):
    """Discs and polygons."""
    colours = colours_of(result)[species]
    is_disc = np.array([own is None for own in result.corners])[species]
    edges = {"linewidths": 0.2, "edgecolors": "k"}
    axes.add_collection(ellipses(axes, position[is_disc], 2 * radius[is_disc], colours[is_disc], **edges))
    polygons, of_polygons = [], []
    for k in np.unique(species[~is_disc]):
        own = species == k
        polygons += list(position[own][:, None, :] + outline_of(result.corners[k]))
        of_polygons.append(colours[own])
    if polygons:
        axes.add_collection(PolyCollection(polygons, facecolors=np.concatenate(of_polygons), **edges))


def draw_solids(axes, result, particles, limits):
    """Spheres and bodies with flat faces, between limits on the screen."""
    position, radius, species = particles
    if len(radius) == 0:
        return
    view = screen_axes()
    kinds = radius, species, colours_of(result)[species]
    canvas = Canvas(*limits, PIXELS_PER_INCH * max(axes.figure.get_size_inches()))
    paint(axes, canvas, position @ view.T, kinds, result.corners, view)


def corners_of_box(size):
    return np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * size


def draw_box(axes, size):
    """The edges of the box in the projection; returns the corners."""
    corners = corners_of_box(size)
    edges = [(a, b) for k, a in enumerate(corners) for b in corners[k + 1 :] if np.sum(a != b) == 1]
    flat = screen_axes()[:2].T
    axes.add_collection(
        LineCollection([np.array(edge) @ flat for edge in edges], colors="0.6", lw=0.7, zorder=0)
    )
    return corners @ flat


def draw_frame(axes, result, frame, cut):
    """Draws a frame into empty axes; returns how many particles are in it."""
    position, radius, species = particles_in(result, frame, cut)
    margin = 1.1 * (radius.max() if len(radius) else 0)
    if result.dimension == 2:
        draw_flat(axes, result, position, radius, species)
        corners = np.array([[0, 0], cut])
        axes.add_patch(pyplot.Rectangle((0, 0), *cut, fill=False, color="0.6", lw=0.7, zorder=0))
    else:
        corners = draw_box(axes, cut)
    low, high = corners.min(axis=0) - margin, corners.max(axis=0) + margin
    if result.dimension == 3 and result.has_shapes:
        draw_solids(axes, result, (position, radius, species), (low, high))
    elif result.dimension == 3:
        draw_spheres(axes, position, radius, colours_of(result)[species])
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.axis("off")
    return len(radius)


def add_legend(axes, result):
    if len(result.species) > 1:
        patches = [
            Patch(color=colour, label=as_label(name))
            for colour, name in zip(colours_of(result), result.species)
        ]
        axes.legend(
            handles=patches, loc="upper left", bbox_to_anchor=(1, 1), fontsize=8, frameon=False
        )


def picture_of(result, frame):
    """(PNG bytes, number of particles drawn)."""
    figure, axes = pyplot.subplots(figsize=(7, 5.6), layout="constrained")
    number = draw_frame(axes, result, frame, cut_of(result, frame, MOST_IN_PICTURE))
    add_legend(axes, result)
    return png_of(figure), number


def cut_text(result, frame, number):
    total = result.count_in(frame)
    if number == total:
        return f"All {number:,} particles"
    return f"{number:,} of {total:,} particles, in a corner cut out of the box"


def last_frame(result):
    """The section with the picture; without a frame it says so."""
    if result.num_frames == 0:
        return Section("No frames", [WITHOUT_FRAMES])
    frame = result.num_frames - 1
    image, number = picture_of(result, frame)
    text = [
        f"{cut_text(result, frame, number)}, at step {result.frame_step(frame)}, "
        f"time {f'{result.frame_time(frame):.6g} {result.unit_of(time=1)}'.rstrip()}; true "
        f"{'sizes' if result.has_shapes else 'radii'}, coloured by species."
    ]
    return Section("Last frame", text, image)


def find_missing_tool(kind):
    """What an animation of this kind lacks here, as a sentence; None when nothing."""
    if kind == "mp4" and shutil.which("ffmpeg") is None:
        return (
            "--animation mp4 needs the program ffmpeg (Debian: apt-get install ffmpeg); "
            "gif needs nothing more"
        )
    return None


def animated_frames(result):
    number = min(result.num_frames, MOST_ANIMATED_FRAMES)
    return sorted({int(k) for k in np.linspace(0, result.num_frames - 1, number)})


def animation(result, kind):
    """The section with the animation, as GIF or MP4."""
    from matplotlib import animation as writers

    frames, cut = animated_frames(result), cut_of(result, 0, MOST_IN_ANIMATION)
    figure, axes = pyplot.subplots(figsize=(5, 4.4))
    figure.subplots_adjust(0.01, 0.01, 0.99, 0.92)
    writer = (writers.PillowWriter if kind == "gif" else writers.FFMpegWriter)(
        fps=FRAMES_PER_SECOND
    )
    with tempfile.NamedTemporaryFile(suffix="." + kind) as file:
        with writer.saving(figure, file.name, dpi=90):
            for frame in frames:
                axes.clear()
                number = draw_frame(axes, result, frame, cut)
                time = f"t = {result.frame_time(frame):.6g} {as_label(result.unit_of(time=1))}"
                axes.set_title(time, fontsize=9)
                writer.grab_frame()
        data = file.read()
    pyplot.close(figure)
    text = [f"{len(frames)} of {result.num_frames} frames. {cut_text(result, frames[-1], number)}."]
    return Section("Animation", text, data, "image/gif" if kind == "gif" else "video/mp4")
