// SPDX-License-Identifier: BSD-3-Clause
//
// The energy that walls and bodies give to particles: the heat of those that have a temperature, and the work of walls
// that move.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/world_facts.hpp"
#include "observe/observers.hpp"
#include "ricochet/core/exact_sum.hpp"

namespace ricochet {
namespace {

class GivenEnergies final : public Observer {
  public:
    GivenEnergies(const World& world, std::vector<BodyNumber> bodies)
        : bodies_(std::move(bodies)), recent_(bodies_.size()), total_(bodies_.size()) {
        for (const BodyNumber body : bodies_) labels_.push_back(name_of_surface(world, body));
    }

    std::string name() const override { return "given_energy"; }
    std::vector<ObservableInfo> columns() const override {
        return {{"given_energy", labels_,
                 "kinetic energy that moving walls, and surfaces of a temperature, gave to particles since "
                 "step 0, "
                 "less what they took"}};
    }

    void add_energies(std::span<const GivenEnergy> energies) override {
        for (const GivenEnergy& of : energies) {
            if (of.energy == 0) continue;
            const auto at = std::lower_bound(bodies_.begin(), bodies_.end(), of.body);
            if (at == bodies_.end() || *at != of.body)
                throw std::logic_error("a body that rests and has no temperature gave energy");
            recent_[static_cast<std::size_t>(at - bodies_.begin())].add(of.energy);
        }
    }

    std::vector<std::int64_t> sums() const override { return limbs_of(recent_); }
    void set_sums(std::span<const std::int64_t> sums) override {
        if (sums.size() != recent_.size() * ExactSum::num_limbs)
            throw std::logic_error("the sums of the given energies are those of another observer");
        assign(recent_, sums);
    }
    void take_sample(SampleTime /*time*/, std::vector<double>& values) override {
        for (std::size_t k = 0; k < total_.size(); ++k) {
            total_[k].merge(recent_[k]);
            recent_[k] = ExactSum();
            values.push_back(total_[k].value());
        }
    }

    ObserverMemory memory() const override { return {limbs_of(total_), {}}; }
    void restore(const ObserverMemory& memory) override {
        if (memory.integers.size() != total_.size() * ExactSum::num_limbs)
            throw std::invalid_argument("the memory of the given energies is that of another observer");
        assign(total_, memory.integers);
    }

  private:
    static std::vector<std::int64_t> limbs_of(const std::vector<ExactSum>& sums) {
        std::vector<std::int64_t> all;
        for (const ExactSum& sum : sums) {
            const ExactSum::Limbs limbs = sum.limbs();
            all.insert(all.end(), limbs.begin(), limbs.end());
        }
        return all;
    }
    static void assign(std::vector<ExactSum>& sums, std::span<const std::int64_t> integers) {
        for (ExactSum& sum : sums) {
            ExactSum::Limbs limbs;
            std::copy_n(integers.begin(), limbs.size(), limbs.begin());
            sum = ExactSum::from_limbs(limbs);
            integers = integers.subspan(limbs.size());
        }
    }

    std::vector<BodyNumber> bodies_;  ///< ascending
    std::vector<std::string> labels_;
    std::vector<ExactSum> recent_, total_;  ///< since the previous sample; before
};

}  // namespace

std::unique_ptr<Observer> make_given_energies(const World& world) {
    std::vector<BodyNumber> bodies = bodies_that_give_energy(world);
    if (bodies.empty()) return nullptr;
    return std::make_unique<GivenEnergies>(world, std::move(bodies));
}

}  // namespace ricochet
