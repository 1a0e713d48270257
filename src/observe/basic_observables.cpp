// SPDX-License-Identifier: BSD-3-Clause
//
// The observables that every run has, as an observer.
#include <stdexcept>
#include <utility>

#include "model/world_facts.hpp"
#include "observe/observable_columns.hpp"
#include "observe/observables.hpp"
#include "observe/observers.hpp"

namespace ricochet {
namespace {

class BasicObservables final : public Observer {
  public:
    explicit BasicObservables(const World& world)
        : box_(world.box),
          columns_(observable_columns(world)),
          sums_(world.species.size(), num_body_parts(world.bodies)),
          series_(world) {}

    std::string name() const override { return "observables"; }
    std::vector<ObservableInfo> columns() const override {
        std::vector<ObservableInfo> infos;
        for (const ObservableColumn& column : columns_) infos.push_back(column.info);
        return infos;
    }

    void add_briefs(std::span<const ContactBrief> contacts) override { sums_.add_contacts(contacts); }
    void add_records(std::span<const Contact> contacts) override { sums_.add_contacts(contacts); }
    void add_particles(const Particles& owned) override { sums_.add_particles(owned, box_); }

    std::vector<std::int64_t> sums() const override { return sums_.integers(); }
    void set_sums(std::span<const std::int64_t> sums) override { sums_.assign(sums); }
    void take_sample(SampleTime time, std::vector<double>& values) override {
        const ObservableSample sample = series_.evaluate(sums_, time.interval);
        for (const ObservableColumn& column : columns_) column.append(sample, values);
        sums_ = sums_.empty();
    }

    ObserverMemory memory() const override {
        ObservableSeries::State state = series_.state();
        return {std::move(state.contacts), {state.previous_temperature}};
    }
    void restore(const ObserverMemory& memory) override {
        if (memory.numbers.size() != 1)
            throw std::invalid_argument("the memory of the observables is that of another observer");
        series_.restore({memory.numbers[0], memory.integers});
    }

  private:
    Box box_;
    std::vector<ObservableColumn> columns_;
    ObservableSums sums_;
    ObservableSeries series_;
};

}  // namespace

std::unique_ptr<Observer> make_basic_observables(const World& world) {
    return std::make_unique<BasicObservables>(world);
}

}  // namespace ricochet
