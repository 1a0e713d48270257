// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/overlap_census.hpp"

#include <algorithm>
#include <array>

#include "geometry/sphere_cells.hpp"
#include "model/rounding.hpp"

namespace ricochet {

namespace {

/// The spheres of one size class in the order of their cells. Their ids are their indices, since ids may be duplicate
/// here.
class SortedSpheres {
  public:
    SortedSpheres(const Box& box, double edge, std::size_t size) : cells_(box, edge) {
        reserve_in_large_pages(entries_, size);
    }

    void add(Vec3 centre, std::size_t index) {
        entries_.emplace_back(cells_.cell_of(centre), static_cast<std::uint32_t>(index));
    }
    void sort(const SphereAt& sphere_at) {
        sort_entries(entries_);
        reserve_in_large_pages(spheres_, entries_.size());
        for (const CellEntry& entry : entries_) {
            const Sphere sphere = sphere_at(entry.second);
            spheres_.push_back({sphere.centre, sphere.radius});
        }
    }

    std::size_t size() const { return entries_.size(); }
    Sphere operator[](std::size_t k) const {
        return {spheres_[k].centre, spheres_[k].radius, entries_[k].second};
    }

    /// Calls stop(sphere) for those of the first `end` spheres whose centre may lie within `reach` of `centre`. It may
    /// call it for others of the same cells. Returns as soon as a call returns true, and whether one did. O(1) where
    /// queries come in the order of cells: each looks for a row of cells where the one before found it.
    template <class Stop>
    bool any_near(Vec3 centre, double reach, std::size_t end, Stop&& stop) {
        const SphereCells::Range xs = cells_.range(0, centre.x, reach), ys = cells_.range(1, centre.y, reach),
                                 zs = cells_.range(2, centre.z, reach);
        for (std::int64_t k = 0; k < zs.count; ++k)
            for (std::int64_t j = 0; j < ys.count; ++j) {
                const SphereCells::Cell row =
                    SphereCells::cell(0, cells_.wrapped(ys.first + j, 1), cells_.wrapped(zs.first + k, 2));
                if (any_in_row(row, xs, starts_[static_cast<std::size_t>(4 * k + j) % starts_.size()], end,
                               stop))
                    return true;
            }
        return false;
    }

  private:
    /// Along a periodic axis a range may have a part at either end of the box.
    template <class Stop>
    bool any_in_row(SphereCells::Cell row, SphereCells::Range xs, std::size_t& start, std::size_t end,
                    Stop&& stop) {
        const std::int64_t n = cells_.num_cells(0), last = xs.first + xs.count - 1;
        if (xs.first >= 0 && last < n)
            return any_between(row + cast(xs.first), row + cast(last), start, end, stop);
        const std::int64_t low_end = xs.first < 0 ? last : last - n,
                           high_begin = xs.first < 0 ? xs.first + n : xs.first;
        std::size_t other_start = start;
        return any_between(row, row + cast(low_end), start, end, stop) ||
               any_between(row + cast(high_begin), row + cast(n - 1), other_start, end, stop);
    }
    template <class Stop>
    bool any_between(SphereCells::Cell first, SphereCells::Cell last, std::size_t& start, std::size_t end,
                     Stop&& stop) {
        if (end == 0 || entries_[end - 1].first < first) return false;
        start = first_from(first, start);
        for (std::size_t k = start; k < end && entries_[k].first <= last; ++k)
            if (stop((*this)[k])) return true;
        return false;
    }
    static SphereCells::Cell cast(std::int64_t index) { return static_cast<SphereCells::Cell>(index); }

    /// The first sphere in this cell or behind it. O(log(distance from the guess)).
    std::size_t first_from(SphereCells::Cell cell, std::size_t guess) const {
        std::size_t low = guess, high = guess, step = 1;
        while (high < size() && entries_[high].first < cell) {
            low = high + 1;
            high = std::min(size(), high + step);
            step *= 2;
        }
        while (low > 0 && entries_[low - 1].first >= cell) {
            high = low - 1;
            low = low > step ? low - step : 0;
            step *= 2;
        }
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            entries_[middle].first < cell ? low = middle + 1 : high = middle;
        }
        return low;
    }

    struct Ball {
        Vec3 centre;
        double radius;
    };
    SphereCells cells_;
    std::vector<CellEntry> entries_;
    std::vector<Ball> spheres_;
    std::array<std::size_t, 16>
        starts_{};  ///< where queries found the rows around them, a guess for the next
};

/// The spheres by size classes, those of the largest first.
std::vector<SortedSpheres> sorted_by_class(const Box& box, std::size_t size, const SphereAt& sphere_at,
                                           double largest) {
    std::vector<std::uint8_t> class_of(size);
    std::array<std::size_t, num_size_classes> counts{};
    for (std::size_t k = 0; k < size; ++k) {
        const int of_sphere = size_class(sphere_at(k).radius, largest);
        class_of[k] = static_cast<std::uint8_t>(of_sphere);
        ++counts[class_of[k]];
    }
    std::vector<SortedSpheres> classes;
    classes.reserve(num_size_classes);
    for (int c = 0; c < num_size_classes; ++c)
        classes.emplace_back(box, 2 * class_top(c, largest), counts[static_cast<std::size_t>(c)]);
    for (std::size_t k = 0; k < size; ++k) classes[class_of[k]].add(sphere_at(k).centre, k);
    for (SortedSpheres& of_class : classes) of_class.sort(sphere_at);
    return classes;
}

/// Calls found(a, b, gap) for every pair, a and b indices, until it returns true.
template <class Found>
void visit_overlaps(const Box& box, std::size_t size, const SphereAt& sphere_at, double tolerance,
                    Found&& found) {
    if (size == 0) return;
    double largest = 0;
    for (std::size_t k = 0; k < size; ++k) largest = std::max(largest, sphere_at(k).radius);
    std::vector<SortedSpheres> classes = sorted_by_class(box, size, sphere_at, largest);
    const ImageLengths images(box);
    for (std::size_t own_class = 0; own_class < classes.size(); ++own_class)
        for (std::size_t k = 0; k < classes[own_class].size(); ++k) {
            const Sphere own = classes[own_class][k];
            const auto stops_at = [&](const Sphere& other) {
                if (!overlapping(own, other, images, 1 - tolerance)) return false;
                const double distance = norm(minimum_image(other.centre - own.centre, images));
                return found(own.id, other.id, distance - (own.radius + other.radius));
            };
            for (std::size_t c = 0; c <= own_class; ++c) {
                if (classes[c].size() == 0) continue;
                const double reach = (own.radius + class_top(static_cast<int>(c), largest)) * lookup_reach_up;
                const std::size_t end = c == own_class ? k : classes[c].size();
                if (classes[c].any_near(own.centre, reach, end, stops_at)) return;
            }
        }
}

SphereAt sphere_of(const Particles& particles) {
    return [&particles](std::size_t k) {
        return Sphere{particles.motion[k].position, particles.attributes[k].radius, k};
    };
}

}  // namespace

std::vector<OverlappingPair> find_overlaps(
    const Box& box, std::size_t size, const SphereAt& sphere_at, double tolerance, std::size_t limit,
    const std::function<bool(std::size_t, std::size_t, double)>& counts) {
    std::vector<OverlappingPair> result;
    if (limit == 0) return result;
    visit_overlaps(box, size, sphere_at, tolerance, [&](std::size_t a, std::size_t b, double gap) {
        const std::size_t first = std::min(a, b), second = std::max(a, b);
        if (counts && !counts(first, second, gap)) return false;
        result.push_back({first, second, gap});
        return result.size() >= limit;
    });
    std::sort(result.begin(), result.end(), [](const OverlappingPair& a, const OverlappingPair& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return result;
}

std::vector<OverlappingPair> find_overlaps(
    const Box& box, const Particles& particles, double tolerance, std::size_t limit,
    const std::function<bool(std::size_t, std::size_t, double)>& counts) {
    return find_overlaps(box, particles.size(), sphere_of(particles), tolerance, limit, counts);
}

std::uint64_t count_overlaps(const Box& box, const Particles& particles, double tolerance) {
    std::uint64_t count = 0;
    visit_overlaps(box, particles.size(), sphere_of(particles), tolerance,
                   [&](std::size_t, std::size_t, double) {
                       ++count;
                       return false;
                   });
    return count;
}

}  // namespace ricochet
