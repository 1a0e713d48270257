# SPDX-License-Identifier: BSD-3-Clause
"""The page: sections with plots, their numbers as CSV, and one HTML file that holds everything.

Pictures and animations are embedded as data URIs and the page forbids itself to load anything else,
so that it can be mailed, archived and opened without a network. It has no scripts.
"""
import base64
import csv
import html
import io
from dataclasses import dataclass, field

from digits import with_error
from phases import phases_as_reported
from text import plain

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62em; padding: 1em;
  color: #222; }
h1 { font-size: 1.5em; margin: 0.3em 0; } h2 { font-size: 1.15em; margin: 1.8em 0 0.3em; }
img, video { max-width: 100%; height: auto; } p { margin: 0.4em 0; }
table { border-collapse: collapse; margin: 0.6em 0; } .note { color: #666; }
th, td { border-bottom: 1px solid #ddd; padding: 0.15em 0.8em 0.15em 0; text-align: left;
  vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: #f5f5f5; padding: 0.8em; overflow-x: auto; font-size: 0.85em; }
"""
MOST_BODIES = 10  # that are named
MOST_IN_SUMMARY = 8  # numbers of a section that has a table of its own
POLICY = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'"


@dataclass
class Number:
    """A number for the summary, with its standard error and what theory expects."""

    name: str
    value: float
    error: float = None
    expected: float = None
    unit: str = ""
    remark: str = ""


@dataclass
class Section:
    """A part of the page. tables: {csv name: {column name: values}}; image: a PNG, GIF or MP4;
    rows: a table on the page, its head first."""

    title: str
    text: list = field(default_factory=list)
    image: bytes = None
    image_type: str = "image/png"
    rows: list = field(default_factory=list)
    tables: dict = field(default_factory=dict)
    numbers: list = field(default_factory=list)


def png_of(figure):
    """The figure as PNG bytes; closes it."""
    from matplotlib import pyplot

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110, pil_kwargs={"optimize": True})
    pyplot.close(figure)
    return buffer.getvalue()


def write_csv(path, columns):
    """Columns of equal length; numbers with all digits that they have."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in zip(*columns.values()):
            writer.writerow(
                [value if isinstance(value, str) else repr(float(value)) for value in row]
            )


def write_tables(folder, sections):
    """One CSV per table and summary.csv with all numbers."""
    for section in sections:
        for name, columns in section.tables.items():
            write_csv(folder / name, columns)
    with open(folder / "summary.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "value", "standard_error", "expected", "unit", "remark"])
        for number in numbers_of(sections):
            values = (number.value, number.error, number.expected)
            texts = ("" if value is None else repr(float(value)) for value in values)
            writer.writerow([number.name, *texts, number.unit, number.remark])


def numbers_of(sections):
    return [number for section in sections for number in section.numbers]


def embedded(section):
    data = base64.b64encode(section.image).decode()
    source = f"data:{section.image_type};base64,{data}"
    title = html.escape(section.title, quote=True)
    if section.image_type.startswith("video"):
        return f'<video src="{source}" title="{title}" controls loop muted></video>'
    return f'<img src="{source}" alt="{title}">'


def section_html(section):
    parts = [f"<h2>{html.escape(section.title)}</h2>"]
    if section.image:
        parts.append(embedded(section))
    parts += [f"<p>{html.escape(text)}</p>" for text in section.text]
    if section.rows:
        parts.append(table_html(section.rows[0], section.rows[1:]))
    if section.tables:
        parts.append(f'<p class="note">Numbers: {html.escape(", ".join(section.tables))}</p>')
    return "\n".join(parts)


def table_html(head, rows):
    cells = "".join(f"<th>{html.escape(word)}</th>" for word in head)
    lines = [f"<tr>{cells}</tr>"] if head else []
    for row in rows:
        cells = "".join(f'<td class="number">{html.escape(str(cell))}</td>' for cell in row[:-1])
        lines.append(f"<tr>{cells}<td>{html.escape(str(row[-1]))}</td></tr>")
    return "<table>" + "\n".join(lines) + "</table>"


def summary_row(number):
    expected = "" if number.expected is None else with_error(number.expected)
    return number.name, with_error(number.value, number.error), number.unit, expected, number.remark


def summary_rows(sections):
    """The numbers of all sections; of many that are in a table further down, a word on where."""
    for section in sections:
        if section.rows and len(section.numbers) > MOST_IN_SUMMARY:
            yield section.title, "see below", "", "", f"{len(section.numbers)} numbers"
        else:
            yield from map(summary_row, section.numbers)


def summary_html(sections):
    rows = list(summary_rows(sections))
    if not rows:
        return ""
    note = "The digits in brackets are the standard error of the last digits: 0.011(4) is 0.011 ± 0.004."
    head = ("quantity", "value", "unit", "expected", "remark")
    return table_html(head, rows) + f'<p class="note">{note}</p>'


def particles_text(result):
    """The number of each species, where particles change also in the last frame."""

    def text_of(counts):
        return ", ".join(f"{count} {name}" for name, count in zip(result.species, counts))

    if not result.has_counts:
        return f"{result.num_particles} in all; without a frame nothing tells the numbers of the species"
    if not result.is_changing or result.num_frames == 0:
        return text_of(result.counts)
    last = result.counts_in(result.num_frames - 1)
    return f"{text_of(result.counts)}; in the last frame {text_of(last)}"


def bodies_rows(result):
    """The names of the first bodies; none without bodies."""
    if not result.bodies:
        return []
    more = len(result.bodies) - MOST_BODIES
    return [("bodies", ", ".join(result.bodies[:MOST_BODIES]) + (f" and {more} more" if more > 0 else ""))]


def shapes_rows(result):
    """The species that are no spheres, with the number of corners and the volume of each."""
    what = "area" if result.dimension == 2 else "volume"
    unit = result.unit_of(length=result.dimension)
    shapes = [
        f"{name} ({len(own)} corners, {what} {f'{volume:.4g} {unit}'.rstrip()})"
        for name, own, volume in zip(result.species, result.corners, result.volumes)
        if own is not None
    ]
    return [("shapes", ", ".join(shapes))] if shapes else []


def run_html(result):
    """What was run: box, species, notes, provenance, input."""
    axes = " x ".join(
        f"{length:.6g} ({'periodic' if is_periodic else 'walls'})"
        for length, is_periodic in zip(result.size, result.periodic)
    )
    rows = [
        ("file", result.name),
        ("box", axes),
        *bodies_rows(result),
        *shapes_rows(result),
        ("particles", particles_text(result)),
        ("timestep", f"{result.timestep:.6g}"),
        ("complete frames", result.num_frames),
        ("samples", result.num_samples),
        ("logged contacts", result.num_collisions),
    ]
    rows += [(f"unit of {name}", text) for name, text in result.texts("units")]
    rows += result.texts("notes") + [
        (name, phases_as_reported(text) if name == "seconds_per_phase" else text)
        for name, text in result.texts("provenance")
    ]
    source = html.escape(plain(result.run["input"].attrs["effective"]))
    return (
        table_html((), rows)
        + f"<details><summary>Input with all defaults</summary><pre>{source}</pre></details>"
    )


def start_html(result):
    """What has become of a lattice, a dense or a grown start by step 0: a liquid, a glass or a crystal."""
    note = dict(result.texts("provenance")).get("start")
    return f"<p>Start: {html.escape(note)}.</p>" if note else ""


def page_html(result, sections):
    title = html.escape(result.title or result.name)
    body = "\n".join(
        [
            f"<h1>{title}</h1>",
            start_html(result),
            summary_html(sections),
            *map(section_html, sections),
            "<h2>The run</h2>",
            run_html(result),
        ]
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width">\n<link rel="icon" href="data:,">\n'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def write_page(folder, result, sections):
    """Writes report.html and the CSV files into an existing folder."""
    write_tables(folder, sections)
    (folder / "report.html").write_text(page_html(result, sections), encoding="utf-8")
