// SPDX-License-Identifier: BSD-3-Clause
//
// The observers of every run.
//
// To add one, write a class that derives from Observer in a file of its own, and a function that makes one. Then
// add that function to registered_observers; it may make none. Results, checkpoints and the report take it from there.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/model/box.hpp"
#include "ricochet/model/species.hpp"
#include "ricochet/observe/observer.hpp"

namespace ricochet {

/// What observers know of a run.
struct ObservedSystem {
    Box box;
    std::vector<Species> species;
    std::optional<double> bath_energy;  ///< kT of Brownian particles; none for ballistic ones
    std::vector<std::string> rules{};   ///< of contacts, in words and in the order of their numbers
    std::vector<bool> rule_sticks{};    ///< by rule: whether it forms tethers; empty where none does
    std::vector<bool>
        rule_only_bounces{};            ///< by rule: whether nothing else can come of it; empty where of none
    std::vector<std::string> decays{};  ///< in words, as the rules
    std::vector<bool> is_product{};  ///< by species: whether contacts or decays make or change its particles
    bool has_changing_particles = false;
    std::vector<bool>
        species_sticks{};  ///< by species: whether particles become tethered; empty without tethers
};

std::unique_ptr<Observer> make_basic_observables(const ObservedSystem& system);
/// None where contacts only bounce and nothing decays.
std::unique_ptr<Observer> make_reaction_observables(const ObservedSystem& system);
/// None where no particles become tethered.
std::unique_ptr<Observer> make_clusters(const ObservedSystem& system);

using MakeObserver = std::unique_ptr<Observer> (*)(const ObservedSystem&);
inline constexpr std::array<MakeObserver, 3> registered_observers{make_basic_observables,
                                                                  make_reaction_observables, make_clusters};

inline std::vector<std::unique_ptr<Observer>> make_observers(const ObservedSystem& system) {
    std::vector<std::unique_ptr<Observer>> observers;
    observers.reserve(registered_observers.size());
    for (const MakeObserver make : registered_observers)
        if (auto observer = make(system)) observers.push_back(std::move(observer));
    return observers;
}

}  // namespace ricochet
