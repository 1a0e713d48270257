// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/decay_room.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/rounding.hpp"
#include "parallel/collectives.hpp"
#include "parallel/outbox.hpp"

namespace ricochet {
namespace {

/// A part of the x axis, which is taken as a ring also between walls: then it is only longer than it must be.
struct Stretch {
    double middle = 0;
    double half_length = -1;  ///< negative: nothing is there

    /// Whether a point may lie within `reach` of it.
    bool is_near(double x, double reach, double length) const {
        const double offset = std::abs(x - middle);
        return half_length >= 0 &&
               std::min(offset, length - offset) <= half_length + reach + cell_slack * length;
    }
};

/// Finds the stretch that contains all points, by the longest run of empty bins.
class StretchOfPoints {
  public:
    explicit StretchOfPoints(double length) : length_(length), bins_per_length_(num_bins / length) {}

    void add(double x) {
        const auto bin = static_cast<std::size_t>(std::max(0.0, x * bins_per_length_));
        is_filled_[std::min(bin, num_bins - 1)] = true;
    }
    Stretch stretch() const {
        std::size_t empty = 0, longest = 0, end_of_longest = 0;
        for (std::size_t k = 0; k < 2 * num_bins; ++k) {
            empty = is_filled_[k % num_bins] ? 0 : empty + 1;
            if (empty <= longest) continue;
            longest = empty;
            end_of_longest = k + 1;
        }
        if (longest >= num_bins) return {};
        const auto num_filled = static_cast<double>(num_bins - longest);
        const double middle =
            (static_cast<double>(end_of_longest % num_bins) + 0.5 * num_filled) / bins_per_length_;
        return {middle < length_ ? middle : middle - length_, 0.5 * num_filled / bins_per_length_};
    }

  private:
    static constexpr std::size_t num_bins = 512;

    double length_, bins_per_length_;
    std::array<bool, num_bins> is_filled_{};
};

/// A place as the ranks that may know what is there get it.
struct Request {
    WantedPlace place;
    int rank;             ///< whose particle decays
    std::uint32_t index;  ///< of the place on that rank
};

class OccupiedPlaces {
  public:
    OccupiedPlaces(Exchange& exchange, const Box& box, const ContactRules& rules,
                   std::span<const WantedPlace> places, const Particles& owned)
        : exchange_(exchange), box_(box), images_(box), rules_(rules), places_(places), owned_(owned) {}

    std::vector<bool> find() {
        requests_ = exchanged_requests();
        is_occupied_.assign(requests_.size(), false);
        const SphereGrid grid = grid_of_requests();
        for (std::size_t k = 0; k < owned_.size() && !requests_.empty(); ++k) occupy_by_particle(grid, k);
        for (const Request& request : requests_)
            if (request.rank == exchange_.rank()) occupy_by(grid, request.place);
        return answers();
    }

  private:
    /// How far what this rank has reaches along x.
    struct Extent {
        Stretch centres;
        double largest_radius;
    };

    Extent own_extent() const {
        StretchOfPoints points(box_.size.x);
        double largest = 0;
        for (std::size_t k = 0; k < owned_.size(); ++k) {
            points.add(owned_.motion[k].position.x);
            largest = std::max(largest, owned_.attributes[k].radius);
        }
        for (const WantedPlace& place : places_) {
            points.add(place.sphere.centre.x);
            largest = std::max(largest, place.sphere.radius);
        }
        return {points.stretch(), largest};
    }

    /// The places of all ranks that may concern this one, its own among them.
    std::vector<Request> exchanged_requests() {
        std::vector<Extent> extents;
        if (exchange_.size() > 1) {
            const Extent mine = own_extent();
            extents = all_gather_records<Extent>(exchange_, std::span(&mine, 1));
        }
        detail::Outbox<Request> outbox(exchange_);
        for (std::uint32_t k = 0; k < places_.size(); ++k) {
            const Sphere& sphere = places_[k].sphere;
            for (int rank = 0; rank < exchange_.size(); ++rank) {
                const bool is_here = rank == exchange_.rank();
                const Extent extent = is_here ? Extent{} : extents[static_cast<std::size_t>(rank)];
                if (is_here || extent.centres.is_near(sphere.centre.x, sphere.radius + extent.largest_radius,
                                                      box_.size.x))
                    outbox.add(rank, {places_[k], exchange_.rank(), k});
            }
        }
        return outbox.deliver();
    }

    /// Spheres have the index of their request for an id.
    SphereGrid grid_of_requests() {
        double sum_of_radii = 0;
        for (const Request& request : requests_)
            largest_wanted_ = std::max(largest_wanted_, request.place.sphere.radius);
        for (const Attributes& attributes : owned_.attributes) sum_of_radii += attributes.radius;
        const double mean = sum_of_radii / static_cast<double>(std::max<std::size_t>(1, owned_.size()));
        SphereGrid grid(box_, std::max(2 * (mean + largest_wanted_), 1e-6 * box_.size.x), requests_.size());
        for (std::size_t k = 0; k < requests_.size(); ++k) {
            const Sphere& sphere = requests_[k].place.sphere;
            grid.insert({sphere.centre, sphere.radius, k});
        }
        return grid;
    }

    bool exclude(SpeciesIndex a, SpeciesIndex b) const {
        return rules_.pair_overlap(a, b) != Overlap::passes;
    }

    /// Marks the requests that overlap the sphere, if `concerns` them.
    template <class Concerns>
    void occupy(const SphereGrid& grid, const Sphere& sphere, SpeciesIndex species, Concerns&& concerns) {
        const double reach = (sphere.radius + largest_wanted_) * lookup_reach_up;
        grid.any_near(sphere.centre, reach, [&](const Sphere& found) {
            const WantedPlace& place = requests_[found.id].place;
            if (place.asks && place.sphere.id != sphere.id && exclude(place.species, species) &&
                concerns(place) && overlapping(found, sphere, images_, deep_overlap_down))
                is_occupied_[found.id] = true;
            return false;
        });
    }
    void occupy_by_particle(const SphereGrid& grid, std::size_t k) {
        const Sphere sphere{owned_.motion[k].position, owned_.attributes[k].radius, owned_.motion[k].id};
        occupy(grid, sphere, owned_.attributes[k].species, [](const WantedPlace&) { return true; });
    }
    void occupy_by(const SphereGrid& grid, const WantedPlace& wanted) {
        occupy(grid, wanted.sphere, wanted.species,
               [&](const WantedPlace& other) { return !wanted.asks || wanted.sphere.id < other.sphere.id; });
    }

    /// Brings what the ranks have found to those that asked.
    std::vector<bool> answers() {
        detail::Outbox<std::uint32_t> outbox(exchange_);
        for (std::size_t k = 0; k < requests_.size(); ++k)
            if (is_occupied_[k]) outbox.add(requests_[k].rank, requests_[k].index);
        std::vector<bool> result(places_.size());
        for (const std::uint32_t index : outbox.deliver()) result[index] = true;
        return result;
    }

    Exchange& exchange_;
    const Box& box_;
    ImageLengths images_;
    const ContactRules& rules_;
    std::span<const WantedPlace> places_;
    const Particles& owned_;
    std::vector<Request> requests_;
    std::vector<bool> is_occupied_;  ///< by request
    double largest_wanted_ = 0;      ///< radius of the requests
};

}  // namespace

std::vector<bool> find_occupied(Exchange& exchange, const Box& box, const ContactRules& rules,
                                std::span<const WantedPlace> places, const Particles& owned) {
    const auto num_asking =
        std::count_if(places.begin(), places.end(), [](const WantedPlace& place) { return place.asks; });
    if (sum_of_ranks(exchange, static_cast<std::uint64_t>(num_asking)) == 0) return {};
    return OccupiedPlaces(exchange, box, rules, places, owned).find();
}

}  // namespace ricochet
