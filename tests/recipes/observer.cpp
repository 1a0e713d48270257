// SPDX-License-Identifier: BSD-3-Clause
//
// Recipe: an observer. It counts the contacts in which partners approach faster than 2. What ranks count is added as
// integers, so a sample has the same bits on any number of ranks.
#include "ricochet/observe/observer.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/mpi/kept_run.hpp"

namespace {

using namespace ricochet;

class HardContacts final : public Observer {
  public:
    std::string name() const override { return "hard_contacts"; }
    std::vector<ObservableInfo> columns() const override {
        return {{.name = "hard_contacts", .meaning = "contacts with a speed of approach above 2"}};
    }
    ContactDetail detail() const override { return ContactDetail::records; }
    void add_records(std::span<const Contact> contacts) override {
        for (const Contact& contact : contacts) count_ += contact.speed > 2 ? 1 : 0;
    }
    std::vector<std::int64_t> sums() const override { return {count_}; }
    void set_sums(std::span<const std::int64_t> sums) override { count_ = sums[0]; }
    void take_sample(SampleTime, std::vector<double>& values) override {
        values.push_back(static_cast<double>(count_));
        count_ = 0;
    }

  private:
    std::int64_t count_ = 0;
};

/// Takes the samples, and counts the same contacts from all records.
class Counts final : public Recorder {
  public:
    void contacts(std::uint64_t, std::span<const Contact> reported) override {
        num_contacts += static_cast<std::int64_t>(reported.size());
    }
    void sample(std::uint64_t, double, const Sample& sample) override {
        num_hard += static_cast<std::int64_t>(sample.of("hard_contacts")[0]);
    }
    std::int64_t num_contacts = 0, num_hard = 0;
};

/// In equilibrium pairs approach with a speed v as often as v exp(-v^2 / 4): a share of exp(-1) is faster than 2.
TEST(Recipe, Observer) {
    const std::string input = R"(
box: {size: [16, 8, 8]}
species: [{name: ball, radius: 0.5, mass: 1, count: 400}]
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 100}
output: {file: none.h5md, observables_every: 25}
)";
    MpiExchange exchange{boost::mpi::communicator()};
    Monitor silent;
    Simulation simulation(exchange, parse_config(input, "the input"), silent);
    simulation.add(std::make_unique<HardContacts>());
    Counts counts;
    simulation.run(counts);
    const auto num_contacts = static_cast<double>(simulation.totals().num_collisions);
    EXPECT_GT(num_contacts, 5000);
    EXPECT_NEAR(static_cast<double>(counts.num_hard), 0.368 * num_contacts,
                4 * std::sqrt(0.368 * num_contacts));
}

}  // namespace
