// SPDX-License-Identifier: BSD-3-Clause
//
// A kinetic structure with a reserve, which takes its place in a step in which it has lost a contact. The reserve is
// cells_crossing, which has no more conditions than that its cells are wide enough; for these all pairs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "ricochet/engine/step_engine.hpp"
#include "search/all_slots.hpp"
#include "search/cells_crossing.hpp"
#include "search/kinetic_structure.hpp"

namespace ricochet {

/// Says of a slot whether it may touch a wall before the structure's next event.
template <class S>
concept ForeseesWalls = requires(const S structure, Slot slot) {
    { structure.may_touch_wall(slot) } -> std::same_as<bool>;
};

template <KineticStructure Structure>
class ReplaceableStructure {
  public:
    using Reserve = std::conditional_t<std::same_as<Structure, CellsCrossing>, AllSlots, CellsCrossing>;

    ReplaceableStructure(const Box& box, const EngineOptions& options)
        : structure_(make_structure(box, options)), reserve_(box, options.search_options) {}

    /// To be built next.
    void choose(bool is_replaced) { is_replaced_ = is_replaced; }

    void begin(const KineticSetting& setting, TopologicalQueue& queue) {
        visit(*this, [&](auto& one) { one.begin(setting, queue); });
    }
    void neighbours(Slot slot, std::vector<Slot>& found) const {
        visit(*this, [&](const auto& one) { one.neighbours(slot, found); });
    }
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) {
        return visit(*this, [&](auto& one) { return one.process(event, queue, found); });
    }
    bool changed(Slot slot, double now, TopologicalQueue& queue) {
        return visit(*this, [&](auto& one) { return one.changed(slot, now, queue); });
    }
    /// Whether an event has shown that it is wrong; false of structures that cannot tell.
    bool is_broken() const {
        return visit(*this, [](const auto& one) {
            if constexpr (requires { one.is_broken(); })
                return one.is_broken();
            else
                return false;
        });
    }
    /// Whether cells stand in for it since it was begun last; false of structures that need none.
    bool uses_cells() const {
        return visit(*this, [](const auto& one) {
            if constexpr (requires { one.uses_cells(); })
                return one.uses_cells();
            else
                return false;
        });
    }
    /// Whether contacts of the slot with walls must be looked for; true of structures that foresee none.
    bool may_touch_wall(Slot slot) const {
        return visit(*this, [slot](const auto& one) {
            if constexpr (ForeseesWalls<std::remove_cvref_t<decltype(one)>>)
                return one.may_touch_wall(slot);
            else
                return true;
        });
    }
    /// The kind of the event that was processed last.
    BoundEventKind latest_kind() const {
        return visit(*this, [](const auto& one) {
            if constexpr (requires { one.latest_kind(); })
                return one.latest_kind();
            else
                return BoundEventKind::other;
        });
    }
    /// Since it was made; 0 of structures that count none.
    std::uint64_t num_certificates() const {
        return visit(*this, [](const auto& one) -> std::uint64_t {
            if constexpr (requires { one.num_certificates(); })
                return one.num_certificates();
            else
                return 0;
        });
    }
    void save() {
        visit(*this, [](auto& one) { one.save(); });
    }
    void restore() {
        visit(*this, [](auto& one) { one.restore(); });
    }
    void append_order(std::vector<Slot>& order) const {
        visit(*this, [&](const auto& one) { one.append_order(order); });
    }
    std::size_t memory_bytes() const { return structure_.memory_bytes() + reserve_.memory_bytes(); }

  private:
    static Structure make_structure(const Box& box, const EngineOptions& options) {
        if constexpr (std::constructible_from<Structure, const Box&, SearchMethod, const SearchOptions&>)
            return Structure(box, options.search, options.search_options);
        else
            return Structure(box, options.search_options);
    }
    template <class Self, class Act>
    static decltype(auto) visit(Self& self, Act&& act) {
        return self.is_replaced_ ? act(self.reserve_) : act(self.structure_);
    }

    Structure structure_;
    Reserve reserve_;
    bool is_replaced_ = false;
};

}  // namespace ricochet
