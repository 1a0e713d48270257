// SPDX-License-Identifier: BSD-3-Clause
#include "placement/dense_placement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "model/particle_memory.hpp"
#include "placement/soft_spheres.hpp"

namespace ricochet {

namespace {

using detail::SoftSpheres;
using detail::SoftStep;
using detail::SoftSums;
using detail::SoftWork;

/// Those of shapes are dearer, and what succeeds takes fewer (note 62 of tests/bench/notes.md).
constexpr std::uint64_t most_steps_of_spheres = 30'000, most_steps_of_shapes = 15'000;
/// Steps between two offers to end the start.
constexpr std::uint64_t steps_between_offers = 16;
/// In a minimum with overlaps the mean force on a sphere is below this part of the mean force of a pair.
constexpr double balanced = 1e-5;

/// The steps of FIRE. Times are in units in which a pair of mean diameter has the frequency 1.
class Fire {
  public:
    SoftStep next(const SoftSums& sums) {
        if (sums.power < 0) return restarted();
        if (++num_downhill_ > steps_before_change) {
            duration_ = std::min(1.1 * duration_, longest);
            mixing_ *= 0.995;
        }
        // The squared velocity after v + dt f.
        const double squared =
            sums.velocity_squared + 2 * duration_ * sums.power + duration_ * duration_ * sums.force_squared;
        const double turned = sums.force_squared > 0 ? std::sqrt(squared / sums.force_squared) : 0;
        return {1 - mixing_, (1 - mixing_) * duration_ + mixing_ * turned, 0, duration_};
    }

  private:
    static constexpr double longest = 0.5, shortest = 0.02, first_mixing = 0.1;
    static constexpr int steps_before_change = 10;

    SoftStep restarted() {
        const double back = -0.5 * duration_;
        num_downhill_ = 0;
        duration_ = std::max(0.5 * duration_, shortest);
        mixing_ = first_mixing;
        return {0, duration_, back, duration_};
    }

    double duration_ = 0.1, mixing_ = first_mixing;
    int num_downhill_ = 0;
};

/// CPU time of all ranks together, on the processor this was measured on (note 62 of tests/bench/notes.md). Collective.
double seconds_of(const SoftWork& work, const Box& box, Exchange& exchange) {
    std::array<std::int64_t, 6> all{
        static_cast<std::int64_t>(work.num_moves),     static_cast<std::int64_t>(work.num_tests),
        static_cast<std::int64_t>(work.num_sorted),    static_cast<std::int64_t>(work.num_listed),
        static_cast<std::int64_t>(work.num_at_bodies), static_cast<std::int64_t>(work.num_parts)};
    exchange.sum(all);
    double per_move = 90;
    for (int axis = 0; axis < box.dimension; ++axis) per_move += box.has_walls(axis) ? 15 : 0;
    const std::array nanoseconds{per_move, 4.0, 300.0, 30.0, 100.0, 5.0};
    double sum = 0;
    for (std::size_t k = 0; k < all.size(); ++k) sum += nanoseconds.at(k) * static_cast<double>(all.at(k));
    return 1e-9 * sum;
}

bool is_jammed(const SoftSums& sums, std::uint64_t count) {
    const double limit = balanced * sums.mean_depth;
    return sums.force_squared < limit * limit * static_cast<double>(count);
}

}  // namespace

DensePlacement place_densely(const Box& box, const Population& population, Exchange& exchange,
                             const BodyRoom* bodies, const ShapeTable* shapes) {
    DensePlacement result;
    const std::uint64_t count = population.size();
    const std::uint64_t most_steps = shapes == nullptr ? most_steps_of_spheres : most_steps_of_shapes;
    std::vector<Sphere> owned;
    {  // The memory of the relaxation is freed before particles are made.
        SoftSpheres spheres(box, population, exchange, bodies, shapes);
        Fire fire;
        for (; result.num_steps < most_steps; ++result.num_steps) {
            const SoftSums sums = spheres.push();
            result.is_complete = sums.num_overlapping == 0 && spheres.are_apart();
            if (result.is_complete) break;
            if (is_jammed(sums, count)) {
                if (!spheres.redraw_stuck()) break;
                fire = {};
                continue;
            }
            if (result.num_steps % steps_between_offers == 0)
                exchange.offer_end_of_start({count - std::min(count, 2 * sums.num_overlapping), count});
            spheres.move(fire.next(sums));
        }
        result.cpu_seconds = seconds_of(spheres.work(), box, exchange);
        if (!result.is_complete)
            result.largest_overlap = spheres.largest_overlap();
        else
            owned = spheres.owned();
    }
    reserve_with_spare(result.particles, owned.size());
    for (const Sphere& s : owned) population.append(s.id, s.radius, s.centre, result.particles);
    return result;
}

}  // namespace ricochet
