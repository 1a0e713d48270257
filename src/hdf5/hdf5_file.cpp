// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/hdf5_file.hpp"

#include <optional>

#include "hdf5/output_in_progress.hpp"
#include "hdf5/self_contained.hpp"
#include "hdf5/superblock.hpp"
#include "mpi/file_watcher.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"

namespace ricochet::hdf5 {
namespace {

herr_t collect_link_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

/// Lets ROMIO write each piece by itself. It would read blocks, change and write them, under a lock that some file
/// systems refuse (Lustre mounted without "flock").
MPI_Info hints_for_whole_pieces() {
    MPI_Info hints = MPI_INFO_NULL;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "romio_ds_write", "disable");
    MPI_Info_set(hints, "romio_ds_read", "disable");
    return hints;
}

/// Metadata reach the file at flushes only. Otherwise HDF5 1.10 writes them once 256 kB have changed, even in the midst
/// of a collective write of packed chunks. Then several ranks wait for each other for ever, and a single rank writes
/// unrelated memory over the file. HDF5 takes at most 32 MiB here: the index of some 300,000 packed chunks.
void hold_metadata_until_flush(H5AC_cache_config_t& config) {
    config.dirty_bytes_threshold = std::size_t{32} << 20;
}

/// One rank writes all metadata, so that one journal sees all of it. By default ranks share the work.
void let_root_write_metadata(H5AC_cache_config_t& config) {
    config.metadata_write_strategy = H5AC_METADATA_WRITE_STRATEGY__PROCESS_0_ONLY;
}

void set_up_metadata(const Handle& access, void (*set)(H5AC_cache_config_t&)) {
    H5AC_cache_config_t config{};
    config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
    checked(H5Pget_mdc_config(access.get(), &config), "look up the metadata cache");
    set(config);
    checked(H5Pset_mdc_config(access.get(), &config), "set up the metadata cache");
}

Handle parallel_access(const Exchange& exchange, const std::string& path) {
    silence_error_printing();
    const MpiExchange* const mpi = exchange.mpi();
    RICOCHET_CHECK(mpi != nullptr);
    Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "create a property list"), H5Pclose);
    MPI_Info hints = hints_for_whole_pieces();
    const herr_t status = H5Pset_fapl_mpio(access.get(), mpi->communicator(), hints);
    MPI_Info_free(&hints);
    checked(status, "set up parallel access to", -1, path);
    set_up_metadata(access, hold_metadata_until_flush);
    return access;
}

}  // namespace

void silence_error_printing() { checked(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "set up HDF5"); }

ParallelFile::ParallelFile(const Exchange& exchange, const std::string& path, bool replace) : path_(path) {
    const OutputInProgress output(path);
    const Handle access = parallel_access(exchange, path);
    handle_ = Handle(
        checked(H5Fcreate(path.c_str(), replace ? H5F_ACC_TRUNC : H5F_ACC_EXCL, H5P_DEFAULT, access.get()),
                "create", -1, path),
        H5Fclose);
}

ParallelFile ParallelFile::reopen(Exchange& exchange, const std::string& path,
                                  const JournalOptions& options) {
    const OutputInProgress output(path);
    const Handle access = parallel_access(exchange, path);
    set_up_metadata(access, let_root_write_metadata);
    ParallelFile file;
    file.exchange_ = &exchange;
    file.path_ = path;
    run_on_root<RunError>(exchange, [&] { file.journal_ = LiveJournal::watch(path, options); });
    const hid_t opened = H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get());
    if (opened < 0 && file.journal_) file.journal_->cancel();
    file.handle_ = Handle(checked(opened, "open", -1, path), H5Fclose);
    file.require_journal();
    return file;
}

/// Throws Hdf5Error on all ranks where HDF5 bypasses the journal. Collective.
void ParallelFile::require_journal() {
    throw_together<Hdf5Error>(*exchange_, journal_ ? journal_->find_bypass() : std::nullopt);
}

void ParallelFile::flush(FlushTo place) {
    std::optional<SyncsLeftOut> without_syncs;
    if (place == FlushTo::system) without_syncs.emplace();
    checked(H5Fflush(get(), H5F_SCOPE_GLOBAL), "flush", -1, path_);
    if (exchange_ == nullptr) return;
    run_on_root<RunError>(*exchange_, [&] { journal_->begin(); });
    require_journal();
}

void ParallelFile::close() {
    const OutputInProgress output(path_);
    handle_.close(path_);
}

Handle open_for_reading(const std::string& path) {
    silence_error_printing();
    const Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "create a property list"), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
    checked(H5Pset_file_locking(access.get(), false, true), "switch off the locking of", -1, path);
#endif
    const hid_t opened = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
    if (opened < 0)
        if (const auto cut = find_cut(path)) throw Hdf5Error(path + ": " + *cut);
    Handle file(checked(opened, "open", -1, path), H5Fclose);
    require_self_contained(file.get(), path);
    return file;
}

Handle create_group(hid_t parent, const char* name) {
    return {checked(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "create the group",
                    parent, name),
            H5Gclose};
}

Handle open_group(hid_t parent, const char* name) {
    return {checked(H5Gopen2(parent, name, H5P_DEFAULT), "open the group", parent, name), H5Gclose};
}

bool is_group(hid_t parent, const std::string& path) {
    H5O_info_t info{};
    checked(H5Oget_info_by_name(parent, path.c_str(), &info, H5P_DEFAULT), "look at", parent, path);
    return info.type == H5O_TYPE_GROUP;
}

bool has_object(hid_t parent, const std::string& path) {
    for (auto end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const std::string part = path.substr(0, end);
        if (checked(H5Lexists(parent, part.c_str(), H5P_DEFAULT), "look for", parent, part) == 0)
            return false;
        // A soft link may lead nowhere.
        if (checked(H5Oexists_by_name(parent, part.c_str(), H5P_DEFAULT), "look for", parent, part) == 0)
            return false;
        if (end == std::string::npos) return true;
        if (!is_group(parent, part)) return false;
    }
}

std::vector<std::string> link_names(hid_t group) {
    std::vector<std::string> names;
    checked(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_link_name, &names), "list", group);
    return names;
}

void link_object(hid_t object, hid_t group, const char* name) {
    checked(H5Olink(object, group, name, H5P_DEFAULT, H5P_DEFAULT), "link", group, name);
}

void remove_link(hid_t group, const char* name) {
    checked(H5Ldelete(group, name, H5P_DEFAULT), "unlink", group, name);
}

}  // namespace ricochet::hdf5
