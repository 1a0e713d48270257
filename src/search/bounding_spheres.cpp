// SPDX-License-Identifier: BSD-3-Clause
#include "search/bounding_spheres.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "geometry/axis_fold.hpp"
#include "geometry/motion_columns.hpp"
#include "geometry/radius_column.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using SphereTag = hn::Rebind<float, Tag>;
using Vector = hn::Vec<Tag>;
using AxisFold = detail::AxisFold<Tag>;
constexpr std::size_t num_lanes = hn::MaxLanes(Tag());

/// The bounding spheres of a vector of particles.
struct Spheres {
    Vector x, y, z, reach;
    Vector radius, displacement;
};

class PathMeasure {
  public:
    PathMeasure(const Box& box, double begin, double end, double spare)
        : fold_{AxisFold(box, 0), AxisFold(box, 1), AxisFold(box, 2)},
          middle_(0.5 * (begin + end)),
          duration_(end - begin),
          spare_(spare),
          most_reach_(reach_of_box(box)),
          has_come_far_(begin > 0) {}

    HWY_ATTR HWY_INLINE Spheres operator()(const Motion* motions, Vector radius) const {
        const Tag tag;
        const detail::MotionColumns<Tag> of(motions);
        const Vector vx = of.velocity_x, vy = of.velocity_y, vz = of.velocity_z;
        const Vector to_middle = hn::Sub(hn::Set(tag, middle_), of.time);
        const Vector squared = hn::MulAdd(vz, vz, hn::MulAdd(vy, vy, hn::Mul(vx, vx)));
        const Vector displacement = hn::Mul(hn::Sqrt(squared), hn::Set(tag, duration_));
        const Vector reach =
            hn::Add(hn::MulAdd(displacement, hn::Set(tag, 0.5), radius), hn::Set(tag, spare_));
        return {folded(0, hn::MulAdd(vx, to_middle, of.x)),
                folded(1, hn::MulAdd(vy, to_middle, of.y)),
                folded(2, hn::MulAdd(vz, to_middle, of.z)),
                hn::Min(hn::Mul(reach, hn::Set(tag, path_reach_up)), hn::Set(tag, most_reach_)),
                radius,
                displacement};
    }

    HWY_ATTR HWY_INLINE static void store(const Spheres& spheres, BoundingSphere* to) {
        static_assert(sizeof(BoundingSphere) == 16 && offsetof(BoundingSphere, reach) == 12);
        const SphereTag tag;
        hn::StoreInterleaved4(hn::DemoteTo(tag, spheres.x), hn::DemoteTo(tag, spheres.y),
                              hn::DemoteTo(tag, spheres.z), hn::DemoteTo(tag, spheres.reach), tag,
                              reinterpret_cast<float*>(to));
    }

  private:
    HWY_ATTR HWY_INLINE Vector folded(std::size_t axis, Vector middle) const {
        return has_come_far_ ? fold_[axis].from_afar(middle) : fold_[axis](middle);
    }

    std::array<AxisFold, 3> fold_;
    double middle_, duration_, spare_, most_reach_;
    bool has_come_far_;  ///< contacts before `begin` may have carried particles round the box
};

/// Compares the attributes on which contacts depend: copies in a halo have no diffusion.
bool has_uniform_attributes(std::span<const Attributes> attributes) {
    if (attributes.empty()) return true;
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    const Attributes& first = attributes.front();
    return std::all_of(attributes.begin(), attributes.end(), [&](const Attributes& matter) {
        return ((bits(matter.radius) ^ bits(first.radius)) | (bits(matter.mass) ^ bits(first.mass)) |
                (matter.species ^ first.species)) == 0;
    });
}

}  // namespace

HWY_ATTR PathSummary measure_paths(const Box& box, const Particles& particles, double begin, double end,
                                   double spare, std::vector<BoundingSphere>& spheres) {
    RICOCHET_CHECK_LE(begin, end);
    RICOCHET_CHECK_GE(spare, 0);
    const std::size_t size = particles.size();
    const detail::RadiusColumn<Tag> radii_from(particles.attributes);
    const PathMeasure measure(box, begin, end, spare);
    resize_for_overwrite(spheres, size);
    Vector displacements = hn::Zero(Tag()), radii = displacements;
    const auto add = [&](const Spheres& measured) HWY_ATTR {
        displacements = hn::Add(displacements, measured.displacement);
        radii = hn::Add(radii, measured.radius);
    };
    std::size_t k = 0;
    for (; k + num_lanes <= size; k += num_lanes) {
        const Spheres measured = measure(&particles.motion[k], radii_from(k));
        PathMeasure::store(measured, &spheres[k]);
        add(measured);
    }
    if (k < size) {
        std::array<Motion, num_lanes> motions{};
        std::array<BoundingSphere, num_lanes> rest{};
        std::copy(particles.motion.begin() + static_cast<std::ptrdiff_t>(k), particles.motion.end(),
                  motions.begin());
        const Spheres measured = measure(motions.data(), radii_from.last(k));
        PathMeasure::store(measured, rest.data());
        std::copy_n(rest.begin(), size - k, spheres.begin() + static_cast<std::ptrdiff_t>(k));
        add(measured);
    }
    const auto mean = [&](Vector sums) HWY_ATTR {
        return hn::GetLane(hn::SumOfLanes(Tag(), sums)) / static_cast<double>(std::max<std::size_t>(1, size));
    };
    return {mean(displacements), mean(radii), has_uniform_attributes(particles.attributes.records())};
}

}  // namespace ricochet
