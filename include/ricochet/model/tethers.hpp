// SPDX-License-Identifier: BSD-3-Clause
//
// Tethers: the particles that one particle is held to. Both partners of a tether have it in their lists, with the same
// bits on any rank.
//
// Layout: two cache lines, in the order in which the tethers formed. A particle with tethers keeps its species, so the
// species of the partners, and with them the rule of each tether, are known without the partners.
//
// Invariants: unused places hold no_id and 0, so equal lists are equal bytes. Within a step tethers are only added:
// what a step adds is undone by the number that there were before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "ricochet/core/check.hpp"

namespace ricochet {

/// The id that no particle has, and H5MD's mark of an absent particle.
inline constexpr std::uint64_t no_id = ~std::uint64_t{0};

class Tethers {
  public:
    /// The most tethers of one particle: as many as equal spheres can touch one.
    static constexpr std::uint32_t most = 12;
    /// Species that form tethers have indices below this.
    static constexpr std::uint32_t most_species = 0xffff;

    Tethers() { partners_.fill(no_id); }

    std::uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::span<const std::uint64_t> partners() const { return {partners_.data(), size_}; }
    std::uint64_t partner(std::uint32_t k) const { return partners_[k]; }
    std::uint32_t species(std::uint32_t k) const { return species_[k]; }
    bool holds(std::uint64_t partner) const {
        for (std::uint32_t k = 0; k < size_; ++k)
            if (partners_[k] == partner) return true;
        return false;
    }

    /// Requires: size() < most.
    void add(std::uint64_t partner, std::uint32_t species) {
        RICOCHET_CHECK_LT(size_, most);
        partners_[size_] = partner;
        species_[size_++] = static_cast<std::uint16_t>(species);
    }
    /// Removes the latest, down to this number.
    void truncate(std::uint32_t size) {
        while (size_ > size) {
            partners_[--size_] = no_id;
            species_[size_] = 0;
        }
    }
    /// The others keep their order.
    /// Requires: k < size().
    void remove(std::uint32_t k) {
        RICOCHET_CHECK_LT(k, size_);
        for (; k + 1 < size_; ++k) {
            partners_[k] = partners_[k + 1];
            species_[k] = species_[k + 1];
        }
        truncate(size_ - 1);
    }

    friend bool operator==(const Tethers&, const Tethers&) = default;

  private:
    std::array<std::uint64_t, most> partners_;   ///< ids
    std::array<std::uint16_t, most> species_{};  ///< of the partners
    std::uint32_t size_ = 0;
    std::uint32_t unused_ = 0;
};
static_assert(sizeof(Tethers) == 128 && std::is_trivially_copyable_v<Tethers>);

}  // namespace ricochet
