// SPDX-License-Identifier: BSD-3-Clause
#include "placement/soft_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "geometry/path.hpp"
#include "model/rounding.hpp"

namespace ricochet::detail {

namespace {

/// What the middle of a face adds to the margin, as a part of the widths of both.
constexpr double bulge = 0.03;

/// The radius of the sphere, or disc, of this volume.
double radius_of_volume(double volume, int dimension) {
    return dimension == 2 ? std::sqrt(volume / fixed::pi) : fixed::cube_root(volume * 3 / (4 * fixed::pi));
}

/// The least distance of a face from the centre.
double radius_within(const Polytope& shape) {
    double least = bounding_radius(shape.corners);
    for (const Polytope::Face& face : shape.faces) least = std::min(least, face.plane.height);
    return least;
}

}  // namespace

SoftShapes::SoftShapes(const Box& box, const ShapeTable& table, const Population& population,
                       double inflation)
    : table_(table), images_(box), inflation_(inflation) {
    for (SpeciesIndex s = 0; s < population.species().size(); ++s) {
        const Polytope* const shape = table.shape(s);
        sizes_.push_back(shape == nullptr ? 0 : radius_of_volume(shape->volume, box.dimension));
        widths_.push_back(shape == nullptr ? 0 : radius_within(*shape));
    }
}

bool ShapedGap::is_overlap() const { return gap <= (apart_up - 1) * radii; }

ShapedGap SoftShapes::gap_of(const ShapedPair& pair, const Ball& low, const Ball& high) const {
    const Vec3 r = minimum_image(high.centre - low.centre, images_);
    const ConvexGap gap = table_.gap(r, sized(pair.of_low, low.radius), sized(pair.of_high, high.radius));
    const double widths = width(pair.of_low, low.radius) + width(pair.of_high, high.radius);
    return {r, gap.normal, gap.distance, low.radius + high.radius, widths, (inflation_ + bulge) * widths};
}

ShapedForce SoftShapes::force_of(const ShapedGap& gap, double unit) const {
    if (gap.gap >= gap.largest) return {};
    const double per_square = 1 / (gap.radii * gap.radii), beside = 1 - dot(gap.r, gap.r) * per_square;
    const double depth = ((inflation_ + bulge * beside) * gap.widths - gap.gap) / unit;
    if (!(depth > 0)) return {};
    const double stiffness = 1 + beside;
    const double outwards = 2 * bulge * gap.widths * stiffness * depth + unit * depth * depth;
    return {depth, advanced(stiffness * depth * gap.normal, gap.r, outwards * per_square)};
}

double SoftShapes::overlap_part(const ShapedPair& pair, const Ball& low, const Ball& high) const {
    const ShapedGap of = gap_of(pair, low, high);
    return -of.gap /
           (reach(pair.of_low, low.radius, of.normal) + reach(pair.of_high, high.radius, Vec3{} - of.normal));
}

double SoftShapes::overlap_part(SpeciesIndex of, const BodyPush& push) const {
    return -push.clearance / support(table_.shape(of)->corners, Vec3{} - push.away);
}

}  // namespace ricochet::detail
