// SPDX-License-Identifier: BSD-3-Clause
#include "result/contact_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

using Place = ContactOrder::Place;

constexpr std::size_t contacts_per_bucket = 4;

/// Gives every time a bucket. Later times have no earlier buckets.
class Buckets {
  public:
    Buckets(std::span<const Place> places, std::size_t count) : last_(count - 1) {
        double latest = 0;
        for (const Place& place : places) latest = std::max(latest, place.time);
        const double scale = static_cast<double>(count) / latest;
        if (std::isfinite(scale)) scale_ = scale;  // else all times are next to 0
    }
    std::size_t of(double time) const {
        const double place = std::max(0.0, time * scale_);
        return std::min(static_cast<std::size_t>(place), last_);
    }

  private:
    std::size_t last_;
    double scale_ = 0;
};

/// Sorts the places of a bucket, which are in any order.
template <class Less>
void sort_bucket(std::span<Place> places, Less less) {
    constexpr std::size_t many = 24;
    if (places.size() >= many) return std::sort(places.begin(), places.end(), less);
    for (std::size_t k = 1; k < places.size(); ++k) {
        const Place place = places[k];
        std::size_t to = k;
        for (; to > 0 && less(place, places[to - 1]); --to) places[to] = places[to - 1];
        places[to] = place;
    }
}

}  // namespace

void ContactOrder::make_room(std::size_t size) {
    RICOCHET_CHECK_LE(size, std::numeric_limits<std::uint32_t>::max());
    if (size > places_.size()) {
        resize_for_overwrite(places_, size);
        resize_for_overwrite(sorted_, size);
    }
}

std::span<const ContactOrder::Place> ContactOrder::sort_places(std::span<const Contact> contacts,
                                                               std::size_t count) {
    const std::span<const Place> places = std::span(places_).first(count);
    const Buckets buckets(places, count / contacts_per_bucket + 1);
    ends_.assign(count / contacts_per_bucket + 1, 0);
    for (const Place& place : places) ++ends_[buckets.of(place.time)];
    std::uint32_t begin = 0;
    for (std::uint32_t& end : ends_) begin += std::exchange(end, begin);  // for now where buckets begin
    for (const Place& place : places) sorted_[ends_[buckets.of(place.time)]++] = place;
    const auto less = [contacts](const Place& a, const Place& b) {
        return a.time != b.time ? a.time < b.time : contacts[a.index].key < contacts[b.index].key;
    };
    begin = 0;
    for (const std::uint32_t end : ends_) {
        sort_bucket(std::span(sorted_).subspan(begin, end - begin), less);
        begin = end;
    }
    return std::span(sorted_).first(count);
}

}  // namespace ricochet
