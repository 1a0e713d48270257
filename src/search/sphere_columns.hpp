// SPDX-License-Identifier: BSD-3-Clause
//
// Bounding spheres in columns, and the vector loop that finds those of a range which overlap one sphere. The
// searches that sort spheres in some way share it, so that they are compared by what they sort.
//
// Layout: x, y, z and reach by *place*, four float columns (columns.hpp), and the slot of each place.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/columns.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "search/cell_grid_filter.hpp"

namespace ricochet {

class SphereColumns {
  public:
    using Place = std::uint32_t;

    SphereColumns(const ImageLengths& images, double slack) : images_(images), slack_(slack) {}

    /// The contents may be lost.
    void resize(std::size_t size) {
        columns_.make_room(size + padding());
        resize_for_overwrite(slots_, size);
    }
    void set(Place place, Slot slot, const BoundingSphere& sphere) {
        columns_[0][place] = sphere.x;
        columns_[1][place] = sphere.y;
        columns_[2][place] = sphere.z;
        slots_[place] = slot;
        set_reach(place, sphere.reach);
    }
    void set_reach(Place place, float reach) { columns_[3][place] = reach * filter_reach_up; }

    const std::vector<Slot>& slots() const { return slots_; }
    std::size_t memory_bytes() const { return columns_.memory_bytes() + bytes_of(slots_); }
    /// By all calls of for_each_overlap.
    std::uint64_t num_compared() const { return num_compared_; }

    /// Calls visit(place) for the places in [begin, end) whose spheres overlap the given one, in any image.
    template <class Visit>
    HWY_ATTR void for_each_overlap(Place begin, Place end, const BoundingSphere& sphere,
                                   Visit&& visit) const {
        const FloatTag tag;
        const auto lanes = static_cast<Place>(hn::Lanes(tag));
        const auto reach =
            hn::Set(tag, static_cast<float>(static_cast<double>(sphere.reach * filter_reach_up) + slack_));
        const Axis x(*this, 0, sphere.x), y(*this, 1, sphere.y), z(*this, 2, sphere.z);
        num_compared_ += begin < end ? end - begin : 0;
        for (Place place = begin; place < end; place += lanes) {
            const auto dx = x.distance(place), dy = y.distance(place), dz = z.distance(place);
            const auto squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
            const auto sum = hn::Add(hn::LoadU(tag, columns_[3] + place), reach);
            for (std::size_t bits = bits_of(hn::Le(squared, hn::Mul(sum, sum)), end - place); bits != 0;
                 bits &= bits - 1)
                visit(place + static_cast<Place>(std::countr_zero(bits)));
        }
    }

  private:
    using Vector = hn::Vec<FloatTag>;
    struct Axis {
        const float* column;
        Vector centre, length, inverse;

        Axis(const SphereColumns& of, std::size_t axis, float at)
            : column(of.columns_[axis]),
              centre(hn::Set(FloatTag(), at)),
              length(hn::Set(FloatTag(), static_cast<float>(of.images_.length[static_cast<int>(axis)]))),
              inverse(hn::Set(FloatTag(), static_cast<float>(of.images_.inverse[static_cast<int>(axis)]))) {}
        HWY_ATTR HWY_INLINE Vector distance(Place place) const {
            const Vector d = hn::Sub(hn::LoadU(FloatTag(), column + place), centre);
            return hn::NegMulAdd(length, hn::Round(hn::Mul(d, inverse)), d);
        }
    };

    ImageLengths images_;
    double slack_;
    Columns<float, 4> columns_;
    std::vector<Slot> slots_;
    mutable std::uint64_t num_compared_ = 0;
};

}  // namespace ricochet
