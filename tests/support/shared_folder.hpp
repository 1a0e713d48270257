// SPDX-License-Identifier: BSD-3-Clause
//
// A scratch folder for tests whose ranks are threads: made before the ranks, removed after them.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace ricochet::test {

class SharedFolder {
  public:
    SharedFolder() : path_((std::filesystem::temp_directory_path() / "ricochet-test-XXXXXX").string()) {
        if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make the folder " + path_);
    }
    SharedFolder(const SharedFolder&) = delete;
    SharedFolder& operator=(const SharedFolder&) = delete;
    SharedFolder(SharedFolder&&) = delete;
    SharedFolder& operator=(SharedFolder&&) = delete;
    ~SharedFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

inline void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace ricochet::test
