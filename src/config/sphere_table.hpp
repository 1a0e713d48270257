// SPDX-License-Identifier: BSD-3-Clause
//
// The spheres of a body from a table as text: CSV with a header that names the columns x, y, z and radius, in any
// order. In two dimensions there is no z. Other columns, empty lines and lines that begin with # are left out.
//
// Readers of start files know more forms, but belong to a room above.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ricochet/model/bodies.hpp"

namespace ricochet::detail {

/// Throws InputError with the first mistake; it begins with "name:line: ". O(length).
std::vector<BodySphere> parse_sphere_table(std::string_view text, const std::string& name, int dimension);

/// Hash of the spheres as 16 hexadecimal digits.
std::string hash_of_spheres(const std::vector<BodySphere>& spheres);

}  // namespace ricochet::detail
