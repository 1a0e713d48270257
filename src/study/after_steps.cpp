// SPDX-License-Identifier: BSD-3-Clause
#include "study/after_steps.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "parallel/outbox.hpp"

namespace ricochet {
namespace {

struct Pair {
    ParticleId low = 0, high = 0;

    friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// A pair on its way to the rank of its higher id.
struct HalfPair {
    StepPath low;
    ParticleId high = 0;
};

class PathsAtStart final : public Drive {
  public:
    explicit PathsAtStart(std::vector<StepPath>& paths) : paths_(paths) {}

    void before_drift(Particles& owned, DrivenStep /*step*/) const override {
        paths_.clear();
        for (std::size_t k = 0; k < owned.size(); ++k)
            paths_.push_back({owned.motion[k].id, owned.motion[k].position, owned.motion[k].velocity,
                              owned.attributes[k].radius, owned.attributes[k].species});
    }

  private:
    std::vector<StepPath>& paths_;
};

/// Null without one.
const StepPath* path_of(const std::vector<StepPath>& sorted, ParticleId id) {
    const auto found =
        std::lower_bound(sorted.begin(), sorted.end(), id,
                         [](const StepPath& path, ParticleId wanted) { return path.id < wanted; });
    return found != sorted.end() && found->id == id ? &*found : nullptr;
}

}  // namespace

std::unique_ptr<Drive> AfterSteps::drive() { return std::make_unique<PathsAtStart>(paths_); }

void AfterSteps::contacts(std::uint64_t /*step*/, std::span<const Contact> contacts) {
    const auto home = [this](ParticleId id) {
        return static_cast<int>(id % static_cast<std::uint64_t>(exchange_.size()));
    };
    detail::Outbox<StepPath> of_paths(exchange_);
    for (const StepPath& path : paths_) of_paths.add(home(path.id), path);
    std::vector<StepPath> paths = of_paths.deliver();
    std::sort(paths.begin(), paths.end(), [](const StepPath& a, const StepPath& b) { return a.id < b.id; });

    detail::Outbox<Pair> of_pairs(exchange_);
    for (const Contact& contact : contacts)
        if (is_contact(contact.effect) && contact.species_high != wall_species)
            of_pairs.add(home(contact.key.low), {contact.key.low, contact.key.high});
    std::vector<Pair> pairs = of_pairs.deliver();
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    counts_.num_touching += pairs.size();

    detail::Outbox<HalfPair> of_halves(exchange_);
    for (const Pair& pair : pairs)
        if (const StepPath* const low = path_of(paths, pair.low))
            of_halves.add(home(pair.high), {*low, pair.high});
    for (const HalfPair& half : of_halves.deliver()) {
        const StepPath* const high = path_of(paths, half.high);
        counts_.num_overlapping += high != nullptr && overlap_at_end(half.low, *high) ? 1 : 0;
    }
}

bool AfterSteps::overlap_at_end(const StepPath& a, const StepPath& b) const {
    const Vec3 apart =
        minimum_image((b.position - a.position) + dt_ * (b.velocity - a.velocity), ImageLengths(box_));
    const double reach = a.radius + b.radius;
    if (!(dot(apart, apart) < reach * reach)) return false;
    if (!shapes_.has_shapes() || !shapes_.has_shape(a.species, b.species)) return true;
    return shapes_.gap(apart, sized(a.species, a.radius), sized(b.species, b.radius)).distance < 0;
}

AfterStepCounts AfterSteps::counts() const {
    std::array<std::int64_t, 2> sums{static_cast<std::int64_t>(counts_.num_touching),
                                     static_cast<std::int64_t>(counts_.num_overlapping)};
    exchange_.sum(sums);
    return {static_cast<std::uint64_t>(sums[0]), static_cast<std::uint64_t>(sums[1])};
}

}  // namespace ricochet
