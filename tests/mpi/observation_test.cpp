// SPDX-License-Identifier: BSD-3-Clause
//
// Observers from contact to sample: over ranks, over parts of steps that are taken back, over restarts. The one
// here counts contacts by the parity of their ids, for which it needs records.
#include "run/observation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

#include "observe/observers.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

bool is_even(const Contact& contact) { return (contact.key.low + contact.key.high) % 2 == 0; }

/// Counts the contacts of ids with an even sum, since the start of the run.
class EvenContacts final : public Observer {
  public:
    std::string name() const override { return "even contacts"; }
    std::vector<ObservableInfo> columns() const override {
        return {{"even", {"contacts", "interval"}, "contacts with an even sum of ids since step 0"}};
    }
    ContactDetail detail() const override { return ContactDetail::records; }
    void add_records(std::span<const Contact> contacts) override {
        for (const Contact& contact : contacts) count_ += is_even(contact) ? 1 : 0;
    }
    std::vector<std::int64_t> sums() const override { return {count_}; }
    void set_sums(std::span<const std::int64_t> sums) override { count_ = sums[0]; }
    void take_sample(SampleTime time, std::vector<double>& values) override {
        total_ += std::exchange(count_, 0);
        values.insert(values.end(), {static_cast<double>(total_), time.interval});
    }
    ObserverMemory memory() const override { return {{total_}, {}}; }
    void restore(const ObserverMemory& memory) override { total_ = memory.integers.at(0); }

  private:
    std::int64_t count_ = 0, total_ = 0;
};

Contact contact_of(ParticleId low, ParticleId high) {
    Contact contact;
    contact.key = {0, 0, low, high};
    contact.impulse = 0.1;
    contact.distance = 1;
    return contact;
}

/// On each rank two contacts that count, one of them with a wall.
void add_two(Observation& observation) {
    std::array contacts{contact_of(1, 3), contact_of(1, 2), contact_of(4, first_obstacle_id)};
    contacts[2].species_high = wall_species;
    observation.add_records(contacts);
}

std::unique_ptr<Observation> observation_of_all(Exchange& exchange) {
    auto observation = std::make_unique<Observation>(exchange);
    Species species;
    species.name = "ball";
    for (auto& observer : make_observers({.species = {species}})) observation->add(std::move(observer));
    observation->add(std::make_unique<EvenContacts>());
    return observation;
}

TEST(Observation, AddsUpOverRanksAndSteps) {
    MpiRanks world;
    const auto observation = observation_of_all(world);
    EXPECT_EQ(observation->detail(), ContactDetail::records);
    add_two(*observation);
    add_two(*observation);
    const Sample first = observation->take_sample({}, 0.5);
    EXPECT_EQ(first.of("even")[0], 4 * world.size());
    EXPECT_EQ(first.of("even")[1], 0);
    EXPECT_EQ(first.of("contacts")[0], 4 * world.size());
    EXPECT_THROW(first.of("odd"), std::out_of_range);
    add_two(*observation);
    const Sample second = observation->take_sample({}, 0.75);
    EXPECT_EQ(second.of("even")[0], 6 * world.size());
    EXPECT_EQ(second.of("even")[1], 0.25);
    EXPECT_EQ(second.of("contacts")[1], 3 * world.size());
}

/// Contacts since the latest settle() only.
TEST(Observation, TakesBackWhatIsNotSettled) {
    MpiRanks world;
    const auto observation = observation_of_all(world);
    add_two(*observation);
    observation->settle();
    for (int attempt = 0; attempt < 2; ++attempt) {
        add_two(*observation);
        add_two(*observation);
        observation->take_back();
    }
    const Sample sample = observation->take_sample({}, 0);
    EXPECT_EQ(sample.of("even")[0], 2 * world.size());
    EXPECT_EQ(sample.of("contacts")[0], 2 * world.size());
}

TEST(Observation, GoesOnFromItsState) {
    MpiRanks world;
    Particles ball;
    Attributes of_mass_1;
    of_mass_1.mass = 1;
    ball.push_back({{}, {1, 0, 0}, 0, static_cast<ParticleId>(world.rank())}, of_mass_1, {});
    const auto whole = observation_of_all(world);
    add_two(*whole);
    whole->take_sample(ball, 1);
    add_two(*whole);
    RunState state;
    whole->save_to(state);
    const auto part = observation_of_all(world);
    part->restore_from(state);
    RunState again;
    part->save_to(again);
    EXPECT_EQ(again, state);
    for (Observation* one : {whole.get(), part.get()}) {
        add_two(*one);
        const Sample sample = one->take_sample(ball, 3);
        EXPECT_EQ(sample.of("even")[0], 6 * world.size());
        EXPECT_EQ(sample.of("even")[1], 2);
        EXPECT_EQ(sample.of("contacts")[1], 3 * world.size());
    }
    state.observers.erase("even contacts");
    EXPECT_THROW(part->restore_from(state), InputError);
}

/// One chain of a particle of each rank.
TEST(Observation, ConnectsWhatLiesOnManyRanks) {
    MpiRanks world;
    World sticky{.box = {}, .species = std::vector<Species>(1)};
    sticky.rules = {{0, 0, Stick{}, 0}};
    Observation observation(world);
    observation.add(make_clusters(sticky));
    const auto id = static_cast<ParticleId>(world.rank());
    Particles ball;
    ball.push_back({{}, {}, 0, id}, {}, {});
    ball.track.keep_tethers();
    if (world.rank() > 0) ball.track.tethers()[0].add(id - 1, 0);
    if (world.rank() + 1 < world.size()) ball.track.tethers()[0].add(id + 1, 0);
    for (int repeated = 0; repeated < 2; ++repeated) {
        const Sample sample = observation.take_sample(ball, repeated);
        EXPECT_EQ(sample.of("clusters")[0], 1);
        EXPECT_EQ(sample.of("largest_cluster")[0], world.size());
        EXPECT_EQ(sample.of("mean_cluster_size")[0], world.size());
    }
}

TEST(Observation, RefusesTwoOfOneName) {
    MpiRanks world;
    const auto observation = observation_of_all(world);
    EXPECT_THROW(observation->add(std::make_unique<EvenContacts>()), std::invalid_argument);
}

/// With the mistakes that an observer can make.
struct Mistaken final : Observer {
    std::string column = "column";
    std::size_t num_values = 1;
    bool takes_sums = true, takes_memory = true;

    std::string name() const override { return "mistaken"; }
    std::vector<ObservableInfo> columns() const override { return {{.name = column, .meaning = "a number"}}; }
    std::vector<std::int64_t> sums() const override { return {1}; }
    void set_sums(std::span<const std::int64_t>) override {
        if (!takes_sums) throw std::logic_error("wrong sums");
    }
    void take_sample(SampleTime, std::vector<double>& values) override {
        values.resize(values.size() + num_values);
    }
    void restore(const ObserverMemory&) override {
        if (!takes_memory) throw std::invalid_argument("wrong memory");
    }
};

std::string mistake_at_addition(Mistaken observer) {
    MpiRanks world;
    Observation observation(world);
    try {
        observation.add(std::make_unique<Mistaken>(std::move(observer)));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Observation, NamesMistakesOfObservers) {
    EXPECT_EQ(mistake_at_addition({}), "");
    Mistaken observer;
    observer.column = "a/b";
    EXPECT_THAT(mistake_at_addition(observer), HasSubstr("mistaken has an observable named \"a/b\""));
    observer.column = "";
    EXPECT_THAT(mistake_at_addition(observer), HasSubstr("mistaken has an observable named \"\""));
    observer = {};
    observer.takes_sums = false;
    EXPECT_THAT(mistake_at_addition(observer), HasSubstr("mistaken does not take its own sums"));
    observer = {};
    observer.takes_memory = false;
    EXPECT_THAT(mistake_at_addition(observer), HasSubstr("wrong memory"));
}

TEST(Observation, CountsTheValuesOfObservers) {
    MpiRanks world;
    for (const std::size_t num_values : {0, 1, 2}) {
        Observation observation(world);
        Mistaken observer;
        observer.num_values = num_values;
        observation.add(std::make_unique<Mistaken>(observer));
        if (num_values == 1)
            EXPECT_EQ(observation.take_sample({}, 0).values.size(), 1u);
        else
            EXPECT_THROW(observation.take_sample({}, 0), std::logic_error);
    }
}

/// Counts what it is given, and keeps the latest sample.
class Counter final : public Recorder {
  public:
    explicit Counter(bool wants_contacts) : wants_contacts_(wants_contacts) {}
    bool wants_contacts() const override { return wants_contacts_; }
    void contacts(std::uint64_t, std::span<const Contact> contacts) override {
        for (const Contact& contact : contacts) num_even += is_even(contact) ? 1 : 0;
    }
    void sample(std::uint64_t, double, const Sample& sample) override {
        latest.assign(sample.values.begin(), sample.values.end());
        even = sample.of("even")[0];
    }

    std::int64_t num_even = 0;
    double even = 0;
    std::vector<double> latest;

  private:
    bool wants_contacts_;
};

/// Stops at the end of a step and keeps the state.
class StopAt final : public Interruptions {
  public:
    explicit StopAt(std::uint64_t step) : step_(step) {}
    Interruption ask(const StepEnd& end) override {
        return end.step == step_ ? Interruption::stop : Interruption::none;
    }
    void save(const RunState& state, const Particles& owned) override {
        kept.state = state;
        kept.particles = owned;
    }
    Checkpoint kept;

  private:
    std::uint64_t step_;
};

Config gas() {
    return parse_config(
        "box: {size: [16, 6, 6]}\nspecies: [{name: ball, radius: 0.5, mass: 1, count: 150}]\n"
        "dynamics: {type: ballistic, kT: 1}\nrun: {timestep: 0.1, steps: 10}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 3}\n",
        "input.yaml");
}

/// The added observer sees each contact once, whether the recorder wants contacts or not.
TEST(Observation, OfARunSeesEachContactOnce) {
    MpiRanks world;
    Listener monitor;
    const Config config = gas();
    for (const bool wants_contacts : {true, false}) {
        Simulation simulation(world, config, monitor);
        simulation.add(std::make_unique<EvenContacts>());
        EXPECT_EQ(simulation.observables().back().name, "even");
        Counter counter(wants_contacts);
        simulation.run(counter);
        world.sum(std::span(&counter.num_even, 1));
        EXPECT_GT(counter.even, 50);
        if (wants_contacts)
            EXPECT_EQ(counter.even, counter.num_even);
        else
            EXPECT_EQ(counter.num_even, 0);
    }
}

/// Between two samples.
TEST(Observation, OfAStoppedRunGoesOnToTheSameBits) {
    MpiRanks world;
    Listener monitor;
    const Config config = gas();
    Counter whole(false), part(false);
    Simulation uninterrupted(world, config, monitor);
    uninterrupted.add(std::make_unique<EvenContacts>());
    uninterrupted.run(whole);
    Simulation stopped(world, config, monitor);
    stopped.add(std::make_unique<EvenContacts>());
    StopAt stop(5);
    EXPECT_EQ(stopped.run(part, stop), RunEnd::stopped);
    stop.kept.num_particles = 150;
    Simulation continued(world, config, monitor, std::move(stop.kept));
    continued.add(std::make_unique<EvenContacts>());
    continued.run(part);
    EXPECT_EQ(part.latest, whole.latest);
}

}  // namespace
}  // namespace ricochet::test
