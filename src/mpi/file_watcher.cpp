// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/file_watcher.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

struct WatchedFile {
    std::string path;
    std::shared_ptr<FileWatcher> watcher;
    MPI_File file = MPI_FILE_NULL;  ///< null until it is opened
    bool has_view = false;          ///< in which offsets are not those of the file
};

std::vector<WatchedFile>& watched_files() {
    static std::vector<WatchedFile> files;
    return files;
}

WatchedFile* find_watched(MPI_File file) {
    for (WatchedFile& watched : watched_files())
        if (watched.file == file && file != MPI_FILE_NULL) return &watched;
    return nullptr;
}

WatchedFile* find_unopened(const std::string& path) {
    for (WatchedFile& watched : watched_files())
        if (watched.file == MPI_FILE_NULL && watched.path == path) return &watched;
    return nullptr;
}

std::uint64_t bytes_of(int count, MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Type_size_x(type, &size);
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

int& num_reasons_against_syncs() {
    static int number = 0;
    return number;
}

/// Whether the watcher of the file, if any, lets this rank write.
bool may_write(MPI_File file, MPI_Offset offset, int count, MPI_Datatype type) {
    const WatchedFile* const watched = find_watched(file);
    if (watched == nullptr || watched->has_view) return true;
    return watched->watcher->may_write(static_cast<std::uint64_t>(offset), bytes_of(count, type));
}

}  // namespace

void watch_next_opened(const std::string& path, std::shared_ptr<FileWatcher> watcher) {
    watched_files().push_back({path, std::move(watcher), MPI_FILE_NULL, false});
}

void forget_unopened(const FileWatcher& watcher) {
    std::erase_if(watched_files(), [&](const WatchedFile& watched) {
        return watched.watcher.get() == &watcher && watched.file == MPI_FILE_NULL;
    });
}

SyncsLeftOut::SyncsLeftOut() { ++num_reasons_against_syncs(); }

SyncsLeftOut::~SyncsLeftOut() { --num_reasons_against_syncs(); }

}  // namespace ricochet

// The names are MPI's, and so are those of the parameters.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" int MPI_File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh) {
    const int result = PMPI_File_open(comm, filename, amode, info, fh);
    if (result != MPI_SUCCESS) return result;
    if (ricochet::WatchedFile* const watched = ricochet::find_unopened(filename)) {
        watched->file = *fh;
        watched->watcher->opened();
    }
    return result;
}

extern "C" int MPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                                 const char* datarep, MPI_Info info) {
    if (ricochet::WatchedFile* const watched = ricochet::find_watched(fh))
        watched->has_view = disp != 0 || filetype != MPI_BYTE;
    return PMPI_File_set_view(fh, disp, etype, filetype, datarep, info);
}

extern "C" int MPI_File_write_at(MPI_File fh, MPI_Offset offset, const void* buf, int count,
                                 MPI_Datatype datatype, MPI_Status* status) {
    if (ricochet::may_write(fh, offset, count, datatype))
        return PMPI_File_write_at(fh, offset, buf, count, datatype, status);
    MPI_File_call_errhandler(fh, MPI_ERR_IO);
    return MPI_ERR_IO;
}

extern "C" int MPI_File_sync(MPI_File fh) {
    return ricochet::num_reasons_against_syncs() > 0 ? MPI_SUCCESS : PMPI_File_sync(fh);
}

extern "C" int MPI_File_close(MPI_File* fh) {
    const MPI_File file = *fh;
    const int result = PMPI_File_close(fh);
    const ricochet::WatchedFile* const watched = ricochet::find_watched(file);
    if (watched == nullptr || result != MPI_SUCCESS) return result;
    const std::shared_ptr<ricochet::FileWatcher> watcher = watched->watcher;
    std::erase_if(ricochet::watched_files(),
                  [&](const ricochet::WatchedFile& one) { return one.file == file; });
    watcher->closed();
    return result;
}
// NOLINTEND(readability-identifier-naming)
