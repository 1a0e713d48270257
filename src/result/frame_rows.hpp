// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the frames of a result in blocks of rows, for files larger than the memory. Datasets are opened once.
// The caller chooses a block of rows, of complete frames only. Rows without a particle are left out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "result/result_reader.hpp"

namespace ricochet {

using Triple = std::array<double, 3>;
using IntegerTriple = std::array<std::int64_t, 3>;

/// The particles in consecutive rows of one frame; all arrays have the same length, in ascending id.
struct FrameBlock {
    std::vector<std::uint64_t> id;
    std::vector<std::uint32_t> species;  ///< index into the species of the description
    std::vector<Triple> position;        ///< wrapped, length
    std::vector<Triple> velocity;        ///< length per time
    std::vector<IntegerTriple> image;    ///< unwrapped position = position + image * L
    std::vector<double> radius, mass;

    std::size_t size() const { return id.size(); }
};

/// Rows [first, first + count) of frame `frame`.
struct FrameRowRange {
    std::uint64_t frame = 0;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

class FrameRows {
  public:
    /// Keeps a reference to `reader`. Throws Hdf5Error when a dataset is missing.
    explicit FrameRows(const ResultReader& reader);

    /// The number of rows of a frame, with rows without a particle.
    std::uint64_t num_rows(std::uint64_t frame) const { return reader_.num_rows(frame); }
    /// The number of particles in a frame. O(rows) where particles may be absent.
    std::uint64_t num_particles(std::uint64_t frame) const;
    /// The same by species. O(rows).
    std::vector<std::uint64_t> count_by_species(std::uint64_t frame) const;
    /// The third edge of the box: the thickness of the layer in which discs lie.
    double thickness(std::uint64_t frame) const;

    /// Each function overwrites `out` with the particles in the given rows; float32 values come exactly as
    /// doubles.
    void read_id(const FrameRowRange& rows, std::vector<std::uint64_t>& out) const;
    void read_species(const FrameRowRange& rows, std::vector<std::uint32_t>& out) const;
    void read_position(const FrameRowRange& rows, std::vector<Triple>& out) const;
    void read_velocity(const FrameRowRange& rows, std::vector<Triple>& out) const;
    void read_image(const FrameRowRange& rows, std::vector<IntegerTriple>& out) const;
    void read_radius(const FrameRowRange& rows, std::vector<double>& out) const;
    void read_mass(const FrameRowRange& rows, std::vector<double>& out) const;
    /// All columns.
    void read(const FrameRowRange& rows, FrameBlock& out) const;

  private:
    /// Radius or mass.
    void read_attribute(const hdf5::Dataset& dataset, const FrameRowRange& rows,
                        std::vector<double>& out) const;
    template <class Value>
    void keep_present(const FrameRowRange& rows, std::vector<Value>& values) const;

    const ResultReader& reader_;
    bool has_changing_particles_;
    hdf5::Dataset id_, species_, position_, velocity_, image_, radius_, mass_, box_edges_;
};

/// Calls visit(rows) for blocks of at most rows_per_block that cover `num_rows` rows of a frame in order.
template <class Visit>
void for_each_block(std::uint64_t num_rows, std::uint64_t frame, Visit&& visit) {
    for (std::uint64_t first = 0; first < num_rows; first += rows_per_block)
        visit(FrameRowRange{frame, first, std::min(rows_per_block, num_rows - first)});
}

/// The same for all rows of a frame.
template <class Visit>
void for_each_block(const FrameRows& frames, std::uint64_t frame, Visit&& visit) {
    for_each_block(frames.num_rows(frame), frame, std::forward<Visit>(visit));
}

}  // namespace ricochet
