// SPDX-License-Identifier: BSD-3-Clause
//
// Tables as sources: what a file's reader would give out block by block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "placement/particle_table.hpp"

namespace ricochet::test {

/// Gives out a table that is in memory.
class TableInMemory final : public TableSource {
  public:
    explicit TableInMemory(ParticleTable table) : table_(std::move(table)) {
        shape_.has_id = table_.has_id;
        shape_.has_species = table_.has_species;
        shape_.has_velocity = table_.has_velocity;
        shape_.has_radius = table_.has_radius;
        shape_.has_mass = table_.has_mass;
        shape_.has_image = table_.has_image;
        shape_.species_names = table_.species_names;
        shape_.has_nameless_species = table_.has_nameless_species;
        shape_.claims = table_.claims;
        shape_.places.file = table_.places.file;
        shape_.places.num_columns = table_.places.num_columns;
        shape_.places.column_of = table_.places.column_of;
    }

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        const std::size_t size = table_.particles.size();
        if (is_begun_ && next_row_ == size) return false;
        is_begun_ = true;
        block = shape_;
        const std::size_t end = next_row_ + std::min<std::size_t>(most_rows, size - next_row_);
        for (; next_row_ < end; ++next_row_) add_row(block, next_row_);
        return true;
    }

  private:
    void add_row(ParticleTable& block, std::size_t row) const {
        const TablePlaces& places = table_.places;
        block.particles.append(table_.particles, row);
        if (places.lines.empty()) return;
        block.places.lines.push_back(places.lines[row]);
        for (std::size_t k = 0; k < places.num_columns; ++k)
            block.places.text_columns.push_back(places.text_columns[row * places.num_columns + k]);
    }

    ParticleTable table_;
    ParticleTable shape_;  ///< without rows
    std::size_t next_row_ = 0;
    bool is_begun_ = false;
};

/// All rows of a source in one table.
inline ParticleTable whole_table(TableSource& source) {
    ParticleTable block;
    source.next(block, ~std::uint64_t{0});
    ParticleTable rest;
    source.next(rest, 1);  // finds what is wrong at the end
    return block;
}

}  // namespace ricochet::test
