// SPDX-License-Identifier: BSD-3-Clause
//
// The broad phase: the interface of the searches.
//
// A bounding sphere represents each particle's path in this step. Its centre is the midpoint of the path. Its
// *reach* is the radius plus the largest distance from the midpoint that the search allows for. Two particles
// can only touch if their bounding spheres overlap.
//
// Algorithm: a search names all pairs of overlapping spheres, once per step. When a contact bends a path out
// of its sphere, the sphere is enlarged, and the search names what the larger sphere overlaps. The exact
// contact times (the narrow phase) are the engine's task.
//
// Layout: particles are named by their *slots*, their indices in the arrays of the rank. A search may sort
// the spheres as it likes. Its `order` helps to sort those arrays, so that neighbours in space are neighbours
// in memory.
//
// Invariant: it may name too many pairs, never too few. A lost pair is a lost contact; a superfluous pair
// costs one contact time. A search decides nothing, so it may use single precision, as long as it allows for
// its own rounding.
//
// To add one: search/search_method.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

class CandidatePairs;

/// The bounding sphere of a path: the path stays within `reach` - radius of the midpoint, which lies in the
/// box. Single precision halves the memory traffic of the search. The midpoint is rounded to nearest (by less
/// than 1e-7 box lengths), the reach up.
struct BoundingSphere {
    float x = 0, y = 0, z = 0;
    float reach = 0;

    Vec3 midpoint() const { return {x, y, z}; }
};

/// The bounding sphere of a midpoint and a reach.
BoundingSphere bounding_sphere(Vec3 midpoint, double reach);

/// A straight part of a particle's path. Coordinates have not been wrapped since the step began.
struct PathPart {
    Vec3 start, end;
};

/// The largest distance of the part from the sphere's midpoint, in the image nearest to the part's start.
/// Contacts can carry a particle round the box, so the image must not be chosen again for the end.
inline double distance_reached(const BoundingSphere& sphere, const PathPart& part,
                               const ImageLengths& images) {
    const Vec3 start = minimum_image(part.start - sphere.midpoint(), images);
    const Vec3 end = start + (part.end - part.start);
    return std::sqrt(std::max(dot(start, start), dot(end, end)));
}

/// A sphere with this reach contains the whole box, whatever its midpoint. A larger sphere overlaps nothing
/// more.
inline double reach_of_box(const Box& box) {
    constexpr double room = 1.1;
    return room * norm(box.size);
}

/// The part of the box along x in which all midpoints lie; the whole box when width equals its size.
struct SearchDomain {
    double lower = 0;  ///< may be negative or beyond the box along a periodic axis
    double width = 0;
};

/// A broad phase: finds the pairs whose bounding spheres overlap.
class BroadPhase {
  public:
    virtual ~BroadPhase() = default;
    BroadPhase(const BroadPhase&) = delete;
    BroadPhase& operator=(const BroadPhase&) = delete;

    /// Sorts the spheres, which are indexed by slot. They stay the caller's and must live until the next
    /// call; enlarge() may enlarge them. O(number of spheres).
    /// Requires: 0 < domain.width, at most the box along x.
    virtual void build(std::span<BoundingSphere> spheres, SearchDomain domain) = 0;
    /// The slots in the search's own order; none while particles had better stay where they are.
    virtual std::span<const Slot> order() const = 0;
    /// Appends every pair of slots whose spheres, as built, overlap: each pair once, and perhaps others.
    virtual void collect_pairs(CandidatePairs& pairs) = 0;
    /// Enlarges the slot's sphere until it contains the path, with some room. Appends all slots whose spheres
    /// overlap the enlarged one. It may append others, and the slot itself.
    virtual void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) = 0;

    /// Bytes of the arrays that it keeps from build to build; 0 where it does not count them. O(1).
    virtual std::size_t memory_bytes() const { return 0; }
    /// Spheres with which it has compared others since it was made, whether they overlapped or not. O(1). Cells and
    /// slices count where SearchOptions::is_study is set.
    virtual std::uint64_t num_compared() const = 0;

    /// Whether the path of a particle with this radius leaves the sphere. Not virtual, because it is called
    /// after every contact.
    bool outgrows(const BoundingSphere& sphere, const PathPart& path, double radius) const {
        return reach_needed(sphere, path, radius) > static_cast<double>(sphere.reach);
    }

  protected:
    explicit BroadPhase(const Box& box);

    /// The reach about the sphere's midpoint that contains the path; at most reach_of_box.
    double reach_needed(const BoundingSphere& sphere, const PathPart& path, double radius) const {
        return std::min(distance_reached(sphere, path, images_) + slack_ + radius, most_reach_);
    }
    const ImageLengths& images() const { return images_; }
    /// More than the rounding of two midpoints and of the distance between them.
    double slack() const { return slack_; }

  private:
    ImageLengths images_;
    double slack_;
    double most_reach_;
};

}  // namespace ricochet
