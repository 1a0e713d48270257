// SPDX-License-Identifier: BSD-3-Clause
#include "result/result_creation.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "files/output_path.hpp"
#include "files/posix_file.hpp"
#include "hdf5/complete_rows.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/output_in_progress.hpp"
#include "hdf5/recovery.hpp"
#include "hdf5/reserved_room.hpp"
#include "hdf5/storage_note.hpp"
#include "parallel/collectives.hpp"
#include "result/body_table.hpp"
#include "result/collision_log.hpp"
#include "result/description_writer.hpp"
#include "result/frame_writer.hpp"
#include "result/observable_writer.hpp"
#include "result/result_seal.hpp"
#include "result/species_shapes.hpp"
#include "result/start_ids.hpp"
#include "result/units.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t id_digits = 8;
constexpr std::uint64_t most_bytes_per_body = 128, most_bytes_per_species = 24;

std::string unnamed_prefix(const std::string& place) { return place + ".new-"; }

/// Whether a path consists of unnamed_prefix and an id.
bool is_unnamed(const std::string& path, const std::string& prefix) {
    return path.size() == prefix.size() + id_digits && path.starts_with(prefix) &&
           path.find_first_not_of("0123456789abcdef", prefix.size()) == std::string::npos;
}

/// Removes files of runs that were killed before they gave their file its name.
void remove_unnamed(const std::string& place) {
    std::error_code error;
    const std::string prefix = unnamed_prefix(fs::path(place).filename().string());
    for (const auto& entry : fs::directory_iterator(folder_of(place), error))
        if (is_unnamed(entry.path().filename().string(), prefix))
            remove_where_possible(entry.path().string());
}

/// The file before it has its name; it is removed if it gets none.
class UnnamedFile {
  public:
    UnnamedFile(Exchange& exchange, std::string place, const std::string& run_id)
        : exchange_(exchange),
          place_(std::move(place)),
          path_(unnamed_prefix(place_) + run_id.substr(0, id_digits)) {
        run_on_root<RunError>(exchange, [&] { remove_unnamed(place_); });
    }
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;
    ~UnnamedFile() {
        if (!has_name_ && exchange_.rank() == 0) remove_where_possible(path_);
    }

    const std::string& path() const { return path_; }

    /// Throws RunError on all ranks when that is not possible. Collective.
    void give_name(bool replace) {
        run_on_root<RunError>(exchange_, [&] {
            if (replace)
                rename_durably(path_, place_);
            else
                rename_to_free_name(path_, place_);
        });
        has_name_ = true;
    }

  private:
    Exchange& exchange_;
    std::string place_, path_;
    bool has_name_ = false;
};

void write_all(Exchange& exchange, hid_t file, const ResultDescription& description, const StartIds& ids) {
    write_h5md_group(file, description.author);
    const hdf5::Handle group = hdf5::create_group(file, "ricochet");
    hdf5::Dataset complete = create_complete_rows(group.get());
    create_seals(exchange, group.get(), {.frames = ids.sum()});
    write_description(group.get(), description, exchange.size());
    write_bodies(exchange, group.get(), description);
    write_shapes(exchange, group.get(), description.species);
    const FrameWriter frames(file, description);
    ids.write(exchange, group.get());
    const CollisionLog collisions(group.get(), description.collisions, description.timestep,
                                  collision_units(description.units, description.collisions.has_outcomes));
    const ObservableWriter observables(group.get(), description.observables);
    if (description.is_sampled_with_frames) link_observables(file);
    const hdf5::Handle provenance = hdf5::open_group(group.get(), "provenance");
    hdf5::write_attribute(provenance.get(), "chunks", describe_storage(file));
    write_complete_rows(exchange, complete, {});
}

std::uint64_t num_spheres(const std::vector<Body>& bodies) {
    std::uint64_t sum = 0;
    for (const Body& body : bodies)
        if (const auto* const many = std::get_if<BodySpheres>(&body.shape)) sum += many->spheres.size();
    return sum;
}

/// Bytes for the datasets of fixed shape and the texts.
std::uint64_t bytes_of(const ResultDescription& description) {
    const std::uint64_t num_constants =
        description.has_changing_particles ? 0 : 2 * description.num_particles;
    const std::uint64_t num_ids = needs_start_ids(description) ? description.num_particles : 0;
    const std::uint64_t bytes_of_bodies = most_bytes_per_body * description.bodies.size() +
                                          sizeof(BodyNumber) * description.body_of_surface.size() +
                                          sizeof(BodySphere) * num_spheres(description.bodies);
    const std::uint64_t bytes_of_shapes =
        most_bytes_per_species * description.species.size() + sizeof(Vec3) * num_corners(description.species);
    return bytes_of_bodies + bytes_of_shapes + sizeof(double) * num_constants + sizeof(ParticleId) * num_ids +
           description.input_text.size() + description.effective_input.size();
}

}  // namespace

ResultSums create_empty_result(Exchange& exchange, const std::string& path,
                               const ResultDescription& description, bool replace,
                               std::vector<ParticleId> own_ids) {
    check_output_path(exchange, path, replace);
    if (!replace) require_no_journal(exchange, path);
    const StartIds ids(exchange, description, std::move(own_ids));
    UnnamedFile unnamed(exchange, path_behind_links(path), description.identity.run_id);
    const std::uint64_t num_bytes = bytes_of(description);
    require_free_space(exchange, path, num_bytes);
    hdf5::ParallelFile file(exchange, unnamed.path(), true);
    reserve_room(exchange, unnamed.path(), num_bytes);
    write_within(unnamed.path(), num_bytes, [&] {
        write_all(exchange, file.get(), description, ids);
        file.flush();
        release_room(exchange, unnamed.path());
        file.close();
    });
    if (replace) settle_replaced_output(exchange, path);
    unnamed.give_name(replace);
    return {.frames = ids.sum()};
}

}  // namespace ricochet
