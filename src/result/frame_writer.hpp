// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the frames. Sorts the particles by id across the ranks, and appends one row to every element of the
// trajectory group. Where particles change, later frames are not sorted: each particle goes to its row of the
// first frame (row_places.hpp). Particles that come later have rows after these, for which all elements grow.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "result/frame_row.hpp"
#include "result/row_places.hpp"
#include "result/units.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// x rounded to float32, but always below `length`: a position in [0, length) stays in this range.
float rounded_below(double x, double length);

class FrameWriter {
  public:
    FrameWriter() = default;
    /// Creates the trajectory group and its elements, without frames. Collective.
    FrameWriter(hid_t file, const ResultDescription& description);
    /// Opens the group of an existing file and cuts it back to its first frames. `own_sum` is this rank's
    /// part of their checksum. The number of rows, and whether particles change, are as in the file.
    /// Collective.
    static FrameWriter reopen(Exchange& exchange, hid_t file, const ResultDescription& description,
                              std::uint64_t num_frames, std::uint64_t own_sum);

    /// Appends a frame, not yet committed. Throws RunError on all ranks when the particles of all ranks are
    /// not the described number of different ids. Where particles change, frames after step 0 may have fewer,
    /// all of them of the first frame, and later ones where these can come. Collective.
    void write(Exchange& exchange, std::uint64_t step, double time, const Particles& owned);

    std::uint64_t num_frames() const { return num_frames_; }
    /// Of the latest frame, with those of absent particles.
    std::uint64_t num_rows() const { return num_rows_; }
    bool has_changing_particles() const { return has_changing_particles_; }
    /// This rank's part of ResultSums::frames.
    std::uint64_t own_sum() const { return own_sum_; }
    /// Times of the frames in the file. Called on all ranks.
    std::vector<double> read_times() const;
    /// Bytes that a frame of these particles needs. Throws RunError on all ranks when there is no row for one.
    /// Collective.
    std::uint64_t frame_bytes(Exchange& exchange, const Particles& owned) const;

  private:
    template <class Number>
    void create_column(hid_t group, const char* name, hdf5::Dataset& value, Number fill_value = 0,
                       hsize_t width = 1);
    void create_element(hid_t group, const char* name, hid_t type, const hdf5::Extents& row,
                        const hdf5::Storage& storage, hdf5::Dataset& value);
    template <class Real>
    void create_reals(hid_t group);
    void create_radius_and_mass(hid_t group);
    void write_units(const FrameUnits& units);
    void open_columns(hid_t group);
    void open_rows(hid_t file);
    void read_places(Exchange& exchange);
    std::array<const hdf5::Dataset*, 7> columns() const;
    std::uint64_t rows_with(Exchange& exchange, const Particles& owned) const;
    void add_missing(Exchange& exchange, std::vector<FrameRow>& rows) const;
    RowBlock sorted_rows(Exchange& exchange, std::vector<FrameRow> rows,
                         std::optional<std::string>& problem) const;
    RowBlock old_rows(Exchange& exchange, std::uint64_t step, std::vector<FrameRow> rows,
                      std::optional<std::string>& problem) const;
    std::vector<RowBlock> rows_in_place(Exchange& exchange, std::uint64_t step, const Particles& owned);
    void agree_on_thickness(Exchange& exchange, const Particles& owned);
    void write_series(Exchange& exchange, std::uint64_t step, double time);
    void write_radius_and_mass(Exchange& exchange, const RowBlock& block);
    template <class Real>
    void write_reals(Exchange& exchange, const RowBlock& block);
    void write_integers(Exchange& exchange, const RowBlock& block);
    template <class Number>
    void append(Exchange& exchange, hdf5::Dataset& dataset, const char* name, std::uint64_t first,
                const std::vector<Number>& values);
    template <class Number>
    void write_from_rank_0(Exchange& exchange, hdf5::Dataset& dataset, const char* name,
                           const hdf5::Extents& row, std::span<const Number> values);
    void write_constant(Exchange& exchange, hdf5::Dataset& dataset, const char* name, std::uint64_t first,
                        const std::vector<double>& values);

    Box box_;
    /// Of a layer of discs: the largest diameter so far; 0 until the first frame is written.
    double thickness_ = 0;
    std::uint64_t num_rows_ = 0;        ///< as of the latest frame
    std::uint64_t num_first_rows_ = 0;  ///< of the particles of the first frame
    std::optional<std::uint64_t> first_new_id_;
    bool has_changing_particles_ = false;
    RowPlaces places_;  ///< from the first frame on, where particles change
    Precision precision_ = Precision::float64;
    bool is_compressed_ = false;
    hdf5::Dataset step_, time_, box_edges_;
    hdf5::Dataset position_, velocity_, image_, id_, species_;
    hdf5::Dataset radius_, mass_;
    hdf5::Dataset rows_;  ///< num_rows_ as of each frame, where that grows
    std::uint64_t num_frames_ = 0;
    std::uint64_t own_sum_ = 0;
};

}  // namespace ricochet
