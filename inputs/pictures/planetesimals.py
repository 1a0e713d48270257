#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the picture of mutual gravity of inputs/README.md: four frames of the planetesimals, seen along z, and how many
bodies there are.

usage: planetesimals.py PLANETESIMALS.h5md PICTURE.png        (needs h5py, matplotlib, pillow)
"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection
from PIL import Image

ABSENT = 2**32 - 1
FRAMES = [0, 8, 14, 16]


def draw_frame(axes, file, frame):
    frames = file["particles/trajectory"]
    edges = frames["box/edges/value"][frame].diagonal()
    there = frames["species/value"][frame] != ABSENT
    position, radius = frames["position/value"][frame][there], frames["radius/value"][frame][there]
    order = np.argsort(position[:, 2], kind="stable")
    shade = plt.get_cmap("copper")(0.3 + 0.7 * position[order, 2] / edges[2])
    axes.add_collection(EllipseCollection(2 * radius[order], 2 * radius[order], 0, units="xy",
                                          offsets=position[order, :2], transOffset=axes.transData,
                                          facecolors=shade, edgecolors="black", linewidths=0.1))
    axes.set(aspect="equal", xticks=[], yticks=[], xlim=(0, edges[0]), ylim=(0, edges[1]))
    axes.set_title(f"{frames['position/time'][frame]:.2f} h, {there.sum():,} bodies", fontsize=8)


def main(result, picture):
    figure, axes = plt.subplots(1, len(FRAMES), figsize=(9.6, 2.75), dpi=80)
    with h5py.File(result, "r") as file:
        for place, frame in zip(axes, FRAMES):
            draw_frame(place, file, frame)
    figure.tight_layout(pad=0.6)
    figure.savefig(picture)
    Image.open(picture).convert("RGB").quantize(48).save(picture, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
