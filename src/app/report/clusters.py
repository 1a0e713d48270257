# SPDX-License-Identifier: BSD-3-Clause
"""Where tethers hold particles: the sizes of their clusters, in time and at the last sample."""
import numpy as np
from matplotlib.ticker import MaxNLocator

from page import Number, Section, png_of
from series import meaning_of, new_plot, time_label


def growth(result):
    """The largest cluster and the mean size."""
    time, largest = result.thinned("largest_cluster")
    _, mean = result.thinned("mean_cluster_size")
    _, count = result.thinned("clusters")
    figure, axes = new_plot(time_label(result), "particles in a cluster")
    axes.plot(time, largest, lw=1.2, label="largest")
    axes.plot(time, mean, lw=1.2, label="mean over particles")
    axes.legend(fontsize="small")
    axes.set_ylim(bottom=0)
    return Section(
        "Growth of clusters",
        [meaning_of(result, name) for name in ("clusters", "mean_cluster_size")],
        png_of(figure),
        numbers=[
            Number("clusters at the last sample", int(count[-1])),
            Number("particles in the largest", int(largest[-1])),
            Number("mean size over particles", float(mean[-1])),
        ],
        tables={
            "clusters.csv": {
                "time": time,
                "clusters": count,
                "largest_cluster": largest,
                "mean_cluster_size": mean,
            }
        },
    )


def sizes(result):
    """The numbers by size at the last sample, up to the largest that there were."""
    time, values = result.thinned("clusters_by_size")
    labels = result.labels("clusters_by_size")
    num_shown = int(np.flatnonzero(values.any(axis=0)).max(initial=0)) + 1
    figure, axes = new_plot("particles in a cluster", "clusters")
    axes.bar(labels[:num_shown], values[-1, :num_shown])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.tick_params(axis="x", labelrotation=45 if num_shown > 8 else 0)
    return Section(
        "Sizes of clusters",
        ["Numbers of clusters by size, at the last sample."],
        png_of(figure),
        tables={"clusters_by_size.csv": {"time": time, **dict(zip(labels, values.T))}},
    )


def sections(result):
    if not result.has_observable("clusters") or result.num_samples < 2:
        return
    yield growth(result)
    yield sizes(result)
