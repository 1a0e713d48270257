// SPDX-License-Identifier: BSD-3-Clause
#include "placement/file_claims.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/text.hpp"

namespace ricochet {

namespace {

/// Edges that differ by less than two units in the last place of a float32 are one edge.
constexpr double same_edge = 0x1p-22;
/// The two positions are off by half a unit along each axis, together at most by sqrt(3) units.
constexpr double units_of_gap = 2;
constexpr double most_rounding = 1e-4;

bool agree(double edge, double expected) { return std::abs(edge - expected) <= same_edge * expected; }

std::string lengths(const Vec3& size, int dimension) {
    std::string text;
    for (int axis = 0; axis < dimension; ++axis) text += (axis == 0 ? "" : " x ") + exact_text(size[axis]);
    return text;
}

/// The axes along which the box is periodic, or has walls, where the file says the contrary: "x, y".
std::string contrary_axes(const StatedBoundary& stated, const Box& box, bool is_periodic) {
    std::string axes;
    const int num_axes = std::min(box.dimension, static_cast<int>(stated.is_periodic_at.size()));
    for (int axis = 0; axis < num_axes; ++axis)
        if (box.is_periodic(axis) == is_periodic &&
            stated.is_periodic_at[static_cast<std::size_t>(axis)] != is_periodic)
            axes += std::string(axes.empty() ? "" : ", ") + "xyz"[axis];
    return axes;
}

std::optional<std::string> contradiction(const StatedBoundary& stated, const std::string& file,
                                         const Box& box) {
    const std::string axes = contrary_axes(stated, box, false);
    if (axes.empty() || stated.is_routine) return std::nullopt;
    return text_of(file, ": ", stated.name, ": got ", excerpt(stated.words), ", expected walls along ", axes,
                   " as box.boundary has (a file without the word for periodic may start between walls)");
}

std::optional<std::string> contradiction(const StatedBox& stated, const std::string& file, const Box& box) {
    const std::string place = file + ": " + stated.name + ": got ";
    if (stated.is_skew) return place + "a box whose edges are not along the axes, expected a rectangular one";
    if (stated.edges.empty()) return std::nullopt;
    if (stated.edges.size() < static_cast<std::size_t>(box.dimension))
        return text_of(place, stated.edges.size(), " edges, expected ", box.dimension, " as box.size has");
    Vec3 edges;
    bool all_agree = true;
    for (int axis = 0; axis < box.dimension; ++axis) {
        edges[axis] = stated.edges[static_cast<std::size_t>(axis)];
        all_agree = all_agree && agree(edges[axis], box.size[axis]);
    }
    if (all_agree) return std::nullopt;
    return place + lengths(edges, box.dimension) + ", expected " + lengths(box.size, box.dimension) +
           " as box.size has";
}

/// A box with walls alone needs no word: a state without faces is refused by its positions, or fits.
std::string note_on_missing(const StatedBoundary& stated, const Box& box) {
    std::string axes;
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.is_periodic(axis)) axes += std::string(axes.empty() ? "" : ", ") + "xyz"[axis];
    if (axes.empty()) return {};
    return "the box is periodic along " + axes + ", of which the file says nothing (no " + stated.name + ")";
}

/// Spellings of one unit stand in one row.
constexpr std::array<std::array<std::string_view, 5>, 9> spellings{
    {{"Angstrom", "angstrom", "A", "\xc3\x85", "\xe2\x84\xab"},
     {"nm", "nanometer", "nanometre", "nanometers", "nanometres"},
     {"um", "\xc2\xb5m", "\xce\xbcm", "micrometer", "micrometre"},
     {"m", "meter", "metre", "meters", "metres"},
     {"fs", "femtosecond", "femtoseconds"},
     {"ps", "picosecond", "picoseconds"},
     {"ns", "nanosecond", "nanoseconds"},
     {"us", "\xc2\xb5s", "\xce\xbcs", "microsecond", "microseconds"},
     {"s", "second", "seconds", "sec"}}};

bool mean_one_unit(std::string_view a, std::string_view b) {
    if (a == b) return true;
    return std::any_of(spellings.begin(), spellings.end(), [&](const auto& row) {
        const auto has = [&](std::string_view word) {
            return !word.empty() && std::find(row.begin(), row.end(), word) != row.end();
        };
        return has(a) && has(b);
    });
}

}  // namespace

std::vector<std::string> contradictions(const FileClaims& claims, const std::string& file, const Box& box,
                                        const std::vector<StatedUnit>& units) {
    std::vector<std::string> messages;
    if (claims.box) {
        if (const auto message = contradiction(*claims.box, file, box)) messages.push_back(*message);
        if (const auto message = contradiction(claims.box->boundary, file, box)) messages.push_back(*message);
    }
    for (const StatedUnit& stated : claims.units)
        for (const StatedUnit& expected : units)
            if (stated.name == expected.name && stated.of == expected.of &&
                !mean_one_unit(stated.word, expected.word))
                messages.push_back(
                    text_of(file, ": unit of ", stated.name, stated.of.empty() ? "" : " in " + stated.of,
                            ": got ", excerpt(stated.word), ", expected ", excerpt(expected.word),
                            " as units.", stated.name, " has (the same word, if both mean one unit)"));
    return messages;
}

std::string note_on_boundary(const FileClaims& claims, const Box& box) {
    if (!claims.box) return {};
    const StatedBoundary& stated = claims.box->boundary;
    if (stated.is_missing) return note_on_missing(stated, box);
    if (claims.box->edges.empty()) return {};
    const std::string periodic = contrary_axes(stated, box, true), walled = contrary_axes(stated, box, false);
    if (periodic.empty() && walled.empty()) return {};
    return (periodic.empty() ? "the box has walls along " + walled
                             : "the box is periodic along " + periodic) +
           ", though the file has " + stated.name + ": " + excerpt(stated.words);
}

double rounding_of_gap(double resolution, double distance) {
    const double rounding = units_of_gap * resolution;
    return rounding <= most_rounding * distance ? rounding : 0;
}

}  // namespace ricochet
