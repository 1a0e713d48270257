#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the picture of bodies and moving walls of inputs/README.md.

Left: a layer through the middle of the leaky cell, with the surfaces of its spheres. Middle: how much of the drug is in
the vesicle, and in all. Right: the last frame of the shaken grains, whose walls swing on the left and on the right.

usage: bodies.py LEAKY_CELL.h5md SHAKEN_GRAINS.h5md PICTURE.png        (needs h5py and matplotlib)
"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.patches import Arc, Circle

ABSENT = 2**32 - 1


def spheres_of(file):
    """[(centre, radius)] of the bodies that are spheres."""
    table = file["ricochet/bodies/table"][:]
    return [(row["numbers"][:3], row["numbers"][3]) for row in table]


def draw_particles(axes, position, radius, colours):
    order = np.argsort(position[:, 2], kind="stable")
    axes.add_collection(EllipseCollection(2 * radius[order], 2 * radius[order], 0, units="xy",
                                          offsets=position[order, :2], transOffset=axes.transData,
                                          facecolors=colours[order], edgecolors="black", linewidths=0.15))
    axes.set(aspect="equal", xticks=[], yticks=[])


def draw_cell(axes, file):
    frames = file["particles/trajectory"]
    species, position = frames["species/value"][-1], frames["position/value"][-1]
    radius = frames["radius/value"][-1] if isinstance(frames["radius"], h5py.Group) else frames["radius"][:]
    spheres = spheres_of(file)
    there = (species != ABSENT) & (abs(position[:, 2] - spheres[0][0][2]) < 12)
    draw_particles(axes, position[there], np.where(species == 0, 2, 1)[there] * radius[there],
                   np.array(["C3", "0.8"])[species[there]])
    for centre, of in spheres:
        axes.add_patch(Circle(centre[:2], of, fill=False, color="black", linewidth=1))
    pore = file["ricochet/bodies/patches"][0]["numbers"]
    (centre, of), width = spheres[0], pore[3]
    half = np.degrees(2 * np.arcsin(0.5 * width / of))
    axes.add_patch(Arc(centre[:2], 2 * of, 2 * of, theta1=-half, theta2=half, color="C2", linewidth=4))
    axes.set(xlim=(0, 2 * centre[0]), ylim=(0, 2 * centre[1]))
    axes.set_title("drug (twice as wide), crowders,\nvesicle and pore", fontsize=8)


def draw_numbers(axes, file):
    frames = file["particles/trajectory"]
    time = frames["position/time"][:]
    species, position = frames["species/value"][:], frames["position/value"][:]
    centre, radius = spheres_of(file)[1]
    is_drug = species == 0
    in_vesicle = is_drug & (np.linalg.norm(position - centre, axis=2) < radius)
    axes.plot(time / 1000, is_drug.sum(axis=1), color="C3", label="drug")
    axes.plot(time / 1000, in_vesicle.sum(axis=1), color="C0", label="of it in the vesicle")
    axes.set(xlabel="time / µs", ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def draw_grains(axes, file):
    frames = file["particles/trajectory"]
    position, velocity = frames["position/value"][-1], frames["velocity/value"][-1]
    speed = np.log(np.maximum(np.linalg.norm(velocity, axis=1), 1e-2))
    colours = plt.get_cmap("viridis")((speed - speed.min()) / np.ptp(speed))
    draw_particles(axes, position, np.full(len(position), 0.5), colours)
    width, height = file["ricochet"].attrs["size"][:2]
    for wall in (0, width):
        axes.axvline(wall, color="black", linewidth=3)
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_title("grains between shaken walls:\nslow (dark) and dense in the middle", fontsize=8)


def main(cell, grains, picture):
    figure, axes = plt.subplots(1, 3, figsize=(8.4, 2.9), layout="constrained")
    with h5py.File(cell, "r") as file:
        draw_cell(axes[0], file)
        draw_numbers(axes[1], file)
    with h5py.File(grains, "r") as file:
        draw_grains(axes[2], file)
    figure.savefig(picture, dpi=76, pil_kwargs={"optimize": True})


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
