// SPDX-License-Identifier: BSD-3-Clause
//
// What a method loses that looks for overlaps at the end of a step only, beside exact runs of the same gas.
//   end_of_step [particles=N] [fraction=PHI] [step=MEAN FREE TIMES] [contacts=N] [seed=N]
// Writes one line of JSON. Equal spheres, diameter = mass = kT = 1.
//
// `found`: of the pairs that collide in a step of the exact run, the share that overlaps at the end of the straight
// paths of that step. Its particles start where the exact run has them.
//
// `rate`: collisions per particle and unit time when the method runs by itself, over the exact rate of Enskog's theory
// with the contact value of Carnahan and Starling. Two that overlap at the end of a step and approach bounce there, as
// if they touched; each pair once.
//
// Sources: "Collision Detection" (an n-body simulation of discs); S. Goodwin, "Analysis of Efficient Collision
// Detection using Pre-Processing Data Structures".
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/block_store.hpp"
#include "geometry/path.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/candidate_pairs.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

struct Case {
    double particles = 4000, fraction = 0.1, step = 1, contacts = 40000, seed = 1;
};

Case parse(int argc, char** argv) {
    Case parsed;
    const std::pair<std::string, double*> words[] = {{"particles", &parsed.particles},
                                                     {"fraction", &parsed.fraction},
                                                     {"step", &parsed.step},
                                                     {"contacts", &parsed.contacts},
                                                     {"seed", &parsed.seed}};
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        const auto* const known =
            std::find_if(std::begin(words), std::end(words),
                         [&](const auto& candidate) { return word.rfind(candidate.first + "=", 0) == 0; });
        if (known == std::end(words)) throw std::invalid_argument("unknown word " + word);
        *known->second = std::stod(word.substr(known->first.size() + 1));
    }
    return parsed;
}

/// Collisions per particle and unit time: Enskog, Carnahan and Starling.
double exact_rate(double fraction) {
    const double density = 6 * fraction / std::numbers::pi;
    const double contact_value = (1 - fraction / 2) / std::pow(1 - fraction, 3);
    return 4 * std::sqrt(std::numbers::pi) * density * contact_value;
}

/// The pairs of slots that overlap.
class Overlaps {
  public:
    explicit Overlaps(const Box& box)
        : images_(box), box_(box), search_(make_search(search_named("cells"), box)) {}

    template <class Visit>
    void for_each(const Particles& particles, Visit&& visit) {
        spheres_.clear();
        for (std::size_t k = 0; k < particles.size(); ++k)
            spheres_.push_back(bounding_sphere(particles.motion[k].position, room * radius));
        search_->build(spheres_, {0, box_.size.x});
        search_->collect_pairs(pairs_);
        pairs_.consume([&](const PairSpan& pairs) {
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                const Slot a = pairs.first[k], b = pairs.second[k];
                const Vec3 apart =
                    minimum_image(particles.motion[b].position - particles.motion[a].position, images_);
                if (dot(apart, apart) < 4 * radius * radius) visit(a, b, apart);
            }
        });
    }

  private:
    static constexpr double radius = 0.5, room = 1.001;

    ImageLengths images_;
    Box box_;
    std::unique_ptr<BroadPhase> search_;
    BlockStore store_;
    CandidatePairs pairs_{store_};
    std::vector<BoundingSphere> spheres_;
};

/// To the end of a step along straight paths, into the box.
void fly(const System& system, Particles& particles) {
    for (std::size_t k = 0; k < particles.size(); ++k) {
        Motion& motion = particles.motion[k];
        Vec3 position = advanced(motion.position, motion.velocity, system.dt);
        for (int axis = 0; axis < 3; ++axis)
            position[axis] -= system.box.size[axis] * std::floor(position[axis] / system.box.size[axis]);
        motion.position = position;
    }
}

struct Share {
    std::uint64_t num_found = 0, num_contacts = 0;
};

/// The share found in exact steps of the system.
Share share_found(System system, double num_contacts) {
    Share share;
    Overlaps overlaps(system.box);
    const auto engine = engine_for(system);
    for (std::uint64_t step = 0; static_cast<double>(share.num_contacts) < num_contacts; ++step) {
        Particles straight = system.particles;
        fly(system, straight);
        std::set<std::pair<ParticleId, ParticleId>> overlapping;
        overlaps.for_each(straight, [&](Slot a, Slot b, const Vec3&) {
            overlapping.insert(std::minmax(straight.motion[a].id, straight.motion[b].id));
        });
        std::set<std::pair<ParticleId, ParticleId>> touching;
        for (const Contact& contact : engine_step(*engine, system.particles, system.dt, {}, step).contacts)
            touching.insert({contact.key.low, contact.key.high});
        share.num_contacts += touching.size();
        share.num_found += static_cast<std::uint64_t>(std::count_if(
            touching.begin(), touching.end(), [&](const auto& pair) { return overlapping.count(pair) > 0; }));
    }
    return share;
}

/// Collisions per particle and unit time of the method by itself.
double own_rate(System system, double num_contacts, double most_time) {
    Overlaps overlaps(system.box);
    std::vector<std::pair<Slot, Slot>> order;
    std::uint64_t num_bounces = 0;
    double time = 0;
    while (static_cast<double>(num_bounces) < num_contacts && time < most_time) {
        fly(system, system.particles);
        time += system.dt;
        overlaps.for_each(system.particles, [&](Slot a, Slot b, const Vec3& apart) {
            Motion &first = system.particles.motion[a], &second = system.particles.motion[b];
            const Vec3 relative = second.velocity - first.velocity;
            const double approach = dot(apart, relative);
            if (approach >= 0) return;
            const Vec3 change = (approach / dot(apart, apart)) * apart;
            first.velocity = first.velocity + change;
            second.velocity = second.velocity - change;
            ++num_bounces;
        });
    }
    return 2 * static_cast<double>(num_bounces) / (static_cast<double>(system.particles.size()) * time);
}

int run(const Case& asked) {
    System system = equal_gas(3, static_cast<std::size_t>(asked.particles), asked.fraction,
                              static_cast<std::uint64_t>(asked.seed));
    const double rate = exact_rate(asked.fraction);
    constexpr double usual_step = 0.5, collisions_before = 10;
    system.dt = usual_step / rate;
    EngineRun start(system);
    start.run_collisions(collisions_before);
    system.particles = start.particles();
    system.dt = asked.step / rate;
    const Share share = share_found(system, asked.contacts);
    constexpr double most_mean_free_times = 1000;
    const double own = own_rate(system, asked.contacts, most_mean_free_times / rate);
    std::printf(
        R"({"particles": %zu, "fraction": %g, "step": %g, "contacts": %llu, "found": %.6f, "rate": %.6f})"
        "\n",
        system.particles.size(), asked.fraction, asked.step,
        static_cast<unsigned long long>(share.num_contacts),
        static_cast<double>(share.num_found) / static_cast<double>(share.num_contacts), own / rate);
    return 0;
}

}  // namespace
}  // namespace ricochet::test

int main(int argc, char** argv) {
    try {
        return ricochet::test::run(ricochet::test::parse(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "end_of_step: %s\n", error.what());
        return 2;
    }
}
