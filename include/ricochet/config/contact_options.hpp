// SPDX-License-Identifier: BSD-3-Clause
//
// Walls that move, bodies, and what happens at contacts, as an input says it: parts of Config.
//
// A body's shape is a section of its own. In two dimensions shapes have other words too: disc, stadium, rectangle and
// line stand for sphere, capsule, box and plane. The effective input has the word of the input.
//
// Spheres from a file are many, so the effective input has the name of the file and the hash of its spheres. That a
// file has changed is then seen, also when a run is continued.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/config/word.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

// --- bodies

constexpr auto words_of(BodySide /*selects*/) {
    using enum BodySide;
    return std::array{Word{"outside", outside, "beside the body; of a plane, where its normal points to"},
                      Word{"inside", inside, "within it, and nowhere else"},
                      Word{"both", both, "on both sides of its surface, which none crosses"}};
}

struct SphereListOptions {
    std::optional<std::string> file{};  ///< as written, see body_file_path(); none: the input has the list
    std::optional<std::string> hash{};  ///< of the spheres of a file, 16 hexadecimal digits
    std::vector<BodySphere> spheres{};  ///< empty where the file was not read

    /// The hash stands for the spheres of a file.
    friend bool operator==(const SphereListOptions& a, const SphereListOptions& b) {
        return a.file == b.file && (a.file ? a.hash == b.hash : a.spheres == b.spheres);
    }
};

/// A part of the surface of a body. Either the direction, from the middle of the body to the middle of the patch, or
/// its place is there.
struct PatchOptions {
    std::string name;
    std::optional<Vec3> direction{}, centre{};
    double radius = 0;

    friend bool operator==(const PatchOptions&, const PatchOptions&) = default;
};

/// Exactly one shape is there. Directions are as written, of any length.
struct BodyOptions {
    std::string name;
    std::optional<BodySphere> sphere{}, disc{};
    std::optional<BodyCapsule> capsule{}, stadium{};
    std::optional<BodyCylinder> cylinder{};
    std::optional<BodyBox> box{}, rectangle{};
    std::optional<BodyPlane> plane{}, line{};
    std::optional<SphereListOptions> spheres{};
    BodySide side = BodySide::outside;
    std::vector<PatchOptions> patches{};

    friend bool operator==(const BodyOptions&, const BodyOptions&) = default;
};

// --- walls and contacts

/// The walls of the box: 2 axis + (0 low, 1 high).
enum class WallFace : std::uint8_t { x_low, x_high, y_low, y_high, z_low, z_high };
constexpr auto words_of(WallFace /*selects*/) {
    using enum WallFace;
    return std::array{Word{"x-", x_low},  Word{"x+", x_high}, Word{"y-", y_low},
                      Word{"y+", y_high}, Word{"z-", z_low},  Word{"z+", z_high}};
}

struct VibratingOptions {
    double amplitude = 0;  ///< length: half of the swing, about a place this far inside the face
    double frequency = 0;  ///< 1/time
    double phase = 0;      ///< in periods

    friend bool operator==(const VibratingOptions&, const VibratingOptions&) = default;
};

/// A wall that moves, ballistic.
struct WallOptions {
    WallFace face{};
    double velocity = 0;  ///< inwards, length/time
    std::optional<VibratingOptions> vibrating{};

    friend bool operator==(const WallOptions&, const WallOptions&) = default;
};
WallMotion wall_motion(const WallOptions& wall);

/// The partners of a contact become others, or end.
struct ReactOptions {
    std::vector<SpeciesIndex> products{};  ///< at most two, at a wall one; the first is that of PairRule::a
    double probability = 1;                ///< ballistic: for each contact
    /// Brownian: the intrinsic rate, length^dimension/time, at walls length/time. None: infinite.
    std::optional<double> rate{};

    friend bool operator==(const ReactOptions&, const ReactOptions&) = default;
};

/// One sphere comes of two.
struct CoalesceOptions {
    std::optional<double> rate{};  ///< as of a reaction

    friend bool operator==(const CoalesceOptions&, const CoalesceOptions&) = default;
};

/// Partners bounce, and are tethered from then on.
struct StickOptions {
    double length = 2;                             ///< of the tether, over the sum of the radii
    double probability = 1;                        ///< ballistic: for each contact
    std::optional<double> rate{};                  ///< as of a reaction
    std::array<std::uint64_t, 2> valence{12, 12};  ///< the most tethers of a partner: of PairRule::a, of b
    double break_rate = 0;                         ///< 1/time

    friend bool operator==(const StickOptions&, const StickOptions&) = default;
};

/// Both go on as if nothing had happened.
struct PassOptions {
    std::optional<double> probability{};  ///< at a body, ballistic; none: all pass
    std::optional<double> rate{};         ///< at a body, Brownian: length/time; none: all pass

    friend bool operator==(const PassOptions&, const PassOptions&) = default;
};

/// At walls and bodies, ballistic: particles leave with velocities of a gas at this kT.
struct ThermalOptions {
    double kT = 1;  ///< energy

    friend bool operator==(const ThermalOptions&, const ThermalOptions&) = default;
};

/// A rule for one pair of species, or for a species and walls or a body. At most one of react, coalesce, pass, stick
/// and thermal is there.
struct PairRule {
    SpeciesIndex a = 0, b = 0;  ///< b may be wall_species; a <= b, but with react and stick as in the input
    std::vector<WallFace> faces{};  ///< with wall_species: for which walls, ascending; empty: for all
    std::optional<std::uint32_t>
        body{};  ///< with wall_species: in place of walls, its place in Config::bodies
    std::optional<std::uint32_t> patch{};     ///< with a body: only there, its place in BodyOptions::patches
    std::optional<double> restitution{};      ///< of the contacts that bounce; none where none does
    std::optional<RestitutionLaw> bridges{};  ///< in its place
    std::optional<ReactOptions> react{};
    std::optional<CoalesceOptions> coalesce{};
    std::optional<PassOptions> pass{};
    std::optional<StickOptions> stick{};
    std::optional<ThermalOptions> thermal{};

    friend bool operator==(const PairRule&, const PairRule&) = default;
};

/// Whether no contact of particles without tethers bounces: it passes, coalesces, reacts for certain or meets a
/// surface of a temperature.
bool never_bounces(const PairRule& rule);

/// Bounces soon after a contact are elastic.
struct CollapseOptions {
    double duration = 0;  ///< time, > 0: World::collapse_duration

    friend bool operator==(const CollapseOptions&, const CollapseOptions&) = default;
};

struct ContactOptions {
    double restitution = 1;       ///< of all pairs of particles without a rule of their own
    double wall_restitution = 1;  ///< of all particles with walls and bodies, without a rule of their own
    /// In the place of each of the two, which is then 1.
    std::optional<RestitutionLaw> bridges{}, wall_bridges{};
    std::optional<CollapseOptions> collapse{};  ///< ballistic; none: it is not prevented
    std::vector<PairRule> pairs;  ///< the rules, in the order of the input; no two are for the same contact

    friend bool operator==(const ContactOptions&, const ContactOptions&) = default;
};

}  // namespace ricochet
