// SPDX-License-Identifier: BSD-3-Clause
//
// A scratch folder that all ranks of a test share.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "parallel/collectives.hpp"

namespace ricochet::test {

/// Created by rank 0, known to all, removed by rank 0 after all have finished. Construction and destruction
/// are collective.
class TemporaryFolder {
  public:
    explicit TemporaryFolder(Exchange& exchange) : exchange_(exchange) {
        if (exchange_.rank() == 0) {
            std::string name = (std::filesystem::temp_directory_path() / "ricochet-test-XXXXXX").string();
            if (mkdtemp(name.data()) != nullptr) path_ = name;
        }
        path_ = broadcast_text(exchange_, path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        exchange_.bit_or(0);
        std::error_code ignored;
        if (exchange_.rank() == 0 && !path_.empty()) std::filesystem::remove_all(path_, ignored);
    }

    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    Exchange& exchange_;
    std::string path_;
};

}  // namespace ricochet::test
