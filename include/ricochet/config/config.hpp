// SPDX-License-Identifier: BSD-3-Clause
//
// The description of one run: everything an input file says, checked, with all defaults filled in. Plain
// data; other layers take what they need from it.
//
// An input is YAML. A table with one row per key (src/config/config_rows_*.cpp) connects each key with its
// member here. Parsing, errors, defaults, the effective input, the reference input, the JSON Schema and the
// help follow from it. The rules in config_rules.cpp tie keys together.
//
// All errors are reported together. InputError has one line per error, each with place, key, value found and
// value expected:
//     inputs/a.yaml:12:5: run.timestep: got -0.1, expected a number > 0 (time between exchanges)
// Errors in an override name it in place of the file: "--set run.timestep=-1: run.timestep: ...".
//
// Numbers are in the input's own consistent units; the words of the units section are only passed on. There
// is no MPI here: one rank reads the text and sends it to the others, so that all parse the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ricochet/config/contact_options.hpp"
#include "ricochet/config/word.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/search/search_method.hpp"

namespace ricochet {

/// The units of length, time and energy, as words only.
struct UnitWords {
    std::string length, time, energy;

    friend bool operator==(const UnitWords&, const UnitWords&) = default;
};

constexpr auto words_of(Boundary /*selects*/) {
    using enum Boundary;
    return std::array{Word{"periodic", periodic}, Word{"reflecting", reflecting}};
}

enum class PlacementMethod : std::uint8_t { random, dense, grow, lattice, file };
constexpr auto words_of(PlacementMethod /*selects*/) {
    using enum PlacementMethod;
    return std::array{
        Word{"random", random,
             "without overlap; too dense for that (beyond about 0.34 in 3D, 0.49 in 2D): dense"},
        Word{"dense", dense,
             "random points, whose soft spheres and shapes repel each other until none overlap, at "
             "any fraction below that of a disordered packing"},
        Word{"grow", grow,
             "a random gas whose particles grow while they fly and bounce (Lubachevsky and Stillinger)"},
        Word{"lattice", lattice}, Word{"file", file}};
}

enum class LatticeType : std::uint8_t { simple_cubic, face_centred_cubic, square, hexagonal };
constexpr auto words_of(LatticeType /*selects*/) {
    using enum LatticeType;
    return std::array{Word{"sc", simple_cubic}, Word{"fcc", face_centred_cubic}, Word{"square", square},
                      Word{"hexagonal", hexagonal}};
}

struct PlacementOptions {
    PlacementMethod method = PlacementMethod::random;
    double rate = 0.1, from = 0.3;         ///< with method grow (GrowthOptions of run)
    std::optional<double> until_pressure;  ///< likewise; box.size is then a shape, until one is found
    LatticeType lattice = LatticeType::simple_cubic;  ///< with method lattice
    std::string path;                                 ///< with method file; as written, see placement_path()
    std::optional<std::uint64_t> frame;               ///< of the file; none: the last complete one
    std::optional<std::string> group;                 ///< of an H5MD file; none: all groups of particles

    friend bool operator==(const PlacementOptions&, const PlacementOptions&) = default;
};

enum class DynamicsType : std::uint8_t { ballistic, brownian };
constexpr auto words_of(DynamicsType /*selects*/) {
    using enum DynamicsType;
    return std::array{Word{"ballistic", ballistic, "free flight"},
                      Word{"brownian", brownian,
                           "each step's velocity is drawn afresh, sqrt(2 D/timestep) times a normal number; "
                           "contacts are those of the straight steps, and their number per time grows as "
                           "timestep^-1/2: it is no encounter rate"}};
}

/// Ballistic start velocities: Maxwell's distribution at kT; equal speeds sqrt(dimension kT / mass) in random
/// directions; as in the placement file. The last takes those of a file that has some, else Maxwell's.
enum class StartVelocities : std::uint8_t { maxwell, equal_speed, given, given_or_maxwell };
constexpr auto words_of(StartVelocities /*selects*/) {
    using enum StartVelocities;
    return std::array{
        Word{"maxwell", maxwell, "normal at kT"},
        Word{"equal_speed", equal_speed, "sqrt(dimension kT/mass) in a random direction"},
        Word{"given", given, "from the placement file"},
        Word{"given_or_maxwell", given_or_maxwell, "given where the file has velocities, else maxwell"}};
}

/// What changes the velocities of ballistic particles between steps (dynamics/kicks.hpp).
enum class DriveType : std::uint8_t { random_accelerations, velocity_field };
constexpr auto words_of(DriveType /*selects*/) {
    using enum DriveType;
    return std::array{Word{"random_accelerations", random_accelerations,
                           "each in a random direction of its own, drawn anew after each redirect_every"},
                      Word{"velocity_field", velocity_field,
                           "towards the velocity of Taylor-Green vortices as large as the box"}};
}

struct DriveOptions {
    DriveType type = DriveType::random_accelerations;
    double least_acceleration = 0, most_acceleration = 0;  ///< length/time^2, of the particles' own
    std::optional<double> speed_limit{};                   ///< none: infinite
    double redirect_every = 0;                             ///< time; with random_accelerations
    double flow_speed = 0;                                 ///< with velocity_field

    friend bool operator==(const DriveOptions&, const DriveOptions&) = default;
};

struct DynamicsOptions {
    DynamicsType type = DynamicsType::ballistic;
    double kT = 1;                                          ///< energy; unused with given velocities
    StartVelocities velocities = StartVelocities::maxwell;  ///< ballistic only
    std::optional<DriveOptions> drive{};                    ///< likewise

    friend bool operator==(const DynamicsOptions&, const DynamicsOptions&) = default;
};

/// Fields that act on all particles alike, at all times. One of both is there, and not 0. Forces are of the species.
struct FieldOptions {
    std::optional<Vec3> gravity{};  ///< ballistic: length/time^2
    std::optional<Vec3> drift{};    ///< Brownian: mean velocity, length/time

    friend bool operator==(const FieldOptions&, const FieldOptions&) = default;
};

constexpr auto words_of(GravityForm /*selects*/) {
    using enum GravityForm;
    return std::array{Word{"inverse_square", inverse_square, "G m / distance^2"},
                      Word{"inverse", inverse, "G m / distance, which masses have in two dimensions"}};
}

constexpr auto words_of(GravityMethod /*selects*/) {
    using enum GravityMethod;
    return std::array{Word{"direct", direct, "over all pairs"},
                      Word{"tree", tree, "far groups by their moments up to the quadrupole"}};
}

enum class Axis : std::uint8_t { x, y, z };
constexpr auto words_of(Axis /*selects*/) {
    using enum Axis;
    return std::array{Word{"x", x}, Word{"y", y}, Word{"z", z}};
}

/// Particles become others, or end, by themselves.
struct DecayRule {
    SpeciesIndex from = 0;
    std::vector<SpeciesIndex> products{};  ///< at most two; the first continues the particle
    double rate = 0;                       ///< 1/time

    friend bool operator==(const DecayRule&, const DecayRule&) = default;
};

/// How slabs are cut: into equal measured work, or into equally many slices.
enum class BalanceChoice : std::uint8_t { measured, even };
constexpr auto words_of(BalanceChoice /*selects*/) {
    using enum BalanceChoice;
    return std::array{Word{"measured", measured, "cuts move to where all ranks work for the same time"},
                      Word{"even", even, "slabs of the same thickness"}};
}

constexpr auto words_of(SearchMethod /*selects*/) {
    return std::apply(
        [](const auto&... searches) {
            return std::array{Word{"auto", SearchMethod::automatic},
                              Word{searches.word, search_named(searches.word)}...};
        },
        registered_searches);
}

constexpr auto words_of(SearchLoop /*selects*/) {
    using enum SearchLoop;
    return std::array{
        Word{"auto", automatic, "windows where the method can, else queue"},
        Word{"windows", windows, "candidates of a step at its start, and contacts in sub-windows"},
        Word{"queue", queue, "one queue of contacts and of the events in which candidates change"},
        Word{"restart", restart, "the same, and after each contact all particles are searched again"},
        Word{"precheck", precheck, "as restart, but pairs too far apart to touch next are not tested"}};
}

/// Which steps of Brownian particles that react are accepted.
enum class ReactionSteps : std::uint8_t { moderate, any };
constexpr auto words_of(ReactionSteps /*selects*/) {
    using enum ReactionSteps;
    return std::array{Word{"moderate", moderate, "relative steps of at most 3 contact distances"},
                      Word{"any", any, "also longer ones, whose rates are known to be wrong"}};
}

struct RunOptions {
    double timestep = 0;          ///< time
    std::uint64_t num_steps = 0;  ///< recorded steps
    std::uint64_t seed = 1;       ///< of everything random
    /// Collisions per particle before step 0, not recorded. None means 0, except for a dense or grown start of
    /// ballistic particles, which runs until its contact rate is steady.
    std::optional<double> equilibrate;
    std::uint64_t contact_cap = 0;  ///< contacts per particle and step that end the run
    double sub_window = 0;          ///< tuning: expected contacts per particle in one sub-window
    double halo_margin = 0;         ///< tuning: halo width W = r_a + r_b + 2 halo_margin d_max
    BalanceChoice balance = BalanceChoice::measured;  ///< tuning
    ReactionSteps reaction_steps = ReactionSteps::moderate;
    double watchdog = 0;  ///< minutes of wall-clock time without a step that end the run; 0: none

    friend bool operator==(const RunOptions&, const RunOptions&) = default;
};

/// The choice `pairs` has no word; the input has a list of pairs instead.
enum class CollisionChoice : std::uint8_t { all, none, pairs };
constexpr auto words_of(CollisionChoice /*selects*/) {
    using enum CollisionChoice;
    return std::array{Word{"all", all}, Word{"none", none}};
}

enum class OutputPrecision : std::uint8_t { float32, float64 };
constexpr auto words_of(OutputPrecision /*selects*/) {
    using enum OutputPrecision;
    return std::array{Word{"float32", float32}, Word{"float64", float64}};
}

enum class OutputCompression : std::uint8_t { none, gzip };
constexpr auto words_of(OutputCompression /*selects*/) {
    using enum OutputCompression;
    return std::array{Word{"none", none}, Word{"gzip", gzip}};
}

enum class OutputSafety : std::uint8_t { kill, power_loss };
constexpr auto words_of(OutputSafety /*selects*/) {
    using enum OutputSafety;
    return std::array{Word{"kill", kill}, Word{"power_loss", power_loss}};
}

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
    OutputSafety survives = OutputSafety::kill;               ///< what the result survives at any moment
    double flush_every_seconds = 1;                           ///< of wall-clock time; 0: at every frame
    double sync_every_seconds = 30;                           ///< of wall-clock time; 0: at every flush
    CheckpointOptions checkpoint;

    friend bool operator==(const OutputOptions&, const OutputOptions&) = default;
};

/// The place of a key in the input, for messages. Inputs with equal values are equal wherever keys stand.
struct InputPlace {
    std::string text;

    friend bool operator==(const InputPlace& /*a*/, const InputPlace& /*b*/) { return true; }
};

/// A volume that follows from the box and its bodies. It makes no difference between inputs.
struct DerivedVolume {
    std::optional<double> value;

    friend bool operator==(const DerivedVolume& /*a*/, const DerivedVolume& /*b*/) { return true; }
};

struct Config {
    std::string input_name;  ///< as given to parse_config; names the input in messages
    InputPlace box_size_place, timestep_place;
    std::string title;
    UnitWords units;
    Box box;
    std::vector<WallOptions> walls;   ///< those that move
    std::vector<BodyOptions> bodies;  ///< beside the walls of the box
    /// That bodies, and walls at the start, leave in the box; none without both, or without all spheres.
    DerivedVolume free_volume;
    /// At least one species. Counts are final (derived from densities or fractions). With placement from a
    /// file they are 0, and the file decides. A mass or diffusion of 0 was not given.
    std::vector<Species> species;
    PlacementOptions placement;
    DynamicsOptions dynamics;
    std::optional<FieldOptions> fields;
    std::optional<GravitySetting> self_gravity;  ///< none: particles do not attract each other
    ContactOptions contacts;
    std::vector<DecayRule> decays;  ///< in the order of the input
    SearchMethod search = SearchMethod::automatic;
    SearchOptions search_options;
    SearchLoop search_loop = SearchLoop::automatic;  ///< possible for the method
    RunOptions run;
    OutputOptions output;

    friend bool operator==(const Config&, const Config&) = default;
};

/// The text of a file at a path. Throws InputError when it cannot be read.
using FileReader = std::function<std::string(const std::string& path)>;

/// The run that a YAML text describes. `name` stands for the text in messages; names of other files in the
/// text are relative to its folder. Each override is "key=value" (run.timestep=0.1, species.0.count=10),
/// applied before any check; an empty value removes the key. `read` reads the files of bodies; without it their
/// spheres stay empty (has_all_bodies). Throws InputError with one line per error.
/// Deterministic; linear in the text.
Config parse_config(const std::string& text, const std::string& name,
                    std::span<const std::string> overrides = {}, const FileReader& read = {});

/// The text of an input file of at most 64 MB. It is a regular file, or one that is open already under the
/// names /dev/stdin and /dev/fd/N. Throws InputError when it cannot be read. Local.
std::string read_input_text(const std::string& path);

/// The text of a file of spheres of at most 2 GB, likewise.
std::string read_sphere_text(const std::string& path);

/// parse_config of the file at `path`, which is also its name, and of all files that it names. Throws InputError when
/// one cannot be read.
Config load_config(const std::string& path, std::span<const std::string> overrides = {});

/// The complete input, with all defaults filled in and all counts final. parse_config of it, under the same
/// name, gives an equal Config.
std::string effective_yaml(const Config& config);

/// The differences of two texts of effective_yaml, one entry per key in the order of the input: "run.timestep
/// was 0.1 and is 0.2". Keys that may change when a run is continued are left out (Option::may_change).
std::vector<std::string> forbidden_changes(const std::string& before, const std::string& now);

/// Hash of all values of an effective_yaml text, without keys that may change when a run is continued.
std::uint64_t hash_of_fixed_keys(const std::string& effective);

/// What the input simulates. Bodies keep their places. The number of a rule is its place in contacts.pairs, that of a
/// decay its place in decays. O(species + rules + bodies and their spheres).
World world_of(const Config& config);

/// The volume (area in 2D) of the box, less what bodies take.
inline double room_volume(const Config& config) {
    return config.free_volume.value.value_or(config.box.volume());
}

/// Whether the spheres of all bodies are there. They are not where their file was not read.
bool has_all_bodies(const Config& config);

/// The file of spheres, relative to the folder of the input; empty without one.
std::string body_file_path(const Config& config, const SphereListOptions& of);

/// The start file, relative to the folder of the input; empty without one.
std::string placement_path(const Config& config);

/// Whether a start keeps the velocities of a file that has them.
inline bool may_keep_velocities(StartVelocities choice) {
    return choice == StartVelocities::given || choice == StartVelocities::given_or_maxwell;
}
/// Whether something besides contacts changes velocities, and with them energy and momentum.
inline bool is_driven(const Config& config) { return config.dynamics.drive.has_value(); }
/// With random_accelerations, the steps in which a particle keeps its direction; none unless that is a whole number.
std::optional<std::uint64_t> steps_per_direction(const Config& config);
/// The kicks that drives of this input give; without accelerations where there are none.
Kicks kicks_of(const Config& config);
/// Whether fields act on all particles alike, or forces on some species.
bool has_fields(const Config& config);
/// The drift of each species: diffusion times force over kT, for its typical radius. With fields.drift that; else 0.
std::vector<Vec3> drifts_of_species(const Config& config);
/// The drift in which steps are parabolas: fields.drift, or the mean of the species' drifts. 0 along axes along which
/// some species does not move.
Vec3 common_drift(const Config& config);
/// The acceleration of all particles by fields; with a drift that of effective masses, which depends on the timestep. 0
/// without fields.
Vec3 field_acceleration(const Config& config);
/// The kicks of drives and those of fields: what bounds in time must hold.
Kicks kicks_with_fields(const Config& config);

}  // namespace ricochet
