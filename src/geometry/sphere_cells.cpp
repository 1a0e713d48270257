// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/sphere_cells.hpp"

#include <algorithm>
#include <bit>

#include "ricochet/core/check.hpp"

namespace ricochet {

SphereCells::SphereCells(const Box& box, double edge) {
    RICOCHET_CHECK_GT(edge, 0);
    for (int axis = 0; axis < box.dimension; ++axis) {
        const double length = box.size[axis];
        const double fitting = std::floor(length / edge);
        const double limit = static_cast<double>(largest_cell_count);
        const auto n = static_cast<std::int64_t>(fitting < 1 ? 1 : fitting > limit ? limit : fitting);
        num_cells_[static_cast<std::size_t>(axis)] = n;
        cells_per_length_[axis] = static_cast<double>(n) / length;
        is_periodic_[static_cast<std::size_t>(axis)] = box.is_periodic(axis);
    }
}

SphereCells::Cell SphereCells::cell_of(Vec3 centre) const {
    Cell cell = 0;
    for (int axis = 0; axis < 3; ++axis) {
        RICOCHET_DCHECK_GE(centre[axis], 0);
        const auto index = static_cast<std::int64_t>(centre[axis] * cells_per_length_[axis]);
        RICOCHET_DCHECK_LE(index, num_cells_[static_cast<std::size_t>(axis)]);  // which rounding may reach
        const std::int64_t inside =
            std::clamp<std::int64_t>(index, 0, num_cells_[static_cast<std::size_t>(axis)] - 1);
        cell |= static_cast<Cell>(inside) << (bits_of_index * axis);
    }
    return cell;
}

namespace {

constexpr int bits_of_digit = 11;
constexpr std::size_t num_digits = std::size_t{1} << bits_of_digit;

/// The indices of cells side by side, without the bits that none of them has. Keeps their order.
class PackedCells {
  public:
    explicit PackedCells(const std::vector<CellEntry>& entries) {
        SphereCells::Cell bits = 0;
        for (const CellEntry& entry : entries) bits |= entry.first;
        for (std::size_t axis = 0; axis < widths_.size(); ++axis)
            widths_[axis] = static_cast<int>(std::bit_width(index(bits, axis)));
    }
    int num_bits() const { return widths_[0] + widths_[1] + widths_[2]; }
    std::uint64_t operator()(SphereCells::Cell cell) const {
        return index(cell, 0) | index(cell, 1) << widths_[0] | index(cell, 2) << (widths_[0] + widths_[1]);
    }

  private:
    static std::uint64_t index(SphereCells::Cell cell, std::size_t axis) {
        constexpr std::uint64_t mask = (std::uint64_t{1} << SphereCells::bits_of_index) - 1;
        return cell >> (axis * SphereCells::bits_of_index) & mask;
    }
    std::array<int, 3> widths_{};
};

/// One pass of the sort: entries in the order of one digit; those with the same digit keep theirs.
void scatter_by_digit(const std::vector<CellEntry>& from, std::vector<CellEntry>& to,
                      const PackedCells& packed, int first_bit) {
    const auto digit = [&](const CellEntry& entry) {
        return packed(entry.first) >> first_bit & (num_digits - 1);
    };
    std::vector<std::uint32_t> places(num_digits + 1);
    for (const CellEntry& entry : from) ++places[digit(entry) + 1];
    for (std::size_t k = 0; k < num_digits; ++k) places[k + 1] += places[k];
    for (const CellEntry& entry : from) to[places[digit(entry)]++] = entry;
}

}  // namespace

void sort_entries(std::vector<CellEntry>& entries) {
    constexpr std::size_t few = 1024;
    constexpr int most_passes = 4;  // comparisons are faster than more of them
    const PackedCells packed(entries);
    if (entries.size() < few || packed.num_bits() > most_passes * bits_of_digit)
        return std::sort(entries.begin(), entries.end());
    std::vector<CellEntry> others;
    resize_for_overwrite(others, entries.size());
    for (int bit = 0; bit < packed.num_bits(); bit += bits_of_digit) {
        scatter_by_digit(entries, others, packed, bit);
        entries.swap(others);
    }
}

}  // namespace ricochet
