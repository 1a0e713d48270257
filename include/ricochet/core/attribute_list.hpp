// SPDX-License-Identifier: BSD-3-Clause
//
// The attributes of a set of particles. As long as all are the same bits, which is most systems of one
// species, one record stands for all of them: 32 bytes less per particle to hold, and to move in every step.
// The first one that differs gives each its own record.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace ricochet {

/// Index into the list of species.
using SpeciesIndex = std::uint32_t;

struct Attributes {
    double radius = 0;
    double mass = 0;  ///< the mass of the contact response; Brownian particles: effective mass kT dt / (2 D)
    double diffusion = 0;  ///< D, length^2 / time; 0 for ballistic particles
    SpeciesIndex species = 0;
    std::uint32_t unused = 0;  ///< explicit padding: the record is sent and hashed as bytes

    friend bool operator==(const Attributes&, const Attributes&) = default;
};
static_assert(sizeof(Attributes) == 32 && std::is_trivially_copyable_v<Attributes>);

class AttributeList {
  public:
    AttributeList() = default;
    AttributeList(const AttributeList&) = default;
    AttributeList& operator=(const AttributeList&) = default;
    /// Leaves the other empty.
    AttributeList(AttributeList&& other) noexcept
        : records_(std::move(other.records_)),
          size_(std::exchange(other.size_, 0)),
          mask_(std::exchange(other.mask_, 0)) {
        other.records_.clear();
    }
    AttributeList& operator=(AttributeList&& other) noexcept {
        AttributeList taken(std::move(other));
        std::swap(records_, taken.records_);
        std::swap(size_, taken.size_);
        std::swap(mask_, taken.mask_);
        return *this;
    }
    ~AttributeList() = default;

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// Whether one record stands for all.
    bool is_shared() const { return mask_ == 0; }
    /// From one particle's record to the next one's, in records.
    std::size_t stride() const { return is_shared() ? 0 : 1; }
    /// The records that are kept: one when it is shared (and there are any), else one for each.
    std::span<const Attributes> records() const { return records_; }
    const Attributes& operator[](std::size_t k) const { return records_[k & mask_]; }

    void push_back(Attributes attributes) {
        if (size_ == 0) share(attributes);
        if (is_shared() && !is_same(records_[0], attributes)) spread();
        if (!is_shared()) records_.push_back(attributes);
        ++size_;
    }
    /// New ones are default constructed.
    void resize(std::size_t size) {
        if (size == 0) return clear();
        if (size_ == 0) share({});
        if (is_shared() && size > size_ && !is_same(records_[0], {})) spread();
        if (!is_shared()) records_.resize(size);
        size_ = size;
    }
    void clear() {
        records_.clear();
        size_ = 0;
        mask_ = 0;
    }
    void set(std::size_t k, Attributes attributes) {
        if (is_shared()) {
            if (is_same(records_[0], attributes)) return;
            spread();
        }
        records_[k] = attributes;
    }
    /// One of them, to be changed: from now on each has its own record.
    Attributes& edit(std::size_t k) {
        if (is_shared()) spread();
        return records_[k];
    }
    /// change(attributes) for all, which must not tell between equal ones: a shared record is changed once.
    template <class Change>
    void change_all(Change&& change) {
        for (Attributes& attributes : records_) change(attributes);
    }

    class Iterator {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Attributes;
        using difference_type = std::ptrdiff_t;
        using pointer = const Attributes*;
        using reference = const Attributes&;

        Iterator() = default;
        Iterator(const AttributeList& list, std::size_t k) : list_(&list), k_(k) {}
        const Attributes& operator*() const { return (*list_)[k_]; }
        const Attributes* operator->() const { return &(*list_)[k_]; }
        Iterator& operator++() {
            ++k_;
            return *this;
        }
        Iterator operator++(int) { return {*list_, k_++}; }
        friend bool operator==(const Iterator&, const Iterator&) = default;

      private:
        const AttributeList* list_ = nullptr;
        std::size_t k_ = 0;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size_}; }

  private:
    static bool is_same(const Attributes& a, const Attributes& b) {
        using Words = std::array<std::uint64_t, sizeof(Attributes) / sizeof(std::uint64_t)>;
        return std::bit_cast<Words>(a) == std::bit_cast<Words>(b);
    }
    void share(const Attributes& attributes) {
        records_.assign(1, attributes);
        mask_ = 0;
    }
    void spread() {
        const Attributes shared = size_ > 0 ? records_[0] : Attributes();
        records_.assign(size_, shared);
        mask_ = ~std::size_t{0};
    }

    std::vector<Attributes> records_;
    std::size_t size_ = 0;
    std::size_t mask_ = 0;  ///< of the index: 0 when one record is shared, else all bits
};

}  // namespace ricochet
