// SPDX-License-Identifier: BSD-3-Clause
//
// A plain file, written from front to back by one rank. A file that was not closed properly is
// removed, so that there is either a whole file or none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "files/posix_file.hpp"

namespace ricochet {

class OutputFile {
  public:
    /// Creates or empties the file. Throws InputError when it cannot be opened.
    explicit OutputFile(std::string path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    OutputFile(OutputFile&&) = delete;
    OutputFile& operator=(OutputFile&&) = delete;
    /// Removes the file unless close() was called.
    ~OutputFile();

    /// Throws RunError, naming the file and the reason, e.g. a full disk.
    /// Requires: close() has not been called.
    void write(std::string_view bytes);
    /// As write.
    void close();

  private:
    void flush();
    void put(std::string_view bytes);
    /// Says in the error of `act` that the file is removed.
    static void or_remove(const std::function<void()>& act);

    std::string path_;
    PosixFile file_;
    std::string buffer_;
    std::uint64_t length_ = 0;  ///< of what the file has
    bool is_closed_ = false;
};

}  // namespace ricochet
