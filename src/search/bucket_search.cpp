// SPDX-License-Identifier: BSD-3-Clause
#include "search/bucket_search.hpp"

#include <algorithm>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "search/candidate_pairs.hpp"
#include "search/enlarged_sphere.hpp"

namespace ricochet {

BucketSearch::BucketSearch(const Box& box)
    : BroadPhase(box), box_(box), fixed_(box, slack()), columns_(images(), slack()) {}

void BucketSearch::build(std::span<BoundingSphere> spheres, SearchDomain domain) {
    RICOCHET_CHECK_GT(domain.width, 0);
    RICOCHET_CHECK_LE(domain.width, box_.size.x);
    spheres_ = spheres;
    resize_for_overwrite(fixed_spheres_, spheres.size());
    for (std::size_t slot = 0; slot < spheres.size(); ++slot) fixed_spheres_[slot] = fixed_(spheres[slot]);
    divide(domain, starts_, slots_);
    added_.assign(num_buckets(), none);
    chains_.clear();
    columns_.resize(slots_.size());
    order_.clear();
    for (std::uint32_t bucket = 0; bucket < num_buckets(); ++bucket) {
        for (std::uint32_t place = starts_[bucket]; place < starts_[bucket + 1]; ++place) {
            const Slot slot = slots_[place];
            columns_.set(place, slot, spheres[slot]);
            if (contains(bucket, fixed_spheres_[slot].at)) order_.push_back(slot);
        }
    }
}

bool BucketSearch::is_named_in(std::uint32_t bucket, Slot a, Slot b) const {
    return contains(bucket,
                    fixed_.shared_corner(fixed_spheres_[std::min(a, b)], fixed_spheres_[std::max(a, b)]));
}

void BucketSearch::collect_pairs(CandidatePairs& pairs) {
    for (std::uint32_t bucket = 0; bucket < num_buckets(); ++bucket) {
        const std::uint32_t end = starts_[bucket + 1];
        for (std::uint32_t place = starts_[bucket]; place + 1 < end; ++place) {
            const Slot slot = slots_[place];
            columns_.for_each_overlap(place + 1, end, spheres_[slot], [&](std::uint32_t other) {
                if (is_named_in(bucket, slot, slots_[other])) pairs.add(slot, slots_[other]);
            });
        }
    }
}

bool BucketSearch::overlap(const BoundingSphere& a, const BoundingSphere& b) const {
    return norm(minimum_image(a.midpoint() - b.midpoint(), images())) <=
           static_cast<double>(a.reach) + static_cast<double>(b.reach) + slack();
}

/// Gives the slot's entry in the bucket its reach of now. False if it has none there.
bool BucketSearch::update_entry(std::uint32_t bucket, Slot slot) {
    const auto begin = slots_.begin() + starts_[bucket], end = slots_.begin() + starts_[bucket + 1];
    if (const auto entry = std::find(begin, end, slot); entry != end) {
        columns_.set_reach(static_cast<std::uint32_t>(entry - slots_.begin()), spheres_[slot].reach);
        return true;
    }
    for (std::uint32_t link = added_[bucket]; link != none; link = chains_[link].next)
        if (chains_[link].slot == slot) return true;
    return false;
}

void BucketSearch::add_entry(std::uint32_t bucket, Slot slot) {
    chains_.push_back({slot, added_[bucket]});
    added_[bucket] = static_cast<std::uint32_t>(chains_.size() - 1);
}

void BucketSearch::enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    RICOCHET_DCHECK_LT(slot, spheres_.size());
    BoundingSphere& sphere = spheres_[slot];
    sphere = enlarged(sphere, reach_needed(sphere, path, radius), radius);
    fixed_spheres_[slot] = fixed_(sphere);
    buckets_.clear();
    find_buckets(fixed_spheres_[slot], buckets_);
    for (const std::uint32_t bucket : buckets_) {
        const auto name = [&](Slot other) {
            if (other != slot && is_named_in(bucket, slot, other)) found.push_back(other);
        };
        columns_.for_each_overlap(starts_[bucket], starts_[bucket + 1], sphere,
                                  [&](std::uint32_t place) { name(slots_[place]); });
        for (std::uint32_t link = added_[bucket]; link != none; link = chains_[link].next) {
            ++num_compared_in_chains_;
            if (overlap(sphere, spheres_[chains_[link].slot])) name(chains_[link].slot);
        }
        if (!update_entry(bucket, slot)) add_entry(bucket, slot);
    }
}

std::size_t BucketSearch::memory_bytes() const {
    return columns_.memory_bytes() +
           bytes_of(fixed_spheres_, starts_, slots_, order_, added_, chains_, buckets_);
}

}  // namespace ricochet
