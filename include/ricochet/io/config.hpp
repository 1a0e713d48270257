// SPDX-License-Identifier: BSD-3-Clause
//
// What one run is: everything an input file says, checked, with all defaults filled in. Plain data; other
// layers take what they need from it.
//
// An input is YAML. A table with one row per key (config_table.hpp) drives the parsing, the errors, the
// reference input inputs/all_options.yaml and the help; config_rules.cpp has the rules that tie keys
// together. Nothing stops at the first mistake: InputError carries one line per error, each with its place,
// the key, what was got and what was expected:
//     inputs/a.yaml:12:5: run.timestep: got -0.1, expected a number > 0 (time between exchanges)
// Errors in an override name the override in place of the file: "--set run.timestep=-1: run.timestep: ...".
//
// Numbers are in the input's own consistent units; the words of the units section are only passed on.
// No MPI here: one rank reads the text and the others get it, so that all parse the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/core/species.hpp"
#include "ricochet/engine/step_engine.hpp"

namespace ricochet {

/// Words only: what length, time and energy the numbers are in.
struct UnitWords {
    std::string length, time, energy;

    friend bool operator==(const UnitWords&, const UnitWords&) = default;
};

enum class PlacementMethod : std::uint8_t { random, lattice, file };
enum class LatticeType : std::uint8_t { simple_cubic, face_centred_cubic, square, hexagonal };

struct PlacementOptions {
    PlacementMethod method = PlacementMethod::random;
    LatticeType lattice = LatticeType::simple_cubic;  ///< with method lattice
    std::string path;                                 ///< with method file; as written, see placement_path()
    std::optional<std::uint64_t> frame;               ///< of an H5MD file; none: the last complete one

    friend bool operator==(const PlacementOptions&, const PlacementOptions&) = default;
};

enum class DynamicsType : std::uint8_t { ballistic, brownian };
/// Ballistic start velocities: Maxwell's distribution at kT; speed sqrt(dimension kT / mass) in a random
/// direction; as the placement file gives them.
enum class StartVelocities : std::uint8_t { maxwell, equal_speed, given };

struct DynamicsOptions {
    DynamicsType type = DynamicsType::ballistic;
    double kT = 1;                                          ///< energy; unused with given velocities
    StartVelocities velocities = StartVelocities::maxwell;  ///< ballistic only

    friend bool operator==(const DynamicsOptions&, const DynamicsOptions&) = default;
};

/// A coefficient of restitution for one pair of species; b may be wall_species; a <= b.
struct PairRestitution {
    SpeciesIndex a = 0, b = 0;
    double restitution = 1;

    friend bool operator==(const PairRestitution&, const PairRestitution&) = default;
};

struct ContactOptions {
    double restitution = 1;              ///< of all pairs of particles without a rule of their own
    double wall_restitution = 1;         ///< of all particles with walls, without a rule of their own
    std::vector<PairRestitution> pairs;  ///< the rules, in the order of the input, each pair at most once

    friend bool operator==(const ContactOptions&, const ContactOptions&) = default;
};

/// Slab faces where the measured work is even, or slabs of equally many slices.
enum class BalanceChoice : std::uint8_t { measured, even };

struct RunOptions {
    double timestep = 0;          ///< time
    std::uint64_t num_steps = 0;  ///< recorded steps
    std::uint64_t seed = 1;       ///< of everything random
    /// Collisions per particle before step 0, not recorded. None: 0, but where a lattice stands in for a
    /// random start until it has melted.
    std::optional<double> equilibrate;
    std::uint64_t contact_cap = 0;  ///< contacts per particle and step that end the run
    double sub_window = 0;          ///< tuning: expected contacts per particle in one sub-window
    double halo_margin = 0;         ///< tuning: halo width W = r_a + r_b + 2 halo_margin d_max
    BalanceChoice balance = BalanceChoice::measured;  ///< tuning
    double watchdog = 0;  ///< minutes of wall-clock time without a step that end the run; 0: none

    friend bool operator==(const RunOptions&, const RunOptions&) = default;
};

enum class CollisionChoice : std::uint8_t { all, none, pairs };
enum class OutputPrecision : std::uint8_t { float32, float64 };
enum class OutputCompression : std::uint8_t { none, gzip };

struct CheckpointOptions {
    std::uint64_t every_steps = 0;  ///< 0: not by steps
    double every_minutes = 0;       ///< of wall-clock time; 0: not by time
    std::uint64_t keep = 0;         ///< how many of the newest stay

    friend bool operator==(const CheckpointOptions&, const CheckpointOptions&) = default;
};

struct OutputOptions {
    std::string file;                     ///< relative to the working directory
    std::string author;                   ///< for the result's /h5md/author
    std::uint64_t trajectory_every = 0;   ///< steps between frames; 0: no trajectory
    std::uint64_t observables_every = 0;  ///< steps between rows of observables; 0: none
    CollisionChoice collisions = CollisionChoice::all;
    std::vector<std::pair<SpeciesIndex, SpeciesIndex>>
        collision_pairs;                      ///< with pairs; second may be wall_species
    std::uint64_t collision_byte_budget = 0;  ///< bytes of log after which logging ends, with a message
    OutputPrecision precision = OutputPrecision::float64;     ///< of positions and velocities in frames
    OutputCompression compression = OutputCompression::none;  ///< of frames
    CheckpointOptions checkpoint;

    friend bool operator==(const OutputOptions&, const OutputOptions&) = default;
};

/// Where in the input a key stands, for messages. Inputs that say the same are equal wherever they say it.
struct InputPlace {
    std::string text;

    friend bool operator==(const InputPlace& /*a*/, const InputPlace& /*b*/) { return true; }
};

struct Config {
    std::string input_name;  ///< as given to parse_config; names the input in messages
    InputPlace box_size_place, timestep_place;
    std::string title;
    UnitWords units;
    Box box;
    /// At least one. Counts are final (derived from densities or fractions), except with placement from a
    /// file, where they are 0 and the file decides. A mass or diffusion of 0 was not given.
    std::vector<Species> species;
    PlacementOptions placement;
    DynamicsOptions dynamics;
    ContactOptions contacts;
    SearchMethod search = SearchMethod::automatic;
    RunOptions run;
    OutputOptions output;

    friend bool operator==(const Config&, const Config&) = default;
};

/// The run that a YAML text describes. `name` stands for the text in messages, and names of other files in it
/// are relative to the folder of `name`. Each override is "key=value" (run.timestep=0.1, species.0.count=10;
/// an empty value removes the key) and is applied before anything is checked. Throws InputError with one line
/// per error. Deterministic; linear in the text.
Config parse_config(const std::string& text, const std::string& name,
                    std::span<const std::string> overrides = {});

/// parse_config of the file at `path`, which is also its name. Throws InputError when it cannot be read.
Config load_config(const std::string& path, std::span<const std::string> overrides = {});

/// The complete input, with all defaults filled in and all counts final. parse_config of it, under the same
/// name, gives an equal Config.
std::string effective_yaml(const Config& config);

/// What differs between two texts of effective_yaml beyond the keys that may change when a run is continued
/// (Option::may_change): "run.timestep was 0.1 and is 0.2", one entry per key, in the order of the input.
std::vector<std::string> forbidden_changes(const std::string& before, const std::string& now);

/// Hash of all values of an effective_yaml text but those of keys that may change when a run is continued.
std::uint64_t hash_of_fixed_keys(const std::string& effective);

/// The file that particles come from, found from the folder of the input; empty without one.
std::string placement_path(const Config& config);

/// One entry for every pair of species a <= b and for every species with a wall (b = wall_species), ordered
/// by (a, b): rules of pairs first, defaults otherwise.
std::vector<PairRestitution> restitution_of_pairs(const Config& config);

/// Sum of the species' counts.
std::uint64_t num_particles(const Config& config);

/// The largest radius that a particle of this species can have.
double largest_radius(const Species& species);

/// Fraction of the box's volume (area in 2D) that the particles fill, by the counts.
double volume_fraction(const Config& config);

/// The words of an input for these values: "fcc", "equal_speed", ...
std::string_view to_word(PlacementMethod value);
std::string_view to_word(LatticeType value);
std::string_view to_word(DynamicsType value);
std::string_view to_word(StartVelocities value);
std::string_view to_word(SearchMethod value);
std::string_view to_word(OutputPrecision value);
std::string_view to_word(OutputCompression value);
std::string_view to_word(Boundary value);

}  // namespace ricochet
