// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observables.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <numeric>

#include "dynamics/ballistic.hpp"
#include "model/unwrap.hpp"
#include "model/world_facts.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// Length (2D: 1) times width of the faces across `axis`.
double face_area(const Box& box, int axis) {
    double area = 1;
    for (int other = 0; other < box.dimension; ++other)
        if (other != axis) area *= box.size[other];
    return area;
}

}  // namespace

std::size_t PairTable::index(SpeciesIndex a, SpeciesIndex b) const {
    const std::size_t low = std::min(a, b);
    const std::size_t high = std::max(a, b);
    RICOCHET_DCHECK_LT(low, num_species_);
    RICOCHET_DCHECK(high < num_species_ || high == wall_species);
    return low * num_partners_ + (high == wall_species ? num_species_ : high);
}

std::size_t PairTable::index_at_body(SpeciesIndex a, BodyNumber body) const {
    RICOCHET_DCHECK_LT(a, num_species_);
    const std::size_t partner = num_species_ + (body < first_body ? 0 : body - first_body + 1);
    RICOCHET_DCHECK_LT(partner, num_partners_);
    return a * num_partners_ + partner;
}

std::int64_t PairTable::num_pair_contacts() const {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < counts_.size(); ++k)
        if (k % num_partners_ < num_species_) sum += counts_[k];
    return sum;
}

ObservableSums::ObservableSums(std::size_t num_species, std::size_t num_bodies)
    : body_impulse_(first_body + num_bodies),
      square_displacement_(num_species),
      num_particles_(num_species),
      contacts_(num_species, num_bodies) {}

template <class Record>
void ObservableSums::add_all(std::span<const Record> contacts) {
    // The contacts of a window have left the near caches by now (note 30 of tests/bench/notes.md).
    constexpr std::size_t ahead = 16;
    TermBuffer virial(virial_);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (k + ahead < contacts.size()) {
            prefetch(&contacts[k + ahead].impulse);
            prefetch(&contacts[k + ahead].species_low);
        }
        const ContactBrief& c = brief_of(contacts[k]);
        if (!is_contact(c.effect)) continue;
        if (c.species_high == wall_species) {
            ++contacts_.at_body(c.species_low, c.body);
            body_impulse_[c.body].add(c.impulse);
        } else {
            ++contacts_.at(c.species_low, c.species_high);
        }
        virial.add(c.impulse * c.distance);
    }
}
template void ObservableSums::add_all(std::span<const Contact>);
template void ObservableSums::add_all(std::span<const ContactBrief>);

void ObservableSums::merge_contacts(const ObservableSums& other) {
    RICOCHET_CHECK_EQ(other.contacts_.num_species(), contacts_.num_species());
    for (std::size_t k = 0; k < contacts_.cells().size(); ++k)
        contacts_.cells()[k] += other.contacts_.cells()[k];
    virial_.merge(other.virial_);
    RICOCHET_CHECK_EQ(other.body_impulse_.size(), body_impulse_.size());
    for (std::size_t body = 0; body < body_impulse_.size(); ++body)
        body_impulse_[body].merge(other.body_impulse_[body]);
}

void ObservableSums::add_particles(const Particles& owned, const Box& box) {
    TermBuffer energy(energy_), mass(mass_);
    std::array<TermBuffer, 3> momentum{TermBuffer(momentum_[0]), TermBuffer(momentum_[1]),
                                       TermBuffer(momentum_[2])};
    std::deque<TermBuffer> square_displacement;
    for (ExactSum& sum : square_displacement_) square_displacement.emplace_back(sum);
    for (std::size_t k = 0; k < owned.size(); ++k) {
        const Motion& m = owned.motion[k];
        const Attributes& a = owned.attributes[k];
        energy.add(0.5 * (a.mass * dot(m.velocity, m.velocity)));
        mass.add(a.mass);
        for (int axis = 0; axis < 3; ++axis)
            momentum[static_cast<std::size_t>(axis)].add(a.mass * m.velocity[axis]);
        const Track track = owned.track[k];
        const Vec3 displacement = unwrapped_position(m, track, box) - track.origin;
        RICOCHET_DCHECK_LT(a.species, num_particles_.size());
        square_displacement[a.species].add(dot(displacement, displacement));
        ++num_particles_[a.species];
    }
}

template <class Self, class Visit>
void ObservableSums::for_each_sum(Self& self, Visit&& visit) {
    visit(self.energy_);
    visit(self.mass_);
    visit(self.virial_);
    for (auto& sum : self.momentum_) visit(sum);
    for (auto& sum : self.body_impulse_) visit(sum);
    for (auto& sum : self.square_displacement_) visit(sum);
}

std::vector<std::int64_t> ObservableSums::integers() const {
    std::vector<std::int64_t> all(num_particles_.begin(), num_particles_.end());
    all.insert(all.end(), contacts_.cells().begin(), contacts_.cells().end());
    for_each_sum(*this, [&](const ExactSum& sum) {
        const ExactSum::Limbs limbs = sum.limbs();
        all.insert(all.end(), limbs.begin(), limbs.end());
    });
    return all;
}

void ObservableSums::assign(std::span<const std::int64_t> integers) {
    auto next = integers.begin();
    const auto take = [&](auto& cells) {
        RICOCHET_CHECK_LE(cells.size(), integers.end() - next);
        std::copy_n(next, cells.size(), cells.begin());
        next += std::ssize(cells);
    };
    take(num_particles_);
    auto cells = contacts_.cells();
    take(cells);
    for_each_sum(*this, [&](ExactSum& sum) {
        ExactSum::Limbs limbs;
        take(limbs);
        sum = ExactSum::from_limbs(limbs);
    });
}

ObservableSeries::ObservableSeries(const World& world)
    : box_(world.box),
      volume_(room_volume(world)),
      species_(world.species),
      bath_energy_(world.bath_energy),
      has_driven_bodies_(!bodies_that_give_energy(world).empty()),
      total_contacts_(world.species.size(), num_body_parts(world.bodies)),
      num_bodies_(num_body_parts(world.bodies)) {}

ObservableSample ObservableSeries::evaluate(const ObservableSums& global, double interval) {
    RICOCHET_CHECK_GE(interval, 0);
    RICOCHET_CHECK_EQ(global.contacts().num_species(), total_contacts_.num_species());
    ObservableSample sample;
    Numbers numbers;
    for (SpeciesIndex s = 0; s < total_contacts_.num_species(); ++s) {
        const std::int64_t n = global.num_particles(s);
        sample.mean_square_displacement.push_back(
            n > 0 ? global.square_displacement(s) / static_cast<double>(n) : undefined);
        numbers.push_back(static_cast<std::uint64_t>(n));
    }
    sample.energy = global.energy();
    sample.momentum = global.momentum();
    sample.temperature = temperature(global, numbers);
    for (std::size_t k = 0; k < total_contacts_.cells().size(); ++k)
        total_contacts_.cells()[k] += global.contacts().cells()[k];
    sample.contacts = total_contacts_;
    evaluate_interval(global, numbers, interval > 0 ? interval : undefined, sample);
    previous_temperature_ = sample.temperature;
    return sample;
}

double ObservableSeries::temperature(const ObservableSums& global, const Numbers& numbers) const {
    const double degrees = degrees_of_freedom(box_, species_, numbers);
    if (degrees == 0) return 0;  // a number, which a checkpoint can hold
    if (bath_energy_ || has_driven_bodies_) return 2 * global.energy() / degrees;
    const Freedom freedom = ballistic_freedom(box_, species_, numbers);
    double energy = global.energy();
    for (int axis = 0; axis < 3; ++axis)
        if (freedom.is_relative[static_cast<std::size_t>(axis)])
            energy -= global.momentum()[axis] * global.momentum()[axis] / (2 * global.mass());
    return 2 * energy / freedom.degrees;
}

void ObservableSeries::evaluate_interval(const ObservableSums& global, const Numbers& numbers,
                                         double interval, ObservableSample& sample) const {
    const double thermal_energy = bath_energy_.value_or((previous_temperature_ + sample.temperature) / 2);
    const auto num_particles =
        static_cast<double>(std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}));
    const double ideal = degrees_of_freedom(box_, species_, numbers) / box_.dimension * thermal_energy;
    const double virial = global.virial() / (box_.dimension * interval);
    sample.pressure = (ideal + virial) / volume_;
    sample.compressibility = 1 + virial / ideal;
    sample.collision_rate =
        2 * static_cast<double>(global.contacts().num_pair_contacts()) / (num_particles * interval);
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2;
        sample.wall_pressure[static_cast<std::size_t>(face)] =
            box_.has_walls(axis)
                ? global.body_impulse(static_cast<BodyNumber>(face)) / (face_area(box_, axis) * interval)
                : undefined;
    }
    for (std::size_t k = 0; k < num_bodies_; ++k)
        sample.body_force.push_back(global.body_impulse(static_cast<BodyNumber>(first_body + k)) / interval);
}

ObservableSeries::State ObservableSeries::state() const {
    const auto cells = total_contacts_.cells();
    return {previous_temperature_, {cells.begin(), cells.end()}};
}

void ObservableSeries::restore(const State& state) {
    RICOCHET_CHECK_EQ(state.contacts.size(), total_contacts_.cells().size());
    previous_temperature_ = state.previous_temperature;
    std::copy(state.contacts.begin(), state.contacts.end(), total_contacts_.cells().begin());
}

void set_origins(Particles& particles, const Box& box) {
    for (std::size_t k = 0; k < particles.size(); ++k)
        particles.track.set_origin(k, unwrapped_position(particles.motion[k], particles.track[k], box));
}

}  // namespace ricochet
