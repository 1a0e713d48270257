// SPDX-License-Identifier: BSD-3-Clause
//
// How far the paths of a rank's particles lead beyond the faces of its slab: what tells, once contacts have
// bent the paths, whether the halo was wide enough (parallel/halo.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "ricochet/engine/holders.hpp"

namespace ricochet {

/// The surface of some particles has come so far beyond the lower and the upper face along x, or would
/// without further contacts until the end of the step; negative: so far from the face it has stayed.
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

/// What a neighbour is told of a rank's paths.
struct PathNotice {
    FaceReach owned;   ///< of all owned particles
    FaceReach unsent;  ///< of those that the neighbour has no copy of
    friend bool operator==(const PathNotice&, const PathNotice&) = default;
};
static_assert(sizeof(PathNotice) == 32 && std::is_trivially_copyable_v<PathNotice>);

class PathReach {
  public:
    PathReach() = default;
    explicit PathReach(std::size_t num_neighbours) : unsent_(num_neighbours) {}

    /// Of all owned particles.
    const FaceReach& of_owned() const { return owned_; }
    /// Of the owned particles that the n-th neighbour has no copy of.
    const FaceReach& of_unsent(std::size_t neighbour) const { return unsent_[neighbour]; }

    PathNotice notice_for(std::size_t neighbour) const { return {owned_, unsent_[neighbour]}; }

    /// A path that reaches no farther changes nothing, whoever has a copy.
    const FaceReach& least() const { return least_; }
    /// Whether a path that reaches so far could change anything, whoever has a copy.
    bool may_grow_by(const FaceReach& path) const {
        return path.lower > least_.lower || path.upper > least_.upper;
    }
    /// Adds a path of an owned particle that those neighbours have a copy of.
    void include(const FaceReach& path, NeighbourMask holders) {
        owned_.include(path);
        least_ = owned_;
        for (std::size_t n = 0; n < unsent_.size(); ++n) {
            if (!(holders >> n & 1)) unsent_[n].include(path);
            least_.lower = std::min(least_.lower, unsent_[n].lower);
            least_.upper = std::min(least_.upper, unsent_[n].upper);
        }
    }

  private:
    FaceReach owned_;
    FaceReach least_;                ///< of owned_ and all of unsent_
    std::vector<FaceReach> unsent_;  ///< per neighbour
};

}  // namespace ricochet
