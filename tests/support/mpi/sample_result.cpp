// SPDX-License-Identifier: BSD-3-Clause
#include "sample_result.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "model/reorder.hpp"

namespace ricochet::test {
namespace {

// The finaliser of splitmix64.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a * 0x9e3779b97f4a7c15u + b * 0xd1342543de82ef95u + 1;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Ascending in k and sparse.
ParticleId sample_id(std::uint64_t k) { return k * 1000003 + mixed(k, 1) % 1000003; }

template <class Generator>
double uniform(Generator& generator, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
}

template <class Item>
std::vector<Item> distributed(const std::vector<Item>& all, int rank, const Distribution& distribution) {
    std::vector<Item> own;
    for (std::uint64_t k = 0; k < all.size(); ++k)
        if (distribution(k) == rank) own.push_back(all[k]);
    return own;
}

Contact sample_contact(std::mt19937_64& generator, std::uint64_t index) {
    Contact contact;
    // Few different times, so that ties happen; the index keeps the keys different.
    contact.key = {static_cast<double>(generator() % 16) / 160, generator() % 3, index,
                   index + 1 + generator() % 50};
    contact.species_low = static_cast<SpeciesIndex>(generator() % 3);
    contact.species_high = static_cast<SpeciesIndex>(generator() % 3);
    if (generator() % 5 == 0) {
        contact.body = static_cast<std::uint16_t>(generator() % 6);
        contact.key.high = first_obstacle_id + contact.body;
        contact.species_high = wall_species;
    }
    contact.point = {uniform(generator, 0, 10), uniform(generator, 0, 10), uniform(generator, 0, 10)};
    contact.normal = {0.6, 0, -0.8};
    contact.impulse = uniform(generator, 0, 2);
    contact.speed = uniform(generator, 0, 2);
    return contact;
}

}  // namespace

Distribution distribute_randomly(int num_ranks, std::uint64_t seed) {
    return [num_ranks, seed](std::uint64_t item) {
        return static_cast<int>(mixed(seed, item) % static_cast<std::uint64_t>(num_ranks));
    };
}

Distribution all_to(int rank) {
    return [rank](std::uint64_t) { return rank; };
}

Particles sample_particles(std::uint64_t num_particles, const Box& box, std::uint64_t frame) {
    Particles particles;
    for (std::uint64_t k = 0; k < num_particles; ++k) {
        std::minstd_rand generator(static_cast<std::uint32_t>(mixed(frame + 17, k)));
        Motion motion;
        Attributes attributes;
        Track track;
        motion.id = sample_id(k);
        for (int axis = 0; axis < box.dimension; ++axis) {
            motion.position[axis] = uniform(generator, 0, box.size[axis]);
            motion.velocity[axis] = uniform(generator, -1, 1);
            track.image.at(static_cast<std::size_t>(axis)) = static_cast<std::int64_t>(generator() % 7) - 3;
        }
        attributes.species = static_cast<SpeciesIndex>(k % 3);
        attributes.radius = 0.25 + 0.125 * static_cast<double>(k % 3);
        attributes.mass = 1.0 + static_cast<double>(k % 3);
        particles.push_back(motion, attributes, track);
    }
    return particles;
}

std::vector<Contact> sample_contacts(std::uint64_t mean_number, std::uint64_t step) {
    std::mt19937_64 generator(mixed(step, 99));
    std::vector<Contact> contacts;
    const std::uint64_t number = mean_number == 0 ? 0 : generator() % (2 * mean_number + 1);
    for (std::uint64_t k = 0; k < number; ++k) contacts.push_back(sample_contact(generator, k));
    std::shuffle(contacts.begin(), contacts.end(), generator);
    return contacts;
}

std::vector<double> sample_values(std::uint64_t step) {
    const auto x = static_cast<double>(step);
    return {0.5 * x, 1.0 / (1.0 + x), -x, 2.0 / (1.0 + x)};
}

ResultDescription sample_description(std::uint64_t num_particles, int dimension) {
    ResultDescription description;
    description.title = "made-up particles";
    description.box.dimension = dimension;
    description.box.size = {10, 8, dimension == 3 ? 6.0 : 0.0};
    description.box.boundary = {Boundary::periodic, Boundary::reflecting, Boundary::periodic};
    for (const char* name : {"small", "medium", "large"}) {
        Species species;
        species.name = name;
        species.count = (num_particles + 2 - description.species.size()) / 3;
        description.species.push_back(species);
    }
    description.num_particles = num_particles;
    description.timestep = 0.1;
    description.seed = 42;
    description.input_text = "title: made-up particles\n";
    description.effective_input = "title: made-up particles\nrun: {seed: 42}\n";
    description.units = {{"length", "sigma"}, {"time", "sigma sqrt(m/kT)"}};
    description.notes = {{"velocity", "of the centre at the end of the step"}};
    description.provenance = {{"search", "cells"}};
    description.observables = {{"energy", {}, "total kinetic energy"},
                               {"momentum", {"x", "y", "z"}, "total momentum"}};
    return description;
}

Particles share_of(const Particles& all, int rank, const Distribution& distribution) {
    Particles own;
    for (std::uint64_t k = 0; k < all.size(); ++k)
        if (distribution(k) == rank) own.append(all, k);
    if (rank % 2 == 1) {
        std::vector<std::uint32_t> order(own.size());
        std::iota(order.rbegin(), order.rend(), 0u);
        reorder(own, order);
    }
    return own;
}

std::vector<Contact> share_of(const std::vector<Contact>& all, int rank, const Distribution& distribution) {
    return distributed(all, rank, distribution);
}

std::optional<std::string> write_sample_result(Exchange& ranks, const std::string& path, const SampleRun& run,
                                               const Distribution& distribution) {
    ResultDescription description = sample_description(run.num_particles, run.dimension);
    description.precision = run.precision;
    description.collisions = run.collisions;
    run.alter_description(description);
    const Box box = description.box;
    ResultWriter writer(ranks, path, std::move(description), false);
    for (std::uint64_t step = 0; step <= run.num_steps; ++step) {
        const double time = 0.1 * static_cast<double>(step);
        auto contacts = sample_contacts(run.contacts_per_step, step);
        run.alter_contacts(step, contacts);
        const auto own = share_of(contacts, ranks.rank(), distribution);
        for (std::size_t part = 0; part < run.parts_per_step; ++part) {
            const std::size_t begin = own.size() * part / run.parts_per_step;
            const std::size_t end = own.size() * (part + 1) / run.parts_per_step;
            writer.append_contacts(step, std::span(own).subspan(begin, end - begin));
        }
        auto values = sample_values(step);
        run.alter_values(step, values);
        writer.append_observables(step, time, values);
        if (step % run.steps_per_frame == 0) {
            Particles particles = sample_particles(run.num_particles, box, step);
            run.alter_particles(step, particles);
            writer.write_frame(step, time, share_of(particles, ranks.rank(), distribution));
        } else if (step % run.steps_per_flush == 0) {
            writer.flush();
        }
    }
    writer.close(1.5);
    return writer.collision_log_notice();
}

}  // namespace ricochet::test
