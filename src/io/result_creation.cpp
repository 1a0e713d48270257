// SPDX-License-Identifier: BSD-3-Clause
#include "io/result_creation.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "io/agree.hpp"
#include "io/collision_log.hpp"
#include "io/complete_rows.hpp"
#include "io/description_writer.hpp"
#include "io/frame_writer.hpp"
#include "io/hdf5_attribute.hpp"
#include "io/observable_writer.hpp"
#include "io/output_in_progress.hpp"
#include "io/posix_file.hpp"
#include "io/reserved_room.hpp"
#include "io/result_seal.hpp"
#include "io/storage_note.hpp"
#include "io/units.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/output_path.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using boost::mpi::communicator;

constexpr std::size_t id_digits = 8;

std::string unnamed_prefix(const std::string& place) { return place + ".new-"; }

/// Whether a path is one that unnamed_prefix and an id make.
bool is_unnamed(const std::string& path, const std::string& prefix) {
    return path.size() == prefix.size() + id_digits && path.starts_with(prefix) &&
           path.find_first_not_of("0123456789abcdef", prefix.size()) == std::string::npos;
}

/// What runs left that were killed before they gave their file its name.
void remove_unnamed(const std::string& place) {
    std::error_code error;
    const std::string prefix = unnamed_prefix(fs::path(place).filename().string());
    for (const auto& entry : fs::directory_iterator(folder_of(place), error))
        if (is_unnamed(entry.path().filename().string(), prefix)) fs::remove(entry.path(), error);
}

/// The file until it has its name; goes away when it gets none.
class UnnamedFile {
  public:
    UnnamedFile(const communicator& ranks, std::string place, const std::string& run_id)
        : ranks_(ranks),
          place_(std::move(place)),
          path_(unnamed_prefix(place_) + run_id.substr(0, id_digits)) {
        if (ranks.rank() == 0) remove_unnamed(place_);
        ranks.barrier();
    }
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;
    ~UnnamedFile() {
        std::error_code ignored;
        if (!has_name_ && ranks_.rank() == 0) fs::remove(path_, ignored);
    }

    const std::string& path() const { return path_; }

    /// Throws RunError on all ranks when that is not possible. Collective.
    void give_name(bool replace) {
        std::optional<std::string> problem;
        if (ranks_.rank() == 0) {
            try {
                if (replace)
                    rename_durably(path_, place_);
                else
                    rename_to_free_name(path_, place_);
            } catch (const RunError& error) {
                problem = error.what();
            }
        }
        throw_together<RunError>(ranks_, problem);
        has_name_ = true;
    }

  private:
    const communicator& ranks_;
    std::string place_, path_;
    bool has_name_ = false;
};

void write_all(const communicator& ranks, hid_t file, const ResultDescription& description) {
    write_h5md_group(file, description.author);
    const hdf5::Handle group = hdf5::create_group(file, "ricochet");
    hdf5::Dataset complete = create_complete_rows(group.get());
    create_seals(ranks, group.get());
    write_description(group.get(), description, ranks.size());
    const FrameWriter frames(file, description);
    const CollisionLog collisions(group.get(), description.collisions, collision_units(description.units));
    const ObservableWriter observables(group.get(), description.observables);
    if (description.is_sampled_with_frames) link_observables(file);
    const hdf5::Handle provenance = hdf5::open_group(group.get(), "provenance");
    hdf5::write_attribute(provenance.get(), "chunks", describe_storage(file));
    write_complete_rows(ranks, complete, {});
}

/// What the datasets of fixed shape and the texts need.
std::uint64_t bytes_of(const ResultDescription& description) {
    return sizeof(double) * 2 * description.num_particles + description.input_text.size() +
           description.effective_input.size();
}

}  // namespace

void create_empty_result(const communicator& ranks, const std::string& path,
                         const ResultDescription& description, bool replace) {
    check_output_path(ranks, path, replace);
    UnnamedFile unnamed(ranks, path_behind_links(path), description.identity.run_id);
    const std::uint64_t num_bytes = bytes_of(description);
    require_free_space(ranks, path, num_bytes);
    hdf5::ParallelFile file(ranks, unnamed.path(), true);
    reserve_room(ranks, unnamed.path(), num_bytes);
    write_within(unnamed.path(), num_bytes, [&] {
        write_all(ranks, file.get(), description);
        file.flush();
        release_room(ranks, unnamed.path());
        file.close();
    });
    unnamed.give_name(replace);
}

}  // namespace ricochet
