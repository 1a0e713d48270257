// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/slab_run.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "dynamics/decays.hpp"
#include "dynamics/tether_breaks.hpp"
#include "parallel/collectives.hpp"
#include "parallel/serial_exchange.hpp"
#include "ricochet/core/error.hpp"
#include "slabs/migration.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/reference_decays.hpp"
#include "tests/support/reference_tethers.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

bool comes_first(const Contact& a, const Contact& b) { return a.key < b.key; }

void add_step(SlabRun& run, std::vector<Contact> contacts) {
    std::sort(contacts.begin(), contacts.end(), comes_first);
    run.contacts.insert(run.contacts.end(), contacts.begin(), contacts.end());
    run.contacts_until_step.push_back(run.contacts.size());
}

SlabDecomposition slabs_of(const SliceGrid& grid, int num_ranks, const std::vector<std::int64_t>& cuts) {
    return cuts.empty() ? SlabDecomposition::even(grid, num_ranks) : SlabDecomposition(grid, cuts);
}

void sum_over_ranks(Exchange& exchange, SlabStepStatistics& statistics) {
    StepStatistics& engine = statistics.engine;
    std::array counters{
        &statistics.num_migrated, &statistics.num_copies_sent,   &statistics.num_boundary_events,
        &engine.num_repairs,      &engine.num_islands,           &engine.num_merges,
        &engine.num_replaced,     &engine.num_on_cells,          &engine.num_rebuilt,
        &engine.num_topological,  &engine.num_first_certificates};
    std::array<std::int64_t, counters.size()> sums{};
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = static_cast<std::int64_t>(*counters[k]);
    exchange.sum(sums);
    for (std::size_t k = 0; k < sums.size(); ++k) *counters[k] = static_cast<std::uint64_t>(sums[k]);
}

std::unique_ptr<StepEngine> engine_of_rank(int rank, const System& system, const SlabRunSettings& settings) {
    if (settings.engine_of_rank) return settings.engine_of_rank(rank);
    EngineOptions engine = settings.engine;
    if (const auto& by_rank = settings.search_by_rank; !by_rank.empty()) {
        const TestedSearch& search = by_rank[static_cast<std::size_t>(rank) % by_rank.size()];
        engine.search = search.method;
        engine.loop = search.loop;
    }
    return engine_for(system, engine);
}

/// The decays of one rank; none without channels.
std::optional<Decays> decays_of(Exchange& exchange, const System& system) {
    const World world = world_of(system);
    if (world.decays.empty()) return std::nullopt;
    return Decays(exchange, world);
}

/// Appends records of what precedes contacts, as they stand in the order of a step.
void add_before_contacts(std::vector<Contact>& records, std::vector<Contact> more) {
    for (Contact& record : more) {
        record.key.time = -1;
        records.push_back(record);
    }
}

/// Before a step on one rank: the tethers that break, and the particles that decay.
std::vector<Contact> before_step(const TetherBreaks& breaks, std::optional<Decays>& decays,
                                 std::uint64_t step, Particles& mine) {
    std::vector<Contact> records;
    add_before_contacts(records, breaks.before_step(step, mine));
    if (decays) add_before_contacts(records, decays->decay({step}, mine));
    return records;
}

void append(std::vector<Contact>& records, const std::vector<Contact>& more) {
    records.insert(records.end(), more.begin(), more.end());
}

/// A run by the reference in progress.
struct ReferenceRun {
    const System& system;
    const SlabRunSettings& settings;
    Particles particles;
    ParticleId next_id = 0;
    SlabRun run{};
    SerialExchange alone{};

    std::vector<Contact> decay(const DecayMoment& moment) {
        const World world = world_of(system);
        if (world.decays.empty()) return {};
        DecaysOfMoment decays = reference_decays(system.box, rules_of(system), world.decays, system.dt,
                                                 moment, BodyRoom(world), particles, next_id);
        run.num_decays_without_room += decays.num_without_room;
        return std::move(decays.records);
    }
    void do_step(int step) {
        const auto number = static_cast<std::uint64_t>(step);
        std::vector<Contact> records;
        if (settings.break_tethers)
            add_before_contacts(records,
                                reference_tether_breaks(rules_of(system), system.dt, number, particles));
        add_before_contacts(records, decay({number}));
        if (settings.collective_drive) settings.collective_drive(alone)->before_drift(particles, {number});
        settings.drive(particles, step);
        append(records, reference_long_step(system.box, particles, rules_of(system),
                                            {.dt = system.dt,
                                             .step = number,
                                             .contact_cap = settings.engine.contact_cap,
                                             .bodies = world_of(system).bodies,
                                             .gravity = world_of(system).gravity,
                                             .walls = world_of(system).walls,
                                             .whole = system.dt})
                            .contacts);
        if (settings.collective_drive) settings.collective_drive(alone)->after_drift(particles, {number});
        append(records, decay({number, true}));
        add_step(run, std::move(records));
    }
};

}  // namespace

Particles share_of(const Exchange& exchange, const Particles& all) {
    Particles mine;
    if (all.track.keeps_tethers()) mine.track.keep_tethers();
    if (all.track.keeps_latest_contacts()) mine.track.keep_latest_contacts();
    for (std::size_t k = 0; k < all.size(); ++k)
        if (static_cast<int>(k % static_cast<std::size_t>(exchange.size())) == exchange.rank())
            mine.append(all, k);
    return mine;
}

Drive ballistic() {
    return [](Particles&, int) {};
}

Drive brownian(double deviation, int dimension) {
    return [=](Particles& particles, int step) {
        for (std::size_t k = 0; k < particles.size(); ++k) {
            Motion& motion = particles.motion[k];
            HashRandom random(motion.id * 1'000'003 + static_cast<std::uint64_t>(step));
            motion.velocity = without_axes(
                (deviation / std::sqrt(particles.attributes[k].mass)) * random.normal_vector(dimension),
                particles.attributes[k].frozen_axes);
        }
    };
}

CutsOfStep random_cuts(std::uint64_t seed) {
    return [seed](const SliceGrid& grid, int num_ranks, int step) {
        Cuts inner(static_cast<std::size_t>(grid.num_slices()) - 1);
        std::iota(inner.begin(), inner.end(), 1);
        HashRandom(seed + static_cast<std::uint64_t>(step)).shuffle(inner);
        Cuts cuts(inner.begin(), inner.begin() + num_ranks - 1);
        cuts.push_back(0);
        cuts.push_back(grid.num_slices());
        std::sort(cuts.begin(), cuts.end());
        return cuts;
    };
}

SliceGrid slice_grid_of(const System& system) {
    double largest = 0;
    for (const Attributes& a : system.particles.attributes) largest = std::max(largest, a.radius);
    return {system.box, largest > 0 ? largest : 0.5};
}

SlabDecomposition even_slabs(const System& system, int num_ranks) {
    return SlabDecomposition::even(slice_grid_of(system), num_ranks);
}

SlabRun run_on_slabs(Exchange& exchange, const System& system, const SlabRunSettings& settings) {
    const SliceGrid grid = slice_grid_of(system);
    const auto slabs = slabs_of(grid, exchange.size(), settings.cuts);
    RankStepper stepper(exchange, system, slabs, settings.slabs,
                        engine_of_rank(exchange.rank(), system, settings));
    stepper->set_growth(settings.growth);
    Particles mine = share_of(exchange, system.particles);
    if (rules_of(system).have_tethers()) mine.track.keep_tethers();
    distribute(exchange, system.box, slabs, mine);
    std::optional<Decays> decays = decays_of(exchange, system);
    if (decays) decays->start(mine);
    const TetherBreaks breaks(settings.break_tethers ? world_of(system) : plain_world());
    const auto collective =
        settings.collective_drive ? settings.collective_drive(exchange) : std::unique_ptr<CollectiveDrive>();
    SlabRun run;
    try {
        for (int step = settings.first_step; step < settings.num_steps; ++step) {
            if (settings.cuts_of_step)
                stepper->set_slabs({grid, settings.cuts_of_step(grid, exchange.size(), step)});
            const auto number = static_cast<std::uint64_t>(step);
            std::vector<Contact> records = before_step(breaks, decays, number, mine);
            if (collective) collective->before_drift(mine, {number});
            settings.drive(mine, step);
            stepper->run(mine, number, system.dt);
            if (settings.steps_between_sorts > 0 && (step + 1) % settings.steps_between_sorts == 0)
                stepper.sort(mine);
            append(records, stepper->contacts());
            if (collective) collective->after_drift(mine, {number});
            if (decays) append(records, decays->decay({number, true}, mine));
            add_step(run, gather_records<Contact>(exchange, records));
        }
        run.particles = gather_particles(exchange, mine);
    } catch (const RunError& error) {
        run.error = error.what();
    }
    run.statistics = stepper->statistics();
    sum_over_ranks(exchange, run.statistics);
    return run;
}

SlabRun run_on_threads(int num_ranks, const System& system, const SlabRunSettings& settings) {
    SlabRun result;
    std::vector<std::string> errors(static_cast<std::size_t>(num_ranks));
    run_ranks(num_ranks, [&](Exchange& exchange) {
        SlabRun run = run_on_slabs(exchange, system, settings);
        errors[static_cast<std::size_t>(exchange.rank())] = run.error;
        if (exchange.rank() == 0) result = std::move(run);
    });
    if (std::count(errors.begin(), errors.end(), errors.front()) != num_ranks)
        result.error = "the ranks do not agree on the error";
    return result;
}

SlabRun run_reference(const System& system, const SlabRunSettings& settings) {
    ReferenceRun reference{system, settings, system.particles};
    for (const Motion& motion : system.particles.motion)
        reference.next_id = std::max(reference.next_id, motion.id + 1);
    for (int step = 0; step < settings.num_steps; ++step) reference.do_step(step);
    reference.run.particles = std::move(reference.particles);
    return std::move(reference.run);
}

SlabRun run_reference_to_error(const System& system, const SlabRunSettings& settings) {
    const SlabRun one = run_on_threads(1, system, settings);
    SlabRunSettings until_error = settings;
    until_error.num_steps = static_cast<int>(one.contacts_until_step.size());
    SlabRun expected = run_reference(system, until_error);
    expected.error = one.error;
    return expected;
}

std::string first_difference(const SlabRun& expected, const SlabRun& actual) {
    if (expected.error != actual.error)
        return "error \"" + actual.error + "\", expected \"" + expected.error + "\"";
    for (std::size_t step = 0; step < expected.contacts_until_step.size(); ++step) {
        const auto until = [&](const SlabRun& run) {
            const std::size_t end =
                step < run.contacts_until_step.size() ? run.contacts_until_step[step] : run.contacts.size();
            return std::vector<Contact>(run.contacts.begin(),
                                        run.contacts.begin() + static_cast<std::ptrdiff_t>(end));
        };
        const std::string difference = first_difference(until(expected), until(actual));
        if (!difference.empty()) return "contacts up to step " + std::to_string(step) + ": " + difference;
    }
    if (expected.contacts_until_step.size() != actual.contacts_until_step.size())
        return std::to_string(actual.contacts_until_step.size()) + " steps were done";
    return expected.error.empty() ? first_difference(expected.particles, actual.particles) : "";
}

}  // namespace ricochet::test
