#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a picture of inputs/README.md from the result of an input whose contacts change particles.

Left: the particles of the last frame, or those of a layer of a cubic box, with true radii, coloured by species. Right:
how many particles there are at each time, of each species whose number changes. With tethers: the largest cluster in
colour, the others grey; and its size at each time.

usage: reactions.py RESULT.h5md PICTURE.png [SHARE]        (needs h5py and matplotlib)

SHARE: how much of the box is drawn, 1 where it is not given; of its height, and in two dimensions of each edge.
"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection

ABSENT = 2**32 - 1


def column(frames, name, frame):
    """Radii and masses have a value per frame only where rules change them."""
    stored = frames[name]
    return stored["value"][frame] if isinstance(stored, h5py.Group) else stored[:]


def largest_cluster(file, ids):
    """Whether each particle is of the largest component of the tethers that the log leaves at its end."""
    log = file["ricochet/collisions"]
    words, rows = list(log.attrs["outcomes"]), log[:]
    tethers = set()
    for row in rows[np.isin(rows["outcome"], [words.index("stick"), words.index("part")])]:
        tethers ^= {(int(row["a"]), int(row["b"]))}
    root = {int(k): int(k) for k in ids}

    def find(k):
        while root[k] != k:
            root[k] = root[root[k]]
            k = root[k]
        return k

    for a, b in tethers:
        root[find(a)] = find(b)
    roots = np.array([find(int(k)) for k in ids])
    names, counts = np.unique(roots, return_counts=True)
    return roots == names[np.argmax(counts)]


def draw_particles(axes, file, share):
    last = int(file["ricochet/complete"][0]["frames"]) - 1
    frames = file["particles/trajectory"]
    position, radius = frames["position/value"][last], column(frames, "radius", last)
    species = frames["species/value"][last] if "value" in frames["species"] else frames["species"][:]
    colours = np.array([f"C{s}" for s in species], dtype=object)
    if "largest_cluster" in file["ricochet/observables"]:
        colours[~largest_cluster(file, frames["id/value"][last])] = "0.85"
    there = species != ABSENT
    position, radius, colours = position[there], radius[there], colours[there]
    edges = frames["box/edges/value"][last]
    box = np.diag(edges) if edges.ndim == 2 else edges
    if np.ptp(position[:, 2]) > 0:
        there = position[:, 2] < share * box[2]
        order = np.argsort(position[there, 2])
        position, radius, colours = (a[there][order] for a in (position, radius, colours))
    else:
        box = share * box
    axes.add_collection(EllipseCollection(2 * radius, 2 * radius, 0, units="xy", offsets=position[:, :2],
                                          transOffset=axes.transData, facecolors=colours,
                                          edgecolors="black", linewidths=0.15))
    axes.set(xlim=(0, box[0]), ylim=(0, box[1]), aspect="equal", xticks=[], yticks=[])


def draw_numbers(axes, file):
    series = file["ricochet/observables/particles"]
    numbers = series["value"][:]
    for k, label in enumerate(series["value"].attrs.get("labels", series.attrs.get("labels"))):
        if np.ptp(numbers[:, k]) > 0 or numbers.shape[1] == 1:
            axes.plot(series["time"][:], numbers[:, k], color=f"C{k}", label=label)
    if "largest_cluster" in file["ricochet/observables"]:
        series = file["ricochet/observables/largest_cluster"]
        axes.plot(series["time"][:], series["value"][:], color="black", label="largest cluster")
    axes.ticklabel_format(axis="x", scilimits=(-2, 3))
    axes.set(xlabel="time", ylabel="particles", ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def main(result, picture, share="1"):
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.0), width_ratios=(1, 1.2), layout="constrained")
    with h5py.File(result, "r") as file:
        draw_particles(left, file, float(share))
        draw_numbers(right, file)
    figure.savefig(picture, dpi=76, pil_kwargs={"optimize": True})


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
