// SPDX-License-Identifier: BSD-3-Clause
//
// Sorts particles in place: a copy of the arrays would be the peak of a run's memory.
//
// Algorithm: between two sorts in space few particles move far in the order. Then one pass over the places,
// from first to last, fills each place. The particle that belongs there is some way ahead, or was set aside
// when its own place was filled. Those set aside at one time fit into the spare room of the arrays, and stay
// in cache.
//
// In any other order, as after a random placement, up to a quarter would be set aside. Then particles move
// along the cycles of the permutation instead. That is slower, because each step of a cycle is known only
// after the one before (note 24 of tests/bench/notes.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "ricochet/core/check.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {
namespace detail {

/// Whether every index occurs once.
template <class Order>
bool is_permutation(const Order& order) {
    std::vector<bool> is_found(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k] >= order.size() || is_found[order[k]]) return false;
        is_found[order[k]] = true;
    }
    return true;
}

/// Plans one pass over the places.
class PassPlan {
  public:
    template <class Order>
    explicit PassPlan(const Order& order) : is_taken_(order.size() / bits + 1) {
        std::int64_t num_aside = 0, most = 0;
        for (std::uint32_t place = 0; place < order.size(); ++place) {
            const std::uint32_t from = order[place];
            num_aside += from != place && !is_taken(place) ? 1 : 0;
            most = std::max(most, num_aside);
            num_aside -= from < place ? 1 : 0;
            is_taken_[from / bits] |= std::uint64_t{from > place} << from % bits;
        }
        most_set_aside_ = static_cast<std::size_t>(most);
    }

    /// Largest number of particles set aside at one time.
    std::size_t most_set_aside() const { return most_set_aside_; }
    /// Whether the particle that was at this place moves to an earlier one.
    bool is_taken(std::uint32_t place) const { return (is_taken_[place / bits] >> place % bits & 1) != 0; }

  private:
    static constexpr std::uint32_t bits = 64;

    std::vector<std::uint64_t> is_taken_;
    std::size_t most_set_aside_ = 0;
};

/// One pass over the places, nearly without branches, because the order cannot be foreseen. Setting a
/// particle aside in vain takes less time than a mispredicted branch.
template <class Order>
void reorder_in_a_pass(Particles& particles, Order& order, const PassPlan& plan) {
    constexpr std::uint32_t lead = 24;
    const auto size = static_cast<std::uint32_t>(order.size());
    std::vector<std::uint32_t> vacant(plan.most_set_aside() + 1);  // places after the particles
    std::iota(vacant.begin(), vacant.end(), size);
    for (std::size_t k = 0; k < vacant.size(); ++k) particles.push_back_another(0);
    std::size_t num_vacant = vacant.size();  // never 0
    vacant.push_back(0);                     // overwritten when there is none to add
    for (std::uint32_t place = 0; place < size; ++place) {
        if (place + lead < size) {
            const std::uint32_t soon = order[place + lead];
            particles.prefetch(soon < place ? order[soon] : soon);
        }
        const std::uint32_t from = order[place];
        if (from == place) continue;
        order[place] = vacant[num_vacant - 1];
        particles.move_within(place, order[place]);
        num_vacant -= plan.is_taken(place) ? 0 : 1;
        const std::uint32_t found = from > place ? from : order[from];
        particles.move_within(found, place);
        vacant[num_vacant] = found;
        num_vacant += from < place ? 1 : 0;
    }
    particles.resize(size);
}

/// Moves particles along the cycles. Where a cycle leads is known long before the particle is needed, so it
/// is prefetched (note 24 of tests/bench/notes.md).
template <class Order>
void reorder_in_cycles(Particles& particles, Order& order) {
    constexpr int lead = 32;
    TrackList more_of_first;
    more_of_first.resize(1);
    for (std::uint32_t first = 0; first < order.size(); ++first) {
        if (order[first] == first) continue;
        const Motion motion_of_first = particles.motion[first];
        const Attributes attributes_of_first = particles.attributes[first];
        const Track track_of_first = particles.track[first];
        more_of_first.take_more(0, particles.track, first);
        std::uint32_t to = first, ahead = order[first];
        for (int k = 0; k < lead && ahead != first; ++k, ahead = order[ahead]) particles.prefetch(ahead);
        for (std::uint32_t from = order[to]; from != first; from = order[to]) {
            particles.move_within(from, to);
            order[to] = to;
            to = from;
            if (ahead == first) continue;
            particles.prefetch(ahead);
            ahead = order[ahead];
        }
        particles.motion[to] = motion_of_first;
        particles.attributes.set(to, attributes_of_first);
        particles.track.set(to, track_of_first);
        particles.track.take_more(to, more_of_first, 0);
        order[to] = to;
    }
}

}  // namespace detail

/// Brings the particles into another order: particle k is then the former particle order[k]. `order` may be any
/// container with [] and size(); an empty one leaves them as they are. O(N); takes N/8 bytes, and the spare room of
/// the arrays.
/// Requires: `order` is empty, or a permutation of all particles.
template <class Order>
void reorder(Particles& particles, Order order) {
    if (order.size() == 0) return;
    RICOCHET_CHECK_EQ(order.size(), particles.size());
    RICOCHET_DCHECK(detail::is_permutation(order));
    if (order.size() < 2) return;
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    const detail::PassPlan plan(order);
    if (particles.size() + plan.most_set_aside() < std::min(particles.capacity(), most))
        detail::reorder_in_a_pass(particles, order, plan);
    else
        detail::reorder_in_cycles(particles, order);
}

}  // namespace ricochet
