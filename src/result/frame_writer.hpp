// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the frames: particles in the order of their ids, one row in every element of the trajectory group. Each
// particle goes to its place among the ids of the start (parallel/row_places.hpp). Where these have gaps, they are
// known from the file (start_ids.hpp) or are sorted across the ranks for the first frame. Particles that come later
// have rows after these, for which all elements grow.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parallel/row_places.hpp"
#include "result/frame_columns.hpp"
#include "result/frame_row.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

class FrameWriter {
  public:
    FrameWriter() = default;
    /// Creates the trajectory group and its elements, without frames. Collective.
    FrameWriter(hid_t file, const ResultDescription& description)
        : box_(description.box), columns_(file, description) {}
    /// Goes on after the first frames of an existing file, to which it is cut back (frame_columns.hpp).
    /// `own_sum` is this rank's part of their checksum. Collective.
    static FrameWriter reopen(Exchange& exchange, hid_t file, const ResultDescription& description,
                              std::uint64_t num_frames, std::uint64_t own_sum);

    /// Appends a frame, not yet committed. Throws RunError on all ranks when the particles of all ranks are
    /// not the described number of different ids, always the same. Where particles change, frames after step 0 may
    /// have fewer, and later ones where these can come. Collective.
    void write(Exchange& exchange, std::uint64_t step, double time, const Particles& owned);

    /// Bytes that a frame of these particles needs. Throws RunError on all ranks when there is no row for one.
    /// Collective.
    std::uint64_t frame_bytes(Exchange& exchange, const Particles& owned) const;

    std::uint64_t num_frames() const { return columns_.num_frames(); }
    std::uint64_t num_rows() const { return columns_.num_rows(); }
    bool has_changing_particles() const { return columns_.has_changing_particles(); }
    std::uint64_t own_sum() const { return columns_.own_sum(); }
    std::vector<double> read_times() const { return columns_.read_times(); }
    std::vector<std::uint64_t> read_rows() const { return columns_.read_rows(); }

  private:
    void find_places(Exchange& exchange, hid_t file);
    std::uint64_t rows_with(Exchange& exchange, const Particles& owned) const;
    IdRange first_ids() const;
    std::span<const FrameSources> collect_rows(Exchange& exchange, std::uint64_t step, std::uint64_t num_rows,
                                               const Particles& owned);
    RowPlaces places_of(Exchange& exchange, std::vector<std::uint64_t> ids, std::uint64_t total) const;
    std::optional<std::string> find_wrong_total(std::uint64_t total, std::uint64_t step) const;
    void agree_on_thickness(Exchange& exchange, const Particles& owned);

    Box box_;
    /// The thickness of a layer of discs: the largest diameter so far; 0 until the first frame is written.
    double thickness_ = 0;
    std::optional<RowPlaces> places_;      ///< of the first particles; known from the first frame on
    std::array<FrameSources, 2> sources_;  ///< of the first particles, and of new ones
    FrameColumns columns_;
};

}  // namespace ricochet
