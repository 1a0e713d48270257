// SPDX-License-Identifier: BSD-3-Clause
#include "placement/covered_places.hpp"

#include <algorithm>
#include <cmath>

#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet::detail {

namespace {

/// Finer voxels than this part of the smallest diameter mark little more.
constexpr double finest = 0.1;
/// The factor for reaches; more than the rounding of a centre's voxel in boxes of up to 1e6 diameters.
constexpr double reach_down = 1 - 1e-6;

}  // namespace

CoveredPlaces::CoveredPlaces(const Box& box, const StripRange& strip, double smallest, std::uint64_t num_bits)
    : box_(box), low_(strip.low), smallest_(smallest), slack_(100 * separation_slack(box)) {
    Vec3 length = box.size;
    length.x = strip.thickness;
    const auto most = static_cast<double>(num_bits);
    const double longest = std::max({box.size.x, box.size.y, box.size.z});
    Vec3 count{1, 1, 1};
    for (double edge = finest * 2 * smallest;; edge *= 1.05) {
        for (int axis = 0; axis < box.dimension; ++axis) count[axis] = std::ceil(length[axis] / edge);
        if (count.x * count.y * count.z <= most || edge > longest) break;
    }
    std::uint64_t num_voxels = 1;
    for (int axis = 0; axis < box.dimension; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        num_[k] = static_cast<std::uint64_t>(count[axis]);
        num_voxels *= num_[k];
        edge_[axis] = length[axis] / count[axis];
        per_length_[axis] = count[axis] / length[axis];
    }
    reserve_in_large_pages(words_, static_cast<std::size_t>(num_voxels / 64 + 1));
    words_.resize(static_cast<std::size_t>(num_voxels / 64 + 1));
}

/// The largest distance along an axis from a centre to a point of a voxel, which may lie beyond a periodic face.
double CoveredPlaces::farthest(int axis, std::int64_t voxel, double centre) const {
    if (axis >= box_.dimension) return 0;
    const double low = static_cast<double>(voxel) * edge_[axis];
    return std::max(std::abs(low - centre), std::abs(low + edge_[axis] - centre));
}

/// Moves the voxel into the box; false where a wall is.
bool CoveredPlaces::wrap(int axis, std::int64_t& voxel) const {
    const auto n = static_cast<std::int64_t>(num_[static_cast<std::size_t>(axis)]);
    if (voxel >= 0 && voxel < n) return true;
    if (!box_.is_periodic(axis)) return false;
    voxel += voxel < 0 ? n : -n;
    return voxel >= 0 && voxel < n;
}

/// Marks the bits [first, last).
void CoveredPlaces::mark(std::uint64_t first, std::uint64_t last) {
    while (first < last) {
        const std::uint64_t in_word = first % 64, length = std::min(64 - in_word, last - first);
        const std::uint64_t ones = length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
        words_[static_cast<std::size_t>(first / 64)] |= ones << in_word;
        first += length;
    }
}

/// Marks the voxels of a row that lie within `half` of x, counted from the strip's lower face.
void CoveredPlaces::cover_piece(double x, double half, std::uint64_t row) {
    const double first = std::max(std::ceil((x - half) * per_length_.x), 0.0);
    const double last = std::min(std::floor((x + half) * per_length_.x), static_cast<double>(num_[0]));
    if (first < last)
        mark(row * num_[0] + static_cast<std::uint64_t>(first),
             row * num_[0] + static_cast<std::uint64_t>(last));
}

/// Marks the voxels of a row that lie within `half` of a centre along x, or of its images.
void CoveredPlaces::cover_row(double centre, double half, std::uint64_t row) {
    const double size = box_.size.x, x = centre - low_;
    cover_piece(x, half, row);
    if (!box_.is_periodic(0)) return;
    if (x - half < 0) cover_piece(x + size, half, row);
    if (x + half > size) cover_piece(x - size, half, row);
}

/// The layers of voxels across an axis that lie within reach of a centre.
void CoveredPlaces::find_layers(int axis, double centre, double reach, std::vector<Layer>& layers) const {
    layers.clear();
    const auto first = static_cast<std::int64_t>(std::floor((centre - reach) * per_length_[axis]));
    const auto last = static_cast<std::int64_t>(std::floor((centre + reach) * per_length_[axis]));
    for (std::int64_t voxel = first; voxel <= last; ++voxel) {
        const double distance = farthest(axis, voxel, centre);
        std::int64_t inside = voxel;
        if (distance < reach && wrap(axis, inside))
            layers.push_back({static_cast<std::uint64_t>(inside), distance * distance});
    }
}

void CoveredPlaces::cover(const Sphere& sphere) {
    const double reach = (sphere.radius + smallest_) * reach_down - slack_;
    find_layers(1, sphere.centre.y, reach, across_y_);
    find_layers(2, sphere.centre.z, reach, across_z_);
    for (const Layer& z : across_z_)
        for (const Layer& y : across_y_) {
            const double left = reach * reach - z.squared_distance - y.squared_distance;
            if (left > 0) cover_row(sphere.centre.x, std::sqrt(left), y.voxel + num_[1] * z.voxel);
        }
}

}  // namespace ricochet::detail
