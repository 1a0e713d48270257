// SPDX-License-Identifier: BSD-3-Clause
#include "run/particle_file.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "files/posix_file.hpp"
#include "placement/particle_csv.hpp"
#include "result/h5md_frame.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// Whether the file begins with the signature of HDF5.
bool is_hdf5(const std::string& path) {
    constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    std::array<char, 8> beginning{};
    std::ifstream(path, std::ios::binary).read(beginning.data(), beginning.size());
    return beginning == signature;
}

/// Reads a frame of an H5MD file in blocks of rows.
class FrameRows final : public TableSource {
  public:
    FrameRows(std::string path, const Config& config)
        : path_(std::move(path)), frame_(config.placement.frame), dimension_(config.box.dimension) {}

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        if (next_row_ > 0 && next_row_ >= num_rows_) {
            require_particles();
            return false;
        }
        H5mdFrame frame = read_h5md_frame(path_, frame_, {next_row_, most_rows});
        if (frame.dimension < dimension_)
            throw InputError(path_ + ": has positions in two dimensions, expected three as box.size has");
        frame_ = frame.frame;  // the last one, if the file grows
        num_rows_ = frame.num_rows;
        next_row_ += most_rows;
        num_particles_ += frame.particles.size();
        block = ParticleTable();
        block.places.file = path_;
        block.particles = std::move(frame.particles);
        block.has_id = frame.has_id;
        block.has_species = frame.has_species;
        block.has_velocity = frame.has_velocity;
        block.has_radius = frame.has_radius;
        block.has_mass = frame.has_mass;
        block.has_image = frame.has_image;
        block.species_names = std::move(frame.species_names);
        block.has_nameless_species = block.has_species && block.species_names.empty();
        return true;
    }

  private:
    void require_particles() const {
        if (num_particles_ == 0)
            throw InputError(text_of(path_, ": has no particles in its frame ", frame_.value_or(0), ": got ",
                                     num_rows_, " rows without one, expected particles"));
    }

    std::string path_;
    std::optional<std::uint64_t> frame_;
    int dimension_;
    std::uint64_t num_rows_ = 0, next_row_ = 0, num_particles_ = 0;
};

std::unique_ptr<TableSource> open_file(const std::string& path, const Config& config) {
    if (const std::string problem = find_irregularity(path); !problem.empty())
        throw InputError(config.input_name + ": placement.path: got " + path + ": " + problem);
    if (is_hdf5(path)) return std::make_unique<FrameRows>(path, config);
    return open_particle_csv(path, config.species, config.box.dimension);
}

}  // namespace

StartFile start_from_file(const Config& config, Exchange& exchange) {
    const std::string path = placement_path(config);
    const StartRules rules{config.box, config.species, config.run.seed, config.box_size_place.text};
    StartFile start = deal_from_file([&] { return open_file(path, config); }, rules, exchange);
    const bool needs_velocities = config.dynamics.type == DynamicsType::ballistic &&
                                  config.dynamics.velocities == StartVelocities::given;
    if (needs_velocities && !start.has_velocities)
        throw InputError(path +
                         ": has no velocities (columns vx, vy, vz), expected them because "
                         "dynamics.velocities is given; set it to maxwell or equal_speed");
    return start;
}

std::vector<std::string> notes_on_frames(const Config& config, const StartFile& start, Exchange& exchange) {
    std::vector<std::string> notes;
    const std::string path = placement_path(config);
    if (start.has_nameless_species && config.species.size() > 1)
        notes.push_back("placement.path: " + path +
                        " does not name its species: their numbers, from 0, are "
                        "taken as those of " +
                        names_of(config.species));
    if (!has_tethers(config)) return notes;
    std::int64_t is_frame = exchange.rank() == 0 && is_hdf5(path) ? 1 : 0;
    exchange.max(std::span(&is_frame, 1));
    if (is_frame != 0)
        notes.push_back("placement.path: tethers are not in frames: all particles of " + path +
                        " start without");
    return notes;
}

}  // namespace ricochet
