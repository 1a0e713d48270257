// SPDX-License-Identifier: BSD-3-Clause
//
// A body as an input says it. Its shape is a section of its own. In two dimensions shapes have other words too: disc,
// stadium, rectangle and line stand for sphere, capsule, box and plane. The effective input has the word of the input.
//
// Spheres from a file are many, so the effective input has the name of the file and the hash of its spheres. That a
// file has changed is then seen, also when a run is continued.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/config/word.hpp"
#include "ricochet/model/bodies.hpp"

namespace ricochet {

constexpr auto words_of(BodySide /*selects*/) {
    using enum BodySide;
    return std::array{Word{"outside", outside, "beside the body; of a plane, where its normal points to"},
                      Word{"inside", inside, "within it, and nowhere else"},
                      Word{"both", both, "on both sides of its surface, which none crosses"}};
}

struct SphereListOptions {
    std::optional<std::string> file{};  ///< as written, see body_file_path(); none: the input has the list
    std::optional<std::string> hash{};  ///< of the spheres of a file, 16 hexadecimal digits
    std::vector<BodySphere> spheres{};  ///< empty where the file was not read

    /// The hash stands for the spheres of a file.
    friend bool operator==(const SphereListOptions& a, const SphereListOptions& b) {
        return a.file == b.file && (a.file ? a.hash == b.hash : a.spheres == b.spheres);
    }
};

/// A part of the surface of a body. Either the direction, from the middle of the body to the middle of the patch, or
/// its place is there.
struct PatchOptions {
    std::string name;
    std::optional<Vec3> direction{}, centre{};
    double radius = 0;

    friend bool operator==(const PatchOptions&, const PatchOptions&) = default;
};

/// Exactly one shape is there. Directions are as written, of any length.
struct BodyOptions {
    std::string name;
    std::optional<BodySphere> sphere{}, disc{};
    std::optional<BodyCapsule> capsule{}, stadium{};
    std::optional<BodyCylinder> cylinder{};
    std::optional<BodyBox> box{}, rectangle{};
    std::optional<BodyPlane> plane{}, line{};
    std::optional<SphereListOptions> spheres{};
    BodySide side = BodySide::outside;
    std::vector<PatchOptions> patches{};

    friend bool operator==(const BodyOptions&, const BodyOptions&) = default;
};

}  // namespace ricochet
