// SPDX-License-Identifier: BSD-3-Clause
//
// The torus that a triangulation of moving spheres fills, and where the spheres are on it. A torus has no hull.
//
// Periods: along a periodic axis that the slots fill, that of the box. Along others, with walls or in a part of the
// box, a period of its own: as far as the paths reach, and some room. Where that would not be shorter, it is the box's
// too. Some empty space costs little, and neighbours round the torus cost one contact time each. Round a void much
// wider than the torus is in other directions, spheres would come to be their own neighbours.
//
// Coordinates are unwrapped: positions of slots at first in the image nearest to the domain. Motions are not wrapped
// within a step, so paths remain continuous.
//
// Weights: r^2 and up to a thousandth of the least r^2, by a hash of the id. Lattices are generic then. At a contact of
// i and j, any third sphere k has the power 4 r_i r_j r_k / (r_i + r_j) or more, at least 2 r_min^2. So small changes
// of weights lose no contact.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1
// (the weights r^2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kinetic/kinetic_structure.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// A disc or sphere on its way, at the present time.
struct MovingDisc {
    Vec3 position, velocity;
    double weight = 0;  ///< its radius squared, and a little more
};

/// Whether two spheres overlap by more than rounding, and more than is allowed besides. Edges may be missing then. Of
/// spheres that overlap, some are neighbours in a triangulation.
inline bool overlap_deeply(Vec3 apart, double sum_of_radii, double allowed = 0) {
    constexpr double rounding = 1e-6;
    const double least = (1 - rounding) * sum_of_radii - allowed;
    return dot(apart, apart) < least * least;
}

/// Uniform in (0, 1), of a particle; several of them.
double scattered(ParticleId id, std::uint64_t which);

class TorusFrame {
  public:
    explicit TorusFrame(const Box& box) : box_(box) {}

    /// Takes the present slots; where `is_rebuilt`, in the images of before. O(slots).
    void begin(const KineticSetting& setting);

    std::size_t size() const { return weights_.size(); }
    std::size_t num_present() const { return num_present_; }
    bool is_present(Slot slot) const { return weights_[slot] > 0; }
    Vec3 period() const { return period_; }
    /// More than any coordinate and period: what rounding is in proportion to.
    double scale() const { return scale_; }
    double least_radius() const { return least_radius_; }
    double largest_radius() const { return largest_radius_; }
    double weight(Slot slot) const { return weights_[slot]; }
    /// The most that a weight is above the radius squared.
    double most_added() const { return 1e-3 * least_radius_ * least_radius_; }
    /// From a slot's position to that in the image where it is taken.
    Vec3 shift(Slot slot) const { return {laps_[slot] * box_.size.x, 0, 0}; }

    /// A present slot, as `setting` of `begin` has it.
    MovingDisc at(const KineticSetting& setting, Slot slot, double now) const {
        const Motion& motion = setting.motion[slot];
        return {advanced(motion.position, motion.velocity, now - motion.time) + shift(slot), motion.velocity,
                weights_[slot]};
    }
    /// Whether the frame has room for the path of a slot that has changed its motion.
    bool holds(const KineticSetting& setting, Slot slot) const;

    std::size_t memory_bytes() const { return bytes_of(weights_, laps_); }

  private:
    /// The range of centres along an axis without the box's period.
    struct Range {
        double low = 0, high = 0;
    };
    bool has_box_period(const KineticSetting& setting, int axis) const;
    double end_of_path(const KineticSetting& setting, Slot slot, int axis) const;
    void choose_laps(const KineticSetting& setting);
    void choose_weights(const KineticSetting& setting);
    void choose_period(const KineticSetting& setting, int axis);

    Box box_;
    Vec3 period_;
    double scale_ = 0, least_radius_ = 0, largest_radius_ = 0;
    std::size_t num_present_ = 0;
    std::array<Range, 3> room_;       ///< where centres may be
    std::vector<double> weights_;     ///< by slot; 0: absent
    std::vector<std::int32_t> laps_;  ///< by slot: whole boxes along x from the stored position
};

}  // namespace ricochet
