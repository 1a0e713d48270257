#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the picture of inputs/README.md from the result of inputs/ecoli_cytoplasm.yaml.

Left: a cut through the middle of the segment at the last frame; every protein that the cut meets, with the circle
of the cut, coloured by how far it has moved since step 0. Right: the mean squared displacement over 6 t, as a
share of the free diffusion coefficient: crowding slows proteins down as they meet their neighbours.

usage: ecoli_cytoplasm.py RESULT.h5md PICTURE.png        (needs h5py and matplotlib)
"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection


def read(path):
    with h5py.File(path, "r") as file:
        last = int(file["ricochet/complete"][0]["frames"]) - 1
        frames = file["particles/trajectory"]
        box = np.diag(frames["box/edges/value"][0])
        unwrapped = [frames["position/value"][k] + frames["image/value"][k] * box for k in (0, last)]
        moved = np.linalg.norm(unwrapped[1] - unwrapped[0], axis=1)
        series = file["ricochet/observables/mean_square_displacement"]
        return (box, frames["position/value"][last], frames["radius"][:], moved,
                series["time"][1:], series["value"][1:, 0])


def draw_cut(axes, box, position, radius, moved):
    height = position[:, 2] - box[2] / 2
    met = np.abs(height) < radius
    across = 2 * np.sqrt(radius[met] ** 2 - height[met] ** 2)
    circles = EllipseCollection(across, across, 0, units="xy", offsets=position[met, :2],
                                transOffset=axes.transData, cmap="viridis", array=moved[met],
                                edgecolors="black", linewidths=0.2)
    circles.set_clim(0, np.quantile(moved, 0.95))
    axes.add_collection(circles)
    axes.set(xlim=(0, box[0]), ylim=(0, box[1]), aspect="equal", xlabel="x (nm)", ylabel="y (nm)")
    axes.set_title(f"{met.sum():,} of {len(radius):,} proteins, in a cut at half height", fontsize=9)
    return circles


def mean_free_diffusion(radius):
    return np.mean(4.2821 / (6 * np.pi * 0.7 * radius))  # nm^2/ns: kT / (6 pi viscosity R)


def main(result, picture):
    box, position, radius, moved, time, msd = read(result)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.2, 3.1), width_ratios=(2.35, 1), layout="constrained")
    circles = draw_cut(left, box, position, radius, moved)
    figure.colorbar(circles, ax=left, shrink=0.85, label="moved in 200 ns (nm)")
    right.plot(time, msd / (6 * time) / mean_free_diffusion(radius), color="tab:blue")
    right.set(xscale="log", ylim=(0, 1.05), xlabel="t (ns)", ylabel="mean of |x - x$_0$|$^2$ / (6 $D_0$ t)")
    right.grid(alpha=0.3)
    right.set_title("crowding slows diffusion", fontsize=9)
    figure.savefig(picture, dpi=76, pil_kwargs={"optimize": True})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
