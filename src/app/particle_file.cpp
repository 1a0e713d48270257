// SPDX-License-Identifier: BSD-3-Clause
#include "app/particle_file.hpp"

#include <array>
#include <fstream>
#include <string>
#include <utility>

#include "ricochet/core/error.hpp"
#include "ricochet/io/h5md_frame.hpp"
#include "ricochet/io/particle_csv.hpp"

namespace ricochet {
namespace {

/// Whether the file begins as HDF5 files do.
bool is_hdf5(const std::string& path) {
    constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    std::array<char, 8> beginning{};
    std::ifstream(path, std::ios::binary).read(beginning.data(), beginning.size());
    return beginning == signature;
}

ParticleTable read_frame(const std::string& path, const Config& config) {
    H5mdFrame frame = read_h5md_frame(path, config.placement.frame);
    if (frame.dimension < config.box.dimension)
        throw InputError(path + ": has positions in two dimensions, expected three as box.size has");
    ParticleTable table;
    table.places.file = path;
    table.particles = std::move(frame.particles);
    table.has_id = frame.has_id;
    table.has_species = frame.has_species;
    table.has_velocity = frame.has_velocity;
    table.has_radius = frame.has_radius;
    table.has_mass = frame.has_mass;
    table.has_image = frame.has_image;
    return table;
}

}  // namespace

GivenStart start_from_file(const Config& config) {
    const std::string path = placement_path(config);
    ParticleTable table = is_hdf5(path) ? read_frame(path, config)
                                        : read_particle_csv(path, config.species, config.box.dimension);
    GivenStart start = checked_start(std::move(table), config.box, config.species, config.run.seed);
    const bool needs_velocities = config.dynamics.type == DynamicsType::ballistic &&
                                  config.dynamics.velocities == StartVelocities::given;
    if (needs_velocities && !start.has_velocities)
        throw InputError(path +
                         ": has no velocities (columns vx, vy, vz), expected them because "
                         "dynamics.velocities is given; set it to maxwell or equal_speed");
    return start;
}

}  // namespace ricochet
