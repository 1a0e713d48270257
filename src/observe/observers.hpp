// SPDX-License-Identifier: BSD-3-Clause
//
// The observers of every run.
//
// To add one, write a class that derives from Observer in a file of its own, and a function that makes one. Then
// add that function to registered_observers; it may make none. Results, checkpoints and the report take it from there.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "gravity/kept_fields.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/observe/observer.hpp"

namespace ricochet {

// The numbers of the world's rules must be their places, as those of an input are.

std::unique_ptr<Observer> make_basic_observables(const World& world);
/// None where contacts only bounce and nothing decays.
std::unique_ptr<Observer> make_reaction_observables(const World& world);
/// None where no particles become tethered.
std::unique_ptr<Observer> make_clusters(const World& world);
/// None without a uniform field of gravity, for Brownian particles, and with mutual gravity.
std::unique_ptr<Observer> make_potential_energy(const World& world);
/// The same with mutual gravity, which needs fields of all ranks: no registered one. Keeps the reference.
std::unique_ptr<Observer> make_gravity_energy(const World& world, KeptFields& fields);

/// None where walls rest, and neither they nor bodies have a temperature.
std::unique_ptr<Observer> make_given_energies(const World& world);

using MakeObserver = std::unique_ptr<Observer> (*)(const World&);
inline constexpr std::array<MakeObserver, 5> registered_observers{make_basic_observables,
                                                                  make_reaction_observables, make_clusters,
                                                                  make_potential_energy, make_given_energies};

inline std::vector<std::unique_ptr<Observer>> make_observers(const World& world) {
    std::vector<std::unique_ptr<Observer>> observers;
    observers.reserve(registered_observers.size());
    for (const MakeObserver make : registered_observers)
        if (auto observer = make(world)) observers.push_back(std::move(observer));
    return observers;
}

}  // namespace ricochet
