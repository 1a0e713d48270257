// SPDX-License-Identifier: BSD-3-Clause
//
// An octree, in two dimensions a quadtree: Goodwin, Analysis of Efficient Collision Detection using Pre-Processing
// Data Structures, part III. The source enters a particle in one leaf and so misses contacts across faces. Here a
// sphere is entered in every leaf that it meets, also round the box, and a pair is named once (bucket_search.hpp).
//
// A node with more spheres than `search.octree.max_count` is divided in half along each axis. It stays whole
// at the depth `search.octree.depth`. So it does where its spheres are so large that its parts together would
// have as many pairs to compare.
// Only the longest axes are divided, so that the leaves of a long box are about cubic. The root is the whole box,
// also for a part of it: empty space costs a leaf.
//
// Advantage: leaves follow the density. Disadvantage: built anew in each step; every sphere passes all levels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ricochet/search/search_method.hpp"
#include "search/bucket_search.hpp"

namespace ricochet {

class Octree final : public BucketSearch {
  public:
    Octree(const Box& box, const SearchOptions& options)
        : BucketSearch(box), most_in_leaf_(options.octree_max_count), deepest_(options.octree_depth) {}

    enum class LeafReason : std::uint8_t { few, deepest, useless };
    /// Why the leaf, a bucket, is not divided.
    LeafReason reason(std::size_t leaf) const { return nodes_[leaves_[leaf]].reason; }

  private:
    struct Node {
        FixedPosition lower{};
        std::array<std::uint8_t, 3> bits{32, 32, 32};  ///< its size along an axis is a power of two
        std::uint8_t divided_axes = 0;                 ///< as bits; 0: a leaf
        LeafReason reason = LeafReason::few;
        std::uint32_t first = 0;  ///< child, or the leaf's number

        std::int64_t size(std::size_t axis) const { return std::int64_t{1} << bits[axis]; }
        bool contains(const FixedPosition& position) const;
    };

    void divide(SearchDomain domain, std::vector<std::uint32_t>& starts, std::vector<Slot>& slots) override;
    void find_buckets(const FixedSphere& sphere, std::vector<std::uint32_t>& buckets) const override;
    bool contains(std::uint32_t bucket, const FixedPosition& position) const override {
        return nodes_[leaves_[bucket]].contains(position);
    }

    std::uint8_t axes_to_divide(const Node& node) const;
    bool meets(const FixedSphere& sphere, const Node& node) const;
    std::uint32_t add_children(std::uint32_t parent, std::uint8_t axes);
    void grow(std::uint32_t node, std::uint64_t depth, std::size_t begin);
    std::uint8_t children_entered(const FixedSphere& sphere, std::uint32_t first, int num_children) const;
    bool sort_into_children(std::uint32_t first, int num_children, std::size_t begin);
    void make_leaf(std::uint32_t node, LeafReason reason, std::size_t begin);
    void find_leaves(std::uint32_t node, const FixedSphere& sphere, std::vector<std::uint32_t>& leaves) const;

    std::uint64_t most_in_leaf_, deepest_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> leaves_;  ///< their nodes
    std::vector<Slot> pending_;          ///< a stack: the entries of nodes on the way
    std::vector<std::uint8_t> entered_;  ///< by entry of the node that is divided
    std::vector<std::uint32_t>* starts_ = nullptr;
    std::vector<Slot>* slots_ = nullptr;
};

}  // namespace ricochet
