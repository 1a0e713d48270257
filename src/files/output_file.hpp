// SPDX-License-Identifier: BSD-3-Clause
//
// A plain file, written from front to back by one rank. Every return code is checked. A file that was not
// closed properly is removed, so that there is either a whole file or none.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace ricochet {

/// Why `path` cannot be created, as a sentence that names it; empty when it can. An existing regular file is
/// a reason only if `replace` is false. Nothing is changed.
std::string find_output_problem(const std::string& path, bool replace);

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
    void write(std::string_view bytes);
    /// As write.
    void close();

  private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::FILE* file_ = nullptr;
};

}  // namespace ricochet
