// SPDX-License-Identifier: BSD-3-Clause
#include "files/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace fs = std::filesystem;

std::string find_output_problem(const std::string& path, bool replace) {
    const fs::path place(path);
    const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
    std::error_code error;
    if (!place.has_filename()) return "output " + path + ": it names no file";
    if (!fs::is_directory(folder, error))
        return "output " + path + ": the folder " + folder.string() + " does not exist";
    const fs::file_status status = fs::status(place, error);
    if (!fs::exists(status) && fs::is_symlink(fs::symlink_status(place, error)))
        return "output " + path +
               ": it is a link to a file that does not exist; remove the link, or choose another name";
    if (!fs::exists(status)) {
        if (access(folder.c_str(), W_OK | X_OK) == 0) return "";
        return "output " + path + ": the folder " + folder.string() + " is not writable (" +
               std::strerror(errno) + ")";
    }
    if (!fs::is_regular_file(status)) return "output " + path + ": it exists and is not a regular file";
    if (!replace) return "output " + path + ": it exists; give --force to replace it, or choose another name";
    if (access(path.c_str(), W_OK) == 0) return "";
    return "output " + path + ": it exists and is not writable (" + std::strerror(errno) + ")";
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
    if (file_ == nullptr)
        throw InputError("output " + path_ + ": cannot be created: " + std::strerror(errno));
}

OutputFile::~OutputFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    std::error_code ignored;
    fs::remove(path_, ignored);
}

void OutputFile::fail() const {
    throw RunError(path_ + ": cannot be written: " + std::strerror(errno) +
                   "; the unfinished file is removed");
}

void OutputFile::write(std::string_view bytes) {
    RICOCHET_CHECK(file_ != nullptr);
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void OutputFile::close() {
    RICOCHET_CHECK(file_ != nullptr);
    if (std::fflush(file_) != 0) fail();
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
}

}  // namespace ricochet
