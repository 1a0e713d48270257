// SPDX-License-Identifier: BSD-3-Clause
//
// One step of the reference in progress: which contact each particle has next, and what changes when it happens. Which
// of them is next of all is found in reference.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "tests/support/reference.hpp"
#include "tests/support/reference_bodies.hpp"
#include "tests/support/reference_rules.hpp"

namespace ricochet::test {

inline constexpr double never = std::numeric_limits<double>::infinity();
inline constexpr ContactKey no_contact{never, 0, 0, 0};
/// From this generation on a bounce of two that overlap deeply is let pass: it would go on for ever.
inline constexpr std::uint64_t wedged_generation = 64;
/// From this generation on a surface holds what reaches into it, if that came from another surface.
inline constexpr std::uint64_t held_generation = 8;

/// What the reference knows of a particle beyond its record.
struct ContactHistory {
    std::uint64_t num_contacts = 0;            ///< in this part of the step
    std::uint64_t generation = 0;              ///< of the latest one, if any
    double touched_at = no_contact_yet;        ///< the latest time, also before this part and this step
    std::optional<ParticleId> latest_partner;  ///< likewise; a particle or an obstacle
    std::optional<BodyNumber> membrane;        ///< if that was a body that it may pass
    bool has_passed = false;                   ///< that body
};

/// Where a wall is in a step, from its face along its axis: at the begin, the middle velocity, and the acceleration.
struct MovedWall {
    bool is_used = false;  ///< whether some wall moves
    double from = 0, velocity = 0, acceleration = 0, whole = 0;

    double at(double time) const {
        const double bend = 0.5 * (time * (time - whole));
        return from + velocity * time + bend * acceleration;
    }
    double velocity_at(double time) const { return velocity + (time - 0.5 * whole) * acceleration; }
};

/// One step in progress.
class ReferenceStep {
  public:
    ReferenceStep(const Box& box, Particles& particles, const ContactRules& rules,
                  const StepSettings& settings)
        : box_(box),
          images_(box),
          particles_(particles),
          rules_(rules),
          settings_(settings),
          surfaces_(body_surfaces(box, settings.bodies)),
          history_(particles.size()),
          falls_(!(settings.gravity == Vec3{})),
          walls_(walls_in_step(settings)),
          shapes_(shapes_of(box, rules, settings.bodies)),
          only_bounce_(!rules.change_matter()),
          has_tethers_(rules.have_tethers()) {
        remember_contacts_before();
        if (has_tethers_) particles_.track.keep_tethers();
        for (Motion& motion : particles_.motion) motion.time = settings.begin;
        list_obstacles();
        include_straight_paths();
    }

    std::size_t size() const { return particles_.size(); }
    ParticleId id(std::size_t i) const { return particles_.motion[i].id; }

    /// How far the particle's surface comes from its record's position until the step ends, on a straight path.
    /// Infinite where rules do more than bounce.
    double straight_reach(std::size_t i) const;
    /// Whether the nearest images of two are nearer than their reaches together.
    bool may_touch(std::size_t i, std::size_t j, double reach_of_both) const;

    ContactKey predict_pair(std::size_t i, std::size_t j) const;
    /// A contact with a wall or a body, and which of the body's surfaces, or their images, it is with.
    struct AtObstacle {
        ContactKey key = no_contact;
        std::size_t surface = 0;
    };
    /// The earliest one of particle i.
    AtObstacle predict_obstacles(std::size_t i) const;

    /// Lets the contact happen; i and j are the indices of key.low and key.high (j unused for an obstacle).
    void process(const ContactKey& key, std::size_t i, std::size_t j, std::size_t surface);
    bool is_exhausted() const { return result_.exhausted.has_value(); }
    StepResult finish();

  private:
    /// The time at which straight paths touch, likewise at walls.
    double time_of_pair(std::size_t low, std::size_t high) const;
    double time_at_wall(std::size_t i, int face) const;
    double time_of_shapes(std::size_t low, std::size_t high) const;
    /// How far from the centre a particle touches a wall.
    double reach_to_wall(std::size_t i, int face) const;
    Vec3 middle_along_wall(std::size_t i, int face) const;
    double time_at_body(std::size_t i, const BodySurface& surface) const;
    // With gravity: what is added to a place of the frame, the frame's velocity, and a particle's record in space.
    Vec3 shift_at(double time) const;
    Vec3 drift_at(double time) const;
    Motion in_space(const Motion& motion) const;
    static std::array<MovedWall, 6> walls_in_step(const StepSettings& settings);
    bool is_moved(int face) const { return walls_.front().is_used && face < 6; }
    double falling_time_at_wall(std::size_t i, int face) const;
    // Of particles that are no spheres, at bodies.
    bool is_shape_at(std::size_t i, const BodySurface& surface) const;
    SurfaceTouch touch_of_shape(std::size_t i, const BodySurface& surface) const;
    ConvexGap gap_of_shape(std::size_t i, const BodySurface& surface, Vec3 centre) const;
    Touched touched_by_shape(std::size_t i, const BodySurface& surface, double time) const;
    const Obstacle& obstacle_at(const BodySurface& surface) const {
        return obstacles_[static_cast<std::size_t>(&surface - surfaces_.data())];
    }
    Vec3 centre_in_space(std::size_t i, double time) const;
    Touched made_to_move(Touched at, std::size_t i, double time) const;
    Prospect prospect_at_body(std::size_t i, const BodySurface& surface) const;
    double at_once_if_so_near(std::size_t i, double approach, double time) const;
    double flight_time_to(const BodySurface& surface, const Motion& motion, double radius) const;
    BodyNumber part_met(std::size_t i, const BodySurface& surface) const;
    BodyNumber part_at(std::size_t i, const BodySurface& surface, double time) const;
    /// Whether the straight line between two centres meets a surface that stops both.
    bool is_body_between(std::size_t low, std::size_t high, double time) const;
    bool is_stopped(std::size_t i, BodyNumber body) const;
    bool may_pass(std::size_t i, BodyNumber body) const {
        return std::holds_alternative<Pass>(rule_at(i, body));
    }
    double time_at_membrane(std::size_t i, const BodySurface& surface) const;
    Prospect prospect_at_membrane(std::size_t i, const BodySurface& surface) const;
    ContactKey predict_wall(std::size_t i, int face) const;
    ContactKey predict_body(std::size_t i, const BodySurface& surface) const;
    Touched touched(const ContactKey& key, std::size_t i, std::size_t surface) const;
    Prospect prospect_of_pair(std::size_t low, std::size_t high) const;
    Prospect prospect_at_wall(std::size_t i, int face) const;
    void list_obstacles();
    void remember_contacts_before();
    void keep_times_of_contacts();
    ContactScene scene() const {
        return {rules_, box_, settings_.step, settings_.begin, settings_.dt, settings_.gravity, &shapes_};
    }
    Participant participant(std::size_t i) const {
        return {particles_.motion[i], particles_.attributes[i], history_[i].num_contacts,
                has_tethers_ ? particles_.track.tethers()[i] : Tethers(), history_[i].touched_at};
    }
    /// As their tethers let them act.
    ContactRule rule_of_pair(std::size_t i, std::size_t j) const;
    ContactRule rule_at(std::size_t i, BodyNumber body) const;
    std::optional<double> rate_of_pair(std::size_t i, std::size_t j) const;
    std::optional<double> rate_of_wall(std::size_t i, int face) const;
    bool are_tethered(std::size_t i, std::size_t j) const;
    Prospect prospect_of_tethered(std::size_t low, std::size_t high) const;
    double never_after_the_end(double time) const { return time < settings_.dt ? time : never; }
    bool is_absent(std::size_t i) const { return test::is_absent(particles_.attributes[i]); }
    bool were_latest_partners(std::size_t i, std::size_t j) const;
    std::uint64_t next_generation(std::size_t i, double time) const;
    /// The key, or no_contact where that contact is let pass.
    ContactKey unless_let_pass(const ContactKey& key) const;
    Outcome outcome_of(const ContactKey& key, std::size_t i, std::size_t j, std::size_t surface) const;
    void record(const ContactKey& key, std::size_t i, std::size_t j, std::size_t surface,
                const Outcome& outcome);
    void change(std::size_t i, const Participant& after);
    void count(std::size_t i, const ContactKey& key, ParticleId other, bool is_changed);
    /// The surface of a body that is round inside, where the particle is and finds no place; 0: there is none.
    ParticleId outgrown_by(std::size_t i) const;
    void remember_absorbed(std::size_t i, std::size_t j);
    void remove_absent();
    Vec3 wrapped_into_box(Vec3 x) const;
    void include_straight_paths();
    void include_path(std::size_t i);

    double largest_reach_ = 0;   ///< of reactions at rates, beyond a particle's surface
    double largest_extent_ = 0;  ///< radius + reach + straight path
    const Box& box_;
    const ImageLengths images_;
    Particles& particles_;
    const ContactRules& rules_;
    const StepSettings& settings_;
    std::vector<BodySurface> surfaces_;
    std::vector<ContactHistory> history_;
    bool falls_;
    std::array<MovedWall, 6> walls_;
    ShapeTable shapes_;
    std::vector<Obstacle> obstacles_;  ///< the surfaces as geometry has them, where there are shapes
    bool only_bounce_;
    bool has_tethers_;
    std::set<ContactKey> let_pass_;  ///< all that this has been decided of
    StepResult result_;
};

}  // namespace ricochet::test
