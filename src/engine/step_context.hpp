// SPDX-License-Identifier: BSD-3-Clause
//
// What the runs of islands may read of a step, and never write: the system, the slab, the interval and the
// window. WindowResolver and IntervalSearch set it between runs.
//
// Invariant: constant while any island runs. So any number of runs could read it at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contact/response.hpp"
#include "engine/boundary_event.hpp"
#include "engine/halo_check.hpp"
#include "geometry/contact_time.hpp"
#include "geometry/falling_times.hpp"
#include "geometry/shape_table.hpp"
#include "model/falling_frame.hpp"
#include "model/wall_path.hpp"
#include "model/world_facts.hpp"
#include "ricochet/contact/rules.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/time_span.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/obstacle_search.hpp"

namespace ricochet {

/// An event that a neighbour reported, on our slot of the particle.
struct RemoteEvent {
    Slot slot = 0;
    BoundaryEvent event;
    friend bool operator==(const RemoteEvent&, const RemoteEvent&) = default;
};

struct StepContext {
    StepContext(const World& world, const ContactRules& the_rules, const EngineOptions& the_options)
        : box(world.box),
          frame(frame_of(world)),
          falls(!frame.is_at_rest()),
          walls_move(has_moving_walls(world)),
          wall_motions(world.walls),
          rules(the_rules),
          changes_matter(the_rules.change_matter()),
          has_rates(the_rules.have_rates()),
          collapse_duration(the_rules.collapse_duration()),
          keeps_hopping(the_rules.collapse_duration() > 0 || !the_rules.may_collapse()),
          bodies_give_energy(the_rules.have_thermal_bodies() || has_moving_walls(world)),
          options(the_options),
          search(has_step_search(the_options.search)
                     ? make_search(the_options.search, box, the_options.search_options)
                     : nullptr),
          obstacles(world),
          shapes(world),
          has_shapes(shapes.has_shapes()) {
        RICOCHET_CHECK_EQ(rules.num_bodies(), first_body + num_body_parts(world.bodies));
    }

    /// Whether a neighbour might have the slot too; nearly always the answer is no, and found in the cache.
    bool may_be_shared(Slot slot) const { return !coverage.is_whole_box && holders->may_be_shared(slot); }
    /// Whether this rank records a contact of the two, and sends it: the lowest of the ranks that have both.
    bool is_reporting_rank(Slot a, Slot b) const {
        return ((*holders)[a] & (*holders)[b] & coverage.lower_ranks) == 0;
    }
    /// Whether this rank must send a contact of the two: some rank has one partner only.
    bool must_report(Slot a, Slot b) const {
        return (*holders)[a] != (*holders)[b] && is_reporting_rank(a, b);
    }
    /// What only slots near the faces are asked for.
    void prefetch_at_faces(Slot slot) const {
        if (!may_be_shared(slot)) return;
        holders->prefetch_mask(slot);
        if (!step_midpoints_x.empty()) prefetch(&step_midpoints_x[slot]);
    }

    /// The images for contact times, where radii grow.
    GrowingSpheres growing() const { return {images, growth}; }
    /// The rules, where they change matter; else null.
    const ContactRules* changing_rules() const { return changes_matter ? &rules : nullptr; }
    ContactSetting setting() const { return {&rules, step, span.begin, span.end}; }

    /// The motion in the laboratory, where bodies rest.
    Motion seen_by_bodies(const Motion& motion) const {
        return falls ? in_laboratory(motion, frame) : motion;
    }
    /// Where bodies see a centre at `time`; `motion`: as they see it.
    Vec3 place_seen(const Motion& motion, double time) const {
        return falls ? place_after({motion, frame.acceleration, frame.timestep}, time - motion.time)
                     : position_at(motion, time);
    }
    bool is_moving(const Obstacle& obstacle) const { return walls_move && obstacle.body < first_body; }
    /// The motion as an obstacle sees it: walls see it from where they are, as if they were in their faces.
    Motion seen_by(const Obstacle& obstacle, const Motion& motion) const {
        Motion seen = seen_by_bodies(motion);
        if (!is_moving(obstacle)) return seen;
        const int axis = static_cast<int>(obstacle.body / 2);
        seen.position[axis] -= walls[obstacle.body].place_at(motion.time);
        seen.velocity[axis] -= walls[obstacle.body].velocity_at(motion.time);
        return seen;
    }
    /// How far from its centre a particle touches the obstacle.
    double radius_towards(const Obstacle& obstacle, const Attributes& of) const {
        return has_shapes && obstacle.body < first_body ? shapes.distance_at_wall(of, obstacle.body)
                                                        : of.radius;
    }
    /// Whether the particle is no sphere, and the obstacle a surface of a body.
    bool is_shape_at_body(const Attributes& of, const Obstacle& obstacle) const {
        return has_shapes && obstacle.body >= first_body && shapes.at_bodies().has_shape(of.species);
    }
    /// How such a particle touches such a surface. `motion`: as bodies see it. Requires: is_shape_at_body().
    SurfaceTouch touch_at_body(const Motion& motion, const Attributes& of, const Obstacle& obstacle) const;
    /// Where it touches, with its centre at a place. `motion`: its path until then.
    Surface surface_of_shape(const Motion& motion, const Attributes& of, const Obstacle& obstacle,
                             Vec3 centre) const;
    /// Where a particle touches an obstacle at `time`. `motion`: as the obstacle sees it, which rests.
    Surface touching_surface(const Motion& motion, const Attributes& of, const Obstacle& obstacle,
                             double time) const {
        const Vec3 centre = place_seen(motion, time);
        return is_shape_at_body(of, obstacle) ? surface_of_shape(motion, of, obstacle, centre)
                                              : surface_at(centre, obstacle.shape);
    }
    /// When a particle touches an obstacle. `motion`: as the obstacle sees it.
    double touching_time(const Motion& motion, const Attributes& of, const Obstacle& obstacle) const {
        return is_shape_at_body(of, obstacle) ? touch_at_body(motion, of, obstacle).time
                                              : obstacle_time(motion, radius_towards(obstacle, of), obstacle);
    }
    /// The gap between both. `centre`: as the obstacle sees it.
    double gap_to(const Obstacle& obstacle, const Attributes& of, Vec3 centre) const {
        return is_shape_at_body(of, obstacle)
                   ? shapes.at_bodies().gap(of.species, obstacle, centre).distance
                   : distance_to(centre, obstacle.shape) - radius_towards(obstacle, of);
    }
    /// When a sphere touches an obstacle. `motion`: as the obstacle sees it.
    double obstacle_time(const Motion& motion, double radius, const Obstacle& obstacle) const {
        if (!falls && !is_moving(obstacle)) return obstacle_contact_time(motion, radius, obstacle.shape);
        Vec3 acceleration = frame.acceleration;
        if (is_moving(obstacle))
            acceleration[static_cast<int>(obstacle.body / 2)] -= walls[obstacle.body].acceleration;
        return falling_contact_time({motion, acceleration, frame.timestep}, radius, obstacle.shape);
    }

    /// Whether the bounding spheres hold the paths of the whole step, not of an interval.
    bool has_whole_paths() const { return step_midpoints_x.empty(); }
    /// The midpoint of the path that the slot had when the step began, along x.
    double step_midpoint_x(Slot slot) const {
        return has_whole_paths() ? spheres[slot].midpoint().x : static_cast<double>(step_midpoints_x[slot]);
    }

    /// Keeps the midpoints of the whole step's paths, by which particles and copies were assigned to ranks.
    void keep_midpoints(std::span<const Motion> motion);
    /// The part of the box in which the midpoints of these paths lie.
    SearchDomain domain_of_halo() const;

    const Box box;
    const ImageLengths images{box};
    const FallingFrame frame;  ///< in which paths are straight
    const bool falls;          ///< whether that is another than the laboratory
    const bool walls_move;     ///< whether some wall is not in its face; all are then met on parabolas
    const WallMotions wall_motions;
    const ContactRules rules;
    const bool changes_matter;       ///< whether rules do more than bounce, or particles decay
    const bool has_rates;            ///< whether rules have rates
    const double collapse_duration;  ///< as rules have it
    const bool keeps_hopping;  ///< whether what rests on a surface hops; else it is an inelastic collapse
    const bool bodies_give_energy;  ///< whether some have a temperature, or walls move
    const EngineOptions options;
    /// Enlarges spheres in runs, each run those of its own slots; null where a kinetic structure is used instead.
    const std::unique_ptr<BroadPhase> search;
    const ObstacleSearch obstacles;
    const ShapeTable shapes;
    const bool has_shapes;  ///< whether some particles are no spheres

    TimeSpan span;          ///< of the step
    WallPaths walls;        ///< in the laboratory, in this step
    double reach = 0;       ///< of reactions beyond surfaces (ContactRules::reach), the largest
    double growth = 0;      ///< of radii, 1/time (StepTask); 0: none
    bool ends_step = true;  ///< whether no other part of the step follows
    bool has_plain_contacts =
        true;  ///< whether radii do not grow, all are spheres, and rules do no more than bounce
    bool has_plain_walls =
        true;  ///< whether besides nothing falls, and walls rest: the wall ahead is the only one of an axis
    std::uint64_t step = 0;                   ///< its number
    Coverage coverage;                        ///< of the slab
    const Holders* holders = nullptr;         ///< the caller's
    TimeSpan interval;                        ///< that search and neighbours cover (search_interval.hpp)
    std::span<const BoundingSphere> spheres;  ///< by slot, of the paths of the interval; empty without search
    std::vector<float> step_midpoints_x;      ///< by slot; empty where spheres have them, or none are needed
    TimeSpan window;
    std::vector<RemoteEvent> remote;  ///< of the window, in the order of (slot, key)
    std::uint64_t most_searches = 0;  ///< beyond this count of searches the window is overloaded
};

}  // namespace ricochet
