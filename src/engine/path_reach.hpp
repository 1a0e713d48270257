// SPDX-License-Identifier: BSD-3-Clause
//
// How far the paths of a rank's particles lead beyond the faces of its slab. It decides, once contacts have
// bent the paths, whether the halo was wide enough (slabs/halo.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/holders.hpp"

namespace ricochet {

/// How far the surface of some particles leads beyond the lower and the upper face along x, until the end of
/// the step. Negative: how far from the face it stays.
struct FaceReach {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = -std::numeric_limits<double>::infinity();

    void include(const FaceReach& other) {
        lower = std::max(lower, other.lower);
        upper = std::max(upper, other.upper);
    }
    friend bool operator==(const FaceReach&, const FaceReach&) = default;
};
static_assert(sizeof(FaceReach) == 16 && std::is_trivially_copyable_v<FaceReach>);

/// The bounds of a rank's paths that a neighbour receives.
struct FaceBounds {
    double owned_above = 0;   ///< of all owned particles, beyond the upper face
    double unsent_below = 0;  ///< of those that the neighbour has no copy of, beyond the lower face
    friend bool operator==(const FaceBounds&, const FaceBounds&) = default;
};
static_assert(sizeof(FaceBounds) == 16 && std::is_trivially_copyable_v<FaceBounds>);

class PathReach {
  public:
    PathReach() = default;
    explicit PathReach(std::size_t num_neighbours) : unsent_below_(num_neighbours, FaceReach().lower) {}

    /// The reach of all owned particles.
    const FaceReach& of_owned() const { return owned_; }
    /// Beyond the lower face, of the owned particles that the n-th neighbour has no copy of.
    double unsent_below(std::size_t neighbour) const { return unsent_below_[neighbour]; }

    FaceBounds bounds_for(std::size_t neighbour) const { return {owned_.upper, unsent_below_[neighbour]}; }

    /// A path that reaches no farther changes nothing, whichever ranks have a copy.
    const FaceReach& least() const { return least_; }
    /// Whether a path of this reach could change anything, depending on which ranks have a copy.
    bool may_grow_by(const FaceReach& path) const {
        return path.lower > least_.lower || path.upper > least_.upper;
    }
    /// Adds a path of an owned particle that those neighbours have a copy of.
    void include(const FaceReach& path, NeighbourMask holders) {
        owned_.include(path);
        least_ = owned_;
        for (std::size_t n = 0; n < unsent_below_.size(); ++n) {
            if (!(holders >> n & 1)) unsent_below_[n] = std::max(unsent_below_[n], path.lower);
            least_.lower = std::min(least_.lower, unsent_below_[n]);
        }
    }

  private:
    FaceReach owned_;
    FaceReach least_;                   ///< of owned_ and all of unsent_below_
    std::vector<double> unsent_below_;  ///< per neighbour
};

}  // namespace ricochet
