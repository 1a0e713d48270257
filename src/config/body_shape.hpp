// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes of bodies as far as the rules of an input ask for them: their word, how far they reach, what they contain.
// Nothing here decides a contact.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "ricochet/config/contact_options.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet::detail {

/// The key of its shape; empty without one.
std::string_view word_of_shape(const BodyOptions& of);

/// The body with directions of length 1. Requires: it has a shape, and its directions are not 0.
Body body_of(const BodyOptions& of);

/// Where a shape reaches along each axis; infinite where it is endless.
struct Extent {
    Vec3 low, high;
};
Extent extent_of(const BodyShape& shape);

/// Where a ray from the middle of a sphere or capsule leaves it; none for other shapes.
std::optional<Vec3> surface_point(const BodyShape& shape, Vec3 direction);

/// How many axes the direction has a part along.
int num_axes_along(Vec3 direction);

/// Whether the whole box is within the shape. Of a plane: below it.
bool covers(const BodyShape& shape, const Box& box);

/// Whether the shape misses the box, whose periodic images do not count. False where that is not plain.
bool misses(const BodyShape& shape, const Box& box);

/// An upper bound for the number of its faces, edges, vertices, and round parts.
std::size_t num_parts(const Body& body);

}  // namespace ricochet::detail
