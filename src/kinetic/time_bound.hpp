// SPDX-License-Identifier: BSD-3-Clause
//
// A time bound: a sphere that moves straight on and grows, and holds a particle whose acceleration is bounded.
//
// A particle is kicked by at most a dt before each step, with a its acceleration. At a time t after the reset it is no
// farther than a (t + dt/2)^2 / 2 from x + v t. Proof: say that there have been m kicks, the first of them at a time e.
// The distance is at most a dt (m (t - e) - dt m (m - 1) / 2). The bound minus that is at least a e m dt >= 0, for each
// m and t.
//
// So the radius of the bound is r + a (t + dt/2)^2 / 2. Without acceleration the bound is the particle's straight path.
//
// Source: the notes 球体衝突の続き ("Collisions of spheres, continued"), which number neither sections nor equations. Of a
// face through p with the normal n: (x(t) - p) n = r(t). Of two bounds: |x_i(t) - x_j(t)| = r_i(t) + r_j(t), squared to
// a quartic. Of the reset: after sqrt((L - 2 r) / A), which says that r(t) = r + A t^2 / 2. The notes have
// accelerations in place of kicks: there dt is 0.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/bernstein.hpp"
#include "geometry/contact_time.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

struct TimeBound {
    Vec3 centre, velocity;    ///< when it was reset
    double since = 0;         ///< when that was
    double radius = 0;        ///< what it is to hold, besides the acceleration
    double acceleration = 0;  ///< length/time^2
    double delay = 0;         ///< dt/2

    Vec3 centre_at(double time) const { return centre + (time - since) * velocity; }
    /// The radius as a polynomial of the time after `time`.
    Polynomial<2> radius_from(double time) const {
        const double age = time - since + delay;
        return {{radius + 0.5 * acceleration * age * age, acceleration * age, 0.5 * acceleration}};
    }
    /// When its diameter is as large as that.
    double time_of_diameter(double diameter) const {
        if (acceleration == 0) return never;
        const double growth = std::max(0.0, diameter - 2 * radius);
        return since - delay + std::sqrt(growth / acceleration);
    }
    /// Whether it holds a particle that is now `away` from its centre and moves on straight for some time, with this
    /// velocity. `room` is allowed for rounding.
    bool holds_path(Vec3 away, Vec3 particle_velocity, double now, double duration, double room) const {
        const double change = norm(particle_velocity - velocity), age = now - since + delay;
        if (age < delay) return false;
        // |away| + change t <= a (age + t)^2 / 2: hardest where the slopes are equal.
        const double hardest =
            acceleration > 0 ? std::clamp(change / acceleration - age, 0.0, duration) : duration;
        const double reached = norm(away) + change * hardest;
        return reached <= 0.5 * acceleration * (age + hardest) * (age + hardest) + room;
    }
};

/// The first time, not negative, at which a quadratic that begins negative has become 0; infinite where it never does.
inline double first_rise(double c0, double c1, double c2) {
    if (c0 >= 0) return 0;
    const double discriminant = c1 * c1 - 4 * c2 * c0;
    if (discriminant < 0) return never;
    const double root = std::sqrt(discriminant);
    if (c1 > 0) return -2 * c0 / (c1 + root);
    return c2 > 0 ? (root - c1) / (2 * c2) : never;
}

/// When two bounds begin to touch: they are `apart` now, centre from centre, and do not touch yet. Infinite where they
/// do not before `until`.
inline double meeting_time(Vec3 apart, Vec3 relative_velocity, const Polynomial<2>& sum_of_radii,
                           double until) {
    const double c0 = dot(apart, apart), c1 = 2 * dot(apart, relative_velocity),
                 c2 = dot(relative_velocity, relative_velocity);
    if (sum_of_radii.c[1] == 0 && sum_of_radii.c[2] == 0)
        return first_rise(sum_of_radii.c[0] * sum_of_radii.c[0] - c0, -c1, -c2);
    return first_fall(Polynomial<2>{{c0, c1, c2}} - sum_of_radii * sum_of_radii, until);
}

}  // namespace ricochet
