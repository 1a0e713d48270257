// SPDX-License-Identifier: BSD-3-Clause
//
// The basic observables of a run: exact sums over particles and contacts (ObservableSums), from which the
// values follow (ObservableSeries).
//
// With d dimensions, N particles, volume V, and a sampling interval of length t since the previous sample:
//
//   energy E         sum of m v^2 / 2
//   temperature      2 E' / f, in units of energy. E' and f follow ballistic_freedom(): E less the motion of
//                    the centre of mass along periodic axes, if all species move along them. Brownian velocities are
//                    drawn anew in every step: 2 E / (d N). Likewise where surfaces have a temperature, which
//                    conserve no momentum. Particles that do not move along all axes count by
//                    theirs, in d N here and in N kT below.
//   pressure         (N kT + sum of impulse * distance / (d t)) / V over the contacts of the interval, the
//                    collisional virial (Allen & Tildesley, Computer Simulation of Liquids, section 2.4).
//                    Tethers that hold two back are among them, with negative impulses.
//                    Contacts with walls count at the distance of a radius. So the pressure between walls is
//                    the mean of the pressures on the faces over the axes. The temperature in kT is the mean
//                    of both ends of the interval, for Brownian particles that of the bath.
//   compressibility  Z = pressure V / (N kT), with the same kT
//   collision rate   collisions of one particle per time: 2 (pair contacts) / (N t)
//   wall pressure    momentum transferred to a face per area and time
//   MSD              mean of |x - x0|^2 by species, x unwrapped, x0 where the recorded run started
//
// Pressures and rates of the first sample are NaN: no interval precedes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ricochet/core/exact_sum.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// One number per unordered pair of species, one per species for all walls, and one per species and other body.
class PairTable {
  public:
    /// `num_bodies`: without walls.
    explicit PairTable(std::size_t num_species, std::size_t num_bodies = 0)
        : num_species_(num_species),
          num_partners_(num_species + 1 + num_bodies),
          counts_(num_species * num_partners_) {}

    std::size_t num_species() const { return num_species_; }
    /// One of the two may be wall_species, not both.
    std::int64_t& at(SpeciesIndex a, SpeciesIndex b) { return counts_[index(a, b)]; }
    std::int64_t at(SpeciesIndex a, SpeciesIndex b) const { return counts_[index(a, b)]; }
    /// All walls share one number.
    std::int64_t& at_body(SpeciesIndex a, BodyNumber body) { return counts_[index_at_body(a, body)]; }
    std::int64_t at_body(SpeciesIndex a, BodyNumber body) const { return counts_[index_at_body(a, body)]; }
    std::span<std::int64_t> cells() { return counts_; }
    std::span<const std::int64_t> cells() const { return counts_; }
    /// Number of contacts between particles, without walls and other bodies.
    std::int64_t num_pair_contacts() const;

  private:
    std::size_t index(SpeciesIndex a, SpeciesIndex b) const;
    std::size_t index_at_body(SpeciesIndex a, BodyNumber body) const;

    std::size_t num_species_;
    std::size_t num_partners_;
    std::vector<std::int64_t> counts_;  ///< [lower species][higher species, then walls, then other bodies]
};

/// The sums of one rank or, after the integers of all ranks have been added, of the whole system.
class ObservableSums {
  public:
    /// `num_bodies`: without walls.
    explicit ObservableSums(std::size_t num_species, std::size_t num_bodies = 0);
    /// Sums of the same species and bodies, without anything added.
    ObservableSums empty() const { return ObservableSums(num_species(), body_impulse_.size() - first_body); }

    /// Adds contacts that no other rank adds.
    void add_contacts(std::span<const Contact> contacts) { add_all(contacts); }
    void add_contacts(std::span<const ContactBrief> contacts) { add_all(contacts); }
    /// Adds the contacts of other sums.
    /// Requires: both have the same species and bodies.
    void merge_contacts(const ObservableSums& other);
    /// Adds the state of owned particles at the end of a step.
    void add_particles(const Particles& owned, const Box& box);

    /// All sums as integers; those of the same number of species may be added elementwise.
    std::vector<std::int64_t> integers() const;
    /// Restores the sums from integers() or from an elementwise sum of such integers.
    void assign(std::span<const std::int64_t> integers);

    std::size_t num_species() const { return num_particles_.size(); }
    double energy() const { return energy_.value(); }
    Vec3 momentum() const { return {momentum_[0].value(), momentum_[1].value(), momentum_[2].value()}; }
    /// Sum of impulse * distance over all contacts, including those with bodies.
    double virial() const { return virial_.value(); }
    double mass() const { return mass_.value(); }
    double body_impulse(BodyNumber body) const { return body_impulse_[body].value(); }
    double square_displacement(SpeciesIndex s) const { return square_displacement_[s].value(); }
    std::int64_t num_particles(SpeciesIndex s) const { return num_particles_[s]; }
    const PairTable& contacts() const { return contacts_; }

  private:
    template <class Record>
    void add_all(std::span<const Record> contacts);
    template <class Self, class Visit>
    static void for_each_sum(Self& self, Visit&& visit);

    ExactSum energy_, mass_, virial_;
    std::array<ExactSum, 3> momentum_;
    std::vector<ExactSum> body_impulse_;
    std::vector<ExactSum> square_displacement_;
    std::vector<std::int64_t> num_particles_;
    PairTable contacts_;
};

/// The values at one time.
struct ObservableSample {
    double energy = 0;
    Vec3 momentum;
    double temperature = 0;                        ///< an energy
    double pressure = 0;                           ///< energy / length^d
    double compressibility = 0;                    ///< pressure V / (N kT)
    double collision_rate = 0;                     ///< 1 / time
    std::array<double, 6> wall_pressure{};         ///< by face; NaN where there is no wall
    std::vector<double> body_force;                ///< by body without walls; momentum along normals / time
    std::vector<double> mean_square_displacement;  ///< by species; NaN for a species without particles
    PairTable contacts{0};                         ///< since the recorded run started
};

/// Turns sums into samples, one after another.
class ObservableSeries {
  public:
    explicit ObservableSeries(const World& world);

    /// Evaluates the sums of all ranks, with the contacts since the previous sample. `interval`: time since
    /// that sample, 0 for the first.
    /// Requires: interval >= 0; the sums have the species of the series.
    ObservableSample evaluate(const ObservableSums& global, double interval);

    /// The state that one sample passes to the next.
    struct State {
        double previous_temperature = 0;
        std::vector<std::int64_t> contacts;  ///< PairTable::cells up to the latest sample

        friend bool operator==(const State&, const State&) = default;
    };
    State state() const;
    /// Continues from a state.
    /// Requires: it is that of a series with the same species.
    void restore(const State& state);

    /// Number of pair contacts up to the latest sample.
    std::int64_t num_pair_contacts() const { return total_contacts_.num_pair_contacts(); }

  private:
    using Numbers = std::vector<std::uint64_t>;  ///< of particles, by species

    double temperature(const ObservableSums& global, const Numbers& numbers) const;
    void evaluate_interval(const ObservableSums& global, const Numbers& numbers, double interval,
                           ObservableSample& sample) const;

    Box box_;
    double volume_;
    std::vector<Species> species_;
    std::optional<double> bath_energy_;
    bool has_driven_bodies_;
    double previous_temperature_ = 0;
    PairTable total_contacts_;
    std::size_t num_bodies_;
};

/// Displacements count from the present positions on.
void set_origins(Particles& particles, const Box& box);

}  // namespace ricochet
