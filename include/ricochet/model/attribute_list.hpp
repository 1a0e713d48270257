// SPDX-License-Identifier: BSD-3-Clause
//
// The attributes of a set of particles. Most systems have one kind of particles, or a few, and all particles
// of a kind have the same attributes.
//
// Layout: one record per kind, and one byte per particle that names its kind when there are several. That
// saves 31 bytes per particle, to store, to sort and to fetch with every contact. With more than most_kinds,
// as where radii are distributed, each particle has its own record.
//
// Disadvantage: kinds without particles stay until the list is cleared.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

/// Index into the list of species.
using SpeciesIndex = std::uint32_t;

/// The frozen axes of a particle that rests, in two dimensions too.
inline constexpr std::uint32_t all_axes = 7;

struct Attributes {
    double radius = 0;
    double mass = 0;  ///< the mass of the contact response; Brownian particles: effective mass kT dt / (2 D)
    double diffusion = 0;  ///< D, length^2 / time; 0 for ballistic particles
    SpeciesIndex species = 0;
    /// Bit a: the particle does not move along axis a, and its velocity there is 0. A function of the species.
    std::uint32_t frozen_axes = 0;

    bool rests() const { return frozen_axes == all_axes; }
    bool moves_along(int axis) const { return (frozen_axes >> axis & 1) == 0; }
    friend bool operator==(const Attributes&, const Attributes&) = default;
};
static_assert(sizeof(Attributes) == 32 && std::is_trivially_copyable_v<Attributes>);

class AttributeList {
  public:
    /// So few that a linear search finds the kind of a record.
    static constexpr std::size_t most_kinds = 64;

    /// Finds the record of each particle; hot loops keep a copy. Valid until the list changes.
    struct Lookup {
        const Attributes* records = nullptr;
        const std::uint8_t* kinds = nullptr;  ///< by particle; null: the record has the particle's index
        std::size_t mask = 0;                 ///< of that index: 0 where one record is shared, else all bits

        const Attributes& operator[](std::size_t k) const {
            return records[kinds != nullptr ? kinds[k] : k & mask];
        }
        /// The addresses of the records of `count` particles from k on.
        template <std::size_t count>
        std::array<const void*, count> places(std::size_t k) const {
            std::array<const void*, count> places;
            if (kinds != nullptr) {
                for (std::size_t i = 0; i < count; ++i) places[i] = records + kinds[k + i];
            } else {
                for (std::size_t i = 0; i < count; ++i) places[i] = records + (k & mask) + (i & mask);
            }
            return places;
        }
    };

    AttributeList() = default;
    AttributeList(const AttributeList&) = default;
    AttributeList& operator=(const AttributeList&) = default;
    /// Leaves `other` empty.
    AttributeList(AttributeList&& other) noexcept { swap(other); }
    AttributeList& operator=(AttributeList&& other) noexcept {
        AttributeList taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~AttributeList() = default;

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// The number of particles of the present kinds that fit without new memory.
    std::size_t capacity() const {
        if (storage_ == Storage::by_kind) return kinds_.capacity();
        return is_shared() ? std::numeric_limits<std::size_t>::max() : records_.capacity();
    }
    /// Makes room for `size` particles, whatever the number of their kinds.
    void reserve(std::size_t size) {
        wanted_capacity_ = std::max(wanted_capacity_, size);
        if (storage_ == Storage::by_kind) kinds_.reserve(wanted_capacity_);
        if (storage_ == Storage::each) reserve_in_large_pages(records_, wanted_capacity_);
    }
    /// Whether all particles share one record.
    bool is_shared() const { return storage_ == Storage::shared; }
    /// The stored records: one when it is shared (and there are particles), else one for each kind. With too
    /// many kinds, one for each particle.
    std::span<const Attributes> records() const { return records_; }
    Lookup lookup() const {
        return {records_.data(), storage_ == Storage::by_kind ? kinds_.data() : nullptr,
                is_shared() ? 0 : ~std::size_t{0}};
    }
    const Attributes& operator[](std::size_t k) const {
        RICOCHET_DCHECK_LT(k, size_);
        return storage_ == Storage::by_kind ? records_[kinds_[k]] : records_[is_shared() ? 0 : k];
    }
    void push_back(const Attributes& attributes) { append(attributes, size_ + 1); }
    /// Appends a particle with the attributes of particle k.
    void push_back_another(std::size_t k) {
        RICOCHET_DCHECK_LT(k, size_);
        if (storage_ == Storage::by_kind) kinds_.push_back(kinds_[k]);
        if (storage_ == Storage::each) records_.push_back(records_[k]);
        ++size_;
    }
    /// New particles have default attributes.
    void resize(std::size_t size) {
        if (size == 0) return clear();
        if (size > size_) return append({}, size);
        if (storage_ == Storage::by_kind) kinds_.resize(size);
        if (storage_ == Storage::each) records_.resize(size);
        size_ = size;
    }
    void clear() {
        records_.clear();
        kinds_.clear();
        size_ = 0;
        storage_ = Storage::shared;
    }
    void set(std::size_t k, const Attributes& attributes) {
        RICOCHET_DCHECK_LT(k, size_);
        const std::size_t kind = kind_of(attributes);
        if (storage_ == Storage::by_kind) kinds_[k] = static_cast<std::uint8_t>(kind);
        if (storage_ == Storage::each) records_[k] = attributes;
    }
    /// Copies the attributes of particle `from` to particle `to`.
    void copy_within(std::size_t from, std::size_t to) {
        RICOCHET_DCHECK_LT(std::max(from, to), size_);
        if (storage_ == Storage::by_kind) kinds_[to] = kinds_[from];
        if (storage_ == Storage::each) records_[to] = records_[from];
    }
    /// A record to be changed; from now on each particle has its own.
    Attributes& edit(std::size_t k) {
        RICOCHET_DCHECK_LT(k, size_);
        spread();
        return records_[k];
    }
    /// visit(record) for the record of each kind that has particles; where there are too many kinds, for each
    /// particle's. O(particles), of which it reads a byte each; O(1) where all share one record.
    template <class Visit>
    void for_each_present(Visit&& visit) const {
        if (empty()) return;
        if (storage_ != Storage::by_kind) {
            for (const Attributes& record : records_) visit(record);
            return;
        }
        std::array<bool, most_kinds> has_particles{};
        for (const std::uint8_t kind : kinds_) has_particles[kind] = true;
        for (std::size_t kind = 0; kind < records_.size(); ++kind)
            if (has_particles[kind]) visit(records_[kind]);
    }
    /// Applies change(attributes) to all particles. The result may depend on the attributes only: the record
    /// of a kind is changed once.
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
    enum class Storage : std::uint8_t { shared, by_kind, each };

    static bool is_same(const Attributes& a, const Attributes& b) {
        using Words = std::array<std::uint64_t, sizeof(Attributes) / sizeof(std::uint64_t)>;
        return std::bit_cast<Words>(a) == std::bit_cast<Words>(b);
    }
    void swap(AttributeList& other) noexcept {
        std::swap(records_, other.records_);
        std::swap(kinds_, other.kinds_);
        std::swap(size_, other.size_);
        std::swap(storage_, other.storage_);
        std::swap(wanted_capacity_, other.wanted_capacity_);
    }
    /// Extends the list to `size` particles with copies of one record.
    void append(Attributes attributes, std::size_t size) {
        const std::size_t kind = kind_of(attributes);
        if (storage_ == Storage::by_kind) kinds_.resize(size, static_cast<std::uint8_t>(kind));
        if (storage_ == Storage::each) records_.resize(size, attributes);
        size_ = size;
    }
    /// The index of the record, which becomes a new kind if necessary. None where each particle has its own
    /// record, as from now on when there are too many kinds.
    std::size_t kind_of(const Attributes& attributes) {
        if (storage_ == Storage::each) return 0;
        std::uint8_t& latest = latest_kinds_[attributes.species % latest_kinds_.size()];
        if (latest < records_.size() && is_same(records_[latest], attributes)) return latest;
        for (std::size_t kind = 0; kind < records_.size(); ++kind)
            if (is_same(records_[kind], attributes)) return latest = static_cast<std::uint8_t>(kind);
        if (records_.size() == most_kinds) {
            spread();
            return 0;
        }
        if (records_.size() == 1) {
            kinds_.reserve(wanted_capacity_);
            kinds_.assign(size_, 0);
            storage_ = Storage::by_kind;
        }
        records_.push_back(attributes);
        return records_.size() - 1;
    }
    void spread() {
        if (storage_ == Storage::each) return;
        std::vector<Attributes> of_each;
        reserve_in_large_pages(of_each, std::max(wanted_capacity_, size_));
        of_each.assign(begin(), end());
        records_.swap(of_each);
        std::vector<std::uint8_t>().swap(kinds_);
        storage_ = Storage::each;
    }

    std::vector<Attributes> records_;
    std::vector<std::uint8_t> kinds_;  ///< by particle, where there are several
    std::size_t size_ = 0;
    Storage storage_ = Storage::shared;
    /// The kind that was asked for last, by species: a hint. With it a copy from a neighbour costs one comparison.
    std::array<std::uint8_t, 32> latest_kinds_{};
    std::size_t wanted_capacity_ = 0;  ///< reserved as soon as the kind of storage is known
};

}  // namespace ricochet
