// SPDX-License-Identifier: BSD-3-Clause
//
// Clusters: particles that tethers connect, directly or by way of others, over all ranks. Only species that become
// tethered count. A particle without tethers is a cluster of one.
//
// Algorithm: Components finds the size of each cluster on one rank. That rank adds it to integers: numbers by bins of
// sizes, and the sum of squares. Bins are fixed, so that the columns are those of any run. The sum of squares may
// exceed 64 bits, so it has two digits. The largest size is agreed upon, and added by rank 0 alone.
//
// Invariant: all values follow from integers of the whole system, so they are the same on any number of ranks.
//
// Cost: that of Components for particles with tethers, in each sample.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/world_facts.hpp"
#include "observe/observers.hpp"
#include "parallel/collectives.hpp"
#include "parallel/components.hpp"

namespace ricochet {
namespace {

/// 1, 2, 3, 4, 5-8, 9-16 and so on; the last is open.
constexpr std::size_t num_bins = 24;

std::size_t bin_of(std::uint64_t size) {
    if (size <= 4) return size - 1;
    return std::min(num_bins - 1, static_cast<std::size_t>(std::bit_width(size - 1)) + 1);
}

class Clusters final : public Observer {
  public:
    explicit Clusters(const World& world) {
        for (SpeciesIndex s = 0; s < world.species.size(); ++s) sticks_.push_back(sticks(world, s));
    }

    std::string name() const override { return "clusters"; }
    std::vector<ObservableInfo> columns() const override {
        return {
            {"clusters",
             {},
             "number of clusters of particles that tethers connect; one without tethers is a cluster of 1, "
             "of species that become tethered"},
            {"largest_cluster", {}, "number of particles in the largest cluster"},
            {"mean_cluster_size",
             {},
             "mean over particles of the size of their cluster: sum of size^2 over sum of size"},
            {"clusters_by_size", labels_of_bins(), "number of clusters, by number of particles"}};
    }

    void add_system(Exchange& exchange, const Particles& owned) override {
        std::uint64_t largest = 0;
        for (const std::uint64_t size : sizes_on(exchange, owned)) {
            add(size, 1);
            largest = std::max(largest, size);
        }
        if (counts_[0] > 0) largest = std::max<std::uint64_t>(largest, 1);
        largest = max_of_ranks(exchange, largest);
        if (exchange.rank() == 0) largest_ += static_cast<std::int64_t>(largest);
    }

    std::vector<std::int64_t> sums() const override {
        std::vector<std::int64_t> all(counts_.begin(), counts_.end());
        all.insert(all.end(), {num_particles_, largest_, squares_[0], squares_[1]});
        return all;
    }
    void set_sums(std::span<const std::int64_t> sums) override {
        if (sums.size() != num_bins + 4)
            throw std::logic_error("the sums of the clusters are those of another observer");
        std::copy_n(sums.begin(), num_bins, counts_.begin());
        num_particles_ = sums[num_bins];
        largest_ = sums[num_bins + 1];
        squares_ = {sums[num_bins + 2], sums[num_bins + 3]};
        carry();
    }
    void take_sample(SampleTime /*time*/, std::vector<double>& values) override {
        std::int64_t num_clusters = 0;
        for (const std::int64_t count : counts_) num_clusters += count;
        values.insert(values.end(),
                      {static_cast<double>(num_clusters), static_cast<double>(largest_), mean()});
        for (const std::int64_t count : counts_) values.push_back(static_cast<double>(count));
        *this = Clusters(std::move(sticks_));
    }

  private:
    explicit Clusters(std::vector<bool> sticks) : sticks_(std::move(sticks)) {}

    static std::vector<std::string> labels_of_bins() {
        std::vector<std::string> labels{"1", "2", "3", "4"};
        std::uint64_t last = 4;
        for (; labels.size() + 1 < num_bins; last *= 2)
            labels.push_back(std::to_string(last + 1) + "-" + std::to_string(2 * last));
        labels.push_back("more than " + std::to_string(last));
        return labels;
    }

    /// Counts own particles without tethers, and returns the sizes of the other clusters, each on one rank. Collective.
    std::vector<std::uint64_t> sizes_on(Exchange& exchange, const Particles& owned) {
        const std::span<const Tethers> tethers = owned.track.tethers();
        std::vector<std::size_t> tethered;
        std::vector<std::uint64_t> ids;
        std::uint64_t num_single = 0;
        for (std::size_t k = 0; k < owned.size(); ++k) {
            if (k < tethers.size() && !tethers[k].empty()) {
                tethered.push_back(k);
                ids.push_back(owned.motion[k].id);
            } else if (sticks_[owned.attributes[k].species]) {
                ++num_single;
            }
        }
        add(1, num_single);
        Components components(std::move(ids));
        for (std::size_t k = 0; k < tethered.size(); ++k)
            for (const std::uint64_t partner : tethers[tethered[k]].partners()) components.join(k, partner);
        components.connect(exchange);
        return components.sizes(exchange);
    }

    void add(std::uint64_t size, std::uint64_t count) {
        __extension__ using Wide = unsigned __int128;
        counts_[bin_of(size)] += static_cast<std::int64_t>(count);
        num_particles_ += static_cast<std::int64_t>(size * count);
        const Wide squares = Wide{size} * size * count;
        squares_[0] += static_cast<std::int64_t>(squares & 0xffffffffu);
        squares_[1] += static_cast<std::int64_t>(squares >> 32);
        carry();
    }
    void carry() {
        squares_[1] += squares_[0] >> 32;
        squares_[0] &= 0xffffffff;
    }

    /// Rounded twice: the sum of squares, if it has more than 53 bits, and the quotient.
    double mean() const {
        if (num_particles_ == 0) return std::numeric_limits<double>::quiet_NaN();
        const double squares = static_cast<double>(squares_[1]) * 0x1p32 + static_cast<double>(squares_[0]);
        return squares / static_cast<double>(num_particles_);
    }

    std::vector<bool> sticks_;                      ///< by species
    std::array<std::int64_t, num_bins> counts_{};   ///< of clusters
    std::int64_t num_particles_ = 0, largest_ = 0;  ///< largest: of all ranks, on rank 0
    std::array<std::int64_t, 2> squares_{};         ///< of sizes, in units of 1 and 2^32
};

}  // namespace

std::unique_ptr<Observer> make_clusters(const World& world) {
    if (!has_tethers(world)) return nullptr;
    return std::make_unique<Clusters>(world);
}

}  // namespace ricochet
