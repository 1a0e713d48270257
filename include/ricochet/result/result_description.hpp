// SPDX-License-Identifier: BSD-3-Clause
//
// The description of a result file: everything that is known before the first frame. Plain data, filled by
// the program or by any other user of the library, the same on all ranks. Its place in the file stands in
// result_writer.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/files/run_identity.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/observable_info.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// The id in a row of a frame that has no particle: H5MD's mark, -1. No particle has it.
inline constexpr ParticleId absent_id = ~ParticleId{0};

/// A word or a sentence under a name.
struct NamedText {
    std::string name;
    std::string text;
};

enum class Precision { float64, float32 };

/// Which contacts go to the collision log.
struct CollisionSelection {
    enum class Mode { all, none, pairs };
    using Pair = std::pair<SpeciesIndex, SpeciesIndex>;

    Mode mode = Mode::all;
    std::vector<Pair> pairs;  ///< for Mode::pairs, in either order; wall_species stands for walls

    /// Whether a contact between these species is logged.
    bool accepts(SpeciesIndex a, SpeciesIndex b) const;
};

struct CollisionLogOptions {
    CollisionSelection selection;
    /// Whether rows tell rule, outcome and products: where contacts do more than bounce.
    bool has_outcomes = false;
    /// Logging ends with the last whole step that fits into this many bytes.
    std::uint64_t byte_budget = std::uint64_t{10} << 30;
};

struct ResultDescription {
    std::string title;
    std::string author = "unknown";
    RunIdentity identity;  ///< of the run that writes it; never compared
    Box box;
    std::optional<double> start_pressure{};  ///< where growth has found the box: p V/(N kT) at its end
    std::vector<Body> bodies;                ///< a reader leaves out the spheres of those that are many
    std::vector<BodyNumber>
        body_of_surface;         ///< less first_body; for each number of a surface, less 6; not read
    std::string hash_of_bodies;  ///< of a file that was read
    std::vector<Species> species;
    /// In the whole box, in the first frame; without has_changing_particles in all frames.
    std::uint64_t num_particles = 0;
    /// Whether species, radius and mass may change, and particles may end: frames then hold rows of absent
    /// ones.
    bool has_changing_particles = false;
    /// The id of the first particle that comes later, above all ids of the start; the next ones follow without
    /// gaps. Only with has_changing_particles; none where no particle can come.
    std::optional<std::uint64_t> first_new_id;
    /// Whether frames are asked for from now on. Only considered where a run is continued.
    bool wants_frames = true;
    double timestep = 0;  ///< time
    std::uint64_t seed = 0;
    Precision precision = Precision::float64;  ///< of positions and velocities in the frames
    bool is_compressed = false;                ///< frames are packed by gzip, bytes shuffled
    /// Whether the file survives loss of power as it does a kill (files/undo_journal.hpp); never compared.
    bool survives_power_loss = false;
    /// Wall-clock seconds after which frames that were written count. Every one does where loss of power is survived.
    double flush_every_seconds = 0;
    /// Wall-clock seconds after which a flush also syncs the disk. Every one does where loss of power is survived.
    double sync_every_seconds = 30;
    std::string input_text;        ///< the input file as read
    std::string effective_input;   ///< with all defaults and overrides
    std::vector<NamedText> units;  ///< e.g. {"length", "sigma"}
    /// What is not evident about the numbers, e.g. {"velocity", "displacement of the step / timestep"}.
    std::vector<NamedText> notes;
    std::vector<NamedText> provenance;  ///< search method, options and the like; never compared
    std::vector<ObservableInfo> observables;
    bool is_sampled_with_frames = false;  ///< each frame comes with a sample, and there are no other samples
    CollisionLogOptions collisions;
};

}  // namespace ricochet
