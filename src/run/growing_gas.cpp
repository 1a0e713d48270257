// SPDX-License-Identifier: BSD-3-Clause
#include "run/growing_gas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "model/particle_memory.hpp"
#include "model/reorder.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {

namespace {

/// Contacts per particle that a step is to have, and the factor by which its length may change for that.
constexpr double wished_contacts = 1, most_change = 2;
/// The most that radii grow in a step, and the longest flight at the thermal speed, in largest diameters.
constexpr double most_growth = 0.02, longest_flight = 0.5;
/// The same of the first step.
constexpr double first_flight = 0.05;

World growing_world(const Box& box, std::size_t num_species) {
    return {.box = box, .species = std::vector<Species>(num_species)};
}

/// All grow as if they moved along all axes.
double degrees_of_growth(const Box& box, std::uint64_t num_particles) {
    const Species any;
    return ballistic_freedom(box, std::span(&any, 1), std::span(&num_particles, 1)).degrees;
}

}  // namespace

double largest_growth_of_step(double rate) { return std::min(most_growth, longest_flight * rate); }

void VirialCounter::add_briefs(std::span<const ContactBrief> contacts) {
    std::array<double, ExactSum::block_size> terms;
    std::size_t num_terms = 0;
    for (const ContactBrief& contact : contacts) {
        if (!is_contact(contact.effect)) continue;
        now_.num_pairs += contact.species_high == wall_species ? 0 : 1;
        terms[num_terms++] = contact.impulse * contact.distance;
        if (num_terms < terms.size()) continue;
        now_.virial.add(terms);
        num_terms = 0;
    }
    now_.virial.add(std::span(terms).first(num_terms));
}

GrowingGas::GrowingGas(const Box& box, const Population& population, const GasSizes& sizes,
                       Exchange& exchange, Particles start)
    : box_(box),
      sizes_(sizes),
      exchange_(exchange),
      num_particles_(population.size()),
      owned_(std::move(start)),
      world_(growing_world(box, population.species().size())),
      engine_(world_, ContactRules(world_), {}),
      balancer_(exchange,
                SliceGrid(box, std::max(sizes.most_scale * sizes.largest_radius, 1e-3 * box.size.x))),
      stepper_(start_balancer(), engine_, box, balancer_.slabs(), clock_),
      degrees_(degrees_of_growth(box, num_particles_)),
      scale_(sizes.first_scale),
      flight_(first_flight * diameter()) {
    owned_.attributes.change_all([](Attributes& a) {
        a.mass = 1;
        a.diffusion = 0;
        a.frozen_axes = 0;
    });
    const std::uint64_t seed = random_words({population.seed(), Stream::growth, 0}, 0)[0];
    assign_velocities(owned_, InitialVelocities::maxwell, 1, box.dimension, seed);
    settle(exchange, world_, 1, owned_);
}

Exchange& GrowingGas::start_balancer() {
    balancer_.start(owned_, 2 * sizes_.most_scale * sizes_.largest_radius);
    return balancer_.exchange();
}

bool GrowingGas::step(double rate, double most) {
    const double growth = rate / diameter();
    double dt = std::min({flight_, longest_flight * diameter(), most_growth / growth});
    const double rest = most / growth;
    const bool is_last = rest <= dt;
    dt = is_last ? rest : dt;
    stepper_.set_growth(growth);
    contacts_ = {};
    balancer_.step(stepper_, owned_, [&] { stepper_.run(owned_, num_steps_, dt, contacts_); });
    if ((num_steps_ + 1) % steps_between_sorts == 0) reorder(owned_, engine_.spatial_order());
    ++num_steps_;
    if (rate > 0) enlarge(std::fma(growth, dt, 1.0));
    scale_to_temperature(exchange_, degrees_, 1, owned_);
    choose_flight(dt);
    return is_last;
}

void GrowingGas::enlarge(double factor) {
    owned_.attributes.change_all([factor](Attributes& a) { a.radius *= factor; });
    scale_ *= factor;
}

/// Flights at the thermal speed 1 are as long as they take.
void GrowingGas::choose_flight(double dt) {
    std::int64_t num_contacts = contacts_.num_pairs();
    exchange_.sum(std::span(&num_contacts, 1));
    const double contacts = 2 * static_cast<double>(num_contacts) / static_cast<double>(num_particles_);
    contacts_per_particle_ += contacts;
    contact_rate_ = contacts / dt;
    flight_ = dt * std::clamp(wished_contacts / std::max(contacts, 1e-3), 1 / most_change, most_change);
    stretch_.num_pairs += num_contacts;
    stretch_.time += dt;
    stretch_.virial.merge(contacts_.virial());
}

double GrowingGas::pressure() const {
    ExactSum::Limbs limbs = stretch_.virial.limbs();
    exchange_.sum(limbs);
    const double virial = ExactSum::from_limbs(limbs).value();
    return 1 + virial / (box_.dimension * static_cast<double>(num_particles_) * stretch_.time);
}

Particles at_their_places(const Particles& gas, const Population& population) {
    std::vector<std::uint32_t> order(gas.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return gas.motion[a].id < gas.motion[b].id; });
    Particles result;
    reserve_with_spare(result, gas.size());
    for (const std::uint32_t k : order) {
        const Motion& motion = gas.motion[k];
        population.append(motion.id, population.radius(motion.id), motion.position, result);
    }
    return result;
}

}  // namespace ricochet
