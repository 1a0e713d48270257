// SPDX-License-Identifier: BSD-3-Clause
#include "run/growth.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/ballistic.hpp"
#include "engine/window_resolver.hpp"
#include "model/particle_memory.hpp"
#include "model/reorder.hpp"
#include "placement/random_placement.hpp"
#include "ricochet/core/random.hpp"
#include "slabs/balance.hpp"
#include "slabs/slab_step.hpp"

namespace ricochet {

namespace {

/// Contacts per particle that a step is to have, and the factor by which its length may change for that.
constexpr double wished_contacts = 1, most_change = 2;
/// The most that radii grow in a step, and the longest flight at the thermal speed, in largest diameters.
constexpr double most_growth = 0.02, longest_flight = 0.5;
/// The same of the first step.
constexpr double first_flight = 0.05;
/// Contacts per particle in the time of a flight over the largest diameter, where particles count as jammed.
constexpr double jammed_rate = 3e5;
/// Radii at the end, over those of the population.
constexpr double final_scale = 1 + 0x1p-30;

World growing_world(const Box& box, std::size_t num_species) {
    return {.box = box, .species = std::vector<Species>(num_species)};
}

/// All grow as if they moved along all axes.
double degrees_of_growth(const Box& box, std::uint64_t num_particles) {
    const Species any;
    return ballistic_freedom(box, std::span(&any, 1), std::span(&num_particles, 1)).degrees;
}

class Growth {
  public:
    Growth(const Box& box, const Population& population, const GrowthSchedule& schedule, Exchange& exchange,
           Particles start)
        : box_(box),
          schedule_(schedule),
          exchange_(exchange),
          num_particles_(population.size()),
          owned_(std::move(start)),
          world_(growing_world(box, population.species().size())),
          engine_(world_, ContactRules(world_), {}),
          balancer_(exchange, SliceGrid(box, std::max(schedule.largest_radius, 1e-3 * box.size.x))),
          stepper_(start_balancer(), engine_, box, balancer_.slabs(), clock_) {
        owned_.attributes.change_all([](Attributes& a) {
            a.mass = 1;
            a.diffusion = 0;
            a.frozen_axes = 0;
        });
        const std::uint64_t seed = random_words({population.seed(), Stream::growth, 0}, 0)[0];
        assign_velocities(owned_, InitialVelocities::maxwell, 1, box.dimension, seed);
        settle(exchange, world_, 1, owned_);
    }

    double scale() const { return scale_; }
    double contacts_per_particle() const { return contacts_per_particle_; }
    const Particles& owned() const { return owned_; }
    bool is_complete() const { return scale_ >= 1 && is_last_; }
    bool is_jammed() const { return contact_rate_ * diameter() > jammed_rate; }

    /// Collective, as is all that it calls.
    void step(std::uint64_t number) {
        const double rate = schedule_.rate / diameter();
        const double rest = (final_scale / scale_ - 1) / rate;
        double dt = std::min({flight_, longest_flight * diameter(), most_growth / rate});
        is_last_ = rest <= dt;
        dt = is_last_ ? rest : dt;
        stepper_.set_growth(rate);
        contacts_ = {};
        balancer_.step(stepper_, owned_, [&] { stepper_.run(owned_, number, dt, contacts_); });
        if ((number + 1) % steps_between_sorts == 0) reorder(owned_, engine_.spatial_order());
        enlarge(std::fma(rate, dt, 1.0));
        scale_to_temperature(exchange_, degrees_, 1, owned_);
        choose_flight(dt);
    }

  private:
    Exchange& start_balancer() {
        balancer_.start(owned_, 2 * schedule_.largest_radius);
        return balancer_.exchange();
    }

    double diameter() const { return 2 * schedule_.largest_radius * scale_; }

    void enlarge(double factor) {
        owned_.attributes.change_all([factor](Attributes& a) { a.radius *= factor; });
        scale_ *= factor;
    }

    /// Flights at the thermal speed 1 are as long as they take.
    void choose_flight(double dt) {
        std::int64_t num_contacts = contacts_.num_pairs();
        exchange_.sum(std::span(&num_contacts, 1));
        const double contacts = 2 * static_cast<double>(num_contacts) / static_cast<double>(num_particles_);
        contacts_per_particle_ += contacts;
        contact_rate_ = contacts / dt;
        flight_ = dt * std::clamp(wished_contacts / std::max(contacts, 1e-3), 1 / most_change, most_change);
    }

    const Box box_;
    const GrowthSchedule schedule_;
    Exchange& exchange_;
    std::uint64_t num_particles_;
    Particles owned_;
    World world_;
    WindowResolver engine_;
    PhaseClock clock_;
    Balancer balancer_;
    SlabStepper stepper_;
    ContactCounter contacts_;
    const double degrees_ = degrees_of_growth(box_, num_particles_);
    double scale_ = schedule_.first_scale;
    double flight_ = first_flight * diameter();  ///< the length of the next step
    double contact_rate_ = 0;
    double contacts_per_particle_ = 0;
    bool is_last_ = false;
};

/// The particles of the population where those that have grown are.
Particles at_their_places(const Particles& grown, const Population& population) {
    std::vector<std::uint32_t> order(grown.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return grown.motion[a].id < grown.motion[b].id; });
    Particles result;
    reserve_with_spare(result, grown.size());
    for (const std::uint32_t k : order) {
        const Motion& motion = grown.motion[k];
        population.append(motion.id, population.radius(motion.id), motion.position, result);
    }
    return result;
}

}  // namespace

double largest_growth_of_step(double rate) { return std::min(most_growth, longest_flight * rate); }

GrownPlacement place_by_growth(const Box& box, const Population& population, const GrowthSchedule& schedule,
                               Exchange& exchange) {
    GrownPlacement result;
    RandomPlacement start = place_randomly(box, population.scaled(schedule.first_scale), exchange);
    if (!start.is_complete) return result;
    Growth growth(box, population, schedule, exchange, std::move(start.particles));
    const double count = static_cast<double>(population.size());
    while (!growth.is_complete() && !growth.is_jammed()) {
        growth.step(result.num_steps++);
        const double done = (growth.scale() - schedule.first_scale) / (1 - schedule.first_scale);
        exchange.offer_end_of_start(
            {static_cast<std::uint64_t>(std::clamp(done, 0.0, 1.0) * count), population.size()});
    }
    result.is_complete = growth.is_complete();
    result.scale = result.is_complete ? 1 : growth.scale();
    result.contacts_per_particle = growth.contacts_per_particle();
    if (result.is_complete) result.particles = at_their_places(growth.owned(), population);
    return result;
}

}  // namespace ricochet
