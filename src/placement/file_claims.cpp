// SPDX-License-Identifier: BSD-3-Clause
#include "placement/file_claims.hpp"

#include <cmath>

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

std::optional<std::string> contradiction(const StatedBox& stated, const std::string& file, const Box& box) {
    const std::string place = file + ": " + stated.name + ": got ";
    if (stated.is_skew) return place + "a box whose edges are not along the axes, expected a rectangular one";
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

}  // namespace

std::vector<std::string> contradictions(const FileClaims& claims, const std::string& file, const Box& box,
                                        const std::vector<StatedUnit>& units) {
    std::vector<std::string> messages;
    if (claims.box)
        if (const auto message = contradiction(*claims.box, file, box)) messages.push_back(*message);
    for (const StatedUnit& stated : claims.units)
        for (const StatedUnit& expected : units)
            if (stated.name == expected.name && stated.word != expected.word)
                messages.push_back(text_of(file, ": unit of ", stated.name, ": got ", excerpt(stated.word),
                                           ", expected ", excerpt(expected.word), " as units.", stated.name,
                                           " has (the same word, if both mean one unit)"));
    return messages;
}

double rounding_of_gap(double resolution, double distance) {
    const double rounding = units_of_gap * resolution;
    return rounding <= most_rounding * distance ? rounding : 0;
}

}  // namespace ricochet
