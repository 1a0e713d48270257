// SPDX-License-Identifier: BSD-3-Clause
//
// Soft spheres that repel each other where they overlap, and the state of their relaxation, over all ranks. Some may be
// the spheres around shapes, which repel as shapes do (placement/soft_shapes.hpp).
//
// Energy: the sum over overlapping pairs of (1 - r/S)^2/2, where S is the sum of the radii times `inflation`. Lengths
// are in units of the mean diameter D, so that the force of a pair is (1 - r/S) D/S. Masses are 1. Walls are hard:
// centres stop at them, and forces into them are 0. Bodies are soft: at a distance d from a surface a centre is
// pushed by (1 - 2 d/S) D/S along the normal, with S as between equal spheres. Deep within a body the push is 2 D/S. A
// shape is pushed by its depth over D.
//
// Invariant: all has the same bits on any number of ranks. A pair's force is one expression that is odd in the
// separation, and so is the nearest image. It is cut to a multiple of 2^-40 and added as an integer. So neither the
// order of the pairs matters, nor which rank adds them. Bodies push likewise. Sums over particles are exact sums.
//
// Layout: strips along x, as in random placement. A rank owns the spheres that lay in its strip when pairs were last
// listed, and has copies of those within reach of it. The list of pairs holds until a sphere has moved half of the
// list's skin. Whether one has is known together with the sums, so each step makes one reduction. The few forces from
// a list that was too old are computed anew. Which spheres are near bodies is listed at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/body_room.hpp"
#include "geometry/sphere_grid.hpp"
#include "parallel/strips.hpp"
#include "placement/first_places.hpp"
#include "placement/near_pairs.hpp"
#include "placement/population.hpp"
#include "placement/soft_shapes.hpp"
#include "ricochet/core/exact_sum.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet::detail {

/// Over all ranks, in the units above.
struct SoftSums {
    double power = 0;             ///< of forces times velocities
    double velocity_squared = 0;  ///< summed over particles, like the others
    double force_squared = 0;
    std::uint64_t num_touching = 0;     ///< pairs that repel each other, and surfaces that repel spheres
    std::uint64_t num_overlapping = 0;  ///< those of them that overlap, not only when inflated
    double mean_depth = 0;              ///< mean of 1 - r/S of those that repel each other
};

/// What has been done so far, for an estimate of its time.
struct SoftWork {
    std::uint64_t num_moves = 0;      ///< spheres, summed over the steps
    std::uint64_t num_tests = 0;      ///< listed pairs whose distance was computed, likewise
    std::uint64_t num_sorted = 0;     ///< spheres, summed over the lists
    std::uint64_t num_listed = 0;     ///< pairs, likewise
    std::uint64_t num_at_bodies = 0;  ///< spheres that were compared with bodies, in steps and lists
    std::uint64_t num_parts = 0;      ///< planes, edges and corners of shapes that were looked at, likewise
};

/// A step: v <- keep v + push f, and x <- x + back v_old + duration v_new.
struct SoftStep {
    double keep = 0, push = 0, back = 0, duration = 0;
};

/// Largest radius of all particles on all ranks, and the mean radius of spheres of their volumes.
struct RadiusFacts {
    double largest = 0, mean = 0;
};

class SoftSpheres {
  public:
    /// All particles of the population at random (placement/first_places.hpp). `bodies` may be null, and `shapes` where
    /// all are spheres. Collective.
    SoftSpheres(const Box& box, const Population& population, Exchange& exchange, const BodyRoom* bodies,
                const ShapeTable* shapes);

    /// Computes the forces. Collective.
    SoftSums push();
    /// Moves all by a step, with the forces of the latest push().
    void move(const SoftStep& step);
    /// Whether no pair overlaps, and nothing a body, by the tests of random placement. Collective.
    bool are_apart();
    /// The largest 1 - r/(sum of radii) of all pairs, and 1 - d/radius at bodies; 0 or less when none overlap. At most
    /// 1. Collective.
    double largest_overlap();
    /// Where few overlap bodies, as in gaps that are too narrow for them, they are drawn again, at rest. Otherwise
    /// nothing changes, and it returns false. Collective.
    bool redraw_stuck();
    /// The spheres of this rank by ascending ids, centres in the box.
    std::vector<Sphere> owned() const;
    /// Of this rank.
    const SoftWork& work() const { return work_; }

  private:
    /// Particles are this much larger while they repel, so that the last true overlap ends in finite time.
    static constexpr double inflation = 1.001;
    static constexpr double force_unit = 0x1p-40, per_force_unit = 0x1p40, per_depth_unit = 0x1p30;

    struct Force {
        std::int64_t x = 0, y = 0, z = 0;
    };
    struct Moving {
        Ball ball;
        Vec3 velocity;
        ParticleId id = 0;
    };
    struct Copy {
        Ball ball;
        ParticleId id = 0;
    };

    std::vector<Moving> taken_out() const;
    void migrate(std::vector<Moving> leaving);
    void sort_owned();
    void list_pairs();
    void list_shaped_pairs();
    void exchange_copies();
    void refresh_copies();
    void list_near_bodies();
    void add_forces();
    void add_pair_forces();
    void add_shaped_forces();
    void add_body_forces();
    void add_body_forces_on_shape(std::uint32_t k);
    void add_force(std::size_t k, double strength, Vec3 way);
    double margin_of(std::size_t k) const { return shapes_->margin(population_.species_of(ids_[k])); }
    ShapedGap gap_of(const ShapedPair& pair) const {
        return shapes_->gap_of(pair, balls_[pair.low], balls_[pair.high]);
    }
    bool has_shape(std::size_t k) const {
        return shapes_ && shapes_->has_shape(population_.species_of(ids_[k]));
    }
    double size_of(std::size_t k) const {
        return shapes_ ? shapes_->size(population_.species_of(ids_[k]), balls_[k].radius) : balls_[k].radius;
    }
    double off_walls(std::size_t k, int axis, double x) const {
        return shapes_ ? shape_off_walls(k, axis, x) : places_.off_walls(balls_[k].radius, axis, x);
    }
    double shape_off_walls(std::size_t k, int axis, double x) const;
    std::span<const BodyPush> pushes_on(const Sphere& own, double reach);
    std::span<const BodyPush> pushes_on_shape(const Sphere& own, double reach);
    bool overlaps_body(const Sphere& own) const;
    void renew(std::vector<Moving> all);
    Vec3 force_on(std::size_t k) const;
    StripRange strip() const;
    Sphere sphere(std::size_t k) const;
    std::uint64_t num_far() const;
    SoftSums summed(std::uint64_t& num_far) const;

    const Box& box_;
    const Population& population_;
    Exchange& exchange_;
    const BodyRoom* bodies_;
    std::optional<SoftShapes> shapes_;
    FirstPlaces places_;
    ImageLengths images_;
    Strips strips_;
    RadiusFacts radii_;
    double mean_diameter_;
    NearPairs near_;
    double skin_;
    int steps_of_list_ = 0;
    SoftWork work_;

    std::vector<Ball> balls_;                 ///< owned ones, then copies
    std::vector<ParticleId> ids_;             ///< of the same
    std::vector<Vec3> velocities_;            ///< of the owned ones, like the next two
    std::vector<Vec3> listed_at_;             ///< centres when pairs were listed
    std::vector<Force> forces_;               ///< multiples of 2^-40
    std::vector<BallPair> pairs_;             ///< of spheres
    std::uint64_t parts_of_list_ = 0;         ///< that gaps of the next pairs look at
    std::vector<ShapedPair> shaped_pairs_;    ///< of which one is no sphere
    std::vector<std::uint32_t> near_bodies_;  ///< owned ones
    std::vector<BodyPush> pushes_;            ///< on one of them
    std::uint64_t num_redraws_ = 0;
    std::vector<std::vector<std::uint32_t>> copied_to_;  ///< owned ones of which each rank has copies
    std::vector<std::uint64_t> num_from_;                ///< copies from each rank
    std::vector<Vec3> outgoing_;
    std::vector<Vec3> incoming_;
    std::int64_t depth_ = 0;  ///< sum over pairs and surfaces, twice, in multiples of 2^-30
    std::int64_t touching_ = 0, overlapping_ = 0;  ///< of the same, twice
};

}  // namespace ricochet::detail
