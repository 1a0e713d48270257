// SPDX-License-Identifier: BSD-3-Clause
//
// What the boxes and the octree share: buckets, parts of the box that do not overlap and together fill it. A sphere
// is entered in every bucket that the cube about it meets, and compared with those in the same bucket.
//
// A pair is named once: in the bucket that contains the lowest corner of what the two cubes share (the "reference
// point" of spatial joins). That bucket has both, because the corner lies in both cubes. Integer coordinates make
// this exact (fixed_point.hpp).
//
// Layout: the entries of a bucket follow each other in columns. What enlarged spheres enter later is chained, from
// `added_` at the bucket.
//
// Query: an enlarged sphere is entered in the buckets that it meets now, and compared there by the same rule.
//
// Disadvantage: a sphere has several entries, where reaches are comparable to buckets eight and more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/search/broad_phase.hpp"
#include "search/fixed_point.hpp"
#include "search/sphere_columns.hpp"

namespace ricochet {

class BucketSearch : public BroadPhase {
  public:
    void build(std::span<BoundingSphere> spheres, SearchDomain domain) final;
    std::span<const Slot> order() const final { return order_; }
    void collect_pairs(CandidatePairs& pairs) final;
    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) final;
    std::size_t memory_bytes() const override;
    std::uint64_t num_compared() const final { return columns_.num_compared() + num_compared_in_chains_; }

    std::size_t num_buckets() const { return starts_.empty() ? 0 : starts_.size() - 1; }
    /// Entries of all buckets, as built.
    std::size_t num_entries() const { return slots_.size(); }
    std::size_t num_entries(std::size_t bucket) const { return starts_[bucket + 1] - starts_[bucket]; }

  protected:
    explicit BucketSearch(const Box& box);

    /// Divides the domain into buckets, and fills `starts` (one more than there are buckets) and `slots`, the
    /// entries of each.
    virtual void divide(SearchDomain domain, std::vector<std::uint32_t>& starts,
                        std::vector<Slot>& slots) = 0;
    /// Appends the buckets that the cube meets, each once.
    virtual void find_buckets(const FixedSphere& sphere, std::vector<std::uint32_t>& buckets) const = 0;
    virtual bool contains(std::uint32_t bucket, const FixedPosition& position) const = 0;

    const Box& box() const { return box_; }
    const FixedPoint& fixed() const { return fixed_; }
    std::span<const BoundingSphere> spheres() const { return spheres_; }
    /// In integer coordinates, by slot.
    std::span<const FixedSphere> fixed_spheres() const { return fixed_spheres_; }

  private:
    struct Added {
        Slot slot;
        std::uint32_t next;
    };
    static constexpr std::uint32_t none = 0xffffffffu;

    bool is_named_in(std::uint32_t bucket, Slot a, Slot b) const;
    bool overlap(const BoundingSphere& a, const BoundingSphere& b) const;
    bool update_entry(std::uint32_t bucket, Slot slot);
    void add_entry(std::uint32_t bucket, Slot slot);

    Box box_;
    FixedPoint fixed_;
    std::span<BoundingSphere> spheres_;
    std::vector<FixedSphere> fixed_spheres_;
    std::vector<std::uint32_t> starts_;
    std::vector<Slot> slots_, order_;
    SphereColumns columns_;
    std::vector<std::uint32_t> added_;  ///< by bucket: the first of its chain
    std::vector<Added> chains_;
    std::uint64_t num_compared_in_chains_ = 0;
    std::vector<std::uint32_t> buckets_;  ///< of a query
};

}  // namespace ricochet
