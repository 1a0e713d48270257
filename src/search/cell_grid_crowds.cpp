// SPDX-License-Identifier: BSD-3-Clause
//
// Crowds: clusters in a void, films, threads. Spheres that fill a small part of the box.
//
// Cells that suit a crowd are far too many for the box. So the box is *rolled up*: along an axis of length L, a
// coordinate is taken modulo L / n. Then cells of different turns are one, and few cells serve a large box. Rolling
// up is a covering map from one torus, or line, to a smaller torus. It lengthens no distance. So spheres that
// overlap in the box overlap there too, and the search for all pairs and the queries work as in any periodic box.
// What overlaps there alone is left out in the end, by the distance in the box.
//
// The density about some spheres, in the cells that a search would look at, says how crowded they are. As cells
// grow smaller, it becomes that of the crowd itself. So layout and measurement alternate until they agree, which
// takes a few rounds at the start, and none later. Where the density is nearly the mean, nothing is rolled up, and
// cells are as they would be without crowds.
//
// Axes are rolled up one after the other, by two or three turns. Each time it is the axis along which the fewest of
// some spheres come to lie upon others. So a film is rolled up across itself, and clusters on a lattice are not put
// upon each other.
//
// Disadvantage: spheres of two crowds that come to lie upon each other are tested in vain. Cells are for one
// density: a dilute gas about a cluster has more, and emptier, cells than it needs.
//
// Source: the cells of Johnson & Whalley 2002, sections 3.2 and 4.3, which assume an even density.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "search/cell_grid.hpp"

namespace ricochet {
namespace {

constexpr std::size_t most_samples = 512, spheres_per_sample = 16;
/// A density that is larger than the mean by this factor makes a crowd. With fewer, rows would hardly be narrower.
constexpr double least_crowding = 4;
/// Cells are made anew where the density has changed by this factor.
constexpr double tolerated = 1.5;
constexpr double rolled_cells_per_sphere = 8, fewest_rolled_cells = 4096;

std::size_t num_samples(std::size_t num_spheres) {
    return std::min(most_samples, num_spheres / spheres_per_sample);
}

}  // namespace

/// What some spheres would meet in a box that is rolled up.
struct CellGrid::Rolls {
    std::vector<Vec3> midpoints;
    double edge = 0;  ///< of cubes in which a crowd has a few of them
    std::vector<std::uint64_t> cubes;

    struct Fold {
        int axis = -1;  ///< none
        int turns = 1;
    };

    /// The sum of squares of their numbers in cubes: the less, the fewer lie upon others.
    double crowding(const Vec3& length) {
        cubes.clear();
        for (const Vec3& midpoint : midpoints) {
            std::uint64_t cube = 0;
            for (int axis = 0; axis < 3; ++axis) {
                if (!(length[axis] > 0)) continue;
                const double turns = midpoint[axis] / length[axis];
                const double in_turn = (turns - std::floor(turns)) * std::ceil(length[axis] / edge);
                cube = (cube << 21) + static_cast<std::uint64_t>(in_turn);
            }
            cubes.push_back(cube);
        }
        std::sort(cubes.begin(), cubes.end());
        double sum = 0;
        for (auto begin = cubes.begin(); begin != cubes.end();) {
            const auto end = std::upper_bound(begin, cubes.end(), *begin);
            sum += static_cast<double>((end - begin) * (end - begin));
            begin = end;
        }
        return sum;
    }

    /// The fold of one axis, in two or three, that puts fewest upon others. No axis becomes shorter than the least
    /// length.
    Fold best_fold(const Vec3& length, double least_length) {
        constexpr double clearly = 0.9;
        double least = std::numeric_limits<double>::infinity();
        Fold best;
        for (const int turns : {2, 3}) {
            for (int axis = 0; axis < 3; ++axis) {
                if (!(length[axis] > turns * least_length)) continue;
                Vec3 shorter = length;
                shorter[axis] /= turns;
                const double sum = crowding(shorter);
                const bool is_longer = turns == 2 && best.axis >= 0 && length[axis] > length[best.axis];
                if (sum >= (is_longer ? least / clearly : clearly * least)) continue;
                least = sum;
                best = {axis, turns};
            }
        }
        return best;
    }
};

/// After a layout; does it anew as often as that changes what is measured.
void CellGrid::follow_crowds(SearchDomain domain) {
    constexpr int most_rounds = 12;
    if (num_samples(level_size_[0]) == 0) return;
    double mean = domain.width / static_cast<double>(level_size_[0]);
    for (int axis = 1; axis < box_.dimension; ++axis) mean *= box_.size[axis];
    for (int round = 0; round < most_rounds; ++round) {
        const double measured = volume_in_crowds();
        const double volume = measured < mean / least_crowding ? measured : 0;
        const bool is_as_before =
            crowd_volume_ == 0 ? volume == 0
                               : volume < tolerated * crowd_volume_ && crowd_volume_ < tolerated * volume;
        const bool has_room = round > 0 || !is_rolled_up() || levels_[0].has_wide_rows;
        if (is_as_before && has_room) return;
        crowd_volume_ = volume;
        if (is_rolled_up()) unroll();
        if (crowd_volume_ > 0) choose_turns();
        lay_out(domain);
    }
}

/// Volume per sphere about some spheres of the finest level. A search for pairs looks at an interval of a sphere's own
/// row; the others in it are counted.
double CellGrid::volume_in_crowds() const {
    const Level& level = levels_[0];
    const std::size_t num_spheres = level.end - level.begin, count = num_samples(num_spheres);
    const auto cell_of = [&](Place place, std::size_t k, double shift) {
        const int axis = shape_.axis_order[k];
        const double at = (static_cast<double>(axis_data(axis)[place]) + shift) * level.inverse_edge[axis];
        return static_cast<std::ptrdiff_t>(std::clamp(at, 0.0, static_cast<double>(num_along(level, k) - 1)));
    };
    double volume = 0, num_others = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const auto place = level.begin + static_cast<Place>(k * num_spheres / count);
        const auto row = &cell_start_[level.first_cell] + cell_of(place, 0, 0) * stride_along(level, 0) +
                         cell_of(place, 1, 0) * stride_along(level, 1);
        const double reach = static_cast<double>(reach_data()[place]) + level.max_reach;
        const std::ptrdiff_t first = cell_of(place, 2, -reach), last = cell_of(place, 2, reach);
        num_others += static_cast<double>(row[last + 1] - row[first]) - 1;
        volume += static_cast<double>(last - first + 1);
    }
    for (std::size_t k = 0; k < 3; ++k)
        if (shape_.is_cut[static_cast<std::size_t>(shape_.axis_order[k])]) volume *= edge(level, k);
    return num_others > 0 ? volume / num_others : std::numeric_limits<double>::infinity();
}

/// Rows take three turns of the widest pair, and queries of larger spheres would go round and round.
double CellGrid::least_rolled_length() const {
    double most = 0;
    for (const Level& level : levels_) most = std::max(most, level.max_reach);
    return 8 * most;
}

/// Chooses how often each axis is rolled up, after unroll().
void CellGrid::choose_turns() {
    const std::size_t count = num_samples(spheres_.size());
    const auto num_spheres = static_cast<double>(spheres_.size());
    Rolls rolls;
    for (std::size_t k = 0; k < count; ++k)
        rolls.midpoints.push_back(spheres_[k * spheres_.size() / count].midpoint());
    constexpr double samples_per_cube = 4;
    rolls.edge = std::pow(samples_per_cube * crowd_volume_ * num_spheres / static_cast<double>(count),
                          1.0 / num_cut());
    const RowSize row = row_size(levels_[0], crowd_volume_);
    const double least_length = std::max(least_rolled_length(), 4 * row.across);
    const double most_cells = std::max(fewest_rolled_cells, rolled_cells_per_sphere * num_spheres);
    Vec3 length;
    for (int axis = 0; axis < 3; ++axis)
        if (shape_.is_cut[static_cast<std::size_t>(axis)]) length[axis] = box_.size[axis];
    const auto num_cells = [&] {
        double cells = 1;
        for (std::size_t k = 0; k < 3; ++k)
            if (const double along = length[shape_.axis_order[k]]; along > 0)
                cells *= along / (k == 2 ? row.along : row.across);
        return cells;
    };
    while (num_cells() > most_cells) {
        const Rolls::Fold fold = rolls.best_fold(length, least_length);
        if (fold.axis < 0) return;
        length[fold.axis] /= fold.turns;
        turns_[static_cast<std::size_t>(fold.axis)] *= fold.turns;
    }
}

void CellGrid::unroll() {
    turns_ = {1, 1, 1};
    is_part_ = false;
    frame_lower_ = 0;
    frame_size_ = box_.size;
    frame_images_ = images();
    for (int axis = 0; axis < 3; ++axis) is_ring_[static_cast<std::size_t>(axis)] = box_.is_periodic(axis);
}

/// Makes the frame the box rolled up, and puts the spheres into it.
void CellGrid::roll_up() {
    const auto turns = turns_;
    unroll();
    turns_ = turns;
    for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a);
        if (turns_[a] == 1) continue;
        frame_size_[axis] = box_.size[axis] / turns_[a];
        is_ring_[a] = true;
        frame_images_.length[axis] = frame_size_[axis];
        frame_images_.inverse[axis] = 1 / frame_size_[axis];
    }
    resize_for_overwrite(rolled_up_, spheres_.size());
    for (std::size_t k = 0; k < spheres_.size(); ++k) rolled_up_[k] = rolled_up(spheres_[k]);
    placed_ = rolled_up_;
}

BoundingSphere CellGrid::rolled_up(const BoundingSphere& sphere) const {
    const auto in_turn = [&](float x, int axis) {
        if (turns_[static_cast<std::size_t>(axis)] == 1) return x;
        const auto at = static_cast<double>(x);
        const double turn = std::floor(at * frame_images_.inverse[axis]);
        return static_cast<float>(at - turn * frame_size_[axis]);
    };
    return {in_turn(sphere.x, 0), in_turn(sphere.y, 1), in_turn(sphere.z, 2), sphere.reach};
}

/// In the box, not only where it is rolled up.
bool CellGrid::may_overlap(const BoundingSphere& a, const BoundingSphere& b) const {
    const Vec3 apart = minimum_image(a.midpoint() - b.midpoint(), images());
    const double reach = static_cast<double>(a.reach) + static_cast<double>(b.reach) + slack();
    return dot(apart, apart) <= reach * reach;
}

}  // namespace ricochet
