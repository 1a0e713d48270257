// SPDX-License-Identifier: BSD-3-Clause
//
// How wide a skin the list of a Verlet search gets (search/verlet_cells.hpp), and how long the list is kept.
//
// Skin: wide enough for some tens of steps. So the displacements of a sample are measured from one step to the
// next. Where even a few steps need a skin that names many more pairs, there is no list.
//
// Life: the cost of a step grows with the strays. The steps so far have an average cost, with that of making the
// list. The list is given up where the next step would cost more. Then no other life has a lower average. Where it
// is hardly below the cost of a search, no list is made for a while.
//
// All of it follows from the spheres, so a run repeats it. None of it decides what is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class SkinChoice {
  public:
    explicit SkinChoice(const ImageLengths& images) : images_(images) {}

    /// The skin of a list of these spheres, which are by slot; 0 where none would last. To be asked at every build
    /// without a list. O(1).
    double skin(std::span<const BoundingSphere> spheres);
    /// Whether the list is kept for this step. `num_moved` slots are not in the kept sphere of their number; of these,
    /// `num_strays` are in none.
    bool lasts(std::size_t num_moved, std::size_t num_strays, std::size_t num_spheres);
    /// Makes no list for a while.
    void back_off();

    /// Of the list, in steps.
    std::uint64_t age() const { return age_; }
    std::size_t memory_bytes() const { return bytes_of(sample_); }

  private:
    void measure(std::span<const BoundingSphere> spheres);
    void take_sample(std::span<const BoundingSphere> spheres);
    void end_list();

    ImageLengths images_;
    std::vector<BoundingSphere> sample_;  ///< of the build before; empty where none was taken
    double skin_ = 0;                     ///< of the next list; 0: to be measured
    double most_skin_ = 0;
    double cost_ = 0;  ///< of the list and its steps so far, in searches
    std::uint64_t age_ = 0;
    unsigned wait_ = 0;  ///< builds without a list that are still to come
    unsigned gap_ = least_gap;

    static constexpr unsigned least_gap = 2;
};

}  // namespace ricochet
