// SPDX-License-Identifier: BSD-3-Clause
//
// An order that is kept from step to step. Particles move little, so last step's order is nearly right. Insertion
// sort then takes about linear time.
//
// What is kept may save time, and is never trusted. The labels may mean other particles in the next step. Then
// the order of the labels themselves is tried, because particles are sorted in memory from time to time. After
// too many moves everything is sorted anew, in O(n log n).
//
// A label that went round the ring of keys would move past all others. Such labels are taken out, sorted, and
// merged again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/array_memory.hpp"

namespace ricochet {

class KeptOrder {
  public:
    /// A key and its label in one number, so that they are compared at once.
    using Item = std::uint64_t;
    static std::uint32_t key_of(Item item) { return static_cast<std::uint32_t>(item >> 32); }
    static std::uint32_t label_of(Item item) { return static_cast<std::uint32_t>(item); }

    /// The labels 0, 1, ... of the keys in the order of (key, label). Valid until the next call.
    std::span<const Item> sort(std::span<const std::uint32_t> keys);

    /// How often everything was sorted anew.
    std::size_t num_full_sorts() const { return num_full_sorts_; }
    std::size_t memory_bytes() const { return bytes_of(items_, strays_); }

  private:
    static Item item(std::uint32_t key, std::uint32_t label) { return Item{key} << 32 | label; }
    void take_order_of_labels(std::span<const std::uint32_t> keys);
    void set_strays_apart(std::span<const std::uint32_t> keys);
    bool sort_by_insertion();
    void merge_strays();

    std::vector<Item> items_, strays_;
    std::size_t num_full_sorts_ = 0;
};

}  // namespace ricochet
