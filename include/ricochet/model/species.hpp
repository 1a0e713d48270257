// SPDX-License-Identifier: BSD-3-Clause
//
// A species as the user describes it, and how strongly particles are driven. Plain data: the configuration fills it,
// placement turns it into particles. All numbers are in the input's own consistent unit system; nothing is converted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// Radii with a log-normal distribution about `median`, restricted to [minimum, maximum].
struct LogNormalRadius {
    double median = 0;   ///< length
    double sigma = 0;    ///< standard deviation of ln(radius)
    double minimum = 0;  ///< length
    double maximum = 0;  ///< length

    friend bool operator==(const LogNormalRadius&, const LogNormalRadius&) = default;
};

/// D = temperature / (6 pi viscosity radius), per particle.
struct StokesEinstein {
    double viscosity = 0;    ///< energy time / length^3
    double temperature = 0;  ///< kT, an energy

    friend bool operator==(const StokesEinstein&, const StokesEinstein&) = default;
};

/// Edge of the base and height, lengths.
struct BaseAndHeight {
    double base = 0, height = 0;

    friend bool operator==(const BaseAndHeight&, const BaseAndHeight&) = default;
};

/// A convex body with flat faces that does not turn: one of these. In two dimensions square, triangle or points.
struct ConvexShape {
    std::optional<double> cube, square;     ///< edge, along the axes of the box
    std::optional<BaseAndHeight> pyramid;   ///< of a square base; its tip points along z
    std::optional<BaseAndHeight> triangle;  ///< isosceles; its tip points along y
    std::vector<Vec3> points{};             ///< whose convex hull it is

    friend bool operator==(const ConvexShape&, const ConvexShape&) = default;
};

struct Species {
    std::string name;
    double radius = 0;  ///< length; ignored when radius_distribution is set
    std::optional<LogNormalRadius> radius_distribution;
    double mass = 0;       ///< ballistic particles
    double diffusion = 0;  ///< Brownian particles: length^2 / time; ignored with stokes_einstein
    std::optional<StokesEinstein> stokes_einstein;
    std::uint64_t count = 0;             ///< particles of this species in the whole box
    std::uint32_t frozen_axes = 0;       ///< those along which its particles do not move, as in Attributes
    std::optional<ConvexShape> shape{};  ///< as the user says it; none: a sphere
    /// Of a shape, about its centre of mass; `radius` is then that of a sphere around them. Empty: a sphere.
    std::vector<Vec3> corners{};
    double content = 0;           ///< volume of a shape, in two dimensions its area
    std::optional<Vec3> force{};  ///< Brownian particles: on each, energy/length; none: no force

    friend bool operator==(const Species&, const Species&) = default;
};

/// A drive changes a velocity by at most the particle's acceleration times the timestep, before each step
/// (dynamics/kicks.hpp). A search may count on that (kinetic/time_bounds.hpp). Each particle has an acceleration of its
/// own (model/acceleration.hpp).
struct Kicks {
    double least_acceleration = 0, most_acceleration = 0;  ///< length/time^2; 0: no particle is driven
    double interval = 0;                                   ///< time between kicks: the timestep
    std::uint64_t seed = 0;

    friend bool operator==(const Kicks&, const Kicks&) = default;
};

}  // namespace ricochet
