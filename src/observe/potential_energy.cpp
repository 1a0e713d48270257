// SPDX-License-Identifier: BSD-3-Clause
//
// The energy of particles in a uniform field, and that of their mutual gravity: what elastic contacts conserve is its
// sum with the kinetic energy.
//
// In a uniform field positions are unwrapped, so that what falls through a periodic box goes on losing potential
// energy.
// Mutual gravity takes half of each particle's mass times the potential where it is. A merger changes it at once, like
// any change of masses.
#include <algorithm>
#include <stdexcept>

#include "model/unwrap.hpp"
#include "observe/observers.hpp"
#include "ricochet/core/exact_sum.hpp"

namespace ricochet {
namespace {

class PotentialEnergy final : public Observer {
  public:
    /// `fields`: of mutual gravity; null without.
    PotentialEnergy(const World& world, KeptFields* fields)
        : box_(world.box), gravity_(world.gravity), fields_(fields) {}

    std::string name() const override { return "potential_energy"; }
    std::vector<ObservableInfo> columns() const override {
        return {{"potential_energy", {}, meaning()},
                {"total_energy", {}, "energy + potential_energy: elastic contacts conserve it"}};
    }

    void add_particles(const Particles& owned) override {
        for (std::size_t k = 0; k < owned.size(); ++k) {
            const double mass = owned.attributes[k].mass;
            const Vec3 v = owned.motion[k].velocity;
            const Vec3 x = unwrapped_position(owned.motion[k], owned.track[k], box_);
            if (gravity_ != Vec3{}) potential_.add(0 - mass * dot(gravity_, x));
            kinetic_.add(0.5 * (mass * dot(v, v)));
        }
    }
    void add_system(Exchange& /*exchange*/, const Particles& owned) override {
        if (fields_ == nullptr) return;
        const std::span<const GravityField> fields = fields_->at(owned, WithPotential::yes);
        for (std::size_t k = 0; k < owned.size(); ++k)
            potential_.add(0.5 * (owned.attributes[k].mass * fields[k].potential));
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
    std::string meaning() const {
        std::string uniform = "-sum of mass * gravity * position, unwrapped, from the box's origin";
        if (fields_ == nullptr) return uniform;
        bool has_images = false;
        for (int axis = 0; axis < box_.dimension; ++axis) has_images = has_images || box_.is_periodic(axis);
        const std::string mutual = "sum of mass * potential / 2, the potential that of all other particles" +
                                   std::string(has_images ? " and of all images" : "");
        return gravity_ == Vec3{} ? mutual : mutual + "; and " + uniform;
    }

    Box box_;
    Vec3 gravity_;
    KeptFields* fields_;
    ExactSum potential_, kinetic_;
};

}  // namespace

std::unique_ptr<Observer> make_potential_energy(const World& world) {
    if (world.gravity == Vec3{} || world.bath_energy || world.self_gravity) return nullptr;
    return std::make_unique<PotentialEnergy>(world, nullptr);
}

std::unique_ptr<Observer> make_gravity_energy(const World& world, KeptFields& fields) {
    return std::make_unique<PotentialEnergy>(world, &fields);
}

}  // namespace ricochet
