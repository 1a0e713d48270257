// SPDX-License-Identifier: BSD-3-Clause
//
// A scratch folder that all ranks of a test share.
#pragma once

#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/communicator.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace ricochet::test {

/// Created by rank 0, known to all, removed by rank 0 after all have finished. Construction and destruction
/// are collective.
class TemporaryFolder {
  public:
    explicit TemporaryFolder(const boost::mpi::communicator& ranks) : ranks_(ranks) {
        if (ranks_.rank() == 0) {
            std::string name = (std::filesystem::temp_directory_path() / "ricochet-test-XXXXXX").string();
            if (mkdtemp(name.data()) != nullptr) path_ = name;
        }
        boost::mpi::broadcast(ranks_, path_, 0);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        ranks_.barrier();
        std::error_code ignored;
        if (ranks_.rank() == 0 && !path_.empty()) std::filesystem::remove_all(path_, ignored);
    }

    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    boost::mpi::communicator ranks_;
    std::string path_;
};

}  // namespace ricochet::test
