// SPDX-License-Identifier: BSD-3-Clause
//
// The energy of particles in a uniform field: what elastic contacts conserve is its sum with the kinetic energy.
//
// Positions are unwrapped, so that what falls through a periodic box goes on losing potential energy.
#include <algorithm>
#include <stdexcept>

#include "model/unwrap.hpp"
#include "observe/observers.hpp"
#include "ricochet/core/exact_sum.hpp"

namespace ricochet {
namespace {

class PotentialEnergy final : public Observer {
  public:
    explicit PotentialEnergy(const World& world) : box_(world.box), gravity_(world.gravity) {}

    std::string name() const override { return "potential_energy"; }
    std::vector<ObservableInfo> columns() const override {
        return {
            {"potential_energy", {}, "-sum of mass * gravity * position, unwrapped, from the box's origin"},
            {"total_energy", {}, "energy + potential_energy: elastic contacts conserve it"}};
    }

    void add_particles(const Particles& owned) override {
        for (std::size_t k = 0; k < owned.size(); ++k) {
            const double mass = owned.attributes[k].mass;
            const Vec3 v = owned.motion[k].velocity;
            const Vec3 x = unwrapped_position(owned.motion[k], owned.track[k], box_);
            potential_.add(0 - mass * dot(gravity_, x));
            kinetic_.add(0.5 * (mass * dot(v, v)));
        }
    }

    std::vector<std::int64_t> sums() const override {
        std::vector<std::int64_t> all;
        for (const ExactSum* const sum : {&potential_, &kinetic_}) {
            const ExactSum::Limbs limbs = sum->limbs();
            all.insert(all.end(), limbs.begin(), limbs.end());
        }
        return all;
    }
    void set_sums(std::span<const std::int64_t> sums) override {
        if (sums.size() != 2 * ExactSum::num_limbs)
            throw std::logic_error("the sums of the potential energy are those of another observer");
        for (ExactSum* const sum : {&potential_, &kinetic_}) {
            ExactSum::Limbs limbs;
            std::copy_n(sums.begin(), limbs.size(), limbs.begin());
            *sum = ExactSum::from_limbs(limbs);
            sums = sums.subspan(limbs.size());
        }
    }
    void take_sample(SampleTime /*time*/, std::vector<double>& values) override {
        ExactSum total = potential_;
        total.merge(kinetic_);
        values.push_back(potential_.value());
        values.push_back(total.value());
        potential_ = kinetic_ = ExactSum();
    }

  private:
    Box box_;
    Vec3 gravity_;
    ExactSum potential_, kinetic_;
};

}  // namespace

std::unique_ptr<Observer> make_potential_energy(const World& world) {
    if (world.gravity == Vec3{} || world.bath_energy) return nullptr;
    return std::make_unique<PotentialEnergy>(world);
}

}  // namespace ricochet
