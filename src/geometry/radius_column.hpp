// SPDX-License-Identifier: BSD-3-Clause
//
// The radii of consecutive particles, a vector at a time. Where all share one record
// (model/attribute_list.hpp) only that record is read.
#pragma once

#include <hwy/highway.h>

#include <array>
#include <cstddef>

#include "geometry/record_columns.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/attribute_list.hpp"

namespace ricochet::detail {

template <class Tag>
class RadiusColumn {
    using Vector = hwy::HWY_NAMESPACE::Vec<Tag>;
    static constexpr std::size_t num_lanes = hwy::HWY_NAMESPACE::MaxLanes(Tag());
    static_assert(sizeof(Attributes) == 32 && offsetof(Attributes, radius) == 0);

  public:
    /// The list must not change.
    HWY_ATTR explicit RadiusColumn(const AttributeList& attributes)
        : attributes_(attributes.lookup()),
          size_(attributes.size()),
          is_shared_(attributes.is_shared()),
          shared_(hwy::HWY_NAMESPACE::Set(Tag(), attributes.empty() ? 0 : attributes[0].radius)) {}

    /// Radii of the particles from k on, which must all exist.
    HWY_ATTR HWY_INLINE Vector operator()(std::size_t k) const {
        RICOCHET_DCHECK_LE(k + num_lanes, size_);
        if (is_shared_) return shared_;
        return RecordColumns<Tag>(attributes_.template places<num_lanes>(k), 0).first;
    }
    /// The same at the end of the list; radii beyond it are 0.
    HWY_ATTR Vector last(std::size_t k) const {
        std::array<double, num_lanes> radii{};
        for (std::size_t i = k; i < size_; ++i) radii[i - k] = attributes_[i].radius;
        return hwy::HWY_NAMESPACE::LoadU(Tag(), radii.data());
    }

  private:
    AttributeList::Lookup attributes_;
    std::size_t size_;
    bool is_shared_;
    Vector shared_;
};

}  // namespace ricochet::detail
