// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/triangles_builder.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "kinetic/power_certificate2.hpp"

namespace ricochet {
namespace {

class TrianglesBuilder {
  public:
    TrianglesBuilder(std::span<const WeightedPoint2> points, const TorusFrame& frame, Triangles& triangles)
        : points_(points),
          period_(frame.period()),
          scale_(frame.scale()),
          most_flips_(1000 + 200 * frame.num_present()),
          triangles_(triangles) {
        for (const WeightedPoint2& point : points) largest_weight_ = std::max(largest_weight_, point.weight);
    }

    bool build(std::vector<Slot>& order) {
        append_in_rows(order);
        constexpr std::size_t ratio = 4;
        std::size_t stride = 1;
        while (stride < order.size()) stride *= ratio;
        latest_ = order[0];
        triangles_.start(points_.size(), latest_);
        for (; stride > 0; stride /= ratio)
            for (std::size_t k = stride; k < order.size(); k += stride)
                if (k % (ratio * stride) != 0 && !insert(order[k])) return false;
        return true;
    }

  private:
    Vec3 place(const Corner& corner) const {
        return place_of(corner, points_[corner.slot].position, period_);
    }

    /// In rows of cells, to and fro.
    void append_in_rows(std::vector<Slot>& order) const {
        std::vector<std::pair<std::uint64_t, Slot>> keys;
        std::size_t count = 0;
        for (const WeightedPoint2& point : points_) count += point.weight > 0 ? 1 : 0;
        const double side = std::sqrt(2 * period_.x * period_.y / static_cast<double>(count));
        constexpr double most_cells = 1e6;
        const auto cell = [&](double x, double period) {
            const double turns = x / period;
            return static_cast<std::uint64_t>((turns - std::floor(turns)) *
                                              std::clamp(period / side, 1.0, most_cells));
        };
        for (Slot slot = 0; slot < points_.size(); ++slot) {
            if (!(points_[slot].weight > 0)) continue;
            const std::uint64_t row = cell(points_[slot].position.y, period_.y);
            const std::uint64_t column = cell(points_[slot].position.x, period_.x);
            keys.emplace_back((row << 32) + (row % 2 == 0 ? column : 0xffffffffu - column), slot);
        }
        std::sort(keys.begin(), keys.end());
        for (const auto& [key, slot] : keys) order.push_back(slot);
    }

    bool insert(Slot slot) {
        const auto found = locate(slot);
        if (!found) return false;
        const auto& [triangle, vertex] = *found;
        const auto first_new = static_cast<std::uint32_t>(triangles_.size());
        triangles_.split(triangle, vertex);
        latest_ = slot;
        suspects_.assign({3 * triangle + 2, 3 * first_new + 2, 3 * (first_new + 1) + 2});
        return make_regular();
    }

    /// The triangle that the point lies in, and the point in its frame.
    std::optional<std::pair<std::uint32_t, Corner>> locate(Slot slot) const {
        const std::uint32_t start = triangles_.opposite_edge(latest_);
        const Vec3 from = place(triangles_.corner(start));
        const Vec3 away = points_[slot].position - from;
        Corner vertex{slot, static_cast<std::int16_t>(-std::nearbyint(away.x / period_.x)),
                      static_cast<std::int16_t>(-std::nearbyint(away.y / period_.y))};
        std::uint32_t triangle = start / 3;
        const std::size_t most_steps = 4 * triangles_.size() + 100;
        for (std::size_t step = 0; step < most_steps; ++step) {
            const EdgeName edge = edge_towards(triangle, place(vertex), step);
            if (edge == Triangles::none) return std::pair(triangle, vertex);
            const EdgeName other = triangles_.twin(edge);
            vertex = shifted(vertex, triangles_.corner(Triangles::after(edge)),
                             triangles_.corner(Triangles::before(other)));
            triangle = other / 3;
        }
        return std::nullopt;
    }

    /// The edge beyond which a place lies; `none` where it lies within the triangle.
    EdgeName edge_towards(std::uint32_t triangle, Vec3 at, std::size_t turn) const {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto edge = static_cast<EdgeName>(std::size_t{3} * triangle + (turn + k) % 3);
            const Vec3 begin = place(triangles_.corner(Triangles::after(edge)));
            const Vec3 end = place(triangles_.corner(Triangles::before(edge)));
            if (two_areas(begin, end, at) < -noise_of_area(begin, end, at)) return edge;
        }
        return Triangles::none;
    }
    double noise_of_area(Vec3 a, Vec3 b, Vec3 c) const {
        constexpr double rounding = 4e-15;
        const double extent =
            std::max({std::abs(b.x - a.x), std::abs(b.y - a.y), std::abs(c.x - a.x), std::abs(c.y - a.y)});
        return rounding * scale_ * extent;
    }

    /// Flips suspect edges and those around. False where an edge cannot be flipped.
    bool make_regular() {
        while (!suspects_.empty()) {
            const EdgeName edge = suspects_.back();
            suspects_.pop_back();
            const Quadrilateral corners = triangles_.quadrilateral(edge);
            if (is_regular(corners)) continue;
            const Vec3 a = place(corners[0]), b = place(corners[1]), c = place(corners[2]),
                       d = place(corners[3]);
            if (!(two_areas(a, b, d) > 0 && two_areas(d, c, a) > 0)) return false;
            if (num_flips_++ > most_flips_) return false;
            const std::uint32_t left = edge / 3, right = triangles_.twin(edge) / 3;
            triangles_.flip(edge);
            suspects_.insert(suspects_.end(), {3 * left, 3 * left + 2, 3 * right, 3 * right + 2});
        }
        return true;
    }

    /// Whether it is, or might be, by rounding.
    bool is_regular(const Quadrilateral& corners) const {
        const auto disc = [&](std::size_t k) {
            return MovingDisc{place(corners[k]), {}, points_[corners[k].slot].weight};
        };
        const std::array<MovingDisc, 4> discs{disc(3), disc(0), disc(1), disc(2)};
        double extent = 0;
        for (const MovingDisc& other : discs) {
            const Vec3 apart = abs(other.position - discs[0].position);
            extent = std::max({extent, apart.x, apart.y});
        }
        // 64 roundings in proportion to coordinates, times the derivative of the determinant.
        constexpr double rounding = 2e-14;
        const double noise = rounding * scale_ * extent * (extent * extent + largest_weight_);
        return power_determinant(discs).c[0] <= noise;
    }

    std::span<const WeightedPoint2> points_;
    Vec3 period_;
    double scale_, largest_weight_ = 0;
    std::size_t num_flips_ = 0, most_flips_;
    Triangles& triangles_;
    Slot latest_ = 0;  ///< the vertex that came last
    std::vector<EdgeName> suspects_;
};

}  // namespace

bool build_triangles(std::span<const WeightedPoint2> points, const TorusFrame& frame, Triangles& triangles,
                     std::vector<Slot>& order) {
    return TrianglesBuilder(points, frame, triangles).build(order);
}

}  // namespace ricochet
