// SPDX-License-Identifier: BSD-3-Clause
//
// n^3 boxes, in two dimensions n^2: "boxing" of Goodwin, Analysis of Efficient Collision Detection using
// Pre-Processing Data Structures, part II. The source enters a particle in one box and so misses contacts across
// faces. Here a sphere is entered in every box that it meets, and a pair is named once (bucket_search.hpp).
//
// Number of boxes: as given by `search.boxes`, n along each axis of the simulation box. Otherwise chosen: boxes
// are three mean reaches wide, or hold two particles, whichever is wider. Where spheres would be entered in too
// many boxes, n is halved.
//
// Part of a periodic box: boxes outside of the domain count as one, the last along x.
//
// Advantage: simple, and fast for equal particles at uniform density. Disadvantage: one size of boxes for all
// particles and all densities; entries.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ricochet/search/search_method.hpp"
#include "search/bucket_search.hpp"

namespace ricochet {

class Boxes final : public BucketSearch {
  public:
    Boxes(const Box& box, const SearchOptions& options) : BucketSearch(box), num_asked_(options.num_boxes) {}

    /// Along an axis of the whole box.
    std::int64_t num_boxes(std::size_t axis) const { return axes_[axis].num; }

  private:
    struct Axis {
        std::int64_t num = 1;      ///< of the whole box
        std::int64_t begin = 0;    ///< the first one of its own
        std::int64_t num_own = 1;  ///< others share one, after these
        std::int64_t num_kept() const { return num_own + (num_own < num ? 1 : 0); }
        /// The box, among those kept, of a coordinate.
        std::uint32_t box_of(std::int64_t at) const;
        std::uint32_t kept(std::int64_t box) const;
    };
    static constexpr std::int64_t most_along = std::int64_t{1} << 16;

    void divide(SearchDomain domain, std::vector<std::uint32_t>& starts, std::vector<Slot>& slots) override;
    void find_buckets(const FixedSphere& sphere, std::vector<std::uint32_t>& buckets) const override;
    bool contains(std::uint32_t bucket, const FixedPosition& position) const override;

    void choose_numbers(SearchDomain domain);
    void choose_by_density(SearchDomain domain);
    void set_window(SearchDomain domain);
    double total_boxes() const;
    double mean_entries() const;
    bool halve_numbers();
    void find_along(const FixedSphere& sphere, std::size_t axis, std::vector<std::uint32_t>& boxes) const;
    template <class Visit>
    void for_each_bucket(const FixedSphere& sphere, Visit&& visit) const;

    std::uint64_t num_asked_;
    std::array<Axis, 3> axes_;
    mutable std::array<std::vector<std::uint32_t>, 3> along_;  ///< of one sphere, kept for their memory
};

}  // namespace ricochet
