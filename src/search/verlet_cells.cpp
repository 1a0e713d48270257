// SPDX-License-Identifier: BSD-3-Clause
#include "search/verlet_cells.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "geometry/record_columns.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/cell_grid_filter.hpp"
#include "search/enlarged_sphere.hpp"

namespace ricochet {
namespace {

using FloatVector = hn::Vec<FloatTag>;
using QuadTag = hn::CappedTag<float, 4>;  ///< for spheres from anywhere

/// The squared distance of nearest images.
template <class Tag>
class NearestImages {
  public:
    explicit NearestImages(const ImageLengths& images) {
        for (std::size_t a = 0; a < 3; ++a) {
            length_[a] = static_cast<float>(images.length[static_cast<int>(a)]);
            inverse_[a] = static_cast<float>(images.inverse[static_cast<int>(a)]);
        }
    }
    HWY_ATTR HWY_INLINE hn::Vec<Tag> square(hn::Vec<Tag> x, hn::Vec<Tag> y, hn::Vec<Tag> z) const {
        const auto dx = nearest(x, 0), dy = nearest(y, 1), dz = nearest(z, 2);
        return hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    }

  private:
    HWY_ATTR HWY_INLINE hn::Vec<Tag> nearest(hn::Vec<Tag> d, std::size_t a) const {
        const auto turns = hn::Round(hn::Mul(d, hn::Set(Tag(), inverse_[a])));
        return hn::NegMulAdd(hn::Set(Tag(), length_[a]), turns, d);
    }
    std::array<float, 3> length_{}, inverse_{};
};

/// Compares pairs of spheres.
class PairFilter {
  public:
    PairFilter(std::span<const BoundingSphere> spheres, const ImageLengths& images, double slack)
        : spheres_(spheres.data()), images_(images), slack_(static_cast<float>(slack)) {}

    /// Which of the first pairs, as many as a quad has lanes, overlap, as bits.
    HWY_ATTR HWY_INLINE std::size_t of_quad(const Slot* first, const Slot* second) const {
        const QuadTag tag;
        const Columns a = columns(first), b = columns(second);
        const auto squared =
            images_.square(hn::Sub(a.first, b.first), hn::Sub(a.second, b.second), hn::Sub(a.third, b.third));
        const auto sum =
            hn::MulAdd(hn::Add(a.fourth, b.fourth), hn::Set(tag, filter_reach_up), hn::Set(tag, slack_));
        std::uint64_t bits = 0;
        hn::StoreMaskBits(tag, hn::Le(squared, hn::Mul(sum, sum)), reinterpret_cast<std::uint8_t*>(&bits));
        return bits;
    }

  private:
    using Columns = RecordColumns<QuadTag>;

    HWY_INLINE Columns columns(const Slot* slots) const {
        std::array<const void*, Columns::num_lanes> records;
        for (std::size_t k = 0; k < records.size(); ++k) records[k] = spheres_ + slots[k];
        return {records, 0};
    }

    const BoundingSphere* spheres_;
    NearestImages<QuadTag> images_;
    float slack_;
};

constexpr Slot nowhere = std::numeric_limits<Slot>::max();
constexpr Slot outgrown = nowhere - 1;  ///< of a slot that has left its kept sphere since the build

/// Pairs of kept spheres as pairs of slots.
template <std::size_t most>
class SlotPairs {
  public:
    /// Those of which both have a slot. Valid until the next call.
    PairSpan take(const PairSpan& kept, const Slot* slot_of) {
        std::size_t count = 0;
        for (std::size_t k = 0; k < kept.size(); ++k) {
            first_[count] = slot_of[kept.first[k]];
            second_[count] = slot_of[kept.second[k]];
            count += first_[count] != nowhere && second_[count] != nowhere ? 1 : 0;
        }
        return {std::span(first_).first(count), std::span(second_).first(count)};
    }

  private:
    std::array<Slot, most> first_, second_;
};

}  // namespace

std::unique_ptr<BroadPhase> make_cells(const Box& box, const SearchOptions& options) {
    return std::make_unique<VerletCells>(box, options.is_study);
}

VerletCells::VerletCells(const Box& box, bool counts_work)
    : BroadPhase(box),
      cells_(box, counts_work),
      stray_cells_(box, counts_work),
      choice_(images()),
      counts_work_(counts_work),
      listed_(store_),
      stray_pairs_(store_) {}

// --- the list ----------------------------------------------------------------------------------------------

void VerletCells::build(std::span<BoundingSphere> spheres, SearchDomain domain) {
    if (is_listed_) forget_moved();
    spheres_ = spheres;
    is_listed_ = (is_listed_ && still_lists()) || try_list(domain);
    if (!is_listed_) return cells_.build(spheres, domain);
    build_strays(domain);
    choose_order();
}

/// False if there had better be none.
bool VerletCells::try_list(SearchDomain domain) {
    moved_.clear();
    strays_.clear();
    constexpr std::size_t most = std::numeric_limits<Slot>::max() / 2;
    const double skin = spheres_.size() < most ? choice_.skin(spheres_) : 0;
    if (skin == 0) return false;
    resize_for_overwrite(kept_, spheres_.size());
    for (std::size_t k = 0; k < spheres_.size(); ++k)
        kept_[k] = bounding_sphere(spheres_[k].midpoint(), static_cast<double>(spheres_[k].reach) + skin);
    cells_.build(kept_, domain);
    listed_.clear();
    cells_.collect_pairs(listed_);
    for (std::vector<Slot>* const same : {&kept_of_, &slot_of_}) {
        resize_for_overwrite(*same, kept_.size());
        std::iota(same->begin(), same->end(), Slot{0});
    }
    ++num_lists_;
    return true;
}

/// All slots have the kept spheres of the same number again.
void VerletCells::forget_moved() {
    const auto reset = [this](std::size_t slot) {
        kept_of_[slot] = static_cast<Slot>(slot);
        if (slot < kept_.size()) slot_of_[slot] = static_cast<Slot>(slot);
    };
    for (const Slot slot : moved_) reset(slot);
    for (const Slot slot : grown_) reset(slot);
    for (std::size_t slot = spheres_.size(); slot < kept_.size(); ++slot) reset(slot);
    moved_.clear();
    strays_.clear();
    grown_.clear();
}

bool VerletCells::still_lists() {
    find_moved();
    const bool are_too_many = 2 * moved_.size() > spheres_.size();
    if (!are_too_many) match_moved();
    return choice_.lasts(moved_.size(), are_too_many ? moved_.size() : strays_.size(), spheres_.size());
}

/// Stops when there are too many for any list.
HWY_ATTR void VerletCells::find_moved() {
    const std::size_t num_both = std::min(kept_.size(), spheres_.size());
    const FloatTag tag;
    const std::size_t lanes = hn::Lanes(tag), most = spheres_.size() / 2;
    const NearestImages<FloatTag> nearest(images());
    const auto margin = hn::Set(tag, static_cast<float>(slack()));
    const auto least_room = hn::Set(tag, 1e-18F);  // squares of less have few digits
    std::size_t k = 0;
    for (; k + lanes <= num_both && moved_.size() <= most; k += lanes) {
        FloatVector x, y, z, reach, kept_x, kept_y, kept_z, kept_reach;
        hn::LoadInterleaved4(tag, &spheres_[k].x, x, y, z, reach);
        hn::LoadInterleaved4(tag, &kept_[k].x, kept_x, kept_y, kept_z, kept_reach);
        const auto squared = nearest.square(hn::Sub(x, kept_x), hn::Sub(y, kept_y), hn::Sub(z, kept_z));
        const auto room = hn::Sub(hn::Sub(kept_reach, reach), margin);
        const auto is_in = hn::And(hn::Ge(room, least_room), hn::Lt(squared, hn::Mul(room, room)));
        for (std::size_t bits = bits_of(hn::Not(is_in), lanes); bits != 0; bits &= bits - 1)
            moved_.push_back(static_cast<Slot>(k) + static_cast<Slot>(std::countr_zero(bits)));
    }
    if (moved_.size() > most) return;
    for (; k < num_both; ++k)
        if (!lies_in_kept(static_cast<Slot>(k), static_cast<Slot>(k))) moved_.push_back(static_cast<Slot>(k));
    for (; k < spheres_.size(); ++k) moved_.push_back(static_cast<Slot>(k));
}

bool VerletCells::lies_in_kept(Slot slot, Slot index) const {
    const BoundingSphere &sphere = spheres_[slot], &kept = kept_[index];
    const Vec3 apart = minimum_image(sphere.midpoint() - kept.midpoint(), images());
    const double room = static_cast<double>(kept.reach) - static_cast<double>(sphere.reach) - slack();
    return room >= 0 && dot(apart, apart) <= room * room;
}

/// Gives the slots that have moved the kept spheres in which they lie now; those without one are strays. Where a copy
/// at a face is gone, those behind it move up. So the next sphere is shifted by as much as the last one.
void VerletCells::match_moved() {
    if (kept_of_.size() < spheres_.size()) kept_of_.resize(spheres_.size());
    for (const Slot slot : moved_) {
        kept_of_[slot] = nowhere;
        if (slot < kept_.size()) slot_of_[slot] = nowhere;
    }
    for (std::size_t index = spheres_.size(); index < kept_.size(); ++index) slot_of_[index] = nowhere;
    std::ptrdiff_t shift = 0;
    for (const Slot slot : moved_) {
        const Slot index = vacant_kept(slot, shift);
        kept_of_[slot] = index;
        if (index == nowhere) {
            strays_.push_back(slot);
            continue;
        }
        slot_of_[index] = slot;
        shift = static_cast<std::ptrdiff_t>(index) - static_cast<std::ptrdiff_t>(slot);
    }
}

/// The kept sphere without a slot in which the slot's sphere lies; `nowhere` if there is none.
Slot VerletCells::vacant_kept(Slot slot, std::ptrdiff_t shift) {
    const auto is_vacant = [&](Slot index) {
        return slot_of_[index] == nowhere && lies_in_kept(slot, index);
    };
    for (const std::ptrdiff_t more : {0, 1, -1, 2, -2}) {
        const std::ptrdiff_t index = static_cast<std::ptrdiff_t>(slot) + shift + more;
        if (index >= 0 && index < std::ssize(kept_) && is_vacant(static_cast<Slot>(index)))
            return static_cast<Slot>(index);
    }
    near_.clear();
    cells_.query(bounding_sphere(spheres_[slot].midpoint(), 0), near_);
    const auto found = std::find_if(near_.begin(), near_.end(), is_vacant);
    return found == near_.end() ? nowhere : *found;
}

void VerletCells::build_strays(SearchDomain domain) {
    resize_for_overwrite(stray_spheres_, strays_.size());
    for (std::size_t k = 0; k < strays_.size(); ++k) stray_spheres_[k] = spheres_[strays_[k]];
    if (!strays_.empty()) stray_cells_.build(stray_spheres_, domain);
}

/// Sorting particles ends a list. So an order is given once in a few lists, late enough that the list has paid.
void VerletCells::choose_order() {
    constexpr std::uint64_t lists_between_sorts = 4, least_age = 8;
    order_.clear();
    if (num_lists_ % lists_between_sorts != 0 || choice_.age() < least_age) return;
    for (const Slot index : cells_.order())
        if (slot_of_[index] != nowhere) order_.push_back(slot_of_[index]);
    order_.insert(order_.end(), strays_.begin(), strays_.end());
}

std::size_t VerletCells::memory_bytes() const {
    return cells_.memory_bytes() + stray_cells_.memory_bytes() + choice_.memory_bytes() +
           store_.memory_bytes() +
           bytes_of(kept_, kept_of_, slot_of_, moved_, strays_, stray_spheres_, grown_, order_, near_);
}

// --- pairs -------------------------------------------------------------------------------------------------

void VerletCells::collect_pairs(CandidatePairs& pairs) {
    if (!is_listed_) return cells_.collect_pairs(pairs);
    if (spheres_.empty()) return;
    listed_.for_each_block([&](const PairSpan& listed) { name_listed(listed, pairs); });
    name_strays(pairs);
}

/// The listed pairs that overlap.
HWY_ATTR void VerletCells::name_listed(const PairSpan& listed, CandidatePairs& pairs) {
    constexpr std::size_t at_once = 64;
    const SlotTag tag;
    const std::size_t lanes = hn::Lanes(tag), quad = hn::Lanes(QuadTag());
    const bool all_stay = moved_.empty() && spheres_.size() >= kept_.size();
    const PairFilter filter(spheres_, images(), slack());
    SlotPairs<at_once> moved;
    if (counts_work_) num_compared_ += listed.size();
    for (std::size_t begin = 0; begin < listed.size(); begin += at_once) {
        const CandidatePairs::Room room = pairs.room_for(at_once + lanes);
        const std::size_t length = std::min(at_once, listed.size() - begin);
        PairSpan some{listed.first.subspan(begin, length), listed.second.subspan(begin, length)};
        if (!all_stay) some = moved.take(some, slot_of_.data());
        std::size_t count = 0, k = 0;
        for (; k + lanes <= some.size(); k += lanes) {
            const Slot *const first = &some.first[k], *const second = &some.second[k];
            std::size_t bits = 0;
            for (std::size_t lane = 0; lane < lanes; lane += quad)
                bits |= filter.of_quad(first + lane, second + lane) << lane;
            store_set_lanes(hn::LoadU(tag, second), bits, room.second + count);
            count += store_set_lanes(hn::LoadU(tag, first), bits, room.first + count);
        }
        for (; k < some.size(); ++k) {
            room.first[count] = some.first[k];
            room.second[count] = some.second[k];
            count += may_overlap(spheres_[some.first[k]], spheres_[some.second[k]]) ? 1 : 0;
        }
        pairs.keep(count);
    }
}

bool VerletCells::may_overlap(const BoundingSphere& a, const BoundingSphere& b) const {
    const Vec3 apart = minimum_image(a.midpoint() - b.midpoint(), images());
    const double reach = static_cast<double>(a.reach) + static_cast<double>(b.reach) + slack();
    return dot(apart, apart) <= reach * reach;
}

void VerletCells::name_strays(CandidatePairs& pairs) {
    if (strays_.empty()) return;
    stray_pairs_.clear();
    stray_cells_.collect_pairs(stray_pairs_);
    stray_pairs_.for_each_block([&](const PairSpan& some) {
        for (std::size_t k = 0; k < some.size(); ++k)
            pairs.add(strays_[some.first[k]], strays_[some.second[k]]);
    });
    for (std::size_t k = 0; k < strays_.size(); ++k) {
        near_.clear();
        append_kept(stray_spheres_[k], near_);
        for (const Slot other : near_) pairs.add(strays_[k], other);
    }
}

/// Those that lie in their kept spheres, and overlap this one; each once unless it has outgrown its level of cells.
void VerletCells::append_kept(const BoundingSphere& sphere, std::vector<Slot>& found) {
    const auto first = found.size();
    cells_.query(sphere, found);
    std::size_t num_left = first;
    for (std::size_t k = first; k < found.size(); ++k) {
        const Slot other = slot_of_[found[k]];
        if (other != nowhere && may_overlap(sphere, spheres_[other])) found[num_left++] = other;
    }
    found.resize(num_left);
}

// --- bent paths --------------------------------------------------------------------------------------------

void VerletCells::enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    if (!is_listed_) return cells_.enlarge(slot, path, radius, found);
    if (kept_of_[slot] == nowhere)
        enlarge_stray(slot, path, radius, found);
    else
        enlarge_kept(slot, path, radius, found);
    append_kept(spheres_[slot], found);
    for (const Slot other : grown_)
        if (may_overlap(spheres_[slot], spheres_[other])) found.push_back(other);
}

void VerletCells::enlarge_stray(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    const auto index =
        static_cast<Slot>(std::lower_bound(strays_.begin(), strays_.end(), slot) - strays_.begin());
    near_.clear();
    stray_cells_.enlarge(index, path, radius, near_);
    spheres_[slot] = stray_spheres_[index];
    for (const Slot other : near_) found.push_back(strays_[other]);
}

void VerletCells::enlarge_kept(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    BoundingSphere& sphere = spheres_[slot];
    sphere = enlarged(sphere, reach_needed(sphere, path, radius), radius);
    if (kept_of_[slot] != outgrown && !lies_in_kept(slot, kept_of_[slot])) {
        slot_of_[kept_of_[slot]] = nowhere;
        kept_of_[slot] = outgrown;
        grown_.push_back(slot);
    }
    if (strays_.empty()) return;
    near_.clear();
    stray_cells_.query(sphere, near_);
    for (const Slot other : near_) found.push_back(strays_[other]);
}

}  // namespace ricochet
