// SPDX-License-Identifier: BSD-3-Clause
//
// Text in gzip files, as numpy.savetxt and others write it where a name ends in .gz.
#pragma once

#include <string>

#include "placement/text_lines.hpp"

namespace ricochet {

/// Whether the file begins with the signature of gzip.
bool is_gzip(const std::string& path);

/// The text that the file contains. Throws InputError when it cannot be read, on opening or later.
ReadText text_of_gzip(const std::string& path);

}  // namespace ricochet
