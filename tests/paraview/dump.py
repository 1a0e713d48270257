# SPDX-License-Identifier: BSD-3-Clause
"""Run by pvpython: opens a file and prints, as JSON, what ParaView sees of it at some times.

usage: pvpython dump.py FILE PICTURE      PICTURE: where to render a frame, or - for none
"""
import json
import sys

from paraview import simple


def open_file(path):
    if path.endswith(".xdmf"):
        return simple.Xdmf3ReaderS(FileName=[path])
    return simple.OpenDataFile(path)


def seen_at(source, time):
    """Number of points, bounds, and range and number of components of each array."""
    source.UpdatePipeline(time)
    info = source.GetDataInformation()
    arrays = {}
    for k in range(source.PointData.GetNumberOfArrays()):
        array = source.PointData.GetArray(k)
        components = array.GetNumberOfComponents()
        arrays[array.Name] = [list(array.GetRange(c)) for c in range(components)]
    return {
        "time": time,
        "points": info.GetNumberOfPoints(),
        "bounds": list(info.GetBounds()),
        "arrays": arrays,
    }


def render(source, path):
    """The particles as spheres of their true radii."""
    glyph = simple.Glyph(Input=source, GlyphType="Sphere")
    glyph.ScaleArray = ["POINTS", "radius"]
    glyph.ScaleFactor = 2
    glyph.OrientationArray = ["POINTS", "No orientation array"]
    glyph.GlyphMode = "All Points"
    view = simple.GetActiveViewOrCreate("RenderView")
    simple.Show(glyph, view)
    simple.ResetCamera(view)
    simple.SaveScreenshot(path, view, ImageResolution=[400, 300])


def main(path, picture):
    source = open_file(path)
    source.UpdatePipelineInformation()
    times = list(source.TimestepValues)
    chosen = [times[0], times[len(times) // 2], times[-1]]
    print(
        "JSON " + json.dumps({"times": times, "frames": [seen_at(source, time) for time in chosen]})
    )
    sys.stdout.flush()
    if picture != "-":
        render(source, picture)


main(*sys.argv[1:])
